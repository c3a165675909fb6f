"""Private messages that show something of a table without changing it."""

from __future__ import annotations

from collections.abc import Sequence

from bot import texts
from bot.layout import (
    AMBER,
    GREY,
    Attached,
    Image,
    Letter,
    Screen,
    card,
    download,
    gallery,
    link,
    message_url,
    rows,
    text,
)
from bot.panel import happened, headline
from bot.sessions import LogEntry
from bot.sessions.model import Table
from games.kernel.view import View

ROOM = 3600


def board_letter(table: Table, images: Sequence[Image], title: str = "") -> Letter:
    """The map, with the headline above it."""
    items = [text(title or headline(table)), *gallery(images)]
    if not images:
        items.append(
            text("The picture could not be drawn. `/table text` shows the board in words.")
        )
    return Letter(Screen(card(*items, colour=GREY if table.over else AMBER)), tuple(images))


def hand_letter(view: View, images: Sequence[Image] = ()) -> Letter:
    """One's own cards, in words and as a picture."""
    lines = [
        f"**{texts.plain(face.title)}{f' {face.badge}' if face.badge else ''}** · {face.text}"
        for face in view.hand
    ]
    told = texts.clip("\n".join(lines), ROOM) if lines else texts.NO_HAND
    return Letter(Screen(card(text(f"### Your hand\n{told}"), *gallery(images))), tuple(images))


def text_letter(board: str) -> Letter:
    """The board in words; what does not fit into a message is in a file beside it."""
    shown = f"```\n{texts.clip(board.replace('```', ''), ROOM)}\n```"
    if len(board) <= ROOM:
        return Letter(Screen(card(text(shown))))
    whole = Attached("board.txt", board.encode())
    return Letter(Screen(card(text(shown), download(whole.name))), (), (whole,))


def log_block(entry: LogEntry, seat: str | None) -> str:
    """One entry: its number, time and actor, then its lines."""
    lines = happened(entry.events, seat, most=20)
    who = texts.plain(entry.name) if entry.name else "The game"
    undone = " (taken back)" if entry.undone else ""
    head = f"**{entry.number}** · {who} · <t:{entry.time}:R>{undone}"
    if not lines and entry.kind == "act" and not entry.undone:
        return ""
    return texts.clip(f"{head}\n{lines}" if lines else head, 1200)


def opened_letter(table: Table, trouble: str = "") -> Letter:
    """What the one who opened a table reads; `trouble` is why its board is not posted yet."""
    title = texts.clip(table.view(None).title, 200)
    where = texts.place(table.channel_id, table.guild_id)
    lines = [f"Your table is open: **{title}**. Its board and its buttons are in {where}."]
    if table.lobby:
        lines.append("The game begins when every seat is taken and you press “Start” there.")
    if trouble:
        lines.append(trouble)
    items = [text("\n".join(lines))]
    if table.panel_message_id:
        url = message_url(table.guild_id, table.channel_id, table.panel_message_id)
        items += rows([link("Go to the board", url)])
    return Letter(Screen(card(*items)))
