"""`/table luck`: what the dice of a game have shown, beside what is to be expected of fair ones.

Only dice that everybody, or one of the reader's own seats, has seen are counted, and all of those:
dice of actions that were taken back, too. They were thrown, and whoever could take the bad ones out of
the count would make any dice look lucky.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, TypeAlias

import discord

from bot import texts
from bot.layout import Image, Letter, Screen, card, gallery, note, text
from bot.refusals import NotStarted
from bot.sessions import Table
from bot.sessions.throws import Thrown
from bot.studio import Studio
from bot.turns import Turns
from games.kernel.luck import Die, Faces, Kind, dice_of, drawn, faces, kinds
from games.kernel.striking import Finding, in_games, streak, swing
from games.kernel.view import View
from games.kernel.wording import minus, signed
from renderer import plots
from renderer.plots import FacePanel, SwingPanel
from renderer.plots.luck import MOST_PANELS, MOST_SWINGS

Interaction: TypeAlias = discord.Interaction[Any]

log = logging.getLogger(__name__)

FACES, SWING = "faces.png", "swing.png"

NO_DICE = "No dice have been thrown in this game yet that you could have seen. Ask again after a few rolls."
ONLY_DRAWS = (
    "No dice have been thrown in this game so far, only {drawn} drawn. What is drawn does not come "
    "again, so it balances itself, and there is no luck to count. `/table verify` proves the draws."
)
DRAWS = "{drawn} drawn as well; what is drawn does not come again and is not counted here."
UNDONE = (
    "Actions that were taken back are counted too ({dice}): the dice were thrown, and leaving them out "
    "would make any dice look lucky."
)
READ = "Dice that are neither good nor bad when they are high are counted among the faces only."
MOST_SHOWN = "The pictures show the kinds that were thrown most."
OUTSIDE = (
    "Out of its range: {what}. At least 19 of 20 games with fair dice show nothing of the kind."
)
INSIDE = "Every face came up about as often as it should."
PROOF = (
    "-# All chances are for as many throws of each kind as there were. `/table verify` proves every "
    "single roll."
)

_NUMBER = re.compile(r" \d.*$")

USUAL, RARE = Fraction(1, 20), Fraction(1, 200)
VERDICTS = (
    "That is nothing unusual.",
    "That is unusual, but happens to somebody who looks often enough.",
    "That is very unusual.",
)


@dataclass(frozen=True)
class Luck:
    """The figures of a game as one reader may know them."""

    title: str
    dice: tuple[Die, ...]
    undone: int
    drawn: int
    names: Mapping[str, str]
    faces: tuple[Faces, ...]
    kinds: tuple[Kind, ...]
    streak: Finding | None
    swing: Finding | None


class Lucks:
    """Answers the question whether the dice are fair."""

    def __init__(self, turns: Turns, studio: Studio) -> None:
        self.turns = turns
        self._studio = studio

    async def show(self, interaction: Interaction) -> None:
        """The figures of the game in the channel, as the user may know them, in a private message."""

        async def work() -> Letter:
            table = await self.turns.table_here(interaction)
            if table.lobby:
                raise NotStarted(table)
            rows = await self.turns.sessions.thrown(table.id)
            seats = table.seats_of(interaction.user.id)
            found = await self._studio.make(luck_of, table, rows, seats)
            if not found.dice:
                return note(nothing(found.drawn))
            images = await self._studio.make(pictures, found)
            return luck_letter(found, images)

        await self.turns.desk.answer(interaction, work)


# --- figures ---


def luck_of(table: Table, rows: Sequence[Thrown], seats: tuple[str, ...]) -> Luck:
    """What somebody with these seats may know of the dice. For a worker. Raises `Unreadable`."""
    dice: list[Die] = []
    undone = cards = 0
    for row in rows:
        events = row.seen_by(seats)
        found = dice_of(events, row.seat)
        dice += found
        undone += len(found) if row.undone else 0
        cards += drawn(events)
    thrown = kinds(dice)
    return Luck(
        title=table.game.title,
        dice=tuple(dice),
        undone=undone,
        drawn=cards,
        names=_names(table, dice, seats),
        faces=faces(dice),
        kinds=thrown,
        streak=streak(thrown),
        swing=swing(thrown),
    )


def _names(table: Table, dice: Sequence[Die], seats: tuple[str, ...]) -> dict[str, str]:
    """The names of hands: of a seat its title, of a counter's outline the units that have it."""
    titles = {holder.seat: holder.title for holder in table.seats}
    names = {die.hand: titles.get(die.hand, "") or "the program" for die in dice if die.name}
    shapes = [die.hand for die in dice if not die.name]
    if shapes:
        own = _shapes(table.view(seats[0] if seats else None))
        names |= {shape: own.get(shape, f"{shape.capitalize()} counters") for shape in shapes}
    return names


