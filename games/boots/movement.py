"""Movement: where a unit can go and what it costs. Rules BG-10.1 to BG-10.14, BG-G.4, BG-G.12."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from games.boots.field import Field
from games.boots.model import INSURGENT, Unit
from games.geometry.squares import Grid, Square
from games.kernel.illegal import Illegal


class Reach:
    """The squares one unit can move to with so many points, with cost and path.

    `costs` holds every square a move may end on, its own at round-trip cost (BG-10.11) included.
    """

    def __init__(self, field: Field, unit: Unit, points: int) -> None:
        self._field = field
        self._unit = unit
        self.points = points
        self.start: Square = unit.pos or ""
        found = _explore(field, unit, points)
        self._came: Mapping[Square, Square] = found[1]
        self.passed: Mapping[Square, int] = found[0]
        order = field.grid.order
        ends = sorted(found[0].items(), key=lambda item: (item[1], order[item[0]]))
        civilians = dict.fromkeys(c.pos for c in field.state.civilians.values())
        full = {**field.occupants, **field.cover_squares, **civilians, self.start: True}
        self.costs: dict[Square, int] = {s: cost for s, cost in ends if s not in full}
        turn = round_trip(field, unit)
        if turn is not None and turn <= points:
            self.costs[self.start] = turn

    def path(self, square: Square) -> tuple[Square, ...]:
        """The cheapest path from the unit's square to a reachable one, both included."""
        path = [square]
        while path[-1] != self.start:
            path.append(self._came[path[-1]])
        return tuple(reversed(path))


def can_enter(field: Field, unit: Unit, square: Square) -> bool:
    """Whether a unit may step into a square, though maybe not stop there (BG-10.3 to BG-10.6)."""
    if square in field.cover_squares:
        return False
    other = field.occupants.get(square)
    return other is None or other.status == "captive" or is_friend(unit, other)


def is_friend(unit: Unit, other: Unit) -> bool:
    """Same side: all squads are one side, insurgents the other; captives belong to none."""
    return (unit.kind == INSURGENT) == (other.kind == INSURGENT) and other.status != "captive"


def _explore(
    field: Field, unit: Unit, points: int
) -> tuple[dict[Square, int], dict[Square, Square]]:
    """Costs and ways, found cost by cost and within a cost in reading order: that settles ties."""
    order, steps = field.grid.order, field.grid.steps
    start, most = unit.pos or "", points + 1
    shut = [s for s in field.occupants if not can_enter(field, unit, s)]
    closed = {**field.cover_squares, **dict.fromkeys(shut, True)}
    best: dict[Square, int] = {start: 0}
    came: dict[Square, Square] = {}
    waiting: list[list[Square]] = [[start], *([] for _ in range(points))]
    for cost, squares in enumerate(waiting):
        for square in sorted(squares, key=order.__getitem__):
            if best[square] < cost:
                continue
            for near, step in steps(square):
                total = cost + step
                if total < best.get(near, most) and near not in closed:
                    best[near] = total
                    came[near] = square
                    waiting[total].append(near)
    return best, came


def round_trip(field: Field, unit: Unit) -> int | None:
    """The cost of stepping out and back, the only way to turn on the spot (BG-10.11)."""
    steps = [c for s, c in field.grid.steps(unit.pos or "") if can_enter(field, unit, s)]
    return 2 * min(steps) if steps else None


def why_no_move(field: Field, unit: Unit, square: Square, points: int) -> Illegal:
    """Why a move to a square is refused, in the words of the rule that forbids it."""
    if square not in field.grid:
        return Illegal("BG-10.13", f"There is no square “{square}” on this map.")
    if square in field.cover_squares:
        return Illegal("BG-10.3", f"A vehicle or solid cover fills {square}.")
    other = field.occupants.get(square)
    if other is not None and other.id != unit.id:
        if is_friend(unit, other):
            return Illegal("BG-10.5", f"{square} is taken; a move must end on a free square.")
        if other.status == "captive":
            return Illegal("BG-10.4", f"A captive is in {square}: walk through, do not stop there.")
        return Illegal("BG-10.6", f"An enemy holds {square}.")
    if field.civilian_at(square):
        return Illegal("BG-10.4", f"A civilian is in {square}: walk through, do not stop there.")
    if square == unit.pos and round_trip(field, unit) is None:
        return Illegal("BG-10.2", f"{unit.id} cannot take a single step, so it cannot turn either.")
    if square == unit.pos:
        return Illegal(
            "BG-10.11", f"Turning on the spot costs a step out and back; {points} MP left."
        )
    if points == 0:
        return Illegal("BG-10.1", f"{unit.id} has no movement points left.")
    return Illegal("BG-10.2", f"{square} cannot be reached with {points} MP.")


def walking_costs(field: Field, goal: Square) -> Mapping[Square, int]:
    """W of BG-G.12: what walking to a unit's square costs from everywhere, units ignored.

    Vehicles and cover cannot be entered. Squares from which there is no way are absent.
    """
    return _flood(field.grid, goal, tuple(field.cover_squares))


@lru_cache(maxsize=64)
def _flood(grid: Grid, goal: Square, cover: tuple[Square, ...]) -> Mapping[Square, int]:
    """`walking_costs`, remembered: every insurgent that moves asks it of the same few squares."""
    steps, shut = grid.steps, frozenset(cover)
    best: dict[Square, int] = {goal: 0}
    waiting: list[list[Square]] = [[goal]]
    for cost, squares in enumerate(waiting):  # grows while it is walked through
        for square in squares:
            if best[square] < cost:
                continue
            for near, step in steps(square):
                total = cost + step
                if near not in shut and total < best.get(near, total + 1):
                    best[near] = total
                    while len(waiting) <= total:
                        waiting.append([])
                    waiting[total].append(near)
    return MappingProxyType(best)
