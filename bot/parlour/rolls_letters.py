"""A roll, the rolls of a channel and their proof as messages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from discord import ui

from bot import texts
from bot.custom_ids import Press
from bot.layout import (
    GREY,
    Attached,
    Image,
    Item,
    Letter,
    Screen,
    Style,
    button,
    card,
    download,
    gallery,
    note,
    rows,
    text,
)
from bot.parlour.rolls_kept import Kept, Page
from bot.refusals import Refused
from games.parlour import notation as n
from games.parlour.notation import Fault, Notation
from games.parlour.notation_reading import read
from games.parlour.roll import MOST_EXTRA, Outcome, Rolled
from games.parlour.roll_average import average, told
from games.parlour.roll_words import added_up, dice_text, figures, successes

ROLL = ".roll"
"""What the names of all controls of rolls begin with."""
AGAIN, SHOW = f"{ROLL}_again", f"{ROLL}_show"
NEWER, OLDER, PROOF = f"{ROLL}s_newer", f"{ROLL}s_older", f"{ROLL}s_proof"

SESSION = "rolls"
"""What stands where other controls have their session; the version is a roll's id."""

ON_PAGE = 10
MOST_AVERAGES = 5
LONGEST_NOTATION = 120
"""Characters of a notation that a message repeats."""
LONGEST_HINT, MOST_HINTS = 100, 25
"""What Discord takes for one suggestion, and how many."""
ROOM = 2_800
"""Characters of a message for all its results."""
LONGEST_KEPT = 100_000
"""Characters of a notation that was kept: repeats are written out in it."""
DEEPEST_KEPT = 2 * n.DEEPEST
"""How deep its parentheses and signs may lie: a sign within an expression is kept in parentheses."""

SECRET = "-# Only you see this. The channel was told that you rolled in secret, and nothing else."
SEAL = (
    "-# First roll under this channel's seal `{seal}`: every roll to come is bound to it. "
    "`/rolls` gives the proof."
)
SEALED = "-# This channel's dice and cards are under the seal `{seal}`."
CUT = f"-# More than {MOST_EXTRA} dice exploded or were rolled again; the last of them stay as they lay."
NO_ROLLS = "There are no rolls of this channel to show you. `/roll dice:2d6+1` rolls dice."
PROVED = (
    "### The dice of this channel\n"
    "{count}, each with the key it was made from and the way from that key to the seal, which was "
    "shown with the first roll under it and cannot be changed since. Secret rolls of other people are "
    "not in it, and their keys cannot be worked out from it; yours are, so think before you pass it "
    "on.\n"
    "To check, with nothing but Python: save the file, fetch Fieldpost's source, and run\n"
    "`python -m games.kernel.verify {name}`\n"
    "It says OK for every roll, or what is wrong. Into every result goes the id that Discord gave the "
    "command, which nobody can know before."
)


def refused(fault: Fault) -> Refused:
    """A fault of a notation as a refusal that points at the character."""
    if not fault.source:
        return Refused(fault.sentence)
    shown = n.pointed(fault).replace("`", "'")
    return Refused(f"{fault.sentence}\n```\n{shown}\n```")


def again(roll: Kept) -> Notation:
    """The notation of a roll that was kept."""
    return read(roll.notation, longest=LONGEST_KEPT, deepest=DEEPEST_KEPT)


def roll_letter(
    roll: Kept, pictures: tuple[Image, ...], *, seal: str = "", shown: bool = False
) -> Letter:
    """A roll for everybody. `seal`: to be told with it; `shown`: it was secret until now."""
    return _letter(roll, pictures, "shows a secret roll:" if shown else "rolled", seal)


def secret_letter(roll: Kept, pictures: tuple[Image, ...]) -> Letter:
    """A secret roll for whoever made it."""
    show = button("Show everybody", _press(SHOW, roll.id), Style.primary)
    return _letter(roll, pictures, "rolled", "", SECRET, show)


def secret_notice(roll: Kept, seal: str = "") -> Letter:
    """What everybody reads of a secret roll."""
    told = [f"**{_name(roll)}** rolled in secret."]
    if seal:
        told.append(SEAL.format(seal=seal))
    return note("\n".join(told), colour=GREY)


def _letter(
    roll: Kept,
    pictures: tuple[Image, ...],
    does: str,
    seal: str,
    first: str = "",
    *buttons: ui.Button[Any],
) -> Letter:
    head = f"**{_name(roll)}** {does} `{_short(roll)}`"
    if roll.label:
        head += f" · {texts.plain(roll.label)}"
    parts = [first] if first else []
    parts += [head, "\n".join(_lines(roll.outcome))]
    small = [_averages(again(roll))]
    if roll.outcome.cut:
        small.append(CUT)
    if seal:
        small.append(SEAL.format(seal=seal))
    items: list[Item] = [text(part) for part in parts]
    items += gallery(pictures)
    if any(small):
        items.append(text("\n".join(line for line in small if line)))
    controls = [*buttons, button("Roll again", _press(AGAIN, roll.id))]
    return Letter(Screen(card(*items, *rows(controls))), pictures)


def _press(verb: str, roll_id: int) -> str:
    return str(Press(SESSION, roll_id, verb))


def _name(roll: Kept) -> str:
    return texts.plain(texts.clip(roll.name, 60)).strip() or "Somebody"


def _short(roll: Kept) -> str:
    """The notation without labels, which are people's own words and stand elsewhere."""
    lines = [str(line) for line in again(roll).lines]
    return texts.clip("; ".join(lines), LONGEST_NOTATION)


