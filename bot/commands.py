"""Slash commands of a game, made from what it declares: the same factory for all games.

`/<game> new` opens a table, `/<game> <verb>` acts. Discord holds 25 commands on a level, so a game
with more verbs has some one level down: `/<game> <group> <verb>`, by `Verb.group`.
"""

from __future__ import annotations

import inspect
import keyword
import re
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import discord
from discord import app_commands
from discord.app_commands import Choice

from bot import texts
from bot.suggesting import OPEN, matching, name_of
from games.kernel.domain import Option
from games.kernel.game import Game, SetupField, Verb

if TYPE_CHECKING:
    from bot.client import FieldpostBot

Interaction: TypeAlias = "discord.Interaction[FieldpostBot]"
AnyCommand: TypeAlias = app_commands.Command[Any, ..., Any]
Suggestions: TypeAlias = "Callable[[Interaction, str], Coroutine[Any, Any, list[Choice[str]]]]"
Parameter: TypeAlias = tuple[str, str]
"""Name and description of a text option."""

MOST_ON_LEVEL = 25
LONGEST_DESCRIPTION = 100
OVERFLOW = "more"
_NAME = re.compile(r"^[a-z0-9_-]{1,32}$")

# Where the bot may be installed (servers, users) is set in Discord's developer portal.
CONTEXTS = app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=False)


def game_commands(game: Game[Any]) -> app_commands.Group:
    """The command group of a game. Raises `ValueError` when its verbs do not fit into Discord."""
    top = app_commands.Group(
        name=command_name(game.slug),
        description=described(f"Play {game.title}"),
        allowed_contexts=CONTEXTS,
    )
    top.add_command(_new(game))
    groups: dict[str, app_commands.Group] = {}
    for verb, group in placed(list(game.verbs.values())):
        if not group:
            top.add_command(_act(game, verb))
            continue
        if group not in groups:
            groups[group] = app_commands.Group(
                name=command_name(group),
                description=described(f"{game.title}: {group.replace('_', ' ')}"),
                parent=top,
            )
        groups[group].add_command(_act(game, verb))
    return top


def placed(verbs: Sequence[Verb[Any]]) -> list[tuple[Verb[Any], str]]:
    """Each verb with the group its command goes to (empty: none).

    While all fit beside `new`, none has one. Then those that name a group go there; if that does not
    make enough room, the last of the others that are not main go to a group called “more”.
    """
    if len(verbs) < MOST_ON_LEVEL:
        return [(verb, "") for verb in verbs]
    groups = {verb.group for verb in verbs if verb.group}
    loose = [verb for verb in verbs if not verb.group]
    over = 1 + len(loose) + len(groups) - MOST_ON_LEVEL
    moved: set[str] = set()
    if over > 0:
        over += OVERFLOW not in groups
        spare = [verb.name for verb in reversed(loose) if not verb.main]
        moved = set(spare[:over])
    return [(verb, OVERFLOW if verb.name in moved else verb.group) for verb in verbs]


def command_path(game: Game[Any], verb: Verb[Any]) -> str:
    """A verb's command as players type it: `/boots insurgents move`."""
    group = next((group for one, group in placed(list(game.verbs.values())) if one is verb), "")
    words = [game.slug, group, verb.command or verb.name]
    return "/" + " ".join(command_name(word) for word in words if word)


def command_name(name: str) -> str:
    """A name as Discord takes it for a command. Raises `ValueError`."""
    shown = name.lower().replace("_", "-").replace(" ", "-")
    if not _NAME.match(shown):
        raise ValueError(f"“{name}” cannot be a command: 1 to 32 letters, digits, - or _.")
    return shown


def option_name(name: str) -> str:
    """A slot's name as Discord takes it for an option. Raises `ValueError`."""
    if not _NAME.match(name) or "-" in name:
        raise ValueError(f"“{name}” cannot be an option: 1 to 32 small letters, digits or _.")
    return name


def described(text: str) -> str:
    """A description as Discord takes it: one line of 1 to 100 characters."""
    return texts.clip(" ".join(text.split()), LONGEST_DESCRIPTION) or "…"


