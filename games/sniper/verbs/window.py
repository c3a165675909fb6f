"""Moving, healing, Tactical cards and the end of a window. Rules SK-5, SK-10.6, SK-19, SK-23."""

from __future__ import annotations

from games.kernel.action import Picked, Value
from games.kernel.domain import Domain, Option, Several
from games.kernel.game import Slot
from games.kernel.illegal import Illegal
from games.sniper import words
from games.sniper.combat import remove_enemy
from games.sniper.journey import crawl, move, why_no_crawl, why_no_crawl_on, why_no_move
from games.sniper.look import Look
from games.sniper.model import State
from games.sniper.shortcuts import crawl_on, end_turn
from games.sniper.turn import end_phase
from games.sniper.verbs.base import (
    EXTRACT,
    FOLLOWING,
    PRIORITY,
    SniperVerb,
    choices,
    said,
    text,
)
from games.sniper.world import World


class Move(SniperVerb):
    """Move on foot (SK-5.3)."""

    name = "move"
    secret = True
    label = "Move on"
    summary = "Go to the next zone on foot; enemies in play fire at you"
    rule = "SK-5.3"
    main = True
    follows = True
    slots = (Slot("cover", "Cover the move with a card?", spread=True), *FOLLOWING)

    def barred(self, look: Look) -> Illegal | None:
        return why_no_move(look)

    def closed(self, state: State, seat: str) -> Illegal | None:
        return self.barred(self.at(state))

    def values(self, look: Look, slot: str, picked: Picked, part: str) -> Domain | None:
        found = [("none", "Move on, no cover", "")]
        if look.state.enemy is not None:
            if look.held("hidden"):
                found.append(("hidden", "Move on under a Hidden card", ""))
            if look.holds("ghost"):
                found.append(("ghost", "Move on under the Ghost card", ""))
        return choices(found, "none")

    def refusal(self, state: State, seat: str, slot: str, picked: Picked, value: Value) -> Illegal:
        return Illegal(
            "SK-5.4", "Only a held Hidden or Ghost card covers a move, under enemy eyes."
        )

    def act(self, world: World, picked: Picked) -> None:
        move(world, text(picked["cover"]))


class Crawl(SniperVerb):
    """Play one Crawl card (SK-5.5)."""

    name = "crawl"
    secret = True
    label = "Crawl"
    summary = "Play one Crawl card; enough of them lead into the next zone unseen"
    rule = "SK-5.5"
    follows = True
    slots = FOLLOWING

    def barred(self, look: Look) -> Illegal | None:
        return why_no_crawl(look)

    def act(self, world: World, picked: Picked) -> None:
        crawl(world)


class CrawlOn(SniperVerb):
    """Crawl into the next zone at once (SK-23.7)."""

    name = "crawl_on"
    secret = True
    label = "Crawl into the next zone"
    summary = "Play as many Crawl cards as it takes to enter the next zone"
    rule = "SK-23.7"
    follows = True
    slots = FOLLOWING

    def barred(self, look: Look) -> Illegal | None:
        return why_no_crawl_on(look)

    def act(self, world: World, picked: Picked) -> None:
        crawl_on(world)


# --- healing ---

HEALING = {
    "medkit": ("Med Kit card", "Q"),
    "field_dressing": ("Field Dressing", "Q"),
    "kit": ("Med Kit of the gear", "P"),
    "discard": ("any four cards", "P"),
}


