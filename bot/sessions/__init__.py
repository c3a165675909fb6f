"""Sessions: games in channels, with their seats, saved before anything is shown."""

from bot.refusals import (
    AgainstTheRules,
    ChannelTaken,
    Duplicate,
    NoSuchTable,
    NotAllowed,
    NothingToUndo,
    NotYourSeat,
    Refused,
    Stale,
    StoreBusy,
    StoreFull,
    TableOver,
    Unreadable,
)
from bot.sessions.model import Acted, LogEntry, SeatHolder, Table
from bot.sessions.service import Sessions

__all__ = [
    "Acted",
    "AgainstTheRules",
    "ChannelTaken",
    "Duplicate",
    "LogEntry",
    "NoSuchTable",
    "NotAllowed",
    "NotYourSeat",
    "NothingToUndo",
    "Refused",
    "SeatHolder",
    "Sessions",
    "Stale",
    "StoreBusy",
    "StoreFull",
    "Table",
    "TableOver",
    "Unreadable",
]
