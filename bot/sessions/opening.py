"""A new table: everything of it, worked out before anything is saved."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.refusals import AgainstTheRules
from bot.sessions.banks import banked
from bot.sessions.chance import Chains, Chance
from bot.sessions.model import Acted, SeatHolder, Sitter, Table
from bot.sessions.records import LogRow, digest, dumps, pack
from bot.sessions.timers import plan_lobby, plan_step
from bot.sessions.writing import Change, Opening, payload_of
from bot.store import schema as db
from bot.texts import plain
from games.kernel.entropy import CommittedEntropy
from games.kernel.event import Event, Noted
from games.kernel.game import Game, Setup
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
class Ready:
    """A table whose set-up is not chosen: a campaign's mission.

    `people` (seat, user, name) have those seats from the start; `link` ties the session to what it
    belongs to, in the transaction that opens it, and raises `Refused` when that cannot be.
    """

    setup: Setup
    people: tuple[tuple[str, int, str], ...]
    link: Callable[[AsyncConnection, str], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Wanted:
    """Who wants to open which game where."""

    chosen: Mapping[str, str]
    guild_id: int | None
    channel_id: int
    user_id: int
    user_name: str
    interaction_id: int
    ready: Ready | None = None


def preview(game: Game[Any], setup: Setup, session_id: str) -> Turnout[Any]:
    """How a game of that set-up would begin, with chance that everybody can work out.

    It is only looked at: the real beginning uses the table's sealed keys. Raises `Illegal`.
    """
    return begin(game, setup, CommittedEntropy(b"preview", session_id, (), 0))


def seated(
    game: Game[Any], setup: Setup, users: Sequence[Sitter], moment: int
) -> tuple[SeatHolder, ...]:
    """The seats of a set-up, all vacant but the first, or with the same people on all of them."""
    everywhere = game.solo(setup)
    return tuple(
        SeatHolder(seat.id, seat.title, tuple(users) if everywhere or place == 0 else (), moment)
        for place, seat in enumerate(game.seats(setup))
    )


def _first_seats(game: Game[Any], setup: Setup, wanted: Wanted) -> tuple[SeatHolder, ...]:
    """Who sits where when a table opens: those it is made ready for, else whoever opens it."""
    seats = seated(game, setup, [Sitter(wanted.user_id, wanted.user_name, 1)], 1)
    people = wanted.ready.people if wanted.ready else ()
    if game.solo(setup) or not any(
        seat.seat == wished for seat in seats for wished, _, _ in people
    ):
        return seats
    return tuple(
        replace(
            seat, users=tuple(Sitter(u, n, 1) for wished, u, n in people if wished == seat.seat)
        )
        for seat in seats
    )


def opened(
    game: Game[Any], wanted: Wanted, chains: Chains, session_id: str, secret: bytes, now: int
) -> tuple[Table, Opening, Change]:
    """The new table and the rows to save: a game that begins at once if its host plays all seats,
    else a lobby. Raises `AgainstTheRules` for a wrong set-up."""
    salts = (str(wanted.interaction_id),)
    chance = Chance(chains, session_id, secret, salts, 0)
    try:
        setup = wanted.ready.setup if wanted.ready else game.read_setup(wanted.chosen)
        solo = game.solo(setup)
        turnout = begin(game, setup, chance) if solo else preview(game, setup, session_id)
    except Illegal as illegal:
        raise AgainstTheRules(illegal.sentence, illegal.rule) from illegal
    raw = game.encode(turnout.state)
    packed, state_hash = pack(raw), digest(raw)
    events: tuple[Event, ...] = turnout.events
    if not solo:
        events = (Noted(text=f"{plain(wanted.user_name)} opens a table."),)
    row = LogRow(
        number=1,
        kind="begin" if solo else "lobby",
        base=0,
        user_id=wanted.user_id,
        seat="",
        action=dumps({"verb": "begin"} if solo else {"verb": "lobby", "setup": setup}),
        events=dumps(events),
        **chance.columns(),
        state_hash=state_hash,
        binding=solo,
        interaction_id=wanted.interaction_id,
        time=now,
    )
    over = solo and game.result(turnout.state) is not None
    table = Table(
        id=session_id,
        slug=game.slug,
        game=game,
        guild_id=wanted.guild_id,
        channel_id=wanted.channel_id,
        host_id=wanted.user_id,
        seats=_first_seats(game, setup, wanted),
        version=1,
        status=db.ENDED if over else db.RUNNING if solo else db.LOBBY,
        setup=setup,
        state=turnout.state,
        commitment=chains.chain(session_id, secret).key(0).hex(),
        keys_used=1 if chance.key else 0,
        panel_message_id=None,
        panel_version=None,
        trouble="",
        created=now,
        updated=now,
        lesson_step=0 if setup.lesson else None,
    )
    table = banked(None, table, kind=row.kind, moved="", now=now)
    others = tuple(user for user in table.people() if user != wanted.user_id)
    acted = Acted(
        table,
        events,
        turnout if solo else None,
        binding=True,
        handover=True,
        told=others,
    )
    change = Change(
        session_id=session_id,
        acted=acted,
        row=row,
        chain=row.link(session_id, None),
        state=packed,
        session={},
        payload=payload_of(row, acted),
        post="ended" if over else "panel",
        seats=table.seats,
        timers=plan_step(None, table, (), now) if solo else plan_lobby(now),
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
        content=table.game,
    )
