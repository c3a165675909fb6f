"""Chapter 9: how the program plays the insurgents, against a second reading of the specification."""

from __future__ import annotations

import random

import pytest

from games.boots import automation
from games.boots.fire import stand
from games.boots.movement import Reach, walking_costs
from games.geometry.squares import FACINGS
from games.kernel.event import Rolled
from tests.games.boots.board import FIRE, QUIET, Table
from tests.games.boots.oracle import Board, name, xy

ALLIES = ("A-L", "A-M", "A-DE", "A-S", "A-HWE", "A-SN", "A-GI1")


def crowd(seed: int, mission: str) -> Table:
    """Units, vehicles and civilians thrown together closely, so that they get in each other's way."""
    dice = random.Random(seed)
    t = Table(mission=mission)
    board = Board(t.state)
    x = dice.randrange(max(1, board.w - 9))
    y = dice.randrange(max(1, board.h - 8))
    spot = [s for s in board.squares() if x <= s[0] < x + 10 and y <= s[1] < y + 9]
    spot = [s for s in spot if board.letter(s) != "X"]
    squares = [name(s) for s in dice.sample(spot, min(len(spot), 26))]
    for unit in dice.sample(ALLIES, dice.randint(1, 5)):
        hits = dice.choice(["", " h1", " h2"])
        t.put(f"{unit}@{squares.pop()}/{dice.choice(FACINGS)}{hits}")
    for number in range(1, dice.randint(2, 8)):
        role = dice.choice(["", "", "", " hwe", " demo", " sniper"])
        t.put(f"IN{number}@{squares.pop()}/{dice.choice(FACINGS)}{role}")
    for number in range(1, dice.randint(1, 4)):
        t.put(f"VH{number}@{squares.pop()} safe")
    for number in range(1, dice.randint(1, 4)):
        t.put(f"CV{number}@{squares.pop()} friendly")
    t.put(f"HO1@{squares.pop()} {dice.choice(['captive', 'freed'])}")
    return t


CROWDS = [(seed, m) for m in ("range", "hot-lz", "angel-down") for seed in range(10)]


@pytest.mark.rule("BG-A.2", "BG-2.8", "BG-G.9", "BG-G.10", "BG-G.11", "BG-G.7", "BG-11.1.1")
@pytest.mark.parametrize(("seed", "mission"), CROWDS)
def test_targets(seed: int, mission: str) -> None:
    t = crowd(seed, mission)
    board = Board(t.state)
    for unit in t.field.insurgents():
        found = automation.ranked_targets(t.field, stand(unit), "A")
        wanted = board.best_targets(unit, xy(unit.pos or ""), unit.face)
        assert [u.id for u in found] == [u.id for u in wanted], unit


@pytest.mark.rule("BG-A.3", "BG-5.2", "BG-2.9", "BG-2.2", "BG-3.2")
@pytest.mark.parametrize(("seed", "mission"), CROWDS)
def test_placement(seed: int, mission: str) -> None:
    t = crowd(seed, mission)
    wanted = Board(t.state).placement(dict(t.field.map.openings))
    found = automation.placements(t.field, "A")
    assert wanted == ((found[0].square, found[0].face) if found else None)


@pytest.mark.rule("BG-A.4", "BG-G.12", "BG-3.8", "BG-4.19", "BG-8.2")
@pytest.mark.parametrize(("seed", "mission"), CROWDS)
def test_movement(seed: int, mission: str) -> None:
    t = crowd(seed, mission)
    board = Board(t.state)
    for unit in t.field.insurgents():
        walk = automation.walks(t.field, unit, "A")[0]
        assert (walk.square, walk.face, walk.cost) == board.movement(unit), unit


@pytest.mark.rule("BG-A.5", "BG-4.9", "BG-4.10")
@pytest.mark.parametrize(("seed", "mission"), CROWDS)
def test_grenade_square(seed: int, mission: str) -> None:
    t = crowd(seed, mission)
    board = Board(t.state)
    for unit in t.field.insurgents():
        options = automation.grenade_options(t.field, unit, "A")
        assert (options[0][1] if options else "") == board.grenade(unit)


