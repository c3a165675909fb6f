"""Learners of guided games: one who does what he is told, and one who does what he likes for a while."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from games.kernel import lesson as teaching
from games.kernel.action import Action, Value
from games.kernel.entropy import Entropy, seeded
from games.kernel.game import Game
from games.kernel.lesson import Lesson, Said
from games.kernel.play import begin, play
from games.kernel.random_player import proxy_action

MOST_ACTIONS = 150
"""What the slowest learner needs; more means that a lesson leads nowhere."""


def willing(game: Game[Any], state: Any, seat: str, said: Said, chance: Entropy) -> Action:
    """What the coach asks for, the rest of it at random; anything where he leaves it open."""
    if said.action is None:
        free = proxy_action(game, state, seat, chance)
        assert free is not None
        return free
    verb, picked = game.verbs[said.action.verb], dict[str, Value]()
    for slot in verb.slots:
        domain = verb.domain(state, seat, slot.name, picked)
        if domain is None:
            continue
        wanted = said.action.slots.get(slot.name)
        assert wanted is None or domain.contains(wanted), (said, slot.name)
        value = domain.default if wanted is None else wanted
        picked[slot.name] = domain.sample(chance) if value is None else value
    return Action(verb.name, picked)


@dataclass
class Learner:
    """Somebody in a lesson; `stubborn` is how many actions he does at random first."""

    game: Game[Any]
    lesson: Lesson[Any]
    seed: int
    stubborn: int = 0
    step: int = 0
    lines: tuple[str, ...] = ()
    happened: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.dice, self.whim = seeded(f"dice {self.seed}"), seeded(f"whim {self.seed}")
        self.state = begin(self.game, self.lesson.setup, self.dice).state

    @property
    def over(self) -> bool:
        return self.game.result(self.state) is not None

    def hears(self) -> Said:
        return teaching.now(self.lesson, self.game, self.state, self.step)

    def act(self) -> None:
        seat = self.lesson.script.seat
        if len(self.happened) < self.stubborn:
            action = proxy_action(self.game, self.state, seat, self.whim)
            assert action is not None
        else:
            action = willing(self.game, self.state, seat, self.hears(), self.whim)
        before = self.state
        turnout = play(self.game, before, seat, action, self.dice)
        self.state = turnout.state
        self.happened.append((action.verb, self.lesson.signs(turnout.events)))
        self.step, self.lines = teaching.follow(
            self.lesson, self.game, self.step, before, self.happened
        )

    def moments(self) -> Iterator[Said]:
        """What he hears before every action, until the lesson's last step or the game's end."""
        while not self.over:
            yield self.hears()
            if self.step == self.lesson.last or len(self.happened) >= MOST_ACTIONS:
                return
            self.act()
