"""Reading a notation: every fault says at which character, what is wrong and what was expected.

Case and spaces do not matter, and typographic signs (−, ×, ÷, ≥, ≤) are as good as typed ones.

    notation   = line { (";" | ",") line }
    line       = [number "x"] expression ["#" label]
    expression = term { ("+" | "-") term }
    term       = value { ("*" | "/") value }
    value      = ("+" | "-") value | "(" expression ")" | number | dice
    dice       = [number] "d" (number | "%" | "F" | "{" face { "," face } "}") { modifier }
    modifier   = ("r" | "ro") which | "!" [which] | ("k" | "kh" | "kl" | "dh" | "dl") [number]
               | "adv" | "dis" | compare number          each kind at most once
    which      = number | compare ["-"] number
"""

from __future__ import annotations

from typing import Final, NoReturn

import msgspec

from games.kernel.wording import minus
from games.parlour import notation as n
from games.parlour.notation import Binary, Compare, Dice, Expression, Fault, Keep, Line, Negative

_DIGITS: Final = "0123456789"
_ALIKE: Final = {
    "−": "-", "–": "-", "—": "-", "‐": "-", "‑": "-",
    "×": "*", "·": "*", "∙": "*", "∗": "*", "÷": "/", "∕": "/", "：": "/",
}  # fmt: skip
_COMPARES: Final = {
    ">=": ">=", "=>": ">=", "≥": ">=", "<=": "<=", "=<": "<=", "≤": "<=",
    "==": "=", ">": ">", "<": "<", "=": "=",
}  # fmt: skip
_ENDS: Final = ";,"


def read(
    source: str, times: int = 1, *, longest: int = n.LONGEST, deepest: int = n.DEEPEST
) -> n.Notation:
    """What a notation means, the whole of it rolled `times` times.

    Raises `Fault`. `longest` is how many characters it may have, `deepest` how deep parentheses and
    signs may lie: more for one that was kept, where repeats and parentheses are written out.
    """
    if len(source) > longest:
        raise Fault(f"A roll may have {longest} characters, this one has {len(source)}.")
    if not 1 <= times <= n.MOST_LINES:
        raise Fault(f"A roll can be made 1 to {n.MOST_LINES} times.")
    reader = _Reader(source, deepest)
    lines = reader.notation()
    if times > 1 and len(lines) == 1:
        lines = [msgspec.structs.replace(lines[0], times=lines[0].times * times)]
    else:
        lines = lines * times
    count = sum(line.times for line in lines)
    if count > n.MOST_LINES:
        raise Fault(
            f"That would be {count} results; at most {n.MOST_LINES} fit into one roll. "
            "Repeat it less often."
        )
    thrown = sum(d.count * line.times for line in lines for d in n.dice_of(line.expression))
    if thrown > n.MOST_DICE:
        raise Fault(
            f"That would be {thrown:,} dice, and one roll throws at most {n.MOST_DICE}, repeats "
            "included. Split it."
        )
    return n.Notation(tuple(lines), source)


