"""Catching up: what was missed, since when, and what of it concerned somebody."""

from __future__ import annotations

from bot.chronicle import events_of, split
from games.kernel.entropy import seeded
from games.kernel.event import Noted
from games.kernel.game import Seat
from games.kernel.play import begin
from games.kernel.view import Mark
from games.registry import Registry
from tests.bot.house import KIM, ROBIN, SAM, House


async def test_since_the_own_last_action(house: House) -> None:
    table = await house.duel()
    nothing = await house.sessions.missed(table.id, ROBIN)
    assert nothing.entries == () and nothing.own
    before = (await house.act(table, "done")).table
    await house.act(table, "draw", user=KIM)
    await house.act(table, "move", user=KIM, to="E5")
    missed = await house.sessions.missed(table.id, ROBIN)
    assert missed.since == before.version and missed.before == before.state
    told = [event.text for event in events_of(missed, "RED")]
    assert told[0] == "Blue captain draws a card." and not any("You drew" in t for t in told)
    assert (await house.sessions.missed(table.id, KIM)).entries == ()
    mine, others = split(missed.table, ROBIN, events_of(missed, "RED"))
    assert mine == () and len(others) == len(told)


async def test_since_the_last_look(house: House) -> None:
    table = await house.duel()
    await house.act(table, "move", to="B2")
    first = await house.sessions.missed(table.id, SAM)
    assert first.since == 0 and len(first.entries) == first.table.version
    for _ in range(2):
        await house.sessions.caught_up(table.id, SAM, first.table.version)
        assert (await house.sessions.missed(table.id, SAM)).entries == ()
    await house.act(table, "move", to="B3")
    again = await house.sessions.missed(table.id, SAM)
    assert [row.kind for row in again.entries] == ["act"] and not again.own
    assert again.before.pos["RED"] == "B2"
    await house.undo(table)
    undone = await house.sessions.missed(table.id, SAM)
    assert [event.text for event in events_of(undone, None)] == [
        "Taken back: Red captain walks B2 to B3."
    ]


async def test_of_an_ended_game_a_kept_state_is_shown(house: House) -> None:
    table = await house.duel()
    await house.act(table, "draw")
    await house.act(table, "done")
    await house.act(table, "move", user=KIM, to="E5")
    await house.end(table)
    missed = await house.sessions.missed(table.id, KIM)
    assert [row.kind for row in missed.entries] == ["end"]
    assert missed.before.hands["RED"]


def test_what_concerns_a_squad() -> None:
    game = Registry().newest("boots")
    setup = game.read_setup({"mode": "comp"})
    state = begin(game, setup, seeded("a")).state
    alpha, bravo = Seat("ALPHA", "Alpha", "allied"), Seat("BRAVO", "Bravo", "allied")
    hit = Noted(text="Insurgent 3 fires at Alpha’s Scout: wounded.")
    assert game.concerns(state, alpha, hit) and not game.concerns(state, bravo, hit)
    unit = state.units["B-S"]
    unit.pos = "C4"
    shot = Noted(text="A shot.", marks=(Mark("fire", ("A1", "C4")),))
    assert game.concerns(state, bravo, shot) and not game.concerns(state, alpha, shot)
