"""The kernel: chance and its proof, domains, actions, the gate, the automation's end, data files."""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.kernel import verify
from games.kernel.action import LONGEST_VALUE, MOST_SLOTS, Action, Picked, Value, read_action
from games.kernel.datafiles import BrokenData, canonical_json, content_hash, read_tables
from games.kernel.domain import NOTHING, Choices, Domain, Option, Several
from games.kernel.entropy import (
    CHAIN_LENGTH,
    CommittedEntropy,
    Entropy,
    KeyChain,
    RecordedEntropy,
    ScriptedEntropy,
    ScriptMismatch,
    seeded,
)
from games.kernel.event import Event, Revealed
from games.kernel.game import Slot
from games.kernel.illegal import Illegal
from games.kernel.play import Stuck, begin, fill, next_slot, play
from games.kernel.random_player import random_action
from games.kernel.view import Task
from tests.toygame import Attack, ToyGame, ToyState

SECRET = sha256(b"a secret for tests").digest()
ROOT = Path(__file__).resolve().parents[2]


# --- the key chain ----------------------------------------------------------------------------


@pytest.mark.parametrize("length", [1, 2, 127, 128, 129, 300])
def test_each_key_hashes_to_the_one_before(length: int) -> None:
    chain = KeyChain(SECRET, length)
    for number in range(1, length + 1):
        assert verify.hash_key(chain.key(number)) == chain.key(number - 1)
    assert chain.key(length) == SECRET
    assert len({chain.key(number) for number in range(length + 1)}) == length + 1


def test_the_chain_is_long_enough_and_ends() -> None:
    chain = KeyChain(SECRET)
    assert verify.hash_key(chain.key(CHAIN_LENGTH)) == chain.key(CHAIN_LENGTH - 1)
    for number in (-1, CHAIN_LENGTH + 1):
        with pytest.raises(IndexError, match=f"0 to {CHAIN_LENGTH}"):
            chain.key(number)


# --- results ----------------------------------------------------------------------------------


def test_results_are_fixed_for_ever() -> None:
    """A proof given today must still hold after every change of the program."""
    entropy = CommittedEntropy(bytes(range(32)), "session-1", ("salt", "more salt"), 7)
    rolled = [entropy.roll(6, "die") for _ in range(12)]
    drawn = [entropy.draw("ABCDEFGHIJ", "card") for _ in range(6)]
    assert (rolled, "".join(drawn)) == ([5, 1, 4, 2, 2, 2, 3, 2, 2, 1, 2, 2], "BFBBGD")


def test_results_depend_on_everything_they_are_named_after() -> None:
    def results(
        key: bytes, session: str, salts: Sequence[str], number: int, label: str
    ) -> tuple[int, ...]:
        entropy = CommittedEntropy(key, session, salts, number)
        return tuple(entropy.roll(1000, label) for _ in range(4))

    base = (SECRET, "s", ("a", "b"), 1, "x")
    others = [
        (verify.hash_key(SECRET), "s", ("a", "b"), 1, "x"),
        (SECRET, "t", ("a", "b"), 1, "x"),
        (SECRET, "s", ("a", "c"), 1, "x"),
        (SECRET, "s", ("a", "b"), 2, "x"),
        (SECRET, "s", ("a", "b"), 1, "y"),
    ]
    assert results(*base) == results(*base)
    assert len({results(*each) for each in (base, *others)}) == 6
    assert len(set(results(*base))) == 4


def chi_square(counts: Counter[Any], size: int) -> float:
    expected = counts.total() / size
    return sum((counts[value] - expected) ** 2 / expected for value in range(size))


# The 99.99 % points of chi-square; the seeds are fixed, so that this can never flicker.
@pytest.mark.parametrize(("size", "limit"), [(2, 15.2), (6, 25.8), (60, 116.0)])
def test_results_are_unbiased(size: int, limit: float) -> None:
    entropy = seeded(f"chi-square {size}")
    counts = Counter(entropy.roll(size, "die") - 1 for _ in range(6_000))
    assert set(counts) == set(range(size))
    assert chi_square(counts, size) < limit
    options = [str(place) for place in range(size)]
    counts = Counter(int(entropy.draw(options, "card")) for _ in range(6_000))
    assert chi_square(counts, size) < limit


