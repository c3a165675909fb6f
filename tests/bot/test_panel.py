"""The panel: what it says, to whom, and which buttons it has. And how it is posted."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import discord
import msgspec
import pytest

import renderer
from bot import texts
from bot.layout import Image
from bot.offers import seat_for, starts
from bot.outbox import Payload, Post, PosterForbidden, PosterGone, PosterUnavailable
from bot.panel import happened, panel, private, to_act
from bot.pictures import Pictures, action_cells
from bot.poster import PanelPoster
from bot.refusals import NotYourSeat, TableOver, WhichSeat
from bot.sessions import Sitter, Table
from bot.studio import Studio
from games.kernel.event import Drew, Moved, Noted
from games.kernel.view import Badge, CardFace, Mark
from tests import toygame
from tests.bot import limits
from tests.bot.house import KIM, ROBIN, House

BADGE = Badge("R", "square", "red")


def wire(letter: Any) -> list[dict[str, Any]]:
    return list(limits.walk(letter.screen.to_components()))


def words(letter: Any) -> str:
    return "\n".join(c["content"] for c in wire(letter) if c["type"] == limits.TEXT)


def labels(letter: Any) -> list[str]:
    return [c["label"] for c in wire(letter) if c["type"] == limits.BUTTON]


async def test_panel_says_game_turn_and_who_must_act(house: House) -> None:
    table = await house.open()
    letter = panel(table, (Noted(text="The arena opens."),), (Image("board.png", b"x", "A board"),))
    said = words(letter)
    assert said.startswith("### Toy Skirmish\nRound 1\n")
    assert f"**Now <@{ROBIN}> (Red captain):** move, attack, draw or end the turn." in said
    assert "- The arena opens." in said
    assert labels(letter)[:3] == ["Move", "Draw a card", "End turn"]
    assert labels(letter)[-3:] == ["Undo", "Board", "Help"]
    gallery = next(c for c in wire(letter) if c["type"] == limits.GALLERY)
    assert gallery["items"][0]["media"]["url"] == "attachment://board.png"
    assert gallery["items"][0]["description"] == "A board"


async def test_vacant_seats_can_be_taken(house: House) -> None:
    table = await house.duel()
    assert "Play Blue captain" not in labels(panel(table, (), ()))
    table = (await house.sessions.leave(table.id, KIM, interaction_id=8)).table
    assert "Play Blue captain" in labels(panel(table, (), ()))
    after = (await house.sessions.join(table.id, KIM, "Kim", interaction_id=9)).table
    assert "Play Blue captain" not in labels(panel(after, (), ()))


async def test_only_public_events_are_told(house: House) -> None:
    table = await house.open()
    secret = Drew(text="You drew: Map.", card=CardFace("MAP", "Map", ""), to=("RED",))
    open_one = Noted(text="Red captain draws a card.")
    assert "You drew" not in words(panel(table, (secret, open_one), ()))
    assert happened((secret, open_one), "RED") == "- You drew: Map.\n- Red captain draws a card."
    assert happened((secret,), "BLUE") == ""


def test_many_lines_are_cut_with_their_number() -> None:
    events = tuple(Noted(text=f"Line {n}.") for n in range(30))
    told = happened(events).splitlines()
    assert len(told) == 13
    assert told[-1] == "-# … and 18 more: `/table log` shows them all."


async def test_seats_that_act_at_once_get_a_button_each_a_button_for_each(house: House) -> None:
    table = await house.duel()
    both = tuple(replace(h, users=(Sitter(ROBIN, "Robin", 1),)) for h in table.seats)
    table = replace(table, seats=both)

    class Both(toygame.ToyGame):
        def tasks(self, state: Any) -> Any:
            one = super().tasks(state)[0]
            return (one, type(one)("BLUE", one.what))

        def verbs_now(self, state: Any, seat: str) -> tuple[str, ...]:
            return ("done",)

    game = Both()
    table = replace(table, game=game)
    assert [start.label for start in starts(table)] == [
        "Red captain: End turn",
        "Blue captain: End turn",
    ]
    assert [start.seat for start in starts(table)] == [0, 1]
    assert seat_for(table, ROBIN, "done", 1) == "BLUE"
    with pytest.raises(WhichSeat):
        seat_for(table, ROBIN, "done")
    shared = replace(table, seats=(both[0], replace(both[1], users=(Sitter(KIM, "Kim", 2),))))
    assert [(start.label, start.seat) for start in starts(shared, KIM)] == [("End turn", 1)]
    assert seat_for(shared, KIM, "done") == "BLUE"
    with pytest.raises(NotYourSeat):
        seat_for(shared, KIM, "done", 0)
    with pytest.raises(NotYourSeat):
        seat_for(shared, KIM, "done", 9)


async def test_confirming_verbs_are_behind_more(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await house.open()
    monkeypatch.setattr(type(table.game.verbs["done"]), "confirm", True)
    assert "End turn" not in labels(panel(table, (), ()))
    assert "More…" in labels(panel(table, (), ()))
    assert "End turn" in labels(private(table, ROBIN, more=True))
    assert "End turn" not in labels(private(table, ROBIN))


async def test_private_panel_of_a_seat_that_need_not_act(house: House) -> None:
    table = await house.duel()
    letter = private(table, KIM)
    assert words(letter) == f"It is not your turn: <@{ROBIN}> (Red captain) must act first."
    assert labels(letter) == ["Catch up"]


async def test_how_it_ended(house: House) -> None:
    table = await house.open()
    table.game.patch(table.state, "ended", "RED")
    told = "**Red captain wins** 0 to 0. (TOY-4)"
    assert to_act(table) == f"{told}\n`/toy new` opens another game."
    mission = replace(table, setup=msgspec.structs.replace(table.setup, campaign="tour0001"))
    assert to_act(mission) == told
    over = replace(table, status="ended")
    assert set(labels(panel(over, (), ()))) == {"Undo", "Board", "Help"}
    table.game.patch(table.state, "ended", "")
    stopped = replace(table, status="ended")
    assert set(labels(panel(stopped, (), ()))) == {"Board", "Help"}, "an end by decision stands"
    with pytest.raises(TableOver):
        seat_for(over, ROBIN, "move")


async def test_where_the_picture_is_cropped_to(house: House) -> None:
    table = await house.open()
    view = table.view(None)
    assert action_cells(view, ()) == ("A1",)
    moved = Moved(text="", who=BADGE, marks=(Mark("path", ("C1", "C2")),))
    assert action_cells(view, (moved,)) == ("C1", "C2", "A1")


# How it is posted: with a client that answers as it is told.


class Channel:
    """Takes messages, or fails."""

    def __init__(self) -> None:
        self.faults: list[Exception] = []
        self.sent: list[dict[str, Any]] = []
        self.edited: list[tuple[int, dict[str, Any]]] = []

    def get_partial_messageable(self, *_: Any, **__: Any) -> Channel:
        return self

    def get_partial_message(self, message_id: int) -> Message:
        return Message(self, message_id)

    async def send(self, **given: Any) -> Message:
        if self.faults:
            raise self.faults.pop(0)
        self.sent.append(given)
        return Message(self, 1000 + len(self.sent))


class Message:
    """A message in such a channel."""

    def __init__(self, channel: Channel, message_id: int) -> None:
        self.channel, self.id = channel, message_id

    async def edit(self, **given: Any) -> None:
        if self.channel.faults:
            raise self.channel.faults.pop(0)
        self.channel.edited.append((self.id, given))


class Answer:
    """What discord.py's errors are made of."""

    def __init__(self, status: int) -> None:
        self.status, self.reason, self.headers = status, "", {"Retry-After": "2.5"}


