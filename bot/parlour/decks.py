"""The decks of a channel: made, used, kept. It knows no Discord.

Every step is one transaction with its log row, and holds the deck's row from its beginning: of two
people who want the last card one gets it and the other is told.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import delete, insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot import texts
from bot.parlour import chance, decks_records
from bot.parlour.decks_model import (
    NO_HAND,
    NO_TABLE,
    NOT_IN_HAND,
    NOT_ON_TABLE,
    Drawn,
    Happened,
    Request,
    Standing,
    Told,
    counted,
    find_cards,
    named,
    pack,
    read_name,
)
from bot.parlour.decks_rows import (
    add_log,
    by_id,
    check_seen,
    find,
    not_twice,
    read_told,
    rows_of,
    save,
    whole,
)
from bot.refusals import Duplicate, NotAllowed, Refused
from bot.store import Store
from bot.store.parlour import deck_hands, deck_log, decks
from games.kernel.cards import CardKind
from games.kernel.entropy import Entropy, RecordedEntropy, ScriptedEntropy
from games.parlour import deck as rules
from games.parlour.deck_file import check_number, folded

MOST_DECKS = 10
"""Decks of a channel."""

TOO_MANY = (
    "There are {most} decks in this channel, and that is the most. `/deck remove` takes one away."
)
TAKEN = "There is a deck “{name}” in this channel already. Give the new one another `name`."
NOTHING_BACK = "There is nothing to shuffle back: no card lies there."
NOT_MAKER = "Only whoever made this deck, or a moderator, may {what}."
GATHER = "shuffle everybody's hands back"
REMOVE = "remove it"

DRAWING = {
    "table": "draws {what}",
    "hand": "draws {what} to their hand",
    "discard": "draws and discards {what}",
}
PLACES = {"hand": "their hand", "table": "the table"}
SHUFFLES = {
    "discard": (False, True, False, "shuffles the discard pile back in"),
    "table": (True, False, False, "shuffles the cards on the table back in"),
    "both": (True, True, False, "shuffles table and discard pile back in"),
    "pile": (False, False, False, "shuffles the pile"),
    "everything": (True, True, True, "shuffles all cards together, hands too"),
}
"""What may be shuffled: whether the table, the discard pile and all hands come back, and how it is told."""


@dataclass(frozen=True)
class Done:
    """What a step did, before it is saved."""

    text: str
    shown: Sequence[str] = ()
    own: Sequence[str] = ()
    to: tuple[int, str] = (0, "")


Step = Callable[[Standing, Entropy], Done]


class Decks:
    """All decks. Every method may raise `StoreBusy` or `StoreFull`, and `Refused` or `Illegal` with a
    sentence; then nothing has changed."""

    def __init__(self, store: Store, *, clock: Callable[[], int]) -> None:
        self._store = store
        self._clock = clock

    # --- looking ---

    async def here(self, channel_id: int) -> list[Standing]:
        """The decks of a channel, by name."""
        async with self._store.read() as connection:
            rows = await rows_of(connection, channel_id)
            return [await whole(connection, row) for row in rows]

    async def get(self, wanted: Request) -> Standing:
        """The deck that is meant. Raises `NoDeck`."""
        async with self._store.read() as connection:
            return await find(connection, wanted)

    async def told(self, deck_id: str, most: int) -> list[str]:
        """The last steps of a deck in words, the latest last."""
        column = deck_log.c
        chosen = select(column.name, column.told).where(column.deck_id == deck_id)
        async with self._store.read() as connection:
            found = await connection.execute(chosen.order_by(column.number.desc()).limit(most))
            return [read_told(row.told).line(row.name) for row in reversed(found.all())]

    # --- steps ---

    async def make(
        self, wanted: Request, name: str, source: str, cards: Sequence[CardKind]
    ) -> Happened:
        """A new deck, all its cards in the pile."""
        name = read_name(name)
        number = sum(card.copies for card in cards)
        check_number(number)
        made, now = rules.fresh(cards), self._clock()
        deck_id = secrets.token_hex(4)
        row = {
            "id": deck_id,
            "channel_id": wanted.channel_id,
            "guild_id": wanted.guild_id,
            "user_id": wanted.user_id,
            "name": name,
            "source": source[:64],
            "cards": pack(tuple(cards)),
            "state": pack(made.piles),
            "version": 1,
            "created": now,
            "updated": now,
        }
        many = "1 card" if number == 1 else f"{number:,} cards"
        what = many if source == name else f"{many} ({texts.plain(source)})"
        told = Told(f"makes the deck **{texts.plain(name)}**: {what}")
        try:
            async with self._store.write() as connection:
                await not_twice(connection, wanted)
                there = await rows_of(connection, wanted.channel_id)
                if len(there) >= MOST_DECKS:
                    raise Refused(TOO_MANY.format(most=MOST_DECKS))
                if any(folded(one.name) == folded(name) for one in there):
                    raise Refused(TAKEN.format(name=texts.plain(name)))
                await connection.execute(insert(decks).values(**row))
                await add_log(connection, deck_id, 1, wanted, "new", told, now)
                standing = await find(connection, by_id(wanted, deck_id))
        except IntegrityError as fault:
            async with self._store.read() as connection:
                await not_twice(connection, wanted)
            # Somebody else has made one of that name since we looked (PostgreSQL only).
            raise Refused(TAKEN.format(name=texts.plain(name))) from fault
        return Happened(standing, told.line(wanted.user_name))

    async def draw(self, wanted: Request, number: int, to: str) -> Happened:
        """Draw cards to the `table`, to the actor's `hand`, or to the `discard` pile."""

        def step(now: Standing, entropy: Entropy) -> Done:
            piles = now.deck.piles
            drawn = rules.draw(piles, number, entropy)
            if to == "hand":
                now.deck.hands.setdefault(wanted.user_id, []).extend(drawn)
                return Done(DRAWING[to].format(what=counted(number)), (), drawn)
            (piles.table if to == "table" else piles.discard).extend(drawn)
            return Done(DRAWING[to].format(what=named(drawn, now.kinds)), drawn)

        return await self._act(wanted, "draw", step, number)

    async def play(self, wanted: Request, typed: str) -> Happened:
        """Put cards from the actor's hand on the table."""

        def step(now: Standing, entropy: Entropy) -> Done:
            cards = _from_hand(now, wanted, typed)
            now.deck.piles.table += cards
            return Done(f"plays {named(cards, now.kinds)}", cards)

        return await self._act(wanted, "play", step)

    async def discard(self, wanted: Request, typed: str, origin: str) -> Happened:
        """Discard cards from the actor's `hand` or from the `table`; empty: the hand if there is one."""

        def step(now: Standing, entropy: Entropy) -> Done:
            place = _place(origin, now, wanted)
            cards = _from(place, now, wanted, typed)
            now.deck.piles.discard += cards
            return Done(f"discards {named(cards, now.kinds)} from {PLACES[place]}", cards)

        return await self._act(wanted, "discard", step)

    async def give(self, wanted: Request, typed: str, to: tuple[int, str]) -> Happened:
        """Give cards of the actor's hand to somebody else's; `to` is the user and the name."""

        def step(now: Standing, entropy: Entropy) -> Done:
            if to[0] == wanted.user_id:
                raise Refused("You hold these cards already. Choose somebody else to give them to.")
            cards = _from_hand(now, wanted, typed)
            now.deck.hands.setdefault(to[0], []).extend(cards)
            now.names[to[0]] = to[1]
            return Done(f"gives {counted(len(cards))} from their hand", (), cards, to)

        return await self._act(wanted, "give", step)

    async def put_back(self, wanted: Request, typed: str, origin: str, *, top: bool) -> Happened:
        """Put cards from the actor's `hand` or from the `table` on top of the pile or below it.

        Where nothing is said (`origin` empty), from the hand if there is one; then nobody is told which.
        """

        def step(now: Standing, entropy: Entropy) -> Done:
            place = _place(origin, now, wanted)
            cards = _from(place, now, wanted, typed)
            rules.put_back(now.deck.piles, cards, top=top)
            where = "on top of the pile" if top else "below the pile"
            if place == "hand":
                return Done(f"puts {counted(len(cards))} from their hand {where}", (), cards)
            return Done(f"puts {named(cards, now.kinds)} from the table {where}", cards)

        return await self._act(wanted, "return", step)

    async def peek(self, wanted: Request, number: int) -> Happened:
        """Look at the next cards; they stay where they are, and everybody is told that it was done."""

        def step(now: Standing, entropy: Entropy) -> Done:
            rules.decide(now.deck.piles, number, entropy)
            own = now.deck.piles.ahead[:number]
            what = "the next card" if number == 1 else f"the next {number} cards"
            return Done(f"looks at {what} of the pile", (), own)

        return await self._act(wanted, "peek", step, number)

    async def shuffle(self, wanted: Request, what: str) -> Happened:
        """Shuffle cards back into the pile: a name in `SHUFFLES`."""
        table, discard, hands, told = SHUFFLES[what]

        def step(now: Standing, entropy: Entropy) -> Done:
            if hands:
                _may(now, wanted, GATHER)
            back = rules.shuffle(now.deck, table=table, discard=discard, hands=hands)
            if not back and what not in ("pile", "everything"):
                raise Refused(NOTHING_BACK)
            came = f" ({counted(back)} came back)" if hands else f" ({counted(back)})"
            return Done(told + came if back else told)

        return await self._act(wanted, "gather" if hands else "shuffle", step)

    async def check_removal(self, wanted: Request) -> Standing:
        """The deck, if the actor may remove it. Raises `NotAllowed`."""
        standing = await self.get(wanted)
        _may(standing, wanted, REMOVE)
        return standing

    async def remove(self, wanted: Request) -> Happened:
        """Take a deck away with everything that belongs to it."""
        async with self._store.write() as connection:
            now = await find(connection, wanted, hold=True)
            _may(now, wanted, REMOVE)
            for table in (deck_hands, deck_log):
                await connection.execute(delete(table).where(table.c.deck_id == now.id))
            await connection.execute(delete(decks).where(decks.c.id == now.id))
        told = Told(f"removes the deck **{now.title}** with all its cards")
        return Happened(now, told.line(wanted.user_name))

    # --- what is kept ---

    async def proof(self, wanted: Request) -> bytes:
        """The file that proves a deck's draws. Raises `Refused` when there is nothing to prove."""
        return await decks_records.proof(self._store, wanted)

    async def about(self, user_id: int) -> list[dict[str, Any]]:
        """Everything that is kept about somebody."""
        return await decks_records.about(self._store, user_id)

    async def forget(self, connection: AsyncConnection, user_id: int) -> None:
        """Delete what is kept about somebody, in the caller's transaction; see `decks_records`."""
        await decks_records.forget(connection, user_id, self._clock())

    async def _act(self, wanted: Request, kind: str, step: Step, number: int = 0) -> Happened:
        """Do a step that may need chance for the next `number` cards, and save it."""
        time = self._clock()
        try:
            async with self._store.write() as connection:
                await not_twice(connection, wanted)
                now = await find(connection, wanted, hold=True)
                await check_seen(connection, wanted, now)
                veiled = now.deck.veiled
                held = {user: tuple(cards) for user, cards in now.deck.hands.items()}
                rules.check_left(now.deck.piles, number)
                key: chance.Chance | None = None
                salts = (str(wanted.interaction_id),)
                entropy = RecordedEntropy(ScriptedEntropy(()))
                if rules.chancy(now.deck.piles, number):
                    key = await chance.take(connection, now.channel_id, time, salts)
                    entropy = RecordedEntropy(key.entropy)
                done = step(now, entropy)
                drawn = None
                if key is not None:
                    dark = veiled or now.deck.veiled
                    drawn = Drawn(key.number, key.key, salts, tuple(entropy.results), dark)
                told = Told(done.text, done.to[1], done.to[0], drawn)
                now.version += 1
                now.names[wanted.user_id] = wanted.user_name
                await save(connection, now, held, time)
                await add_log(connection, now.id, now.version, wanted, kind, told, time)
        except IntegrityError as fault:
            raise Duplicate(wanted.deck_id) from fault
        seal = key.commitment if key is not None and key.fresh else ""
        line = told.line(wanted.user_name)
        return Happened(now, line, tuple(done.shown), tuple(done.own), seal)


