"""Picking a verb's slots in one private message that changes from step to step.

Every control carries where the picking stands (`bot.custom_ids.Step`), so nothing is kept between
two presses. The letters of its acts:

    p  start here           s  a menu's choice (arg: page)    o  a choice by button (arg: which)
    g  turn to page arg     d  enough picked                  t  open the form to type a value
    b  back                 x  cancel                         y  yes, do it
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import discord
from discord import ui

from bot import texts
from bot.custom_ids import Step, base36
from bot.layout import (
    RED,
    Image,
    Item,
    Letter,
    Screen,
    Style,
    button,
    card,
    gallery,
    rows,
    text,
)
from bot.offers import choice, place
from bot.picks import FACINGS, Changed, Walk
from bot.sessions.model import Table
from games.kernel.domain import Option, Several
from games.kernel.view import Mark

MENU = 25
"""Options of one menu page."""

MOST_BUTTONS = 5
"""Options that become buttons instead of a menu, when they are short."""

SHORT = 30

_ROSE: tuple[tuple[str, str], ...] = (
    ("NW", "↖"), ("N", "↑"), ("NE", "↗"),
    ("W", "←"), ("", ""), ("E", "→"),
    ("SW", "↙"), ("S", "↓"), ("SE", "↘"),
)  # fmt: skip


@dataclass(frozen=True)
class Sheet:
    """A picking at one moment: whose it is, where it stands, which page of the menu is open."""

    table: Table
    seat: str
    at: Walk
    page: int = 0

    @property
    def step(self) -> Step:
        """What its controls carry."""
        table = self.table
        number = place(table, self.seat)
        return Step(
            table.id, table.version, self.at.verb.name, number, self.at.picks, self.at.check
        )

    @property
    def pages(self) -> int:
        """How many pages the menu has."""
        return max(1, -(-len(self.at.left) // MENU))

    @property
    def shown(self) -> tuple[Option, ...]:
        """The options on the open page."""
        first = min(self.page, self.pages - 1) * MENU
        return self.at.left[first : first + MENU]

    @property
    def pictured(self) -> bool:
        """Whether the next choice is easier with a picture."""
        slot = self.at.slot
        return slot is not None and (slot.board or self.at.compass or bool(self.cells))

    @property
    def cells(self) -> tuple[str, ...]:
        """The cells of the options, each once, in the options' order."""
        return tuple(dict.fromkeys(option.cell for option in self.at.left if option.cell))

    def marks(self) -> tuple[Mark, ...]:
        """What is drawn over the board: the game's own hints, then a mark on each option's cell."""
        state = self.table.state
        own = self.table.game.pick_marks(state, self.seat, self.at.verb.name, self.at.filled)
        graded = any(option.mark for option in self.at.left)
        made = {cell: Mark("spot", (cell,)) for cell in self.at.cells}
        for option in self.at.left:
            if option.cell and option.cell not in made:
                made[option.cell] = Mark(kind_of(option, graded), (option.cell,), option.mark)
        return (*own, *made.values())

    def numbered(self) -> tuple[tuple[str, str], ...]:
        """Large numbers for counters and spots, the same that stand before them in the menu."""
        made: dict[str, str] = {}
        for option in self.at.left:
            number = self.number(option)
            if number:
                made.setdefault(option.cell, number)
        return tuple(made.items())

    def number(self, option: Option) -> str:
        """The number of an option on the picture; empty for squares, which have coordinates."""
        if self.at.domain is None or not option.cell or option.value == option.cell:
            return ""
        if len(self.at.domain.options) > 99 or self.at.compass:
            return ""
        return str(self.at.domain.options.index(option) + 1)

    def label(self, option: Option) -> str:
        """An option's name in a menu."""
        number = self.number(option)
        return f"{number} · {option.label}" if number else option.label


def kind_of(option: Option, graded: bool) -> str:
    """How an option is marked on the board: a square to reach, a target, or just a spot.

    Counters are targets where the game grades them (an arc's bonus), else one's own to choose from.
    """
    if option.value == option.cell:
        return "reach"
    return "target" if graded else "spot"


def sheet(here: Sheet, images: Sequence[Image] = (), remark: str = "") -> Letter:
    """The message that asks for the next slot, or for a yes when nothing is left to pick."""
    at, step = here.at, here.step
    head = f"### {texts.clip(at.verb.label, 100)}"
    if at.labels:
        picked = " · ".join(f"{name.replace('_', ' ')}: {label}" for name, label in at.labels)
        head += f"\n-# {texts.clip(picked, 500)}"
    items: list[Item] = [text(head)]
    if at.slot is None:
        items.append(
            text(f"**{texts.clip(at.verb.summary.rstrip('.'), 300)}?** This cannot be taken back.")
        )
        return Letter(
            Screen(
                card(*items, *rows([button("Yes", step.id("y"), Style.danger), *_ways(here)]),
                     colour=RED)
            )
        )  # fmt: skip
    items.append(text(_question(here, remark)))
    items += gallery(images)
    items += _choices(here)
    items += rows(_ways(here))
    return Letter(Screen(card(*items)), tuple(images))


def _question(here: Sheet, remark: str) -> str:
    at = here.at
    assert at.slot is not None
    lines = [texts.clip(at.slot.prompt, 300)]
    if isinstance(at.domain, Several):
        lines.append(f"-# {_how_many(at.domain)}, in the order you want.")
        names = {option.value: option.label for option in at.domain.options}
        lines += [f"{n}. {texts.clip(names[v], 100)}" for n, v in enumerate(at.partial, 1)]
    if remark:
        lines.append(f"**{texts.clip(remark, 600)}**")
    return "\n".join(lines)


