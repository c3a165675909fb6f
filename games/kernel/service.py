"""Service records: what somebody's finished games of one kind add up to. Pure sums, for all games."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from games.kernel.campaign import Grading

LOST = "Lost"
WON = "Won"
"""The results of a game that is not graded."""


class Entry(msgspec.Struct, frozen=True):
    """What one seat of one finished game counts for; `session` tells which seats go together."""

    session: str
    mission: str
    mode: str
    won: bool
    level: str
    figures: Mapping[str, int]
    most: int = 0
    par: int = 0


class Best(msgspec.Struct, frozen=True):
    """The least of the game's measure in a mission and mode that was won; None: not won yet.

    `most` is the limit there was, `par` what is thought good; 0 for none.
    """

    mode: str
    value: int | None
    most: int
    par: int


class Tally(msgspec.Struct, frozen=True):
    """Games that go together under a title: how many, how many won."""

    title: str
    played: int
    won: int


class MissionLine(msgspec.Struct, frozen=True):
    """A mission: how it came out, by `Service.results`; the best of each mode; figures added up."""

    title: str
    played: int
    won: int
    results: tuple[int, ...]
    bests: tuple[Best, ...]
    figures: dict[str, int]


class Service(msgspec.Struct, frozen=True):
    """A service record: everything one person has done in one game.

    `results` are the names of what a game may come to, from the worst, `counts` how often each did;
    `measure` names what `Best` holds.
    """

    title: str
    played: int
    won: int
    results: tuple[str, ...]
    counts: tuple[int, ...]
    measure: str
    figures: dict[str, int]
    missions: tuple[MissionLine, ...]
    modes: tuple[Tally, ...]


class _Game(msgspec.Struct, frozen=True):
    """One finished game as one person had it: the entries of all their seats together."""

    mission: str
    mode: str
    result: str
    won: bool
    figures: dict[str, int]
    most: int
    par: int


def service(
    title: str,
    grading: Grading,
    entries: Iterable[Entry],
    missions: Mapping[str, str],
    modes: Mapping[str, str],
) -> Service:
    """Add up one person's entries. `missions` and `modes` give titles, in the order they are shown."""
    seats: dict[str, list[Entry]] = {}
    for entry in entries:
        seats.setdefault(entry.session, []).append(entry)
    games = [_together(held) for held in seats.values()]
    results = [LOST, WON, *grading.levels]
    found = {game.result for game in games}
    results += sorted(found.difference(results))
    if grading.levels and WON not in found:
        results.remove(WON)
    played = _in_order(missions, (game.mission for game in games))
    modes_played = _in_order(modes, (game.mode for game in games))
    lines = [
        _mission(
            missions.get(name, name),
            [game for game in games if game.mission == name],
            results,
            {mode: modes.get(mode, mode) for mode in modes_played},
            grading.measure,
        )
        for name in played
    ]
    tallies = [
        Tally(modes.get(mode, mode), *_won([game for game in games if game.mode == mode]))
        for mode in modes_played
    ]
    return Service(
        title=title,
        played=len(games),
        won=sum(game.won for game in games),
        results=tuple(results),
        counts=_counts(games, results),
        measure=grading.measure,
        figures=_sums(games, grading.measure),
        missions=tuple(lines),
        modes=tuple(tallies),
    )


def _together(seats: Sequence[Entry]) -> _Game:
    first = next((entry for entry in seats if entry.won), seats[0])
    figures: dict[str, int] = {}
    for entry in seats:
        for name, value in entry.figures.items():
            figures[name] = figures.get(name, 0) + value
    result = (first.level or WON) if first.won else LOST
    return _Game(first.mission, first.mode, result, first.won, figures, first.most, first.par)


def _in_order(titles: Mapping[str, str], found: Iterable[str]) -> list[str]:
    """The names found, each once: those with a title in its order, then the others."""
    there = dict.fromkeys(found)
    return [*(name for name in titles if name in there), *(n for n in there if n not in titles)]


def _mission(
    title: str,
    games: Sequence[_Game],
    results: Sequence[str],
    modes: Mapping[str, str],
    measure: str,
) -> MissionLine:
    bests: list[Best] = []
    for mode, shown in modes.items():
        tried = [game for game in games if game.mode == mode]
        if not tried or not measure:
            continue
        won = [game for game in tried if game.won and measure in game.figures]
        best = min(won, key=lambda game: game.figures[measure], default=None)
        value = None if best is None else best.figures[measure]
        like = best or tried[-1]
        bests.append(Best(shown, value, like.most, like.par))
    return MissionLine(
        title,
        *_won(games),
        _counts(games, results),
        tuple(bests),
        _sums(games, measure),
    )


def _won(games: Sequence[_Game]) -> tuple[int, int]:
    return len(games), sum(game.won for game in games)


def _counts(games: Sequence[_Game], results: Sequence[str]) -> tuple[int, ...]:
    return tuple(sum(game.result == result for game in games) for result in results)


def _sums(games: Sequence[_Game], measure: str) -> dict[str, int]:
    """All figures but the measure, whose sum means nothing."""
    sums: dict[str, int] = {}
    for game in games:
        for name, value in game.figures.items():
            if name != measure:
                sums[name] = sums.get(name, 0) + value
    return sums
