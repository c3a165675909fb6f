"""Figures to plot: of a game's dice, of people, of servers; usual ones and odd ones."""

from __future__ import annotations

from games.kernel.entropy import seeded
from games.kernel.luck import Die, faces, kinds
from renderer.plots import Bar, Bars, Course, FacePanel, Rate, Rates, SwingPanel
from renderer.plots.statistics import Section

LONG = "A name that is much longer than anybody needs for a squad $x^2$ _of_ soldiers"


def thrown(number: int, *, loaded: bool = False) -> list[Die]:
    """Dice of two sides in contests and of tests."""
    chance, dice = seeded("plots"), list[Die]()
    for n in range(number):
        dice.append(Die("square", 6, chance.roll(6, "attack")))
        value = chance.roll(6, "defence")
        dice.append(Die("diamond", 6, 1 if loaded and n % 3 else value))
        if n % 2:
            dice.append(Die("S", 10, chance.roll(10, "wind"), "wind", read=True))
            dice.append(Die("S", 6, chance.roll(6, "spot"), "spot", 4 + n % 3))
    return dice


def face_panels(dice: list[Die], name: str = "Alpha squad") -> tuple[FacePanel, ...]:
    return tuple(
        FacePanel(
            name if one.hand == "square" else one.hand.capitalize(),
            f"d{one.sides}, {one.dice} dice",
            tuple((b.label, b.count, float(b.expected), b.least, b.most) for b in one.bins),
        )
        for one in faces(dice)
    )


def swing_panels(dice: list[Die], name: str = "Alpha squad") -> tuple[SwingPanel, ...]:
    return tuple(
        SwingPanel(
            name if one.title == "square" else one.title.capitalize(),
            f"d{one.sides}, {len(one.values)} dice",
            f"{'+' if one.swing[-1] >= 0 else '−'}{abs(float(one.swing[-1])):.1f} points",
            tuple(float(value) for value in one.swing),
            tuple(float(value) ** 0.5 for value in one.variance),
        )
        for one in kinds(dice)
    )


def player() -> tuple[Section, ...]:
    """Somebody who plays two games."""
    return (
        Rates(
            "Games won",
            (
                Rate("Boots on the Ground", 17, 11, 0.413, 0.827),
                Rate("Solo, one squad", 11, 7, 0.354, 0.848, True),
                Rate("Versus", 6, 4, 0.3, 0.903, True),
                Rate("Sniper Kill Confirmed", 1, 0, 0.0, 0.793),
            ),
        ),
        Course(
            "Over time",
            tuple((n * n % 83) ** 2 / 7000 for n in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9)),
            tuple(n % 3 > 0 for n in range(10)),
            "3 Mar 2026",
            "30 Nov 2026",
        ),
        Bars("Missions", (Bar("Hot LZ", 6, 4, "4 of 6"), Bar("Angel Down", 3, 0, "0 of 3"))),
        Bars(
            "Results",
            (Bar("Outstanding", 3, 3, "3"), Bar("Solid", 8, 8, "8"), Bar("Lost", 7, 0, "7")),
        ),
    )


def first() -> tuple[Section, ...]:
    """A single game."""
    return (
        Rates("Games won", (Rate("Boots on the Ground", 1, 1, 0.207, 1.0),)),
        Bars("Missions", (Bar("Hot LZ", 1, 1, "1 of 1"),)),
    )


def odd() -> tuple[Section, ...]:
    """Long names, large numbers, everything at once."""
    return (
        Rates(LONG, tuple(Rate(LONG, 123_456, 123_000, 0.99, 0.998, n > 0) for n in range(9))),
        Course(LONG, (0.0, *(0.5,) * 300, 1.0), (True,) * 302, "1 Jan 1970", "31 Dec 2099"),
        Course("One day", (0.0, 1.0), (False, False), "3 Mar 2026", "3 Mar 2026"),
        Bars(LONG, tuple(Bar(f"{n} {LONG}", 9**n, 9**n // 2, f"{9**n:,}") for n in range(7))),
    )
