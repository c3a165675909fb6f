"""What people type and call themselves is told back short and harmless; long messages still fit."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from sqlalchemy import select

from bot import texts
from bot.__main__ import main
from bot.commands import read_fields
from bot.layout import Screen, card, text
from bot.outbox import Payload
from bot.panel import panel
from bot.picks import read_typed
from bot.poster import MOST_MENTIONED, PanelPoster
from bot.refusals import Refused
from bot.store import schema as db
from games.kernel.domain import Choices, Option, Several
from tests import toygame
from tests.bot import limits
from tests.bot.house import KIM, ROBIN, House

CROWD = 130


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Robin", "Robin"),
        ("**Robin**\n# Boss", r"\*\*Robin\*\* # Boss"),
        ("@everyone <@1>", "@\u200beveryone ‹@\u200b1›"),
        ("[a](http://x) *b* [c](http://y", "[a]\u200b(http://x) \\*b\\* [c]\u200b(http://y"),
        ("http://x/__ **b**", r"http://x/\_\_ \*\*b\*\*"),
        ("\u202eevil\u202c", "evil"),
        ("\u200b\u200f\x00x\ufeff", "x"),
        ("👩\u200d🚀", "👩\u200d🚀"),
        ("\u202bאבג", "אבג\u200e"),
    ],
)
def test_a_name_is_harmless(name: str, shown: str) -> None:
    assert texts.plain(name) == shown


def test_a_text_is_cut_between_lines_or_words() -> None:
    assert texts.cut("one two", 20) == "one two"
    assert texts.cut("- first line\n- second line", 20) == "- first line\n…"
    assert texts.cut("<@1234567> or <@2345678>", 20) == "<@1234567> or …"
    assert texts.cut("x" * 30, 20) == "x" * 19 + "…"


def test_what_is_typed_is_told_back_short() -> None:
    one = Choices((Option("A1", "Square A1"),), also=("long_way",))
    assert read_typed(one, " a1 ") == "A1"
    assert read_typed(one, "long_way") == "long_way"
    told = read_typed(one, "x" * 6000 + "@everyone")
    assert isinstance(told, str) and len(told) <= texts.LONGEST_QUOTED
    several = read_typed(Several((Option("A1", "A1"),), 1, 2), "a1, " + "**,".join("bcdef" * 900))
    assert several[0] == "A1" and several[1] == r"b\*\*" and len(several) <= 50
    fields = toygame.load().setup_fields()
    chosen = read_fields(fields, {"mode": "<@1>" * 1500})["mode"]
    assert len(chosen) <= 2 * texts.LONGEST_QUOTED and "<@" not in chosen


def test_paragraphs_share_the_room_of_a_message() -> None:
    long = "\n".join(f"line {n}" for n in range(900))
    screen = Screen(card(text("### Head"), text(long), text(long[:3000]), text("last")))
    limits.check_message(screen.to_components())
    told = [c["content"] for c in limits.walk(screen.to_components()) if c["type"] == limits.TEXT]
    assert told[0] == "### Head" and told[-1] == "last"
    assert told[1].endswith("\n…")


async def test_a_crowd_on_one_seat(house: House) -> None:
    table = await house.open("duel")
    number = house.interactions
    for user in range(CROWD):
        await house.sessions.join(
            table.id, KIM + user, "**`@everyone", interaction_id=next(number), seat="BLUE"
        )
    rows = await house.sessions.history(table.id, after=100)
    table = await house.sessions.get(table.id)
    lobby = panel(table, [event for row in rows for event in row.events], ())
    limits.check_message(lobby.screen.to_components())
    assert f"{CROWD - 8} more" in str(lobby.screen.to_components())
    begun = await house.start(table)
    acted = await house.act(begun, "done", ROBIN)
    assert len(acted.calls) == CROWD
    shown = panel(acted.table, acted.events, (), remark="x" * 500)
    limits.check_message(shown.screen.to_components())
    pinged: list[Any] = []

    class Channel:
        id = 1

        async def send(self, *, allowed_mentions: Any, **_: Any) -> Channel:
            pinged.extend(allowed_mentions.to_dict()["users"])
            return self

    class Client:
        def get_partial_messageable(self, *_: Any, **__: Any) -> Channel:
            return Channel()

    client: Any = Client()
    nothing: Any = None
    poster = PanelPoster(client, house.sessions, nothing)
    await poster._send(acted.table, shown, "nonce", acted.calls)
    assert len(pinged) == MOST_MENTIONED


async def test_names_in_what_everybody_reads(house: House) -> None:
    table = await house.open("duel")
    name = "**Kim** <@1> @everyone"
    await house.sessions.join(table.id, KIM, name, interaction_id=next(house.interactions))
    begun = await house.start(table)
    await house.act(begun, "done")
    told = [e.text for row in await house.sessions.history(table.id) for e in row.events]
    for attempt in (
        house.act(begun, "done", user=999),
        house.sessions.join(table.id, 999, "Sam", interaction_id=1, seat="BLUE"),
    ):
        with pytest.raises(Refused) as refused:
            await attempt
        told.append(refused.value.sentence)
    due = [t for t in await house.sessions.timers_due(house.now + 10**6) if t.seat == "BLUE"]
    for timer in due:
        await house.sessions.ring(timer)
    async with house.store.read() as connection:
        rows = (await connection.execute(select(db.outbox.c.payload))).scalars().all()
    told += [msgspec.json.decode(row, type=Payload).text for row in rows]
    assert any("kept the game waiting" in text for text in told)
    assert sum("Kim" in text for text in told) >= 4
    for line in told:
        assert "**Kim" not in line and "<@1>" not in line and "@everyone" not in line


def test_an_error_nobody_expected_leaves_no_secret(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "to.ken")
    monkeypatch.setenv("DATABASE_URL", "postgresql://bot:pass%2Fword@db/games")

    def fail(settings: Any) -> None:
        raise RuntimeError(f"{settings.discord_token.get_secret_value()} {settings.database_url}")

    monkeypatch.setattr("bot.__main__._serve", fail)
    assert main([]) == 1
    printed = "".join(capsys.readouterr())
    assert "RuntimeError: [hidden] postgresql+asyncpg://bot:[hidden]@db/games" in printed
    assert "to.ken" not in printed and "Fword" not in printed
