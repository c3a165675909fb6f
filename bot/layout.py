"""Messages made of Discord's layout components, and the limits they must keep.

A `Letter` is a whole message, ready to be sent any number of times: a screen and its pictures.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import discord
from discord import ui

from bot import texts

MOST_IN_ROW = 5
LONGEST_LABEL = 80
LONGEST_ALT = 1024
LEAST_TEXT = 300
"""Characters that every paragraph of a message keeps when they do not all fit."""

AMBER = discord.Colour(0xE0A526)
GREY = discord.Colour(0x7D838C)
RED = discord.Colour(0xC8453B)

Style = discord.ButtonStyle
Row = ui.ActionRow[Any]
Item = ui.Item[Any]


class Screen(ui.LayoutView):
    """A layout whose controls are all stateless: discord.py must neither keep nor time it.

    It is stopped from the start, so no view is stored, no timer runs, and presses reach the
    dynamic items of `bot.buttons` by their ids alone, before and after a restart.
    """

    def __init__(self, *items: Item) -> None:
        super().__init__(timeout=None)
        for item in items:
            self.add_item(item)
        _fit([item for item in self.walk_children() if isinstance(item, ui.TextDisplay)])
        self.stop()


@dataclass(frozen=True)
class Image:
    """A picture of a message: its file name, its PNG, its description for those who cannot see."""

    name: str
    png: bytes
    alt: str


@dataclass(frozen=True)
class Attached:
    """A file of a message that is no picture."""

    name: str
    content: bytes


@dataclass(frozen=True)
class Letter:
    """A message ready to send; `aside` is what goes with a public one to whoever acted, alone."""

    screen: Screen
    images: tuple[Image, ...] = ()
    attached: tuple[Attached, ...] = ()
    aside: Letter | None = None

    def files(self) -> list[discord.File]:
        """The pictures and other files as new uploads, for one request."""
        pictures = [
            discord.File(io.BytesIO(image.png), image.name, description=image.alt[:LONGEST_ALT])
            for image in self.images
        ]
        return pictures + [discord.File(io.BytesIO(a.content), a.name) for a in self.attached]

    def in_words(self) -> Letter:
        """The same without its pictures, for where they cannot be posted."""
        boxes = [self.screen, *(i for i in self.screen.children if isinstance(i, ui.Container))]
        for box in boxes:
            for item in [one for one in box.children if isinstance(one, ui.MediaGallery)]:
                box.remove_item(item)
        boxes[-1].add_item(text(texts.NO_PICTURE))
        _fit([item for item in self.screen.walk_children() if isinstance(item, ui.TextDisplay)])
        return replace(self, images=())


def text(content: str) -> ui.TextDisplay[Any]:
    """A paragraph."""
    content = content.replace(f"<@{texts.GONE}>", texts.GONE_NAME)
    return ui.TextDisplay(texts.clip(content, texts.MOST_TEXT) or "…")


def _fit(paragraphs: Sequence[ui.TextDisplay[Any]]) -> None:
    """Shorten the longest paragraphs until all of them together fit into one message."""
    while (over := sum(len(one.content) for one in paragraphs) - texts.MOST_TEXT) > 0:
        longest = max(paragraphs, key=lambda one: len(one.content))
        room = max(LEAST_TEXT, len(longest.content) - over)
        if room >= len(longest.content):
            return  # so many paragraphs are not ours
        longest.content = texts.cut(longest.content, room)


def gallery(images: Iterable[Image]) -> list[Item]:
    """The pictures, each in a gallery of its own: side by side they are too small on a phone."""
    return [
        ui.MediaGallery(
            discord.MediaGalleryItem(
                f"attachment://{image.name}", description=texts.clip(image.alt, LONGEST_ALT) or None
            )
        )
        for image in images
    ]


def button(
    label: str, custom_id: str, style: Style = Style.secondary, *, disabled: bool = False
) -> ui.Button[Any]:
    """A button that `bot.buttons` understands by its id."""
    shown = texts.clip(label, LONGEST_LABEL)
    return ui.Button(label=shown, custom_id=custom_id, style=style, disabled=disabled)


def link(label: str, url: str) -> ui.Button[Any]:
    """A button that leads to a message."""
    return ui.Button(label=label, url=url)


def rows(buttons: Sequence[ui.Button[Any]]) -> list[Item]:
    """Buttons in as few rows as hold them."""
    return [
        ui.ActionRow(*buttons[start : start + MOST_IN_ROW])
        for start in range(0, len(buttons), MOST_IN_ROW)
    ]


def download(name: str) -> ui.File[Any]:
    """A file of the message, for its reader to download."""
    return ui.File(f"attachment://{name}")


def card(*items: Item, colour: discord.Colour = AMBER) -> ui.Container[Any]:
    """A box with a coloured edge."""
    return ui.Container(*items, accent_colour=colour)


def note(content: str, *buttons: ui.Button[Any], colour: discord.Colour = AMBER) -> Letter:
    """A short message: a text, perhaps with buttons."""
    return Letter(Screen(card(text(content), *rows(buttons), colour=colour)))


def message_url(guild_id: int | None, channel_id: int, message_id: int) -> str:
    """The address of a message."""
    return f"https://discord.com/channels/{guild_id or '@me'}/{channel_id}/{message_id}"
