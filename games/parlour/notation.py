"""What a roll's notation means: its parts, its caps, how it is written back, and faults with a place.

A notation is one or several lines; a line is an expression of dice and whole numbers, perhaps rolled
several times, perhaps with a label. `games.parlour.notation_reading` makes it from what somebody typed.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import Final, TypeAlias

import msgspec

from games.kernel.wording import minus

LONGEST: Final = 200
"""Characters of a notation."""
MOST_DICE: Final = 100
"""Dice that one roll may throw at first, all its lines together."""
MOST_SIDES: Final = 1_000
MOST_FACES: Final = 20
"""Faces that may be written down one by one."""
MOST_LINES: Final = 20
"""Lines of one roll, repeats included."""
LARGEST: Final = 1_000_000
"""The largest number that may be typed."""
LARGEST_FACE: Final = 1_000
"""The largest face of a die of one's own."""
MOST_VALUE: Final = 1_000_000_000
"""The largest number that may come up on the way to a result."""
MOST_AGAIN: Final = 20
"""How often one die explodes, or is rolled again, at most."""
DEEPEST: Final = 10
"""Parentheses within each other."""
LONGEST_LABEL: Final = 60


class Fault(Exception):
    """A notation that cannot be rolled: `sentence` says why and what to do, `source[at]` is where."""

    def __init__(self, sentence: str, source: str = "", at: int = 0) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.source = source
        self.at = at


class Compare(msgspec.Struct, frozen=True):
    """Which values are meant: `sign` is <, <=, =, >= or >."""

    sign: str
    value: int

    def meets(self, value: int) -> bool:
        """Whether a value is meant."""
        match self.sign:
            case "<":
                return value < self.value
            case "<=":
                return value <= self.value
            case ">=":
                return value >= self.value
            case ">":
                return value > self.value
            case _:
                return value == self.value

    def __str__(self) -> str:
        return f"{self.sign}{minus(self.value)}"


class Keep(msgspec.Struct, frozen=True):
    """Which dice count: the `number` highest or lowest, or (`drop`) all but those.

    `word` is “adv” or “dis” when it was written so, for one die that is thrown twice.
    """

    drop: bool
    high: bool
    number: int
    word: str = ""

    @property
    def highest(self) -> bool:
        """Whether those that count are the highest."""
        return self.high != self.drop

    def left(self, dice: int) -> int:
        """How many of so many dice count."""
        return max(0, dice - self.number) if self.drop else min(self.number, dice)

    def __str__(self) -> str:
        return f"{'d' if self.drop else 'k'}{'h' if self.high else 'l'}{self.number}"


class Number(msgspec.Struct, frozen=True, tag=True):
    """A whole number."""

    value: int


class Dice(msgspec.Struct, frozen=True, tag=True):
    """Dice of one kind that are thrown together.

    `faces` is empty for a die that shows 1 to `sides`. They are rerolled first (`once`: at most once
    each), then explode, then some of them are kept, then they are added, or counted if they `meet`.
    """

    count: int
    sides: int
    kind: str
    faces: tuple[int, ...] = ()
    reroll: Compare | None = None
    once: bool = False
    explode: Compare | None = None
    keep: Keep | None = None
    meet: Compare | None = None

    def face(self, index: int) -> int:
        """What a die shows on its face with that number, from 0."""
        return self.faces[index] if self.faces else index + 1

    @property
    def values(self) -> tuple[int, ...]:
        """What all its faces show."""
        return self.faces or tuple(range(1, self.sides + 1))


class Negative(msgspec.Struct, frozen=True, tag=True):
    """The opposite of a value."""

    of: Expression


class Binary(msgspec.Struct, frozen=True, tag=True):
    """Two values joined by +, -, * or / (rounded down); `at` is where the sign stands."""

    sign: str
    left: Expression
    right: Expression
    at: int = 0


Expression: TypeAlias = Number | Dice | Negative | Binary


