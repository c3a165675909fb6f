"""Tour of duty and service record, section 10 of the specification."""

from __future__ import annotations

from typing import Any

import pytest

from games.boots.fire import allied_gun
from games.boots.model import GI, SPECIALISTS, State
from games.boots.tour import Tour
from games.kernel.entropy import ScriptedEntropy
from games.kernel.game import Outcome, Setup
from games.kernel.illegal import Illegal
from games.kernel.play import begin
from games.kernel.service import Entry, service
from tests.games.boots.board import Table, game

MISSIONS = [
    "hot-lz",
    "bring-them-home",
    "yellow-rain",
    "block-by-block",
    "angel-down",
    "most-wanted",
]


@pytest.fixture
def tour() -> Tour:
    found = game().campaigns()["tour"]
    assert isinstance(found, Tour)
    return found


def began(setup: Setup) -> State:
    return begin(game(), setup, ScriptedEntropy(())).state


def finished(
    setup: Setup, level: str = "Solid", *, cards: int = 12, kia: tuple[str, ...] = ()
) -> State:
    """A mission that has ended: with a level, or (empty) lost."""
    state = began(setup)
    state.cards_used = cards
    for name in kia:
        state.units[name].status, state.units[name].pos = "kia", None
    seats = tuple(seat.id for seat in game().seats(setup))
    state.outcome = Outcome(seats if level else (), "The end", "It is over.", level, "BG-E.1")
    return state


def played(tour: Tour, progress: dict[str, Any], *ends: tuple[str, ...]) -> dict[str, Any]:
    """Missions one after the other: each a level (empty: lost) and the names of the fallen."""
    for level, *kia in ends:
        setup = tour.setup(progress)
        assert setup is not None
        progress = tour.after(progress, finished(setup, level, kia=tuple(kia)))
    return progress


# --- the series -------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["solo1", "coop"])
def test_six_missions_in_order_each_once(tour: Tour, mode: str) -> None:
    progress = tour.begin(mode)
    found: list[str] = []
    while (setup := tour.setup(progress)) is not None:
        assert (setup.mode, setup.options) == (mode, {})
        found.append(setup.mission)
        progress = tour.after(progress, finished(setup, ""))
    assert found == MISSIONS
    assert tour.view(progress).next == ""
    assert len(tour.view(progress).stages) == 6


@pytest.mark.parametrize("mode", ["solo2", "comp", "versus", "three", "chess"])
def test_other_modes_have_no_tour(tour: Tour, mode: str) -> None:
    with pytest.raises(Illegal, match=r"Solo, one squad.*Co-op, a squad each"):
        tour.begin(mode)


def test_progress_is_not_changed_in_place(tour: Tour) -> None:
    before = tour.begin("solo1")
    setup = tour.setup(before)
    assert setup is not None
    tour.after(before, finished(setup, "Solid", kia=("A-M",)))
    assert before == tour.begin("solo1")


def test_a_mission_that_was_played_does_not_come_again_when_the_order_changes(tour: Tour) -> None:
    progress = played(tour, tour.begin("solo1"), ("Solid",), ("Solid",))
    other = Tour(game().content)
    other.missions = ["yellow-rain", "hot-lz", "angel-down", "bring-them-home"]
    setup = other.setup(progress)
    assert setup is not None and setup.mission == "yellow-rain"
    titles = [stage.title for stage in other.view(progress).stages]
    assert titles == ["Hot LZ", "Bring Them Home", "Yellow Rain", "Angel Down"]


# --- the roster -------------------------------------------------------------------------------


def test_a_gi_stands_in_for_one_mission_then_a_fresh_specialist_comes(tour: Tour) -> None:
    progress = played(tour, tour.begin("solo1"), ("Solid", "A-M", "A-SN"))
    setup = tour.setup(progress)
    assert setup is not None and setup.roster == {"A-M": GI, "A-SN": GI}
    kinds = {u.id: u.kind for u in began(setup).units.values() if u.squad == "A"}
    assert kinds == {f"A-{k}": GI if k in ("M", "SN") else k for k in SPECIALISTS}
    setup = tour.setup(played(tour, progress, ("Solid",)))
    assert setup is not None and setup.roster == {}
    assert all(u.kind == u.id[2:] for u in began(setup).units.values() if u.squad == "A")


def test_a_fallen_gi_makes_room_for_a_specialist_too(tour: Tour) -> None:
    progress = played(tour, tour.begin("solo1"), ("Solid", "A-M"), ("Solid", "A-M", "A-L"))
    setup = tour.setup(progress)
    assert setup is not None and setup.roster == {"A-L": GI}


