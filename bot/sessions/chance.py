"""The key chains of sessions: which key an action uses, worked out only when chance is needed."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from typing import TypedDict

from bot.refusals import Refused
from bot.sessions.records import dumps
from games.kernel.entropy import CommittedEntropy, KeyChain, Result

KEPT = 256
"""Chains in memory; each takes about 15 kB and 10 ms to make."""


class KeyColumns(TypedDict):
    """The log's columns for a key and what came of it."""

    results: str
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
            chain = KeyChain(secret)
        self._keep(session_id, chain)
        return chain

    def _keep(self, session_id: str, chain: KeyChain) -> None:
        self._kept[session_id] = chain
        self._kept.move_to_end(session_id)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)

    async def warm(self, session_id: str, secret: bytes) -> None:
        """Make the chain ready, in a thread: making it takes longer than the event loop may wait."""
        if session_id not in self._kept:
            self._keep(session_id, await asyncio.to_thread(KeyChain, secret))

    def drop(self, session_id: str) -> None:
        """Forget a chain that is not needed any more."""
        self._kept.pop(session_id, None)


class KeyedEntropy:
    """One key's results, each kept as the key gives it.

    What the kernel keeps of a draw is the first place of the drawn word; where a word stands several
    times among the options, only the true place can be checked against the key.
    """

    def __init__(self, key: bytes, session_id: str, salts: Sequence[str], number: int) -> None:
        self._source = CommittedEntropy(key, session_id, salts, number)
        self.results: list[Result] = []

    def roll(self, sides: int, label: str) -> int:
        """One die: 1..sides."""
        value = self._source.roll(sides, label)
        self.results.append(Result(label, sides, value - 1, str(value)))
        return value

    def draw(self, options: Sequence[str], label: str) -> str:
        """One of the options."""
        place = self._source.roll(len(options), label) - 1
        self.results.append(Result(label, len(options), place, options[place]))
        return options[place]


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
        self._source: KeyedEntropy | None = None

    def columns(self) -> KeyColumns:
        """What the log keeps: results, key, its number and the salts; nothing if it was not used."""
        if self.key is None or self._source is None:
            return {"results": "[]", "key_number": None, "key": None, "salts": None}
        return {
            "results": dumps(self._source.results),
            "key_number": self.number,
            "key": self.key.hex(),
            "salts": dumps(self.salts),
        }

    def _committed(self) -> KeyedEntropy:
        if self._source is None:
            try:
                self.key = self._chains.chain(self._session_id, self._secret).key(self.number)
            except IndexError:
                raise Refused(
                    "This game has used up all its dice: there were more actions with chance than "
                    "its chain of keys holds. Please end it and open a new one."
                ) from None
            self._source = KeyedEntropy(self.key, self._session_id, self.salts, self.number)
        return self._source

    def roll(self, sides: int, label: str) -> int:
        """One die: 1..sides."""
        return self._committed().roll(sides, label)

    def draw(self, options: Sequence[str], label: str) -> str:
        """One of the options."""
        return self._committed().draw(options, label)
