"""Rolls against another evaluator, and against exact probabilities by going through every outcome."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from games.kernel.entropy import ScriptedEntropy, seeded
from games.parlour import notation as n
from games.parlour.notation import Fault
from games.parlour.notation_reading import read
from games.parlour.roll import MOST_EXTRA, Outcome, roll
from games.parlour.roll_average import MOST_WORK, average, told
from games.parlour.roll_words import added_up, dice_text, figures
from tests.games.parlour.slow_roll import Slow


def scripted(notation: str, *values: int) -> Outcome:
    script = ScriptedEntropy(values)
    outcome = roll(read(notation), script)
    script.finish()
    return outcome


# ------------------------------------------------------------------ what notations do

CASES: list[tuple[str, tuple[int, ...], int, str]] = [
    ("2d6+1", (3, 4), 8, "[3, 4]"),
    ("d20", (20,), 20, "[20]"),
    ("D%", (100,), 100, "[100]"),
    ("4d6kh3", (1, 6, 1, 5), 12, "[1, 6, (1), 5]"),
    ("4d6k3", (1, 6, 1, 5), 12, "[1, 6, (1), 5]"),
    ("4d6dl1", (1, 6, 1, 5), 12, "[1, 6, (1), 5]"),
    ("4d6kl2", (4, 3, 3, 3), 6, "[(4), 3, 3, (3)]"),
    ("4d6dh3", (4, 3, 2, 3), 2, "[(4), (3), 2, (3)]"),
    ("d20 adv + 5", (7, 18), 23, "[(7), 18]"),
    ("d20dis", (7, 18), 7, "[7, (18)]"),
    ("3d6!", (6, 2, 1, 6, 3), 18, "[6!, 6!, 3, 2, 1]"),
    ("3d6!>=5", (5, 1, 4, 2), 12, "[5!, 2, 1, 4]"),
    ("2d6!1", (1, 1, 2, 3), 7, "[1!, 2, 1!, 3]"),
    ("2d6r1", (1, 1, 3, 1, 6), 9, "[1→, 1→, 3, 1→, 6]"),
    ("2d6r<3", (2, 1, 4, 3), 7, "[2→, 1→, 4, 3]"),
    ("2d6ro<3", (2, 1, 4), 5, "[2→, 1, 4]"),
    ("5d6>=4", (1, 4, 6, 3, 5), 3, "[1, 4✓, 6✓, 3, 5✓]"),
    ("3d10>7", (7, 8, 10), 2, "[7, 8✓, 10✓]"),
    ("3d10<3-1", (2, 3, 1), 1, "[2✓, 3, 1✓]"),
    ("3d6=6+1", (6, 6, 1), 3, "[6✓, 6✓, 1]"),
    ("2d{1,2,2,9}", (4, 2), 11, "[9, 2]"),
    ("d{-5,5}*2", (1,), -10, "[−5]"),
    ("4dF", (1, 2, 3, 3), 1, "[−, 0, +, +]"),
    # Settled: 6; 1, again, 5; 2. The 6 bursts to another 6, and that to a 4.
    ("3d6r1!kh2>=5", (6, 1, 5, 2, 6, 4), 2, "[6!✓, 6!✓, (4), 1→, (5), (2)]"),
    ("(2d6+1)*3-4/2", (1, 2), 10, "[1, 2]"),
    ("−d4 × 2", (3,), -6, "[3]"),
    ("7/2", (), 3, ""),
    ("-7/2", (), -4, ""),
    ("7/-2", (), -4, ""),
    ("2-(3-4)-(-5)", (), 8, ""),
    ("2+3*4", (), 14, ""),
    ("+d6", (2,), 2, "[2]"),
]


@pytest.mark.parametrize(("notation", "dice", "total", "shown"), CASES, ids=[c[0] for c in CASES])
def test_what_it_does(notation: str, dice: tuple[int, ...], total: int, shown: str) -> None:
    (line,) = scripted(notation, *dice).lines
    assert line.total == total
    assert " ".join(dice_text(thrown) for thrown in line.throws) == shown


def test_several_lines_repeats_and_labels() -> None:
    outcome = scripted("3x(d6+1) # a b ; d4, 2", 1, 2, 3, 4)
    assert [(line.label, line.total) for line in outcome.lines] == [
        ("a b", 2), ("a b", 3), ("a b", 4), ("", 4), ("", 2),
    ]  # fmt: skip
    again = roll(read("d6; d4", 2), ScriptedEntropy((1, 2, 3, 4)))
    assert [line.total for line in again.lines] == [1, 2, 3, 4]
    assert len(roll(read("2x d6", 2), seeded("x")).lines) == 4


def test_sums_are_told() -> None:
    assert scripted("2d6+1", 3, 4).lines[0].sum == "7+1"
    assert scripted("2*(d6-d8)", 3, 4).lines[0].sum == "2×(3−4)"
    assert scripted("3-d{-2,2}", 1).lines[0].sum == "3−(−2)"
    kept = scripted("4d6kh3", 1, 6, 2, 5).lines[0]
    assert kept.sum == "" and added_up(kept) == "6+2+5"
    assert added_up(scripted("5d6>=4", 1, 4, 6, 3, 5).lines[0]) == ""
    assert figures(-12_345) == "−12,345" and figures(9_999) == "9999"


def test_results_are_those_of_chance_in_order() -> None:
    source = seeded("order")
    outcome = roll(read("3d6!r1 + d% # x; 2d{5,6}"), source)
    again = seeded("order")
    for result in outcome.results:
        assert again.roll(result.size, result.label) - 1 == result.index


# ------------------------------------------------------------------ caps while rolling


def test_a_die_explodes_and_is_rerolled_so_often_and_no_more() -> None:
    burst = scripted("d6!", *[6] * (n.MOST_AGAIN + 1)).lines[0]
    assert burst.total == 6 * (n.MOST_AGAIN + 1) and not burst.throws[0].dice[-1].burst
    again = scripted("d6r1", *[1] * (n.MOST_AGAIN + 1)).lines[0]
    assert again.total == 1 and len(again.throws[0].dice) == n.MOST_AGAIN + 1


def test_extra_dice_are_bounded_and_it_is_said() -> None:
    outcome = scripted("100d2r1", *[1] * (100 + MOST_EXTRA))
    assert outcome.cut
    thrown = outcome.lines[0].throws[0].dice
    assert len(thrown) == 100 + MOST_EXTRA == len(outcome.results)
    assert not scripted("2d6", 1, 2).cut


@pytest.mark.parametrize(
    ("notation", "at"),
    [("1/0", 1), ("2d6/(d4-1)", 3), ("1000000*1001", 7), ("-1000000*1000000", 8)],
)
def test_what_has_no_result_is_refused_where_it_is(notation: str, at: int) -> None:
    with pytest.raises(Fault) as caught:
        roll(read(notation), ScriptedEntropy([1] * 9))
    assert (caught.value.at, caught.value.source) == (at, notation)


# ------------------------------------------------------------------ the other evaluator

SPACE = st.sampled_from(["", "", "", " ", "  "])
COMPARES = st.sampled_from(["<", "<=", "=", ">=", ">", "≥", "≤"])


@st.composite
def throws(draw: st.DrawFn) -> str:
    """Dice with modifiers, each kind at most once, in any order."""
    count = draw(st.integers(1, 6))
    faces = draw(
        st.one_of(
            st.integers(1, 12).map(str),
            st.sampled_from(["%", "F", "f", "100", "{1,2,2,3}", "{-3, 0,7}"]),
        )
    )
    number = st.integers(0, 8)
    modifiers: list[str] = []
    if draw(st.booleans()):
        sign = draw(st.one_of(st.just(""), COMPARES))
        modifiers.append(f"{draw(st.sampled_from(['r', 'ro']))}{sign}{draw(number)}")
    if draw(st.booleans()):
        sign = draw(st.one_of(st.just(""), COMPARES))
        modifiers.append(draw(st.sampled_from(["!", f"!{sign}{draw(number)}"])))
    if draw(st.booleans()):
        keep = draw(st.sampled_from(["kh", "kl", "k", "dh", "dl", "KH"]))
        modifiers.append(f"{keep}{draw(st.integers(1, 5))}")
    if draw(st.booleans()):
        modifiers.append(f"{draw(COMPARES)}{draw(number)}")
    shuffled = draw(st.permutations(modifiers))
    return f"{count}{draw(st.sampled_from('dD'))}{faces}" + draw(SPACE).join(shuffled)


EXPRESSIONS = st.recursive(
    st.one_of(throws(), throws(), st.integers(0, 30).map(str)),
    lambda inner: st.one_of(
        st.builds(lambda a: f"({a})", inner),
        st.builds(lambda a: f"-({a})", inner),
        st.builds(
            lambda a, sign, b, space: f"{a}{space}{sign}{space}{b}",
            inner,
            st.sampled_from(["+", "-", "*", "/", "−", "×", "÷"]),
            inner,
            SPACE,
        ),
    ),
    max_leaves=6,
)


@settings(max_examples=300, deadline=None)
@given(EXPRESSIONS, st.integers(0, 10**6))
def test_it_agrees_with_the_slow_evaluator(source: str, seed: int) -> None:
    try:
        notation = read(source)
        outcome = roll(notation, seeded(str(seed)))
    except Fault:
        assume(False)
        return
    values = iter(outcome.results)

    def draw(sides: int) -> int:
        result = next(values)
        assert result.size == sides
        return result.index + 1

    assert Slow(draw).line(source) == outcome.lines[0].total
    assert next(values, None) is None, "the slow evaluator threw fewer dice"


def told_by(notation: n.Notation) -> object:
    """What a notation brings with the same chance, or why it cannot be rolled."""
    try:
        return roll(notation, seeded("same")).lines
    except Fault as fault:
        return fault.sentence


@settings(max_examples=200, deadline=None)
@given(EXPRESSIONS, st.integers(1, 3))
def test_it_is_written_as_it_is_read(source: str, times: int) -> None:
    try:
        notation = read(f"{times}x{source} # A label; {source}")
    except Fault:
        assume(False)
        return
    again = read(str(notation), longest=10_000)
    assert str(again) == str(notation)
    assert told_by(again) == told_by(notation)
    assert [line.label for line in again.lines] == ["A label", ""]


def nested(depth: int) -> st.SearchStrategy[str]:
    """Signs and parentheses as deep as may be typed."""
    around = st.sampled_from(["-{}", "+{}", "({})", "-(1-{})", "(2*-{})", "2*-(3*{})", "(-{}/2)"])
    return st.lists(around, min_size=depth, max_size=depth).map(
        lambda forms: (
            "".join(f.split("{}")[0] for f in forms)
            + "d6"
            + "".join(f.split("{}")[1] for f in reversed(forms))
        )
    )


@settings(max_examples=200, deadline=None)
@given(st.integers(1, 9).flatmap(nested))
def test_what_is_nested_as_deep_as_may_be_can_be_read_again_as_it_is_kept(source: str) -> None:
    try:
        notation = read(source)
    except Fault:
        assume(False)
        return
    again = read(str(notation), deepest=2 * n.DEEPEST)
    assert str(again) == str(notation)
    assert told_by(again) == told_by(notation)


# ------------------------------------------------------------------ every outcome


class _More(Exception):
    """One more die is needed; it has so many sides."""

    def __init__(self, sides: int) -> None:
        self.sides = sides


class _Prefix:
    """An entropy with the first results given; asks for more by `_More`."""

    def __init__(self, values: tuple[int, ...]) -> None:
        self.values = list(values)

    def roll(self, sides: int, label: str) -> int:
        if not self.values:
            raise _More(sides)
        return self.values.pop(0)

    def pick(self, options: object, label: str) -> int:
        raise NotImplementedError

    def draw(self, options: object, label: str) -> str:
        raise NotImplementedError


def outcomes(notation: str) -> Iterator[tuple[Fraction, int]]:
    """Every way a roll may go: its probability and its total."""
    parsed = read(notation)
    open_: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    while open_:
        values, share = open_.pop()
        try:
            total = roll(parsed, _Prefix(values)).lines[0].total
        except _More as more:
            part = share / more.sides
            open_ += [((*values, face), part) for face in range(1, more.sides + 1)]
            continue
        yield share, total


def distribution(notation: str) -> dict[int, Fraction]:
    found: dict[int, Fraction] = {}
    for share, total in outcomes(notation):
        found[total] = found.get(total, Fraction()) + share
    assert sum(found.values()) == 1
    return found


def enumerated(sides: int, dice: int, worth: object) -> dict[int, Fraction]:
    """The distribution of a function of equal dice, by plain enumeration."""
    found: dict[int, Fraction] = {}
    for values in product(range(1, sides + 1), repeat=dice):
        total = worth(values)  # type: ignore[operator]
        found[total] = found.get(total, Fraction()) + Fraction(1, sides**dice)
    return found


def test_distributions_of_kept_dice_are_exact() -> None:
    assert distribution("4d6kh3") == enumerated(6, 4, lambda v: sum(v) - min(v))
    assert distribution("4d6kh3")[18] == Fraction(21, 1296)
    assert distribution("3d6kl2") == enumerated(6, 3, lambda v: sum(v) - max(v))
    assert distribution("3d4dh2") == enumerated(4, 3, min)
    assert distribution("3d4dl1") == enumerated(4, 3, lambda v: sum(v) - min(v))
    assert distribution("4d4>=3") == enumerated(4, 4, lambda v: sum(x >= 3 for x in v))


def test_distributions_of_advantage_are_exact() -> None:
    up, down = distribution("d20 adv"), distribution("d20 dis")
    assert up == {k: Fraction(2 * k - 1, 400) for k in range(1, 21)}
    assert down == {k: Fraction(2 * (21 - k) - 1, 400) for k in range(1, 21)}


def test_distributions_of_rerolls_are_exact() -> None:
    once = distribution("d6ro1")
    assert once == {1: Fraction(1, 36)} | {k: Fraction(7, 36) for k in range(2, 7)}
    often = distribution("d6r1")
    assert often[1] == Fraction(1, 6) ** (n.MOST_AGAIN + 1)
    assert len({often[k] for k in range(2, 7)}) == 1


def test_distributions_of_explosions_are_exact() -> None:
    found = distribution("d6!")
    for k in range(n.MOST_AGAIN):
        for face in range(1, 6):
            assert found[6 * k + face] == Fraction(1, 6) ** (k + 1)
        assert 6 * k + 6 not in found
    assert found[6 * (n.MOST_AGAIN + 1)] == Fraction(1, 6) ** (n.MOST_AGAIN + 1)


@pytest.mark.parametrize(
    "notation",
    [
        "2d6+1", "4d6kh3", "4d6kl3", "3d6dh1", "d20 adv", "d20 dis+5", "d6!", "2d4!>=3", "2d6ro<3",
        "d6r1", "d8r<3!", "2d4r1kh1", "5d4>=3", "3d6kh2>=5", "4dF", "d{1,2,2,9}", "2d{-3,0,7}kl1",
        "(d6+1)*(d4-2)", "-(d6)", "7/2", "3d4!=2>2",
    ],
)  # fmt: skip
def test_averages_are_exact(notation: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(n, "MOST_AGAIN", 2)  # or there would be too many outcomes to go through
    exact = sum((share * total for share, total in outcomes(notation)), Fraction())
    assert average(read(notation).lines[0].expression) == exact


@pytest.mark.parametrize("notation", ["d6/2", "3d6!kh2", "100d100kh50", "d6/0", "1/0", "2*(d6/2)"])
def test_averages_that_would_take_long_are_not_told(notation: str) -> None:
    assert average(read(notation).lines[0].expression) is None
    assert MOST_WORK < 100 * 100


def test_averages_as_figures() -> None:
    shown = [told(Fraction(*pair)) for pair in ((7, 1), (7, 2), (-7, 4), (1, 3), (-1, 3), (0, 1))]
    assert shown == ["7", "3.5", "−1.75", "≈ 0.33", "≈ −0.33", "0"]
    assert told(Fraction(10**30 + 1, 10**30)) == "≈ 1"


# ------------------------------------------------------------------ committed chance


@pytest.mark.parametrize("notation", ["4d6kh3", "d20 adv", "d6r1", "d6!", "4dF", "5d6>=4"])
def test_committed_chance_gives_the_exact_distribution(notation: str) -> None:
    """8,000 rolls with a fixed seed: every total within 5 standard deviations of its probability.

    So wide a bound holds for all totals together with more than 99.99 %, and the seed is fixed: what
    passes once always passes.
    """
    rolls, source, parsed = 8_000, seeded(f"fair {notation}"), read(notation)
    counts: dict[int, int] = {}
    for _ in range(rolls):
        total = roll(parsed, source).lines[0].total
        counts[total] = counts.get(total, 0) + 1
    exact = distribution(notation)
    assert set(counts) <= set(exact)
    for total, share in exact.items():
        deviation = (float(share * (1 - share)) * rolls) ** 0.5
        assert abs(counts.get(total, 0) - float(share) * rolls) <= 5 * deviation + 1, total
