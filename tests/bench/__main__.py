"""`python -m tests.bench [--quick] [--out FILE]`: measure, print the table, write the figures.

The exit status says whether the measuring worked, never whether a figure is good.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import logging
import os
import platform
import sys
import tempfile
import traceback
from collections.abc import Sequence
from pathlib import Path
from time import monotonic, process_time

from tests.bench import (
    dealing,
    engine,
    looking_back,
    pictures,
    plotting,
    pressing,
    process,
    rolling,
    storing,
    waiting,
)
from tests.bench.figures import FULL, QUICK, Figures, Size

ROOT = Path(__file__).resolve().parents[2]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure everything; 0, or 1 when something could not be measured."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench")
    parser.add_argument("--quick", action="store_true", help="a short run, to see that it works")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "bench.json")
    options = parser.parse_args(arguments)
    size = QUICK if options.quick else FULL
    logging.disable(logging.WARNING)
    figures = Figures()
    begun = monotonic()
    options.out.parent.mkdir(parents=True, exist_ok=True)
    # Beside the result, not in /tmp: what is in memory there would make commits look cheap.
    with tempfile.TemporaryDirectory(prefix="bench-", dir=options.out.parent) as folder:
        try:
            culprit = _measure(figures, size, Path(folder))
        except Exception:
            traceback.print_exc()
            return 1
    took = monotonic() - begun
    load = round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else 0.0
    where = f"{os.cpu_count()} cores, Python {platform.python_version()}, load {load}"
    figures.write(options.out, quick=size.quick, machine=where, seconds=round(took, 1))
    print(figures.table())
    print(f"\n{took:.0f} s; {where}; the busiest callback was {culprit[:160]}")
    return 0


def _measure(figures: Figures, size: Size, folder: Path) -> str:
    _say("whole processes")
    process.measure(figures, size, folder)
    _say("rules")
    # As in the bot's process: what stays in memory for good is no matter for the collector.
    gc.collect()
    gc.freeze()
    engine.measure(figures, size)
    gc.unfreeze()
    _say("pictures")
    pictures.measure(figures, size)
    _say("plots")
    plotting.measure(figures, size)
    _say("looking back")
    asyncio.run(looking_back.measure(figures, size, folder))
    _say("store")
    (folder / "press").mkdir()
    written = asyncio.run(storing.measure(figures, size, folder))
    _say("rolls")
    rolling.measure(figures, size)
    asyncio.run(rolling.measure_answers(figures, size, folder))
    _say("decks")
    asyncio.run(dealing.measure(figures, size, folder))
    _say("many sessions")
    asyncio.run(waiting.measure(figures, size, folder))
    _say("presses")
    return asyncio.run(pressing.measure(figures, size, folder / "press", written))


def _say(part: str) -> None:
    print(f"{process_time():6.1f} s of CPU: now {part}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
