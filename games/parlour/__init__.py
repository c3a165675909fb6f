"""Dice and cards for everybody, without a game: what a notation means, what a deck holds. Pure."""
