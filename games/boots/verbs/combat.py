"""Fire of allied units. Spec 8.7, 8.8; rules BG-11, BG-4.16, BG-7.6."""

from __future__ import annotations

from games.boots.field import Field
from games.boots.fire import (
    Gun,
    allied_gun,
    arc_bonus,
    defence,
    shoot,
    stand,
    targets,
    why_no_shot,
)
from games.boots.model import HOSTAGE, State, Unit
from games.boots.verbs.base import ActVerb, acting, part_of, shown, text, unit_option
from games.boots.world import World
from games.kernel import wording
from games.kernel.action import Picked, Value
from games.kernel.domain import NOTHING, Choices, Domain, Option, Several
from games.kernel.game import Slot
from games.kernel.illegal import Illegal


def gun_now(field: Field, unit: Unit, *, spread: bool = False) -> Gun:
    """The acting unit's gun in the running activation."""
    return allied_gun(field, unit, team=field.activation.kind == "team", spread=spread)


def legal_targets(field: Field, unit: Unit) -> list[Unit]:
    """Insurgents that the acting unit may fire at, nearest first."""
    found = targets(field, stand(unit), gun_now(field, unit), field.insurgents())
    return sorted(
        found, key=lambda t: (field.grid.dist(unit.pos or "", t.pos or ""), int(t.id[2:]))
    )


def target_option(field: Field, unit: Unit, target: Unit, gun: Gun) -> Option:
    """A target with the whole difference the modifiers make, which is also its mark."""
    here = unit.pos or ""
    bonus = arc_bonus(field, here, target)
    attack = (*gun.modifiers, *((bonus,) if bonus else ()))
    guard = defence(field, here, target)
    net = sum(m.value for m in attack) - sum(m.value for m in guard)
    reasons = [f"{m.name} {wording.signed(m.value)}" for m in attack]
    reasons += [f"{m.name} {wording.signed(-m.value)}" for m in guard]
    distance = field.grid.dist(here, target.pos or "")
    note = "; ".join([f"range {distance}", *reasons])
    return unit_option(target, note, wording.signed(net))


class Fire(ActVerb):
    """Fire at one target (BG-11.4.1)."""

    name = "fire"
    label = "Fire"
    summary = "Fire at one insurgent in range, front arc and sight"
    main = True
    rule = "BG-11.0.1"
    slots = (
        Slot(
            "target", "Fire at whom? The number is the sum of all modifiers.", board=True, sure=True
        ),
    )

    def unable(self, field: Field, unit: Unit) -> Illegal | None:
        if unit.kind == HOSTAGE:
            return Illegal("BG-4.20", "Hostages never fire.")
        return None

    def domain(self, state: State, seat: str, slot: str, picked: Picked) -> Domain | None:
        field = self.at(state)
        unit = acting(field)
        gun = gun_now(field, unit)
        found = legal_targets(field, unit)
        return Choices(tuple(target_option(field, unit, t, gun) for t in found))

    def nothing(self, field: Field, squad: str) -> Illegal:
        unit = acting(field)
        return Illegal("BG-11.0.1", f"{unit.id} has no insurgent in range, front arc and sight.")

    def refusal(self, state: State, seat: str, slot: str, picked: Picked, value: Value) -> Illegal:
        field = self.at(state)
        unit, target = acting(field), state.units.get(shown(value))
        if target is None:
            return Illegal("BG-11.3.4", f"There is no unit “{shown(value)}”.")
        return why_no_shot(field, stand(unit), target, gun_now(field, unit)) or Illegal(
            "BG-11.0.1", f"{target.id} cannot be fired at."
        )

    def act(self, world: World, squad: str, picked: Picked) -> None:
        unit = acting(world)
        part = part_of(world, unit)
        part.acted, part.turned = True, False
        shoot(world, unit, [world.unit(text(picked["target"]))], gun_now(world, unit))


class Spread(ActVerb):
    """The Heavy Weapons Expert's fire at several targets (BG-4.16)."""

    name = "spread"
    label = "Spread fire"
    summary = "Heavy Weapons Expert: one die against two or three targets"
    rule = "BG-4.16"
    individual_only = True
    slots = (Slot("targets", "Which two or three, in which order?", board=True),)

    def unable(self, field: Field, unit: Unit) -> Illegal | None:
        if "spread" not in field.content.units[unit.kind].abilities:
            return Illegal("BG-4.16", "Only the Heavy Weapons Expert spreads his fire.")
        return None

    def domain(self, state: State, seat: str, slot: str, picked: Picked) -> Domain | None:
        field = self.at(state)
        unit = acting(field)
        if unit.kind == HOSTAGE:
            return NOTHING
        gun, limits = gun_now(field, unit, spread=True), self.content.tables.limits
        found = tuple(target_option(field, unit, t, gun) for t in legal_targets(field, unit))
        return Several(found, limits.spread_min, limits.spread_max)

    def nothing(self, field: Field, squad: str) -> Illegal:
        return Illegal("BG-4.16", "Spread fire needs two or three legal targets.")

    def refusal(self, state: State, seat: str, slot: str, picked: Picked, value: Value) -> Illegal:
        field = self.at(state)
        unit = acting(field)
        names = (value,) if isinstance(value, str) else value
        for name in names:
            target = state.units.get(name)
            if target is None:
                return Illegal("BG-11.3.4", f"There is no unit “{name}”.")
            refused = why_no_shot(field, stand(unit), target, gun_now(field, unit, spread=True))
            if refused is not None:
                return refused
        return Illegal("BG-4.16", "Spread fire takes two or three different targets.")

    def act(self, world: World, squad: str, picked: Picked) -> None:
        unit = acting(world)
        part = part_of(world, unit)
        part.acted, part.turned = True, False
        defenders = [world.unit(name) for name in picked["targets"]]
        shoot(world, unit, defenders, gun_now(world, unit, spread=True))
