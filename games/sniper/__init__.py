"""Sniper Kill Confirmed: a two-man team, six zones, one target, and the enemy closing in."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from games.sniper.content import Content
from games.sniper.game import Sniper

__all__ = ["Sniper", "from_tables", "load"]


def load(folder: Path) -> Sniper:
    """The game with the content of a data folder. Raises `BrokenData`."""
    return Sniper(Content.load(folder))


def from_tables(tables: Mapping[str, Any]) -> Sniper:
    """The game with content that a session has pinned. Raises `BrokenData`."""
    return Sniper(Content.from_tables(tables))
