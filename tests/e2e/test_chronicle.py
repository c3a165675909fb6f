"""Looking back through real discord.py: the log by buttons, catching up, for players and others."""

from __future__ import annotations

from tests.e2e.tabletop import MENU, Tabletop, toy_bot


async def duel(top: Tabletop) -> None:
    await top.open("duel")
    await top.kim.click(top.panel, label="Join Blue captain")
    await top.robin.click(top.panel, label="Start")


async def test_the_log_is_paged_and_jumped_in(top: Tabletop) -> None:
    await top.open()
    for _ in range(14):
        for cell in ("B2", "A1"):
            table = await top.bot.sessions.in_channel(top.channel.id)
            assert table is not None
            if table.state.left < 1:
                await top.robin.slash(top.channel, "toy done")
            await top.robin.slash(top.channel, "toy move", to=cell)
    page = await top.robin.slash(top.channel, "table log")
    seen = [top.words(page.response)]
    while "Older" in top.labels(page.response):
        page = await top.robin.click(page.response, label="Older")
        seen.append(top.words(page.response))
    table = await top.bot.sessions.in_channel(top.channel.id)
    assert table is not None
    told = "\n".join(seen)
    for number in range(1, table.version + 1):
        assert told.count(f"**{number}** · ") == 1
    assert len(seen) > 1 and "The arena opens." in seen[-1]
    page = await top.robin.click(page.response, label="Newer")
    assert "Older" in top.labels(page.response)
    menu = [c for c in top.wire(page.response) if c["type"] == MENU]
    values = [option["value"] for option in menu[0]["options"]]
    page = await top.robin.select(page.response, [values[1]])
    assert f"**{values[1]}** · " in top.words(page.response)
    bot = toy_bot(top.folder)
    await top.bot.close()
    await top.env.restart_bot(bot)
    top.bot = bot
    page = await top.robin.click(page.response, label="Newest")
    assert f"**{table.version}** · " in top.words(page.response)
    entry = await top.kim.slash(top.channel, "table log", entry=2)
    assert "**2** · " in top.words(entry.response)
    assert "**1** · " not in top.words(entry.response)


async def test_catching_up(top: Tabletop) -> None:
    await duel(top)
    await top.robin.slash(top.channel, "toy done")
    nothing = await top.robin.slash(top.channel, "table catchup")
    assert "Nothing has happened since you last acted." in top.words(nothing.response)
    await top.kim.slash(top.channel, "toy draw")
    await top.kim.slash(top.channel, "toy move", to="E5")
    missed = await top.robin.slash(top.channel, "table catchup")
    words = top.words(missed.response)
    assert missed.ephemeral and "Since you last acted" in words
    assert "Blue captain draws a card." in words and "You drew" not in words
    assert "walks F6 to E5" in words
    assert len(top.pictures(missed.response)) == 2
    again = await top.robin.slash(top.channel, "table catchup")
    assert "Nothing has happened since" in top.words(again.response)
    watching = await top.guild.add_member(top.env.create_user("Sam")).slash(
        top.channel, "table catchup"
    )
    assert "Since you last" in top.words(watching.response)
    assert "You drew" not in top.words(watching.response)


async def test_the_private_panel_has_a_button(top: Tabletop) -> None:
    await duel(top)
    await top.robin.slash(top.channel, "toy done")
    await top.patch("pos", {"RED": "C2", "BLUE": "D2"})
    done = await top.kim.slash(top.channel, "toy attack", style="careful")
    assert "Catch up" in top.labels(done.response)
    board = await top.robin.slash(top.channel, "table panel")
    caught = await top.robin.click(board.response, label="Catch up")
    words = top.words(caught.response)
    assert "What concerned you" in words and "attacks Red captain" in words
