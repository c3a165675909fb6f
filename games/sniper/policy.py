"""The stand-in policy: exact, random-free play in single verbs. Spec 9.3.

It is used to check balance after a group edits its decks, and it may play an absent user's seat.
"""

from __future__ import annotations

from games.kernel.action import Action
from games.sniper import roles
from games.sniper.firing import attachable
from games.sniper.journey import why_no_move, why_not_on
from games.sniper.look import Look
from games.sniper.model import STEPS

KEEP = (
    "steady_breath", "windage_call", "overwatch", "double_tap", "rapid_clear", "claymore", "smoke",
    "muffled_shot", "priority_channel", "ghost", "adrenaline", "field_dressing",
)  # fmt: skip
DANGER = {1: 20, 2: 160, 3: 600, 4: 1300}
"""Danger of a patrol by strength, in thousandths."""
COVERED = {0: 100, 1: 66, 2: 33}
"""Its share under cover, in hundredths."""


def decide(look: Look) -> tuple[str, Action]:
    """The seat that acts and what it does. Only while the mission runs."""
    state = look.state
    spotter, sniper = roles.spotter(state), roles.sniper(state)
    match state.phase:
        case "TDISCARD":
            worst = max(state.tactical, key=KEEP.index)
            return spotter, Action("discard_tactical", {"card": worst})
        case "PATROL":
            return spotter, _patrol(look)
        case "IV":
            return spotter, Action("radio", {"priority": "true" if _priority(look) else "false"})
        case "VI":
            return sniper, Action("extract")
        case _:
            return _window(look, sniper, spotter)


# --- judgements ---


def _margin(look: Look) -> int:
    return min(5 - look.wounds, 2 * (3 - look.state.critical) - 1)


def _way(look: Look) -> str:
    """`fire`, `blanks`, or nothing to fire with."""
    if look.held("fire"):
        return "fire"
    return "blanks" if look.held("blank") >= look.tables.blanks_for_fire else ""


def _todo(look: Look) -> bool:
    state, tables = look.state, look.tables
    there = state.zone == tables.vip_zone and not state.vip.dead
    return there and state.vip.fire_cards_used < tables.vip_fires


def _willing(look: Look) -> bool:
    state, group, margin = look.state, look.group, _margin(look)
    if group is None or group.count < 3 or group.range != "short" or look.cover >= 2:
        return True
    safe = state.claymore_laid or look.holds("claymore") or look.holds("muffled_shot")
    return safe or not (margin <= 1 or (margin <= 2 and group.count == 4))


def _priority(look: Look) -> bool:
    state, group = look.state, look.group
    if group is not None and group.count >= 2:
        return True
    needed = look.morale_needed(state.zone + 1)
    short = state.morale < needed <= state.morale + look.tables.air_morale
    return state.zone < 4 and short


def _patrol(look: Look) -> Action:
    state = look.state
    danger = DANGER[state.patrol] * COVERED[look.cover]
    for gear in ("knife", "sidearm"):
        if gear in state.gear:
            danger //= 2
    if state.claymore_laid:
        danger //= 10
    limit = 25_000 if _margin(look) >= 3 else 8_000
    if danger > limit:
        if look.held("hidden"):
            return Action("patrol", {"how": "hidden"})
        for card in ("ghost", "smoke"):
            if look.holds(card):
                return Action("patrol", {"how": card})
        if state.patrol >= 3 and look.holds("claymore") and not state.claymore_laid:
            return Action("patrol", {"how": "fight", "claymore": "true"})
    flee = 30_000 if "ghillie" in state.gear else 58_000
    return Action("patrol", {"how": "escape" if danger > flee else "fight"})


# --- the window ---


def _window(look: Look, sniper: str, spotter: str) -> tuple[str, Action]:
    """The first applicable of the policy's eleven points."""
    for seat, action in (
        (spotter, _focus(look)),
        (spotter, Action("tactical", {"card": "adrenaline"}) if look.holds("adrenaline") else None),
        _heal(look, sniper, spotter),
        (sniper, _clear(look)),
        _shoot(look, sniper, spotter),
        (sniper, _fire_at_vip(look)),
        (sniper, _go_on(look)),
        (sniper, _skip(look)),
        (sniper, _fire_at_enemy(look)),
        (sniper, _last_aid(look)),
    ):
        if action is not None:
            return seat, action
    return sniper, Action("end_phase")


def _focus(look: Look) -> Action | None:
    state = look.state
    chosen = any(f in state.turn_flags for f in ("focus_wind", "focus_scan", "focus_comms"))
    if state.mode != "group" or state.phase != "I" or chosen or not state.spotter_alive:
        return None
    group = look.group
    big = group is not None and group.count >= 3
    focus = "WIND" if _todo(look) else "COMMS" if big else "SCAN"
    worked = {"WIND": "first_shot_done", "SCAN": "scan_used", "COMMS": "-"}[focus]
    return None if state.flag(worked) else Action("focus", {"focus": focus})