def test_pairs_of_dice_are_independent() -> None:
    entropy = seeded("pairs")
    pairs = ((entropy.roll(6, "attack"), entropy.roll(6, "defence")) for _ in range(9_000))
    counts = Counter((a - 1) * 6 + b - 1 for a, b in pairs)
    assert chi_square(counts, 36) < 82.0


def test_numbers_that_would_bias_are_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bytes] = []
    answers = [b"\xff" * 32, (5 * 7 + 3).to_bytes(8, "big") + b"\0" * 24]

    def fake(key: bytes, message: bytes, name: str) -> bytes:
        asked.append(message)
        return answers[len(asked) - 1]

    monkeypatch.setattr(verify.hmac, "digest", fake)
    assert verify.derive(SECRET, "s||1", 4, "die", 7) == 3
    assert asked == [b"s||1|4|0|die", b"s||1|4|1|die"]
    asked.clear()
    answers[0] = b"\xff" * 32
    assert verify.derive(SECRET, "s||1", 0, "coin", 2) == 1, "a power of two needs no rejection"


@pytest.mark.parametrize("size", [0, -1])
def test_nothing_cannot_be_chosen_from(size: int) -> None:
    with pytest.raises(ValueError, match="nothing to choose from"):
        verify.derive(SECRET, "s", 0, "x", size)
    with pytest.raises(ValueError, match="nothing to choose from"):
        seeded("x").draw([], "x")


def test_recorded_results_say_what_was_asked_and_answered() -> None:
    recorded = RecordedEntropy(seeded("recorded"))
    options = ["same", "same", "other", "same"]
    values = [recorded.roll(6, "die"), *(recorded.draw(options, "card") for _ in range(8))]
    place = recorded.pick(options, "place")
    fresh = seeded("recorded")
    assert values == [fresh.roll(6, "die"), *(fresh.draw(options, "card") for _ in range(8))]
    assert place == fresh.pick(options, "place")
    die, *cards = recorded.results
    assert (die.label, die.size, die.index, die.meaning) == (
        "die",
        6,
        values[0] - 1,
        str(values[0]),
    )
    assert all(card.size == 4 and options[card.index] == card.meaning for card in cards)
    assert {card.index for card in cards} > {0, 2}, "equal options keep their own places"
    assert recorded.results[-1].index == place


# --- scripts ----------------------------------------------------------------------------------


def test_a_script_is_given_out_in_order() -> None:
    script = ScriptedEntropy([6, "b", 1, "a"])
    assert (script.roll(6, "x"), script.draw("ab", "x"), script.roll(2, "x")) == (6, "b", 1)
    assert script.pick("ba", "x") == 1
    script.finish()


@pytest.mark.parametrize("result", [0, 7, -1, "3", "a"])
def test_a_die_that_does_not_exist_fails(result: int | str) -> None:
    with pytest.raises(ScriptMismatch, match="from 1 to 6"):
        ScriptedEntropy([result]).roll(6, "attack")


@pytest.mark.parametrize("result", ["c", 1, ""])
def test_a_card_that_is_not_there_fails(result: int | str) -> None:
    with pytest.raises(ScriptMismatch, match="not one of a, b"):
        ScriptedEntropy([result]).draw(["a", "b", "a"], "card")


def test_a_script_too_short_or_too_long_fails() -> None:
    with pytest.raises(ScriptMismatch, match="the script is over, but a die for attack"):
        ScriptedEntropy([]).roll(6, "attack")
    script = ScriptedEntropy([1, "x"])
    script.roll(6, "attack")
    with pytest.raises(ScriptMismatch, match="left over"):
        script.finish()


