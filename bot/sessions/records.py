"""How a session's values become columns: states, JSON texts, and the links of the log's chain."""

from __future__ import annotations

import hashlib
import zlib
from dataclasses import asdict, dataclass
from typing import Any

import msgspec

from games.kernel.entropy import Result
from games.kernel.event import Event

EVENTS = msgspec.json.Decoder(tuple[Event, ...])
RESULTS = msgspec.json.Decoder(tuple[Result, ...])
SALTS = msgspec.json.Decoder(list[str])
ACTION = msgspec.json.Decoder(dict[str, Any])

_LEVEL = 3
_GENESIS = "0" * 64


def dumps(value: object) -> str:
    """JSON text; equal values give equal texts."""
    return msgspec.json.encode(value, order="deterministic").decode()


def pack(raw: bytes) -> bytes:
    """Compress a state or other large value."""
    return zlib.compress(raw, _LEVEL)


def unpack(packed: bytes) -> bytes:
    """The opposite of `pack`. Raises `zlib.error` when the bytes are damaged."""
    return zlib.decompress(packed)


def digest(raw: bytes) -> str:
    """The hash by which states and contents are compared."""
    return hashlib.sha256(raw).hexdigest()


@dataclass(frozen=True, slots=True)
class LogRow:
    """A log row as it is stored, without its state; the columns are explained in `bot.store.schema`."""

    number: int
    kind: str
    base: int
    user_id: int
    seat: str
    action: str
    events: str
    results: str
    key_number: int | None
    key: str | None
    salts: str | None
    state_hash: str
    binding: bool
    interaction_id: int | None
    time: int

    def columns(self) -> dict[str, Any]:
        """The row's columns by name."""
        return asdict(self)

    def link(self, session_id: str, previous: str | None) -> str:
        """This row's link: a hash of the link before it (None: this is the first) and its content."""
        content = dumps([previous or _GENESIS, session_id, self.columns()])
        return digest(content.encode())


def read_log_row(row: Any) -> LogRow:
    """A log row from a database row that has its columns."""
    names = LogRow.__dataclass_fields__
    return LogRow(**{name: getattr(row, name) for name in names})
