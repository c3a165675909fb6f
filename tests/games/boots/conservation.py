"""Boots on the Ground: what must add up after every single action, whatever happened."""

from __future__ import annotations

from collections import Counter
from typing import Any

from games.boots.content import Content
from games.boots.game import Boots
from games.boots.model import HOSTAGE, INSURGENT, INSURGENT_SEAT, SPECIALISTS, State
from games.boots.setup import cards_of
from games.kernel.game import Game, Setup

STEPS = frozenset(
    "deploy choose act reveal clear card event gi medivac defuse box fire discard check next".split()
)


def conserved(game: Game[Any], state: State) -> None:
    """Raise AssertionError for the first figure that is wrong."""
    assert isinstance(game, Boots)
    content = game.content
    insurgents(content, state)
    soldiers(content, state)
    hostages(content, state)
    cards(content, state)
    counters(content, state)
    wmd(content, state)
    squares(content, state)
    doors(content, state)
    sequence(state)


def insurgents(content: Content, state: State) -> None:
    """On the board, in the pool, killed, the captured one: all there ever were, civilians included."""
    here = [u for u in state.units.values() if u.kind == INSURGENT]
    revealed = drawn(civilians_dealt(content), state.civilian_mix)["insurgent"]
    total = content.tables.counters.insurgents + revealed
    captured = int(state.hvt == "captured")
    assert len(here) + state.pool + state.killed + captured == total, "insurgents"
    assert state.pool >= 0 and state.killed >= 0
    assert all(u.pos is not None and u.hits == 0 and not u.squad for u in here)
    assert all(0 < int(u.id[2:]) <= state.created for u in here)
    assert all(bool(u.role) == bool(u.role_span) for u in here)
    wanted = [u for u in here if u.role == "hvt"]
    expected = content.missions[state.mission].hvt is not None and not state.hvt
    assert len(wanted) == int(expected), "the wanted man"


def soldiers(content: Content, state: State) -> None:
    """Up and KIA are the originals and the G.I.s placed; the books say the same."""
    limits = content.tables.counters
    for squad, book in state.squads.items():
        own = [u for u in state.units.values() if u.is_soldier and u.squad == squad]
        up = [u for u in own if u.status == "up"]
        dead = [u for u in own if u.status == "kia"]
        placed = limits.gi_per_squad - book.gi_left
        assert len(up) + len(dead) == len(own) == len(SPECIALISTS) + placed, "soldiers"
        assert sorted(book.kia) == sorted(u.id for u in dead), "the list of the dead"
        assert all(u.pos is not None and 0 <= u.hits <= 2 for u in up)
        assert all(u.pos is None and not u.items for u in dead)
        assert 0 <= book.kia_replaced <= placed <= limits.gi_per_squad
        names = Counter(u.id for u in own)
        assert all(f"{squad}-{kind}" in names for kind in SPECIALISTS)
        if book.leader_shield:
            assert state.units[f"{squad}-L"].pos is not None, "a dead Leader shields nobody"


def hostages(content: Content, state: State) -> None:
    """As many as the mission has; captive without a squad, freed with one, dead off the board."""
    here = [u for u in state.units.values() if u.kind == HOSTAGE]
    assert len(here) == len(content.missions[state.mission].hostages_of(state.line)), "hostages"
    for hostage in here:
        assert hostage.status in ("captive", "freed", "dead")
        assert (hostage.pos is None) == (hostage.status == "dead")
        assert hostage.status == "dead" or (bool(hostage.squad) == (hostage.status == "freed"))
        assert hostage.status == "dead" or 0 <= hostage.hits <= 2
        assert not hostage.items


def cards(content: Content, state: State) -> None:
    """Sixty cards, each in one place."""
    current = [state.play.card] if state.play.card else []
    ahead = [state.next_card] if state.next_card else []
    everywhere = [*state.deck, *state.discard, *current, *ahead]
    assert sorted(everywhere) == sorted(content.cards), "cards"
    if not state.endless:
        assert state.cards_used == len(state.discard) + len(current) <= state.cards_total
    else:
        used = len(state.discard) + len(current)
        assert state.cards_used % len(content.cards) == used % len(content.cards)
        assert state.cards_used <= content.tables.limits.safety_stop
    setup = Setup(state.mission, state.mode, state.options)
    mission = content.missions[state.mission]
    assert state.cards_total == cards_of(content, mission, setup, state.options)


def counters(content: Content, state: State) -> None:
    """Civilians, vehicles and boxes: what is gone from the mix has been turned over, nothing else."""
    mission = content.missions[state.mission]
    gone = drawn(civilians_dealt(content), state.civilian_mix)
    assert len(state.civilians) + gone.total() == len(mission.civilians), "civilians"
    assert not any(c.kind for c in state.civilians.values())
    gone = drawn(vehicles_dealt(content), state.vehicle_mix)
    up = Counter(v.kind for v in state.vehicles.values() if v.face_up)
    assert len(state.vehicles) == len(mission.vehicles) and up == gone, "vehicles"
    assert not any(v.kind or v.outcome for v in state.vehicles.values() if not v.face_up)
    assert not any(v.outcome for v in state.vehicles.values() if v.kind == "safe")
    asked = [f.subject for f in state.steps if f.step == "defuse"]
    for vehicle in state.vehicles.values():
        if vehicle.kind.startswith("ied") and vehicle.id not in asked and not state.outcome:
            assert vehicle.outcome in ("defused", "exploded")
    gone = drawn(boxes_dealt(content), [*state.box_mix, *state.box_forced])
    assert len(state.boxes) + gone.total() == len(mission.boxes), "boxes"
    assert not any(b.kind for b in state.boxes.values())
    assert len(state.box_forced) <= len(state.boxes), "what must be found lies somewhere"
    held = Counter(item for u in state.units.values() for item in u.items)
    for item, number in held.items():
        assert number <= gone[item], f"{item} out of nowhere"


