"""The topics of help, and the text of rules."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from bot import texts
from bot.commands import command_path
from bot.layout import Letter, Screen, card, text
from bot.refusals import Refused
from games.kernel.game import Game
from games.registry import GameUnavailable, Registry

log = logging.getLogger(__name__)

TOPICS: Mapping[str, tuple[str, str]] = {
    "tutorial": (
        "Learn to play",
        "`/tutorial` plays a guided first mission with you, step by step, in about ten minutes: real "
        "board, real dice, and under every picture a word on what you see and which button to press. "
        "In a server it has a private thread of its own, in direct messages it is played right there; "
        "`game` says which game you want to learn.\n"
        "You can stop at any time and go on later: `/tutorial` again shows the way back, or starts "
        "over. It counts in no record and not towards the number of your games.",
    ),
    "start": (
        "Start a game",
        "{news}\n"
        "The game is played in the channel where you open it, one game to a channel; `thread` gives "
        "it a thread of its own. I post the "
        "board after every action, and under it the buttons of whoever must act. `/help` in that "
        "channel begins with whose turn it is.",
    ),
    "seats": (
        "Seats, and people who are away",
        "A game for several people begins in a lobby: press “Join” under its board, and its host "
        "presses “Start” when every seat is taken. Several people can share a seat, and one person "
        "can hold several. Until the start the host can change mission, mode and options.\n"
        "`/table seats` shows who plays, `/table leave` gives your seat up, `/table join` takes a "
        "vacant one, also in the middle of a game. Nothing is lost by that.\n"
        "I mention whoever must act, once. After two days (or when the time is up, see the topic "
        "“time”) the host may let me act for them: `/table stand-in`. The host can also make a seat "
        "vacant (`/table vacate`) and hand the table over (`/table host`). `/table substitute` asks "
        "somebody to take over your seat; the host can ask for anybody’s. When the host is not seen "
        "for a week, the others can decide by `/table vote`; a moderator can do all of this at once. A "
        "game that nobody starts is cleared away after two weeks; I say so two days before.",
    ),
    "time": (
        "Time and reminders",
        "`/table settings` shows how much time everybody has; the host sets it: none, fast, normal or slow. "
        "Each seat has a bank of time, which runs while it is waited for and grows with every turn. "
        "When it is used up, nothing happens, unless the host chose with `overtime` that I act for the "
        "seat until its turn is over, or that the seat becomes vacant.\n"
        "I remind you three times at most: at half and nine tenths of your time and a day after it is "
        "up; without a clock after one day, three and seven. “Mute this turn” under a reminder stops "
        "that for the present turn.\n"
        "With `posts` the host chooses what I post anew and what I edit into the board.\n"
        "`/reminders quiet start:22:00 end:7:00 zone:Europe/Berlin` sets hours in which I mention you "
        "nowhere, `/reminders loud` ends that; if your turn begins meanwhile, I tell you then. `/reminders "
        "next` also gives you a word when your seat is the next one to act, `/reminders mute` does what "
        "“Mute this turn” does, and `/reminders show` tells what you have chosen.",
    ),
    "mygames": (
        "Your games in every server",
        "`/mygames` lists what waits for you, longest waiting first, with the way to each board; "
        "then your other games. Only you see it. It works in direct messages, too, and everywhere "
        "if you add me to your own account. While many tables wait for you I open no more.",
    ),
    "turns": (
        "Take your turn",
        "Press a button under the board. If something must be chosen, I ask you in a private "
        "message: choose from the list, or press “Type it” and type a square such as G7. “Back” "
        "takes one step back, “Cancel” forgets the choice. Nothing is done before the last choice.\n"
        "Everything can be typed too: {verbs}. What you leave out, I ask for.",
    ),
    "board": (
        "See the board",
        "`/table board` shows the whole map, `/table zoom` the map around a square or a unit, "
        "`/table text` the board in words. `/table panel` posts the board with its buttons again.\n"
        "`/table hand` shows your own cards, `/table odds` your chances in what you can do now; where "
        "there are any, the buttons “Hand” and “Odds” do the same.",
    ),
    "past": (
        "See what happened",
        "`/table catchup` tells what happened since you last acted, what was done to you first, with "
        "the board as it was and as it is; for those who watch, since they last looked. `/table log` "
        "pages through the whole game: its buttons lead to older and newer parts, the menu jumps.\n"
        "`/table replay` draws the game, or with `turns:5` its last five turns, as a moving picture. It "
        "shows what everybody could see.",
    ),
    "undo": (
        "Take something back",
        "“Undo” under the board (or `/table undo`) takes back your own last action, as long as it "
        "brought no dice, no card and no hidden counter to light and nobody else has acted since. I "
        "name what would be taken back and ask first. `/table undo steps:3` takes back several "
        "actions at once.\n"
        "Anything further needs everybody’s consent: I ask the other seats in public, with buttons, "
        "and forget it as soon as the game goes on or somebody refuses. Where nobody else plays, "
        "nobody is asked; the game then says at its end how often something was taken back past a "
        "die. Dice that were taken back never come again. The end of a game can be taken back too, "
        "as long as no other game has begun in its channel and its campaign has not gone on.",
    ),
    "dice": (
        "Check the dice",
        "All dice and cards come from keys that were sealed before the game began. `/table verify` "
        "gives you a file with which anybody can check every roll so far, and that the log was not "
        "changed. `/table salt` adds words of your own: every later roll depends on them, and nobody "
        "could know them before. What this cannot show: whoever runs the bot can read the keys in "
        "the database, so could look ahead as far as nobody has added anything since.\n"
        "`/table luck` counts what the dice have shown, draws how far that is from what was to be "
        "expected, and says how often fair dice do as much.",
    ),
    "roll": (
        "Roll dice",
        "`/roll dice:2d6+1` rolls dice in this channel, without a game. `4d6kh3` keeps the highest "
        "three, `d20 adv` the better of two, `5d6>=4` counts successes, `3d6!` rolls on after a six; "
        "`;` stands between several rolls. `label` says what it is for, `times` how often, and with "
        "`secret` only you see the result, while the channel reads that you rolled.\n"
        "`/rolls` shows the last rolls in this channel and gives the file that proves them.",
    ),
    "deck": (
        "Decks of cards",
        "`/deck new` makes a deck for this channel: the standard 52, with jokers, a game’s cards, or a "
        "list of your own from a file. `/deck draw` draws to the table, with `to:My hand` to your hand, "
        "which only you see (`/deck hand`). `/deck play`, `discard`, `give`, `return` and `shuffle` move "
        "cards on; type their names, several with commas, or “all”. `/deck peek` looks at the next "
        "cards, and everybody is told that you did. `/deck list` names the channel’s decks, `/deck show` "
        "says where the cards are, `/deck remove` takes a deck away.\n"
        "A list of your own is a text file with a card on every line, such as `3x Patrol | Everybody "
        "takes cover.`\n"
        "Which card comes next is decided when it is drawn, by keys of this channel that are sealed. "
        "`/deck proof` gives the file that proves draws. What was drawn while somebody held a hand stays "
        "out of it until all cards, hands too, are shuffled together.",
    ),
    "rules": (
        "Look up a rule",
        "When I refuse something, I name the rule. `/rule` shows any rule: type its number or a "
        "word of its title.",
    ),
    "saves": (
        "Games as files",
        "`/table export` gives you the game in this channel as a file, `/table import` goes on with "
        "such a file in another channel or server: you host it there, the others take their seats "
        "again, and what happened so far stays in the log. While several people play, only a "
        "moderator without a seat can export, because the file shows what is hidden. A file that "
        "was changed is not taken, and an imported game counts in no record.",
    ),
    "end": (
        "End a game",
        "`/table end` ends a game before its time. Only its host or a moderator can do that, and I "
        "ask first. A finished game leaves the channel free for the next one.",
    ),
    "campaigns": (
        "Campaigns and records",
        "`/campaign start` begins a series of games with its first mission; “Next mission” under a "
        "finished one (or `/campaign next`, in any channel) goes on with it. `/campaign show` shows "
        "how it stands, `/campaign list` all of yours; `/campaign gear` buys equipment where there is any, "
        "`/campaign abandon` gives one up, and `/campaign restart` starts it over with the same "
        "people. Who held a seat in its first mission may open the next ones, too.\n"
        "`/record` shows what you, or somebody else, has done in a game. A game that was ended "
        "before its time counts for nobody; giving up does.",
    ),
    "stats": (
        "Statistics",
        "`/stats player` shows how often you have won, by game and mode, over time and by mission, "
        "with plots; `game` and `here` narrow it. Only you see it. Of somebody else it tells what "
        "was played in this server, and nothing of other places. `/stats server` shows what is "
        "played most in this server, and by whom.",
    ),
    "commands": (
        "All commands",
        "Most of what they do has a button, too. A game’s own commands stand after its name.\n{commands}",
    ),
    "privacy": (
        "What I know about you",
        "`/privacy show` tells how much I keep about you, `/privacy export` gives all of it as a file, "
        "`/privacy delete` deletes it (I ask first, and say what becomes of your games).\n"
        "I see the commands that you give and the buttons that you press, and nothing that people "
        "write. I keep your Discord id and name, your games with their logs (so that they can go on and "
        "their dice can be checked), results for records and statistics, campaigns, decks and rolls of "
        "a channel, and when you want to be reminded. It stays until you delete it. What deleting cannot "
        "reach: messages already in Discord, files that others have saved, and words you added to dice.\n"
        "What only your seat may know I show to you alone. Statistics of a server hold only what was "
        "played in it.",
    ),
    "host": (
        "For those who run a server",
        "I need “View channel”, “Send messages” and “Attach files” where games are played, “Create "
        "public threads” and “Send messages in threads” for games in threads, “Create private "
        "threads” for the tutorial, and “Read message history”. Where something is missing I say so, "
        "and no game is lost.\n"
        "Whoever may manage the server or its messages is a moderator for me: they can end any game "
        "(`/table end`), empty seats (`/table vacate`) and do what a host who is gone should do. Which "
        "of my commands may be used where, you set in the server settings under Integrations.",
    ),
}
"""Topics of `/help`: title and text."""


def filled(
    told: str,
    games: Mapping[str, Game[Any]],
    game: Game[Any] | None = None,
    commands: Sequence[str] = (),
) -> str:
    """A topic's text with the names of games, of some verbs of `game`, and of all commands filled in."""
    return told.format(news=news(games), verbs=_verbs(game), commands=_commands(commands))


