"""Setting up: modes, missions, deployment, what is hidden."""

from __future__ import annotations

import pytest

from games.boots.content import Content
from games.boots.game import Boots
from games.boots.model import State
from games.kernel.datafiles import read_tables
from games.kernel.entropy import ScriptedEntropy
from games.kernel.game import Setup
from games.kernel.illegal import Illegal
from games.kernel.play import begin
from games.kernel.view import SquareBoard
from games.registry import DATA
from tests.games.boots.board import QUIET, Table, game

MISSIONS = {  # insurgents, civilians, vehicles, boxes, hostages, cards (solo)
    "range": (0, 0, 0, 0, 0, 60),
    "hot-lz": (6, 6, 6, 4, 0, 20),
    "bring-them-home": (5, 5, 4, 4, 2, 30),
    "yellow-rain": (6, 6, 6, 6, 0, 30),
    "block-by-block": (6, 5, 5, 5, 0, 25),
    "angel-down": (4, 4, 4, 4, 1, 25),
    "most-wanted": (6, 4, 5, 4, 0, 0),
}


@pytest.mark.rule("BG-1.1", "BG-6.1", "BG-9.1", "BG-2.1")
@pytest.mark.parametrize("mission", list(MISSIONS))
def test_what_stands_where(mission: str) -> None:
    insurgents, civilians, vehicles, boxes, hostages, cards = MISSIONS[mission]
    t = Table(mission=mission, empty=False)
    assert [s.id for s in game().seats(Setup(mission, "solo1"))] == ["ALPHA"]
    soldiers = t.field.soldiers("A")
    assert [u.id for u in soldiers] == ["A-L", "A-M", "A-DE", "A-S", "A-HWE", "A-SN"]
    assert t.field.soldiers("B") == [] and t.state.playing == ("A",)
    assert len(t.field.insurgents()) == insurgents and t["pool"] == 24 - insurgents
    assert [u.id for u in t.field.insurgents()] == [f"IN{n + 1}" for n in range(insurgents)]
    assert len(t.state.civilians) == civilians and len(t.state.vehicles) == vehicles
    assert len(t.state.boxes) == boxes and len(t.field.captives()) == hostages
    assert t["cards_total"] == cards and t["cards_used"] == 0
    squares = [u.pos for u in t.state.units.values()]
    squares += [c.pos for c in (*t.state.civilians.values(), *t.state.vehicles.values())]
    assert len(squares) == len(dict.fromkeys(squares))  # one to a square
    assert t.verbs() == ["ready", "deploy", "concede"]


@pytest.mark.rule("BG-6.1")
def test_hot_lz_square_by_square() -> None:
    t = Table(mission="hot-lz", empty=False)
    assert {u.id: t.where(u.id) for u in t.state.units.values()} == {
        "A-L": "N15/N", "A-M": "O15/N", "A-DE": "N14/N", "A-S": "N13/N", "A-HWE": "O14/N",
        "A-SN": "O16/N", "IN1": "K13/S", "IN2": "J16/N", "IN3": "P15/W", "IN4": "M10/E",
        "IN5": "E14/N", "IN6": "F15/E",
    }  # fmt: skip
    civilians = {c.id: c.pos for c in t.state.civilians.values()}
    assert civilians == {
        "CV1": "K3", "CV2": "E6", "CV3": "L7", "CV4": "G9", "CV5": "N10", "CV6": "G14"
    }  # fmt: skip
    assert [b.pos for b in t.state.boxes.values()] == ["G3", "I6", "C9", "L10"]


@pytest.mark.rule("BG-9.14", "BG-4.21")
def test_special_counters() -> None:
    t = Table(mission="most-wanted", empty=False)
    assert t.unit("IN1").role == "hvt" and t.where("IN1") == "O2/W"
    t = Table(mission="angel-down", empty=False)
    assert t.unit("HO1").hits == 1 and t.unit("HO1").status == "captive"


