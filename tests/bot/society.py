"""Three people who do at random everything that leaves something about them in the database."""

from __future__ import annotations

import json
import random
import zlib
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from sqlalchemy import insert, update

from bot.parlour import rolls_kept
from bot.parlour.chance import take
from bot.parlour.decks import Decks
from bot.parlour.decks_model import Request
from bot.people import People
from bot.refusals import Refused
from bot.sessions import Table
from bot.sessions.carrying import Arrival
from bot.sessions.habits import Habits
from bot.sessions.substitutes import Person
from bot.store import Store
from bot.store import schema as db
from games.kernel.entropy import seeded
from games.kernel.illegal import Illegal
from games.kernel.random_player import random_action
from games.parlour.deck_standard import STANDARD
from games.parlour.notation_reading import read
from games.parlour.roll import roll
from tests.bot.house import House, snapshot

ROBIN, KIM, SAM = 730000000000000001, 730000000000000002, 730000000000000003
NAMES = {
    ROBIN: ("R*bin Nightingale", "Nightjar"),
    KIM: ("Kim Kestrel", "Kim"),
    SAM: ("Sam Swift of Nightingale Street", "Sam"),
}
"""What they are called here and there; one name contains a part of another's."""

DAY = 86_400


class Society(House):
    """A house with everything else that knows people."""

    def __init__(self, store: Store, seed: int) -> None:
        super().__init__(store)
        self.dice = random.Random(seed)
        self.entropy = seeded(f"society {seed}")
        self.decks = Decks(store, clock=self.clock)
        self.people = People(store, self.sessions, clock=self.clock)
        self.channels = 100

    def name(self, user: int, table: Table | None = None) -> str:
        """Somebody's name; it is another one at every second table."""
        return NAMES[user][0 if table is None else table.channel_id % 2]

    def fresh(self) -> int:
        """A new interaction."""
        return next(self.interactions)

    async def live(self, steps: int) -> None:
        """Do something so often; what is refused is refused."""
        doings: list[Callable[[int], Awaitable[Any]]] = [
            self.someone_opens,
            *[self.someone_plays] * 6,
            *[self.someone_sits] * 3,
            self.someone_starts,
            self.someone_undoes,
            self.someone_offers,
            self.someone_votes,
            self.someone_salts,
            self.someone_leaves,
            self.someone_hands_over,
            self.someone_looks,
            self.someone_stands_in,
            self.someone_mutes,
            self.someone_ends,
            self.someone_rolls,
            self.someone_deals,
            self.someone_chooses,
        ]
        for _ in range(steps):
            doing = self.dice.choice(doings)
            with suppress(Refused, Illegal):
                await doing(self.dice.choice((ROBIN, KIM, SAM)))

    async def tables(self) -> list[Table]:
        """Every session that can be read."""
        found: list[Table] = []
        async with self.store.read() as connection:
            ids = (await connection.execute(db.sessions.select())).all()
        for row in ids:
            with suppress(Refused):
                found.append(await self.sessions.get(row.id))
        return found

    async def some(self) -> Table:
        """Any table, more often one that goes on."""
        tables = await self.tables()
        going = [table for table in tables if not table.over]
        if not tables:
            raise Refused("There is no table.")
        return self.dice.choice(going or tables)

    async def someone_opens(self, user: int) -> None:
        self.channels += 1
        mode = self.dice.choice(("solo1", "duel", "duel", "duel"))
        await self.sessions.open(
            game="toy",
            chosen={"mode": mode},
            guild_id=self.dice.choice((9, 9, None)),
            channel_id=self.channels,
            user_id=user,
            user_name=NAMES[user][self.channels % 2],
            interaction_id=self.fresh(),
        )

    async def someone_sits(self, user: int) -> None:
        table = await self.some()
        seat = self.dice.choice(table.seats).seat
        name = self.name(user, table)
        await self.sessions.join(table.id, user, name, interaction_id=self.fresh(), seat=seat)

    async def someone_starts(self, user: int) -> None:
        table = await self.some()
        await self.sessions.start(table.id, table.host_id, interaction_id=self.fresh())

    async def someone_plays(self, user: int) -> None:
        await self.play(await self.some())

    async def play(self, table: Table) -> None:
        """One action of whoever must act."""
        for seat in table.due():
            holder = table.holder(seat)
            if holder is None or not holder.users:
                continue
            action = random_action(table.game, table.state, seat, self.entropy)
            await self.sessions.act(
                table.id,
                self.dice.choice(holder.user_ids),
                action,
                expected_version=None,
                interaction_id=self.fresh(),
                seat=seat,
            )
            return

    async def someone_undoes(self, user: int) -> None:
        table = await self.some()
        version, me = table.version, self.dice.choice(table.people() or (user,))
        with suppress(Refused):
            await self.sessions.undo(
                table.id, me, expected_version=version, interaction_id=self.fresh()
            )
            return
        asked = await self.sessions.propose(
            table.id, me, expected_version=None, interaction_id=self.fresh()
        )
        others = [other for other in asked.table.people() if other != me]
        if others and self.dice.random() < 0.6:
            await self.sessions.consent(
                table.id,
                self.dice.choice(others),
                asked.table.version,
                agree=self.dice.random() < 0.5,
                interaction_id=self.fresh(),
            )

    async def someone_offers(self, user: int) -> None:
        table = await self.some()
        me = self.dice.choice(table.people() or (user,))
        seat = self.dice.choice(table.seats_of(me) or (table.seats[0].seat,))
        other = self.dice.choice([one for one in (ROBIN, KIM, SAM) if one != me])
        asked = await self.sessions.offer_seat(
            table.id,
            Person(me, self.name(me, table)),
            seat,
            Person(other, self.name(other, table)),
            moderator=False,
            interaction_id=self.fresh(),
        )
        to, number = Person(other, self.name(other, table)), asked.table.version
        match self.dice.randrange(3):
            case 0:
                await self.sessions.take_seat(table.id, to, number, interaction_id=self.fresh())
            case 1:
                await self.sessions.decline_seat(
                    table.id, to, number, moderator=False, interaction_id=self.fresh()
                )
            case _:
                pass

    async def someone_votes(self, user: int) -> None:
        table = await self.some()
        self.now += 9 * DAY
        others = [one for one in table.people() if one != table.host_id]
        me = self.dice.choice(others or [user])
        kind = self.dice.choice(("host", "vacate", "stand_in"))
        asked = await self.sessions.call_vote(
            table.id,
            me,
            kind,
            seat="" if kind == "host" else self.dice.choice(table.seats).seat,
            target_id=me if kind == "host" else 0,
            interaction_id=self.fresh(),
        )
        if self.dice.random() < 0.5:
            voter = self.dice.choice(asked.table.people())
            await self.sessions.vote(
                table.id,
                voter,
                asked.table.version,
                agree=self.dice.random() < 0.6,
                interaction_id=self.fresh(),
            )

    async def someone_salts(self, user: int) -> None:
        table = await self.some()
        me = self.dice.choice(table.people() or (user,))
        words = f"owls {self.dice.randrange(1000)}"
        name = self.name(me, table)
        await self.sessions.salt(table.id, me, name, words, interaction_id=self.fresh())

    async def someone_leaves(self, user: int) -> None:
        table = await self.some()
        if self.dice.random() < 0.5:
            await self.sessions.leave(table.id, user, interaction_id=self.fresh())
        else:
            seat = self.dice.choice(table.seats).seat
            await self.sessions.vacate(
                table.id,
                user,
                seat,
                moderator=True,
                interaction_id=self.fresh(),
                user_name=self.name(user, table),
            )

    async def someone_hands_over(self, user: int) -> None:
        table = await self.some()
        await self.sessions.host(
            table.id,
            self.dice.choice((table.host_id, user)),
            user,
            moderator=True,
            interaction_id=self.fresh(),
            user_name=self.name(user, table),
        )

    async def someone_looks(self, user: int) -> None:
        table = await self.some()
        await self.sessions.caught_up(table.id, user, table.version)

    async def someone_stands_in(self, user: int) -> None:
        table = await self.some()
        await self.sessions.stand_in(
            table.id,
            user,
            self.dice.choice(table.seats).seat,
            lasting=self.dice.random() < 0.5,
            moderator=True,
            interaction_id=self.fresh(),
            user_name=self.name(user, table),
        )

    async def someone_mutes(self, user: int) -> None:
        table = await self.some()
        await self.sessions.mute(table.id, user)

    async def someone_ends(self, user: int) -> None:
        if self.dice.random() < 0.3:
            table = await self.some()
            await self.sessions.end(table.id, user, moderator=True, interaction_id=self.fresh())

    async def someone_rolls(self, user: int) -> None:
        number = self.fresh()
        async with self.store.write() as connection:
            chance = await take(connection, 70, self.now, rolls_kept.salts(number))
            made = rolls_kept.Kept(
                id=0,
                channel_id=70,
                guild_id=9,
                user_id=user,
                name=self.name(user),
                notation="2d6",
                label="for luck",
                outcome=roll(read("2d6", 1), chance.entropy),
                secret=self.dice.random() < 0.3,
                key_number=chance.number,
                key=chance.key,
                interaction_id=number,
                time=self.now,
            )
            await rolls_kept.keep(connection, made)

    async def someone_deals(self, user: int) -> None:
        wanted = Request(
            channel_id=71,
            guild_id=9,
            user_id=user,
            user_name=self.name(user),
            interaction_id=self.fresh(),
        )
        if not await self.decks.here(71):
            await self.decks.make(wanted, "cards", "52 cards", STANDARD.cards)
        else:
            await self.decks.draw(wanted, 1, self.dice.choice(("table", "hand")))

    async def someone_chooses(self, user: int) -> None:
        await self.sessions.set_habits(user, self.name(user), Habits(next_up=True))

    async def bring(self, raw: bytes, user: int) -> Table:
        """Go on with a saved game in a channel of its own."""
        self.channels += 1
        to = Arrival(9, self.channels, user, self.name(user), self.fresh())
        return await self.sessions.take_in(raw, to)


