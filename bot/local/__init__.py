"""The local table: the bot in a browser, with nothing but Python.

``serve`` runs any discord.py bot on an in-memory Discord and shows it on a page on loopback,
until Ctrl-C. ``start`` is the same for tests and other callers who end it themselves.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import signal
import socket
import sys
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import discord
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle

from .memory import FileInUse, Memory
from .page import Page
from .world import World

__all__ = ["DEFAULT_PEOPLE", "LocalTableError", "Table", "serve", "start"]

DEFAULT_PEOPLE = ("Robin", "Kim", "Sam")
_HOST = "127.0.0.1"
_FILE_NAME = "local-table.sqlite3"


class LocalTableError(RuntimeError):
    """The local table cannot start; the message is a sentence for the person who started it."""


@dataclass(frozen=True)
class Table:
    """A running local table.

    ``world`` is a simcord ``Env`` in real time: its actors, builders and ``inject_error`` work.
    """

    address: str
    world: World
    bot: discord.Client

    @property
    def people(self) -> dict[str, MemberActor]:
        """The people one can act as, by name."""
        return self.world.people

    @property
    def channels(self) -> dict[str, ChannelHandle]:
        """The guild's channels, by name."""
        return self.world.guild.channels


@asynccontextmanager
async def start(
    bot_factory: Callable[[], discord.Client],
    *,
    port: int = 0,
    people: Sequence[str] = DEFAULT_PEOPLE,
    data: Path | None = None,
) -> AsyncGenerator[Table]:
    """Run a local table inside ``async with``; leaving it closes the page and the bot.

    Args:
        bot_factory: makes the bot, which is not logged in yet. Commands that it has not synced
            by the end of its ``setup_hook`` are synced for it.
        port: the page's port on 127.0.0.1; 0 takes a free one.
        people: who one can act as; the first owns the guild. At least one.
        data: the SQLite file that keeps channels and messages between runs, or a folder for it;
            ``None`` keeps nothing.

    Raises:
        LocalTableError: the port is taken, the file is in use or unusable, or ``people`` is
            empty or names somebody twice.
    """
    if not people or len({name.casefold() for name in people}) != len(people):
        raise LocalTableError("Name at least one person for the local table, and nobody twice.")
    if any(not 0 < len(name.strip()) <= 32 for name in people):
        raise LocalTableError("A person at the local table has a name of 1 to 32 characters.")
    door = _listen(port)
    try:
        memory = _remember(data)
    except BaseException:
        door.close()
        raise
    world: World | None = None
    page: Page | None = None
    try:
        world = World(bot_factory(), memory, people=[name.strip() for name in people])
        await world.start()
        page = Page(world)
        await page.open(door)
        yield Table(f"http://{_HOST}:{page.port}", world, world.bot)
    finally:
        try:
            if page is not None:
                await page.close()
            if world is not None:
                await world.shutdown()
        finally:
            door.close()
            memory.close()


async def serve(
    bot_factory: Callable[[], discord.Client],
    *,
    port: int,
    people: Sequence[str] = DEFAULT_PEOPLE,
    data: Path | None = None,
) -> None:
    """Run a local table until Ctrl-C or SIGTERM; print its address. See ``start``.

    Raises:
        SystemExit: it cannot start; the sentence that says why is on standard error.
    """
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    handled: list[signal.Signals] = []
    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):  # Windows: Ctrl-C cancels us instead
            loop.add_signal_handler(number, stop.set)
            handled.append(number)
    try:
        async with start(bot_factory, port=port, people=people, data=data) as table:
            print(f"Fieldpost's local table: {table.address} — Ctrl-C stops it", flush=True)
            await stop.wait()
            print("Stopping.", flush=True)
            for number in handled:  # a second Ctrl-C does not wait for the bot
                loop.remove_signal_handler(number)
    except LocalTableError as error:
        print(error, file=sys.stderr, flush=True)
        raise SystemExit(1) from None
    finally:
        for number in handled:
            loop.remove_signal_handler(number)


def _listen(port: int) -> socket.socket:
    door = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        if sys.platform != "win32":  # there it would let two programs share the port
            door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        door.bind((_HOST, port))
    except (OSError, OverflowError) as error:
        door.close()
        code = error.errno if isinstance(error, OSError) else None
        if code == errno.EADDRINUSE:
            why = f"Port {port} is taken: is a local table running already? Choose another port."
        elif code == errno.EACCES:
            why = f"Port {port} needs more rights than you have. Choose one above 1023."
        else:
            why = f"The local table cannot use port {port}: choose one between 1024 and 65535."
        raise LocalTableError(why) from error
    return door


def _remember(data: Path | None) -> Memory:
    path = data / _FILE_NAME if data is not None and data.is_dir() else data
    try:
        return Memory(path)
    except FileInUse as error:
        raise LocalTableError(f"{error} Stop that one first, or give this one its own.") from error
    except OSError as error:
        raise LocalTableError(f"The local table cannot keep its data: {error}") from error
