"""Bringing the tables of a database up to date, at every start."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from bot.refusals import StoreUnusable

_SCRIPTS = Path(__file__).resolve().parent / "migrations"


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(_SCRIPTS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


def newest() -> str:
    """The id of the last migration."""
    return ScriptDirectory.from_config(_config()).get_current_head() or ""


def migrate(connection: Connection) -> None:
    """Run the migrations that this database lacks, inside the caller's transaction.

    Raises `StoreUnusable` for a database that a newer version of the bot has written.
    """
    config = _config()
    scripts = ScriptDirectory.from_config(config)
    current = MigrationContext.configure(connection).get_current_revision()
    if current == scripts.get_current_head():
        return
    known = {script.revision for script in scripts.walk_revisions()}
    if current is not None and current not in known:
        raise StoreUnusable(
            "The database was written by a newer version of Fieldpost; start that version, or "
            "use another database."
        )
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
