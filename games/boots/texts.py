"""What is written for people: Intel cards, options, rules and decisions."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Final, Literal

import msgspec

from games.boots.tables import RoleKind
from games.kernel.datafiles import DataFile
from games.kernel.rulestext import Form, Rule, Text

Mode = Literal["solo1", "solo2", "coop", "comp", "versus", "three"]

MODES: Final[tuple[Mode, ...]] = ("solo1", "solo2", "coop", "comp", "versus", "three")

Event = Literal[
    "place",
    "move",
    "move_all",
    "medivac",
    "take_cover",
    "role",
    "grenade",
    "kia_gi",
    "door_ied",
    "reinforce",
]

OPTION_IDS: Final = (
    "facing_dirs",
    "pivot_in_place",
    "critical_effect",
    "cleared_hold",
    "boxes_forced",
    "insurgent_control",
    "cards_delta",
    "versus_squads",
    "three_goal",
    "hostage_last",
    "standing",
)

DECK_SIZE: Final = 60


RULES_FORM: Final = Form(
    r"BG-[A-Z0-9]+(\.[0-9]+)*", "BG-4.1", r"R §[0-9]+(\.[0-9]+)*|P|H", "R §4.1, P, H"
)

_CARD_ID = re.compile(r"IC[0-9]{2}")
_MAX_VALUES: Final = 25


class Card(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An Intel card (BG-5.2..5.14).

    `n` insurgents are placed or moved; `role` is given for the `span`: this card or the game.
    """

    id: str
    title: Text
    event: Event
    text: Text
    n: Annotated[int, msgspec.Meta(ge=1, le=4)] | None = None
    role: RoleKind | None = None
    span: Literal["turn", "game"] | None = None


class OptionValue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One value of an option, as text, and what it means."""

    value: Text
    label: Text


class NumberRange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers from `min` to `max` in steps."""

    min: int
    max: int
    step: Annotated[int, msgspec.Meta(ge=1)]


class OptionSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A switch of a game (BG-O.1..O.11): its values, default and the modes it matters in."""

    id: str
    rule: str
    title: Text
    default: str
    modes: tuple[Mode, ...]
    values: tuple[OptionValue, ...] = ()
    range: NumberRange | None = None
    mode_defaults: dict[Mode, str] = {}

    def choices(self) -> tuple[OptionValue, ...]:
        """Return all values in order, those of a range spelt out."""
        if self.range is None:
            return self.values
        numbers = range(self.range.min, self.range.max + 1, self.range.step)
        return tuple(
            OptionValue(str(number), f"{number:+}" if number else "0") for number in numbers
        )

    def allows(self, value: str) -> bool:
        """Whether this is one of the values."""
        return any(choice.value == value for choice in self.choices())

    def default_in(self, mode: str) -> str:
        """Return the value a game of this mode starts with unless it is changed."""
        return {str(name): value for name, value in self.mode_defaults.items()}.get(
            mode, self.default
        )


class CardsData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The Intel file as written."""

    provenance: str
    card: tuple[Card, ...]


class OptionsData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options file as written."""

    provenance: str
    option: tuple[OptionSpec, ...]


def build_cards(file: DataFile) -> Mapping[str, Card]:
    """Read and check the Intel deck, in the order of the file.

    Raises BrokenData when there are not sixty different cards or an event lacks its number, role
    or span, or has one it does not use.
    """
    data = file.convert(CardsData)
    cards: dict[str, Card] = {}
    for place, card in enumerate(data.card):
        key = f"card[{place}]"
        if _CARD_ID.fullmatch(card.id) is None:
            raise file.broken(f"{key}.id", f"{card.id!r} is not IC and two digits")
        if card.id in cards:
            raise file.broken(f"{key}.id", f"there are two cards {card.id}")
        _check_card(file, key, card)
        cards[card.id] = card
    if len(cards) != DECK_SIZE:
        raise file.broken("card", f"the deck has {len(cards)} cards, not {DECK_SIZE}")
    return MappingProxyType(cards)


def build_options(file: DataFile, rules: Mapping[str, Rule]) -> Mapping[str, OptionSpec]:
    """Read and check the options, in the order of the file.

    Raises BrokenData for options missing or unknown, without values, with a default that is no
    value, or under a rule that does not exist.
    """
    data = file.convert(OptionsData)
    options: dict[str, OptionSpec] = {}
    for place, option in enumerate(data.option):
        key = f"option[{place}]"
        if option.id not in OPTION_IDS:
            raise file.broken(f"{key}.id", f"the game has no option {option.id!r}")
        if option.id in options:
            raise file.broken(f"{key}.id", f"there are two options {option.id}")
        if option.rule not in rules:
            raise file.broken(f"{key}.rule", f"there is no rule {option.rule}")
        _check_values(file, key, option)
        options[option.id] = option
    for name in OPTION_IDS:
        if name not in options:
            raise file.broken("option", f"the option {name} is missing")
    return MappingProxyType(options)


# --- inside -----------------------------------------------------------------------------------


def _check_card(file: DataFile, key: str, card: Card) -> None:
    for name, value, events in (
        ("n", card.n, ("place", "move")),
        ("role", card.role, ("role",)),
        ("span", card.span, ("role",)),
    ):
        if card.event in events and value is None:
            raise file.broken(f"{key}.{name}", f"the event {card.event} needs it")
        if card.event not in events and value is not None:
            raise file.broken(f"{key}.{name}", f"the event {card.event} has no use for it")
    if card.role == "hvt":
        raise file.broken(f"{key}.role", "no card makes a wanted man")


def _check_values(file: DataFile, key: str, option: OptionSpec) -> None:
    if bool(option.values) == (option.range is not None):
        raise file.broken(key, "an option has either values or a range")
    names = [choice.value for choice in option.choices()]
    if not 2 <= len(names) <= _MAX_VALUES:
        raise file.broken(key, f"{len(names)} values, a menu takes 2 to {_MAX_VALUES}")
    if len(dict.fromkeys(names)) != len(names):
        raise file.broken(f"{key}.values", "a value stands there twice")
    if not option.modes:
        raise file.broken(f"{key}.modes", "name at least one mode")
    if not option.allows(option.default):
        raise file.broken(f"{key}.default", f"{option.default!r} is none of {', '.join(names)}")
    for mode, value in option.mode_defaults.items():
        if mode not in option.modes:
            raise file.broken(f"{key}.mode_defaults.{mode}", "the option has no such mode")
        if not option.allows(value):
            problem = f"{value!r} is none of {', '.join(names)}"
            raise file.broken(f"{key}.mode_defaults.{mode}", problem)
