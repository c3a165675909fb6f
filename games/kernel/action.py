"""An action: a verb and the values of its slots, as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import msgspec

from games.kernel.illegal import Illegal

Value = str | tuple[str, ...]
"""What a slot holds: one value, or several in the order they were picked."""

Picked = Mapping[str, Value]
"""The slots filled so far, by name."""

MOST_SLOTS = 12
LONGEST_VALUE = 100


class Action(msgspec.Struct, frozen=True):
    """What a seat wants to do. Legality is decided by `games.kernel.play.play` alone."""

    verb: str
    slots: dict[str, Value] = {}

    def to_json(self) -> dict[str, Any]:
        """The flat form that logs and vectors use: `{"verb": "move", "to": "G7"}`."""
        values = {k: list(v) if isinstance(v, tuple) else v for k, v in self.slots.items()}
        return {"verb": self.verb, **values}


def read_action(raw: Mapping[str, Any]) -> Action:
    """Read an action from its flat JSON form.

    Raises `Illegal` (without a rule) when it is not shaped like an action.
    """
    verb = raw.get("verb")
    if not isinstance(verb, str) or not verb:
        raise Illegal("", "An action names its verb.")
    if len(raw) > MOST_SLOTS:
        raise Illegal("", f"An action has at most {MOST_SLOTS} parts.")
    slots: dict[str, Value] = {}
    for name, value in raw.items():
        if name == "verb":
            continue
        slots[name] = _read_value(name, value)
    return Action(verb, slots)


def _read_value(name: str, value: object) -> Value:
    match value:
        case str():
            parts: tuple[str, ...] = (value,)
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case list() | tuple():
            listed = cast("list[object]", value)
            if not all(isinstance(part, str) for part in listed):
                raise Illegal("", f"“{name}” must be a list of words.")
            parts = tuple(str(part) for part in listed)
        case _:
            raise Illegal("", f"“{name}” must be a word or a list of words.")
    if any(len(part) > LONGEST_VALUE for part in parts):
        raise Illegal("", f"“{name}” is too long.")
    return value if isinstance(value, str) else parts
