"""The guided mission: the stand-in policy knows what is sensible, and the coach says it with the reason."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import structs

from games.kernel.action import Action
from games.kernel.domain import Choices
from games.kernel.event import Drew, Event, Noted, Tested
from games.kernel.game import Setup, Verb
from games.kernel.lesson import Lesson, Script, check
from games.sniper import words
from games.sniper.content import Content
from games.sniper.look import Look
from games.sniper.model import State
from games.sniper.policy import decide
from games.sniper.setup import MISSION

SLOTS = ("with", "target", "card", "how", "cover", "priority")
"""Slots of what the policy does that the coach names."""

MOST_SPREAD = 5
"""Values of a first slot that have buttons of their own."""

_MARK = "\0"
RESERVE = words.reserve_draw(_MARK, True).partition(_MARK)[0]
GROUP = words.group_appears(0, _MARK).partition("0")[0]
PATROL = words.patrol(0).partition("0")[0]


class LessonData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A lesson as it is written down."""

    location: str
    script: Script


class LessonsData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file."""

    provenance: str
    lessons: dict[str, LessonData]


def make_lessons(content: Content, verbs: Mapping[str, Verb[State]]) -> Mapping[str, SniperLesson]:
    """The lessons, by slug. Raises `BrokenData` for what names something that does not exist."""
    file = content.lesson_file
    if file is None:
        return {}
    found: dict[str, SniperLesson] = {}
    for slug, data in file.convert(LessonsData).lessons.items():
        key = f"lessons.{slug}"
        if data.location not in content.locations:
            raise file.broken(f"{key}.location", f"there is no location “{data.location}”")
        check(data.script, file, f"{key}.script", verbs, facts_of(verbs))
        setup = Setup(MISSION, "solo", {"location": data.location}, lesson=slug)
        found[slug] = SniperLesson(slug, setup, data.script, content, verbs)
    return found


def facts_of(verbs: Iterable[str]) -> tuple[str, ...]:
    """Every fact: for each verb the button by which the policy would use it, and the slots' values."""
    return (*(f"do_{name}" for name in verbs), *SLOTS)


class SniperLesson(Lesson[State]):
    """A lesson of this game, for one player."""

    def __init__(
        self,
        slug: str,
        setup: Setup,
        script: Script,
        content: Content,
        verbs: Mapping[str, Verb[State]],
    ) -> None:
        super().__init__(slug, setup, script)
        self._content = content
        self._verbs = verbs
        self._enemies = tuple(
            card.name for card in content.hostile.values() if card.kind != "reserve"
        )

    def facts(self, state: State, seat: str) -> Mapping[str, str]:
        """What the policy would do, as the button that does it."""
        found = dict.fromkeys(facts_of(self._verbs), "")
        if state.outcome is not None:
            return found
        action = self._sensible(state)
        found[f"do_{action.verb}"] = f"“{self._button(state, seat, action)}”"
        for name in SLOTS:
            value = action.slots.get(name, "")
            found[name] = value if isinstance(value, str) else ""
        return found

    def _sensible(self, state: State) -> Action:
        """What the policy does, without its patience: what it would do in phase III is done at once."""
        _, action = decide(Look(self._content, state))
        if action.verb == "end_phase" and state.phase in ("I", "II"):
            _, action = decide(Look(self._content, structs.replace(state, phase="III")))
        return action

    def public_facts(self, state: State, seat: str) -> Mapping[str, str]:
        """None: what is sensible depends on the hand."""
        return dict.fromkeys(facts_of(self._verbs), "")

    def _button(self, state: State, seat: str, action: Action) -> str:
        """The name of the button: a verb's, or that of the value with which it is used."""
        verb = self._verbs[action.verb]
        first = verb.slots[0] if verb.slots else None
        if first is None or not first.spread or first.quiet:
            return verb.label
        domain = verb.domain(state, seat, first.name, {})
        if not isinstance(domain, Choices):
            return verb.label
        options = domain.options
        wanted: Any = action.slots.get(first.name, domain.default)
        least = 1 if first.sure else 2
        if not least <= len(options) <= MOST_SPREAD:
            return verb.label
        return next((o.label for o in options if o.value == wanted), verb.label)

    def signs(self, events: Sequence[Event]) -> tuple[str, ...]:
        """Enemies that appear, shots and what came of them, wounds, patrols, the reserve check."""
        found: list[str] = []
        for event in events:
            match event:
                case Drew() if event.card.title in self._enemies:
                    found.append("enemy")
                case Tested() if event.total is not None:
                    verdict = event.verdict.partition(",")[0]
                    found += ["shot", f"shot_{verdict}"]
                case Noted():
                    found += self._noted(event.text)
                case _:
                    pass
        return tuple(dict.fromkeys(found))

    @staticmethod
    def _noted(text: str) -> list[str]:
        known = {RESERVE: "reserve", GROUP: "enemy", PATROL: "patrol"}
        found = [sign for start, sign in known.items() if text.startswith(start)]
        if any(text.startswith(f"A {kind} wound") for kind in ("light", "critical")):
            found.append("wound")
        return found
