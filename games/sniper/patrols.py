"""Patrols: hide, escape or fight. Rules SK-6."""

from __future__ import annotations

from games.kernel.event import Throw
from games.sniper import words
from games.sniper.combat import close_combat
from games.sniper.look import Look
from games.sniper.world import World


def answers(look: Look) -> list[str]:
    """What the team can do about the patrol (SK-6.4 to SK-6.6)."""
    found = ["hidden"] if look.held("hidden") else []
    found += [card for card in ("ghost", "smoke") if look.holds(card)]
    return [*found, "escape", "fight"]


def answer(world: World, how: str, *, claymore: bool) -> None:
    """Carry the answer out; the patrol is gone afterwards (SK-6.7)."""
    state = world.state
    strength, state.patrol = state.patrol, 0
    match how:
        case "hidden":
            world.discard("hidden")
            world.note(words.patrol_passes())
        case "ghost" | "smoke":
            world.discard_tactical(how)
            world.note(words.patrol_passes())
        case "escape":
            _escape(world)
        case _:
            if claymore:
                world.discard_tactical("claymore")
                state.claymore_laid = True
            close_combat(world, strength)


def _escape(world: World) -> None:
    tables = world.tables
    need = world.gear_need("escape_hit", tables.escape_hit)
    dice = world.dice(tables.escape_dice, 6, "escape")
    away = any(die >= need for die in dice)
    verdict = "the team slips away" if away else "the team is caught: 1 critical wound"
    throw = Throw("escape, any die is enough", tuple(dice), 6, need)
    world.tested("Escape from the patrol", [throw], verdict, good=away)
    if not away:
        world.wound("critical")
