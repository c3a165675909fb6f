"""Sniper Kill Confirmed: what must add up after every single action, whatever happened (spec 2)."""

from __future__ import annotations

from collections import Counter
from typing import Any

from games.kernel.game import Game
from games.sniper import roles
from games.sniper.content import Content
from games.sniper.game import Sniper
from games.sniper.look import Look
from games.sniper.model import RANGES, STEPS, WINDOWS, State

PHASES = frozenset(("I", "TDISCARD", "PATROL", "II", "III", "IV", "VI", "OVER"))
FLAGS = frozenset(
    "windage_call overwatch dead_air focus_wind focus_scan focus_comms first_shot_done scan_used"
    " orders_given focus_by_order".split()
)
LEVELS = {"MAJOR": "Major", "MINOR": "Minor", "KIA": "", "POW": ""}


def conserved(game: Game[Any], state: State) -> None:
    """Raise AssertionError for the first figure that is wrong."""
    assert isinstance(game, Sniper)
    content, look = game.content, game.at(state)
    cards(content, state)
    locations(content, state)
    vip(content, state)
    points(content, state)
    enemies(content, state)
    gun(look, state)
    hands(content, state)
    wounds(look, state)
    sequence(look, state)
    ending(state)


def cards(content: Content, state: State) -> None:
    """Pile + discard + hand (+ face-up Hostile card) = full deck (spec 2.3)."""
    up = [state.hostile_card] if state.hostile_card else []
    for deck, parts in (
        (content.action_deck, (state.action_pile, state.action_discard, state.hand)),
        (content.tactical_deck, (state.tactical_pile, state.tactical_discard, state.tactical)),
        (content.hostile_deck, (state.hostile_pile, state.hostile_discard, up)),
    ):
        assert sorted([card for part in parts for card in part]) == sorted(deck), "cards"
    held = Counter(state.tactical)
    assert not held.keys() & {"local_informant", "spooked_birds", "dead_air"}, "immediate cards"


def locations(content: Content, state: State) -> None:
    """Cards are up as far as the team has come, all different, of the location's deck (SK-1.13)."""
    up = [card for card in state.location_cards if card]
    assert state.location_cards == up + [""] * (6 - state.zone) and len(up) == state.zone
    deck = content.locations[state.location].deck_ids
    assert Counter([*up, *state.location_pile]) == Counter(deck), "Location cards"


def vip(content: Content, state: State) -> None:
    """He is decided when he is seen, and Zone 6 is entered after an attempt (SK-13)."""
    card = [state.vip.card] if state.vip.card else []
    assert Counter([*card, *state.vip_pile]) == Counter(content.vip_deck)
    assert state.vip.revealed == bool(state.vip.card)
    assert state.vip.revealed == (state.zone >= 5) or (state.zone == 5 and state.result)
    assert 0 <= state.vip.fire_cards_used <= 2
    assert state.vip.attempted == (state.vip.fire_cards_used > 0)
    assert state.vip.attempted or (not state.vip.dead and state.zone < 6)


def points(content: Content, state: State) -> None:
    """Kill Points are kills by five and the bonus of a dead VIP (SK-13.5, SK-15.1, SK-15.2)."""
    bonus = content.vips[state.vip.card].bonus_kp if state.vip.dead else 0
    assert state.kp == state.kills // 5 + bonus and state.kill_counters == state.kills % 5
    assert sum(state.kills_by_zone) == state.kills and not any(state.kills_by_zone[state.zone :])
    start = content.locations[state.location].morale + 10 * ("rookie" in state.options)
    assert state.morale >= start and (state.morale - start) % 5 == 0


def enemies(content: Content, state: State) -> None:
    """One enemy at most, in a range box, with at most one card (SK-7)."""
    enemy = state.enemy
    if enemy is None:
        assert state.hostile_card == ""
        return
    assert enemy.range in RANGES and not state.first_contact
    if enemy.kind == "sniper":
        assert enemy.count == 1 and enemy.spotted and enemy.shots in (0, 1)
        assert state.hostile_card == "enemy_sniper"
    else:
        assert 1 <= enemy.count <= 4 and enemy.shots == 0
        card = content.hostile[state.hostile_card] if state.hostile_card else None
        assert card is None or (card.kind == "hostile" and enemy.count <= card.count)
    assert not state.first_contact or state.zone == 1


