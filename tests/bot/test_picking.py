"""Picking: where it stands travels in the ids, survives nothing but what it should."""

from __future__ import annotations

from typing import Any

import pytest

from bot.custom_ids import FORM_PATTERN, PRESS_PATTERN, STEP_PATTERN, Press, Step, base36, checksum
from bot.picking import Sheet, form, page_of, picked_by, sheet
from bot.picks import Changed, Walk, back, find, finish, pick, read_all, read_typed, unpack, walk
from bot.sessions import Table
from games.kernel.domain import Choices, Option, Several
from games.kernel.illegal import Illegal
from tests.bot import limits, widest
from tests.bot.house import House

SEAT = "RED"


@pytest.fixture
async def table(house: House) -> Table:
    opened = await house.open()
    for path, value in (
        ("pos", {"RED": "C2", "BLUE": "D2"}),
        ("hands", {"RED": ["AMMO", "MAP"], "BLUE": []}),
    ):
        opened.game.patch(opened.state, path, value)
    return opened


def at(table: Table, verb: str, **given: Any) -> Walk:
    return walk(table.state, SEAT, table.game.verbs[verb], given)


def again(table: Table, one: Walk) -> Walk:
    return unpack(table.state, SEAT, one.verb, one.picks, one.check)


def controls(letter: Any) -> dict[str, str]:
    every = limits.walk(letter.screen.to_components())
    return {c.get("label", "menu"): c["custom_id"] for c in every if "custom_id" in c}


# Ids


def test_ids_are_read_as_they_are_written() -> None:
    for press in (Press("abcd2345", 17, "move"), Press("a", 0, ".undo", 3)):
        match = PRESS_PATTERN.fullmatch(str(press))
        assert match is not None and Press.read(match) == press
    step = Step("abcd2345", 17, "kit_heal", 1, "-.3+a.", "x1z")
    match = STEP_PATTERN.fullmatch(step.id("o", "p3abc"))
    assert match is not None
    assert Step.read(match) == Step("abcd2345", 17, "kit_heal", 1, "-.3+a.", "x1z", "o", "p3abc")
    match = FORM_PATTERN.fullmatch(step.id("t", form=True))
    assert match is not None and Step.read(match).act == "t"


@pytest.mark.parametrize(
    "text", ["fp:", "fp:a:b:c", "fp:a:1:", "fpp:a:1:v", "fp:a:1:MOVE", "fp:a b:1:move", "x"]
)
def test_other_ids_are_not_ours(text: str) -> None:
    assert PRESS_PATTERN.fullmatch(text) is None
    assert STEP_PATTERN.fullmatch(text) is None


def test_base36() -> None:
    assert [base36(n) for n in (0, 9, 10, 35, 36, 1295)] == ["0", "9", "a", "z", "10", "zz"]
    assert checksum(["a", "b"]) != checksum(["ab"])


# Walking through the slots


def test_a_slot_with_one_value_is_settled_and_a_preset_is_asked(table: Table) -> None:
    one = at(table, "attack")
    assert one.slot is not None and one.slot.name == "style"
    assert one.filled == {"target": "BLUE"} and one.given == {}
    assert one.preset is not None and one.preset.value == "careful"
    assert again(table, one) == one


def test_presets_are_settled_for_commands(table: Table) -> None:
    verb = table.game.verbs["attack"]
    one = walk(table.state, SEAT, verb, {}, settle_presets=True)
    assert one.complete and one.action.slots == {"target": "BLUE", "style": "careful"}
    assert again(table, one).complete


def test_several_are_kept_in_order_through_ids(table: Table) -> None:
    one = pick(table.state, SEAT, at(table, "burn"), "MAP")
    assert one.partial == ("MAP",) and one.picks == "1+"
    assert one.may_finish
    one = again(table, one)
    done = finish(table.state, SEAT, one)
    assert done.action.slots == {"cards": ("MAP",)}
    assert again(table, done).action == done.action
    full = pick(table.state, SEAT, one, "AMMO")
    assert full.complete and full.action.slots == {"cards": ("MAP", "AMMO")}
    assert back(table.state, SEAT, one).partial == ()
    with pytest.raises(Illegal):
        pick(table.state, SEAT, one, "MAP")


