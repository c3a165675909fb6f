"""Nothing we send is more than Discord takes, with the widest game there may be."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import discord
import pytest
from discord import app_commands

from bot import texts
from bot.chronicle import log_letter, missed_letter
from bot.client import EXTENSIONS, create_bot
from bot.commands import command_name, game_commands, option_name
from bot.custom_ids import LONGEST, Step, TooLong
from bot.layout import Image
from bot.lobby import change_letter, changeable, field_letter
from bot.offers import MORE, starts
from bot.panel import panel, private
from bot.picking import Sheet, form, sheet
from bot.picks import pick, walk
from bot.sessions import LogEntry, Table
from bot.sessions.visits import Missed
from bot.settings import read_settings
from bot.store import Store
from bot.suggesting import suggest
from bot.views import board_letter, text_letter
from games.kernel.event import Event, Noted
from games.kernel.game import Game
from games.registry import Registry
from tests import toygame
from tests.bot import limits, widest
from tests.bot.house import KIM, ROBIN, House

OPENAPI = Path("/work/shared/discord-openapi.json")
PICTURE = Image("board.png", b"png", widest.LONG)
EVENTS: tuple[Event, ...] = tuple(Noted(text=f"{n}. {widest.LONG}") for n in range(80))


@pytest.fixture
async def wide(store: Store) -> AsyncIterator[Table]:
    house = House(store, Registry({"wide": widest.load, "toy": toygame.load}, shipped=False))
    table = await house.sessions.open(
        game="wide",
        chosen={"mode": "duel"},
        guild_id=9,
        channel_id=70,
        user_id=ROBIN,
        user_name="*Robin* @everyone",
        interaction_id=1,
    )
    await house.sessions.join(table.id, KIM, "*Kim* @here", interaction_id=2)
    yield await house.start(table)


def wire(letter: Any) -> list[dict[str, Any]]:
    return letter.screen.to_components()


def test_panel_of_the_widest_game(wide: Table) -> None:
    assert len(starts(wide)) == 60
    letter = panel(wide, EVENTS, (PICTURE, PICTURE), remark=widest.LONG[:500])
    limits.check_message(wire(letter))
    every = list(limits.walk(wire(letter)))
    verbs = [c for c in every if c["type"] == limits.BUTTON and ":verb_" in c["custom_id"]]
    assert len(verbs) == 15
    assert any(MORE in c.get("custom_id", "") for c in every)
    shown = "\n".join(c["content"] for c in every if c["type"] == limits.TEXT)
    assert "more: `/table log`" in shown


def test_private_panels_of_the_widest_game(wide: Table) -> None:
    limits.check_message(wire(private(wide, ROBIN, texts.clip(widest.LONG, 2000), more=True)))
    limits.check_message(wire(private(wide, 77, "", more=True)))


def test_every_step_of_picking_in_the_widest_game(wide: Table) -> None:
    seat = "RED"
    verb = next(iter(wide.game.verbs.values()))
    at = walk(wide.state, seat, verb, {})
    steps = 0
    while not at.complete:
        here = Sheet(wide, seat, at)
        for page in range(here.pages):
            letter = sheet(Sheet(wide, seat, at, page), (PICTURE,), widest.LONG)
            limits.check_message(wire(letter))
        if not at.compass:
            limits.check_form(form(here).to_dict())
        assert len(here.shown) <= 25
        at = pick(wide.state, seat, at, at.left[-1].value)
        steps += 1
    assert steps == 8


def test_confirmation_in_the_widest_game(wide: Table) -> None:
    verb = next(verb for verb in wide.game.verbs.values() if verb.confirm)
    given = {
        "to": "A2",
        "face": "N",
        "units": tuple(option.value for option in widest.many(5)),
        "one": widest.many(300)[299].value,
    }
    at = walk(wide.state, "RED", verb, given)
    limits.check_message(wire(sheet(Sheet(wide, "RED", at))))


def test_picks_that_do_not_fit_into_an_id_say_so() -> None:
    step = Step("abcdefgh", 999_999_999, "v" * 32, 3, "zz." * 20, "abc")
    with pytest.raises(TooLong):
        step.id("s", "0")
    assert len(Step("abcdefgh", 999_999_999, "v" * 32, 3, "zz.zz.zz", "abc").id("s")) <= LONGEST


def test_suggestions_of_the_widest_game(wide: Table) -> None:
    name = next(iter(wide.game.verbs))
    for slot, before in (
        ("to", {}),
        ("face", {"to": "A2"}),
        ("units", {"to": "A2", "face": "n"}),
        ("one", {"to": "A2", "units": widest.many(1)[0].value}),
        ("one", {}),
        ("units", {"to": "Z99"}),
    ):
        pairs = suggest(wide, "RED", name, slot, before, "")
        assert 1 <= len(pairs) <= 25
        assert all(1 <= len(label) <= 100 and 1 <= len(value) <= 100 for label, value in pairs)


def test_log_text_and_board_letters(wide: Table) -> None:
    entries = [
        LogEntry(n, "act", n - 1, 1, "@everyone **x**", "RED", {}, EVENTS[:30], True, False, 1)
        for n in range(1, 21)
    ]
    limits.check_message(wire(log_letter(wide, entries, "RED")))
    limits.check_message(wire(log_letter(wide, entries, "RED", upwards=True)))
    missed = Missed(wide, 0, True, tuple(entries), wide.state)
    pictures = (PICTURE, dataclasses.replace(PICTURE, name="after.png"))
    limits.check_message(wire(missed_letter(missed, 1, EVENTS, pictures)))
    limits.check_message(wire(board_letter(wide, (PICTURE,))))
    limits.check_message(wire(board_letter(wide, ())))
    letter = text_letter("A line of the board\n" * 900)
    limits.check_message(wire(letter))
    assert letter.attached[0].name == "board.txt"


def test_user_text_cannot_mention_or_format(wide: Table) -> None:
    entry = LogEntry(1, "act", 0, 1, "@everyone **x** <@1>", "", {}, EVENTS[:1], True, False, 1)
    shown = json.dumps(wire(log_letter(wide, [entry], None)), ensure_ascii=False)
    assert "@everyone" not in shown
    assert "<@1>" not in shown
    assert "**x**" not in shown


def payload_of(game: Game[Any]) -> dict[str, Any]:
    """A game's commands as Discord is told them."""
    tree = app_commands.CommandTree(discord.Client(intents=discord.Intents.none()))
    return game_commands(game).to_dict(tree)