def gun(look: Look, state: State) -> None:
    """An open fire has a target, actions, and is open in a window only (SK-8)."""
    fire = state.fire
    if fire is None:
        return
    assert state.in_window and 1 <= fire.actions <= 3 and 0 <= fire.spot_tries <= 2
    if fire.target == "vip":
        assert state.zone == 5 and not state.vip.dead and state.enemy is None and fire.actions <= 2
        assert fire.spot_tries == 0
    else:
        assert state.enemy is not None and not state.fire_closed
        assert look.group is None or look.group.spotted or fire.spot_tries > 0


def hands(content: Content, state: State) -> None:
    """Three Tactical cards, four while one must go; Action cards do not outlive their phases."""
    limit = content.tables.tactical_limit
    assert len(state.tactical) == limit + 1 if state.phase == "TDISCARD" else True
    assert len(state.tactical) <= limit + (state.phase in ("TDISCARD", "OVER"))
    order = list(content.action)
    assert state.hand == sorted(state.hand, key=order.index)
    if state.phase in ("IV", "VI"):
        assert all(card in STEPS for card in state.hand) and (state.zone == 6 or not state.hand)
    if state.phase == "IV":
        assert "priority_channel" in state.tactical
    if state.phase == "VI":
        assert state.zone == 6 and len(state.hand) >= 2
    if state.phase == "PATROL" and state.return_to == "SETUP":
        assert not state.hand and not state.tactical and state.turn == 0


def wounds(look: Look, state: State) -> None:
    """Wounds kill at their limits and not before (SK-10.4)."""
    limits = look.limits
    assert state.light >= 0 and 0 <= state.critical <= limits.critical
    assert state.wounds_received >= look.wounds and look.wounds <= limits.total
    dead = look.wounds >= limits.total or state.critical >= limits.critical
    assert dead == (state.result == "KIA")
    assert 0 <= state.med_kits <= 3 and (not state.armour_used or "armour" in state.gear)


def sequence(look: Look, state: State) -> None:
    """Phases, flags, track and seats make sense."""
    assert state.phase in PHASES and state.turn >= (state.return_to != "SETUP")
    assert set(state.turn_flags) <= FLAGS and len(set(state.turn_flags)) == len(state.turn_flags)
    focus = [f for f in state.turn_flags if f in ("focus_wind", "focus_scan", "focus_comms")]
    assert len(focus) <= 1 and (not focus or state.mode == "group")
    assert state.spotter_alive or (not focus and not state.flag("overwatch"))
    assert 1 <= state.reserve <= 8 and (state.reserve < 8 or state.result == "POW")
    assert 1 <= state.zone <= 6 and state.zone <= max(state.turn * 6, 1)
    assert state.zone == 6 or 0 <= state.crawl < look.crawl_cost()
    assert bool(state.patrol) == (state.phase == "PATROL") or state.phase == "OVER"
    assert not state.hold or (state.mode == "group" and state.phase in (*WINDOWS, "PATROL", "OVER"))
    assert not (state.hold and state.hold_spent)
    if state.crew and state.turn:
        assert roles.sniper(state) != roles.spotter(state)


def ending(state: State) -> None:
    """One result, at the end and only there (SK-16)."""
    assert bool(state.result) == (state.outcome is not None) == (state.phase == "OVER")
    if state.outcome is None:
        return
    won = state.result in ("MAJOR", "MINOR")
    assert state.outcome.level == LEVELS[state.result] and bool(state.outcome.won) == won
    assert not won or set(state.outcome.won) == set(roles.seats(state))
    assert not won or (state.zone == 6 and state.vip.dead == (state.result == "MAJOR"))
    causes = {"MAJOR": {"SK-16.1"}, "MINOR": {"SK-16.2"}, "KIA": {"SK-10.4"}}
    assert state.outcome.cause in causes.get(state.result, {"SK-12.3", "SK-16.6"})
    assert state.fire is None
