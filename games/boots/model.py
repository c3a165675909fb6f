"""The state of a game of Boots on the Ground: everything there is to know, as plain JSON-able structs.

Squares are names (`G7`), facings 0..7 clockwise from north, hits and movement points integers.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from games.boots.missions import Line
from games.boots.tables import RoleKind
from games.geometry.squares import Square
from games.kernel.game import Outcome

SQUADS = ("A", "B")
SEAT_OF = {"A": "ALPHA", "B": "BRAVO"}
SQUAD_OF = {"ALPHA": "A", "BRAVO": "B"}
SQUAD_NAME = {"A": "Alpha", "B": "Bravo"}
INSURGENT_SEAT = "INSURGENT"
SEAT_NAME = {"ALPHA": "Alpha", "BRAVO": "Bravo", INSURGENT_SEAT: "Insurgents"}
SPECIALISTS = ("L", "M", "DE", "S", "HWE", "SN")
INSURGENT = "INS"
HOSTAGE = "HOS"
GI = "GI"


class Unit(msgspec.Struct):
    """A soldier, a hostage or an insurgent. Spec section 2.

    `squad` is `A` or `B` for allied units, empty for insurgents and captives. `pos` is None once the
    unit is off the board; `status` is `up`, `kia`, `captive`, `freed` or `dead`.
    """

    id: str
    kind: str
    squad: str = ""
    pos: Square | None = None
    face: int = 0
    hits: int = 0
    status: str = "up"
    items: list[str] = []
    role: RoleKind | Literal[""] = ""
    role_span: Literal["", "turn", "game"] = ""

    @property
    def is_soldier(self) -> bool:
        """An allied unit that is not a hostage."""
        return self.kind not in (INSURGENT, HOSTAGE)

    @property
    def is_original(self) -> bool:
        """One of the squad's six named places (a G.I. who fills one in a tour counts, spec 10)."""
        return self.id[2:] in SPECIALISTS


class Civilian(msgspec.Struct):
    """A civilian counter; `kind` stays empty until somebody bumps into it (BG-4.23)."""

    id: str
    pos: Square
    kind: str = ""


class Vehicle(msgspec.Struct):
    """A vehicle counter; `kind` stays empty until it is flipped (BG-4.24)."""

    id: str
    pos: Square
    kind: str = ""
    face_up: bool = False
    outcome: str = ""


class Box(msgspec.Struct):
    """A closed lock box; `kind` stays empty until it is opened (BG-4.29)."""

    id: str
    pos: Square
    kind: str = ""


class Wmd(msgspec.Struct):
    """Where the WMD is: `box`, a unit's id, a square, or `delivered` (BG-4.34, BG-9.12)."""

    where: str = "box"
    found_by: str = ""
    delivered_by: str = ""


class DemoDoor(msgspec.Struct, frozen=True):
    """A wall edge blown open between a and b (BG-4.8)."""

    a: Square
    b: Square
    squad: str


class Building(msgspec.Struct):
    """Whether a building is cleared and who has the credit (BG-4.28)."""

    cleared: bool = False
    cleared_by: str = ""


class Squad(msgspec.Struct):
    """A squad's book-keeping. `kia` lists its dead soldiers in order of death."""

    kia: list[str] = []
    kia_replaced: int = 0
    gi_left: int = 3
    blasts_left: int = 2
    leader_shield: bool = False
    out: bool = False


class Part(msgspec.Struct):
    """One unit's part of the running activation: movement points left, what it has done."""

    allowance: int
    mp: int
    acted: bool = False
    finished: bool = False
    turned: bool = False


class Activation(msgspec.Struct):
    """The running activation, BG-7. `current` is empty while a team has nobody selected."""

    kind: str
    squad: str
    members: list[str]
    parts: dict[str, Part]
    current: str = ""
    escort_ok: list[str] = []
    recon_done: bool = False


class CardPlay(msgspec.Struct):
    """The card being carried out: who was affected, who has had its turn to fire.

    `auto`: the conductor has left the rest of this card to the program (spec 8.12).
    """

    card: str = ""
    scouted: bool = False
    auto: bool = False
    selected: list[str] = []
    placed: list[str] = []
    fired: list[str] = []


class Frame(msgspec.Struct):
    """A step of the sequence of play that is under way; `queue` is what it still has to do.

    In a move event `queue` holds the insurgents that are selected for certain and `either` those of
    which `count` more are selected, all of them equally close (spec section 8).
    """

    step: str
    queue: list[str] = []
    either: list[str] = []
    count: int = 0
    subject: str = ""


class State(msgspec.Struct):
    """A whole game. The last of `steps` is the one under way."""

    mode: str
    mission: str
    map: str
    options: dict[str, str]
    line: Line
    squads: dict[str, Squad]
    steps: list[Frame]
    pool: int
    cards_total: int = 0
    cards_used: int = 0
    deck: list[str] = []
    discard: list[str] = []
    next_card: str = ""
    play: CardPlay = msgspec.field(default_factory=CardPlay)
    squad_turn: str = "A"
    units: dict[str, Unit] = {}
    civilians: dict[str, Civilian] = {}
    vehicles: dict[str, Vehicle] = {}
    boxes: dict[str, Box] = {}
    civilian_mix: list[str] = []
    vehicle_mix: list[str] = []
    box_mix: list[str] = []
    box_forced: list[str] = []
    wmd: Wmd = msgspec.field(default_factory=Wmd)
    doors: list[DemoDoor] = []
    exploded: list[tuple[Square, Square]] = []
    buildings: dict[str, Building] = {}
    killed: int = 0
    created: int = 0
    activation: Activation | None = None
    ready: list[str] = []
    conceded: list[str] = []
    standing: dict[str, str] = {}
    hvt: str = ""
    hvt_by: str = ""
    outcome: Outcome | None = None

    @property
    def endless(self) -> bool:
        """Whether the deck is reshuffled for ever (BG-8.8)."""
        return self.cards_total == 0

    @property
    def playing(self) -> tuple[str, ...]:
        """The squads of this game, out or not."""
        return tuple(k for k in SQUADS if k in self.squads)


def canonical(unit: Unit) -> tuple[int, ...]:
    """The order of allied units that settles ties: spec section 2, canonical unit order."""
    squad = SQUADS.index(unit.squad) if unit.squad in SQUADS else len(SQUADS)
    tail = unit.id.rsplit("-", 1)[-1]
    if tail in SPECIALISTS:
        return (squad, 0, SPECIALISTS.index(tail))
    return (squad, 2 if unit.kind == HOSTAGE else 1, int("".join(c for c in tail if c.isdigit())))


def creation(unit: Unit) -> int:
    """The order of insurgents: by creation number."""
    return int(unit.id[2:])
