"""Fire, spotting, the shot, and engaging in one go. Rules SK-8, SK-13, SK-23.3."""

from __future__ import annotations

from typing import cast

from games.kernel.action import Picked, Value
from games.kernel.domain import Domain, Option, Several
from games.kernel.game import Slot
from games.kernel.illegal import Illegal
from games.sniper import roles
from games.sniper.firing import (
    attachable,
    binocs,
    open_fire,
    shoot,
    spot,
    why_no_fire,
    why_no_shot,
    why_no_spot,
)
from games.sniper.look import Look
from games.sniper.model import State, Target
from games.sniper.shortcuts import SPOTTING, UNTIL, Engagement, engage, near
from games.sniper.verbs.base import FOLLOWING, RARELY, SniperVerb, choices, text
from games.sniper.world import World

WAYS = {"fire": "Fire card", "blanks": "two Blanks"}
TARGETS = {"enemy": "The enemy in play", "vip": "The VIP"}
SPOTTINGS = {
    "roll": "Roll until spotted or out of tries",
    "binocs": "Binocs at once",
    "binocs_last": "Roll, Binocs instead of the last try",
}
MANY = 3
"""A group so large had better not come close: engaging it is careful by itself."""
UNTILS = {
    "one": "One shot",
    "miss": "Until the first miss",
    "near": "Until a miss would bring them upon us",
    "spent": "Every fire action",
}


def legal_ways(look: Look, target: str = "") -> list[str]:
    """Cards that can open a fire at the target, or at any (SK-8.1)."""
    aims = [target] if target else list(TARGETS)
    return [w for w in WAYS if any(why_no_fire(look, w, aim) is None for aim in aims)]


def legal_targets(look: Look, way: str) -> list[str]:
    """What those cards can open fire at."""
    return [aim for aim in TARGETS if why_no_fire(look, way, aim) is None]


def no_fire(look: Look) -> Illegal:
    """Why no fire can be opened at all: the reason for the likeliest way."""
    aim = "vip" if look.state.enemy is None and look.state.vip.revealed else "enemy"
    way = "fire" if look.held("fire") or not look.held("blank") else "blanks"
    return why_no_fire(look, way, aim) or Illegal("SK-8.1", "No fire can be opened now.")


def cards_to_attach(look: Look, target: str) -> Domain | None:
    """Tactical cards for the shot, none (unless some are named) to all; None when none is held."""
    found = attachable(look, target)
    if not found:
        return None
    names = look.content.tactical
    options = tuple(Option(c, names[c].name, names[c].text) for c in found)
    return Several(options, 0, len(options), ())


def attached(picked: Picked, slot: str = "tactical") -> tuple[str, ...]:
    """The attached cards."""
    value = picked.get(slot, ())
    return (value,) if isinstance(value, str) else value


class OpenFire(SniperVerb):
    """Open a fire (SK-8.1)."""

    name = "fire"
    secret = True
    label = "Open fire"
    summary = "Play a Fire card or two Blanks: two fire actions at one target"
    rule = "SK-8.1"
    main = True
    follows = True
    slots = (
        Slot("with", "With which cards?", spread=True),
        Slot("target", "At whom?"),
        *RARELY,
    )

    def values(self, look: Look, slot: str, picked: Picked, part: str) -> Domain | None:
        if slot == "with":
            return choices([(w, f"Open fire: {WAYS[w]}", "") for w in legal_ways(look)])
        found = legal_targets(look, text(picked["with"]))
        return choices([(aim, TARGETS[aim], "") for aim in found])

    def barred(self, look: Look) -> Illegal | None:
        return None if legal_ways(look) else no_fire(look)

    def refusal(self, state: State, seat: str, slot: str, picked: Picked, value: Value) -> Illegal:
        look = self.at(state)
        way = text(value) if slot == "with" else text(picked["with"])
        aim = text(value) if slot == "target" else "enemy"
        return why_no_fire(look, way, aim) or super().refusal(state, seat, slot, picked, value)

    def act(self, world: World, picked: Picked) -> None:
        open_fire(world, text(picked["with"]), cast("Target", picked["target"]))


class Spot(SniperVerb):
    """One try to spot the group (SK-8.5)."""

    name = "spot"
    label = "Spot"
    summary = "Try to spot the hostile group you have opened fire at"
    rule = "SK-8.5"
    main = True
    follows = True
    plays = True
    slots = RARELY

    def parts(self, state: State) -> str:
        return roles.spotting(state)

    def barred(self, look: Look) -> Illegal | None:
        return why_no_spot(look)

    def act(self, world: World, picked: Picked) -> None:
        spot(world)


class Binocs(SniperVerb):
    """Spot without a roll (SK-8.7)."""

    name = "binocs"
    secret = True
    label = "Binocs"
    summary = "Play Binocs: the hostile group in play is spotted without a roll"
    rule = "SK-8.7"
    part = "Q"
    follows = True
    plays = True
    slots = RARELY

    def barred(self, look: Look) -> Illegal | None:
        if not look.held("binocs"):
            return Illegal("SK-8.7", "There are no Binocs in the hand.")
        if look.group is None or look.group.spotted:
            return Illegal("SK-8.7", "There is no unspotted group to look for.")
        return None

    def act(self, world: World, picked: Picked) -> None:
        binocs(world)


