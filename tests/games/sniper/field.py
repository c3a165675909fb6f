"""A mission at the BASE state of the specification (section 12), patched and played with scripted dice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.kernel.action import Action, read_action
from games.kernel.entropy import Entropy, ScriptedEntropy, seeded
from games.kernel.game import Setup
from games.kernel.illegal import Illegal
from games.kernel.play import Turnout, begin, play
from games.sniper.game import Sniper
from games.sniper.model import State
from tests.games.all_games import game_of

BLANKS = ("blank",) * 5
NEXT_TURN = (*BLANKS, "ghost")
"""The draws of a turn start that change nothing."""
QUIET = ("blank", "h1", *NEXT_TURN)
"""An end of phase III without a signal or a Reserve card, and the next turn's draws."""
OVER_THERE = {"card": "V1", "revealed": True, "attempted": True}
"""The VIP of somebody who stands in Zone 6."""

BASE: Mapping[str, Any] = {
    "location_cards": ["J08", "J02", "J03", "J04", "J07", "J10"],
    "phase": "III",
    "turn": 4,
    "first_contact": False,
    "morale": 10,
    "reserve": 1,
    "vip.card": "V1",
}


def game() -> Sniper:
    """The game with the content it ships with."""
    found = game_of("sniper")
    assert isinstance(found, Sniper)
    return found


def at(
    mode: str = "solo",
    options: Mapping[str, str] | None = None,
    place: str = "jungle",
    **patches: Any,
) -> State:
    """The BASE state with patches; `vip__card` stands for the path `vip.card`."""
    setup = Setup("mission", mode, dict(options or {}), place, empty=True)
    state = begin(game(), setup, ScriptedEntropy(())).state
    for path, value in {**BASE, **patches}.items():
        game().patch(state, path.replace("__", "."), value)
    return state


def group(count: int, where: str = "long", *, spotted: bool = False) -> dict[str, Any]:
    """H(count, range, s/u) of the specification."""
    return {"kind": "hostile", "count": count, "range": where, "spotted": spotted}


def shooter(where: str = "long", shots: int = 0) -> dict[str, Any]:
    """ES(range, shots) of the specification."""
    return {"kind": "sniper", "count": 1, "range": where, "spotted": True, "shots": shots}


def fire(actions: int, target: str = "enemy", tries: int = 0) -> dict[str, Any]:
    """An open fire."""
    return {"actions": actions, "target": target, "spot_tries": tries}


def turnout(state: State, verb: str, *script: int | str, seat: str = "", **slots: Any) -> Turnout:
    """Act with exactly these dice and draws. `with_` stands for the slot `with`."""
    entropy = ScriptedEntropy(script)
    found = play(game(), state, seat or acting(state), read(verb, slots), entropy)
    entropy.finish()
    return found


def do(state: State, verb: str, *script: int | str, seat: str = "", **slots: Any) -> State:
    """The state after an action with exactly these dice and draws."""
    return turnout(state, verb, *script, seat=seat, **slots).state


def refused(state: State, verb: str, rule: str, seat: str = "", **slots: Any) -> str:
    """The sentence with which an action is refused under a rule; nothing has changed."""
    before = game().encode(state)
    try:
        play(game(), state, seat or acting(state), read(verb, slots), ScriptedEntropy(()))
    except Illegal as illegal:
        assert illegal.rule == rule, f"{illegal.rule}: {illegal.sentence}"
        assert game().encode(state) == before
        return illegal.sentence
    raise AssertionError(f"{verb} should be refused under {rule}")


def read(verb: str, slots: Mapping[str, Any]) -> Action:
    """An action from keywords."""
    return read_action({"verb": verb, **{k.rstrip("_"): v for k, v in slots.items()}})


def acting(state: State) -> str:
    """The seat that must act; the Sniper's when nobody must."""
    tasks = game().tasks(state)
    return tasks[0].seat if tasks else "SNIPER"


def offered(state: State, seat: str = "SNIPER") -> set[str]:
    """The verbs a seat may start now."""
    return {offer.verb for offer in game().offers(state, seat)}


def values(state: State, verb: str, slot: str, seat: str = "SNIPER", **picked: Any) -> list[str]:
    """What a slot can hold now; empty when it does not apply."""
    filled = dict(read(verb, picked).slots)
    domain = game().verbs[verb].domain(state, seat, slot, filled)
    return [option.value for option in domain.options] if domain is not None else []


def shot(state: State, drm_of: str = "") -> dict[str, int]:
    """The modifiers of the next shot by name, with a still target in no wind."""
    look = game().at(state)
    vip = state.fire is not None and state.fire.target == "vip"
    found = look.shot_modifiers(vip=vip, moving=False, wind=7, steady=False)
    return {modifier.name: modifier.value for modifier in found}


def policy_mission(state: State, entropy: Entropy) -> State:
    """Play a mission to its end by the stand-in policy."""
    while game().result(state) is None:
        decided = game().policy(state, "standin")
        assert decided is not None
        state = play(game(), state, *decided, entropy).state
    return state


def new(seed: str, **chosen: str) -> State:
    """A mission as it is really set up."""
    return begin(game(), game().read_setup(chosen), seeded(seed)).state
