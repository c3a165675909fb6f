"""Dice that can be checked: salts, places that are never equal, the chain of the log."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.refusals import NotYourSeat, Refused
from bot.sessions.records import dumps
from bot.sessions.salting import LONGEST_WORDS, MOST_SALTS
from games.kernel import verify
from tests.bot.house import KIM, ROBIN, SAM, House

PART = st.text(alphabet="a1%|,2C", max_size=4)
PLACE = st.tuples(PART, st.lists(PART, max_size=3), st.integers(0, 20))


@given(PLACE, PLACE)
def test_two_places_are_never_equal(one: Any, other: Any) -> None:
    assert (verify.place_of(*one) == verify.place_of(*other)) == (one == other)


def test_places_of_numbers_are_what_they_were() -> None:
    assert verify.place_of("abcd2345", ["1000", "1001"], 7) == "abcd2345|1000,1001|7"
    assert verify.place_of("s", [], 1) != verify.place_of("s", [""], 1)
    assert verify.place_of("s", ["a,b"], 1) != verify.place_of("s", ["a", "b"], 1)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.text(max_size=20),
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
        ),
        max_leaves=6,
    )
)
def test_the_verifier_writes_json_as_the_store_does(value: Any) -> None:
    told = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert told == dumps(value)
    assert json.loads(told) == msgspec.json.decode(dumps(value))


async def played(house: House) -> Any:
    """A game of one person with a row of most kinds: begin, act with and without dice, undo, salt."""
    table = await house.open()
    await house.sessions.salt(table.id, ROBIN, "Robin", "a,b|c %", interaction_id=11)
    await house.act(table, "draw")
    await house.act(table, "move", to="B2")
    await house.undo(table)
    await house.act(table, "done")
    await house.act(table, "move", to="C3")
    await house.end(table)
    return await house.sessions.proof(table.id)


async def test_words_go_into_every_later_roll(house: House) -> None:
    table = await house.open()
    salted = await house.sessions.salt(
        table.id, ROBIN, "Ro*bin", "  up   and\tover  ", interaction_id=11
    )
    assert salted.events[0].text == "Ro\\*bin adds words to the dice: “up and over”."
    await house.act(table, "draw")
    proof = await house.sessions.proof(table.id)
    assert proof["rolls"][-1]["salts"] == ["1000", "up and over"]
    assert all(not wrong for _, wrong in verify.check(proof))
    assert await house.sessions.audit(table.id) == ""
    proof["rolls"][-1]["salts"][-1] = "up and under"
    assert verify.check(proof)[-1][1]


@pytest.mark.parametrize("words", ["", "   ", "x" * (LONGEST_WORDS + 1), "a\u202eb", "a\x00b"])
async def test_words_that_cannot_be_taken(house: House, words: str) -> None:
    table = await house.open()
    with pytest.raises(Refused, match="1 to 100 characters"):
        await house.sessions.salt(table.id, ROBIN, "Robin", words, interaction_id=11)


async def test_who_may_add_words_and_how_many(house: House) -> None:
    table = await house.duel()
    with pytest.raises(NotYourSeat):
        await house.sessions.salt(table.id, SAM, "Sam", "x", interaction_id=1)
    before = (await house.sessions.get(table.id)).seats
    for number in range(MOST_SALTS - 2):
        await house.sessions.salt(table.id, KIM, "Kim", f"{number}", interaction_id=2_000 + number)
    with pytest.raises(Refused, match="nothing more is taken"):
        await house.sessions.salt(table.id, KIM, "Kim", "more", interaction_id=3_000)
    after = await house.sessions.get(table.id)
    assert after.seats == before  # nobody's buttons are stale by it
    await house.act(table, "move", version=table.version, to="B2")
    assert await house.sessions.audit(table.id) == ""


async def test_a_whole_file_is_right(
    house: House, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    proof = await played(house)
    kinds = [row["content"]["kind"] for row in proof["rows"]]
    assert kinds == ["begin", "salt", "act", "act", "undo", "act", "act", "end"]
    path = tmp_path / "proof.json"
    path.write_text(json.dumps(proof, indent=1), encoding="utf-8")
    assert verify.main([str(path)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "log: 8 rows, 0 false"


async def test_every_change_of_any_row_is_found(house: House, tmp_path: Path) -> None:
    proof = await played(house)
    path = tmp_path / "proof.json"
    for place, row in enumerate(proof["rows"]):
        for name, value in row["content"].items():
            wrong = deepcopy(proof)
            wrong["rows"][place]["content"][name] = (
                not value if isinstance(value, bool) else f"{value}x" if value else 5
            )
            found = [number for number, why in verify.check_rows(wrong) if why]
            assert found[0] == place + 1, (place, name)
        gone = deepcopy(proof)
        del gone["rows"][place]
        assert any(why for _, why in verify.check_rows(gone)), place
        path.write_text(json.dumps(gone), encoding="utf-8")
        assert verify.main([str(path)]) == 1
    swapped = deepcopy(proof)
    swapped["rows"][2], swapped["rows"][3] = swapped["rows"][3], swapped["rows"][2]
    assert any(why for _, why in verify.check_rows(swapped))
    other = deepcopy(proof)
    rolled = next(roll for roll in other["rolls"] if roll["results"])
    rolled["results"][0]["meaning"] = "something else"
    assert any("another than the one listed" in why for _, why in verify.check_rows(other))


async def test_what_may_be_secret_stays_sealed_until_the_end(
    house: House, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = await house.duel()
    await house.act(table, "draw")
    sealed = await house.sessions.proof(table.id)
    assert all("content" not in row for row in sealed["rows"])
    path = tmp_path / "proof.json"
    path.write_text(json.dumps(sealed), encoding="utf-8")
    assert verify.main([str(path)]) == 0
    assert "sealed until the game is over" in capsys.readouterr().out
    await house.end(table)
    whole = await house.sessions.proof(table.id)
    assert all(not why for _, why in verify.check_rows(whole))
    links = [row["chain"] for row in sealed["rows"]]
    assert [row["chain"] for row in whole["rows"]][: len(links)] == links


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"commitment": "zz", "rolls": []}', "[" * 5_000, '{"rows": [1]}']
)
def test_what_is_no_proof_is_said_to_be_none(text: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.json"
    path.write_text(text, encoding="utf-8")
    assert verify.main([str(path)]) == 2
