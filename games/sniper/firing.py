"""Firing: opening a fire, spotting, the shot. Rules SK-8, SK-13, SK-19.1 to SK-19.4."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from games.kernel import wording
from games.kernel.event import Modifier, Tested, Throw
from games.kernel.illegal import Illegal
from games.sniper import words
from games.sniper.combat import advance, remove_enemy, sniper_fires
from games.sniper.look import Look
from games.sniper.model import ATTACHABLE, Fire, Target
from games.sniper.world import World

# --- opening a fire ---


def why_no_fire(look: Look, way: str, target: str) -> Illegal | None:
    """Why no fire can be opened with these cards at this target; None when it can (SK-8.1)."""
    state = look.state
    if way == "fire" and not look.held("fire"):
        return Illegal("SK-8.1", "There is no Fire card in the hand.")
    if way == "blanks" and look.held("blank") < look.tables.blanks_for_fire:
        return Illegal("SK-3.5", "It takes two Blank cards to make a Fire card.")
    if state.jammed:
        return Illegal("SK-8.17", "The gun is jammed.")
    if state.fire is not None:
        return Illegal("SK-8.1", "The last fire still has actions left.")
    return _why_no_vip(look) if target == "vip" else _why_no_enemy(look)


def _why_no_enemy(look: Look) -> Illegal | None:
    if look.state.enemy is None:
        return Illegal("SK-8.1", "There is no enemy in play to fire at.")
    if look.state.fire_closed:
        return Illegal(
            "SK-8.8", "Spotting has failed: no fire at enemies for the rest of this phase."
        )
    return None


def _why_no_vip(look: Look) -> Illegal | None:
    state = look.state
    if state.zone != look.tables.vip_zone or not state.vip.revealed:
        return Illegal("SK-13.2", "The VIP can be fired at in Zone 5 only.")
    if state.vip.dead:
        return Illegal("SK-13.2", "The VIP is dead.")
    if state.enemy is not None:
        return Illegal("SK-13.2", "First the enemy in play must be gone.")
    if state.vip.fire_cards_used >= look.tables.vip_fires:
        return Illegal("SK-13.3", "Both fires at the VIP are used up.")
    return None


def open_fire(world: World, way: str, target: Target) -> None:
    """Open a fire (SK-8.1, SK-8.2, SK-8.6, SK-13.3, SK-13.6, SK-19.6)."""
    state, tables = world.state, world.tables
    if way == "fire":
        world.discard("fire")
    else:
        for _ in range(tables.blanks_for_fire):
            world.discard("blank")
    actions = tables.vip_actions if target == "vip" else tables.fire_actions
    if way == "fire" and target == "enemy":
        actions = max([actions, *(g.fire_actions for g in world.kit if g.fire_actions)])
    tries = tables.spot_tries if state.spotter_alive else tables.spot_tries_alone
    state.fire = Fire(actions, target, tries if world.group and target == "enemy" else 0)
    if target == "vip":
        state.vip.fire_cards_used += 1
        state.vip.attempted = True
    elif world.group is not None and state.flag("overwatch"):
        world.group.spotted = True
    world.note(words.opens_fire(way, target, actions))


# --- spotting ---


def why_no_spot(look: Look) -> Illegal | None:
    """Why there is nothing to spot; None when there is (SK-8.4, SK-8.6)."""
    fire, group = look.state.fire, look.group
    if fire is None or fire.target != "enemy":
        return Illegal("SK-8.5", "Spotting belongs to an open fire at a hostile group.")
    if group is None:
        return Illegal("SK-7.6", "An enemy sniper needs no spotting.")
    if group.spotted:
        return Illegal("SK-8.4", "The group is spotted already.")
    if fire.spot_tries <= 0:
        return Illegal("SK-8.6", "There is no try left.")
    return None


def spot(world: World) -> None:
    """One try to spot the group (SK-8.5, SK-8.8, SK-22.5)."""
    state, group, fire = world.state, world.group, world.state.fire
    if group is None or fire is None:
        raise ValueError("nothing to spot")
    fire.spot_tries -= 1
    sure = state.flag("focus_scan") and not state.flag("scan_used")
    state.set_flag("scan_used")
    if sure:
        group.spotted = True
        world.note(words.scanned())
        return
    need = world.gear_need("spot_hit", world.tables.spot_hit)
    die = world.dice(1, 6, "spot")
    group.spotted = die[0] >= need
    verdict = "the group is spotted" if group.spotted else "nothing"
    world.tested("Spotting", [Throw("spot", tuple(die), 6, need)], verdict, good=group.spotted)
    if not group.spotted and fire.spot_tries <= 0:
        state.fire = None
        state.fire_closed = True
        world.note(words.spotting_failed())


def binocs(world: World) -> None:
    """Binocs spot without a roll (SK-8.7)."""
    world.discard("binocs")
    if world.group is not None:
        world.group.spotted = True
    world.note(words.binocs())


# --- the shot ---


def why_no_shot(look: Look) -> Illegal | None:
    """Why no shot can be taken now; None when it can (SK-8.4, SK-8.9, SK-8.17)."""
    state = look.state
    if state.fire is None:
        return Illegal("SK-8.9", "No fire is open: play a Fire card or two Blanks first.")
    if state.jammed:
        return Illegal("SK-8.17", "The gun is jammed.")
    if state.fire.target == "enemy" and look.group is not None and not look.group.spotted:
        return Illegal("SK-8.4", "The group must be spotted before a shot at it.")
    return None


def attachable(look: Look, target: str) -> list[str]:
    """The Tactical cards in hand that may be attached to a shot at this target (SK-19.1 to 19.3)."""
    held = [card for card in ATTACHABLE if look.holds(card)]
    if target == "vip" or look.group is None:
        held = [card for card in held if card != "muffled_shot"]
    return held


Came = Literal["hit", "miss", "jam"]


@dataclass(frozen=True, slots=True)
class Shot:
    """How one shot came out."""

    hit: bool
    jam: bool


def shoot(world: World, attached: tuple[str, ...]) -> Came:
    """Use one fire action: the shot, a Double Tap after a miss, and what follows (SK-8.9, SK-19).

    Returns how it counts: a jam is neither hit nor miss, but a Double Tap's jam is the first miss.
    """
    state = world.state
    fire = state.fire
    if fire is None:
        raise ValueError("no fire is open")
    vip = fire.target == "vip"
    fire.actions -= 1
    if fire.actions == 0:
        state.fire = None
    shot = _one_shot(world, vip=vip, steady="steady_breath" in attached)
    if shot.jam:
        return "jam"
    muffled = "muffled_shot" in attached
    for card in ("steady_breath", "muffled_shot"):
        if card in attached:
            world.discard_tactical(card)
    if not shot.hit and "double_tap" in attached:
        world.discard_tactical("double_tap")
        shot = _one_shot(world, vip=vip, steady=False)
    if shot.hit:
        _hit(world, vip=vip)
        return "hit"
    _miss(world, vip=vip, muffled=muffled)
    return "miss"


def _one_shot(world: World, *, vip: bool, steady: bool) -> Shot:
    """Behaviour, wind, shot, gun check, in this order (SK-8.9 to SK-8.16)."""
    state, tables = world.state, world.tables
    throws: list[Throw] = []
    moving = vip and world.content.vips[state.vip.card].behaviour == "moving"
    if not vip:
        die = world.entropy.roll(6, "behaviour")
        moving = die <= tables.moving_to
        throws.append(Throw("behaviour", (die,), 6, note="moving" if moving else "still"))
    wind, winds = _wind(world)
    row = tables.wind_row(wind)
    throws.append(Throw("wind", winds, 10, note=f"{row.name} {wording.signed(row.drm)}"))
    modifiers = world.shot_modifiers(vip=vip, moving=moving, wind=wind, steady=steady)
    dice = world.dice(2, 6, "shot")
    total = sum(dice) + sum(m.value for m in modifiers)
    throws.append(Throw("shot", tuple(dice), 6))
    gun = world.entropy.roll(10, "gun")
    jam = gun <= tables.jam_to
    throws.append(Throw("gun check", (gun,), 10, note="jammed" if jam else "clear"))
    hit = total >= tables.hit and not jam
    if jam and not world.has("jam_not_kept"):
        state.jammed = True
    _show(world, vip, throws, modifiers, total, jam=jam, hit=hit)
    return Shot(hit, jam)


def _wind(world: World) -> tuple[int, tuple[int, ...]]:
    """The wind die; with the Spotter's focus the better of two on the turn's first shot (SK-22.5)."""
    state = world.state
    two = state.flag("focus_wind") and not state.flag("first_shot_done")
    state.set_flag("first_shot_done")
    dice = world.dice(world.tables.focus_wind_dice if two else 1, 10, "wind")
    return max(dice, key=world.wind_drm), tuple(dice)


def _show(
    world: World,
    vip: bool,
    throws: list[Throw],
    modifiers: list[Modifier],
    total: int,
    *,
    jam: bool,
    hit: bool,
) -> None:
    verdict = "jammed, the shot is not taken" if jam else "hit" if hit else "miss"
    title = words.shot_at(world, vip=vip)
    need = world.tables.hit
    text = f"{title}: {total} against {need}, {verdict}."
    world.log.append(
        Tested(
            text=text,
            title=title,
            detail="",
            throws=tuple(throws),
            modifiers=tuple(modifiers),
            total=total,
            target=need,
            verdict=verdict,
            good=hit,
        )
    )


def _hit(world: World, *, vip: bool) -> None:
    """A kill (SK-8.15, SK-8.18, SK-8.20, SK-13.5)."""
    state, enemy = world.state, world.state.enemy
    if vip:
        state.vip.dead = True
        state.fire = None
        world.note(words.vip_dead(world.content.vips[state.vip.card].name))
        world.kill(1)
        bonus = world.content.vips[state.vip.card].bonus_kp
        state.kp += bonus
        world.note(words.bonus(bonus))
        return
    if enemy is None:
        return
    enemy.count -= 1
    if enemy.count <= 0:
        remove_enemy(world)
    world.kill(1)


def _miss(world: World, *, vip: bool, muffled: bool) -> None:
    """What a miss brings on (SK-7.7, SK-8.19, SK-13.5, SK-19.2)."""
    enemy = world.state.enemy
    if vip or enemy is None:
        return
    if enemy.kind == "hostile":
        if not muffled:
            advance(world)
        return
    enemy.shots += 1
    if enemy.shots >= world.tables.sniper_patience:
        enemy.shots = 0
        sniper_fires(world)
        if not world.over:
            advance(world)
