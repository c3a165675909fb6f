"""The house rules that a reader relies on: who may import whom, and what a file looks like.

cogs -> bot -> renderer, games;  renderer -> games.kernel;  games/<game> -> kernel, geometry.
Games are pure: no Discord, no database, no pictures, no clock, no chance of their own, no files.
"""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("bot", "cogs", "games", "renderer")
LONGEST = 600

# What no module of games may import, unless a line of ALLOWED names it.
IMPURE = frozenset(
    "PIL aiohttp aiosqlite alembic asyncio datetime discord glob hashlib hmac importlib io logging "
    "multiprocessing os pathlib random secrets shutil simcord socket sqlalchemy subprocess "
    "tempfile threading time tomllib urllib uuid".split()
)
FILES = frozenset("importlib io os pathlib tomllib".split())
ALLOWED: tuple[tuple[str, frozenset[str]], ...] = (
    ("games.kernel.entropy", frozenset({"secrets", "hmac"})),
    ("games.kernel.verify", FILES | {"hmac"}),
    ("games.kernel.datafiles", FILES),
    ("games.kernel*", frozenset({"hashlib"})),  # hashes of states and log rows
    ("games.*.content", frozenset({"pathlib", "tomllib"})),
    ("games.boots", frozenset({"pathlib"})),  # load(folder), for the registry
    ("games.sniper", frozenset({"pathlib"})),
    ("games.vectors", FILES),
    ("games.simulate", FILES),
    ("games.registry", FILES),
)
EDGES = ("games.vectors", "games.simulate", "games.registry", "games.kernel.verify")

# Drawing knows no Discord and no database; nothing but cogs and bot does.
FOREIGN_TO_RENDERER = frozenset(
    "aiohttp aiosqlite alembic asyncio discord simcord sqlalchemy".split()
)


@dataclass(frozen=True)
class Module:
    """A Python file of the house, by its dotted name."""

    name: str
    path: Path

    @property
    def package(self) -> str:
        """The package that relative imports count from."""
        return self.name if self.path.name == "__init__.py" else self.name.rpartition(".")[0]

    def tree(self) -> ast.Module:
        return ast.parse(self.path.read_text(encoding="utf-8"), str(self.path))


def modules(root: Path = ROOT) -> list[Module]:
    found: list[Module] = []
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*.py")):
            parts = path.relative_to(root).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            found.append(Module(name, path))
    return found


MODULES = modules()
each_module = pytest.mark.parametrize("module", MODULES, ids=lambda module: module.name)


def imports(module: Module, known: frozenset[str]) -> Iterator[tuple[str, int]]:
    """Every imported module's dotted name with its line, wherever in the file it is imported."""
    for node in ast.walk(module.tree()):
        match node:
            case ast.Import():
                yield from ((alias.name, node.lineno) for alias in node.names)
            case ast.ImportFrom():
                base = node.module or ""
                if node.level:
                    above = module.package.split(".")
                    above = above[: len(above) - node.level + 1]
                    base = ".".join([*above, base] if base else above)
                for alias in node.names:
                    inner = f"{base}.{alias.name}"
                    yield (inner if inner in known else base), node.lineno
            case _:
                pass


def within(name: str, package: str) -> bool:
    return name == package or name.startswith(package + ".")


def may_import(module: Module) -> tuple[str, ...]:
    """The parts of the house that this module may import."""
    match module.name.split("."):
        case ["cogs", *_]:
            return ("cogs", "bot", "renderer", "games")
        case ["bot", *_]:
            return ("bot", "renderer", "games")
        case ["renderer", *_]:
            return ("renderer", "games.kernel")
        case ["games", "geometry", *_]:
            return ("games.geometry",)
        case ["games", "kernel", *_]:
            return ("games.kernel", "games.geometry")
        case ["games", "parlour", *_]:
            return ("games.parlour", "games.kernel")
        case ["games", game, *inside] if inside or module.path.name == "__init__.py":
            return (f"games.{game}", "games.kernel", "games.geometry")
        case _:  # games itself and its edges, such as games.registry
            return ("games",)


def layer_faults(module: Module, known: frozenset[str]) -> list[str]:
    allowed = may_import(module)
    faults: list[str] = []
    for target, line in imports(module, known):
        top = target.partition(".")[0]
        if top == "tests":
            faults.append(f"line {line}: {module.name} imports {target}; tests are not shipped")
        elif top in PACKAGES and not any(within(target, part) for part in allowed):
            faults.append(
                f"line {line}: {module.name} imports {target}; it may import {', '.join(allowed)}"
            )
    return faults


def purity_faults(module: Module, known: frozenset[str]) -> list[str]:
    banned = IMPURE if within(module.name, "games") else FOREIGN_TO_RENDERER
    if within(module.name, "games"):
        for pattern, names in ALLOWED:
            if fnmatch(module.name, pattern):
                banned = banned - names
    faults = [
        f"line {line}: {module.name} imports {target}"
        for target, line in imports(module, known)
        if target.partition(".")[0] in banned
    ]
    if within(module.name, "games") and module.name not in EDGES:
        for node in ast.walk(module.tree()):
            match node:
                case ast.Call(func=ast.Name(id="open" | "print" | "input" as call)):
                    faults.append(f"line {node.lineno}: {module.name} calls {call}()")
                case _:
                    pass
    return faults


