"""Reading notations: what is understood, and how every fault points at its character."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.kernel.entropy import seeded
from games.parlour import notation as n
from games.parlour.notation import Fault, pointed
from games.parlour.notation_reading import read
from games.parlour.roll import roll


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("2D6 + 1", "2d6+1"),
        ("1d6", "d6"),
        ("  2 d 6  kh 1", "2d6kh1"),
        ("d20 ADV", "d20 adv"),
        ("1d20Dis − 1", "d20 dis−1"),
        ("2d6!6", "2d6!"),
        ("2d6 r = 1", "2d6r1"),
        ("2d6r≤2", "2d6r<=2"),
        ("2d6=>5", "2d6>=5"),
        ("4df", "4dF"),
        ("d{ -1 , 2 }", "d{−1,2}"),
        ("3 × (2d6+1)", "3×(2d6+1)"),
        ("3x2d6+1", "3x(2d6+1)"),
        ("3 X (2d6+1)", "3x(2d6+1)"),
        ("1x2d6", "2d6"),
        ("2d6, d8;", "2d6; d8"),
        ("2d6 #  To  hit, d8 # Ouch!", "2d6 # To hit; d8 # Ouch!"),
        ("2d6#", "2d6"),
        ("((2d6))+((1))", "2d6+1"),
        ("1-(2-3)", "1−(2−3)"),
        ("1-2-3", "1−2−3"),
        ("2*(3*4)", "2×(3×4)"),
        ("(1+2)*3", "(1+2)×3"),
        ("--1", "−(−1)"),
        ("007", "7"),
        ("2d6!-1", "2d6!−1"),
        ("2d6>=5!", "2d6!6>=5"),
        ("2d6>=5kh1!", "2d6!kh1>=5"),
        ("2d6!=-1", "2d6!=−1"),
    ],
)
def test_understood(typed: str, meant: str) -> None:
    found = read(typed)
    assert str(found) == meant
    assert str(read(meant)) == meant


FAULTS: list[tuple[str, int, str]] = [
    ("", 0, "There is nothing to roll. Write dice such as 2d6+1."),
    ("   ", 3, "There is nothing to roll."),
    ("hello", 0, "“h” was not expected here, but dice such as 2d6, a number or “(”."),
    ("2d", 2, "The roll ends here, but the number of sides, %, F, or faces in {} was expected."),
    ("2dx", 2, "“x” was not expected here, but the number of sides"),
    ("2d6+", 4, "The roll ends here, but dice such as 2d6, a number or “(” was expected."),
    ("2d6)", 3, "This parenthesis closes nothing"),
    ("(2d6", 4, "“)” for the “(” before"),
    ("(2d6; 3)", 4, "“;” was not expected here, but “)”"),
    ("2d6 2d6", 4, "“2” was not expected here, but +, -, *, /"),
    ("d20+5 adv", 6, "directly after one die"),
    ("2d20 adv", 5, "“adv” is for a single die"),
    ("2d6x3", 3, "To multiply, write *."),
    ("4d6kh5", 3, "Of 4 dice, 1 to 4 can be kept."),
    ("4d6k0", 3, "Of 4 dice, 1 to 4 can be kept."),
    ("4d6dl4", 3, "Of 4 dice, 1 to 3 can be dropped."),
    ("d6dl1", 2, "A single die cannot be dropped."),
    ("4d6d1", 3, "kh, kl, dh or dl with a number"),
    ("4d6kh1kl1", 6, "have something kept or dropped already"),
    ("d20advkh1", 6, "have something kept or dropped already"),
    ("2d6!!", 4, "have an explosion already"),
    ("2d6r1ro2", 5, "have a reroll already"),
    ("2d6>4>4", 5, "have a number to count already"),
    ("(2d6)>4", 5, "Only dice can be compared"),
    ("2d6r", 4, "a number, or < or > and a number, after “r”"),
    ("2d6>", 4, "a whole number to compare with"),
    ("d6!>=1", 2, "Every face of this die would explode"),
    ("d1!", 2, "Every face of this die would explode"),
    ("d6r<7", 2, "Every face of this die would be rolled again"),
    ("d{2,2}r2", 6, "Every face of this die would be rolled again"),
    ("0d6", 0, "There must be at least one die."),
    ("1+101d6", 2, "At most 100 dice can be thrown."),
    ("d0", 1, "A die may have 1 to 1,000 sides."),
    ("d1001", 1, "A die may have 1 to 1,000 sides."),
    ("d{}", 2, "“}” was not expected here, but a whole number for a face."),
    ("d{1", 3, "“,” and another face, or “}”"),
    ("d{1001}", 2, "A face may show up to 1,000."),
    ("d{" + "1," * 20 + "1}", 42, "A die of your own may have 20 faces."),
    ("1000001", 0, "Numbers may go up to 1,000,000"),
    ("9" * 150, 0, "Numbers may go up to 1,000,000"),
    ("2.5", 1, "Only whole numbers"),
    ("21x2d6", 0, "A roll can be repeated 1 to 20 times."),
    ("0x2d6", 0, "A roll can be repeated 1 to 20 times."),
    ("((((((((((1))))))))))", 10, "10 deep"),
    ("1+" + "-" * 40 + "1", 12, "10 deep"),
    ("d6 # " + "x" * 61, 4, "A label may have 60 characters."),
    (";".join(["1"] * 21), 40, "One roll may have at most 20 results."),
    ("2d6,,d8", 4, "“,” was not expected here"),
    ("２d6", 0, "“２” was not expected here"),
    ("d２0", 1, "“２” was not expected here"),
    ("²", 0, "“²” was not expected here"),
    ("2d6 İ", 4, "“İ” was not expected here"),
    ("2d6\u200b", 3, "An invisible character (U+200B) was not expected here, but "),
    ("\u202e2d6", 0, "An invisible character (U+202E) was not expected here, but "),
    ("2d6 \u0301", 4, "An invisible character (U+0301) was not expected here, but "),
]


@pytest.mark.parametrize(("typed", "at", "sentence"), FAULTS, ids=[f"{f[0][:20]}" for f in FAULTS])
def test_faults_point_at_the_character(typed: str, at: int, sentence: str) -> None:
    with pytest.raises(Fault) as caught:
        read(typed)
    assert sentence in caught.value.sentence
    assert caught.value.at == at
    assert caught.value.source == typed


@pytest.mark.parametrize(
    ("typed", "times", "sentence"),
    [
        ("d6" + " " * 200, 1, "A roll may have 200 characters, this one has 202."),
        ("d6", 21, "A roll can be made 1 to 20 times."),
        ("d6", 0, "A roll can be made 1 to 20 times."),
        ("11x(d6); 10x(d6)", 1, "That would be 21 results"),
        ("2x(d6); d6", 7, "That would be 21 results"),
        ("50d6; 51d6", 1, "That would be 101 dice"),
        ("20x(6d6)", 1, "That would be 120 dice"),
        ("d20 adv + 99d6", 1, "That would be 101 dice"),
    ],
)
def test_caps_are_named(typed: str, times: int, sentence: str) -> None:
    with pytest.raises(Fault) as caught:
        read(typed, times)
    assert sentence in caught.value.sentence


@pytest.mark.parametrize("typed", ["100d1000", "20x(5d1000!)", "d{1000,-1000}", "1000000", "d1"])
def test_the_caps_themselves_are_allowed(typed: str) -> None:
    assert roll(read(typed), seeded("caps")).lines


def test_the_caret_is_under_the_character() -> None:
    fault = Fault("", "2d6 + x", 6)
    assert pointed(fault) == "2d6 + x\n      ^"
    long = Fault("", "1+" * 60 + "?" + "+1" * 30, 120)
    top, caret = pointed(long).split("\n")
    assert top[len(caret) - 1] == "?" and top.startswith("…") and top.endswith("…")
    assert len(top) <= 62
    end = Fault("", "1+" * 60, 120)
    assert len(pointed(end).split("\n")[1]) == len(pointed(end).split("\n")[0]) + 1
    assert pointed(Fault("", "a\nb\u200bc?", 4)) == "a b c?\n    ^"


def test_the_caret_is_under_the_character_beside_wide_ones_and_marks() -> None:
    assert pointed(Fault("", "中😀x", 2)) == "中😀x\n\u3000\u3000^"
    assert pointed(Fault("", "e\u0301x", 2)) == "e\u0301x\n ^"
    # What runs from right to left is shown as it was typed, or the caret would be elsewhere.
    assert pointed(Fault("", "2 אב x", 5)) == "\u202d2 אב x\u202c\n     ^"
    wide = Fault("", "中" * 100, 90)
    top, caret = pointed(wide).split("\n")
    assert top == "…" + "中" * 60 and caret == " " + "\u3000" * 50 + "^"


@settings(max_examples=500, deadline=None)
@given(
    st.one_of(
        st.text(max_size=60),
        st.text("0123456789dDkhlrox!%{}()+-*/<>=,;# adv", max_size=40),
        st.lists(
            st.sampled_from(
                ["d", "2d6", "d20", "adv", "kh1", "dl", "!", "r1", ">=4", "+", "-", "*", "/", "(", ")",
                 "3x", ";", "# x", "{1,2}", "%", "F", "9999999", " "]
            ),
            max_size=12,
        ).map("".join),
    )
)  # fmt: skip
def test_whatever_is_typed_is_rolled_or_refused_in_a_sentence(typed: str) -> None:
    try:
        outcome = roll(read(typed), seeded("any"))
    except Fault as fault:
        assert fault.sentence.endswith(".") and 0 <= fault.at <= len(typed)
        pointed(fault)
        return
    assert 1 <= len(outcome.lines) <= n.MOST_LINES
    assert all(abs(line.total) <= n.MOST_VALUE for line in outcome.lines)
