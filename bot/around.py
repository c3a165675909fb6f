"""What can be done around a table besides playing: open, look, read, take back, end."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, TypeAlias

import discord
from discord import app_commands

import renderer
from bot import texts
from bot.acknowledge import Way
from bot.custom_ids import Press
from bot.guide import help_letter
from bot.layout import Attached, Letter, Screen, Style, button, card, download, note, text
from bot.lobby import label_of
from bot.offers import ENDED, acting, seats_for
from bot.outbox import Outbox, Payload, put
from bot.panel import private
from bot.refusals import NotAllowed, NotYourSeat, Refused, TableOver, Unreadable
from bot.sessions import Table
from bot.store import Store
from bot.studio import Studio
from bot.threads import open_thread, remove_thread
from bot.turns import Turns, is_private
from bot.views import board_letter, hand_letter, opened_letter, text_letter
from games.kernel.game import Game, Setup
from games.kernel.view import ZoneBoard
from renderer.zone_layout import BOXES

Interaction: TypeAlias = discord.Interaction[Any]


class Around:
    """The table's own buttons and commands, for all games."""

    def __init__(self, turns: Turns, studio: Studio, outbox: Outbox, store: Store) -> None:
        self.turns = turns
        self._outbox = outbox
        self._store = store
        self.sessions = turns.sessions
        self.desk = turns.desk
        self.pictures = turns.pictures
        self._studio = studio

    async def table(self, interaction: Interaction, session: str | None) -> Table:
        """The table of a button, or (None) the one of the channel."""
        if session is None:
            return await self.turns.table_here(interaction)
        return await self.sessions.get(session)

    async def open(
        self,
        interaction: Interaction,
        slug: str,
        chosen: Mapping[str, str],
        *,
        thread: bool = False,
    ) -> None:
        """Open a table in the channel, or in a new thread of it."""

        async def work() -> Letter:
            channel = interaction.channel_id
            if channel is None or not can_post(interaction):
                raise Refused(texts.CANNOT_POST)
            made = None
            if thread:
                game, setup = self.sessions.check(slug, chosen)
                made = await open_thread(interaction, _thread_title(game, setup))
                channel = made.id
            try:
                table = await self._open(interaction, slug, chosen, channel)
            except Exception:
                if made is not None:
                    await remove_thread(made)
                raise
            trouble = await self._outbox.flush(table.id)
            return opened_letter(await self.sessions.get(table.id), trouble)

        await self.desk.answer(interaction, work)

    async def _open(
        self, interaction: Interaction, slug: str, chosen: Mapping[str, str], channel: int
    ) -> Table:
        return await self.sessions.open(
            game=slug,
            chosen=chosen,
            guild_id=interaction.guild_id,
            channel_id=channel,
            user_id=interaction.user.id,
            user_name=interaction.user.display_name,
            interaction_id=interaction.id,
        )

    async def help(self, interaction: Interaction, session: str | None, topic: str = "") -> None:
        """Help, in a private message."""

        async def work() -> Letter:
            table = None
            with suppress(Refused):
                table = await self.table(interaction, session)
            names = commands_of(interaction)
            return help_letter(self.sessions.registry, topic, table, interaction.user.id, names)

        await self.desk.answer(interaction, work, _new_or_change(interaction))

    async def more(self, interaction: Interaction, press: Press) -> None:
        """Every verb on offer, in a private message."""

        async def work() -> Letter:
            table = await self.sessions.get(press.session)
            if not table.over:
                seats_for(table, interaction.user.id, press.verb)
            return private(table, interaction.user.id, more=True)

        await self.desk.answer(interaction, work, _new_or_change(interaction))

    async def board(self, interaction: Interaction, session: str | None = None) -> None:
        """The whole map, as the user may see it, in a private message."""

        async def work() -> Letter:
            table = await self.table(interaction, session)
            seat = eyes(table, interaction.user.id)
            return board_letter(table, await self.pictures.of_board(table, seat))

        await self.desk.answer(interaction, work)

    async def hand(self, interaction: Interaction, session: str | None = None) -> None:
        """The user's own cards, in a private message."""

        async def work() -> Letter:
            table = await self.table(interaction, session)
            seat = _own_eyes(table, interaction.user.id)
            view = table.view(seat)
            return hand_letter(view, await self.pictures.of_hand(view))

        await self.desk.answer(interaction, work)

    async def odds(self, interaction: Interaction, session: str | None = None) -> None:
        """The odds of what the user may do now, in a private message."""

        async def work() -> Letter:
            table = await self.table(interaction, session)
            seat = _own_eyes(table, interaction.user.id)
            told = table.game.reading_aid(table.state, seat)
            return note(f"### The odds\n{told}" if told else texts.NO_ODDS)

        await self.desk.answer(interaction, work)

    async def zoom(self, interaction: Interaction, cell: str) -> None:
        """The map around a square, or around a unit."""

        async def work() -> Letter:
            table = await self.turns.table_here(interaction)
            seat = eyes(table, interaction.user.id)
            name = find_cell(table, seat, cell)
            images = await self.pictures.of_cells(table, seat, neighbours(name))
            return board_letter(table, images, f"### Around {name}")

        await self.desk.answer(interaction, work)

    async def in_words(self, interaction: Interaction) -> None:
        """The board in words."""

        async def work() -> Letter:
            table = await self.turns.table_here(interaction)
            view = table.view(eyes(table, interaction.user.id))
            return text_letter(await self._studio.make(renderer.text_board, view))

        await self.desk.answer(interaction, work)

    async def end(self, interaction: Interaction, session: str | None, *, sure: bool) -> None:
        """End the game before its time: the host or a moderator, after a question."""

        async def work() -> Letter:
            moderator = moderates(interaction)
            session_id = session
            if session_id is None and interaction.channel_id is not None:
                # By its id, because a game that cannot be read must be endable too.
                session_id = await self.sessions.id_in_channel(interaction.channel_id)
            if session_id is None:
                raise Refused(self.turns.no_table())
            if sure:
                acted = await self.sessions.end(
                    session_id,
                    interaction.user.id,
                    moderator=moderator,
                    interaction_id=interaction.id,
                    user_name=interaction.user.display_name,
                )
                return note(texts.ENDED.format(slug=acted.table.slug))
            return await self._ask_end(interaction, session_id, moderator)

        await self.desk.answer(interaction, work, Way.CHANGE if sure else Way.NEW)

    async def _ask_end(self, interaction: Interaction, session_id: str, moderator: bool) -> Letter:
        try:
            table = await self.sessions.get(session_id)
        except Unreadable as damaged:
            told = f"{damaged.sentence}\n{texts.REALLY_END}"
        else:
            if table.over:
                raise TableOver(table)
            if not moderator and interaction.user.id != table.host_id:
                raise NotAllowed(texts.NOT_HOST.format(host=table.host_id))
            told = texts.REALLY_END
        yes = Press(session_id, 0, ENDED)
        return note(told, button("End the game", str(yes), Style.danger))

    async def verify(self, interaction: Interaction) -> None:
        """The file with which anybody can check the dice, and how."""

        async def work() -> Letter:
            table = await self.turns.table_here(interaction)
            proof = await self.sessions.proof(table.id)
            raw = json.dumps(proof, indent=1).encode()
            told = texts.VERIFY.format(id=table.id, commitment=table.commitment)
            attached = Attached(f"fieldpost-{table.id}.json", raw)
            return Letter(Screen(card(text(told), download(attached.name))), (), (attached,))

        await self.desk.answer(interaction, work)

    async def salt(self, interaction: Interaction, words: str) -> None:
        """Add words to the dice."""

        async def work() -> Letter:
            table = await self.turns.table_here(interaction)
            await self.sessions.salt(
                table.id,
                interaction.user.id,
                interaction.user.display_name,
                words,
                interaction_id=interaction.id,
            )
            return note(texts.SALTED)

        await self.desk.answer(interaction, work)

    async def panel(self, interaction: Interaction) -> None:
        """Post the panel again, because it scrolled away or was deleted."""

        async def work() -> Letter:
            table = await self.turns.table_here(interaction)
            if not table.seats_of(interaction.user.id) and not moderates(interaction):
                raise NotAllowed(texts.NOT_YOURS_TO_REPOST)
            trouble = await self.repost(table)
            if trouble:
                raise Refused(trouble)
            again = await self.sessions.get(table.id)
            return private(again, interaction.user.id, "The board is posted again.", linked=True)

        await self.desk.answer(interaction, work)

    async def repost(self, table: Table) -> str:
        """Post a table's panel anew: `""`, or the sentence that says what hinders it."""
        last = await self.sessions.history(table.id, after=table.version - 1, limit=1)
        events = last[0].events if last else ()
        now = int(discord.utils.utcnow().timestamp())
        async with self._store.write() as connection:
            await put(connection, table.id, table.version, "panel", Payload("repost", events), now)
        return await self._outbox.flush(table.id)


