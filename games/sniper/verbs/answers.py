"""Decisions outside the windows, and the group's own verbs. Rules SK-4.3, SK-6, SK-11, SK-14, SK-22."""

from __future__ import annotations

from typing import Any, cast

from games.kernel.action import Picked, Value
from games.kernel.domain import Domain
from games.kernel.game import Slot
from games.kernel.illegal import Illegal
from games.sniper import words
from games.sniper.look import Look
from games.sniper.model import State
from games.sniper.patrols import answer, answers
from games.sniper.shortcuts import extract_team
from games.sniper.turn import after_patrol, end_turn, open_phase_one, radio
from games.sniper.verbs.base import FOLLOWING, SniperVerb, choices, text
from games.sniper.world import World

PATROL_LABELS = {
    "hidden": "Hide (Hidden card)",
    "ghost": "Hide (Ghost)",
    "smoke": "Smoke",
    "escape": "Escape",
    "fight": "Fight",
}


class DiscardTactical(SniperVerb):
    """Too many Tactical cards (SK-4.3)."""

    name = "discard_tactical"
    label = "Discard a Tactical card"
    summary = "Discard a Tactical card above the limit"
    rule = "SK-4.3"
    part = "Q"
    main = True
    follows = True
    slots = (Slot("card", "Which one goes?", spread=True), *FOLLOWING)

    def values(self, look: Look, slot: str, picked: Picked, part: str) -> Domain | None:
        held = dict.fromkeys(look.state.tactical)
        cards = look.content.tactical
        return choices([(c, f"Discard {cards[c].name}", cards[c].text) for c in held])

    def act(self, world: World, picked: Picked) -> None:
        world.discard_tactical(text(picked["card"]))
        if len(world.state.tactical) <= world.tables.tactical_limit:
            open_phase_one(world)


class Patrol(SniperVerb):
    """What to do about the patrol (SK-6.4 to SK-6.6)."""

    name = "patrol"
    label = "Answer the patrol"
    summary = "Hide from the patrol, escape it, or fight it"
    rule = "SK-6.4"
    part = "Q"
    main = True
    follows = True
    slots = (
        Slot("how", "What do you do about the patrol?", spread=True),
        Slot("claymore", "Lay the Claymore first?", quiet=True, spread=True),
        *FOLLOWING,
    )

    def values(self, look: Look, slot: str, picked: Picked, part: str) -> Domain | None:
        if slot == "how":
            return choices([(how, PATROL_LABELS[how], "") for how in answers(look)])
        able = look.holds("claymore") and not look.state.claymore_laid
        if picked["how"] != "fight" or not able:
            return None
        found = [("false", "no Claymore", ""), ("true", "lay the Claymore first", "")]
        return choices(found, "false")

    def refusal(self, state: State, seat: str, slot: str, picked: Picked, value: Value) -> Illegal:
        if slot == "how":
            return Illegal("SK-6.4", f"“{text(value)}” is no answer to the patrol now.")
        return Illegal("SK-6.6", "There is no Claymore to lay.")

    def over_with_hold(self, picked: Picked) -> bool:
        return picked["how"] in ("hidden", "ghost", "smoke") or picked.get("claymore") == "true"

    def act(self, world: World, picked: Picked) -> None:
        answer(world, text(picked["how"]), claymore=picked.get("claymore") == "true")
        after_patrol(world)


class Radio(SniperVerb):
    """Radio Comms with a Priority Channel in hand (SK-11.7)."""

    name = "radio"
    label = "Radio"
    summary = "Make the radio call, with or without the Priority Channel"
    rule = "SK-11.7"
    part = "Q"
    main = True
    slots = (Slot("priority", "Use the Priority Channel?", spread=True),)

    def domain(self, state: State, seat: str, slot: str, picked: Picked) -> Domain | None:
        found = [("false", "Radio: keep the channel", ""), ("true", "Radio: Priority Channel", "")]
        return choices(found, "false")

    def act(self, world: World, picked: Picked) -> None:
        radio(world, priority=picked["priority"] == "true")


class Extract(SniperVerb):
    """Be picked up (SK-14.1)."""

    name = "extract"
    label = "Extract"
    summary = "Pay two Movement or Crawl cards: the mission ends and the team is home"
    rule = "SK-14.1"
    main = True

    def act(self, world: World, picked: Picked) -> None:
        extract_team(world)


class StayHere(SniperVerb):
    """Decline the extraction (SK-14.2)."""

    name = "stay"
    label = "Stay"
    summary = "Do not extract this turn"
    rule = "SK-14.2"

    def act(self, world: World, picked: Picked) -> None:
        end_turn(world)


class Abandon(SniperVerb):
    """Give the mission up (SK-16.6)."""

    name = "abandon"
    label = "Abandon"
    summary = "Give the mission up: it counts as taken prisoner"
    rule = "SK-16.6"
    part = "PQ"
    confirm = True
    personal = True

    def act(self, world: World, picked: Picked) -> None:
        world.end("POW", abandoned=True)


