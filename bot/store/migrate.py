"""Bringing the tables of a database up to date, at every start."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, inspect, text

from bot.refusals import StoreUnusable

_SCRIPTS = Path(__file__).resolve().parent / "migrations"


def revisions() -> list[str]:
    """The ids of all migrations, oldest first: their files are called `<id>_<subject>.py`."""
    return sorted(path.stem.split("_")[0] for path in (_SCRIPTS / "versions").glob("[0-9]*_*.py"))


def newest() -> str:
    """The id of the last migration."""
    return revisions()[-1]


def migrate(connection: Connection) -> None:
    """Run the migrations that this database lacks, inside the caller's transaction.

    Raises `StoreUnusable` for a database that a newer version of the bot has written.
    """
    current = _current(connection)
    if current == newest():
        return
    if current is not None and current not in revisions():
        raise StoreUnusable(
            "The database was written by a newer version of Fieldpost; start that version, or "
            "use another database."
        )
    _upgrade(connection)


def _current(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


def _upgrade(connection: Connection) -> None:
    # Imported only when there is something to do: Alembic takes a quarter of a start.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_SCRIPTS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
