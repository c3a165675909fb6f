"""The public notices of what stays open while the game goes on: a seat is offered, people vote."""

from __future__ import annotations

from collections.abc import Sequence

from bot import texts
from bot.custom_ids import Press
from bot.layout import AMBER, GREY, Letter, Screen, Style, button, card, note, rows, text
from bot.offers import DECLINE, MOST_MENTIONED, NO, TAKE, YES
from bot.panel import to_board
from bot.sessions.counting import Count, count
from bot.sessions.model import Table
from bot.sessions.questions import HOST, OFFER, Question
from bot.sessions.votes import asked_for

OFFERED = (
    "-# Until then everything stays as it is. <@{asker}>, the host or a moderator can withdraw this "
    "with “No, thanks”."
)
VOTING = (
    "-# A vote can be changed as long as this is open. The host decides alone if they come back: "
    "their Yes does it, their No withdraws it, and so does anything else they do at this table."
)


def notice(table: Table, one: Question) -> Letter:
    """What is asked, with its buttons."""
    if one.kind == OFFER:
        lines = [f"**{_offer(table, one)}**", _game(table), OFFERED.format(asker=one.user_id)]
        buttons = [
            button("Take the seat", str(Press(table.id, one.number, TAKE)), Style.success),
            button("No, thanks", str(Press(table.id, one.number, DECLINE)), Style.secondary),
        ]
    else:
        stands = count(table, one)
        lines = [
            f"**<@{one.user_id}> asks for a vote: {_vote(table, one)}?**",
            _why(table, one),
            *_tally(stands),
            what_it_takes(one, stands),
            VOTING,
        ]
        buttons = [
            button("Yes", str(Press(table.id, one.number, YES)), Style.success),
            button("No", str(Press(table.id, one.number, NO)), Style.secondary),
        ]
    told = text("\n".join(line for line in lines if line))
    return Letter(Screen(card(told, *rows([*buttons, *to_board(table)]), colour=AMBER)))


def outcome(table: Table, one: Question) -> Letter:
    """The notice once it is settled: how it came out, and no buttons."""
    if one.kind == OFFER:
        lines = [_offer(table, one), one.closed]
    else:
        voted = Count((), 0, (), one.agreed, one.refused)
        lines = [f"<@{one.user_id}> asked for a vote: {_vote(table, one)}?", *_tally(voted)]
        lines.append(one.closed)
    return note("\n".join(lines), colour=GREY)


def _offer(table: Table, one: Question) -> str:
    holder = table.holder(one.seat)
    title = holder.title if holder is not None else "a seat"
    if one.more.out == one.user_id:
        return f"<@{one.user_id}> would like to hand {title} on to <@{one.target_id}>."
    return (
        f"<@{one.user_id}> asks <@{one.target_id}> to play {title} in place of <@{one.more.out}>."
    )


def _game(table: Table) -> str:
    """Which game it is, for somebody who has not followed it."""
    view = table.view(None)
    return texts.clip(" · ".join(part for part in (view.title, view.turn) if part), 300)


def _vote(table: Table, one: Question) -> str:
    if one.kind == HOST:
        return f"shall <@{one.target_id}> host this table"
    return asked_for(table, one)


def _why(table: Table, one: Question) -> str:
    if not table.host_id:
        return "Nobody hosts this table."
    if one.more.waited:
        return (
            f"The game has waited for <@{table.host_id}>, its host, since <t:{one.more.waited}:f>."
        )
    return f"<@{table.host_id}>, the host, was last seen here <t:{one.more.seen}:f>."


def _tally(stands: Count) -> list[str]:
    return [
        f"Yes: {_people(stands.yes) or 'nobody yet'}",
        f"No: {_people(stands.no) or 'nobody'}",
    ]


def what_it_takes(one: Question, stands: Count) -> str:
    """Whose Yes it takes until a vote is carried, in a sentence."""
    many = len(stands.deciding)
    seconds = tuple(user for user in stands.others if user != one.user_id)
    if not seconds and stands.needed <= 1:
        return f"Nobody else is there to decide: it is done when <@{one.user_id}> presses Yes."
    if sum(user not in seconds for user in stands.deciding) >= stands.needed:
        return f"It takes a Yes from {_people(seconds, last='or')}."
    if many == 1:
        return f"It takes a Yes from {_people(stands.deciding)}."
    return f"It takes {stands.needed} times Yes from these {many}: {_people(stands.deciding)}."


def _people(users: Sequence[int], last: str = "and") -> str:
    shown = [f"<@{user}>" for user in users[:MOST_MENTIONED]]
    if more := len(users) - len(shown):
        shown.append(f"{more} more")
    return texts.listed(shown, last=last)
