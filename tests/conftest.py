"""Options, shared fixtures and a clean environment for all tests."""

from __future__ import annotations

import os

import pytest

# Before anything imports bot.settings: no test may reach a developer's bot or games, neither
# through the shell's variables nor through a .env file (which a set variable outranks).
for _name in [name for name in os.environ if name.startswith("FIELDPOST_")]:
    del os.environ[_name]
os.environ["DISCORD_TOKEN"] = ""
os.environ["DATABASE_URL"] = "sqlite+aiosqlite:///:memory:"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("fieldpost")
    group.addoption(
        "--soak",
        action="store_true",
        default=os.environ.get("SOAK", "") not in ("", "0"),
        help="run the long tests too, at their full numbers (also: SOAK=1)",
    )
    group.addoption(
        "--update-goldens",
        action="store_true",
        help="write the golden pictures instead of comparing with them",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--soak"):
        return
    skip = pytest.mark.skip(reason="slow: runs with --soak (make soak)")
    for item in items:
        if item.get_closest_marker("slow"):
            item.add_marker(skip)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """One line of rule coverage per game; pytest's own summary line still comes last."""
    from tests.rule_coverage import read_coverage

    if config.get_verbosity() < 0:
        return
    try:
        coverage = read_coverage()
    except ValueError as error:  # tests/test_rule_coverage.py says the same and fails
        terminalreporter.section("rules")
        terminalreporter.write_line(str(error))
        return
    if coverage:
        terminalreporter.section("rules")
        for game in coverage:
            terminalreporter.write_line(game.line())


@pytest.fixture(scope="session")
def soak(request: pytest.FixtureRequest) -> bool:
    """Whether this is a soak run: tests with adjustable numbers then use their full ones."""
    return bool(request.config.getoption("--soak"))


@pytest.fixture(scope="session")
def update_goldens(request: pytest.FixtureRequest) -> bool:
    """Whether golden pictures are to be written instead of compared."""
    return bool(request.config.getoption("--update-goldens"))