def _act(game: Game[Any], verb: Verb[Any]) -> AnyCommand:
    """The command of a verb: an option for each slot, none of them required."""

    async def callback(interaction: Interaction, **typed: str | None) -> None:
        named = {name.rstrip("_"): value for name, value in typed.items()}
        given = {name: value for name, value in named.items() if value and value != OPEN}
        await interaction.client.turns.command(interaction, game.slug, verb.name, given)

    options = [(option_name(slot.name), slot.prompt) for slot in verb.slots]
    command = _command(command_name(verb.command or verb.name), verb.summary, options, callback)
    for slot in verb.slots:
        command.autocomplete(_parameter(slot.name))(
            _slot_suggestions(game.slug, verb.name, slot.name)
        )
    return command


def _slot_suggestions(slug: str, verb: str, slot: str) -> Suggestions:
    async def suggestions(interaction: Interaction, current: str) -> list[Choice[str]]:
        typed = {name: str(value) for name, value in interaction.namespace if value}
        pairs = await interaction.client.turns.suggest(
            interaction, slug, verb, slot, typed, current
        )
        return [Choice(name=label, value=value) for label, value in pairs]

    return suggestions


def _new(game: Game[Any]) -> AnyCommand:
    """The command that opens a table: an option for each field of the set-up."""
    fields = list(game.setup_fields())[: MOST_ON_LEVEL - 1]

    async def callback(interaction: Interaction, thread: bool = False, **typed: str | None) -> None:
        chosen = {name: value for name, value in typed.items() if value}
        await interaction.client.around.open(
            interaction, game.slug, read_fields(fields, chosen), thread=thread
        )

    options = [(option_name(field.name), field.prompt) for field in fields]
    told = f"Open a game of {game.title} in this channel"
    command = _command("new", told, options, callback, {"thread": "In a thread of its own?"})
    for field in fields:
        command.autocomplete(field.name)(_field_suggestions(field))
    return command


def read_fields(fields: Sequence[SetupField], typed: dict[str, str]) -> dict[str, str]:
    """Typed fields as values, by value or label in any case; unknown ones as they stand."""
    chosen: dict[str, str] = {}
    for field in fields:
        if field.name not in typed:
            continue
        wanted = typed[field.name].strip()
        match = next((o for o in field.options if _means(o, wanted)), None)
        chosen[field.name] = match.value if match else texts.quoted(wanted)
    return chosen


def _means(option: Option, typed: str) -> bool:
    return typed.casefold() in (option.value.casefold(), option.label.casefold())


def _field_suggestions(
    field: SetupField,
) -> Suggestions:
    async def suggestions(interaction: Interaction, current: str) -> list[Choice[str]]:
        found = matching(field.options, current)[:MOST_ON_LEVEL]
        return [Choice(name=name_of(option), value=option.value) for option in found]

    return suggestions


def _command(
    name: str,
    description: str,
    options: Sequence[Parameter],
    callback: Callable[..., Coroutine[Any, Any, None]],
    switches: Mapping[str, str] | None = None,
) -> AnyCommand:
    """A command whose options are text, or yes or no (`switches`), and none required.

    discord.py reads a command's options from its callback's signature, so one is made for it.
    """
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters = [inspect.Parameter("interaction", kind, annotation=discord.Interaction)]
    parameters += [
        inspect.Parameter(_parameter(option), kind, annotation=str | None, default=None)
        for option, _ in options
    ]
    parameters += [
        inspect.Parameter(switch, kind, annotation=bool, default=False) for switch in switches or {}
    ]
    cast("Any", callback).__signature__ = inspect.Signature(parameters)
    told = {**dict(options), **(switches or {})}
    made: Any = callback
    if told:
        texts_by_name = {_parameter(option): described(text) for option, text in told.items()}
        made = app_commands.describe(**texts_by_name)(made)
    reserved = {_parameter(option): option for option in told if _parameter(option) != option}
    if reserved:
        made = app_commands.rename(**reserved)(made)
    return app_commands.Command(name=name, description=described(description), callback=made)


def _parameter(option: str) -> str:
    """A parameter's name for an option: some options (`with`) are words of Python's own."""
    return f"{option}_" if keyword.iskeyword(option) else option
