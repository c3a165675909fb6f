"""Drawing from a deck of 52: saved, drawn as a picture, made a letter; beside encoding and a commit."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter

from bot.layout import Image
from bot.parlour.decks import Decks
from bot.parlour.decks_letters import faces, public_letter
from bot.parlour.decks_model import Request
from bot.store import Store
from bot.studio import Studio
from games.parlour.deck_standard import STANDARD
from renderer.playing_cards import spread
from tests.bench.figures import Figures, Size, percentile
from tests.bench.pictures import encode, watched
from tests.bench.storing import Ledger

DRAWN = 5
BYTES = 2_500
"""What one draw writes, about: the piles, the log row with its key and results."""


async def measure(figures: Figures, size: Size, folder: Path) -> None:
    """Wall time of draws of five cards, the deck shuffled whenever it is used up."""
    store = await Store.open(f"sqlite+aiosqlite:///{folder}/decks.db")
    decks, studio = Decks(store, clock=lambda: 1_800_000_000), Studio()
    ledger = Ledger(folder / "dealt.db", BYTES)
    number = 0

    def wanted() -> Request:
        nonlocal number
        number += 1
        return Request(1, 1, 1, "Robin", number)

    await decks.make(wanted(), STANDARD.title, STANDARD.title, STANDARD.cards)
    took: list[float] = []
    floor: list[float] = []
    await _draw(decks, studio, wanted())  # the channel's keys are made, the faces kept
    while len(took) < max(10, size.commits // 4):
        if (await decks.get(wanted())).deck.piles.left < DRAWN:
            await decks.shuffle(wanted(), "both")
        with watched() as seen:
            begun = perf_counter()
            await _draw(decks, studio, wanted())
            took.append(perf_counter() - begun)
        begun = perf_counter()
        for image in list(seen):
            encode(image)
        floor.append(perf_counter() - begun + ledger.commit())
    ledger.close()
    studio.close()
    await store.close()
    figures.spread("deck", took)
    figures.put("deck.floor_ms", percentile(floor, 50) * 1000)
    figures.ratio("deck.ratio", "deck.p50_ms", "deck.floor_ms")


async def _draw(decks: Decks, studio: Studio, wanted: Request) -> None:
    """What `/deck draw number:5` does between Discord's question and the answer."""
    happened = await decks.draw(wanted, DRAWN, "table")
    now = happened.standing
    picture = await studio.make(spread, faces(happened.shown, now), "Robin draws", "47 left")
    public_letter(happened, (Image("cards.png", picture.png, picture.alt),))