def _from_hand(now: Standing, wanted: Request, typed: str) -> list[str]:
    """Take cards out of the actor's hand. Raises `Refused`."""
    hand = now.hand(wanted.user_id)
    if not hand:
        raise Refused(NO_HAND.format(deck=now.title))
    cards = find_cards(typed, hand, now.kinds, NOT_IN_HAND)
    rules.take(now.deck.hands[wanted.user_id], cards)
    return cards


def _place(origin: str, now: Standing, wanted: Request) -> str:
    """`hand` or `table`; where nothing is said, the hand if the actor has one."""
    return origin or ("hand" if now.hand(wanted.user_id) else "table")


def _from(place: str, now: Standing, wanted: Request, typed: str) -> list[str]:
    """Take cards out of the actor's `hand` or off the `table`. Raises `Refused`."""
    if place == "hand":
        return _from_hand(now, wanted, typed)
    table = now.deck.piles.table
    if not table:
        raise Refused(NO_TABLE.format(deck=now.title))
    cards = find_cards(typed, table, now.kinds, NOT_ON_TABLE)
    rules.take(table, cards)
    return cards


def _may(now: Standing, wanted: Request, what: str) -> None:
    """Raise `NotAllowed` unless the actor made the deck or moderates. A deck whose maker's data were
    deleted is everybody's."""
    if not (wanted.moderator or now.maker in (wanted.user_id, texts.GONE)):
        raise NotAllowed(NOT_MAKER.format(what=what))
