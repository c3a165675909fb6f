"""A game as one JSON file: its shape, its limits, and the sentences for files that are no such thing.

Nothing of a file is believed: sizes, depth, counts and types are checked before anything is made of it,
and the chain of its log by the verifier that everybody can run (`games.kernel.verify`).
"""

from __future__ import annotations

import re
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from bot.refusals import Refused
from bot.sessions.model import USUAL
from bot.sessions.pace import OVERTIMES, WAIT, pace_of
from bot.sessions.records import LogRow, digest
from bot.sessions.terms import POSTS, Terms
from games.kernel import verify
from games.kernel.game import Setup

FORMAT = 1
MOST_BYTES = 4 * 1024 * 1024
MOST_DEPTH = 48
MOST_ROWS = 5_000
MOST_SEATS = 50

NOTE = (
    "A game of Fieldpost: everything that happened in it, hidden things too, and how it stands. "
    "`/table import` goes on with it anywhere. The keys of dice to come are not in it: it goes on with a "
    "new chain of keys, whose seal is posted then. `python -m games.kernel.verify FILE` checks the dice "
    "and the log."
)

TOO_LARGE = "That file is larger than 4 MiB, and no saved game is taken that is."
NO_SAVE = "That file is no saved game of Fieldpost: {why}."
CUT_OFF = "That file is no whole saved game: it is damaged or cut off ({why})."
NEWER = "That game was saved by a newer version of Fieldpost than this one, which cannot read it."
TAMPERED = "That file was changed after it was saved: {why}. It is not taken."

Short = Annotated[str, Meta(max_length=200)]
Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Word = Annotated[str, Meta(max_length=16)]
Count = Annotated[int, Meta(ge=0, le=1_000_000)]
Big = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]


class SavedSeat(msgspec.Struct, frozen=True):
    """A seat with the names of those who held it: a reminder, no claim."""

    seat: Annotated[str, Meta(max_length=32)]
    title: Short
    names: Annotated[list[Short], Meta(max_length=100)]


class SavedContent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A log row, as `bot.sessions.records.LogRow` has it."""

    number: Count
    kind: Annotated[str, Meta(min_length=1, max_length=16)]
    base: Count
    user_id: Big
    seat: Annotated[str, Meta(max_length=32)]
    action: str
    events: str
    results: str
    key_number: Count | None
    key: Hash | None
    salts: str | None
    state_hash: Hash
    binding: bool
    interaction_id: Big | None
    time: Big

    def row(self) -> LogRow:
        """The same as a row for another log, where no interaction has made it."""
        values: dict[str, Any] = msgspec.structs.asdict(self)
        values["interaction_id"] = None
        return LogRow(**values)


class SavedRow(msgspec.Struct, frozen=True):
    """A log row with its link.

    `forgotten` stands in place of `content` where somebody was taken out of it; the link was made
    from what it was before.
    """

    number: Count
    chain: Hash
    content: SavedContent | None = None
    forgotten: SavedContent | None = None

    @property
    def told(self) -> SavedContent:
        """What is in the row now. Raises `ValueError` unless it has exactly one content."""
        found = self.content or self.forgotten
        if found is None or (self.content is not None and self.forgotten is not None):
            raise ValueError("a row has no content, or two")
        return found


class SavedTerms(msgspec.Struct, frozen=True):
    """The terms of a table; words that this bot does not know count as the usual ones."""

    pace: Word = ""
    overtime: Word = ""
    posts: Word = ""

    def read(self) -> Terms:
        """As this bot knows them."""
        return Terms(
            pace_of(self.pace),
            self.overtime if self.overtime in OVERTIMES else WAIT,
            self.posts if self.posts in POSTS else USUAL,
        )


class Save(msgspec.Struct, frozen=True):
    """A whole file. `state` is the text whose hash is `state_hash`; None when it cannot be read."""

    format: int
    note: str
    game: Annotated[str, Meta(max_length=32)]
    rules_version: Count
    session: Annotated[str, Meta(pattern="^[a-z0-9]{1,8}$")]
    status: Annotated[str, Meta(pattern="^(lobby|running|ended)$")]
    setup: Setup
    content_hash: Hash
    tables: dict[str, Any] | None
    commitment: Hash
    seats: Annotated[list[SavedSeat], Meta(min_length=1, max_length=MOST_SEATS)]
    tip: Count
    state: str | None
    state_hash: Hash
    rolls: list[dict[str, Any]]
    rows: Annotated[list[SavedRow], Meta(min_length=1, max_length=MOST_ROWS)]
    chain: Hash
    terms: SavedTerms = SavedTerms()
    trouble: str = ""


def read_save(raw: bytes) -> Save:
    """A file's content, checked as far as that is possible without its game. Raises `Refused`."""
    if len(raw) > MOST_BYTES:
        raise Refused(TOO_LARGE)
    if deep(raw):
        raise Refused(NO_SAVE.format(why="what is in it is nested too deeply"))
    try:
        whole: Any = msgspec.json.decode(raw)
    except (msgspec.MsgspecError, ValueError, RecursionError) as fault:
        raise Refused(CUT_OFF.format(why=_short(fault))) from fault
    if not isinstance(whole, dict) or "format" not in whole:
        raise Refused(NO_SAVE.format(why="it says nothing of a format"))
    version: Any = whole["format"]  # pyright: ignore[reportUnknownVariableType]
    if isinstance(version, int) and version > FORMAT:
        raise Refused(NEWER)
    try:
        save = msgspec.convert(whole, Save)
    except (msgspec.MsgspecError, ValueError, RecursionError) as fault:
        raise Refused(NO_SAVE.format(why=_short(fault))) from fault
    if save.format != FORMAT:
        raise Refused(NO_SAVE.format(why="it says nothing of a format"))
    try:
        if any(row.told.number != row.number for row in save.rows):
            raise ValueError("a row has the content of another one")
    except ValueError as fault:
        raise Refused(NO_SAVE.format(why=str(fault))) from fault
    texts = [save.state or ""]
    for row in save.rows:
        texts += [row.told.action, row.told.events, row.told.results]
        texts.append(row.told.salts or "")
    if any(deep(text.encode("utf-8", "replace")) for text in texts):
        raise Refused(NO_SAVE.format(why="what is in it is nested too deeply"))
    _check_chain(save, whole)
    return save


