"""Campaigns and service records as people meet them: private letters, buttons, pictures."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import discord

from bot import chosen, offers, texts
from bot.acknowledge import Desk, Way
from bot.campaign_rows import Standing
from bot.campaigns import OVER, AlreadyRunning, Campaigns, UnderWay, must_be_member
from bot.custom_ids import Press
from bot.layout import (
    AMBER,
    GREY,
    Image,
    Item,
    Letter,
    Screen,
    Style,
    button,
    card,
    gallery,
    link,
    message_url,
    note,
    rows,
    text,
)
from bot.outbox import Outbox
from bot.records import field_titles, games_of, service_record
from bot.refusals import Refused
from bot.restarting import OF_ITS_OWN, Restarting, missions, points
from bot.sessions import Table
from bot.statistics import NOT_HERE
from bot.store import Store
from bot.studio import Studio
from bot.totals import EVERYWHERE
from bot.turns import is_private
from bot.views import opened_letter
from games.kernel.campaign import CampaignView
from games.kernel.service import Service
from games.registry import GameUnavailable
from renderer import Picture
from renderer.campaign import campaign_alt, campaign_log
from renderer.record import service_alt
from renderer.record import service_record as draw_service

log = logging.getLogger(__name__)

Interaction: TypeAlias = discord.Interaction[Any]
Person: TypeAlias = discord.User | discord.Member

LOG, RECORD = "campaign.png", "record.png"
MOST_LISTED = 20
MOST_MENUS, MOST_ANSWERS = 5, 25

GONE_ON = "The campaign has gone on since then. Here is how it stands now."
BEFORE = "Before the next mission there is something you may do. “Next mission” goes on without it."

NOTHING_YET = "{whose} no campaign yet. `/campaign start` begins one."
NO_RECORD = "{whose} no finished game of {title} yet that counts. `/{slug} new` opens a table."
NO_RECORDS = "{whose} no finished game yet that counts. `/boots new` opens a table."
BEGUN = "The campaign has begun: its first mission is open in this channel."
BEGUN_BUT = "**{title}** has begun, but its first mission is not open yet. {why}"
ABANDON = "Abandon **{title}**, which has {points} after {played}? It cannot be taken up again."
FOR_ALL = "It ends for everybody: {names}."
LEAVE = "Leave **{title}**? It goes on for the others; you can only watch."
ABANDONED = "**{title}** is abandoned. `/campaign start` begins another."
LEFT = "You have left **{title}**. `/campaign start` begins one of your own."


class Campaigning:
    """What people do with campaigns, by command and by button."""

    def __init__(
        self,
        client: discord.Client,
        campaigns: Campaigns,
        store: Store,
        desk: Desk,
        studio: Studio,
        outbox: Outbox,
    ) -> None:
        self.campaigns = campaigns
        self._client = client
        self._store = store
        self._desk = desk
        self._studio = studio
        self._outbox = outbox
        self.restarting = Restarting(campaigns, desk, self._begun, self._already)

    async def press(self, interaction: Interaction, press: Press, values: Sequence[str]) -> None:
        """One of our buttons or menus; the campaign is in the place of the session."""
        match press.verb:
            case offers.CAMPAIGN_NEXT:
                await self.next(interaction, press.session, pressed=True)
            case offers.CAMPAIGN_SHOW:
                await self.show(interaction, press.session)
            case offers.CAMPAIGN_RESTARTED:
                await self.restarting.press(interaction, press)
            case offers.CAMPAIGN_ERRAND:
                await self._errand(interaction, press, "".join(values))
            case _:
                sure = press.verb == offers.CAMPAIGN_DROPPED
                await self.abandon(interaction, press.session, sure=sure)

    # --- campaigns ---

    async def start(
        self, interaction: Interaction, game: str, mode: str, options: str = ""
    ) -> None:
        """Begin a campaign and open its first mission here."""

        async def work() -> Letter | None:
            slug, _, kind = game.partition("/")
            user = interaction.user
            try:
                standing = await self.campaigns.start(
                    slug,
                    kind,
                    mode,
                    user_id=user.id,
                    user_name=user.display_name,
                    options=chosen.read(self.campaigns.series(slug, kind), mode, options),
                )
            except AlreadyRunning as other:
                return await self._already(other)
            return await self._begun(interaction, standing)

        await self._desk.answer(interaction, work)

    async def next(
        self, interaction: Interaction, campaign: str = "", *, pressed: bool = False
    ) -> None:
        """Open the next mission here; the way to it when it is under way."""
        public = pressed and not is_private(interaction)

        async def work() -> Letter | None:
            standing = await self._mine(interaction, campaign)
            me = interaction.user.id
            if public and standing.has(me) and await self.campaigns.errands(standing):
                return await self._log(standing, me, BEFORE)
            try:
                letter = await self._open(interaction, standing)
            except UnderWay as there:
                return note(there.sentence, *_way_to(there.table))
            return None if public and letter is _QUIET else letter

        way = Way.QUIET if public else Way.CHANGE if pressed else Way.NEW
        await self._desk.answer(interaction, work, way)

    async def gear(self, interaction: Interaction, what: str, campaign: str) -> None:
        """Do something before the next mission by command; without saying what, see what there is."""

        async def work() -> Letter:
            me = interaction.user.id
            standing = await self._mine(interaction, campaign)
            must_be_member(standing, me)
            if (table := await self.campaigns.mission(standing)) is not None:
                return note(UnderWay(table).sentence, *_way_to(table))
            errands = await self.campaigns.errands(standing)
            if not what:
                return await self._log(standing, me, "" if errands else chosen.NO_ERRAND)
            found = next((e for e in chosen.errands(errands) if e.means(what)), None)
            name, value = (found.name, found.option.value) if found else chosen.typed(errands, what)
            done = await self.campaigns.run(standing.id, me, name, value, mark=standing.mark)
            label = texts.plain(found.option.label) if found else texts.quoted(what)
            return await self._log(done, me, f"{found.title if found else name}: {label}.")

        await self._desk.answer(interaction, work)

    async def suggest_gear(
        self, user_id: int, campaign: str, current: str
    ) -> list[tuple[str, str]]:
        """What may be done before the next mission."""
        if campaign:
            standing = await self.campaigns.get(campaign)
        else:
            standing = await self.campaigns.running(user_id)
        if not standing.has(user_id):
            return []
        errands = chosen.errands(await self.campaigns.errands(standing))
        wanted = current.strip().casefold()
        return [(e.label, e.key) for e in errands if wanted in e.label.casefold()][:25]

    async def _errand(self, interaction: Interaction, press: Press, value: str) -> None:
        """The answer to an errand was chosen in the menu of a campaign’s log."""

        async def work() -> Letter:
            me = interaction.user.id
            standing = await self.campaigns.get(press.session)
            errand = dict(enumerate(await self.campaigns.errands(standing))).get(press.seat or 0)
            if errand is None or press.version != standing.mark:
                return await self._log(standing, me, GONE_ON)
            label = next((o.label for o in errand.options if o.value == value), value)
            done = await self.campaigns.run(standing.id, me, errand.name, value, mark=press.version)
            return await self._log(done, me, f"{errand.label}: {texts.plain(label)}.")

        way = Way.CHANGE if is_private(interaction) else Way.NEW
        await self._desk.answer(interaction, work, way)

    async def show(
        self, interaction: Interaction, campaign: str = "", user: Person | None = None
    ) -> None:
        """A campaign’s log: the one named, else somebody’s latest."""

        async def work() -> Letter:
            who = user or interaction.user
            if campaign:
                return await self._log(await self.campaigns.get(campaign), interaction.user.id)
            found = await self.campaigns.of_user(who.id)
            if not found:
                raise Refused(NOTHING_YET.format(whose=_whose(interaction, who)))
            standing = await self.campaigns.get(found[0].id)
            return await self._log(standing, interaction.user.id)

        await self._desk.answer(interaction, work)

    async def list(self, interaction: Interaction, user: Person | None) -> None:
        """All campaigns of somebody, a line each."""

        async def work() -> Letter:
            who = user or interaction.user
            found = await self.campaigns.of_user(who.id)
            if not found:
                raise Refused(NOTHING_YET.format(whose=_whose(interaction, who)))
            lines = [await self._line(standing) for standing in found[:MOST_LISTED]]
            if len(found) > MOST_LISTED:
                lines.append(f"-# … and {len(found) - MOST_LISTED} older ones.")
            title = "Your campaigns" if who == interaction.user else f"Campaigns of {_name(who)}"
            return note("\n".join([f"### {title}", *lines]))

        await self._desk.answer(interaction, work)

    async def abandon(self, interaction: Interaction, campaign: str, *, sure: bool) -> None:
        """Ask whether a campaign is to be given up; `sure` gives it up."""
        me = interaction.user.id

        async def work() -> Letter:
            standing = await self._mine(interaction, campaign)
            title = self.campaigns.view(standing).title
            if sure:
                await self.campaigns.abandon(standing.id, me)
                told = ABANDONED if standing.host_id == me else LEFT
                return note(told.format(title=title), colour=GREY)
            must_be_member(standing, me)
            if not standing.running:
                raise Refused(OVER)
            yes = str(Press(standing.id, 0, offers.CAMPAIGN_DROPPED))
            label = "Abandon it" if standing.host_id == me else "Leave it"
            return note(await self._question(standing, me), button(label, yes, Style.danger))

        way = Way.CHANGE if sure and is_private(interaction) else Way.NEW
        await self._desk.answer(interaction, work, way)

    async def suggest(self, user_id: int, current: str) -> list[tuple[str, str]]:
        """Label and id of a user’s campaigns."""
        wanted = current.strip().casefold()
        found: list[tuple[str, str]] = []
        for standing in await self.campaigns.of_user(user_id):
            try:
                view = self.campaigns.view(standing)
                title = self.campaigns.game(standing.game).title
            except Refused:
                continue
            state = view.next if standing.running else standing.status
            label = texts.clip(f"{view.title} · {title} · {points(view)} · {state}", 100)
            if wanted in label.casefold():
                found.append((label, standing.id))
        return found[:25]

    def series(self) -> dict[str, str]:
        """Every series of every game: `game/kind` with its title."""
        found: dict[str, str] = {}
        for slug in self.campaigns.registry.slugs():
            try:
                game = self.campaigns.registry.newest(slug)
            except GameUnavailable:
                continue
            for kind, series in game.campaigns().items():
                found[f"{slug}/{kind}"] = f"{game.title}: {series.title}"
        return found

    def modes(self, game: str) -> dict[str, str]:
        """The modes in which a series (`game/kind` or `game`) is played, with their titles."""
        slug, _, kind = game.partition("/")
        titles = field_titles(self.campaigns.game(slug)).get("mode", {})
        return {m: titles.get(m, m) for m in self.campaigns.series(slug, kind).modes}

    def suggest_options(self, game: str, mode: str, current: str) -> list[tuple[str, str]]:
        """Lists of options for the start of a series (`game/kind` or `game`)."""
        slug, _, kind = game.partition("/")
        try:
            series = self.campaigns.series(slug, kind)
            return chosen.suggest(series, mode, current)
        except Refused:
            return []

    async def _mine(self, interaction: Interaction, campaign: str) -> Standing:
        if campaign:
            return await self.campaigns.get(campaign)
        return await self.campaigns.running(interaction.user.id)

    async def _open(self, interaction: Interaction, standing: Standing) -> Letter:
        """Open the next mission. Raises what `Campaigns.next` raises."""
        channel = interaction.channel_id
        if channel is None or not _can_post(interaction):
            raise Refused(texts.CANNOT_POST)
        table = await self.campaigns.next(
            standing.id,
            guild_id=interaction.guild_id,
            channel_id=channel,
            user_id=interaction.user.id,
            user_name=interaction.user.display_name,
            interaction_id=interaction.id,
            gone=self._gone,
        )
        trouble = await self._outbox.flush(table.id)
        if not trouble and interaction.message is not None and not is_private(interaction):
            return _QUIET  # the new board stands right below the button
        return opened_letter(await self.campaigns.sessions.get(table.id), trouble)

    async def _begun(self, interaction: Interaction, standing: Standing, lead: str = "") -> Letter:
        """Open the first mission of a new campaign; `lead` is said besides."""
        try:
            letter = await self._open(interaction, standing)
        except Refused as refused:
            title = self.campaigns.view(standing).title
            told = BEGUN_BUT.format(title=title, why=refused.sentence)
            buttons = self._buttons(standing, None, interaction.user.id)
            return note(f"{told}\n{lead}".strip(), *buttons)
        return note(f"{BEGUN}\n{lead}") if lead else letter

    async def _gone(self, table: Table) -> bool:
        """Whether a table’s channel does not exist any more, or is closed to us."""
        if table.trouble == texts.GONE_CHANNEL:
            return True
        try:
            await self._client.fetch_channel(table.channel_id)
        except (discord.NotFound, discord.Forbidden):
            return True
        except (discord.HTTPException, discord.InvalidData):
            return False
        return False

    async def _already(self, other: AlreadyRunning) -> Letter:
        """The refusal of a second start, with what can be done about it."""
        show = button("Show it", str(Press(other.standing.id, 0, offers.CAMPAIGN_SHOW)))
        drop = button(
            "Abandon it…", str(Press(other.standing.id, 0, offers.CAMPAIGN_DROP)), Style.danger
        )
        table = await self.campaigns.mission(other.standing)
        go = _way_to(table) if table is not None else [_next_button(other.standing)]
        return note(other.sentence, *go, show, drop)

    async def _question(self, standing: Standing, me: int) -> str:
        view = self.campaigns.view(standing)
        if standing.host_id != me:
            return LEAVE.format(title=view.title)
        played = missions(standing.played)
        lines = [ABANDON.format(title=view.title, points=points(view), played=played)]
        others = [texts.plain(m.name) for m in standing.members if m.user_id != me]
        if others:
            lines.append(FOR_ALL.format(names=texts.listed(["you", *others])))
        table = await self.campaigns.mission(standing)
        if table is not None:
            place = texts.place(table.channel_id, table.guild_id)
            lines.append(OF_ITS_OWN.format(place=place))
        return "\n".join(lines)

    async def _log(self, standing: Standing, viewer: int, lead: str = "") -> Letter:
        view = self.campaigns.view(standing)
        game = self.campaigns.game(standing.game)
        mode = field_titles(game).get("mode", {}).get(standing.mode, standing.mode)
        images = await self._drawn(LOG, lambda: campaign_log(view, mode))
        table = await self.campaigns.mission(standing)
        lines = [lead, f"### {view.title} · {game.title}", _state(standing, view, table)]
        names = [texts.plain(member.name) for member in standing.members]
        lines.append(f"-# {texts.listed(names)}" if names else "")
        if not images:
            lines.append(texts.plain(campaign_alt(view, mode)))
        buttons = self._buttons(standing, table, viewer)
        menus = await self._menus(standing) if standing.has(viewer) else []
        items = [text("\n".join(line for line in lines if line)), *gallery(images)]
        items += [*menus, *rows(buttons)]
        colour = AMBER if standing.running else GREY
        return Letter(Screen(card(*items, colour=colour)), images)

    async def _menus(self, standing: Standing) -> list[Item]:
        """A menu for everything that may be done before the next mission."""
        return [
            discord.ui.ActionRow(
                discord.ui.Select[Any](
                    custom_id=str(Press(standing.id, standing.mark, offers.CAMPAIGN_ERRAND, n)),
                    placeholder=texts.clip(f"{errand.label}: {errand.prompt}", 150),
                    options=[
                        discord.SelectOption(
                            label=texts.clip(option.label, 100),
                            value=option.value,
                            description=texts.clip(option.note, 100) or None,
                        )
                        for option in errand.options[:MOST_ANSWERS]
                    ],
                )
            )
            for n, errand in enumerate((await self.campaigns.errands(standing))[:MOST_MENUS])
            if errand.options
        ]

    def _buttons(
        self, standing: Standing, table: Table | None, viewer: int
    ) -> list[discord.ui.Button[Any]]:
        """What a viewer may do with a campaign."""
        if not standing.running:
            return []
        if table is not None:
            return _way_to(table)
        return [_next_button(standing)] if standing.has(viewer) else []

    async def _line(self, standing: Standing) -> str:
        try:
            view = self.campaigns.view(standing)
            title = self.campaigns.game(standing.game).title
            table = await self.campaigns.mission(standing)
        except Refused as refused:
            return f"- {refused.sentence}"
        state = _state(standing, view, table)
        return f"- **{view.title}** · {title} · <t:{standing.updated}:d>\n  {state}"

    # --- the service record ---

    async def record(self, interaction: Interaction, user: Person | None, game: str) -> None:
        """Somebody’s service record in a game: the one named, else the one played last."""

        async def work() -> Letter:
            who = user or interaction.user
            place = EVERYWHERE if who == interaction.user else interaction.guild_id
            if place is None:
                raise Refused(NOT_HERE.format(name=texts.plain(who.display_name)))
            slug = game
            if not slug:
                played = await games_of(self._store, who.id, place)
                if not played:
                    raise Refused(NO_RECORDS.format(whose=_whose(interaction, who)))
                slug = played[0]
            found = self.campaigns.game(slug)
            service = await service_record(self._store, found, who.id, place)
            if not service.played:
                whose = _whose(interaction, who)
                raise Refused(NO_RECORD.format(whose=whose, title=found.title, slug=slug))
            return await self._service(service, who, interaction)

        await self._desk.answer(interaction, work)

    async def _service(self, service: Service, who: Person, interaction: Interaction) -> Letter:
        images = await self._drawn(RECORD, lambda: draw_service(service))
        title = "Your record" if who == interaction.user else f"The record of {_name(who)}"
        told = f"### {title} · {service.title}\n{service.played} played, {service.won} won."
        if not images:
            told = f"{told}\n{texts.plain(service_alt(service))}"
        return Letter(Screen(card(text(told), *gallery(images))), images)

    async def _drawn(self, name: str, work: Callable[[], Picture]) -> tuple[Image, ...]:
        """A picture; nothing if it cannot be drawn."""
        try:
            picture = await self._studio.make(work)
        except Exception:
            log.exception("a picture (%s) could not be drawn", name)
            return ()
        return (Image(name, picture.png, picture.alt),)


_QUIET = note("The next mission is open.")
"""Stands for having nothing to say besides the new board."""


def _can_post(interaction: Interaction) -> bool:
    """Whether the bot itself is in the channel; where only its commands are, it cannot post."""
    return interaction.is_guild_integration() or not interaction.is_user_integration()


def _next_button(standing: Standing) -> discord.ui.Button[Any]:
    label = "Next mission" if standing.played else "First mission"
    return button(label, str(Press(standing.id, 0, offers.CAMPAIGN_NEXT)), Style.primary)


def _way_to(table: Table) -> list[discord.ui.Button[Any]]:
    if table.panel_message_id is None:
        return []
    url = message_url(table.guild_id, table.channel_id, table.panel_message_id)
    return [link("Go to the board", url)]


def _state(standing: Standing, view: CampaignView, table: Table | None) -> str:
    """How a campaign stands, in a line."""
    match standing.status:
        case "ended":
            return f"Over with {points(view)}: **{view.rating}**."
        case "abandoned":
            return f"Abandoned with {points(view)}."
        case _ if table is not None:
            place = texts.place(table.channel_id, table.guild_id)
            return f"{points(view)} so far. {view.next} is under way in {place}."
        case _:
            return f"{points(view)} so far. Next: {view.next}."


def _name(who: Person) -> str:
    return texts.plain(who.display_name)


def _whose(interaction: Interaction, who: Person) -> str:
    """The beginning of a sentence about what somebody has."""
    return "You have" if who == interaction.user else f"{_name(who)} has"
