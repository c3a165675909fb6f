# Named parts of simcord that it keeps private: see world.py.
# pyright: reportPrivateUsage=false
"""The local table's page: what the browser asks, and what it gets.

All addresses are on loopback. ``GET /api/state`` shows one channel to one person, ``GET
/api/changes`` says when to look again, ``POST /api/act`` does what a person can do in a Discord
client, ``POST /api/suggest`` completes an option while it is typed. Ids are strings: they do not
fit into a JavaScript number.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, cast

from aiohttp import web
from simcord.actors import MemberActor, _autocomplete_result
from simcord.backend.cdn import CDN_BASE
from simcord.backend.errors import BackendError, SetupError
from simcord.backend.models import Interaction
from simcord.builders import UserHandle
from simcord.components import walk_components
from simcord.enums import ComponentType
from simcord.results import InteractionResult

from . import asked, shown
from .asked import Refused
from .world import World

__all__ = ["Page"]

_STATIC = Path(__file__).with_name("static")
_FILES = {
    "/": ("index.html", "text/html"),
    "/table.js": ("table.js", "text/javascript"),
    "/render.js": ("render.js", "text/javascript"),
    "/table.css": ("table.css", "text/css"),
}
_HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; "
        "img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
}
_PICTURES = {"image/png", "image/jpeg", "image/gif", "image/webp"}
_ANSWER_SECONDS = 3.0  # as long as Discord waits
_OPEN_FORMS = 100  # forms that were opened and never submitted
_LARGEST_REQUEST = 40 * 1024 * 1024


class Page:
    """The web application around one world."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.port = 0
        self._closing = asyncio.Event()
        self._dismissed: set[int] = set()
        self._modals: dict[int, InteractionResult] = {}
        self._runner: web.AppRunner | None = None

    async def open(self, socket: Any) -> None:
        """Serve on a bound loopback socket."""
        self.port = int(socket.getsockname()[1])
        app = web.Application(middlewares=[self._guard], client_max_size=_LARGEST_REQUEST)
        for path in _FILES:
            app.router.add_get(path, self._static)
        app.router.add_get("/api/state", self._state)
        app.router.add_get("/api/commands", self._commands)
        app.router.add_get("/api/changes", self._changes)
        app.router.add_post("/api/act", self._act)
        app.router.add_post("/api/suggest", self._suggest)
        app.router.add_get("/files/{path:.+}", self._file)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=2.0)
        await self._runner.setup()
        await web.SockSite(self._runner, socket).start()

    async def close(self) -> None:
        """End every open request and release the port."""
        self._closing.set()
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    # ------------------------------------------------------------ guarding

    @web.middleware
    async def _guard(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        """Answer only this page: no other site may read or press anything here."""
        hosts = {f"127.0.0.1:{self.port}", f"localhost:{self.port}"}
        if request.host not in hosts:
            return _error("This page answers at its own address only.", status=403)
        if request.method != "GET":
            origin = request.headers.get("Origin")
            foreign = origin is not None and origin.removeprefix("http://") not in hosts
            if foreign or request.headers.get("X-Local-Table") != "1":
                return _error("Only the local table's own page may act here.", status=403)
        try:
            return await handler(request)
        except Refused as refused:
            return _error(str(refused))
        except (SetupError, BackendError) as error:
            return _error(asked.plain(str(error)))

    # ------------------------------------------------------------- looking

    async def _static(self, request: web.Request) -> web.Response:
        name, content_type = _FILES[request.path]
        body = (_STATIC / name).read_bytes()
        return web.Response(body=body, content_type=content_type, charset="utf-8", headers=_HEADERS)

    async def _file(self, request: web.Request) -> web.Response:
        url = f"{CDN_BASE}/{request.match_info['path']}"
        data = self.world.backend.cdn.get(url)
        if data is None:
            return _error("That file is gone.", status=404)
        kind = _kind(url)
        headers = {**_HEADERS, "Cache-Control": "private, max-age=86400, immutable"}
        if kind not in _PICTURES:  # never run what a bot or a person uploaded
            headers["Content-Disposition"] = "attachment"
        return web.Response(body=data, content_type=kind, headers=headers)

    async def _state(self, request: web.Request) -> web.Response:
        person = asked.who(self.world, request.query.get("as"))
        wanted = request.query.get("in", "")
        return _answer(shown.state(self.world, person, wanted, self._dismissed))

    async def _commands(self, request: web.Request) -> web.Response:
        person = asked.who(self.world, request.query.get("as"))
        channel_id = asked.where(self.world, request.query.get("in"), person)
        return _answer({"commands": shown.commands(self.world, person, channel_id)})

    async def _changes(self, request: web.Request) -> web.StreamResponse:
        """A stream with one line whenever something may look different."""
        response = web.StreamResponse(
            headers={**_HEADERS, "Content-Type": "text/event-stream; charset=utf-8"}
        )
        await response.prepare(request)
        wake = asyncio.Event()
        wake.set()
        stop = self.world.watch(wake.set)
        closing = asyncio.ensure_future(self._closing.wait())
        try:
            while not closing.done():
                woken = asyncio.ensure_future(wake.wait())
                await asyncio.wait(
                    (woken, closing), timeout=15, return_when=asyncio.FIRST_COMPLETED
                )
                woken.cancel()
                if wake.is_set():
                    await asyncio.sleep(0.04)  # what comes in one burst is one change
                    wake.clear()
                    await response.write(b"data: changed\n\n")
                else:
                    await response.write(b": still here\n\n")
        except (ConnectionError, asyncio.CancelledError):
            pass  # the tab was closed
        finally:
            stop()
            closing.cancel()
        return response

    # -------------------------------------------------------------- acting

    async def _suggest(self, request: web.Request) -> web.Response:
        body = await _body(request)
        person, channel_id = self._who_and_where(body)
        name = asked.text(body, "command")
        declared = asked.declared(self.world, person.id, channel_id, name)
        focused = asked.text(body, "option")
        filled: dict[str, Any] = {}
        for key, raw in asked.mapping(body.get("filled")).items():
            if key == focused or key not in declared or raw in ("", None):
                continue
            try:
                filled[key] = asked.option_value(self.world, name, declared[key], raw)
            except (SetupError, BackendError, Refused):
                continue  # half typed: the bot gets what is complete
        result = await _autocomplete_result(
            self.world.actor(person, channel_id),
            self.world.channel(channel_id),
            name,
            focused,
            str(body.get("value") or ""),
            filled,
        )
        record = result._interaction
        await _answered(record)
        self.world.forget(record)
        return _answer({"choices": record.autocomplete_choices or []})

    async def _act(self, request: web.Request) -> web.Response:
        body = await _body(request)
        person, channel_id = self._who_and_where(body)
        acts: dict[str, Callable[[Any, int, dict[str, Any]], Awaitable[Any]]] = {
            "slash": self._slash,
            "click": self._click,
            "select": self._select,
            "modal": self._modal,
            "say": self._say,
            "dismiss": self._dismiss,
        }
        act = acts.get(str(body.get("kind")))
        if act is None:
            raise Refused("The page asked for something this table cannot do.")
        result = await act(self.world.actor(person, channel_id), channel_id, body)
        self.world.changed()
        if not isinstance(result, InteractionResult):
            return _answer({})
        if not await _answered(result._interaction):
            name = self.world.backend.bot_user.name
            raise Refused(f"{name} did not answer within three seconds.")
        modal = result.modal
        if modal is None:
            return _answer({})
        self._modals[result._interaction.id] = result
        while len(self._modals) > _OPEN_FORMS:
            self._modals.pop(next(iter(self._modals)))
        return _answer({"modal": modal, "shown": str(result._interaction.id)})

    async def _slash(self, actor: Any, channel_id: int, body: dict[str, Any]) -> Any:
        name = asked.text(body, "command")
        declared = asked.declared(self.world, actor.id, channel_id, name)
        given = asked.mapping(body.get("options"))
        options: dict[str, Any] = {}
        for option in declared.values():
            if option.get("required") and option["name"] not in given:
                raise Refused(f"/{name} needs “{option['name']}”.")
        for key, raw in given.items():
            if key not in declared:
                raise Refused(f"/{name} has no option “{key}”.")
            options[key] = asked.option_value(self.world, name, declared[key], raw)
        with self.world.invoking(name):
            if isinstance(actor, UserHandle):
                return await actor.slash(name, **options)
            return await actor.slash(self.world.channel(channel_id), name, **options)

    async def _click(self, actor: Any, channel_id: int, body: dict[str, Any]) -> Any:
        message = asked.message(self.world, channel_id, body)
        return await actor.click(message, custom_id=asked.text(body, "custom_id"))

    async def _select(self, actor: Any, channel_id: int, body: dict[str, Any]) -> Any:
        message = asked.message(self.world, channel_id, body)
        custom_id = asked.text(body, "custom_id")
        kind = next(
            (
                int(component["type"])
                for component in walk_components(message.components)
                if component.get("custom_id") == custom_id
            ),
            0,
        )
        values = [
            asked.chosen(self.world, kind, value) for value in asked.sequence(body.get("values"))
        ]
        return await actor.select(message, values, custom_id=custom_id)

    async def _modal(self, actor: Any, channel_id: int, body: dict[str, Any]) -> Any:
        form = self._modals.get(asked.number(body, "shown"))
        if form is None:
            raise Refused("That form is no longer open. Press the button again.")
        kinds = {
            str(component["custom_id"]): int(component["type"])
            for component in walk_components((form.modal or {}).get("components") or [])
            if component.get("custom_id")
        }
        values: dict[str, Any] = {}
        for key, raw in asked.mapping(body.get("values")).items():
            kind = kinds.get(key, 0)
            if kind == ComponentType.FILE_UPLOAD:
                values[key] = [asked.upload(item) for item in asked.sequence(raw)]
            elif isinstance(raw, list):
                values[key] = [
                    asked.chosen(self.world, kind, value) for value in cast("list[Any]", raw)
                ]
            else:
                values[key] = raw
        result = await actor.submit_modal(form, values)
        self._modals.pop(form._interaction.id, None)
        return result

    async def _say(self, actor: Any, channel_id: int, body: dict[str, Any]) -> None:
        text = asked.text(body, "text").strip()
        if not 0 < len(text) <= 2000:
            raise Refused("A message has between 1 and 2,000 characters.")
        if isinstance(actor, UserHandle):
            await actor.send_dm(text)
        else:
            await actor.send(self.world.channel(channel_id), text)

    async def _dismiss(self, actor: Any, channel_id: int, body: dict[str, Any]) -> None:
        message = asked.message(self.world, channel_id, body)
        if message.ephemeral:
            self._dismissed.add(message.id)

    def _who_and_where(self, body: dict[str, Any]) -> tuple[MemberActor, int]:
        person = asked.who(self.world, body.get("as"))
        return person, asked.where(self.world, body.get("in"), person)


async def _answered(record: Interaction) -> bool:
    """Wait until the bot has acknowledged, as long as Discord would."""
    deadline = asyncio.get_running_loop().time() + _ANSWER_SECONDS
    while not record.responded:
        if asyncio.get_running_loop().time() >= deadline:
            return False
        await asyncio.sleep(0.005)
    return True


def _answer(data: dict[str, Any], *, status: int = 200) -> web.Response:
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    text = text.replace(CDN_BASE, "/files")
    return web.Response(text=text, status=status, content_type="application/json", headers=_HEADERS)


def _error(sentence: str, *, status: int = 200) -> web.Response:
    """A refusal in a sentence. What a person may not do is an answer, no failure of the page."""
    return _answer({"error": sentence}, status=status)


def _kind(url: str) -> str:
    kinds = {"png": "png", "jpg": "jpeg", "jpeg": "jpeg", "gif": "gif", "webp": "webp"}
    found = kinds.get(url.rsplit(".", 1)[-1].casefold())
    return f"image/{found}" if found else "application/octet-stream"


async def _body(request: web.Request) -> dict[str, Any]:
    try:
        body = await request.json()
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise Refused("The page sent something that is not JSON.") from error
    return asked.mapping(body)
