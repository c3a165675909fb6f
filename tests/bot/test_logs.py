"""What is printed: little to somebody who plays at a local table, and nothing that needlessly worries."""

from __future__ import annotations

import asyncio
import io
import logging
import os
import re
import signal
import sys
from pathlib import Path

import discord
import pytest

from bot import logs

ROOT = Path(__file__).parents[2]


def test_what_the_bot_does_without_is_no_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discord.VoiceClient, "warn_nacl", True)
    monkeypatch.setattr(discord.VoiceClient, "warn_dave", True)
    out = io.StringIO()
    logs.set_up("INFO", (), out)
    discord.Client(intents=discord.Intents.none())
    logging.getLogger("discord.client").warning("something else is not installed")
    assert len(out.getvalue().splitlines()) == 1 and "something else" in out.getvalue()


async def test_a_local_table_prints_its_address_and_no_more(tmp_path: Path) -> None:
    unset = ("DISCORD_TOKEN", "DATABASE_URL")
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", "--port", "0",
        cwd=tmp_path,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={name: value for name, value in os.environ.items() if name not in unset}
        | {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"},
    )  # fmt: skip
    try:
        assert process.stdout is not None
        line = await asyncio.wait_for(process.stdout.readline(), 60)
        process.send_signal(signal.SIGINT)
        out, err = await asyncio.wait_for(process.communicate(), 30)
    finally:
        if process.returncode is None:
            process.kill()
    assert re.fullmatch(
        r"Fieldpost's local table: http://127\.0\.0\.1:\d+ — Ctrl-C stops it\n", line.decode()
    )
    assert (out.decode(), err.decode(), process.returncode) == ("Stopping.\n", "", 0)
