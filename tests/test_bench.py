"""The bench runs and writes every figure. What the figures are is no test's business."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.bench.figures import KEYS, Figures, percentile

ROOT = Path(__file__).resolve().parent.parent


def test_a_quick_run_writes_every_figure(tmp_path: Path) -> None:
    out = tmp_path / "bench.json"
    command = [sys.executable, "-m", "tests.bench", "--quick", "--out", str(out)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    figures = json.loads(out.read_text(encoding="utf-8"))
    assert set(KEYS) <= set(figures)
    assert all(figures[key] >= 0 for key in KEYS)
    assert figures["quick"] is True
    for key in ("engine.play.p99_ms", "picture.bytes", "press.ratio", "memory.rss_mb"):
        assert key in done.stdout


def test_percentiles_are_values_that_were_measured() -> None:
    values = [float(n) for n in range(1, 101)]
    assert percentile(values, 50) == 50
    assert percentile(values, 99) == 99
    assert percentile([7.0], 99) == 7
    assert percentile([2.0, 1.0], 50) == 1


def test_the_table_says_whether_an_aim_is_met() -> None:
    figures = Figures()
    figures.put("memory.rss_mb", 150)
    figures.put("start.s", 4)
    lines = {line.split()[0]: line for line in figures.table().splitlines() if line.strip()}
    assert " ok " in lines["memory.rss_mb"]
    assert " over " in lines["start.s"]
    assert "ok" not in lines["press.ratio"]
