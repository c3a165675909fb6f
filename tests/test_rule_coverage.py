"""Every rule of a game is proved by a test, or waived with a reason."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.rule_coverage import GameCoverage, read_coverage, read_waived

COVERAGE = {game.slug: game for game in read_coverage()}
Checkout = Callable[..., Path]

each_game = pytest.mark.parametrize("slug", sorted(COVERAGE))


@each_game
def test_every_rule_is_cited_or_waived(slug: str) -> None:
    gaps = COVERAGE[slug].gaps
    assert not gaps, f"no test, vector or waiver names: {' '.join(gaps)}"


@each_game
def test_rules_file_defines_rules(slug: str) -> None:
    assert COVERAGE[slug].rules, f"data/{slug}/rules.toml has no rule ids"


@each_game
def test_no_waived_rule_is_cited(slug: str) -> None:
    game = COVERAGE[slug]
    both = {rule: game.cited[rule] for rule in sorted(game.waived.keys() & game.cited.keys())}
    assert not both, f"take these out of tests/rules_waived.toml, they are cited: {both}"


@each_game
def test_cited_and_waived_rules_exist(slug: str) -> None:
    game = COVERAGE[slug]
    unknown = {rule: at for rule, at in game.cited.items() if rule not in game.rules}
    assert not unknown, f"cited, but not in data/{slug}/rules.toml: {unknown}"
    unknown = sorted(game.waived.keys() - game.rules)
    assert not unknown, f"waived, but not in data/{slug}/rules.toml: {unknown}"


def test_waived_rules_belong_to_a_game_with_rules() -> None:
    known = {rule for game in COVERAGE.values() for rule in game.waived}
    assert read_waived(Path(__file__).parents[1]).keys() <= known


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    """Writes files, given as path -> text, and returns their root."""

    def write(files: dict[str, str]) -> Path:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return tmp_path

    return write


RULES = {
    "data/boots/rules.toml": "\n".join(
        [
            '[[rule]]\nid = "BG-1.1"\ntext = "See BG-9.9."',
            '[[rule]]\nid = "BG-1.2"',
            '[[rule]]\nid = "BG-ODDS.3a"',
            '[more."BG-2.1"]\ntext = "x"',
        ]
    )
}


def only(root: Path) -> GameCoverage:
    (game,) = read_coverage(root)
    return game


def test_citations_are_found_in_markers_and_vectors(checkout: Checkout) -> None:
    game = only(
        checkout(
            RULES
            | {
                "tests/games/test_a.py": (
                    "import pytest\n\n@pytest.mark.rule('BG-1.1', 'BG-7.7')\ndef test_a(): ...\n"
                    "# pytest.mark.rule('BG-2.1') in a comment is no citation\n"
                ),
                "tests/vectors/boots.toml": '[[vector]]\nid = "TV-01"\nrules = ["BG-1.2"]\n',
                "tests/rules_waived.toml": ('[[waived]]\nids = ["BG-ODDS.3a"]\nreason = "later"\n'),
            }
        )
    )
    assert game.rules == {"BG-1.1", "BG-1.2", "BG-ODDS.3a", "BG-2.1"}
    assert game.cited == {
        "BG-1.1": "tests/games/test_a.py:3",
        "BG-7.7": "tests/games/test_a.py:3",
        "BG-1.2": "tests/vectors/boots.toml",
    }
    assert game.gaps == ["BG-2.1"]
    assert game.line() == "boots: 4 rules, 2 cited, 1 waived, 1 missing"


def test_marker_with_a_computed_id_is_refused(checkout: Checkout) -> None:
    root = checkout(RULES | {"tests/test_a.py": "import pytest\nx = pytest.mark.rule(f'{1}')\n"})
    with pytest.raises(ValueError, match=r"tests/test_a\.py:2: .*plain strings"):
        read_coverage(root)


def test_waiver_without_a_reason_is_refused(checkout: Checkout) -> None:
    waiver = {"tests/rules_waived.toml": '[[waived]]\nids = ["BG-1.1"]\n'}
    with pytest.raises(ValueError, match="needs a reason"):
        read_coverage(checkout(RULES | waiver))
