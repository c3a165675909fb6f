"""Rifles and equipment: what they cost and what they do (SK-18)."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Literal

import msgspec

from games.kernel.datafiles import DataFile
from games.sniper.tables import ByRange, Count, DieNumber, Positive, Text

GearKind = Literal["rifle", "item"]


class Gear(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rifle or an item with its effects; what is left out changes nothing.

    `price` None: the rifle that everybody starts with and nobody buys (SK-18.1).
    """

    id: str
    name: Text
    kind: GearKind
    text: Text
    price: Positive | None = None
    most: Positive = 1
    """How many of it may be owned (SK-18.2)."""
    range_drm: ByRange | None = None
    """Range modifiers in place of the usual ones."""
    flat_drm: ByRange = ByRange()
    """Added to every shot, by range."""
    fire_actions: Positive | None = None
    """Fire actions of a Fire card at an enemy, in place of the usual ones."""
    move_extra: Count = 0
    """More Movement cards for every Move."""
    cc_dice: Count = 0
    """More attack dice in Close Combat."""
    cc_hit: DieNumber | None = None
    """Number of the attack dice in Close Combat."""
    cover: Count = 0
    """Added to the cover of the card."""
    escape_hit: DieNumber | None = None
    """Number of the dice of an escape."""
    first_critical_light: bool = False
    """The first critical wound of a mission is placed as a light one."""
    spot_hit: DieNumber | None = None
    """Number to spot."""
    long_relief: Count = 0
    """Takes so much off a negative modifier at long range."""
    wind_relief: Count = 0
    """Takes so much off a negative wind modifier."""
    enemy_sniper_dice: Annotated[int, msgspec.Meta(ge=-2, le=0)] = 0
    """Added to the dice of an enemy sniper."""
    air_hit: DieNumber | None = None
    """Number of the airstrike's dice."""
    jam_not_kept: bool = False
    """A jam spoils the shot only."""
    heal_light: bool = False
    """Each one removes a light wound once in a mission."""


class GearData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The gear file as written."""

    provenance: str
    gear: tuple[Gear, ...]


def build_gear(file: DataFile, med_kits: int) -> Mapping[str, Gear]:
    """Read and check the gear, in the order of the file; `med_kits` are set aside for the shop.

    Raises BrokenData for ids malformed or given twice, start rifles other than one, effects on
    the wrong kind of gear, and more Med Kits for sale than there are cards.
    """
    data = file.convert(GearData)
    found: dict[str, Gear] = {}
    for place, gear in enumerate(data.gear):
        key = f"gear[{place}]"
        if _ID.fullmatch(gear.id) is None:
            raise file.broken(f"{key}.id", f"{gear.id!r} is not made of small letters and digits")
        if gear.id in found:
            raise file.broken(f"{key}.id", f"there are two pieces of gear {gear.id}")
        _check_gear(file, key, gear, med_kits)
        found[gear.id] = gear
    starts = [gear.id for gear in data.gear if gear.price is None]
    if len(starts) != 1:
        problem = "one rifle without a price is needed to start with"
        raise file.broken("gear", f"{problem}, there is {' and '.join(starts) or 'none'}")
    kits = [gear.id for gear in data.gear if gear.heal_light]
    if len(kits) > 1:
        raise file.broken("gear", f"only one item may heal, not {' and '.join(kits)}")
    return MappingProxyType(found)


# --- inside -----------------------------------------------------------------------------------

_ID = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")


def _check_gear(file: DataFile, key: str, gear: Gear, med_kits: int) -> None:
    if gear.price is None and gear.kind != "rifle":
        raise file.broken(f"{key}.price", "an item needs a price")
    if gear.kind == "item":
        for name, used in (
            ("range_drm", gear.range_drm is not None),
            ("flat_drm", gear.flat_drm != ByRange()),
            ("fire_actions", gear.fire_actions is not None),
            ("move_extra", gear.move_extra > 0),
        ):
            if used:
                raise file.broken(f"{key}.{name}", "only a rifle has this effect")
    if gear.most > 1 and not gear.heal_light:
        raise file.broken(f"{key}.most", "only what heals may be owned more than once")
    if gear.heal_light and gear.kind == "rifle":
        raise file.broken(f"{key}.heal_light", "a rifle does not heal")
    if gear.heal_light and gear.most > med_kits:
        raise file.broken(f"{key}.most", f"only {med_kits} Med Kit cards are set aside")