@pytest.mark.rule("BG-G.4", "BG-10.2", "BG-10.3", "BG-10.4", "BG-10.5", "BG-10.6", "BG-10.11")
@pytest.mark.parametrize(("seed", "mission"), CROWDS)
def test_reach(seed: int, mission: str) -> None:
    t = crowd(seed, mission)
    board = Board(t.state)
    for unit in t.field.placed(lambda u: u.status != "captive"):
        for points in (1, 3, 7):
            found = Reach(t.field, unit, points).costs
            assert found == {name(s): c for s, c in board.reach(unit, points).items()}


@pytest.mark.rule("BG-G.12")
@pytest.mark.parametrize(("seed", "mission"), CROWDS[::5])
def test_walking_costs(seed: int, mission: str) -> None:
    t = crowd(seed, mission)
    for unit in t.field.squad_units("A"):
        wanted = Board(t.state).walk(xy(unit.pos or ""))
        assert walking_costs(t.field, unit.pos or "") == {name(s): c for s, c in wanted.items()}


@pytest.mark.rule("BG-A.6", "BG-5.7", "BG-5.9", "BG-A.1")
@pytest.mark.parametrize(("seed", "mission"), CROWDS)
def test_role(seed: int, mission: str) -> None:
    t = crowd(seed, mission)
    for role in ("hwe", "demo", "sniper"):
        found = automation.role_candidates(t.field, role, "A")
        assert (found[0].id if found else "") == Board(t.state).role(role)


@pytest.mark.rule("BG-A.7", "BG-5.13")
@pytest.mark.parametrize(("seed", "mission"), CROWDS)
def test_door(seed: int, mission: str) -> None:
    t = crowd(seed, mission)
    assert automation.rigged_doors(t.field, "A")[0].door == Board(t.state).door()


@pytest.mark.rule("BG-A.8", "BG-8.3", "BG-5.10")
@pytest.mark.parametrize(("seed", "mission"), CROWDS)
def test_who_fires_first(seed: int, mission: str) -> None:
    t = crowd(seed, mission)
    found = automation.next_attack(t.field, "A", [])
    wanted = Board(t.state).attack()
    if found is None:
        assert wanted == ("", [], "")
    else:
        assert (found.unit.id, [u.id for u in found.targets], found.grenade) == wanted


# --- worked by hand ---------------------------------------------------------------------------


@pytest.mark.rule("BG-A.1")
def test_closest_first_then_older_first_and_never_the_wanted_man() -> None:
    t = Table("A-L@A10", "A-M@L1", "IN1@F10", "IN2@L2 hvt", "IN3@D10", "IN4@L4")
    found = automation.closest_insurgents(t.field, "A")
    assert [u.id for u in found] == ["IN3", "IN4", "IN1"]  # 3, 3, 5


@pytest.mark.rule("BG-A.2", "BG-2.8", "BG-4.22")
@pytest.mark.parametrize(
    ("counters", "first"),
    [
        (["A-L@E9/N", "A-M@H9/E"], "A-M"),  # the back at 4 before a diagonal rear at 1
        (["A-L@H10/N", "A-M@F9/N"], "A-M"),  # side and diagonal rear alike: the nearer one
        (["A-L@E9/W", "A-M@H10/N"], "A-M"),  # a side at 4 before a front at 1
        (["A-L@G10/W", "A-M@G8/W"], "A-L"),  # equal: canonical order
        (["A-L@G10/W", "A-M@G8/W", "VH1@F10"], "A-M"),  # equal but for cover
        (["A-L@G10/W", "A-M@G9/W h1"], "A-M"),  # equal but for hits
        (["A-L@G10/W h1", "A-M@G9/W h1"], "A-L"),
        (["A-L@H10/W", "HO1@E9 freed"], "A-L"),  # soldiers first
    ],
)
def test_best_shot(counters: list[str], first: str) -> None:
    t = Table("IN1@D10/E", *counters)
    assert automation.ranked_targets(t.field, stand(t.unit("IN1")), "A")[0].id == first


