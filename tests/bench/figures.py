"""What is measured: the list of figures, their floors and aims, and how they are shown."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Line:
    """One line of the table. `floor` is the key of the figure it is compared with."""

    key: str
    unit: str
    what: str
    floor: str = ""
    aim: float | None = None

    @property
    def digits(self) -> int:
        """How many decimals are worth printing."""
        return {"ms": 2, "s": 2, "×": 2, "MB": 0}.get(self.unit, 0)

    def shown(self, value: float | None) -> str:
        """A value in this line's unit."""
        return "" if value is None else f"{value:,.{self.digits}f} {self.unit}"


LINES: tuple[Line, ...] = (
    Line("engine.play.p50_ms", "ms", "one action through the gate, automation included"),
    Line("engine.play.p99_ms", "ms", "", aim=5),
    Line("engine.options.p50_ms", "ms", "everything that one seat could do"),
    Line("engine.options.p99_ms", "ms", "", aim=10),
    Line("engine.view.p50_ms", "ms", "the public view of a state"),
    Line("picture.p50_ms", "ms", "the whole city map, 24 × 22 squares", "picture.floor_ms"),
    Line("picture.p99_ms", "ms", ""),
    Line("picture.cold_ms", "ms", "the same with empty caches, once after a start"),
    Line("picture.bytes", "B", "the largest of them", aim=150_000),
    Line("picture.ratio", "×", "picture p50 to its encoding"),
    Line("closeup.p50_ms", "ms", "the map around an action, as on the panel", "closeup.floor_ms"),
    Line("closeup.bytes", "B", "the largest of them", aim=150_000),
    Line("closeup.ratio", "×", "closeup p50 to its encoding"),
    Line("outcome.p50_ms", "ms", "the strip of dice, cards, chart", "outcome.floor_ms"),
    Line("outcome.bytes", "B", "the largest of them", aim=150_000),
    Line("outcome.ratio", "×", "outcome p50 to its encoding"),
    Line(
        "replay.fps", "/s", "frames of a replay of 200 states, drawn and encoded, a second of CPU"
    ),
    Line("replay.bytes", "B", "that replay", aim=8 * 1024 * 1024),
    Line(
        "catchup.p50_ms", "ms", "what was missed, its two pictures and letter", "catchup.floor_ms"
    ),
    Line("plots.load_ms", "ms", "loading matplotlib, once after a start, in a worker"),
    Line(
        "luck.p50_ms", "ms", "/table luck of a whole game: figures, two plots", "luck.floor_ms", 400
    ),
    Line("stats.p50_ms", "ms", "/stats of 300 games: figures and plot", "stats.floor_ms", 400),
    Line("commit.p50_ms", "ms", "a durable commit of as many bytes, plain sqlite3"),
    Line("store.act.p50_ms", "ms", "sessions.act: read, play, save", "commit.p50_ms"),
    Line("store.get.p50_ms", "ms", "sessions.get: read a session"),
    Line("mygames.p50_ms", "ms", "/mygames with 100,000 sessions stored: rows and letter"),
    Line("mygames.p99_ms", "ms", "", aim=20),
    Line("mygames.few_p99_ms", "ms", "the same with 1,000"),
    Line("mygames.growth", "×", "its median with 100,000 to that with 1,000", aim=1.5),
    Line("open.p50_ms", "ms", "opening one more with 100,000 stored, limit checked"),
    Line("open.p99_ms", "ms", "", aim=20),
    Line("open.few_p99_ms", "ms", "the same with 1,000"),
    Line("open.growth", "×", "its median with 100,000 to that with 1,000", aim=1.5),
    Line("roll.p50_ms", "ms", "10d6kh3+2, read and rolled"),
    Line("roll.p99_ms", "ms", "", aim=1),
    Line("tray.p50_ms", "ms", "its picture", "tray.floor_ms"),
    Line("tray.ratio", "×", "tray p50 to its encoding"),
    Line("rolled.p50_ms", "ms", "/roll: read, saved, drawn, the letter", "rolled.floor_ms"),
    Line("rolled.p99_ms", "ms", ""),
    Line("rolled.ratio", "×", "rolled p50 to encoding its picture and a commit", aim=1.5),
    Line("deck.p50_ms", "ms", "five cards of 52: saved, picture, letter", "deck.floor_ms"),
    Line("deck.p99_ms", "ms", ""),
    Line("deck.ratio", "×", "deck p50 to encoding its picture and a commit", aim=1.5),
    Line("press.p50_ms", "ms", "press to panel, 1 session", "press.floor_ms"),
    Line("press.p99_ms", "ms", ""),
    Line("press.cpu_ms", "ms", "CPU time of the whole process meanwhile", "press.floor_ms"),
    Line("press.ratio", "×", "press p50 to encoding its pictures and a commit", aim=1.5),
    Line("press.simcord_ms", "ms", "a trivial bot posting the same message"),
    Line("press.net_ms", "ms", "press p50 without that", "press.floor_ms"),
    Line("press.net_ratio", "×", ""),
    Line("ask.p50_ms", "ms", "press to the next question with its picture", "ask.floor_ms"),
    Line("ask.p99_ms", "ms", ""),
    Line("press50.p50_ms", "ms", "press to panel, 50 sessions in turn", "press50.floor_ms"),
    Line("press50.p99_ms", "ms", ""),
    Line("press50.ratio", "×", "", aim=1.5),
    Line("burst50.p50_ms", "ms", "all 50 sessions press at the same moment"),
    Line("burst50.max_ms", "ms", ""),
    Line("burst50.per_s", "/s", "panels posted a second meanwhile"),
    Line("loop.lag_max_ms", "ms", "the longest the event loop was late", aim=20),
    Line("loop.lag_p99_ms", "ms", ""),
    Line("loop.busiest_ms", "ms", "the longest callback, in CPU time", aim=20),
    Line("loop.gc_max_ms", "ms", "the longest garbage collection, in CPU time", aim=20),
    Line("memory.rss_mb", "MB", "resident, 1,000 open sessions in the database", aim=200),
    Line("start.s", "s", "process start to the printed address", "start.floor_s", aim=3),
    Line("start.cpu_s", "s", "CPU time of that"),
    Line("start.first_s", "s", "the same on a new database, with migrations", aim=3),
)