class Heal(SniperVerb):
    """Remove a light wound (SK-10.6)."""

    name = "heal"
    secret = True
    label = "Heal"
    summary = "Remove one light wound: a Med Kit, a Field Dressing, or any four cards"
    rule = "SK-10.6"
    part = "PQ"
    follows = True
    plays = True
    slots = (
        Slot("with", "With what?", spread=True),
        Slot("cards", "Which four cards? They are discarded."),
        *FOLLOWING,
    )

    def barred(self, look: Look) -> Illegal | None:
        if look.state.light <= 0:
            return Illegal("SK-10.6", "There is no light wound to heal.")
        return None

    def ways(self, look: Look, part: str) -> list[str]:
        """What can heal now, for a part in the team (SK-22.2, SK-22.3)."""
        state = look.state
        there = {
            "medkit": look.held("medkit") > 0,
            "field_dressing": look.holds("field_dressing"),
            "kit": state.med_kits > 0,
            "discard": len(state.hand) + len(state.tactical) >= look.tables.heal_cards,
        }
        return [way for way, (_, who) in HEALING.items() if there[way] and who in part]

    def values(self, look: Look, slot: str, picked: Picked, part: str) -> Domain | None:
        if slot == "with":
            return choices([(w, f"Heal: {HEALING[w][0]}", "") for w in self.ways(look, part)])
        return four_cards(look) if picked["with"] == "discard" else None

    def refusal(self, state: State, seat: str, slot: str, picked: Picked, value: Value) -> Illegal:
        if slot == "cards":
            return Illegal("SK-10.6", "Name four cards that are held, a second copy as “fire#2”.")
        way = text(value)
        if way in self.ways(self.at(state), "PQ"):
            return Illegal("SK-22.4", "That is your partner’s decision.")
        if way not in HEALING:
            return super().refusal(state, seat, slot, picked, value)
        missing = {
            "medkit": "There is no Med Kit card in the hand.",
            "field_dressing": "There is no Field Dressing in the hand.",
            "kit": "There is no Med Kit left among the gear.",
            "discard": f"It takes {self.content.tables.heal_cards} cards to discard.",
        }
        return Illegal("SK-10.6", missing[way])

    def act(self, world: World, picked: Picked) -> None:
        state = world.state
        match picked["with"]:
            case "medkit":
                world.discard("medkit")
            case "field_dressing":
                world.discard_tactical("field_dressing")
            case "kit":
                state.med_kits -= 1
            case _:
                for name in picked["cards"]:
                    card = name.partition("#")[0]
                    if card in state.hand:
                        world.discard(card)
                    else:
                        world.discard_tactical(card)
        state.light = max(0, state.light - world.tables.heal_wounds)
        world.note(words.healed(state.light, state.critical))


def four_cards(look: Look) -> Several:
    """Any four cards of both hands; copies are numbered (`fire`, `fire#2`)."""
    number = look.tables.heal_cards
    state, content = look.state, look.content
    options: list[Option] = []
    names = [(c, content.action[c].name) for c in state.hand]
    names += [(c, content.tactical[c].name) for c in state.tactical]
    seen: dict[str, int] = {}
    for card, name in names:
        seen[card] = seen.get(card, 0) + 1
        copy = f"#{seen[card]}" if seen[card] > 1 else ""
        options.append(Option(f"{card}{copy}", name + (f" ({seen[card]})" if copy else "")))
    return Several(tuple(options), number, number)


# --- Tactical cards ---

USELESS = {
    "windage_call": ("SK-19.5", "it is in force already"),
    "overwatch": ("SK-19.6", "it is in force already"),
    "rapid_clear": ("SK-19.7", "the gun is not jammed"),
    "smoke": ("SK-19.8", "no enemy is in play"),
    "claymore": ("SK-19.9", "one is laid already"),
}
"""Why a Tactical card that is held does nothing now, with its rule."""
ELSEWHERE = ("SK-3.10", "it belongs to another moment")