def _how_many(domain: Several) -> str:
    most = min(domain.most, len(domain.options))
    if domain.least == most:
        return f"Pick {most}"
    if domain.least == 0:
        return f"Pick up to {most}"
    return f"Pick {domain.least} to {most}"


def _choices(here: Sheet) -> list[Item]:
    at, step = here.at, here.step
    if at.compass:
        return _compass(here)
    items: list[Item] = []
    first: list[ui.Button[Any]] = []
    preset = at.preset
    if preset is not None:
        first.append(button(_keep(preset), _pick_id(step, at, preset), Style.success))
    others = [option for option in here.at.left if preset is None or option != preset]
    if len(others) <= MOST_BUTTONS and all(_short(option) for option in others):
        first += [button(here.label(option), _pick_id(step, at, option), Style.primary)
                  for option in others]  # fmt: skip
        return rows(first)
    items += rows(first)
    items.append(ui.ActionRow(_menu(here)))
    if here.pages > 1:
        last = here.pages - 1
        items += rows(
            [
                button("◀ Previous", step.id("g", f"l{base36(max(0, here.page - 1))}"),
                       disabled=here.page == 0),
                button("Next ▶", step.id("g", f"r{base36(min(last, here.page + 1))}"),
                       disabled=here.page >= last),
            ]
        )  # fmt: skip
    return items


def _keep(option: Option) -> str:
    label = option.label
    return label if label.casefold().startswith("keep") else f"Keep: {label}"


def _short(option: Option) -> bool:
    return len(option.label) <= SHORT and not option.note


def _menu(here: Sheet) -> ui.Select[Any]:
    shown, total = here.shown, len(here.at.left)
    first = min(here.page, here.pages - 1) * MENU
    part = f" ({first + 1}–{first + len(shown)} of {total})" if here.pages > 1 else ""
    return ui.Select(
        custom_id=here.step.id("s", base36(here.page)),
        placeholder=f"Choose one{part}",
        options=[
            discord.SelectOption(
                label=texts.clip(here.label(option), 100),
                value=option.value,
                description=texts.clip(option.note, 100) or None,
            )
            for option in shown
        ],
    )


def _compass(here: Sheet) -> list[Item]:
    at, step = here.at, here.step
    there = {option.value: option for option in at.left}
    preset = at.preset
    buttons: list[ui.Button[Any]] = []
    for name, arrow in _ROSE:
        if not name:
            if preset is not None:
                buttons.append(
                    button(f"Keep {preset.value}", _pick_id(step, at, preset, keep=True),
                           Style.success)
                )  # fmt: skip
            else:
                buttons.append(button("·", step.id("o", "mid"), disabled=True))
        elif name in there:
            buttons.append(
                button(f"{arrow} {name}", _pick_id(step, at, there[name]), Style.primary)
            )
        else:
            buttons.append(button(f"{arrow} {name}", step.id("o", f"no{name.lower()}"),
                                  disabled=True))  # fmt: skip
    return [ui.ActionRow(*buttons[start : start + 3]) for start in (0, 3, 6)]


def _ways(here: Sheet) -> list[ui.Button[Any]]:
    at, step = here.at, here.step
    ways: list[ui.Button[Any]] = []
    if at.may_finish:
        ways.append(button("That is all", step.id("d"), Style.success))
    if at.slot is not None and not at.compass and len(at.left) > MOST_BUTTONS:
        ways.append(button("Type it", step.id("t")))
    if at.given or at.partial:
        ways.append(button("Back", step.id("b")))
    ways.append(button("Cancel", step.id("x")))
    return ways


def _pick_id(step: Step, at: Walk, option: Option, *, keep: bool = False) -> str:
    assert at.domain is not None
    number = at.domain.options.index(option)
    return step.id("o", choice(number, option.value, "k" if keep else "p"))


def picked_by(at: Walk, arg: str) -> str:
    """The value that a choice by button means. Raises `Changed` when it is another one now."""
    if at.domain is None or len(arg) < 5:
        raise Changed
    try:
        option = at.domain.options[int(arg[1:-3], 36)]
    except (ValueError, IndexError):
        raise Changed from None
    if choice(0, option.value)[-3:] != arg[-3:]:
        raise Changed
    return option.value


def page_of(arg: str) -> int:
    """The page that a turn of the menu leads to."""
    try:
        return int(arg[1:], 36)
    except ValueError:
        return 0


def form(here: Sheet) -> ui.Modal:
    """The form for a typed value. It is stateless too: `bot.buttons` reads what is submitted."""
    slot = here.at.slot
    prompt = slot.prompt if slot is not None else "Your choice"
    example = here.at.left[0].value if here.at.left else ""
    modal = ui.Modal(
        title=texts.clip(here.at.verb.label, 45), custom_id=here.step.id("t", form=True)
    )
    modal.add_item(
        ui.Label(
            text=texts.clip(prompt, 45),
            description=texts.clip(f"In any case, for example {example}", 100),
            component=ui.TextInput(custom_id="value", max_length=100),
        )
    )
    modal.stop()
    return modal


def cancelled() -> Letter:
    """What remains of a picking that was given up."""
    return Letter(Screen(card(text(texts.CANCELLED))))


assert all(name in FACINGS for name, _ in _ROSE if name)
