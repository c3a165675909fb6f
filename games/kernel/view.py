"""The view: what one audience may see of a game, as declarations a renderer can draw.

A view holds no rules and no secrets. Board picture, alt text and text board are all made from it.
"""

from __future__ import annotations

import msgspec

SHAPES = ("square", "hexagon", "diamond", "circle", "chip", "block")
"""Outlines of counters: each side has its own, so that colour is never the only difference."""

TONES = (
    "green", "lime", "red", "rose", "slate", "white", "violet", "steel", "brown", "yellow", "grey",
)  # fmt: skip
"""Names of colours; the renderer's palette gives them values."""

MARK_KINDS = (
    "path", "fire", "blocked", "blast", "hit", "reach", "target", "arc", "spot",
)  # fmt: skip
"""What can be drawn over a board: `path` and `fire` join their cells, the others fill or ring them."""


class Badge(msgspec.Struct, frozen=True):
    """A counter's face: short code, outline, colour."""

    code: str
    shape: str
    tone: str


class Token(msgspec.Struct, frozen=True):
    """A counter on the board.

    `facing` counts eighths of a turn clockwise from north; `hits` is drawn as a number, and as CRIT
    where `critical`; `role` is a letter in a corner; `icons` are names of small pictures;
    `name` is the full name for texts; `current` rings the one that acts.
    """

    id: str
    name: str
    cell: str
    badge: Badge
    facing: int | None = None
    hits: int = 0
    critical: bool = False
    role: str = ""
    icons: tuple[str, ...] = ()
    current: bool = False
    hidden: bool = False
    note: str = ""


class Mark(msgspec.Struct, frozen=True):
    """Something drawn over the board: a kind (`MARK_KINDS`), its cells in order, a short label."""

    kind: str
    cells: tuple[str, ...]
    label: str = ""
    tone: str = ""


class EdgeLine(msgspec.Struct, frozen=True):
    """An edge between two orthogonal neighbours: `wall`, `door`, `window` or `breach` (with a tone)."""

    a: str
    b: str
    kind: str
    tone: str = ""


class Zone(msgspec.Struct, frozen=True):
    """A named, tinted set of cells; active ones are tinted stronger."""

    name: str
    cells: tuple[str, ...]
    active: bool


class Room(msgspec.Struct, frozen=True):
    """A building: its numeral and its cells; `badge` marks it (cleared), else empty."""

    name: str
    cells: tuple[str, ...]
    badge: str = ""
    tone: str = ""


class SquareMap(msgspec.Struct, frozen=True):
    """The printed part of a square board, the same all game long; `key` names it for caches.

    `letters` are the rows of square letters: `.` ground, `,` floor, `X` cover, and letters that are
    written small where no counter lies.
    """

    key: str
    width: int
    height: int
    letters: tuple[str, ...]
    edges: tuple[EdgeLine, ...]


class SquareBoard(msgspec.Struct, frozen=True, tag=True):
    """A board of squares named by column letters and row number, row 1 at the top."""

    map: SquareMap
    rooms: tuple[Room, ...]
    zones: tuple[Zone, ...]
    breaches: tuple[EdgeLine, ...]
    tokens: tuple[Token, ...]
    marks: tuple[Mark, ...] = ()
    focus: tuple[str, ...] = ()


class PlaceCard(msgspec.Struct, frozen=True):
    """A card that describes a place: its figures by name in order, and remarks in words."""

    name: str
    figures: tuple[tuple[str, str], ...]
    remarks: tuple[str, ...] = ()


class Place(msgspec.Struct, frozen=True):
    """A zone of a zone board, drawn as a strip from far (top) to near (bottom).

    `ground` are rows of terrain letters (`GROUND`) with the places of counters among them: `1`, `2`,
    `3` for the range boxes, `S` for the team, `V` and `X` for the board's special spots. `card` None:
    face down. `open`: it may be entered now; `needs` says what that takes.
    """

    number: int
    name: str
    ground: tuple[str, ...]
    card: PlaceCard | None = None
    current: bool = False
    open: bool = False
    needs: str = ""


GROUND = ".,tT~r#=sdkghf"
"""Terrain letters: bare, scrub, trees, jungle, water, ruin, building, street, sand, dune, rock,
grass, hedge, field."""


class ZoneBoard(msgspec.Struct, frozen=True, tag=True):
    """Zones in a row, each with range boxes. A token's cell is `<zone>:<box>`, the box one of `long`,
    `medium`, `short`, `team`, `vip`, `exit`; several tokens may share one."""

    key: str
    places: tuple[Place, ...]
    tokens: tuple[Token, ...]
    marks: tuple[Mark, ...] = ()
    focus: tuple[str, ...] = ()


class CardFace(msgspec.Struct, frozen=True):
    """A card's face in our own words; `badge` is a short remark such as “scouted”."""

    id: str
    title: str
    text: str
    badge: str = ""


class Track(msgspec.Struct, frozen=True):
    """A named figure, with its maximum when there is one.

    `boxes`: it is a row of so many boxes, the first `value` of them filled; `danger` fills warn.
    """

    name: str
    value: str
    most: str = ""
    boxes: int = 0
    danger: bool = False


class RosterLine(msgspec.Struct, frozen=True):
    """One unit in a roster: where it is and how it fares; `out` greys it."""

    badge: Badge
    name: str
    cell: str
    state: str
    out: bool = False


class Roster(msgspec.Struct, frozen=True):
    """A list of a side's units."""

    title: str
    lines: tuple[RosterLine, ...]


class Task(msgspec.Struct, frozen=True):
    """A seat that must act now, and what it must do, as a sentence without a subject."""

    seat: str
    what: str


class View(msgspec.Struct, frozen=True):
    """What one audience may see.

    `headline` says in one sentence who must do what (with seat titles, no user names); `tasks` the
    same per seat; `cards` lie open, `hand` is the audience's own; `footer` short facts for the
    picture's last line.
    """

    game: str
    title: str
    turn: str
    headline: str
    tasks: tuple[Task, ...]
    board: SquareBoard | ZoneBoard
    tracks: tuple[Track, ...] = ()
    rosters: tuple[Roster, ...] = ()
    cards: tuple[CardFace, ...] = ()
    hand: tuple[CardFace, ...] = ()
    footer: tuple[str, ...] = ()
