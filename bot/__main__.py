"""The command line: `python -m bot`, `python -m bot check`, `… backup FILE`, `… export SESSION FILE`,
`… about USER FILE`, `… forget USER`."""

from __future__ import annotations

import argparse
import asyncio
import importlib
import inspect
import logging
import sys
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from bot import logs
from bot.refusals import NoSuchTable, Refused
from bot.settings import Settings, WrongSettings, read_settings
from bot.store import Store
from bot.store.backup import backup
from bot.store.engine import read_url
from games.registry import Registry

log = logging.getLogger(__name__)

LOWEST_ID = 10**15
"""Less than any id of a user: Discord counts them from its first month on."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit status. Expected faults are one sentence on standard error."""
    options = _parser().parse_args(arguments)
    try:
        given = {} if options.port is None else {"FIELDPOST_PORT": options.port}
        settings = read_settings(**given)
    except WrongSettings as wrong:
        for sentence in wrong.sentences:
            print(sentence, file=sys.stderr)
        return 2
    logs.set_up(_log_level(settings), settings.secrets)
    try:
        match options.command:
            case "check":
                return asyncio.run(check(settings))
            case "backup":
                asyncio.run(backup(read_url(settings.database_url), options.file))
                print(f"Copied to {options.file}.")
                return 0
            case "export":
                asyncio.run(export(settings, options.session, options.file))
                print(f"Written to {options.file}.")
                return 0
            case "about":
                asyncio.run(about(settings, options.user, options.file))
                print(f"Written to {options.file}.")
                return 0
            case "forget":
                print(asyncio.run(forget(settings, options.user)))
                return 0
            case _:
                return _serve(settings)
    except Refused as refused:
        print(refused.sentence, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    except Exception:
        # Through the log, which hides the token and the password.
        log.critical("The bot stopped because of an error that nobody expected.", exc_info=True)
        return 1


def _log_level(settings: Settings) -> str:
    """The level that was asked for; else a local table prints its address and what goes wrong."""
    if "log_level" in settings.model_fields_set or settings.discord_token is not None:
        return settings.log_level
    return "WARNING"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bot",
        description="Fieldpost: wargames by post. Without a command: a local table in the "
        "browser, or, when DISCORD_TOKEN is set, the bot on Discord.",
    )
    parser.add_argument("--port", type=int, help="the port of the local table's page")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    commands.add_parser("check", help="check settings, database and the data of every game")
    copying = commands.add_parser("backup", help="copy the database, also while the bot runs")
    copying.add_argument("file", type=Path, metavar="FILE", help="a file that does not exist yet")
    saving = commands.add_parser("export", help="write a game to a file, hidden things too")
    saving.add_argument("session", metavar="SESSION", help="its id, as `/table verify` names it")
    saving.add_argument("file", type=Path, metavar="FILE", help="a file that does not exist yet")
    telling = commands.add_parser("about", help="write all that is kept about a user to a file")
    telling.add_argument("user", type=_user_id, metavar="USER", help="the user's id on Discord")
    telling.add_argument("file", type=Path, metavar="FILE", help="a file that does not exist yet")
    leaving = commands.add_parser("forget", help="delete all about a user, as /privacy delete does")
    leaving.add_argument("user", type=_user_id, metavar="USER", help="the user's id on Discord")
    return parser


def _user_id(typed: str) -> int:
    """An id as Discord gives them. Raises `ArgumentTypeError` with a sentence.

    A small number is never one, but it is in many logs, as a die or a time: they would be taken for
    rows about that user, and be sealed for good.
    """
    if not (typed.isascii() and typed.isdigit() and LOWEST_ID <= int(typed) < 2**63):
        raise argparse.ArgumentTypeError(
            f"“{typed}” is no id of a user: that is a number of 16 to 19 digits."
        )
    return int(typed)