def test_a_single_possibility_need_not_be_written() -> None:
    script = ScriptedEntropy(["only", 4])
    assert script.draw(["only"], "x") == "only"
    assert script.draw(["only"], "x") == "only"
    assert script.roll(6, "x") == 4
    assert ScriptedEntropy([]).draw(["only"], "x") == "only"


# --- the proof --------------------------------------------------------------------------------


def proof(actions: int = 4) -> dict[str, Any]:
    """A proof as `/table verify` gives it: a chain, salts that come in late, results of all kinds."""
    chain = KeyChain(SECRET, 50)
    rolls: list[dict[str, Any]] = []
    for number in range(1, actions + 1):
        salts = ["first", "second"][:number]
        entropy = RecordedEntropy(CommittedEntropy(chain.key(number), "S1", salts, number))
        for _ in range(number):
            entropy.roll(6, "die")
        entropy.draw(["a", "a", "b"], "card")
        results = [{"label": r.label, "size": r.size, "index": r.index} for r in entropy.results]
        key = chain.key(number).hex()
        rolls.append({"number": number, "key": key, "salts": salts, "results": results})
    return {"session": "S1", "commitment": chain.key(0).hex(), "rolls": rolls}


def test_an_honest_proof_is_ok() -> None:
    assert verify.check(proof()) == [(1, ""), (2, ""), (3, ""), (4, "")]
    assert verify.check(proof(0)) == []


def tampered(change: Callable[[dict[str, Any]], object]) -> dict[int, str]:
    """The complaints about a proof that was changed."""
    forged = json.loads(json.dumps(proof()))
    change(forged)
    return {place: wrong for place, (_, wrong) in enumerate(verify.check(forged), start=1) if wrong}


def test_every_kind_of_tampering_is_found() -> None:
    def results(forged: dict[str, Any]) -> list[dict[str, Any]]:
        return forged["rolls"][1]["results"]

    def other(index: int, size: int) -> int:
        return (index + 1) % size

    first = results(proof())[0]
    wrong = tampered(lambda f: results(f)[0].update(index=other(first["index"], 6)))
    assert list(wrong) == [2] and "result 1 (die)" in wrong[2]
    last = results(proof())[-1]
    assert list(tampered(lambda f: results(f)[-1].update(index=other(last["index"], 3)))) == [2]
    assert list(tampered(lambda f: f["rolls"][1].update(salts=["chosen later"]))) == [2]
    assert list(tampered(lambda f: results(f).pop(0))) == [2]
    assert list(tampered(lambda f: f.update(session="S2"))) == [1, 2, 3, 4]
    key = verify.hash_key(b"chosen").hex()
    wrong = tampered(lambda f: f["rolls"][1].update(key=key))
    assert list(wrong) == [2, 3] and "chain" in wrong[2]
    assert list(tampered(lambda f: f.update(commitment=key))) == [1]


def test_actions_left_out_added_or_swapped_are_found() -> None:
    def swap(forged: dict[str, Any]) -> None:
        forged["rolls"][1], forged["rolls"][2] = forged["rolls"][2], forged["rolls"][1]

    assert set(tampered(swap)) >= {2, 3}
    assert set(tampered(lambda f: f["rolls"].pop(1))) >= {2}
    assert set(tampered(lambda f: f["rolls"].insert(1, f["rolls"][0]))) >= {2}
    assert set(tampered(lambda f: f["rolls"][1].update(number=3))) >= {2}


