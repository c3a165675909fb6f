"""The local table, through its page's HTTP endpoints, with a toy bot."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import signal
import socket
import sys
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import discord
import pytest

from bot.local import LocalTableError, Table, start
from tests.bot import toy_bot as toy
from tests.e2e import browser as browser_helper

ROOT = Path(__file__).parents[2]


class Browser:
    """What the page's script does, without a browser."""

    def __init__(self, table: Table, session: aiohttp.ClientSession) -> None:
        self.table = table
        self.session = session
        self.channel = str(table.channels["table-1"].id)

    async def state(self, person: str = "Robin") -> dict[str, Any]:
        query = {"as": self.id(person), "in": self.channel}
        return await self._read(self.session.get("/api/state", params=query))

    async def commands(self, person: str = "Robin") -> dict[str, dict[str, Any]]:
        query = {"as": self.id(person), "in": self.channel}
        found = await self._read(self.session.get("/api/commands", params=query))
        return {row["name"]: row for row in found["commands"]}

    async def act(self, person: str, kind: str, **rest: Any) -> dict[str, Any]:
        return await self.post("/api/act", person, kind=kind, **rest)

    async def post(self, path: str, person: str, **rest: Any) -> dict[str, Any]:
        body = {"as": self.id(person), "in": self.channel, **rest}
        headers = {"X-Local-Table": "1"}
        return await self._read(self.session.post(path, json=body, headers=headers))

    async def press(self, person: str, message: dict[str, Any], label: str) -> dict[str, Any]:
        button = next(c for c in walk(message["components"]) if c.get("label") == label)
        return await self.act(person, "click", message=message["id"], custom_id=button["custom_id"])

    async def until(self, person: str, text: str) -> dict[str, Any]:
        """The newest message that shows the text; waits up to five seconds for it."""
        for _ in range(250):
            for message in reversed((await self.state(person))["messages"]):
                if text in json.dumps(message, ensure_ascii=False):
                    return message
            await asyncio.sleep(0.02)
        raise AssertionError(f"{text!r} never appeared for {person}")

    def id(self, person: str) -> str:
        return str(self.table.people[person].id)

    @staticmethod
    async def _read(sent: Any) -> dict[str, Any]:
        async with sent as response:
            body = await response.json()
            assert response.status == 200 or "error" in body
            return body


