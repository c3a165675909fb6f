"""A new session: everything of it, worked out before anything is saved."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bot.refusals import AgainstTheRules
from bot.sessions.chance import Chains, Chance
from bot.sessions.model import Acted, SeatHolder, Table
from bot.sessions.records import LogRow, digest, dumps, pack
from bot.sessions.writing import Change, Opening, payload_of
from bot.store import schema as db
from games.kernel.game import Game
from games.kernel.illegal import Illegal
from games.kernel.play import Turnout, begin

_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"


def new_id() -> str:
    """A session id: eight letters and digits that are not mistaken for each other."""
    return "".join(secrets.choice(_LETTERS) for _ in range(8))


def new_secret() -> bytes:
    """The end of a new key chain."""
    return secrets.token_bytes(32)


@dataclass(frozen=True, slots=True)
class Wanted:
    """Who wants to open which game where."""

    chosen: Mapping[str, str]
    guild_id: int | None
    channel_id: int
    user_id: int
    user_name: str
    interaction_id: int


def opened(
    game: Game[Any], wanted: Wanted, chains: Chains, session_id: str, secret: bytes, now: int
) -> tuple[Table, Opening, Change]:
    """The new table and the rows to save. Raises `AgainstTheRules` for a wrong set-up."""
    salts = (str(wanted.interaction_id),)
    chance = Chance(chains, session_id, secret, salts, 0)
    try:
        setup = game.read_setup(wanted.chosen)
        turnout: Turnout[Any] = begin(game, setup, chance)
    except Illegal as illegal:
        raise AgainstTheRules(illegal.sentence, illegal.rule) from illegal
    raw = game.encode(turnout.state)
    packed, state_hash = pack(raw), digest(raw)
    row = LogRow(
        number=1,
        kind="begin",
        base=0,
        user_id=wanted.user_id,
        seat="",
        action=dumps({"verb": "begin"}),
        events=dumps(turnout.events),
        **chance.columns(),
        state_hash=state_hash,
        binding=True,
        interaction_id=wanted.interaction_id,
        time=now,
    )
    first = (wanted.user_id, wanted.user_name)
    holders = tuple(
        SeatHolder(seat.id, seat.title, *(first if place == 0 else (None, "")))
        for place, seat in enumerate(game.seats(setup))
    )
    over = game.result(turnout.state) is not None
    table = Table(
        id=session_id,
        slug=game.slug,
        game=game,
        guild_id=wanted.guild_id,
        channel_id=wanted.channel_id,
        host_id=wanted.user_id,
        seats=holders,
        version=1,
        status=db.ENDED if over else db.RUNNING,
        setup=setup,
        state=turnout.state,
        commitment=chains.chain(session_id, secret).key(0).hex(),
        keys_used=1 if chance.key else 0,
        panel_message_id=None,
        panel_version=None,
        trouble="",
        created=now,
        updated=now,
    )
    acted = Acted(table, turnout.events, turnout, binding=True, handover=True)
    change = Change(
        session_id=session_id,
        row=row,
        chain=row.link(session_id, None),
        state=packed,
        session={},
        payload=payload_of(row, acted),
        post="ended" if over else "panel",
    )
    return table, _rows(table, change, secret, salts), change


def _rows(table: Table, change: Change, secret: bytes, salts: tuple[str, ...]) -> Opening:
    return Opening(
        session={
            "id": table.id,
            "game": table.slug,
            "guild_id": table.guild_id,
            "channel_id": table.channel_id,
            "host_id": table.host_id,
            "setup": dumps(table.setup),
            "content_hash": table.game.content_hash,
            "rules_version": table.game.rules_version,
            "version": table.version,
            "tip": change.row.number,
            "status": table.status,
            "state": change.state,
            "state_hash": change.row.state_hash,
            "chain": change.chain,
            "secret": secret,
            "commitment": table.commitment,
            "salts": dumps(salts),
            "keys_used": table.keys_used,
            "created": table.created,
            "updated": table.updated,
        },
        seats=[
            {
                "session_id": table.id,
                "seat": holder.seat,
                "place": place,
                "title": holder.title,
                "user_id": holder.user_id,
                "name": holder.name,
            }
            for place, holder in enumerate(table.seats)
        ],
        content=table.game,
    )
