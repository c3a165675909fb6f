"""A table of Sniper Kill Confirmed with people who play sensibly, by buttons or by commands."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.commands import command_path
from bot.custom_ids import PRESS_PATTERN, STEP_PATTERN, Press, Step
from bot.picking import picked_by
from bot.picks import Changed, Walk, unpack, walk
from games.kernel.action import Action
from games.registry import Registry
from games.sniper.game import Sniper
from tests.bot import limits
from tests.e2e.party import Party
from tests.e2e.tabletop import tabletop, toy_bot
from tests.games.sniper.players import Presser, complete

ENOUGH = 300


def sniper() -> Sniper:
    game = Registry().newest("sniper")
    assert isinstance(game, Sniper)
    return game


def leads_to(table: Any, seat: str, control: str) -> Walk | None:
    """Where a control of a private panel leads for a seat; None when it is no verb of that seat's."""
    place = [holder.seat for holder in table.seats].index(seat)
    if match := STEP_PATTERN.fullmatch(control):
        step = Step.read(match)
        if step.seat != place or step.act not in "oy":
            return None
        verb = table.game.verbs[step.verb]
        at = unpack(table.state, seat, verb, step.picks, step.check)
        if step.act == "y":
            return at
        assert at.slot is not None
        return walk(table.state, seat, verb, {at.slot.name: picked_by(at, step.arg)})
    match = PRESS_PATTERN.fullmatch(control)
    press = Press.read(match) if match else None
    if press is None or press.verb.startswith(".") or press.seat not in (None, place):
        return None
    return walk(table.state, seat, table.game.verbs[press.verb], {})


def best(table: Any, seat: str, action: Action, controls: Sequence[str]) -> str | None:
    """The control that says most of an action, and nothing else but what is quietly left out."""
    found: list[tuple[bool, int, str]] = []
    quiet = {slot.name for slot in table.game.verbs[action.verb].slots if slot.quiet}
    for control in controls:
        try:
            at = leads_to(table, seat, control)
        except Changed:
            continue
        if at is None or at.verb.name != action.verb:
            continue
        wrong = [k for k, v in at.filled.items() if v != action.slots.get(k)]
        if all(name in quiet for name in wrong):
            found.append((at.complete, -len(wrong), control))
    return max(found)[2] if found else None


