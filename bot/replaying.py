"""The replay: a game as a moving picture, drawn in the background with a line that says how far."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeAlias

import discord
from PIL.Image import Image as Pixels

import renderer
from bot.layout import GREY, Image, Letter, Screen, card, gallery, note, text
from bot.refusals import NotStarted
from bot.sessions.reels import Reel, Shot
from bot.studio import Studio
from bot.turns import Turns

Interaction: TypeAlias = discord.Interaction[Any]


LIMIT = 8 * 1024 * 1024
"""Bytes of a replay at most."""

MOST_FRAMES = 200
"""Frames at most: they are in memory until the picture is made."""

MOST_LARGE = 40
"""Frames that are shown in full size; more are shown in half."""

CHUNK = 8
"""Frames that are drawn before another game's pictures get their chance."""

EVERY = 4.0
"""Seconds between two looks at how far it is."""

NAME = "replay.gif"
DRAWING = "Drawing the replay: {done} of {all} pictures …"
STEPS = {0: "every action", 1: "every turn", 2: "every second turn"}
TOO_LARGE = " The whole would be too large for Discord, so turns are left out."


@dataclass(frozen=True)
class Plan:
    """Which states are shown: all (`step` 0), or the last of every so many turns."""

    shots: tuple[Shot, ...]
    step: int
    shrink: int


class Replaying:
    """Makes replays, one at a time, so that the pictures of games go on."""

    def __init__(self, turns: Turns, studio: Studio) -> None:
        self.turns = turns
        self.sessions = turns.sessions
        self.desk = turns.desk
        self._studio = studio
        self._one = asyncio.Semaphore(1)

    async def replay(self, interaction: Interaction, turns: int) -> None:
        """The game so far, or (`turns`) its last turns, in a private message."""

        async def work() -> Letter:
            table = await self.turns.table_here(interaction)
            if table.lobby:
                raise NotStarted(table)
            async with self._one:
                return await self._made(interaction, await self.sessions.reel(table.id), turns)

        await self.desk.answer(interaction, work)

    async def _made(self, interaction: Interaction, reel: Reel, turns: int) -> Letter:
        labels: list[str] = []
        for start in range(0, len(reel.shots), CHUNK * 4):
            part = reel.shots[start : start + CHUNK * 4]
            labels += await self._studio.make(_labels, reel, part)
        shots = last_turns(reel.shots, labels, turns)
        labels = labels[len(labels) - len(shots) :]
        plan = first_plan(shots, labels)
        while True:
            gif = await self._gif(interaction, reel, plan)
            if len(gif) <= LIMIT or len(plan.shots) <= 1:
                break
            plan = smaller(plan, shots, labels)
        return replay_letter(reel, plan, gif, turns)

    async def _gif(self, interaction: Interaction, reel: Reel, plan: Plan) -> bytes:
        loop = asyncio.get_running_loop()
        film, told = renderer.Film(), loop.time()
        for start in range(0, len(plan.shots), CHUNK):
            part = plan.shots[start : start + CHUNK]
            film.add(await self._studio.make(draw, reel, part, plan.shrink))
            if loop.time() - told >= EVERY:
                told = loop.time()
                await _tell(interaction, len(film.frames), len(plan.shots))
        return await self._studio.make(film.gif)


def draw(reel: Reel, shots: Sequence[Shot], shrink: int) -> list[Pixels]:
    """Some frames, in a worker. Raises `Unreadable`."""
    return [renderer.frame(reel.view(s), reel.events(s), shrink=shrink) for s in shots]


def _labels(reel: Reel, shots: Sequence[Shot]) -> list[str]:
    """The turns to which some states belong, in a worker."""
    return [reel.view(shot).turn for shot in shots]


def last_turns(shots: Sequence[Shot], labels: Sequence[str], turns: int) -> tuple[Shot, ...]:
    """The states of the last turns (0: all), and the one before them to begin with."""
    if not turns:
        return tuple(shots)
    starts = [n for n in range(len(shots)) if n == 0 or labels[n] != labels[n - 1]]
    first = starts[-turns] if turns < len(starts) else 0
    return tuple(shots[max(0, first - 1) :])


def turn_ends(shots: Sequence[Shot], labels: Sequence[str], step: int) -> tuple[Shot, ...]:
    """The last state of every so many turns, and the last of all."""
    last = len(shots) - 1
    ends = [n for n in range(last) if labels[n] != labels[n + 1]]
    return tuple(shots[n] for n in [*ends[step - 1 :: step], last])


def first_plan(shots: Sequence[Shot], labels: Sequence[str]) -> Plan:
    """Everything, as far as there is room in memory."""
    if len(shots) <= MOST_FRAMES:
        return Plan(tuple(shots), 0, 1 if len(shots) <= MOST_LARGE else 2)
    return smaller(Plan((), 0, 2), shots, labels)


def smaller(plan: Plan, shots: Sequence[Shot], labels: Sequence[str]) -> Plan:
    """The next smaller plan: first smaller frames, then fewer turns."""
    if plan.shrink == 1:
        return Plan(plan.shots, plan.step, 2)
    step = max(1, plan.step * 2)
    found = turn_ends(shots, labels, step)
    while len(found) > MOST_FRAMES:
        step *= 2
        found = turn_ends(shots, labels, step)
    return Plan(found, step, 2)


def replay_letter(reel: Reel, plan: Plan, gif: bytes, turns: int) -> Letter:
    """The moving picture, and what it shows in words."""
    what = f"The last {turns} turns" if turns > 1 else "The last turn" if turns else "The game"
    how = STEPS.get(plan.step, f"every {plan.step}th turn")
    left_out = TOO_LARGE if plan.step > 1 else ""
    if reel.table.over and not plan.step:
        how = "every action that was kept"
    count = len(plan.shots)
    pictures = "one picture" if count == 1 else f"{count} pictures"
    told = f"**{what}:** {how}, {pictures}.{left_out}"
    image = Image(NAME, gif, f"A moving picture. {what}, {how}: {pictures}. /table log tells it.")
    return Letter(Screen(card(text(told), *gallery([image]), colour=GREY)), (image,))


async def _tell(interaction: Interaction, done: int, number: int) -> None:
    """Say how far it is, if the answer was put off; it does not matter if that fails."""
    if not interaction.response.is_done():
        return
    letter = note(DRAWING.format(done=done, all=number), colour=GREY)
    with suppress(discord.HTTPException, OSError):
        await interaction.edit_original_response(view=letter.screen)
