"""The odds of the shots that the acting unit may take, exactly: both dice against the chart."""

from __future__ import annotations

from itertools import product

from games.boots import words
from games.boots.field import Field
from games.boots.fire import allied_gun, arc_bonus, defence, stand, targets
from games.boots.model import HOSTAGE, Unit
from games.kernel import wording

D6 = range(1, 7)
ROWS = (("killed", "kill"), ("wounded", "wound"), ("attacker_wounded", "own hit"))


def reading_aid(field: Field) -> str:
    """One line for each legal target of the unit that acts; empty when it cannot fire."""
    activation = field.state.activation
    if activation is None or not activation.current:
        return ""
    unit = field.unit(activation.current)
    if unit.kind == HOSTAGE or activation.parts[unit.id].acted:
        return ""
    gun = allied_gun(field, unit, team=activation.kind == "team")
    found = targets(field, stand(unit), gun, field.insurgents())
    base = sum(m.value for m in gun.modifiers)
    return "\n".join(_line(field, unit, target, base) for target in found)


def _line(field: Field, unit: Unit, target: Unit, base: int) -> str:
    here = unit.pos or ""
    bonus = arc_bonus(field, here, target)
    net = base + (bonus.value if bonus else 0)
    net -= sum(m.value for m in defence(field, here, target))
    verdicts = [
        field.content.tables.chart_row("allied", a - d + net)[1] for a, d in product(D6, D6)
    ]
    parts = [f"{name} {_percent(verdicts.count(verdict))}" for verdict, name in ROWS]
    return f"{words.title(target)} ({wording.signed(net)}): {', '.join(parts)}."


def _percent(ways: int) -> str:
    return f"{(ways * 200 + 36) // 72}%"
