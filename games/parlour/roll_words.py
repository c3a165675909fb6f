"""A roll in words, and as it is drawn."""

from __future__ import annotations

from games.kernel.tray import (
    AGAIN,
    DROPPED,
    MET,
    MISSED,
    PLAIN,
    RollView,
    TrayDie,
    TrayRow,
    TrayThrow,
)
from games.kernel.wording import listed
from games.parlour.roll import Die, Outcome, Rolled, Thrown

MOST_TOLD = 30
"""Dice of a throw that are told one by one."""

MOST_ADDED = 10
"""Dice whose sum is written out."""

FATE = {-1: "−", 0: "", 1: "+"}
"""What Fate dice show."""


def figures(value: int) -> str:
    """A number as it is shown: “−3”, “54,470”."""
    shown = f"{abs(value):,}" if abs(value) >= 10_000 else str(abs(value))
    return f"−{shown}" if value < 0 else shown


def added_up(line: Rolled) -> str:
    """How the total came about, or `""` where that is plain to see."""
    if line.sum or line.successes or len(line.throws) != 1:
        return line.sum
    values = [die.value for die in line.throws[0].dice if die.counts]
    if not 2 <= len(values) <= MOST_ADDED or min(values) < 0:
        return ""
    return "+".join(figures(value) for value in values)


def successes(line: Rolled) -> str:
    """What a total counts: “success”, “successes”, or nothing where dice were added."""
    if not line.successes:
        return ""
    return "success" if line.total == 1 else "successes"


def dice_text(thrown: Thrown) -> str:
    """A throw's dice in brackets, with signs: “[6, 5, (1)]”, dropped ones in parentheses.

    “6!” exploded, “1→” was rolled again, “5✓” is counted.
    """
    shown = [_die_text(thrown, die) for die in thrown.dice[:MOST_TOLD]]
    if more := len(thrown.dice) - len(shown):
        shown.append(f"… {more} more")
    return f"[{', '.join(shown)}]"


def _die_text(thrown: Thrown, die: Die) -> str:
    text = _shows(thrown, die) or "0"
    if die.burst:
        text += "!"
    if die.again:
        return f"{text}→"
    if die.dropped:
        return f"({text})"
    return f"{text}✓" if die.met else text


def _shows(thrown: Thrown, die: Die) -> str:
    return FATE[die.value] if thrown.kind == "F" else figures(die.value)


def in_words(line: Rolled, label: str = "") -> str:
    """One result for those who cannot see it: “Strength, 4d6kh3: 6, 5, 4 and 1 dropped; total 15.”"""
    throws = [f"{thrown.name}: {_throw_words(thrown)}" for thrown in line.throws]
    if len(throws) == 1 and line.throws[0].name == line.written:
        throws = [_throw_words(line.throws[0])]
    head = ", ".join(part for part in (line.label or label, line.written) if part)
    counted = successes(line)
    total = f"{figures(line.total)} {counted}" if counted else f"total {figures(line.total)}"
    return f"{head}: {'; '.join([*throws, total])}."


def _throw_words(thrown: Thrown) -> str:
    words = [_die_words(thrown, die) for die in thrown.dice[:MOST_TOLD]]
    if more := len(thrown.dice) - len(words):
        words.append(f"{more} more")
    return listed(words)


def _die_words(thrown: Thrown, die: Die) -> str:
    words = {"−": "minus", "": "blank", "+": "plus"}
    shown = _shows(thrown, die)
    text = words[shown] if thrown.kind == "F" else shown
    if die.burst:
        text += " exploded"
    if die.again:
        text += " rolled again"
    if die.dropped:
        text += " dropped"
    return f"{text} counted" if die.met else text


def roll_view(outcome: Outcome, label: str = "") -> RollView:
    """A roll as it is drawn; `label` is what a single result without a label of its own is for."""
    lines = outcome.lines
    label = label if len(lines) == 1 else ""
    rows = tuple(_row(line, line.label or label) for line in lines)
    return RollView(rows, " ".join(in_words(line, label) for line in lines))


def _row(line: Rolled, label: str) -> TrayRow:
    throws = tuple(
        TrayThrow(
            thrown.name, tuple(_die(thrown, die) for die in thrown.dice), figures(thrown.value)
        )
        for thrown in line.throws
    )
    return TrayRow(
        line.written, label, throws, added_up(line), figures(line.total), successes(line)
    )


def _die(thrown: Thrown, die: Die) -> TrayDie:
    state = PLAIN
    if die.again:
        state = AGAIN
    elif die.dropped:
        state = DROPPED
    elif die.met is not None:
        state = MET if die.met else MISSED
    own = thrown.kind == "F" or thrown.kind.startswith("{")
    return TrayDie(_shows(thrown, die), 0 if own else thrown.sides, state, die.burst, die.extra)