def test_each_squad_has_its_own_roster(tour: Tour) -> None:
    progress = played(tour, tour.begin("coop"), ("", "A-L", "B-DE"))
    setup = tour.setup(progress)
    assert setup is not None
    state = began(setup)
    assert {u.id for u in state.units.values() if u.kind == GI} == {"A-L", "B-DE"}


def test_the_stand_in_has_the_place_and_square_and_the_figures_of_a_gi(tour: Tour) -> None:
    setup = tour.setup(played(tour, tour.begin("solo1"), ("Solid", "A-M")))
    assert setup is not None
    state, plain = began(setup), began(Setup(setup.mission, setup.mode))
    there, medic = state.units["A-M"], plain.units["A-M"]
    assert (there.pos, there.face, there.squad) == (medic.pos, medic.face, medic.squad)
    assert there.is_original and there.hits == 0
    assert state.squads["A"].gi_left == plain.squads["A"].gi_left == 3
    field = game().at(state)
    units = game().content.units
    gun = allied_gun(field, there, team=False)
    like = Table("A-GI1@A10/E")
    assert gun == allied_gun(like.field, like.unit("A-GI1"), team=False)
    assert units[there.kind].abilities == units[GI].abilities != units["M"].abilities
    assert field.originals_up(("A",)) == 6
    there.status = "kia"
    assert field.originals_up(("A",)) == 5


def test_hits_heal_between_missions(tour: Tour) -> None:
    progress = tour.begin("solo1")
    setup = tour.setup(progress)
    assert setup is not None
    state = finished(setup)
    state.units["A-L"].hits = 1
    setup = tour.setup(tour.after(progress, state))
    assert setup is not None and began(setup).units["A-L"].hits == 0


# --- points -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("level", "kia", "squads", "points"),
    [
        ("Outstanding", 0, 1, 6),
        ("Solid", 0, 1, 5),
        ("Narrow", 0, 1, 4),
        ("", 0, 1, 0),
        ("", 6, 1, 0),
        ("Outstanding", 1, 1, 5),
        ("Outstanding", 2, 1, 5),
        ("Outstanding", 3, 1, 4),
        ("Solid", 5, 1, 3),
        ("Narrow", 6, 1, 1),
        ("Narrow", 0, 2, 4),
        ("Narrow", 5, 2, 3),
        ("Narrow", 6, 2, 2),
        ("Solid", 11, 2, 3),
        ("Solid", 12, 2, 2),
    ],
)
def test_points_of_a_mission(tour: Tour, level: str, kia: int, squads: int, points: int) -> None:
    assert tour.points(level, kia, squads) == points


def test_points_are_never_below_zero(tour: Tour) -> None:
    assert tour.points("Narrow", 60, 1) == 0


def test_points_come_from_the_state(tour: Tour) -> None:
    progress = played(tour, tour.begin("coop"), ("Narrow", *(f"A-{k}" for k in SPECIALISTS)))
    (stage, *_) = tour.view(progress).stages
    assert (stage.result, stage.points) == ("Narrow", 2)
    assert stage.figures == {"Intel cards": 12, "Own KIA": 6}


def test_gis_who_came_with_a_card_are_no_originals(tour: Tour) -> None:
    progress = tour.begin("solo1")
    setup = tour.setup(progress)
    assert setup is not None
    state = finished(setup, "Solid")
    game().patch(state, "units.A-GI1", {"status": "kia"})
    after = tour.after(progress, state)
    assert tour.view(after).total == 5
    assert after["roster"] == {}


@pytest.mark.parametrize(
    ("total", "rating"),
    [(0, "Green"), (11, "Green"), (12, "Regular"), (17, "Regular"), (18, "Veteran"),
     (23, "Veteran"), (24, "Legend"), (36, "Legend")],
)  # fmt: skip
def test_ratings(tour: Tour, total: int, rating: str) -> None:
    progress = tour.begin("solo1")
    progress["played"] = [
        {"mission": "hot-lz", "level": "Solid", "cards": 9, "kia": 0, "points": total}
    ]
    view = tour.view(progress)
    assert (view.total, view.rating, view.most) == (total, rating, 36)
    assert view.ratings == ((0, "Green"), (12, "Regular"), (18, "Veteran"), (24, "Legend"))


