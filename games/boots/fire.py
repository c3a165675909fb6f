"""Fire: who may shoot at whom, with what, and what the dice make of it. Rules BG-11, BG-G.10, BG-G.11."""

from __future__ import annotations

from dataclasses import dataclass

from games.boots import words
from games.boots.field import Field
from games.boots.model import HOSTAGE, INSURGENT, Unit
from games.boots.world import World
from games.geometry.squares import Square
from games.kernel.event import Chart, Contest, Modifier, Roll, Rolled
from games.kernel.illegal import Illegal
from games.kernel.view import Mark

FRONT = (7, 0, 1)
REAR = 4


@dataclass(frozen=True, slots=True)
class Gun:
    """How a unit fires now: range in squares (0: no limit) and the named modifiers of its die."""

    reach: int
    modifiers: tuple[Modifier, ...]


@dataclass(frozen=True, slots=True)
class Stand:
    """A shooter's place and facing, real or considered."""

    unit: Unit
    square: Square
    face: int


def stand(unit: Unit) -> Stand:
    """Where a unit stands now. It must be on the board."""
    return Stand(unit, unit.pos or "", unit.face)


# --- the gun ---


def allied_gun(field: Field, unit: Unit, *, team: bool, spread: bool = False) -> Gun:
    """The gun of an allied unit in its activation (BG-3.5, BG-4.16, BG-4.17, BG-7.3, BG-O.3)."""
    kind = field.content.units[unit.kind]
    value = (kind.team_fire if team else kind.fire) or 0
    name = "team" if team else words.GUN_NAMES[unit.kind]
    if not team and not spread and kind.single is not None:
        value = kind.single
    modifiers = [Modifier(name, value)] if value else []
    if unit.hits >= 2 and field.option("critical_effect") != "move":
        modifiers.append(Modifier("critical", field.content.tables.wounds.critical_fire))
    return Gun((kind.team_range if team else kind.range) or 0, tuple(modifiers))


def insurgent_gun(field: Field, unit: Unit, *, spread: bool = False) -> Gun:
    """The gun of an insurgent, by its role (BG-4.19, BG-5.10, BG-9.14)."""
    if unit.role == "":
        return Gun(field.content.units[INSURGENT].range or 0, ())
    role = field.content.tables.roles[unit.role]
    value = role.fire if spread or role.single is None else role.single
    return Gun(role.range, (Modifier(role.title, value),) if value else ())


# --- may it fire? ---


def why_no_shot(field: Field, at: Stand, target: Unit, gun: Gun) -> Illegal | None:
    """Why a shot is not allowed; None when it is (BG-11.0.1). Dice are not touched."""
    if not is_enemy(at.unit, target):
        return Illegal("BG-11.3.4", f"{target.id} is no target: only enemies are fired at.")
    square = target.pos
    if square is None:
        return Illegal("BG-11.0.1", f"{target.id} is not on the board.")
    distance = field.grid.dist(at.square, square)
    if gun.reach and distance > gun.reach:
        return Illegal(
            "BG-11.3.1", f"{target.id} is {distance} squares away; range is {gun.reach}."
        )
    if not in_front(field, at, square):
        return Illegal("BG-11.0.3", f"{target.id} is not in the front arc of {at.unit.id}.")
    return why_no_sight(field, at, square)


def in_front(field: Field, at: Stand, square: Square) -> bool:
    """Whether a square lies in the front arc (BG-G.7, BG-11.0.3)."""
    return at.square != square and field.grid.arc(at.square, at.face, square) in FRONT


def why_no_sight(field: Field, at: Stand, square: Square) -> Illegal | None:
    """Why there is no line of sight; None when there is (BG-G.9, BG-G.10, BG-11.3.2)."""
    trace = field.grid.trace(at.square, square)
    if not trace.clear:
        return Illegal("BG-11.2.1", f"A wall cuts the line from {at.square} to {square}.")
    if not trace.crossed:
        return None
    occupants = field.occupants
    civilians = [civilian.pos for civilian in field.state.civilians.values()]
    for crossed in trace.crossed:
        other = occupants.get(crossed)
        if other is not None and (other.status == "captive" or is_enemy(at.unit, other)):
            rule = "BG-G.10" if other.status == "captive" else "BG-11.3.2"
            return Illegal(rule, f"{other.id} in {crossed} is in the way.")
        if crossed in civilians:
            return Illegal("BG-11.2.2", f"A civilian in {crossed} is in the way.")
    return None


def is_enemy(unit: Unit, other: Unit) -> bool:
    """Insurgents and allied units are enemies; a captive is nobody's (BG-4.21, BG-11.3.4)."""
    if other.status == "captive" or unit.status == "captive":
        return False
    return (unit.kind == INSURGENT) != (other.kind == INSURGENT)


def targets(field: Field, at: Stand, gun: Gun, among: list[Unit]) -> list[Unit]:
    """The legal targets among some units, in the order given."""
    dist, here, reach = field.grid.dist, at.square, gun.reach
    near = among  # what is out of range is left out first; `why_no_shot` would say the same
    if reach:
        near = [unit for unit in among if unit.pos is not None and dist(here, unit.pos) <= reach]
    return [unit for unit in near if why_no_shot(field, at, unit, gun) is None]


# --- modifiers ---


