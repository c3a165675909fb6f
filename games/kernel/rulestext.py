"""Rules as players read them, and how doubts about them were settled: `rules.toml` of every game."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Final

import msgspec

from games.kernel.datafiles import DataFile

Text = Annotated[str, msgspec.Meta(min_length=1)]

_DECISION_ID: Final = re.compile(r"D[1-9][0-9]*")


class Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rule in our own words; `source` says where it comes from.

    R and a section: the rulebook; P: published elsewhere; H: our own decision.
    """

    id: str
    title: Text
    text: Text
    source: str


class Decision(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a doubt about the rules was settled, and the rules it is settled in."""

    id: str
    rules: tuple[str, ...]
    text: Text


class RulesData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rules file as written."""

    provenance: str
    rule: tuple[Rule, ...]
    decision: tuple[Decision, ...]


class Form(msgspec.Struct, frozen=True):
    """What ids and sources of a game look like: patterns, each with an example for complaints."""

    rule_id: str
    rule_example: str
    source: str
    source_example: str


def build_rules(file: DataFile, form: Form) -> tuple[Mapping[str, Rule], Mapping[str, Decision]]:
    """Read and check the rules and the decisions, in the order of the file.

    Raises BrokenData for ids malformed or given twice, sources of another form, and decisions
    about rules that do not exist.
    """
    data = file.convert(RulesData)
    rules: dict[str, Rule] = {}
    for place, rule in enumerate(data.rule):
        key = f"rule[{place}]"
        if re.fullmatch(form.rule_id, rule.id) is None:
            raise file.broken(f"{key}.id", f"{rule.id!r} is no rule id like {form.rule_example}")
        if rule.id in rules:
            raise file.broken(f"{key}.id", f"there are two rules {rule.id}")
        if not all(re.fullmatch(form.source, part) for part in rule.source.split(", ")):
            problem = f"{rule.source!r} is not like {form.source_example}"
            raise file.broken(f"{key}.source", problem)
        rules[rule.id] = rule
    decisions: dict[str, Decision] = {}
    for place, decision in enumerate(data.decision):
        key = f"decision[{place}]"
        if _DECISION_ID.fullmatch(decision.id) is None:
            raise file.broken(f"{key}.id", f"{decision.id!r} is no decision id like D1")
        if decision.id in decisions:
            raise file.broken(f"{key}.id", f"there are two decisions {decision.id}")
        for number, name in enumerate(decision.rules):
            if name not in rules:
                raise file.broken(f"{key}.rules[{number}]", f"there is no rule {name}")
        decisions[decision.id] = decision
    return MappingProxyType(rules), MappingProxyType(decisions)
