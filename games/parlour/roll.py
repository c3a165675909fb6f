"""Rolling a notation: every die with what became of it, and the exact results.

The order is fixed, so that a proof can follow it: line by line, dice from left to right; a die is
rerolled before the next one is thrown, and explodes once all dice of its throw lie.
"""

from __future__ import annotations

import msgspec

from games.kernel.entropy import Entropy, RecordedEntropy, Result
from games.kernel.wording import minus
from games.parlour import notation as n
from games.parlour.notation import Binary, Dice, Expression, Fault, Negative, Notation, Number

MOST_EXTRA = 500
"""Dice that a whole roll throws beyond its first ones, for explosions and rerolls."""


class Die(msgspec.Struct, frozen=True, omit_defaults=True):
    """One die as it lay. `again`: it was rerolled, so it counts no more; `dropped`: others were kept.

    `burst`: it exploded; `extra`: it came of an explosion. `met`: it is counted; None: dice are added.
    """

    value: int
    again: bool = False
    dropped: bool = False
    burst: bool = False
    extra: bool = False
    met: bool | None = None

    @property
    def counts(self) -> bool:
        """Whether it goes into the result."""
        return not self.again and not self.dropped


class Thrown(msgspec.Struct, frozen=True):
    """Dice that were thrown together: how they are written, their sides, and their value."""

    name: str
    sides: int
    kind: str
    dice: tuple[Die, ...]
    value: int


class Rolled(msgspec.Struct, frozen=True):
    """One result. `sum` is how the throws' values lead to it, empty where there is nothing to add up;
    `successes`: the whole result is a number of dice that met something."""

    written: str
    label: str
    throws: tuple[Thrown, ...]
    total: int
    sum: str = ""
    successes: bool = False


class Outcome(msgspec.Struct, frozen=True):
    """What a notation brought: a result for every line, and what chance said, in order.

    `cut`: so many dice exploded or were rerolled that the last of them were left as they lay.
    """

    lines: tuple[Rolled, ...]
    results: tuple[Result, ...] = ()
    cut: bool = False


def roll(notation: Notation, entropy: Entropy) -> Outcome:
    """Roll it. Raises `Fault` for a division by zero or a number that grows too large."""
    table = _Table(entropy, notation.source)
    lines: list[Rolled] = []
    for line in notation.lines:
        for _ in range(line.times):
            lines.append(table.line(line))
    return Outcome(tuple(lines), tuple(table.entropy.results), table.cut)


class _Table:
    """Where one notation is rolled."""

    def __init__(self, entropy: Entropy, source: str) -> None:
        self.entropy = RecordedEntropy(entropy)
        self.source = source
        self.throws: list[Thrown] = []
        self.extra = 0
        self.cut = False

    def line(self, line: n.Line) -> Rolled:
        self.throws = []
        expression = line.expression
        total = self.value(expression)
        throws = tuple(self.throws)
        single = isinstance(expression, Dice | Number)
        values = iter(throws)
        return Rolled(
            n.written(expression),
            line.label,
            throws,
            total,
            "" if single else n.written(expression, 0, lambda _: _inside(next(values).value)),
            isinstance(expression, Dice) and expression.meet is not None,
        )

    def value(self, expression: Expression) -> int:
        match expression:
            case Number(value=value):
                return value
            case Dice():
                thrown = self.throw(expression)
                self.throws.append(thrown)
                return thrown.value
            case Negative(of=of):
                return -self.value(of)
            case Binary(sign=sign, left=left, right=right, at=at):
                return self.joined(sign, self.value(left), self.value(right), at)

    def joined(self, sign: str, left: int, right: int, at: int) -> int:
        match sign:
            case "+":
                value = left + right
            case "-":
                value = left - right
            case "*":
                value = left * right
            case _:
                if right == 0:
                    raise Fault(
                        f"This divides {minus(left)} by zero, which has no result. Nothing was "
                        "rolled; change what follows the “/”.",
                        self.source,
                        at,
                    )
                value = left // right
        if abs(value) > n.MOST_VALUE:
            raise Fault(
                f"The numbers of a roll may go up to {n.MOST_VALUE:,}, and here it would be more.",
                self.source,
                at,
            )
        return value

    def one(self, dice: Dice) -> int:
        """One die as chance has it."""
        return dice.face(self.entropy.roll(dice.sides, f"d{dice.kind}") - 1)

    def more(self) -> bool:
        """Whether one more die may be thrown than was asked for."""
        if self.extra >= MOST_EXTRA:
            self.cut = True
            return False
        self.extra += 1
        return True

    def settled(self, dice: Dice, *, extra: bool) -> list[Die]:
        """A die and what came before it: those that were rolled again, then the one that stays."""
        lay: list[Die] = []
        value = self.one(dice)
        most = 1 if dice.once else n.MOST_AGAIN
        while (
            dice.reroll is not None and dice.reroll.meets(value) and len(lay) < most and self.more()
        ):
            lay.append(Die(value, again=True, extra=extra))
            value = self.one(dice)
        return [*lay, Die(value, extra=extra)]

    def throw(self, dice: Dice) -> Thrown:
        groups = [self.settled(dice, extra=False) for _ in range(dice.count)]
        if dice.explode is not None:
            groups = [self.exploded(dice, group, dice.explode) for group in groups]
        lying = [die for group in groups for die in group]
        lying = _kept(dice, lying)
        if dice.meet is not None:
            meet = dice.meet
            lying = [
                msgspec.structs.replace(die, met=meet.meets(die.value)) if die.counts else die
                for die in lying
            ]
            value = sum(1 for die in lying if die.met)
        else:
            value = sum(die.value for die in lying if die.counts)
        named = n.dice_name(dice)
        return Thrown(named, dice.sides, dice.kind, tuple(lying), value)

    def exploded(self, dice: Dice, group: list[Die], when: n.Compare) -> list[Die]:
        """The dice with all that comes of an explosion of the last of them."""
        lying = list(group)
        for _ in range(n.MOST_AGAIN):
            if not when.meets(lying[-1].value) or not self.more():
                break
            lying[-1] = msgspec.structs.replace(lying[-1], burst=True)
            lying += self.settled(dice, extra=True)
        return lying


def _inside(value: int) -> str:
    """A value in the middle of a sum."""
    return minus(value) if value >= 0 else f"({minus(value)})"


def _kept(dice: Dice, lying: list[Die]) -> list[Die]:
    """The dice, those marked that are dropped; of equal ones the first is kept."""
    if dice.keep is None:
        return lying
    places = [place for place, die in enumerate(lying) if not die.again]
    sign = -1 if dice.keep.highest else 1
    order = sorted(places, key=lambda place: sign * lying[place].value)
    dropped = set(order[dice.keep.left(len(order)) :])
    return [
        msgspec.structs.replace(die, dropped=True) if place in dropped else die
        for place, die in enumerate(lying)
    ]