# --- the group's own verbs ---

FOCUS = {
    "WIND": "Wind: two wind dice for the first shot",
    "SCAN": "Scan: the first spotting succeeds",
    "COMMS": "Comms: airstrikes succeed on 5 and 6",
}
SPOT_ORDERS = {
    "ask": "Ask me",
    "roll": "Roll",
    "binocs": "Binocs at once",
    "binocs_last": "Roll, Binocs for the last try",
}


def focus_chosen(state: State) -> str:
    """The focus of this turn, or `""`."""
    return next((name for name in FOCUS if state.flag(f"focus_{name.lower()}")), "")


class Focus(SniperVerb):
    """The Spotter's focus of the turn (SK-22.5, SK-22.13)."""

    name = "focus"
    label = "Focus"
    summary = "Spotter: choose what to concentrate on this turn"
    rule = "SK-22.5"
    part = "Q"
    slots = (Slot("focus", "On what?", spread=True),)

    def barred(self, look: Look) -> Illegal | None:
        state = look.state
        if not state.spotter_alive:
            return Illegal("SK-22.7", "The spotter is dead.")
        chosen = focus_chosen(state)
        worked = (chosen == "WIND" and state.flag("first_shot_done")) or (
            chosen == "SCAN" and state.flag("scan_used")
        )
        if chosen and (worked or not state.flag("focus_by_order")):
            return Illegal("SK-22.5", "The focus of this turn is chosen.")
        if chosen == "COMMS" and state.flag("first_shot_done") and state.flag("scan_used"):
            return Illegal("SK-22.5", "It is too late for another focus this turn.")
        return None

    def values(self, look: Look, slot: str, picked: Picked, part: str) -> Domain | None:
        state, chosen = look.state, focus_chosen(look.state)
        able = {
            "WIND": not state.flag("first_shot_done"),
            "SCAN": not state.flag("scan_used"),
            "COMMS": True,
        }
        return choices(
            [(f, f"Focus {f.lower()}", FOCUS[f]) for f in FOCUS if able[f] and f != chosen]
        )

    def act(self, world: World, picked: Picked) -> None:
        state, focus = world.state, text(picked["focus"])
        state.turn_flags = [
            f for f in state.turn_flags if f not in ("focus_wind", "focus_scan", "focus_comms")
        ]
        state.turn_flags = [f for f in state.turn_flags if f != "focus_by_order"]
        state.set_flag(f"focus_{focus.lower()}")
        world.note(words.focus(focus))


class GiveOrders(SniperVerb):
    """The Spotter's standing orders (SK-22.11)."""

    name = "orders"
    label = "Standing orders"
    summary = "Spotter: what to do for you while you are away"
    rule = "SK-22.11"
    part = "Q"
    personal = True
    slots = (
        Slot("spot", "How is spotting done?"),
        Slot("focus", "Which focus each turn?"),
    )

    def barred(self, look: Look) -> Illegal | None:
        if look.state.flag("orders_given"):
            return Illegal("SK-22.11", "Orders have been given this turn.")
        return None

    def values(self, look: Look, slot: str, picked: Picked, part: str) -> Domain | None:
        orders = look.state.orders
        if slot == "spot":
            return choices([(k, v, "") for k, v in SPOT_ORDERS.items()], orders.spot)
        return choices(
            [("ask", "Ask me", ""), *((k, v, "") for k, v in FOCUS.items())], orders.focus
        )

    def act(self, world: World, picked: Picked) -> None:
        orders = world.state.orders
        orders.spot = cast("Any", picked["spot"])
        orders.focus = cast("Any", picked["focus"])
        world.state.set_flag("orders_given")
        world.note(words.orders(orders.spot, orders.focus))


class Hold(SniperVerb):
    """The Spotter asks the Sniper not to end the phase (SK-22.6)."""

    name = "hold"
    label = "Hold"
    summary = "Spotter: the Sniper must not end the phase yet"
    rule = "SK-22.6"
    part = "Q"

    def barred(self, look: Look) -> Illegal | None:
        if look.state.hold:
            return Illegal("SK-22.6", "A hold is set already.")
        if look.state.hold_spent:
            return Illegal("SK-22.6", "A hold can be set again after another action.")
        return None

    def act(self, world: World, picked: Picked) -> None:
        world.state.hold = True
        world.note(words.hold(True))


class ReleaseHold(SniperVerb):
    """Release the hold (SK-22.6)."""

    name = "release_hold"
    label = "Release the hold"
    summary = "Spotter: let the Sniper end the phase"
    rule = "SK-22.6"
    part = "Q"
    main = True

    def barred(self, look: Look) -> Illegal | None:
        if not look.state.hold:
            return Illegal("SK-22.6", "No hold is set.")
        return None

    def act(self, world: World, picked: Picked) -> None:
        world.state.hold = False
        world.state.hold_spent = True
        world.note(words.hold(False))
