"""The enemy: contact, closing in, his fire, Close Combat. Rules SK-7, SK-9, spec 9.1."""

from __future__ import annotations

from games.kernel.event import Throw
from games.sniper import words
from games.sniper.model import RANGES, Enemy, Range
from games.sniper.world import World

# --- coming and going ---


def group_appears(world: World, count: int, at: Range) -> None:
    """A hostile group without a card (guards, CONTACT): unspotted (SK-13.1, SK-20.5)."""
    world.state.enemy = Enemy("hostile", count, range=at)
    world.note(words.group_appears(count, at))


def remove_enemy(world: World) -> None:
    """The enemy in play is gone with his card; an open fire at him is over (SK-8.3, SK-8.18)."""
    state = world.state
    state.enemy = None
    if state.hostile_card:
        state.hostile_discard.append(state.hostile_card)
        state.hostile_card = ""
    if state.fire is not None and state.fire.target == "enemy":
        state.fire = None


def contact(world: World) -> None:
    """Entry of phase III: who comes, if nobody is in play (SK-7.1 to SK-7.5)."""
    state = world.state
    if state.enemy is not None:
        return
    name = world.draw("hostile")
    if not name:
        return
    card = world.content.hostile[name]
    world.show("Hostile card", card.name, card.text)
    marker, state.first_contact = state.first_contact, False
    match card.kind:
        case "hostile":
            state.enemy = Enemy("hostile", card.count, world.tables.enters_range)
            state.hostile_card = name
        case "sniper":
            state.enemy = Enemy("sniper", 1, world.tables.enters_range, spotted=True)
            state.hostile_card = name
            sniper_fires(world)
        case "reserve":
            state.hostile_discard.append(name)
            if marker:
                tables = world.tables
                group_appears(world, tables.first_contact_group, tables.enters_range)


# --- his fire ---


def sniper_fires(world: World) -> None:
    """An enemy sniper fires: three dice against cover (SK-7.5, SK-18.12)."""
    tables = world.tables
    need = tables.enemy_sniper_hit + world.cover
    number = tables.enemy_sniper_dice + world.gear_sum("enemy_sniper_dice")
    dice = world.dice(number, 6, "enemy sniper")
    hits = sum(1 for die in dice if die >= need)
    why = f"{tables.enemy_sniper_hit} plus cover {world.cover}"
    throw = Throw("enemy sniper", tuple(dice), 6, need, why)
    world.tested("The enemy sniper fires", [throw], words.hits(hits), good=hits == 0)
    world.wounds_from(hits, "light")


def fire_at_move(world: World) -> None:
    """The enemy in play fires at a Move under his eyes (SK-5.4)."""
    enemy = world.state.enemy
    if enemy is None:
        return
    if enemy.kind == "sniper":
        sniper_fires(world)
        return
    need = world.tables.exposed.at(enemy.range)
    die = world.dice(1, 6, "exposed")
    hit = die[0] >= need
    throw = Throw("fire at the move", tuple(die), 6, need, f"group at {enemy.range} range")
    world.tested("The group fires at the moving team", [throw], words.hits(int(hit)), good=not hit)
    if hit:
        world.wound("light")


# --- closing in ---


def advance(world: World) -> None:
    """The enemy comes one range box closer; from short range into the zone box (SK-7.10)."""
    enemy = world.state.enemy
    if enemy is None:
        return
    place = RANGES.index(enemy.range) + world.tables.advance_boxes
    if place < len(RANGES):
        enemy.range = RANGES[place]
        world.note(words.closer(enemy.kind, enemy.count, enemy.range))
        return
    count = enemy.count
    world.note(words.upon_us(enemy.kind, count))
    remove_enemy(world)
    close_combat(world, count)


def close_combat(world: World, count: int) -> None:
    """Close Combat to the end (SK-9): the Claymore, then rounds of attack and answer."""
    state = world.state
    if state.claymore_laid:
        state.claymore_laid = False
        blown = min(world.tables.claymore_kills, count)
        world.note(words.claymore(blown))
        count -= blown
        world.kill(blown)
    while count > 0 and not world.over:
        count -= _attack(world, count)
        if count > 0:
            _answer(world, count)


def _attack(world: World, count: int) -> int:
    tables = world.tables
    dice = world.dice(tables.cc_dice + world.gear_sum("cc_dice"), 6, "cc attack")
    need = world.gear_need("cc_hit", tables.cc_hit)
    killed = min(count, sum(1 for die in dice if die >= need))
    throw = Throw("our attack", tuple(dice), 6, need)
    verdict = words.of(killed, "killed", count)
    world.tested("Close Combat", [throw], verdict, good=killed > 0)
    world.kill(killed)
    return killed


def _answer(world: World, count: int) -> None:
    plain = world.tables.cc_enemy_hit
    need = plain + world.cover
    dice = world.dice(count, 6, "cc enemy")
    hits = sum(1 for die in dice if die >= need)
    why = f"{plain} plus cover {world.cover}"
    throw = Throw("their attack", tuple(dice), 6, need, why)
    world.tested("They strike back", [throw], words.hits(hits), good=hits == 0)
    world.wounds_from(hits, "critical")
