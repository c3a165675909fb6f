"""Banks of time: what a step takes from them and gives to them."""

from __future__ import annotations

from dataclasses import replace

from bot.sessions.model import SeatHolder, Table

RENEW = ("act", "stand_in", "undo", "join")
"""Steps after which their own seat, if it must act (again), has been waited for only since then."""

PACE, UNDO = "pace", "undo"
"""Steps that do with banks what others do not."""


def banked(before: Table | None, after: Table, *, kind: str, moved: str, now: int) -> Table:
    """The table after a step of that kind by the seat `moved`, with its banks and waits brought up to date.

    A seat that need not act any more has spent the time since its wait began, and its bank grows; one
    that has acted and must act again has spent it, too, and a new wait begins. A clock may stop in the
    middle of a wait and run again; what passes between is not spent. What was given for a turn is taken
    back with it. New people begin anew.
    """
    was = {} if before is None or kind == "begin" else {h.seat: h for h in before.seats}
    due = after.pending()

    def counted(holder: SeatHolder) -> SeatHolder:
        old, waits = was.get(holder.seat), holder.seat in due
        bank = holder.bank
        anew = old is None or old.since is None or (holder.seat == moved and kind in RENEW)
        if before is not None and old is not None and kind != PACE:
            bank = _spent(before, after, old, holder, kind, anew, now)
        if old is not None and old.users and not set(old.user_ids) & set(holder.user_ids):
            bank = None
        if not waits:
            return replace(holder, bank=bank, since=None, muted=())
        if anew:
            return replace(holder, bank=bank, since=now, muted=())
        return replace(holder, bank=bank)

    return replace(after, seats=tuple(counted(holder) for holder in after.seats))


def _spent(
    before: Table,
    after: Table,
    old: SeatHolder,
    holder: SeatHolder,
    kind: str,
    anew: bool,
    now: int,
) -> int | None:
    """What a seat has in its bank after a step."""
    pace, bank, waits = before.pace, holder.bank, holder.seat in after.pending()
    if old.since is None:
        back = waits and kind == UNDO and after.timed(holder) and bank is not None
        return max(0, bank - pace.increment) if back and bank is not None else bank
    waited = max(0, now - old.since)
    if before.timed(old):
        goes_on = waits and not anew and after.timed(holder)
        done = not waits and kind != UNDO
        return bank if goes_on else pace.spent(bank, waited, done=done)
    if waits and not anew and after.timed(holder):  # it runs from now on
        return (pace.bank if bank is None else bank) + waited
    return bank
