"""Players for tests: the stand-in policy with some wildness, and the same play pressed with short cuts."""

from __future__ import annotations

from typing import Any

from games.kernel.action import Action
from games.kernel.entropy import Entropy
from games.kernel.game import Game
from games.kernel.random_player import random_action
from games.sniper.game import Sniper
from games.sniper.journey import why_not_on
from games.sniper.look import Look
from games.sniper.model import State

FOCI = ("focus_wind", "focus_scan", "focus_comms")


class Corporal:
    """Plays one seat by the stand-in policy. `wild` of a hundred decisions are taken at random."""

    def __init__(self, game: Game[Any], *, wild: int = 0) -> None:
        assert isinstance(game, Sniper)
        self.game = game
        self.wild = wild

    def action(self, state: State, seat: str, chance: Entropy) -> Action:
        """What to do now; something at random while the policy waits for the partner."""
        if not self.wild or chance.roll(100, "wild") > self.wild:
            decided = self.game.policy(state, "standin")
            if decided is not None and decided[0] == seat:
                return complete(self.game, state, seat, decided[1])
        return random_action(self.game, state, seat, chance, {"abandon": 0})


def complete(game: Sniper, state: State, seat: str, action: Action) -> Action:
    """The action with its left-out slots filled in, as the gate would."""
    verb, picked = game.verbs[action.verb], dict(action.slots)
    for slot in verb.slots:
        before = {s.name: picked[s.name] for s in verb.slots if s.name in picked}
        domain = verb.domain(state, seat, slot.name, before)
        if domain is not None and slot.name not in picked and domain.default is not None:
            picked[slot.name] = domain.default
    return Action(action.verb, {s.name: picked[s.name] for s in verb.slots if s.name in picked})


