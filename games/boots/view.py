"""What a seat sees: board, counters, tracks, rosters. Spec section 11.

Everything but the undrawn cards and the faces of unflipped counters is public (spec 1.10), and those
are not even decided before they come up; so every seat and spectator sees the same.
"""

from __future__ import annotations

from functools import lru_cache

from games.boots import cards, flow, words
from games.boots.field import Field
from games.boots.fire import FRONT
from games.boots.maps import BoardMap
from games.boots.model import HOSTAGE, INSURGENT, SPECIALISTS, SQUAD_NAME, Unit
from games.geometry.squares import Square
from games.kernel.view import (
    Badge,
    CardFace,
    EdgeLine,
    Mark,
    Room,
    Roster,
    RosterLine,
    SquareBoard,
    SquareMap,
    Token,
    Track,
    View,
    Zone,
)

SQUAD_TONES = {"A": "green", "B": "red"}


def view(field: Field) -> View:
    """The public view, which is everybody's."""
    state = field.state
    return View(
        game="boots",
        title=f"Boots on the Ground · {field.mission.title}",
        turn=turn_line(field),
        headline=headline(field),
        tasks=flow.tasks(field) if state.outcome is None else (),
        board=board(field),
        tracks=tracks(field),
        rosters=tuple(roster(field, k) for k in state.playing),
        cards=open_cards(field),
        footer=footer(field),
    )


def turn_line(field: Field) -> str:
    """Whose turn it is and how far the deck has run."""
    state = field.state
    if state.steps[-1].step == "deploy":
        return "Set-up"
    return f"{SQUAD_NAME[state.squad_turn]}’s turn · {cards_line(field)}"


def cards_line(field: Field) -> str:
    """Cards played of how many."""
    state = field.state
    if state.endless:
        return f"card {state.cards_used}, par {field.mission.par}"
    return f"card {state.cards_used} of {state.cards_total}"


def headline(field: Field) -> str:
    """One sentence: who must do what, or how it ended."""
    outcome = field.state.outcome
    if outcome is not None:
        return f"{outcome.title}. {outcome.text}"
    tasks = flow.tasks(field)
    return " ".join(f"{task.seat.title()}: {task.what}." for task in tasks)


# --- the board ---


def board(field: Field) -> SquareBoard:
    """The map with all counters."""
    return SquareBoard(
        map=printed(field.map),
        rooms=tuple(_room(field, numeral) for numeral in field.map.buildings),
        zones=tuple(
            Zone(name, squares, name in field.mission.active_zones)
            for name, squares in field.map.zones.items()
        ),
        breaches=tuple(
            EdgeLine(door.a, door.b, "breach", SQUAD_TONES[door.squad])
            for door in field.state.doors
        ),
        tokens=(*_hidden(field), *(_token(field, u) for u in field.placed(lambda _: True))),
        focus=_focus(field),
    )


@lru_cache(maxsize=16)
def printed(board_map: BoardMap) -> SquareMap:
    """The printed part of the board; made once for every map."""
    grid = board_map.grid
    edges: list[EdgeLine] = []
    for square in grid.squares:
        for direction in (2, 4):
            other = grid.neighbour(square, direction)
            if other is not None and grid.printed_edge(square, other) != "open":
                edges.append(EdgeLine(square, other, grid.printed_edge(square, other)))
    width = grid.width
    letters = tuple(
        "".join(grid.letter(s) for s in grid.squares[y * width : (y + 1) * width])
        for y in range(grid.height)
    )
    return SquareMap(board_map.id, width, grid.height, letters, tuple(edges))


def _room(field: Field, numeral: str) -> Room:
    book = field.state.buildings[numeral]
    badge = "cleared" if book.cleared else ""
    tone = SQUAD_TONES.get(book.cleared_by, "") if book.cleared else ""
    return Room(numeral, field.map.buildings[numeral], badge, tone)


def _hidden(field: Field) -> list[Token]:
    """Counters that are no units: boxes, civilians, vehicles, and the WMD where it was dropped."""
    state = field.state
    found = [
        Token(b.id, "lock box", b.pos, Badge("L?", "chip", "brown"), hidden=True)
        for b in state.boxes.values()
    ]
    found += [
        Token(c.id, "civilian", c.pos, Badge("C?", "circle", "violet"), hidden=True)
        for c in state.civilians.values()
    ]
    for v in state.vehicles.values():
        if not v.face_up:
            badge = Badge("V?", "block", "red")
            found.append(Token(v.id, "vehicle", v.pos, badge, hidden=True))
        else:
            code = {"": "car", "defused": "def", "exploded": "wreck"}[v.outcome]
            name = {"": "safe vehicle", "defused": "defused car bomb", "exploded": "wreck"}
            found.append(Token(v.id, name[v.outcome], v.pos, Badge(code, "block", "steel")))
    if state.wmd.where in field.grid:
        found.append(Token("WMD", "the WMD", state.wmd.where, Badge("!", "chip", "yellow")))
    return found