def test_commands_of_the_widest_game() -> None:
    payload = payload_of(widest.WideGame())
    limits.check_level(payload)
    names = [option["name"] for option in payload["options"]]
    assert {"new", "group-0", "group-1", "group-2"} <= set(names)


def test_a_game_that_names_no_groups_gets_one() -> None:
    class Loose(widest.WideGame):
        def __init__(self) -> None:
            super().__init__()
            for verb in self.verbs.values():
                verb.group = ""
            self.verbs = dict(list(self.verbs.items())[:40])  # type: ignore

    payload = payload_of(Loose())
    limits.check_level(payload)
    assert len(payload["options"]) == 25
    more = next(option for option in payload["options"] if option["name"] == "more")
    assert len(more["options"]) == 17
    assert "new" not in [option["name"] for option in more["options"]]


def test_a_game_that_does_not_fit_is_refused_at_the_start() -> None:
    for wrong in ("", "x" * 33, "naïve", "two words!"):
        with pytest.raises(ValueError, match="cannot be a command"):
            command_name(wrong)
    for wrong in ("", "x" * 33, "Big", "a-b"):
        with pytest.raises(ValueError, match="cannot be an option"):
            option_name(wrong)


async def all_commands(tmp_path: Path, registry: Registry) -> list[dict[str, Any]]:
    """The payload of everything the bot registers."""
    settings = read_settings(None, DATABASE_URL=f"sqlite+aiosqlite:///{tmp_path}/x.db")
    bot = create_bot(settings, registry=registry)
    for extension in EXTENSIONS:
        await bot.load_extension(extension)
    for slug in registry.slugs():
        bot.add_game(slug)
    payload = [command.to_dict(bot.tree) for command in bot.tree.get_commands()]
    await bot.close()
    return payload


async def test_commands_of_all_shipped_games(tmp_path: Path) -> None:
    payload = await all_commands(tmp_path, Registry())
    limits.check_commands(payload)
    names = {command["name"] for command in payload}
    assert {"table", "help", "rule", "roll", "deck", "mygames", "boots", "sniper"} <= names


@pytest.mark.skipif(not OPENAPI.exists(), reason="Discord's OpenAPI description is not here")
async def test_payloads_against_discords_own_description(tmp_path: Path, wide: Table) -> None:
    """The commands and a panel, checked by the JSON schemas that Discord publishes."""
    schemas = OpenApi(OPENAPI)
    for command in await all_commands(tmp_path, Registry({"toy": toygame.load})):
        assert schemas.faults("ApplicationCommandCreateRequest", command) == []
    letter = panel(wide, EVENTS, (PICTURE,))
    body = {"components": wire(letter), "flags": 1 << 15, "nonce": "a" * 24, "enforce_nonce": True}
    assert schemas.faults("MessageCreateRequest", body) == []
    verb = next(iter(wide.game.verbs.values()))
    here = Sheet(wide, "RED", walk(wide.state, "RED", verb, {}))
    body = {"type": 4, "data": {"components": wire(sheet(here, (PICTURE,))), "flags": 1 << 15}}
    assert schemas.faults("CreateMessageInteractionCallbackRequest", body) == []
    body = {"type": 9, "data": form(here).to_dict()}
    assert schemas.faults("ModalInteractionCallbackRequest", body) == []


