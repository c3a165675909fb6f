"""The guided first mission: its counters on the training ground, and what a coach can tell of a state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from games.boots import words
from games.boots.content import Content
from games.boots.field import Field
from games.boots.fire import allied_gun, arc_bonus, defence, stand, targets
from games.boots.model import SQUAD_OF, State, Unit
from games.boots.movement import Reach
from games.geometry.squares import Square
from games.kernel.datafiles import DataFile
from games.kernel.event import Drew, Event, Revealed, Rolled
from games.kernel.game import Setup
from games.kernel.lesson import Lesson, check

FACTS: tuple[str, ...] = ("shooter", "shooter_id", "acting", "target", "target_id", "scout", "scout_id",
         "counter", "near", "beside", "mp", "team")  # fmt: skip


def make_lessons(content: Content, verbs: Iterable[str]) -> Mapping[str, BootsLesson]:
    """The lessons, by slug. Raises `BrokenData` for a script that names what does not exist."""
    file, names = DataFile("lesson", None, "data/boots"), tuple(verbs)
    for slug, made in content.lessons.items():
        check(made.script, file, f"lessons.{slug}.script", names, FACTS)
    return {slug: BootsLesson(slug, content) for slug in content.lessons}


class BootsLesson(Lesson[State]):
    """A lesson of this game, for the one who plays Alpha alone."""

    def __init__(self, slug: str, content: Content) -> None:
        made = content.lessons[slug]
        super().__init__(slug, Setup(made.base, "solo1", lesson=slug), made.script)
        self._content = content

    def facts(self, state: State, seat: str) -> Mapping[str, str]:
        """Who could fire or look behind a counter now, with names and squares."""
        field, squad = Field(self._content, state), SQUAD_OF[seat]
        found = dict.fromkeys(FACTS, "")
        if state.outcome is not None:
            return found
        if state.activation is None:
            found |= _before(field, squad)
        else:
            found |= _within(field)
        return found

    def signs(self, events: Sequence[Event]) -> tuple[str, ...]:
        """Shots and what came of them, cards, counters turned over, soldiers hurt."""
        found: list[str] = []
        for event in events:
            match event:
                case Rolled():
                    found += self._shot(event)
                case Drew():
                    found.append("card")
                case Revealed():
                    found.append("revealed")
                    kind = (
                        "friendly" if event.what == words.CIVILIAN_KINDS["friendly"] else "hostile"
                    )
                    found.append(kind)
                case _:
                    pass
        return tuple(dict.fromkeys(found))

    def _shot(self, event: Rolled) -> list[str]:
        allied = event.chart.title == words.CHART_TITLES["allied"]
        rows = self._content.tables.fire_chart.side("allied" if allied else "insurgent")
        verdicts = [rows[contest.row].verdict for contest in event.contests]
        who = "own_shot" if allied else "their_shot"
        return [who, *(f"{who}_{verdict}" for verdict in verdicts)]


def _called(unit: Unit) -> str:
    """A soldier as the coach calls him: “the Scout (S)”."""
    return f"{words.member(unit)} ({words.badge(unit).code})"


def _before(field: Field, squad: str) -> dict[str, str]:
    """What is known while somebody is to be activated."""
    soldiers = field.soldiers(squad)
    shots = [(aim, -place, s) for place, s in enumerate(soldiers) if (aim := _best(field, s))]
    found: dict[str, str] = {}
    if shots:
        (_, target), _, shooter = max(shots, key=lambda shot: (shot[0][0], shot[1]))
        found |= {"shooter": _called(shooter), "shooter_id": shooter.id}
        found |= {"target": words.name(target), "target_id": target.id}
    if field.state.civilians:
        ways = [(_approach(field, s, field.allowance(s, team=False)), s) for s in soldiers]
        (near, _, counter), scout = min(ways, key=lambda way: (way[0][0], way[1].kind != "S"))
        found |= {"scout": _called(scout), "scout_id": scout.id, "counter": counter}
        found["near"] = counter if near <= 1 else ""
    linked = [u for u in soldiers if any(field.is_near(u.pos, v.pos) for v in soldiers)]
    found["team"] = linked[0].id if linked else ""
    return found


def _within(field: Field) -> dict[str, str]:
    """What is known while a unit or a team is active."""
    activation = field.activation
    if not activation.current:
        return {}
    unit = field.unit(activation.current)
    part = activation.parts[unit.id]
    found = {"acting": _called(unit), "mp": str(part.mp)}
    best = None if part.acted else _best(field, unit)
    if best is not None:
        found |= {"target": words.name(best[1]), "target_id": best[1].id}
    if field.state.civilians:
        distance, square, counter = _approach(field, unit, part.mp)
        found["counter"] = counter
        found["near"] = counter if distance <= 1 and not square else ""
        found["beside"] = square
    return found


def _best(field: Field, unit: Unit) -> tuple[int, Unit] | None:
    """The target that a soldier hits best from where he stands, and with which sum; None: nobody."""
    team = field.state.activation is not None and field.activation.kind == "team"
    gun = allied_gun(field, unit, team=team)
    found: list[tuple[int, int, Unit]] = []
    for place, target in enumerate(targets(field, stand(unit), gun, field.insurgents())):
        here = unit.pos or ""
        bonus = arc_bonus(field, here, target)
        attack = (*gun.modifiers, *((bonus,) if bonus else ()))
        net = sum(m.value for m in attack) - sum(m.value for m in defence(field, here, target))
        found.append((net, -place, target))
    if not found:
        return None
    net, _, target = max(found, key=lambda one: (one[0], one[1]))
    return net, target


def _approach(field: Field, unit: Unit, points: int) -> tuple[int, Square, Square]:
    """How near a soldier can get to a civilian: squares between them, where he goes (empty: he stays),
    and the civilian's square. There must be a civilian."""
    grid, here = field.grid, unit.pos or ""
    reach = Reach(field, unit, points).costs
    best: tuple[tuple[int, int, int], Square, Square] | None = None
    for civilian in field.state.civilians.values():
        for square, cost in {here: 0, **{s: c for s, c in reach.items() if s != here}}.items():
            apart = (
                1
                if grid.adjacent(square, civilian.pos)
                else max(2, grid.dist(square, civilian.pos))
            )
            key = (apart, cost, grid.order[square])
            if best is None or key < best[0]:
                best = (key, "" if square == here else square, civilian.pos)
    if best is None:
        raise RuntimeError("there is no civilian to approach")
    return best[0][0], best[1], best[2]
