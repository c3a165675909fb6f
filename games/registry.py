"""The games there are, loaded when asked for and kept by their content."""

from __future__ import annotations

import importlib
from collections import OrderedDict
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

from games.kernel.game import Game

AnyGame: TypeAlias = Game[Any]

Tables: TypeAlias = Mapping[str, Any]

Loader: TypeAlias = Callable[["Tables | None"], AnyGame]
"""Makes a game from its pinned tables, or (None) from the content it ships with."""

DATA = Path(__file__).resolve().parent.parent / "data"
"""The content that ships with the bot."""

KEPT = 32
"""Games with older content that stay in memory."""


class GameUnavailable(LookupError):
    """A game is not known here, or its content cannot be used; `sentence` says which and why."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


def _packaged(slug: str, tables: Tables | None, data: Path) -> AnyGame:
    """The game of the package `games.<slug>`, which has `load(folder)` and `from_tables(tables)`."""
    name = f"games.{slug}"
    try:
        module: Any = importlib.import_module(name)
    except ModuleNotFoundError as fault:
        if fault.name != name:
            raise
        raise GameUnavailable(f"The game “{slug}” is not part of this installation.") from None
    game: AnyGame = module.load(data / slug) if tables is None else module.from_tables(tables)
    return game


def _boots(tables: Tables | None, data: Path) -> AnyGame:
    return _packaged("boots", tables, data)


def _sniper(tables: Tables | None, data: Path) -> AnyGame:
    return _packaged("sniper", tables, data)


GAMES: Mapping[str, Callable[[Tables | None, Path], AnyGame]] = MappingProxyType(
    {"boots": _boots, "sniper": _sniper}
)
"""The games that ship, by slug."""


def load(slug: str, tables: Tables | None = None, *, data: Path | None = None) -> AnyGame:
    """A shipped game, bound to `tables` or (None) to the content in `data`.

    Raises `GameUnavailable` for an unknown slug, and what the game raises for broken content.
    """
    loader = GAMES.get(slug)
    if loader is None:
        raise GameUnavailable(f"There is no game “{slug}”.")
    return loader(tables, data or DATA)


class Registry:
    """The games of one running bot, each loaded once for every content in use.

    `extra` adds games (tests); `shipped=False` leaves out those that ship; `data` is the folder
    that holds the content instead of the bot's own.
    """

    def __init__(
        self,
        extra: Mapping[str, Loader] | None = None,
        *,
        data: Path | None = None,
        shipped: bool = True,
    ) -> None:
        self._extra = dict(extra or {})
        self._data = data
        self._shipped = shipped
        self._newest: dict[str, AnyGame] = {}
        self._pinned: OrderedDict[tuple[str, str], AnyGame] = OrderedDict()

    def slugs(self) -> tuple[str, ...]:
        """The games that can be opened, in the order they are shown."""
        shipped = tuple(GAMES) if self._shipped else ()
        return tuple(dict.fromkeys((*shipped, *self._extra)))

    def newest(self, slug: str) -> AnyGame:
        """The game with the content that new tables begin with.

        Raises `GameUnavailable` for an unknown slug, and what the game raises for broken content.
        """
        if slug not in self._newest:
            self._newest[slug] = self._load(slug, None)
        return self._newest[slug]

    def known(self, slug: str, content_hash: str) -> AnyGame | None:
        """The game with that content, if it is in memory or is the newest one."""
        if slug in self.slugs():
            newest = self.newest(slug)
            if newest.content_hash == content_hash:
                return newest
        game = self._pinned.get((slug, content_hash))
        if game is not None:
            self._pinned.move_to_end((slug, content_hash))
        return game

    def pinned(self, slug: str, tables: Tables) -> AnyGame:
        """The game with content that was pinned earlier.

        Raises `GameUnavailable` for an unknown slug, and what the game raises for tables that this
        version of it cannot read.
        """
        game = self._load(slug, tables)
        self._pinned[(slug, game.content_hash)] = game
        while len(self._pinned) > KEPT:
            self._pinned.popitem(last=False)
        return game

    def _load(self, slug: str, tables: Tables | None) -> AnyGame:
        if slug in self._extra:
            return self._extra[slug](tables)
        if not self._shipped:
            raise GameUnavailable(f"There is no game “{slug}”.")
        return load(slug, tables, data=self._data)
