"""Totals: the finished games of one person, and what was played in a server."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

from sqlalchemy import ColumnElement, case, func, select

from bot.store import Store
from bot.store import schema as db
from games.kernel.service import LOST, WON

EVERYWHERE = -1
"""Stands for all servers and direct messages; a server's id is never negative."""

MOST_MISSIONS, MOST_PEOPLE = 6, 10
CONFIDENCE = 1.96
"""Standard deviations on each side of an interval that holds the truth 19 of 20 times."""

SOMEBODY = "somebody"


@dataclass(frozen=True, slots=True)
class Played:
    """A finished game as one person had it, all of their seats together."""

    session: str
    game: str
    mission: str
    mode: str
    sides: tuple[str, ...]
    won: bool
    level: str
    time: int

    @property
    def result(self) -> str:
        """Its level, or that it was won or lost."""
        return (self.level or WON) if self.won else LOST


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody's total: the name as it is stored, games played and won."""

    user_id: int
    name: str
    played: int
    won: int


@dataclass(frozen=True, slots=True)
class Server:
    """A server's total: games by slug, by slug and mission, and its people, the most played first."""

    games: tuple[tuple[str, int], ...]
    missions: tuple[tuple[str, str, int], ...]
    people: tuple[Person, ...]
    number: int

    @property
    def played(self) -> int:
        """How many games."""
        return sum(count for _, count in self.games)


def wilson(won: int, played: int) -> tuple[float, float]:
    """Between which shares the true share of games won lies, 19 of 20 times (Wilson's interval).

    Unlike the usual one it holds for few games, too, and stays between 0 and 1.
    """
    if not played:
        return 0.0, 1.0
    square = CONFIDENCE**2
    middle = (won + square / 2) / (played + square)
    half = CONFIDENCE * sqrt(won * (played - won) / played + square / 4) / (played + square)
    return (middle - half if won else 0.0), (middle + half if won < played else 1.0)


def counting(guild: int | None, game: str = "") -> list[ColumnElement[bool]]:
    """Only games that count, of a place (`EVERYWHERE`, a server, None: direct messages) and a game."""
    columns = db.records.c
    found: list[ColumnElement[bool]] = [columns.counted]
    if guild != EVERYWHERE:
        found.append(columns.guild_id.is_(None) if guild is None else columns.guild_id == guild)
    if game:
        found.append(columns.game == game)
    return found


async def played_by(
    store: Store, user_id: int, guild: int | None = EVERYWHERE, game: str = ""
) -> tuple[Played, ...]:
    """Somebody's finished games, oldest first."""
    columns = db.records.c
    wanted = select(db.records).where(columns.user_id == user_id, *counting(guild, game))
    wanted = wanted.order_by(columns.time, columns.session_id, columns.seat)
    async with store.read() as connection:
        rows = (await connection.execute(wanted)).all()
    held: dict[str, list[Any]] = {}
    for row in rows:
        held.setdefault(row.session_id, []).append(row)
    return tuple(_together(seats) for seats in held.values())


def _together(seats: Sequence[Any]) -> Played:
    best = next((row for row in seats if row.won), seats[0])
    sides = tuple(dict.fromkeys(row.side for row in seats if row.side))
    return Played(
        best.session_id, best.game, best.mission, best.mode, sides, best.won, best.level, best.time
    )


async def server_of(store: Store, guild: int, game: str = "") -> Server:
    """What was played in a server. It goes through all records, so SQLite does it in a thread: only
    statements that begin with `SELECT` are executed on the event loop (`bot.store.quick`)."""
    here = select(db.records).where(*counting(guild, game)).cte("here")
    columns = here.c
    number = func.count(columns.session_id.distinct())
    games = select(columns.game, number.label("n")).group_by(columns.game)
    games = games.order_by(number.desc(), columns.game)
    missions = select(columns.game, columns.mission, number.label("n"))
    missions = missions.group_by(columns.game, columns.mission)
    missions = missions.order_by(number.desc(), columns.game, columns.mission).limit(MOST_MISSIONS)
    won = func.max(case((columns.won, 1), else_=0))
    each = select(columns.user_id, won.label("won"))
    each = each.group_by(columns.user_id, columns.session_id).cte("each_game")
    played, wins = func.count(), func.sum(each.c.won)
    people = (
        select(
            each.c.user_id,
            db.users.c.name,
            played.label("played"),
            wins.label("won"),
            func.count().over().label("number"),
        )
        .outerjoin(db.users, db.users.c.id == each.c.user_id)
        .group_by(each.c.user_id, db.users.c.name)
        .order_by(played.desc(), wins.desc(), each.c.user_id)
        .limit(MOST_PEOPLE)
    )
    async with store.read() as connection:
        by_game = (await connection.execute(games)).all()
        by_mission = (await connection.execute(missions)).all()
        by_person = (await connection.execute(people)).all()
    return Server(
        tuple((row.game, row.n) for row in by_game),
        tuple((row.game, row.mission, row.n) for row in by_mission),
        tuple(Person(r.user_id, r.name or SOMEBODY, r.played, int(r.won)) for r in by_person),
        by_person[0].number if by_person else 0,
    )
