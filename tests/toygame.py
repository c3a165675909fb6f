"""A tiny game for tests of everything around the rules: pawns on a board of 6×6 squares.

It has one of each kind of thing that a real game has: a move with costs on a board, an attack
with dice and a chart, a card drawn lazily into a private hand, a hidden counter that is decided
when somebody steps on it, a verb without slots, a verb with a `Several` slot, a slot with a
preset, one and two seats, automation that rolls dice, and an end.

Modes: `solo1` (RED against the automation) and `duel` (RED and BLUE). A turn has 4 movement
points and one attack; it ends by `done`. Three points win; so does the lead after round 8.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from games.kernel.action import Picked, Value
from games.kernel.domain import Choices, Domain, Option, Several
from games.kernel.entropy import Entropy
from games.kernel.event import (
    Chart,
    Contest,
    Drew,
    Ended,
    Event,
    Modifier,
    Moved,
    Noted,
    Revealed,
    Roll,
    Rolled,
)
from games.kernel.game import Game, Outcome, Seat, Setup, SetupField, Slot, Verb
from games.kernel.illegal import Illegal
from games.kernel.view import (
    Badge,
    CardFace,
    Mark,
    Roster,
    RosterLine,
    SquareBoard,
    SquareMap,
    Task,
    Token,
    Track,
    View,
)

TABLES: dict[str, Any] = {
    "size": 6,
    "goal": 3,
    "rounds": 8,
    "walk": 4,
    "cards": {"AMMO": 2, "MAP": 1, "SMOKE": 2},
    "caches": ["C3", "D4"],
    "finds": {"EMPTY": 1, "MEDAL": 1},
}
CARDS = {
    "AMMO": CardFace("AMMO", "Ammunition", "Burn it: +1 to your next attack."),
    "MAP": CardFace("MAP", "Map", "Burn it: 2 more movement points."),
    "SMOKE": CardFace("SMOKE", "Smoke", "Burn it: nothing but a nice cloud."),
}
CHART = Chart("Toy attack", (("difference 3 or more", "rout"), ("1 or 2", "hit"), ("else", "miss")))
BADGES = {"RED": Badge("R", "square", "red"), "BLUE": Badge("B", "hexagon", "steel")}
TITLES = {"RED": "Red captain", "BLUE": "Blue captain"}
RULES = {
    "TOY-1": ("Moving", "A pawn walks up to 4 squares a turn."),
    "TOY-2": ("Attacking", "One attack a turn, at a pawn within 3 squares."),
    "TOY-3": ("Cards", "Two cards in hand at most."),
    "TOY-4": ("The end", "Three points win."),
}


class ToyState(msgspec.Struct):
    """All of a toy game. `turn` is the side to act; `left` its movement points."""

    solo: bool
    round: int
    turn: str
    left: int
    attacked: bool
    bonus: int
    pos: dict[str, str]
    points: dict[str, int]
    hands: dict[str, list[str]]
    deck: dict[str, int]
    caches: list[str]
    finds: dict[str, int]
    ended: str = ""


def _spot(cell: str) -> tuple[int, int]:
    return ord(cell[0]) - ord("A"), int(cell[1:]) - 1


def _apart(a: str, b: str) -> int:
    (ax, ay), (bx, by) = _spot(a), _spot(b)
    return max(abs(ax - bx), abs(ay - by))


def _other(side: str) -> str:
    return "BLUE" if side == "RED" else "RED"


def _pool(counts: Mapping[str, int]) -> list[str]:
    return [name for name in sorted(counts) for _ in range(counts[name])]


class _ToyVerb(Verb[ToyState]):
    def __init__(self, game: ToyGame) -> None:
        self.game = game

    def domain(self, state: ToyState, seat: str, slot: str, picked: Picked) -> Domain | None:
        raise KeyError(slot)


class Move(_ToyVerb):
    """Walk to a square; the cost is the distance."""

    name, label, summary = "move", "Move", "Walk to a square"
    slots = (Slot("to", "Where to?", board=True),)
    main = True

    def domain(self, state: ToyState, seat: str, slot: str, picked: Picked) -> Domain | None:
        here = state.pos[seat]
        cells = [c for c in self.game.cells if c not in state.pos.values()]
        reach = sorted(
            (c for c in cells if _apart(here, c) <= state.left), key=lambda c: _apart(here, c)
        )
        return Choices(
            tuple(
                Option(c, c, f"{_apart(here, c)} MP", cell=c, mark=str(_apart(here, c)))
                for c in reach
            )
        )

    def closed(self, state: ToyState, seat: str) -> Illegal | None:
        if state.left == 0:
            return Illegal("TOY-1", "Your pawn has no movement points left.")
        return super().closed(state, seat)

    def refusal(
        self, state: ToyState, seat: str, slot: str, picked: Picked, value: Value
    ) -> Illegal:
        return Illegal("TOY-1", f"Your pawn cannot walk to {value}.")

    def perform(
        self, state: ToyState, seat: str, picked: Picked, entropy: Entropy, log: list[Event]
    ) -> None:
        to, here = str(picked["to"]), state.pos[seat]
        state.left -= _apart(here, to)
        state.pos[seat] = to
        log.append(
            Moved(
                text=f"{TITLES[seat]} walks {here} to {to}.",
                who=BADGES[seat],
                marks=(Mark("path", (here, to)),),
            )
        )
        if to in state.caches:
            state.caches.remove(to)
            find = entropy.draw(_pool(state.finds), "cache")
            state.finds[find] -= 1
            state.points[seat] += 1 if find == "MEDAL" else 0
            log.append(
                Revealed(text=f"The cache at {to} holds: {find.lower()}.", cell=to, what=find)
            )


class Attack(_ToyVerb):
    """One die against one die."""

    name, label, summary = "attack", "Attack", "Attack a pawn within 3 squares"
    slots = (Slot("target", "Whom?", board=True), Slot("style", "How?"))

    def domain(self, state: ToyState, seat: str, slot: str, picked: Picked) -> Domain | None:
        if slot == "target":
            foe = _other(seat)
            near = _apart(state.pos[seat], state.pos[foe]) <= 3
            there = Option(foe, TITLES[foe], "within 3 squares", cell=state.pos[foe])
            return Choices((there,) if near else ())
        return Choices(
            (Option("careful", "Careful", "no bonus"), Option("bold", "Bold", "+1 to both dice")),
            preset="careful",
        )

    def closed(self, state: ToyState, seat: str) -> Illegal | None:
        if state.attacked:
            return Illegal("TOY-2", "You have attacked this turn.")
        return super().closed(state, seat)

    def perform(
        self, state: ToyState, seat: str, picked: Picked, entropy: Entropy, log: list[Event]
    ) -> None:
        state.attacked = True
        self.game.fight(state, seat, picked["style"] == "bold", entropy, log)


class Draw(_ToyVerb):
    """Draw a card into the hand, where only its holder sees it."""

    name, label, summary = "draw", "Draw a card", "Draw a card"

    def closed(self, state: ToyState, seat: str) -> Illegal | None:
        if len(state.hands[seat]) >= 2:
            return Illegal("TOY-3", "Your hand is full.")
        if not _pool(state.deck):
            return Illegal("TOY-3", "No card is left.")
        return None

    def perform(
        self, state: ToyState, seat: str, picked: Picked, entropy: Entropy, log: list[Event]
    ) -> None:
        card = entropy.draw(_pool(state.deck), "card")
        state.deck[card] -= 1
        state.hands[seat].append(card)
        log.append(Noted(text=f"{TITLES[seat]} draws a card."))
        log.append(Drew(text=f"You drew: {CARDS[card].title}.", card=CARDS[card], to=(seat,)))


class Burn(_ToyVerb):
    """Give up one or two cards of the hand."""

    name, label, summary = "burn", "Burn cards", "Use up cards of your hand"
    slots = (Slot("cards", "Which cards?"),)

    def domain(self, state: ToyState, seat: str, slot: str, picked: Picked) -> Domain | None:
        ids = list(dict.fromkeys(state.hands[seat]))
        return Several(tuple(Option(c, CARDS[c].title, CARDS[c].text) for c in ids), 1, 2)

    def perform(
        self, state: ToyState, seat: str, picked: Picked, entropy: Entropy, log: list[Event]
    ) -> None:
        for card in picked["cards"]:
            state.hands[seat].remove(card)
            state.bonus += card == "AMMO"
            state.left += 2 if card == "MAP" else 0
            log.append(Noted(text=f"{TITLES[seat]} burns {CARDS[card].title}."))


class Done(_ToyVerb):
    """End the turn."""

    name, label, summary = "done", "End turn", "End your turn"

    def perform(
        self, state: ToyState, seat: str, picked: Picked, entropy: Entropy, log: list[Event]
    ) -> None:
        log.append(Noted(text=f"{TITLES[seat]} ends the turn."))
        self.game.next_turn(state, log)


class ToyGame(Game[ToyState]):
    """The game; `tables` may change its content (`goal`, `rounds`, …)."""

    slug, title, rules_version = "toy", "Toy Skirmish", 1
    state_type = ToyState

    def __init__(self, tables: Mapping[str, Any] | None = None) -> None:
        self._tables: dict[str, Any] = {**TABLES, **(tables or {})}
        raw = json.dumps(self._tables, sort_keys=True).encode()
        self.content_hash = hashlib.sha256(raw).hexdigest()
        size = int(self._tables["size"])
        self.cells = [f"{chr(65 + x)}{y + 1}" for y in range(size) for x in range(size)]
        kinds = (Move, Attack, Draw, Burn, Done)
        self.verbs = {kind.name: kind(self) for kind in kinds}

    def tables(self) -> dict[str, Any]:
        return self._tables

    def setup_fields(self) -> Sequence[SetupField]:
        return (
            SetupField("mission", "Which mission?", (Option("arena", "The arena"),), "arena"),
            SetupField(
                "mode",
                "Who plays?",
                (Option("solo1", "Solo"), Option("duel", "Two players")),
                "solo1",
            ),
        )

    def read_setup(self, chosen: Mapping[str, str]) -> Setup:
        for name, value in chosen.items():
            field = next((f for f in self.setup_fields() if f.name == name), None)
            if field is None or value not in [o.value for o in field.options]:
                raise Illegal("", f"There is no {name} “{value}” in this game.")
        return Setup(chosen.get("mission", "arena"), chosen.get("mode", "solo1"), map="arena")

    def seats(self, setup: Setup) -> tuple[Seat, ...]:
        sides = ("RED",) if setup.mode == "solo1" else ("RED", "BLUE")
        return tuple(Seat(s, TITLES[s], s.lower()) for s in sides)

    def set_up(self, setup: Setup, entropy: Entropy, log: list[Event]) -> ToyState:
        size = int(self._tables["size"])
        log.append(Noted(text="The arena opens."))
        return ToyState(
            solo=setup.mode == "solo1",
            round=1,
            turn="RED",
            left=int(self._tables["walk"]),
            attacked=False,
            bonus=0,
            pos={"RED": "A1", "BLUE": f"{chr(64 + size)}{size}"},
            points={"RED": 0, "BLUE": 0},
            hands={"RED": [], "BLUE": []},
            deck=dict(self._tables["cards"]),
            caches=list(self._tables["caches"]),
            finds=dict(self._tables["finds"]),
        )

    def fight(
        self, state: ToyState, seat: str, bold: bool, entropy: Entropy, log: list[Event]
    ) -> None:
        """One die each, the attacker with his bonus; a hit scores, a rout scores two."""
        foe = _other(seat)
        mods = [Modifier("ammunition", state.bonus)] if state.bonus else []
        if bold:
            mods.append(Modifier("bold", 1))
        mine, theirs = entropy.roll(6, "attack"), entropy.roll(6, "defence")
        total = mine + sum(m.value for m in mods)
        other = (Modifier("bold", 1),) if bold else ()
        gap = total - theirs - len(other)
        row = 0 if gap >= 3 else 1 if gap >= 1 else 2
        verdict = CHART.rows[row][1]
        state.points[seat] += (2, 1, 0)[row]
        state.bonus = 0
        log.append(
            Rolled(
                text=f"{TITLES[seat]} attacks {TITLES[foe]}: {verdict}.",
                title=f"{TITLES[seat]} attacks",
                detail=f"{state.pos[seat]} to {state.pos[foe]}",
                contests=(
                    Contest(
                        Roll(BADGES[seat], (mine,), tuple(mods), total),
                        Roll(BADGES[foe], (theirs,), other, theirs + len(other)),
                        gap,
                        row,
                        verdict,
                    ),
                ),
                chart=CHART,
                marks=(Mark("fire", (state.pos[seat], state.pos[foe])),),
            )
        )
        if state.points[seat] >= int(self._tables["goal"]):
            self.finish(state, seat, log)

    def finish(self, state: ToyState, winner: str, log: list[Event]) -> None:
        """The game is over; `winner` may be "DRAW"."""
        state.ended = winner
        text = "Nobody wins." if winner == "DRAW" else f"{TITLES[winner]} wins."
        log.append(Ended(text=text, title="The arena closes"))

    def next_turn(self, state: ToyState, log: list[Event]) -> None:
        """The other side is to act; after BLUE a round is over."""
        state.turn, state.left, state.attacked = (
            _other(state.turn),
            int(self._tables["walk"]),
            False,
        )
        state.bonus = 0
        if state.turn == "RED":
            state.round += 1
            if state.round > int(self._tables["rounds"]):
                red, blue = state.points["RED"], state.points["BLUE"]
                self.finish(state, "DRAW" if red == blue else "RED" if red > blue else "BLUE", log)

    def verbs_now(self, state: ToyState, seat: str) -> tuple[str, ...]:
        if state.ended or state.turn != seat or (state.solo and seat == "BLUE"):
            return ()
        return tuple(self.verbs)

    def not_now(self, state: ToyState, seat: str, verb: str) -> Illegal:
        return Illegal("TOY-4", "It is not your turn.")

    def tasks(self, state: ToyState) -> tuple[Task, ...]:
        if state.ended or (state.solo and state.turn == "BLUE"):
            return ()
        return (Task(state.turn, "move, attack, draw or end the turn"),)

    def step(self, state: ToyState, entropy: Entropy, log: list[Event]) -> None:
        if _apart(state.pos["BLUE"], state.pos["RED"]) <= 3 and not state.attacked:
            state.attacked = True
            self.fight(state, "BLUE", False, entropy, log)
        if not state.ended:
            self.next_turn(state, log)

    def result(self, state: ToyState) -> Outcome | None:
        if not state.ended:
            return None
        seats = ("RED",) if state.solo else ("RED", "BLUE")
        won = tuple(seat for seat in seats if seat == state.ended)
        title = "A draw" if state.ended == "DRAW" else f"{TITLES[state.ended]} wins"
        text = f"{state.points['RED']} to {state.points['BLUE']}"
        return Outcome(won, title, text, cause="TOY-4")

    def view(self, state: ToyState, seat: str | None) -> View:
        size = int(self._tables["size"])
        tokens = [
            Token(f"CACHE-{c}", "Cache", c, Badge("?", "chip", "yellow"), hidden=True)
            for c in state.caches
        ]
        tokens += [
            Token(s, TITLES[s], state.pos[s], BADGES[s], current=state.turn == s)
            for s in ("RED", "BLUE")
        ]
        tasks = self.tasks(state)
        outcome = self.result(state)
        lines = tuple(
            RosterLine(BADGES[s], TITLES[s], state.pos[s], f"{state.points[s]} points")
            for s in ("RED", "BLUE")
        )
        return View(
            game=self.slug,
            title=self.title,
            turn=f"Round {state.round}",
            headline=outcome.title if outcome else f"{TITLES[state.turn]}: {tasks[0].what}.",
            tasks=tasks,
            board=SquareBoard(
                map=SquareMap(
                    f"toy-{size}", size, size, tuple("." * size for _ in range(size)), ()
                ),
                rooms=(),
                zones=(),
                breaches=(),
                tokens=tuple(tokens),
            ),
            tracks=(Track("Movement", str(state.left), str(self._tables["walk"])),),
            rosters=(Roster("Pawns", lines),),
            cards=tuple(CARDS[c] for c in state.hands.get(seat or "", ())),
            footer=(f"Round {state.round} of {self._tables['rounds']}",),
        )

    def pick_marks(self, state: ToyState, seat: str, verb: str, picked: Picked) -> tuple[Mark, ...]:
        return (Mark("arc", (state.pos[seat],)),) if verb == "attack" else ()

    def rule(self, rule: str) -> tuple[str, str] | None:
        return RULES.get(rule)

    def rules(self) -> Sequence[tuple[str, str]]:
        return [(name, title) for name, (title, _) in RULES.items()]

    def patch(self, state: ToyState, path: str, value: object) -> None:
        names = path.split(".")
        if names[0] not in state.__struct_fields__:
            raise KeyError(path)
        if len(names) == 1:
            setattr(state, names[0], value)
        else:
            getattr(state, names[0])[names[1]] = value

    def inspect(self, state: ToyState, path: str) -> object:
        names = path.split(".")
        found: Any = getattr(state, names[0], False)
        for name in names[1:]:
            found = found.get(name, False) if isinstance(found, dict) else False
        return found


def load(tables: Mapping[str, Any] | None = None) -> ToyGame:
    """The loader to give to a `Registry`."""
    return ToyGame(tables)