async def tutorial_of(society: Society, table: Table, user: int) -> None:
    """As if a table were a lesson, for its row."""
    async with society.store.write() as connection:
        row = {"session_id": table.id, "user_id": user, "lesson": "basics", "step": 2}
        await connection.execute(insert(db.tutorials).values(**row))


async def stood_in(society: Society, table: Table, user: int) -> None:
    """As if somebody had wished that the program acts for all seats."""
    async with society.store.write() as connection:
        mine = db.seats.c.session_id == table.id
        await connection.execute(update(db.seats).where(mine).values(stand_in=user))


def traces(database: Path, *wanted: str) -> list[str]:
    """Where in the whole database any of these texts stands: in any column, packed or not."""
    found: list[str] = []
    for table, rows in snapshot(database).items():
        for row in rows:
            for cell in row:
                shown = text_of(cell)
                found += [f"{table}: {one} in {shown[:300]}" for one in wanted if one in shown]
    return found


def text_of(cell: Any) -> str:
    """A column's value as text, unpacked and decoded as far as that is possible."""
    if isinstance(cell, bytes):
        with suppress(zlib.error):
            cell = zlib.decompress(cell)
        return cell.decode("utf-8", "replace")
    if isinstance(cell, str) and cell[:1] in "[{":
        with suppress(json.JSONDecodeError):
            return json.dumps(json.loads(cell), ensure_ascii=False)
    return str(cell)
