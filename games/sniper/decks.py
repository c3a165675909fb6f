"""The decks that every mission uses: Action, Tactical, Hostile and Target VIP cards."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Final, Literal, TypeVar, get_args

import msgspec

from games.kernel.datafiles import DataFile
from games.sniper.tables import MOST_HOSTILES, Count, Range, Strength, Tables, Text

T = TypeVar("T")

ActionId = Literal["fire", "blank", "movement", "crawl", "hidden", "binocs", "medkit"]
TacticalId = Literal[
    "steady_breath",
    "muffled_shot",
    "double_tap",
    "windage_call",
    "overwatch",
    "rapid_clear",
    "smoke",
    "claymore",
    "priority_channel",
    "adrenaline",
    "field_dressing",
    "ghost",
    "local_informant",
    "spooked_birds",
    "dead_air",
]
Timing = Literal["shot", "window", "window_or_patrol", "radio", "hidden", "immediate"]
"""When a Tactical card is played.

shot: attached to a shot. window: in a window. window_or_patrol: there or against a patrol. radio:
before the radio draw. hidden: wherever a Hidden card is. immediate: when it is drawn.
"""
HostileKind = Literal["hostile", "sniper", "reserve"]
Behaviour = Literal["moving", "stationary"]

ACTION_IDS: Final[tuple[ActionId, ...]] = get_args(ActionId)
TACTICAL_IDS: Final[tuple[TacticalId, ...]] = get_args(TacticalId)


class ActionCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of Action card and how many of it are in play (SK-3)."""

    id: ActionId
    name: Text
    count: Count
    text: Text


class TacticalCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of Tactical card (SK-19)."""

    id: TacticalId
    name: Text
    count: Count
    timing: Timing
    text: Text


class HostileCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of Hostile card: a group of `count`, an enemy sniper or a Reserve card (SK-7).

    `count` is 1 for an enemy sniper and 0 for a Reserve card.
    """

    id: str
    name: Text
    kind: HostileKind
    copies: Count
    text: Text
    count: Annotated[int, msgspec.Meta(ge=0, le=MOST_HOSTILES)]


