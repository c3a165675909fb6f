"""The odds of the offered shot, exactly: the engine's own modifiers over all its dice. Issue: reading aid.

Nothing is estimated: every face of the behaviour, wind, shot and gun dice is counted.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import msgspec

from games.sniper.firing import why_no_fire, why_no_shot
from games.sniper.look import Look

D6 = range(1, 7)
D10 = range(1, 11)
PAIRS = tuple(a + b for a, b in product(D6, D6))


class Odds(msgspec.Struct, frozen=True):
    """Chances of one shot: they add up to one."""

    hit: Fraction
    miss: Fraction
    jam: Fraction


def shot_odds(look: Look, *, vip: bool, steady: bool = False) -> Odds:
    """The chances of a shot at the VIP or the enemy in play as things stand (SK-8.9 to SK-8.16)."""
    hits, all_ = 0, 0
    moving_faces = [0] if vip else list(D6)
    for face in moving_faces:
        moving = _moving(look, face, vip=vip)
        for wind in _winds(look):
            modifiers = look.shot_modifiers(vip=vip, moving=moving, wind=wind, steady=steady)
            needed = look.tables.hit - sum(m.value for m in modifiers)
            hits += sum(1 for pair in PAIRS if pair >= needed)
            all_ += len(PAIRS)
    clear = Fraction(len(D10) - look.tables.jam_to, len(D10))
    hit = Fraction(hits, all_) * clear
    return Odds(hit, clear - hit, 1 - clear)


def _moving(look: Look, face: int, *, vip: bool) -> bool:
    if vip:
        return look.content.vips[look.state.vip.card].behaviour == "moving"
    return face <= look.tables.moving_to


def _winds(look: Look) -> list[int]:
    """The wind that counts for each way the wind dice can fall (SK-22.5)."""
    state = look.state
    if state.flag("focus_wind") and not state.flag("first_shot_done"):
        number = look.tables.focus_wind_dice
        return [max(dice, key=look.wind_drm) for dice in product(D10, repeat=number)]
    return list(D10)


def percent(chance: Fraction) -> str:
    """A chance in whole percent, never a false 0 or 100."""
    whole = round(chance * 100)
    if whole == 0 and chance > 0:
        return "under 1%"
    if whole == 100 and chance < 1:
        return "over 99%"
    return f"{whole}%"


def reading_aid(look: Look) -> str:
    """What the next shot promises, as a few lines; empty when no shot is in the offing."""
    vip = _target_is_vip(look)
    if vip is None:
        return ""
    name = "the VIP" if vip else "the enemy in play"
    odds = shot_odds(look, vip=vip)
    lines = [
        f"A shot at {name}: hit {percent(odds.hit)}, miss {percent(odds.miss)}, "
        f"jam {percent(odds.jam)}."
    ]
    if look.holds("steady_breath"):
        steady = shot_odds(look, vip=vip, steady=True)
        lines.append(f"With Steady Breath: hit {percent(steady.hit)}.")
    if not vip and look.group is not None and not look.group.spotted:
        need = look.gear_need("spot_hit", look.tables.spot_hit)
        chance = Fraction(len(D6) + 1 - need, len(D6))
        lines.append(f"The group must be spotted first: {percent(chance)} a try.")
    return "\n".join(lines)


def _target_is_vip(look: Look) -> bool | None:
    """Whether the shot in the offing is at the VIP; None when there is none."""
    state = look.state
    if state.fire is not None:
        if why_no_shot(look) is not None and state.jammed:
            return None
        return state.fire.target == "vip"
    for target in ("enemy", "vip"):
        ways = ("fire", "blanks")
        if any(why_no_fire(look, way, target) is None for way in ways):
            return target == "vip"
    return None
