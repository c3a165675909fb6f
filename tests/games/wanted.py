"""What a recorded whole game is to show, and what is known of a game when it is over."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from games.kernel.action import Action
from games.kernel.entropy import Entropy
from games.kernel.game import Game

FOLDER = Path(__file__).resolve().parents[1] / "fixtures"

Player = Callable[[Any, str, Entropy], Action]
"""Decides for a seat that must act."""


@dataclass(frozen=True)
class Story:
    """A game that is over: its last state, all that was told on the way, the verbs used in order."""

    state: Any
    told: tuple[str, ...]
    verbs: tuple[str, ...]


@dataclass(frozen=True)
class Wanted:
    """An end to be recorded: the set-up, how to know the end, and how to play towards it.

    `most` is how many actions the recording may have. `table` and `way` are the kind of table and the
    way to end, where a game keeps a list of both.
    """

    slug: str
    name: str
    end: str
    chosen: Mapping[str, str]
    reached: Callable[[Story], bool]
    player: Callable[[Game[Any]], Player]
    patch: Mapping[str, Any] = field(default_factory=dict)
    most: int = 400
    table: str = ""
    way: str = ""

    @property
    def path(self) -> Path:
        """Where the recording lies."""
        return FOLDER / self.slug / f"{self.name}.json"
