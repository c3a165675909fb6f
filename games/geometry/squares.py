"""Square boards with walls on the edges: names, directions, steps and straight lines.

Distances and costs are in squares and movement points. Squares are written as players write
them: column letters (A..Z, AA..) and row number, row 1 being the north edge. Everything is
decided with integers, so that two machines never disagree about a line of sight.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

Square = str
"""Name of a square: "G7", "AA12"."""

Edge = Literal["open", "wall", "door", "window"]
"""What stands between two orthogonally neighbouring squares (BG-G.1)."""

FACINGS: Final[tuple[str, ...]] = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
"""Names of the directions 0..7, clockwise from north."""

STEPS: Final[tuple[tuple[int, int], ...]] = (
    (0, -1),
    (1, -1),
    (1, 0),
    (1, 1),
    (0, 1),
    (-1, 1),
    (-1, 0),
    (-1, -1),
)
"""(dx, dy) of one step in each direction of `FACINGS`; y grows to the south."""

LETTERS: Final = ".,LCVXG"
"""Square letters of the text grid."""

STEP_COST: Final = 1
"""Movement points of a step (BG-G.4)."""

WINDOW_STEP_COST: Final = 2
"""Movement points of a step through a window (BG-G.4)."""

_NAME = re.compile(r"([A-Z]{1,3})([1-9][0-9]{0,3})")
_SIDEWAYS: Final[Mapping[str, Edge]] = {" ": "open", "|": "wall", "D": "door", "W": "window"}
_UPRIGHT: Final[Mapping[str, Edge]] = {" ": "open", "-": "wall", "D": "door", "W": "window"}
_MAX_TRACES = 60_000
_MAX_DOOR_GRIDS = 64
_MAX_VECTORS = 8_192


# --- names and directions ---------------------------------------------------------------------


def square_name(x: int, y: int) -> Square:
    """Return the name of column `x`, row `y`, both counted from 0.

    Raises ValueError when one of them is negative.
    """
    if x < 0 or y < 0:
        raise ValueError(f"There is no square at column {x}, row {y}: both count from 0.")
    letters = ""
    column = x + 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return f"{letters}{y + 1}"


def square_xy(name: Square) -> tuple[int, int]:
    """Return (column, row), both counted from 0, of a square name on any board.

    Raises ValueError when the text is no square name.
    """
    match = _NAME.fullmatch(name)
    if match is None:
        raise ValueError(
            f"{name!r} is not a square: write column letters and a row number, like G7 or AA12."
        )
    column = 0
    for letter in match[1]:
        column = column * 26 + ord(letter) - ord("A") + 1
    return column - 1, int(match[2]) - 1


@lru_cache(maxsize=_MAX_VECTORS)
def dir8(dx: int, dy: int) -> int:
    """Return the direction 0..7 nearest to the vector (BG-G.6); it can never tie; remembered.

    Raises ValueError for the zero vector.
    """
    longer, shorter = max(abs(dx), abs(dy)), min(abs(dx), abs(dy))
    if longer == 0:
        raise ValueError("A square has no direction towards itself.")
    if (longer + shorter) ** 2 > 2 * longer**2:
        if dx > 0:
            return 1 if dy < 0 else 3
        return 5 if dy > 0 else 7
    return _along(dx, dy, sideways=abs(dx) > abs(dy))


def dir4(dx: int, dy: int) -> int:
    """Return 0, 2, 4 or 6: the longer component, north or south when equal (BG-O.1).

    Raises ValueError for the zero vector.
    """
    if dx == 0 and dy == 0:
        raise ValueError("A square has no direction towards itself.")
    return _along(dx, dy, sideways=abs(dx) > abs(dy))


def _along(dx: int, dy: int, *, sideways: bool) -> int:
    if sideways:
        return 2 if dx > 0 else 6
    return 0 if dy < 0 else 4


# --- straight lines ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Trace:
    """The straight line from one square to another (BG-G.8, BG-G.9).

    `path` is every square stepped into, the last one included; `crossed` is the same without the
    last; `touched` are the squares whose corner the line only passes; `clear` says that no wall
    cuts the line (units do not count here).
    """

    crossed: tuple[Square, ...]
    touched: tuple[Square, ...]
    clear: bool
    path: tuple[Square, ...]


def _line(ax: int, ay: int, bx: int, by: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield the steps (x, y, next x, next y) of the line between two square centres (BG-G.8)."""
    nx, ny = abs(bx - ax), abs(by - ay)
    sx, sy = (1 if bx > ax else -1), (1 if by > ay else -1)
    ix = iy = 0
    x, y = ax, ay
    while ix < nx or iy < ny:
        left, right = (1 + 2 * ix) * ny, (1 + 2 * iy) * nx
        to_x, to_y = x, y
        if left <= right:
            ix, to_x = ix + 1, x + sx
        if right <= left:
            iy, to_y = iy + 1, y + sy
        yield x, y, to_x, to_y
        x, y = to_x, to_y