class Line(msgspec.Struct, frozen=True):
    """One expression, rolled `times` times."""

    expression: Expression
    label: str = ""
    times: int = 1

    def __str__(self) -> str:
        shown = written(self.expression)
        return f"{self.times}x({shown})" if self.times > 1 else shown


class Notation(msgspec.Struct, frozen=True):
    """A whole notation; `source` is what was read, for pointing into it."""

    lines: tuple[Line, ...]
    source: str = ""

    def __str__(self) -> str:
        """The notation as it is shown and kept; reading it again gives the same lines."""
        return "; ".join(
            f"{line} # {line.label}" if line.label else str(line) for line in self.lines
        )


STRENGTH: Final = {"+": 1, "-": 1, "*": 2, "/": 2}
SIGNS: Final = {"+": "+", "-": "−", "*": "×", "/": "/"}
"""How strongly the signs bind, and how they are shown."""


def dice_name(dice: Dice) -> str:
    """Dice as they are written: “4d6kh3”."""
    word = "" if dice.keep is None else dice.keep.word
    count = str(dice.count) if dice.count > 1 and not word else ""
    name = f"{count}d{dice.kind}"
    if dice.reroll is not None:
        which = str(dice.reroll).removeprefix("=") if dice.reroll.value >= 0 else str(dice.reroll)
        name += f"r{'o' if dice.once else ''}{which}"
    if dice.explode is not None:
        top = dice.explode == Compare("=", max(dice.values))
        # A comparison right after a bare “!” would be read as that of the explosion.
        bare = top and (dice.meet is None or dice.keep is not None)
        which = str(dice.explode) if dice.explode.value < 0 else str(dice.explode).removeprefix("=")
        name += "!" if bare else f"!{which}"
    if dice.keep is not None:
        name += f" {word}" if word else str(dice.keep)
    return f"{name}{dice.meet}" if dice.meet is not None else name


def written(
    expression: Expression, strength: int = 0, shown: Callable[[Dice], str] = dice_name
) -> str:
    """An expression as it is shown, with the parentheses it needs inside a sign that binds so.

    `shown` writes its dice, from left to right.
    """
    match expression:
        case Number(value=value):
            return minus(value)
        case Dice():
            return shown(expression)
        case Negative(of=of):
            text = f"−{written(of, 3, shown)}"
            return f"({text})" if strength else text
        case Binary(sign=sign, left=left, right=right):
            binds = STRENGTH[sign]
            first = written(left, binds, shown)
            text = f"{first}{SIGNS[sign]}{written(right, binds + 1, shown)}"
            return f"({text})" if binds < strength else text


def dice_of(expression: Expression) -> list[Dice]:
    """All dice of an expression, in the order they are thrown."""
    match expression:
        case Number():
            return []
        case Dice():
            return [expression]
        case Negative(of=of):
            return dice_of(of)
        case Binary(left=left, right=right):
            return dice_of(left) + dice_of(right)


def called(char: str) -> str:
    """A character as a sentence begins with it: “x”, or what it is called where it cannot be seen."""
    if char.isprintable() and _columns(char):
        return f"“{char}”"
    return f"An invisible character (U+{ord(char):04X})"


def _columns(char: str) -> int:
    """How many columns a character takes where all letters are equally wide."""
    if unicodedata.category(char) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def pointed(fault: Fault, room: int = 60) -> str:
    """The part of the source around a fault, and below it a caret under the character.

    Characters of scripts that run the other way are shown in the order they were typed.
    """
    source = "".join(char if char.isprintable() else " " for char in fault.source)
    at = min(fault.at, len(source))
    start = 0 if len(source) <= room else max(0, min(at - room // 2, len(source) - room))
    shown = source[start : start + room]
    before, after = "…" if start else "", "…" if start + room < len(source) else ""
    # Wide letters come from another font, in which only a wide space is just as wide.
    blanks = "".join(("", " ", "\u3000")[_columns(char)] for char in source[start:at])
    if any(unicodedata.bidirectional(char) in ("R", "AL", "AN") for char in shown):
        shown = f"\u202d{shown}\u202c"
    return f"{before}{shown}{after}\n{' ' * len(before)}{blanks}^"
