"""Which rules are proved by a test: reads rule files, tests, vectors and the waiver list.

Everything is read from the files, without importing a test, so that the answer is the same for
a part of the tests, for all of them, and in every xdist process.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
RULE_ID = re.compile(r"[A-Z]{2}-[A-Z0-9]+(?:\.[0-9]+)*[a-z]?")


@dataclass
class GameCoverage:
    """The rules of one game and where each is cited."""

    slug: str
    rules: set[str]
    cited: dict[str, str] = field(default_factory=dict)
    waived: dict[str, str] = field(default_factory=dict)

    @property
    def gaps(self) -> list[str]:
        return sorted(self.rules - self.cited.keys() - self.waived.keys())

    def line(self) -> str:
        counts = [
            f"{len(self.rules)} rules",
            f"{len(self.rules & self.cited.keys())} cited",
            f"{len(self.rules & self.waived.keys())} waived",
        ]
        if self.gaps:
            counts.append(f"{len(self.gaps)} missing")
        return f"{self.slug}: {', '.join(counts)}"


def rule_ids(data: Any) -> Iterator[str]:
    """Ids that a rules file defines: as a table's key, or as the value of a key `id`."""
    if isinstance(data, dict):
        for key, value in data.items():
            if RULE_ID.fullmatch(key):
                yield key
            elif key == "id" and isinstance(value, str) and RULE_ID.fullmatch(value):
                yield value
            yield from rule_ids(value)
    elif isinstance(data, list):
        for value in data:
            yield from rule_ids(value)


def marked_rules(source: str, name: str) -> Iterator[tuple[str, int]]:
    """Ids in `pytest.mark.rule(...)`, with the line. Only literal strings count."""
    for node in ast.walk(ast.parse(source, name)):
        match node:
            case ast.Call(
                func=ast.Attribute(attr="rule", value=ast.Name("mark") | ast.Attribute(attr="mark"))
            ):
                for argument in node.args:
                    match argument:
                        case ast.Constant(value=str(rule)):
                            yield rule, node.lineno
                        case _:
                            raise ValueError(
                                f"{name}:{node.lineno}: write the ids of mark.rule as plain strings"
                            )


def listed_rules(data: Any) -> Iterator[str]:
    """Ids in the `rules = [...]` lists of a vector file."""
    if isinstance(data, dict):
        for key, value in data.items():
            if key == "rules" and isinstance(value, list):
                yield from (rule for rule in value if isinstance(rule, str))
            else:
                yield from listed_rules(value)
    elif isinstance(data, list):
        for value in data:
            yield from listed_rules(value)


def read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{path}: {error}") from error


def read_rules(root: Path) -> dict[str, set[str]]:
    """Ids by game."""
    return {
        path.parent.name: set(rule_ids(read_toml(path)))
        for path in sorted(root.glob("data/*/rules.toml"))
    }


def read_cited(root: Path) -> dict[str, str]:
    """Every cited id with the first place that cites it."""
    cited: dict[str, str] = {}
    for path in sorted((root / "tests").rglob("*.py")):
        name = path.relative_to(root).as_posix()
        source = path.read_text(encoding="utf-8")
        if "mark.rule" in source:
            for rule, line in marked_rules(source, name):
                cited.setdefault(rule, f"{name}:{line}")
    for path in sorted((root / "tests/vectors").rglob("*.toml")):
        for rule in listed_rules(read_toml(path)):
            cited.setdefault(rule, path.relative_to(root).as_posix())
    return cited


def read_waived(root: Path) -> dict[str, str]:
    """Every waived id with its reason."""
    path = root / "tests/rules_waived.toml"
    if not path.exists():
        return {}
    waived: dict[str, str] = {}
    for entry in read_toml(path).get("waived", []):
        reason = entry.get("reason", "").strip()
        if not reason:
            raise ValueError(f"{path}: each [[waived]] needs a reason")
        waived.update(dict.fromkeys(entry["ids"], reason))
    return waived


def read_coverage(root: Path = ROOT) -> list[GameCoverage]:
    """One entry per game that has a rules file.

    Raises ValueError, with the place, for a file that cannot be read.
    """
    cited, waived = read_cited(root), read_waived(root)
    coverage: list[GameCoverage] = []
    for slug, rules in read_rules(root).items():
        prefixes = {rule.split("-")[0] for rule in rules}

        def own(ids: dict[str, str], prefixes: set[str] = prefixes) -> dict[str, str]:
            return {rule: at for rule, at in ids.items() if rule.split("-")[0] in prefixes}

        coverage.append(GameCoverage(slug, rules, own(cited), own(waived)))
    return coverage
