"""Phrases that are not a game's own: plain words, and who must do what next."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from discord.utils import escape_markdown

from games.kernel import wording

listed = wording.listed

MOST_TEXT = 4000
"""Characters of text that Discord shows in one message of components, all of them together."""

LONGEST_QUOTED = 60
"""Characters of somebody's own words that are told back."""

GONE = -1
"""The user in place of somebody who had his data deleted (`/privacy delete`)."""

GONE_NAME = "Somebody who left"

STRANGER = "You hold no seat at this table, so its buttons and commands do nothing for you."
NOT_YOURS = "That button is for {seat}. You play {own}."
NOT_YOUR_TURN = "It is not your turn: that button is for {seat}, and you play {own}."
NOT_YOUR_MOMENT = "It is not your turn: {who} must act first."
NO_TABLE_HERE = "No game is running in this channel. `/{slug} new` opens one."
MOVED_ON = "The game has moved on since this message. Here is how it stands now."
CANCELLED = "Nothing was done. The buttons under the board still work."
GAME_OVER = "This game is over, so its buttons do nothing any more."
TABLE_OVER = "This game is over. `/{slug} new` opens another one here."
CANNOT_POST = (
    "I am not a member of this server, so I cannot post a board here. Ask somebody who manages it "
    "to add me, or open the game in a direct message with me."
)
NOBODY = "nobody yet"
UNEXPECTED = (
    "Something went wrong on my side. Please look at the board (`/table board`) and try again. "
    "If it happens again, give the bot's owner this reference: **{reference}**"
)
UNSHOWN = (
    "I could not show you the answer. Whatever it changed is saved: `/table panel` posts the board of a "
    "game again, `/rolls` lists rolls, `/deck show` shows a deck. If this happens again, give the bot's "
    "owner this reference: **{reference}**"
)
NO_FILES = (
    "-# I may not attach files in this channel, so there is no picture. A moderator can allow "
    "“Attach files” for me. Until then `/table text` shows the board in words."
)
NO_PICTURE = "-# The picture could not be posted here."
SHOWN_TO_ALL = "It is done, and shown to everybody in the next message."
OTHER_GAME = "The game in this channel is {title}. Its commands begin with `/{slug}`."
TOO_MUCH_TO_PICK = "That is more than the buttons can hold. Please use the command: `{command}`"
REALLY_END = (
    "End this game for everybody? It cannot be taken up again; its log and its dice stay readable."
)
ENDED = "The game is ended. `/{slug} new` opens another one here."
NOT_HOST = "Only <@{host}>, who opened this table, or a moderator can end it."
NOT_YOURS_TO_REPOST = "Only those who play at this table, or a moderator, can post its board again."
OLD_COMMAND = (
    "This command has changed since your Discord loaded it. Restart Discord (on a computer: Ctrl+R) "
    "and try again."
)
OLD_CONTROL = (
    "I do not know this button any more: it was made by another version of me. `/table panel` posts "
    "the board with its buttons again."
)
NO_RULE = "There is no rule “{rule}”. `/rule` lists them: type a number or a word of the title."
NO_CELL = "“{cell}” is neither a square of this board nor a unit on it. Squares look like G7."
VERIFY = (
    "### The dice of table {id}\n"
    "Every roll and draw so far, each with the key it was made from. All keys were fixed before the "
    "first roll: their seal is `{commitment}`.\n"
    "To check, with nothing but Python: save the file, fetch Fieldpost's source, and run\n"
    "`python -m games.kernel.verify fieldpost-{id}.json`\n"
    "It says OK for every roll, or what is wrong, and whether the log is the one that was written "
    "(while others play along, what may be secret in it stays sealed until the end). It cannot show "
    "whether whoever runs the bot looked at the keys beforehand; `/table salt` adds words of yours that "
    "nobody could know, and every later roll depends on them."
)
SALTED = (
    "Your words go into every roll from now on. Everybody can read them, and `/table verify` shows that "
    "they were used."
)
SEAL = "-# Seal of this game's dice: `{commitment}`. `/table verify` explains it."
GONE_CHANNEL = "The channel of this game is gone, so I cannot post there any more."
FORBIDDEN_CHANNEL = (
    "I may not post in <#{channel}>. Somebody who manages the server must allow me “View channel” "
    "and “Send messages” there (in a thread: “Send messages in threads”). The game is saved; "
    "`/table panel` posts the board once I may."
)


def clip(text: str, most: int) -> str:
    """The text, or its beginning with an ellipsis when it is longer than `most` characters."""
    text = text.strip()
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def cut(text: str, most: int) -> str:
    """Like `clip`, but between two lines, or else between two words, if there is such a place."""
    if len(text.strip()) <= most:
        return text.strip()
    kept = clip(text, most)[:-1]
    for gap in ("\n", " "):
        whole, found, _ = kept.rpartition(gap)
        if found and len(whole) > most // 2:
            return f"{whole.rstrip()}{gap}…"
    return f"{kept}…"


def plain(text: str) -> str:
    """Text that people chose, made harmless: no formatting, no mention, no link, one line that
    does not turn round what follows it."""
    visible = "".join(" " if char in "\n\r\t" else char for char in text if not _unseen(char))
    # A link with another text is broken first: escape_markdown would put one stroke before all that
    # stands between the first bracket and the last, and what is left open we might close.
    unlinked = visible.replace("](", "]\u200b(")
    shown = escape_markdown(unlinked, ignore_links=False).replace("<", "‹").replace(">", "›")
    shown = shown.replace("@", "@\u200b")
    # After letters that run from right to left, numbers of ours would change places.
    return f"{shown}\u200e" if any(_leftwards(char) for char in shown) else shown


def _leftwards(char: str) -> bool:
    return unicodedata.bidirectional(char) in ("R", "AL")


def _unseen(char: str) -> bool:
    """Whether a character is a control or a mark of direction; joiners (in emoji) are kept."""
    kind = unicodedata.category(char)
    return (kind == "Cc" and char not in "\n\r\t") or (kind == "Cf" and char not in "\u200c\u200d")


def place(channel_id: int, guild_id: int | None) -> str:
    """Where something is played, to stand behind “in”; Discord names no channel of direct messages."""
    return "a direct message" if guild_id is None else f"<#{channel_id}>"


def quoted(typed: str) -> str:
    """What somebody typed, short and harmless enough to be told back."""
    return plain(clip(typed, LONGEST_QUOTED))


def refusal(sentence: str, rule: str) -> str:
    """Why something is refused, with the rule and how to read it."""
    if not rule:
        return sentence
    return f"{sentence} ({rule}; `/rule id:{rule}` shows it.)"


def lines_of(texts: Iterable[str], *, most: int, room: int, rest: str) -> str:
    """Texts as list lines, as many as fit; the others are counted by `rest` (`{n}`)."""
    wanted = [f"- {text.strip()}" for text in texts if text.strip()]
    reserve = len(rest) + 8
    shown: list[str] = []
    used = 0
    for line in wanted[:most]:
        line = clip(line, 400)
        if used + len(line) + 1 > room - reserve:
            break
        shown.append(line)
        used += len(line) + 1
    if hidden := len(wanted) - len(shown):
        shown.append("-# " + rest.format(n=hidden))
    return "\n".join(shown)


NO_ODDS = "There is no shot to take just now, so there are no odds to tell."
NO_HAND = "You hold no cards just now."
