"""The Intel cards for free use, without the game (`/deck`)."""

from __future__ import annotations

from games.boots.content import Content
from games.kernel.cards import CardKind, DeckList


def decks(content: Content) -> tuple[DeckList, ...]:
    """The Intel deck; cards that say the same are copies of one kind."""
    copies: dict[tuple[str, str], list[str]] = {}
    for card in content.cards.values():
        copies.setdefault((card.title, card.text), []).append(card.id)
    kinds = tuple(
        CardKind(f"intel:{ids[0]}", title, text, len(ids)) for (title, text), ids in copies.items()
    )
    return (DeckList("intel", "Intel cards", kinds),)
