"""Words of a player's own in the dice: nobody, whoever runs the bot included, knew them beforehand."""

from __future__ import annotations

from dataclasses import replace

from bot.refusals import NotYourSeat, Refused
from bot.sessions.core import Core, going
from bot.sessions.model import Acted
from bot.sessions.records import dumps
from bot.texts import plain
from games.kernel.event import Event, Noted

LONGEST_WORDS = 100
MOST_SALTS = 64
"""Of joins and words together."""


class Salting(Core):
    """Adding to what later dice are made from."""

    async def salt(
        self, session_id: str, user_id: int, user_name: str, words: str, *, interaction_id: int
    ) -> Acted:
        """Add words of somebody who sits at the table; every later roll depends on them.

        Raises `NotYourSeat`, `Refused` for words that cannot be taken, `NoSuchTable`, `Duplicate`,
        `TableOver`.
        """
        async with self._locks(session_id):
            loaded = await self._load(session_id, interaction_id)
            table = going(loaded)
            if not table.seats_of(user_id):
                raise NotYourSeat("Only those who play at this table add words to its dice.")
            wanted = " ".join(words.split())
            if not wanted or len(wanted) > LONGEST_WORDS or not wanted.isprintable():
                raise Refused(f"Please give 1 to {LONGEST_WORDS} characters that can be read.")
            if len(loaded.salts) >= MOST_SALTS:
                raise Refused(
                    "So much has been added to these dice that nothing more is taken. What is there "
                    "goes into every roll."
                )
            told = f"{plain(user_name)} adds words to the dice: “{plain(wanted)}”."
            events: tuple[Event, ...] = (Noted(text=told),)
            row = self._plain_row(loaded, "salt", user_id, interaction_id, events)
            row = replace(row, action=dumps({"verb": "salt", "words": wanted}))
            after = replace(table, version=row.number, updated=row.time)
            salts = dumps([*loaded.salts, wanted])
            acted = Acted(after, events)
            return await self._step(
                loaded, acted, row, session={"salts": salts}, user=(user_id, user_name)
            )
