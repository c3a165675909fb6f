"""What one person sees: the world as JSON for the page. Ids are strings, as on Discord."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, cast

from simcord.actors import MemberActor
from simcord.backend import serializers
from simcord.backend.models import Channel, Message
from simcord.interactions import command_leaves

from .world import World

__all__ = ["commands", "state"]

_LOADING = 1 << 7  # message flag: the bot "is thinking"
_SHOWN = 80  # newest messages per channel


def state(
    world: World, person: MemberActor, wanted: str, dismissed: Collection[int]
) -> dict[str, Any]:
    """Everything the page shows to one person who has the channel ``wanted`` open.

    A channel that is gone, or not open to that person, gives way to the first one.
    """
    channels = world.channels_of(person)
    ids = {str(channel.id) for channel in channels}
    current = int(wanted) if wanted in ids else channels[0].id
    backend = world.backend
    guild = backend.guilds[world.guild.id]
    return {
        "bot": {"id": str(backend.bot_user.id), "name": backend.bot_user.name},
        "guild": guild.name,
        "you": str(person.id),
        "people": [
            {
                "id": str(actor.id),
                "name": name,
                "owner": actor.id == guild.owner_id,
                "pinged": str(_last_ping(world, actor)),
            }
            for name, actor in world.people.items()
        ],
        "channels": [_channel_row(world, channel, person) for channel in channels],
        "channel": str(current),
        "messages": _messages(world, person, current, dismissed),
        "names": {
            "users": {
                str(user.id): user.global_name or user.name for user in backend.users.values()
            },
            "channels": {
                str(channel.id): channel.name or "" for channel in backend.channels.values()
            },
            "roles": {str(role.id): role.name for role in guild.roles.values()},
        },
        "commands": _commands_mark(world),
    }


def commands(world: World, person: MemberActor, channel_id: int) -> list[dict[str, Any]]:
    """The slash commands that person can run there, one row for each subcommand."""
    visible = world.backend.visible_commands(user_id=person.id, channel_id=channel_id)
    return [
        {
            "name": " ".join(path),
            "description": leaf.get("description") or "",
            "options": leaf.get("options") or [],
        }
        for command in visible
        for path, leaf in command_leaves(command)
    ]


def _channel_row(world: World, channel: Channel, person: MemberActor) -> dict[str, Any]:
    last = max(
        (
            message.id
            for message in world.backend.messages.get(channel.id, {}).values()
            if message.visible_to(person.id)
        ),
        default=0,
    )
    direct = channel.guild_id is None
    return {
        "id": str(channel.id),
        "name": world.backend.bot_user.name if direct else channel.name,
        "kind": "direct" if direct else "thread" if channel.is_thread else "channel",
        "parent": str(channel.parent_id) if channel.is_thread else None,
        "last": str(last),
    }


def _last_ping(world: World, person: MemberActor) -> int:
    """The newest message that called for that person, in whatever channel."""
    return max(
        (
            message.id
            for stored in world.backend.messages.values()
            for message in stored.values()
            if person.id in message.ping_user_ids and message.visible_to(person.id)
        ),
        default=0,
    )


def _messages(
    world: World, person: MemberActor, channel_id: int, dismissed: Collection[int]
) -> list[dict[str, Any]]:
    stored = world.backend.messages.get(channel_id, {})
    seen = [
        stored[key]
        for key in sorted(stored)
        if stored[key].visible_to(person.id) and key not in dismissed
    ]
    return [_message_row(world, message, person) for message in seen[-_SHOWN:]]


def _message_row(world: World, message: Message, person: MemberActor) -> dict[str, Any]:
    payload = cast(
        "dict[str, Any]",
        serializers.message_payload(world.backend, message, for_user=person.id),
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


def _commands_mark(world: World) -> str:
    """Changes whenever the bot registers other commands."""
    return str(
        hash(
            tuple(
                str(command["id"])
                for scope in world.backend.commands.values()
                for command in scope.values()
            )
        )
    )
