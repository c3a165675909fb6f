"""`/tutorial` through real discord.py: to its end, by the obedient and the stubborn, after restarts."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import discord
import pytest

from bot.coaching import words
from bot.records import games_of
from bot.store import schema as db
from tests.e2e.pupil import Pupil, school
from tests.e2e.tabletop import Tabletop

ENOUGH = 120


@pytest.fixture
async def pupil(tmp_path: Path) -> AsyncIterator[Pupil]:
    async with school(tmp_path, "school") as running:
        yield running


async def learn(pupil: Pupil, whims: int = 0) -> None:
    """Go on to the last step; a learner who gets nowhere may skip when he is told to."""
    for number in range(ENOUGH):
        table = await pupil.table()
        if table.over or table.lesson_step == 7:
            return
        if number >= whims and "“Skip this step”" in pupil.coach(table) and number % 4 == 3:
            await pupil.press("Robin", "Skip this step")
        else:
            await pupil.obey(whim=number < whims)
    raise AssertionError("the tutorial leads nowhere")


@pytest.mark.parametrize(("dice", "whims"), [("one", 0), ("two", 0), ("three", 0), ("four", 12)])
async def test_it_is_played_to_its_end(tmp_path: Path, dice: str, whims: int) -> None:
    async with school(tmp_path, dice) as pupil:
        home = pupil.top.channel
        begun = await pupil.begin()
        assert begun.ephemeral and f"<#{pupil.top.channel.id}>" in pupil.read(begun)
        thread = pupil.top.env.backend.get_channel(pupil.top.channel.id)
        assert thread.parent_id == home.id and thread.type == 12
        await learn(pupil, whims)
        table = await pupil.table()
        if not table.over:
            assert "step 8 of 8" in pupil.top.words(pupil.top.panel)
            assert "Skip this step" not in pupil.top.labels(pupil.top.panel)
            ended = await pupil.press("Robin", "End the tutorial")
            assert "Your tutorial has ended" in pupil.read(ended)
        table = await pupil.table()
        assert table.over and await pupil.bot.sessions.audit(table.id) == ""
        assert await pupil.bot.sessions.guided(pupil.top.robin.id) is None
        assert await games_of(pupil.bot.store, pupil.top.robin.id) == []
        assert not pupil.top.requests("POST", f"/channels/{home.id}/messages")


async def test_the_first_minutes_in_words(pupil: Pupil) -> None:
    """What stands under each picture, in order, as a new player meets it."""
    await pupil.begin()
    panel = pupil.top.words(pupil.top.panel)
    assert "Tutorial, step 1 of 8: Your squad" in panel and "press “Ready”" in panel
    assert panel.index("Seal of this game") < panel.index("Tutorial, step 1")
    await pupil.press("Robin", "Ready")
    panel = pupil.top.words(pupil.top.panel)
    assert "step 2 of 8" in panel and "the Heavy Weapons Expert (HW)" in panel
    for _ in range(4):
        await pupil.obey()
    told = pupil.top.words(pupil.top.panel)
    assert "Intel card" in told and "step 6 of 8: A hidden counter" in told


async def test_other_ways_are_forgiven(pupil: Pupil) -> None:
    await pupil.begin()
    await pupil.obey()
    await pupil.press("Robin", "Activate a team")
    told = pupil.top.words(pupil.top.panel)
    assert "step 3 of 8" in told or "you may do that, too" in told


async def test_it_survives_a_restart_at_every_step(pupil: Pupil) -> None:
    await pupil.begin()
    for step in range(5):
        assert [row[3] for row in await pupil.rows()] == [(await pupil.table()).lesson_step]
        await pupil.restart()
        assert (await pupil.table()).lesson_step == step
        await pupil.obey()
    assert (await pupil.table()).lesson_step == 5


async def test_again_gives_the_way_or_starts_over(pupil: Pupil) -> None:
    await pupil.begin()
    await pupil.obey()
    first = (await pupil.table()).id
    again = await pupil.say("Robin", "tutorial")
    assert "Your tutorial is going on" in pupil.read(again)
    links = [c["url"] for c in pupil.top.wire(again.response) if c.get("url")]
    assert links == [
        f"https://discord.com/channels/{pupil.top.guild.id}/{pupil.top.channel.id}/{pupil.top.panel.id}"
    ]
    over = await pupil.top.robin.click(again.response, label="Start over")
    assert "has begun" in pupil.read(over)
    table = await pupil.table()
    assert table.id != first and table.lesson_step == 0 and not table.over
    assert (await pupil.bot.sessions.get(first)).over
    assert [row[0] for row in await pupil.rows()] == [table.id]
    assert pupil.top.labels(over.response) == []  # it took the question's place


async def test_ending_it_early_asks_and_cleans_up(pupil: Pupil) -> None:
    await pupil.begin()
    await pupil.obey()
    asked = await pupil.press("Robin", "End the tutorial")
    assert "End your tutorial?" in pupil.read(asked) and not (await pupil.table()).over
    ended = await pupil.top.robin.click(asked.response, label="End the tutorial")
    assert "`/boots new`" in pupil.read(ended)
    assert (await pupil.table()).over and await pupil.rows() == []
    thread = pupil.top.env.backend.get_channel(pupil.top.channel.id)
    assert thread.thread_metadata is not None and thread.thread_metadata.archived
    assert "Tutorial, step" not in pupil.top.words(pupil.top.panel)


async def test_a_step_is_skipped_once(pupil: Pupil) -> None:
    await pupil.begin()
    panel = pupil.top.panel
    await pupil.top.robin.click(panel, label="Skip this step")
    assert (await pupil.table()).lesson_step == 1
    assert "step 2 of 8" in pupil.top.words(pupil.top.panel)
    skip = pupil.top.ids(pupil.top.panel)["Skip this step"]
    await pupil.top.robin.click(pupil.top.panel, custom_id=skip)
    table = await pupil.table()
    assert table.lesson_step == 2 and table.version == 1
    assert not await pupil.bot.sessions.skip_step(table.id, pupil.top.robin.id, 1)
    pupil.check(table)


async def test_others_do_not_meddle(pupil: Pupil) -> None:
    """In the channel itself, where others see it; their presses change nothing."""
    guild = pupil.top.guild
    deny = discord.PermissionOverwrite(create_private_threads=False)
    quiet = guild.create_text_channel("quiet", overwrites={guild.me: deny})
    pupil.top.channel = quiet
    begun = await pupil.begin()
    assert pupil.top.channel.id == quiet.id
    assert "Your tutorial has begun" in pupil.read(begun)
    assert "“Create private threads”" in pupil.read(begun)
    for label in ("Skip this step", "End the tutorial"):
        refused = await pupil.press("Kim", label)
        assert f"<@{pupil.top.robin.id}>’s tutorial" in pupil.read(refused)
    assert (await pupil.table()).lesson_step == 0
    taken = await pupil.say("Kim", "tutorial")
    assert "A game is going on in this channel" in pupil.read(taken)
    await pupil.obey()


async def test_in_a_thread_and_in_direct_messages(pupil: Pupil) -> None:
    top = pupil.top
    made = await top.kim.slash(top.channel, "boots new", thread=True)
    assert made.ephemeral
    thread = top.channel.threads[0]
    taken = await top.robin.slash(thread, "tutorial")
    assert "A game is going on in this channel" in top.words(taken.response)
    asked = await top.kim.slash(thread, "table end")
    await top.kim.click(asked.response, label="End the game")
    there = await top.kim.slash(thread, "tutorial")
    assert "there can be no private thread in this place" in top.words(there.response)
    guided = await top.bot.sessions.guided(top.kim.id)
    assert guided is not None and guided.channel_id == thread.id
    direct = await top.robin.user.slash("tutorial")
    assert "Your tutorial has begun" in top.words(direct.response)
    assert "thread" not in top.words(direct.response)
    top.channel = top.robin.user.dm_channel
    assert "Tutorial, step 1 of 8" in top.words(top.panel)
    again = await top.robin.user.slash("tutorial")
    assert "in our direct messages" in top.words(again.response)


async def test_a_game_is_meant_by_its_title_too(pupil: Pupil) -> None:
    begun = await pupil.say("Robin", "tutorial", game="sniper kill CONFIRMED")
    assert "Your tutorial has begun" in pupil.read(begun)
    (thread,) = pupil.top.channel.threads
    assert thread.name == "Sniper Kill Confirmed: tutorial"
    pupil.top.channel = thread
    asked = await pupil.press("Robin", "End the tutorial")
    assert "`/tutorial game:sniper` begins it again" in pupil.read(asked)
    ended = await pupil.top.robin.click(asked.response, label="End the tutorial")
    assert "`/tutorial game:sniper` begins again" in pupil.read(ended)


async def test_which_games_have_one(pupil: Pupil) -> None:
    odd = await pupil.say("Robin", "tutorial", game="@everyone")
    assert "@everyone" not in pupil.read(odd) and pupil.read(odd).endswith(
        "here. There are: Boots on the Ground and Sniper Kill Confirmed."
    )
    found = await pupil.top.robin.autocomplete(pupil.top.channel, "tutorial", "game", "")
    assert [choice["value"] for choice in found] == ["boots", "sniper"]
    assert not pupil.top.channel.threads


async def test_games_without_a_tutorial(top: Tabletop) -> None:
    none = await top.robin.slash(top.channel, "tutorial")
    assert "No game here has a tutorial" in top.words(none.response)
    none = await top.robin.slash(top.channel, "tutorial", game="toy")
    assert "yet. `/toy new` opens a game" in top.words(none.response)
    assert not top.channel.threads


async def test_a_game_with_a_hand(pupil: Pupil) -> None:
    """Sniper: everybody reads where to press, and only the learner what his hand allows."""
    top = pupil.top
    await pupil.begin(game="sniper")
    for _ in range(ENOUGH):
        table = await pupil.table()
        public, private = words(table), words(table, private=True)
        panel = top.words(top.panel)
        if table.over or table.lesson_step == 5:
            break
        assert public in panel and private not in panel
        opened = await pupil.press("Robin", "Play…")
        assert opened.ephemeral and private in top.words(opened.response)
        name = re.findall("“([^”]*)”", private)[0]
        result = await top.robin.click(opened.response, label=name)
        if "Cancel" in top.labels(result.response):
            result = await top.robin.select(result.response, top.menu(result.response)[:1])
        assert (await pupil.table()).version > table.version, private
    assert "step 6 of 6: What to try next" in panel
    ended = await pupil.press("Robin", "End the tutorial")
    assert "`/sniper new` opens a real game" in pupil.read(ended)


async def test_a_fault_leaves_no_thread(pupil: Pupil, monkeypatch: pytest.MonkeyPatch) -> None:
    async def refuse(**given: Any) -> Any:
        from bot.refusals import StoreBusy

        raise StoreBusy()

    monkeypatch.setattr(pupil.bot.sessions, "open", refuse)
    result = await pupil.say("Robin", "tutorial")
    assert "busy" in pupil.read(result)
    assert not pupil.top.channel.threads and await pupil.rows() == []


@pytest.mark.parametrize("path", ["/channels/{}/threads", "/channels/*/thread-members/*"])
async def test_discord_refuses_the_thread(pupil: Pupil, path: str) -> None:
    """Then it is played in the channel, and no empty thread is left."""
    home = pupil.top.channel
    method = "POST" if path.endswith("threads") else "PUT"
    pupil.top.env.inject_error(method, path.format(home.id), status=403, code=50013)
    begun = await pupil.begin()
    assert pupil.top.channel.id == home.id and not home.threads
    assert "because I may not open a private thread" in pupil.read(begun)
    await pupil.obey()


async def test_a_thread_that_was_deleted(pupil: Pupil) -> None:
    """Starting over makes another one."""
    home = pupil.top.channel
    await pupil.begin()
    await pupil.obey()
    lost = pupil.top.channel.id
    pupil.top.env.backend.delete_channel(lost)
    await pupil.top.env.settle()
    pupil.top.channel = home
    shown = await pupil.say("Robin", "mygames")
    assert "Boots on the Ground: tutorial" in pupil.read(shown)
    again = await pupil.say("Robin", "tutorial")
    over = await pupil.top.robin.click(again.response, label="Start over")
    assert "Your tutorial has begun in" in pupil.read(over)
    guided = await pupil.bot.sessions.guided(pupil.top.robin.id)
    assert guided is not None and guided.channel_id != lost and guided.panel_message_id


async def test_two_at_once_make_one(pupil: Pupil, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second one, which has looked before the first was saved."""
    home = pupil.top.channel
    await pupil.begin()
    first = await pupil.rows()

    async def nothing_yet(user_id: int) -> None:
        return None

    monkeypatch.setattr(pupil.bot.sessions, "guided", nothing_yet)
    second = await pupil.top.robin.slash(home, "tutorial")
    assert "Your tutorial is going on already" in pupil.read(second)
    assert len(home.threads) == 1 and await pupil.rows() == first


async def test_one_that_cannot_be_read_is_started_over(pupil: Pupil) -> None:
    await pupil.begin()
    first = (await pupil.table()).id
    async with pupil.bot.store.write() as connection:
        await connection.execute(db.sessions.update().values(state=b"broken"))
    again = await pupil.say("Robin", "tutorial")
    over = await pupil.top.robin.click(again.response, label="Start over")
    assert "Your tutorial has begun" in pupil.read(over)
    assert (await pupil.table()).id != first and len(await pupil.rows()) == 1
