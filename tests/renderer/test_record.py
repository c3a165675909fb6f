"""Campaign logs and service records as pictures: their words, their size, their odd cases."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from PIL import Image

from games.kernel.campaign import CampaignView, Grading, Stage
from games.kernel.service import Entry, service
from renderer import Picture
from renderer.campaign import campaign_log
from renderer.palette import PALETTE
from renderer.record import service_record
from renderer.texts import ALT_LIMIT
from tests.renderer import record_scenes as scenes

EVERY: dict[str, Callable[[], Picture]] = {
    "half way": lambda: campaign_log(scenes.half_way()),
    "ended": lambda: campaign_log(scenes.ended(), "Co-op"),
    "bank": lambda: campaign_log(scenes.bank(), "Solo"),
    "begun": lambda: campaign_log(scenes.begun()),
    "odd": lambda: campaign_log(scenes.odd(), "A subtitle that is far too long for its place here"),
    "no stages": lambda: campaign_log(CampaignView("Empty", (), 0, 0, "", "")),
    "busy": lambda: service_record(scenes.busy()),
    "first": lambda: service_record(scenes.first()),
    "ungraded": lambda: service_record(scenes.ungraded()),
    "nothing": lambda: service_record(service("Toys", Grading(), [], {}, {})),
}


@pytest.mark.parametrize("name", EVERY)
def test_pictures_keep_their_limits(name: str) -> None:
    picture = EVERY[name]()
    image = Image.open(io.BytesIO(picture.png))
    assert image.size == (picture.width, picture.height)
    assert picture.width == 1000 and 200 <= picture.height <= 2600
    assert len(picture.png) < 150_000
    assert 0 < len(picture.alt) <= ALT_LIMIT
    used = {colour for _, colour in image.convert("RGB").getcolors(1 << 16) or []}
    assert used <= set(PALETTE)


@pytest.mark.parametrize("name", EVERY)
def test_equal_views_give_equal_bytes(name: str) -> None:
    assert EVERY[name]().png == EVERY[name]().png


def test_a_campaign_in_words() -> None:
    alt = campaign_log(scenes.half_way(), "Solo, one squad").alt
    assert alt.startswith("Tour of duty, Solo, one squad: 10 of 36 points, Green.")
    assert "1. Hot LZ: Outstanding, 6 points, Intel cards 9, Own KIA 0." in alt
    assert "Next: Block by Block. G.I.s stand in for Alpha’s Medic and Alpha’s Sniper." in alt
    assert "Angel Down" not in alt
    assert "The campaign is over." in campaign_log(scenes.ended()).alt
    assert "4. Block by Block: Narrow, 1 point, Intel cards 25" in campaign_log(scenes.ended()).alt


def test_notes_of_played_missions_and_points_without_a_most_in_words() -> None:
    alt = campaign_log(scenes.bank()).alt
    assert "2. Harbour: KIA, 0 points, KP 4, Kills 3, Wounds 4; VIP not seen." in alt
    assert alt.endswith("Next: Mission 4.")
    view = CampaignView("Endless", (Stage("One", "Solid", 9),), 9, 0, "x", "", ())
    assert campaign_log(view).alt.startswith("Endless: 9 points, x.")


def test_a_service_record_in_words() -> None:
    alt = service_record(scenes.busy()).alt
    assert alt.startswith("Boots on the Ground, service record: 17 played, 11 won.")
    assert "Results: 3 Outstanding, 4 Solid, 4 Narrow, 6 Lost." in alt
    assert "Insurgents killed 199. Own KIA 44. Hostages saved 6." in alt
    assert "Hot LZ: 4 of 6 won; fewest Intel cards 9 of 20 (Solo, one squad)" in alt
    assert "fewest Intel cards 18, par 20" in alt
    assert "Angel Down: 0 of 2 won." in alt
    assert "Won by mode: Solo, one squad 7 of 11; " in alt


def test_many_missions_are_counted() -> None:
    shown, all_of_them = scenes.ungraded(), 14
    assert len(shown.missions) == all_of_them
    fewer = service_record(
        service("Toys", Grading(), [Entry("s", "m", "duel", True, "", {})], {}, {})
    )
    assert service_record(shown).height > fewer.height


def test_points_beyond_the_most_are_drawn_all_the_same() -> None:
    view = CampaignView("Oddity", (Stage("One", "Solid", 9, most=6),), 9, 6, "x", "", ((0, "x"),))
    assert campaign_log(view).width == 1000