@pytest.mark.rule("BG-O.10", "BG-A.2")
def test_hostages_like_others() -> None:
    t = Table("IN1@D10/E", "A-L@H10/W", "HO1@E9 freed", hostage_last="false")
    assert automation.ranked_targets(t.field, stand(t.unit("IN1")), "A")[0].id == "HO1"
    t.put("A-L@H10/N")  # a side is better than the hostage, who counts as front
    assert automation.ranked_targets(t.field, stand(t.unit("IN1")), "A")[0].id == "A-L"


@pytest.mark.rule("BG-A.2", "BG-O.10", "BG-A.4")
def test_moving_insurgent_spares_hostages_too() -> None:
    t = Table("A-L@A1/E", "HO1@L8 freed", "IN1@L10/N")
    t.turn("A-L", "IC19", 3, 3)  # nobody else in reach: the hostage it is
    assert t.where("IN1") == "K9/NE" and "hostage 1" in t.texts
    t = Table("A-L@C2/W", "HO1@J2 freed", "IN1@I2/N")
    t.turn("A-L", "IC19", 1, 1)
    assert "Alpha’s Leader" in t.texts and t.hits("HO1") == 0


@pytest.mark.rule("BG-A.3", "BG-5.2")
def test_each_new_one_is_measured_again() -> None:
    t = Table("A-L@E4/W", "A-M@L10")
    t.turn("A-L", "IC07", 1, 6, 1, 3)
    assert (t.where("IN1"), t.where("IN2")) == ("F4/W", "G3/SW")  # F6 is at 2 too, but sees nobody


@pytest.mark.rule("BG-A.4", "BG-5.3")
def test_who_has_no_way_stays_and_keeps_its_facing() -> None:
    t = Table("A-L@A1", "IN1@L10/SE", "VH1@K10 safe", "VH2@K9 safe", "VH3@L9 safe")
    t.turn("A-L", "IC19")
    assert t.where("IN1") == "L10/SE"
    assert "stays" in t.texts


@pytest.mark.rule("BG-A.4", "BG-5.3")
def test_selected_insurgents_go_in_the_order_of_the_start() -> None:
    """IN2 was closer and takes the square behind him; IN1 finds it taken."""
    t = Table("A-L@E10/W", "IN1@J10", "IN2@I10")
    t.turn("A-L", "IC23", 1, 6, 1, 6)
    assert t.where("IN2") == "F10/W"
    assert t.where("IN1") == "G10/W"  # in line behind him: still the direct rear, at 2


@pytest.mark.rule("BG-A.4", "BG-5.3", "BG-4.15")
def test_staying_with_a_shot_is_an_option_too() -> None:
    t = Table("A-L@E10/E", "IN1@B10/E")  # already behind him; nearer is better, staying is not
    t.turn("A-L", "IC19", 1, 1)
    assert t.where("IN1") == "D10/E"
    t = Table("A-L@E10/E", "IN1@D10/E")
    t.turn("A-L", "IC19", 1, 1)
    assert t.where("IN1") == "D10/E" and "stays" in t.texts


@pytest.mark.rule("BG-A.6", "BG-5.7", "BG-5.9")
@pytest.mark.parametrize(
    ("card", "insurgents", "chosen"),
    [
        ("IC45", ["IN1@F10/W", "IN2@C10/W"], "IN2"),  # the closest
        ("IC45", ["IN1@F10/W", "IN2@C10/W demo"], "IN1"),  # without a role
        ("IC46", ["IN1@D10/W", "IN2@D9/W"], "IN1"),  # the older one
        ("IC46", ["IN1@C9/W hvt", "IN2@D9/W"], "IN2"),  # never the wanted man
        ("IC47", ["IN1@D10/W", "IN2@J10/W", "IN3@I10/E"], "IN2"),  # would see with no limit
        ("IC47", ["IN1@D10/W", "IN2@J10/E", "IN3@I10/E"], "IN3"),  # cannot fire now, closest
        ("IC47", ["IN1@D10/W", "IN2@E10/W"], "IN1"),  # all can fire: the closest
    ],
)
def test_who_gets_a_role(card: str, insurgents: list[str], chosen: str) -> None:
    t = Table("A-L@A10/E", *insurgents)
    role = t.game.content.cards[card].role or ""
    assert automation.role_candidates(t.field, role, "A")[0].id == chosen


