"""What nobody can see changes nothing that anybody can see: views, tasks, offers, domains, refusals,
marks, texts and picture bytes. Events with an audience reach nobody else.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from games.boots.game import Boots
from games.kernel.action import Action, Value
from games.kernel.entropy import CommittedEntropy, ScriptedEntropy, seeded
from games.kernel.event import Drew, Noted, seen_by
from games.kernel.game import Game
from games.kernel.illegal import Illegal
from games.kernel.play import Turnout, begin, play
from games.kernel.random_player import random_action
from games.kernel.view import View
from tests.games.all_games import SOME, Case, game_of

POSITIONS = 14
SOAK_POSITIONS = 200
WRONG: tuple[Value, ...] = (
    "",
    "A1",
    "G7",
    "K10",
    "A-L",
    "IN1",
    "CV1",
    "VH1",
    "LB1",
    "HO1",
    ("IN1",),
)


def seats_of(case: Case) -> list[str]:
    return [seat.id for seat in case.game.seats(case.game.read_setup(case.chosen))]


def positions(case: Case, seed: str) -> list[Any]:
    """All states of one game, played as sensibly as the case can."""
    game, chance, choice = case.game, seeded(f"{seed}:chance"), seeded(f"{seed}:choice")
    state = begin(game, game.read_setup(case.chosen), chance).state
    player = case.player(game) if case.player else None
    found = [state]
    while game.result(state) is None:
        seat = choice.draw([task.seat for task in game.tasks(state)], "seat")
        if player is not None:
            action = player(state, seat, choice)
        else:
            action = random_action(game, state, seat, choice, case.weights)
        state = play(game, state, seat, action, chance).state
        found.append(state)
    return found


def some(case: Case, soak: bool) -> Iterator[Any]:
    """Positions from a few games, spread over each."""
    count = SOAK_POSITIONS if soak else POSITIONS
    for number in range(2):
        whole = positions(case, f"leaks:{case.name}:{number}")
        yield from whole[:: max(1, 2 * len(whole) // count)]


def shown(game: Game[Any], state: Any, seat: str) -> Iterator[tuple[str, bytes]]:
    """Everything a seat gets to know in a position, piece by piece."""

    def raw(value: object) -> bytes:
        return msgspec.json.encode(value)

    yield "view", raw(game.view(state, seat))
    yield "tasks", raw(game.tasks(state))
    yield "result", raw(game.result(state))
    yield "verbs", raw(game.verbs_now(state, seat))
    yield "offers", raw(game.offers(state, seat))
    for verb in game.verbs.values():
        yield f"refusal of {verb.name}", refusal(game, state, seat, Action(verb.name)).encode()
    for offer in game.offers(state, seat):
        verb, picked, choice = game.verbs[offer.verb], {}, seeded(offer.verb)
        for slot in verb.slots:
            domain = verb.domain(state, seat, slot.name, picked)
            name = f"{verb.name} {slot.name}"
            yield name, raw(domain)
            yield f"marks of {name}", raw(game.pick_marks(state, seat, verb.name, picked))
            if domain is None:
                continue
            for value in WRONG:
                if not domain.contains(value):
                    action = Action(verb.name, {**picked, slot.name: value})
                    yield f"{name} {value}", refusal(game, state, seat, action).encode()
            picked[slot.name] = domain.sample(choice)


def refusal(game: Game[Any], state: Any, seat: str, action: Action) -> str:
    """Why an action is refused, if it is."""
    try:
        play(game, state, seat, action, seeded("refusal"))
    except Illegal as refused:
        return f"{refused.rule} {refused.sentence}"
    return ""


@pytest.mark.parametrize("case", SOME, ids=lambda case: case.name)
def test_hidden_changes_show_nowhere(case: Case, soak: bool) -> None:
    game = case.game
    changed = 0
    for state in some(case, soak):
        for seat in seats_of(case):
            before = list(shown(game, state, seat))
            for other in case.unseen(game, state, seat):
                changed += game.encode(other) != game.encode(state)
                for (what, one), (name, two) in zip(before, shown(game, other, seat), strict=True):
                    assert what == name and one == two, f"{seat} learns something from {what}"
        public = msgspec.json.encode(game.view(state, None))
        for other in case.unseen(game, state, None):
            assert msgspec.json.encode(game.view(other, None)) == public
    assert changed >= 10, "nothing hidden was changed"


PICTURED = tuple(c for n, c in enumerate(SOME) if n % 4 == 0 or c.slug == "sniper")
"""A few set-ups of every board kind."""


@pytest.mark.parametrize("case", PICTURED, ids=lambda case: case.name)
def test_hidden_changes_show_in_no_picture(case: Case) -> None:
    renderer = pytest.importorskip("renderer")

    def drawn(view: View) -> list[object]:
        picture = renderer.board(view)
        return [picture.png, picture.alt, renderer.alt_text(view), renderer.text_board(view)]

    whole = positions(case, f"pictures:{case.name}")
    for state in (whole[len(whole) // 3], whole[2 * len(whole) // 3]):
        for seat in (*seats_of(case), None):
            before = drawn(case.game.view(state, seat))
            for other in list(case.unseen(case.game, state, seat))[::3]:
                assert drawn(case.game.view(other, seat)) == before


# --- events -----------------------------------------------------------------------------------


@pytest.mark.parametrize("case", SOME, ids=lambda case: case.name)
def test_events_with_an_audience_reach_nobody_else(case: Case) -> None:
    game = case.game
    for number in range(4):
        chance, choice = seeded(f"{case.name}:{number}:a"), seeded(f"{case.name}:{number}:b")
        turnout = begin(game, game.read_setup(case.chosen), chance)
        while True:
            for seat in (*seats_of(case), "STRANGER", None):
                seen = seen_by(turnout.events, seat)
                assert all(e.to is None or seat in e.to for e in seen)
                assert [e for e in turnout.events if e.to is None or seat in e.to] == list(seen)
            if game.result(turnout.state) is not None:
                break
            seat = choice.draw([task.seat for task in game.tasks(turnout.state)], "seat")
            action = random_action(game, turnout.state, seat, choice, case.weights)
            turnout = play(game, turnout.state, seat, action, chance)


def test_seen_by_keeps_the_order_and_no_seat_is_not_the_seat_none() -> None:
    everybody, red = Noted(text="a"), Noted(text="b", to=("RED",))
    both, nobody = Noted(text="c", to=("RED", "BLUE")), Noted(text="d", to=())
    events = (everybody, red, both, nobody)
    assert seen_by(events, "RED") == (everybody, red, both)
    assert seen_by(events, "BLUE") == (everybody, both)
    assert seen_by(events, "GREEN") == seen_by(events, None) == (everybody,)


# --- Boots on the Ground ----------------------------------------------------------------------


def boots() -> Boots:
    game = game_of("boots")
    assert isinstance(game, Boots)
    return game


@pytest.mark.rule("BG-4.14", "BG-8.7")
def test_boots_the_scouted_card_is_public_and_the_rest_of_the_deck_is_not() -> None:
    game = boots()
    setup = game.read_setup({"mission": "hot-lz"})
    state = begin(game, setup, ScriptedEntropy(())).state
    for action in (Action("ready"), Action("activate", {"unit": "A-S"})):
        state = play(game, state, "ALPHA", action, ScriptedEntropy(())).state
    before = game.view(state, None)
    turnout = play(game, state, "ALPHA", Action("recon"), ScriptedEntropy(["IC30"]))
    after = game.view(turnout.state, None)
    assert [card.id for card in after.cards] == ["IC30"] and before.cards == ()
    assert any(isinstance(e, Drew) and e.to is None for e in turnout.events)
    assert turnout.state.next_card == "IC30"
    for view in (before, after):
        text = msgspec.json.encode(view).decode()
        assert not [card for card in game.content.cards if card in text and card != "IC30"]


def test_boots_kinds_are_not_decided_before_they_come_up() -> None:
    game = boots()
    for mission in game.content.missions:
        state = begin(game, game.read_setup({"mission": mission}), seeded(mission)).state
        hidden = [*state.civilians.values(), *state.vehicles.values(), *state.boxes.values()]
        assert not [counter.id for counter in hidden if counter.kind]
        assert state.deck == sorted(state.deck) and not state.next_card


# --- Sniper Kill Confirmed --------------------------------------------------------------------


def missions(mode: str, number: int) -> Iterator[tuple[Any, Turnout[Any], Any]]:
    """A mission step by step: the state before, what came of it, the state afterwards."""
    case = next(c for c in SOME if c.slug == "sniper" and c.chosen["mode"] == mode)
    game, chance = case.game, seeded(f"sniper leaks {mode} {number}")
    assert case.player is not None
    player, state = case.player(game), begin(game, game.read_setup(case.chosen), chance).state
    while game.result(state) is None:
        seat = chance.draw([task.seat for task in game.tasks(state)], "seat")
        turnout = play(game, state, seat, player(state, seat, chance), chance)
        yield state, turnout, turnout.state
        state = turnout.state


@pytest.mark.rule("SK-22.1")
@pytest.mark.parametrize("mode", ["solo", "group"])
def test_sniper_spectators_do_not_see_the_hands(mode: str) -> None:
    game = game_of("sniper")
    for number in range(4):
        for before, turnout, after in missions(mode, number):
            assert game.view(after, None).hand == () == game.view(after, "STRANGER").hand
            held = len(set(after.hand)) + len(set(after.tactical))
            for seat in ("SNIPER", "SPOTTER") if mode == "group" else ("SNIPER",):
                assert len(game.view(after, seat).hand) == held
            public = seen_by(turnout.events, None)
            assert not [e for e in public if e.text.startswith("Drawn:")]
            noted = [e.text for e in public if isinstance(e, Noted)]
            assert not [text for text in noted if text.startswith("Tactical card:")]
            ours = [e.text for e in seen_by(turnout.events, "SNIPER")]
            assert after.turn == before.turn or any(text.startswith("Drawn:") for text in ours)


@pytest.mark.rule("SK-1.12", "SK-1.13", "SK-13.1")
def test_sniper_nothing_hidden_is_decided_or_shown_before_it_comes_up() -> None:
    game = game_of("sniper")
    content: Any = game.content  # pyright: ignore[reportAttributeAccessIssue]
    for number in range(6):
        for _, _, state in missions("group" if number % 2 else "solo", number):
            assert not any(state.location_cards[state.zone :])
            assert bool(state.vip.card) == state.vip.revealed
            raw = msgspec.json.encode([game.view(state, "SNIPER"), game.view(state, None)]).decode()
            for card in state.location_pile:
                assert content.location_cards[card].name not in raw
            if not state.vip.revealed:
                assert not [vip for vip in content.vips.values() if vip.name in raw]


def test_the_state_holds_no_key() -> None:
    key = b"\x17" * 32
    game = game_of("toy")
    chance = CommittedEntropy(key, "s", (), 1)
    state = begin(game, game.read_setup({}), chance).state
    state = play(game, state, "RED", Action("draw"), chance).state
    assert key.hex().encode() not in game.encode(state) and b"s|" not in game.encode(state)
