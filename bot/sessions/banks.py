"""Banks of time: what a step takes from them and gives to them."""

from __future__ import annotations

from dataclasses import replace

from bot.sessions.model import SeatHolder, Table

RENEW = ("act", "stand_in", "undo", "join")
"""Steps after which their own seat, if it must act (again), has been waited for only since then."""


def banked(before: Table | None, after: Table, *, kind: str, moved: str, now: int) -> Table:
    """The table after a step of that kind by the seat `moved`, with its banks and waits brought up to date.

    A seat that need not act any more has spent the time since its wait began, and its bank grows; one
    that has acted and must act again has spent it, too, and a new wait begins. New people begin anew.
    """
    was = {} if before is None or kind == "begin" else {h.seat: h for h in before.seats}
    due = after.pending()

    def counted(holder: SeatHolder) -> SeatHolder:
        old, waits = was.get(holder.seat), holder.seat in due
        renewed = holder.seat == moved and kind in RENEW
        since = None if old is None else old.since
        bank = holder.bank
        if before is not None and old is not None and since is not None and before.timed(old):
            done = not waits
            bank = before.pace.spent(bank, now - since, done=done) if done or renewed else bank
        if old is not None and old.users and not set(old.user_ids) & set(holder.user_ids):
            bank = None
        if not waits:
            return replace(holder, bank=bank, since=None, muted=())
        if since is None or renewed:
            return replace(holder, bank=bank, since=now, muted=())
        return replace(holder, bank=bank)

    return replace(after, seats=tuple(counted(holder) for holder in after.seats))
