"""Moving on, zone by zone, and what the Location cards bring. Rules SK-5, SK-13.1, SK-20."""

from __future__ import annotations

from games.kernel.event import Throw
from games.kernel.illegal import Illegal
from games.sniper import words
from games.sniper.combat import fire_at_move, group_appears, remove_enemy
from games.sniper.look import Look
from games.sniper.model import STEPS, Phase
from games.sniper.world import World

# --- permission ---


def why_not_on(look: Look) -> Illegal | None:
    """Why the team may not enter the next zone; None when it may (SK-5.2)."""
    state, last = look.state, look.tables.last_zone
    if state.zone >= last:
        return Illegal("SK-5.3", f"Zone {last} is the last: extract from here.")
    if state.zone + 1 == last and not state.vip.attempted:
        return Illegal("SK-5.2", f"Zone {state.zone + 1} opens only after an attempt on the VIP.")
    needed = look.morale_needed(state.zone + 1)
    if state.morale >= needed:
        return None
    return Illegal(
        "SK-5.2", f"Zone {state.zone + 1} needs Morale {needed}; the team has {state.morale}."
    )


def why_no_move(look: Look) -> Illegal | None:
    """Why the team cannot move on foot now (SK-5.3)."""
    refused = why_not_on(look)
    if refused is not None:
        return refused
    cost, held = look.move_cost(), look.held("movement")
    if held < cost:
        return Illegal("SK-5.3", f"Leaving this zone costs {cost} Movement cards; {held} in hand.")
    return None


def why_no_crawl(look: Look) -> Illegal | None:
    """Why no Crawl card can be played now (SK-5.5)."""
    state, last = look.state, look.tables.last_zone
    if state.zone >= last:
        return Illegal("SK-5.5", f"Zone {last} is the last: extract from here.")
    if not look.held("crawl"):
        return Illegal("SK-5.5", "There is no Crawl card in the hand.")
    if state.crawl + 1 >= look.crawl_cost():
        return why_not_on(look)
    return None


def why_no_crawl_on(look: Look) -> Illegal | None:
    """Why the team cannot crawl into the next zone at once (SK-23.7)."""
    refused = why_not_on(look) or why_no_crawl(look)
    if refused is not None:
        return refused
    wanted = look.crawl_cost() - look.state.crawl
    if look.held("crawl") < wanted:
        return Illegal("SK-23.7", f"That takes {wanted} Crawl cards.")
    return None


# --- moving ---


def move(world: World, cover: str) -> None:
    """Move on foot; enemies fire unless a Hidden or Ghost card covers the move (SK-5.3, SK-5.4)."""
    for _ in range(world.move_cost()):
        world.discard("movement")
    if cover == "hidden":
        world.discard("hidden")
    elif cover == "ghost":
        world.discard_tactical("ghost")
    elif world.state.enemy is not None:
        fire_at_move(world)
    if not world.over:
        enter_zone(world)


def crawl(world: World) -> None:
    """Play one Crawl card (SK-5.5)."""
    world.discard("crawl")
    world.state.crawl += 1
    if world.state.crawl >= world.crawl_cost():
        enter_zone(world)
    else:
        world.note(words.crawled(world.state.crawl, world.crawl_cost()))


def enter_zone(world: World) -> None:
    """Leave everything behind and turn the next zone's card up (SK-5.6, SK-5.7, spec 9.2)."""
    state = world.state
    if state.enemy is not None:
        world.note(words.left_behind())
        remove_enemy(world)
    state.first_contact = False
    state.claymore_laid = False
    state.crawl = 0
    state.fire = None
    state.zone += 1
    world.note(words.enters(state.zone, world.location.zone_names[state.zone - 1]))
    turn_up(world)
    if not world.over and state.zone == world.tables.vip_zone:
        reveal_vip(world)


# --- Location cards ---


def turn_up(world: World) -> None:
    """Turn up the current zone's Location card and resolve its event (SK-1.13, SK-5.7, SK-20.1)."""
    state, place = world.state, world.state.zone - 1
    if not state.location_cards[place]:
        name = world.entropy.draw(state.location_pile, "location card")
        state.location_pile.remove(name)
        state.location_cards[place] = name
    card = world.content.location_cards[state.location_cards[place]]
    world.show("Location", card.name, words.location_text(card))
    match card.event:
        case "AMBUSH":
            start_patrol(world, state.phase)
        case "TRAP":
            _trap(world)
        case "CACHE":
            world.draw_actions(world.tables.cache_cards)
        case "INTEL":
            world.add_reserve(-world.tables.intel_down)
        case "ALARM":
            world.add_reserve(world.tables.alarm_up)
        case "AID":
            if state.light:
                state.light = max(0, state.light - world.tables.heal_wounds)
                world.note(words.healed(state.light, state.critical))
        case "CONTACT":
            state.first_contact = False
            if state.enemy is None:
                group_appears(world, world.tables.contact_group, world.tables.contact_range)
        case _:
            pass


def _trap(world: World) -> None:
    most = world.tables.trap_to
    die = world.dice(1, 6, "trap")
    hit = die[0] <= most
    throw = Throw(f"trap, 1 to {most} hits", tuple(die), 6)
    world.tested("A trap", [throw], words.hits(int(hit)), good=not hit)
    if hit:
        world.wound("light")


def reveal_vip(world: World) -> None:
    """Zone 5: the VIP is turned up; his guards appear if nobody is in play (SK-13.1)."""
    state = world.state
    if not state.vip.card:
        state.vip.card = world.entropy.draw(state.vip_pile, "VIP")
        state.vip_pile.remove(state.vip.card)
    state.vip.revealed = True
    vip = world.content.vips[state.vip.card]
    world.show("VIP", vip.name, words.vip_text(vip))
    if vip.guards and state.enemy is None:
        group_appears(world, vip.guards, world.tables.guards_range)


# --- patrols ---


def start_patrol(world: World, return_to: Phase) -> None:
    """A patrol is upon the team: its strength is known before the choice (SK-6.2, SK-20.2)."""
    state = world.state
    counters = [str(n) for n in world.tables.patrol_counters]
    state.patrol = int(world.entropy.draw(counters, "patrol"))
    state.return_to = return_to
    state.phase = "PATROL"
    world.note(words.patrol(state.patrol))


def pay_extraction(world: World) -> None:
    """Two Movement or Crawl cards, Movement first (SK-14.1, SK-14.4)."""
    for _ in range(world.tables.extraction_cards):
        card = next(c for c in STEPS if world.held(c))
        world.discard(card)