def error(status: int, code: int = 0) -> discord.HTTPException:
    kinds = {403: discord.Forbidden, 404: discord.NotFound}
    kind = kinds.get(status, discord.HTTPException)
    return kind(Answer(status), {"code": code, "message": "no"})  # type: ignore[arg-type]


class Case:
    """A poster over a house and such a channel."""

    def __init__(self, house: House, table: Table) -> None:
        self.house, self.table = house, table
        self.channel = Channel()
        self.studio = Studio()
        client: Any = self.channel
        self.poster = PanelPoster(client, house.sessions, Pictures(self.studio))

    def post(self, **payload: Any) -> Post:
        payload.setdefault("what", "begin")
        kind = payload.pop("kind", "panel")
        return Post(1, self.table.id, 1, kind, Payload(**payload), "nonce", 0)


@pytest.fixture
async def case(house: House) -> Any:
    made = Case(house, await house.duel())
    yield made
    made.studio.close()


async def test_a_post_carries_its_nonce_and_mentions_nobody_needlessly(case: Case) -> None:
    await case.poster.deliver(case.post(handover=True, mentions=(ROBIN, KIM)))  # KIM need not act
    sent = case.channel.sent[0]
    assert sent["nonce"] == "nonce"
    assert sent["allowed_mentions"].to_dict() == {"parse": [], "users": [ROBIN]}
    await case.poster.deliver(case.post(handover=True, user_id=ROBIN))
    assert case.channel.sent[1]["allowed_mentions"].to_dict() == {"parse": [], "users": []}
    await case.poster.deliver(case.post(what="act", binding=True, told=(KIM,)))
    assert case.channel.sent[2]["allowed_mentions"].to_dict() == {"parse": [], "users": [KIM]}


