"""Decks of a channel as they are kept: rows, what was told of each step, and the cards people mean."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
from sqlalchemy import Row as SqlRow

from bot import texts
from bot.refusals import Refused
from games.kernel.cards import RANKS, SUITS, CardKind
from games.kernel.entropy import Result
from games.parlour.deck import Deck, Piles, in_order
from games.parlour.deck_file import cleaned, folded

LONGEST_NAME = 32
MOST_NAMED = 10
"""Cards that a sentence names; the others are counted."""

ALL = "all"
"""Typed in place of a card: every card that is there."""

NOT_IN_HAND = "“{typed}” is not in your hand. `/deck hand` shows what you hold."
NOT_ON_TABLE = "“{typed}” does not lie on the table. `/deck show` shows what does."
NO_HAND = "You hold no card of **{deck}**. `/deck draw to:My hand` takes one."
NO_TABLE = "No card of **{deck}** lies on the table."
UNNAMED = "Give the deck a name of 1 to {most} characters that can be seen."

_COPIES = re.compile(r"(\d{1,4})\s?[x×]\s+(.+)", re.IGNORECASE)


@dataclass(frozen=True)
class Request:
    """Who wants something of which deck: by its id, else its name, else the only one of the channel.

    `since` is the version of the deck under whose message a button was pressed (None: a command);
    `exact` says that the deck must be just as it was then.
    """

    channel_id: int
    guild_id: int | None
    user_id: int
    user_name: str
    interaction_id: int
    moderator: bool = False
    deck: str = ""
    deck_id: str = ""
    since: int | None = None
    exact: bool = False


class Drawn(msgspec.Struct, frozen=True):
    """The chance of a step: the channel's key, what went into it, what came of it.

    `veiled`: while it lies in the dark where some card is, the results would tell something of hands.
    """

    number: int
    key: str
    salts: tuple[str, ...]
    results: tuple[Result, ...]
    veiled: bool


class Told(msgspec.Struct, frozen=True, omit_defaults=True):
    """What everybody is told of a step: a sentence without its subject and full stop, and whom it
    went to (`to`, a name). The chance is for the proof."""

    text: str
    to: str = ""
    to_id: int = 0
    chance: Drawn | None = None

    def line(self, name: str) -> str:
        """The whole sentence about somebody."""
        whom = f" to **{texts.plain(self.to)}**" if self.to else ""
        return f"**{texts.plain(name)}** {self.text}{whom}."


@dataclass
class Standing:
    """A deck at a moment: its row, its cards, whose hands there are."""

    id: str
    channel_id: int
    guild_id: int | None
    maker: int
    name: str
    source: str
    kinds: Mapping[str, CardKind]
    deck: Deck
    version: int
    names: dict[int, str] = field(default_factory=dict[int, str])

    @property
    def title(self) -> str:
        """Its name, harmless."""
        return texts.plain(self.name)

    def hand(self, user_id: int) -> list[str]:
        """What somebody holds, in the order of the deck's list."""
        return in_order(self.deck.hands.get(user_id, ()), self.kinds)


@dataclass(frozen=True)
class Happened:
    """A step that is saved: the deck after it and the sentence for everybody.

    `shown` are the cards that everybody sees, `own` those that only the actor may see; `seal` is set
    when the channel's keys are under a new seal.
    """

    standing: Standing
    line: str
    shown: tuple[str, ...] = ()
    own: tuple[str, ...] = ()
    seal: str = ""


class NoDeck(Refused):
    """There is no such deck in the channel."""


class DeckMoved(Refused):
    """The deck has gone on since the button that was pressed was shown."""


def pack(value: object) -> str:
    """A value as canonical JSON."""
    return msgspec.json.encode(value, order="deterministic").decode()


def read_standing(row: SqlRow[Any], hands: Sequence[SqlRow[Any]]) -> Standing:
    """A deck from its row and those of its hands."""
    cards = msgspec.json.decode(row.cards, type=tuple[CardKind, ...])
    held = {int(h.user_id): msgspec.json.decode(h.cards, type=list[str]) for h in hands}
    return Standing(
        id=row.id,
        channel_id=row.channel_id,
        guild_id=row.guild_id,
        maker=row.user_id,
        name=row.name,
        source=row.source,
        kinds={card.id: card for card in cards},
        deck=Deck(msgspec.json.decode(row.state, type=Piles), held),
        version=row.version,
        names={int(h.user_id): str(h.name) for h in hands},
    )