def alone(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the verifier as a single file in an empty folder, with nothing of ours importable."""
    shutil.copy(verify.__file__, folder / "verify.py")
    return subprocess.run(
        [sys.executable, "-I", "verify.py", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    )


def test_the_verifier_stands_alone(tmp_path: Path) -> None:
    (tmp_path / "p.json").write_text(json.dumps(proof()), encoding="utf-8")
    done = alone(tmp_path, "p.json")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines == ["roll 1: OK", "roll 2: OK", "roll 3: OK", "roll 4: OK", "4 OK, 0 false"]
    forged = proof()
    forged["rolls"][2]["results"][0]["index"] ^= 1
    (tmp_path / "p.json").write_text(json.dumps(forged), encoding="utf-8")
    done = alone(tmp_path, "p.json")
    assert done.returncode == 1 and done.stderr == ""
    assert done.stdout.splitlines()[2].startswith("roll 3: FALSE: result 1 (die)")
    assert done.stdout.splitlines()[-1] == "3 OK, 1 false"


def _without(name: str) -> str:
    return json.dumps({k: v for k, v in proof().items() if k != name})


@pytest.mark.parametrize(
    "text",
    [
        "", "{", "[]", "null", "17", '"text"', "{}", _without("rolls"), _without("commitment"),
        _without("session"), json.dumps({**proof(), "commitment": "no hex"}),
        json.dumps({**proof(), "commitment": 5}), json.dumps({**proof(), "rolls": 5}),
        json.dumps({**proof(), "rolls": [1]}), json.dumps({**proof(), "rolls": [{}]}),
        json.dumps({**proof(), "rolls": {"a": 1}}), json.dumps({**proof(), "rolls": [None]}),
        json.dumps({**proof(), "rolls": [{**proof()["rolls"][0], "results": 1}]}),
        json.dumps({**proof(), "rolls": [{**proof()["rolls"][0], "key": None}]}),
        json.dumps({**proof(), "rolls": [{**proof()["rolls"][0], "number": None}]}),
        json.dumps({**proof(), "rolls": [{**proof()["rolls"][0], "results": [{"size": 6}]}]}),
        json.dumps({**proof(), "rolls": [
            {**proof()["rolls"][0], "results": [{"label": "die", "size": 0, "index": 0}]}]}),
    ],
)  # fmt: skip
def test_a_file_that_is_no_proof_is_called_so(text: str, tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "p.json"
    path.write_text(text, encoding="utf-8")
    assert verify.main([str(path)]) == 2
    assert "is not a proof file" in capsys.readouterr().out


def test_wrong_use_of_the_verifier(tmp_path: Path, capsys: Any) -> None:
    assert verify.main([]) == verify.main(["a", "b"]) == 2
    assert "usage" in capsys.readouterr().out
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    assert verify.main([str(tmp_path / "bytes")]) == verify.main([str(tmp_path / "none")]) == 2
    assert capsys.readouterr().out.count("is not a proof file") == 2


def test_the_verifier_needs_only_the_standard_library() -> None:
    tree = ast.parse(Path(verify.__file__).read_text(encoding="utf-8"))
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            names.add(node.module or "")
    assert {name.split(".")[0] for name in names} <= sys.stdlib_module_names


# --- domains ----------------------------------------------------------------------------------

names = st.lists(st.text("abcdefgh", min_size=1, max_size=3), unique=True, max_size=8)


def options(values: Sequence[str]) -> tuple[Option, ...]:
    return tuple(Option(value, value.upper()) for value in values)


@given(names, st.text(max_size=3), st.integers(0, 9))
def test_choices(values: list[str], other: str, seed: int) -> None:
    domain = Choices(options(values))
    assert bool(domain) == bool(values)
    assert domain.contains(other) == (other in values)
    assert all(domain.contains(value) and not domain.contains((value,)) for value in values)
    assert domain.default == (values[0] if len(values) == 1 else None)
    if values:
        assert domain.contains(domain.sample(seeded(f"{seed}")))
        also = Choices(options(values[:1]), also=tuple(values[1:]))
        assert all(also.contains(value) for value in values) and also.default == values[0]
        preset = Choices(options(values), preset=values[-1])
        assert preset.default == values[-1]


@given(names, st.integers(0, 4), st.integers(0, 4), st.integers(0, 9))
def test_several(values: list[str], least: int, more: int, seed: int) -> None:
    domain = Several(options(values), least, least + more)
    assert bool(domain) == (len(values) >= least)
    assert domain.default is None
    assert not any(domain.contains(value) for value in values), "one word is not a list"
    taken = tuple(values[: least + more])
    assert domain.contains(taken) == (least <= len(taken) <= least + more)
    assert domain.contains(taken[::-1]) == domain.contains(taken)
    assert not domain.contains((*values, "zz", "zz")[: least + more + 2]) or more < 0
    if domain:
        picked = domain.sample(seeded(f"{seed}"))
        assert isinstance(picked, tuple) and domain.contains(picked)
        assert len(set(picked)) == len(picked)
        if picked:
            assert not domain.contains((*picked[:-1], "zz"))
            assert not domain.contains((*picked[:-1], picked[0])) or len(picked) == 1


def test_the_empty_domain() -> None:
    assert not NOTHING and NOTHING.default is None and not NOTHING.contains("")


# --- actions ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ({}, "names its verb"),
        ({"verb": ""}, "names its verb"),
        ({"verb": 5}, "names its verb"),
        ({"verb": None}, "names its verb"),
        ({"verb": ["move"]}, "names its verb"),
        ({"to": "G7"}, "names its verb"),
        ({"verb": "move", "to": None}, "“to” must be a word"),
        ({"verb": "move", "to": 1.5}, "“to” must be a word"),
        ({"verb": "move", "to": {"a": 1}}, "“to” must be a word"),
        ({"verb": "move", "to": ["A1", 2]}, "list of words"),
        ({"verb": "move", "to": ["A1", ["B1"]]}, "list of words"),
        ({"verb": "move", "to": "x" * (LONGEST_VALUE + 1)}, "too long"),
        ({"verb": "move", "to": ["x" * (LONGEST_VALUE + 1)]}, "too long"),
        ({"verb": "move", **{f"s{n}": "x" for n in range(MOST_SLOTS)}}, f"at most {MOST_SLOTS}"),
    ],
)
def test_a_malformed_action_is_refused(raw: dict[str, Any], said: str) -> None:
    with pytest.raises(Illegal, match=said) as caught:
        read_action(raw)
    assert caught.value.rule == ""


slot_values = st.text(max_size=100) | st.lists(st.text(max_size=100), max_size=5).map(tuple)


@given(st.text(min_size=1), st.dictionaries(st.text(), slot_values, max_size=MOST_SLOTS - 1))
def test_actions_survive_json(verb: str, slots: dict[str, Value]) -> None:
    slots.pop("verb", None)
    action = Action(verb, slots)
    assert read_action(json.loads(json.dumps(action.to_json()))) == action


def test_numbers_may_be_written_as_numbers() -> None:
    assert read_action({"verb": "wait", "turns": 3}) == Action("wait", {"turns": "3"})
    assert read_action({"verb": "spread", "targets": ["a", "b"]}).slots["targets"] == ("a", "b")


# --- the gate ---------------------------------------------------------------------------------

GAME = ToyGame()
NO_CHANCE = ScriptedEntropy(())


def opened(**patch: object) -> ToyState:
    """A toy game at its first decision, with some fields changed; `mode` is that of the set-up."""
    mode = str(patch.pop("mode", "solo1"))
    state = begin(GAME, GAME.read_setup({"mode": mode}), NO_CHANCE).state
    for name, value in patch.items():
        GAME.patch(state, name, value)
    return state


def refuse(state: ToyState, seat: str, action: Action, rule: str, said: str) -> None:
    before = GAME.encode(state)
    with pytest.raises(Illegal, match=said) as caught:
        play(GAME, state, seat, action, NO_CHANCE)
    assert caught.value.rule == rule
    assert GAME.encode(state) == before


def test_the_gate_refuses() -> None:
    state = opened(mode="duel")
    refuse(state, "RED", Action("dance"), "", "Toy Skirmish knows no “dance”")
    refuse(state, "BLUE", Action("done"), "TOY-4", "not your turn")
    refuse(state, "GREEN", Action("done"), "TOY-4", "not your turn")
    refuse(state, "RED", Action("move"), "", "“Move” needs to: Where to?")
    refuse(state, "RED", Action("move", {"to": "F6"}), "TOY-1", "cannot walk to F6")
    refuse(state, "RED", Action("move", {"to": ("B2",)}), "TOY-1", "cannot walk")
    refuse(state, "RED", Action("move", {"to": "B2", "face": "N"}), "", "no use for “face” here")
    refuse(state, "RED", Action("done", {"to": "B2"}), "", "no use for “to” here")
    refuse(state, "RED", Action("attack", {"target": "BLUE"}), "", "nothing to attack now")
    refuse(opened(left=0), "RED", Action("move", {"to": "B2"}), "TOY-1", "no movement points")
    refuse(opened(ended="RED"), "RED", Action("done"), "", "This game is over.")
    near = opened(**{"pos.BLUE": "B1"})
    style = Action("attack", {"target": "BLUE", "style": "wild"})
    refuse(near, "RED", style, "", "“wild” is not a choice for “style” here")
    hand = opened(**{"hands.RED": ["AMMO", "MAP"]})
    twice = Action("burn", {"cards": ("AMMO", "AMMO")})
    refuse(hand, "RED", twice, "", "“AMMO, AMMO” is not a choice for “cards”")
    refuse(hand, "RED", Action("burn", {"cards": "AMMO"}), "", "“AMMO” is not a choice")
    refuse(hand, "RED", Action("burn", {"cards": ()}), "", "is not a choice")
    refuse(hand, "RED", Action("burn"), "", "“Burn cards” needs cards")


def test_the_gate_fills_presets_and_forced_choices() -> None:
    state = opened(**{"pos.BLUE": "B1"})
    turnout = play(GAME, state, "RED", Action("attack"), ScriptedEntropy([6, 1]))
    assert turnout.action == Action("attack", {"target": "BLUE", "style": "careful"})
    assert [(r.label, r.meaning) for r in turnout.results] == [("attack", "6"), ("defence", "1")]
    assert turnout.state.points["RED"] == 2 and turnout.binding
    bold = Action("attack", {"style": "bold"})
    assert play(GAME, state, "RED", bold, ScriptedEntropy([1, 6])).action.slots["style"] == "bold"
    assert not play(GAME, state, "RED", Action("move", {"to": "A2"}), NO_CHANCE).binding


def test_a_reveal_binds_even_without_chance() -> None:
    state = opened(**{"pos.RED": "C2", "finds": {"EMPTY": 1, "MEDAL": 0}})
    turnout = play(GAME, state, "RED", Action("move", {"to": "C3"}), NO_CHANCE)
    assert any(isinstance(event, Revealed) for event in turnout.events) and turnout.binding


def test_asking_slot_by_slot() -> None:
    state, attack = opened(**{"pos.BLUE": "B1"}), GAME.verbs["attack"]
    asked = next_slot(attack, state, "RED", {})
    assert asked is not None
    slot, domain, filled = asked
    assert (slot.name, filled) == ("style", {"target": "BLUE"}), "one target is no question"
    assert domain.default == "careful", "a preset is asked for all the same"
    assert next_slot(attack, state, "RED", {"style": "bold"}) is None
    assert fill(attack, state, "RED", Action("attack")) == {"target": "BLUE", "style": "careful"}
    assert next_slot(GAME.verbs["done"], state, "RED", {}) is None


class Guarded(Attack):
    """An attack whose style does not apply."""

    def domain(self, state: ToyState, seat: str, slot: str, picked: Picked) -> Domain | None:
        return None if slot == "style" else super().domain(state, seat, slot, picked)


def test_a_slot_that_does_not_apply_is_passed_over() -> None:
    state, verb = opened(**{"pos.BLUE": "B1"}), Guarded(GAME)
    assert next_slot(verb, state, "RED", {}) is None
    assert fill(verb, state, "RED", Action("attack")) == {"target": "BLUE"}
    with pytest.raises(Illegal, match="no use for “style”"):
        fill(verb, state, "RED", Action("attack", {"style": "bold"}))


def test_the_random_player_follows_its_weights() -> None:
    state, entropy = opened(), seeded("weights")
    only = dict.fromkeys(GAME.verbs, 0) | {"done": 1}
    verbs = {random_action(GAME, state, "RED", entropy, only).verb for _ in range(20)}
    assert verbs == {"done"}
    verbs = {random_action(GAME, state, "RED", entropy).verb for _ in range(60)}
    assert verbs == {offer.verb for offer in GAME.offers(state, "RED")}
    with pytest.raises(ValueError, match="nothing to choose from"):
        random_action(GAME, state, "BLUE", entropy)


# --- the automation ---------------------------------------------------------------------------


class Lazy(ToyGame):
    """A faulty game: nobody is asked, and its steps lead nowhere."""

    slug = "lazy"

    def tasks(self, state: ToyState) -> tuple[Task, ...]:
        return ()

    def step(self, state: ToyState, entropy: Entropy, log: list[Event]) -> None:
        return


def test_an_automation_without_an_end_is_noticed() -> None:
    game = Lazy()
    with pytest.raises(Stuck, match="lazy: the automation does not come to an end"):
        begin(game, game.read_setup({}), NO_CHANCE)
    state = opened()
    with pytest.raises(Stuck):
        play(game, state, "RED", Action("done"), NO_CHANCE)
    assert state == opened()


def test_a_fault_in_the_rules_changes_nothing() -> None:
    class Broken(Attack):
        def perform(self, state: ToyState, *_: Any) -> None:
            state.points["RED"] = 99
            raise RuntimeError("a fault")

    game = ToyGame()
    game.verbs = {**game.verbs, "attack": Broken(game)}
    state = opened(**{"pos.BLUE": "B1"})
    before = game.encode(state)
    with pytest.raises(RuntimeError, match="a fault"):
        play(game, state, "RED", Action("attack"), NO_CHANCE)
    assert game.encode(state) == before


def test_every_verb_must_say_its_domain_and_deed() -> None:
    assert Slot("to", "Where?").board is False
    with pytest.raises(KeyError):
        GAME.verbs["done"].domain(opened(), "RED", "nothing", {})


# --- data files (broken ones: tests/games/boots/test_content.py) ------------------------------


def test_tables_are_read_by_path_and_hashed_by_content(tmp_path: Path) -> None:
    (tmp_path / "maps").mkdir()
    (tmp_path / "b.toml").write_text('title = "Ü"\n[x]\nn = 1\nlist = [1, 2]\n', encoding="utf-8")
    (tmp_path / "maps" / "a.toml").write_text("on = true\n", encoding="utf-8")
    (tmp_path / "note.md").write_text("no table", encoding="utf-8")
    tables = read_tables(tmp_path)
    expected = {"b": {"title": "Ü", "x": {"n": 1, "list": [1, 2]}}, "maps/a": {"on": True}}
    assert tables == expected and list(tables) == ["b", "maps/a"]
    turned = {"maps/a": {"on": True}, "b": {"x": {"list": [1, 2], "n": 1}, "title": "Ü"}}
    assert canonical_json(turned) == canonical_json(tables)
    assert content_hash(turned) == content_hash(tables)
    assert json.loads(canonical_json(tables)) == tables
    turned["b"]["x"]["list"] = [2, 1]
    assert content_hash(turned) != content_hash(tables)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a = 1.5", "fractions"),
        ("a = [1, [0.5]]", "fractions"),
        ("a = 2024-01-01", "dates"),
        ("a = 12:00:00", "dates"),
        ("a = ", "not valid TOML"),
        ("a = 1\na = 2", "not valid TOML"),
    ],
)
def test_values_without_a_place_in_rules(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "t.toml").write_text(text + "\n", encoding="utf-8")
    with pytest.raises(BrokenData, match=said) as caught:
        read_tables(tmp_path)
    assert caught.value.file.endswith("t.toml") and caught.value.key
