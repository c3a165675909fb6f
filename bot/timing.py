"""Time at a table: its pace, and what each of its people wants of reminders."""

from __future__ import annotations

from typing import Any, TypeAlias

import discord
from msgspec import structs

from bot.acknowledge import Way
from bot.around import moderates
from bot.custom_ids import Press
from bot.layout import Letter, button, note
from bot.offers import UNMUTE
from bot.refusals import Refused
from bot.sessions import Table
from bot.sessions.habits import Habits, Quiet, read_time, read_zone, shown_time
from bot.sessions.model import EACH, QUIET, USUAL
from bot.sessions.pace import FREE, PACES, PROGRAM
from bot.sessions.terms import POSTS, Terms
from bot.turns import Turns, is_private

Interaction: TypeAlias = discord.Interaction[Any]

MUTED = (
    "I do not remind you at this table until your seat has acted. The next turn I remind you as "
    "always."
)
UNMUTED = "I remind you again at this table."
SAME_TIMES = "Quiet hours must begin and end at different times."
ZONE_FIRST = (
    "In which time zone? Add `zone:` and take a city near you from the list; I remember it."
)
NO_QUIET = "You have no quiet hours."
QUIET_HOURS = (
    "From {start} to {end} ({zone}) I mention you nowhere. If your turn begins meanwhile, I tell you "
    "when these hours end. By your clock it is now {now}."
)
NEXT_ON = "I mention you when your seat is the next one to act, so that you can think ahead."
NEXT_OFF = "I mention you only when you must act."
HOW = (
    "-# `/reminders quiet` sets hours in which I leave you alone, `/reminders next` a word when you "
    "are next, `/reminders mute` silences this channel’s game for one turn. “Mute this turn” under a "
    "reminder does the same."
)


class Timing:
    """Pace and reminders, for all games."""

    def __init__(self, turns: Turns) -> None:
        self._turns = turns
        self._sessions = turns.sessions
        self._desk = turns.desk

    async def settings(
        self,
        interaction: Interaction,
        *,
        pace: str | None,
        overtime: str | None,
        posts: str | None,
    ) -> None:
        """Choose pace and posts for the table here, or (all None) see how they are."""

        async def work() -> Letter:
            table = await self._turns.table_here(interaction)
            if pace is None and overtime is None and posts is None:
                return note(_settings(table))
            acted = await self._sessions.set_terms(
                table.id,
                interaction.user.id,
                pace=pace,
                overtime=overtime,
                posts=posts,
                moderator=moderates(interaction),
                interaction_id=interaction.id,
            )
            return note("\n".join(event.text for event in acted.events))

        await self._desk.answer(interaction, work)

    async def show(self, interaction: Interaction) -> None:
        """What somebody has chosen for himself."""

        async def work() -> Letter:
            user = interaction.user.id
            habits = (await self._sessions.habits([user]))[user]
            return note(f"### Your reminders\n{_habits(habits)}\n{HOW}")

        await self._desk.answer(interaction, work)

    async def quiet(self, interaction: Interaction, start: str, end: str, zone: str) -> None:
        """Quiet hours from now on."""

        async def work() -> Letter:
            habits = await self._mine(interaction)
            known = habits.quiet.zone if habits.quiet is not None else ""
            if not zone and not known:
                raise Refused(ZONE_FIRST)
            quiet = Quiet(read_time(start), read_time(end), read_zone(zone) if zone else known)
            if quiet.start == quiet.end:
                raise Refused(SAME_TIMES)
            return await self._keep(interaction, structs.replace(habits, quiet=quiet))

        await self._desk.answer(interaction, work)

    async def loud(self, interaction: Interaction) -> None:
        """No quiet hours any more."""

        async def work() -> Letter:
            habits = await self._mine(interaction)
            return await self._keep(interaction, structs.replace(habits, quiet=None))

        await self._desk.answer(interaction, work)

    async def next_up(self, interaction: Interaction, *, on: bool) -> None:
        """A word when one's seat is next, or none."""

        async def work() -> Letter:
            habits = await self._mine(interaction)
            return await self._keep(interaction, structs.replace(habits, next_up=on))

        await self._desk.answer(interaction, work)

    async def mute(self, interaction: Interaction, press: Press | None, *, on: bool) -> None:
        """No reminders at a table (None: the one here) until one's seat has acted, or again."""

        async def work() -> Letter:
            session = press.session if press else (await self._turns.table_here(interaction)).id
            await self._sessions.mute(session, interaction.user.id, on=on)
            if not on:
                return note(UNMUTED)
            return note(MUTED, button("Remind me after all", str(Press(session, 0, UNMUTE))))

        way = Way.CHANGE if press is not None and is_private(interaction) else Way.NEW
        await self._desk.answer(interaction, work, way)

    async def _mine(self, interaction: Interaction) -> Habits:
        user = interaction.user.id
        return (await self._sessions.habits([user]))[user]

    async def _keep(self, interaction: Interaction, habits: Habits) -> Letter:
        user = interaction.user
        await self._sessions.set_habits(user.id, user.display_name, habits)
        return note(f"### Your reminders\n{_habits(habits)}")


def _habits(habits: Habits) -> str:
    quiet = habits.quiet
    lines = [NO_QUIET]
    if quiet is not None:
        now = int(discord.utils.utcnow().timestamp())
        lines = [
            QUIET_HOURS.format(
                start=shown_time(quiet.start),
                end=shown_time(quiet.end),
                zone=quiet.zone,
                now=shown_time(quiet.minute(now)),
            )
        ]
    return "\n".join([*lines, NEXT_ON if habits.next_up else NEXT_OFF])


def _settings(table: Table) -> str:
    """The pace of a table, how much time its seats have, and how its steps are shown."""
    terms = Terms(table.pace, table.overtime, table.posts)
    lines = [terms.clock]
    if table.pace.timed and not table.lobby:
        for holder in table.seats:
            up = table.time_up(holder.seat)
            left = table.pace.bank if holder.bank is None else holder.bank
            state = f"time is up <t:{up}:R>" if up is not None else f"{hours(left)} in the bank"
            lines.append(f"- {holder.title}: {state}")
    if table.pace.timed:
        lines.append("Nobody loses anything by using up his time unless the host chose so.")
    lines.append(POSTS[terms.posts])
    lines.append("-# The host adds `pace:`, `overtime:` or `posts:` to this command to change it.")
    return "\n".join(lines)


def hours(seconds: int) -> str:
    """A time as people say it: “2 days 22 h”, “45 min”."""
    minutes = seconds // 60
    days, rest = divmod(minutes, 24 * 60)
    if days:
        word = "day" if days == 1 else "days"
        return f"{days} {word} {rest // 60} h" if rest // 60 else f"{days} {word}"
    return f"{minutes // 60} h" if minutes >= 60 else f"{minutes} min"


PACE_CHOICES = [(f"{pace.name}: {pace.told}"[:100], pace.name) for pace in PACES.values()]
"""Labels and values for the command."""

OVERTIME_CHOICES = [
    ("wait: nothing happens by itself", "wait"),
    ("program: the program acts for the seat until its turn is over", PROGRAM),
    ("free: the seat becomes vacant", FREE),
]

POST_CHOICES = [
    ("usual: dice, cards and changes of turn anew", USUAL),
    ("each: every action anew", EACH),
    ("quiet: only changes of turn anew", QUIET),
]
