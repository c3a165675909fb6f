"""The database: its tables, how it is opened and brought up to date, and how it is copied."""

from bot.store.engine import Store

__all__ = ["Store"]
