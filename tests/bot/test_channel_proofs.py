"""Files that prove a channel's rolls and draws: every field is changed, and what nobody could believe
any more is found, or is seen in what the verifier prints."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bot.acknowledge import Desk
from bot.parlour.decks import Decks
from bot.parlour.decks_model import Request
from bot.parlour.rolls import Rolls
from bot.parlour.rolls_kept import proof
from bot.store import Store
from bot.studio import Studio
from games.kernel import verify
from games.parlour.deck_standard import STANDARD
from tests.bot.house import ROBIN

CLAIMS = {"who", "notation", "totals", "time", "deck", "step", "sealed", "left_out"}
"""What the files only say (see the verifier's docstring): no key can vouch for it."""

CHANNEL = 70
"""So many dice and cards are thrown and drawn that other keys or salts never give the same by chance."""


class Answers(Desk):
    """Does the work, and lets what is refused out."""

    async def answer(self, interaction: Any, work: Any, way: Any = None) -> None:
        await work()


async def proof_of_rolls(store: Store) -> dict[str, Any]:
    studio = Studio()
    rolls = Rolls(store, Answers(), studio, clock=lambda: 1)
    user = SimpleNamespace(id=ROBIN, display_name="Робин")
    for number, dice in enumerate(("12d6+1", "9dF; 6d%", "20d{1,−2,2}!", "9d20r<3kh1"), start=5):
        press: Any = SimpleNamespace(id=number, guild_id=9, channel_id=CHANNEL, user=user)
        await rolls.command(press, dice, secret=False, label="", times=1)
    studio.close()
    raw, _ = await proof(store, CHANNEL, ROBIN)
    return json.loads(raw)


async def proof_of_cards(store: Store) -> dict[str, Any]:
    decks = Decks(store, clock=lambda: 1)
    asked = iter(range(100, 200))

    def wants() -> Request:
        return Request(CHANNEL, 9, ROBIN, "Robin", next(asked))

    await decks.make(wants(), "Proof", STANDARD.title, STANDARD.cards)
    await decks.draw(wants(), 5, "table")
    await decks.draw(wants(), 6, "discard")
    return json.loads(await decks.proof(wants()))


def places(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to everything in a file, from the outside in."""
    yield way
    inner: Any = value.items() if isinstance(value, dict) else ()
    for key, one in inner or (enumerate(value) if isinstance(value, list) else ()):
        yield from places(one, (*way, key))


def others(value: Any) -> list[Any]:
    """What might be put in the place of a value."""
    match value:
        case int():
            return [value + 1, value - 1, value * 2, value + 0.5, str(value), float("inf"), None]
        case str():
            return [
                value[:-1],
                value + "0",
                value[::-1] + "1",
                "\x1b[2K" + value,
                "\ud800",
                777,
                None,
            ]
        case list():
            return [value[:-1], [*value, *value[-1:]], "", None]
        case _:
            return [[], None]


def changed(good: Any, way: tuple[Any, ...], value: Any) -> Any:
    """A copy of a file with another value in one place."""
    if not way:
        return value
    copy: Any = json.loads(json.dumps(good))
    inside = copy
    for key in way[:-1]:
        inside = inside[key]
    inside[way[-1]] = value
    return copy


@pytest.mark.parametrize("make", [proof_of_rolls, proof_of_cards])
async def test_every_change_is_found_or_seen(
    make: Any, store: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = await make(store)
    path = tmp_path / "proof.json"

    def told(proof: Any) -> tuple[int, str]:
        path.write_text(json.dumps(proof), encoding="utf-8")
        code = verify.main([str(path)])
        return code, capsys.readouterr().out

    code, shown = told(good)
    assert code == 0 and f"seal 1: {good['seals'][0]}" in shown
    for way in list(places(good)):
        if CLAIMS & set(way) or way[:1] == ("cards",) or (way[4:] and way[3] > 1):
            continue  # of each roll, the first two results are enough
        value: Any = good
        for key in way:
            value = value[key]
        for other in (one for one in others(value) if one != value):
            code, after = told(changed(good, way, other))
            assert code or after != shown, (way, value, other)
            assert "\x1b" not in after
    # A roll that is called something else is found, not only seen.
    for place, roll in enumerate(good["rolls"]):
        result = roll["results"][0]
        for name in ("index", "size", "meaning"):
            for other in (str(result[name]) + "1", 999):
                way = ("rolls", place, "results", 0, name)
                code, _ = told(changed(good, way, other))
                assert code, (way, other)


async def test_what_fell_is_printed(
    store: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = await proof_of_rolls(store)
    path = tmp_path / "proof.json"
    path.write_text(json.dumps(good), encoding="utf-8")
    assert verify.main([str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    first, second, third, _ = good["rolls"]
    faces = [result["meaning"] for result in first["results"]]
    assert lines[1] == f"roll 1: OK: d6 {' '.join(faces)}"
    assert sum(int(face) for face in faces) + 1 == first["totals"][0]
    fate = " ".join(("-", "blank", "+")[r["index"]] for r in second["results"][:9])
    percent = " ".join(r["meaning"] for r in second["results"][9:])
    assert lines[2] == f"roll 2: OK: dF {fate}, d% {percent}"
    own = " ".join(("1", "−2", "2")[r["index"]] for r in third["results"])
    assert lines[3] == f"roll 3: OK: d{{1,−2,2}} {own}"
    assert lines[-2:] == [
        "4 OK, 0 false",
        "Compare the seal, and each roll, with what was posted in the channel.",
    ]
