"""A whole mission of Boots on the Ground through real discord.py: by buttons, then by commands."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from games.registry import Registry
from tests.bot import limits
from tests.e2e.tabletop import Tabletop, tabletop, toy_bot

OWN = {"Undo", "Board", "Help", "More…"}
ENOUGH = 600
"""Presses or commands after which a mission must be over."""


@pytest.fixture
async def street(tmp_path: Path) -> AsyncIterator[Tabletop]:
    async with tabletop(tmp_path, toy_bot(tmp_path, Registry())) as running:
        yield running


async def test_a_mission_by_buttons_only(street: Tabletop) -> None:
    chance = random.Random(7)
    await street.robin.slash(street.channel, "boots new", mission="hot-lz", mode="solo1")
    kinds: set[str] = set()
    for _ in range(ENOUGH):
        check(street, street.panel)
        verbs = [label for label in street.labels(street.panel) if label not in OWN]
        if not verbs:
            break
        label = chance.choice(verbs)
        kinds.add(label)
        result = await street.robin.click(street.panel, label=label)
        while result is not None and asks(street, result):
            check(street, result.response)
            result = await choose(street, result.response, chance)
    await over(street)
    assert {"Ready", "Activate a unit", "Move", "Finish activation"} <= kinds


async def test_a_mission_by_commands_only(street: Tabletop) -> None:
    chance = random.Random(11)
    await street.robin.slash(street.channel, "boots new", mission="hot-lz", mode="solo1")
    commands = places(street)
    for _ in range(ENOUGH):
        table = await street.bot.sessions.in_channel(street.channel.id)
        assert table is not None
        if table.over:
            break
        offers = table.game.offers(table.state, "ALPHA")
        name = chance.choice([offer.verb for offer in offers if offer.verb != "concede"])
        given: dict[str, str] = {}
        for slot in table.game.verbs[name].slots:
            found = await street.robin.autocomplete(
                street.channel, commands[name], slot.name, "", **given
            )
            assert 1 <= len(found) <= 25
            values = [choice["value"] for choice in found if choice["value"] != "?"]
            if values:
                given[slot.name] = chance.choice(values).lower()
        result = await street.robin.slash(street.channel, commands[name], **given)
        assert "Now " in street.words(result.response) or (await street_over(street))
        check(street, result.response)
    await over(street)


def check(street: Tabletop, message: Any) -> None:
    """The message keeps Discord's limits."""
    components = message.components
    if components and not isinstance(components[0], dict):
        stored = street.env.backend.get_message(street.channel.id, message.id)
        components = stored.components
    limits.check_message(components)


def asks(street: Tabletop, result: Any) -> bool:
    """Whether a press is answered by a question."""
    return result.response is not None and "Cancel" in street.labels(result.response)


async def choose(street: Tabletop, message: Any, chance: random.Random) -> Any:
    """Answer a question by its menu or one of its buttons."""
    values = street.menu(message)
    if values:
        return await street.robin.select(message, [chance.choice(values)])
    ids = street.ids(message)
    picks = [label for label in street.labels(message) if ":o" in ids.get(label, "")]
    ready = [label for label in street.labels(message) if label in ("That is all", "Yes")]
    return await street.robin.click(message, label=chance.choice(picks or ready))


def places(street: Tabletop) -> dict[str, str]:
    """Where each verb's command stands: `boots move`, `boots more skip`."""
    group = street.bot.tree.get_command("boots")
    assert group is not None
    found: dict[str, str] = {}
    for command in group.walk_commands():  # type: ignore[union-attr]
        found[command.name.replace("-", "_")] = command.qualified_name
    return found


async def street_over(street: Tabletop) -> bool:
    table = await street.bot.sessions.in_channel(street.channel.id)
    return table is not None and table.over


async def over(street: Tabletop) -> None:
    """The mission has ended by its rules, and the panel says how."""
    table = await street.bot.sessions.in_channel(street.channel.id)
    assert table is not None and table.over
    outcome = table.result()
    assert outcome is not None
    assert outcome.title in street.words(street.panel)
    assert set(street.labels(street.panel)) == {"Board", "Help"}
    assert await street.bot.sessions.audit(table.id) == ""
