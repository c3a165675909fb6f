"""The random player: picks a verb, samples its slots. Fuzzer, stand-in and load generator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from games.kernel.action import Action, Value
from games.kernel.entropy import Entropy
from games.kernel.game import Game

S = TypeVar("S")


def proxy_action(game: Game[S], state: S, seat: str, entropy: Entropy) -> Action | None:
    """What the program does for somebody absent: what settles a decision, else something at random.

    Never what is for people only (giving up, standing orders). None when nothing else is on offer.
    """
    offers = [game.verbs[offer.verb] for offer in game.offers(state, seat)]
    able = [verb for verb in offers if not verb.personal]
    settling = [verb for verb in able if verb.settles]
    if not able:
        return None
    keep = {verb.name for verb in settling or able}
    return random_action(
        game, state, seat, entropy, {verb.name: int(verb.name in keep) for verb in offers}
    )


def random_action(
    game: Game[S], state: S, seat: str, entropy: Entropy, weights: Mapping[str, int] | None = None
) -> Action:
    """Some legal action of a seat that has offers. `weights` makes verbs likelier (default 1 each)."""
    names: list[str] = []
    for offer in game.offers(state, seat):
        names.extend([offer.verb] * (weights or {}).get(offer.verb, 1))
    verb = game.verbs[entropy.draw(names, "verb")]
    picked: dict[str, Value] = {}
    for slot in verb.slots:
        domain = verb.domain(state, seat, slot.name, picked)
        if domain is not None:
            picked[slot.name] = domain.sample(entropy)
    return Action(verb.name, picked)
