"""Luck: what dice have shown, beside what is to be expected of them. Whole numbers and fractions only.

Only dice that an event shows are known here, so whoever gets the figures learns nothing that is not
addressed to him. The contests of one event share the attacker's dice, which are counted once; contest
dice have six sides.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import accumulate

import msgspec

from games.kernel.event import Drew, Event, Revealed, Rolled, Tested

CONTEST_SIDES = 6

LIMIT = Fraction(1, 20)
"""In so many fair games at most something lies outside the ranges."""

MOST_BINS = 12
"""Dice with more sides are counted by groups of values."""


class Die(msgspec.Struct, frozen=True):
    """A die that was shown.

    `hand` is whose it is: in a contest the outline of the counter (each side has its own), else the
    seat that acted. `name` is what it was thrown for, empty in contests. `need` is what it had to show;
    0: its value counts. `read` dice (the wind) are neither good nor bad when they are high.
    """

    hand: str
    sides: int
    value: int
    name: str = ""
    need: int = 0
    read: bool = False


def dice_of(events: Iterable[Event], seat: str) -> list[Die]:
    """The dice that these events show, in order. `seat` has acted. Filter the events by audience before."""
    found: list[Die] = []
    for event in events:
        match event:
            case Rolled():
                found += _contested(event)
            case Tested():
                found += _tested(event, seat)
            case _:
                pass
    return found


def _contested(event: Rolled) -> list[Die]:
    found: list[Die] = []
    for n, contest in enumerate(event.contests):
        rolls = (contest.defender,) if n else (contest.attacker, contest.defender)
        found += [Die(roll.who.shape, CONTEST_SIDES, v) for roll in rolls for v in roll.dice]
    return found


def _tested(event: Tested, seat: str) -> list[Die]:
    found: list[Die] = []
    for throw in event.throws:
        read = not throw.need and (event.total is None or bool(throw.note))
        name = throw.name.partition(",")[0].strip()
        found += [Die(seat, throw.sides, v, name, throw.need, read) for v in throw.dice]
    return found


def drawn(events: Iterable[Event]) -> int:
    """How many cards and counters these events show coming up."""
    return sum(isinstance(event, Drew | Revealed) for event in events)


# --- faces ---


class Bin(msgspec.Struct, frozen=True):
    """How often a value (or one of a group of values) came up, and between what it is to be expected."""

    label: str
    count: int
    expected: Fraction
    least: int
    most: int


class Faces(msgspec.Struct, frozen=True):
    """What the dice of one size and hand have shown."""

    hand: str
    contest: bool
    sides: int
    dice: int
    bins: tuple[Bin, ...]

    @property
    def outside(self) -> tuple[Bin, ...]:
        """What came up more or less often than it is to be expected."""
        return tuple(one for one in self.bins if not one.least <= one.count <= one.most)


def faces(dice: Sequence[Die]) -> tuple[Faces, ...]:
    """The dice by hand and size, the most thrown first.

    In at least 19 of 20 fair games every count of all of them together lies in its range.
    """
    values: dict[tuple[str, bool, int], list[int]] = {}
    for die in dice:
        values.setdefault((die.hand, not die.name, die.sides), []).append(die.value)
    groups = {sides: _groups(sides) for _, _, sides in values}
    asked = sum(len(groups[sides]) for _, _, sides in values)
    found: list[Faces] = []
    for (hand, contest, sides), shown in values.items():
        bins: list[Bin] = []
        for low, high in groups[sides]:
            width, number = high - low + 1, len(shown)
            least, most = fair_range(number, width, sides, LIMIT / asked)
            label = str(low) if low == high else f"{low}–{high}"
            count = sum(low <= value <= high for value in shown)
            bins.append(Bin(label, count, Fraction(number * width, sides), least, most))
        found.append(Faces(hand, contest, sides, len(shown), tuple(bins)))
    return tuple(sorted(found, key=lambda one: (-one.dice, one.hand, one.sides)))


def _groups(sides: int) -> list[tuple[int, int]]:
    if sides <= MOST_BINS:
        return [(value, value) for value in range(1, sides + 1)]
    wide = -(-sides // 10)
    return [(low, min(sides, low + wide - 1)) for low in range(1, sides + 1, wide)]


@lru_cache(maxsize=256)
def fair_range(number: int, width: int, sides: int, share: Fraction) -> tuple[int, int]:
    """Between how many of `number` dice show one of `width` of their `sides` faces, but for a `share`.

    The chance of fewer, and that of more, are each at most half of `share`.
    """
    if width >= sides:
        return number, number
    whole = sides**number
    bound = whole * share / 2
    weights = [(sides - width) ** number]
    for n in range(number):
        more, fewer = (number - n) * width, (n + 1) * (sides - width)
        weights.append(weights[-1] * more // fewer)  # without a remainder
    least = next(n for n, below in enumerate(accumulate(weights)) if below > bound)
    above = next(n for n, over in enumerate(accumulate(reversed(weights))) if over > bound)
    return least, number - above


# --- kinds of throws, in the order in which they were made ---


class Kind(msgspec.Struct, frozen=True, dict=True):
    """The throws of one kind: of one side in contests, or for one purpose, with dice of one size.

    `hits`: each die succeeds or fails, by its `need`; otherwise its value counts. `ups` are the numbers
    of faces of each die that are a success or above average, `downs` of those that are a failure or below.
    """

    title: str
    contest: bool
    sides: int
    hits: bool
    values: tuple[int, ...]
    needs: tuple[int, ...]

    @cached_property
    def signs(self) -> tuple[int, ...]:
        """1 for each die that succeeded or was above average, −1 for the others, 0 for just average."""
        if self.hits:
            return tuple(1 if v >= n else -1 for v, n in zip(self.values, self.needs, strict=True))
        return tuple(_sign(2 * value - self.sides - 1) for value in self.values)

    @cached_property
    def ups(self) -> tuple[int, ...]:
        """See above."""
        if self.hits:
            return tuple(min(self.sides, max(0, self.sides - need + 1)) for need in self.needs)
        return (self.sides // 2,) * len(self.values)

    @cached_property
    def downs(self) -> tuple[int, ...]:
        """See above."""
        if self.hits:
            return tuple(self.sides - up for up in self.ups)
        return self.ups

    @cached_property
    def swing(self) -> tuple[Fraction, ...]:
        """After each die: successes or points beyond what was to be expected until then."""
        if self.hits:
            steps = [
                (sign > 0) - Fraction(up, self.sides)
                for sign, up in zip(self.signs, self.ups, strict=True)
            ]
        else:
            steps = [value - Fraction(self.sides + 1, 2) for value in self.values]
        return tuple(accumulate(steps))

    @cached_property
    def variance(self) -> tuple[Fraction, ...]:
        """After each die: the variance of the swing of fair dice."""
        if self.hits:
            steps = [Fraction(up * (self.sides - up), self.sides**2) for up in self.ups]
        else:
            steps = [Fraction(self.sides**2 - 1, 12)] * len(self.values)
        return tuple(accumulate(steps))


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)


def kinds(dice: Sequence[Die]) -> tuple[Kind, ...]:
    """The dice that can go well or badly, by kind, the most thrown first.

    Dice that cannot fail, or cannot succeed, are no throws.
    """
    held: dict[tuple[str, bool, int, bool], list[Die]] = {}
    for die in dice:
        if die.read or die.sides < 2 or die.need == 1 or die.need > die.sides:
            continue
        key = (die.name or die.hand, not die.name, die.sides, die.need > 0)
        held.setdefault(key, []).append(die)
    found = [
        Kind(*key, tuple(die.value for die in thrown), tuple(die.need for die in thrown))
        for key, thrown in held.items()
    ]
    return tuple(sorted(found, key=lambda one: (-len(one.values), one.title, one.sides)))
