"""A read-only look at a mission with its content: what is in force, what things cost."""

from __future__ import annotations

from dataclasses import dataclass

from games.kernel.event import Modifier
from games.sniper.content import Content
from games.sniper.gear import Gear
from games.sniper.locations import Location, LocationCard
from games.sniper.model import STEPS, Enemy, State
from games.sniper.tables import Range, Tables


@dataclass(frozen=True, slots=True)
class Limits:
    """How many wounds kill (SK-10.4)."""

    total: int
    critical: int


class Look:
    """Answers questions about a state; `games.sniper.world.World` changes it."""

    def __init__(self, content: Content, state: State) -> None:
        self.content = content
        self.state = state
        self.tables: Tables = content.tables

    # --- gear ---

    @property
    def kit(self) -> list[Gear]:
        """The rifle and all other gear that is carried (SK-1.9, SK-18.2)."""
        return [self.content.gear[name] for name in (self.state.rifle, *self.state.gear)]

    @property
    def rifle(self) -> Gear:
        """The rifle (SK-18.1)."""
        return self.content.gear[self.state.rifle]

    def gear_sum(self, effect: str) -> int:
        """The sum of a numeric effect over all gear."""
        return sum(int(getattr(item, effect) or 0) for item in self.kit)

    def gear_need(self, effect: str, plain: int) -> int:
        """A number needed on a die: the best that gear allows, else the plain one."""
        return min([plain, *(n for item in self.kit if (n := getattr(item, effect)))])

    def has(self, effect: str) -> bool:
        """Whether any gear has a yes-or-no effect."""
        return any(bool(getattr(item, effect)) for item in self.kit)

    # --- the ground ---

    @property
    def location(self) -> Location:
        """Where the mission takes place."""
        return self.content.locations[self.state.location]

    @property
    def place(self) -> LocationCard | None:
        """The Location card of the current zone, once it is turned up."""
        name = self.state.location_cards[self.state.zone - 1]
        return self.content.location_cards[name] if name else None

    @property
    def cover(self) -> int:
        """Cover of the location plus gear, at most the limit (SK-9.5)."""
        ground = self.place.cover if self.place else 0
        return min(self.tables.cover_max, ground + self.gear_sum("cover"))

    def static(self, name: str) -> bool:
        """Whether the current zone has a static effect (SK-20.6)."""
        return self.place is not None and self.place.static == name

    def move_cost(self) -> int:
        """Movement cards to leave the zone on foot (SK-5.3, SK-18.5)."""
        return (self.place.move if self.place else 1) + self.gear_sum("move_extra")

    def crawl_cost(self) -> int:
        """Crawl cards to leave the zone (SK-5.5)."""
        return self.place.crawl if self.place else 1

    def morale_needed(self, zone: int) -> int:
        """The Morale that opens a zone (table 5.2)."""
        return self.tables.zone_morale.get(str(zone), 0)

    # --- the hand ---

    def held(self, card: str) -> int:
        """How many of an Action card are in hand."""
        return self.state.hand.count(card)

    def holds(self, card: str) -> bool:
        """Whether a Tactical card is held."""
        return card in self.state.tactical

    def steps_held(self) -> int:
        """Movement and Crawl cards in hand."""
        return sum(1 for card in self.state.hand if card in STEPS)

    # --- the enemy and the VIP ---

    @property
    def enemy(self) -> Enemy | None:
        """The enemy in play."""
        return self.state.enemy

    @property
    def group(self) -> Enemy | None:
        """The enemy in play if it is a hostile group."""
        enemy = self.state.enemy
        return enemy if enemy is not None and enemy.kind == "hostile" else None

    @property
    def limits(self) -> Limits:
        """How many wounds kill, under the options of the game (SK-10.4, SK-21)."""
        found = self.tables.kia
        for name in self.state.options:
            found = self.content.options[name].kia or found
        return Limits(found.total, found.critical)

    @property
    def wounds(self) -> int:
        """Wound counters on the mat."""
        return self.state.light + self.state.critical

    def option_on(self, effect: str) -> bool:
        """Whether a yes-or-no effect of the options is in force (SK-21)."""
        options = (self.content.options[name] for name in self.state.options)
        return any(bool(getattr(option, effect)) for option in options)

    # --- shots ---

    def shot_modifiers(self, *, vip: bool, moving: bool, wind: int, steady: bool) -> list[Modifier]:
        """Every modifier of a shot by name (SK-8.10 to SK-8.14, SK-13.4, SK-18, SK-19)."""
        state, tables = self.state, self.tables
        enemy = state.enemy
        at = self.content.vips[state.vip.card].range if vip else enemy.range if enemy else "long"
        found = [Modifier("moving", tables.moving)] if moving else []
        found.append(Modifier(f"{at} range", self.range_drm(at)))
        found.append(Modifier("wind", self.wind_drm(wind)))
        if not state.spotter_alive:
            found.append(Modifier("no spotter", tables.spotter_dead))
        if self.place is not None:
            found.append(Modifier("location", self.place.fire))
        found.append(Modifier(self.rifle.name, self.rifle.flat_drm.at(at)))
        if state.flag("overwatch"):
            found.append(Modifier("Overwatch", tables.overwatch))
        if steady:
            found.append(Modifier("Steady Breath", tables.steady_breath))
        return [modifier for modifier in found if modifier.value]

    def range_drm(self, at: Range) -> int:
        """The range modifier with this rifle (SK-8.11, SK-18.5, SK-18.10)."""
        value = (self.rifle.range_drm or self.tables.range_drm).at(at)
        if at == "long" and value < 0:
            value = min(0, value + self.gear_sum("long_relief"))
        return value

    def wind_drm(self, rolled: int) -> int:
        """The wind modifier of a roll on table 5.3 (SK-8.12, SK-18.11, SK-19.5)."""
        value = self.tables.wind_row(rolled).drm
        if value < 0 and self.state.flag("windage_call"):
            return 0
        return min(0, value + self.gear_sum("wind_relief")) if value < 0 else value
