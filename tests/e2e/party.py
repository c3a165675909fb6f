"""Several people around a table of Boots on the Ground, each acting as a person would."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.client import FieldpostBot
from bot.commands import command_path
from bot.custom_ids import STEP_PATTERN, Step
from bot.picking import picked_by
from bot.picks import unpack
from games.kernel.action import Action
from games.kernel.entropy import CommittedEntropy
from games.kernel.random_player import random_action
from games.registry import Registry
from tests.bot import limits
from tests.e2e.tabletop import Tabletop, tabletop, toy_bot
from tests.players import Sergeant

NOT_AT_RANDOM = {"concede": 0, "standing": 0}


@dataclass
class Party:
    """A table with people by name, and a driver that plays for whoever must act."""

    top: Tabletop
    people: dict[str, Any]
    chance: CommittedEntropy = field(
        default_factory=lambda: CommittedEntropy(b"party", "party", (), 0)
    )
    log: list[tuple[str, str, str]] = field(default_factory=list[tuple[str, str, str]])
    """Who did what for which seat."""

    @property
    def bot(self) -> FieldpostBot:
        return self.top.bot

    async def table(self) -> Any:
        found = await self.bot.sessions.in_channel(self.top.channel.id)
        assert found is not None
        return found

    async def press(self, who: str, label: str) -> Any:
        """Somebody presses a button of the last public message."""
        return await self.people[who].click(self.top.panel, label=label)

    async def say(self, who: str, command: str, **given: Any) -> Any:
        """Somebody gives a command."""
        return await self.people[who].slash(self.top.channel, command, **given)

    def read(self, result: Any) -> str:
        """What the private answer says."""
        return self.top.words(result.response)

    def named(self, user_id: int) -> str:
        return next(name for name, person in self.people.items() if person.id == user_id)

    def called(self) -> list[str]:
        """Whom the last post mentioned."""
        path = f"/channels/{self.top.channel.id}/messages"
        request = self.top.requests("POST", path)[-1].json
        return sorted(self.named(int(u)) for u in request["allowed_mentions"].get("users", ()))

    async def play(
        self, most: int, *, until: Callable[[Any], bool] | None = None, commands: int = 50
    ) -> int:
        """Play for whoever must act, at most so many actions; `commands` of a hundred are typed.

        Of several seats that must act a random one goes first, and of several people on a seat a random
        one acts. Returns how many actions there were.
        """
        for number in range(most):
            table = await self.table()
            if table.over or (until is not None and until(table)):
                return number
            seat = self.chance.draw(table.due(), "seat")
            users = [str(user) for user in table.holder(seat).user_ids]
            assert users, f"nobody plays {seat}, which must act"
            who = self.named(int(self.chance.draw(users, "user")))
            await self.act(who, table, seat, typed=self.chance.roll(100, "how") <= commands)
        return most

    async def act(self, who: str, table: Any, seat: str, *, typed: bool = False) -> None:
        """One action of a seat by one of its people."""
        action = self.wish(table, seat)
        verb = table.game.verbs[action.verb]
        button = self.button(table, seat, action.verb)
        self.log.append((who, seat, action.verb))
        if typed or button is None:
            path = command_path(table.game, verb)[1:]
            slots = {
                name: value if isinstance(value, str) else ", ".join(value)
                for name, value in action.slots.items()
            }
            result = await self.say(who, path, **slots)
            for _ in range(5):
                ids = self.top.ids(result.response) if result.response is not None else {}
                if "Yes" in ids:
                    result = await self.people[who].click(result.response, label="Yes")
                elif seat_button := ids.get(table.holder(seat).title):
                    result = await self.people[who].click(result.response, custom_id=seat_button)
                    result = await self.answers(who, seat, result, action)
                elif "Cancel" in ids:
                    result = await self.answers(who, seat, result, action)
                else:
                    break
        else:
            result = await self.people[who].click(self.top.panel, custom_id=button)
            result = await self.answers(who, seat, result, action)
        after = await self.table()
        said = self.read(result) if result.response is not None else ""
        assert after.version > table.version, f"{who} {seat} {action}: {said}"
        limits.check_message(
            self.top.env.backend.get_message(self.top.channel.id, self.top.panel.id).components
        )

    def wish(self, table: Any, seat: str) -> Action:
        """What a seat wants to do: squads are led sensibly, the insurgents at random."""
        step = table.state.steps[-1].step
        if seat != "INSURGENT" and step not in ("event", "fire"):
            return Sergeant(table.game, wild=15).action(table.state, seat, self.chance)
        return random_action(table.game, table.state, seat, self.chance, NOT_AT_RANDOM)

    def button(self, table: Any, seat: str, verb: str) -> str | None:
        """The panel's button of a verb for a seat."""
        place = [holder.seat for holder in table.seats].index(seat)
        for id in self.top.ids(self.top.panel).values():
            parts = id.split(":")
            if parts[0] == "fp" and parts[3] == verb and parts[4:] in ([], [str(place)]):
                return id
        return None

    async def answers(self, who: str, seat: str, result: Any, action: Action) -> Any:
        """Answer all questions as the action wants it."""
        for _ in range(60):
            if result.response is None or "Cancel" not in self.top.labels(result.response):
                return result
            result = await self._answer(who, seat, result.response, action)
        raise AssertionError("the questions do not end")

    async def _answer(self, who: str, seat: str, message: Any, action: Action) -> Any:
        person, table = self.people[who], await self.table()
        ids = self.top.ids(message)
        if "Yes" in ids:
            return await person.click(message, label="Yes")
        match = STEP_PATTERN.fullmatch(ids["Cancel"])
        assert match is not None
        step = Step.read(match)
        at = unpack(table.state, seat, table.game.verbs[action.verb], step.picks, step.check)
        assert at.slot is not None
        value = action.slots[at.slot.name]
        if not isinstance(value, str):
            left = [part for part in value if part not in at.partial]
            if not left:
                return await person.click(message, label="That is all")
            value = left[0]
        if value in self.top.menu(message):
            return await person.select(message, [value])
        for id in ids.values():
            found = STEP_PATTERN.fullmatch(id)
            choice = Step.read(found) if found else None
            if choice is None or choice.act != "o" or choice.arg[0] not in "pk":
                continue
            if picked_by(at, choice.arg) == value:
                return await person.click(message, custom_id=id)
        return await person.click(message, label="Next ▶")

    async def restart(self) -> None:
        """The bot goes down and comes back, with nothing but its database."""
        await self.bot.close()
        again = toy_bot(self.top.folder, Registry())
        await self.top.env.restart_bot(again)
        self.top.bot = again


@asynccontextmanager
async def party(folder: Path, names: Sequence[str], dice: str) -> AsyncIterator[Party]:
    """A running bot with the real game, these people, and the same dice in every run."""
    async with tabletop(folder, toy_bot(folder, Registry())) as top:
        sessions: Any = top.bot.sessions
        sessions._secret = lambda: hashlib.sha256(dice.encode()).digest()
        people = {"Robin": top.robin, "Kim": top.kim}
        for name in names:
            if name not in people:
                people[name] = top.guild.add_member(top.env.create_user(name))
        yield Party(top, people)
