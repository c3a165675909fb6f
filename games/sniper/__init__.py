"""Sniper Kill Confirmed: a two-man sniper team, six zones, one target and the way out."""
