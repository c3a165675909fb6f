"""Where the picking of a verb's slots stands: pure, made anew at every press.

Slots are asked in the verb's order, each from the domain that those before it leave. A slot that
does not apply or has one value only is settled without asking, unless it is to be made sure of.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bot.custom_ids import base36, checksum
from bot.texts import quoted
from games.kernel.action import Action, Picked, Value
from games.kernel.domain import Choices, Domain, Option, Several
from games.kernel.game import Slot, Verb
from games.kernel.illegal import Illegal

MOST_LISTED = 50
"""Values of a typed list that are looked at."""

FACINGS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
"""Values that make a slot a compass."""


class Changed(Exception):
    """The picks of an id do not fit the options any more."""


@dataclass(frozen=True)
class Walk:
    """The slots filled so far and the one that is asked for next.

    `given` are the player's own picks in order, `filled` these and the settled ones; `partial` the
    picks of a `Several` slot that is not finished; `slot` and `domain` are None when nothing is
    left to ask. `picks` and `check` are their form in a custom id.
    """

    verb: Verb[Any]
    given: dict[str, Value]
    filled: dict[str, Value]
    partial: tuple[str, ...]
    slot: Slot | None
    domain: Domain | None
    picks: str
    check: str
    labels: tuple[tuple[str, str], ...]
    """What was picked, for reading: the slot's name and the option's label."""
    cells: tuple[str, ...]
    """The cells of what was picked or settled."""

    @property
    def complete(self) -> bool:
        """Whether nothing is left to ask."""
        return self.slot is None

    @property
    def action(self) -> Action:
        """The action, once complete."""
        return Action(self.verb.name, dict(self.filled))

    @property
    def left(self) -> tuple[Option, ...]:
        """The options of the slot asked for that can still be picked."""
        if self.domain is None:
            return ()
        return tuple(o for o in self.domain.options if o.value not in self.partial)

    @property
    def preset(self) -> Option | None:
        """The suggested value of the slot asked for."""
        if not isinstance(self.domain, Choices) or not self.domain.preset:
            return None
        return next((o for o in self.domain.options if o.value == self.domain.preset), None)

    @property
    def compass(self) -> bool:
        """Whether the slot asked for is a facing."""
        return (
            isinstance(self.domain, Choices)
            and len(self.domain.options) > 1
            and all(o.value in FACINGS for o in self.domain.options)
        )

    @property
    def may_finish(self) -> bool:
        """Whether a `Several` slot has enough picks."""
        return isinstance(self.domain, Several) and len(self.partial) >= self.domain.least


def walk(
    state: Any,
    seat: str,
    verb: Verb[Any],
    given: Mapping[str, Value],
    partial: tuple[str, ...] = (),
    *,
    settle_presets: bool = False,
) -> Walk:
    """Go through a verb's slots with the values given.

    `settle_presets` takes presets without asking (typed commands). Raises `Illegal`, the rules' own
    sentence, for a value that is not in its domain.
    """
    filled: dict[str, Value] = {}
    own: dict[str, Value] = {}
    parts: list[str] = []
    labels: list[tuple[str, str]] = []
    cells: list[str] = []
    for slot in verb.slots:
        domain = verb.domain(state, seat, slot.name, filled)
        if domain is None:
            parts.append("-")
        elif slot.name in given:
            value = given[slot.name]
            if not domain.contains(value):
                raise verb.refusal(state, seat, slot.name, filled, value)
            own[slot.name] = filled[slot.name] = value
            parts.append(_part(domain, value))
            labels.append((slot.name, _label(domain, value)))
        elif domain.default is not None and settled(slot, domain):
            filled[slot.name] = domain.default
            parts.append("-")
        elif domain.default is not None and settle_presets and not slot.sure:
            own[slot.name] = filled[slot.name] = domain.default
            parts.append(_part(domain, domain.default))
            labels.append((slot.name, _label(domain, domain.default)))
        else:
            shown = [_part(domain, partial) + "+"] if partial else []
            picks, check = ".".join([*parts, *shown]), _check(own, partial)
            cells += _cells(domain, partial)
            told = tuple(labels), tuple(cells)
            return Walk(verb, own, filled, partial, slot, domain, picks, check, *told)
        if domain is not None:
            cells += _cells(domain, filled[slot.name])
    picks, told = ".".join(parts), (tuple(labels), tuple(cells))
    return Walk(verb, own, filled, (), None, None, picks, _check(own, ()), *told)


def settled(slot: Slot, domain: Domain) -> bool:
    """Whether a slot with a default is filled without asking."""
    return slot.quiet or (len(domain.options) == 1 and not slot.sure)


def unpack(state: Any, seat: str, verb: Verb[Any], picks: str, check: str) -> Walk:
    """A walk from its form in a custom id. Raises `Changed` when the options are others now."""
    given: dict[str, Value] = {}
    filled: dict[str, Value] = {}
    partial: tuple[str, ...] = ()
    parts = picks.split(".") if picks else []
    if len(parts) > len(verb.slots):
        raise Changed
    for slot, part in zip(verb.slots, parts, strict=False):
        domain = verb.domain(state, seat, slot.name, filled)
        if part == "-":
            if domain is not None:
                if domain.default is None:
                    raise Changed
                filled[slot.name] = domain.default
            continue
        if domain is None:
            raise Changed
        values = _values(domain, part.rstrip("+"))
        if not values and isinstance(domain, Choices):
            raise Changed
        if part.endswith("+"):
            partial = values
            break
        value: Value = values if isinstance(domain, Several) else values[0]
        if not domain.contains(value):
            raise Changed
        given[slot.name] = filled[slot.name] = value
    if _check(given, partial) != check:
        raise Changed
    return walk(state, seat, verb, given, partial)


def pick(state: Any, seat: str, at: Walk, value: str) -> Walk:
    """One value more. A `Several` slot goes on until it is full. Raises `Illegal`."""
    if at.slot is None or at.domain is None:
        raise Changed
    given = dict(at.given)
    if isinstance(at.domain, Choices):
        given[at.slot.name] = value
        return walk(state, seat, at.verb, given)
    if value not in [option.value for option in at.left]:
        raise at.verb.refusal(state, seat, at.slot.name, at.filled, value)
    partial = (*at.partial, value)
    if len(partial) >= min(at.domain.most, len(at.domain.options)):
        given[at.slot.name] = partial
        return walk(state, seat, at.verb, given)
    return walk(state, seat, at.verb, given, partial)


def finish(state: Any, seat: str, at: Walk) -> Walk:
    """A `Several` slot is done. Raises `Changed` when it has too few picks."""
    if at.slot is None or not at.may_finish:
        raise Changed
    return walk(state, seat, at.verb, {**at.given, at.slot.name: at.partial})


def back(state: Any, seat: str, at: Walk) -> Walk:
    """One pick less."""
    if at.partial:
        return walk(state, seat, at.verb, at.given, at.partial[:-1])
    given = dict(at.given)
    if given:
        given.popitem()
    return walk(state, seat, at.verb, given)


def find(options: tuple[Option, ...], typed: str) -> Option | None:
    """The option that somebody means: by value, label or cell, in any case."""
    wanted = typed.strip().casefold()
    if not wanted:
        return None
    for key in (_value_of, _label_of, _cell_of):
        hits = [option for option in options if key(option).casefold() == wanted]
        if hits:
            return hits[0] if key is not _cell_of or len(hits) == 1 else None
    return None


def read_typed(domain: Domain, typed: str) -> Value:
    """What somebody typed, as a value of the domain where it names one; else as it stands."""
    if isinstance(domain, Choices):
        option = find(domain.options, typed)
        value = option.value if option else typed.strip()
        return value if domain.contains(value) else quoted(value)
    parts = [part.strip() for part in typed.replace(";", ",").split(",") if part.strip()]
    if len(parts) == 1 and find(domain.options, parts[0]) is None:
        parts = parts[0].split()
    found = [(find(domain.options, part), part) for part in parts]
    return tuple(option.value if option else quoted(part) for option, part in found[:MOST_LISTED])


def read_all(state: Any, seat: str, verb: Verb[Any], typed: Mapping[str, str]) -> dict[str, Value]:
    """The typed values of a command, each read in the domain that those before it leave.

    Stops at a slot that was left open and must be asked for. Raises `Illegal` for a value that has
    no use here.
    """
    given: dict[str, Value] = {}
    filled: dict[str, Value] = {}
    for slot in verb.slots:
        domain = verb.domain(state, seat, slot.name, filled)
        if domain is None:
            if slot.name in typed:
                raise Illegal("", f"“{verb.label}” has no use for “{slot.name}” here.")
        elif slot.name in typed:
            given[slot.name] = filled[slot.name] = read_typed(domain, typed[slot.name])
            if not domain.contains(filled[slot.name]):
                break
        elif domain.default is not None and not slot.sure:
            filled[slot.name] = domain.default
        else:
            break
    return given


def why_not(state: Any, seat: str, at: Walk, typed: str) -> Illegal:
    """The rules' reason why a typed value is not among the options."""
    if at.slot is None:
        return Illegal("", "There is nothing left to pick.")
    shown = quoted(typed)
    value: Value = (shown,) if isinstance(at.domain, Several) else shown
    return at.verb.refusal(state, seat, at.slot.name, at.filled, value)


def _value_of(option: Option) -> str:
    return option.value


def _label_of(option: Option) -> str:
    return option.label


def _cell_of(option: Option) -> str:
    return option.cell


def _many(value: Value) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else value


def _part(domain: Domain, value: Value) -> str:
    places = {option.value: number for number, option in enumerate(domain.options)}
    return "+".join(base36(places[one]) for one in _many(value)) or "--"


def _values(domain: Domain, part: str) -> tuple[str, ...]:
    if part == "--":
        return ()
    try:
        return tuple(domain.options[int(number, 36)].value for number in part.split("+"))
    except (ValueError, IndexError):
        raise Changed from None


def _label(domain: Domain, value: Value) -> str:
    names = {option.value: option.label for option in domain.options}
    return ", ".join(names.get(one, one) for one in _many(value))


def _cells(domain: Domain, value: Value) -> list[str]:
    cells = {option.value: option.cell for option in domain.options}
    return [cells[one] for one in _many(value) if cells.get(one)]


def _check(given: Picked, partial: tuple[str, ...]) -> str:
    words = [f"{name}={','.join(_many(value))}" for name, value in given.items()]
    return checksum([*words, *partial]) if words or partial else ""