@pytest.mark.parametrize(
    ("fault", "raised"),
    [
        (error(404, 10003), PosterGone),
        (error(403, 50001), PosterForbidden),
        (error(400, 50083), PosterForbidden),
        (error(500), PosterUnavailable),
        (error(503), PosterUnavailable),
        (error(429), PosterUnavailable),
        (TimeoutError(), PosterUnavailable),
        (ConnectionResetError(), PosterUnavailable),
    ],
)
async def test_faults_are_told_to_the_outbox(
    case: Case, fault: Exception, raised: type[Exception]
) -> None:
    case.channel.faults = [fault, fault]
    with pytest.raises(raised) as caught:
        await case.poster.deliver(case.post())
    if isinstance(caught.value, PosterGone | PosterForbidden):
        assert caught.value.sentence.endswith((".", "may."))
    if isinstance(fault, discord.HTTPException) and fault.status == 429:
        assert isinstance(caught.value, PosterUnavailable)
        assert caught.value.retry_after == 2.5
        assert not caught.value.maybe_sent


async def test_without_files_the_panel_is_posted_in_words(case: Case) -> None:
    case.channel.faults = [error(403, 50013)]
    await case.poster.deliver(case.post())
    sent = case.channel.sent[0]
    assert sent["files"] == []
    assert texts.NO_FILES in str(sent["view"].to_components())


async def test_a_notice_is_a_message_of_its_own(case: Case) -> None:
    post = case.post(what="notice", kind="notice", text="Half your time is over.", mentions=(KIM,))
    await case.poster.deliver(post)
    assert case.channel.sent[0]["allowed_mentions"].to_dict()["users"] == [KIM]


async def test_nothing_is_drawn_in_the_event_loop(
    case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pictures are drawn in the studio's threads, never in the one that answers Discord."""
    threads: list[int] = []

    def spied(draw: Callable[..., Any]) -> Callable[..., Any]:
        def drawn(*args: Any, **options: Any) -> Any:
            threads.append(threading.get_ident())
            return draw(*args, **options)

        return drawn

    for name in ("board", "outcome"):
        monkeypatch.setattr(renderer, name, spied(getattr(renderer, name)))
    await case.poster.deliver(case.post())
    assert threads and threading.get_ident() not in threads


def test_no_sentence_shouts(tmp_path: Path) -> None:
    """Every phrase begins like a sentence and ends like one; none is in capitals."""
    for name, phrase in vars(texts).items():
        if not name.isupper() or not isinstance(phrase, str) or name in ("NOBODY", "GONE_NAME"):
            continue
        assert "!" not in phrase, name
        assert phrase.rstrip("*`").endswith((".", "?", "anymore", "}", "words.")), name