# --- the board --------------------------------------------------------------------------------


class Grid:
    """A board of squares with an edge between any two orthogonal neighbours (BG-G.1..G.9).

    Immutable: `with_doors` gives another grid. Squares given to the methods must be on the board;
    a square that is not raises ValueError with a sentence naming it.
    """

    __slots__ = (
        "_base",
        "_costs",
        "_door_grids",
        "_doors",
        "_east",
        "_letters",
        "_near",
        "_south",
        "_spots",
        "_steps",
        "_traces",
        "height",
        "order",
        "squares",
        "width",
    )

    width: int
    height: int
    squares: tuple[Square, ...]
    """All squares in reading order: row by row from the north, each from the west."""
    order: Mapping[Square, int]
    """Place of every square in reading order, from 0."""

    def __init__(
        self, width: int, height: int, letters: str, east: tuple[Edge, ...], south: tuple[Edge, ...]
    ) -> None:
        """Build a grid from its squares' letters and their east and south edges.

        All three are in reading order; the outer edges are given too and count for nothing.
        """
        self.width, self.height = width, height
        self.squares = tuple(square_name(x, y) for y in range(height) for x in range(width))
        self.order = {square: place for place, square in enumerate(self.squares)}
        self._spots = {square: (n % width, n // width) for n, square in enumerate(self.squares)}
        self._letters = letters
        self._east, self._south = east, south
        self._base: Grid = self
        self._doors: tuple[tuple[Square, Square], ...] = ()
        self._door_grids: dict[tuple[tuple[Square, Square], ...], Grid] = {}
        self._traces: dict[tuple[Square, Square], Trace] = {}
        self._costs = self._all_costs()
        self._steps = tuple(
            tuple(
                (self.squares[self._index_towards(index, direction)], cost)
                for direction, cost in enumerate(costs)
                if cost is not None
            )
            for index, costs in enumerate(self._costs)
        )
        self._near = tuple(tuple(square for square, _ in steps) for steps in self._steps)

    @classmethod
    def parse(cls, rows: Sequence[str]) -> "Grid":
        """Read the text grid of 2H+1 rows of 2W+1 characters.

        Raises ValueError naming the row and column (counted from 1) of the first mistake.
        """
        _check_shape(rows)
        height, width = len(rows) // 2, len(rows[0]) // 2
        letters = "".join(_square_letter(rows, x, y) for y in range(height) for x in range(width))
        for x in range(width):
            _frame_edge(rows, 0, 2 * x + 1, "-")
            _frame_edge(rows, 2 * height, 2 * x + 1, "-")
        for y in range(height):
            _frame_edge(rows, 2 * y + 1, 0, "|")
            _frame_edge(rows, 2 * y + 1, 2 * width, "|")
        for row in range(0, 2 * height + 1, 2):
            for column in range(0, 2 * width + 1, 2):
                if rows[row][column] not in "+ ":
                    raise _misread(rows, row, column, "a corner is + or a space")
        east: tuple[Edge, ...] = tuple(
            _edge(rows, 2 * y + 1, 2 * x + 2, _SIDEWAYS)
            for y in range(height)
            for x in range(width)
        )
        south: tuple[Edge, ...] = tuple(
            _edge(rows, 2 * y + 2, 2 * x + 1, _UPRIGHT) for y in range(height) for x in range(width)
        )
        return cls(width, height, letters, east, south)

    def __contains__(self, square: object) -> bool:
        """Whether this is the name of a square of the board."""
        return square in self.order

    def __repr__(self) -> str:
        """Size and demo doors, for error messages."""
        return f"Grid({self.width}x{self.height}, demo doors {self._doors})"

    def letter(self, square: Square) -> str:
        """Return the square's letter: ``.`` ``,`` ``L`` ``C`` ``V`` ``X`` or ``G``."""
        return self._letters[self._index(square)]

    def xy(self, square: Square) -> tuple[int, int]:
        """Return (column, row) of a square of this board, counted from 0."""
        spot = self._spots.get(square)
        if spot is None:
            raise self._stranger(square)
        return spot

    def neighbour(self, square: Square, direction: int) -> Square | None:
        """Return the next square in a direction 0..7, walls or not; None off the board."""
        x, y = self.xy(square)
        dx, dy = STEPS[direction]
        return self.squares[self._place(x + dx, y + dy)] if self._on(x + dx, y + dy) else None

    def edge(self, a: Square, b: Square) -> Edge:
        """Return what stands between two orthogonal neighbours, demo doors included (BG-G.1).

        Raises ValueError when they are not orthogonal neighbours.
        """
        (ax, ay), (bx, by) = self.xy(a), self.xy(b)
        if abs(ax - bx) + abs(ay - by) != 1:
            raise ValueError(f"{a} and {b} share no edge: they are not orthogonal neighbours.")
        return self._edge_between(ax, ay, bx, by)

    def printed_edge(self, a: Square, b: Square) -> Edge:
        """Return what the map prints between two orthogonal neighbours, without demo doors.

        Raises ValueError when they are not orthogonal neighbours.
        """
        return self._base.edge(a, b)

    def step_cost(self, a: Square, b: Square) -> int | None:
        """Return the movement points of one step to one of the 8 neighbours (BG-G.4).

        None when a wall forbids the step or the squares are not neighbours.
        """
        (ax, ay), (bx, by) = self.xy(a), self.xy(b)
        if max(abs(bx - ax), abs(by - ay)) != 1:
            return None
        return self._costs[ay * self.width + ax][dir8(bx - ax, by - ay)]

    def passable(self, a: Square, b: Square) -> bool:
        """Whether no wall keeps two of the 8-neighbours apart (BG-G.2); False for others."""
        return self.step_cost(a, b) is not None

    def adjacent(self, a: Square, b: Square) -> bool:
        """Whether two squares are neighbours not cut off by a wall (BG-G.3)."""
        return self.step_cost(a, b) is not None

    def steps(self, square: Square) -> tuple[tuple[Square, int], ...]:
        """Return the squares one step away with their costs, clockwise from north (BG-G.4)."""
        return self._steps[self._index(square)]

    def near(self, square: Square) -> tuple[Square, ...]:
        """Return the adjacent squares, clockwise from north (BG-G.3)."""
        return self._near[self._index(square)]

    def dist(self, a: Square, b: Square) -> int:
        """Return the distance in squares, diagonals counting 1, walls ignored (BG-G.5)."""
        try:
            (ax, ay), (bx, by) = self._spots[a], self._spots[b]
        except KeyError as unknown:
            raise self._stranger(unknown.args[0]) from None
        wide, high = abs(ax - bx), abs(ay - by)
        return wide if wide > high else high

    def direction(self, a: Square, b: Square) -> int:
        """Return the direction 0..7 from one square to another (BG-G.6).

        Raises ValueError when they are the same square.
        """
        try:
            (ax, ay), (bx, by) = self._spots[a], self._spots[b]
        except KeyError as unknown:
            raise self._stranger(unknown.args[0]) from None
        return dir8(bx - ax, by - ay)

    def arc(self, at: Square, face: int, other: Square) -> int:
        """Return in which eighth around a unit facing `face` another square lies (BG-G.7).

        0 straight ahead, then clockwise: 7, 0, 1 front; 2, 6 side; 3, 5 diagonal rear; 4 direct
        rear. Raises ValueError when both squares are the same.
        """
        return (self.direction(at, other) - face) % 8

    def trace(self, a: Square, b: Square) -> Trace:
        """Return the straight line between two squares (BG-G.8, BG-G.9); remembered.

        A line from a square to itself has no steps and is clear.
        """
        found = self._traces.get((a, b))
        if found is None:
            found = self._find_trace(a, b)
            if len(self._traces) >= _MAX_TRACES:
                self._traces.clear()
            self._traces[a, b] = found
        return found

    def with_doors(self, edges: tuple[tuple[Square, Square], ...]) -> "Grid":
        """Return this grid with the walls at the given edges turned into doors (BG-G.1).

        The same edges give the same object as long as it is in use or recent. Raises ValueError
        for squares that share no edge and for an edge that is not printed as a wall.
        """
        base = self._base
        ordered = {base.ordered_edge(a, b): None for a, b in (*self._doors, *edges)}
        doors = tuple(sorted(ordered, key=lambda edge: (base.order[edge[0]], base.order[edge[1]])))
        if doors == self._doors:
            return self
        if not doors:
            return base
        found = base._door_grids.pop(doors, None)
        if found is None:
            found = base._build_with_doors(doors)
            if len(base._door_grids) >= _MAX_DOOR_GRIDS:
                base._door_grids.pop(next(iter(base._door_grids)))
        base._door_grids[doors] = found
        return found

    def ordered_edge(self, a: Square, b: Square) -> tuple[Square, Square]:
        """Return the two squares of an edge, the upper or left one first."""
        return (a, b) if self._index(a) < self._index(b) else (b, a)

    # --- inside

    def _index(self, square: Square) -> int:
        place = self.order.get(square)
        if place is None:
            raise self._stranger(square)
        return place

    def _stranger(self, square: Square) -> ValueError:
        last = self.squares[-1]
        return ValueError(f"{square!r} is not on this board, which ends at {last}.")

    def _place(self, x: int, y: int) -> int:
        return y * self.width + x

    def _on(self, x: int, y: int) -> bool:
        return 0 <= x < self.width and 0 <= y < self.height

    def _index_towards(self, index: int, direction: int) -> int:
        dx, dy = STEPS[direction]
        return index + dy * self.width + dx

    def _edge_between(self, ax: int, ay: int, bx: int, by: int) -> Edge:
        """Return the edge of two orthogonal neighbours on the board."""
        first = self._place(min(ax, bx), min(ay, by))
        return self._east[first] if ay == by else self._south[first]

    def _cost_between(self, ax: int, ay: int, bx: int, by: int) -> int | None:
        """Return the cost of a step to an 8-neighbour on the board (BG-G.2, BG-G.4)."""
        if ax == bx or ay == by:
            paths = ((self._edge_between(ax, ay, bx, by),),)
        else:
            paths = (
                (self._edge_between(ax, ay, bx, ay), self._edge_between(bx, ay, bx, by)),
                (self._edge_between(ax, ay, ax, by), self._edge_between(ax, by, bx, by)),
            )
        costs = [
            WINDOW_STEP_COST if "window" in path else STEP_COST
            for path in paths
            if "wall" not in path
        ]
        return min(costs) if costs else None

    def _all_costs(self) -> tuple[tuple[int | None, ...], ...]:
        return tuple(
            tuple(
                self._cost_between(x, y, x + dx, y + dy) if self._on(x + dx, y + dy) else None
                for dx, dy in STEPS
            )
            for y in range(self.height)
            for x in range(self.width)
        )

    def _find_trace(self, a: Square, b: Square) -> Trace:
        if self._base is not self and (found := self._base.trace(a, b)).clear:
            return found  # demo doors only open walls
        (ax, ay), (bx, by) = self.xy(a), self.xy(b)
        path: list[Square] = []
        touched: list[Square] = []
        clear = True
        squares, width, costs = self.squares, self.width, self._costs
        for x, y, to_x, to_y in _line(ax, ay, bx, by):
            path.append(squares[to_y * width + to_x])
            if x != to_x and y != to_y:
                touched.append(squares[y * width + to_x])
                touched.append(squares[to_y * width + x])
            if clear and costs[y * width + x][dir8(to_x - x, to_y - y)] is None:
                clear = False
        return Trace(
            crossed=tuple(path[:-1]), touched=tuple(touched), clear=clear, path=tuple(path)
        )

    def _build_with_doors(self, doors: tuple[tuple[Square, Square], ...]) -> "Grid":
        east, south = list(self._east), list(self._south)
        for a, b in doors:
            if self.edge(a, b) != "wall":
                raise ValueError(f"The edge {a}-{b} is no wall, so no demo door can be made there.")
            sideways = self.xy(a)[1] == self.xy(b)[1]
            (east if sideways else south)[self.order[a]] = "door"
        grid = Grid(self.width, self.height, self._letters, tuple(east), tuple(south))
        grid._base = self
        grid._doors = doors
        return grid


# --- reading the text grid --------------------------------------------------------------------


def _misread(rows: Sequence[str], row: int, column: int, why: str) -> ValueError:
    found = rows[row][column]
    return ValueError(f"row {row + 1}, column {column + 1}: {why}, found {found!r}")


def _check_shape(rows: Sequence[str]) -> None:
    if len(rows) < 3 or len(rows) % 2 == 0:
        raise ValueError(f"row {len(rows)}: a map has 2H+1 rows with H at least 1")
    length = len(rows[0])
    if length < 3 or length % 2 == 0:
        raise ValueError(f"row 1, column {length}: a row has 2W+1 characters with W at least 1")
    for number, row in enumerate(rows, start=1):
        if len(row) != length:
            raise ValueError(
                f"row {number}, column {min(len(row), length) + 1}: "
                f"the row has {len(row)} characters, row 1 has {length}"
            )


def _square_letter(rows: Sequence[str], x: int, y: int) -> str:
    letter = rows[2 * y + 1][2 * x + 1]
    if letter not in LETTERS:
        why = f"square {square_name(x, y)} must be one of {' '.join(LETTERS)}"
        raise _misread(rows, 2 * y + 1, 2 * x + 1, why)
    return letter


def _frame_edge(rows: Sequence[str], row: int, column: int, wall: str) -> None:
    if rows[row][column] != wall:
        raise _misread(rows, row, column, f"the outer frame is all {wall}")


def _edge(rows: Sequence[str], row: int, column: int, kinds: Mapping[str, Edge]) -> Edge:
    character = rows[row][column]
    if character not in kinds:
        allowed = ", ".join(repr(kind) for kind in kinds)
        raise _misread(rows, row, column, f"an edge here is one of {allowed}")
    return kinds[character]