@pytest.mark.skipif(not OPENAPI.exists(), reason="Discord's OpenAPI description is not here")
def test_our_limits_are_those_of_discords_description() -> None:
    schemas = json.loads(OPENAPI.read_text())["components"]["schemas"]

    def limit(name: str, field: str, word: str) -> int:
        return schemas[name]["properties"][field][word]

    assert limit("ButtonComponentForMessageRequest", "custom_id", "maxLength") == 100
    assert limit("ButtonComponentForMessageRequest", "label", "maxLength") == 80
    assert limit("StringSelectComponentForMessageRequest", "options", "maxItems") == 25
    assert limit("StringSelectComponentForMessageRequest", "placeholder", "maxLength") == 150
    for field in ("label", "value", "description"):
        assert limit("StringSelectOptionForRequest", field, "maxLength") == 100
    assert limit("MediaGalleryItemRequest", "description", "maxLength") == 1024
    assert limit("ContainerComponentForMessageRequest", "components", "maxItems") == 40
    assert limit("ActionRowComponentForMessageRequest", "components", "maxItems") == 5
    assert limit("ApplicationCommandCreateRequest", "options", "maxItems") == limits.ON_LEVEL
    assert limit("ApplicationCommandCreateRequest", "description", "maxLength") == 100
    assert limit("TextDisplayComponentForMessageRequest", "content", "maxLength") == 4000
    assert limit("ModalInteractionCallbackRequestData", "title", "maxLength") == 45
    assert limit("LabelComponentForModalRequest", "label", "maxLength") == 45


class OpenApi:
    """Validates payloads by the schemas of an OpenAPI 3.1 document."""

    def __init__(self, path: Path) -> None:
        from referencing import Registry as Schemas
        from referencing import Resource
        from referencing.jsonschema import DRAFT202012

        document = json.loads(path.read_text())
        # Discord takes ids as numbers too; only its description says strings.
        document["components"]["schemas"]["SnowflakeType"]["type"] = ["string", "integer"]
        resource = Resource(contents=document, specification=DRAFT202012)
        self._schemas = Schemas().with_resource("urn:discord", resource)

    def faults(self, name: str, payload: Any) -> list[str]:
        """What is wrong with a payload; empty when it is valid."""
        from jsonschema import Draft202012Validator

        schema = {"$ref": f"urn:discord#/components/schemas/{name}"}
        found = Draft202012Validator(schema, registry=self._schemas).iter_errors(payload)
        return [re.sub(r"\s+", " ", f"{list(e.absolute_path)}: {e.message}")[:300] for e in found]


async def test_the_lobby_of_the_widest_game(store: Store) -> None:
    house = House(store, Registry({"wide": widest.load}, shipped=False))
    table = await house.sessions.open(
        game="wide",
        chosen={"mode": "duel"},
        guild_id=9,
        channel_id=70,
        user_id=ROBIN,
        user_name=widest.LONG[:32],
        interaction_id=1,
    )
    for user in range(900, 930):
        acted = await house.sessions.join(
            table.id, user, widest.LONG[:32], interaction_id=user, seat=table.seats[1].seat
        )
        table = acted.table
    limits.check_message(wire(panel(table, EVENTS, (PICTURE,), remark=widest.LONG[:500])))
    limits.check_message(wire(private(table, ROBIN)))
    limits.check_message(wire(change_letter(table, widest.LONG[:500])))
    for field in table.game.setup_fields():
        limits.check_message(wire(field_letter(table, field.name)))


async def test_the_menus_of_the_real_game(store: Store) -> None:
    house = House(store, Registry())
    for number, mode in enumerate(("coop", "comp", "versus", "three")):
        table = await house.sessions.open(
            game="boots",
            chosen={"mode": mode},
            guild_id=9,
            channel_id=number,
            user_id=ROBIN,
            user_name="Robin",
            interaction_id=number,
        )
        limits.check_message(wire(panel(table, EVENTS, (PICTURE,), remark=widest.LONG[:500])))
        limits.check_message(wire(change_letter(table)))
        for field, options in changeable(table):
            assert len(options) > 1
            limits.check_message(wire(field_letter(table, field.name)))
