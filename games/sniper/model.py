"""The state of a mission of Sniper Kill Confirmed. Spec section 2.1."""

from __future__ import annotations

from typing import Literal

import msgspec

from games.kernel.game import Outcome

SNIPER, SPOTTER = "SNIPER", "SPOTTER"
WINDOWS = ("I", "II", "III")
RANGES = ("long", "medium", "short")
ATTACHABLE = ("steady_breath", "muffled_shot", "double_tap")
STEPS = ("movement", "crawl")
"""The cards that move the team, and that pay for the extraction (SK-14.1)."""

Range = Literal["long", "medium", "short"]
Target = Literal["enemy", "vip"]
Phase = Literal["SETUP", "I", "TDISCARD", "PATROL", "II", "III", "IV", "VI", "OVER"]


class Enemy(msgspec.Struct):
    """The one enemy in play. `shots`: taken at a sniper since he last answered (SK-7.7)."""

    kind: Literal["hostile", "sniper"]
    count: int = 1
    range: Range = "long"
    spotted: bool = False
    shots: int = 0


class Fire(msgspec.Struct):
    """The open fire (SK-8.1): actions left, its target, tries to spot left."""

    actions: int
    target: Target
    spot_tries: int = 0


class VipState(msgspec.Struct):
    """The target. `card` stays empty until he is revealed (SK-13.1)."""

    card: str = ""
    revealed: bool = False
    dead: bool = False
    fire_cards_used: int = 0
    attempted: bool = False


class Orders(msgspec.Struct):
    """The Spotter's standing orders (SK-22.11)."""

    spot: Literal["ask", "roll", "binocs", "binocs_last"] = "ask"
    focus: Literal["ask", "WIND", "SCAN", "COMMS"] = "ask"


class State(msgspec.Struct):
    """A mission. Piles hold what is left to draw from, in no order: nothing is decided beforehand.

    `location_cards` has the card of each zone, empty while it has not been turned up; a card of a
    zone ahead (test vectors only) is face-down.
    """

    mode: Literal["solo", "group"]
    context: Literal["standalone", "campaign"]
    options: list[str]
    location: str
    morale: int
    reserve: int
    action_pile: list[str]
    tactical_pile: list[str]
    hostile_pile: list[str]
    location_pile: list[str]
    vip_pile: list[str]
    rifle: str
    gear: list[str] = []
    med_kits: int = 0
    armour_used: bool = False
    zone: int = 1
    crawl: int = 0
    turn: int = 0
    phase: Phase = "SETUP"
    return_to: Phase = "I"
    hand: list[str] = []
    tactical: list[str] = []
    action_discard: list[str] = []
    tactical_discard: list[str] = []
    hostile_discard: list[str] = []
    hostile_card: str = ""
    location_cards: list[str] = []
    vip: VipState = msgspec.field(default_factory=VipState)
    enemy: Enemy | None = None
    first_contact: bool = True
    patrol: int = 0
    fire: Fire | None = None
    fire_closed: bool = False
    jammed: bool = False
    light: int = 0
    critical: int = 0
    wounds_received: int = 0
    spotter_alive: bool = True
    claymore_laid: bool = False
    turn_flags: list[str] = []
    hold: bool = False
    hold_spent: bool = False
    orders: Orders = msgspec.field(default_factory=Orders)
    kill_counters: int = 0
    kp: int = 0
    kills: int = 0
    kills_by_zone: list[int] = msgspec.field(default_factory=lambda: [0] * 6)
    result: Literal["", "MAJOR", "MINOR", "KIA", "POW"] = ""
    mission_no: int = 0
    crew: int = 0
    outcome: Outcome | None = None

    def flag(self, name: str) -> bool:
        """Whether something is in force this turn."""
        return name in self.turn_flags

    def set_flag(self, name: str) -> None:
        """Put something in force for the rest of the turn."""
        if name not in self.turn_flags:
            self.turn_flags.append(name)

    @property
    def in_window(self) -> bool:
        """Whether cards may be played (SK-2.2)."""
        return self.phase in WINDOWS
