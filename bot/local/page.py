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
import base64
import binascii
import json
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from aiohttp import web
from simcord import interactions
from simcord.actors import MemberActor, _autocomplete_result
from simcord.backend import serializers
from simcord.backend.access import channel_accessible
from simcord.backend.cdn import CDN_BASE
from simcord.backend.errors import BackendError, OptionError, SetupError
from simcord.backend.models import Channel, Interaction, Message
from simcord.builders import RoleHandle, UserHandle
from simcord.components import walk_components
from simcord.enums import ComponentType, OptionType
from simcord.results import InteractionResult, ResponseMessage

from .world import World

__all__ = ["Page"]

_log = logging.getLogger(__name__)

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
_LOADING = 1 << 7
_SHOWN = 80  # newest messages per channel
_ANSWER_SECONDS = 3.0  # as long as Discord waits
_OPEN_FORMS = 100  # forms that were opened and never submitted
_LARGEST_REQUEST = 40 * 1024 * 1024
_USERS = (OptionType.USER, OptionType.MENTIONABLE)


class _Refused(Exception):
    """Something that cannot be done, with the sentence for the person who tried."""


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
        except _Refused as refused:
            return _error(str(refused))
        except (SetupError, BackendError) as error:
            return _error(_plain(str(error)))

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
        person = self._person(request.query.get("as"))
        channels = self.world.channels_of(person)
        wanted = request.query.get("in", "")
        ids = {str(channel.id) for channel in channels}
        current = int(wanted) if wanted in ids else channels[0].id
        backend = self.world.backend
        guild = backend.guilds[self.world.guild.id]
        return _answer(
            {
                "bot": {"id": str(backend.bot_user.id), "name": backend.bot_user.name},
                "guild": guild.name,
                "you": str(person.id),
                "people": [
                    {
                        "id": str(actor.id),
                        "name": name,
                        "owner": actor.id == guild.owner_id,
                        "pinged": str(self._last_ping(actor)),
                    }
                    for name, actor in self.world.people.items()
                ],
                "channels": [self._channel_row(channel, person) for channel in channels],
                "channel": str(current),
                "messages": self._messages(person, current),
                "names": {
                    "users": {
                        str(user.id): user.global_name or user.name
                        for user in backend.users.values()
                    },
                    "channels": {
                        str(channel.id): channel.name or "" for channel in backend.channels.values()
                    },
                    "roles": {str(role.id): role.name for role in guild.roles.values()},
                },
                "commands": self._commands_mark(),
            }
        )

    def _channel_row(self, channel: Channel, person: MemberActor) -> dict[str, Any]:
        last = max(
            (
                message.id
                for message in self.world.backend.messages.get(channel.id, {}).values()
                if message.visible_to(person.id)
            ),
            default=0,
        )
        direct = channel.guild_id is None
        return {
            "id": str(channel.id),
            "name": self.world.backend.bot_user.name if direct else channel.name,
            "kind": "direct" if direct else "thread" if channel.is_thread else "channel",
            "parent": str(channel.parent_id) if channel.is_thread else None,
            "last": str(last),
        }

    def _last_ping(self, person: MemberActor) -> int:
        """The newest message that called for that person, in whatever channel."""
        return max(
            (
                message.id
                for stored in self.world.backend.messages.values()
                for message in stored.values()
                if person.id in message.ping_user_ids and message.visible_to(person.id)
            ),
            default=0,
        )

    def _messages(self, person: MemberActor, channel_id: int) -> list[dict[str, Any]]:
        stored = self.world.backend.messages.get(channel_id, {})
        seen = [
            stored[key]
            for key in sorted(stored)
            if stored[key].visible_to(person.id) and key not in self._dismissed
        ]
        return [self._message_row(message, person) for message in seen[-_SHOWN:]]

    def _message_row(self, message: Message, person: MemberActor) -> dict[str, Any]:
        payload = cast(
            "dict[str, Any]",
            serializers.message_payload(self.world.backend, message, for_user=person.id),
        )
        author = payload["author"]
        metadata: Mapping[str, Any] = message.interaction_metadata or {}
        invoker = cast("Mapping[str, Any]", metadata.get("user") or {})
        return {
            "id": payload["id"],
            "author": {
                "id": author["id"],
                "name": author.get("global_name") or author["username"],
                "bot": bool(author.get("bot")),
            },
            "time": payload["timestamp"],
            "edited": payload["edited_timestamp"],
            "system": payload["type"] not in (0, 19, 20, 23),
            "content": payload["content"],
            "embeds": payload["embeds"],
            "attachments": payload["attachments"],
            "components": payload["components"],
            "reactions": payload["reactions"],
            "reply": payload.get("message_reference"),
            "command": metadata.get("name"),
            "by": invoker.get("global_name"),
            "private": message.is_ephemeral,
            "thinking": bool(message.flags & _LOADING),
            "pings": message.mention_everyone or person.id in message.ping_user_ids,
        }

    def _commands_mark(self) -> str:
        """Changes whenever the bot registers other commands."""
        return str(
            hash(
                tuple(
                    str(command["id"])
                    for scope in self.world.backend.commands.values()
                    for command in scope.values()
                )
            )
        )

    async def _commands(self, request: web.Request) -> web.Response:
        person = self._person(request.query.get("as"))
        channel_id = self._channel_id(request.query.get("in"), person)
        visible = self.world.backend.visible_commands(user_id=person.id, channel_id=channel_id)
        rows = [
            {
                "name": " ".join(path),
                "description": leaf.get("description") or "",
                "options": _options(leaf),
            }
            for command in visible
            for path, leaf in interactions.command_leaves(command)
        ]
        return _answer({"commands": rows})

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
        name = _text(body, "command")
        leaf = self._leaf(person, channel_id, name)
        declared = {str(option["name"]): option for option in _options(leaf)}
        focused = _text(body, "option")
        filled: dict[str, Any] = {}
        for key, raw in _mapping(body.get("filled")).items():
            if key == focused or key not in declared or raw in ("", None):
                continue
            try:
                filled[key] = self._option(name, declared[key], raw)
            except (SetupError, BackendError, _Refused):
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
            raise _Refused("The page asked for something this table cannot do.")
        result = await act(self.world.actor(person, channel_id), channel_id, body)
        self.world.changed()
        if not isinstance(result, InteractionResult):
            return _answer({})
        if not await _answered(result._interaction):
            name = self.world.backend.bot_user.name
            raise _Refused(f"{name} did not answer within three seconds.")
        modal = result.modal
        if modal is None:
            return _answer({})
        self._modals[result._interaction.id] = result
        while len(self._modals) > _OPEN_FORMS:
            self._modals.pop(next(iter(self._modals)))
        return _answer({"modal": modal, "shown": str(result._interaction.id)})

    async def _slash(self, actor: Any, channel_id: int, body: dict[str, Any]) -> Any:
        name = _text(body, "command")
        leaf = self._leaf(actor, channel_id, name)
        declared = {str(option["name"]): option for option in _options(leaf)}
        options: dict[str, Any] = {}
        for option in declared.values():
            if option.get("required") and option["name"] not in _mapping(body.get("options")):
                raise _Refused(f"/{name} needs “{option['name']}”.")
        for key, raw in _mapping(body.get("options")).items():
            if key not in declared:
                raise _Refused(f"/{name} has no option “{key}”.")
            options[key] = self._option(name, declared[key], raw)
        with self.world.invoking(name):
            if isinstance(actor, UserHandle):
                return await actor.slash(name, **options)
            return await actor.slash(self.world.channel(channel_id), name, **options)

    async def _click(self, actor: Any, channel_id: int, body: dict[str, Any]) -> Any:
        message = self._message(channel_id, body)
        return await actor.click(message, custom_id=_text(body, "custom_id"))

    async def _select(self, actor: Any, channel_id: int, body: dict[str, Any]) -> Any:
        message = self._message(channel_id, body)
        custom_id = _text(body, "custom_id")
        kind = next(
            (
                int(component["type"])
                for component in walk_components(message.components)
                if component.get("custom_id") == custom_id
            ),
            0,
        )
        values = [self._chosen(kind, value) for value in _sequence(body.get("values"))]
        return await actor.select(message, values, custom_id=custom_id)

    async def _modal(self, actor: Any, channel_id: int, body: dict[str, Any]) -> Any:
        shown = self._modals.get(_number(body, "shown"))
        if shown is None:
            raise _Refused("That form is no longer open. Press the button again.")
        kinds = {
            str(component["custom_id"]): int(component["type"])
            for component in walk_components((shown.modal or {}).get("components") or [])
            if component.get("custom_id")
        }
        values: dict[str, Any] = {}
        for key, raw in _mapping(body.get("values")).items():
            kind = kinds.get(key, 0)
            if kind == ComponentType.FILE_UPLOAD:
                values[key] = [_upload(item) for item in _sequence(raw)]
            elif isinstance(raw, list):
                values[key] = [self._chosen(kind, value) for value in cast("list[Any]", raw)]
            else:
                values[key] = raw
        result = await actor.submit_modal(shown, values)
        self._modals.pop(shown._interaction.id, None)
        return result

    async def _say(self, actor: Any, channel_id: int, body: dict[str, Any]) -> None:
        text = _text(body, "text").strip()
        if not 0 < len(text) <= 2000:
            raise _Refused("A message has between 1 and 2,000 characters.")
        if isinstance(actor, UserHandle):
            await actor.send_dm(text)
        else:
            await actor.send(self.world.channel(channel_id), text)

    async def _dismiss(self, actor: Any, channel_id: int, body: dict[str, Any]) -> None:
        message = self._message(channel_id, body)
        if message.ephemeral:
            self._dismissed.add(message.id)

    # -------------------------------------------------- from the wire inwards

    def _person(self, value: Any) -> MemberActor:
        people = list(self.world.people.values())
        return next((actor for actor in people if str(actor.id) == str(value)), people[0])

    def _channel_id(self, value: Any, person: MemberActor) -> int:
        text = str(value or "")
        if text.isascii() and text.isdecimal():
            channel_id = int(text)
            if channel_accessible(self.world.backend, channel_id, person.id):
                return channel_id
        raise _Refused("That channel is gone, or not open to you.")

    def _who_and_where(self, body: dict[str, Any]) -> tuple[MemberActor, int]:
        person = self._person(body.get("as"))
        return person, self._channel_id(body.get("in"), person)

    def _message(self, channel_id: int, body: dict[str, Any]) -> ResponseMessage:
        stored = self.world.backend.messages.get(channel_id, {}).get(_number(body, "message"))
        if stored is None:
            raise _Refused("That message is gone.")
        return ResponseMessage(self.world, stored)

    def _leaf(self, person: Any, channel_id: int, name: str) -> dict[str, Any]:
        visible = self.world.backend.visible_commands(user_id=person.id, channel_id=channel_id)
        for command in visible:
            for path, leaf in interactions.command_leaves(command):
                if " ".join(path) == name:
                    return leaf
        raise _Refused(f"There is no command /{name} here.")

    def _option(self, command: str, option: dict[str, Any], raw: Any) -> Any:
        """One option's value as simcord's actors take it."""
        kind = OptionType(int(option["type"]))
        if kind in _USERS or kind in (OptionType.CHANNEL, OptionType.ROLE):
            return self._entity(raw)
        if kind == OptionType.ATTACHMENT:
            return _upload(raw)
        if kind == OptionType.BOOLEAN and isinstance(raw, str):
            raw = raw.casefold() in ("true", "yes", "1")
        elif kind != OptionType.BOOLEAN:
            raw = str(raw)
        try:
            return interactions.parse_option_input(command, option, raw)
        except OptionError as error:
            raise _Refused(_option_fault(error, option)) from error

    def _chosen(self, kind: int, value: Any) -> Any:
        """One value of a select: a string, or whom or what the id names."""
        entity = kind in (
            ComponentType.USER_SELECT,
            ComponentType.ROLE_SELECT,
            ComponentType.MENTIONABLE_SELECT,
            ComponentType.CHANNEL_SELECT,
        )
        return self._entity(value) if entity else str(value)

    def _entity(self, value: Any) -> Any:
        """The person, channel or role with that id."""
        world = self.world
        for actor in world.people.values():
            if str(actor.id) == str(value):
                return actor
        identity = int(value) if str(value).isdecimal() else 0
        if identity == world.backend.bot_user.id:
            user = UserHandle(world, world.backend.bot_user)
            return MemberActor(world, world.guild, user)
        if identity in world.backend.channels:
            return world.channel(identity)
        role = world.backend.guilds[world.guild.id].roles.get(identity)
        if role is not None:
            return RoleHandle(world, world.guild, role)
        raise _Refused("Choose one of those in the list.")


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


