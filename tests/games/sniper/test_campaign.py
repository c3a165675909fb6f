"""The campaign of ten missions, the shop, options that last. Rules SK-17, SK-18.1 to 18.3, SK-21, spec 10."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from games.kernel.entropy import seeded
from games.kernel.illegal import Illegal
from games.kernel.play import begin
from games.sniper.campaign import Tour
from games.sniper.model import State
from tests.games.sniper.field import OVER_THERE, do, game

Progress = dict[str, Any]


def tour() -> Tour:
    found = game().campaigns()["campaign"]
    assert isinstance(found, Tour)
    return found


def started(progress: Progress, seed: str = "campaign") -> State:
    """The next mission as it begins."""
    setup = tour().setup(progress)
    assert setup is not None
    return begin(game(), setup, seeded(seed)).state


def patched(state: State, **patches: Any) -> State:
    for path, value in patches.items():
        game().patch(state, path, value)
    return state


def flown(progress: Progress, result: str, **figures: Any) -> Progress:
    """The progress after a mission that ends so, with these figures on the mat."""
    clean = {"enemy": False, "light": 0, "critical": 0}
    state = patched(started(progress), **{**clean, **figures})
    match result:
        case "MAJOR" | "MINOR":
            vip = {**OVER_THERE, "dead": result == "MAJOR"}
            patched(state, zone=6, phase="VI", vip=vip, hand=["crawl", "crawl"])
            over = do(state, "extract")
        case "KIA":
            patched(state, phase="PATROL", patrol=1, light=5)
            over = do(state, "patrol", 1, 1, 1, how="escape")
        case _:
            over = do(state, "abandon")
    assert over.result == result
    return tour().after(progress, over)


def fresh(options: Mapping[str, str] | None = None, mode: str = "solo", **fields: Any) -> Progress:
    return {**tour().begin(mode, options or {}), **fields}


def wares(progress: Progress) -> list[str]:
    """What the shop sells now; nothing while it is shut."""
    found = [e for e in tour().errands(progress) if e.name == "buy"]
    return [option.value for errand in found for option in errand.options]


# --- worked examples --------------------------------------------------------------------------


@pytest.mark.rule("SK-17.7")
@pytest.mark.parametrize(
    ("total", "level"), [(29, "failed"), (30, "minor"), (49, "minor"), (50, "major")]
)
def test_tv_44_levels_after_the_tenth_mission(total: int, level: str) -> None:
    before = fresh(mission_no=10, vp_total=total - 4, failures=2)
    after = flown(before, "MAJOR", kp=5, light=1)
    assert after["vp_total"] == total and after["level"] == level
    assert tour().setup(after) is None and tour().errands(after) == ()


@pytest.mark.rule("SK-17.4", "SK-21.2")
@pytest.mark.parametrize("options", [{}, {"no_surrender": "on"}])
def test_tv_45_the_third_failure(options: dict[str, str]) -> None:
    progress = fresh(options)
    for result in ("MAJOR", "KIA", "MAJOR", "POW", "MINOR", "KIA"):
        assert progress["level"] == ""
        progress = flown(progress, result, kp=9)
    assert progress["failures"] == 3 and len(progress["log"]) == 6
    if options:
        assert progress["level"] == "" and progress["mission_no"] == 7
        assert started(progress).mission_no == 7
    else:
        assert progress["level"] == "failed" and tour().setup(progress) is None


@pytest.mark.rule("SK-17.3", "SK-17.6", "SK-1.9")
def test_tv_46_what_a_failure_costs() -> None:
    progress = fresh(bank=6, gear=["knife"], rifle="mk13", med_kits=2, vp_total=7, mission_no=4)
    after = flown(progress, "KIA", kp=4)
    assert (after["bank"], after["gear"], after["rifle"]) == (6, [], "m40a3")
    assert (after["med_kits"], after["vp_total"], after["failures"]) == (0, 7, 1)
    assert not after["shop"] and wares(after) == [] and after["log"][-1]["vp"] == 0
    with pytest.raises(Illegal) as refused:
        tour().run(after, "buy", "knife")
    assert refused.value.rule == "SK-17.5"
    state = started(after)
    assert (state.rifle, state.gear, state.med_kits) == ("m40a3", [], 0)
    later = flown(after, "MINOR", kp=3, light=1)
    assert (later["bank"], later["vp_total"], later["shop"]) == (9, 9, True)


@pytest.mark.rule("SK-18.1", "SK-18.2", "SK-18.3")
def test_tv_47_buying() -> None:
    progress = fresh(bank=7, rifle="m24", shop=True)
    after = tour().run(progress, "buy", "mk13")
    assert after["bank"] == 0 and after["rifle"] == "mk13" and after["gear"] == []
    with pytest.raises(Illegal) as refused:
        tour().run(after, "buy", "knife")
    assert refused.value.rule == "SK-18.3"


@pytest.mark.rule("SK-16.6", "SK-17.3")
def test_tv_78_giving_a_mission_up() -> None:
    after = flown(fresh(bank=4, gear=["knife"]), "POW", kp=3)
    assert (after["bank"], after["gear"], after["failures"], after["vp_total"]) == (4, [], 1, 0)
    assert after["log"][-1]["result"] == "POW"


@pytest.mark.rule("SK-18.15", "SK-10.6")
def test_tv_80_med_kits_are_fresh_for_every_mission() -> None:
    progress = fresh(med_kits=1)
    state = patched(started(progress), phase="I", light=2)
    used = do(state, "heal", with_="kit")
    assert (used.light, used.med_kits) == (1, 0)
    home = patched(used, zone=6, phase="VI", vip=OVER_THERE, hand=["crawl", "crawl"])
    after = tour().after(progress, do(home, "extract"))
    assert started(after).med_kits == 1


@pytest.mark.rule("SK-17.1", "SK-17.2", "SK-17.5", "SK-17.8")
def test_tv_81_a_mission_is_booked() -> None:
    after = flown(fresh(bank=1, mission_no=3, vp_total=2), "MAJOR", kp=6, light=1)
    assert (after["bank"], after["vp_total"], after["mission_no"]) == (7, 7, 4)
    assert after["shop"] and "knife" in wares(after)
    setup = tour().setup(after)
    assert setup is not None and setup.map == "" and "location" not in setup.options
    places = {started(after, f"seed {n}").location for n in range(40)}
    assert places == {"jungle", "ruined_city", "desert", "countryside"}
    sheet = after["log"][-1]
    assert (sheet["no"], sheet["result"], sheet["kp"], sheet["vp"]) == (3, "MAJOR", 6, 5)
    assert (sheet["wounds_left"], sheet["bank_after"], sheet["vip_dead"]) == (1, 7, True)
    last = flown(fresh(bank=9, mission_no=10), "MAJOR", kp=6)
    assert last["level"] == "failed" and not last["shop"] and tour().errands(last) == ()


# --- points -----------------------------------------------------------------------------------


@pytest.mark.rule("SK-16.4", "SK-21.6")
@pytest.mark.parametrize(
    ("options", "kp", "light", "critical", "received", "points"),
    [
        ({}, 5, 1, 1, 4, 3),
        ({}, 1, 2, 1, 3, 0),
        ({"strict_wounds": "on"}, 5, 1, 1, 4, 1),
        ({"strict_wounds": "on"}, 5, 0, 0, 6, 0),
    ],
)
def test_victory_points(
    options: dict[str, str], kp: int, light: int, critical: int, received: int, points: int
) -> None:
    progress = fresh(options)
    state = patched(
        started(progress),
        zone=6, phase="VI", vip={**OVER_THERE, "dead": True}, hand=["movement", "crawl"],
        kp=kp, light=light, critical=critical, wounds_received=received,
    )  # fmt: skip
    over = do(state, "extract")
    assert tour().after(progress, over)["vp_total"] == points
    kept = game().record(over, "SNIPER")
    assert kept is not None and kept.figures["Victory Points"] == points
    assert over.outcome is not None and f"{points} Victory Point" in over.outcome.text


@pytest.mark.rule("SK-16.3", "SK-16.4", "SK-17.3")
@pytest.mark.parametrize("result", ["KIA", "POW"])
def test_a_failed_mission_is_worth_nothing_even_with_a_dead_vip(result: str) -> None:
    after = flown(fresh(), result, kp=8, vip={**OVER_THERE, "dead": True})
    assert after["vp_total"] == 0 and after["bank"] == 0 and after["failures"] == 1
    assert after["log"][-1]["vip_dead"] and after["log"][-1]["result"] == result


@pytest.mark.rule("SK-17.2", "SK-17.5")
def test_spending_costs_no_victory_points() -> None:
    progress = flown(fresh(), "MAJOR", kp=6)
    bought = tour().run(progress, "buy", "knife")
    assert bought["vp_total"] == progress["vp_total"] == 6 and bought["bank"] == 4
    assert bought["log"][-1]["bought"] == ["knife"]
    state = started(bought)
    assert state.gear == ["knife"] and state.mission_no == 2 and state.context == "campaign"


@pytest.mark.rule("SK-1.15", "SK-17.8")
def test_nothing_but_gear_and_bank_is_carried_over() -> None:
    progress = flown(fresh(gear=["armour"]), "MINOR", kp=2, light=3, spotter_alive=False)
    state = started(progress)
    assert (state.light, state.critical, state.kp, state.wounds_received) == (0, 0, 0, 0)
    assert state.spotter_alive and not state.armour_used and not state.jammed
    assert state.gear == ["armour"] and state.kills == 0 and state.reserve == 1


# --- the shop ---------------------------------------------------------------------------------


@pytest.mark.rule("SK-17.5", "SK-17.6")
def test_the_shop_opens_after_missions_that_did_not_fail() -> None:
    assert wares(fresh(bank=20)) == []
    assert wares(flown(fresh(bank=20), "KIA")) == []
    assert wares(flown(fresh(bank=20), "MINOR")) != []
    reopened = flown(flown(fresh(bank=20), "POW"), "MINOR")
    assert "m200" in wares(reopened) and reopened["bank"] == 20


@pytest.mark.rule("SK-18.1", "SK-18.2", "SK-18.3")
def test_what_is_for_sale() -> None:
    progress = fresh(bank=30, shop=True, rifle="mk13", gear=["knife"], med_kits=2)
    listed = wares(progress)
    assert "m40a3" not in listed and "mk13" not in listed and "knife" not in listed
    assert {"m24", "m110", "m107", "m200", "med_kit", "armour"} <= set(listed)
    back = tour().run(progress, "buy", "m24")
    assert back["rifle"] == "m24" and back["bank"] == 27
    third = tour().run(progress, "buy", "med_kit")
    assert third["med_kits"] == 3 and "med_kit" not in wares(third) and third["gear"] == ["knife"]
    for item, rule in (
        ("m40a3", "SK-18.1"), ("mk13", "SK-18.1"), ("knife", "SK-18.2"), ("tank", "SK-17.5"),
    ):  # fmt: skip
        with pytest.raises(Illegal) as refused:
            tour().run(progress, "buy", item)
        assert refused.value.rule == rule and refused.value.sentence.endswith(".")
    poor = fresh(bank=1, shop=True)
    assert wares(poor) == ["med_kit"]


PRICES = {
    "m24": 3, "m110": 4, "mk13": 7, "m107": 8, "m200": 12, "knife": 2, "sidearm": 3, "ghillie": 5,
    "armour": 4, "scope": 2, "rangefinder": 4, "wind_meter": 3, "suppressor": 2, "satcom": 3,
    "cleaning_kit": 2, "med_kit": 1,
}  # fmt: skip


@pytest.mark.rule("SK-18.3")
def test_prices() -> None:
    for item, price in PRICES.items():
        progress = fresh(bank=price, shop=True)
        assert item in wares(progress) and item not in wares({**progress, "bank": price - 1})
        assert tour().run(progress, "buy", item)["bank"] == 0


@pytest.mark.rule("SK-1.9", "SK-18.2")
def test_all_owned_gear_is_taken_along() -> None:
    items = [
        item for item in PRICES if item not in ("m24", "m110", "mk13", "m107", "m200", "med_kit")
    ]
    progress = fresh(bank=99, shop=True)
    for item in [*items, "med_kit", "med_kit", "m107"]:
        progress = tour().run(progress, "buy", item)
    state = started(progress)
    assert state.gear == items and state.rifle == "m107" and state.med_kits == 2
    assert progress["bank"] == 99 - sum(PRICES[i] for i in items) - 2 - 8


@pytest.mark.rule("SK-17.9", "SK-1.9")
def test_standalone_missions_have_nothing_to_do_with_it() -> None:
    state = begin(game(), game().read_setup({"mode": "solo"}), seeded("alone")).state
    assert (state.context, state.mission_no) == ("standalone", 0)
    assert (state.rifle, state.gear, state.med_kits) == ("m40a3", [], 0)


# --- options of a campaign --------------------------------------------------------------------


@pytest.mark.rule("SK-21.9")
def test_options_hold_for_all_missions() -> None:
    progress = fresh({"hot_zone": "on", "rookie": "on"})
    for result in ("MAJOR", "KIA"):
        progress = flown(progress, result)
        state = started(progress)
        assert state.options == ["hot_zone", "rookie"] and state.reserve in (2, 3, 4)
    for options in ({"veteran": "on", "rookie": "on"}, {"colour": "red"}, {"veteran": "perhaps"}):
        with pytest.raises(Illegal):
            tour().begin("solo", options)
    with pytest.raises(Illegal) as refused:
        tour().begin("group", {"lone_wolf": "on"})
    assert refused.value.rule == "SK-21.5"
    with pytest.raises(Illegal):
        tour().begin("trio")


@pytest.mark.rule("SK-21.7", "SK-17.8")
def test_the_location_may_be_named_for_every_mission() -> None:
    named = fresh({"location": "desert"})
    assert [e.name for e in tour().errands(named)] == ["location"]
    assert {started(named, f"{n}").location for n in range(9)} == {"desert"}
    other = tour().run(named, "location", "jungle")
    assert {started(other, f"{n}").location for n in range(9)} == {"jungle"}
    after = flown(other, "MINOR")
    assert "location" in [e.name for e in tour().errands(after)]
    with pytest.raises(Illegal) as refused:
        tour().run(named, "location", "moon")
    assert refused.value.rule == "SK-21.7"


@pytest.mark.rule("SK-21.7")
def test_without_the_option_no_location_can_be_named() -> None:
    for options in ({}, {"location": "roll"}):
        progress = fresh(options)
        assert tour().errands(progress) == ()
        with pytest.raises(Illegal):
            tour().run(progress, "location", "jungle")


@pytest.mark.rule("SK-22.8")
def test_a_team_has_one_record() -> None:
    progress = fresh(mode="group", bank=3)
    setup = tour().setup(progress)
    assert setup is not None and [s.id for s in game().seats(setup)] == ["SNIPER", "SPOTTER"]
    state = patched(
        started(progress), zone=6, phase="VI", vip=OVER_THERE, hand=["crawl", "crawl"], kp=2
    )
    over = do(state, "extract")
    after = tour().after(progress, over)
    assert after["bank"] == 5 and len(after["log"]) == 1
    both = [game().record(over, seat) for seat in ("SNIPER", "SPOTTER")]
    assert both[0] == both[1] and both[0] is not None and both[0].won


@pytest.mark.rule("SK-17.1", "SK-17.2", "SK-17.7")
def test_the_log_sheet() -> None:
    progress = flown(flown(fresh(), "MAJOR", kp=6, light=1), "KIA")
    view = tour().view(progress)
    assert len(view.stages) == 10 and view.total == 5 and view.next == "Mission 3"
    assert [stage.result for stage in view.stages[:3]] == ["Major", "KIA", ""]
    assert [stage.points for stage in view.stages[:3]] == [5, 0, None]
    assert [total for total, _ in view.ratings] == [0, 30, 50]
    over = tour().view(fresh(level="minor", vp_total=33, mission_no=11))
    assert over.next == "" and over.rating == "Minor victory"
