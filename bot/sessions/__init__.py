"""Sessions: games in channels, with their seats, saved before anything is shown."""

from bot.refusals import (
    AgainstTheRules,
    ChannelTaken,
    Duplicate,
    NoSuchTable,
    NotAllowed,
    NothingToUndo,
    NotStarted,
    NotYourSeat,
    Refused,
    Stale,
    StoreBusy,
    StoreFull,
    TableOver,
    Unreadable,
    WhichSeat,
)
from bot.sessions.model import Acted, LogEntry, SeatHolder, Sitter, Table
from bot.sessions.service import Sessions

__all__ = [
    "Acted",
    "AgainstTheRules",
    "ChannelTaken",
    "Duplicate",
    "LogEntry",
    "NoSuchTable",
    "NotAllowed",
    "NotStarted",
    "NotYourSeat",
    "NothingToUndo",
    "Refused",
    "SeatHolder",
    "Sessions",
    "Sitter",
    "Stale",
    "StoreBusy",
    "StoreFull",
    "Table",
    "TableOver",
    "Unreadable",
    "WhichSeat",
]
