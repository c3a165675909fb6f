"""Views and events made by hand, one for every picture that is kept as a golden."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from games.kernel.event import (
    Chart,
    Contest,
    Drew,
    Ended,
    Event,
    Exploded,
    Modifier,
    Moved,
    Noted,
    Revealed,
    Roll,
    Rolled,
    Suffered,
)
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
    Task,
    Token,
    Track,
    View,
    Zone,
)
from renderer.layout import column_name, square_xy

MAPS = Path(__file__).parents[2] / "data" / "boots" / "maps"
FACES = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
KINDS = {"-": "wall", "|": "wall", "D": "door", "W": "window"}


def name(x: int, y: int) -> str:
    return f"{column_name(x)}{y + 1}"


def cells(*rectangles: str) -> tuple[str, ...]:
    found: list[str] = []
    for rectangle in rectangles:
        first, _, last = rectangle.partition(":")
        (x1, y1), (x2, y2) = square_xy(first) or (0, 0), square_xy(last or first) or (0, 0)
        found += [name(x, y) for y in range(y1, y2 + 1) for x in range(x1, x2 + 1)]
    return tuple(found)


@lru_cache
def load(key: str) -> tuple[SquareMap, tuple[Room, ...], dict[str, tuple[str, ...]]]:
    data = tomllib.loads((MAPS / f"{key}.toml").read_text())
    rows = data["rows"].strip("\n").split("\n")
    height, width = len(rows) // 2, len(rows[0]) // 2
    edges: list[EdgeLine] = []
    for y in range(height):
        for x in range(width):
            right, below = rows[2 * y + 1][2 * x + 2], rows[2 * y + 2][2 * x + 1]
            if x + 1 < width and right in KINDS:
                edges.append(EdgeLine(name(x, y), name(x + 1, y), KINDS[right]))
            if y + 1 < height and below in KINDS:
                edges.append(EdgeLine(name(x, y), name(x, y + 1), KINDS[below]))
    letters = tuple(
        "".join(rows[2 * y + 1][2 * x + 1] for x in range(width)) for y in range(height)
    )
    rooms = tuple(Room(n, cells(*rects)) for n, rects in data["buildings"].items())
    zones = {n: cells(*rects) for n, rects in data["zones"].items()}
    return SquareMap(key, width, height, letters, tuple(edges)), rooms, zones


def unit(where: str, code: str, shape: str, tone: str, **more: object) -> Token:
    cell, _, face = where.partition("/")
    facing = FACES.index(face) if face else None
    more.setdefault("id", f"{tone}-{code}")
    more.setdefault("name", code)
    return Token(cell=cell, badge=Badge(code, shape, tone), facing=facing, **more)  # type: ignore[arg-type]


ALPHA = ("square", "green")
BRAVO = ("hexagon", "red")
ENEMY = ("diamond", "slate")


def insurgent(where: str, number: int, **more: object) -> Token:
    return unit(where, str(number), *ENEMY, id=f"IN{number}", name=f"insurgent {number}", **more)


def chips(kind: str, code: str, tone: str, squares: str, shape: str = "chip") -> list[Token]:
    return [
        unit(cell, code, shape, tone, id=f"{kind}-{cell}", name=kind, hidden=True)
        for cell in squares.split()
    ]


def view(
    key: str,
    tokens: Sequence[Token],
    *,
    active: Sequence[str] = ("GZ1",),
    headline: str = "Alpha: move, fire or finish with the sniper",
    turn: str = "Alpha squad-turn 3 · card 5 of 40",
    title: str = "Hot LZ · co-op",
    cleared: dict[str, str] | None = None,
    breaches: Sequence[EdgeLine] = (),
    footer: Sequence[str] | None = None,
) -> View:
    printed, rooms, zones = load(key)
    cleared = cleared or {}
    board = SquareBoard(
        map=printed,
        rooms=tuple(
            Room(r.name, r.cells, "cleared" if r.name in cleared else "", cleared.get(r.name, ""))
            for r in rooms
        ),
        zones=tuple(Zone(n, c, n in active) for n, c in zones.items()),
        breaches=tuple(breaches),
        tokens=tuple(tokens),
    )
    roster = Roster(
        "Alpha",
        (
            RosterLine(Badge("SN", *ALPHA), "sniper", "O16", "1 hit"),
            RosterLine(Badge("M", *ALPHA), "medic", "", "killed", out=True),
        ),
    )
    if footer is None:
        footer = ("Cards left 35", "Insurgents: pool 18, killed 4", "KIA: Alpha 1, Bravo 0",
                  "Goal: 6 soldiers in GZ1")  # fmt: skip
    return View(
        game="boots",
        title=title,
        turn=turn,
        headline=headline,
        tasks=(Task("ALPHA", "move, fire or finish with the sniper"),),
        board=board,
        tracks=(Track("Cards left", "35", "40"), Track("Pool", "18")),
        rosters=(roster,),
        footer=tuple(footer),
    )


def city_tokens() -> list[Token]:
    return [
        unit("N15/N", "L", *ALPHA, name="leader"),
        unit("O15/W", "M", *ALPHA, name="medic", hits=1),
        unit("N14/N", "DE", *ALPHA, name="demo expert", icons=("grenade", "bombkit")),
        unit("N13/NE", "S", *ALPHA, name="scout", critical=True, hits=2, icons=("health",)),
        unit("O14/N", "HWE", *ALPHA, name="heavy weapons expert"),
        unit("O16/E", "SN", *ALPHA, name="sniper", current=True, hits=1),
        unit("P14/SE", "GI1", "square", "lime", name="G.I. 1"),
        unit("J14/N", "L", *BRAVO, name="leader"),
        unit("J15/S", "M", *BRAVO, name="medic", critical=True, hits=2),
        unit("I14/NW", "DE", *BRAVO, name="demo expert"),
        unit("L14/NE", "S", *BRAVO, name="scout", icons=("wmd",)),
        unit("I15/W", "HWE", *BRAVO, name="heavy weapons expert", hits=1),
        unit("K14/N", "SN", *BRAVO, name="sniper"),
        unit("L15/E", "GI2", "hexagon", "rose", name="G.I. 2", hits=1),
        insurgent("K13/S", 1),
        insurgent("J16/N", 2, role="H"),
        insurgent("P15/W", 3),
        insurgent("M10/E", 4, role="S"),
        insurgent("E14/NE", 5),
        insurgent("F15/E", 6, role="D"),
        insurgent("U8/SW", 12, role="★", icons=("hvt",)),
        insurgent("R17/NW", 14),
        unit("Q21", "HO1", "circle", "white", name="hostage 1", icons=("captive",)),
        unit("M16", "HO2", "circle", "white", name="hostage 2", hits=1),
        unit("J8", "car", "block", "steel", name="safe vehicle"),
        unit("T9", "!", "chip", "yellow", name="the WMD"),
        *chips("civilian", "?", "violet", "E6 G9 G14 K3 L7 N10", "circle"),
        *chips("vehicle", "?", "rose", "G13 K6 N7 N11 S13", "block"),
        *chips("lock box", "?", "brown", "C9 G3 I6 L10"),
    ]


def city() -> View:
    return view(
        "city",
        city_tokens(),
        cleared={"VI": "green", "I": "red"},
        breaches=(
            EdgeLine("O16", "P16", "breach", "green"),
            EdgeLine("K20", "K21", "breach", "red"),
        ),
    )


def city_events() -> list[Event]:
    return [
        Moved(
            text="Alpha's sniper moves O18 to O16.",
            who=Badge("SN", *ALPHA),
            marks=(Mark("path", ("N18", "O17", "O16")),),
        ),
        Noted(
            text="The sniper fires at insurgent 14: wounded.",
            marks=(
                Mark("fire", ("O16", "R17")),
                Mark("hit", ("R17",), "wounded"),
                Mark("fire", ("M10", "U8")),
                Mark("blocked", ("P9",)),
            ),
        ),
    ]


def choosing() -> tuple[list[Mark], list[str], list[tuple[str, str]]]:
    costs = {1: "N16 N17 O17", 2: "M15 M17 N18 O18 M14", 3: "L16 N19 M18 O19 M19", 4: "N20 L17"}
    marks = [Mark("reach", tuple(c.split()), str(n)) for n, c in costs.items()]
    picks = " ".join(costs.values()).split()
    numbered = [(cell, str(n + 1)) for n, cell in enumerate(picks)]
    return marks, ["O16", *picks], numbered


def targets() -> tuple[list[Mark], list[str], list[tuple[str, str]]]:
    arc = cells("O13:S18")
    marks = [
        Mark("arc", tuple(c for c in arc if c not in cells("O13:O15", "O17:O18"))),
        Mark("target", ("P15",), "+1"),
        Mark("target", ("R17",), "+3 cover"),
        Mark("target", ("K13",), "0"),
        Mark("spot", ("S13",)),
    ]
    return marks, ["O16", "P15", "R17", "K13"], [("P15", "A"), ("R17", "B"), ("K13", "C")]


ALLIED = Chart(
    "Allied fire",
    (("+2 or more", "killed"), ("0 to +1", "wounded"), ("−1 to −3", "no effect"),
     ("−4 or less", "shooter hit")),
)  # fmt: skip
HOSTILE = Chart(
    "Insurgent fire",
    (("+1 or more", "hit"), ("0 to −2", "no effect"), ("−3 or less", "shooter wounded")),
)


def contest(
    attacker: Badge,
    attack: tuple[int, dict[str, int]],
    defender: Badge,
    defence: tuple[int, dict[str, int]],
    chart: Chart,
    verdict: str = "",
) -> Contest:
    a = Roll(attacker, (attack[0],), tuple(Modifier(n, v) for n, v in attack[1].items()),
             attack[0] + sum(attack[1].values()))  # fmt: skip
    d = Roll(defender, (defence[0],), tuple(Modifier(n, v) for n, v in defence[1].items()),
             defence[0] + sum(defence[1].values()))  # fmt: skip
    gap = a.total - d.total
    if chart is ALLIED:
        row = 0 if gap >= 2 else 1 if gap >= 0 else 2 if gap >= -3 else 3
    else:
        row = 0 if gap >= 1 else 1 if gap >= -2 else 2
    return Contest(a, d, gap, row, verdict or chart.rows[row][1])


def shot() -> list[Event]:
    one = contest(
        Badge("SN", *ALPHA), (4, {"sniper": 1, "side shot": 1}),
        Badge("3", *ENEMY), (4, {"vehicle cover": 1}), ALLIED,
        "IN3 wounded → pool 18 to 19",
    )  # fmt: skip
    return [
        Rolled(
            text="Alpha's sniper fires at insurgent 3: wounded.",
            title="Alpha sniper fires at insurgent 3",
            detail="O15 to P15 · range 1 · through a window",
            contests=(one,),
            chart=ALLIED,
        )
    ]


def spread() -> list[Event]:
    hwe = Badge("HWE", *ALPHA)
    return [
        Rolled(
            text="Alpha's heavy weapons expert fires at three.",
            title="Alpha heavy weapons expert spreads his fire",
            detail="E9 to G8, H9, G10",
            contests=(
                contest(hwe, (3, {}), Badge("1", *ENEMY), (1, {}), ALLIED, "IN1 killed"),
                contest(hwe, (3, {"side shot": 1}), Badge("2", *ENEMY), (3, {"cover": 1}), ALLIED,
                        "IN2 wounded → pool 21"),
                contest(hwe, (3, {"direct rear": 3}), Badge("12", *ENEMY), (6, {"cover": 1}),
                        ALLIED),
            ),
            chart=ALLIED,
        )
    ]  # fmt: skip


def card() -> list[Event]:
    face = CardFace("IC14", "Crossfire", "Three new insurgents at the closest free doors or windows. "
                    "All insurgents fire.", "scouted")  # fmt: skip
    return [Drew(text="Intel card IC14, Crossfire.", card=face)]


def explosion() -> list[Event]:
    return [
        Exploded(
            text="A grenade goes off on G7.",
            title="Grenade on G7",
            detail="G7 and the squares around it that no wall shields",
            suffered=(
                Suffered(Badge("1", *ENEMY), "G7", "killed"),
                Suffered(Badge("2", *ENEMY), "H7", "wounded, off the board"),
                Suffered(Badge("3", *ENEMY), "H6", "wounded, off the board"),
                Suffered(Badge("M", *ALPHA), "F8", "1 hit"),
                Suffered(Badge("HO1", "circle", "white"), "F7", "critical"),
            ),
        ),
        Revealed(text="The civilian on D5 is an insurgent.", cell="D5", what="an insurgent"),
    ]


def many(shots: int = 14) -> list[Event]:
    squad = [Badge(c, *ALPHA) for c in "L M DE S HWE SN".split()]
    events: list[Event] = [*card()]
    for n in range(shots):
        attack: dict[str, int] = {}
        if n % 3 == 0:
            attack["side shot"] = 1
        if n % 5 == 4:
            attack = {"direct rear": 3, "heavy weapons": 2}
        defence = {"cover": 1} if n % 4 == 1 else {}
        if n == 6:
            defence = {"leader's shield": 1, "cover": 1}
        one = contest(
            Badge(str(n + 1), *ENEMY), (1 + n * 5 % 6, attack),
            squad[n * 5 % 6], (1 + n * n % 6, defence), HOSTILE,
            "critical: 2 hits" if n == 4 else "",
        )  # fmt: skip
        events.append(
            Rolled(text=f"Insurgent {n + 1} fires.", title=f"Insurgent {n + 1} fires",
                   detail="range 4", contests=(one,), chart=HOSTILE)
        )  # fmt: skip
    return events


def ending() -> list[Event]:
    return [
        Ended(
            text="Six originals stand in GZ1 after 22 of 40 cards. Killed in action: Alpha medic.",
            title="Allied victory: solid",
        )
    ]


def compound() -> View:
    tokens = [
        unit("B12/N", "L", *ALPHA), unit("B13/N", "M", *ALPHA), unit("E11/NE", "DE", *ALPHA),
        unit("D9/E", "S", *ALPHA, current=True), insurgent("G6/W", 1), insurgent("J8/S", 2),
        insurgent("E4/E", 3), insurgent("G11/N", 4), unit("J6", "HO1", "circle", "white", hits=1),
        *chips("civilian", "C", "violet", "B7 F2 J11 M8"),
        *chips("vehicle", "V", "steel", "D8 F13 H3 N6"),
        *chips("lock box", "L", "brown", "D4 H6 K8 N12"),
        unit("K8/N", "HWE", *BRAVO),
    ]  # fmt: skip
    return view("compound", tokens, title="Angel Down · solo", headline="Alpha: choose who acts")


def firing_range() -> View:
    tokens = [
        unit("B10/E", "SN", *ALPHA, current=True), insurgent("I10/W", 1), insurgent("F10/W", 2),
        unit("A10/NE", "M", *ALPHA), unit("D7/SE", "L", *BRAVO),
    ]  # fmt: skip
    return view("range", tokens, title="Firing Range · solo", headline="Alpha: choose a target")


def blast() -> tuple[View, list[Mark], list[str]]:
    marks = [
        Mark("fire", ("N14", "K13")),
        Mark("blast", ("K13", "J13", "L13", "J12", "K12")),
        Mark("hit", ("K13",), "killed"),
        Mark("hit", ("J13",)),
        Mark("spot", ("L14",)),
        Mark("blocked", ("M13",)),
        Mark("path", ("N17", "O17")),
    ]
    return city(), marks, ["K13", "N14", "O17"]


def anything_odd() -> View:
    """What no game should send, and what must be drawn all the same."""
    tokens = [
        unit("A1/E", "LONGCODE", "pentagram", "plaid", role="XYZ", icons=("teapot",) * 6, hits=12),
        unit("B1/W", "", "square", "green", critical=True, hits=2, icons=("wmd", "health")),
        *(unit("C1/S", f"{n}", *ENEMY) for n in range(6)),
        unit("D1", "\U0001f600\u2190", "circle", "white", hidden=True, current=True),
        unit("ZZZ99/N", "X", *ALPHA),
        unit("nowhere", "X", *ALPHA),
        unit("", "X", *ALPHA),
    ]
    return view(
        "range",
        tokens,
        headline="A headline that never seems to end " * 8,
        title="An exceedingly long title of a mission " * 4,
        turn="turn " * 30,
        footer=["fact " * 40, "another", *(f"fact {n}" for n in range(40))],
    )