def _token(field: Field, unit: Unit) -> Token:
    activation = field.state.activation
    return Token(
        id=unit.id,
        name=words.title(unit),
        cell=unit.pos or "",
        badge=words.badge(unit),
        facing=None if unit.kind == HOSTAGE else unit.face,
        hits=unit.hits,
        critical=unit.hits >= 2,
        role=words.ROLE_LETTERS.get(unit.role, ""),
        icons=tuple(unit.items),
        current=activation is not None and activation.current == unit.id,
        note="captive" if unit.status == "captive" else "",
    )


def _focus(field: Field) -> tuple[Square, ...]:
    """Where the eye should go: the acting unit or team, else the squads that set up or have the turn."""
    state, activation = field.state, field.state.activation
    if activation is not None:
        names = [activation.current] if activation.current else activation.members
        return tuple(field.unit(name).pos or "" for name in names)
    if state.steps and state.steps[-1].step == "deploy":
        squads = [squad for squad in state.playing if squad not in state.ready]
    else:
        squads = [state.squad_turn]
    return tuple(u.pos or "" for squad in squads for u in field.squad_units(squad))


def arc_mark(field: Field) -> tuple[Mark, ...]:
    """The front arc of the acting unit within five squares, shaded while it picks (spec 11)."""
    activation = field.state.activation
    if activation is None or not activation.current:
        return ()
    unit = field.unit(activation.current)
    if unit.pos is None or unit.kind == HOSTAGE:
        return ()
    here, reach = unit.pos, field.content.tables.ranges.fire
    squares = tuple(
        s
        for s in field.grid.squares
        if 0 < field.grid.dist(here, s) <= reach and field.grid.arc(here, unit.face, s) in FRONT
    )
    return (Mark("arc", squares),) if squares else ()


# --- figures ---


def tracks(field: Field) -> tuple[Track, ...]:
    """The public figures of the game."""
    state = field.state
    most = str(state.cards_total) if not state.endless else ""
    found = [
        Track("Intel cards", str(state.cards_used), most),
        Track("Insurgents in the pool", str(state.pool)),
        Track("Insurgents killed", str(state.killed)),
    ]
    for k in state.playing:
        book, name = state.squads[k], SQUAD_NAME[k]
        found.append(Track(f"{name} KIA", str(len(book.kia))))
        found.append(Track(f"{name} G.I.s left", str(book.gi_left)))
        found.append(Track(f"{name} demo charges", str(book.blasts_left)))
    return tuple(found)


def roster(field: Field, squad: str) -> Roster:
    """A squad's units, the fallen included."""
    state = field.state
    names = [f"{squad}-{kind}" for kind in SPECIALISTS]
    names += [u.id for u in state.units.values() if u.squad == squad and u.id not in names]
    lines = [_line(field, state.units[name]) for name in names if name in state.units]
    return Roster(f"{SQUAD_NAME[squad]} squad", tuple(lines))


def _line(field: Field, unit: Unit) -> RosterLine:
    out = unit.pos is None
    fate = ("fit", "1 hit", "critical")[min(unit.hits, 2)]
    state = ("dead" if unit.kind == HOSTAGE else "KIA") if out else fate
    items = [words.ITEM_NAMES[i] for i in unit.items]
    activation = field.state.activation
    if activation is not None and unit.id in activation.parts and not out:
        part = activation.parts[unit.id]
        items.append(f"{part.mp} MP left")
        if part.acted:
            items.append("has acted")
    text = ", ".join([state, *items])
    return RosterLine(words.badge(unit), words.title(unit), unit.pos or "", text, out)


def open_cards(field: Field) -> tuple[CardFace, ...]:
    """The card that lies face up, if any."""
    state = field.state
    if state.next_card:
        return (cards.face(field.content.cards[state.next_card], "next card"),)
    return ()


def footer(field: Field) -> tuple[str, ...]:
    """The picture's last line."""
    state = field.state
    kia = sum(len(book.kia) for book in state.squads.values())
    insurgents = len(field.placed(lambda u: u.kind == INSURGENT))
    left = "endless deck" if state.endless else f"{state.cards_total - state.cards_used} cards left"
    return (
        field.mission.title,
        left,
        f"insurgents {insurgents}, pool {state.pool}, killed {state.killed}",
        f"KIA {kia}",
    )
