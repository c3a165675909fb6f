"""CARD: what the Intel card does. Rules BG-5.1 to BG-5.15, BG-8.1 to BG-8.8, BG-4.14, BG-4.15.

An event works in single steps, one insurgent or one placement at a time; the frame's queue and count
say what is left. Questions to the owner of the target squad are frames of their own on top.
"""

from __future__ import annotations

from games.boots import words
from games.boots.automation import (
    Attack,
    Walk,
    closest_insurgents,
    grenade_throwers,
    next_attack,
    placements,
    rigged_doors,
    role_candidates,
    walks,
)
from games.boots.blasts import door_ied_blast, explode, fire_rpg, throw_grenade
from games.boots.field import Field
from games.boots.fire import insurgent_gun, shoot
from games.boots.model import CardPlay, Unit
from games.boots.movement import Reach
from games.boots.texts import Card
from games.boots.world import World
from games.geometry.squares import Square
from games.kernel.event import Drew, Moved
from games.kernel.view import CardFace, Mark

NO_FIRE = ("take_cover", "kia_gi")
"""Events after which no insurgent fires (BG-8.3, D30)."""


# --- the deck ---


def draw_ahead(world: World) -> Card:
    """Decide the next card if it is not known yet (BG-8.7, BG-8.8), and tell which it is."""
    state = world.state
    if not state.next_card:
        if not state.deck:
            state.deck, state.discard = sorted(state.discard), []
            world.note(words.reshuffled())
        state.next_card = world.entropy.draw(state.deck, "Intel card")
        state.deck.remove(state.next_card)
    return world.content.cards[state.next_card]


def face(card: Card, badge: str = "") -> CardFace:
    """A card's face for pictures."""
    return CardFace(card.id, card.title, card.text, badge)


def draw(world: World) -> None:
    """Draw the card against the squad just activated (BG-8.1) and begin its event."""
    state = world.state
    scouted = state.play.scouted
    card = draw_ahead(world)
    state.next_card = ""
    state.cards_used += 1
    state.play = CardPlay(card.id, scouted)
    badge = "scouted" if scouted else ""
    world.log.append(Drew(text=words.card_drawn(card.title, card.text), card=face(card, badge)))
    world.go("event")
    _begin(world, card)


def _begin(world: World, card: Card) -> None:
    """What the event still has to do: so many placements, these insurgents, or one thing."""
    frame, squad = world.state.steps[-1], world.state.squad_turn
    if card.event not in ("move", "move_all"):
        frame.count = card.n or 1
        return
    able = closest_insurgents(world, squad)
    if not able:
        world.note(words.no_one_for("move"))
        return
    number = len(able) if card.event == "move_all" else min(card.n or 1, len(able))
    units = world.squad_units(squad)
    distances = [world.distance_to(u.pos or "", units) for u in able]
    last = distances[number - 1]
    tied = [u.id for u, d in zip(able, distances, strict=True) if d == last]
    certain = [u.id for u, d in zip(able, distances, strict=True) if d < last]
    if len(certain) + len(tied) == number:
        frame.queue = [*certain, *tied]
    else:
        frame.queue, frame.either, frame.count = certain, tied, number - len(certain)


def current(field: Field) -> Card:
    """The card being carried out."""
    return field.content.cards[field.state.play.card]


# --- the event, step by step ---


def step(world: World) -> None:
    """One step of the event; its end goes on to FIRE or to the discard."""
    card, squad, frame = current(world), world.state.squad_turn, world.state.steps[-1]
    if world.over:
        return
    if not (frame.queue or frame.count) or not world.squad_units(squad):
        if card.event in NO_FIRE:
            world.go("discard")
        else:
            _silence(world)
            world.go("fire")
        return
    match card.event:
        case "place":
            _place_one(world, squad)
        case "move" | "move_all":
            unit = world.unit((frame.queue or frame.either)[0])
            walk_insurgent(world, unit, walks(world, unit, squad)[0])
        case "role":
            takers = role_candidates(world, card.role or "hwe", squad)
            give_role(world, takers[0] if takers else None)
        case "grenade":
            able = grenade_throwers(world, squad)
            thrower, square = (able[0][0], able[0][1][0][1]) if able else (None, "")
            throw_event_grenade(world, thrower, square)
        case "door_ied":
            doors = rigged_doors(world, squad)
            blow_rigged_door(world, doors[0].door if doors else None)
        case "medivac" | "kia_gi" | "reinforce":
            _ask_owner(world, card)
        case "take_cover":
            frame.count = 0