def test_nothing_may_be_picked_where_nothing_is_enough() -> None:
    verb: Any = widest.WideVerb(0)
    one = walk(None, SEAT, verb, {"to": "A1", "face": "N"})
    assert one.may_finish
    done = finish(None, SEAT, one)
    assert done.filled["units"] == ()
    assert unpack(None, SEAT, verb, done.picks, done.check).filled["units"] == ()


def test_back_undoes_one_pick_at_a_time() -> None:
    verb: Any = widest.WideVerb(0)
    one = walk(None, SEAT, verb, {})
    one = pick(None, SEAT, one, "B1")
    one = pick(None, SEAT, one, "SE")
    assert [name for name, _ in one.labels] == ["to", "face"]
    assert one.cells == ("B1",)
    one = back(None, SEAT, one)
    assert one.given == {"to": "B1"}
    one = back(None, SEAT, one)
    assert one.given == {} and back(None, SEAT, one).given == {}


def test_changed_options_are_noticed(table: Table) -> None:
    one = at(table, "move", to="C1")
    assert again(table, one).filled == {"to": "C1"}
    table.game.patch(table.state, "pos", {"RED": "A6", "BLUE": "D2"})
    with pytest.raises(Changed):
        again(table, one)
    for picks in ("zz", "0.0.0.0", "-", "0+", "1+2", "--"):
        with pytest.raises(Changed):
            unpack(table.state, SEAT, table.game.verbs["move"], picks, one.check)


def test_an_illegal_value_is_refused_by_the_rules(table: Table) -> None:
    with pytest.raises(Illegal) as caught:
        at(table, "move", to="D2")
    assert caught.value.rule == "TOY-1"


# Typed values


def test_typed_values_are_found_by_value_label_or_cell() -> None:
    options = (
        Option("A-SCT", "Alpha's Scout", cell="G7"),
        Option("IN1", "Insurgent 1", cell="H8"),
        Option("IN2", "Insurgent 2", cell="H8"),
    )
    assert find(options, " a-sct ") == options[0]
    assert find(options, "alpha's scout") == options[0]
    assert find(options, "g7") == options[0]
    assert find(options, "h8") is None, "two stand there"
    assert find(options, "") is None and find(options, "x") is None
    assert read_typed(Choices(options), "in2") == "IN2"
    assert read_typed(Choices(options), "IN9 ") == "IN9"
    assert read_typed(Several(options, 1, 2), "in2, in1") == ("IN2", "IN1")
    assert read_typed(Several(options, 1, 2), "in2 in1") == ("IN2", "IN1")
    assert read_typed(Several(options, 1, 2), "alpha's scout; IN1") == ("A-SCT", "IN1")


def test_a_command_is_read_in_the_order_of_the_slots(table: Table) -> None:
    verb = table.game.verbs["attack"]
    assert read_all(table.state, SEAT, verb, {"style": "BOLD"}) == {"style": "bold"}
    wide: Any = widest.WideVerb(0)
    assert read_all(None, SEAT, wide, {"face": "n"}) == {}, "`to` comes first and is asked for"


# The message


def test_choice_buttons_and_menu(table: Table) -> None:
    letter = sheet(Sheet(table, SEAT, at(table, "attack")))
    assert list(controls(letter)) == ["Keep: Careful", "menu", "Cancel"]
    letter = sheet(Sheet(table, SEAT, at(table, "move")))
    assert list(controls(letter)) == [
        "menu", "◀ Previous", "Next ▶", "Type it", "Cancel",
    ]  # fmt: skip


