"""Views of zone boards and tests of dice made by hand, for the goldens."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from games.kernel.event import Drew, Ended, Event, Modifier, Noted, Tested, Throw
from games.kernel.view import (
    Badge,
    CardFace,
    Mark,
    Place,
    PlaceCard,
    Roster,
    RosterLine,
    Task,
    Token,
    Track,
    View,
    ZoneBoard,
)

DATA = Path(__file__).parents[2] / "data" / "sniper" / "locations.toml"

TEAM = Badge("S", "square", "green")
SPOTTER = Badge("O", "square", "lime")
NEEDS = ("", "Morale 20", "Morale 40", "Morale 65", "Morale 90", "VIP attempted")

CARDS: dict[str, tuple[tuple[str, tuple[int, int, int, int], tuple[str, ...]], ...]] = {
    "jungle": (
        ("Wired Path", (1, 0, 1, 2), ("a trap: 1 or 2 on a die wounds lightly",)),
        ("Bamboo Stand", (2, 0, 1, 2), ()),
        ("River Crossing", (0, 0, 2, 3), ()),
        ("Mangrove Swamp", (1, 0, 2, 2), ()),
        ("Overgrown Temple", (2, 0, 1, 2), ("a cache: draw two Action cards",)),
        ("Downpour", (1, -1, 1, 2), ("no patrols come here",)),
    ),
    "ruined_city": (
        ("Rubble Street", (1, 0, 2, 2), ()),
        ("Leaning Tower Block", (2, 1, 2, 3), ()),
        ("Radio Mast", (0, 0, 1, 2), ("a relay: airstrikes succeed on 5 and 6",)),
        ("Open Plaza", (0, 0, 1, 3), ("contact: two hostiles at medium range",)),
        ("Field Hospital", (1, 0, 1, 2), ("help: one light wound is healed",)),
        ("Street Barricade", (1, 0, 1, 2), ("a patrol is waiting",)),
    ),
    "desert": (
        ("Hardpan", (0, 1, 1, 3), ()),
        ("Dune Crest", (1, 1, 2, 2), ()),
        ("Sandstorm", (1, -1, 1, 2), ("no patrols come here",)),
        ("Rock Outcrop", (1, 0, 1, 2), ()),
        ("Water Tower", (1, 1, 1, 2), ("a relay: airstrikes succeed on 5 and 6",)),
        ("Old Minefield", (0, 0, 2, 2), ("a trap: 1 or 2 on a die wounds lightly",)),
    ),
    "countryside": (
        ("Tall Grass, Hollow", (1, 0, 1, 1), ()),
        ("Drainage Ditch", (2, 0, 1, 1), ()),
        ("Grass in the Wind", (1, -1, 1, 1), ("no patrols come here",)),
        ("Farmyard Dogs", (1, 0, 1, 2), ("alarm: the Reserve track goes up by one",)),
        ("Barn Loft", (1, 1, 1, 2), ()),
        ("Crossroads Inn", (0, 0, 1, 2), ("a patrol is waiting",)),
    ),
}  # fmt: skip


def signed(value: int) -> str:
    return f"+{value}" if value > 0 else f"−{-value}" if value < 0 else "0"


@lru_cache
def locations() -> dict[str, Any]:
    return tomllib.loads(DATA.read_text())["locations"]


def board(key: str, zone: int, tokens: Sequence[Token], *, morale: int, tried: bool) -> ZoneBoard:
    data = locations()[key]
    rows = data["rows"].strip().split("\n")
    places: list[Place] = []
    for number in range(1, 7):
        name, figures, remarks = CARDS[key][number - 1]
        cover, fire, move, crawl = figures
        card = PlaceCard(
            name,
            (("cover", str(cover)), ("fire", signed(fire)), ("move", str(move)),
             ("crawl", str(crawl))),
            remarks,
        )  # fmt: skip
        needed = (0, 20, 40, 65, 90, 0)[number - 1]
        free = tried if number == 6 else morale >= needed
        places.append(
            Place(
                number=number,
                name=data["zone_names"][number - 1],
                ground=tuple(row[6 * number - 6 : 6 * number] for row in rows),
                card=card if number <= zone else None,
                current=number == zone,
                open=number <= zone or (number == zone + 1 and free),
                needs=NEEDS[number - 1],
            )
        )
    return ZoneBoard(key, tuple(places), tuple(tokens), focus=(f"{zone}:team",))


def team(zone: int, *, spotter: bool = True, **more: Any) -> list[Token]:
    cell = f"{zone}:team"
    found = [Token("TEAM", "the sniper", cell, TEAM, current=True, **more)]
    return [*found, Token("SPOTTER", "the spotter", cell, SPOTTER)] if spotter else found


def group(zone: int, at: str, count: int, *, spotted: bool = False) -> Token:
    face = Badge(str(count), "diamond", "slate" if spotted else "grey")
    note = "spotted" if spotted else "unspotted"
    return Token("ENEMY", f"hostile group of {count}", f"{zone}:{at}", face, note=note)


def marksman(zone: int, at: str, shots: int) -> Token:
    face = Badge("S", "diamond", "red")
    return Token("ENEMY", "enemy sniper", f"{zone}:{at}", face, note=f"shots at him: {shots}")


def patrol(zone: int, count: int) -> Token:
    face = Badge(str(count), "diamond", "slate")
    return Token("PATROL", f"patrol of {count}", f"{zone}:team", face, note="patrol")


def vip(name: str = "", note: str = "", tone: str = "violet") -> Token:
    if not name:
        return Token("VIP", "the VIP", "5:vip", Badge("VIP?", "circle", "violet"), hidden=True)
    return Token("VIP", name, "5:vip", Badge("VIP", "circle", tone), note=note)


def view(
    shown: ZoneBoard,
    *,
    turn: str,
    headline: str,
    morale: int,
    reserve: int = 1,
    light: int = 0,
    critical: int = 0,
    counters: int = 0,
    kp: int = 0,
    kills: int = 0,
    crawl: tuple[int, int] | None = (0, 2),
    spotter: bool = True,
    gun: str = "clear",
    rifle: str = "M40A3 Sniper Rifle",
    gear: str = "",
    cards: tuple[CardFace, ...] = (),
    hand: tuple[CardFace, ...] = (),
) -> View:
    zone = next(p.number for p in shown.places if p.current)
    needed = (20, 40, 65, 90, 0, 0)[zone - 1]
    tracks = [
        Track("Enemy Reserve", str(reserve), "8", boxes=8, danger=True),
        Track("Morale", str(morale), str(needed) if needed else ""),
        Track("Wounds", str(light + critical), "5", boxes=5, danger=True),
        Track("Critical", str(critical), "3", boxes=3, danger=True),
        Track("Kill counters", str(counters), boxes=5),
        Track("Kill Points", str(kp)),
        Track("Kills", str(kills)),
    ]
    if crawl:
        tracks.append(Track("Crawl", str(crawl[0]), str(crawl[1]), boxes=crawl[1]))
    lines = [
        RosterLine(TEAM, "Sniper", f"Zone {zone}", f"{light} light, {critical} critical"),
        RosterLine(SPOTTER, "Spotter", "", "alive" if spotter else "dead", not spotter),
        RosterLine(Badge("R", "block", "steel"), rifle, "", gun),
    ]
    if gear:
        lines.append(RosterLine(Badge("G", "chip", "brown"), "Gear", "", gear))
    return View(
        game="sniper",
        title=f"Sniper Kill Confirmed · {locations()[shown.key]['title']}",
        turn=turn,
        headline=headline,
        tasks=(Task("SNIPER", "play cards, or end phase I"),),
        board=shown,
        tracks=tuple(tracks),
        rosters=(Roster("The team", tuple(lines)),),
        cards=cards,
        hand=hand,
        footer=(
            "Hand 5 + 2",
            "Action pile 41, discards 12",
            "Tactical 20",
            "Hostile 31, discards 5",
        ),
    )


def start() -> View:
    contact = Token("CONTACT", "somebody out there", "1:long", Badge("?", "diamond", "grey"),
                    hidden=True)  # fmt: skip
    shown = board("jungle", 1, [*team(1), contact, vip()], morale=10, tried=False)
    return view(
        shown,
        turn="Turn 1, phase I · Zone 1, Landing",
        headline="Sniper: play cards, or end phase I (a patrol may come by).",
        morale=10,
    )


def city() -> View:
    tokens = [*team(3, hits=2), group(3, "medium", 3, spotted=True), vip()]
    shown = board("ruined_city", 3, tokens, morale=45, tried=False)
    card = CardFace("h3", "Fire team", "Three hostiles at long range.", "in play")
    return view(
        shown,
        turn="Turn 7, phase III · Zone 3, Main Street",
        headline="Sniper: play cards, or end the turn (radio, then the enemy’s reserves).",
        morale=45,
        reserve=4,
        light=2,
        counters=3,
        kp=1,
        kills=8,
        crawl=(1, 2),
        gun="clear, 2 fire actions open at the enemy, Windage Call, focus WIND",
        cards=(card,),
        hand=hand_cards(),
    )


def desert() -> View:
    warlord = vip("The Bomb Maker", "long, moving, fires left: 1")
    shown = board("desert", 5, [*team(5, spotter=False, hits=4, icons=("claymore",)), warlord],
                  morale=110, tried=True)  # fmt: skip
    card = CardFace("V4", "The Bomb Maker", "At long range, moving; worth 2 extra KP.", "VIP")
    return view(
        shown,
        turn="Mission 6 · Turn 12, phase II · Zone 5, Compound",
        headline="Sniper: play cards, or end phase II (an enemy may appear).",
        morale=110,
        reserve=7,
        light=2,
        critical=2,
        counters=4,
        kp=5,
        kills=24,
        spotter=False,
        gun="jammed, 1 fire action open at the VIP",
        rifle="M200",
        gear="Combat Knife, M9 Sidearm, Ghillie Suit, Laser Rangefinder and Med Kits 2",
        cards=(card,),
    )


def country() -> View:
    tokens = [*team(4, hits=1), patrol(4, 4), marksman(4, "short", 1), vip()]
    shown = board("countryside", 4, tokens, morale=70, tried=False)
    return view(
        shown,
        turn="Turn 9, phase patrol · Zone 4, Hedgerows",
        headline="Spotter: answer the patrol of 4: hide, escape or fight.",
        morale=70,
        reserve=3,
        light=1,
        counters=2,
        kp=2,
        kills=12,
        gear="Spotting Scope",
    )


def way_out() -> View:
    dead = vip("The Warlord", "dead", "steel")
    shown = board("jungle", 6, [*team(6), dead, group(6, "long", 2)], morale=125, tried=True)
    return view(
        shown,
        turn="Turn 15, phase VI · Zone 6, Strip",
        headline="Sniper: extract, or stay another turn.",
        morale=125,
        reserve=5,
        counters=0,
        kp=7,
        kills=25,
        crawl=None,
    )


def shot_marks() -> list[Event]:
    return [
        Noted(
            text="The shot misses; the group of 3 comes closer, to medium range.",
            marks=(Mark("fire", ("3:team", "3:medium")), Mark("hit", ("3:medium",), "1 killed")),
        )
    ]


def crossing() -> tuple[View, list[Event], list[str]]:
    """The team has moved on and met somebody."""
    tokens = [*team(3), group(3, "medium", 2), vip()]
    shown = board("desert", 3, tokens, morale=45, tried=False)
    seen = view(
        shown,
        turn="Turn 6, phase II · Zone 3, Rocks",
        headline="Sniper: play cards, or end phase II (an enemy may appear).",
        morale=45,
        reserve=2,
        kills=9,
        kp=1,
        counters=4,
    )
    moved = Noted(
        text="The team enters Zone 3, Rocks.",
        marks=(Mark("path", ("2:team", "3:team")), Mark("spot", ("3:medium",))),
    )
    return seen, [moved], ["2:team", "3:team", "3:medium"]


def targets() -> tuple[list[Mark], list[str], list[tuple[str, str]]]:
    """Every kind of help while choosing, for the desert."""
    marks = [
        Mark("target", ("5:vip",), "−3"),
        Mark("fire", ("5:team", "5:vip")),
        Mark("arc", ("5:medium",)),
        Mark("reach", ("5:short",), "2"),
        Mark("blocked", ("5:long",)),
        Mark("blast", ("5:exit",)),
    ]
    return marks, ["5:team", "5:vip"], [("5:vip", "A"), ("5:team", "B"), ("5:short", "C")]


def with_hand(cards: tuple[CardFace, ...]) -> View:
    return msgspec.structs.replace(city(), hand=cards)


def hand_cards() -> tuple[CardFace, ...]:
    return (
        CardFace(
            "action:fire",
            "Fire",
            "Opens a fire: two shots at one target. Drawn over the radio it calls an airstrike.",
            "×2",
        ),
        CardFace("action:blank", "Blank", "Two of them make one Fire card."),
        CardFace(
            "action:movement",
            "Movement",
            "Moves the team on foot to the next zone, or pays for the extraction.",
        ),
        CardFace(
            "action:crawl",
            "Crawl",
            "One step of crawling towards the next zone, unseen; it can pay for the extraction too.",
            "×3",
        ),
        CardFace("tactical:steady_breath", "Steady Breath", "+2 on one shot."),
        CardFace(
            "tactical:overwatch",
            "Overwatch",
            "While the spotter lives: groups are spotted by themselves this turn, and every shot "
            "has +1.",
        ),
    )


def full_hand() -> tuple[CardFace, ...]:
    more = (
        ("action:hidden", "Hidden",
         "Lets a patrol walk past, or keeps the enemy from firing at a Move.", ""),
        ("action:binocs", "Binocs", "Spots the hostile group without a die.", ""),
        ("action:medkit", "Med Kit", "Removes one light wound.", ""),
        ("tactical:muffled_shot", "Muffled Shot",
         "If this shot misses, the hostile group stays where it is.", ""),
        ("tactical:double_tap", "Double Tap", "If this shot misses, fire once more for free.", ""),
        ("tactical:windage_call", "Windage Call",
         "For the rest of the turn no wind counts against you.", ""),
        ("tactical:rapid_clear", "Rapid Clear", "The jammed gun works again.", ""),
        ("tactical:smoke", "Smoke",
         "Gets rid of the enemy in play, or of a patrol, without a fight.", "×2"),
        ("tactical:claymore", "Claymore",
         "Lay it: the next Close Combat begins with two hostiles dead.", ""),
        ("tactical:priority_channel", "Priority Channel",
         "The radio gets through without drawing a card.", ""),
        ("tactical:adrenaline", "Adrenaline", "Draw two Action cards.", ""),
        ("tactical:field_dressing", "Field Dressing", "Removes one light wound.", ""),
        ("tactical:ghost", "Ghost", "Use it wherever a Hidden card would help.", ""),
        ("tactical:local_informant", "Local Informant",
         "At once: the Enemy Reserve track goes back one box.", ""),
        ("tactical:spooked_birds", "Spooked Birds",
         "At once: the enemy in play comes one box closer.", ""),
        ("tactical:dead_air", "Dead Air", "At once: no radio this turn.", ""),
    )  # fmt: skip
    return (*hand_cards(), *(CardFace(*card) for card in more))


# ------------------------------------------------------------------ tests of dice


def shot(
    dice: tuple[int, int] = (5, 4),
    *,
    behaviour: int | None = 2,
    wind: tuple[int, ...] = (4,),
    gun: int = 6,
    at: str = "long",
    more: dict[str, int] | None = None,
) -> Tested:
    throws: list[Throw] = []
    modifiers: dict[str, int] = {}
    if behaviour is not None:
        throws.append(
            Throw("behaviour", (behaviour,), 6, note="moving" if behaviour < 4 else "still")
        )
        if behaviour < 4:
            modifiers["moving"] = -1
    modifiers[f"{at} range"] = {"long": -2, "medium": -1, "short": 0}[at]
    best = max(wind)
    drm = -2 if best < 3 else -1 if best < 6 else 1 if best == 10 else 0
    name = {-2: "strong crosswind", -1: "crosswind", 0: "light wind", 1: "dead calm"}[drm]
    modifiers["wind"] = drm
    throws.append(Throw("wind", wind, 10, note=f"{name} {signed(drm)}"))
    modifiers |= more or {}
    throws.append(Throw("shot", dice, 6))
    throws.append(Throw("gun check", (gun,), 10, note="jammed" if gun == 1 else "clear"))
    named = tuple(Modifier(n, v) for n, v in modifiers.items() if v)
    total = sum(dice) + sum(m.value for m in named)
    hit = total >= 7 and gun != 1
    verdict = "jammed, the shot is not taken" if gun == 1 else "hit" if hit else "miss"
    title = f"Shot at the group of 3 at {at} range"
    return Tested(
        text=f"{title}: {total} against 7, {verdict}.",
        title=title,
        detail="",
        throws=tuple(throws),
        modifiers=named,
        total=total,
        target=7,
        verdict=verdict,
        good=hit,
    )


def tested(title: str, throw: Throw, verdict: str, good: bool | None) -> Tested:
    text = f"{title}: {verdict}."
    return Tested(text=text, title=title, detail="", throws=(throw,), verdict=verdict, good=good)


def one_shot() -> list[Event]:
    steady = shot((6, 4), more={"location": 1, "Mk 13": 1, "Steady Breath": 2})
    return [steady, Noted(text="1 kill, Morale +5 to 50.")]


def spot(die: int, need: int = 3) -> Tested:
    verdict = "spotted" if die >= need else "nothing to be seen"
    return tested("Spotting", Throw("spot", (die,), 6, need), verdict, die >= need)


def close_combat() -> list[Event]:
    def ours(dice: tuple[int, ...], killed: int, of: int) -> Tested:
        return tested("Close Combat", Throw("our attack", dice, 6, 3), f"{killed} of {of} killed",
                      killed > 0)  # fmt: skip

    def theirs(dice: tuple[int, ...], hits: int) -> Tested:
        words = f"{hits} hit{'' if hits == 1 else 's'}" if hits else "no hit"
        return tested("They strike back", Throw("their attack", dice, 6, 5, "4 plus cover 1"), words,
                      hits == 0)  # fmt: skip

    def spotter(dice: tuple[int, int], dead: bool) -> Tested:
        return tested("The spotter", Throw("2d6, a double six kills him", dice, 6),
                      "killed" if dead else "unhurt", not dead)  # fmt: skip

    return [
        Noted(text="The group of 4 is upon the team: Close Combat."),
        ours((2, 1, 4, 2), 1, 4),
        Noted(text="1 kill, Morale +5 to 55."),
        theirs((5, 3, 6), 2),
        Noted(text="A critical wound: now 1 light, 1 critical."),
        spotter((3, 5), False),
        Noted(text="A critical wound: now 1 light, 2 critical."),
        spotter((6, 6), True),
        ours((3, 2, 6, 1), 2, 3),
        Noted(text="2 kills, Morale +10 to 65, 1 Kill Point gained."),
        theirs((4,), 0),
        ours((5, 5, 4, 2), 1, 1),
        Noted(text="1 kill, Morale +5 to 70."),
    ]


def airstrike() -> list[Event]:
    throw = Throw("airstrike, any die is enough", (2, 6), 6, 6)
    return [
        Noted(text="Radio: Fire, a signal."),
        tested("Airstrike", throw, "success, Morale +15", True),
        Noted(text="2 kills, 1 Kill Point gained."),
        Noted(text="Enemy reserve: Lone sentry, nothing happens."),
    ]


def trouble() -> list[Event]:
    """A patrol that catches the team, and the cards around it."""
    face = CardFace("VIP", "The Warlord", "At long range, stationary; worth 2 extra KP.")
    escape = Throw("escape, any die is enough", (1, 4, 3), 6, 6)
    return [
        Drew(text="VIP: The Warlord. At long range, stationary; worth 2 extra KP.", card=face),
        tested("Escape from the patrol", escape, "the team is caught: 1 critical wound", False),
    ]


def engagement() -> list[Event]:
    """A long short cut: spotting, five shots, an enemy who comes near, Close Combat."""
    return [
        spot(2),
        spot(5),
        shot((5, 4), behaviour=5, wind=(7,)),
        Noted(text="1 kill, Morale +5 to 15."),
        shot((2, 3), behaviour=4, wind=(6,)),
        Noted(text="The group of 2 comes closer, to medium range."),
        shot((3, 3), behaviour=1, wind=(2, 8), at="medium"),
        Noted(text="The group of 2 comes closer, to short range."),
        shot((4, 4), behaviour=6, wind=(10,), at="short", gun=1),
        shot((1, 2), behaviour=3, wind=(4,), at="short", more={"no spotter": -2, "Overwatch": 1}),
        Noted(text="The group of 2 is upon the team: Close Combat."),
        *close_combat()[1:6],
        tested("The enemy sniper fires", Throw("enemy sniper", (4, 1, 2), 6, 6, "4 plus cover 2"),
               "no hit", True),
        spot(1),
        spot(3),
    ]  # fmt: skip


def mission_end() -> list[Event]:
    return [
        Ended(
            text="Major victory. The Warlord is dead and the team is out: 7 Kill Points, 2 wounds, "
            "5 Victory Points.",
            title="Major victory",
        )
    ]


def odd_tests() -> list[Event]:
    """Tests no game should make: strange dice, endless words, sums of nothing."""
    long = "a name that never seems to end " * 4
    many = Throw(long, tuple(n % 6 + 1 for n in range(30)), 6, 4, long)
    strange = (Throw("d20", (20, 7), 20, 12, "high"), Throw("d8", (8,), 8), Throw("none", (), 6),
               Throw("seven on a d6", (7, 0), 6))  # fmt: skip
    modifiers = tuple(Modifier(f"{long} {n}", n - 4) for n in range(12))
    return [
        Tested(text="", title=long, detail="", throws=(many,), verdict=long, good=None),
        Tested(text="", title="Strange", detail=long, throws=strange, modifiers=modifiers,
               total=-12, target=1234, verdict="", good=False),
        Tested(text="", title="", detail="", throws=(), verdict="nothing was thrown", good=True),
    ]  # fmt: skip


def odd() -> View:
    """What no game should send, and what must be drawn all the same."""
    places = (
        Place(7, "A zone with an exceedingly long name", ("?!", "~~~~~~~~~~"), current=True),
        Place(
            8,
            "",
            (),
            PlaceCard("Card " * 12, (("teapot", "1,000,000"),) * 6, ("remark " * 20,) * 6),
        ),
        Place(9, "No ground", ("",), needs="everything that can be needed " * 3),
    )
    tokens = [
        *(Token(f"T{n}", f"token {n}", "7:team", Badge(f"{n}", "star", "plaid"), note="a note " * n)
          for n in range(9)),
        Token("A", "", "7:long", Badge("", "circle", "white"), hidden=True),
        Token("B", "nowhere", "", TEAM),
        Token("C", "far", "99:long", TEAM),
        Token("D", "none", "7:cellar", TEAM),
        Token("E", "wrong", "A1", TEAM),
    ]  # fmt: skip
    lines = tuple(RosterLine(TEAM, "name " * 9, "", "state " * 30, bool(n % 2)) for n in range(30))
    return View(
        game="odd",
        title="title " * 40,
        turn="turn " * 30,
        headline="headline " * 40,
        tasks=(),
        board=ZoneBoard("odd", places, tuple(tokens)),
        tracks=(
            Track("A track with a very long name indeed, too long", "many", boxes=40, danger=True),
            Track("Empty", "", "", boxes=3),
            Track("Number " * 12, "1,234,567,890", "9,999,999,999"),
            Track("Over", "9", boxes=2),
        ),
        rosters=(Roster("r", lines),),
        cards=tuple(CardFace(f"c{n}", "title " * 20, "text " * 60, "badge " * 9) for n in range(7)),
        hand=tuple(
            CardFace(f"kind {n}:x", "title " * 9, "text " * 90, "badge " * 4) for n in range(40)
        ),
        footer=tuple(f"fact {n}" for n in range(40)),
    )  # fmt: skip