def _thread_title(game: Game[Any], setup: Setup) -> str:
    """What tells one thread from the next comes first: lists of threads are cut on a phone."""
    fields = {field.name: field for field in game.setup_fields()}
    chosen = (("mission", setup.mission), ("mode", setup.mode))
    labels = [label_of(fields[name], value) for name, value in chosen if name in fields]
    return " · ".join([*(label for label in labels if label), game.title])


def commands_of(interaction: Interaction) -> list[str]:
    """The names of all slash commands, without their slash."""
    tree = interaction.client.tree
    every = tree.walk_commands(type=discord.AppCommandType.chat_input)
    return [one.qualified_name for one in every if isinstance(one, app_commands.Command)]


def can_post(interaction: Interaction) -> bool:
    """Whether the bot itself is in the channel; where only its commands are, it cannot post."""
    return interaction.is_guild_integration() or not interaction.is_user_integration()


def eyes(table: Table, user_id: int) -> str | None:
    """The seat through whose eyes a user sees a table: one that must act before the others."""
    return next(iter((*acting(table, user_id), *table.seats_of(user_id))), None)


def _own_eyes(table: Table, user_id: int) -> str:
    """The seat of a user, for what only a seat may see. Raises `NotYourSeat`."""
    seat = eyes(table, user_id)
    if seat is None or table.lobby:
        raise NotYourSeat(texts.STRANGER)
    return seat


