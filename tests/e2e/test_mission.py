"""A whole mission of Boots on the Ground through real discord.py: by buttons, then by commands.

A sensible player decides what to do from what he may know; the test then does it as a person would.
"""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.commands import command_path
from bot.custom_ids import STEP_PATTERN, Step
from bot.picking import picked_by
from bot.picks import unpack
from games.kernel.action import Action
from games.kernel.entropy import CommittedEntropy
from games.registry import Registry
from tests.bot import limits
from tests.e2e.tabletop import Tabletop, tabletop, toy_bot
from tests.players import Sergeant

ENOUGH = 600
"""Actions after which a mission must be over."""

SEAT = "ALPHA"


@pytest.fixture
async def street(tmp_path: Path) -> AsyncIterator[Tabletop]:
    async with tabletop(tmp_path, toy_bot(tmp_path, Registry())) as running:
        # The same dice in every run.
        sessions: Any = running.bot.sessions
        sessions._secret = lambda: hashlib.sha256(b"a mission").digest()
        sessions._name = lambda: "missi0n1"
        yield running


async def test_a_mission_by_buttons_only(street: Tabletop) -> None:
    await street.robin.slash(street.channel, "boots new", mission="hot-lz", mode="solo1")
    player, chance = Sergeant(street.bot.registry.newest("boots"), wild=15), seeded("buttons")
    for _ in range(ENOUGH):
        check(street, street.panel)
        table = await here(street)
        if table.over:
            break
        action = player.action(table.state, SEAT, chance)
        verb = table.game.verbs[action.verb]
        result = await street.robin.click(street.panel, custom_id=verb_id(street, action.verb))
        for _ in range(40):
            if result.response is None or "Cancel" not in street.labels(result.response):
                break
            check(street, result.response)
            result = await answer(street, result.response, action)
        after = await here(street)
        assert after.version == table.version + 1, f"{verb.name} {action.slots}"
    await over(street)


async def test_a_mission_by_commands_only(street: Tabletop) -> None:
    await street.robin.slash(street.channel, "boots new", mission="hot-lz", mode="solo1")
    player, chance = Sergeant(street.bot.registry.newest("boots"), wild=15), seeded("commands")
    for _ in range(ENOUGH):
        table = await here(street)
        if table.over:
            break
        action = player.action(table.state, SEAT, chance)
        verb = table.game.verbs[action.verb]
        command = command_path(table.game, verb)[1:]
        given: dict[str, str] = {}
        for slot in verb.slots:
            if slot.name not in action.slots:
                continue
            value = action.slots[slot.name]
            typed = value if isinstance(value, str) else ", ".join(value)
            found = await street.robin.autocomplete(
                street.channel, command, slot.name, typed.lower(), **given
            )
            assert typed in [choice["value"] for choice in found], f"{command} {given} {typed}"
            given[slot.name] = typed.lower()
        result = await street.robin.slash(street.channel, command, **given)
        check(street, result.response)
        after = await here(street)
        assert after.version == table.version + 1, street.words(result.response)
    await over(street)


def seeded(word: str) -> CommittedEntropy:
    """Chance for the player's own decisions, the same in every run."""
    return CommittedEntropy(word.encode(), "player", (), 0)


async def here(street: Tabletop) -> Any:
    table = await street.bot.sessions.in_channel(street.channel.id)
    assert table is not None
    return table


def check(street: Tabletop, message: Any) -> None:
    """The message keeps Discord's limits."""
    components = message.components
    if components and not isinstance(components[0], dict):
        stored = street.env.backend.get_message(street.channel.id, message.id)
        components = stored.components
    limits.check_message(components)


def verb_id(street: Tabletop, verb: str) -> str:
    """The panel's button of a verb."""
    found = [id for id in street.ids(street.panel).values() if id.split(":")[3:4] == [verb]]
    assert len(found) == 1, f"{verb}: {street.labels(street.panel)}"
    return found[0]


async def answer(street: Tabletop, message: Any, action: Action) -> Any:
    """Answer a question as the action wants it, by the menu, its pages, or a button."""
    table = await here(street)
    ids = street.ids(message)
    if "Yes" in ids:
        return await street.robin.click(message, label="Yes")
    step = Step.read(match) if (match := STEP_PATTERN.fullmatch(ids["Cancel"])) else None
    assert step is not None
    at = unpack(table.state, SEAT, table.game.verbs[action.verb], step.picks, step.check)
    assert at.slot is not None
    value = action.slots[at.slot.name]
    if not isinstance(value, str):
        left = [part for part in value if part not in at.partial]
        if not left:
            return await street.robin.click(message, label="That is all")
        value = left[0]
    if value in street.menu(message):
        return await street.robin.select(message, [value])
    for id in ids.values():
        found = STEP_PATTERN.fullmatch(id)
        choice = Step.read(found) if found else None
        if choice is None or choice.act != "o" or choice.arg.startswith("no"):
            continue
        if picked_by(at, choice.arg) == value:
            return await street.robin.click(message, custom_id=id)
    return await street.robin.click(message, label="Next ▶")


async def over(street: Tabletop) -> None:
    """The mission has ended by its rules, and the panel says how."""
    table = await here(street)
    outcome = table.result()
    assert table.over and outcome is not None
    assert table.version >= 25, "long enough to mean something"
    assert outcome.title in street.words(street.panel)
    assert set(street.labels(street.panel)) == {"Undo", "Board", "Help"}
    assert await street.bot.sessions.audit(table.id) == ""
