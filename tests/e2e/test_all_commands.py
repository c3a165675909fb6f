"""Every command of the bot is used end to end by some test: a new one cannot be left out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from games.registry import Registry
from tests.bot.test_limits import all_commands

GROUPS = (1, 2)
"""Kinds of options that are commands of their own: subcommands and groups of them."""


def paths(command: Mapping[str, Any], before: str = "") -> Iterator[str]:
    """A command's own path, or those of its subcommands."""
    path = f"{before} {command['name']}".strip()
    inner = [option for option in command.get("options", ()) if option["type"] in GROUPS]
    if not inner:
        yield path
    for option in inner:
        yield from paths(option, path)


async def test_every_command_is_used_end_to_end(tmp_path: Path) -> None:
    """Commands of games come from their verbs; `test_mission` and others type them as they play."""
    registry = Registry()
    commands = await all_commands(tmp_path, registry)
    texts = [path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("*.py")]
    known = [path for command in commands for path in paths(command)]
    games = tuple(f"{slug} " for slug in registry.slugs())
    missing = [
        path
        for path in known
        if not path.startswith(games) and not any(f'"{path}"' in text for text in texts)
    ]
    assert len(known) > 80 and missing == []
