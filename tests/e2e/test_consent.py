"""Undo by consent through real discord.py: two people, buttons, a restart in the middle."""

from __future__ import annotations

from typing import Any

from tests.e2e.tabletop import Tabletop, toy_bot


async def duel(top: Tabletop) -> None:
    await top.open("duel")
    await top.kim.click(top.panel, label="Join Blue captain")
    await top.robin.click(top.panel, label="Start")


async def ask(top: Tabletop, steps: int | None = None) -> tuple[Any, Any]:
    """Robin asks; the private question and the public one."""
    options = {} if steps is None else {"steps": steps}
    asked = await top.robin.slash(top.channel, "table undo", **options)
    told = await top.robin.click(asked.response, label="Ask whether they agree")
    assert "I have asked" in top.words(told.response)
    return told, top.panel


async def test_both_agree_and_a_draw_is_taken_back(top: Tabletop) -> None:
    await duel(top)
    await top.robin.slash(top.channel, "toy draw")
    board = top.panel
    asked = await top.robin.slash(top.channel, "table undo")
    words = top.words(asked.response)
    assert "so it stands: Red captain draws a card." in words
    assert f"<@{top.kim.id}> (Blue captain) must agree" in words
    await top.robin.click(asked.response, label="Ask whether they agree")
    notice = top.panel
    assert notice.id != board.id and top.labels(notice) == ["Agree", "Refuse"]
    words = top.words(notice)
    assert f"<@{top.robin.id}> asks to take back this action" in words
    assert "Red captain draws a card." in words
    sent = top.requests("POST", f"/channels/{top.channel.id}/messages")[-1]
    assert sent.json["allowed_mentions"]["users"] == [str(top.kim.id)] or sent.json[
        "allowed_mentions"
    ]["users"] == [top.kim.id]
    own = await top.robin.click(notice, label="Agree")
    assert "You asked for it yourself" in top.words(own.response)
    await top.kim.click(notice, label="Agree")
    assert top.labels(notice) == []
    assert "All have agreed" in top.words(notice)
    assert (await top.state()).hands["RED"] == []
    words = top.words(top.panel)
    assert "Kim agrees that it is taken back." in words
    assert "Taken back: Red captain draws a card." in words
    log = top.words((await top.kim.slash(top.channel, "table log")).response)
    assert "Robin asks to take back" in log and "Kim agrees" in log and "(taken back)" in log


async def test_the_question_survives_a_restart_and_a_move_withdraws_it(top: Tabletop) -> None:
    await duel(top)
    await top.robin.slash(top.channel, "toy draw")
    board = top.panel
    _, notice = await ask(top)
    bot = toy_bot(top.folder)
    await top.bot.close()
    await top.env.restart_bot(bot)
    top.bot = bot
    assert top.labels(notice) == ["Agree", "Refuse"]
    await top.robin.click(board, label="Move")  # the board's buttons are as good as before
    await top.robin.slash(top.channel, "toy move", to="B2")
    assert top.labels(notice) == [] and "the game has moved on" in top.words(notice)
    late = await top.kim.slash(top.channel, "table undo")
    assert "somebody else’s" in top.words(late.response)


async def test_a_restart_between_question_and_consent(top: Tabletop) -> None:
    await duel(top)
    for verb in ("draw", "draw"):
        await top.robin.slash(top.channel, f"toy {verb}")
    _, notice = await ask(top, 2)
    assert "these 2 actions" in top.words(notice)
    bot = toy_bot(top.folder)
    await top.bot.close()
    await top.env.restart_bot(bot)
    top.bot = bot
    await top.kim.click(notice, label="Agree")
    assert (await top.state()).hands["RED"] == []
    assert top.labels(notice) == []


async def test_a_refusal_is_told(top: Tabletop) -> None:
    await duel(top)
    await top.robin.slash(top.channel, "toy draw")
    _, notice = await ask(top)
    sam = top.guild.add_member(top.env.create_user("Sam"))
    stranger = await sam.click(notice, label="Refuse")
    assert "Only those who play at this table" in top.words(stranger.response)
    assert top.labels(notice) == ["Agree", "Refuse"]
    await top.kim.click(notice, label="Refuse")
    assert "Kim refuses, so nothing is taken back." in top.words(top.panel)
    assert top.labels(notice) == []
    assert len((await top.state()).hands["RED"]) == 1


async def test_several_at_once_alone(top: Tabletop) -> None:
    await top.open()
    await top.robin.slash(top.channel, "toy move", to="B2")
    await top.robin.slash(top.channel, "toy draw")
    asked = await top.robin.slash(top.channel, "table undo", steps=2)
    words = top.words(asked.response)
    assert "The last 2 actions were" in words and "walks A1 to B2" in words
    assert "something came to light" in words
    done = await top.robin.click(asked.response, label="Take it back")
    assert "Take-backs past a die or card in this game: 1." in top.words(done.response)
    assert (await top.state()).pos["RED"] == "A1"
    too_many = await top.robin.slash(top.channel, "table undo", steps=3)
    assert "Nothing has been done yet" in top.words(too_many.response)


async def test_the_ended_panel_tells_how_often(top: Tabletop) -> None:
    await top.open()
    await top.robin.slash(top.channel, "toy draw")
    asked = await top.robin.slash(top.channel, "table undo")
    await top.robin.click(asked.response, label="Take it back")
    await top.patch("points", {"RED": 4, "BLUE": 4})
    await top.patch("round", 99)
    await top.robin.slash(top.channel, "toy done")
    assert "Take-backs past a die or card in this game: 1." in top.words(top.panel)
