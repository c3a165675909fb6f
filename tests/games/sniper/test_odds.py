"""The odds of a shot are those of the real shot, counted over every way its dice can fall."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from games.sniper.firing import shoot
from games.sniper.model import State
from games.sniper.odds import percent, reading_aid, shot_odds
from games.sniper.world import World
from tests.games.sniper.field import OVER_THERE, at, do, fire, game, group, shooter

HERE = {"card": "V4", "revealed": True}
REST = 6
"""What every die shows after the shot: Close Combat ends at once, and nothing changes the shot."""


class Counting:
    """Dice of one way the shot can fall; anything after them is a six."""

    def __init__(self, dice: tuple[int, ...]) -> None:
        self.dice = list(dice)
        self.asked: list[tuple[str, int]] = []

    def roll(self, sides: int, label: str) -> int:
        self.asked.append((label, sides))
        return self.dice.pop(0) if self.dice else REST

    def pick(self, options: Any, label: str) -> int:
        return 0

    def draw(self, options: Any, label: str) -> str:
        return options[0]


def ways(state: State) -> Iterator[tuple[tuple[int, ...], int]]:
    """Every way the dice of one shot can fall, and for how many it stands.

    The rules themselves say which dice there are. Of the gun die, whose faces from 2 up are one to
    the rules, only 1, 2 and 10 are thrown (`test_every_face_of_the_gun_die` throws them all).
    """
    probe = Counting(())
    shoot(World(game().content, game().copy(state), probe, []), ())
    sides = [n for label, n in probe.asked if label in ("behaviour", "wind", "shot")]
    for dice in product(*(range(1, n + 1) for n in sides)):
        for gun, weight in ((1, 1), (2, 8), (10, 1)):
            yield (*dice, gun), weight


def counted(state: State, attached: tuple[str, ...] = ()) -> dict[str, Fraction]:
    """The shares of hits, misses and jams over all of them."""
    found = {"hit": 0, "miss": 0, "jam": 0}
    total = 0
    for dice, weight in ways(state):
        found[came(state, dice, attached)] += weight
        total += weight
    return {name: Fraction(count, total) for name, count in found.items()}


def came(state: State, dice: tuple[int, ...], attached: tuple[str, ...] = ()) -> str:
    """How the real shot comes out with these dice."""
    copied = copy(state)
    for name in ("enemy", "fire", "vip"):
        setattr(copied, name, copy(getattr(state, name)))
    for name in ("tactical", "tactical_discard", "hostile_discard", "turn_flags", "kills_by_zone"):
        setattr(copied, name, list(getattr(state, name)))
    return shoot(World(game().content, copied, Counting(dice), []), attached)


@pytest.mark.rule("SK-8.16")
def test_every_face_of_the_gun_die() -> None:
    for gun in range(1, 11):
        for shot, otherwise in ((6, "hit"), (1, "miss")):
            dice = (6, 7, shot, shot, gun)
            assert came(POSITIONS["plain"], dice) == ("jam" if gun == 1 else otherwise)


POSITIONS = {
    "plain": at(enemy=group(2, spotted=True), fire=fire(1)),
    "close under a bad wind": at(
        enemy=group(4, "short", spotted=True), fire=fire(1), spotter_alive=False, location_cards__1="J01"
    ),
    "a sniper, with gear": at(
        enemy=shooter("medium"), fire=fire(2), rifle="m110", gear=["wind_meter", "rangefinder"]
    ),
    "everything in favour": at(
        enemy=group(1, "long", spotted=True), fire=fire(1), rifle="m200",
        turn_flags=["windage_call", "overwatch"], location_cards__1="J07",
    ),
    "a cleaning kit jams too": at(
        enemy=group(1, "medium", spotted=True), fire=fire(1), gear=["cleaning_kit"]
    ),
    "the moving VIP": at(zone=5, vip=HERE, fire=fire(1, "vip")),
    "the VIP with a rangefinder": at(
        zone=5, vip={"card": "V1", "revealed": True}, fire=fire(1, "vip"), gear=["rangefinder"]
    ),
}  # fmt: skip


@pytest.mark.rule("SK-8.9", "SK-8.15", "SK-8.16")
@pytest.mark.parametrize("name", POSITIONS)
def test_odds_are_counted_from_the_real_shot(name: str) -> None:
    state = POSITIONS[name]
    assert state.fire is not None
    odds = shot_odds(game().at(state), vip=state.fire.target == "vip")
    assert counted(state) == {"hit": odds.hit, "miss": odds.miss, "jam": odds.jam}
    assert odds.hit + odds.miss + odds.jam == 1


@pytest.mark.rule("SK-19.1")
def test_odds_with_steady_breath() -> None:
    state = at(zone=5, vip=HERE, fire=fire(1, "vip"), tactical=["steady_breath"])
    odds = shot_odds(game().at(state), vip=True, steady=True)
    assert counted(state, ("steady_breath",))["hit"] == odds.hit
    assert odds.hit > shot_odds(game().at(state), vip=True).hit


@pytest.mark.rule("SK-22.5")
def test_odds_with_two_winds() -> None:
    state = at("group", zone=5, vip=HERE, fire=fire(1, "vip"), turn_flags=["focus_wind"])
    odds = shot_odds(game().at(state), vip=True)
    assert counted(state) == {"hit": odds.hit, "miss": odds.miss, "jam": odds.jam}
    spent = at(
        "group", zone=5, vip=HERE, fire=fire(1, "vip"), turn_flags=["focus_wind", "first_shot_done"]
    )
    assert shot_odds(game().at(spent), vip=True).hit < odds.hit


# --- as lines ---------------------------------------------------------------------------------


def test_when_there_are_odds_to_tell() -> None:
    def told(state: State) -> str:
        assert game().reading_aid(state, "SNIPER") == reading_aid(game().at(state))
        return game().reading_aid(state, "SNIPER")

    assert told(at()) == "" == told(at(enemy=group(2))) == told(at(hand=["fire"]))
    assert told(at(enemy=group(2), hand=["fire"], jammed=True)) == ""
    assert told(at(enemy=group(2, spotted=True), fire=fire(1), jammed=True)) == ""
    assert told(at(zone=6, vip=OVER_THERE, hand=["fire"])) == ""
    unspotted = told(at(enemy=group(2), hand=["blank", "blank"], tactical=["steady_breath"]))
    assert (
        "enemy in play" in unspotted and "Steady Breath" in unspotted and "67% a try" in unspotted
    )
    assert "83% a try" in told(at(enemy=group(2), hand=["fire"], gear=["scope"]))
    assert "the VIP" in told(at(zone=5, vip=HERE, hand=["fire"]))
    assert told(do(at(), "abandon")) == ""


def test_percentages_are_never_falsely_sure() -> None:
    assert percent(Fraction(1, 300)) == "under 1%" and percent(Fraction(299, 300)) == "over 99%"
    assert percent(Fraction(0)) == "0%" and percent(Fraction(1)) == "100%"
    assert percent(Fraction(1, 3)) == "33%"


def test_the_plain_figure() -> None:
    """2d6 at long range: moving 10+ (6/36), still 9+ (10/36), over the ten winds, times 9/10."""
    wins = {n: sum(a + b >= n for a, b in product(range(1, 7), repeat=2)) for n in range(2, 15)}
    winds = (-2, -2, -1, -1, -1, 0, 0, 0, 0, 1)
    hits = sum(wins.get(7 + 2 + moving - wind, 0) for moving in (0, 1) for wind in winds)
    odds = shot_odds(game().at(POSITIONS["plain"]), vip=False)
    assert odds.hit == Fraction(hits, 36 * 20) * Fraction(9, 10)
    assert odds.jam == Fraction(1, 10)
