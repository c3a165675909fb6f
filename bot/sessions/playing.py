"""Acting at a table, ending it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bot.refusals import AgainstTheRules, NotAllowed, NotStarted, NotYourSeat, Stale, WhichSeat
from bot.sessions.chance import Chance
from bot.sessions.core import Core, calls, going, handover, with_moments
from bot.sessions.model import Acted, Table
from bot.sessions.reading import Loaded, load
from bot.sessions.records import LogRow, digest, dumps, pack
from bot.sessions.seating import in_office
from bot.sessions.taught import MOST_ROWS, taught
from bot.sessions.timers import TIME_UP, plan_step
from bot.sessions.writing import Also
from bot.store import schema as db
from bot.texts import plain
from games.kernel.action import Action
from games.kernel.event import Ended, Event
from games.kernel.illegal import Illegal
from games.kernel.play import Turnout, play


class Playing(Core):
    """What players do in the game."""

    async def act(
        self,
        session_id: str,
        user_id: int,
        action: Action,
        *,
        expected_version: int | None,
        interaction_id: int,
        seat: str | None = None,
    ) -> Acted:
        """Let a user act for a seat; without `seat`, for the only one of his that can do this now.

        `expected_version` is that of the control that was used; it is good as long as the seat is
        asked the same as then, whatever others have done since. Raises `NoSuchTable`, `Duplicate`
        (this interaction has acted), `TableOver`, `NotStarted`, `NotYourSeat`, `WhichSeat`, `Stale`,
        `AgainstTheRules`, `Unreadable`.
        """
        async with self._locks(session_id):
            loaded = await self._load(session_id, interaction_id)
            table = started_table(loaded)
            seat = seat_of(table, user_id, action, seat)
            fresh(table, expected_version, seat)
            return await self._play(loaded, seat, action, user_id, interaction_id)

    async def _play(
        self,
        loaded: Loaded,
        seat: str,
        action: Action,
        user_id: int,
        interaction_id: int | None,
        *,
        kind: str = "act",
        lead: tuple[Event, ...] = (),
        stand_in: int | None = None,
        user: tuple[int, str] | None = None,
    ) -> Acted:
        """Play an action and save it. `stand_in` is what the seat's becomes by it."""
        table = loaded.table
        await self._chains.warm(table.id, loaded.secret, table.commitment)
        chance = Chance(self._chains, table.id, loaded.secret, loaded.salts, table.keys_used)
        try:
            turnout: Turnout[Any] = play(table.game, table.state, seat, action, chance)
        except Illegal as illegal:
            raise AgainstTheRules(illegal.sentence, illegal.rule) from illegal
        over = table.game.result(turnout.state) is not None
        raw = table.game.encode(turnout.state)
        packed, state_hash = pack(raw), digest(raw)
        number = table.version + 1
        events = (*lead, *turnout.events)
        row = LogRow(
            number=number,
            kind=kind,
            base=loaded.tip,
            user_id=user_id,
            seat=seat,
            action=dumps(turnout.action.to_json()),
            events=dumps(events),
            **chance.columns(),
            state_hash=state_hash,
            binding=turnout.binding,
            interaction_id=interaction_id,
            time=self._clock(),
        )
        after = replace(
            table,
            version=number,
            status=db.ENDED if over else db.RUNNING,
            state=turnout.state,
            keys_used=table.keys_used + (1 if chance.key else 0),
            seats=tuple(
                replace(h, stand_in=stand_in) if h.seat == seat else h for h in table.seats
            ),
            updated=row.time,
        )
        after = with_moments(table, after, [seat])
        acted = Acted(
            after,
            events,
            turnout,
            turnout.binding,
            handover(table, after),
            calls(table, after, user_id if kind == "act" else 0),
        )
        if table.lesson_step is not None:
            log = await self.history(table.id, limit=MOST_ROWS)
            acted = taught(acted, table, log, turnout.action.verb)
        return await self._step(
            loaded,
            acted,
            row,
            packed=packed,
            session={
                "tip": number,
                "status": after.status,
                "state": packed,
                "state_hash": state_hash,
                "keys_used": after.keys_used,
            },
            timers=plan_step(table, after, [seat], row.time, kind if user_id else TIME_UP),
            user=user,
        )

    async def end(
        self,
        session_id: str,
        user_id: int,
        *,
        moderator: bool,
        interaction_id: int,
        user_name: str = "",
    ) -> Acted:
        """End a session by decision. Works for one that cannot be read, too.

        Raises `NotAllowed` unless the user hosts it or is a moderator, `NoSuchTable`, `Duplicate`,
        `TableOver`.
        """
        async with self._locks(session_id):
            async with self._store.read() as connection:
                loaded = await load(
                    connection, self.registry, session_id, interaction_id, stateless=True
                )
            table = going(loaded)
            if not moderator and user_id != table.host_id:
                raise NotAllowed("Only the host of this table or a moderator can end it.")
            by = in_office(table, user_id, user_name)
            text = f"{by} ended the game before its time."
            if table.lobby:
                text = f"{by} closed the table before the game began."
            user = (user_id, user_name) if user_name else None
            text = text[0].upper() + text[1:]
            return await self._close(loaded, user_id, interaction_id, text, user=user)

    async def _close(
        self,
        loaded: Loaded,
        user_id: int,
        interaction_id: int | None,
        text: str,
        *,
        lead: tuple[Event, ...] = (),
        also: Also | None = None,
        user: tuple[int, str] | None = None,
    ) -> Acted:
        """Save that a session has ended by decision. `lead` tells of how it came to that."""
        events: tuple[Event, ...] = (*lead, Ended(text=text, title="Ended"))
        row = self._plain_row(loaded, "end", user_id, interaction_id, events)
        after = replace(loaded.table, version=row.number, status=db.ENDED, updated=row.time)
        acted = Acted(after, events, binding=True, handover=True)
        return await self._step(
            loaded,
            acted,
            replace(row, binding=True),
            session={"status": db.ENDED},
            also=also,
            user=user,
        )


