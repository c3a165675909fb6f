"""What `/table luck` says: honest sentences, within Discord's limits, and no secret in them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from types import SimpleNamespace
from typing import Any, cast

import pytest

from bot.layout import Image
from bot.luck import Luck, amount, luck_letter, luck_of, nothing, pictures, verdict
from bot.sessions import Table
from bot.sessions.model import SeatHolder
from bot.sessions.records import dumps
from bot.sessions.throws import Thrown
from games.kernel import event as told
from games.kernel.event import Chart, Contest, Drew, Event, Roll, Rolled, Throw
from games.kernel.luck import Kind
from games.kernel.view import (
    Badge,
    CardFace,
    Roster,
    RosterLine,
    SquareBoard,
    SquareMap,
    Token,
    View,
)
from tests.bot import limits, widest


def table(rosters: tuple[Roster, ...] = (), tokens: tuple[Token, ...] = ()) -> Table:
    board = SquareBoard(SquareMap("x", 1, 1, (".",), ()), (), (), (), tokens)
    view: Any = SimpleNamespace(board=board, rosters=rosters)
    holders = (SeatHolder("RED", "Red captain"), SeatHolder("BLUE", "Blue captain"))

    def seen(seat: str | None) -> View:
        return cast("View", view)

    game = SimpleNamespace(title="Toy Skirmish")
    return cast("Table", SimpleNamespace(game=game, seats=holders, view=seen))


def shot(mine: int, theirs: int, shape: str = "square") -> Rolled:
    one = Roll(Badge("R", shape, "red"), (mine,), (), mine)
    other = Roll(Badge("B", "hexagon", "steel"), (theirs,), (), theirs)
    contest = Contest(one, other, mine - theirs, 0, "hit")
    return Rolled(text="Shot.", title="", detail="", contests=(contest,), chart=Chart("", ()))


def tried(
    *dice: int, need: int = 4, name: str = "spot", to: tuple[str, ...] | None = None
) -> Event:
    throw = Throw(name, dice, 6, need)
    return told.Tested(text="", title="", detail="", throws=(throw,), verdict="", to=to)


def row(*events: Event, seat: str = "RED", undone: bool = False) -> Thrown:
    return Thrown(seat, dumps(events), undone)


def luck(rows: Sequence[Thrown], seats: tuple[str, ...] = ()) -> Luck:
    return luck_of(table(), rows, seats)


def words(found: Luck, images: tuple[Image, ...] = ()) -> str:
    components = luck_letter(found, images).screen.to_components()
    limits.check_message(components)
    return "\n".join(c["content"] for c in limits.walk(components) if c["type"] == limits.TEXT)


def test_a_long_streak_is_told_with_its_chance() -> None:
    found = luck([row(tried(*([1] * 8)))])
    said = words(found)
    assert "8 dice so far" in said
    assert (
        "**Longest streak:** 8 failures in a row, Spot. In about 1 of 128 games somebody has a "
        in said
    )
    assert "a streak at least as long. That is unusual, but happens" in said
    assert (
        "**Largest swing:** −4 successes against what was to be expected, Spot. In about 1 of 128"
        in said
    )
    assert "Out of its range: 1 came up 8 times with Tests of Red captain (d6)." in said


def test_several_kinds_make_a_striking_one_likelier() -> None:
    one = luck([row(tried(1, 1, 1, 1, 1))])
    many = luck([row(tried(1, 1, 1, 1, 1)), row(tried(1, 6, 1, 6, 1, name="escape"))])
    assert one.streak is not None and many.streak is not None
    assert many.streak.kind == one.streak.kind and many.streak.chance > one.streak.chance
    said = words(many)
    assert "somebody has a streak at least as unlikely, in one of the 2 kinds of throws" in said
    assert "nothing unusual" in said


def test_one_die_and_none() -> None:
    said = words(luck([row(tried(6))]))
    assert "One die so far" in said and "1 success, Spot. In nearly every game" in said
    assert "No dice have been thrown" in nothing(0)
    assert "12 cards and counters were drawn" in nothing(12)
    below = words(luck([row(told.Tested(
        text="", title="", detail="", throws=(Throw("shot", (1,), 6),), total=1, target=2, verdict=""
    ))]))  # fmt: skip
    assert "1 die below average, Shot" in below


def test_what_has_no_sign_is_exactly_expected() -> None:
    said = words(luck([row(tried(6, 1))]))
    assert "**Swing:** exactly what was to be expected, Spot." in said


def test_remarks_are_made_where_they_belong() -> None:
    card = Drew(text="A card.", card=CardFace("a", "A", ""))
    wind = told.Tested(text="", title="", detail="", throws=(Throw("wind", (3,), 10),), verdict="")
    said = words(luck([row(tried(5)), row(tried(2, 3), undone=True), row(card), row(wind)]))
    assert "Actions that were taken back are counted too (2 dice)" in said
    assert "One card or counter was drawn as well" in said
    assert "neither good nor bad" in said
    plain = words(luck([row(tried(5))]))
    assert "taken back" not in plain and "drawn" not in plain and "neither" not in plain


def test_only_what_is_read_has_no_swing() -> None:
    wind = told.Tested(text="", title="", detail="", throws=(Throw("wind", (3,), 10),), verdict="")
    found = luck([row(wind)])
    assert len(pictures(found)) == 1 and "swing" not in words(found).casefold()


def test_pictures_fail_into_words(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ValueError("no plots today")

    monkeypatch.setattr("renderer.plots.faces", broken)
    monkeypatch.setattr("renderer.plots.swings", broken)
    found = luck([row(tried(5, 5))])
    assert pictures(found) == ()
    assert "Tests of Red captain, d6, 2 dice: 1: 0, 2: 0, 3: 0, 4: 0, 5: 2, 6: 0 times" in words(
        found
    )


@pytest.mark.parametrize("seats", [(), ("RED",)])
def test_secret_dice_of_others_change_no_byte(seats: tuple[str, ...]) -> None:
    open_ = [row(shot(3, 5), tried(4, 2)), row(shot(6, 1, "diamond"))]
    plain = luck(open_, seats)
    for value in (1, 6):
        secret = tried(*[value] * 9, need=3, name="secret", to=("BLUE",))
        mixed = [
            row(shot(3, 5), secret, tried(4, 2)),
            row(secret),
            row(shot(6, 1, "diamond"), secret),
        ]
        found = luck(mixed, seats)
        assert found == plain and pictures(found) == pictures(plain)
        assert luck(mixed, ("RED", "BLUE")).kinds != plain.kinds


def test_ones_own_secret_dice_are_counted() -> None:
    rows = [row(tried(3, 4, to=("RED",)))]
    assert luck(rows).dice == () and len(luck(rows, ("RED",)).dice) == 2


def test_names_of_sides() -> None:
    def line(name: str, shape: str) -> RosterLine:
        return RosterLine(Badge("X", shape, "red"), name, "A1", "")

    def token(name: str, shape: str, hidden: bool = False) -> Token:
        return Token(name, name, "A1", Badge("X", shape, "red"), hidden=hidden)

    rows = [row(shot(1, 2), shot(1, 2, "diamond"), shot(1, 2, "circle"), shot(3, 4, "chip"))]
    rosters = (
        Roster(
            "Alpha squad", (line("A", "square"), line("B", "square"), line("Hostage", "circle"))
        ),
        Roster("Bravo squad", (line("A", "hexagon"),)),
    )
    tokens = (token("insurgent 3", "diamond"), token("insurgent 12 (gunner)", "diamond"))
    found = luck_of(table(rosters, (*tokens, token("box", "chip", hidden=True))), rows, ())
    assert found.names == {
        "square": "Alpha squad", "hexagon": "Bravo squad", "diamond": "Insurgents",
        "circle": "Hostage", "chip": "Chip counters",
    }  # fmt: skip


def test_the_widest_game_fits() -> None:
    long = widest.LONG
    rows = [
        row(tried(*range(1, 7), name=f"{n} {long}"), shot(1, 6), seat="RED", undone=True)
        for n in range(40)
    ]
    found = luck(rows)
    assert len(found.kinds) == 42
    images = pictures(found)
    said = words(found, images)
    assert "The pictures show the kinds that were thrown most." in said
    assert all(len(image.alt) <= 1024 and len(image.png) < 200_000 for image in images)


def test_a_damaged_row_is_left_out() -> None:
    assert luck([Thrown("RED", "[{", False), row(tried(3))]) == luck([row(tried(3))])


@pytest.mark.parametrize(
    ("size", "hits", "told_"),
    [
        (Fraction(1), True, "+1 success"),
        (Fraction(-1), False, "−1 point"),
        (Fraction(9, 2), False, "+4.5 points"),
        (Fraction(-7, 3), True, "−2.3 successes"),
        (Fraction(1, 100), True, "0 successes"),
        (Fraction(-1, 10), False, "−0.1 points"),
        (Fraction(12), False, "+12 points"),
    ],
)
def test_amounts(size: Fraction, hits: bool, told_: str) -> None:
    assert amount(Kind("x", False, 6, hits, (), ()), size) == told_


def test_verdicts() -> None:
    assert verdict(Fraction(1, 20)) == "That is nothing unusual."
    assert verdict(Fraction(1, 200)).startswith("That is unusual, but")
    assert verdict(Fraction(1, 201)) == "That is very unusual."
