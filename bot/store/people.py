"""Where something about people stands in the database, so that nothing is left out when somebody wants
to see it or to have it deleted.

Every column that could hold something about people is in one of these lists; `tests/bot/test_privacy.py`
fails for one that is in neither.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from sqlalchemy import ColumnElement, String, Table, cast, false, or_

import bot.store.parlour as parlour
from bot.store import schema as db

__all__ = ["NOBODYS", "PERSONAL", "Holds", "about", "metadata"]

metadata = parlour.metadata


class Holds(Enum):
    """What a column has of people."""

    USER = "the id of a user"
    USERS = "a JSON list of the ids of users"
    NAME = "the name of the user of its row"
    WORDS = "text or JSON in which ids and names of users may stand"
    OWN = "what the user of its row has chosen or typed"


PERSONAL: Mapping[str, Mapping[str, Holds]] = {
    "users": {"id": Holds.USER, "name": Holds.NAME, "settings": Holds.OWN},
    "sessions": {"host_id": Holds.USER},
    "seats": {"stand_in": Holds.USER},
    "seat_users": {"user_id": Holds.USER, "name": Holds.NAME},
    "waits": {"muted": Holds.USERS},
    "log": {"user_id": Holds.USER, "action": Holds.WORDS, "events": Holds.WORDS},
    "proposals": {"user_id": Holds.USER, "closed": Holds.WORDS},
    "visits": {"user_id": Holds.USER},
    "votes": {
        "user_id": Holds.USER,
        "target_id": Holds.USER,
        "told": Holds.WORDS,
        "agreed": Holds.USERS,
        "refused": Holds.USERS,
        "closed": Holds.WORDS,
    },
    "tutorials": {"user_id": Holds.USER},
    "outbox": {"payload": Holds.WORDS},
    "records": {"user_id": Holds.USER, "figures": Holds.OWN},
    "campaigns": {"host_id": Holds.USER},
    "campaign_members": {"user_id": Holds.USER},
    "rolls": {
        "user_id": Holds.USER,
        "name": Holds.NAME,
        "notation": Holds.OWN,
        "label": Holds.OWN,
        "outcome": Holds.OWN,
    },
    "decks": {"user_id": Holds.USER},
    "deck_hands": {"user_id": Holds.USER, "name": Holds.NAME, "cards": Holds.OWN},
    "deck_log": {"user_id": Holds.USER, "name": Holds.NAME, "told": Holds.WORDS},
}
"""What is about people, by table and column."""

_TIME, _PLACE, _POST = "a time", "a server or a channel", "a post of the bot's own"
_WORD, _HASH, _GAME = "a word of ours", "a hash", "what a game makes of itself: it knows seats only"

NOBODYS: Mapping[str, str] = {
    **dict.fromkeys(("*.created", "*.updated", "*.time", "*.due", "*.done", "*.since"), _TIME),
    **dict.fromkeys(("*.guild_id", "*.channel_id"), _PLACE),
    **dict.fromkeys(("*.message_id", "*.panel_message_id", "*.nonce", "*.fault"), _POST),
    **dict.fromkeys(("*.kind", "*.game", "*.mode", "*.mission", "*.side", "*.level"), _WORD),
    **dict.fromkeys(("*.cause", "*.status", "*.pace", "*.overtime", "*.posts", "*.lesson"), _WORD),
    **dict.fromkeys(("*.hash", "*.content_hash", "*.state_hash", "*.commitment"), _HASH),
    **dict.fromkeys(("*.chain", "*.secret", "*.key"), _HASH),
    **dict.fromkeys(("*.seat", "*.title", "*.setup", "*.state", "*.tables"), _GAME),
    **dict.fromkeys(("*.progress", "*.before", "*.results"), _GAME),
    "*.session_id": "the id of a session",
    "*.last_session_id": "the id of a session",
    "*.campaign_id": "the id of a campaign",
    "*.deck_id": "the id of a deck",
    "*.interaction_id": "the number of a press: it makes a second one do nothing, and names nobody",
    "*.salts": "words that people added to dice: every later roll was made from them, so they stay",
    "*.trouble": "why a session cannot go on",
    "sessions.id": "the id of a session",
    "campaigns.id": "the id of a campaign",
    "decks.id": "the id of a deck",
    "rolls.id": "the number of a roll",
    "outbox.id": "the number of a post",
    "meta.key": _WORD,
    "meta.value": "what the bot knows of itself",
    "proposals.log_rows": "numbers of log rows",
    "proposals.told": _GAME,
    "proposals.agreed": "seats",
    "decks.name": "what a deck is called by all in its channel",
    "decks.source": _WORD,
    "decks.cards": "the kinds of card in a deck that is everybody's",
}
"""Columns with nothing of people that could be told or deleted, and why; `*` is any table."""


def about(table: Table, user_id: int) -> ColumnElement[bool]:
    """The condition that a row of a table may have to do with somebody: his id is in it."""
    found: list[ColumnElement[bool]] = []
    for name, holds in PERSONAL.get(table.name, {}).items():
        column = table.c[name]
        match holds:
            case Holds.USER:
                found.append(column == user_id)
            case Holds.USERS | Holds.WORDS:
                found.append(cast(column, String).contains(str(user_id)))
            case Holds.NAME | Holds.OWN:
                pass
    return or_(false(), *found)


SESSION_TABLES: tuple[Table, ...] = tuple(
    table
    for table in metadata.sorted_tables
    if table.name in PERSONAL and "session_id" in table.c and table is not db.records
)
"""The tables besides `sessions` whose rows belong to a session and go with it."""