def test_every_choice_by_button_means_its_option(table: Table) -> None:
    one = at(table, "attack")
    letter = sheet(Sheet(table, SEAT, one))
    match = STEP_PATTERN.fullmatch(controls(letter)["Keep: Careful"])
    assert match is not None
    arg = Step.read(match).arg
    assert picked_by(one, arg) == "careful"
    for wrong in ("", "p0", "p9zzz", "p1" + arg[-3:], "pzzzzz"):
        with pytest.raises(Changed):
            picked_by(one, wrong)


def test_compass() -> None:
    verb: Any = widest.WideVerb(0)
    one = walk(None, SEAT, verb, {"to": "A1"})
    assert one.compass


async def test_compass_buttons(house: House) -> None:
    table = await house.open()
    verb: Any = widest.WideVerb(0)
    table.game.verbs = {verb.name: verb}  # type: ignore[assignment]
    one = walk(table.state, SEAT, verb, {"to": "A1"})
    found = controls(sheet(Sheet(table, SEAT, one)))
    assert list(found) == [
        "↖ NW", "↑ N", "↗ NE", "← W", "Keep NE", "→ E", "↙ SW", "↓ S", "↘ SE", "Back", "Cancel",
    ]  # fmt: skip
    for label, value in (("↙ SW", "SW"), ("Keep NE", "NE"), ("↑ N", "N")):
        match = STEP_PATTERN.fullmatch(found[label])
        assert match is not None and picked_by(one, Step.read(match).arg) == value


async def test_a_compass_with_closed_ways_has_no_id_twice(house: House) -> None:
    class Ways(widest.WideVerb):
        def domain(self, state: Any, seat: str, slot: str, picked: Any) -> Any:
            if slot != "face":
                return super().domain(state, seat, slot, picked)
            return Choices(tuple(Option(way, way) for way in ("N", "E", "S", "W")))

    table = await house.open()
    verb: Any = Ways(0)
    table.game.verbs = {verb.name: verb}  # type: ignore[assignment]
    one = walk(table.state, SEAT, verb, {"to": "A1"})
    assert one.compass and one.preset is None
    every = limits.walk(sheet(Sheet(table, SEAT, one)).screen.to_components())
    ids = [part["custom_id"] for part in every if "custom_id" in part]
    assert len(ids) == len(set(ids)) == 11


async def test_menu_pages(house: House) -> None:
    table = await house.open()
    verb: Any = widest.WideVerb(0)
    one = walk(table.state, SEAT, verb, {"to": "A1", "face": "N", "units": ()})
    table.game.verbs = {verb.name: verb}  # type: ignore[assignment]
    here = Sheet(table, SEAT, one, 11)
    assert here.pages == 12
    assert here.shown[-1] == one.left[-1]
    found = controls(sheet(here))
    match = STEP_PATTERN.fullmatch(found["◀ Previous"])
    assert match is not None and page_of(Step.read(match).arg) == 10
    assert page_of("") == 0 and page_of("l!") == 0
    assert Sheet(table, SEAT, one, 99).shown == here.shown


def test_marks_numbers_and_pictures(table: Table) -> None:
    here = Sheet(table, SEAT, at(table, "move"))
    assert here.pictured
    kinds = {mark.kind for mark in here.marks()}
    assert kinds == {"reach"}
    assert here.numbered() == ()
    here = Sheet(table, SEAT, at(table, "attack"))
    assert ("spot", ("D2",)) in [(mark.kind, mark.cells) for mark in here.marks()]
    assert ("arc", ("C2",)) in [(mark.kind, mark.cells) for mark in here.marks()]


def test_form_carries_where_the_picking_stands(table: Table) -> None:
    shown = form(Sheet(table, SEAT, at(table, "move"))).to_dict()
    limits.check_form(shown)
    match = FORM_PATTERN.fullmatch(shown["custom_id"])
    assert match is not None and Step.read(match).verb == "move"