def arc_bonus(field: Field, shooter: Square, target: Unit) -> Modifier | None:
    """The attacker's bonus by where he stands in the target's arcs (BG-11.0.4); hostages have none."""
    if target.kind == HOSTAGE or target.pos is None:
        return None
    arc = field.grid.arc(target.pos, target.face, shooter)
    bonus = field.content.tables.fire_mods.of_arc(arc)
    return Modifier("direct rear" if arc == REAR else "side", bonus) if bonus else None


def has_cover(field: Field, shooter: Square, target: Square) -> bool:
    """Whether a vehicle or printed cover shields the target (BG-G.11, BG-11.2.3)."""
    trace, grid = field.grid.trace(shooter, target), field.grid
    return any(
        square in field.cover_squares
        and grid.adjacent(square, target)
        and not grid.adjacent(square, shooter)
        for square in (*trace.crossed, *trace.touched)
    )


def has_shield(field: Field, target: Unit) -> bool:
    """Whether the Leader of the target's squad shields it (BG-4.1)."""
    if not target.squad or target.kind == "L" or not field.squad(target.squad).leader_shield:
        return False
    leaders = field.placed(lambda u: u.kind == "L" and u.squad == target.squad)
    return any(field.is_near(leader.pos, target.pos) for leader in leaders)


def defence(field: Field, shooter: Square, target: Unit) -> tuple[Modifier, ...]:
    """What is added to the defender's die (BG-11.4.1)."""
    mods = field.content.tables.fire_mods
    found: list[Modifier] = []
    if has_cover(field, shooter, target.pos or ""):
        found.append(Modifier("cover", mods.cover))
    if has_shield(field, target):
        found.append(Modifier("Leader’s shield", mods.shield))
    return tuple(found)


# --- the shot ---


def shoot(world: World, shooter: Unit, defenders: list[Unit], gun: Gun) -> None:
    """Fire one attack die at one or more legal targets and carry out every result.

    Dice: attacker first, then each defender in order (spec section 2). Results go target by target,
    the shooter's own wound comes last and only once (BG-4.16).
    """
    side = "insurgent" if shooter.kind == INSURGENT else "allied"
    here = shooter.pos or ""
    attack = world.entropy.roll(6, f"{shooter.id} fires")
    contests: list[Contest] = []
    for target in defenders:
        bonus = arc_bonus(world, here, target)
        attacker = _roll(shooter, attack, (*gun.modifiers, *((bonus,) if bonus else ())))
        die = world.entropy.roll(6, f"{target.id} defends")
        defender = _roll(target, die, defence(world, here, target))
        difference = attacker.total - defender.total
        row, verdict = world.content.tables.chart_row(side, difference)
        contests.append(Contest(attacker, defender, difference, row, verdict))
    lines = [(shooter.pos, target.pos) for target in defenders]
    _report(world, shooter, defenders, contests, side, [(a or "", b or "") for a, b in lines])


def _roll(unit: Unit, die: int, modifiers: tuple[Modifier, ...]) -> Roll:
    return Roll(words.badge(unit), (die,), modifiers, die + sum(m.value for m in modifiers))


def _report(
    world: World,
    shooter: Unit,
    defenders: list[Unit],
    contests: list[Contest],
    side: str,
    lines: list[tuple[Square, Square]],
) -> None:
    """Apply the verdicts in order and log one event for the whole shot."""
    place = len(world.log)
    told: list[Contest] = []
    marks = [Mark("fire", line) for line in lines]
    texts: list[str] = []
    own = False
    for target, contest, line in zip(defenders, contests, lines, strict=True):
        text, hit = words.NO_EFFECT, False
        match contest.verdict:
            case "killed" if not world.over:
                text, hit = words.fate(target, world.kill(target)), True
            case "wounded" if not world.over:
                text, hit = words.fate(target, world.wound(target)), True
            case "attacker_wounded":
                own, text = True, words.BACKFIRE
            case _:
                pass
        if hit:
            marks.append(Mark("hit", (line[1],)))
        texts.append(text)
        told.append(_worded(contest, words.consequence(target, text)))
    if own and not world.over:
        text = words.fate(shooter, world.wound(shooter))
        marks.append(Mark("hit", (lines[0][0],)))
        texts = [text if t == words.BACKFIRE else t for t in texts]
        own_fate = words.consequence(shooter, text)
        told = [_worded(c, own_fate) if c.verdict == words.BACKFIRE else c for c in told]
    event = Rolled(
        text=words.shot_line(shooter, defenders, contests, texts),
        marks=tuple(marks),
        title=words.shot_title(shooter, defenders),
        detail=words.shot_detail(world.grid, lines),
        contests=tuple(told),
        chart=chart(world, side),
    )
    world.log.insert(place, event)


def _worded(contest: Contest, text: str) -> Contest:
    """The same contest with its verdict in words."""
    return Contest(contest.attacker, contest.defender, contest.difference, contest.row, text)


def chart(field: Field, side: str) -> Chart:
    """The fire chart of a side as pictures show it (BG-11.4.2, BG-11.4.3)."""
    rows = field.content.tables.fire_chart.side(side)
    shown = tuple((r.label, words.VERDICTS[r.verdict]) for r in rows)
    return Chart(words.CHART_TITLES[side], shown)