def test_the_view_says_what_is_next_and_who_stands_in(tour: Tour) -> None:
    view = tour.view(played(tour, tour.begin("solo1"), ("Solid", "A-M", "A-SN")))
    assert view.next == "Bring Them Home"
    assert [stage.points for stage in view.stages] == [4, None, None, None, None, None]
    assert view.stages[1].note == "G.I.s stand in for Alpha’s Medic and Alpha’s Sniper."
    view = tour.view(played(tour, tour.begin("solo1"), ("Solid", "A-M")))
    assert view.stages[1].note == "A G.I. stands in for Alpha’s Medic."


# --- the service record -----------------------------------------------------------------------


def test_a_record_of_a_squad() -> None:
    state = finished(Setup("bring-them-home", "coop"), "Solid", cards=21, kia=("A-L", "B-M", "B-S"))
    state.killed = 9
    hostage = next(u for u in state.units.values() if u.kind == "HOS")
    hostage.status, hostage.squad = "freed", "B"
    alpha, bravo = game().record(state, "ALPHA"), game().record(state, "BRAVO")
    assert alpha is not None and bravo is not None
    assert alpha.won and alpha.level == "Solid" and alpha.counted
    assert alpha.figures == {
        "Intel cards": 21, "Insurgents killed": 9, "Own KIA": 1, "Hostages saved": 0,
    }  # fmt: skip
    assert bravo.figures["Own KIA"] == 2 and bravo.figures["Hostages saved"] == 1
    assert (alpha.most, alpha.par) == (50, 0)


def test_a_record_of_the_insurgent_holds_none_of_the_squads_figures() -> None:
    state = finished(Setup("hot-lz", "versus"), "Solid", kia=("A-L", "A-M"))
    state.outcome = Outcome(("INSURGENT",), "Defeat", "", "", "BG-E.2")
    record = game().record(state, "INSURGENT")
    assert record is not None and record.won and record.level == ""
    assert record.figures == {"Intel cards": 12, "Soldiers killed": 2}
    lost = game().record(state, "ALPHA")
    assert lost is not None and not lost.won and lost.cause == "BG-E.2"


def test_the_range_does_not_count_and_an_endless_deck_has_a_par() -> None:
    free = game().record(finished(Setup("range", "solo1")), "ALPHA")
    wanted = game().record(finished(Setup("most-wanted", "solo1")), "ALPHA")
    assert free is not None and not free.counted
    assert wanted is not None and (wanted.most, wanted.par) == (0, 20)


def entry(session: str, level: str, cards: int, *, mode: str = "solo1", **more: Any) -> Entry:
    figures = {"Intel cards": cards, "Own KIA": 1, "Insurgents killed": 4}
    return Entry(session, "hot-lz", mode, bool(level), level, figures, 20, **more)


def test_records_add_up() -> None:
    grading = game().grading()
    found = service(
        "Boots",
        grading,
        [
            entry("s1", "Solid", 14),
            entry("s2", "Outstanding", 9),
            entry("s3", "", 5),
            entry("s4", "", 20, mode="comp"),
            Entry("s4", "hot-lz", "comp", True, "Narrow", {"Own KIA": 2}, 60),
            Entry("s5", "gone", "old", True, "", {"Intel cards": 3}),
        ],
        {"range": "Firing Range", "hot-lz": "Hot LZ"},
        {"solo1": "Solo", "comp": "Race"},
    )
    assert (found.played, found.won) == (5, 4)
    assert found.results == ("Lost", "Won", "Narrow", "Solid", "Outstanding")
    assert found.counts == (1, 1, 1, 1, 1)
    assert found.figures == {"Own KIA": 6, "Insurgents killed": 16}
    hot, gone = found.missions
    assert (hot.title, hot.played, hot.won, hot.results) == ("Hot LZ", 4, 3, (1, 0, 1, 1, 1))
    assert [(b.mode, b.value, b.most) for b in hot.bests] == [("Solo", 9, 20), ("Race", 20, 60)]
    assert gone.title == "gone"
    assert [(m.title, m.played, m.won) for m in found.modes] == [
        ("Solo", 3, 2), ("Race", 1, 1), ("old", 1, 1),
    ]  # fmt: skip


def test_a_mission_never_won_has_no_best() -> None:
    found = service("Boots", game().grading(), [entry("s1", "", 14)], {"hot-lz": "Hot LZ"}, {})
    (line,) = found.missions
    assert [(b.mode, b.value, b.most) for b in line.bests] == [("solo1", None, 20)]
    assert found.results == ("Lost", "Narrow", "Solid", "Outstanding")


def test_no_games_no_record() -> None:
    found = service("Boots", game().grading(), [], {}, {})
    assert (found.played, found.won, found.missions, found.modes) == (0, 0, (), ())
