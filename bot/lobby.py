"""The panel of a table whose game has not begun: who sits where, what will be played. Pure."""

from __future__ import annotations

from typing import Any

import discord
from discord import ui

from bot import texts
from bot.custom_ids import Press
from bot.layout import Item, Letter, Screen, Style, button, card, rows, text
from bot.offers import CHANGE, FIELD, HELP, JOIN, LEAVE, SET, START, mentioned
from bot.sessions.lobby import chosen_of
from bot.sessions.model import Table
from bot.sessions.opening import preview
from games.kernel.domain import Option
from games.kernel.event import seen_by
from games.kernel.game import SetupField
from games.kernel.illegal import Illegal

MENU = 25
MOST_MENUS = 4
LONGEST_BRIEFING = 1500


def headline(table: Table) -> str:
    """What will be played, who sits where, what is still needed."""
    title = texts.clip(table.view(None).title, 200)
    lines = [f"### {title}", f"-# {set_up(table)}", state_of(table), briefing(table), seats(table)]
    return "\n".join(line for line in lines if line)


def state_of(table: Table) -> str:
    """Who must do what for the game to begin."""
    free = [holder.title for holder in table.vacant()]
    if free:
        return (
            f"**Not begun yet: nobody plays {texts.listed(free)}.** Press a “Join” button to take a "
            "seat; several people can share one."
        )
    host = f"<@{table.host_id}>" if table.host_id else "The host"
    return f"**Every seat is taken.** {host} presses “Start” to begin the game."


def seats(table: Table) -> str:
    """The seats with their people, and the host."""
    lines = [f"- **{holder.title}**: {mentioned(holder)}" for holder in table.seats]
    host = f"<@{table.host_id}>" if table.host_id else "nobody: whoever takes a seat"
    return "\n".join([*lines, f"-# Host: {host}"])


def set_up(table: Table) -> str:
    """Mode and options as chosen."""
    chosen = chosen_of(table.setup)
    parts: list[str] = []
    for field in table.game.setup_fields():
        if field.name == "mission" or field.name not in chosen:
            continue
        label = label_of(field, chosen[field.name])
        parts.append(label if field.name == "mode" else f"{field.prompt}: {label}")
    return texts.clip(" · ".join(parts), 600)


def briefing(table: Table) -> str:
    """What the game itself says at its beginning: the mission and its objective."""
    events = preview(table.game, table.setup, table.id).events
    told = [event.text for event in seen_by(events, None) if event.text]
    return texts.clip("\n".join(told), LONGEST_BRIEFING)


def controls(table: Table) -> list[Item]:
    """Join for each seat; leave; and what only the host may press."""
    join = [
        _own(table, f"Join {holder.title}", JOIN, place, Style.primary)
        for place, holder in enumerate(table.seats)
    ]
    own = [
        _own(table, "Start", START, style=Style.success, disabled=bool(table.vacant())),
        _own(table, "Leave", LEAVE),
        _own(table, "Change…", CHANGE),
        _own(table, "Help", HELP),
    ]
    if table.setup.campaign:  # it says what is played
        del own[2]
    return [*rows(join[:20]), *rows(own)]


def _own(
    table: Table,
    label: str,
    verb: str,
    seat: int | None = None,
    style: Style = Style.secondary,
    *,
    disabled: bool = False,
) -> ui.Button[Any]:
    press = str(Press(table.id, table.version, verb, seat))
    return button(label, press, style, disabled=disabled)


# --- what the host changes, in a private message


def changeable(table: Table) -> list[tuple[SetupField, tuple[Option, ...]]]:
    """The fields of the set-up that have a choice in the present mode, with the values possible."""
    chosen = chosen_of(table.setup)
    base = {name: chosen[name] for name in ("mission", "mode")}
    found: list[tuple[SetupField, tuple[Option, ...]]] = []
    for field in table.game.setup_fields():
        options = tuple(o for o in field.options if _possible(table, base, field.name, o.value))
        if len(options) > 1:
            found.append((field, options))
    return found


def _possible(table: Table, base: dict[str, str], name: str, value: str) -> bool:
    try:
        table.game.read_setup({**base, name: value})
    except Illegal:
        return False
    return True


def change_letter(table: Table, lead: str = "") -> Letter:
    """The menu of what can be changed."""
    chosen = chosen_of(table.setup)
    options = [
        discord.SelectOption(
            label=texts.clip(field.prompt, 100),
            value=field.name,
            description=texts.clip(label_of(field, chosen.get(field.name, field.preset)), 100),
        )
        for field, _ in changeable(table)[:MENU]
    ]
    told = f"{lead}\n" if lead else ""
    menu = ui.Select[Any](
        custom_id=str(Press(table.id, table.version, FIELD)),
        placeholder="What do you want to change?",
        options=options,
    )
    items: list[Item] = [text(f"{told}**Change the game**"), ui.ActionRow(menu)]
    return Letter(Screen(card(*items)))


def field_letter(table: Table, name: str) -> Letter:
    """The menu of one field's values; back to all fields when there is no such field now."""
    fields = {field.name: (field, options) for field, options in changeable(table)}
    if name not in fields:
        return change_letter(table)
    field, options = fields[name]
    place = [one.name for one in table.game.setup_fields()].index(name)
    now = chosen_of(table.setup).get(name, field.preset)
    items: list[Item] = [text(f"**{texts.clip(field.prompt, 200)}**")]
    for number, start in enumerate(range(0, min(len(options), MENU * MOST_MENUS), MENU)):
        verb = SET if number == 0 else f"{SET}{number}"
        menu = ui.Select[Any](
            custom_id=str(Press(table.id, table.version, verb, place)),
            placeholder=texts.clip(f"Now: {label_of(field, now)}", 150),
            options=[
                discord.SelectOption(
                    label=texts.clip(option.label, 100),
                    value=option.value,
                    description=texts.clip(option.note, 100) or None,
                )
                for option in options[start : start + MENU]
            ],
        )
        items.append(ui.ActionRow(menu))
    items += rows([button("Back", str(Press(table.id, table.version, CHANGE)))])
    return Letter(Screen(card(*items)))


def label_of(field: SetupField, value: str) -> str:
    """A value as players read it."""
    return next((option.label for option in field.options if option.value == value), value)
