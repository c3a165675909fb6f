"""A crude but sensible player of Boots on the Ground, for recordings, deep positions and load.

It walks toward the objective, shoots when it can, keeps its people out of sight a little and answers
every question. It looks one move ahead and knows nothing that a player could not see.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from typing import Any

from games.boots.field import Field
from games.boots.fire import Gun, Stand, allied_gun, arc_bonus, why_no_shot, why_no_sight
from games.boots.game import Boots
from games.boots.missions import (
    AllInZone,
    BuildingsClear,
    HostagesInZone,
    HvtAndZone,
    NoObjective,
    WmdDelivered,
)
from games.boots.model import HOSTAGE, SQUAD_OF, State, Unit
from games.boots.movement import Reach
from games.geometry.squares import FACINGS, Square
from games.kernel.action import Action, Value
from games.kernel.domain import Choices, Option, Several
from games.kernel.entropy import Entropy
from games.kernel.game import Game

FAR = 99


class Sergeant:
    """Plays one squad. `wild` is how many of a hundred decisions are taken at random instead."""

    def __init__(self, game: Game[Any], *, wild: int = 0) -> None:
        assert isinstance(game, Boots)
        self.game = game
        self.wild = wild

    def action(self, state: State, seat: str, chance: Entropy) -> Action:
        """What to do now. The seat must have something to decide."""
        offers = [o.verb for o in self.game.offers(state, seat) if o.verb != "concede"]
        if self.wild and chance.roll(100, "wild") <= self.wild:
            return sampled(self.game, state, seat, chance.draw(offers, "verb"), chance)
        field, squad = self.game.at(state), SQUAD_OF[seat]
        match state.steps[-1].step:
            case "deploy":
                return Action("ready")
            case "choose":
                return self._choose(field, squad, chance)
            case "act":
                return self._act(field, seat, offers)
            case "box":
                return self._first(state, seat, "open")
            case "defuse":
                return self._first(state, seat, "defuse")
            case "medivac":
                return self._medivac(field, seat)
            case "gi":
                return self._first(state, seat, "gi")
            case step:
                raise AssertionError(f"nobody taught the player {step}")

    # --- plain choices

    def _first(self, state: State, seat: str, name: str, **given: str) -> Action:
        """The verb with the given slots, the preset or the first option of the others."""
        verb, picked = self.game.verbs[name], {}
        for slot in verb.slots:
            domain = verb.domain(state, seat, slot.name, picked)
            if domain is None:
                continue
            wanted = given.get(slot.name)
            if wanted is None or not domain.contains(wanted):
                wanted = domain.default or domain.options[0].value
            picked[slot.name] = wanted
        return Action(name, picked)

    def _medivac(self, field: Field, seat: str) -> Action:
        domain = self.game.verbs["medivac"].domain(field.state, seat, "unit", {})
        assert isinstance(domain, Choices)
        patient = max(domain.options, key=lambda o: field.unit(o.value).hits).value
        return self._first(field.state, seat, "medivac", unit=patient)

    # --- whom to activate

    def _choose(self, field: Field, squad: str, chance: Entropy) -> Action:
        seat = next(seat for seat, each in SQUAD_OF.items() if each == squad)
        best: tuple[int, Action] | None = None
        for name in ("activate", "activate_team"):
            verb = self.game.verbs[name]
            domain = verb.domain(field.state, seat, "unit", {})
            if not isinstance(domain, Choices):
                continue
            for option in domain.options:
                team = name == "activate_team"
                members = option.label.replace(" and ", ", ").split(", ") if team else []
                units = [field.unit(m) for m in members] or [field.unit(option.value)]
                score = sum(self._worth(field, unit, squad, team=team) for unit in units)
                score = 4 * score + chance.roll(4, "mood")
                if best is None or score > best[0]:
                    best = (score, Action(name, {"unit": option.value}))
        assert best is not None
        return best[1]

    def _worth(self, field: Field, unit: Unit, squad: str, *, team: bool) -> int:
        way = _Way(field, goals(field, unit, squad))
        mp = field.allowance(unit, team=team)
        gain = min(mp, way.left(unit.pos or ""))
        if unit.kind == HOSTAGE or "wmd" in unit.items:
            gain *= 6
        if unit.kind == HOSTAGE:
            return gain
        gun = allied_gun(field, unit, team=team)
        shots = _shots(field, Stand(unit, unit.pos or "", unit.face), gun)
        near = any(field.grid.dist(unit.pos or "", i.pos or "") <= 6 for i in field.insurgents())
        healing = unit.kind == "M" and any(
            u.hits and field.is_near(u.pos, unit.pos) for u in field.soldiers(squad)
        )
        return gain + 3 * bool(shots) + int(near) + 3 * int(healing and not team)

    # --- what the acting unit does

    def _act(self, field: Field, seat: str, offers: list[str]) -> Action:
        state, squad = field.state, SQUAD_OF[seat]
        if "recon" in offers:
            return Action("recon")
        if "treat" in offers and not self._good_shot(field, seat, offers):
            return self._first(state, seat, "treat")
        if "kit_heal" in offers:
            return self._first(state, seat, "kit_heal")
        shot = self._good_shot(field, seat, offers)
        if shot is not None:
            return shot
        for name in ("grenade", "rpg"):
            if name in offers and (bomb := self._bomb(field, seat, name)):
                return bomb
        if "move" in offers and (move := self._move(field, seat, squad)):
            return move
        if "fire" in offers:
            return self._first(state, seat, "fire")
        if "select" in offers:
            return self._next_member(field, seat, squad)
        return Action("done")

    def _next_member(self, field: Field, seat: str, squad: str) -> Action:
        domain = self.game.verbs["select"].domain(field.state, seat, "unit", {})
        assert isinstance(domain, Choices)

        def key(name: str) -> tuple[int, int]:
            unit = field.unit(name)
            return (_Way(field, goals(field, unit, squad)).left(unit.pos or ""), unit.hits)

        return Action("select", {"unit": min((o.value for o in domain.options), key=key)})

    def _good_shot(self, field: Field, seat: str, offers: list[str]) -> Action | None:
        """Fire at the best target; leave a bad shot for after the move."""
        if "spread" in offers:
            domain = self.game.verbs["spread"].domain(field.state, seat, "targets", {})
            assert isinstance(domain, Several)
            best = sorted(domain.options, key=lambda o: -_net(o))[: domain.most]
            return Action("spread", {"targets": tuple(o.value for o in best)})
        if "fire" not in offers:
            return None
        domain = self.game.verbs["fire"].domain(field.state, seat, "target", {})
        assert isinstance(domain, Choices)
        wanted = [o for o in domain.options if field.unit(o.value).role == "hvt"]
        target = max(wanted or domain.options, key=_net)
        if _net(target) < 0 and "move" in offers:
            return None
        return Action("fire", {"target": target.value})

    def _bomb(self, field: Field, seat: str, name: str) -> Action | None:
        """Throw or launch where an insurgent is killed and no soldier stands close."""
        domain = self.game.verbs[name].domain(field.state, seat, "square", {})
        assert isinstance(domain, Choices)
        for option in domain.options:
            there = field.occupants.get(option.value)
            if there is None or there.squad or there.status == "captive":
                continue
            near = field.adjacent_units(option.value, lambda u: bool(u.squad))
            if not near:
                return self._first(field.state, seat, name, square=option.value)
        return None

    def _move(self, field: Field, seat: str, squad: str) -> Action | None:
        """The best square in reach, if it is better than standing still."""
        activation = field.activation
        unit, part = field.unit(activation.current), activation.parts[activation.current]
        way = _Way(field, goals(field, unit, squad))
        team = activation.kind == "team"
        gun = None if unit.kind == HOSTAGE else allied_gun(field, unit, team=team)
        here = unit.pos or ""
        now = self._value(field, unit, here, unit.face, way, gun if not part.acted else None)
        best: tuple[int, Square, int] | None = None
        for square, cost in Reach(field, unit, part.mp).costs.items():
            if square == here:
                continue
            face = _toward(field, unit, square)
            able = gun if not part.acted else None
            value = self._value(field, unit, square, face, way, able) - cost
            if best is None or value > best[0]:
                best = (value, square, face)
        if best is None or best[0] <= now:
            return None
        return self._first(field.state, seat, "move", to=best[1], face=FACINGS[best[2]])

    def _value(
        self, field: Field, unit: Unit, square: Square, face: int, way: _Way, gun: Gun | None
    ) -> int:
        shots = _shots(field, Stand(unit, square, face), gun) if gun else []
        threat = sum(
            1
            for foe in field.insurgents()
            if field.grid.dist(square, foe.pos or "") <= 5
            and why_no_sight(field, Stand(foe, foe.pos or "", foe.face), square) is None
        )
        friends = field.adjacent_units(square, lambda u: u.squad == unit.squad and u is not unit)
        value = -8 * way.left(square) - 5 * threat + 3 * min(2, len(friends))
        return value + (10 + 4 * max(shots) if shots else 0)


def sampled(game: Game[Any], state: Any, seat: str, name: str, chance: Entropy) -> Action:
    """A verb on offer with values at random."""
    picked: dict[str, Value] = {}
    for slot in game.verbs[name].slots:
        domain = game.verbs[name].domain(state, seat, slot.name, picked)
        if domain is not None:
            picked[slot.name] = domain.sample(chance)
    return Action(name, picked)


def _net(option: Option) -> int:
    """The sum of the modifiers that is written on a target."""
    return int(option.mark.replace("−", "-"))


def _toward(field: Field, unit: Unit, square: Square) -> int:
    """The facing towards the nearest insurgent, else as the unit faces."""
    foe = field.closest(square, field.insurgents())
    return unit.face if foe is None else field.direction(square, foe.pos or square)


def _shots(field: Field, at: Stand, gun: Gun) -> list[int]:
    """The arc bonus of every legal shot from a stand."""
    found: list[int] = []
    for foe in field.insurgents():
        if why_no_shot(field, at, foe, gun) is None:
            bonus = arc_bonus(field, at.square, foe)
            found.append(bonus.value if bonus else 0)
    return found


# --- where to go ------------------------------------------------------------------------------


def goals(field: Field, unit: Unit, squad: str) -> list[Square]:
    """The squares a unit should walk to for the mission's sake; empty when there are none."""
    objective = field.mission.objective.of(field.state.line)
    match objective:
        case AllInZone(zones=zones):
            return _in(field, unit, zones)
        case HostagesInZone(zones=zones):
            freed = [u for u in field.squad_units(squad) if u.kind == HOSTAGE]
            captives = [s for u in field.captives() for s in field.grid.near(u.pos or "")]
            return _in(field, unit, zones) if freed else captives
        case WmdDelivered():
            return _toward_wmd(field, unit)
        case BuildingsClear(buildings=buildings):
            return _uncleared(field, unit, buildings)
        case HvtAndZone(zones=zones):
            wanted = [u.pos for u in field.insurgents() if u.role == "hvt" and u.pos]
            return [s for p in wanted for s in field.grid.near(p)] or _in(field, unit, zones)
        case NoObjective():
            return [u.pos for u in field.insurgents() if u.pos]


