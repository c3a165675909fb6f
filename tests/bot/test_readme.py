"""README.md is true: its links lead somewhere, and its commands are there with their options."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import discord

from bot.client import EXTENSIONS, create_bot
from bot.settings import read_settings
from games.registry import Registry

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_links_lead_somewhere() -> None:
    paths = re.findall(r"\]\((?!https?:)([^)#]+)|src=\"([^\"]+)\"", README)
    assert len(paths) > 8
    for one, other in paths:
        assert (ROOT / (one or other)).exists(), one or other


async def test_commands_exist_with_their_options(tmp_path: Path) -> None:
    known = await options_of_commands(tmp_path)
    named = re.findall(r"`/([a-z][^`]*)`", README)
    assert len(named) > 8
    for line in named:
        words = line.split()
        given = [word.split(":")[0] for word in words if ":" in word]
        path = " ".join(word for word in words if ":" not in word)
        assert path in known, line
        assert set(given) <= known[path], line


def test_the_invitation_asks_for_the_permissions_that_are_listed() -> None:
    number = re.search(r"permissions=(\d+)", README)
    assert number is not None
    asked = {name for name, granted in discord.Permissions(int(number[1])) if granted}
    listed = re.search(r"the permissions ([^:]+):", README)
    assert listed is not None
    names = {" ".join(name.split()).lower().replace(" ", "_") for name in listed[1].split(",")}
    assert {"read_messages" if name == "view_channels" else name for name in names} == asked


async def options_of_commands(tmp_path: Path) -> dict[str, set[str]]:
    """The options of every command and group, by its path."""
    settings = read_settings(None, DATABASE_URL=f"sqlite+aiosqlite:///{tmp_path}/x.db")
    registry = Registry()
    bot = create_bot(settings, registry=registry)
    for extension in EXTENSIONS:
        await bot.load_extension(extension)
    for slug in registry.slugs():
        bot.add_game(slug)
    found: dict[str, set[str]] = {}

    def read(payload: dict[str, Any], before: str = "") -> None:
        path = f"{before} {payload['name']}".strip()
        options = payload.get("options", [])
        found[path] = {option["name"] for option in options if option["type"] > 2}
        for option in options:
            if option["type"] <= 2:
                read(option, path)

    for command in bot.tree.get_commands():
        read(command.to_dict(bot.tree))
    await bot.close()
    return found
