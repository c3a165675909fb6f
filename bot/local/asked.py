"""What one person asks for: from the page's JSON to what simcord's actors take."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping, Sequence
from typing import Any, cast

from simcord import interactions
from simcord.actors import MemberActor
from simcord.backend.access import channel_accessible
from simcord.backend.errors import OptionError
from simcord.builders import RoleHandle, UserHandle
from simcord.enums import ComponentType, OptionType
from simcord.results import ResponseMessage

from .world import World

__all__ = [
    "Refused",
    "chosen",
    "declared",
    "mapping",
    "message",
    "number",
    "option_value",
    "plain",
    "sequence",
    "text",
    "upload",
    "where",
    "who",
]

_ENTITIES = (
    OptionType.USER,
    OptionType.MENTIONABLE,
    OptionType.CHANNEL,
    OptionType.ROLE,
)
_ENTITY_SELECTS = (
    ComponentType.USER_SELECT,
    ComponentType.ROLE_SELECT,
    ComponentType.MENTIONABLE_SELECT,
    ComponentType.CHANNEL_SELECT,
)


class Refused(Exception):
    """Something that cannot be done, with the sentence for the person who tried."""


def who(world: World, value: Any) -> MemberActor:
    """The person with that id; the first one if there is none."""
    people = list(world.people.values())
    return next((actor for actor in people if str(actor.id) == str(value)), people[0])


def where(world: World, value: Any, person: MemberActor) -> int:
    """The id of a channel that is open to that person."""
    written = str(value or "")
    if written.isascii() and written.isdecimal():
        channel_id = int(written)
        if channel_accessible(world.backend, channel_id, person.id):
            return channel_id
    raise Refused("That channel is gone, or not open to you.")


def message(world: World, channel_id: int, body: Mapping[str, Any]) -> ResponseMessage:
    """The message that ``body`` names."""
    stored = world.backend.messages.get(channel_id, {}).get(number(body, "message"))
    if stored is None:
        raise Refused("That message is gone.")
    return ResponseMessage(world, stored)


def declared(world: World, person_id: int, channel_id: int, name: str) -> dict[str, dict[str, Any]]:
    """The options of the command with that whole name, by their names."""
    for command in world.backend.visible_commands(user_id=person_id, channel_id=channel_id):
        for path, leaf in interactions.command_leaves(command):
            if " ".join(path) == name:
                options = cast("list[dict[str, Any]]", leaf.get("options") or [])
                return {str(option["name"]): option for option in options}
    raise Refused(f"There is no command /{name} here.")


def option_value(world: World, command: str, option: dict[str, Any], raw: Any) -> Any:
    """One option's value as simcord's actors take it."""
    kind = OptionType(int(option["type"]))
    if kind in _ENTITIES:
        return entity(world, raw)
    if kind == OptionType.ATTACHMENT:
        return upload(raw)
    if kind == OptionType.BOOLEAN and isinstance(raw, str):
        raw = raw.casefold() in ("true", "yes", "1")
    elif kind != OptionType.BOOLEAN:
        raw = str(raw)
    try:
        return interactions.parse_option_input(command, option, raw)
    except OptionError as error:
        raise Refused(option_fault(error, option)) from error


def chosen(world: World, kind: int, value: Any) -> Any:
    """One value of a select: a string, or whom or what the id names."""
    return entity(world, value) if kind in _ENTITY_SELECTS else str(value)


def entity(world: World, value: Any) -> Any:
    """The person, channel or role with that id."""
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
    raise Refused("Choose one of those in the list.")


def plain(text: str) -> str:
    """simcord's message without its advice to test authors."""
    return text.split(" — ", maxsplit=1)[0].split("\n", maxsplit=1)[0].rstrip(".") + "."


def option_fault(error: OptionError, option: dict[str, Any]) -> str:
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
    return plain(str(error))


def mapping(value: Any) -> dict[str, Any]:
    """A JSON object, or an empty one in place of anything else."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def sequence(value: Any) -> Sequence[Any]:
    """A JSON list, or a list of the one value."""
    return cast("list[Any]", value) if isinstance(value, list) else [value]


def text(body: Mapping[str, Any], key: str) -> str:
    """A string that must be there."""
    value = body.get(key)
    if not isinstance(value, str) or not value:
        raise Refused(f"The page sent no {key}.")
    return value


def number(body: Mapping[str, Any], key: str) -> int:
    """An id that must be there, written as a string."""
    value = str(body.get(key) or "")
    if not (value.isascii() and value.isdecimal()):
        raise Refused(f"The page sent no {key}.")
    return int(value)


def upload(value: Any) -> tuple[str, bytes]:
    """A file: its name and its bytes."""
    item = mapping(value)
    try:
        return str(item["name"]), base64.b64decode(str(item["data"]), validate=True)
    except (KeyError, binascii.Error) as error:
        raise Refused("That file could not be read.") from error
