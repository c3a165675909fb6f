"""The outbox: everything once, in order, whatever Discord or the process does."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from bot.outbox import (
    LONGEST,
    SLOW,
    Delivered,
    Outbox,
    Payload,
    Post,
    PosterForbidden,
    PosterGone,
    PosterUnavailable,
    put,
)
from bot.sessions import Table
from bot.store import Store
from tests.bot.house import House, sql

Fault = Exception | None


class Discord:
    """A poster over a channel that honours nonces; `faults` are met first, one a delivery.

    `hold` makes deliveries wait, before (`before`) or after (`after`) the message is there.
    """

    def __init__(self) -> None:
        self.messages: dict[str, Post] = {}
        self.tries: list[Post] = []
        self.faults: list[Fault] = []
        self.before = asyncio.Event()
        self.after = asyncio.Event()
        self.before.set()
        self.after.set()
        self.reached = asyncio.Event()
        self.arrived = asyncio.Event()

    async def deliver(self, post: Post) -> Delivered:
        self.tries.append(post)
        self.reached.set()
        await self.before.wait()
        fault = self.faults.pop(0) if self.faults else None
        if fault is not None:
            raise fault
        self.messages.setdefault(post.nonce, post)
        self.arrived.set()
        await self.after.wait()
        return Delivered(1_000 + list(self.messages).index(post.nonce))

    async def shows(self, number: int) -> None:
        """Wait until that many messages are there."""
        while len(self.messages) < number:
            self.arrived.clear()
            await self.arrived.wait()

    def texts(self, session_id: str) -> list[str]:
        """The lines shown in a session's channel, in order."""
        return [
            event.text
            for post in self.messages.values()
            if post.session_id == session_id
            for event in post.events
        ]


class Sleeper:
    """Sleeps until the test says that the time has come."""

    def __init__(self) -> None:
        self.delays: list[float] = []
        self.gates: list[asyncio.Event] = []

    async def __call__(self, delay: float) -> None:
        self.delays.append(delay)
        gate = asyncio.Event()
        self.gates.append(gate)
        await gate.wait()

    def pass_time(self) -> None:
        for gate in self.gates:
            gate.set()


