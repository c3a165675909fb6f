"""The field: a read-only look at a state together with its content. All questions are asked here.

`Field` answers; `games.boots.world.World` changes. Both are made anew for every action or question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property

from games.boots.content import Content
from games.boots.maps import BoardMap
from games.boots.missions import Mission
from games.boots.model import (
    HOSTAGE,
    INSURGENT,
    Activation,
    Squad,
    State,
    Unit,
    canonical,
    creation,
)
from games.geometry.squares import Grid, Square, dir4, dir8


class Field:
    """What stands where, who is whose enemy, what is near. Rules: spec sections 2 and 4.0."""

    def __init__(self, content: Content, state: State) -> None:
        self.content = content
        self.state = state
        self.map: BoardMap = content.maps[state.map]
        self.mission: Mission = content.missions[state.mission]
        self._occupants: dict[Square, Unit] | None = None
        self._grid: Grid | None = None

    # --- the ground ---

    @property
    def grid(self) -> Grid:
        """The board's squares and edges, demo doors included (BG-4.8)."""
        if self._grid is None:
            self._grid = self.map.grid.with_doors(tuple((d.a, d.b) for d in self.state.doors))
        return self._grid

    @cached_property
    def cover_squares(self) -> dict[Square, bool]:
        """Squares with a vehicle or printed cover: not enterable, and cover (BG-3.4, BG-10.3)."""
        squares = dict.fromkeys(self.map.cover, True)
        squares.update((v.pos, True) for v in self.state.vehicles.values())
        return squares

    def direction(self, a: Square, b: Square) -> int:
        """The facing from a towards b: eight ways, or four under BG-O.1. Same square: north."""
        if a == b:
            return 0
        (ax, ay), (bx, by) = self.grid.xy(a), self.grid.xy(b)
        turn = dir4 if self.option("facing_dirs") == "4" else dir8
        return turn(bx - ax, by - ay)

    @property
    def facings(self) -> tuple[int, ...]:
        """The facings that may be taken (BG-11.0.2, BG-O.1)."""
        return (0, 2, 4, 6) if self.option("facing_dirs") == "4" else tuple(range(8))

    # --- counters ---

    def option(self, name: str) -> str:
        """The value of a switch of this game (spec 4.13), as text."""
        return self.state.options[name]

    def on(self, name: str) -> bool:
        """Whether a yes-or-no switch is on."""
        return self.state.options[name] == "true"

    @property
    def occupants(self) -> dict[Square, Unit]:
        """The unit in each square that has one."""
        if self._occupants is None:
            units = self.state.units.values()
            self._occupants = {u.pos: u for u in units if u.pos is not None}
        return self._occupants

    def civilian_at(self, square: Square) -> bool:
        """Whether a civilian stands there."""
        return square in [c.pos for c in self.state.civilians.values()]

    def is_free(self, square: Square) -> bool:
        """A free square: no unit, civilian, vehicle or printed cover. A lock box does not count."""
        return (
            square not in self.occupants
            and square not in self.cover_squares
            and not self.civilian_at(square)
        )

    def unit(self, name: str) -> Unit:
        """The unit with that id. Raises `KeyError`."""
        return self.state.units[name]

    def placed(self, keep: Callable[[Unit], bool]) -> list[Unit]:
        """Units on the board that satisfy `keep`, allied ones in canonical order first."""
        units = [u for u in self.state.units.values() if u.pos is not None and keep(u)]
        return sorted(units, key=lambda u: (0, *canonical(u)) if u.squad else _behind(u))

    def squad_units(self, squad: str) -> list[Unit]:
        """A squad's units on the board: soldiers and freed hostages (BG-2.1), canonical order."""
        return self.placed(lambda u: u.squad == squad)

    def soldiers(self, squad: str) -> list[Unit]:
        """A squad's soldiers on the board."""
        return self.placed(lambda u: u.squad == squad and u.is_soldier)

    def all_soldiers(self) -> list[Unit]:
        """The soldiers of every squad that plays."""
        return self.placed(lambda u: u.is_soldier)

    def insurgents(self) -> list[Unit]:
        """The insurgents on the board, in order of creation."""
        return self.placed(lambda u: u.kind == INSURGENT)

    def captives(self) -> list[Unit]:
        """Captive hostages, in reading order of their squares."""
        captive = self.placed(lambda u: u.status == "captive")
        return sorted(captive, key=lambda u: self.grid.order[u.pos or ""])

    def originals_up(self, squads: Iterable[str]) -> int:
        """How many originals of those squads are not KIA and take part."""
        wanted = tuple(squads)
        units = self.state.units.values()
        return sum(1 for u in units if u.is_original and u.squad in wanted and u.status == "up")

    def squad(self, squad: str) -> Squad:
        """A squad's book-keeping."""
        return self.state.squads[squad]

    @property
    def activation(self) -> Activation:
        """The running activation. Only while there is one."""
        activation = self.state.activation
        if activation is None:
            raise RuntimeError("no activation is under way")
        return activation

    # --- relations ---

    def adjacent_units(self, square: Square, keep: Callable[[Unit], bool]) -> list[Unit]:
        """Units in squares adjacent to that square (BG-2.6) that satisfy `keep`."""
        near = self.grid.near(square)
        return self.placed(lambda u: u.pos in near and keep(u))

    def is_near(self, a: Square | None, b: Square | None) -> bool:
        """Whether both are on the board and adjacent (BG-G.3)."""
        return a is not None and b is not None and self.grid.adjacent(a, b)

    def closest(self, square: Square, units: list[Unit]) -> Unit | None:
        """The unit nearest to a square (BG-G.5), ties in the order given."""
        return min(units, key=lambda u: self.grid.dist(square, u.pos or square), default=None)

    def distance_to(self, square: Square, units: list[Unit]) -> int:
        """The distance from a square to the nearest of the units, in squares. Needs at least one."""
        return min(self.grid.dist(square, u.pos or square) for u in units)

    def zone_squares(self, zone: str) -> tuple[Square, ...]:
        """The squares of a green zone (BG-9.10)."""
        return self.map.zones[zone]

    def in_active_zone(self, square: Square | None) -> bool:
        """Whether a square lies in one of the mission's active green zones."""
        return any(square in self.zone_squares(zone) for zone in self.mission.active_zones)

    def allowance(self, unit: Unit, *, team: bool) -> int:
        """Movement points at the start of an activation (BG-3.5, BG-7.3, BG-10.12, BG-O.3)."""
        kind = self.content.units[unit.kind]
        ladder = (kind.team_mp if team else None) or kind.mp
        hits = unit.hits
        if hits >= 2 and self.option("critical_effect") == "fire":
            hits = 1
        return ladder[min(hits, len(ladder) - 1)]


def _behind(unit: Unit) -> tuple[int, ...]:
    if unit.kind == HOSTAGE:
        return (1, creation(unit))
    return (2, creation(unit))
