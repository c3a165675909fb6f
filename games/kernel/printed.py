"""What all games with content in `data/` share: their tables, their hash, the texts of their rules."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeVar

from games.kernel.game import Game
from games.kernel.rulestext import Rule

S = TypeVar("S")


class Printed(Protocol):
    """Checked content of a game: what its rulebook prints."""

    @property
    def hash(self) -> str:
        """Of its tables."""
        ...

    @property
    def rules(self) -> Mapping[str, Rule]:
        """By id, in the order of the rulebook."""
        ...

    def tables_json(self) -> str:
        """The tables as canonical JSON."""
        ...


class PrintedGame(Game[S]):
    """A game that is bound to its content."""

    def __init__(self, printed: Printed) -> None:
        self._printed = printed
        self.content_hash = printed.hash

    def tables(self) -> dict[str, Any]:
        """The content as JSON, to pin it in a session."""
        return json.loads(self._printed.tables_json())

    def rule(self, rule: str) -> tuple[str, str] | None:
        """Title and text of a rule, or None."""
        found = self._printed.rules.get(rule)
        return (found.title, found.text) if found else None

    def rules(self) -> Sequence[tuple[str, str]]:
        """Ids and titles of all rules."""
        return [(rule.id, rule.title) for rule in self._printed.rules.values()]
