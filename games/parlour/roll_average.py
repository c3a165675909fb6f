"""What a roll brings on average, exactly, where that is cheap to work out."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import comb, floor, lcm

from games.parlour import notation as n
from games.parlour.notation import Binary, Dice, Expression, Negative, Number

MOST_WORK = 2_000
"""Dice times faces of a throw, some of which are kept, whose average is worked out."""


def average(expression: Expression) -> Fraction | None:
    """The mean of an expression; None where it would be long to work out.

    Dice that are thrown apart are independent, so means multiply; a division rounds, so its mean is
    only known where nothing is rolled.
    """
    match expression:
        case Number(value=value):
            return Fraction(value)
        case Dice():
            return _dice(expression)
        case Negative(of=of):
            mean = average(of)
            return None if mean is None else -mean
        case Binary(sign=sign, left=left, right=right):
            first, second = average(left), average(right)
            if first is None or second is None:
                return None
            match sign:
                case "+":
                    return first + second
                case "-":
                    return first - second
                case "*":
                    return first * second
                case _:
                    if n.dice_of(expression) or not second:
                        return None
                    return Fraction(first // second)


def told(mean: Fraction) -> str:
    """A mean in figures: “7”, “3.5”, “≈ 12.24”."""
    hundredths = floor(abs(mean) * 100 + Fraction(1, 2))  # halves are rounded away from 0
    whole, part = divmod(hundredths, 100)
    figures = f"{whole}.{part:02}".rstrip("0").rstrip(".")
    if mean < 0 and hundredths:
        figures = f"−{figures}"
    return figures if abs(mean) * 100 == hundredths else f"≈ {figures}"


def chances(dice: Dice) -> dict[int, Fraction]:
    """How likely a single die is to end up at each value, rerolls included; values from low to high."""
    faces = dice.values
    shares: dict[int, Fraction] = {}
    for value in sorted(faces):
        shares[value] = shares.get(value, Fraction()) + Fraction(1, len(faces))
    again = dice.reroll
    if again is None:
        return shares
    bad = sum((share for value, share in shares.items() if again.meets(value)), Fraction())
    most = 1 if dice.once else n.MOST_AGAIN
    # Of a die that may be rolled again, the last value stays whatever it is.
    tries = sum((bad**k for k in range(most + 1)), Fraction())
    return {
        value: share * (bad**most if again.meets(value) else tries)
        for value, share in shares.items()
    }


def _dice(dice: Dice) -> Fraction | None:
    """The mean of one throw. What is cut off after very many dice is too rare to matter here."""
    meet = dice.meet
    worth: Callable[[int], int] = (lambda v: v) if meet is None else (lambda v: int(meet.meets(v)))
    shares = chances(dice)
    mean = sum((worth(value) * share for value, share in shares.items()), Fraction())
    if dice.explode is not None:
        if dice.keep is not None:
            return None
        when = dice.explode
        burst = sum((share for value, share in shares.items() if when.meets(value)), Fraction())
        chain = sum((burst**k for k in range(n.MOST_AGAIN + 1)), Fraction())
        return dice.count * mean * chain
    if dice.keep is None:
        return dice.count * mean
    if dice.count * len(shares) > MOST_WORK:
        return None
    return _kept(dice, shares, worth)


def _kept(dice: Dice, shares: dict[int, Fraction], worth: Callable[[int], int]) -> Fraction:
    """The mean of the highest or lowest of several dice: rank by rank, what lies there."""
    assert dice.keep is not None
    left = dice.keep.left(dice.count)
    values = sorted(shares, reverse=dice.keep.highest)  # the best first
    whole = lcm(*(share.denominator for share in shares.values()))
    before, parts, total = 0, 0, 0
    for value in values:
        parts += int(shares[value] * whole)
        among = _expected_among(dice.count, left, parts, whole)
        total += worth(value) * (among - before)
        before = among
    return Fraction(total, whole**dice.count)


def _expected_among(count: int, left: int, parts: int, whole: int) -> int:
    """How many of the `left` best of `count` dice show what `parts` of `whole` do, which are the best
    of all: on average, times `whole` to the power of `count`."""
    others = whole - parts
    return sum(
        min(k, left) * comb(count, k) * parts**k * others ** (count - k)
        for k in range(1, count + 1)
    )
