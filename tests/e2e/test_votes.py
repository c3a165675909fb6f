"""Substitutes and votes through real discord.py: three people and more, buttons, restarts, weeks."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import discord
import pytest
from simcord.components import walk_components

from bot.refusals import Refused
from bot.voting import may_sit
from tests.bot import limits
from tests.e2e.tabletop import Tabletop, toy_bot

DAY = 86_400


class Three:
    """Robin hosts and plays Red; Kim and Sam share Blue. Ann watches, Mo moderates."""

    def __init__(self, top: Tabletop) -> None:
        self.top = top
        self.robin, self.kim = top.robin, top.kim
        self.sam = top.guild.add_member(top.env.create_user("Sam"))
        self.ann = top.guild.add_member(top.env.create_user("Ann"))
        rights = discord.Permissions(manage_messages=True)
        role = top.guild.create_role("Mods", permissions=rights)
        self.mo = top.guild.add_member(top.env.create_user("Mo"), roles=[role])

    async def start(self) -> None:
        await self.top.open("duel")
        await self.kim.click(self.top.panel, label="Join Blue captain")
        await self.sam.slash(self.top.channel, "table join", seat="blue captain")
        await self.robin.click(self.top.panel, label="Start")

    async def say(self, who: Any, command: str, **given: Any) -> str:
        """A command's private answer."""
        result = await who.slash(self.top.channel, command, **given)
        return self.top.words(result.response)

    async def press(self, who: Any, message: Any, label: str) -> str:
        """What a press says privately, if anything."""
        result = await who.click(message, label=label)
        return "" if result.response is None else self.top.words(result.response)

    async def press_old(self, who: Any, id: str, board: Any) -> str:
        """What somebody reads whose screen still shows a button that is gone, put on the board here."""
        stored = self.top.env.backend.get_message(self.top.channel.id, board.id)
        shown = next(c for c in walk_components(stored.components) if "custom_id" in c)
        known, shown["custom_id"] = shown["custom_id"], id
        result = await who.click(board, custom_id=id)
        shown["custom_id"] = known
        return "" if result.response is None else self.top.words(result.response)

    async def table(self) -> Any:
        found = await self.top.bot.sessions.in_channel(self.top.channel.id)
        assert found is not None
        return found

    async def sits(self, seat: str) -> set[int]:
        return set((await self.table()).holder(seat).user_ids)

    def called(self) -> set[int]:
        """Whom the last post mentioned."""
        path = f"/channels/{self.top.channel.id}/messages"
        request = self.top.requests("POST", path)[-1].json
        return {int(user) for user in request["allowed_mentions"].get("users", ())}

    def fits(self, message: Any) -> None:
        """A public message is within Discord's limits."""
        stored = self.top.env.backend.get_message(self.top.channel.id, message.id)
        limits.check_message(stored.components)

    async def restart(self) -> None:
        bot = toy_bot(self.top.folder)
        await self.top.bot.close()
        await self.top.env.restart_bot(bot)
        self.top.bot = bot

    async def sound(self) -> None:
        table = await self.table()
        assert await self.top.bot.sessions.audit(table.id) == ""


@pytest.fixture
async def three(top: Tabletop) -> Three:
    made = Three(top)
    await made.start()
    return made


async def test_a_seat_is_handed_on(three: Three) -> None:
    top, kim, ann = three.top, three.kim, three.ann
    said = await three.say(kim, "table substitute", seat="Blue captain", user=ann)
    assert f"I have asked <@{ann.id}>" in said
    notice = top.panel
    assert top.labels(notice) == ["Take the seat", "No, thanks"]
    assert f"<@{kim.id}> would like to hand Blue captain on to <@{ann.id}>." in top.words(notice)
    assert three.called() == {ann.id}
    three.fits(notice)
    await three.restart()
    await three.robin.slash(top.channel, "toy move", to="B2")  # the game goes on
    assert top.labels(notice) == ["Take the seat", "No, thanks"]
    for who in (three.robin, kim, three.mo):
        assert f"Only <@{ann.id}> is asked" in await three.press(who, notice, "Take the seat")
    assert "can withdraw this" in await three.press(three.sam, notice, "No, thanks")
    said = await three.press(ann, notice, "Take the seat")
    assert "You have a seat at this table now: Blue captain." in said
    assert top.labels(notice) == [] and "Ann has taken the seat." in top.words(notice)
    assert "Ann plays Blue captain now, in place of Kim." in top.words(top.panel)
    assert await three.sits("BLUE") == {three.sam.id, ann.id}
    await three.robin.slash(top.channel, "toy done")
    done = await ann.slash(top.channel, "toy done")
    assert "Blue captain ends the turn." in top.words(done.response)
    assert (await three.table()).due() == ("RED",)
    log = await three.say(three.robin, "table log")
    assert "Kim asks Ann to take their own place on Blue captain." in log
    await three.sound()