def _silence(world: World) -> None:
    """A scouted card keeps whom it placed or selected from firing (BG-4.15)."""
    if world.state.play.scouted:
        world.state.play.fired.extend(world.state.play.placed)
        world.state.play.fired.extend(world.state.play.selected)


def _place_one(world: World, squad: str) -> None:
    options = placements(world, squad, closest=True)
    if options:
        place_insurgent(world, options[0].square, options[0].face)
        return
    world.note(words.nobody_appears())
    world.state.steps[-1].count = 0


def place_insurgent(world: World, square: Square, facing: int) -> None:
    """Place one new insurgent from the pool (BG-5.2)."""
    insurgent = world.create_insurgent(square, facing)
    world.state.pool -= 1
    world.state.steps[-1].count -= 1
    world.state.play.placed.append(insurgent.id)
    world.note(words.appears(insurgent), Mark("spot", (square,)))


def walk_insurgent(world: World, unit: Unit, walk: Walk) -> None:
    """Let a selected insurgent do what was chosen for it (BG-5.3, BG-8.2)."""
    _select(world, unit)
    if walk.stay:
        world.note(words.stays(unit))
        return
    start = unit.pos or ""
    path: tuple[Square, ...] = (start,)
    if walk.square != start:
        path = Reach(world, unit, walk.cost).path(walk.square)
    world.put(unit, walk.square, walk.face)
    world.log.append(
        Moved(
            text=words.moves(unit, start, walk.cost),
            marks=(Mark("path", path),),
            who=words.badge(unit),
        )
    )


def _select(world: World, unit: Unit) -> None:
    """An insurgent has had its move; it counts as affected by the card (D41)."""
    frame = world.state.steps[-1]
    if unit.id in frame.queue:
        frame.queue.remove(unit.id)
    else:
        frame.either.remove(unit.id)
        frame.count -= 1
    world.state.play.selected.append(unit.id)


def give_role(world: World, unit: Unit | None) -> None:
    """The card's role goes to an insurgent, or to nobody (BG-5.7, BG-5.8, BG-5.15)."""
    card = current(world)
    world.state.steps[-1].count = 0
    if unit is None:
        world.note(words.no_one_for("role"))
        return
    unit.role, unit.role_span = card.role or "hwe", card.span or "turn"
    text = words.gets_role(unit, unit.role_span)
    world.note(text, Mark("spot", (unit.pos or "",)))


def throw_event_grenade(world: World, unit: Unit | None, square: Square) -> None:
    """The grenade card: somebody throws, and does not fire as well; or nobody can (BG-5.11, D27)."""
    world.state.steps[-1].count = 0
    if unit is None:
        world.note(words.no_one_for("grenade"))
        return
    world.state.play.fired.append(unit.id)
    throw_grenade(world, unit, square)


def blow_rigged_door(world: World, door: tuple[Square, Square] | None) -> None:
    """A printed door explodes, once and for all; or none is left (BG-5.13)."""
    world.state.steps[-1].count = 0
    if door is None:
        world.note(words.no_one_for("door_ied"))
        return
    world.state.exploded.append(door)
    title = f"Rigged door {door[0]}–{door[1]}"
    detail = "one hit to everybody on both sides of the door and beside it"
    explode(world, title, detail, door_ied_blast(world, door))


# --- questions to the owner of the target squad ---


def _ask_owner(world: World, card: Card) -> None:
    """Ask for a medivac or G.I.s, once; a question without an answer is not asked."""
    world.state.steps[-1].count = 0
    squad = world.state.squad_turn
    if card.event == "medivac" and medivac_patients(world, squad):
        world.push("medivac")
    elif card.event == "kia_gi" and gi_squares(world, squad, "kia_gi"):
        world.push("gi", count=1)
    elif card.event == "reinforce" and gi_squares(world, squad, "reinforce"):
        world.push("gi", count=world.content.tables.limits.reinforcements)
    else:
        world.note(words.no_one_for(card.event))