def moderates(interaction: Interaction) -> bool:
    """Whether somebody may end other people's games here."""
    rights = interaction.permissions
    return interaction.guild_id is not None and (rights.manage_guild or rights.manage_messages)


def find_cell(table: Table, seat: str | None, typed: str) -> str:
    """The square that somebody means: its name in any case, or a unit on it. Raises `Refused`."""
    board = table.view(seat).board
    wanted = typed.strip().casefold()
    for token in board.tokens:
        if wanted in (token.id.casefold(), token.name.casefold()) and token.cell:
            return token.cell
    for name in cells_of(table, seat):
        if name.casefold() == wanted:
            return name
    raise Refused(texts.NO_CELL.format(cell=texts.plain(texts.clip(typed, 40))))


def cells_of(table: Table, seat: str | None) -> list[str]:
    """All squares of the board in reading order, or the boxes of its zones."""
    board = table.view(seat).board
    if isinstance(board, ZoneBoard):
        return [f"{place.number}:{box}" for place in board.places for box in BOXES]
    size = board.map
    return [f"{column(x)}{y + 1}" for y in range(size.height) for x in range(size.width)]


def column(x: int) -> str:
    """Letters of a column, counted from 0."""
    name = ""
    x += 1
    while x:
        x, rest = divmod(x - 1, 26)
        name = chr(65 + rest) + name
    return name


def neighbours(name: str, reach: int = 3) -> tuple[str, ...]:
    """A square and the corners of the window around it; a zone's box stands alone."""
    if ":" in name:
        return (name,)
    letters = name.rstrip("0123456789")
    x = 0
    for char in letters:
        x = x * 26 + ord(char) - 64
    y = int(name[len(letters) :])
    first = f"{column(max(0, x - 1 - reach))}{max(1, y - reach)}"
    last = f"{column(x - 1 + reach)}{y + reach}"
    return (name, first, last)


def _new_or_change(interaction: Interaction) -> Way:
    return Way.CHANGE if is_private(interaction) else Way.NEW
