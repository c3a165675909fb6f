"""A real process, killed with SIGKILL while somebody rolls dice or draws cards: a result is saved as a
whole or not at all, no key decides twice, and what was saved is not done again."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bot.parlour.decks import Decks
from bot.parlour.rolls_kept import page, proof
from bot.refusals import Duplicate
from bot.store import Store
from games.kernel.verify import main as verify
from tests.bot.house import ROBIN, address
from tests.bot.kill9_parlour import CHANNEL, draw, roll, wants

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")


def killed(database: Path, what: str, when: str) -> None:
    command = [sys.executable, "-m", "tests.bot.kill9_parlour", str(database), what, when]
    done = subprocess.run(
        command, cwd=ROOT, check=False, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == -signal.SIGKILL, done.stderr


@pytest.mark.parametrize(("when", "saved"), [("inside", 1), ("after", 2)])
async def test_killed_while_dice_are_rolled(tmp_path: Path, when: str, saved: int) -> None:
    database = tmp_path / "games.db"
    killed(database, "roll", when)
    store = await Store.open(address(database))
    async with store.read() as connection:
        listed = await page(connection, CHANNEL, ROBIN, 10)
    assert len(listed.rolls) == saved and listed.seal
    if saved == 2:
        with pytest.raises(Duplicate):  # Discord gives the same command again
            await roll(store, 6)
    else:
        await roll(store, 6)
    await roll(store, 7)
    async with store.read() as connection:
        listed = await page(connection, CHANNEL, ROBIN, 10)
    assert [one.key_number for one in listed.rolls] == [3, 2, 1]
    assert len({one.key for one in listed.rolls}) == 3
    raw, _ = await proof(store, CHANNEL, ROBIN)
    (tmp_path / "proof.json").write_bytes(raw)
    assert verify([str(tmp_path / "proof.json")]) == 0
    await store.close()


@pytest.mark.parametrize(("when", "saved"), [("inside", 5), ("after", 10)])
async def test_killed_while_cards_are_drawn(tmp_path: Path, when: str, saved: int) -> None:
    database = tmp_path / "games.db"
    killed(database, "draw", when)
    store = await Store.open(address(database))
    decks = Decks(store, clock=lambda: 1)
    deck = await decks.get(wants(0))
    assert (len(deck.hand(ROBIN)), deck.deck.piles.left) == (saved, 52 - saved)
    if saved == 10:
        with pytest.raises(Duplicate):
            await draw(store, 6)
    else:
        await draw(store, 6)
    deck = await decks.get(wants(0))
    assert (len(deck.hand(ROBIN)), deck.deck.piles.left) == (10, 42)
    await decks.shuffle(wants(8), "everything")
    (tmp_path / "proof.json").write_bytes(await decks.proof(wants(0)))
    assert verify([str(tmp_path / "proof.json")]) == 0
    await store.close()
