"""Figures of speed and size, each beside its floor measured in the same run: `make bench`."""