@pytest.mark.rule("BG-4.23", "BG-4.24", "BG-4.29", "BG-8.7")
def test_nothing_hidden_is_decided_beforehand() -> None:
    t = Table(mission="hot-lz", empty=False)
    hidden = (t.state.civilians, t.state.vehicles, t.state.boxes)
    assert all(not counter.kind for shelf in hidden for counter in shelf.values())
    assert t["deck"] == sorted(t.game.content.cards) and t["next_card"] == ""


# --- deployment -------------------------------------------------------------------------------


@pytest.mark.rule("BG-6.1")
def test_rearranging_inside_the_zone() -> None:
    t = Table(mission="hot-lz", empty=False)
    zone = {f"{x}{y}" for x in "NO" for y in (13, 14, 15, 16)}
    assert set(t.options("deploy", "square", unit="A-L")) == zone
    t.do("deploy", unit="A-L", square="N16", face="E")
    assert t.where("A-L") == "N16/E"
    t.do("deploy", unit="A-L", square="O14", face="S")  # swaps with the Heavy Weapons Expert
    assert (t.where("A-L"), t.where("A-HWE")) == ("O14/S", "N16/N")
    t.do("deploy", unit="A-L", square="O14", face="W")  # just turns
    assert t.where("A-L") == "O14/W"
    for unit, square, face in (
        ("A-L", "M14", "N"),
        ("A-L", "N15", "UP"),
        ("A-L", "nowhere", "N"),
        ("IN1", "N15", "N"),
        ("B-L", "N15", "N"),
    ):
        rule = "BG-11.0.2" if face == "UP" else "BG-6.1"
        assert t.refused("deploy", unit=unit, square=square, face=face) == rule
    t.do("ready")
    assert "deploy" not in t.verbs() and t.refused("deploy", unit="A-L") == "BG-6.2"
    assert t["squad_turn"] == "A" and t.verbs() == ["activate", "activate_team", "concede"]


@pytest.mark.rule("BG-6.1", "BG-3.4")
def test_printed_cover_in_a_zone_is_no_place() -> None:
    """Vehicles, civilians and X are never offered, whatever the zone."""
    for mission in MISSIONS:
        t = Table(mission=mission, empty=False)
        for square in t.options("deploy", "square", unit="A-M"):
            occupant = t.field.occupants.get(square)
            assert t.field.is_free(square) or (occupant and occupant.squad == "A")


@pytest.mark.rule("BG-6.3", "BG-6.1")
def test_two_squads_set_up_at_the_same_time_and_alpha_starts() -> None:
    t = Table(mission="hot-lz", mode="solo2", empty=False)
    assert "ready" in t.verbs() and "ready" in t.bravo().verbs()
    t.do("ready")
    assert t.verbs() == ["concede"] and t.refused("ready") == "BG-6.3"
    t.alpha().do("deploy", unit="A-L", square="N16", face="E").do("ready")
    assert "activate" in t.verbs() and t["squad_turn"] == "A"


def test_the_picture_of_the_set_up_shows_every_squad_that_is_not_ready() -> None:
    def shown(t: Table) -> tuple[str, ...]:
        board = game().view(t.state, None).board
        assert isinstance(board, SquareBoard)
        return board.focus

    t = Table(mission="hot-lz", mode="solo2", empty=False)
    alpha, bravo = ([u.pos for u in t.field.soldiers(squad)] for squad in "AB")
    assert list(shown(t)) == [*alpha, *bravo]
    assert list(shown(t.alpha().do("ready"))) == bravo
    assert list(shown(t.bravo().do("ready"))) == alpha  # whose turn it is


# --- what cannot be set up --------------------------------------------------------------------


