"""The key chains of sessions: which key an action uses, worked out only when chance is needed."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from typing import TypedDict

from bot.refusals import Refused, Unreadable
from bot.sessions.records import dumps
from games.kernel.entropy import CommittedEntropy, KeyChain, RecordedEntropy

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

    async def warm(self, session_id: str, secret: bytes, commitment: str = "") -> None:
        """Make the chain ready, in a thread: making it takes longer than the event loop may wait.

        Raises `Unreadable` when it does not end in the commitment that was posted.
        """
        if session_id in self._kept:
            return
        chain = await asyncio.to_thread(KeyChain, secret)
        if commitment and chain.key(0).hex() != commitment:
            raise Unreadable(session_id, "the secret of its dice does not fit their seal")
        self._keep(session_id, chain)

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
        self._source: RecordedEntropy | None = None

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

    def _committed(self) -> RecordedEntropy:
        if self._source is None:
            try:
                self.key = self._chains.chain(self._session_id, self._secret).key(self.number)
            except IndexError:
                raise Refused(
                    "This game has used up all its dice: there were more actions with chance than "
                    "its chain of keys holds. Please end it and open a new one."
                ) from None
            committed = CommittedEntropy(self.key, self._session_id, self.salts, self.number)
            self._source = RecordedEntropy(committed)
        return self._source

    def roll(self, sides: int, label: str) -> int:
        """One die: 1..sides."""
        return self._committed().roll(sides, label)

    def pick(self, options: Sequence[str], label: str) -> int:
        """A place in the sequence."""
        return self._committed().pick(options, label)

    def draw(self, options: Sequence[str], label: str) -> str:
        """One of the options."""
        return self._committed().draw(options, label)