def _serve(settings: Settings) -> int:
    """Run the bot: on Discord with a token, else at a local table."""
    client: Any = importlib.import_module("bot.client")
    if settings.discord_token is not None:
        return _finish(client.run(settings))
    try:
        local: Any = importlib.import_module("bot.local")
    except ModuleNotFoundError as fault:
        if fault.name is None or not fault.name.startswith("simcord"):
            raise
        print(
            "The local table needs simcord: pip install 'fieldpost[local]' (or `make play`); "
            "or set DISCORD_TOKEN to run on Discord.",
            file=sys.stderr,
        )
        return 1
    return _finish(local.serve(lambda: client.make_bot(settings), port=settings.port, data=Path()))


def _finish(outcome: Any) -> int:
    """Await what must be awaited; an exit status, 0 unless it says otherwise."""
    if inspect.iscoroutine(outcome):
        outcome = asyncio.run(outcome)
    return outcome if isinstance(outcome, int) else 0


async def export(settings: Settings, session: str, path: Path) -> None:
    """Write a game to a new file, also while the bot runs. Raises `Refused` with a sentence."""
    sessions: Any = importlib.import_module("bot.sessions")
    store = await Store.open(settings.database_url)
    try:
        service = sessions.Sessions(store, Registry(data=settings.data), clock=lambda: 0)
        raw: bytes = await service.save_file(session, None, moderator=True)
    except NoSuchTable:
        raise Refused(f"There is no game “{session}” in this database.") from None
    finally:
        await store.close()
    _write(path, raw)


async def about(settings: Settings, user_id: int, path: Path) -> None:
    """Write all that is kept about a user to a new file. Raises `Refused` with a sentence."""
    privacy: Any = importlib.import_module("bot.privacy")
    async with _people(settings) as people:
        found = await people.about(user_id)
    _write(path, privacy.as_json(found))


async def forget(settings: Settings, user_id: int) -> str:
    """Delete all that is kept about a user, also while the bot runs; what was done, in a sentence."""
    privacy: Any = importlib.import_module("bot.privacy")
    async with _people(settings) as people:
        gone = await people.forget(user_id)
    if not gone.anything:
        return f"Nothing is kept about user {user_id}."
    return f"Everything about user {user_id} is deleted. {privacy.at_tables(gone)}".strip()


@asynccontextmanager
async def _people(settings: Settings) -> AsyncGenerator[Any]:
    """The service for somebody's own data, over the database of the settings."""
    sessions: Any = importlib.import_module("bot.sessions")
    module: Any = importlib.import_module("bot.people")

    def now() -> int:
        return int(time.time())

    store = await Store.open(settings.database_url)
    try:
        service = sessions.Sessions(store, Registry(data=settings.data), clock=now)
        yield module.People(store, service, clock=now)
    finally:
        await store.close()


def _write(path: Path, raw: bytes) -> None:
    """Write a file that does not exist yet. Raises `Refused` with a sentence."""
    try:
        with path.open("xb") as file:
            file.write(raw)
    except FileExistsError:
        raise Refused(f"{path} exists already and was left alone; choose another name.") from None
    except OSError as fault:
        raise Refused(f"The file {path} could not be written: {fault}.") from fault


async def check(settings: Settings) -> int:
    """Look at settings, database and every game's data, a line each; 0 when all is well."""
    where = "Discord" if settings.discord_token else "a local table (DISCORD_TOKEN is not set)"
    print(f"Settings: OK; the bot would run on {where}.")
    faults = 0
    try:
        store = await Store.open(settings.database_url)
        try:
            await store.check()
        finally:
            await store.close()
        print(f"Database: OK, {settings.database_shown}.")
    except Refused as refused:
        faults += 1
        print(f"Database: {refused.sentence}")
    registry = Registry(data=settings.data)
    for slug in registry.slugs():
        try:
            game = registry.newest(slug)
            print(f"Game {slug}: OK, {game.title}, content {game.content_hash[:12]}.")
        except Exception as fault:
            faults += 1
            print(f"Game {slug}: {fault}")
    print("All is well." if not faults else f"{faults} of these must be put right.")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
