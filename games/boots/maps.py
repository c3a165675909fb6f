"""The printed boards: text grid, buildings, green zones and what follows from them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import msgspec

from games.geometry.squares import Grid, Square, square_name, square_xy
from games.kernel.datafiles import DataFile

_ROMAN: Final = {"I": 1, "V": 5, "X": 10, "L": 50}
_NUMERAL = re.compile(r"(?=.)(L?X{0,3}|XL)(IX|IV|V?I{0,3})")
_ZONE = re.compile(r"GZ([1-9][0-9]?)")
_BLOCKED: Final = "XV"


class MapData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A map file as written: rows of text, rectangles by name, openings to check against."""

    provenance: str
    id: str
    title: str
    rows: str
    buildings: dict[str, tuple[str, ...]]
    zones: dict[str, tuple[str, ...]]
    openings: dict[str, tuple[Square, ...]]


@dataclass(frozen=True, slots=True, eq=False)
class BoardMap:
    """A printed board. All lists of squares are in reading order."""

    id: str
    title: str
    grid: Grid
    building_of: Mapping[Square, str]
    """Numeral of the building a square belongs to; outdoor squares are not in it (BG-3.1)."""
    buildings: Mapping[str, tuple[Square, ...]]
    """Squares of each building, in the order of the numerals."""
    openings: Mapping[str, tuple[Square, ...]]
    """Squares of each building where insurgents may be placed (BG-3.2)."""
    zones: Mapping[str, tuple[Square, ...]]
    """Squares of each green zone, in the order of their numbers (BG-9.10)."""
    printed_doors: tuple[tuple[Square, Square], ...]
    """Every printed door edge, upper or left square first; a square's east edge comes before
    its south edge (BG-A.7)."""
    cover: tuple[Square, ...]
    """Printed cover squares (BG-3.4)."""


def numeral_value(numeral: str) -> int:
    """Return the number a roman numeral up to LXXXIX means.

    Raises ValueError for other text.
    """
    if _NUMERAL.fullmatch(numeral) is None:
        raise ValueError(f"{numeral!r} is no roman numeral")
    values = [_ROMAN[letter] for letter in numeral]
    following = [*values[1:], 0]
    return sum(
        -value if value < after else value for value, after in zip(values, following, strict=True)
    )


def rectangle(text: str, grid: Grid) -> tuple[Square, ...]:
    """Return the squares of a rectangle written like "A1:D4", corners included, reading order.

    A single square may stand for itself. Raises ValueError when a corner is not on the board or
    the first one is not the upper left.
    """
    first, _, second = text.partition(":")
    (left, top), (right, bottom) = _corner(first, grid), _corner(second or first, grid)
    if right < left or bottom < top:
        raise ValueError(f"the rectangle {text} must name its upper left corner first")
    return tuple(square_name(x, y) for y in range(top, bottom + 1) for x in range(left, right + 1))


def build_map(file: DataFile) -> BoardMap:
    """Read and check one map file (the checks a loader owes a map).

    Raises BrokenData for rows that are no grid; letters out of place; buildings and zones that
    overlap, miss the board or do not cover the squares printed for them; squares nobody can
    reach; and openings other than the rows give.
    """
    data = file.convert(MapData)
    if file.name != f"maps/{data.id}":
        raise file.broken("id", f"the map {data.id!r} belongs in maps/{data.id}.toml")
    try:
        grid = Grid.parse(data.rows.strip("\n").split("\n"))
    except ValueError as error:
        raise file.broken("rows", str(error)) from error
    buildings, building_of = _buildings(file, data, grid)
    zones = _zones(file, data, grid)
    _check_reachable(file, grid)
    board = BoardMap(
        id=data.id,
        title=data.title,
        grid=grid,
        building_of=building_of,
        buildings=buildings,
        openings=_openings(grid, buildings, building_of),
        zones=zones,
        printed_doors=_doors(grid),
        cover=tuple(square for square in grid.squares if grid.letter(square) == "X"),
    )
    _check_openings(file, data, board)
    return board


# --- inside -----------------------------------------------------------------------------------


def _corner(text: str, grid: Grid) -> tuple[int, int]:
    x, y = square_xy(text)
    if text not in grid:
        raise ValueError(f"{text} is not on the board, which ends at {grid.squares[-1]}")
    return x, y


def _areas(
    file: DataFile, key: str, areas: Mapping[str, tuple[str, ...]], names: list[str], grid: Grid
) -> tuple[Mapping[str, tuple[Square, ...]], dict[Square, str]]:
    """Resolve named lists of rectangles; no square may be in two of them."""
    owner: dict[Square, str] = {}
    for name in names:
        if not areas[name]:
            raise file.broken(f"{key}.{name}", "it has no rectangle")
        for place, text in enumerate(areas[name]):
            try:
                squares = rectangle(text, grid)
            except ValueError as error:
                raise file.broken(f"{key}.{name}[{place}]", str(error).rstrip(".")) from error
            for square in squares:
                if owner.setdefault(square, name) != name:
                    problem = f"square {square} is in {owner[square]} already"
                    raise file.broken(f"{key}.{name}[{place}]", problem)
    inside: dict[str, list[Square]] = {name: [] for name in names}
    for square in grid.squares:
        if square in owner:
            inside[owner[square]].append(square)
    return MappingProxyType({name: tuple(inside[name]) for name in names}), owner