def read_name(typed: str) -> str:
    """A deck's name as somebody chose it. Raises `Refused`."""
    name = cleaned(typed)
    if not name or len(name) > LONGEST_NAME:
        raise Refused(UNNAMED.format(most=LONGEST_NAME))
    return name


def counted(number: int) -> str:
    """“a card”, “3 cards”."""
    return "a card" if number == 1 else f"{number} cards"


def named(cards: Sequence[str], kinds: Mapping[str, CardKind], most: int = MOST_NAMED) -> str:
    """The cards by title, equal ones counted, the last ones only counted when they are many."""
    copies = Counter(cards)
    shown = [
        texts.plain(kinds[card].title) + (f" ×{number}" if number > 1 else "")
        for card, number in list(copies.items())[:most]
    ]
    rest = sum(list(copies.values())[most:])
    return texts.listed([*shown, f"{rest} more"] if rest else shown)


def find_cards(
    typed: str, place: Sequence[str], kinds: Mapping[str, CardKind], missing: str
) -> list[str]:
    """The cards of a place that somebody means: titles, short names, `#id`, several with commas, `2x …`.

    Raises `Refused` with the sentence `missing` (`{typed}`) for one that is not there; what else there
    is in the deck makes no difference.
    """
    if folded(typed) == ALL:
        return list(place)
    left = Counter(place)
    whole = [] if _ids_alone(typed, kinds) else _one(typed, left, kinds)
    if whole:
        return whole
    found: list[str] = []
    for part in filter(None, (part.strip() for part in typed.split(","))):
        cards = _one(part, left, kinds)
        if not cards:
            raise Refused(missing.format(typed=texts.quoted(part)))
        found += cards
        left.subtract(cards)
    if not found:
        raise Refused(missing.format(typed=texts.quoted(typed)))
    return found


def suggest_cards(
    typed: str, place: Sequence[str], kinds: Mapping[str, CardKind]
) -> list[tuple[str, str]]:
    """(label, value) for completing a list of cards of a place, what stands before a comma kept."""
    before, comma, last = typed.rpartition(",")
    try:
        used = find_cards(before, place, kinds, "{typed}") if comma else []
    except Refused:
        before, last, used = "", typed, []
    left = Counter(place)
    left.subtract(used)
    head = f"{before.strip()}, " if used else ""
    wanted = folded(last)
    pairs: list[tuple[str, str]] = []
    titles = Counter(folded(kinds[card].title) for card in left)
    for card in in_order(left, kinds):
        kind = kinds[card]
        if left[card] < 1 or not (wanted in folded(kind.title) or wanted == short(kind)):
            continue
        title = folded(kind.title)
        plain = titles[title] == 1 and title != ALL and "," not in title and title[0] != "#"
        value = head + (kind.title if plain else f"#{card}")
        label = f"{head}{kind.title}" + (f" ×{left[card]}" if left[card] > 1 else "")
        if len(value) <= 100:
            pairs.append((texts.clip(label, 100), value))
    return pairs[:25]


def short(kind: CardKind) -> str:
    """A suited card's short name in small letters: `10h`, `qs`; empty for others."""
    suit, _, rank = kind.id.partition(":")
    return f"{rank}{suit[0]}".casefold() if suit in SUITS and rank in RANKS else ""


def _one(typed: str, left: Counter[str], kinds: Mapping[str, CardKind]) -> list[str]:
    """The cards that a single name means, as far as they are there; none if they are not."""
    wanted, number = folded(typed), 1
    card = _named(wanted, left, kinds)
    if card is None and (match := _COPIES.fullmatch(wanted)):
        number = int(match[1])
        card = _named(match[2].strip(), left, kinds)
    if card is None or not 1 <= number <= left[card]:
        return []
    return [card] * number


def _named(wanted: str, left: Counter[str], kinds: Mapping[str, CardKind]) -> str | None:
    by_id = _by_id(wanted, kinds)
    if by_id:  # whatever another card may be called
        return by_id if left[by_id] > 0 else None
    for card in in_order(left, kinds):
        if left[card] > 0 and wanted and wanted in (folded(kinds[card].title), short(kinds[card])):
            return card
    return None


def _by_id(wanted: str, kinds: Mapping[str, CardKind]) -> str:
    """The card that `#` and its id mean; empty for anything else."""
    if not wanted.startswith("#"):
        return ""
    return next((card for card in kinds if card.casefold() == wanted[1:]), "")


def _ids_alone(typed: str, kinds: Mapping[str, CardKind]) -> bool:
    """Whether cards are meant by their ids, as menus do it; no title can stand for several of them."""
    return all(_by_id(folded(part), kinds) for part in typed.split(","))
