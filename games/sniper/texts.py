"""What is chosen when a mission is opened, and what is written for people: rules and decisions."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, get_args

import msgspec

from games.kernel.datafiles import DataFile
from games.kernel.rulestext import Form, Rule
from games.sniper.tables import KiaLimits, Positive, Tables, Text

Mode = Literal["solo", "group"]
Context = Literal["standalone", "campaign"]
OptionId = Literal[
    "veteran",
    "no_surrender",
    "hot_zone",
    "rookie",
    "lone_wolf",
    "strict_wounds",
    "choose_location",
    "rotation",
]

MODES: Final[tuple[Mode, ...]] = get_args(Mode)
CONTEXTS: Final[tuple[Context, ...]] = get_args(Context)
OPTION_IDS: Final[tuple[OptionId, ...]] = get_args(OptionId)


class OptionSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A switch of a mission or a campaign (SK-21), off unless it is chosen.

    The effects that are left out change nothing.
    """

    id: OptionId
    rule: str
    title: Text
    text: Text
    modes: tuple[Mode, ...]
    contexts: tuple[Context, ...]
    excludes: tuple[OptionId, ...] = ()
    """Options that cannot be chosen with this one; each names the other."""
    reserve_start: Positive | None = None
    """Box the track starts on; of several options the highest counts (SK-21.3)."""
    kia: KiaLimits | None = None
    """Wounds that kill."""
    morale: int = 0
    """Added to the Morale at start."""
    no_spotter: bool = False
    """The spotter is dead from the start."""
    count_received: bool = False
    """Victory Points lose every wound received, not only those left."""
    endless_failures: bool = False
    """Failed missions do not end a campaign."""
    choose_location: bool = False
    """The location is named, not rolled."""
    rotation: bool = False
    """The seats go round each turn."""

    @property
    def changes(self) -> bool:
        """Whether it has any effect."""
        numbers = (self.reserve_start, self.kia, self.morale)
        switches = (
            self.no_spotter,
            self.count_received,
            self.endless_failures,
            self.choose_location,
            self.rotation,
        )
        return any(numbers) or any(switches)


class OptionsData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options file as written."""

    provenance: str
    option: tuple[OptionSpec, ...]


def build_options(
    file: DataFile, rules: Mapping[str, Rule], tables: Tables
) -> Mapping[str, OptionSpec]:
    """Read and check the options, in the order of the file.

    Raises BrokenData for options missing or given twice, under a rule that does not exist, for no
    mode, or that only one of two excludes, and for a start that is captured or dead already.
    """
    data = file.convert(OptionsData)
    options: dict[str, OptionSpec] = {}
    for place, option in enumerate(data.option):
        key = f"option[{place}]"
        if option.id in options:
            raise file.broken(f"{key}.id", f"there are two options {option.id}")
        if option.rule not in rules:
            raise file.broken(f"{key}.rule", f"there is no rule {option.rule}")
        if not option.modes:
            raise file.broken(f"{key}.modes", "name at least one mode")
        if not option.contexts:
            raise file.broken(f"{key}.contexts", "name at least one context")
        _check_effects(file, key, option, tables)
        options[option.id] = option
    for name in OPTION_IDS:
        if name not in options:
            raise file.broken("option", f"the option {name} is missing")
    for place, option in enumerate(data.option):
        for number, other in enumerate(option.excludes):
            key = f"option[{place}].excludes[{number}]"
            if other == option.id:
                raise file.broken(key, "an option cannot exclude itself")
            if option.id not in options[other].excludes:
                raise file.broken(key, f"the option {other} does not exclude {option.id}")
    return MappingProxyType(options)


# --- inside -----------------------------------------------------------------------------------

_SECTIONS: Final = "Setup|Kill|After|Logs|Gear|Next|I|II|III|IV|V|VI|Z5|Fire|CC|Wound"
RULES_FORM: Final = Form(
    r"SK-[1-9][0-9]*\.[1-9][0-9]*", "SK-4.1", rf"R (?:{_SECTIONS})|H", "R Setup, H"
)


def _check_effects(file: DataFile, key: str, option: OptionSpec, tables: Tables) -> None:
    start, kia = option.reserve_start, option.kia
    if start is not None and not tables.reserve_low <= start < tables.pow_box:
        problem = f"{start} is not between {tables.reserve_low} and {tables.pow_box - 1}"
        raise file.broken(f"{key}.reserve_start", problem)
    if kia is not None and kia.critical > kia.total:
        raise file.broken(f"{key}.kia.critical", f"more than the {kia.total} wounds in all")
    if not option.changes:
        raise file.broken(key, "the option changes nothing")
