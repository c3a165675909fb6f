"""The verbs of the game (spec section 8), by the state they belong to."""

from __future__ import annotations

from games.kernel.game import Verb
from games.sniper.content import Content
from games.sniper.model import State
from games.sniper.verbs.answers import (
    Abandon,
    DiscardTactical,
    Extract,
    Focus,
    GiveOrders,
    Hold,
    Patrol,
    Radio,
    ReleaseHold,
    StayHere,
)
from games.sniper.verbs.base import SniperVerb
from games.sniper.verbs.fire import Binocs, Engage, OpenFire, Shoot, Spot
from games.sniper.verbs.window import (
    Crawl,
    CrawlOn,
    EndPhase,
    EndTurn,
    Heal,
    Move,
    Tactical,
)

WINDOW = (
    "engage", "fire", "spot", "binocs", "shoot", "move", "crawl", "crawl_on", "heal", "tactical",
    "end_phase", "end_turn",
)  # fmt: skip
GROUP = ("release_hold", "hold", "focus")
PHASES: dict[str, tuple[str, ...]] = {
    "TDISCARD": ("discard_tactical",),
    "PATROL": ("patrol",),
    "I": WINDOW,
    "II": WINDOW,
    "III": WINDOW,
    "IV": ("radio",),
    "VI": ("extract", "stay"),
}
"""Which verbs belong to which phase (spec sections 3 and 8)."""

KINDS: tuple[type[SniperVerb], ...] = (
    Engage, OpenFire, Spot, Binocs, Shoot, Move, Crawl, CrawlOn, Heal, Tactical, EndPhase, EndTurn,
    DiscardTactical, Patrol, Radio, Extract, StayHere, ReleaseHold, Hold, Focus, GiveOrders, Abandon,
)  # fmt: skip


def make_verbs(content: Content) -> dict[str, Verb[State]]:
    """All verbs, bound to the content."""
    return {kind.name: kind(content) for kind in KINDS}