FLOORS = (
    "picture.floor_ms", "closeup.floor_ms", "outcome.floor_ms", "press.floor_ms",
    "deck.floor_ms", "catchup.floor_ms", "ask.floor_ms", "press50.floor_ms", "start.floor_s",
    "luck.floor_ms", "stats.floor_ms", "tray.floor_ms", "rolled.floor_ms",
)  # fmt: skip

KEYS = tuple(line.key for line in LINES) + FLOORS
"""Every key of build/bench.json that a run must write, `quick` or not."""


class Figures:
    """The figures of a run."""

    def __init__(self) -> None:
        self.values: dict[str, float] = {}

    def put(self, key: str, value: float) -> None:
        """Keep a figure."""
        if key not in KEYS:
            raise KeyError(key)
        self.values[key] = round(value, 4)

    def spread(self, name: str, seconds: Sequence[float], *, high: bool = True) -> None:
        """Keep the median and (`high`) the 99th percentile of some durations."""
        self.put(f"{name}.p50_ms", percentile(seconds, 50) * 1000)
        if high:
            self.put(f"{name}.p99_ms", percentile(seconds, 99) * 1000)

    def ratio(self, key: str, figure: str, floor: str) -> None:
        """Keep how many times as large one figure is as another."""
        self.put(key, self.values[figure] / self.values[floor])

    def table(self) -> str:
        """All figures as text: name, figure, floor, aim, and whether the aim is met."""
        head = ("figure", "", "floor", "aim", "", "")
        rows = [head, *(self._row(line) for line in LINES)]
        wide = [max(len(row[n]) for row in rows) for n in range(len(head))]
        shown: list[str] = []
        for row in rows:
            name, value, floor, aim, verdict, what = row
            shown.append(
                f"{name:<{wide[0]}}  {value:>{wide[1]}}  {floor:>{wide[2]}}  {aim:>{wide[3]}}  "
                f"{verdict:<{wide[4]}}  {what}".rstrip()
            )
        return "\n".join(shown)

    def _row(self, line: Line) -> tuple[str, str, str, str, str, str]:
        value = self.values.get(line.key)
        floor = self.values.get(line.floor) if line.floor else None
        aim = "" if line.aim is None else f"≤ {line.shown(line.aim)}"
        verdict = ""
        if line.aim is not None and value is not None:
            verdict = "ok" if value <= line.aim else "over"
        return line.key, line.shown(value), line.shown(floor), aim, verdict, line.what

    def write(self, path: Path, **more: object) -> None:
        """Write the figures as flat JSON, with what else should be known of the run."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({**self.values, **more}, indent=1) + "\n", encoding="utf-8")


def percentile(values: Sequence[float], percent: float) -> float:
    """The smallest value that so many percent of the values do not pass."""
    ordered = sorted(values)
    if not ordered:
        raise ValueError("nothing was measured")
    return ordered[max(0, math.ceil(len(ordered) * percent / 100) - 1)]


@dataclass(frozen=True)
class Size:
    """How much is measured."""

    quick: bool
    actions: int
    """Most actions of a random game that is timed."""
    positions: int
    """Positions whose options are enumerated."""
    pictures: int
    commits: int
    presses: int
    sessions: int
    presses_50: int
    stored: int
    """Open sessions in the database when memory is measured."""
    starts: int
    few: int
    """Sessions in the database when `/mygames` and opening are measured: few, and many."""
    many: int
    looks: int


FULL = Size(False, 400, 300, 40, 200, 150, 50, 150, 1000, 5, 1_000, 100_000, 400)
QUICK = Size(True, 30, 12, 3, 10, 4, 4, 4, 20, 1, 40, 120, 10)