def _shapes(view: View) -> dict[str, str]:
    """Whose counters have which outline: by the rosters most of a side, or a single unit with it; else
    what the counters on the board are called (“insurgent 3” is one of the “Insurgents”)."""
    found: dict[str, str] = {}
    for roster in view.rosters:
        shapes = dict.fromkeys(line.badge.shape for line in roster.lines)
        for shape in shapes:
            names = [line.name for line in roster.lines if line.badge.shape == shape]
            if 2 * len(names) > len(roster.lines):
                found.setdefault(shape, roster.title)
            elif len(names) == 1:
                found.setdefault(shape, names[0])
    called: dict[str, set[str]] = {}
    for token in view.board.tokens:
        if not token.hidden:
            called.setdefault(token.badge.shape, set()).add(_NUMBER.sub("", token.name))
    for shape, names in called.items():
        if len(names) == 1:
            found.setdefault(shape, f"{min(names).capitalize()}s")
    return found


# --- in words ---


def nothing(cards: int) -> str:
    """What is said instead of figures when there are no dice."""
    return ONLY_DRAWS.format(drawn=_drawn(cards)) if cards else NO_DICE


def _drawn(cards: int) -> str:
    return "one card or counter was" if cards == 1 else f"{cards:,} cards and counters were"


def _count(number: int) -> str:
    return "One die" if number == 1 else f"{number:,} dice"


def face_title(found: Luck, one: Faces) -> str:
    """Whose dice a panel of faces shows."""
    name = found.names.get(one.hand, one.hand)
    return name if one.contest else f"Tests of {name}"


def kind_title(found: Luck, kind: Kind) -> str:
    """What a panel of swing shows."""
    name = found.names.get(kind.title, kind.title) if kind.contest else kind.title
    return name[:1].upper() + name[1:]


def amount(kind: Kind, size: Fraction) -> str:
    """A swing in words: “+4.5 points”, “−2.3 successes”."""
    tenths = round(10 * size)
    whole, rest = divmod(abs(tenths), 10)
    sign = "+" if tenths > 0 else "−" if tenths < 0 else ""
    number = f"{sign}{whole}.{rest}" if rest else (signed(whole) if tenths > 0 else minus(-whole))
    unit = "success" if kind.hits else "point"
    return f"{number} {unit}{'' if abs(tenths) == 10 else 'es' if kind.hits else 's'}"


def verdict(chance: Fraction) -> str:
    """How unusual something is."""
    return VERDICTS[0 if chance >= USUAL else 1 if chance >= RARE else 2]


def streak_line(found: Luck) -> str:
    """The most striking streak, and how often fair dice have one as striking."""
    one = found.streak
    if one is None or not one.sign:
        return ""
    length, title = int(one.size), texts.plain(kind_title(found, one.kind))
    good = one.sign > 0
    if one.kind.hits:
        what = (
            ("success" if good else "failure")
            if length == 1
            else ("successes" if good else "failures")
        )
    else:
        what = f"{'die' if length == 1 else 'dice'} {'above' if good else 'below'} average"
    row = f"{length} {what} in a row" if length > 1 else f"{length} {what}"
    told = f"a streak at least as {'long' if len(found.kinds) == 1 else 'unlikely'}"
    return (
        f"**{_most(found, 'Longest')} streak:** {row}, {title}. {_as(one.chance)} somebody has "
        f"{told}{_among(found)}. {verdict(one.chance)}"
    )


def swing_line(found: Luck) -> str:
    """The most striking swing, and how often fair dice have one as striking."""
    one = found.swing
    if one is None:
        return ""
    title = texts.plain(kind_title(found, one.kind))
    told = amount(one.kind, one.sign * one.size)
    if not one.sign:
        return f"**Swing:** exactly what was to be expected, {title}."
    off = f"a swing at least as {'large' if len(found.kinds) == 1 else 'unlikely'}"
    return (
        f"**{_most(found, 'Largest')} swing:** {told} against what was to be expected, {title}. "
        f"{_as(one.chance)} somebody has {off}{_among(found)}. {verdict(one.chance)}"
    )


