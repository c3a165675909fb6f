"""Exact integer geometry of the boards; nothing here knows a game or uses a float."""
