"""What the database's own errors mean for us."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from bot.refusals import Refused, StoreBusy, StoreFull

_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_FULL = {
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_CANTOPEN,
}


def refusal_of(fault: BaseException) -> Refused | None:
    """The refusal that a database error stands for; None when it is no expected one."""
    if isinstance(fault, PoolTimeout):
        return StoreBusy()
    if not isinstance(fault, DBAPIError):
        return None
    code = getattr(fault.orig, "sqlite_errorcode", None)
    if isinstance(code, int):
        primary = code & 0xFF
        return StoreBusy() if primary in _BUSY else StoreFull() if primary in _FULL else None
    if isinstance(fault, (OperationalError, InterfaceError)) or fault.connection_invalidated:
        return StoreBusy()
    return None


@contextmanager
def as_refusals() -> Generator[None]:
    """Turns expected database errors into `StoreBusy` and `StoreFull`."""
    try:
        yield
    except Exception as fault:
        refusal = refusal_of(fault)
        if refusal is None:
            raise
        raise refusal from fault