@pytest.mark.rule("BG-A.7", "BG-5.13")
@pytest.mark.parametrize(
    ("counters", "door"),
    [
        (["A-L@E5"], ("E4", "F4")),  # 1 against 4 to I5-J5
        (["A-L@J9"], ("I5", "J5")),
        (["A-L@G4", "A-M@J5"], ("I5", "J5")),
        # both doors at 1: the one that hurts more, else reading order
        (["A-L@E3", "A-M@K5"], ("E4", "F4")),
        (["A-L@D4", "A-M@J6"], ("I5", "J5")),
    ],
)
def test_which_door(counters: list[str], door: tuple[str, str]) -> None:
    t = Table(*counters)
    assert automation.rigged_doors(t.field, "A")[0].door == door


def shooters(t: Table) -> list[str]:
    return [event.title.split(" ")[1] for event in t.events(Rolled)]


@pytest.mark.rule("BG-A.8", "BG-8.3")
def test_order_of_fire() -> None:
    t = Table("A-L@E10/E", "IN1@H10/W", "IN2@F9/SW", "IN3@F10/W", "IN4@C10/E", "IN5@G10/E")
    t.turn("A-L", FIRE, 3, 3, 3, 3, 1, 6, 3, 3)
    assert shooters(t) == ["2", "3", "4", "1"]  # at 1, 1, 2, 3; IN5 looks away


@pytest.mark.rule("BG-A.8", "BG-5.10", "BG-4.16")
def test_machine_gunner_spreads_over_his_best_three() -> None:
    t = Table("A-L@C10/E", "A-M@C9/E", "A-S@C8/N", "A-SN@D7/E", "IN1@F9/W hwe")
    t.turn("A-L", FIRE, 1, 3, 3, 3)
    (shot,) = t.events(Rolled)
    # A-S shows his side; then the fronts: A-SN at 2, A-L before A-M at 3
    assert [c.defender.who.code for c in shot.contests] == ["S", "SN", "L"]
    assert [c.attacker.total for c in shot.contests] == [2, 1, 1]  # 1 + 0, the side +1


@pytest.mark.rule("BG-5.10", "BG-4.16")
def test_machine_gunner_with_one_target_fires_at_plus_two() -> None:
    t = Table("A-L@C10/E", "IN1@F9/W hwe")
    t.turn("A-L", FIRE, 2, 3)
    (shot,) = t.events(Rolled)
    assert shot.contests[0].difference == 1 and t.hits("A-L") == 1


@pytest.mark.rule("BG-A.9", "BG-4.23")
def test_revealed_insurgents_fire_in_order_of_reveal() -> None:
    t = Table("A-L@E9/E", "CV1@F8 insurgent", "CV2@F10 insurgent", "CV3@D9 friendly")
    t.turn("A-L", 1, 2, 1, 2, QUIET)
    assert [e.title[:11] for e in t.events(Rolled)] == ["Insurgent 1", "Insurgent 2"]
    assert (t.where("IN1"), t.where("IN2")) == ("F8/SW", "F10/NW")


@pytest.mark.rule("BG-A.10")
def test_the_program_knows_nothing_that_is_hidden() -> None:
    """Other faces of vehicles and civilians, another deck: the same choices."""

    def choices(t: Table) -> list[object]:
        found: list[object] = [automation.walks(t.field, u, "A")[0] for u in t.field.insurgents()]
        found.append(automation.placements(t.field, "A")[0])
        found.append(automation.rigged_doors(t.field, "A")[0])
        found.append(automation.role_candidates(t.field, "sniper", "A"))
        return found

    here = ["A-L@E7/N", "A-M@E8/N", "IN1@G9/W", "IN2@K5/W"]
    one = Table(*here, "VH1@D8 safe", "CV1@D5 friendly")
    two = Table(*here, "VH1@D8 ied_b", "CV1@D5 insurgent").patch("deck", ["IC41"])
    assert choices(one) == choices(two)