class Tactical(SniperVerb):
    """Play a Tactical card in a window (SK-19.5 to SK-19.10)."""

    name = "tactical"
    secret = True
    label = "Tactical card"
    summary = "Play a Tactical card that works in a window"
    rule = "SK-3.10"
    part = "PQ"
    follows = True
    plays = True
    slots = (Slot("card", "Which card?", sure=True, spread=True), *FOLLOWING)

    def playable(self, look: Look, part: str) -> list[str]:
        """Held cards that do something now, for a part in the team (SK-22.2, SK-22.3)."""
        state = look.state
        fits = {
            "windage_call": not state.flag("windage_call"),
            "overwatch": state.spotter_alive and not state.flag("overwatch"),
            "smoke": state.enemy is not None,
            "claymore": not state.claymore_laid,
            "adrenaline": True,
            "rapid_clear": state.jammed,
        }
        held = [card for card in fits if look.holds(card) and fits[card]]
        return [c for c in held if ("P" if c == "rapid_clear" else "Q") in part]

    def values(self, look: Look, slot: str, picked: Picked, part: str) -> Domain | None:
        cards = look.content.tactical
        return choices(
            [(c, f"Play {cards[c].name}", cards[c].text) for c in self.playable(look, part)]
        )

    def closed(self, state: State, seat: str) -> Illegal | None:
        found = super().closed(state, seat)
        if found is not None and self.playable(self.at(state), "PQ"):
            return Illegal("SK-22.4", "That is your partner’s decision.")
        return found

    def nothing(self) -> Illegal:
        return Illegal("SK-3.10", "No Tactical card in the hand can be played now.")

    def refusal(self, state: State, seat: str, slot: str, picked: Picked, value: Value) -> Illegal:
        look, card = self.at(state), text(value)
        found = look.content.tactical.get(card)
        if found is None or not look.holds(card):
            return Illegal("SK-3.10", "That Tactical card is not in the hand.")
        if card in self.playable(look, "PQ"):
            return Illegal("SK-22.4", "That is your partner’s decision.")
        dead = card == "overwatch" and not state.spotter_alive
        rule, why = ("SK-10.5", "the spotter is dead") if dead else USELESS.get(card, ELSEWHERE)
        return Illegal(rule, f"{found.name} cannot be played now: {why}.")

    def act(self, world: World, picked: Picked) -> None:
        card, state = text(picked["card"]), world.state
        world.discard_tactical(card)
        world.note(words.plays(world.content.tactical[card].name))
        match card:
            case "overwatch":
                state.set_flag(card)
                if world.group is not None:
                    world.group.spotted = True
            case "smoke":
                remove_enemy(world)
                world.note(words.smoked())
            case "claymore":
                state.claymore_laid = True
            case "adrenaline":
                world.draw_actions(world.tables.adrenaline_cards)
            case "rapid_clear":
                state.jammed = False
            case _:
                state.set_flag(card)


# --- the end of a window ---


def held_back(look: Look) -> Illegal | None:
    """The Spotter's hold (SK-22.6)."""
    if look.state.hold:
        return Illegal("SK-22.6", "The Spotter has asked to hold: the phase cannot be ended yet.")
    return None


class EndPhase(SniperVerb):
    """End the phase (SK-2.4, SK-2.5)."""

    name = "end_phase"
    label = "End phase"
    summary = "End this phase; in phase I perhaps go on to phase III at once"
    rule = "SK-2.4"
    slots = (Slot("through", "Skip the window of phase II?", quiet=True),)

    def barred(self, look: Look) -> Illegal | None:
        return held_back(look)

    def values(self, look: Look, slot: str, picked: Picked, part: str) -> Domain | None:
        if look.state.phase != "I":
            return None
        return choices([("II", "Stop in phase II", ""), ("III", "Go on to phase III", "")], "II")

    def act(self, world: World, picked: Picked) -> None:
        end_phase(world, through=picked.get("through") == "III")


class EndTurn(SniperVerb):
    """End the windows one after the other (SK-23.6)."""

    name = "end_turn"
    label = "End turn"
    summary = "End the phases until somebody must decide, at the latest at the next turn"
    rule = "SK-23.6"
    slots = (PRIORITY, EXTRACT)

    def barred(self, look: Look) -> Illegal | None:
        return held_back(look)

    def act(self, world: World, picked: Picked) -> None:
        end_turn(world, priority=said(picked, "priority"), extract=said(picked, "extract"))