class Shoot(SniperVerb):
    """Use one fire action (SK-8.9)."""

    name = "shoot"
    label = "Shoot"
    summary = "Take a shot with an open fire action"
    rule = "SK-8.9"
    main = True
    follows = True
    slots = (Slot("tactical", "Attach Tactical cards?", quiet=True, spread=True), *FOLLOWING)

    def barred(self, look: Look) -> Illegal | None:
        return why_no_shot(look)

    def closed(self, state: State, seat: str) -> Illegal | None:
        return self.barred(self.at(state))

    def values(self, look: Look, slot: str, picked: Picked, part: str) -> Domain | None:
        fire = look.state.fire
        return cards_to_attach(look, fire.target) if fire is not None else None

    def refusal(self, state: State, seat: str, slot: str, picked: Picked, value: Value) -> Illegal:
        return Illegal("SK-19.4", "Those cards cannot be attached to this shot.")

    def act(self, world: World, picked: Picked) -> None:
        shoot(world, attached(picked))


class Engage(SniperVerb):
    """Open fire, spot and shoot in one go (SK-23.3)."""

    name = "engage"
    secret = True
    label = "Engage"
    summary = "Open fire, spot and shoot in one go, as far as you say"
    rule = "SK-23.3"
    main = True
    follows = True
    slots = (
        Slot("with", "With which cards?", spread=True),
        Slot("target", "At whom?"),
        Slot("spot", "How to spot?", quiet=True),
        Slot("tactical", "Attach Tactical cards to the first shot?", quiet=True, spread=True),
        Slot("until", "Until when?", quiet=True),
        *FOLLOWING,
    )

    def ways(self, look: Look) -> list[str]:
        """Cards, or the fire that is open."""
        fire = look.state.fire
        able = fire is not None and not look.state.jammed
        return ["open"] if able else legal_ways(look)

    def barred(self, look: Look) -> Illegal | None:
        state, group = look.state, look.group
        if state.fire is not None and state.jammed:
            return why_no_shot(look)
        if not self.ways(look):
            return no_fire(look)
        waits = state.mode == "group" and state.spotter_alive and state.orders.spot == "ask"
        if waits and state.fire is not None and group is not None and not group.spotted:
            return Illegal("SK-22.12", "The Spotter must spot the group first.")
        return None

    def values(self, look: Look, slot: str, picked: Picked, part: str) -> Domain | None:
        match slot:
            case "with":
                labels = {**WAYS, "open": "the open fire"}
                return choices([(w, f"Engage: {labels[w]}", "") for w in self.ways(look)])
            case "target" if picked["with"] != "open":
                found = legal_targets(look, text(picked["with"]))
                return choices([(aim, TARGETS[aim], "") for aim in found])
            case "spot":
                return self._spotting(look, picked, part)
            case "tactical":
                return cards_to_attach(look, self.target(look, picked))
            case "until":
                return self._until(look, picked)
            case _:
                return None

    def target(self, look: Look, picked: Picked) -> Target:
        """At whom the fire is or will be."""
        fire = look.state.fire
        if fire is not None:
            return fire.target
        return cast("Target", picked.get("target", "enemy"))

    def _idle(self, look: Look, picked: Picked) -> bool:
        """Whether `near` would stop the open fire before it does anything (decision D34)."""
        hidden = look.group is not None and not look.group.spotted
        return picked["with"] == "open" and not hidden and near(look, attached(picked))

    def _until(self, look: Look, picked: Picked) -> Domain:
        """Everything at the VIP and at few enemies; many are kept at a distance."""
        idle, group = self._idle(look, picked), look.group
        able = [(u, UNTILS[u], "") for u in UNTIL if u != "near" or not idle]
        if self.target(look, picked) == "vip" or (group is not None and group.count < MANY):
            return choices(able, "spent")
        return choices(able, "one" if idle else "near")

    def _spotting(self, look: Look, picked: Picked, part: str) -> Domain | None:
        state, group = look.state, look.group
        if self.target(look, picked) == "vip" or group is None or group.spotted:
            return None
        if state.flag("overwatch") or roles.spotting(state) not in part:
            return None
        held = look.held("binocs") > 0
        able = [s for s in SPOTTING if s == "roll" or held]
        return choices([(s, SPOTTINGS[s], "") for s in able], "binocs_last" if held else "roll")

    def refusal(self, state: State, seat: str, slot: str, picked: Picked, value: Value) -> Illegal:
        look, wanted = self.at(state), text(value)
        plain = super().refusal(state, seat, slot, picked, value)
        match slot:
            case "with" if wanted in WAYS:
                return why_no_fire(look, wanted, "enemy") or plain
            case "target" if wanted in TARGETS:
                return why_no_fire(look, text(picked["with"]), wanted) or plain
            case "tactical":
                return Illegal("SK-19.4", "Those cards cannot be attached to this shot.")
            case "spot":
                return Illegal("SK-23.4", "Roll, or name Binocs that are in the hand.")
            case "until" if wanted == "near":
                return Illegal(
                    "SK-23.5", "A miss would bring them upon us: no shot would be taken."
                )
            case _:
                return plain

    def act(self, world: World, picked: Picked) -> None:
        state = world.state
        plan = text(picked.get("spot", ""))
        if not plan and state.spotter_alive and state.mode == "group":
            order = state.orders.spot
            plan = "" if order == "ask" else order
        target = self.target(world, picked)
        until = text(picked["until"])
        engage(world, Engagement(text(picked["with"]), target, plan, attached(picked), until))
