"""Luck against counting every possible sequence of faces, and against what games really roll."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.kernel import event as told
from games.kernel.action import read_action
from games.kernel.entropy import ScriptedEntropy
from games.kernel.event import Chart, Contest, Noted, Roll, Rolled, Throw
from games.kernel.luck import LIMIT, Die, Kind, dice_of, faces, fair_range, kinds
from games.kernel.play import begin, play
from games.kernel.striking import (
    hits_weights,
    in_games,
    longest_streak,
    points_chance,
    streak,
    streak_chance,
    swing,
)
from games.kernel.view import Badge
from tests import record_fixtures
from tests.games.all_games import game_of

RED, BLUE = Badge("R", "square", "red"), Badge("B", "hexagon", "steel")


def shared(event_dice: Sequence[tuple[int, int]]) -> Rolled:
    """A shot at several targets with one die of the attacker."""
    contests = tuple(
        Contest(Roll(RED, (a,), (), a), Roll(BLUE, (d,), (), d), a - d, 0, "miss")
        for a, d in event_dice
    )
    return Rolled(text="", title="", detail="", contests=contests, chart=Chart("", ()))


# --- which dice there are ---


def test_a_shared_die_is_counted_once() -> None:
    found = dice_of([shared([(5, 2), (5, 6), (5, 5)])], "RED")
    assert [(die.hand, die.value) for die in found] == [
        ("square", 5), ("hexagon", 2), ("hexagon", 6), ("hexagon", 5),
    ]  # fmt: skip
    assert all(die.sides == 6 and not die.name and not die.need for die in found)


def test_which_dice_are_good_when_high() -> None:
    shot = told.Tested(
        text="",
        title="",
        detail="",
        throws=(Throw("wind", (9,), 10, note="calm"), Throw("shot, twice", (4, 5), 6)),
        total=9,
        target=8,
        verdict="hit",
    )
    trap = told.Tested(
        text="", title="", detail="", throws=(Throw("trap", (2,), 6),), verdict="hit"
    )
    spot = told.Tested(
        text="", title="", detail="", throws=(Throw("spot", (3,), 6, 4),), verdict="no"
    )
    found = dice_of([shot, trap, spot, Noted(text="A die? No.")], "S")
    assert [(die.name, die.sides, die.value, die.need, die.read) for die in found] == [
        ("wind", 10, 9, 0, True), ("shot", 6, 4, 0, False), ("shot", 6, 5, 0, False),
        ("trap", 6, 2, 0, True), ("spot", 6, 3, 4, False),
    ]  # fmt: skip
    assert [(kind.title, kind.hits, kind.values) for kind in kinds(found)] == [
        ("shot", False, (4, 5)), ("spot", True, (3,)),
    ]  # fmt: skip


class Watching(ScriptedEntropy):
    """A script that notes the dice, and only them."""

    def __init__(self, script: Any) -> None:
        super().__init__(script)
        self.rolled: Counter[tuple[int, int]] = Counter()

    def roll(self, sides: int, label: str) -> int:
        value = super().roll(sides, label)
        self.rolled[sides, value] += 1
        return value


def _recorded(recording: record_fixtures.Recording) -> Iterator[tuple[Watching, Any]]:
    game = game_of(recording.game)
    entropy = Watching(recording.script)
    turnout = begin(game, game.read_setup(recording.setup), entropy)
    state = turnout.state
    yield entropy, turnout
    for path, value in recording.patch.items():
        game.patch(state, path, value)
    for line in recording.actions:
        entropy = Watching(line.script)
        turnout = play(game, state, line.seat, read_action(line.action), entropy)
        state = turnout.state
        yield entropy, turnout


@pytest.mark.parametrize("slug", sorted({wanted.slug for wanted in record_fixtures.ENDS}))
def test_every_die_of_a_game_is_shown_once(slug: str) -> None:
    rolled = 0
    for wanted in record_fixtures.ENDS:
        if wanted.slug != slug:
            continue
        game = record_fixtures.read(wanted.path)
        for n, (entropy, turnout) in enumerate(_recorded(game)):
            shown = Counter((die.sides, die.value) for die in dice_of(turnout.events, "X"))
            if n:  # a set-up may tell of a roll in words only
                assert shown == entropy.rolled, f"{wanted.name}, action {n}"
            assert shown <= entropy.rolled, f"{wanted.name}, action {n}"
            rolled += entropy.rolled.total()
    assert rolled > 200


# --- chances against enumeration ---


@st.composite
def trials(draw: st.DrawFn, most: int = 5) -> tuple[list[int], list[int], int]:
    sides = draw(st.integers(2, 4))
    ups = draw(st.lists(st.integers(0, sides), min_size=1, max_size=most))
    downs = [draw(st.integers(0, sides - up)) for up in ups]
    return ups, downs, sides


def _signs(values: Sequence[int], ups: Sequence[int], downs: Sequence[int]) -> list[int]:
    """Faces 1 to `down` are bad, the last `up` of those left are good (which ones is no matter)."""
    return [
        -1 if v <= down else 1 if v <= down + up else 0
        for v, up, down in zip(values, ups, downs, strict=True)
    ]


def _longest(signs: Sequence[int]) -> int:
    best = here = last = 0
    for sign in signs:
        here = here + 1 if sign and sign == last else 1 if sign else 0
        last, best = sign, max(best, here)
    return best


@given(trials(), st.integers(0, 6))
def test_the_chance_of_a_streak(given_: tuple[list[int], list[int], int], length: int) -> None:
    ups, downs, sides = given_
    everything = list(product(range(1, sides + 1), repeat=len(ups)))
    such = sum(_longest(_signs(values, ups, downs)) >= length for values in everything)
    assert streak_chance(ups, downs, sides, length) == Fraction(such, len(everything))


@given(st.integers(1, 5), st.integers(2, 5), st.integers(-1, 22))
def test_the_chance_of_a_sum(number: int, sides: int, twice: int) -> None:
    everything = list(product(range(1, sides + 1), repeat=number))
    such = sum(abs(2 * sum(values) - number * (sides + 1)) >= twice for values in everything)
    assert points_chance(number, sides, twice) == Fraction(such, len(everything))


@given(st.integers(2, 4), st.lists(st.integers(1, 4), min_size=1, max_size=5))
def test_the_number_of_successes(sides: int, needs: list[int]) -> None:
    ups = [max(0, sides - need + 1) for need in needs]
    found = Counter(
        sum(v >= need for v, need in zip(values, needs, strict=True))
        for values in product(range(1, sides + 1), repeat=len(needs))
    )
    assert hits_weights(ups, sides) == [found[n] for n in range(len(needs) + 1)]


@given(st.integers(0, 40), st.integers(2, 12), st.integers(1, 3), st.integers(2, 400))
def test_ranges_keep_their_share(number: int, sides: int, width: int, inverse: int) -> None:
    width, share = min(width, sides - 1), Fraction(1, inverse)
    least, most = fair_range(number, width, sides, share)
    chance = _binomial(number, Fraction(width, sides))
    assert sum(chance[:least]) <= share / 2 and sum(chance[most + 1 :]) <= share / 2
    assert sum(chance[: least + 1]) > share / 2 and sum(chance[most:]) > share / 2


def _binomial(number: int, p: Fraction) -> list[Fraction]:
    found = [Fraction(1)]
    for _ in range(number):
        found = [
            (found[n] * (1 - p) if n < len(found) else Fraction(0))
            + (found[n - 1] * p if n else Fraction(0))
            for n in range(len(found) + 1)
        ]
    return found


def test_nineteen_of_twenty_fair_games_are_inside_altogether() -> None:
    inside = games = 0
    for values in product(range(1, 4), repeat=7):
        dice = [Die("square", 3, v) for v in values[:4]]
        dice += [Die("hexagon", 3, v) for v in values[4:]]
        games += 1
        inside += not any(one.outside for one in faces(dice))
    assert Fraction(inside, games) >= 1 - LIMIT


def test_something_may_lie_outside() -> None:
    (shown,) = faces([Die("square", 6, 1) for _ in range(12)])
    assert shown.bins[0].label == "1" and shown.bins[0] in shown.outside
    assert shown.bins[0].count == 12 and shown.bins[0].expected == 2


def test_a_die_of_one_side_shows_it() -> None:
    (shown,) = faces([Die("S", 1, 1, "sure")] * 3)
    assert shown.bins[0].least == shown.bins[0].most == 3 and not shown.outside
    assert kinds([Die("S", 1, 1, "sure")]) == ()


def test_large_dice_are_counted_in_groups() -> None:
    (shown,) = faces([Die("S", 20, v, "hit") for v in (1, 2, 3, 20)])
    assert [(one.label, one.count) for one in shown.bins] == [
        ("1–2", 2), ("3–4", 1), *((f"{n}–{n + 1}", 0) for n in range(5, 19, 2)), ("19–20", 1),
    ]  # fmt: skip
    (uneven,) = faces([Die("S", 13, v, "hit") for v in range(1, 14)])
    assert uneven.bins[-1].label == "13" and uneven.bins[-1].expected == 1
    assert sum(one.expected for one in uneven.bins) == 13


# --- the whole question: how often is anything as striking? ---


def _kind(shape: tuple[int, tuple[int, ...]], values: Sequence[int], title: str) -> Kind:
    sides, needs = shape
    return Kind(title, False, sides, needs[0] > 0, tuple(values), needs)


SHAPES = st.sampled_from(
    [(2, (2, 2, 2)), (3, (2, 3)), (2, (0, 0, 0, 0)), (3, (0, 0, 0)), (4, (4, 2)), (2, (0, 0))]
)


@settings(max_examples=40, deadline=None)
@given(st.lists(SHAPES, min_size=1, max_size=2), st.data())
def test_how_often_fair_dice_are_as_striking(
    shapes: list[tuple[int, tuple[int, ...]]], data: st.DataObject
) -> None:
    ranges = [range(1, sides + 1) for sides, needs in shapes for _ in needs]
    everything = [_game(shapes, values) for values in product(*ranges)]
    mine = data.draw(st.sampled_from(everything))

    def lengths(kind: Kind) -> Fraction:
        return Fraction(_longest(kind.signs))

    def distances(kind: Kind) -> Fraction:
        return abs(kind.swing[-1])

    for finding, measure in ((streak(mine), lengths), (swing(mine), distances)):
        seen = [[measure(kind) for kind in game] for game in everything]
        tails: list[dict[Fraction, Fraction]] = []
        for n in range(len(shapes)):
            found = Counter(row[n] for row in seen)
            tails.append(
                {
                    size: Fraction(sum(k for other, k in found.items() if other >= size), len(seen))
                    for size in found
                }
            )
        rarity = [min(tail[size] for tail, size in zip(tails, row, strict=True)) for row in seen]
        bound = rarity[everything.index(mine)]
        assert finding is not None and finding.size == measure(finding.kind)
        assert finding.chance == Fraction(sum(one <= bound for one in rarity), len(rarity))


def _game(shapes: list[tuple[int, tuple[int, ...]]], values: Sequence[int]) -> list[Kind]:
    found: list[Kind] = []
    left = list(values)
    for n, shape in enumerate(shapes):
        found.append(_kind(shape, left[: len(shape[1])], f"kind {n}"))
        left = left[len(shape[1]) :]
    return found


def test_the_signs_of_findings() -> None:
    low = kinds([Die("square", 6, v) for v in (1, 1, 2, 3, 6)])
    run, away = streak(low), swing(low)
    assert run is not None and (run.size, run.sign) == (4, -1)
    assert away is not None and (away.size, away.sign) == (Fraction(9, 2), -1)
    hits = kinds([Die("S", 6, v, "spot", 5) for v in (5, 6, 6)])
    run, away = streak(hits), swing(hits)
    assert run is not None and (run.size, run.sign) == (3, 1)
    assert away is not None and (away.size, away.sign) == (2, 1)
    assert away.chance == Fraction(1, 27)
    assert streak(()) is None and swing(()) is None


def test_an_average_value_ends_a_streak() -> None:
    (kind,) = kinds([Die("square", 5, v) for v in (5, 4, 3, 5)])
    assert longest_streak(kind) == (2, 1)
    (flat,) = kinds([Die("square", 3, 2)])
    assert longest_streak(flat) == (0, 0)
    run, away = streak((flat,)), swing((flat,))
    assert run is not None and run.chance == 1 and away is not None and away.chance == 1


def test_swing_and_its_variance() -> None:
    (kind,) = kinds([Die("S", 6, v, "spot", 4) for v in (4, 1)])
    assert kind.swing == (Fraction(1, 2), 0)
    assert kind.variance == (Fraction(1, 4), Fraction(1, 2))
    (points,) = kinds([Die("square", 6, 6)])
    assert points.swing == (Fraction(5, 2),) and points.variance == (Fraction(35, 12),)


def test_what_cannot_fail_is_no_throw() -> None:
    sure = [
        Die("S", 6, 3, "sure", 1),
        Die("S", 6, 3, "never", 7),
        Die("S", 10, 3, "wind", read=True),
    ]
    assert kinds(sure) == ()


def test_many_dice_are_counted_exactly() -> None:
    game = [Die("square", 6, 1 + n * n % 6) for n in range(2000)]
    game += [Die("S", 10, 1 + n * n % 10, "gun", 2 + n % 5) for n in range(600)]
    run, away = streak(kinds(game)), swing(kinds(game))
    assert run is not None and away is not None
    assert 0 < run.chance <= 1 and 0 < away.chance <= 1


@pytest.mark.parametrize(
    ("chance", "words"),
    [
        (Fraction(1), "in nearly every game"),
        (Fraction(19, 20), "in nearly every game"),
        (Fraction(18, 20), "in about 9 of 10 games"),
        (Fraction(2, 3), "in about 7 of 10 games"),
        (Fraction(3, 10), "in about 3 of 10 games"),
        (Fraction(2, 7), "in about 1 of 4 games"),
        (Fraction(1, 3000), "in fewer than 1 of 1,000 games"),
        (Fraction(1, 1000), "in about 1 of 1,000 games"),
        (Fraction(0), "in fewer than 1 of 1,000 games"),
    ],
)
def test_chances_in_words(chance: Fraction, words: str) -> None:
    assert in_games(chance) == words
