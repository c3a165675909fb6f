"""`/deck`: what people ask of decks, by command and by button, and how it is answered."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Any, TypeAlias

import discord

from bot import texts
from bot.acknowledge import Desk, Way
from bot.around import moderates
from bot.custom_ids import Press
from bot.layout import GREY, Image, Letter, note
from bot.members import WhyNot, check_reach
from bot.parlour import decks_letters as letters
from bot.parlour.decks import Decks
from bot.parlour.decks_model import LONGEST_NAME, Happened, Request, Standing, suggest_cards
from bot.refusals import Refused
from bot.saves import NOT_FETCHED
from bot.studio import Studio
from games.kernel.cards import CardKind, DeckList
from games.kernel.view import CardFace
from games.parlour.deck import in_order, seen
from games.parlour.deck_file import MOST_BYTES, TOO_LARGE, cleaned, folded, read_list
from games.parlour.deck_standard import STANDARD, WITH_JOKERS
from games.registry import GameUnavailable, Registry
from renderer.playing_cards import MOST as MOST_DRAWN
from renderer.playing_cards import spread

log = logging.getLogger(__name__)

Interaction: TypeAlias = discord.Interaction[Any]
Person: TypeAlias = discord.User | discord.Member

PICTURE = "cards{n}.png"
MOST_PICTURES = 3
"""Pictures of a hand; what does not fit into them is in the words."""

MOST_TOLD = 4
OWN_LIST = "Cards of their own"
NO_CHANNEL = "Decks belong to a channel. Please use this command in one."
NO_SOURCE = "I know no cards called “{typed}”. Choose from the list that `source` offers."
TWO_SOURCES = "Choose either `source` or `file`, not both."
NO_CARDS = WhyNot(
    "Bots hold no cards. Choose a person.",
    "<@{user}> is not in this server, so could not play these cards. Choose somebody who is.",
    "<@{user}> cannot see this channel, so could not play these cards. Let them in first.",
)
OTHERS_HAND = "-# Whoever got them sees them with `/deck hand`."


class Decking:
    """Answers everything about decks."""

    def __init__(self, decks: Decks, desk: Desk, studio: Studio, registry: Registry) -> None:
        self._decks = decks
        self._desk = desk
        self._studio = studio
        self._registry = registry

    async def press(
        self, interaction: Interaction, press: Press, values: Sequence[str] = ()
    ) -> None:
        """One of our buttons or menus; the deck is in the place of the session."""
        wanted = self._wanted(interaction, deck_id=press.session)
        since = replace(wanted, since=press.version)
        match press.verb:
            case letters.DRAW:
                await self._draw(interaction, since, 1, "table")
            case letters.TAKE:
                await self._draw(interaction, since, 1, "hand")
            case letters.CLEAR:
                step = self._decks.discard(replace(since, exact=True), "all", "table")
                await self._openly(interaction, step)
            case letters.SHUFFLE:
                step = self._decks.shuffle(replace(since, exact=True), "discard")
                await self._openly(interaction, step)
            case letters.PLAY:
                step = self._decks.play(since, _cards(values))
                await self._openly(interaction, step, "plays", held=True)
            case letters.TOSS:
                step = self._decks.discard(since, _cards(values), "hand")
                await self._openly(interaction, step, "discards", held=True)
            case letters.REMOVED:
                await self._openly(interaction, self._decks.remove(wanted), gone=True)
            case _:
                await self._hand(interaction, wanted)

    # --- commands ---

    async def make(
        self, interaction: Interaction, source: str, name: str, file: discord.Attachment | None
    ) -> None:
        """A new deck from a known list or an uploaded one."""

        async def work() -> Letter:
            wanted = self._wanted(interaction)
            if file is not None and source:
                raise Refused(TWO_SOURCES)
            if file is not None:
                title, cards = await _uploaded(file)
                origin = OWN_LIST
            else:
                origin, listed = self._listed(source)
                title, cards = listed.title, listed.cards
            happened = await self._decks.make(wanted, name or title, origin, cards)
            return letters.public_letter(happened)

        await self._desk.answer(interaction, work, Way.OPEN)

    async def show_all(self, interaction: Interaction) -> None:
        """The decks of the channel, in private."""

        async def work() -> Letter:
            return letters.list_letter(await self._decks.here(_channel(interaction)))

        await self._desk.answer(interaction, work)

    async def show(self, interaction: Interaction, deck: str) -> None:
        """How a deck stands, in private."""

        async def work() -> Letter:
            now = await self._decks.get(self._wanted(interaction, deck))
            shown = seen(now.deck)
            table = shown.table[-MOST_DRAWN + 1 :]
            images = await self._drawn(
                letters.faces(table, now),
                now.name,
                _note(len(shown.table), "on the table"),
                pile=shown.left,
                more=len(shown.table) - len(table),
            )
            return letters.show_letter(now, await self._decks.told(now.id, MOST_TOLD), images)

        await self._desk.answer(interaction, work)

    async def draw(self, interaction: Interaction, number: int, to: str, deck: str) -> None:
        """Draw cards: to the table, the hand or the discard pile."""
        await self._draw(interaction, self._wanted(interaction, deck), number, to)

    async def hand(self, interaction: Interaction, deck: str) -> None:
        """One's own hand, in private."""
        await self._hand(interaction, self._wanted(interaction, deck))

    async def play(self, interaction: Interaction, cards: str, deck: str) -> None:
        """Cards from the hand to the table."""
        step = self._decks.play(self._wanted(interaction, deck), cards)
        await self._openly(interaction, step, "plays")

    async def discard(self, interaction: Interaction, cards: str, origin: str, deck: str) -> None:
        """Cards to the discard pile."""
        step = self._decks.discard(self._wanted(interaction, deck), cards, origin)
        await self._openly(interaction, step, "discards")

    async def give(self, interaction: Interaction, user: Person, cards: str, deck: str) -> None:
        """Cards to somebody else's hand."""

        async def step() -> Happened:
            may_hold(interaction, user)
            to = (user.id, user.display_name)
            return await self._decks.give(self._wanted(interaction, deck), cards, to)

        await self._openly(interaction, step(), lead=OTHERS_HAND, veiled=True)

    async def shuffle(self, interaction: Interaction, what: str, deck: str) -> None:
        """Cards back into the pile, in another order."""
        await self._openly(interaction, self._decks.shuffle(self._wanted(interaction, deck), what))

    async def put_back(
        self, interaction: Interaction, cards: str, origin: str, deck: str, *, top: bool
    ) -> None:
        """Cards back into the pile, on top or below."""
        wanted = self._wanted(interaction, deck)
        step = self._decks.put_back(wanted, cards, origin, top=top)
        await self._openly(interaction, step, veiled=origin != "table")

    async def peek(self, interaction: Interaction, number: int, deck: str) -> None:
        """Look at the next cards alone; that it was done is told to everybody."""

        async def work() -> Letter:
            happened = await self._decks.peek(self._wanted(interaction, deck), number)
            now = happened.standing
            order = "the first one is on top"
            images = await self._drawn(letters.faces(happened.own, now), "Next in the pile", order)
            aside = letters.peek_letter(now, happened.own, images)
            return letters.public_letter(happened, aside=aside)

        await self._desk.answer(interaction, work, Way.OPEN)

    async def remove(self, interaction: Interaction, deck: str) -> None:
        """Ask whether a deck is to be removed."""

        async def work() -> Letter:
            wanted = self._wanted(interaction, deck)
            return letters.removal_letter(await self._decks.check_removal(wanted))

        await self._desk.answer(interaction, work)

    async def proof(self, interaction: Interaction, deck: str) -> None:
        """The file that proves the draws, in private."""

        async def work() -> Letter:
            wanted = self._wanted(interaction, deck)
            now = await self._decks.get(wanted)
            return letters.proof_letter(now, await self._decks.proof(wanted))

        await self._desk.answer(interaction, work)

    # --- completing what is typed ---

    def sources(self) -> dict[str, tuple[str, DeckList]]:
        """The lists of cards that decks can be made from: a label and the list by key."""
        found = {one.id: (one.title, one) for one in (STANDARD, WITH_JOKERS)}
        for slug in self._registry.slugs():
            try:
                game = self._registry.newest(slug)
            except GameUnavailable:
                continue
            for one in game.decks():
                found[f"{slug}:{one.id}"] = (f"{game.title}: {one.title}", one)
        return found

    async def suggest_decks(self, interaction: Interaction, typed: str) -> list[str]:
        """The names of the channel's decks."""
        wanted = folded(typed)
        found = await self._decks.here(interaction.channel_id or 0)
        return [now.name for now in found if wanted in folded(now.name)]

    async def suggest(
        self, interaction: Interaction, typed: str, deck: str, origin: str
    ) -> list[tuple[str, str]]:
        """Cards of one's own hand or of the table, label and value."""
        try:
            now = await self._decks.get(self._wanted(interaction, deck))
        except Refused:
            return []
        hand = now.hand(interaction.user.id)
        place = now.deck.piles.table if origin == "table" or (not origin and not hand) else hand
        return suggest_cards(typed, place, now.kinds)

    # --- inside ---

    def _wanted(self, interaction: Interaction, deck: str = "", deck_id: str = "") -> Request:
        user = interaction.user
        return Request(
            channel_id=interaction.channel_id or 0,
            guild_id=interaction.guild_id,
            user_id=user.id,
            user_name=user.display_name,
            interaction_id=interaction.id,
            moderator=moderates(interaction),
            deck=deck,
            deck_id=deck_id,
        )

    def _listed(self, typed: str) -> tuple[str, DeckList]:
        """The list of cards that somebody means, with its label. Raises `Refused`."""
        wanted = typed.strip().casefold() or STANDARD.id
        for key, (label, listed) in self.sources().items():
            if wanted in (key, label.casefold()):
                return label, listed
        raise Refused(NO_SOURCE.format(typed=texts.quoted(typed)))

    async def _draw(self, interaction: Interaction, wanted: Request, number: int, to: str) -> None:
        step = self._decks.draw(wanted, number, to)
        if to != "hand":
            await self._openly(interaction, step, "draws")
            return

        async def work() -> Letter:
            happened = await step
            aside = await self._held(happened.standing, wanted.user_id)
            return letters.public_letter(happened, aside=aside)

        await self._desk.answer(interaction, work, Way.OPEN)

    async def _hand(self, interaction: Interaction, wanted: Request) -> None:
        async def work() -> Letter:
            return await self._held(await self._decks.get(wanted), wanted.user_id)

        await self._desk.answer(interaction, work)

    async def _held(self, now: Standing, user_id: int) -> Letter:
        """Somebody's hand, for that person alone."""
        hand = in_order(now.hand(user_id), now.kinds)
        grouped = letters.faces(hand, now, grouped=True)
        images: tuple[Image, ...] = ()
        for start in range(0, min(len(grouped), MOST_DRAWN * MOST_PICTURES), MOST_DRAWN):
            part = grouped[start : start + MOST_DRAWN]
            last = start + MOST_DRAWN >= MOST_DRAWN * MOST_PICTURES
            more = len(grouped) - start - len(part) if last else 0
            title = "Your hand" if not start else "Your hand, continued"
            images += await self._drawn(
                part, title, _note(len(hand), ""), more=more, number=len(images)
            )
        return letters.hand_letter(now, user_id, images)

    async def _openly(
        self,
        interaction: Interaction,
        step: Awaitable[Happened],
        verb: str = "",
        *,
        lead: str = "",
        held: bool = False,
        gone: bool = False,
        veiled: bool = False,
    ) -> None:
        """Do a step and tell everybody, with a picture of the cards if `verb` says what was done;
        `held` shows the actor what is left in hand, `gone` says that the deck is no more, `veiled`
        keeps the cards that were typed from everybody."""

        async def work() -> Letter:
            happened = await step
            if gone:
                return note(happened.line, colour=GREY)
            images: tuple[Image, ...] = ()
            told = lead
            if verb and happened.shown and _may_attach(interaction):
                now = happened.standing
                title = f"{interaction.user.display_name} {verb}"
                left = _note(now.deck.piles.left, "left in the pile")
                images = await self._drawn(letters.faces(happened.shown, now), title, left)
            elif verb and happened.shown:
                told = letters.NO_PICTURE
            me = interaction.user.id
            aside = await self._held(happened.standing, me) if held else None
            return letters.public_letter(happened, images, aside, told)

        await self._desk.answer(interaction, work, Way.VEILED if veiled else Way.OPEN)

    async def _drawn(
        self,
        faces: Sequence[CardFace],
        title: str,
        side: str,
        *,
        pile: int | None = None,
        more: int = 0,
        number: int = 0,
    ) -> tuple[Image, ...]:
        """A picture of cards; nothing if it cannot be drawn."""
        try:
            picture = await self._studio.make(spread, faces, title, side, pile=pile, more=more)
        except Exception:
            log.exception("cards could not be drawn")
            return ()
        name = PICTURE.format(n=number + 1 if number else "")
        return (Image(name, picture.png, picture.alt),)