class PostOffice:
    """A house with an outbox, whose parts a test can replace."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.discord = Discord()
        self.sleeper = Sleeper()
        self.outbox = self._outbox()

    def _outbox(self) -> Outbox:
        outbox = Outbox(
            self.house.store,
            self.discord,
            clock=self.house.clock,
            sleep=self.sleeper,
            jitter=lambda: 1.0,
        )
        self.house.sessions.wake = outbox.wake
        return outbox

    async def crash(self) -> None:
        """The process dies now and another one starts."""
        await self.outbox.stop(grace=0)
        self.discord.before.set()
        self.discord.after.set()
        self.discord.reached.clear()
        self.outbox = self._outbox()
        await self.outbox.start()

    async def later(self) -> None:
        """Time passes until the next retry is over."""
        self.sleeper.pass_time()
        for _ in range(5):
            await asyncio.sleep(0)
        await self.outbox.idle()


@pytest.fixture
async def office(house: House) -> AsyncIterator[PostOffice]:
    made = PostOffice(house)
    await made.outbox.start()
    yield made
    made.discord.before.set()
    made.discord.after.set()
    await made.outbox.stop()


def undone(database: Path) -> int:
    return sql(database, "SELECT count(*) FROM outbox WHERE done IS NULL")[0][0]


async def moves(house: House, table: Table, *cells: str) -> None:
    for cell in cells:
        await house.act(table, "move", to=cell)


async def test_an_action_is_posted_and_is_the_panel_then(
    office: PostOffice, database: Path
) -> None:
    table = await office.house.open()
    assert await office.outbox.flush(table.id) == ""
    await moves(office.house, table, "B2")
    assert await office.outbox.flush(table.id) == ""
    first, second = office.discord.tries
    assert (first.version, first.payload.what, first.kind) == (1, "begin", "panel")
    assert (second.version, second.payload.what, second.payload.seat) == (2, "act", "RED")
    assert not second.payload.binding and not second.payload.handover
    assert first.nonce != second.nonce and max(len(first.nonce), len(second.nonce)) <= 25
    table = await office.house.sessions.get(table.id)
    assert (table.panel_message_id, table.panel_version) == (1001, 2)
    assert undone(database) == 0
    assert await office.outbox.flush(table.id) == ""
    assert len(office.discord.tries) == 2


async def test_nothing_runs_when_nothing_is_to_do(office: PostOffice) -> None:
    table = await office.house.open()
    await office.outbox.idle()
    assert office.outbox._lines == {}
    assert office.discord.texts(table.id) == ["The arena opens."]


async def test_superseded_boards_are_merged(office: PostOffice, database: Path) -> None:
    office.discord.before.clear()
    table = await office.house.open()
    await office.discord.reached.wait()
    await moves(office.house, table, "B2", "B3", "B4")
    office.discord.before.set()
    assert await office.outbox.flush(table.id) == ""
    assert [post.version for post in office.discord.messages.values()] == [1, 4]
    assert office.discord.texts(table.id) == [
        "The arena opens.",
        "Red captain walks A1 to B2.",
        "Red captain walks B2 to B3.",
        "Red captain walks B3 to B4.",
    ]
    assert undone(database) == 0


async def test_a_merged_post_keeps_what_matters_of_each(office: PostOffice) -> None:
    office.discord.before.clear()
    table = await office.house.open()
    await office.discord.reached.wait()
    await office.house.act(table, "draw")
    await office.house.act(table, "done")
    await office.house.end(table)
    office.discord.before.set()
    await office.outbox.flush(table.id)
    last = list(office.discord.messages.values())[-1]
    assert (last.kind, last.version, last.payload.what) == ("ended", 4, "end")
    assert last.payload.binding and last.payload.handover
    private = [event for event in last.events if event.to is not None]
    assert [event.to for event in private] == [("RED",)]


async def test_a_notice_keeps_its_place(office: PostOffice, database: Path) -> None:
    house = office.house
    office.discord.before.clear()
    table = await house.open()
    await office.discord.reached.wait()
    await moves(house, table, "B2")
    async with house.store.write() as connection:
        notice = Payload(what="notice", text="Robin, it is your turn.", mentions=(1,))
        await put(connection, table.id, 2, "notice", notice, house.clock())
    await moves(house, table, "B3", "B4")
    office.discord.before.set()
    await office.outbox.flush(table.id)
    shown = list(office.discord.messages.values())
    assert [(post.kind, post.version) for post in shown] == [
        ("panel", 1),
        ("panel", 2),
        ("notice", 2),
        ("panel", 4),
    ]
    assert (await house.sessions.get(table.id)).panel_version == 4


async def test_sessions_do_not_hold_each_other_up(office: PostOffice) -> None:
    first = await office.house.open(channel=1)
    await office.outbox.flush(first.id)
    office.discord.faults = [PosterUnavailable()]
    await moves(office.house, first, "B2")
    await office.outbox.idle()
    assert len(office.sleeper.delays) == 1  # the first waits for its retry
    second = await office.house.open(channel=2)
    assert await office.outbox.flush(second.id) == ""


async def test_unavailable_is_tried_again_with_back_off(office: PostOffice, database: Path) -> None:
    office.discord.faults = [PosterUnavailable() for _ in range(12)]
    table = await office.house.open()
    told = await office.outbox.flush(table.id)
    assert "keeps trying" in told
    while office.discord.faults:
        await office.later()
    await office.later()
    delays = office.sleeper.delays
    assert delays[:4] == [1.0, 2.0, 4.0, 8.0] and max(delays) == LONGEST == delays[-1]
    assert len({post.nonce for post in office.discord.tries}) == 1
    assert office.discord.texts(table.id) == ["The arena opens."]
    assert undone(database) == 0


async def test_discords_own_delay_is_respected(office: PostOffice, database: Path) -> None:
    office.discord.faults = [PosterUnavailable(30.0)]
    await office.house.open()
    await office.outbox.idle()
    assert office.sleeper.delays == [30.0]
    due, now, attempts = sql(database, "SELECT due, created, attempts FROM outbox")[0]
    assert due - now >= 30 and attempts == 1


async def test_a_new_action_does_not_wait_for_the_retry(office: PostOffice) -> None:
    office.discord.faults = [PosterUnavailable()]
    table = await office.house.open()
    await office.outbox.idle()
    await moves(office.house, table, "B2")
    assert await office.outbox.flush(table.id) == ""
    assert office.discord.texts(table.id) == ["The arena opens.", "Red captain walks A1 to B2."]


async def test_what_may_have_appeared_is_not_merged(office: PostOffice) -> None:
    """After a 5xx the message may be there: the retry must be the same, under the same nonce."""
    office.discord.faults = [PosterUnavailable()]
    table = await office.house.open()
    await office.outbox.idle()
    await moves(office.house, table, "B2", "B3")
    await office.outbox.flush(table.id)
    tries = office.discord.tries
    assert (tries[0].nonce, tries[0].events) == (tries[1].nonce, tries[1].events)
    assert office.discord.texts(table.id) == [
        "The arena opens.",
        "Red captain walks A1 to B2.",
        "Red captain walks B2 to B3.",
    ]


async def test_what_certainly_did_not_appear_is_merged(office: PostOffice) -> None:
    office.discord.before.clear()
    office.discord.faults = [PosterUnavailable(maybe_sent=False)]
    table = await office.house.open()
    await office.discord.reached.wait()
    await moves(office.house, table, "B2", "B3")
    office.discord.before.set()
    await office.outbox.flush(table.id)
    assert len(office.discord.messages) == 1
    assert len(office.discord.texts(table.id)) == 3


async def test_a_missing_permission_is_told_and_waits(office: PostOffice, database: Path) -> None:
    sentence = "I may not attach files in this channel."
    office.discord.faults = [PosterForbidden(sentence), PosterForbidden(sentence)]
    table = await office.house.open()
    await office.outbox.idle()
    await moves(office.house, table, "B2")
    assert await office.outbox.flush(table.id) == sentence
    await office.outbox.idle()
    assert office.sleeper.delays == [SLOW, 2 * SLOW]
    assert undone(database) == 1  # the two boards in one, which has certainly not appeared
    assert sql(database, "SELECT fault FROM outbox WHERE fault IS NOT NULL")[0] == (sentence,)
    office.discord.faults.clear()  # somebody grants it
    await office.later()
    assert len(office.discord.texts(table.id)) == 2 and undone(database) == 0
    assert (await office.house.sessions.get(table.id)).status == "running"


async def test_a_deleted_channel_ends_the_trying_not_the_game(
    office: PostOffice, database: Path
) -> None:
    table = await office.house.open()
    await office.outbox.idle()
    office.discord.faults = [PosterGone("The channel was deleted.")]
    await moves(office.house, table, "B2")
    await office.outbox.flush(table.id)
    assert undone(database) == 0 and office.sleeper.delays == []
    table = await office.house.sessions.get(table.id)
    assert (table.status, table.trouble) == ("running", "The channel was deleted.")
    assert (table.panel_message_id, table.panel_version) == (None, None)
    await moves(office.house, table, "B3")
    assert await office.outbox.flush(table.id) == ""
    assert (await office.house.sessions.get(table.id)).trouble == ""


async def test_a_fault_of_ours_stops_one_session_for_a_while(
    office: PostOffice, caplog: pytest.LogCaptureFixture
) -> None:
    office.discord.faults = [KeyError("a bug")]
    table = await office.house.open()
    told = await office.outbox.flush(table.id)
    assert "could not be posted" in told and "KeyError" not in told
    assert "a bug" in caplog.text
    await office.outbox.idle()
    assert office.sleeper.delays == [SLOW]
    await office.later()
    assert office.discord.texts(table.id) == ["The arena opens."]


async def test_killed_between_commit_and_post(office: PostOffice, database: Path) -> None:
    office.discord.before.clear()
    table = await office.house.open()
    await office.discord.reached.wait()
    assert office.discord.messages == {}
    await office.crash()
    await office.outbox.idle()
    assert office.discord.texts(table.id) == ["The arena opens."]
    assert undone(database) == 0


async def test_killed_between_post_and_mark(office: PostOffice, database: Path) -> None:
    office.discord.after.clear()
    table = await office.house.open()
    await office.discord.reached.wait()
    await moves(office.house, table, "B2", "B3")
    assert len(office.discord.messages) == 1 and undone(database) == 3
    await office.crash()
    await office.outbox.idle()
    assert office.discord.texts(table.id) == [
        "The arena opens.",
        "Red captain walks A1 to B2.",
        "Red captain walks B2 to B3.",
    ]
    assert len(office.discord.messages) == 2 and undone(database) == 0


async def test_killed_after_a_merged_post(office: PostOffice, database: Path) -> None:
    """The merge itself is durable: what comes later is not mixed into a post that is out."""
    office.discord.before.clear()
    table = await office.house.open()
    await office.discord.reached.wait()
    await moves(office.house, table, "B2", "B3")
    office.discord.before.set()
    await office.discord.shows(1)
    office.discord.after.clear()
    await office.discord.shows(2)
    await moves(office.house, table, "B4")
    await office.crash()
    await office.outbox.idle()
    texts = office.discord.texts(table.id)
    assert len(texts) == len(set(texts)) == 4
    assert undone(database) == 0


async def test_a_busy_store_does_not_post_twice(office: PostOffice, database: Path) -> None:
    office.discord.after.clear()
    table = await office.house.open()
    await office.discord.reached.wait()
    with closing(sqlite3.connect(database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        office.discord.after.set()
        await office.outbox.idle()
        other.execute("ROLLBACK")
    assert len(office.discord.tries) == 1 and undone(database) == 1
    await office.later()
    assert len(office.discord.tries) == 1 and undone(database) == 0
    assert (await office.house.sessions.get(table.id)).panel_message_id == 1000


async def test_delivered_rows_are_forgotten_in_time(office: PostOffice, database: Path) -> None:
    await office.house.open()
    await office.outbox.idle()
    office.house.now += 6 * 86_400
    await office.crash()
    assert sql(database, "SELECT count(*) FROM outbox") == [(1,)]
    office.house.now += 2 * 86_400
    await office.crash()
    assert sql(database, "SELECT count(*) FROM outbox") == [(0,)]


async def test_a_stopped_outbox_leaves_its_rows(
    office: PostOffice, store: Store, database: Path
) -> None:
    await office.outbox.stop()
    table = await office.house.open()
    assert "is going down" in await office.outbox.flush(table.id)
    assert office.discord.tries == [] and undone(database) == 1


async def test_who_gives_up_waiting_stops_nothing(office: PostOffice) -> None:
    office.discord.before.clear()
    table = await office.house.open()
    waiting = asyncio.create_task(office.outbox.flush(table.id))
    await office.discord.reached.wait()
    waiting.cancel()
    office.discord.before.set()
    assert await office.outbox.flush(table.id) == ""
    assert office.discord.texts(table.id) == ["The arena opens."]