def _lines(outcome: Outcome) -> list[str]:
    """The results, a line each; without their dice where there is not room for all."""
    lines = outcome.lines
    if len(lines) == 1:
        label = texts.plain(lines[0].label)
        return [f"{label}: {_result(lines[0])}" if label else _result(lines[0])]
    same = len({(line.written, line.label) for line in lines}) == 1  # it is in the headline
    about = ["" if same and not line.label else f"{_about(line)} " for line in lines]
    told = [f"{number}. {about[number - 1]}{_result(line)}" for number, line in enumerate(lines, 1)]
    if sum(map(len, told)) <= ROOM:
        return told
    return [
        f"{number}. {texts.plain(texts.clip(line.label, 20))} {_total(line)}".replace("  ", " ")
        for number, line in enumerate(lines, 1)
    ]


def _about(line: Rolled) -> str:
    written = f"`{texts.clip(line.written, 60)}`"
    return f"{texts.plain(line.label)} {written}" if line.label else written


def _result(line: Rolled) -> str:
    """“`[6, 5, (1)]` 11+2 = **13**”."""
    dice = " ".join(dice_text(thrown) for thrown in line.throws)
    total = _total(line)
    summed = added_up(line)
    if len(line.throws) == 1 and not line.sum:
        summed = ""  # its dice say the same
    steps = f"{texts.plain(summed)} = {total}" if summed else total
    return f"`{dice}` {'' if summed else '→ '}{steps}" if dice else steps


def _total(line: Rolled) -> str:
    """“**13**”, “**2** successes”."""
    counted = successes(line)
    return f"**{figures(line.total)}** {counted}".strip()


def _averages(notation: Notation) -> str:
    """What the roll brings on average, where that is known and worth a word."""
    seen = dict.fromkeys(line.expression for line in notation.lines)
    rolled = [expression for expression in seen if n.dice_of(expression)]
    if not rolled or len(rolled) > MOST_AVERAGES:
        return ""
    means = [(expression, average(expression)) for expression in rolled]
    if len(means) == 1:
        mean = means[0][1]
        return "" if mean is None else f"-# Average {told(mean)}"
    known = [f"`{n.written(e)}` {told(mean)}" for e, mean in means if mean is not None]
    return f"-# Averages: {', '.join(known)}" if known else ""


def hints(typed: str, lately: Sequence[str]) -> list[tuple[str, str]]:
    """(label, value) of what may be meant: what was typed, with its average; own rolls like it."""
    found: dict[str, str] = {}
    if typed.strip() and len(typed) <= LONGEST_HINT:
        try:
            mean = _averages(read(typed)).removeprefix("-# ").replace("`", "")
        except Fault:
            pass
        else:
            found[typed] = texts.clip(f"{typed.strip()} · {mean}" if mean else typed, LONGEST_HINT)
    begun = "".join(typed.casefold().split())
    for notation in lately:
        alike = "".join(notation.casefold().split()).startswith(begun)
        if alike and notation != typed.strip() and _can_be_typed(notation):
            found.setdefault(notation, notation)
    return [(label, value) for value, label in found.items()][:MOST_HINTS]


def _can_be_typed(notation: str) -> bool:
    """Whether a notation as it is kept may also be typed, and is short enough to be suggested."""
    if len(notation) > LONGEST_HINT:
        return False
    try:
        read(notation)
    except Fault:
        return False
    return True


def page_letter(page: Page) -> Letter:
    """Rolls of a channel, the newest first, as one person may see them."""
    seal = SEALED.format(seal=page.seal) if page.seal else ""
    if not page.rolls:
        return note("\n".join(line for line in (NO_ROLLS, seal) if line))
    items: list[Item] = [text("### The last rolls in this channel")]
    items.append(text("\n".join(_told(roll) for roll in page.rolls)))
    if seal:
        items.append(text(seal))
    turn = [
        button("Newer", _press(NEWER, page.rolls[0].id), disabled=not page.newer),
        button("Older", _press(OLDER, page.rolls[-1].id), disabled=not page.older),
        button("Proof", _press(PROOF, page.rolls[0].id)),
    ]
    return Letter(Screen(card(*items, *rows(turn))))


def _told(roll: Kept) -> str:
    """A roll in one line of the list."""
    lines = roll.outcome.lines
    if len(lines) == 1:
        dice = " ".join(dice_text(thrown) for thrown in lines[0].throws)
        result = f"`{texts.clip(dice, 90)}` {_total(lines[0])}" if dice else _total(lines[0])
    else:
        result = texts.clip(", ".join(figures(line.total) for line in lines), 150)
        result = f"**{result}**"
    labels = [roll.label, *dict.fromkeys(line.label for line in lines)]
    label = texts.plain(texts.clip(", ".join(label for label in labels if label), 60))
    veil = " · secret, only you see it" if roll.secret else ""
    about = f" · {label}" if label else ""
    shown = texts.clip(_short(roll), 60)
    return f"- <t:{roll.time}:R> **{_name(roll)}** `{shown}`{about}: {result}{veil}"


def proof_letter(raw: bytes, count: int, channel_id: int) -> Letter:
    """The file that proves the rolls, and how to check it."""
    attached = Attached(f"fieldpost-rolls-{channel_id}.json", raw)
    counted = "One roll" if count == 1 else f"The last {count} rolls"
    told = PROVED.format(count=counted, name=attached.name)
    return Letter(Screen(card(text(told), download(attached.name))), (), (attached,))
