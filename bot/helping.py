"""Help by topic, and the text of rules."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from bot import texts
from bot.commands import command_path
from bot.layout import Letter, Screen, card, text
from bot.refusals import Refused
from bot.sessions.model import Table
from games.kernel.game import Game
from games.registry import GameUnavailable, Registry

log = logging.getLogger(__name__)

TOPICS: Mapping[str, tuple[str, str]] = {
    "start": (
        "Start a game",
        "{news}\n"
        "The game is played in the channel where you open it, one game to a channel; `thread` gives "
        "it a thread of its own. I post the "
        "board after every action, and under it the buttons of whoever must act.",
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
        "`/table pace` shows how much time everybody has; the host sets it: none, fast, normal or slow. "
        "Each seat has a bank of time, which runs while it is waited for and grows with every turn. "
        "When it is used up, nothing happens, unless the host chose with `overtime` that I act for the "
        "seat until its turn is over, or that the seat becomes vacant.\n"
        "I remind you three times at most: at half and nine tenths of your time and a day after it is "
        "up; without a clock after one day, three and seven. “Mute this turn” under a reminder stops "
        "that for the present turn.\n"
        "`/reminders quiet start:22:00 end:7:00 zone:Europe/Berlin` sets hours in which I mention you "
        "nowhere; what begins meanwhile I tell you when they end. `/reminders next` also gives you a "
        "word when your seat is the next one to act.",
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
        "`/table text` the board in words. `/table panel` posts the board with its buttons again.",
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
    "deck": (
        "Decks of cards",
        "`/deck new` makes a deck for this channel: the standard 52, with jokers, a game’s cards, or a "
        "list of your own from a file. `/deck draw` draws to the table, with `to:My hand` to your hand, "
        "which only you see (`/deck hand`). `/deck play`, `discard`, `give`, `return` and `shuffle` move "
        "cards on; type their names, several with commas, or “all”. `/deck peek` looks at the next "
        "cards, and everybody is told that you did. `/deck show` says where the cards are.\n"
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
        "how it stands. Who held a seat in its first mission may open the next ones, too.\n"
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
}
"""Topics of `/help`: title and text."""


def help_letter(registry: Registry, topic: str, table: Table | None = None) -> Letter:
    """Help on one topic, or the list of all (`topic` empty)."""
    games = _games(registry)
    slug = table.slug if table is not None else next(iter(games), "")
    if topic in TOPICS:
        title, told = TOPICS[topic]
        told = told.format(news=_news(games), verbs=_verbs(games.get(slug)))
        return Letter(Screen(card(text(f"### {title}"), text(told))))
    lines = [f"- `/help topic:{name}` {title}" for name, (title, _) in TOPICS.items()]
    head = (
        "### Wargames by post\n"
        "I run wargames in this channel: you take your turns whenever you have time, I keep to the "
        "rules, roll the dice and post the board."
    )
    return Letter(Screen(card(text(head), text(_news(games)), text("\n".join(lines)))))


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
    return list(_games(registry).values())


def _games(registry: Registry) -> dict[str, Game[Any]]:
    found: dict[str, Game[Any]] = {}
    for slug in registry.slugs():
        try:
            found[slug] = registry.newest(slug)
        except GameUnavailable as fault:
            log.warning("%s", fault.sentence)
    return found


def _news(games: Mapping[str, Game[Any]]) -> str:
    if not games:
        return "No game is installed here."
    opens = [f"`/{slug} new` opens **{game.title}**" for slug, game in games.items()]
    return f"{texts.listed(opens)}."


def _verbs(game: Game[Any] | None) -> str:
    if game is None:
        return "each button has a command of the same name"
    names = [f"`{command_path(game, verb)}`" for verb in game.verbs.values() if verb.main]
    return ", ".join(names[:6]) + " and so on"
