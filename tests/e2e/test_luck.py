"""`/table luck` through real discord.py: what it tells, and what it keeps to itself."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path
from typing import Any

from PIL import Image
from sqlalchemy import select, update

from bot.luck import NO_DICE
from bot.sessions.records import EVENTS, dumps
from bot.store import schema as db
from games.kernel import event as told
from games.kernel.event import Event, Throw
from tests.bot import limits
from tests.e2e.tabletop import Tabletop


async def begun(top: Tabletop) -> None:
    await top.open("duel")
    await top.kim.click(top.panel, label="Join Blue captain")
    await top.robin.click(top.panel, label="Start")


async def fought(top: Tabletop, times: int = 1) -> None:
    """Robin attacks, once a round."""
    for _ in range(times):
        await top.patch("pos.BLUE", "B2")
        await top.patch("points.RED", 0)
        await top.robin.slash(top.channel, "toy attack", target="BLUE", style="careful")
        await top.robin.slash(top.channel, "toy done")
        await top.kim.slash(top.channel, "toy done")


async def ask(top: Tabletop, who: Any) -> tuple[str, list[bytes]]:
    """What somebody is told, and the pictures’ bytes."""
    result = await who.slash(top.channel, "table luck")
    assert result.ephemeral
    limits.check_message(
        result.response.components
        if isinstance(result.response.components[0], dict)
        else top.env.backend.get_message(top.channel.id, result.response.id).components
    )
    files = [await attachment.read() for attachment in result.response.attachments]
    return top.words(result.response), files


async def secretly(top: Tabletop, value: int) -> None:
    """Change the last row: Blue alone also sees five dice that show `value`."""
    hidden = told.Tested(
        text="A secret test.",
        title="Secret",
        detail="",
        throws=(Throw("secret", (value,) * 5, 20, 3),),
        verdict="no",
        to=("BLUE",),
    )
    table = await top.bot.sessions.in_channel(top.channel.id)
    assert table is not None
    log = db.log.c
    at = (log.session_id == table.id) & (log.number == table.version)
    async with top.bot.store.write() as connection:
        held = (await connection.execute(select(log.events).where(at))).scalar_one()
        kept = [e for e in EVENTS.decode(held) if e.to is None]
        events: tuple[Event, ...] = (*kept, hidden)
        await connection.execute(update(db.log).where(at).values(events=dumps(events)))


async def test_without_dice_it_says_so(top: Tabletop) -> None:
    refused = await top.robin.slash(top.channel, "table luck")
    assert "No game is running in this channel" in top.words(refused.response)
    await top.open("duel")
    lobby = await top.robin.slash(top.channel, "table luck")
    assert "Not begun yet" in top.words(lobby.response)
    await top.kim.click(top.panel, label="Join Blue captain")
    await top.robin.click(top.panel, label="Start")
    assert (await ask(top, top.robin))[0] == NO_DICE


async def test_what_was_drawn_in_secret_is_not_even_counted(top: Tabletop) -> None:
    await begun(top)
    await top.robin.slash(top.channel, "toy draw")
    assert "only one card or counter was drawn" in (await ask(top, top.robin))[0]
    assert (await ask(top, top.kim))[0] == NO_DICE


async def test_it_counts_every_die_and_draws_two_plots(top: Tabletop) -> None:
    await begun(top)
    await fought(top, 3)
    told, files = await ask(top, top.robin)
    assert "6 dice so far" in told
    assert "Red captain" in told or "Blue captain" in told
    assert "**Most striking swing:**" in told and "**Most striking streak:**" in told
    assert "in one of the 2 kinds of throws" in told
    assert "`/table verify` proves every single roll" in told
    assert [Image.open(io.BytesIO(file)).width for file in files] == [1000, 1000]
    shown = (await top.kim.slash(top.channel, "table luck")).response
    faces, swing = top.pictures(shown)
    assert faces.startswith("Blue captain, d6, 3 dice: ") and "Red captain, d6, 3 dice: " in faces
    assert "two standard deviations" in swing


async def test_dice_that_were_taken_back_stay_in_the_count(top: Tabletop) -> None:
    await begun(top)
    await top.patch("pos.BLUE", "B2")
    await top.robin.slash(top.channel, "toy attack", target="BLUE", style="careful")
    before = (await ask(top, top.robin))[1]
    asked = await top.robin.slash(top.channel, "table undo")
    await top.robin.click(asked.response, label="Ask whether they agree")
    await top.kim.click(top.panel, label="Agree")
    told, after = await ask(top, top.robin)
    assert "Actions that were taken back are counted too (2 dice)" in told
    assert after == before


async def test_another_seats_secret_dice_change_nothing(top: Tabletop) -> None:
    await begun(top)
    await fought(top, 2)
    plain = await ask(top, top.robin)
    stranger = top.guild.add_member(top.env.create_user("Sam"))
    public = await ask(top, stranger)
    for value in (1, 20):
        await secretly(top, value)
        assert await ask(top, top.robin) == plain
        assert await ask(top, stranger) == public
    told, files = await ask(top, top.kim)
    assert "9 dice so far" in told and "Tests of Blue captain" in told
    assert files != plain[1]


async def test_a_damaged_row_is_left_out(top: Tabletop) -> None:
    await begun(top)
    await fought(top, 2)
    table = await top.bot.sessions.in_channel(top.channel.id)
    assert table is not None
    log = db.log.c
    async with top.bot.store.write() as connection:
        rows = (
            await connection.execute(
                select(log.number, log.events).where(log.session_id == table.id)
            )
        ).all()
        hit = next(r.number for r in rows if '"Rolled"' in r.events)
        at = (log.session_id == table.id) & (log.number == hit)
        await connection.execute(update(db.log).where(at).values(events="[{"))
    assert "2 dice so far" in (await ask(top, top.robin))[0]


def test_a_bot_without_plots_does_not_load_matplotlib() -> None:
    code = (
        "import sys, bot.client, bot.luck, bot.statistics, cogs.stats, renderer.plots\n"
        "assert not [m for m in sys.modules if m.startswith(('matplotlib', 'numpy'))]\n"
    )
    root = Path(__file__).resolve().parents[2]
    subprocess.run([sys.executable, "-c", code], cwd=root, check=True)
