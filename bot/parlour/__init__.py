"""Dice and decks of a channel, without a game: kept, drawn and shown."""
