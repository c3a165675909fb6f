"""Rare ways: direct messages, giving up, damaged or busy databases, tables that are gone."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from bot.offers import starts
from bot.refusals import StoreBusy, StoreFull
from bot.sessions import Sessions
from bot.store import schema as db
from games.registry import Registry
from tests.e2e.tabletop import Tabletop, tabletop, toy_bot


@pytest.fixture
async def street(tmp_path: Path) -> AsyncIterator[Tabletop]:
    async with tabletop(tmp_path, toy_bot(tmp_path, Registry())) as running:
        yield running


async def test_giving_up_is_behind_more_and_asks_first(street: Tabletop) -> None:
    await street.robin.slash(street.channel, "boots new", mission="hot-lz", mode="solo1")
    assert "Concede" not in street.labels(street.panel)
    more = await street.robin.click(street.panel, label="More…")
    label = label_of(await table_of(street), "concede")
    asked = await street.robin.click(more.response, label=label)
    assert "cannot be taken back" in street.words(asked.response)
    kept = await street.robin.click(asked.response, label="Cancel")
    assert "Nothing was done" in street.words(kept.response)
    typed = await street.robin.slash(street.channel, "boots concede")
    done = await street.robin.click(typed.response, label="Yes")
    assert done.response is not None
    assert (await table_of(street)).over
    assert "Defeat" in street.words(street.panel)


async def test_a_game_in_a_direct_message(top: Tabletop) -> None:
    dora = top.env.create_user("Dora")
    opened = await dora.slash("toy new", mode="solo1")
    assert "Your table is open" in top.words(opened.response)
    moved = await dora.slash("toy move", to="B2")
    assert "A1 to B2" in top.words(moved.response)
    asked = await dora.slash("table end")
    assert "End this game" in top.words(asked.response)


async def test_a_table_that_is_gone(top: Tabletop) -> None:
    await top.open()
    stored = top.env.backend.get_message(top.channel.id, top.panel.id)
    table = await table_of(top)
    rewrite(stored.components, table.id, "gone2345")
    pressed = await top.robin.click(top.panel, label="Move")
    assert pressed.ephemeral
    assert "does not exist any more" in top.words(pressed.response)


async def test_a_damaged_game_is_paused_and_can_be_ended(top: Tabletop) -> None:
    await top.open()
    table = await table_of(top)
    async with top.bot.store.write() as connection:
        await connection.execute(
            update(db.sessions).where(db.sessions.c.id == table.id).values(state=b"damaged")
        )
    pressed = await top.robin.click(top.panel, label="Move")
    assert "cannot be read" in top.words(pressed.response)
    typed = await top.robin.slash(top.channel, "toy move", to="B2")
    assert "cannot be read" in top.words(typed.response)
    asked = await top.robin.slash(top.channel, "table end")
    assert "End this game for everybody?" in top.words(asked.response)
    old = top.panel
    await top.robin.click(asked.response, label="End the game")
    assert top.words(top.panel) == "- Robin (the host) ended the game before its time."
    assert top.labels(old) == [], "the buttons of a game that cannot be read are gone"
    again = await top.open()
    assert "Your table is open" in top.words(again.response)


async def test_a_control_of_another_version_is_answered(top: Tabletop) -> None:
    await top.open()
    table = await table_of(top)
    for unknown in (f"fp:{table.id}:1:Move!", f"fpp:{table.id}:1:move:0::::p", "fpx:1"):
        stored = top.env.backend.get_message(top.channel.id, top.panel.id)
        known = top.ids(top.panel)["Move"]
        rewrite(stored.components, known, unknown)
        pressed = await top.robin.click(top.panel, custom_id=unknown)
        assert pressed.ephemeral
        assert "/table panel" in top.words(pressed.response)
        rewrite(stored.components, unknown, known)
    assert (await table_of(top)).version == table.version


@pytest.mark.parametrize(
    ("refusal", "part"), [(StoreBusy(), "is busy"), (StoreFull(), "cannot save")]
)
async def test_a_database_that_does_not_take_it(
    top: Tabletop, monkeypatch: pytest.MonkeyPatch, refusal: Exception, part: str
) -> None:
    await top.open()
    picking = await top.robin.click(top.panel, label="Move")

    async def refuse(*_: Any, **__: Any) -> None:
        raise refusal

    with monkeypatch.context() as patched:
        patched.setattr(Sessions, "act", refuse)
        refused = await top.robin.select(picking.response, ["B2"])
        assert part in top.words(refused.response)
        quiet = await top.robin.click(top.panel, label="End turn")
        assert part in top.words(quiet.response)
    done = await top.robin.select(picking.response, ["B2"])
    assert "A1 to B2" in top.words(done.response), "the question was still there"


def label_of(table: Any, verb: str) -> str:
    return next(start.label for start in starts(table) if start.verb == verb)


async def table_of(top: Tabletop) -> Any:
    table = await top.bot.sessions.in_channel(top.channel.id)
    assert table is not None
    return table


def rewrite(components: list[Any], old: str, new: str) -> None:
    """Replace part of every custom id of a stored message."""
    for component in components:
        if component.get("custom_id"):
            component["custom_id"] = component["custom_id"].replace(old, new)
        rewrite(component.get("components", []), old, new)