@dataclass
class Outpost:
    """A party at a table of Sniper, and who has pressed how often."""

    party: Party
    presses: Counter[str] = field(default_factory=Counter[str])
    extra: Counter[str] = field(default_factory=Counter[str])
    """Presses beyond the one that a decision takes, by verb."""
    messages: dict[str, Any] = field(default_factory=dict[str, Any])
    """Everybody's private panel."""
    then: bool = True

    @property
    def top(self) -> Any:
        return self.party.top

    async def table(self) -> Any:
        return await self.party.table()

    def wish(self, table: Any) -> tuple[str, Action]:
        """The seat that decides and what it wants."""
        if table.state.crew:
            decided = table.game.policy(table.state, "standin")
            assert decided is not None
            seat, action = decided
        else:
            seat, action = Presser(table.game, then=self.then).action(table.state)
        return seat, complete(table.game, table.state, seat, action)

    def who(self, table: Any, seat: str) -> str:
        return self.party.named(table.holder(seat).user_ids[0])

    async def play(self, way: str, *, most: int = ENOUGH, until: Any = None) -> int:
        """Play on by `buttons` or `commands`; how many decisions it took."""
        for number in range(most):
            table = await self.table()
            if table.over or (until is not None and until(table)):
                return number
            seat, action = self.wish(table)
            who = self.who(table, seat)
            if way == "buttons":
                await self.press(who, table, seat, action)
            else:
                await self.type(who, table, seat, action)
            after = await self.table()
            assert after.version > table.version, (who, action, self.said(who))
        assert most < ENOUGH, "the mission does not end"
        return most

    def said(self, who: str) -> str:
        message = self.messages.get(who)
        return "" if message is None else self.top.words(message)

    # --- by buttons ---

    async def click(self, who: str, message: Any, **what: Any) -> None:
        result = await self.party.people[who].click(message, **what)
        self.presses[who] += 1
        self._took(who, result)

    def _took(self, who: str, result: Any) -> None:
        if result.response is not None:
            assert result.response.ephemeral, "what is answered to a player is private"
            self.messages[who] = result.response
            self.check(result.response)

    def check(self, message: Any) -> None:
        backend = self.top.env.backend
        limits.check_message(backend.get_message(self.top.channel.id, message.id).components)

    async def press(self, who: str, table: Any, seat: str, action: Action) -> None:
        """One decision by the buttons of the private panel, opened from the public one at need."""
        before = self.presses[who]
        control = self._control(who, table, seat, action)
        if control is None and (public := self._public(table, seat, action)):
            await self.party.people[who].click(self.top.panel, custom_id=public)
            self.presses[who] += 1
            return
        if control is None:
            self.check(self.top.panel)
            await self.click(who, self.top.panel, label="Play…")
            control = self._control(who, table, seat, action)
        assert control is not None, (action, self.top.labels(self.messages[who]))
        message = self.messages[who]
        if control in self.top.menu(message):
            result = await self.party.people[who].select(message, [control])
            self.presses[who] += 1
            self._took(who, result)
        else:
            await self.click(who, message, custom_id=control)
        for _ in range(12):
            if "Cancel" not in self.top.labels(self.messages[who]):
                break
            await self._answer(who, seat, action)
        self.extra[action.verb] += self.presses[who] - before - 1

    def _control(self, who: str, table: Any, seat: str, action: Action) -> str | None:
        message = self.messages.get(who)
        if message is None:
            return None
        controls = [*self.top.ids(message).values(), *self.top.menu(message)]
        moment = table.holder(seat).moment
        fresh = [c for c in controls if moment <= int(c.split(":")[2]) <= table.version]
        return best(table, seat, action, fresh)

    def _public(self, table: Any, seat: str, action: Action) -> str | None:
        """The public panel's button, where it does all of it at once."""
        control = best(table, seat, action, list(self.top.ids(self.top.panel).values()))
        at = leads_to(table, seat, control) if control else None
        return control if at is not None and at.filled == action.slots else None

    async def _answer(self, who: str, seat: str, action: Action) -> None:
        message, table = self.messages[who], await self.table()
        ids = self.top.ids(message)
        match = STEP_PATTERN.fullmatch(ids["Cancel"])
        assert match is not None
        step = Step.read(match)
        at = unpack(table.state, seat, table.game.verbs[action.verb], step.picks, step.check)
        assert at.slot is not None
        value = action.slots[at.slot.name]
        if not isinstance(value, str):
            value = next(part for part in value if part not in at.partial)
        if value in self.top.menu(message):
            result = await self.party.people[who].select(message, [value])
            self.presses[who] += 1
            self._took(who, result)
            return
        for id in ids.values():
            found = STEP_PATTERN.fullmatch(id)
            if found and found["act"] == "o" and picked_by(at, found["arg"]) == value:
                await self.click(who, message, custom_id=id)
                return
        raise AssertionError((action, at.slot.name, value))

    # --- by commands ---

    async def type(self, who: str, table: Any, seat: str, action: Action) -> None:
        """One decision by one command, as autocompletion would have it."""
        command = command_path(table.game, table.game.verbs[action.verb])[1:]
        given = {k: v if isinstance(v, str) else ", ".join(v) for k, v in action.slots.items()}
        given = {k: v for k, v in given.items() if v}
        if len(table.game.seats(table.setup)) > 1 and len(table.seats_of(self.id(who))) > 1:
            raise AssertionError("a person with two seats is asked which")
        result = await self.party.say(who, command, **given)
        self.presses[who] += 1
        self._took(who, result)
        assert "Cancel" not in self.top.labels(result.response), (command, given)

    def id(self, who: str) -> int:
        return self.party.people[who].id


@asynccontextmanager
async def outpost(folder: Path, names: Sequence[str], dice: str) -> AsyncIterator[Outpost]:
    """A running bot with the real games, these people, and the same dice in every run."""
    async with tabletop(folder, toy_bot(folder, Registry())) as top:
        sessions: Any = top.bot.sessions
        sessions._secret = lambda: hashlib.sha256(dice.encode()).digest()
        sessions._name = lambda: "snipe001"
        people = {"Robin": top.robin, "Kim": top.kim}
        for name in names:
            if name not in people:
                people[name] = top.guild.add_member(top.env.create_user(name))
        yield Outpost(Party(top, people))