KNOWN = frozenset(module.name for module in MODULES)


@each_module
def test_imports_point_one_way(module: Module) -> None:
    assert not layer_faults(module, KNOWN)


@pytest.mark.parametrize(
    "module",
    [module for module in MODULES if module.name.split(".")[0] in ("games", "renderer")],
    ids=lambda module: module.name,
)
def test_games_and_renderer_are_pure(module: Module) -> None:
    assert not purity_faults(module, KNOWN)


@each_module
def test_module_says_what_it_is(module: Module) -> None:
    assert ast.get_docstring(module.tree()), f"{module.name} needs a docstring of a line or more"


@each_module
def test_module_is_a_room_not_a_hall(module: Module) -> None:
    lines = len(module.path.read_text(encoding="utf-8").splitlines())
    assert lines <= LONGEST, f"{module.name} has {lines} lines; divide it (at most {LONGEST})"


def test_every_code_folder_is_a_package() -> None:
    folders = {module.path.parent for module in MODULES}
    bare = sorted(str(p.relative_to(ROOT)) for p in folders if not (p / "__init__.py").exists())
    assert not bare, f"these folders need an __init__.py: {bare}"


def tracked_files() -> list[Path]:
    listing = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listing.returncode:
        pytest.skip("not a git checkout")
    return [ROOT / name for name in listing.stdout.split("\0") if name]


def test_no_package_registry_is_named() -> None:
    hosts = [  # in two parts each, or this file would name them
        "pypi" + ".org",
        "python" + "hosted.org",
        "registry." + "npmjs",
        "npm" + "js.org",
        "deb.deb" + "ian.org",
        "security.deb" + "ian.org",
        "crates" + ".io",
        "proxy.go" + "lang.org",
        "--index" + "-url",
        "--extra-index" + "-url",
        "--find" + "-links",
    ]
    named = [
        f"{path.relative_to(ROOT)}: {host}"
        for path in tracked_files()
        if path.is_file()
        for content in [path.read_bytes()]
        for host in hosts
        if host.encode() in content
    ]
    assert not named


# The checks themselves, on small houses made for the purpose.


@pytest.mark.parametrize(
    ("name", "source", "fault"),
    [
        ("games.boots.fire", "from games.kernel.dice import roll", ""),
        ("games.boots.fire", "from ..geometry import squares", ""),
        ("games.boots.fire", "from . import model", ""),
        ("games.boots.fire", "from games.sniper import model", "games.sniper"),
        ("games.boots.fire", "from .. import sniper", "games.sniper"),
        ("games.boots.fire", "import games.registry", "games.registry"),
        ("games.boots.fire", "def f():\n    import renderer", "renderer"),
        ("games.boots.__init__", "from games.sniper import model", "games.sniper"),
        ("games.boots.fire", "import random", "random"),
        ("games.boots.fire", "from datetime import date", "datetime"),
        ("games.boots.fire", "import sqlalchemy.orm", "sqlalchemy"),
        ("games.boots.fire", "from pathlib import Path", "pathlib"),
        ("games.boots.fire", "import hashlib", "hashlib"),
        ("games.boots.fire", "x = open('f')", "open()"),
        ("games.boots.content", "import tomllib, pathlib", ""),
        ("games.boots.content", "import os", "os"),
        ("games.kernel.entropy", "import hashlib, hmac, secrets", ""),
        ("games.kernel.entropy", "import random", "random"),
        ("games.kernel.dice", "import secrets", "secrets"),
        ("games.kernel.dice", "from games import boots", "games.boots"),
        ("games.geometry.hexes", "from games.kernel import view", "games.kernel"),
        ("games.registry", "from games import boots\nimport pathlib", ""),
        ("games.registry", "import discord", "discord"),
        ("games.parlour.roll", "from games.kernel.entropy import Entropy", ""),
        ("games.parlour.roll", "from games.geometry import squares", "games.geometry"),
        ("games.registry", "import bot", "bot"),
        ("renderer.board", "from games.kernel.view import View\nimport PIL", ""),
        ("renderer.board", "from games import boots", "games.boots"),
        ("renderer.board", "from bot import settings", "bot"),
        ("renderer.board", "import discord", "discord"),
        ("bot.client", "import discord, asyncio\nfrom renderer import board\nimport games", ""),
        ("bot.client", "import cogs.boots", "cogs.boots"),
        ("bot.client", "from tests import helpers", "tests"),
        ("cogs.boots", "from bot import client\nfrom games import boots", ""),
    ],
)
def test_a_fault_is_seen(tmp_path: Path, name: str, source: str, fault: str) -> None:
    path = tmp_path.joinpath(*name.split(".")).with_suffix(".py")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source, encoding="utf-8")
    known = frozenset({"games.boots", "games.sniper", "games.kernel", "bot", "bot.settings"})
    module = Module(name.removesuffix(".__init__"), path)
    faults = layer_faults(module, known)
    if name.startswith(("games", "renderer")):
        faults += purity_faults(module, known)
    assert len(faults) == bool(fault), faults
    assert all(fault in line for line in faults)
