"""Tests of dice as pictures: how they are stacked, what follows them, that they never grow too high."""

from __future__ import annotations

import io

import pytest
from PIL import Image

import renderer
from games.kernel.event import Drew, Event, Noted, Throw
from games.kernel.event import Tested as DiceTested  # a name that pytest does not collect
from games.kernel.view import CardFace
from renderer.dice import die, look_of
from renderer.palette import YELLOW
from renderer.trials import Trial, Trials
from tests.renderer import scenes, zone_scenes


def _tests(events: list[Event]) -> list[DiceTested]:
    return [e for e in events if isinstance(e, DiceTested)]


def _yellow(picture: renderer.Picture | None) -> int:
    assert picture is not None
    image = Image.open(io.BytesIO(picture.png)).convert("RGB")
    return sum(n for n, colour in image.getcolors(256) or [] if colour == YELLOW)


def test_dice_that_show_what_they_need() -> None:
    throw = Throw("x", (2, 3), 6, need=3)
    assert [look_of(throw, v) for v in throw.dice] == ["short", "good"]
    assert look_of(Throw("x", (6,), 6), 6) == "plain"
    seen = {
        die(value, sides, look, 60).tobytes()
        for value in (1, 4, 10)
        for sides in (6, 8, 10)
        for look in ("good", "short", "plain")
    }
    # An eight-sided die and a ten on a six-sided one have the same outline with a number.
    assert len(seen) >= 24


def test_success_is_yellow_and_failure_is_not() -> None:
    good, bad = zone_scenes.shot((6, 6)), zone_scenes.shot((1, 1))
    assert _yellow(renderer.outcome([good])) > 10 * _yellow(renderer.outcome([bad]))


def test_one_is_large_and_several_are_rows() -> None:
    one = renderer.outcome([zone_scenes.spot(4)])
    two = renderer.outcome([zone_scenes.spot(4), zone_scenes.spot(2)])
    assert one is not None and two is not None
    assert two.height < 2 * one.height


def test_a_short_cut_shows_all_its_tests() -> None:
    events = zone_scenes.engagement()
    tests = _tests(events)
    assert len(tests) >= 12
    assert Trials([(e, ()) for e in tests], 1500).more == 0
    picture = renderer.outcome(events)
    assert picture is not None and picture.height <= 1600


@pytest.mark.parametrize("times", [1, 2, 3, 10])
def test_many_tests_stay_below_1600(times: int) -> None:
    events = [*scenes.card(), *(zone_scenes.engagement() * times), *zone_scenes.mission_end()]
    picture = renderer.outcome(events)
    assert picture is not None
    assert picture.height <= 1600 and len(picture.png) < 150_000
    assert len(picture.alt) <= renderer.ALT_LIMIT


def test_rows_that_do_not_fit_are_counted() -> None:
    tests = [(e, [Noted(text="x")]) for e in _tests(zone_scenes.engagement())]
    crowded = Trials(tests, 600)
    assert crowded.more + len(crowded.rows) == len(tests)
    assert crowded.more > 0 and crowded.height <= 600
    assert all(not row.notes for row in crowded.rows)


def test_notes_that_follow_a_test_are_shown_and_told() -> None:
    test, note = zone_scenes.spot(5), Noted(text="Something came of it.")
    with_note = renderer.outcome([test, note])
    without = renderer.outcome([note, test])
    assert with_note is not None and without is not None
    assert with_note.height > without.height
    assert with_note.alt == "Spotting: spotted. Something came of it."
    assert without.alt == "Spotting: spotted."
    card = Drew(text="A card.", card=CardFace("X", "Card", "Words."))
    drawn = renderer.outcome([test, card, note])
    assert drawn is not None and drawn.alt == "Spotting: spotted. A card."


def test_tests_beside_contests_and_cards() -> None:
    events = [*scenes.shot(), *zone_scenes.trouble(), *scenes.many(3), *zone_scenes.close_combat()]
    picture = renderer.outcome(events)
    assert picture is not None and picture.height <= 1600


def test_odd_tests_are_drawn_all_the_same() -> None:
    odd = zone_scenes.odd_tests()
    for events in ([odd[0]], [odd[1]], [odd[2]], odd, odd * 9):
        picture = renderer.outcome(events)
        assert picture is not None and picture.height <= 1600
    for event in _tests(odd):
        assert Trial(event).height <= 1200