def _check_chain(save: Save, whole: Any) -> None:
    """Raise `Refused`, saying where, when the log or a roll is not what the chains say."""
    try:
        wrong = next(
            (f"row {number} of its log: {why}" for number, why in verify.check_rows(whole) if why),
            "",
        ) or next(
            (f"roll {number}: {why}" for number, why in verify.check(whole) if why),
            "",
        )
    except (ValueError, KeyError, TypeError, RecursionError, OverflowError) as fault:
        raise Refused(NO_SAVE.format(why="its proof cannot be read")) from fault
    if wrong:
        raise Refused(TAMPERED.format(why=wrong))
    _check_proofs(save)
    states = {row.number: row.told.state_hash for row in save.rows}
    if states.get(save.tip) != save.state_hash:
        raise Refused(TAMPERED.format(why="its state is not the one that its log leads to"))
    if save.state is not None and digest(save.state.encode("utf-8", "replace")) != save.state_hash:
        raise Refused(TAMPERED.format(why="its state is not the one that was saved"))


def _check_proofs(save: Save) -> None:
    """Raise `Refused` when a result in the log has no proof, or a proof no result.

    Whoever writes a file can link any rows into a chain; only the sealed keys prove the dice. What
    came before an import belongs to the seal of another table, and so to that import's own file.
    """
    proved = {roll.get("row") for roll in save.rolls}
    ours = max((row.number for row in save.rows if row.told.kind == "import"), default=0)
    for row in save.rows:
        keyed = row.told.key is not None
        unproved = keyed and row.number > ours and row.number not in proved
        if unproved or (not keyed and (row.told.results != "[]" or row.number in proved)):
            why = f"row {row.number} of its log has no proof of its dice"
            raise Refused(TAMPERED.format(why=why))
    rolls = {roll.get("row"): roll for roll in save.rolls}
    for row in save.rows:  # `verify` compares those with a content
        if row.forgotten is not None and row.forgotten.key is not None and row.number in rolls:
            wrong = verify.differs(msgspec.structs.asdict(row.forgotten), rolls[row.number])
            if wrong:
                raise Refused(TAMPERED.format(why=f"row {row.number} of its log: {wrong}"))


_BRACKETS = re.compile(rb'"(?:[^"\\]|\\.)*+"|[\[\]{}]', re.DOTALL)


def deep(raw: bytes) -> bool:
    """Whether lists and objects are nested more than `MOST_DEPTH` deep."""
    depth = 0
    for found in _BRACKETS.finditer(raw):
        match found[0]:
            case b"[" | b"{":
                depth += 1
                if depth > MOST_DEPTH:
                    return True
            case b"]" | b"}":
                depth -= 1
            case _:
                pass
    return False


def _short(fault: Exception) -> str:
    text = str(fault).replace("`", "").rstrip(".")
    return text if len(text) <= 120 else f"{text[:119]}…"