def _in(field: Field, unit: Unit, zones: Iterable[str]) -> list[Square]:
    squares = [s for zone in zones for s in field.zone_squares(zone)]
    return [s for s in squares if s == unit.pos or field.is_free(s)]


def _toward_wmd(field: Field, unit: Unit) -> list[Square]:
    wmd = field.state.wmd
    if wmd.where == "box":
        return [b.pos for b in field.state.boxes.values()]
    if wmd.where in field.grid:
        return [wmd.where]
    return _in(field, unit, field.mission.active_zones)


def _uncleared(field: Field, unit: Unit, buildings: Iterable[str]) -> list[Square]:
    for numeral in buildings:
        squares = field.map.buildings[numeral]
        foes = [u.pos for u in field.insurgents() if u.pos in squares and u.pos]
        if not field.state.buildings[numeral].cleared:
            openings = field.map.openings[numeral]
            return [s for s in openings if s == unit.pos or field.is_free(s)]
        if foes:
            return [s for p in foes for s in field.grid.near(p)]
    return []


class _Way:
    """Walking costs to the nearest of some squares, from everywhere; units are no obstacle."""

    def __init__(self, field: Field, ends: list[Square]) -> None:
        grid, cover = field.grid, field.cover_squares
        self._costs: dict[Square, int] = dict.fromkeys(ends, 0)
        self._none = not ends
        heap = [(0, grid.order[end], end) for end in self._costs]
        heapq.heapify(heap)
        while heap:
            cost, _, square = heapq.heappop(heap)
            if cost > self._costs[square]:
                continue
            for near, step in grid.steps(square):
                total = cost + step
                if near not in cover and total < self._costs.get(near, FAR * FAR):
                    self._costs[near] = total
                    heapq.heappush(heap, (total, grid.order[near], near))

    def left(self, square: Square) -> int:
        """What is still to walk from a square; 0 when there is nowhere to go."""
        return 0 if self._none else self._costs.get(square, FAR)
