"""The Turn Cycle. Rules SK-2, SK-3.2, SK-4, SK-6.1, SK-11, SK-12, SK-14.2; spec section 3.

Between decisions everything runs by itself, so each function here goes on until somebody must decide.
"""

from __future__ import annotations

from games.kernel.event import Throw
from games.sniper import words
from games.sniper.combat import advance, contact, remove_enemy
from games.sniper.journey import start_patrol
from games.sniper.model import STEPS
from games.sniper.world import World

IMMEDIATE = ("local_informant", "spooked_birds", "dead_air")

# --- phase I ---


def start_turn(world: World) -> None:
    """A new turn: resets, five Action cards, one Tactical card (SK-2.3, SK-4)."""
    state = world.state
    state.turn += 1
    state.jammed = False
    if world.group is not None:
        world.group.spotted = False
    state.turn_flags = []
    state.fire = None
    state.fire_closed = False
    state.phase = "I"
    world.note(words.turn(state.turn))
    world.draw_actions(world.tables.action_cards)
    for _ in range(world.tables.tactical_cards):
        _draw_tactical(world)
        if world.over:
            return
    if len(state.tactical) > world.tables.tactical_limit:
        state.phase = "TDISCARD"
    else:
        open_phase_one(world)


def _draw_tactical(world: World) -> None:
    name = world.draw("tactical")
    if not name:
        return
    card = world.content.tactical[name]
    if name not in IMMEDIATE:
        world.state.tactical.append(name)
        world.note(words.drew_tactical(card.name), world.team_only())
        return
    world.show("Tactical card", card.name, card.text)
    world.state.tactical_discard.append(name)
    match name:
        case "local_informant":
            world.add_reserve(-world.tables.informant_down)
        case "spooked_birds":
            advance(world)
        case _:
            world.state.set_flag("dead_air")


def open_phase_one(world: World) -> None:
    """The window of phase I opens; standing orders choose a focus (SK-4.4, SK-22.13)."""
    state = world.state
    state.phase = "I"
    focus = state.orders.focus
    if state.mode == "group" and state.spotter_alive and focus != "ask":
        state.set_flag(f"focus_{focus.lower()}")
        state.set_flag("focus_by_order")
        world.note(words.focus(focus))


# --- the end of a window ---


def end_phase(world: World, *, through: bool = False) -> None:
    """End the present window and run to the next decision (SK-2.4, SK-2.5)."""
    state = world.state
    state.fire = None
    state.fire_closed = False
    state.hold_spent = False
    match state.phase:
        case "I":
            _patrol_check(world, through=through)
        case "II":
            enter_three(world)
        case "III":
            _end_three(world)
        case _:
            raise ValueError(f"{state.phase} is no window")


def _patrol_check(world: World, *, through: bool) -> None:
    """Does a patrol come by? (SK-6.1 to SK-6.3)"""
    state = world.state
    if not world.static("NO_PATROL"):
        counters = [str(n) for n in world.tables.dice_counters]
        number = world.entropy.draw(counters, "dice counter")
        there = int(number) == state.zone
        world.note(words.patrol_check(number, state.zone, there))
        if there:
            start_patrol(world, "II")
            return
    if through:
        enter_three(world)
    else:
        state.phase = "II"


def after_patrol(world: World) -> None:
    """Go back to where the patrol came in (SK-1.14, SK-6.7)."""
    state = world.state
    if world.over:
        return
    if state.return_to == "SETUP":
        start_turn(world)
    else:
        state.phase = state.return_to


def enter_three(world: World) -> None:
    """Phase III: contact, then the window (SK-7.1)."""
    world.state.phase = "III"
    contact(world)


def _end_three(world: World) -> None:
    """The hand is discarded, but for what extraction may need (SK-3.2); then the radio."""
    state = world.state
    last = state.zone == world.tables.last_zone
    for card in list(state.hand):
        if not (last and card in STEPS):
            world.discard(card)
    if state.flag("dead_air"):
        world.note(words.dead_air())
        reserve_phase(world)
    elif world.holds("priority_channel"):
        state.phase = "IV"
    else:
        radio(world, priority=False)


# --- phases IV to VI ---


def radio(world: World, *, priority: bool) -> None:
    """Radio Comms: a signal brings an airstrike (SK-11)."""
    if priority:
        world.discard_tactical("priority_channel")
        world.note(words.priority())
        signal = True
    else:
        name = world.draw("action")
        signal = name == "fire"
        if name:
            world.state.action_discard.append(name)
            world.note(words.radio(world.content.action[name].name, signal))
    if signal:
        _airstrike(world)
    reserve_phase(world)


def _airstrike(world: World) -> None:
    """Two dice, one high enough is a success (SK-11.2 to SK-11.4)."""
    state, tables = world.state, world.tables
    need = world.gear_need("air_hit", tables.air_hit)
    if world.static("RELAY") or state.flag("focus_comms"):
        need = min(need, tables.air_hit_helped)
    dice = world.dice(tables.air_dice, 6, "airstrike")
    good = any(die >= need for die in dice)
    throw = Throw("airstrike, any die is enough", tuple(dice), 6, need)
    verdict = f"success, Morale +{tables.air_morale}" if good else "no aircraft gets through"
    world.tested("Airstrike", [throw], verdict, good=good)
    if not good:
        return
    state.morale += tables.air_morale
    group = world.group
    if group is not None:
        count = group.count
        remove_enemy(world)
        world.kill(count, morale=False)


def reserve_phase(world: World) -> None:
    """Phase V: the Reserve draw; then extraction or the end of the turn (SK-12, SK-14.2)."""
    state = world.state
    name = world.draw("hostile")
    if name:
        state.hostile_discard.append(name)
        reserve = world.content.hostile[name].kind == "reserve"
        world.note(words.reserve_draw(world.content.hostile[name].name, reserve))
        if reserve:
            world.add_reserve(world.tables.reserve_up)
    if world.over:
        return
    last = state.zone == world.tables.last_zone
    if last and world.steps_held() >= world.tables.extraction_cards:
        state.phase = "VI"
    else:
        end_turn(world)


def end_turn(world: World) -> None:
    """Action cards never carry over (SK-3.3); the next turn begins."""
    for card in list(world.state.hand):
        world.discard(card)
    start_turn(world)
