"""Commands made from declarations: names, groups, options, suggestions."""

from __future__ import annotations

from typing import Any

import discord
import pytest
from discord import app_commands

from bot.client import fault
from bot.commands import described, game_commands, placed, read_fields
from bot.guide import help_letter
from bot.helping import TOPICS, find_rules, rule_letter
from bot.refusals import Refused, StoreUnusable
from bot.suggesting import OPEN, matching, suggest
from games.kernel.domain import Option
from games.registry import Registry
from tests import toygame
from tests.bot import limits, widest
from tests.bot.house import House


def payload(game: Any) -> dict[str, Any]:
    tree = app_commands.CommandTree(discord.Client(intents=discord.Intents.none()))
    return game_commands(game).to_dict(tree)


def test_each_verb_is_a_command_with_its_slots() -> None:
    found = {one["name"]: one for one in payload(toygame.ToyGame())["options"]}
    assert list(found) == ["new", "move", "attack", "draw", "burn", "done"]
    assert [o["name"] for o in found["attack"]["options"]] == ["target", "style"]
    assert [o["name"] for o in found["new"]["options"]] == ["mission", "mode", "thread"]
    assert found["draw"]["options"] == []
    for option in found["attack"]["options"] + found["new"]["options"][:2]:
        assert option["autocomplete"] and not option.get("required")
    assert found["move"]["description"] == "Walk to a square"


def test_underscores_become_hyphens_in_names_of_commands() -> None:
    names = [option["name"] for option in payload(widest.WideGame())["options"]]
    assert "verb-number-3-with-a-name" in names


def test_verbs_go_to_groups_only_when_they_must() -> None:
    verbs = [widest.WideVerb(n) for n in range(22)]
    assert all(not group for _, group in placed(verbs))
    verbs = [widest.WideVerb(n) for n in range(30)]
    groups = [group for _, group in placed(verbs)]
    assert groups[:20] == [""] * 20 and set(groups[20:]) == {"group_0", "group_1", "group_2"}


def test_the_last_verbs_that_are_not_main_make_room() -> None:
    verbs = [widest.WideVerb(n) for n in range(25)]
    for verb in verbs:
        verb.group = ""
    verbs[24].main = True
    moved = [verb.name for verb, group in placed(verbs) if group]
    assert moved == [verbs[22].name, verbs[23].name]


def test_fields_are_read_by_value_or_label_in_any_case() -> None:
    fields = list(toygame.ToyGame().setup_fields())
    assert read_fields(fields, {"mode": "two players"}) == {"mode": "duel"}
    assert read_fields(fields, {"mode": "DUEL", "mission": "x"}) == {
        "mission": "x",
        "mode": "duel",
    }


def test_descriptions_are_one_line_of_a_hundred() -> None:
    assert described("") == "…"
    assert described("a\n b") == "a b"
    assert len(described(widest.LONG)) == 100


def test_matches_that_begin_come_first() -> None:
    options = (Option("B1", "B1"), Option("AB", "Ab"), Option("B2", "b2"), Option("C", "C"))
    assert [option.value for option in matching(options, "b")] == ["B1", "B2", "AB"]
    assert matching(options, " ") == list(options)


async def test_suggestions_follow_what_was_typed_before(house: House) -> None:
    table = await house.open()
    table.game.patch(table.state, "pos", {"RED": "C2", "BLUE": "D2"})
    pairs = suggest(table, "RED", "attack", "style", {}, "")
    assert pairs == [("Careful · no bonus", "careful"), ("Bold · +1 to both dice", "bold")]
    pairs = suggest(table, "RED", "attack", "style", {"target": "nobody"}, "")
    assert pairs[0][1] == OPEN and "nobody" in pairs[0][0]
    assert suggest(table, "RED", "attack", "nonsense", {}, "") == []


async def test_suggestions_of_lists(house: House) -> None:
    table = await house.open()
    table.game.patch(table.state, "hands", {"RED": ["AMMO", "MAP", "SMOKE"], "BLUE": []})
    values = [value for _, value in suggest(table, "RED", "burn", "cards", {}, "")]
    assert values == ["AMMO", "MAP", "SMOKE"]
    values = [value for _, value in suggest(table, "RED", "burn", "cards", {}, "map")]
    assert values == ["MAP", "MAP, AMMO", "MAP, SMOKE"]
    values = [value for _, value in suggest(table, "RED", "burn", "cards", {}, "map, s")]
    assert values == ["MAP", "MAP, SMOKE"]
    values = [value for _, value in suggest(table, "RED", "burn", "cards", {}, "map, smoke")]
    assert values == ["MAP, SMOKE"]


def test_help_on_every_topic() -> None:
    registry = Registry({"toy": toygame.load}, shipped=False)
    for topic in ("", *TOPICS):
        letter = help_letter(registry, topic)
        components = letter.screen.to_components()
        limits.check_message(components)
        assert "{" not in str([c.get("content") for c in limits.walk(components)]), topic
    empty = help_letter(Registry(shipped=False), "start")
    assert "No game is installed" in str(empty.screen.to_components())


def test_rules_are_found_by_number_or_word() -> None:
    games: list[Any] = [toygame.ToyGame()]
    assert find_rules(games, "toy-1") == [("TOY-1 · Moving", "TOY-1")]
    assert find_rules(games, "card")[0][1] == "TOY-3"
    assert len(find_rules(games, "")) == 4
    assert "walks up to 4" in str(rule_letter(games, "toy-1").screen.to_components())
    with pytest.raises(Refused, match="no rule"):
        rule_letter(games, "TOY-99")


@pytest.mark.parametrize(
    ("error", "part"),
    [
        (discord.LoginFailure("bad"), "does not accept the token"),
        (OSError("Name or service not known"), "cannot be reached"),
        (TimeoutError(), "cannot be reached"),
        (StoreUnusable("The database x cannot be opened: no."), "cannot be opened"),
        (ZeroDivisionError(), None),
    ],
)
def test_start_up_faults_are_one_sentence(error: Exception, part: str | None) -> None:
    sentence = fault(error)
    if part is None:
        assert sentence is None
    else:
        assert sentence is not None and part in sentence
        assert "\n" not in sentence
