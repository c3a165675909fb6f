"""The mission cards for free use, without the game (`/deck`)."""

from __future__ import annotations

from collections import Counter

from games.kernel.cards import CardKind, DeckList
from games.sniper import words
from games.sniper.content import Content


def decks(content: Content) -> tuple[DeckList, ...]:
    """The Action, Tactical, Hostile and Target VIP decks, as they are in play at the start."""
    texts = {
        "action": {card.id: (card.name, card.text) for card in content.action.values()},
        "tactical": {card.id: (card.name, card.text) for card in content.tactical.values()},
        "hostile": {card.id: (card.name, card.text) for card in content.hostile.values()},
        "target": {vip.id: (vip.name, words.vip_text(vip)) for vip in content.vips.values()},
    }
    lists = (
        ("action", "Action cards", content.action_deck),
        ("tactical", "Tactical cards", content.tactical_deck),
        ("hostile", "Hostile cards", content.hostile_deck),
        ("target", "Target cards", content.vip_deck),
    )
    return tuple(
        DeckList(
            kind,
            title,
            tuple(
                CardKind(f"{kind}:{card}", *texts[kind][card], copies)
                for card, copies in Counter(deck).items()
            ),
        )
        for kind, title, deck in lists
    )
