"""Replays: which states they show, how large they are, that nothing private is in them."""

from __future__ import annotations

import io

import pytest
from PIL import Image, ImageChops

import renderer
from bot import replaying
from bot.replaying import draw, first_plan, last_turns, smaller, turn_ends
from bot.sessions.reels import Shot
from games.kernel.entropy import seeded
from games.kernel.play import begin
from games.registry import Registry
from tests.bot.house import KIM, House

SHOTS = tuple(Shot(n, b"", "", "") for n in range(10))
LABELS = ["1", "1", "2", "3", "3", "3", "4", "5", "5", "6"]


def numbers(shots: tuple[Shot, ...]) -> list[int]:
    return [shot.number for shot in shots]


def test_which_states_are_shown() -> None:
    assert numbers(last_turns(SHOTS, LABELS, 0)) == list(range(10))
    assert numbers(last_turns(SHOTS, LABELS, 2)) == [6, 7, 8, 9]
    assert numbers(last_turns(SHOTS, LABELS, 99)) == list(range(10))
    assert numbers(turn_ends(SHOTS, LABELS, 1)) == [1, 2, 5, 6, 8, 9]
    assert numbers(turn_ends(SHOTS, LABELS, 2)) == [2, 6, 9]
    assert numbers(turn_ends(SHOTS, LABELS, 64)) == [9]


def test_a_plan_becomes_smaller_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = first_plan(SHOTS, LABELS)
    seen = [(len(plan.shots), plan.step, plan.shrink)]
    while len(plan.shots) > 1:
        plan = smaller(plan, SHOTS, LABELS)
        seen.append((len(plan.shots), plan.step, plan.shrink))
    assert seen == [(10, 0, 1), (10, 0, 2), (6, 1, 2), (3, 2, 2), (2, 4, 2), (1, 8, 2)]
    monkeypatch.setattr(replaying, "MOST_FRAMES", 4)
    assert len(first_plan(SHOTS, LABELS).shots) == 3


async def test_the_states_of_a_game_without_what_was_taken_back(house: House) -> None:
    table = await house.duel()
    await house.act(table, "move", to="B2")
    await house.undo(table)
    await house.act(table, "draw")
    await house.act(table, "done")
    await house.act(table, "move", user=KIM, to="E5")
    reel = await house.sessions.reel(table.id)
    assert numbers(reel.shots) == [3, 6, 7, 8]
    assert all("You drew" not in e.text for shot in reel.shots for e in reel.events(shot))
    frames = draw(reel, reel.shots, 2)
    film = renderer.Film()
    film.add(frames)
    gif = Image.open(io.BytesIO(film.gif()))
    assert gif.format == "GIF" and getattr(gif, "n_frames", 1) in (3, 4)
    await house.end(table)
    ended = await house.sessions.reel(table.id)
    assert numbers(ended.shots)[0] == 3 and 0 < len(ended.shots) <= 4


def test_frames_of_all_games_come_back_as_they_were_drawn() -> None:
    registry = Registry()
    for slug in registry.slugs():
        game = registry.newest(slug)
        state = begin(game, game.read_setup({}), seeded("film")).state
        view = game.view(state, None)
        frames = [renderer.frame(view, shrink=n) for n in (2, 2, 3)]
        film = renderer.Film()
        film.add(frames)
        gif = Image.open(io.BytesIO(film.gif()))
        shown = ImageChops.difference(gif.convert("RGB"), frames[0].convert("RGB"))
        assert gif.size == frames[0].size and shown.getbbox() is None


def test_no_film_without_frames() -> None:
    with pytest.raises(ValueError, match="needs a frame"):
        renderer.Film().gif()