def started_table(loaded: Loaded) -> Table:
    """The table, if its game is under way. Raises `Duplicate`, `TableOver`, `NotStarted`."""
    table = going(loaded)
    if table.lobby:
        raise NotStarted(table)
    return table


def fresh(table: Table, version: int | None, seat: str) -> None:
    """Raise `Stale` when a seat's control of that version (None: typed) is not good any more."""
    holder = table.holder(seat)
    if version is None or holder is None:
        return
    if not holder.moment <= version <= table.version:
        raise Stale(table)


def seat_of(table: Table, user_id: int, action: Action, seat: str | None) -> str:
    """The seat a user acts for. Raises `NotYourSeat`, and `WhichSeat` when several could be meant."""
    own = table.seats_of(user_id)
    if seat is not None:
        holder = table.holder(seat)
        if holder is None:
            raise NotYourSeat("There is no such seat at this table.")
        if seat not in own:
            raise NotYourSeat(f"{holder.title} is not your seat.")
        return seat
    if not own:
        names = [plain(holder.name) for holder in table.seats if holder.name]
        players = " and ".join(names) or "nobody yet"
        raise NotYourSeat(f"You do not play at this table; it is played by {players}.")
    can = able(table, own, action.verb)
    if len(can) != 1:
        raise WhichSeat(table, can, action.verb)
    return can[0]


def able(table: Table, seats: tuple[str, ...], verb: str) -> tuple[str, ...]:
    """Those of some seats for which a verb is on offer now.

    When it is for none, one that must act, or else the first: the rules then say why not.
    """
    game, due = table.game, table.due()
    can = [s for s in seats if any(o.verb == verb for o in game.offers(table.state, s))]
    return tuple(can or [s for s in seats if s in due][:1] or seats[:1])
