"""Campaigns and service records to draw."""

from __future__ import annotations

from games.kernel.campaign import CampaignView, Grading, Stage
from games.kernel.service import Entry, Service, service

RATINGS = ((0, "Green"), (12, "Regular"), (18, "Veteran"), (24, "Legend"))
TITLES = (
    "Hot LZ",
    "Bring Them Home",
    "Yellow Rain",
    "Block by Block",
    "Angel Down",
    "Most Wanted",
)
NAMES = {title.lower().replace(" ", "-"): title for title in TITLES}
MODES = {
    "solo1": "Solo, one squad",
    "coop": "Co-op, a squad each",
    "comp": "Race, a squad each",
    "versus": "Versus",
}
GRADING = Grading(("Narrow", "Solid", "Outstanding"), "Intel cards")


def _stage(title: str, result: str, points: int, cards: int, kia: int) -> Stage:
    return Stage(title, result, points, {"Intel cards": cards, "Own KIA": kia}, most=6)


def half_way() -> CampaignView:
    """Three missions played, two G.I.s in the next."""
    return CampaignView(
        "Tour of duty",
        (
            _stage(TITLES[0], "Outstanding", 6, 9, 0),
            _stage(TITLES[1], "Defeat", 0, 30, 4),
            _stage(TITLES[2], "Solid", 4, 21, 2),
            Stage(
                TITLES[3],
                "",
                None,
                note="G.I.s stand in for Alpha’s Medic and Alpha’s Sniper.",
                most=6,
            ),
            Stage(TITLES[4], "", None, most=6),
            Stage(TITLES[5], "", None, most=6),
        ),
        10,
        36,
        "Green",
        TITLES[3],
        RATINGS,
    )


def ended() -> CampaignView:
    """A whole tour with some glory."""
    results = (
        ("Outstanding", 6, 9, 0),
        ("Solid", 5, 30, 0),
        ("Solid", 4, 21, 2),
        ("Narrow", 1, 25, 11),
        ("Defeat", 0, 12, 12),
        ("Outstanding", 5, 14, 1),
    )
    stages = tuple(_stage(t, *r) for t, r in zip(TITLES, results, strict=True))
    return CampaignView("Tour of duty", stages, 21, 36, "Veteran", "", RATINGS)


def begun() -> CampaignView:
    """Nothing played yet."""
    stages = tuple(Stage(title, "", None, most=6) for title in TITLES)
    return CampaignView("Tour of duty", stages, 0, 36, "Green", TITLES[0], RATINGS)


def bank() -> CampaignView:
    """A campaign of another kind: no most per mission, notes on played ones, a long rating."""
    stages = [
        Stage("1. Market", "Major", 11, {"KP": 13, "Kills": 6, "Wounds": 2}, "General Ro dead"),
        Stage("2. Harbour", "KIA", 0, {"KP": 4, "Kills": 3, "Wounds": 4}, "VIP not seen"),
        Stage(
            "3. Refinery", "Minor", 7, {"KP": 8, "Kills": 4, "Wounds": 1}, "Banker; bought Ghillie"
        ),
    ]
    stages += [Stage(f"Mission {n}", "", None) for n in range(4, 11)]
    rating = "60 for a minor, 80 for a major victory; bank 11 KP, failures 1 of 3"
    ratings = ((0, "Failed"), (60, "Minor victory"), (80, "Major victory"))
    return CampaignView("Sniper campaign", tuple(stages), 18, 80, rating, "Mission 4", ratings)


def odd() -> CampaignView:
    """Long names, many points, characters that the font lacks."""
    long = "The long, long road to a place whose name nobody in the whole squad can pronounce"
    stages = (
        Stage(long, "A result with a very long name", 40, {"Figures of fun": 123456}, most=60),
        Stage("村 📯", "", None, note=long + ". " + long + ".", most=60),
    )
    return CampaignView(long, stages, 40, 120, "Somebody of note", "村 📯", ((0, "x"), (1, "y")))


def _entry(
    number: int,
    mission: int,
    mode: str,
    level: str,
    cards: int,
    kia: int,
    killed: int,
    saved: int = 0,
) -> Entry:
    figures = {
        "Intel cards": cards,
        "Insurgents killed": killed,
        "Own KIA": kia,
        "Hostages saved": saved,
    }
    name = list(NAMES)[mission]
    most = (20, 30, 30, 25, 25, 0)[mission] if mode in ("solo1", "versus") else 60
    par = 20 if mission == 5 else 0
    return Entry(f"s{number}", name, mode, bool(level), level, figures, most, par)


def busy() -> Service:
    """Somebody who plays a lot."""
    played = [
        (0, "solo1", "Outstanding", 9, 0, 7), (0, "solo1", "Solid", 13, 1, 8),
        (0, "solo1", "", 20, 4, 11), (0, "coop", "Solid", 24, 2, 14), (0, "versus", "", 18, 6, 9),
        (1, "solo1", "Narrow", 27, 3, 12, 2), (1, "solo1", "", 30, 2, 6, 1),
        (1, "coop", "Outstanding", 22, 0, 15, 3), (2, "solo1", "Solid", 19, 1, 10),
        (2, "comp", "Narrow", 44, 2, 21), (2, "comp", "", 60, 5, 17), (3, "solo1", "Narrow", 24, 3, 19),
        (4, "solo1", "", 25, 5, 8), (4, "solo1", "", 22, 6, 5), (5, "solo1", "Solid", 27, 1, 16),
        (5, "solo1", "Outstanding", 18, 0, 12), (0, "versus", "Narrow", 20, 3, 9),
    ]  # fmt: skip
    entries = [_entry(number, *each) for number, each in enumerate(played)]
    return service("Boots on the Ground", GRADING, entries, NAMES, MODES)


def first() -> Service:
    """One mission, lost."""
    return service(
        "Boots on the Ground", GRADING, [_entry(1, 0, "solo1", "", 20, 2, 3)], NAMES, MODES
    )


def ungraded() -> Service:
    """A game without levels, measure or figures, and with many missions."""
    entries = [Entry(f"s{n}", f"m{n % 14}", "duel", n % 3 > 0, "", {}) for n in range(40)]
    titles = {f"m{n}": f"Mission {n + 1}" for n in range(14)}
    return service("Toy Skirmish", Grading(), entries, titles, {"duel": "Duel"})
