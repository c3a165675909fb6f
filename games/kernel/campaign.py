"""Campaigns and records: what is kept of a game when it is over, and what leads to the next one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar

import msgspec

from games.kernel.domain import Option
from games.kernel.game import Setup, SetupField
from games.kernel.illegal import Illegal

S = TypeVar("S")


class Record(msgspec.Struct, frozen=True):
    """What one seat takes away from a finished game, for statistics.

    `figures` are whole numbers by name (“Insurgents killed”), in the order they are shown; those in
    `shared` belong to the whole game, so that somebody who held several seats gets them once. `most`
    is the limit that the game's measure had (0: none), `par` what is thought good (0: nothing is).
    `counted`: whether the game belongs in anybody's record at all (training grounds do not).
    """

    mission: str
    mode: str
    won: bool
    level: str
    cause: str
    figures: dict[str, int]
    shared: tuple[str, ...] = ()
    most: int = 0
    par: int = 0
    counted: bool = True


class Grading(msgspec.Struct, frozen=True):
    """How a game's results compare: its levels from the worst to the best, and its measure, the name
    of the figure of which a good player needs few (empty: there is none)."""

    levels: tuple[str, ...] = ()
    measure: str = ""


class Stage(msgspec.Struct, frozen=True):
    """One mission of a campaign as it is shown: title, how it went, points; `result` empty: to come."""

    title: str
    result: str
    points: int | None
    figures: dict[str, int] = {}
    note: str = ""
    most: int = 0


class CampaignView(msgspec.Struct, frozen=True):
    """A campaign as it is shown: its stages in order, the total, and what it amounts to.

    `ratings` are all there are, from the lowest: the total each begins at, and its title. `next` is
    the title of the next mission, empty when there is none.
    """

    title: str
    stages: tuple[Stage, ...]
    total: int
    most: int
    rating: str
    next: str
    ratings: tuple[tuple[int, str], ...] = ()


class Errand(msgspec.Struct, frozen=True):
    """Something that may be done between two games: its button, its question and its answers."""

    name: str
    label: str
    prompt: str
    options: tuple[Option, ...]


class Campaign(ABC, Generic[S]):
    """A series of games of one kind. Its progress is a JSON-able value that only it reads."""

    slug: str
    title: str
    summary: str
    modes: tuple[str, ...]

    def fields(self, mode: str) -> Sequence[SetupField]:
        """What can be chosen besides the mode when one is begun; nothing unless the campaign says so."""
        return ()

    @abstractmethod
    def begin(self, mode: str, options: Mapping[str, str] = {}) -> dict[str, Any]:
        """The progress at the start. `options` hold for all its games, as they are chosen for one.

        Raises `Illegal` for a mode the campaign is not played in and for options that do not fit.
        """

    def again(self, progress: dict[str, Any]) -> dict[str, Any]:
        """The progress at the start of another one like this, in the same mode with the same options.

        These are read as `mode` and `options`; a campaign that keeps them otherwise says so here.
        Raises `Illegal` when the game does not know them any more.
        """
        return self.begin(str(progress["mode"]), dict(progress.get("options", {})))

    @abstractmethod
    def setup(self, progress: dict[str, Any]) -> Setup | None:
        """The next game, or None when the campaign is over."""

    @abstractmethod
    def after(self, progress: dict[str, Any], state: S) -> dict[str, Any]:
        """The progress after the game that `setup` asked for has ended in `state`."""

    def errands(self, progress: dict[str, Any]) -> tuple[Errand, ...]:
        """What may be done before the next game; nothing unless the campaign says so."""
        return ()

    def run(self, progress: dict[str, Any], errand: str, value: str) -> dict[str, Any]:
        """The progress after an errand. Raises `Illegal` when it is not possible."""
        raise Illegal("", f"There is no “{errand}” in this campaign.")

    @abstractmethod
    def view(self, progress: dict[str, Any]) -> CampaignView:
        """How it stands."""
