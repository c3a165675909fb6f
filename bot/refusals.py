"""Why something cannot be done now: exceptions whose sentence a player reads as it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.kernel.illegal import Illegal

if TYPE_CHECKING:
    from bot.sessions.model import Table


class Refused(Exception):
    """What was asked for was not done, and nothing has changed.

    `sentence` says why and what to do next; `rule` is the id of the rule that refuses, or `""`.
    """

    def __init__(self, sentence: str, rule: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.rule = rule


class AgainstTheRules(Refused, Illegal):
    """The rules of the game refuse an action or a set-up."""

    def __init__(self, sentence: str, rule: str = "") -> None:
        Exception.__init__(self, sentence)
        self.sentence = sentence
        self.rule = rule


class NoSuchTable(Refused):
    """There is no session with that id."""

    def __init__(self) -> None:
        super().__init__("This table does not exist any more. `/mygames` lists yours.")


class ChannelTaken(Refused):
    """The channel has a game going on already; `session_id` is that game's."""

    def __init__(self, session_id: str) -> None:
        super().__init__(
            "A game is going on in this channel already. Finish it, end it with `/table end`, "
            "or open the new one in another channel or thread."
        )
        self.session_id = session_id


class TooManyWaiting(Refused):
    """As many tables wait for the user as this bot allows; he opens no others meanwhile."""

    def __init__(self, waiting: int) -> None:
        what = "One table waits" if waiting == 1 else f"{waiting} tables wait"
        super().__init__(
            f"{what} for you already, and I open no more until you have taken your turn at some of "
            "them, left your seat or ended the game. `/mygames` lists them, longest waiting first."
        )
        self.waiting = waiting


class NotYourSeat(Refused):
    """The user does not hold the seat that would have to act."""


class WhichSeat(Refused):
    """The user holds several seats that could be meant; `seats` are their ids, `verb` what they
    would do."""

    def __init__(self, table: Table, seats: tuple[str, ...], verb: str = "") -> None:
        super().__init__("You hold several seats that can do this. Say for which.")
        self.table = table
        self.seats = seats
        self.verb = verb


class NotStarted(Refused):
    """The game has not begun: people are still taking their seats."""

    def __init__(self, table: Table | None = None) -> None:
        super().__init__(
            "This game has not begun yet. Its host starts it when every seat is taken."
        )
        self.table = table


class NotAllowed(Refused):
    """Only somebody else (the host, a moderator) may do this."""


class NothingToUndo(Refused):
    """There is no own action that may be taken back freely."""


class Withdrawn(Refused):
    """A question is not open any more; `how` says how it came out, if that is known."""

    def __init__(self, how: str = "") -> None:
        super().__init__(
            f"This is settled already. {how}"
            if how
            else "This is withdrawn: the game has moved on since, or somebody refused. Nothing was changed."
        )


class TableOver(Refused):
    """The game has ended."""

    def __init__(self, table: Table | None = None) -> None:
        super().__init__("This game is over.")
        self.table = table


class Stale(Refused):
    """The game has gone on since the button was shown; `table` is how it stands now."""

    def __init__(self, table: Table) -> None:
        super().__init__("The game has gone on since then. Here is how it stands now.")
        self.table = table


class Duplicate(Refused):
    """This very interaction has been carried out already; there is nothing left to do."""

    def __init__(self, session_id: str) -> None:
        super().__init__("That is done already.")
        self.session_id = session_id


class Unreadable(Refused):
    """A saved game cannot be read by this bot; it is paused and kept. `why` is for the operator."""

    def __init__(self, session_id: str, why: str) -> None:
        super().__init__(
            f"The saved game `{session_id}` cannot be read, so it is paused; nothing of it is "
            "lost. Please tell whoever runs this bot, or end it with `/table end`."
        )
        self.session_id = session_id
        self.why = why


class StoreBusy(Refused):
    """The database is locked by something else."""

    def __init__(self) -> None:
        super().__init__(
            "The bot’s database is busy, so nothing was changed. Try again in a moment."
        )


class StoreFull(Refused):
    """The database cannot be written: disk full, read-only, or failing."""

    def __init__(self) -> None:
        super().__init__(
            "The bot cannot save games now (its disk is full or read-only), so nothing was "
            "changed. Please tell whoever runs this bot."
        )


class StoreGone(StoreFull):
    """The database's file was deleted or replaced while the bot runs: what is written now is lost."""

    def __init__(self) -> None:
        Refused.__init__(
            self,
            "The bot’s database file was removed or replaced while the bot runs, so nothing was "
            "changed. Please tell whoever runs this bot.",
        )


class StoreUnusable(Refused):
    """The database cannot be opened at all; for the operator at start."""
