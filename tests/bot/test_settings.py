"""Settings: what is read from where, one sentence for each mistake, and no secret in a log."""

from __future__ import annotations

import io
import logging
from pathlib import Path

import pytest

from bot import logs
from bot.__main__ import main
from bot.settings import WrongSettings, read_settings
from games.registry import GAMES

TOKEN = "MTIz.abc-DEF.ghi_JKL"


def test_everything_may_be_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DATABASE_URL")
    settings = read_settings(env_file=None)
    assert settings.discord_token is None
    assert settings.database_url == "sqlite+aiosqlite:///fieldpost.db"
    assert (settings.log_level, settings.port, settings.data) == ("INFO", 8765, None)
    assert settings.most_waiting == 12


def test_environment_goes_before_env_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    env = tmp_path / ".env"
    env.write_text(
        f"# ours\nDISCORD_TOKEN={TOKEN}\nFIELDPOST_PORT=9000\nFIELDPOST_LOG_LEVEL=debug\nOTHER=1\n"
    )
    monkeypatch.delenv("DISCORD_TOKEN")
    monkeypatch.setenv("FIELDPOST_PORT", "9001")
    settings = read_settings(env_file=env)
    assert settings.discord_token is not None
    assert settings.discord_token.get_secret_value() == TOKEN
    assert (settings.port, settings.log_level) == (9001, "DEBUG")
    assert TOKEN not in repr(settings)
    assert read_settings(env_file=env, FIELDPOST_PORT=9002).port == 9002


def test_empty_means_not_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    env = tmp_path / ".env"
    env.write_text("DISCORD_TOKEN=\nDATABASE_URL=\nFIELDPOST_PORT=\n")
    monkeypatch.delenv("DATABASE_URL")
    settings = read_settings(env_file=env)
    assert settings.discord_token is None and settings.port == 8765
    assert settings.database_url == "sqlite+aiosqlite:///fieldpost.db"


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("FIELDPOST_PORT", "many", "FIELDPOST_PORT must be a number from 0 to 65535, not “many”."),
        ("FIELDPOST_PORT", "70000", "FIELDPOST_PORT must be a number from 0 to 65535"),
        ("FIELDPOST_MOST_WAITING", "-1", "must be a number from 0 (no limit) to 1000, not “-1”."),
        ("FIELDPOST_MOST_WAITING", "few", "must be a number from 0 (no limit) to 1000"),
        ("FIELDPOST_WELCOME", "perhaps", "FIELDPOST_WELCOME must be true or false, not “perhaps”."),
        ("FIELDPOST_LOG_LEVEL", "loud", "must be DEBUG, INFO, WARNING or ERROR, not “LOUD”."),
        ("DATABASE_URL", "mysql://u:pw@h/d", "DATABASE_URL names “mysql”, but only"),
        ("DATABASE_URL", "games.db", "DATABASE_URL must look like sqlite+aiosqlite:///"),
        ("DISCORD_TOKEN", f"Bot {TOKEN}", "DISCORD_TOKEN must be the token alone"),
        ("FIELDPOST_DATA", "/no/such/folder", "FIELDPOST_DATA must be a folder; /no/such/folder"),
    ],
)
def test_a_mistake_is_one_sentence(
    name: str,
    value: str,
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(WrongSettings) as caught:
        read_settings(env_file=None)
    assert len(caught.value.sentences) == 1 and sentence in caught.value.sentences[0]
    assert "pw" not in caught.value.sentences[0] and TOKEN not in caught.value.sentences[0]
    assert main(["check"]) == 2
    assert sentence in capsys.readouterr().err


def test_every_mistake_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELDPOST_PORT", "x")
    monkeypatch.setenv("FIELDPOST_LOG_LEVEL", "x")
    with pytest.raises(WrongSettings) as caught:
        read_settings(env_file=None)
    assert len(caught.value.sentences) == 2


def test_addresses_get_our_drivers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgres://u:hush@db.example/games")
    settings = read_settings(env_file=None)
    assert settings.database_url == "postgresql+asyncpg://u:hush@db.example/games"
    assert "hush" not in settings.database_shown and "hush" not in repr(settings)
    assert settings.secrets == ("hush",)


def test_no_log_line_holds_the_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    settings = read_settings(env_file=None)
    out = io.StringIO()
    logs.set_up("DEBUG", settings.secrets, out)
    log = logging.getLogger("somewhere.deep")
    log.info("connecting with %s", TOKEN)
    log.info("headers %r", {"Authorization": f"Bot {TOKEN}"})
    log.info("wrong format %d", TOKEN)
    log.info("stack", stack_info=True)
    try:
        raise RuntimeError(f"401 for {TOKEN}")
    except RuntimeError:
        log.exception("failed")
    text = out.getvalue()
    assert TOKEN not in text
    assert text.count(logs.HIDDEN) == 4
    assert "RuntimeError: 401 for [hidden]" in text and "Stack" in text


def test_check_tells_each_thing_on_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", f"sqlite+aiosqlite:///{tmp_path}/games.db")
    assert main(["check"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Settings: OK")
    assert lines[1].startswith("Database: OK")
    assert lines[2].startswith("Game boots: OK")
    assert lines[-1] == "All is well."


def test_check_names_what_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", f"sqlite+aiosqlite:///{tmp_path}/no/such/games.db")
    (tmp_path / "data").mkdir()
    monkeypatch.setenv("FIELDPOST_DATA", str(tmp_path / "data"))
    assert main(["check"]) == 1
    printed = capsys.readouterr()
    assert "Database: The database sqlite+aiosqlite:///" in printed.out
    assert "cannot be opened" in printed.out and "Traceback" not in printed.out + printed.err
    assert "Game boots: " in printed.out and "Game boots: OK" not in printed.out
    wrong = 1 + len(GAMES)
    assert printed.out.splitlines()[-1] == f"{wrong} of these must be put right."