def _plain(text: str) -> str:
    """simcord's message without its advice to test authors."""
    return text.split(" — ", maxsplit=1)[0].split("\n", maxsplit=1)[0].rstrip(".") + "."


def _option_fault(error: OptionError, option: dict[str, Any]) -> str:
    """What is wrong with an option's value, in the words of the person who typed it."""
    name = f"“{option['name']}”"
    kind = OptionType(int(option["type"]))
    least, most = option.get("min_value"), option.get("max_value")
    if error.code == "option-choice":
        return f"Choose one of those offered for {name}."
    if error.code == "option-length":
        least, most = option.get("min_length", 0), option.get("max_length", 6000)
        return f"{name} has between {least} and {most} characters."
    if error.code == "option-range" and least is not None and most is not None:
        return f"{name} is between {least:g} and {most:g}."
    if error.code == "option-range":
        return f"{name} is {f'at least {least:g}' if least is not None else f'at most {most:g}'}."
    if kind in (OptionType.INTEGER, OptionType.NUMBER):
        whole = "whole number" if kind == OptionType.INTEGER else "number, such as 2.5"
        return f"{name} is a {whole}."
    return _plain(str(error))


def _kind(url: str) -> str:
    kinds = {"png": "png", "jpg": "jpeg", "jpeg": "jpeg", "gif": "gif", "webp": "webp"}
    found = kinds.get(url.rsplit(".", 1)[-1].casefold())
    return f"image/{found}" if found else "application/octet-stream"


async def _body(request: web.Request) -> dict[str, Any]:
    try:
        body = await request.json()
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise _Refused("The page sent something that is not JSON.") from error
    return _mapping(body)


def _mapping(value: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _sequence(value: Any) -> Sequence[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else [value]


def _options(leaf: Mapping[str, Any]) -> list[dict[str, Any]]:
    return cast("list[dict[str, Any]]", leaf.get("options") or [])


def _text(body: dict[str, Any], key: str) -> str:
    value = body.get(key)
    if not isinstance(value, str) or not value:
        raise _Refused(f"The page sent no {key}.")
    return value


def _number(body: dict[str, Any], key: str) -> int:
    value = str(body.get(key) or "")
    if not (value.isascii() and value.isdecimal()):
        raise _Refused(f"The page sent no {key}.")
    return int(value)


def _upload(value: Any) -> tuple[str, bytes]:
    item = _mapping(value)
    try:
        return str(item["name"]), base64.b64decode(str(item["data"]), validate=True)
    except (KeyError, binascii.Error) as error:
        raise _Refused("That file could not be read.") from error
