"""Another way to roll a notation: slow, by text patterns and Python's own arithmetic.

It shares no code with `games.parlour`: it finds each throw of dice in the text, works it out with plain
lists, puts its value in its place, and lets Python add up what is left. `draw(sides)` gives a number
from 1 to `sides`. One line at a time; repeats and labels are cut off by the caller.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable

OPERATORS = {
    "<": operator.lt,
    "<=": operator.le,
    "=": operator.eq,
    ">=": operator.ge,
    ">": operator.gt,
}
COMPARE = r"(?:<=|>=|<|>|=)"
MODIFIER = rf"ro?(?:{COMPARE}-?\d+|\d+)|!(?:{COMPARE}-?\d+|\d+)?|(?:kh|kl|dh|dl|k)\d*|adv|dis|{COMPARE}-?\d+"
THROW = re.compile(rf"(\d*)d(\d+|%|f|\{{[-\d,]+\}})((?:{MODIFIER})*)")
MOST_AGAIN, MOST_EXTRA = 20, 500


class Slow:
    """One roll; `extra` counts the dice thrown beyond the first ones, over all its lines."""

    def __init__(self, draw: Callable[[int], int]) -> None:
        self.draw = draw
        self.extra = 0

    def line(self, source: str) -> int:
        text = re.sub(r"\s+", "", source.lower())
        for typographic, typed in zip("−×÷≥≤", ("-", "*", "/", ">=", "<="), strict=True):
            text = text.replace(typographic, typed)
        while True:
            found = THROW.search(text)
            if found is None:
                break
            text = f"{text[: found.start()]}({self.throw(*found.groups())}){text[found.end() :]}"
        text = re.sub(r"(?<![\d.])0+(\d)", r"\1", text)
        if not re.fullmatch(r"[-+*/()\d]*", text):
            raise ValueError(text)
        return int(eval(text.replace("/", "//")))

    def throw(self, count: str, kind: str, modifiers: str) -> int:
        number = int(count or 1)
        if kind == "%":
            faces = list(range(1, 101))
        elif kind == "f":
            faces = [-1, 0, 1]
        elif kind.startswith("{"):
            faces = [int(face) for face in kind[1:-1].split(",")]
        else:
            faces = list(range(1, int(kind) + 1))
        named = {self.kind(word): word for word in re.findall(MODIFIER, modifiers)}
        keep = named.get("keep", "")
        if keep in ("adv", "dis"):
            number, keep = 2, "kh" if keep == "adv" else "kl"

        def one() -> int:
            value = faces[self.draw(len(faces)) - 1]
            again = named.get("reroll")
            if again is None:
                return value
            once = again.startswith("ro")
            for _ in range(1 if once else MOST_AGAIN):
                if not self.meets(again[2 if once else 1 :], value) or not self.more():
                    break
                value = faces[self.draw(len(faces)) - 1]
            return value

        first = [one() for _ in range(number)]
        lying: list[int] = []
        for value in first:
            lying.append(value)
            burst = named.get("explode")
            if burst is None:
                continue
            for _ in range(MOST_AGAIN):
                if not self.meets(burst[1:] or str(max(faces)), value) or not self.more():
                    break
                value = one()
                lying.append(value)
        if keep:
            how, size = keep.rstrip("0123456789"), int(re.sub(r"\D", "", keep) or 1)
            ranked = sorted(lying)
            cut = {
                "kh": ranked[-size:],
                "k": ranked[-size:],
                "kl": ranked[:size],
                "dl": ranked[size:],
                "dh": ranked[:-size],
            }
            lying = cut[how]
        if "meet" in named:
            return sum(self.meets(named["meet"], value) for value in lying)
        return sum(lying)

    def more(self) -> bool:
        self.extra += 1
        return self.extra <= MOST_EXTRA

    @staticmethod
    def kind(word: str) -> str:
        if word.startswith("r"):
            return "reroll"
        if word.startswith("!"):
            return "explode"
        return "keep" if word[0] in "kda" else "meet"

    @staticmethod
    def meets(compare: str, value: int) -> bool:
        found = re.fullmatch(rf"({COMPARE}?)(-?\d+)", compare)
        assert found is not None, compare
        return OPERATORS[found[1] or "="](value, int(found[2]))
