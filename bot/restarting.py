"""`/campaign restart`: a campaign begun anew with the same people, after a question."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeAlias

import discord

from bot import offers, texts
from bot.acknowledge import Desk, Way
from bot.campaign_rows import Member, Standing
from bot.campaigns import AlreadyRunning, Campaigns, may_restart
from bot.custom_ids import Press
from bot.layout import Letter, Style, button, note
from bot.turns import is_private
from games.kernel.campaign import CampaignView

Interaction: TypeAlias = discord.Interaction[Any]
Begun: TypeAlias = Callable[[Interaction, Standing, str], Awaitable[Letter]]
Already: TypeAlias = Callable[[AlreadyRunning], Awaitable[Letter]]

ASK = (
    "Start **{title}** over? A new one of the same kind begins with its first mission, with the same "
    "mode and options{people}."
)
ABANDONS = (
    "The one under way, with {points} after {played}, is kept as abandoned and cannot be taken up "
    "again."
)
STAYS = "The old one stays in `/campaign list` as it is."
OF_ITS_OWN = "The mission in {place} goes on as a game of its own."
GONE_ON = "The campaign has gone on since then, so I ask once more."
LEFT_OUT = "{names} {have} begun another one meanwhile, so {are} not in this one."


class Restarting:
    """Starting campaigns over.

    `begun` opens the first mission of a campaign here and tells of it, `already` says what can be done
    about a campaign that is in the way; both are those of `bot.campaigning`.
    """

    def __init__(self, campaigns: Campaigns, desk: Desk, begun: Begun, already: Already) -> None:
        self._campaigns = campaigns
        self._desk = desk
        self._begun = begun
        self._already = already

    async def ask(self, interaction: Interaction, campaign: str) -> None:
        """Ask whether a campaign is to be started over: the one named, else the one under way."""

        async def work() -> Letter:
            me = interaction.user.id
            if campaign:
                standing = await self._campaigns.get(campaign)
            else:
                standing = await self._campaigns.running(me)
            return await self._question(standing, me)

        await self._desk.answer(interaction, work)

    async def press(self, interaction: Interaction, press: Press) -> None:
        """The answer is yes; `press.version` is the mark of the standing that was shown."""

        async def work() -> Letter:
            me = interaction.user.id
            standing = await self._campaigns.get(press.session)
            may_restart(standing, me)
            if press.version != standing.mark:
                return await self._question(standing, me, GONE_ON)
            try:
                new = await self._campaigns.restart(standing.id, me, mark=press.version)
            except AlreadyRunning as other:
                return await self._already(other)
            return await self._begun(interaction, new.standing, left_out(new.left_out))

        way = Way.CHANGE if is_private(interaction) else Way.NEW
        await self._desk.answer(interaction, work, way)

    async def _question(self, standing: Standing, me: int, lead: str = "") -> Letter:
        """What will happen, and the button that does it. Raises `NotAllowed`."""
        may_restart(standing, me)
        view = self._campaigns.view(standing)
        others = [texts.plain(m.name) for m in standing.members if m.user_id != me]
        people = f", for {texts.listed(['you', *others])}" if others else ""
        lines = [lead, ASK.format(title=view.title, people=people)]
        if standing.running:
            lines.append(ABANDONS.format(points=points(view), played=missions(standing.played)))
        else:
            lines.append(STAYS)
        table = await self._campaigns.mission(standing)
        if table is not None:
            place = texts.place(table.channel_id, table.guild_id)
            lines.append(OF_ITS_OWN.format(place=place))
        yes = str(Press(standing.id, standing.mark, offers.CAMPAIGN_RESTARTED))
        told = "\n".join(line for line in lines if line)
        return note(told, button("Start over", yes, Style.danger))


def points(view: CampaignView) -> str:
    """What a campaign has come to so far."""
    return f"{view.total} of {view.most} points" if view.most else f"{view.total} points"


def missions(number: int) -> str:
    """So many missions."""
    return "1 mission" if number == 1 else f"{number} missions"


def left_out(people: Sequence[Member]) -> str:
    """Who of the old campaign is not in the new one, in a sentence; empty when everybody is."""
    if not people:
        return ""
    names = texts.listed([texts.plain(member.name) for member in people])
    one = len(people) == 1
    return LEFT_OUT.format(names=names, have="has" if one else "have", are="is" if one else "are")