class Presser:
    """The stand-in policy's play with as few presses as the short cuts allow (spec 9.5).

    `then`: whether verbs also say what follows them.
    """

    def __init__(self, game: Sniper, *, then: bool) -> None:
        self.game = game
        self.then = then

    def action(self, state: State) -> tuple[str, Action]:
        """The seat and what it presses."""
        look = self.game.at(state)
        decided = self.game.policy(state, "standin")
        assert decided is not None
        seat, plain = decided
        if state.mode == "group":
            if state.orders.spot == "ask" and not state.flag("orders_given"):
                return "SPOTTER", Action("orders", {"spot": "binocs", "focus": "SCAN"})
            if plain.verb == "focus" and any(state.flag(flag) for flag in FOCI):
                seat, plain = "SNIPER", Action("end_phase", {"through": "III"})
        match plain.verb:
            case "fire":
                short = self._engage(look, {k: str(v) for k, v in plain.slots.items()})
            case "spot" | "shoot" if state.fire is not None and seat == "SNIPER":
                short = self._go_on(look, plain)
            case "crawl" if look.held("crawl") >= look.crawl_cost() - state.crawl:
                short = Action("crawl_on") if why_not_on(look) is None else plain
            case "end_phase":
                short = self._end(look)
            case _:
                short = plain
        if self.then:
            short = self._and_then(state, seat, short)
        return seat, short

    def _engage(self, look: Look, slots: dict[str, str]) -> Action:
        state, group = look.state, look.group
        if slots["target"] == "vip":
            useful = [c for c in ("windage_call", "overwatch") if look.holds(c)]
            if useful:
                return Action("fire", dict(slots))
            held = tuple(c for c in ("steady_breath", "double_tap") if look.holds(c))
            more = {"tactical": held} if held else {}
            return Action("engage", {**slots, **more, "until": "spent"})
        more: dict[str, Any] = {"tactical": ()} if _attachable(look) else {}
        alone = state.mode == "solo" or not state.spotter_alive
        if group is not None and not group.spotted and not state.flag("overwatch") and alone:
            more["spot"] = "binocs" if look.held("binocs") else "roll"
        return Action("engage", {**slots, **more, "until": _until(look)})

    def _go_on(self, look: Look, plain: Action) -> Action:
        state, group = look.state, look.group
        more: dict[str, Any] = {}
        if "tactical" in plain.slots:
            more["tactical"] = plain.slots["tactical"]
        elif _attachable(look):
            more["tactical"] = ()
        if group is not None and not group.spotted:
            more["spot"] = "roll"
        careful = group is not None and group.count >= 3 and not state.claymore_laid
        until = "one" if careful and group is not None and group.range == "short" else _until(look)
        return Action("engage", {"with": "open", **more, "until": until})

    def _end(self, look: Look) -> Action:
        state = look.state
        more: dict[str, Any] = {}
        if state.mode == "solo" and look.holds("priority_channel"):
            radio = self.game.policy(_in_four(state), "standin")
            assert radio is not None
            more["priority"] = radio[1].slots["priority"]
        if state.zone == look.tables.last_zone:
            more["extract"] = "true"
        if state.phase == "III" or (state.phase in ("I", "II") and not _business(look)):
            return Action("end_turn", more)
        return Action("end_phase", {"through": "III"} if state.phase == "I" else {})

    def _and_then(self, state: State, seat: str, short: Action) -> Action:
        """Add what would follow if everything goes as hoped."""
        verb = self.game.verbs[short.verb]
        if not any(slot.name == "then" for slot in verb.slots):
            return short
        hoped = self._hoped(state, short)
        if hoped is None or not hoped.in_window:
            return short
        follow = self.game.policy(hoped, "standin")
        if follow is None or follow[1].verb != "end_phase":
            return short
        end = self._end(self.game.at(hoped))
        then = (
            "end_turn" if end.verb == "end_turn" else "III" if hoped.phase == "I" else "end_phase"
        )
        more = dict(end.slots) if then == "end_turn" else {}
        return self._with(state, seat, short, {"then": then, **more})

    def _hoped(self, state: State, short: Action) -> State | None:
        """How things would stand if the action goes well; None when that is hard to say."""
        hoped, look, slots = self.game.copy(state), self.game.at(state), short.slots
        match short.verb:
            case "discard_tactical":
                hoped.tactical.remove(str(slots["card"]))
                hoped.phase = "I"
            case "patrol":
                hoped.phase, hoped.patrol = state.return_to, 0
                if slots["how"] == "hidden":
                    hoped.hand.remove("hidden")
            case "engage":
                hoped.enemy, hoped.fire = None, None
                hoped.morale += 2 * look.tables.kill_morale
                if slots["with"] == "fire":
                    hoped.hand.remove("fire")
                elif slots["with"] == "blanks":
                    hoped.hand.remove("blank")
                    hoped.hand.remove("blank")
                ways = hoped.hand.count("fire") + hoped.hand.count("blank") // 2
                if state.enemy is not None and state.enemy.count > 1 and ways:
                    return None
                if slots.get("target") == "vip":
                    hoped.vip.fire_cards_used += 1
                    hoped.vip.attempted = True
            case "move" | "crawl_on":
                card = "movement" if short.verb == "move" else "crawl"
                cost = look.move_cost() if card == "movement" else look.crawl_cost() - state.crawl
                for _ in range(cost):
                    hoped.hand.remove(card)
                hoped.enemy, hoped.fire, hoped.crawl = None, None, 0
                hoped.zone += 1
            case "crawl":
                hoped.hand.remove("crawl")
                hoped.crawl += 1
            case "heal" if slots["with"] in ("medkit", "field_dressing", "kit"):
                hoped.light -= 1
                if slots["with"] == "medkit":
                    hoped.hand.remove("medkit")
                elif slots["with"] == "field_dressing":
                    hoped.tactical.remove("field_dressing")
                else:
                    hoped.med_kits -= 1
            case _:
                return None
        return hoped

    def _with(self, state: State, seat: str, short: Action, more: dict[str, Any]) -> Action:
        """The action with those slots, as far as they apply now."""
        picked = dict(complete(self.game, state, seat, short).slots)
        picked = {k: v for k, v in picked.items() if k not in ("then", "priority", "extract")}
        verb = self.game.verbs[short.verb]
        for name in ("then", "priority", "extract"):
            domain = verb.domain(state, seat, name, picked)
            if domain is not None and name in more and domain.contains(more[name]):
                picked[name] = more[name]
        return Action(short.verb, picked)


def _attachable(look: Look) -> bool:
    group = look.group
    return any(
        look.holds(card) and (card != "muffled_shot" or group is not None)
        for card in ("steady_breath", "muffled_shot", "double_tap")
    )


def _until(look: Look) -> str:
    """The policy stops before a shot at three or more at short range to prepare for them."""
    group, state = look.group, look.state
    prepares = look.holds("claymore") or (look.cover < 2 and look.holds("muffled_shot"))
    big = group is not None and group.count >= 3 and not state.claymore_laid
    if big and prepares and group is not None and group.range != "short":
        return "near"
    return "spent"


def _business(look: Look) -> bool:
    """Whether the policy may still do something in phase III of this turn."""
    state = look.state
    if state.enemy is not None:
        return True
    crawls = bool(look.held("crawl")) and why_not_on(look) is None
    return crawls or (state.light >= 1 and look.wounds >= 2 and len(state.hand) >= 4)


def _in_four(state: State) -> State:
    """The state as it would be in phase IV."""
    other = type(state)(**{name: getattr(state, name) for name in state.__struct_fields__})
    other.phase = "IV"
    return other