def _check_letters(
    file: DataFile, key: str, owner: Mapping[Square, str], letters: str, what: str, grid: Grid
) -> None:
    """Squares of these letters are in the named areas, and no others are."""
    for square in grid.squares:
        letter = grid.letter(square)
        if square in owner and letter not in letters:
            problem = f"square {square} is {letter!r}, not one of {' '.join(letters)}"
            raise file.broken(f"{key}.{owner[square]}", problem)
        if square not in owner and letter in letters:
            raise file.broken(key, f"square {square} is {letter!r} but in no {what}")


def _buildings(
    file: DataFile, data: MapData, grid: Grid
) -> tuple[Mapping[str, tuple[Square, ...]], Mapping[Square, str]]:
    values: dict[str, int] = {}
    for name in data.buildings:
        try:
            values[name] = numeral_value(name)
        except ValueError as error:
            raise file.broken(f"buildings.{name}", str(error)) from error
    names = sorted(values, key=values.__getitem__)
    buildings, owner = _areas(file, "buildings", data.buildings, names, grid)
    _check_letters(file, "buildings", owner, ",L", "building", grid)
    ordered = {square: owner[square] for square in grid.squares if square in owner}
    return buildings, MappingProxyType(ordered)


def _zones(file: DataFile, data: MapData, grid: Grid) -> Mapping[str, tuple[Square, ...]]:
    numbers: dict[str, int] = {}
    for name in data.zones:
        match = _ZONE.fullmatch(name)
        if match is None:
            raise file.broken(f"zones.{name}", "a green zone is called GZ and a number")
        numbers[name] = int(match[1])
    names = sorted(numbers, key=numbers.__getitem__)
    zones, owner = _areas(file, "zones", data.zones, names, grid)
    _check_letters(file, "zones", owner, "G", "green zone", grid)
    return zones


def _check_reachable(file: DataFile, grid: Grid) -> None:
    """Everything but X and V can be walked to from the first open square (BG-G.4)."""
    open_squares = [square for square in grid.squares if grid.letter(square) not in _BLOCKED]
    if not open_squares:
        raise file.broken("rows", "there is no square to stand on")
    reached = {open_squares[0]: True}
    waiting = [open_squares[0]]
    while waiting:
        for square in grid.near(waiting.pop()):
            if square not in reached and grid.letter(square) not in _BLOCKED:
                reached[square] = True
                waiting.append(square)
    for square in open_squares:
        if square not in reached:
            raise file.broken("rows", f"square {square} cannot be reached from {open_squares[0]}")


def _openings(
    grid: Grid, buildings: Mapping[str, tuple[Square, ...]], building_of: Mapping[Square, str]
) -> Mapping[str, tuple[Square, ...]]:
    """Building squares with a printed door or window to outside the building (BG-3.2)."""

    def opens(square: Square) -> bool:
        for direction in (0, 2, 4, 6):
            beyond = grid.neighbour(square, direction)
            if beyond is None or building_of.get(beyond) == building_of[square]:
                continue
            if grid.printed_edge(square, beyond) in ("door", "window"):
                return True
        return False

    return MappingProxyType(
        {
            name: tuple(square for square in squares if opens(square))
            for name, squares in buildings.items()
        }
    )


def _doors(grid: Grid) -> tuple[tuple[Square, Square], ...]:
    doors: list[tuple[Square, Square]] = []
    for square in grid.squares:
        for direction in (2, 4):
            beyond = grid.neighbour(square, direction)
            if beyond is not None and grid.printed_edge(square, beyond) == "door":
                doors.append((square, beyond))
    return tuple(doors)


def _check_openings(file: DataFile, data: MapData, board: BoardMap) -> None:
    for name in data.openings:
        if name not in board.buildings:
            raise file.broken(f"openings.{name}", f"there is no building {name}")
    for name, derived in board.openings.items():
        listed = data.openings.get(name)
        if listed is None:
            raise file.broken(f"openings.{name}", "is missing")
        for square in listed:
            if square not in derived:
                problem = f"{square} has no door or window to outside building {name}"
                raise file.broken(f"openings.{name}", problem)
        for square in derived:
            if square not in listed:
                raise file.broken(f"openings.{name}", f"{square} is an opening and is not listed")
        if listed != derived:
            raise file.broken(f"openings.{name}", "the squares are not in reading order")
