"""The key chains of sessions: which key an action uses, worked out only when chance is needed."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import TypedDict

from bot.refusals import Refused
from bot.sessions.records import dumps
from games.kernel.entropy import CommittedEntropy, KeyChain

KEPT = 256
"""Chains in memory; each takes about 15 kB and 10 ms to make."""


class KeyColumns(TypedDict):
    """The log's columns for a key."""

    key_number: int | None
    key: str | None
    salts: str | None


class Chains:
    """Key chains by session, the recently used ones kept."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, KeyChain] = OrderedDict()

    def chain(self, session_id: str, secret: bytes) -> KeyChain:
        """The chain that ends in this secret."""
        chain = self._kept.get(session_id)
        if chain is None:
            chain = self._kept[session_id] = KeyChain(secret)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(session_id)
        return chain

    def drop(self, session_id: str) -> None:
        """Forget a chain that is not needed any more."""
        self._kept.pop(session_id, None)


class Chance:
    """One action's entropy (`games.kernel.entropy.Entropy`): the session's next unused key.

    `key` is None as long as nothing has been asked for; an action that asks for nothing uses no key.
    """

    def __init__(
        self, chains: Chains, session_id: str, secret: bytes, salts: Sequence[str], used: int
    ) -> None:
        self.number = used + 1
        self.salts = tuple(salts)
        self.key: bytes | None = None
        self._chains = chains
        self._session_id = session_id
        self._secret = secret
        self._source: CommittedEntropy | None = None

    def columns(self) -> KeyColumns:
        """What the log keeps of it: the key, its number and the salts; nothing if it was not used."""
        if self.key is None:
            return {"key_number": None, "key": None, "salts": None}
        return {"key_number": self.number, "key": self.key.hex(), "salts": dumps(self.salts)}

    def _committed(self) -> CommittedEntropy:
        if self._source is None:
            try:
                self.key = self._chains.chain(self._session_id, self._secret).key(self.number)
            except IndexError:
                raise Refused(
                    "This game has used up all its dice: there were more actions with chance than "
                    "its chain of keys holds. Please end it and open a new one."
                ) from None
            self._source = CommittedEntropy(self.key, self._session_id, self.salts, self.number)
        return self._source

    def roll(self, sides: int, label: str) -> int:
        """One die: 1..sides."""
        return self._committed().roll(sides, label)

    def draw(self, options: Sequence[str], label: str) -> str:
        """One of the options."""
        return self._committed().draw(options, label)
