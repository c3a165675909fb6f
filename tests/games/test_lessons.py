"""Lessons of every game: they come to their end with any dice, and name only what is there."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest

from games.boots import Boots
from games.boots.model import State
from games.kernel import lesson as teaching
from games.kernel.action import Action
from games.kernel.datafiles import BrokenData, DataFile
from games.kernel.entropy import seeded
from games.kernel.game import Game, Setup
from games.kernel.illegal import Illegal
from games.kernel.lesson import Cue, Goal, Lesson, Remark, Script, Stage, check
from games.kernel.play import begin, play
from games.registry import load
from tests.games.all_games import CASES
from tests.games.lessons import MOST_ACTIONS, Learner

PANEL = ("Undo", "Help", "Skip this step", "End the tutorial")
"""Buttons that a panel has in a lesson besides those of the verbs."""

SECRET = ("Play…", "Hand")
"""Those of a game with hands."""

BOOTS, SNIPER = load("boots"), load("sniper")
LENGTHS = {"boots": (16, 30), "sniper": (16, 70)}
"""Actions of an obedient learner in half of all lessons, and in nineteen of twenty."""

LESSONS = [
    pytest.param(game, lesson, id=f"{game.slug}-{lesson.slug}")
    for game in (BOOTS, SNIPER)
    for lesson in game.lessons().values()
]
each_lesson = pytest.mark.parametrize(("game", "lesson"), LESSONS)


def named(text: str) -> list[str]:
    return re.findall("“([^”]*)”", text)


def sentences(text: str) -> int:
    return len(re.findall(r"[.!?](?= |$)", text.replace("G.I.", "GI").replace("C?", "C")))


def buttons(game: Game[Any], state: Any, seat: str, *, private: bool = True) -> set[str]:
    """What can be pressed: verbs, or the values that have buttons of their own."""
    offers = [game.verbs[o.verb] for o in game.offers(state, seat)]
    secret = any(verb.secret for verb in game.verbs.values())
    found = {*PANEL, *(SECRET if secret else ())}
    for verb in offers:
        if verb.secret and not private:
            continue
        found.add(verb.label)
        first = verb.slots[0] if verb.slots else None
        domain = verb.domain(state, seat, first.name, {}) if first and first.spread else None
        found |= {option.label for option in domain.options} if domain is not None else set()
    return found


@each_lesson
@pytest.mark.parametrize("seed", range(40))
def test_who_does_as_he_is_told_gets_to_the_end(
    game: Game[Any], lesson: Lesson[Any], seed: int
) -> None:
    learner = Learner(game, lesson, seed)
    heard = list(learner.moments())
    assert learner.over or learner.step == lesson.last, [s.text for s in heard[-5:]]
    titles = list(dict.fromkeys(said.title for said in heard))
    order = [stage.title for stage in lesson.script.stages]
    assert titles == [title for title in order if title in titles]  # one may be passed over


@each_lesson
def test_it_is_short_and_seldom_lost(game: Game[Any], lesson: Lesson[Any]) -> None:
    lengths: list[int] = []
    for seed in range(100):
        learner = Learner(game, lesson, seed)
        list(learner.moments())
        if not learner.over:
            lengths.append(len(learner.happened))
    lengths.sort()
    half, most = LENGTHS[game.slug]
    assert len(lengths) >= 97 and lengths[len(lengths) // 2] <= half and lengths[94] <= most, (
        lengths
    )


@each_lesson
@pytest.mark.parametrize("stubborn", [1, 3, 7, 15, 40])
@pytest.mark.parametrize("seed", range(8))
def test_whatever_a_learner_does_he_gets_on(
    game: Game[Any], lesson: Lesson[Any], stubborn: int, seed: int
) -> None:
    """Every moment has words; what they name is on the panel; what they ask for is legal."""
    seat = lesson.script.seat
    learner = Learner(game, lesson, seed, stubborn)
    for said in learner.moments():
        assert set(named(said.text)) <= buttons(game, learner.state, seat), said.text
        assert 1 <= sentences(said.text) <= 3 and len(said.text) <= 320, said.text
        public = teaching.now(lesson, game, learner.state, learner.step, private=False)
        assert set(named(public.text)) <= buttons(game, learner.state, seat, private=False)
        assert 1 <= sentences(public.text) <= 3 and public.step == said.step
        assert said.step == learner.step and said.title
        for line in learner.lines:
            assert not named(line) and 1 <= sentences(line) <= 3, line
        assert len(learner.lines) <= 3
        skippable = "Skip this step" in named(said.text)
        if said.action is not None:
            play(game, learner.state, seat, _filled(game, learner, said.action), seeded("1"))
        elif not skippable:
            assert said.step == lesson.last or game.tasks(learner.state)
    assert learner.over or learner.step == lesson.last or _waits_for_luck(learner)


def _filled(game: Game[Any], learner: Learner, action: Action) -> Action:
    from tests.games.lessons import willing

    said = teaching.Said(0, "", "", action)
    return willing(game, learner.state, learner.lesson.script.seat, said, seeded("2"))


def _waits_for_luck(learner: Learner) -> bool:
    """Whether the only thing that helps now is “Skip this step”, and the coach says so."""
    return "Skip this step" in named(learner.hears().text) and len(learner.happened) >= MOST_ACTIONS


@each_lesson
def test_every_cue_and_remark_can_be_heard(game: Game[Any], lesson: Lesson[Any]) -> None:
    """No words that nobody ever reads; steps may be skipped, so any may come at any moment."""
    heard: set[str] = set()

    def listen(state: Any) -> None:
        for step in range(lesson.last + 1):
            for private in (True, False):
                said = teaching.now(lesson, game, state, step, private=private)
                there = buttons(game, state, lesson.script.seat, private=private)
                assert set(named(said.text)) <= there, said.text
                heard.add(said.text)

    for seed in range(60):
        learner = Learner(game, lesson, seed, (0, 8, 30)[seed % 3])
        for _ in learner.moments():
            listen(learner.state)
            heard.update(learner.lines)
        while game is SNIPER and seed % 6 == 0 and not learner.over:  # a whole mission
            listen(learner.state)
            learner.act()
    for patches in odd_positions(game, lesson):
        state = begin(game, lesson.setup, seeded("odd")).state
        for verb in ("", "ready"):
            if verb:
                state = play(game, state, lesson.script.seat, Action(verb), seeded("odd")).state
            for path, value in patches.items():
                game.patch(state, path, value)
            listen(state)
    texts = [c.text for stage in lesson.script.stages for c in stage.cues]
    texts += [cue.text for cue in lesson.script.questions]
    texts += [remark.text for remark in lesson.script.remarks]
    texts += [stage.closing for stage in lesson.script.stages if stage.closing]
    texts += [lesson.script.detour]
    unheard = [text for text in texts if not any(_made_of(text, said) for said in heard)]
    assert not unheard


def odd_positions(game: Game[Any], lesson: Lesson[Any]) -> list[dict[str, Any]]:
    """Where dice alone seldom lead: nobody sees anybody, nobody is left unknown."""
    if game is not BOOTS:
        return []
    soldiers = ("A-L", "A-M", "A-DE", "A-S", "A-HWE", "A-SN")
    return [{f"units.{name}.face": "N" for name in soldiers} | {"civilians.CV1": False}, {
        "civilians.CV1": False, "civilians.CV2": False}]  # fmt: skip


def _made_of(template: str, said: str) -> bool:
    parts = [re.escape(" ".join(part.split())) for part in re.split(r"\{\w+\}", template)]
    return re.fullmatch(r"\s*.*\s*".join(p.replace(r"\ ", " ") for p in parts), said) is not None


@each_lesson
@pytest.mark.parametrize("seed", range(6))
def test_what_everybody_reads_tells_of_no_hand(
    game: Game[Any], lesson: Lesson[Any], seed: int
) -> None:
    """The public words are the same whatever the public cannot see."""
    unseen = next(case for case in CASES if case.slug == game.slug).unseen
    learner = Learner(game, lesson, seed)
    others = 0
    for _ in learner.moments():
        mine = teaching.now(lesson, game, learner.state, learner.step, private=False)
        for other in unseen(game, learner.state, None):
            said = teaching.now(lesson, game, other, learner.step, private=False)
            assert (said.text, said.title) == (mine.text, mine.title)
            others += 1
    assert others or game is BOOTS


def test_its_ground_is_recorded_in_the_set_up() -> None:
    """The set-up alone makes the same board again, and only with its own mission."""
    lesson = BOOTS.lessons()["first"]
    assert isinstance(BOOTS, Boots) and lesson.setup.lesson == "first"
    again = msgspec.json.decode(msgspec.json.encode(lesson.setup), type=Setup)
    first, second = (begin(BOOTS, s, seeded("1")).state for s in (lesson.setup, again))
    assert BOOTS.encode(first) == BOOTS.encode(second)
    assert isinstance(first, State)
    assert [c.pos for c in first.civilians.values()] == ["K3", "D5"]
    assert first.pool == BOOTS.content.tables.counters.insurgents - 1
    for wrong in (Setup("range", "solo1", lesson="none"), Setup("hot-lz", "solo1", lesson="first")):
        with pytest.raises(Illegal, match="no lesson"):
            begin(BOOTS, wrong, seeded("1"))
    plain = begin(BOOTS, Setup("range", "solo1"), seeded("1")).state
    assert isinstance(plain, State) and not plain.civilians


@pytest.mark.parametrize("game", [BOOTS, SNIPER], ids=["boots", "sniper"])
def test_content_from_before_there_were_lessons_can_be_read(game: Game[Any]) -> None:
    tables = dict(game.tables())
    del tables["lesson"]
    assert dict(load(game.slug, tables).lessons()) == {}


def test_a_sniper_lesson_that_does_not_exist() -> None:
    setup = SNIPER.lessons()["first"].setup
    with pytest.raises(Illegal, match="no lesson"):
        begin(SNIPER, msgspec.structs.replace(setup, lesson="none"), seeded("1"))
    tables = msgspec.json.decode(msgspec.json.encode(SNIPER.tables()))
    tables["lesson"]["lessons"]["first"]["location"] = "moon"
    with pytest.raises(BrokenData, match="there is no location “moon”"):
        load("sniper", tables)


# --- the kernel's part, on a small script ------------------------------------------------------


SCRIPT = Script(
    title="Small",
    seat="ALPHA",
    stages=(
        Stage("One", (Cue("Press {ready}.", ("ready",), verb="ready"),), Goal(("ready",)), "Well."),
        Stage("Two", (Cue("Any."),), Goal(signs=("card",)), "Card."),
        Stage("Three", (Cue("Any."),), Goal(("fire",)), "Fired."),
        Stage("End", (Cue("Free."),)),
    ),
    remarks=(Remark("a", "First a."), Remark("b", "First b."), Remark("c", "First c.")),
    questions=(),
    else_cue="Do this: {task}.",
    detour="Fine, too.",
    farewell="Bye.",
)


class Small(Lesson[Any]):
    """A lesson without facts, on the training ground."""

    def __init__(self) -> None:
        super().__init__("small", Setup("range", "solo1"), SCRIPT)

    def facts(self, state: Any, seat: str) -> dict[str, str]:
        return {}

    def signs(self, events: Any) -> tuple[str, ...]:
        return ()


def test_what_is_known_already_is_passed_over() -> None:
    small = Small()
    assert teaching.after(small, 0, []) == 0
    assert teaching.after(small, 0, ["ready"]) == 1
    assert teaching.after(small, 0, ["fire", "ready"]) == 1
    assert teaching.after(small, 1, ["fire", "ready", "card"]) == 3
    assert teaching.after(small, 3, ["fire", "ready", "card"]) == 3


def test_remarks_are_made_once_and_two_at_most() -> None:
    small = Small()

    def told(*happened: tuple[str, ...]) -> list[str]:
        return [r.sign for r in teaching.remarks(small, [("x", signs) for signs in happened])]

    assert told(("b",)) == ["b"]
    assert told(("b",), ("b",)) == []
    assert told(("c", "b", "a")) == ["a", "b"]
    assert told(("c", "b", "a"), ("c",)) == ["c"]
    assert told() == []


def test_a_detour_is_forgiven_and_a_step_is_praised() -> None:
    small = Small()
    state = begin(BOOTS, small.setup, seeded("1")).state
    assert teaching.follow(small, BOOTS, 0, state, [("ready", ())]) == (1, ("Well.",))
    assert teaching.follow(small, BOOTS, 0, state, [("deploy", ())]) == (0, ("Fine, too.",))
    assert teaching.follow(small, BOOTS, 1, state, [("x", ("card", "a"))]) == (
        2,
        ("Card.", "First a."),
    )
    assert teaching.now(small, BOOTS, state, 0).text == "Press “Ready”."
    assert teaching.now(small, BOOTS, state, 99).text == "Free."


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"else_cue": "{nothing}"}, "there is no “nothing” to fill in"),
        ({"detour": "{task}"}, "there is no “task” to fill in"),
        ({"questions": (Cue("x", ("fly",)),)}, "there is no verb “fly”"),
        ({"questions": (Cue("x", verb="fly"),)}, "there is no verb “fly”"),
        ({"questions": (Cue("x", knows=("who",)),)}, "there is no fact “who”"),
        ({"questions": (Cue("x", slots={"unit": "{ready}"}),)}, "there is no “ready” to fill in"),
        ({"remarks": (Remark("a", "{x}"),)}, "there is no “x” to fill in"),
        ({"stages": SCRIPT.stages[:2]}, "every step but the last has a goal"),
        ({"stages": (SCRIPT.stages[3], SCRIPT.stages[3])}, "every step but the last has a goal"),
        ({"stages": (Stage("A", (), Goal(("fly",))), SCRIPT.stages[3])}, "no verb “fly”"),
    ],
)
def test_a_script_that_names_what_does_not_exist(change: dict[str, Any], problem: str) -> None:
    script = msgspec.structs.replace(SCRIPT, **change)
    with pytest.raises(BrokenData, match=problem) as caught:
        check(script, DataFile("lesson", None, "data/x"), "lessons.small", BOOTS.verbs, ("scout",))
    assert str(caught.value).startswith("data/x/lesson.toml, lessons.small.")


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"mission": "nowhere"}, "there is no mission “nowhere”"),
        ({"civilians": ["A1"]}, "'G' square, not 'C'"),
        ({"insurgents": [{"square": "A1", "face": "E"}]}, "is taken"),
        ({"insurgents": [{"square": "Z9", "face": "E"}]}, "there is no square"),
    ],
)
def test_a_ground_that_does_not_fit(change: dict[str, Any], problem: str) -> None:
    tables = msgspec.json.decode(msgspec.json.encode(BOOTS.tables()))
    tables["lesson"]["lessons"]["first"]["ground"].update(change)
    with pytest.raises(BrokenData, match=problem):
        load("boots", tables)
