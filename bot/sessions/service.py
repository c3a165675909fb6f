"""The session service: opening tables, seats, acting, ending them. It knows no Discord."""

from __future__ import annotations

from bot.sessions.accustomed import Accustomed
from bot.sessions.asking import Asking
from bot.sessions.carrying import Carrying
from bot.sessions.consent import TakingBack
from bot.sessions.forgetting import Forgetting
from bot.sessions.lessons import Lessons
from bot.sessions.lobby import Lobbies
from bot.sessions.mine import Everywhere
from bot.sessions.overdue import Overdue
from bot.sessions.pacing import Pacing
from bot.sessions.reels import Reels
from bot.sessions.salting import Salting
from bot.sessions.substitutes import Substitutes
from bot.sessions.throws import Throws
from bot.sessions.visits import Visits
from bot.sessions.votes import Votes


class Sessions(
    Lobbies,
    Overdue,
    TakingBack,
    Substitutes,
    Votes,
    Asking,
    Pacing,
    Accustomed,
    Visits,
    Reels,
    Throws,
    Everywhere,
    Lessons,
    Salting,
    Carrying,
    Forgetting,
):
    """All sessions of one bot.

    Every method may raise `StoreBusy` or `StoreFull`; every refusal is a `Refused` whose sentence is
    for the player, and leaves everything as it was.
    """
