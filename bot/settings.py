"""What the operator can set, by environment variables or a file `.env` in the current folder."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote, quote_plus

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from bot.store.engine import read_url

DATA_VARIABLE = "FIELDPOST_DATA"
"""For developers: another folder of game data than the one beside the code. Not read from `.env`."""

ENV_FILE = Path(".env")


class WrongSettings(Exception):
    """Settings that cannot be used: one sentence for each."""

    def __init__(self, sentences: tuple[str, ...]) -> None:
        super().__init__("\n".join(sentences))
        self.sentences = sentences


class Settings(BaseSettings):
    """The settings; `read_settings` makes them. An empty variable counts as not set."""

    model_config = SettingsConfigDict(
        env_file_encoding="utf-8", env_ignore_empty=True, extra="ignore", frozen=True
    )

    discord_token: SecretStr | None = Field(None, validation_alias="DISCORD_TOKEN")
    """The bot's token; None: a local table instead of Discord."""

    database_url: str = Field(
        "sqlite+aiosqlite:///fieldpost.db", validation_alias="DATABASE_URL", repr=False
    )
    """Where games are kept. May hold a password: never log it, log `database_shown`."""

    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(
        "INFO", validation_alias="FIELDPOST_LOG_LEVEL"
    )
    port: int = Field(8765, ge=0, le=65535, validation_alias="FIELDPOST_PORT")
    """The port of the local table's page on 127.0.0.1; 0 takes a free one."""

    most_waiting: int = Field(12, ge=0, le=1000, validation_alias="FIELDPOST_MOST_WAITING")
    """Nobody opens a table while so many wait for him; 0: any number."""

    welcome: bool = Field(True, validation_alias="FIELDPOST_WELCOME")
    """Whether the bot says what it is, once, when it comes to a server."""

    @field_validator("discord_token")
    @classmethod
    def _token(cls, token: SecretStr | None) -> SecretStr | None:
        word = token.get_secret_value().strip() if token is not None else ""
        if not word:
            return None
        if word.split() != [word] or not word.isascii():
            raise ValueError(
                "DISCORD_TOKEN must be the token alone, without “Bot” or other words; copy it "
                "from the Bot page of your application in Discord’s developer portal."
            )
        return SecretStr(word)

    @field_validator("database_url")
    @classmethod
    def _database(cls, address: str) -> str:
        return read_url(address.strip()).render_as_string(hide_password=False)

    @field_validator("log_level", mode="before")
    @classmethod
    def _level(cls, level: Any) -> Any:
        return level.strip().upper() if isinstance(level, str) else level

    @property
    def database_shown(self) -> str:
        """The database's address without its password."""
        return read_url(self.database_url).render_as_string(hide_password=True)

    @property
    def data(self) -> Path | None:
        """The folder that holds the games' data; None: the one beside the code."""
        folder = os.environ.get(DATA_VARIABLE, "")
        return Path(folder) if folder else None

    @property
    def secrets(self) -> tuple[str, ...]:
        """What must never be written to a log."""
        token = self.discord_token.get_secret_value() if self.discord_token else ""
        password = str(read_url(self.database_url).password or "")
        words = (token, password, quote(password, safe=""), quote_plus(password), quote(password))
        return tuple(word for word in dict.fromkeys(words) if word)


def read_settings(env_file: Path | None = ENV_FILE, **given: Any) -> Settings:
    """The settings from the environment, `env_file`, and `given` (which comes first, by variable).

    Raises `WrongSettings` with a sentence for everything that is wrong.
    """
    try:
        settings = Settings(_env_file=env_file, **given)  # pyright: ignore[reportCallIssue]
    except ValidationError as fault:
        raise WrongSettings(tuple(_sentence(dict(error)) for error in fault.errors())) from None
    except (OSError, UnicodeDecodeError) as fault:
        raise WrongSettings((f"The file {env_file} cannot be read: {fault}.",)) from None
    if settings.data is not None and not settings.data.is_dir():
        raise WrongSettings((f"{DATA_VARIABLE} must be a folder; {settings.data} is none.",))
    return settings


def _sentence(error: dict[str, Any]) -> str:
    name = str(error["loc"][0]) if error["loc"] else "A setting"
    cause = error.get("ctx", {}).get("error")
    if isinstance(cause, ValueError):
        return str(cause)
    wrong = error["input"]
    match name:
        case "FIELDPOST_LOG_LEVEL":
            return f"{name} must be DEBUG, INFO, WARNING or ERROR, not “{wrong}”."
        case "FIELDPOST_PORT":
            return f"{name} must be a number from 0 to 65535, not “{wrong}”."
        case "FIELDPOST_WELCOME":
            return f"{name} must be true or false, not “{wrong}”."
        case "FIELDPOST_MOST_WAITING":
            return f"{name} must be a number from 0 (no limit) to 1000, not “{wrong}”."
        case _:
            return f"{name} is wrong: {error['msg']}."
