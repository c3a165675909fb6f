"""What a panel shows besides while somebody is taught: the coach's words and two buttons. Pure."""

from __future__ import annotations

from typing import Any

from discord import ui

from bot.custom_ids import Press
from bot.layout import Item, button, rows, text
from bot.sessions.model import Table
from bot.sessions.taught import lesson_of, said

TEACH = ".teach_"
"""Beginning of what is done with a lesson."""

SKIP = ".teach_skip"
"""Pass a step over; the step is in the place of the version."""

END = ".teach_end"
"""End the lesson; at its last step at once, else after a question."""

ENDED = ".teach_ended"
AGAIN = ".teach_again"
"""End it and begin another one."""

FIRST = ".teach_first"
"""Begin one, for somebody who reads about it; the session's place is taken by a game."""


def words(table: Table, *, private: bool = False) -> str:
    """What the coach says now, under the title of the step; empty where nobody is taught."""
    now, lesson = said(table, private=private), lesson_of(table)
    if now is None or lesson is None:
        return ""
    return f"**Tutorial, step {now.step + 1} of {lesson.last + 1}: {now.title}**\n{now.text}"


def spoken(table: Table) -> list[Item]:
    """The coach's words as a paragraph of a message."""
    told = words(table)
    return [text(told)] if told else []


def controls(table: Table) -> list[Item]:
    """The lesson's own buttons."""
    now, lesson = said(table), lesson_of(table)
    if now is None or lesson is None:
        return []
    found: list[ui.Button[Any]] = []
    if now.step < lesson.last:
        found.append(button("Skip this step", str(Press(table.id, now.step, SKIP))))
    found.append(button("End the tutorial", str(Press(table.id, now.step, END))))
    return rows(found)
