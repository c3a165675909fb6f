"""Small pieces of English that the sentences of every game are put together from."""

from __future__ import annotations

from collections.abc import Sequence


def listed(parts: Sequence[str], last: str = "and") -> str:
    """“a”, “a and b”, “a, b and c”."""
    if len(parts) <= 1:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {last} {parts[-1]}"


def minus(value: int) -> str:
    """A number, the minus a real one."""
    return str(value) if value >= 0 else f"−{-value}"


def signed(value: int) -> str:
    """A number with its sign: “+2”, “0”, “−1”."""
    return f"+{value}" if value > 0 else minus(value)
