"""The specification's names for the fields of a state, for test vectors and for nothing else.

Paths are the fields of spec 2.1: `hand`, `enemy`, `vip.card`, `location_cards` (a list or a table by
zone), `turn_flags`, … Piles may be given as lists: what is left to draw from.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import msgspec

from games.sniper.look import Look
from games.sniper.model import State


def patch(look: Look, path: str, value: object) -> None:
    """Set what a path names. Raises `KeyError` for an unknown one."""
    state, (head, *rest) = look.state, path.split(".")
    if head not in State.__struct_fields__ or len(rest) > 1:
        raise KeyError(path)
    fields: dict[str, Any] = msgspec.to_builtins(state)
    if rest:
        inner = fields[head]
        if isinstance(inner, list):
            inner[int(rest[0]) - 1] = value
        elif inner is None:
            raise KeyError(path)
        else:
            inner[rest[0]] = value
    elif head == "location_cards" and isinstance(value, Mapping):
        for zone, card in cast("Mapping[str, str]", value).items():
            fields[head][int(zone) - 1] = card
    elif isinstance(value, Mapping) and isinstance(fields[head], dict):
        fields[head].update(value)
    else:
        fields[head] = None if value is False and fields[head] in (None, {}) else value
    fixed = msgspec.convert(fields, State)
    setattr(state, head, getattr(fixed, head))
    _tidy(state, head)


def _tidy(state: State, head: str) -> None:
    """Cards named face up are not in the pile as well."""
    if head in ("location_cards", "location_pile"):
        state.location_pile = [c for c in state.location_pile if c not in state.location_cards]
    if head == "vip" and state.vip.card in state.vip_pile:
        state.vip_pile.remove(state.vip.card)


def inspect(look: Look, path: str) -> object:
    """Read what a path names, JSON-like; False where there is nothing."""
    found: Any = msgspec.to_builtins(look.state)
    for part in path.split("."):
        if part == "count" and isinstance(found, list):
            return len(cast("list[object]", found))
        if isinstance(found, list):
            found = cast("list[Any]", found)[int(part) - 1]
        elif isinstance(found, dict) and part in found:
            found = cast("dict[str, Any]", found)[part]
        else:
            raise KeyError(path)
    return False if found is None else found
