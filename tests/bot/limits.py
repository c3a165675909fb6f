"""Discord's limits, as its OpenAPI description (and, for totals, its documentation) states them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

ROW, BUTTON, MENU, INPUT, TEXT, GALLERY, FILE, CONTAINER, LABEL = 1, 2, 3, 4, 10, 12, 13, 17, 18
SUBCOMMAND, GROUP = 1, 2

COMMANDS = 100
COMMAND_CHARACTERS = 8000
ON_LEVEL = 25
NAME = re.compile(r"^[-_a-z0-9]{1,32}$")
COMPONENTS = 40
CHARACTERS = 4000


def walk(components: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Every component, the nested ones too."""
    for component in components:
        yield component
        yield from walk(component.get("components", []))
        if "component" in component:
            yield from walk([component["component"]])


def check_message(components: list[dict[str, Any]]) -> None:
    """Assert that a message of components may be sent."""
    every = list(walk(components))
    assert 1 <= len(every) <= COMPONENTS, len(every)
    total = sum(len(c["content"]) for c in every if c["type"] == TEXT)
    assert total <= CHARACTERS, total
    ids = [c["custom_id"] for c in every if c.get("custom_id")]
    assert len(ids) == len(set(ids)), "two controls with one id"
    for component in every:
        check_component(component)


def check_component(component: dict[str, Any]) -> None:
    """Assert the limits of one component."""
    if component.get("custom_id") is not None:
        assert 1 <= len(component["custom_id"]) <= 100, component["custom_id"]
    match component["type"]:
        case 1:
            inside = component["components"]
            assert 1 <= len(inside) <= (1 if inside[0]["type"] == MENU else 5)
        case 2:
            assert 1 <= len(component["label"]) <= 80
        case 3:
            assert 1 <= len(component["options"]) <= 25
            assert len(component.get("placeholder") or "") <= 150
            values = [option["value"] for option in component["options"]]
            assert len(values) == len(set(values))
            for option in component["options"]:
                assert 1 <= len(option["label"]) <= 100
                assert 1 <= len(option["value"]) <= 100
                assert len(option.get("description") or "") <= 100
        case 4:
            assert len(component.get("placeholder") or "") <= 100
        case 10:
            assert 1 <= len(component["content"]) <= 4000
        case 12:
            assert 1 <= len(component["items"]) <= 10
            for item in component["items"]:
                assert 1 <= len(item.get("description") or "?") <= 1024
        case 17:
            assert 1 <= len(component["components"]) <= 40
        case 18:
            assert 1 <= len(component["label"]) <= 45
            assert len(component.get("description") or "") <= 100
        case _:
            pass


def check_form(form: dict[str, Any]) -> None:
    """Assert that a form may be sent."""
    assert 1 <= len(form["custom_id"]) <= 100
    assert 1 <= len(form["title"]) <= 45
    assert 1 <= len(form["components"]) <= 5
    for component in walk(form["components"]):
        check_component(component)


def check_commands(commands: list[dict[str, Any]]) -> None:
    """Assert that these commands may be registered."""
    assert len(commands) <= COMMANDS
    names = [command["name"] for command in commands]
    assert len(names) == len(set(names))
    for command in commands:
        check_level(command)
        assert characters(command) <= COMMAND_CHARACTERS, command["name"]


def check_level(command: dict[str, Any]) -> None:
    """Assert the limits of a command, its options, and the commands below it."""
    assert NAME.match(command["name"]), command["name"]
    assert 1 <= len(command["description"]) <= 100, command["name"]
    options = command.get("options") or []
    assert len(options) <= ON_LEVEL, command["name"]
    names = [option["name"] for option in options]
    assert len(names) == len(set(names)), command["name"]
    for option in options:
        if option["type"] in (SUBCOMMAND, GROUP):
            check_level(option)
            continue
        assert NAME.match(option["name"]), option["name"]
        assert 1 <= len(option["description"]) <= 100
        choices = option.get("choices") or []
        assert len(choices) <= 25
        assert all(1 <= len(c["name"]) <= 100 and len(str(c["value"])) <= 100 for c in choices)


def characters(command: dict[str, Any]) -> int:
    """What counts towards the limit of 8,000: names, descriptions and values."""
    count = len(command["name"]) + len(command.get("description") or "")
    count += sum(len(c["name"]) + len(str(c["value"])) for c in command.get("choices") or [])
    return count + sum(characters(option) for option in command.get("options") or [])