def walk(components: list[dict[str, Any]]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for component in components:
        found.append(component)
        found += walk(component.get("components") or [])
        for key in ("accessory", "component"):
            if component.get(key):
                found += walk([component[key]])
    return found


@asynccontextmanager
async def browser(data: Path | None = None, **options: Any) -> AsyncGenerator[Browser]:
    async with (
        start(toy.make_bot, data=data, **options) as table,
        aiohttp.ClientSession(table.address) as session,
    ):
        yield Browser(table, session)


# ---------------------------------------------------------------- what a person can do


async def test_commands_are_listed_with_their_options() -> None:
    async with browser() as page:
        listed = await page.commands()
        assert set(listed) >= {"open", "unit move", "later"}
        (unit, to) = listed["unit move"]["options"]
        assert (unit["name"], unit["autocomplete"], unit["required"]) == ("unit", True, True)
        assert to["required"] is False


async def test_autocompletion_sees_what_is_typed_and_what_is_filled() -> None:
    async with browser() as page:
        answer = await page.post(
            "/api/suggest",
            "Kim",
            command="unit move",
            option="unit",
            value="al",
            filled={"to": "G7"},
        )
        assert answer["choices"] == [{"name": "Alpha to G7 (Kim)", "value": "alpha"}]


async def test_a_slash_command_answers_everybody() -> None:
    async with browser() as page:
        options = {"unit": "bravo", "to": "G7"}
        answer = await page.act("Kim", "slash", command="unit move", options=options)
        assert answer == {}
        message = await page.until("Robin", "bravo moves to G7")
        assert (message["by"], message["command"], message["private"]) == (
            "Kim",
            "unit move",
            False,
        )


async def test_the_panel_shows_its_picture_with_alt_text() -> None:
    async with browser() as page:
        await page.act("Robin", "slash", command="open", options={})
        panel = await page.until("Kim", "Turn 1")
        gallery = next(c for c in walk(panel["components"]) if c["type"] == 12)
        assert gallery["items"][0]["description"] == "A teal board"
        url = gallery["items"][0]["media"]["url"]
        assert url.startswith("/files/attachments/")
        async with page.session.get(url) as response:
            assert response.content_type == "image/png"
            assert await response.read() == toy.picture()


async def test_a_private_message_with_select_and_modal_is_seen_by_its_owner_only() -> None:
    async with browser() as page:
        await page.act("Robin", "slash", command="open", options={})
        panel = await page.until("Robin", "Turn 1")
        await page.press("Kim", panel, "Fire")
        private = await page.until("Kim", "Choose a target")
        assert private["private"] is True
        assert "Choose a target" not in json.dumps(await page.state("Robin"))
        select = next(c for c in walk(private["components"]) if c["type"] == 3)
        await page.act(
            "Kim",
            "select",
            message=private["id"],
            custom_id=select["custom_id"],
            values=["IN1"],
        )
        private = await page.until("Kim", "Target: IN1")
        shown = await page.press("Kim", private, "Type a cell")
        assert shown["modal"]["title"] == "Where to?"
        answer = await page.act("Kim", "modal", shown=shown["shown"], values={"cell": "G7"})
        assert answer == {}
        await page.until("Robin", "Kim fires at G7")
        again = await page.act("Kim", "modal", shown=shown["shown"], values={"cell": "G7"})
        assert again["error"].startswith("That form is no longer open")


async def test_a_private_message_can_be_dismissed() -> None:
    async with browser() as page:
        await page.act("Robin", "slash", command="open", options={})
        await page.press("Kim", await page.until("Kim", "Turn 1"), "Fire")
        private = await page.until("Kim", "Choose a target")
        await page.act("Kim", "dismiss", message=private["id"])
        assert "Choose a target" not in json.dumps(await page.state("Kim"))


async def test_a_private_thread_is_there_for_those_in_it_only() -> None:
    async with browser() as page:
        channel: Any = page.table.bot.get_channel(page.table.channels["table-1"].id)
        thread = await channel.create_thread(
            name="lesson", type=discord.ChannelType.private_thread, invitable=False
        )
        await thread.add_user(discord.Object(page.table.people["Kim"].id))
        page.channel = str(thread.id)
        for person, there in (
            ("Kim", True),
            ("Sam", False),
            ("Robin", True),
        ):  # who owns the server
            seen = await page.state(person)
            assert ("lesson" in [one["name"] for one in seen["channels"]]) is there
            assert (seen["channel"] == page.channel) is there


async def test_a_person_can_chat_and_use_direct_messages() -> None:
    async with browser() as page:
        await page.act("Sam", "say", text="Good luck!")
        await page.until("Kim", "Good luck!")
        state = await page.state("Sam")
        page.channel = next(c["id"] for c in state["channels"] if c["kind"] == "direct")
        await page.act("Sam", "slash", command="later", options={"seconds": 0})
        await page.until("Sam", "It is time")


async def test_what_a_client_would_refuse_is_refused_with_a_sentence() -> None:
    async with browser() as page:
        nothing = await page.act("Kim", "slash", command="nothing", options={})
        assert nothing["error"] == "There is no command /nothing here."
        missing = await page.act("Kim", "slash", command="unit move", options={})
        assert missing["error"] == "/unit move needs “unit”."
        typed = await page.act("Kim", "slash", command="later", options={"seconds": "soon"})
        assert typed["error"] == "“seconds” is a number, such as 2.5."
        late = await page.act("Kim", "slash", command="later", options={"seconds": "61"})
        assert late["error"] == "“seconds” is between 0 and 60."
        wrong = await page.act("Kim", "slash", command="settings", options={"pace": "warp"})
        assert wrong["error"] == "Choose one of those offered for “pace”."
        gone = await page.act("Kim", "click", message="1", custom_id="x")
        assert gone["error"] == "That message is gone."


async def test_a_bot_that_does_not_answer_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.local.page._ANSWER_SECONDS", 0.05)
    async with browser() as page:
        answer = await page.act("Kim", "slash", command="silence", options={})
        assert answer["error"] == "Fieldpost did not answer within three seconds."


async def test_other_sites_are_turned_away() -> None:
    async with browser() as page:
        body = {"as": page.id("Kim"), "in": page.channel, "kind": "say", "text": "hi"}
        for headers in ({}, {"X-Local-Table": "1", "Origin": "http://evil.example"}):
            async with page.session.post("/api/act", json=body, headers=headers) as response:
                assert response.status == 403
        async with page.session.get("/api/state", headers={"Host": "evil.example"}) as response:
            assert response.status == 403
        async with page.session.get("/") as response:
            assert response.status == 200
            assert "default-src 'none'" in response.headers["Content-Security-Policy"]


# -------------------------------------------------------------------------- real time


async def test_real_time_passes_for_the_bot_and_the_page_hears_of_it() -> None:
    async with browser() as page, page.session.get("/api/changes") as stream:
        await page.act("Kim", "slash", command="later", options={"seconds": 0.3})
        begun = asyncio.get_running_loop().time()
        await page.until("Kim", "It is time")
        assert 0.2 < asyncio.get_running_loop().time() - begun < 3
        heard = await asyncio.wait_for(stream.content.readuntil(b"\n\n"), 3)
        assert heard == b"data: changed\n\n"


async def test_standing_workers_and_loops_run(tmp_path: Path) -> None:
    async with browser(tmp_path) as page:
        bot = page.table.bot
        assert isinstance(bot, toy.Toy)
        await asyncio.sleep(0.35)
        assert bot.ticks >= 2, "a discord.ext.tasks loop runs by the clock"
        await bot.queue.put("From the outbox")
        await page.until("Sam", "From the outbox")


# ------------------------------------------------------------------------ between runs


async def test_ids_messages_and_buttons_outlive_a_restart(tmp_path: Path) -> None:
    async with browser(tmp_path) as page:
        await page.act("Robin", "slash", command="open", options={})
        panel = await page.until("Robin", "Turn 1")
        await page.press("Kim", panel, "Open a thread")
        await page.until("Kim", "In the thread")
        before = await page.state()
    assert page.table.bot.is_closed()
    async with browser(tmp_path, people=["Alex", "Robin", "Kim"]) as page:
        after = await page.state()
        assert {c["id"]: c["name"] for c in before["channels"]} == {
            c["id"]: c["name"] for c in after["channels"]
        }
        assert {c["kind"] for c in after["channels"]} == {"channel", "thread", "direct"}
        old = {p["name"]: p["id"] for p in before["people"]}
        new = {p["name"]: p["id"] for p in after["people"]}
        assert new["Kim"] == old["Kim"]
        assert new["Alex"] not in old.values()
        assert before["bot"] == after["bot"]
        assert [m["id"] for m in before["messages"]] == [m["id"] for m in after["messages"]]
        panel = await page.until("Robin", "Turn 1")
        url = next(c for c in walk(panel["components"]) if c["type"] == 12)["items"][0]["media"]
        async with page.session.get(url["url"]) as response:
            assert await response.read() == toy.picture()
        await page.press("Kim", panel, "Fire")
        await page.until("Kim", "Choose a target")
        await page.act("Kim", "slash", command="open", options={})
        newest = (await page.state("Kim"))["messages"][-1]
        assert int(newest["id"]) > int(panel["id"])


async def test_the_same_names_have_the_same_ids_without_any_file() -> None:
    async with browser(people=["Robin", "Kim"]) as page:
        first = await page.state()
    async with browser(people=["Kim", "Robin"]) as page:
        second = await page.state("Robin")
    assert first["you"] == second["you"]
    assert first["channels"][:2] == second["channels"][:2]


# ---------------------------------------------------------------------- start and stop


async def test_a_taken_port_is_named() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(LocalTableError, match=f"Port {port} is taken"):
            async with start(toy.make_bot, port=port):
                pass


async def test_a_second_table_on_the_same_file_is_refused(tmp_path: Path) -> None:
    async with browser(tmp_path):
        with pytest.raises(LocalTableError, match="already using"):
            async with start(toy.make_bot, data=tmp_path):
                pass


@pytest.mark.parametrize("people", [[], ["Kim", "kim"], [""]])
async def test_people_need_names(people: list[str]) -> None:
    with pytest.raises(LocalTableError):
        async with start(toy.make_bot, people=people):
            pass


async def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("shopping list\n" * 100)
    with pytest.raises(LocalTableError, match=r"notes\.txt is not a SQLite database"):
        async with start(toy.make_bot, data=tmp_path / "notes.txt"):
            pass


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_serve_prints_one_line_and_stops_on_a_signal(
    tmp_path: Path, number: signal.Signals
) -> None:
    script = (
        "import asyncio, sys, pathlib\n"
        f"sys.path[:0] = [{str(ROOT)!r}]\n"
        "from tests.bot import toy_bot\n"
        "from bot.local import serve\n"
        "asyncio.run(serve(toy_bot.make_bot, port=0, people=['Robin', 'Kim'],"
        f" data=pathlib.Path({str(tmp_path)!r})))\n"
        "print('closed:', toy_bot.made[-1].is_closed())\n"
    )
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        script,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )
    assert process.stdout is not None
    try:
        line = (await asyncio.wait_for(process.stdout.readline(), 30)).decode()
        found = re.fullmatch(
            r"Fieldpost's local table: (http://127\.0\.0\.1:\d+) — Ctrl-C stops it\n", line
        )
        assert found, line
        async with (
            aiohttp.ClientSession() as session,
            session.get(found[1] + "/api/changes") as stream,  # an open page does not hold it up
        ):
            await stream.content.readuntil(b"\n\n")
            process.send_signal(number)
            out, err = await asyncio.wait_for(process.communicate(), 10)
        assert process.returncode == 0, err.decode()
        assert out.decode() == "Stopping.\nclosed: True\n"
        assert err.decode() == ""
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()