@pytest.mark.rule("BG-O.1", "BG-O.7")
@pytest.mark.parametrize(
    ("setup", "rule"),
    [
        (Setup("nowhere", "solo1"), ""),
        (Setup("range", "solo9"), ""),
        (Setup("range", "solo1", {"facing": "8"}), ""),
        (Setup("range", "solo1", {"facing_dirs": "6"}), "BG-O.1"),
        (Setup("range", "solo1", {"cards_delta": "3"}), "BG-O.7"),
    ],
)
def test_set_ups_that_do_not_exist(setup: Setup, rule: str) -> None:
    with pytest.raises(Illegal) as caught:
        begin(game(), setup, ScriptedEntropy(()))
    assert caught.value.rule == rule and caught.value.sentence


@pytest.mark.rule("BG-6.1", "BG-9.1")
def test_chosen_fields_make_a_set_up() -> None:
    boots = game()
    fields = {f.name: f for f in boots.setup_fields()}
    assert {"mission", "mode", "facing_dirs", "cards_delta"} <= fields.keys()
    for field in fields.values():
        assert any(option.value == field.preset for option in field.options), field.name
        assert 2 <= len(field.options) <= 25
    assert boots.read_setup({}).mission == "hot-lz"
    for chosen in ({"mission": "x"}, {"mode": "x"}, {"x": "y"}, {"facing_dirs": "5"}):
        with pytest.raises(Illegal):
            boots.read_setup(chosen)


@pytest.mark.rule("BG-9.5", "BG-O.7", "BG-9.4")
@pytest.mark.parametrize(
    ("mission", "delta", "cards"),
    [
        ("hot-lz", "0", 20), ("hot-lz", "-15", 5), ("hot-lz", "-55", 5), ("hot-lz", "40", 60),
        ("hot-lz", "55", 60), ("block-by-block", "-5", 20), ("most-wanted", "-20", 0),
        ("most-wanted", "20", 0),
    ],
)  # fmt: skip
def test_more_or_fewer_cards(mission: str, delta: str, cards: int) -> None:
    assert Table(mission=mission, empty=False, cards_delta=delta)["cards_total"] == cards


# --- the content is data ----------------------------------------------------------------------


@pytest.mark.rule("BG-3.9")
def test_a_group_can_play_with_its_own_numbers() -> None:
    tables = read_tables(DATA / "boots")
    tables["missions"]["missions"]["range"]["insurgents"]["base"] = [{"square": "H9", "face": "N"}]
    tables["tables"]["units"]["L"]["mp"] = [6, 4, 3]
    boots = Boots(Content.from_tables(tables))
    state: State = begin(boots, Setup("range", "solo1"), ScriptedEntropy(())).state
    assert boots.inspect(state, "units.IN1.pos") == "H9" and state.pool == 23
    assert boots.at(state).allowance(state.units["A-L"], team=False) == 6
    assert boots.content_hash != game().content_hash


@pytest.mark.rule("BG-3.1", "BG-3.2", "BG-9.10", "BG-10.8")
@pytest.mark.parametrize("mission", ["range", "hot-lz", "angel-down"])
def test_the_maps(mission: str) -> None:
    board = Table(mission=mission).field.map
    inside = [s for squares in board.buildings.values() for s in squares]
    assert len(inside) == len(dict.fromkeys(inside))
    for numeral, squares in board.openings.items():
        for square in squares:
            assert board.building_of[square] == numeral
            beyond = [board.grid.neighbour(square, d) for d in (0, 2, 4, 6)]
            assert any(
                s
                and board.building_of.get(s) != numeral
                and board.grid.printed_edge(square, s) in ("door", "window")
                for s in beyond
            )


@pytest.mark.rule("BG-9.10")
def test_a_green_zone_changes_nothing_about_moving_and_firing() -> None:
    t = Table("A-L@A1/E", "IN1@B2/W").alone("A-L").fire("IN1", 3, 3).move("C1", "E")
    assert t["pool"] == 21 and t.mp("A-L") == 3
    assert t.done(QUIET)["cards_used"] == 1
