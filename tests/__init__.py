"""The tests mirror the tree; tests of the project itself are on this level."""