class Vip(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A target: where he is, what he does and what he is worth (SK-13)."""

    id: str
    name: Text
    range: Range
    behaviour: Behaviour
    guards: Annotated[int, msgspec.Meta(ge=0, le=MOST_HOSTILES)]
    bonus_kp: Count
    text: Text


@dataclass(frozen=True, slots=True)
class Decks:
    """The four decks, by card id in the order of the file, and as lists with every copy."""

    action: Mapping[str, ActionCard]
    tactical: Mapping[str, TacticalCard]
    hostile: Mapping[str, HostileCard]
    vips: Mapping[str, Vip]
    action_deck: tuple[str, ...]
    tactical_deck: tuple[str, ...]
    hostile_deck: tuple[str, ...]
    vip_deck: tuple[str, ...]
    med_kits: int
    """Med Kit cards set aside, which the gear shop sells (SK-1.2)."""


class HostileData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A Hostile card as written; `count` only for a group."""

    id: str
    name: Text
    kind: HostileKind
    copies: Count
    text: Text
    count: Strength | None = None


class SetAside(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Cards taken out of the Action deck before play."""

    medkit: Count


class CardsData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The card file as written."""

    provenance: str
    set_aside: SetAside
    action: tuple[ActionCard, ...]
    tactical: tuple[TacticalCard, ...]
    hostile: tuple[HostileData, ...]
    vip: tuple[Vip, ...]


def build_decks(file: DataFile, tables: Tables) -> Decks:
    """Read and check the cards, in the order of the file.

    Raises BrokenData for cards missing or given twice, an empty deck, a Tactical card with
    another timing than its effect has, groups without a number, a Hostile deck without a Reserve
    card, and an Action deck that can neither extract the team nor fire.
    """
    data = file.convert(CardsData)
    action = _by_id(file, "action", ((card.id, card) for card in data.action))
    _need_all(file, "action", ACTION_IDS, action)
    tactical = _by_id(file, "tactical", ((card.id, card) for card in data.tactical))
    _need_all(file, "tactical", TACTICAL_IDS, tactical)
    for place, card in enumerate(data.tactical):
        if card.timing != _TIMINGS[card.id]:
            problem = f"{card.timing!r}, but the effect of {card.id} is {_TIMINGS[card.id]!r}"
            raise file.broken(f"tactical[{place}].timing", problem)
    groups = [_hostile(file, f"hostile[{place}]", card) for place, card in enumerate(data.hostile)]
    hostile = _by_id(file, "hostile", ((card.id, card) for card in groups))
    vips = _by_id(file, "vip", ((card.id, card) for card in data.vip))
    decks = Decks(
        action=action,
        tactical=tactical,
        hostile=hostile,
        vips=vips,
        action_deck=_spread(file, "action", ((card.id, card.count) for card in data.action)),
        tactical_deck=_spread(file, "tactical", ((card.id, card.count) for card in data.tactical)),
        hostile_deck=_spread(file, "hostile", ((card.id, card.copies) for card in groups)),
        vip_deck=_spread(file, "vip", ((card.id, 1) for card in data.vip)),
        med_kits=data.set_aside.medkit,
    )
    _check_playable(file, decks, tables)
    return decks


# --- inside -----------------------------------------------------------------------------------

_ID = re.compile(r"[A-Za-z][A-Za-z0-9]*(_[A-Za-z0-9]+)*")
_TIMINGS: Final[Mapping[TacticalId, Timing]] = MappingProxyType(
    {
        "steady_breath": "shot",
        "muffled_shot": "shot",
        "double_tap": "shot",
        "windage_call": "window",
        "overwatch": "window",
        "rapid_clear": "window",
        "smoke": "window_or_patrol",
        "claymore": "window_or_patrol",
        "priority_channel": "radio",
        "adrenaline": "window",
        "field_dressing": "window",
        "ghost": "hidden",
        "local_informant": "immediate",
        "spooked_birds": "immediate",
        "dead_air": "immediate",
    }
)


def _by_id(file: DataFile, key: str, cards: Iterable[tuple[str, T]]) -> Mapping[str, T]:
    found: dict[str, T] = {}
    for place, (name, card) in enumerate(cards):
        if _ID.fullmatch(name) is None:
            raise file.broken(f"{key}[{place}].id", f"{name!r} is not made of letters and digits")
        if name in found:
            raise file.broken(f"{key}[{place}].id", f"there are two cards {name}")
        found[name] = card
    return MappingProxyType(found)


def _need_all(
    file: DataFile, key: str, names: tuple[str, ...], cards: Mapping[str, object]
) -> None:
    for name in names:
        if name not in cards:
            raise file.broken(key, f"the card {name} is missing, count = 0 leaves it out")


def _hostile(file: DataFile, key: str, card: HostileData) -> HostileCard:
    if card.kind == "hostile" and card.count is None:
        raise file.broken(f"{key}.count", "a group needs its number of hostiles")
    if card.kind != "hostile" and card.count is not None:
        raise file.broken(f"{key}.count", f"a card of the kind {card.kind} has no number")
    count = card.count if card.count is not None else int(card.kind == "sniper")
    return HostileCard(card.id, card.name, card.kind, card.copies, card.text, count)


def _spread(file: DataFile, key: str, counts: Iterable[tuple[str, int]]) -> tuple[str, ...]:
    deck = tuple(name for name, count in counts for _ in range(count))
    if not deck:
        raise file.broken(key, "the deck is empty")
    return deck


def _check_playable(file: DataFile, decks: Decks, tables: Tables) -> None:
    paying = decks.action["movement"].count + decks.action["crawl"].count
    if paying < tables.extraction_cards:
        problem = f"{paying} Movement and Crawl cards cannot pay {tables.extraction_cards}"
        raise file.broken("action", problem)
    blanks = decks.action["blank"].count
    if not decks.action["fire"].count and blanks < tables.blanks_for_fire:
        raise file.broken(
            "action", f"no Fire card and fewer than {tables.blanks_for_fire} Blank cards"
        )
    if not any(decks.hostile[name].kind == "reserve" for name in decks.hostile_deck):
        raise file.broken("hostile", "without a Reserve card the track would stand still")
