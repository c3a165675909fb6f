"""Messages about decks: what everybody sees is made from `Seen` alone, hands only for their holders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import discord

from bot import texts
from bot.custom_ids import Press
from bot.layout import (
    GREY,
    RED,
    Attached,
    Image,
    Item,
    Letter,
    Screen,
    Style,
    button,
    card,
    download,
    gallery,
    note,
    rows,
    text,
)
from bot.parlour.decks_model import Happened, Standing, counted, named
from games.kernel.view import CardFace
from games.parlour.deck import Seen, seen

DECK = ".deck_"
"""What the verbs of all these buttons begin with; the deck stands in the place of the session."""
DRAW, TAKE, CLEAR, SHUFFLE, HAND, PLAY, TOSS, REMOVED = (
    f"{DECK}{name}"
    for name in ("draw", "take", "clear", "shuffle", "hand", "play", "toss", "removed")
)

FITS = 80
"""Characters of a card’s text that its picture has room for."""

MOST_LONG = 5
"""Long texts that a message repeats in words."""

MOST_CHOICES = 25
"""Kinds of card in a menu; the others are played by command."""

MENU_CUT = (
    f"-# The menus hold the first {MOST_CHOICES} kinds; `/deck play` and `/deck discard` take all."
)

MOST_LISTED = 60
"""Kinds of card that a private text names."""

NO_PICTURE = "-# I may not attach files here, so there is no picture."
SEALED = (
    "-# The dice and cards of this channel come from keys that are sealed: `{seal}`. `/deck proof` "
    "proves draws, `/help topic:deck` explains it."
)
REALLY = (
    "Remove the deck **{deck}** with all its cards, {hands}? It cannot be brought back, and its draws "
    "cannot be proved any more."
)
EMPTY_HAND = "You hold no card of **{deck}**. “To my hand” takes one."
NO_DECKS = (
    "There is no deck in this channel. `/deck new` makes one: the standard 52, a game's cards, or a list "
    "of your own."
)
PROOF = (
    "### The draws of {deck}\n"
    "Every draw with the key it was made from, and the way from the key to the channel's seal. To check, "
    "with nothing but Python: save the file, fetch Fieldpost's source, and run\n"
    "`python -m games.kernel.verify {name}`\n"
    "It says OK for every draw, or what is wrong. Draws made while somebody held a hand or knew a card of "
    "the pile are only counted (`sealed`), because their places would tell something of hands; they are "
    "shown after all cards, hands too, are shuffled together."
)


def public_letter(
    happened: Happened, images: tuple[Image, ...] = (), aside: Letter | None = None, lead: str = ""
) -> Letter:
    """What was done, for everybody, with the buttons for what is done next."""
    now = happened.standing
    shown = seen(now.deck)
    lines = [happened.line, *_long(now, happened.shown), lead, footer(now, shown)]
    if happened.seal:
        lines.append(SEALED.format(seal=happened.seal))
    told = text("\n".join(line for line in lines if line))
    return Letter(
        Screen(card(told, *gallery(images), *rows(buttons(now, shown)))), images, aside=aside
    )


def show_letter(now: Standing, told: Sequence[str], images: tuple[Image, ...] = ()) -> Letter:
    """How a deck stands, and what was done with it last."""
    shown = seen(now.deck)
    origin = "" if now.source == now.name else f"{texts.plain(now.source)}. "
    lines = [f"### {now.title}", f"{origin}{footer(now, shown, small=False)}"]
    if shown.table:
        lines.append(f"On the table: {named(shown.table, now.kinds, 20)}.")
    if shown.discard:
        top = texts.plain(now.kinds[shown.discard[-1]].title)
        lines.append(f"On top of the discard pile: {top}.")
    lines += [f"-# {texts.clip(line, 300)}" for line in told]
    items = [text("\n".join(lines)), *gallery(images), *rows(buttons(now, shown))]
    return Letter(Screen(card(*items, colour=GREY)), images)


def hand_letter(now: Standing, user_id: int, images: tuple[Image, ...] = ()) -> Letter:
    """What somebody holds: for that person alone."""
    hand = now.hand(user_id)
    if not hand:
        take = button("To my hand", _press(now, TAKE), disabled=not now.deck.piles.left)
        return note(EMPTY_HAND.format(deck=now.title), take, colour=GREY)
    head = f"You hold {counted(len(hand))} of **{now.title}**: "
    lines = [f"{head}{named(hand, now.kinds, MOST_LISTED)}.", *_long(now, hand)]
    if len(set(hand)) > MOST_CHOICES:
        lines.append(MENU_CUT)
    told = text("\n".join(lines))
    menus = [_menu(now, hand, PLAY, "Play …"), _menu(now, hand, TOSS, "Discard …")]
    return Letter(Screen(card(told, *gallery(images), *menus, colour=GREY)), images)


def peek_letter(now: Standing, cards: Sequence[str], images: tuple[Image, ...] = ()) -> Letter:
    """The next cards of the pile: for the one who looked at them."""
    titles = [texts.plain(now.kinds[one].title) for one in cards]
    many = "The next card" if len(cards) == 1 else f"The next {len(cards)} cards"
    order = "" if len(cards) == 1 else ", the first one on top"
    lines = [f"{many} of **{now.title}**{order}: {', '.join(titles)}.", *_long(now, cards)]
    told = text("\n".join([*lines, "-# Only you see this."]))
    return Letter(Screen(card(told, *gallery(images), colour=GREY)), images)


def list_letter(found: Sequence[Standing]) -> Letter:
    """The decks of a channel."""
    if not found:
        return note(NO_DECKS, colour=GREY)
    lines: list[str] = []
    for now in found:
        origin = "" if now.source == now.name else f" · {texts.plain(now.source)}"
        # No bracket after what people wrote: it would close a link that they left open.
        lines.append(f"- **{now.title}**{origin} · {footer(now, seen(now.deck), small=False)}")
    return note("\n".join(["### Decks of this channel", *lines]), colour=GREY)


def removal_letter(now: Standing) -> Letter:
    """Asks whether a deck is really to be removed."""
    hands = len(seen(now.deck).hands)
    held = "none of them in a hand" if not hands else "also those in " + _people(hands)
    yes = button("Remove it", _press(now, REMOVED), Style.danger)
    return note(REALLY.format(deck=now.title, hands=held), yes, colour=RED)


def proof_letter(now: Standing, raw: bytes) -> Letter:
    """The file of a proof."""
    name = f"fieldpost-deck-{now.id}.json"
    told = text(PROOF.format(deck=now.title, name=name))
    return Letter(Screen(card(told, download(name), colour=GREY)), (), (Attached(name, raw),))


def footer(now: Standing, shown: Seen, *, small: bool = True) -> str:
    """Where the cards are, in numbers."""
    parts = [f"{shown.left} in the pile"]
    if shown.table:
        parts.append(f"{len(shown.table)} on the table")
    if shown.discard:
        parts.append(f"{len(shown.discard)} discarded")
    told = ", ".join(parts)
    if shown.hands:
        held = [f"{texts.plain(now.names[user])} {number}" for user, number in shown.hands[:12]]
        more = len(shown.hands) - len(held)
        told += f"; hands: {', '.join(held)}" + (f" and {more} others" if more else "")
    return f"-# {now.title}: {told}." if small else f"{told[0].upper()}{told[1:]}."


def buttons(now: Standing, shown: Seen) -> list[discord.ui.Button[Any]]:
    """What anybody may do next."""
    return [
        button("Draw one", _press(now, DRAW), Style.primary, disabled=not shown.left),
        button("To my hand", _press(now, TAKE), disabled=not shown.left),
        button("My hand", _press(now, HAND)),
        button("Discard the table", _press(now, CLEAR), disabled=not shown.table),
        button("Shuffle discards in", _press(now, SHUFFLE), disabled=not shown.discard),
    ]


def faces(cards: Sequence[str], now: Standing, *, grouped: bool = False) -> list[CardFace]:
    """The faces of cards; `grouped` puts equal ones together with their number."""
    if not grouped:
        return [_face(now, one) for one in cards]
    return [_face(now, one, f"×{n}" if n > 1 else "") for one, n in Counter(cards).items()]


def _long(now: Standing, cards: Sequence[str]) -> list[str]:
    """The texts that a picture cuts off, of the first few cards that have such."""
    kinds = [now.kinds[one] for one in dict.fromkeys(cards) if len(now.kinds[one].text) > FITS]
    return [
        f"-# **{texts.plain(one.title)}:** {texts.plain(one.text)}" for one in kinds[:MOST_LONG]
    ]


def _menu(now: Standing, hand: Sequence[str], verb: str, prompt: str) -> Item:
    """A menu of a hand's cards, any number of which may be chosen, one of each kind."""
    options = [
        discord.SelectOption(
            label=texts.clip(now.kinds[one].title, 100),
            value=one,
            description=texts.clip(now.kinds[one].text, 100) or None,
        )
        for one in list(dict.fromkeys(hand))[:MOST_CHOICES]
    ]
    menu = discord.ui.Select[Any](
        custom_id=_press(now, verb), placeholder=prompt, options=options, max_values=len(options)
    )
    return discord.ui.ActionRow(menu)


def _face(now: Standing, one: str, badge: str = "") -> CardFace:
    kind = now.kinds[one]
    return CardFace(kind.id, kind.title, kind.text, badge)


def _people(number: int) -> str:
    return "one hand" if number == 1 else f"{number} hands"


def _press(now: Standing, verb: str) -> str:
    return str(Press(now.id, now.version, verb))