async def test_no_thanks_and_changes_of_mind(three: Three) -> None:
    top, robin, ann = three.top, three.robin, three.ann
    said = await three.say(robin, "table substitute", seat="blue", user=ann)
    assert "Say with `out` who of them leaves" in said
    await three.say(robin, "table substitute", seat="blue", user=ann, out=three.kim)
    notice = top.panel
    assert (
        f"<@{robin.id}> asks <@{ann.id}> to play Blue captain in place of <@{three.kim.id}>."
        in top.words(notice)
    )
    assert "has been asked already" in await three.say(
        robin, "table substitute", seat="blue", user=ann, out=three.kim
    )
    await three.press(ann, notice, "No, thanks")
    assert top.labels(notice) == []
    assert "Ann does not take Blue captain" in top.words(top.panel)
    assert three.called() == {robin.id}
    await three.say(three.mo, "table substitute", seat="red", user=ann)
    first = top.panel
    await three.say(robin, "table substitute", seat="red", user=three.mo)
    assert top.labels(first) == [] and "Somebody else has been asked since." in top.words(first)
    second = top.panel
    await three.press(robin, second, "No, thanks")
    assert top.labels(second) == []
    assert "Robin has withdrawn this." in top.words(top.panel)
    assert await three.sits("RED") == {robin.id}
    await three.sound()


async def test_the_seat_changes_otherwise(three: Three) -> None:
    top = three.top
    await three.say(three.kim, "table substitute", seat="blue", user=three.ann)
    notice = top.panel
    ids = top.ids(notice)
    said = await three.say(three.mo, "table vacate", seat="blue")
    assert "Mo (a moderator) made the seat vacant." in said
    assert "Mo (a moderator) made the seat vacant." in top.words(top.panel)
    assert top.labels(notice) == [] and "so it is settled" in top.words(notice)
    for id in ids.values():
        assert "This is settled already." in await three.press_old(three.ann, id, top.panel)
    assert await three.sits("BLUE") == set()


async def test_who_cannot_be_asked(three: Three) -> None:
    top, kim = three.top, three.kim
    robot = top.guild.add_member(top.env.create_user("Robot", bot=True))
    outsider = top.env.create_user("Outsider")
    before = (await three.table()).version
    for user, told in (
        (robot, "A bot cannot play"),
        (outsider, "is not in this server"),
        (three.sam, "plays Blue captain already"),
        (kim, "plays Blue captain already"),
    ):
        assert told in await three.say(kim, "table substitute", seat="blue", user=user)
    assert "no such seat" in await three.say(kim, "table substitute", seat="green", user=three.ann)
    assert "That is yourself" in await three.say(
        three.robin, "table substitute", seat="blue", user=three.robin, out=kim
    )
    stranger = await three.say(three.ann, "table substitute", seat="blue", user=three.mo)
    assert "Only somebody who plays Blue captain, the host of this table or a moderator" in stranger
    theirs = await three.say(kim, "table substitute", seat="blue", user=three.ann, out=three.sam)
    assert "your own place only" in theirs
    assert (await three.table()).version == before
    await three.mo.slash(top.channel, "table end")
    asked = await three.mo.slash(top.channel, "table end")
    await three.mo.click(asked.response, label="End the game")
    assert "Mo (a moderator) ended the game before its time." in top.words(top.panel)
    over = await three.say(kim, "table substitute", seat="blue", user=three.ann)
    assert "This game is over" in over


@pytest.mark.parametrize("view", [True, False])
def test_whoever_cannot_see_the_channel_is_not_asked(view: bool) -> None:
    """Discord sends a member's rights in the channel with the command."""
    user = {"id": "5", "username": "ann", "discriminator": "0", "avatar": None}
    rights = discord.Permissions(view_channel=view).value
    data: Any = {
        "user": user,
        "roles": [],
        "joined_at": None,
        "flags": 0,
        "permissions": str(rights),
    }
    state: Any = SimpleNamespace(
        store_user=lambda data: discord.User(state=state, data=data)  # pyright: ignore
    )
    member = discord.Member(data=data, guild=SimpleNamespace(id=9), state=state)  # pyright: ignore
    interaction: Any = SimpleNamespace(guild_id=9)
    if view:
        may_sit(interaction, member)
    else:
        with pytest.raises(Refused, match="cannot see this channel"):
            may_sit(interaction, member)


