"""Golden pictures: what players see does not change unawares.

`pytest tests/renderer --update-goldens` writes them anew; look at every one before committing it.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

import renderer
from renderer.campaign import campaign_log
from renderer.record import service_record
from tests import readme_picture
from tests.renderer import record_scenes, scenes, zone_scenes

GOLDEN = Path(__file__).parent / "golden"

MEAN = 1.0
"""Mean difference allowed per channel (of 255): other builds of FreeType shade edges differently."""

STRAY = 0.004
"""Share of pixels that may differ clearly."""


def _choosing() -> renderer.Picture:
    marks, crop, numbered = scenes.choosing()
    return renderer.board(scenes.city(), marks=marks, crop=crop, numbered=numbered)


def _targets() -> renderer.Picture:
    marks, crop, numbered = scenes.targets()
    return renderer.board(scenes.city(), marks=marks, crop=crop, numbered=numbered)


def _blast() -> renderer.Picture:
    view, marks, crop = scenes.blast()
    return renderer.board(view, marks=marks, crop=crop)


def _zones_fire() -> renderer.Picture:
    return renderer.board(zone_scenes.city(), events=zone_scenes.shot_marks(), crop=["3:team"])


def _zones_crossing() -> renderer.Picture:
    view, events, crop = zone_scenes.crossing()
    return renderer.board(view, events=events, crop=crop)


def _zones_targets() -> renderer.Picture:
    marks, crop, numbered = zone_scenes.targets()
    return renderer.board(zone_scenes.desert(), marks=marks, crop=crop, numbered=numbered)


PICTURES: dict[str, Callable[[], renderer.Picture | None]] = {
    "board-city": lambda: renderer.board(scenes.city(), events=scenes.city_events()),
    "board-choosing-move": _choosing,
    "board-choosing-target": _targets,
    "board-blast": _blast,
    "board-compound": lambda: renderer.board(scenes.compound()),
    "board-range": lambda: renderer.board(scenes.firing_range()),
    "board-odd": lambda: renderer.board(scenes.anything_odd()),
    "outcome-shot": lambda: renderer.outcome(scenes.shot()),
    "outcome-spread": lambda: renderer.outcome(scenes.spread()),
    "outcome-card": lambda: renderer.outcome(scenes.card()),
    "outcome-explosion": lambda: renderer.outcome(scenes.explosion()),
    "outcome-14-shots": lambda: renderer.outcome(scenes.many()),
    "outcome-end": lambda: renderer.outcome(scenes.ending()),
    "zones-jungle": lambda: renderer.board(zone_scenes.start()),
    "zones-city": lambda: renderer.board(zone_scenes.city()),
    "zones-desert": lambda: renderer.board(zone_scenes.desert()),
    "zones-countryside": lambda: renderer.board(zone_scenes.country()),
    "zones-patrol": lambda: renderer.board(zone_scenes.country(), crop=["4:team"]),
    "zones-way-out": lambda: renderer.board(zone_scenes.way_out(), crop=["6:team"]),
    "zones-fire": _zones_fire,
    "zones-crossing": _zones_crossing,
    "zones-targets": _zones_targets,
    "zones-odd": lambda: renderer.board(zone_scenes.odd()),
    "hand": lambda: renderer.hand(zone_scenes.city()),
    "hand-full": lambda: renderer.hand(zone_scenes.with_hand(zone_scenes.full_hand())),
    "tests-shot": lambda: renderer.outcome(zone_scenes.one_shot()),
    "tests-close-combat": lambda: renderer.outcome(zone_scenes.close_combat()),
    "tests-short-cut": lambda: renderer.outcome(zone_scenes.engagement()),
    "tests-patrol": lambda: renderer.outcome(zone_scenes.trouble()),
    "tests-airstrike": lambda: renderer.outcome(zone_scenes.airstrike()),
    "tests-end": lambda: renderer.outcome([*zone_scenes.airstrike(), *zone_scenes.mission_end()]),
    "tests-odd": lambda: renderer.outcome(zone_scenes.odd_tests()),
    "campaign-half-way": lambda: campaign_log(record_scenes.half_way(), "Solo, one squad"),
    "campaign-ended": lambda: campaign_log(record_scenes.ended(), "Co-op, a squad each"),
    "campaign-bank": lambda: campaign_log(record_scenes.bank(), "Solo"),
    "campaign-odd": lambda: campaign_log(record_scenes.odd(), record_scenes.odd().title),
    "record-busy": lambda: service_record(record_scenes.busy()),
    "record-first": lambda: service_record(record_scenes.first()),
    "record-ungraded": lambda: service_record(record_scenes.ungraded()),
}


@pytest.mark.parametrize("name", PICTURES)
def test_golden(name: str, update_goldens: bool) -> None:
    picture = PICTURES[name]()
    assert picture is not None
    keeps(GOLDEN / f"{name}.png", picture.png, update_goldens)


def test_the_picture_in_the_readme(update_goldens: bool) -> None:
    keeps(readme_picture.PATH, readme_picture.draw(), update_goldens)
    assert readme_picture.PATH.stat().st_size <= 80_000


def keeps(path: Path, png: bytes, update: bool) -> None:
    """The picture is the kept one, but for details that nobody sees; or keeps the new one."""
    if update:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(png)
        return
    now = Image.open(io.BytesIO(png)).convert("RGB")
    then = Image.open(path).convert("RGB")
    assert now.size == then.size
    difference = ImageChops.difference(now, then)
    mean = max(ImageStat.Stat(difference).mean)
    clear = difference.convert("L").point([0] * 48 + [255] * 208)
    stray = ImageStat.Stat(clear).mean[0] / 255
    assert mean <= MEAN and stray <= STRAY, (
        f"{path.stem}: mean {mean:.2f}, clearly different {stray:.2%}"
    )


def test_every_golden_is_drawn() -> None:
    assert {p.stem for p in GOLDEN.glob("*.png")} == set(PICTURES)
