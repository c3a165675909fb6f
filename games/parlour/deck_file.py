"""Lists of cards that people write: a text with a card on every line, or JSON.

    # An encounter deck
    3x Patrol | Everybody takes cover.
    Sniper

Errors name the line or the card and what to change; they repeat nothing of the file.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

import msgspec

from games.kernel.cards import CardKind
from games.kernel.illegal import Illegal

MOST_BYTES = 256 * 1024
MOST_CARDS = 1_000
MOST_KINDS = 200
LONGEST_TITLE = 60
LONGEST_TEXT = 300
LARGEST_TOLD = 1_000_000
"""A larger number of cards is not told exactly."""

FORM = (
    "Attach a text file with a card on every line, such as `3x Patrol | Everybody takes cover.`, or "
    'JSON such as `[{"title": "Patrol", "text": "…", "copies": 3}]`.'
)
TOO_LARGE = f"That file is too large: a list of cards has at most {MOST_BYTES // 1024} KiB."
NO_TEXT = f"That file is not text in UTF-8. {FORM}"
NO_CARDS = f"There is no card in that file. {FORM}"
NO_JSON = (
    "That file begins like JSON but is none that I can read. I need a list of cards, each a title or "
    "an object with `title`, and if you like `text` and `copies`, nothing else."
)

_LINE = re.compile(r"(?:(?P<copies>\d{1,30})\s?[xX×]\s+)?(?P<title>[^|]*)(?:\|(?P<text>.*))?")


class _Card(msgspec.Struct, forbid_unknown_fields=True):
    """A card as JSON has it."""

    title: str
    text: str = ""
    copies: int = 1


class _File(msgspec.Struct, forbid_unknown_fields=True):
    """A whole list as JSON, with the deck's name or without."""

    cards: list[_Card | str]
    name: str = ""


def read_cards(raw: bytes) -> tuple[CardKind, ...]:
    """The cards of a file; see `read_list`."""
    return read_list(raw)[1]


def read_list(raw: bytes) -> tuple[str, tuple[CardKind, ...]]:
    """The name in a file (mostly none, empty) and its cards.

    Raises `Illegal` for a file that is no list of cards, or too long a one.
    """
    if len(raw) > MOST_BYTES:
        raise Illegal("", TOO_LARGE)
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Illegal("", NO_TEXT) from None
    if any(char < " " and char not in "\t\n\r\f" for char in text):
        raise Illegal("", NO_TEXT)
    begins = text.lstrip()[:1]
    if not begins or begins not in "[{":
        return "", collect(_of_lines(text))
    name, cards = _of_json(text)
    return name, collect(cards)


def collect(cards: Iterable[tuple[str, _Card]]) -> tuple[CardKind, ...]:
    """Check cards, each with where it stands, and put equal ones together. Raises `Illegal`."""
    found: dict[tuple[str, str], int] = {}
    total = 0
    for where, card in cards:
        title, text = cleaned(card.title), cleaned(card.text)
        if not title:
            raise Illegal("", f"{where} has no title. Give every card one.")
        if len(title) > LONGEST_TITLE:
            raise Illegal(
                "",
                f"{where} has a title of {len(title)} characters, and the longest may have "
                f"{LONGEST_TITLE}. Put the rest of it into the card's text.",
            )
        if len(text) > LONGEST_TEXT:
            raise Illegal(
                "",
                f"{where} has a text of {len(text)} characters, and the longest may have "
                f"{LONGEST_TEXT}. Please shorten it.",
            )
        if card.copies < 1:
            times = f"{card.copies} times" if card.copies > -MOST_CARDS else "less than once"
            raise Illegal("", f"{where} is there {times}. Take it out, or give it 1.")
        total += card.copies
        found[title, text] = found.get((title, text), 0) + card.copies
        if len(found) > MOST_KINDS:
            raise Illegal(
                "", f"{where} is one kind of card too many: a deck has at most {MOST_KINDS} kinds."
            )
    check_number(total)
    return tuple(
        CardKind(f"card:{number}", title, text, copies)
        for number, ((title, text), copies) in enumerate(found.items(), start=1)
    )


def check_number(cards: int) -> None:
    """Raises `Illegal` for a deck of no card or of too many."""
    if not cards:
        raise Illegal("", NO_CARDS)
    if cards > MOST_CARDS:
        many = f"{cards:,}" if cards < LARGEST_TOLD else f"more than {LARGEST_TOLD:,}"
        raise Illegal(
            "", f"Those are {many} cards, and a deck has at most {MOST_CARDS:,}. Use fewer copies."
        )


def _of_lines(text: str) -> Iterator[tuple[str, _Card]]:
    for number, line in enumerate(text.splitlines(), start=1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        match = _LINE.fullmatch(line)
        if match is None:  # a character that `.` does not take; nothing else can be wrong
            raise Illegal("", f"Line {number} cannot be read. {FORM}")
        copies = int(match["copies"]) if match["copies"] else 1
        yield f"Line {number}", _Card(match["title"], match["text"] or "", copies)


def _of_json(text: str) -> tuple[str, Iterator[tuple[str, _Card]]]:
    try:
        found = msgspec.json.decode(text, type=_File | list[_Card | str])
    except (msgspec.MsgspecError, RecursionError, ValueError):
        raise Illegal("", NO_JSON) from None
    name, cards = (found.name, found.cards) if isinstance(found, _File) else ("", found)
    return name, (
        (f"Card {number}", _Card(card) if isinstance(card, str) else card)
        for number, card in enumerate(cards, start=1)
    )


def cleaned(words: str) -> str:
    """What somebody calls something, on one line and without what cannot be seen or turns the line
    round; empty if nothing is left to read. Joiners inside emoji stay."""
    kept = "".join(char for char in words if char.isspace() or not _unseen(char))
    shown = " ".join(kept.split())
    return shown if any(char.isprintable() and char not in _BLANKS for char in shown) else ""


def folded(words: str) -> str:
    """The same for names that a reader takes for one: in small or wide letters, or others like them."""
    return unicodedata.normalize("NFKC", words).casefold().strip()


def _unseen(char: str) -> bool:
    return unicodedata.category(char) in ("Cc", "Cf") and char not in _JOINERS


_JOINERS = "\u200c\u200d"
_BLANKS = " \u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
"""Letters and marks, by their kind, that show nothing."""
