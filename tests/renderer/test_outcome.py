"""Outcome pictures: what they show, and that they never grow out of hand."""

from __future__ import annotations

import io

import pytest
from PIL import Image

import renderer
from games.kernel.event import (
    Chart,
    Contest,
    Ended,
    Exploded,
    Modifier,
    Noted,
    Roll,
    Rolled,
    Suffered,
)
from games.kernel.view import Badge
from renderer import fonts
from renderer.contests import Rows, matters, signed
from renderer.palette import YELLOW
from tests.renderer import scenes


def _yellow(picture: renderer.Picture) -> float:
    image = Image.open(io.BytesIO(picture.png)).convert("RGB")
    colours = image.getcolors(256)
    assert colours is not None
    return sum(n for n, colour in colours if colour == YELLOW) / (image.width * image.height)


def test_nothing_to_show() -> None:
    assert renderer.outcome([]) is None
    assert renderer.outcome([Noted(text="Alpha passes.")]) is None


def test_alt_is_what_the_events_say() -> None:
    picture = renderer.outcome([*scenes.card(), *scenes.shot()])
    assert picture is not None
    assert (
        picture.alt == "Intel card IC14, Crossfire. Alpha's sniper fires at insurgent 3: wounded."
    )


@pytest.mark.parametrize("shots", [1, 2, 5, 13, 14, 15, 40])
def test_many_shots_stay_below_1100_by_1600(shots: int) -> None:
    picture = renderer.outcome([*scenes.many(shots), *scenes.ending()])
    assert picture is not None
    assert picture.width <= 1100
    assert picture.height <= 1600
    assert len(picture.alt) <= renderer.ALT_LIMIT


def test_fourteen_shots_after_a_card_are_all_shown() -> None:
    rolled = [e for e in scenes.many() if isinstance(e, Rolled)]
    assert Rows(rolled, 1300).more == 0
    crowded = Rows(rolled, 700)
    assert crowded.more + len(crowded.shown) == 14
    assert crowded.height <= 700


def test_endless_events_are_counted_in_a_last_line() -> None:
    events = [e for _ in range(12) for e in scenes.explosion()] + scenes.ending()
    picture = renderer.outcome(events)
    assert picture is not None
    assert picture.height <= 1600


def test_the_accent_is_for_what_happened() -> None:
    hit = renderer.outcome(scenes.shot())
    event = scenes.shot()[0]
    assert isinstance(event, Rolled)
    miss = scenes.contest(
        Badge("SN", *scenes.ALPHA), (1, {}), Badge("3", *scenes.ENEMY), (4, {}), scenes.ALLIED
    )
    assert matters(event.contests[0], scenes.ALLIED)
    assert not matters(miss, scenes.ALLIED)
    missed = renderer.outcome(
        [Rolled(text="", title="A shot", detail="", contests=(miss,), chart=scenes.ALLIED)]
    )
    assert hit is not None and missed is not None
    assert _yellow(hit) > 2 * _yellow(missed) > 0


def test_odd_contests_are_drawn_all_the_same() -> None:
    roll = Roll(
        Badge("", "blob", "plaid"),
        (20, 6, 5, 4, 0),
        tuple(Modifier("a modifier with an exceedingly long name", n - 3) for n in range(7)),
        1234,
    )
    for row in (-1, 0, 99):
        odd = Contest(roll, roll, -99, row, "something happens to somebody " * 20)
        for chart in (Chart("", ()), Chart("c " * 90, (("condition " * 9, "result " * 9),) * 9)):
            event = Rolled(
                text="x", title="t " * 200, detail="d " * 200, contests=(odd,), chart=chart
            )
            several = Rolled(text="", title="t", detail="", contests=(odd,) * 3, chart=chart)
            for events in ([event], [several], [event, several]):
                picture = renderer.outcome(events)
                assert picture is not None
                assert picture.height <= 1600
    none = Rolled(text="", title="t", detail="", contests=(), chart=Chart("", ()))
    assert renderer.outcome([none]) is None


def test_explosions_that_hurt_nobody_or_everybody() -> None:
    for count in (0, 1, 14, 60):
        hurt = tuple(Suffered(Badge(str(n), *scenes.ENEMY), "A1", "killed") for n in range(count))
        picture = renderer.outcome([Exploded(text="Boom.", title="Boom", detail="", suffered=hurt)])
        assert picture is not None
        assert picture.height <= 1600


def test_the_end_does_not_say_its_title_twice() -> None:
    once = renderer.outcome([Ended(text="Out of cards.", title="Defeat")])
    twice = renderer.outcome([Ended(text="Defeat. Out of cards.", title="Defeat")])
    assert once is not None and twice is not None
    assert once.png == twice.png


def test_signs() -> None:
    assert [signed(n) for n in (2, 0, -3)] == ["+2", "0", "−3"]


def test_text_fits_or_is_cut_with_an_ellipsis() -> None:
    text, px = fonts.fit("insurgent", fonts.BOLD, 30, 80, 12)
    assert text == "insurgent" and 12 <= px < 30
    assert fonts.width(text, fonts.BOLD, px) <= 80
    text, px = fonts.fit("insurgent " * 9, fonts.BOLD, 30, 200, 20)
    assert text.endswith("…") and px == 20
    assert fonts.width(text, fonts.BOLD, px) <= 200
    lines = fonts.wrap("one two three four five six seven", fonts.BOLD, 20, 90, 2)
    assert len(lines) == 2 and lines[-1].endswith("…")


def test_glyphs_that_lato_lacks() -> None:
    assert fonts.clean("a → b") == "a → b"
    assert fonts.clean("−3 · ≥ × “x”…") == "−3 · ≥ × “x”…"
    assert fonts.clean("\u4e2d\u6587 \U0001f600x") == "? x"
    assert fonts.clean("\U0001f600") == fonts.clean("\u200b") == "?" and fonts.clean("") == ""
    assert fonts.clean("e\u0301\U0001f44d\U0001f3fd\ufe0f") == "\u00e9"
    assert fonts.readable("Łódź \U0001f600") and not fonts.readable("\u4e2d\u6587 \U0001f600")
    assert fonts.clean("⚂") == "3"
