"""Logging: where it goes, and that no secret is ever in it."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Iterable
from typing import TextIO

HIDDEN = "[hidden]"
QUIET = ("alembic", "aiosqlite", "sqlalchemy", "PIL", "asyncio")
"""Libraries that say more at INFO and DEBUG than anybody wants to read."""

NEEDLESS = (
    "PyNaCl is not installed",
    "davey is not installed",
    "Guilds intent seems to be disabled",
)
"""How discord.py warns of what this bot does without: voice, and a client that is never connected."""


def needed(record: logging.LogRecord) -> bool:
    """Whether a record of the root's handler is worth reading; a filter."""
    return not (record.name.startswith("discord.") and str(record.msg).startswith(NEEDLESS))


class Redact(logging.Filter):
    """Takes secrets out of everything that a handler writes, tracebacks included."""

    def __init__(self, secrets: Iterable[str]) -> None:
        super().__init__()
        self._secrets = tuple(secret for secret in secrets if secret)

    def hide(self, text: str) -> str:
        """The text without the secrets."""
        for secret in self._secrets:
            text = text.replace(secret, HIDDEN)
        return text

    def filter(self, record: logging.LogRecord) -> bool:
        """Rewrite the record; nothing is dropped."""
        try:
            message = record.getMessage()
        except Exception:  # a wrong format string must not reach logging's own error output
            message = f"{record.msg} {record.args}"
        record.msg, record.args = self.hide(message), None
        if record.exc_info and record.exc_info[0] is not None:
            record.exc_text = "".join(traceback.format_exception(*record.exc_info)).rstrip("\n")
        record.exc_info = None
        if record.exc_text:
            record.exc_text = self.hide(record.exc_text)
        if record.stack_info:
            record.stack_info = self.hide(record.stack_info)
        return True


def set_up(level: str, secrets: Iterable[str], stream: TextIO | None = None) -> None:
    """Send all logging to `stream` (standard error) at this level, without the secrets."""
    handler = logging.StreamHandler(stream)
    handler.addFilter(needed)
    handler.addFilter(Redact(secrets))
    handler.setFormatter(
        logging.Formatter("%(asctime)s %(levelname)-7s %(name)s: %(message)s", "%Y-%m-%d %H:%M:%S")
    )
    root = logging.getLogger()
    for old in list(root.handlers):
        root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(level)
    for name in QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)
