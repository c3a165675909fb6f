"""Slash commands: one cog per game, plus table, help and rules."""