def wmd(content: Content, state: State) -> None:
    """In one place: an unopened box, a bearer, a square, or delivered."""
    where = state.wmd.where
    bearers = [u.id for u in state.units.values() if "wmd" in u.items]
    found = drawn(boxes_dealt(content), [*state.box_mix, *state.box_forced])["wmd"]
    assert found == int(where != "box"), "the WMD"
    assert bool(state.wmd.found_by) == (where != "box")
    assert bool(state.wmd.delivered_by) == (where == "delivered")
    if where in state.units:
        assert bearers == [where] and state.units[where].pos is not None
    else:
        assert bearers == []
        assert where in ("box", "delivered") or where in content.maps[state.map].grid


def squares(content: Content, state: State) -> None:
    """One counter in a square, and nobody inside a vehicle, cover or a civilian."""
    board = content.maps[state.map]
    units = [u.pos for u in state.units.values() if u.pos is not None]
    civilians = [c.pos for c in state.civilians.values()]
    vehicles = [v.pos for v in state.vehicles.values()]
    taken = Counter([*units, *civilians, *vehicles, *board.cover])
    assert max(taken.values(), default=1) == 1, f"two in one square: {taken.most_common(1)}"
    boxes = Counter(b.pos for b in state.boxes.values())
    assert max(boxes.values(), default=1) == 1
    assert all(square in board.grid for square in (*taken, *boxes))
    facings = range(0, 8, 2) if state.options["facing_dirs"] == "4" else range(8)
    assert all(u.face in facings for u in state.units.values())


def doors(content: Content, state: State) -> None:
    """Demo doors are blown through printed walls, two a squad; printed doors explode once."""
    grid = content.maps[state.map].grid
    edges = [(d.a, d.b) for d in state.doors]
    assert len(set(edges)) == len(edges)
    assert all(grid.printed_edge(a, b) == "wall" for a, b in edges)
    for squad, book in state.squads.items():
        blown = sum(1 for d in state.doors if d.squad == squad)
        assert blown + book.blasts_left == content.tables.counters.doors_per_squad, "demo charges"
    assert len(set(state.exploded)) == len(state.exploded)
    assert all(grid.printed_edge(a, b) == "door" for a, b in state.exploded)
    cleared = [b for b in state.buildings.values() if b.cleared]
    assert all(b.cleared_by in state.squads for b in cleared)


def sequence(state: State) -> None:
    """The stack of steps makes sense; an activation runs only while its squad acts."""
    assert state.steps and all(frame.step in STEPS for frame in state.steps)
    assert state.squad_turn in state.squads
    activation = state.activation
    acting = any(frame.step == "act" for frame in state.steps)
    assert (activation is not None) == acting or state.outcome is not None
    if activation is not None:
        assert activation.squad == state.squad_turn
        assert all(state.units[name].pos is not None for name in activation.members)
        assert activation.current in ("", *activation.members)
        for part in activation.parts.values():
            assert 0 <= part.mp <= part.allowance
    if state.outcome is not None:
        assert state.outcome.cause in {f"BG-E.{n}" for n in range(1, 6)}
        allied = [seat for seat in state.outcome.won if seat != INSURGENT_SEAT]
        assert bool(allied) == bool(state.outcome.level)
        given_up = state.outcome.cause == "BG-E.5" and state.conceded[-1] == INSURGENT_SEAT
        assert bool(allied) == (state.outcome.cause == "BG-E.1" or given_up)
        if state.mode not in ("versus", "three"):
            assert allied == list(state.outcome.won)


# --- what was dealt at set-up -----------------------------------------------------------------


def civilians_dealt(content: Content) -> Counter[str]:
    """The civilian counters of the game by kind."""
    dealt = content.tables.counters.civilians
    return Counter({kind: dealt.of(kind) for kind in ("friendly", "insurgent")})


def vehicles_dealt(content: Content) -> Counter[str]:
    """The vehicle counters of the game by kind."""
    dealt = content.tables.counters.vehicles
    return Counter({kind: dealt.of(kind) for kind in ("safe", "ied_a", "ied_b")})


def boxes_dealt(content: Content) -> Counter[str]:
    """The lock boxes of the game by kind."""
    dealt = content.tables.counters.boxes
    kinds = ("health", "grenade", "booby", "bombkit", "wmd")
    return Counter({kind: dealt.of(kind) for kind in kinds})


def drawn(dealt: Counter[str], left: list[str]) -> Counter[str]:
    """What has been drawn from a mix, by kind."""
    gone = Counter(dealt)
    gone.subtract(left)
    assert min(gone.values()) >= 0, "more left than there was"
    return +gone