def rule_letter(games: Sequence[Game[Any]], wanted: str) -> Letter:
    """A rule's title and text. Raises `Refused` for one that does not exist."""
    name = wanted.strip()
    for game in games:
        ids = {rule.casefold(): rule for rule, _ in game.rules()}
        found = ids.get(name.casefold())
        rule = game.rule(found) if found else None
        if rule is not None:
            title, told = rule
            parts = [text(f"### {found} · {title}"), text(texts.clip(told, 3500))]
            return Letter(Screen(card(*parts, text(f"-# {game.title}"))))
    raise Refused(texts.NO_RULE.format(rule=texts.plain(texts.clip(name, 60))))


def find_rules(games: Sequence[Game[Any]], typed: str, most: int = 25) -> list[tuple[str, str]]:
    """(label, id) of rules whose number begins with what was typed, then those that contain it."""
    wanted = typed.strip().casefold()
    begins: list[tuple[str, str]] = []
    contains: list[tuple[str, str]] = []
    for game in games:
        for rule, title in game.rules():
            pair = (texts.clip(f"{rule} · {title}", 100), rule)
            if rule.casefold().startswith(wanted):
                begins.append(pair)
            elif wanted in rule.casefold() or wanted in title.casefold():
                contains.append(pair)
    return (begins + contains)[:most]


