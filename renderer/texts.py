"""Views in words: the alternative text of a picture, and the board for people without pictures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.kernel.event import Event
from games.kernel.view import CardFace, Place, SquareBoard, Token, View, ZoneBoard

ALT_LIMIT: Final = 1024
"""Discord's limit for the description of a picture, in characters."""

_FACINGS: Final = (
    "north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west",
)  # fmt: skip


def cut(text: str, limit: int) -> str:
    """The text, ended with “…” at a word's end if it is longer than `limit` characters."""
    if len(text) <= limit:
        return text
    short = text[: limit - 1]
    space = short.rfind(" ")
    return (short[:space] if space > limit // 2 else short).rstrip(" ,;") + "…"


def alt_text(view: View, events: Sequence[Event] = ()) -> str:
    """What the picture of a view shows, in at most 1,024 characters.

    What must be done and what just happened come first, then the facts, then who stands where; the hand
    last, if the view has one.
    """
    parts = [f"{view.title}, {view.turn}." if view.turn else f"{view.title}."]
    if view.headline:
        parts.append(_sentence(view.headline))
    parts += [_sentence(e.text) for e in events if e.text]
    if isinstance(view.board, ZoneBoard):
        parts += _zone_parts(view, view.board)
        return cut(" ".join(parts), ALT_LIMIT)
    if view.footer:
        parts.append(_sentence("; ".join(view.footer)))
    units = [t for t in view.board.tokens if not t.hidden]
    if units:
        parts.append(_sentence("On the board: " + "; ".join(_brief(t) for t in units)))
    return cut(" ".join(parts), ALT_LIMIT)


def _zone_parts(view: View, board: ZoneBoard) -> list[str]:
    """The zone where the team is and who stands there, the figures, the way ahead, the hand."""
    parts: list[str] = []
    here = next((p for p in board.places if p.current), None)
    if here is not None:
        parts.append(_sentence(f"Zone {here.number}, {here.name}{_card(here)}"))
    tokens = [_standing(t) for t in board.tokens if t.cell]
    if tokens:
        parts.append(_sentence("On the board: " + "; ".join(tokens)))
    facts = [_fact(t.name, t.value, t.most) for t in view.tracks]
    if facts:
        parts.append(_sentence("; ".join(facts)))
    for roster in view.rosters:
        lines = [f"{x.name}{f', {x.state}' if x.state else ''}" for x in roster.lines]
        parts.append(_sentence(f"{roster.title}: {'; '.join(lines)}"))
    ahead = [p for p in board.places if here is not None and p.number == here.number + 1]
    parts += [_sentence(f"Next is zone {p.number}, {p.name}, {_entry(p)}") for p in ahead]
    if view.hand:
        parts.append(hand_text(view.hand))
    elif view.footer:
        parts.append(_sentence("; ".join(view.footer)))
    return parts


def _fact(name: str, value: str, most: str) -> str:
    return f"{name} {value}" + (f" of {most}" if most else "")


def _card(place: Place) -> str:
    """What is known of a place's card, as the end of a sentence."""
    if place.card is None:
        return ", card face down"
    figures = [f"{name} {value}" for name, value in place.card.figures]
    return f": {place.card.name}, " + "; ".join([", ".join(figures), *place.card.remarks])


def _entry(place: Place) -> str:
    return "open" if place.open else f"needs {place.needs}" if place.needs else "closed"


def _standing(token: Token) -> str:
    """A counter on a zone board: name, where, how it fares."""
    zone, _, box = token.cell.partition(":")
    words = [token.name or token.badge.code, f"zone {zone} {box}".strip()]
    if token.note and token.note.casefold() not in words[0].casefold():
        words.append(token.note)
    if token.hits:
        words.append(f"{token.hits} hit" + ("s" if token.hits > 1 else ""))
    if token.icons:
        words.append("with " + ", ".join(token.icons))
    return ", ".join(words)


def hand_text(hand: Sequence[CardFace]) -> str:
    """A hand in one paragraph, copies counted."""
    cards = [_sentence(f"{c.title}{f' {c.badge}' if c.badge else ''}: {c.text}") for c in hand]
    return "Hand: " + " ".join(cards)


def _sentence(text: str) -> str:
    text = text.strip()
    return text if text.endswith((".", "!", "?", "…", ":")) else f"{text}."


def _brief(token: Token) -> str:
    state = ", critical" if token.critical else f", {token.hits} hit" if token.hits else ""
    return f"{token.badge.code} {token.cell}{state}"


def _full(token: Token, *, bare: bool = False) -> str:
    """A unit's line; `bare` leaves out what its roster says of it."""
    words = [f"{token.badge.code} {token.name}".strip(), token.cell]
    if token.facing is not None:
        words.append(f"facing {_FACINGS[token.facing % 8]}")
    if token.critical and not bare:
        words.append("critical")
    elif token.hits and not bare:
        words.append(f"{token.hits} hit" + ("s" if token.hits > 1 else ""))
    if token.role:
        words.append(f"role {token.role}")
    if token.icons and not bare:
        words.append("carries " + ", ".join(token.icons))
    if token.note:
        words.append(token.note)
    if token.current:
        words.append("acting now")
    return ", ".join(words)


def text_board(view: View) -> str:
    """The whole view as plain text: headline, facts, units by roster, other counters, zones, cards.

    Callers page it (Discord shows 4,000 characters at once); every unit has a line of its own.
    """
    lines = [f"{view.title} · {view.turn}" if view.turn else view.title]
    if view.headline:
        lines.append(view.headline)
    lines += [f"{t.seat}: {t.what}" for t in view.tasks if t.what not in view.headline]
    facts = [_fact(t.name, t.value, t.most) for t in view.tracks]
    if facts or view.footer:
        lines.append("")
        lines += facts or list(view.footer)
    board = view.board
    if isinstance(board, ZoneBoard):
        lines += _zones(view, board)
    else:
        lines += _rosters(view, board)
        lines += _hidden(board)
        lines += _places(board)
    lines += _cards("Cards", view.cards, ids=not isinstance(board, ZoneBoard))
    lines += _cards("Hand", view.hand, ids=False)
    return "\n".join(lines)


def _cards(title: str, cards: Sequence[CardFace], *, ids: bool) -> list[str]:
    lines: list[str] = []
    for card in cards:
        badge = f" ({card.badge})" if card.badge else ""
        name = f"{card.id} {card.title}" if ids else card.title
        lines.append(f"{name}{badge}: {card.text}")
    return ["", title, *lines] if lines else []


def _zones(view: View, board: ZoneBoard) -> list[str]:
    """Zones in their order, each with its card, how it stands and who is there; then the rosters."""
    lines = ["", "Zones"]
    passed = True
    for place in board.places:
        passed = passed and not place.current
        state = "the team is here" if place.current else "passed" if passed else _entry(place)
        lines.append(f"{place.number} {place.name} ({state}){_card(place)}")
        lines += [
            f"– {_standing(t)}{' (face down)' if t.hidden else ''}"
            for t in board.tokens
            if t.cell.partition(":")[0] == str(place.number)
        ]
    for roster in view.rosters:
        lines += ["", roster.title]
        for line in roster.lines:
            state = line.state or ("out" if line.out else "")
            lines.append(f"{line.name}: {state}" if state else line.name)
    return lines


def _rosters(view: View, board: SquareBoard) -> list[str]:
    """Rosters, each unit with what the board knows of it; then units that no roster names."""
    spare = [t for t in board.tokens if not t.hidden]
    lines: list[str] = []
    for roster in view.rosters:
        lines += ["", roster.title]
        for line in roster.lines:
            same = [t for t in spare if t.badge == line.badge and t.cell == line.cell]
            token = same[0] if same else None
            state = line.state or ("out" if line.out else "")
            where = line.cell or "off the board"
            text = f"{line.badge.code} {line.name}, {where}"
            if token:
                spare.remove(token)
                text = _full(token, bare=bool(state))
            lines.append(f"{text}: {state}" if state else text)
    if spare:
        lines += ["", "Others on the board" if view.rosters else "On the board"]
        lines += [_full(t) for t in spare]
    return lines


def _hidden(board: SquareBoard) -> list[str]:
    by_name: dict[str, list[str]] = {}
    for token in board.tokens:
        if token.hidden:
            by_name.setdefault(token.name or token.badge.code, []).append(token.cell)
    if not by_name:
        return []
    return ["", "Face down", *(f"{name}: {', '.join(cells)}" for name, cells in by_name.items())]


def _places(board: SquareBoard) -> list[str]:
    lines: list[str] = []
    for zone in board.zones:
        state = "active" if zone.active else "not active"
        lines.append(f"{zone.name} ({state}): {_extent(zone.cells)}")
    for room in board.rooms:
        badge = f" ({room.badge})" if room.badge else ""
        lines.append(f"Building {room.name}{badge}: {_extent(room.cells)}")
    lines += [f"Breach {edge.a}-{edge.b}" for edge in board.breaches]
    return ["", "Places", *lines] if lines else []


def _extent(cells: Sequence[str]) -> str:
    """First and last square: a rectangle's corners when cells come in reading order."""
    if not cells:
        return "nowhere"
    return cells[0] if len(cells) == 1 else f"{cells[0]} to {cells[-1]}"
