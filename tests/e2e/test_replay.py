"""The replay through real discord.py: two people, a lobby, too large, after a restart."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from bot import replaying
from tests.e2e.tabletop import Tabletop, toy_bot


def gif_of(top: Tabletop, message: object) -> Image.Image:
    attached = message.attachments[0]  # type: ignore[attr-defined]
    url = attached["url"] if isinstance(attached, dict) else attached.url
    held = top.env.backend.cdn.get(url)
    assert held is not None
    return Image.open(io.BytesIO(held))


async def test_a_game_as_a_moving_picture(top: Tabletop, monkeypatch: pytest.MonkeyPatch) -> None:
    await top.open("duel")
    early = await top.robin.slash(top.channel, "table replay")
    assert "Not begun yet" in top.words(early.response)
    await top.kim.click(top.panel, label="Join Blue captain")
    await top.robin.click(top.panel, label="Start")
    await top.robin.slash(top.channel, "toy move", to="B2")
    await top.robin.slash(top.channel, "toy draw")
    await top.robin.slash(top.channel, "toy done")
    await top.kim.slash(top.channel, "toy done")
    bot = toy_bot(top.folder)
    await top.bot.close()
    await top.env.restart_bot(bot)
    top.bot = bot
    made = await top.kim.slash(top.channel, "table replay")
    assert made.ephemeral
    assert "**The game:** every action, 5 pictures." in top.words(made.response)
    assert len(top.pictures(made.response)) == 1
    assert getattr(gif_of(top, made.response), "n_frames", 1) >= 3
    last = await top.robin.slash(top.channel, "table replay", turns=1)
    assert "**The last turn:** every action, 2 pictures." in top.words(last.response)
    monkeypatch.setattr(replaying, "LIMIT", 100)
    small = await top.robin.slash(top.channel, "table replay")
    assert "turns are left out" in top.words(small.response)