async def test_a_new_host_by_vote(three: Three) -> None:
    top, kim, sam = three.top, three.kim, three.sam
    early = await three.say(kim, "table vote", what="host", user=kim)
    assert "A vote is possible from <t:" in early and "`/table host`" in early
    assert "You host this table" in await three.say(three.robin, "table vote", what="end")
    assert "Only those who play" in await three.say(three.ann, "table vote", what="end")
    await top.env.advance_time(8 * DAY)
    said = await three.say(kim, "table vote", what="host", user=kim)
    assert "I have asked everybody at this table" in said
    notice = top.panel
    assert three.called() == {three.robin.id, sam.id}
    assert top.labels(notice) == ["Yes", "No"]
    words = top.words(notice)
    assert f"<@{kim.id}> asks for a vote: shall <@{kim.id}> host this table?" in words
    assert f"<@{three.robin.id}>, the host, was last seen here <t:" in words
    assert f"Yes: <@{kim.id}>" in words and "No: nobody" in words
    assert f"It takes a Yes from <@{sam.id}>." in words
    three.fits(notice)
    assert "Only those who play at this table vote here." in await three.press(
        three.ann, notice, "Yes"
    )
    assert "You have voted yes already" in await three.press(kim, notice, "Yes")
    await three.restart()
    await three.press(sam, notice, "Yes")
    assert top.labels(notice) == [] and "It is decided and done." in top.words(notice)
    assert f"Yes: <@{kim.id}> and <@{sam.id}>" in top.words(notice)
    assert "Kim is the host of this table now." in top.words(top.panel)
    assert (await three.table()).host_id == kim.id
    assert "Host: <@" + str(kim.id) in await three.say(sam, "table seats")
    await three.sound()


async def test_a_vote_is_shown_as_it_stands_and_can_be_changed(three: Three) -> None:
    top = three.top
    await three.say(three.robin, "table substitute", seat="red", user=three.ann)
    await three.press(three.ann, top.panel, "Take the seat")  # Kim hosts now, with Sam and Ann
    assert (await three.table()).host_id == three.kim.id
    await top.env.advance_time(8 * DAY)
    await three.say(three.sam, "table vote", what="end")
    notice = top.panel
    posts = top.posts()
    assert "It takes 2 times Yes from these 2" in top.words(notice)
    await three.press(three.sam, notice, "No")
    assert "does not want it any more" in top.words(notice) and top.posts() == posts + 1
    await three.say(three.ann, "table vote", what="stand_in", seat="blue")
    notice = top.panel
    await three.press(three.kim, notice, "No")
    assert "Kim, the host, is back and says no" in top.words(notice)
    assert top.labels(notice) == []
    assert "Ann" not in top.words(top.panel).splitlines()[0]
    assert three.called() == {three.ann.id}
    await three.sound()


async def test_the_host_moves_and_the_vote_is_withdrawn(three: Three) -> None:
    top = three.top
    board = top.panel
    await top.env.advance_time(8 * DAY)
    await three.say(three.kim, "table vote", what="vacate", seat="Red captain")
    notice = top.panel
    assert "shall Red captain be vacant, so that others can take it?" in top.words(notice)
    ids = top.ids(notice)
    await three.robin.slash(top.channel, "toy move", to="B2")
    for who in (three.kim, three.sam, three.robin):
        for id in ids.values():
            assert "This is settled already." in await three.press_old(who, id, board)
    assert top.labels(notice) == []
    assert "Robin, the host, is back, so this vote is withdrawn." in top.words(notice)


async def test_the_program_acts_by_vote(three: Three) -> None:
    top = three.top
    await top.env.advance_time(8 * DAY)
    await three.say(three.kim, "table vote", what="stand_in", seat="red")
    notice = top.panel
    await three.press(three.sam, notice, "Yes")
    await top.env.advance_time(60)
    assert "It is decided and done." in top.words(notice)
    rows = await top.bot.sessions.history((await three.table()).id)
    kinds = [row.kind for row in rows]
    assert "wish" in kinds and "stand_in" in kinds
    assert (await three.table()).due() == ("BLUE",)
    log = await three.say(three.kim, "table log")
    assert "The program acts for Red captain, as was decided at this table." in log
    await three.sound()


async def test_two_people_a_second_press_makes_sure(top: Tabletop) -> None:
    await top.open("duel")
    await top.kim.click(top.panel, label="Join Blue captain")
    await top.robin.click(top.panel, label="Start")
    await top.env.advance_time(8 * DAY)
    await top.kim.slash(top.channel, "table vote", what="end")
    notice = top.panel
    words = top.words(notice)
    assert f"it is done when <@{top.kim.id}> presses Yes" in words and "Yes: nobody yet" in words
    await top.kim.click(notice, label="Yes")
    assert top.labels(notice) == []
    table = await top.bot.sessions.in_channel(top.channel.id)
    assert table is not None and table.over
    assert "The game was ended before its time." in top.words(top.panel)


async def test_moderators_who_do_not_play(three: Three) -> None:
    top, mo = three.top, three.mo
    said = await three.say(mo, "table stand-in", seat="red", until="return")
    assert "The program acts for Red captain, as Mo (a moderator) wishes." in said
    said = await three.say(mo, "table host", user=three.sam)
    told = "Sam is the host of this table now: Mo (a moderator) handed it over."
    assert told in said and told in top.words(top.panel)
    await three.say(mo, "table substitute", seat="blue", user=three.ann, out=three.kim)
    notice = top.panel
    assert f"<@{mo.id}> asks <@{three.ann.id}> to play Blue captain" in top.words(notice)
    await three.press(three.ann, notice, "Take the seat")
    assert await three.sits("BLUE") == {three.sam.id, three.ann.id}
    log = await three.say(three.sam, "table log")
    assert "Mo asks Ann to take the place of Kim on Blue captain." in log
    await three.sound()