async def _uploaded(file: discord.Attachment) -> tuple[str, tuple[CardKind, ...]]:
    """A name and the cards of an uploaded list. Raises `Refused` or `Illegal`."""
    if file.size > MOST_BYTES:
        raise Refused(TOO_LARGE)
    try:
        raw = await file.read()
    except discord.HTTPException as fault:
        raise Refused(NOT_FETCHED) from fault
    name, cards = read_list(raw)
    stem = PurePath(file.filename).stem.replace("_", " ")
    return texts.clip(cleaned(name) or cleaned(stem), LONGEST_NAME) or "Cards", cards


def _cards(values: Sequence[str]) -> str:
    """What was chosen in a menu, as it would be typed."""
    return ", ".join(f"#{value}" for value in values)


def _channel(interaction: Interaction) -> int:
    if interaction.channel_id is None:
        raise Refused(NO_CHANNEL)
    return interaction.channel_id


def may_hold(interaction: Interaction, user: Person) -> None:
    """Raise `Refused` for whoever would have no use for cards of this channel."""
    check_reach(interaction, user, NO_CARDS)


def _may_attach(interaction: Interaction) -> bool:
    return interaction.guild_id is None or interaction.app_permissions.attach_files


def _note(number: int, what: str) -> str:
    if not what:
        return "1 card" if number == 1 else f"{number} cards"
    return f"{number} {what}"
