"""Boots on the Ground: modern squad fighting in a town, one card after every activation."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from games.boots.content import Content
from games.boots.game import Boots

__all__ = ["Boots", "from_tables", "load"]


def load(folder: Path) -> Boots:
    """The game with the content of a data folder. Raises `BrokenData`."""
    return Boots(Content.load(folder))


def from_tables(tables: Mapping[str, Any]) -> Boots:
    """The game with content that a session has pinned. Raises `BrokenData`."""
    return Boots(Content.from_tables(tables))