# --------------------------------------------------------------------- in a real browser


@pytest.mark.parametrize(("width", "height"), [browser_helper.PHONE, browser_helper.DESKTOP])
async def test_a_person_plays_in_a_browser(width: int, height: int) -> None:
    if missing := browser_helper.chromium_missing():
        pytest.skip(missing)

    def play(address: str) -> list[str]:
        with browser_helper.chromium(width, height) as driver:
            page = browser_helper.TablePage(driver, address, person="Robin")
            page.slash("open")
            page.wait_for("Turn 1: the ridge")
            page.act_as("Kim")
            page.press("Fire")
            page.choose("Insurgent 1")
            page.wait_for("Target: IN1")
            assert len(page.private_texts()) == 1
            page.press("Type a cell")
            page.fill({"Cell": "G7"})
            page.wait_for("Kim fires at G7")
            page.act_as("Sam")
            assert page.private_texts() == []
            page.slash("unit move", unit="Bravo", to="H8")
            page.wait_for("bravo moves to H8")
            page.type_line("/settings pace:fast partner:Kim")
            page.wait_for("Pace fast with Kim, quiet False")
            page.type_line("/unit move unit:alpha nonsense")
            page.wait_for("alpha nonsense moves to G6")
            page.slash("later", seconds="soon")
            page.wait_for_notice("“seconds” is a number")
            driver.refresh()
            page.wait_for("Kim fires at G7")
            assert page.pictures() == [("A teal board", 900)]
            assert page.fits()
            return page.troubles()

    async with start(toy.make_bot) as table:
        assert await asyncio.to_thread(play, table.address) == []


async def test_a_line_typed_while_a_command_runs_is_kept() -> None:
    if missing := browser_helper.chromium_missing():
        pytest.skip(missing)
    slowly = (
        "const ask = window.fetch; window.fetch = async (path, ...more) => {"
        " if (path === '/api/act') await new Promise((done) => setTimeout(done, 700));"
        " return ask(path, ...more); }"
    )

    def play(address: str) -> str | None:
        with browser_helper.chromium() as driver:
            page = browser_helper.TablePage(driver, address, person="Robin")
            driver.execute_script(slowly)  # pyright: ignore[reportUnknownMemberType]
            page.type_line("/settings pace:fast partner:Kim")
            box = driver.find_element("id", "say")
            box.clear()
            box.send_keys("/unit move unit:alpha")
            page.wait_for("Pace fast with Kim, quiet False")
            time.sleep(0.2)
            return box.get_attribute("value")

    async with start(toy.make_bot) as table:
        assert await asyncio.to_thread(play, table.address) == "/unit move unit:alpha"