def medivac_patients(field: Field, squad: str) -> list[Unit]:
    """Wounded soldiers who can be flown to a zone (BG-5.5)."""
    return [u for u in field.soldiers(squad) if u.hits and medivac_squares(field, u)]


def medivac_squares(field: Field, unit: Unit) -> list[Square]:
    """Free squares of the active zone closest to a unit; a full zone is passed over (D43)."""
    best: tuple[int, list[Square]] | None = None
    for zone in field.mission.active_zones:
        free = [s for s in field.zone_squares(zone) if field.is_free(s)]
        if free:
            distance = min(field.grid.dist(unit.pos or "", square) for square in free)
            if best is None or distance < best[0]:
                best = (distance, free)
    if best is None:
        return []
    order = field.grid.order
    return sorted(best[1], key=lambda s: (field.grid.dist(unit.pos or "", s), order[s]))


def gi_squares(field: Field, squad: str, event: str) -> list[Square]:
    """Where a G.I. may arrive now (BG-5.12, BG-5.14); empty when none may."""
    book = field.squad(squad)
    if book.gi_left <= 0:
        return []
    if event == "kia_gi":
        fallen = sum(1 for name in book.kia if field.unit(name).is_original)
        hosts = field.soldiers(squad) if fallen > book.kia_replaced else []
    else:
        hosts = [u for u in field.soldiers(squad) if u.kind == "L"]
    near = [s for host in hosts for s in field.grid.near(host.pos or "") if field.is_free(s)]
    return list(dict.fromkeys(near))


def fly_out(world: World, unit: Unit, square: Square, facing: int) -> None:
    """Medivac: the soldier is fit again in the green zone, with his items (BG-5.5)."""
    start = unit.pos or ""
    unit.hits = 0
    world.put(unit, square, facing)
    marks = (Mark("path", (start, square)),)
    world.note(words.flown_out(unit, start), *marks)


def place_gi(world: World, squad: str, square: Square, facing: int) -> None:
    """A G.I. joins the squad (BG-4.18)."""
    book = world.squad(squad)
    number = world.content.tables.counters.gi_per_squad - book.gi_left + 1
    soldier = Unit(f"{squad}-GI{number}", "GI", squad)
    world.state.units[soldier.id] = soldier
    book.gi_left -= 1
    if current(world).event == "kia_gi":
        book.kia_replaced += 1
    world.put(soldier, square, facing)
    world.note(words.gi_arrives(soldier), Mark("spot", (square,)))


# --- FIRE and the end of the card ---


def fire_step(world: World) -> None:
    """The next insurgent fires, or the step ends (BG-8.3, BG-8.6, BG-A.8)."""
    attack = next_attack(world, world.state.squad_turn, world.state.play.fired)
    if attack is None:
        world.go("discard")
    else:
        carry_out(world, attack)


def carry_out(world: World, attack: Attack) -> None:
    """One insurgent's part of the FIRE step: nobody fires or throws twice (BG-8.6)."""
    world.state.play.fired.append(attack.unit.id)
    if attack.grenade:
        throw_grenade(world, attack.unit, attack.grenade)
    elif attack.rpg:
        fire_rpg(world, attack.unit, attack.rpg)
    else:
        spread = len(attack.targets) > 1
        gun = insurgent_gun(world, attack.unit, spread=spread)
        shoot(world, attack.unit, list(attack.targets), gun)


def discard(world: World) -> None:
    """The card has been carried out: on to CHECK."""
    put_away(world)
    world.go("check")


def put_away(world: World) -> None:
    """The card, if there is one, goes to the discards; roles for this card end (BG-5.8)."""
    state = world.state
    if state.play.card:
        state.discard.append(state.play.card)
    state.play = CardPlay()
    for unit in world.insurgents():
        if unit.role_span == "turn":
            unit.role, unit.role_span = "", ""
