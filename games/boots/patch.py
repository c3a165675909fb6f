"""The specification's names for the fields of a state, for test vectors and for nothing else.

Paths are dotted: `units.A-SN.pos`, `vehicles.VH1.kind`, `squads.A.kia`, `buildings.VII.cleared`, `pool`.
Units, civilians, vehicles and boxes may all be named under `units`; facings are written `NE` or 0..7.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import msgspec

from games.boots.field import Field
from games.boots.model import (
    GI,
    HOSTAGE,
    INSURGENT,
    Box,
    Civilian,
    DemoDoor,
    State,
    Unit,
    Vehicle,
)
from games.geometry.squares import FACINGS

_SHELVES = {
    "CV": ("civilians", Civilian),
    "VH": ("vehicles", Vehicle),
    "LB": ("boxes", Box),
}
_ALIASES = {"insurgents": "units", "hostages": "units", "soldiers": "units", "lockboxes": "boxes"}


def patch(field: Field, path: str, value: object) -> None:
    """Set what a path names; a counter that is not there is made. Raises `KeyError`."""
    state, parts = field.state, path.split(".")
    head = _ALIASES.get(parts[0], parts[0])
    if head in ("units", "civilians", "vehicles", "boxes") and len(parts) > 1:
        _patch_counter(state, parts[1], parts[2:], value)
    elif head == "doors":
        doors = cast("list[Mapping[str, str]]", value)
        state.doors = [msgspec.convert(door, DemoDoor) for door in doors]
    elif len(parts) == 1 and head in ("squad_turn", "next_card", "hvt"):
        setattr(state, head, value)
    else:
        _patch_plain(state, parts, value)


def inspect(field: Field, path: str) -> object:
    """Read what a path names, as JSON has it; False for a counter off the board and for nothing."""
    state, parts = field.state, path.split(".")
    head = _ALIASES.get(parts[0], parts[0])
    if head in ("units", "civilians", "vehicles", "boxes") and len(parts) > 1:
        return _inspect_counter(state, parts[1], parts[2:])
    found: Any = msgspec.json.decode(msgspec.json.encode(state))
    for part in (head, *parts[1:]):
        if part == "count" and isinstance(found, list):
            return len(cast("list[object]", found))
        if not isinstance(found, dict) or part not in found:
            raise KeyError(path)
        found = cast("dict[str, Any]", found)[part]
    return False if found is None else found


# --- counters ---


def _shelf(state: State, name: str) -> tuple[dict[str, Any], type[Any]]:
    shelf, kind = _SHELVES.get(name[:2], ("units", Unit))
    return getattr(state, shelf), kind


def _patch_counter(state: State, name: str, rest: list[str], value: object) -> None:
    shelf, kind = _shelf(state, name)
    if value is False and not rest:
        shelf.pop(name, None)
        return
    changes: Mapping[str, object] = (
        {rest[0]: value} if rest else cast("Mapping[str, object]", value)
    )
    fields = msgspec.to_builtins(shelf[name]) if name in shelf else _new(state, name)
    for key, each in changes.items():
        if key == "opened":
            continue
        if key not in kind.__struct_fields__:
            raise KeyError(f"{name}.{key}")
        fields[key] = FACINGS.index(each) if key == "face" and isinstance(each, str) else each
    shelf[name] = msgspec.convert(fields, kind)
    unit = shelf[name]
    if isinstance(unit, Unit):
        if unit.status == "kia":
            unit.pos = None
            book = state.squads.get(unit.squad)
            if book is not None and unit.id not in book.kia:
                book.kia.append(unit.id)
        if "wmd" in unit.items:
            state.wmd.where = unit.id
            state.wmd.found_by = state.wmd.found_by or unit.squad


def _new(state: State, name: str) -> dict[str, Any]:
    if name[:2] in _SHELVES:
        return {"id": name, "pos": ""}
    if name.startswith("IN"):
        state.created = max(state.created, int(name[2:]))
        return {"id": name, "kind": INSURGENT}
    if name.startswith("HO"):
        return {"id": name, "kind": HOSTAGE, "status": "captive"}
    squad, _, tail = name.partition("-")
    return {"id": name, "kind": GI if tail.startswith(GI) else tail, "squad": squad}


def _inspect_counter(state: State, name: str, rest: list[str]) -> object:
    shelf, _ = _shelf(state, name)
    counter = shelf.get(name)
    if counter is None or (counter.pos is None and not rest):
        return False
    fields: dict[str, Any] = msgspec.to_builtins(counter)
    if "face" in fields:
        fields["face"] = FACINGS[fields["face"]]
    if not rest:
        return fields
    if rest[0] not in fields:
        raise KeyError(f"{name}.{rest[0]}")
    found: object = fields[rest[0]]
    return False if found is None else found


# --- everything else ---


def _patch_plain(state: State, parts: list[str], value: object) -> None:
    target: Any = state
    for part in parts[:-1]:
        target = (
            cast("dict[str, Any]", target)[part]
            if isinstance(target, dict)
            else getattr(target, part, None)
        )
        if target is None:
            raise KeyError(".".join(parts))
    last = parts[-1]
    if isinstance(target, dict):
        book = cast("dict[str, Any]", target)
        was: object = book[last]
        book[last] = msgspec.convert(value, type(was))
        return
    if last not in target.__struct_fields__:
        raise KeyError(".".join(parts))
    setattr(target, last, value)
