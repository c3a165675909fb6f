"""The verbs of the game (spec section 8), in the order in which they are offered."""

from __future__ import annotations

from games.boots.content import Content
from games.boots.model import State
from games.boots.verbs.abilities import Door, Escort, Grenade, KitHeal, Recon, Rpg, Treat
from games.boots.verbs.answers import Defuse, Detonate, Gi, Leave, Medivac, Open, Skip
from games.boots.verbs.combat import Fire, Spread
from games.boots.verbs.insurgents import (
    Auto,
    EventGrenade,
    InsurgentFire,
    InsurgentRpg,
    InsurgentSpread,
    InsurgentThrow,
    MoveInsurgent,
    Place,
    RiggedDoor,
    Role,
    Standing,
    Stay,
)
from games.boots.verbs.turn import (
    Activate,
    ActivateTeam,
    Concede,
    Deploy,
    Done,
    Move,
    Ready,
    Select,
    Turn,
)
from games.kernel.game import Verb

STEPS: dict[str, tuple[str, ...]] = {
    "deploy": ("ready", "deploy"),
    "choose": ("activate", "activate_team"),
    "act": (
        "move", "fire", "spread", "select", "turn", "treat", "escort", "kit_heal",
        "grenade", "rpg", "door", "recon", "done",
    ),
    "defuse": ("defuse", "detonate"),
    "box": ("open", "leave"),
    "medivac": ("medivac", "skip"),
    "gi": ("gi", "skip"),
}  # fmt: skip
"""Which verbs belong to which step of the sequence of play."""


def make_verbs(content: Content) -> dict[str, Verb[State]]:
    """All verbs, bound to the content."""
    kinds = (
        Ready, Deploy, Activate, ActivateTeam, Move, Fire, Spread, Select, Turn, Treat, Escort,
        KitHeal, Grenade, Rpg, Door, Recon, Done, Defuse, Detonate, Open, Leave, Medivac, Gi, Skip,
        Place, MoveInsurgent, Stay, Role, EventGrenade, RiggedDoor, InsurgentFire, InsurgentSpread,
        InsurgentThrow, InsurgentRpg, Auto, Standing, Concede,
    )  # fmt: skip
    return {kind.name: kind(content) for kind in kinds}