class _Reader:
    """Reads one notation from left to right; `at` is the place of the next character."""

    def __init__(self, source: str, deepest: int) -> None:
        self.source = source
        self.deepest = deepest
        self.text = "".join(_plain(char) for char in source)
        self.at = 0
        self.depth = 0

    # --- characters ---

    def fail(self, sentence: str, at: int | None = None) -> NoReturn:
        raise Fault(sentence, self.source, self.at if at is None else at)

    def expected(self, what: str) -> NoReturn:
        self.skip()
        if self.at >= len(self.text):
            self.fail(f"The roll ends here, but {what} was expected.")
        self.fail(f"{n.called(self.source[self.at])} was not expected here, but {what}.")

    def skip(self) -> None:
        while self.at < len(self.text) and self.text[self.at] == " ":
            self.at += 1

    def next(self) -> str:
        """The next character that is no space, or an empty text at the end."""
        self.skip()
        return self.text[self.at : self.at + 1]

    def take(self, *words: str) -> str:
        """The first of the words that comes next, passed over; an empty text if none does."""
        self.skip()
        for word in words:
            if self.text.startswith(word, self.at):
                self.at += len(word)
                return word
        return ""

    def number(self, what: str) -> int:
        """A whole number without a sign."""
        if not self.next() or self.next() not in _DIGITS:
            self.expected(what)
        start = self.at
        while self.at < len(self.text) and self.text[self.at] in _DIGITS:
            self.at += 1
        digits = self.text[start : self.at].lstrip("0")
        if len(digits) > len(str(n.LARGEST)) or int(digits or "0") > n.LARGEST:
            self.fail(f"Numbers may go up to {n.LARGEST:,}; this one is larger.", start)
        if (
            self.text[self.at : self.at + 1] == "."
            and self.text[self.at + 1 : self.at + 2].isdigit()
        ):
            self.fail("Only whole numbers can be rolled; leave out the point and what follows it.")
        return int(digits or "0")

    # --- grammar ---

    def notation(self) -> list[Line]:
        lines: list[Line] = []
        if not self.next():
            self.fail("There is nothing to roll. Write dice such as 2d6+1.")
        while True:
            lines.append(self.line())
            if not self.take(*_ENDS) or not self.next():
                break
            if len(lines) >= n.MOST_LINES:
                self.fail(f"One roll may have at most {n.MOST_LINES} results.")
        return lines

    def line(self) -> Line:
        times = self.repeat()
        expression = self.expression()
        label = self.label() if self.take("#") else ""
        if (char := self.next()) and char not in _ENDS:
            self.what_next(char)
        return Line(expression, label, times)

    def repeat(self) -> int:
        """The number before an “x” at the beginning of a line; 1 if there is none."""
        start = self.at
        if not self.next() or self.next() not in _DIGITS:
            return 1
        place = self.at
        times = self.number("a number")
        if not self.take("x"):
            self.at = start
            return 1
        if not 1 <= times <= n.MOST_LINES:
            self.fail(f"A roll can be repeated 1 to {n.MOST_LINES} times.", place)
        return times

    def label(self) -> str:
        start = self.at
        while self.at < len(self.text) and self.text[self.at] not in _ENDS:
            self.at += 1
        label = " ".join(self.source[start : self.at].split())
        if len(label) > n.LONGEST_LABEL:
            self.fail(f"A label may have {n.LONGEST_LABEL} characters.", start)
        return label

    def what_next(self, char: str) -> NoReturn:
        """Something follows an expression that cannot."""
        if self.take("adv", "dis"):
            self.at -= 3
            self.fail("“adv” and “dis” stand directly after one die: d20 adv + 5.")
        if char == "x":
            self.fail(
                "“x” repeats a roll and stands at its beginning, as in 3x(2d6+1). To multiply, "
                "write *."
            )
        if char == ")":
            self.fail("This parenthesis closes nothing; leave it out, or open one before.")
        at = self.at
        if self.take(*_COMPARES):
            self.fail(
                "Only dice can be compared, and only once: 5d6>=4 counts the dice that show 4 or more.",
                at,
            )
        if char in "kd" and self.at and self.text[self.at - 1] in _DIGITS + "%f}":
            self.expected("kh, kl, dh or dl with a number, or a sign between two dice")
        self.expected("+, -, *, /, a label after “#”, or “;” and another roll")

    def expression(self) -> Expression:
        left = self.term()
        while True:
            self.skip()
            at = self.at
            sign = self.take("+", "-")
            if not sign:
                return left
            left = Binary(sign, left, self.term(), at)

    def term(self) -> Expression:
        left = self.value()
        while True:
            self.skip()
            at = self.at
            sign = self.take("*", "/")
            if not sign:
                return left
            left = Binary(sign, left, self.value(), at)

    def value(self) -> Expression:
        self.skip()
        start = self.at
        if self.depth >= self.deepest:
            self.fail(f"Parentheses and signs may lie {self.deepest} deep within each other.")
        self.depth += 1
        found = self.inner(start)
        self.depth -= 1
        return found

    def inner(self, start: int) -> Expression:
        match self.next():
            case "+":
                self.at += 1
                return self.value()
            case "-":
                self.at += 1
                return Negative(self.value())
            case "(":
                self.at += 1
                found = self.expression()
                if not self.take(")"):
                    if self.next() and self.next() not in _ENDS + "#":
                        self.what_next(self.next())
                    self.expected("“)” for the “(” before")
                return found
            case "d":
                return self.dice(1, start)
            case char if char and char in _DIGITS:
                number = self.number("a number")
                return self.dice(number, start) if self.next() == "d" else n.Number(number)
            case _:
                self.expected("dice such as 2d6, a number or “(”")

    # --- dice ---

    def dice(self, count: int, start: int) -> Dice:
        """Dice whose “d” comes next; their number has been read from `start` on."""
        if not 1 <= count <= n.MOST_DICE:
            few = "there must be at least one die" if count < 1 else f"at most {n.MOST_DICE} dice"
            self.fail(f"{few[0].upper()}{few[1:]}{'' if count < 1 else ' can be thrown'}.", start)
        self.at += 1
        dice = self.faces(count)
        done: set[str] = set()
        while True:
            self.skip()
            at = self.at
            kind, changed = self.modifier(dice)
            if not kind:
                return dice
            if kind in done:
                self.fail(f"These dice have {_TWICE[kind]} already; write it once.", at)
            done.add(kind)
            dice = changed
            self.sensible(dice, at)

    def faces(self, count: int) -> Dice:
        if self.take("%"):
            return Dice(count, 100, "%")
        if self.take("f"):
            return Dice(count, 3, "F", (-1, 0, 1))
        if self.take("{"):
            faces = self.listed()
            return Dice(
                count, len(faces), "{" + ",".join(minus(face) for face in faces) + "}", faces
            )
        self.skip()
        at = self.at
        sides = self.number("the number of sides, %, F, or faces in {}")
        if not 1 <= sides <= n.MOST_SIDES:
            self.fail(f"A die may have 1 to {n.MOST_SIDES:,} sides.", at)
        return Dice(count, sides, str(sides))

    def listed(self) -> tuple[int, ...]:
        """Faces that are written down, after “{”."""
        faces: list[int] = []
        while True:
            if len(faces) >= n.MOST_FACES:
                self.fail(f"A die of your own may have {n.MOST_FACES} faces.")
            negative = bool(self.take("-"))
            self.skip()
            at = self.at
            face = self.number("a whole number for a face")
            if face > n.LARGEST_FACE:
                self.fail(f"A face may show up to {n.LARGEST_FACE:,}.", at)
            faces.append(-face if negative else face)
            if self.take("}"):
                return tuple(faces)
            if not self.take(","):
                self.expected("“,” and another face, or “}”")

    def modifier(self, dice: Dice) -> tuple[str, Dice]:
        """The next modifier's kind, and the dice with it; an empty kind if none comes next."""
        replace = msgspec.structs.replace
        if word := self.take("adv", "dis"):
            if dice.count != 1:
                self.fail(
                    f"“{word}” is for a single die, which is thrown twice: d20 {word}.",
                    self.at - len(word),
                )
            return "keep", replace(dice, count=2, keep=Keep(False, word == "adv", 1, word))
        if word := self.take("kh", "kl", "k", "dh", "dl"):
            self.skip()
            number = self.number("a number") if self.next() and self.next() in _DIGITS else 1
            return "keep", replace(dice, keep=Keep(word[0] == "d", word[-1] in "kh", number))
        if word := self.take("ro", "r"):
            return "reroll", replace(dice, reroll=self.which(word), once=word == "ro")
        if self.take("!"):
            if self.next() and self.next() in _DIGITS + "<>=≥≤":
                return "explode", replace(dice, explode=self.which("!"))
            return "explode", replace(dice, explode=Compare("=", max(dice.values)))
        if sign := self.take(*_COMPARES):
            return "meet", replace(dice, meet=self.limit(_COMPARES[sign]))
        return "", dice

    def which(self, after: str) -> Compare:
        """Which faces are meant: a number, or a comparison."""
        sign = self.take(*_COMPARES)
        if sign:
            return self.limit(_COMPARES[sign])
        return Compare("=", self.number(f"a number, or < or > and a number, after “{after}”"))

    def limit(self, sign: str) -> Compare:
        negative = bool(self.take("-"))
        value = self.number("a whole number to compare with")
        return Compare(sign, -value if negative else value)

    def sensible(self, dice: Dice, at: int) -> None:
        """Refuse what would leave nothing to count, or never end."""
        if dice.keep is not None and not 1 <= dice.keep.number <= dice.count - dice.keep.drop:
            self.fail(
                f"Of {dice.count} {'die' if dice.count == 1 else 'dice'}, 1 to "
                f"{dice.count - dice.keep.drop} can be {'dropped' if dice.keep.drop else 'kept'}."
                if dice.count > dice.keep.drop
                else "A single die cannot be dropped.",
                at,
            )
        if dice.explode is not None and all(dice.explode.meets(face) for face in dice.values):
            self.fail("Every face of this die would explode, so it would never end.", at)
        if (
            dice.reroll is not None
            and not dice.once
            and all(dice.reroll.meets(face) for face in dice.values)
        ):
            self.fail("Every face of this die would be rolled again, so it would never end.", at)


_TWICE: Final = {
    "keep": "something kept or dropped",
    "reroll": "a reroll",
    "explode": "an explosion",
    "meet": "a number to count",
}


def _plain(char: str) -> str:
    """One character for each, so that places stay the same: small, typed, any space a space."""
    if char.isspace():
        return " "
    small = char.lower()
    return _ALIKE.get(char, small if len(small) == 1 else char)
