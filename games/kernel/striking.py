"""How striking luck is: the longest streak and the farthest swing, and how often fair dice do as much.

All chances are exact, counted in whole numbers, for as many throws of each kind as there were. Whoever
looks at several kinds of throws sees something unlikely more often; the chances take that into account.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache, partial
from itertools import accumulate, groupby
from math import comb, prod

import msgspec

from games.kernel.luck import Kind

# --- streaks ---


def longest_streak(kind: Kind) -> tuple[int, int]:
    """The length of the longest run of good or of bad throws, and its sign; the first of several."""
    runs = [(len(list(run)), sign) for sign, run in groupby(kind.signs) if sign]
    return max(runs, key=lambda run: run[0], default=(0, 0))


def streak_chance(ups: Sequence[int], downs: Sequence[int], sides: int, length: int) -> Fraction:
    """The chance that fair dice show a run of at least `length` good or as many bad throws.

    Counts the sequences of faces without such a run: those that end in a good throw, those that end
    in a bad one, the others; each step takes away those whose run has just become too long.
    """
    number = len(ups)
    if length <= 0:
        return Fraction(1)
    if length > number:
        return Fraction(0)
    up, down, flat = [0], [0], [1]
    for n in range(number):
        before = up[n] + down[n] + flat[n]
        over = (0, 0)
        if n + 1 >= length:
            start = n + 1 - length
            over = (
                (down[start] + flat[start]) * prod(ups[start : n + 1]),
                (up[start] + flat[start]) * prod(downs[start : n + 1]),
            )
        up.append(before * ups[n] - over[0])
        down.append(before * downs[n] - over[1])
        flat.append(before * (sides - ups[n] - downs[n]))
    return 1 - Fraction(up[-1] + down[-1] + flat[-1], sides**number)


# --- how far from the expectation ---


def points_chance(number: int, sides: int, twice: int) -> Fraction:
    """The chance that the sum of some dice is at least `twice`/2 away from what is to be expected."""
    if twice <= 0:
        return Fraction(1)
    below = (number * (sides - 1) - twice) // 2
    if below < 0:
        return Fraction(0)
    # Inclusion and exclusion over the dice that would be too high; each term comes from the last.
    ways, choices, top = 0, 1, below + number
    sums = comb(top, number)
    for n in range(min(number, below // sides) + 1):
        ways += (-1) ** n * choices * sums
        choices = choices * (number - n) // (n + 1)
        for _ in range(sides):
            sums = sums * (top - number) // top if top else 0
            top -= 1
    return Fraction(2 * ways, sides**number)


def hits_weights(ups: Sequence[int], sides: int) -> list[int]:
    """For each number of successes, how many sequences of faces have it."""
    weights = [1]
    for up in ups:
        fails = [*(weight * (sides - up) for weight in weights), 0]
        wins = [0, *(weight * up for weight in weights)]
        weights = [a + b for a, b in zip(fails, wins, strict=True)]
    return weights


# --- what is the most striking, and how often fair dice are as striking ---


class Finding(msgspec.Struct, frozen=True):
    """The most striking streak or swing of all kinds of throws.

    `size` is the length of the streak, or how far the last swing is from what was to be expected;
    `sign` whether it is good (1) or bad (−1). `chance`: in what share of fair games with as many
    throws some kind has one that is at least as unlikely.
    """

    kind: Kind
    size: Fraction
    sign: int
    chance: Fraction


class _Scale(msgspec.Struct, frozen=True):
    """For one kind: the chance of each step or a higher one, from step 1 on, and the step there was."""

    chance: Callable[[int], Fraction]
    steps: int
    step: int

    @property
    def seen(self) -> Fraction:
        return self.chance(self.step) if self.step else Fraction(1)

    def at_most(self, bound: Fraction) -> Fraction:
        """The chance of something that is no likelier than `bound`."""
        if bound >= 1:
            return Fraction(1)  # nothing (step 0) is as likely
        low, high = 1, self.steps + 1
        while low < high:
            middle = (low + high) // 2
            if self.chance(middle) <= bound:
                high = middle
            else:
                low = middle + 1
        return self.chance(low) if low <= self.steps else Fraction(0)


def streak(thrown: Sequence[Kind]) -> Finding | None:
    """The most unlikely streak of all kinds; None when there are no throws."""
    scales = [
        _Scale(
            cache(partial(_streak_chance, kind)),
            len(kind.values),
            longest_streak(kind)[0],
        )
        for kind in thrown
    ]
    found = _most_striking(scales)
    if found is None:
        return None
    place, chance = found
    length, sign = longest_streak(thrown[place])
    return Finding(thrown[place], Fraction(length), sign, chance)


def _streak_chance(kind: Kind, length: int) -> Fraction:
    return streak_chance(kind.ups, kind.downs, kind.sides, length)


def swing(thrown: Sequence[Kind]) -> Finding | None:
    """The kind that is the most unlikely distance from its expectation; None when there are no throws."""
    found = _most_striking([_distances(kind) for kind in thrown])
    if found is None:
        return None
    place, chance = found
    last = thrown[place].swing[-1]
    return Finding(thrown[place], abs(last), (last > 0) - (last < 0), chance)


def _distances(kind: Kind) -> _Scale:
    number, sides = len(kind.values), kind.sides
    if not kind.hits:
        odd = number * (sides - 1) % 2  # the doubled distance is always odd, or always even

        def points(step: int) -> Fraction:
            return points_chance(number, sides, 2 * step - odd)

        twice = abs(int(2 * kind.swing[-1]))
        return _Scale(cache(points), (number * (sides - 1) + odd) // 2, (twice + odd) // 2)
    weights, mean = hits_weights(kind.ups, sides), Fraction(sum(kind.ups), sides)
    away: dict[Fraction, int] = {}
    for hits, weight in enumerate(weights):
        away[abs(hits - mean)] = away.get(abs(hits - mean), 0) + weight
    ordered = sorted(away)
    rest = list(accumulate(away[distance] for distance in reversed(ordered)))[::-1]

    def counted(step: int) -> Fraction:
        return Fraction(rest[step - 1], sides**number)

    return _Scale(counted, len(ordered), ordered.index(abs(kind.swing[-1])) + 1)


def _most_striking(scales: Sequence[_Scale]) -> tuple[int, Fraction] | None:
    """The place of the most unlikely, and how often one of them all is as unlikely with fair dice."""
    if not scales:
        return None
    seen = [scale.seen for scale in scales]
    bound = min(seen)
    none = prod((1 - scale.at_most(bound) for scale in scales), start=Fraction(1))
    return seen.index(bound), 1 - none


# --- in words ---


def in_games(chance: Fraction) -> str:
    """A chance as a number of games: “in about 1 of 3 games”."""
    if chance >= Fraction(19, 20):
        return "in nearly every game"
    if chance >= Fraction(3, 10):
        return f"in about {_rounded(10 * chance)} of 10 games"
    if chance * 1000 < 1:
        return "in fewer than 1 of 1,000 games"
    return f"in about 1 of {_rounded(1 / chance):,} games"


def _rounded(value: Fraction) -> int:
    return (2 * value.numerator + value.denominator) // (2 * value.denominator)