def _heal(look: Look, sniper: str, spotter: str) -> tuple[str, Action | None]:
    state = look.state
    if state.light <= 0:
        return sniper, None
    if look.held("medkit"):
        return spotter, Action("heal", {"with": "medkit"})
    last = state.zone == look.tables.last_zone
    if state.med_kits and (look.wounds >= 3 or last or state.light >= 2):
        return sniper, Action("heal", {"with": "kit"})
    if look.holds("field_dressing"):
        return spotter, Action("heal", {"with": "field_dressing"})
    return sniper, None


def _clear(look: Look) -> Action | None:
    state = look.state
    if state.jammed and look.holds("rapid_clear") and (state.fire is not None or _way(look)):
        return Action("tactical", {"card": "rapid_clear"})
    return None


def _shoot(look: Look, sniper: str, spotter: str) -> tuple[str, Action | None]:
    state, group = look.state, look.group
    if state.fire is None or state.jammed:
        return sniper, None
    if state.fire.target == "vip":
        for card, active in (("windage_call", "windage_call"), ("overwatch", "overwatch")):
            able = card != "overwatch" or state.spotter_alive
            if look.holds(card) and not state.flag(active) and able:
                return spotter, Action("tactical", {"card": card})
        cards = tuple(c for c in ("steady_breath", "double_tap") if look.holds(c))
        return sniper, _shot(cards, look)
    if group is not None and not group.spotted:
        if look.held("binocs"):
            return spotter, Action("binocs")
        seat = spotter if roles.spotting(state) == "Q" else sniper
        return seat, Action("spot")
    if (
        group is not None
        and group.count >= 3
        and group.range == "short"
        and not state.claymore_laid
    ):
        if look.holds("claymore"):
            return spotter, Action("tactical", {"card": "claymore"})
        if look.cover < 2 and look.holds("muffled_shot"):
            return sniper, _shot(("muffled_shot",), look)
    return sniper, _shot((), look)


def _shot(cards: tuple[str, ...], look: Look) -> Action:
    fire = look.state.fire
    held = attachable(look, fire.target) if fire is not None else []
    return Action("shoot", {"tactical": cards} if held else {})


def _fire_at_vip(look: Look) -> Action | None:
    state = look.state
    way = _way(look)
    if _todo(look) and state.enemy is None and not state.jammed and way and state.fire is None:
        return Action("fire", {"with": way, "target": "vip"})
    return None


def _go_on(look: Look) -> Action | None:
    state, enemy = look.state, look.state.enemy
    if why_not_on(look) is not None or _todo(look):
        return None
    done = look.held("crawl") >= look.crawl_cost() - state.crawl and look.held("crawl") > 0
    if enemy is None:
        if why_no_move(look) is None:
            return Action("move")
        if done or (state.phase == "III" and look.held("crawl")):
            return Action("crawl")
        return None
    firing = bool(_way(look)) and not state.jammed and not state.fire_closed and _willing(look)
    flee = state.zone == look.tables.vip_zone or (state.phase == "III" and not firing)
    if not flee:
        return None
    if done:
        return Action("crawl")
    if why_no_move(look) is None:
        if look.held("hidden"):
            return Action("move", {"cover": "hidden"})
        if enemy.kind == "hostile" and enemy.range != "short" and _margin(look) >= 2:
            return Action("move", {"cover": "none"})
    return None


def _skip(look: Look) -> Action | None:
    if look.state.phase == "I":
        return Action("end_phase", {"through": "III"})
    return Action("end_phase") if look.state.phase == "II" else None


def _fire_at_enemy(look: Look) -> Action | None:
    state = look.state
    way = _way(look)
    able = state.enemy is not None and way and not state.jammed and not state.fire_closed
    if able and state.fire is None and _willing(look):
        return Action("fire", {"with": way, "target": "enemy"})
    return None


def _last_aid(look: Look) -> Action | None:
    state = look.state
    cards = [*state.hand, *state.tactical]
    number = look.tables.heal_cards
    last = state.zone == look.tables.last_zone
    steps = sum(1 for c in state.hand if c in STEPS)
    if state.light < 1 or look.wounds < 2 or len(state.hand) < number:
        return None
    if last and steps >= look.tables.extraction_cards:
        return None
    named: list[str] = []
    for card in cards[:number]:
        copies = sum(1 for n in named if n.partition("#")[0] == card)
        named.append(f"{card}#{copies + 1}" if copies else card)
    return Action("heal", {"with": "discard", "cards": tuple(named)})
