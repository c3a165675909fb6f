"""Buttons of every age, pressed again: none of them does anything any more, and each is answered."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from simcord.components import walk_components

from bot.custom_ids import PRESS_PATTERN, STEP_PATTERN
from bot.offers import BOARD, CATCH_UP, ENDED, HAND, HELP, MORE, ODDS, START
from games.registry import Registry
from tests.e2e.party import Party, party
from tests.e2e.tabletop import BUTTON, toy_bot

HARMLESS = (BOARD, HELP, HAND, ODDS, MORE, START, CATCH_UP)
SEED = "stale buttons"


def ids_of(table: Party) -> set[str]:
    """Every id that the bot has ever sent which could do something."""
    found: set[str] = set()
    for request in table.top.env.http_requests:
        data = request.json if isinstance(request.json, dict) else {}
        for body in (data, data.get("data") or {}):
            components: Any = body.get("components") or []
            found |= {c["custom_id"] for c in walk_components(components) if c.get("custom_id")}
    return found


def useful(found: set[str]) -> list[str]:
    """Ids that are no mere look at something and no way to go on picking."""
    kept: list[str] = []
    for id in sorted(found):
        press, step = PRESS_PATTERN.fullmatch(id), STEP_PATTERN.fullmatch(id)
        match = press or step
        if match is None or match["verb"] in (*HARMLESS, ENDED):
            continue
        if step is None or step["act"] in "osdy":
            kept.append(id)
    return kept


async def press_all(table: Party, found: list[str], who: str) -> list[str]:
    """Put each id on the first button of the last panel and press it; what was answered."""
    answers: list[str] = []
    stored = table.top.env.backend.get_message(table.top.channel.id, table.top.panel.id)
    button = next(
        c for c in walk_components(stored.components) if c["type"] == BUTTON and "custom_id" in c
    )
    known = button["custom_id"]
    for id in found:
        if any(c.get("custom_id") == id for c in walk_components(stored.components)):
            continue
        button["custom_id"] = id
        result = await table.people[who].click(table.top.panel, custom_id=id)
        answers.append(table.read(result) if result.response is not None else "")
        button["custom_id"] = known
    return answers


async def test_old_buttons(tmp_path: Path) -> None:
    async with party(tmp_path, ["Robin", "Kim"], SEED) as table:
        await table.say("Robin", "boots new", mission="hot-lz", mode="solo1")
        await table.play(6, commands=0)
        asked = await table.say("Robin", "table undo")
        labels = table.top.labels(asked.response)
        if "Take it back" in labels:
            await table.people["Robin"].click(asked.response, label="Take it back")
        before = await table.table()
        old = [id for id in useful(ids_of(table)) if f":{before.version}:" not in id]
        assert len(old) > 20
        answers = await press_all(table, old[::2], "Robin")
        assert all("moved on" in answer or "Not now" in answer for answer in answers), answers
        strangers = await press_all(table, old[::9], "Kim")
        assert all("You hold no seat" in answer for answer in strangers), strangers
        assert (await table.table()).version == before.version

        again = toy_bot(tmp_path, Registry())
        await table.bot.close()
        await table.top.env.restart_bot(again)
        table.top.bot = again
        answers = await press_all(table, old[1::5], "Robin")
        assert all("moved on" in answer or "Not now" in answer for answer in answers), answers
        assert (await table.table()).version == before.version

        moved = await table.say("Robin", "table end")
        await table.people["Robin"].click(moved.response, label="End the game")
        over = await table.table()
        answers = await press_all(table, useful(ids_of(table))[::6], "Robin")
        assert all("is over" in answer or "was ended" in answer for answer in answers), answers
        assert (await table.table()).version == over.version

        await table.say("Robin", "boots new", mission="hot-lz", mode="solo1")
        fresh = await table.table()
        answers = await press_all(table, old[2::9], "Robin")
        assert all("is over" in answer or "was ended" in answer for answer in answers), answers
        assert (await table.table()).version == fresh.version
        assert await table.bot.sessions.audit(over.id) == ""
