"""Opening tables, and what happens there before the game begins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from msgspec import structs
from sqlalchemy.exc import IntegrityError

from bot.refusals import AgainstTheRules, NotAllowed, Refused
from bot.sessions.chance import Chance
from bot.sessions.core import Core, calls, going
from bot.sessions.model import Acted, SeatHolder, Table
from bot.sessions.opening import Ready, Wanted, opened, preview
from bot.sessions.reading import Loaded
from bot.sessions.records import LogRow, digest, dumps, pack
from bot.sessions.timers import plan_step
from bot.sessions.writing import save_opening
from bot.store import schema as db
from bot.texts import plain
from games.kernel.event import Event, Noted
from games.kernel.game import Game, Setup
from games.kernel.illegal import Illegal
from games.kernel.play import begin
from games.registry import GameUnavailable


class Lobbies(Core):
    """From an empty channel to the first turn."""

    def check(self, game: str, chosen: Mapping[str, str]) -> tuple[Game[Any], Setup]:
        """The game and the set-up that somebody wants. Raises `AgainstTheRules`, `Refused`."""
        try:
            played = self.registry.newest(game)
            return played, played.read_setup(chosen)
        except GameUnavailable as fault:
            raise Refused(fault.sentence) from fault
        except Illegal as illegal:
            raise AgainstTheRules(illegal.sentence, illegal.rule) from illegal

    async def open(
        self,
        *,
        game: str,
        chosen: Mapping[str, str],
        guild_id: int | None,
        channel_id: int,
        user_id: int,
        user_name: str,
        interaction_id: int,
        ready: Ready | None = None,
    ) -> Table:
        """Open a table in a channel; the user hosts it. `ready` takes the place of what is chosen.

        A game of which the user plays all seats begins at once; else the user has the first seat in a
        lobby. Raises `AgainstTheRules` for a set-up that does not exist, `ChannelTaken`, `Duplicate`,
        `TooManyWaiting`.
        """
        played, _ = self.check(game, chosen)
        wanted = Wanted(chosen, guild_id, channel_id, user_id, user_name, interaction_id, ready)
        for _ in range(3):
            session_id, secret = self._name(), self._secret()
            await self._chains.warm(session_id, secret)
            table, opening, change = opened(
                played, wanted, self._chains, session_id, secret, self._clock()
            )
            link = ready.link if ready else None
            saving = save_opening(
                self._store,
                opening,
                change,
                (user_id, user_name),
                link,
                most_waiting=0 if table.setup.lesson else self._most_waiting,
            )
            try:
                await self._saved(saving, change)
            except IntegrityError as fault:
                await self._explain_taken(channel_id, interaction_id, fault)
                continue
            return table
        raise Refused("The table could not be opened. Try again.")

    async def change(
        self,
        session_id: str,
        user_id: int,
        chosen: Mapping[str, str],
        *,
        interaction_id: int,
    ) -> Acted:
        """Change the mission, the mode or an option of a lobby: its host only.

        Options that mean nothing in a new mode are dropped; people whose seat no longer exists lose
        it, and are told. Raises `NotAllowed`, `AgainstTheRules`, `Refused` when the game has begun.
        """
        async with self._locks(session_id):
            loaded = await self._load(session_id, interaction_id)
            table = in_lobby(loaded)
            only_host(table, user_id)
            if table.setup.campaign:
                raise Refused("What is played here is set by the campaign and cannot be changed.")
            setup, dropped = _changed(table, chosen)
            try:
                state = preview(table.game, setup, table.id).state
            except Illegal as illegal:
                raise AgainstTheRules(illegal.sentence, illegal.rule) from illegal
            told = [f"The host chooses {_named(table, chosen)}."]
            told += [f"“{name}” means nothing in this mode and is left out." for name in dropped]
            held = {holder.seat: holder for holder in table.seats}
            number = table.version + 1
            wanted = table.game.seats(setup)
            same = [seat.id for seat in wanted] == list(held)
            seats = tuple(
                SeatHolder(
                    seat.id,
                    seat.title,
                    held[seat.id].users if seat.id in held else (),
                    held[seat.id].moment if same else number,
                )
                for seat in wanted
            )
            stay = {user for holder in seats for user in holder.user_ids}
            gone = [h for h in table.seats if h.seat not in [s.seat for s in seats]]
            told += [
                f"There is no {holder.title} any more: {plain(holder.name)} may take another seat."
                for holder in gone
                if holder.users
            ]
            events: tuple[Event, ...] = tuple(Noted(text=line) for line in told)
            raw = table.game.encode(state)
            packed = pack(raw)
            row = self._plain_row(loaded, "setup", user_id, interaction_id, events)
            row = replace(
                row,
                action=dumps({"verb": "setup", "setup": setup}),
                state_hash=digest(raw),
            )
            after = replace(
                table, version=number, seats=seats, setup=setup, state=state, updated=row.time
            )
            lost = [u for h in gone for u in h.user_ids if u not in stay and u != user_id]
            acted = Acted(
                after,
                events,
                text=" ".join(f"<@{user}>" for user in dict.fromkeys(lost)),
                told=tuple(dict.fromkeys(lost)),
            )
            return await self._step(
                loaded,
                acted,
                row,
                packed=packed,
                session={
                    "tip": number,
                    "setup": dumps(setup),
                    "state": packed,
                    "state_hash": row.state_hash,
                },
            )

    async def start(self, session_id: str, user_id: int, *, interaction_id: int) -> Acted:
        """Begin the game: its host only, when every seat has somebody.

        Raises `NotAllowed`, and `Refused` when seats are missing or it has begun already.
        """
        async with self._locks(session_id):
            loaded = await self._load(session_id, interaction_id)
            table = in_lobby(loaded)
            only_host(table, user_id)
            if table.vacant():
                missing = " and ".join(holder.title for holder in table.vacant())
                raise Refused(f"Nobody plays {missing} yet. The game can start when somebody does.")
            return await self._begin(loaded, user_id, interaction_id)

    async def _begin(self, loaded: Loaded, user_id: int, interaction_id: int) -> Acted:
        table = loaded.table
        await self._chains.warm(table.id, loaded.secret, table.commitment)
        chance = Chance(self._chains, table.id, loaded.secret, loaded.salts, table.keys_used)
        try:
            turnout = begin(table.game, table.setup, chance)
        except Illegal as illegal:
            raise AgainstTheRules(illegal.sentence, illegal.rule) from illegal
        raw = table.game.encode(turnout.state)
        packed, state_hash = pack(raw), digest(raw)
        over = table.game.result(turnout.state) is not None
        number = table.version + 1
        row = LogRow(
            number=number,
            kind="begin",
            base=loaded.tip,
            user_id=user_id,
            seat="",
            action=dumps({"verb": "begin"}),
            events=dumps(turnout.events),
            **chance.columns(),
            state_hash=state_hash,
            binding=True,
            interaction_id=interaction_id,
            time=self._clock(),
        )
        after = replace(
            table,
            version=number,
            status=db.ENDED if over else db.RUNNING,
            state=turnout.state,
            keys_used=table.keys_used + (1 if chance.key else 0),
            seats=tuple(replace(holder, moment=number) for holder in table.seats),
            updated=row.time,
        )
        acted = Acted(after, turnout.events, turnout, True, True, calls(table, after, user_id))
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
            timers=plan_step(table, after, (), row.time, "begin"),
        )


def in_lobby(loaded: Loaded) -> Table:
    """The table, if its game has not begun. Raises `Duplicate`, `TableOver`, `Refused`."""
    table = going(loaded)
    if not table.lobby:
        raise Refused("This game has begun already.")
    return table


def only_host(table: Table, user_id: int) -> None:
    """Raise `NotAllowed` for everybody but the host."""
    if table.host_id != user_id:
        who = f"<@{table.host_id}>, who hosts this table," if table.host_id else "its host"
        raise NotAllowed(f"Only {who} can do that. You may take a seat, or leave it.")


def chosen_of(setup: Setup) -> dict[str, str]:
    """What was chosen for a set-up, as fields."""
    return {"mission": setup.mission, "mode": setup.mode, **setup.options}


def _changed(table: Table, chosen: Mapping[str, str]) -> tuple[Setup, list[str]]:
    """The set-up with some fields changed, and the options that had to be left out for it."""
    game, before = table.game, table.setup
    wanted = {**chosen_of(before), **chosen}
    if before.campaign and (wanted["mission"], wanted["mode"]) != (before.mission, before.mode):
        raise Refused("This is a mission of a campaign, so its mission and mode stay as they are.")
    dropped: list[str] = []
    try:
        for name in before.options:
            if name in chosen:
                continue
            base = {k: wanted[k] for k in ("mission", "mode")}
            try:
                game.read_setup({**base, name: wanted[name]})
            except Illegal:
                game.read_setup({**base, **chosen})  # what was chosen itself must be possible
                dropped.append(name)
                del wanted[name]
        after = game.read_setup(wanted)
        if before.campaign:
            after = structs.replace(after, roster=before.roster, campaign=before.campaign)
        return after, dropped
    except Illegal as illegal:
        raise AgainstTheRules(illegal.sentence, illegal.rule) from illegal


def _named(table: Table, chosen: Mapping[str, str]) -> str:
    """The chosen values as players read them: “Mission: Hot LZ”."""
    fields = {field.name: field for field in table.game.setup_fields()}
    parts: list[str] = []
    for name, value in chosen.items():
        options = fields[name].options if name in fields else ()
        label = next((option.label for option in options if option.value == value), value)
        parts.append(f"{name.replace('_', ' ')} “{label}”")
    return ", ".join(parts)
