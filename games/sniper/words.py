"""Every sentence of the game in one place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.kernel.wording import signed

if TYPE_CHECKING:
    from games.sniper.decks import Vip
    from games.sniper.locations import LocationCard
    from games.sniper.look import Look

LEVELS = {"MAJOR": "Major", "MINOR": "Minor"}
EVENTS = {
    "AMBUSH": "a patrol is waiting",
    "TRAP": "a trap: 1 or 2 on a die wounds lightly",
    "CACHE": "a cache: draw two Action cards",
    "INTEL": "news: the Reserve track goes down by one",
    "ALARM": "alarm: the Reserve track goes up by one",
    "AID": "help: one light wound is healed",
    "CONTACT": "contact: two hostiles at medium range",
}
STATICS = {"NO_PATROL": "no patrols come here", "RELAY": "a relay: airstrikes succeed on 5 and 6"}


def _s(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


# --- cards ---


def reshuffled(pile: str) -> str:
    return f"The {pile.title()} discards are shuffled into a new pile."


def drew_actions(names: str) -> str:
    return f"Drawn: {names}." if names else "Nothing is left to draw."


def drew_some(number: int) -> str:
    return f"The team draws {_s(number, 'Action card')}."


def drew_tactical(name: str) -> str:
    return f"Tactical card: {name}."


def location_text(card: LocationCard) -> str:
    parts = [f"cover {card.cover}", f"fire {signed(card.fire)}"]
    parts += [f"move {card.move}", f"crawl {card.crawl}"]
    if card.event:
        parts.append(EVENTS[card.event])
    if card.static:
        parts.append(STATICS[card.static])
    text = "; ".join(parts)
    return f"{text[0].upper()}{text[1:]}."


def vip_text(vip: Vip) -> str:
    guards = f", {_s(vip.guards, 'guard')}" if vip.guards else ""
    return f"At {vip.range} range, {vip.behaviour}{guards}; worth {vip.bonus_kp} extra KP."


# --- Morale, kills, the track ---


def kills(number: int, morale: int, total: int, points: int) -> str:
    gained = f", Morale +{morale} to {total}" if morale else ""
    point = f", {_s(points, 'Kill Point')} gained" if points else ""
    return f"{_s(number, 'kill')}{gained}{point}."


def bonus(points: int) -> str:
    return f"The target is worth {_s(points, 'Kill Point')} more."


def track(before: int, after: int) -> str:
    if before == after:
        return f"The Enemy Reserve track stays on {after}."
    return f"The Enemy Reserve track goes from {before} to {after}."


# --- wounds ---


def armour() -> str:
    return "The body armour turns the critical wound into a light one."


def wounded(kind: str, light: int, critical: int) -> str:
    return f"A {kind} wound: now {light} light, {critical} critical."


def healed(light: int, critical: int) -> str:
    return f"A light wound is healed: now {light} light, {critical} critical."


def hits(number: int) -> str:
    return "no hit" if number == 0 else _s(number, "hit")


def of(number: int, what: str, all_: int) -> str:
    return f"{number} of {all_} {what}"


# --- the enemy ---


def group_name(kind: str, count: int) -> str:
    return "the enemy sniper" if kind == "sniper" else f"the group of {count}"


def group_appears(count: int, at: str) -> str:
    return f"A hostile group of {count} is at {at} range, not yet spotted."


def closer(kind: str, count: int, at: str) -> str:
    name = group_name(kind, count)
    return f"{name[0].upper()}{name[1:]} comes closer, to {at} range."


def upon_us(kind: str, count: int) -> str:
    name = group_name(kind, count)
    return f"{name[0].upper()}{name[1:]} is upon the team: Close Combat."


def claymore(number: int) -> str:
    return f"The Claymore goes off and kills {number}."


def left_behind() -> str:
    return "The enemy is left behind."


def smoked() -> str:
    return "Smoke: the enemy loses the team."


# --- fire ---


def opens_fire(way: str, target: str, actions: int) -> str:
    cards = "A Fire card" if way == "fire" else "Two Blanks"
    at = "the VIP" if target == "vip" else "the enemy"
    verb = "opens" if way == "fire" else "open"
    return f"{cards} {verb} fire at {at}: {actions} fire actions."


def scanned() -> str:
    return "The spotter has scanned the ground: the group is spotted without a roll."


def spotting_failed() -> str:
    return "Spotting has failed; no fire at enemies for the rest of this phase."


def binocs() -> str:
    return "Binocs: the group is spotted."


def shot_at(look: Look, *, vip: bool) -> str:
    if vip:
        return f"Shot at {look.content.vips[look.state.vip.card].name}"
    enemy = look.state.enemy
    if enemy is None:
        return "Shot"
    return f"Shot at {group_name(enemy.kind, enemy.count)} at {enemy.range} range"


def vip_dead(name: str) -> str:
    return f"Confirmed: {name} is dead."


# --- moving ---


def enters(zone: int, name: str) -> str:
    return f"The team enters Zone {zone}, {name}."


def crawled(done: int, needed: int) -> str:
    return f"The team crawls on: {done} of {needed}."


# --- phases ---


def turn(number: int) -> str:
    return f"Turn {number}."


def focus(what: str) -> str:
    return f"The spotter’s focus this turn is {what.lower()}."


def orders(spot: str, focus_: str) -> str:
    return f"Standing orders: spotting {spot.replace('_', ' ')}, focus {focus_.lower()}."


def patrol_check(number: str, zone: int, there: bool) -> str:
    verdict = "a patrol comes" if there else "no patrol"
    return f"Patrol check: {number} in Zone {zone}, {verdict}."


def patrol(strength: int) -> str:
    return f"A patrol of {strength} is upon the team."


def patrol_passes() -> str:
    return "The patrol passes by."


def dead_air() -> str:
    return "Dead air: no radio this turn."


def priority() -> str:
    return "The priority channel is open: the signal gets through."


def radio(card: str, signal: bool) -> str:
    return f"Radio: {card}, {'a signal' if signal else 'no signal'}."


def reserve_draw(card: str, reserve: bool) -> str:
    return f"Reserve check: {card}{'' if reserve else ', nothing happens'}."


def hold(on: bool) -> str:
    return "The spotter asks to hold." if on else "The hold is released."


def plays(name: str) -> str:
    return f"{name} is played."


def location_rolled(total: int, title: str) -> str:
    return f"The location roll of {total} leads to: {title}."


# --- the end ---


def ending(result: str, kp: int, vp: int, wounds: int) -> tuple[str, str, str]:
    """Title, sentence and rule of a result."""
    score = f"{_s(kp, 'Kill Point')}, {_s(wounds, 'wound')}, {_s(vp, 'Victory Point')}."
    match result:
        case "MAJOR":
            return "Major victory", f"The target is dead and the team is home: {score}", "SK-16.1"
        case "MINOR":
            return "Minor victory", f"The team is home, the target lives: {score}", "SK-16.2"
        case "KIA":
            return "Killed in action", "The team’s wounds were too many.", "SK-10.4"
        case "ABANDONED":
            return "Taken prisoner", "The team has given the mission up.", "SK-16.6"
        case _:
            return "Taken prisoner", "The enemy’s reserves have closed in.", "SK-12.3"