def all_games(registry: Registry) -> list[Game[Any]]:
    """The games that can be opened here; broken ones are left out and logged."""
    return list(games_by_slug(registry).values())


def games_by_slug(registry: Registry) -> dict[str, Game[Any]]:
    """The games that can be opened here, by slug; broken ones are left out and logged."""
    found: dict[str, Game[Any]] = {}
    for slug in registry.slugs():
        try:
            found[slug] = registry.newest(slug)
        except GameUnavailable as fault:
            log.warning("%s", fault.sentence)
    return found


def news(games: Mapping[str, Game[Any]]) -> str:
    """How a game is opened, for every game that there is."""
    if not games:
        return "No game is installed here."
    opens = [f"`/{slug} new` opens **{game.title}**" for slug, game in games.items()]
    return f"{texts.listed(opens)}."


def _commands(names: Sequence[str]) -> str:
    """All commands by the group that they belong to, each group on a line."""
    groups: dict[str, list[str]] = {}
    for name in sorted(names):
        head, _, rest = name.partition(" ")
        groups.setdefault(head, []).extend([rest] if rest else [])
    lines = [
        f"- `/{head}`" + (f" {', '.join(rest)}" if rest else "") for head, rest in groups.items()
    ]
    return "\n".join(lines)


def _verbs(game: Game[Any] | None) -> str:
    if game is None:
        return "each button has a command of the same name"
    names = [f"`{command_path(game, verb)}`" for verb in game.verbs.values() if verb.main]
    return ", ".join(names[:6]) + " and so on"