def _most(found: Luck, word: str) -> str:
    """Among unlike throws the most unlikely is told, which need not be the longest."""
    return word if len(found.kinds) == 1 else "Most striking"


def _among(found: Luck) -> str:
    """Who looks at several kinds of throws sees something unlikely more often."""
    number = len(found.kinds)
    return "" if number == 1 else f", in one of the {number} kinds of throws"


def _as(chance: Fraction) -> str:
    told = in_games(chance)
    return f"{told[0].upper()}{told[1:]}"


def faces_line(found: Luck) -> str:
    """Whether any face came up too often or too rarely."""
    out = [
        f"{one.label} came up {one.count} times with {face_title(found, group)} (d{group.sides})"
        for group in found.faces
        for one in group.outside
    ]
    if not out:
        return INSIDE
    more = f" and {len(out) - 3} more" if len(out) > 3 else ""
    return OUTSIDE.format(what=texts.plain("; ".join(out[:3]) + more))


def luck_letter(found: Luck, images: tuple[Image, ...]) -> Letter:
    """The pictures, and what they come to."""
    number = _count(len(found.dice))
    head = f"### Luck at this table\n{number} so far, as far as you could see them."
    lines = [line for line in (faces_line(found), swing_line(found), streak_line(found)) if line]
    small = [
        UNDONE.format(dice=_count(found.undone).lower()) if found.undone else "",
        READ if any(die.read for die in found.dice) else "",
        _as_drawn(found.drawn),
        MOST_SHOWN if len(found.kinds) > MOST_SWINGS or len(found.faces) > MOST_PANELS else "",
    ]
    tail = "\n".join(f"-# {line}" for line in small if line)
    parts = [text(head), text("\n".join(lines)), *gallery(images)]
    if not images:
        parts.append(text(texts.plain(faces_alt(found))))
    return Letter(Screen(card(*parts, text(f"{tail}\n{PROOF}".strip()))), images)


def _as_drawn(cards: int) -> str:
    told = DRAWS.format(drawn=_drawn(cards))
    return told[0].upper() + told[1:] if cards else ""


# --- as pictures ---


def pictures(found: Luck) -> tuple[Image, ...]:
    """Faces, and swings if there are any. For a worker."""
    draws = [partial(_faces, found)] + ([partial(_swings, found)] if found.kinds else [])
    made: list[Image] = []
    for name, draw in zip((FACES, SWING), draws, strict=False):
        try:
            picture = draw()
        except Exception:
            log.exception("a plot (%s) could not be drawn", name)
            continue
        made.append(Image(name, picture.png, picture.alt))
    return tuple(made)


def _faces(found: Luck) -> Any:
    panels = [
        FacePanel(
            face_title(found, one),
            f"d{one.sides}, {_count(one.dice).lower()}",
            tuple((b.label, b.count, float(b.expected), b.least, b.most) for b in one.bins),
        )
        for one in found.faces
    ]
    return plots.faces(panels, "Faces", found.title, faces_alt(found))


def faces_alt(found: Luck) -> str:
    """The faces in words."""
    parts = [
        f"{face_title(found, one)}, d{one.sides}, {_count(one.dice).lower()}: "
        + ", ".join(f"{b.label}: {b.count}" for b in one.bins)
        + f" times ({float(one.bins[0].expected):.1f} times each to be expected)."
        for one in found.faces
    ]
    return " ".join(parts)


def _swings(found: Luck) -> Any:
    panels = [
        SwingPanel(
            kind_title(found, kind),
            f"d{kind.sides}, {_count(len(kind.values)).lower()}",
            amount(kind, kind.swing[-1]),
            tuple(float(value) for value in kind.swing),
            tuple(float(value) ** 0.5 for value in kind.variance),
        )
        for kind in found.kinds
    ]
    return plots.swings(panels, "Swing", found.title, swings_alt(found))


def swings_alt(found: Luck) -> str:
    """The swings in words."""
    parts = [
        f"{kind_title(found, kind)}, d{kind.sides}, {_count(len(kind.values)).lower()}: "
        f"{amount(kind, kind.swing[-1])} against what was to be expected; two standard deviations "
        f"are {2 * float(kind.variance[-1]) ** 0.5:.1f}."
        for kind in found.kinds
    ]
    return " ".join(parts)
