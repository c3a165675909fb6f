"""Check a game's dice against the commitment posted before it began. Standard library only.

`python -m games.kernel.verify FILE` reads the file that `/table verify` gives and prints OK or FALSE
for every action that used dice or drew a card. The file may be checked with this one module alone.

How it works. Before anybody joins, the table draws a secret and hashes it many times in a row; the
last hash, `commitment`, is posted. Each action that needs chance uses the next link backwards, so that
SHA-256 of an action's key is the key before it, and nobody can choose a key afterwards. A result is
the key's HMAC over session, salts, action number, counter and label, reduced without bias.

The rows of the table's log are chained: each has the SHA-256 of the link before it, the session and
its own content. The file has all links, and every row's content once the game is over or where one
person alone plays; until then the others are sealed by their links and must turn out to fit them. A
row marked `forgotten` stays sealed: somebody had his data deleted, and what is left of the row is not
what its link was made from. Its dice are listed and checked like all others.

Files of a channel (`/rolls`, `/deck proof`) have their keys in no chain: each key is the leaf of a tree
of hashes whose root is the seal that was posted, and comes with the hashes beside its way there, so
that it can be shown without any other. What its key gives is printed for each roll, to be compared with
the message in the channel, as are the seals: names, times, notations, totals and which card lay at
a place of the pile are only what the file says.

What this cannot show: whether whoever runs the bot, who can read his own database, has looked at keys
beforehand, or at what others keep secret. Words of your own (`/table salt`), added at a moment of your
choice, make every later roll one that nobody could have worked out before.
"""

from __future__ import annotations

import hashlib
import hmac
import io
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

LARGEST = 1 << 32
"""Possibilities of one result."""

BROKEN = (RecursionError, OverflowError)
"""What reading a file that was made to do harm may end with."""

DEPTH = 12
"""Levels of a channel's tree of keys below its seal: 4,096 keys under one."""


def hash_key(key: bytes) -> bytes:
    """The link before this one in the chain."""
    return hashlib.sha256(key).digest()


def derive(key: bytes, place: str, counter: int, label: str, size: int) -> int:
    """A number in 0..size-1, every one equally likely, fixed by its arguments.

    `place` is what `place_of` makes of session, salts and action number. Raises `ValueError` for a
    size below 1 or beyond `LARGEST`.
    """
    if not 1 <= size <= LARGEST:
        raise ValueError("nothing to choose from, or too much")
    limit = (1 << 64) - (1 << 64) % size
    attempt = 0
    while True:
        message = f"{place}|{counter}|{attempt}|{label}".encode()
        number = int.from_bytes(hmac.digest(key, message, "sha256")[:8], "big")
        if number < limit:
            return number % size
        attempt += 1


def place_of(session: str, salts: Sequence[str], number: int) -> str:
    """Where a result belongs: the session, what the players added, the action's number.

    Different arguments never give the same text: what separates the parts is escaped inside them.
    """
    return f"{_escaped(session)}|{','.join(_escaped(salt) for salt in salts)}|{number}"


def _escaped(part: str) -> str:
    """A part of a place: letters and digits as they are, an empty one as a lone `%`."""
    for sign in ("%", "|", ","):
        part = part.replace(sign, f"%{ord(sign):02X}")
    return part or "%"


def check_roll(proof: Mapping[str, Any], roll: Mapping[str, Any], before: bytes) -> str:
    """Check one action against the key before it; returns what is wrong, or `""`."""
    key = bytes.fromhex(str(roll["key"]))
    if hash_key(key) != before:
        return "its key does not belong to the chain that was posted"
    return check_results(proof, roll, key)


def check_results(proof: Mapping[str, Any], roll: Mapping[str, Any], key: bytes) -> str:
    """Check what came of a key; returns what is wrong, or `""`."""
    place = place_of(str(proof["session"]), [str(s) for s in roll["salts"]], int(roll["number"]))
    for counter, result in enumerate(roll["results"]):
        label, size = str(result["label"]), whole(result["size"])
        if derive(key, place, counter, label, size) != whole(result["index"]):
            return f"result {counter + 1} ({readable(label)}) is not what the key gives"
    return ""


def whole(value: object) -> int:
    """A whole number of a file. Raises `TypeError` for what only looks like one."""
    if type(value) is not int:
        raise TypeError(f"{value!r} stands where a whole number belongs")
    return value


def readable(label: str) -> str:
    """A word of a file without anything that would steer a terminal."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in label)


def link_of(session: str, before: str, content: Mapping[str, Any]) -> str:
    """A log row's link: the hash of the link before it, the session and the row's content."""
    listed = [before, session, content]
    raw = json.dumps(listed, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(raw.encode()).hexdigest()


def check_rows(proof: Mapping[str, Any]) -> list[tuple[int, str]]:
    """Check the chain of log rows: pairs of row number and what is wrong (`""`: OK, or sealed).

    Raises `KeyError`, `TypeError` or `ValueError` when the file is not a proof.
    """
    if "rows" not in proof:  # a file from before the log was listed
        return []
    before, session = "0" * 64, str(proof["session"])
    rolls = {int(roll["row"]): roll for roll in proof["rolls"]}
    verdicts: list[tuple[int, str]] = []
    for place, row in enumerate(proof["rows"], start=1):
        number, content, wrong = int(row["number"]), row.get("content"), ""
        if number != place:
            wrong = f"row {place} is missing, or its rows are in another order"
        elif content is not None and link_of(session, before, content) != row["chain"]:
            wrong = "it is not what its link in the chain was made from"
        elif content is not None and content["number"] != number:
            wrong = "its content is that of another row"
        elif content is not None and content["key"] is not None and number in rolls:
            wrong = differs(content, rolls[number])
        before = str(row["chain"])
        verdicts.append((number, wrong))
    if verdicts and proof.get("chain", before) != before and not verdicts[-1][1]:
        verdicts[-1] = (verdicts[-1][0], "the log ends with another row than the table says")
    return verdicts


def differs(content: Mapping[str, Any], roll: Mapping[str, Any]) -> str:
    """Whether a roll is another than the one its log row tells of."""
    told = (content["key"], json.loads(content["salts"] or "[]"), json.loads(content["results"]))
    if told != (roll["key"], list(roll["salts"]), list(roll["results"])):
        return "its roll is another than the one listed"
    return ""


def check(proof: Mapping[str, Any]) -> list[tuple[int, str]]:
    """Check a whole proof: pairs of action number and what is wrong (`""` for OK).

    Raises `KeyError`, `TypeError` or `ValueError` when the file is not a proof.
    """
    before = bytes.fromhex(str(proof["commitment"]))
    verdicts: list[tuple[int, str]] = []
    for number, roll in enumerate(proof["rolls"], start=1):
        wrong = check_roll(proof, roll, before)
        if not wrong and int(roll["number"]) != number:
            wrong = f"it is numbered {roll['number']} where {number} must follow"
        before = bytes.fromhex(str(roll["key"]))
        verdicts.append((int(roll["number"]), wrong))
    return verdicts


def leaf_of(key: bytes) -> bytes:
    """A key's place at the bottom of a tree of keys."""
    return hashlib.sha256(b"\0" + key).digest()


def node_of(left: bytes, right: bytes) -> bytes:
    """What lies above two places of a tree of keys."""
    return hashlib.sha256(b"\1" + left + right).digest()


def check_sealed(proof: Mapping[str, Any]) -> list[tuple[int, str]]:
    """Check a channel's rolls (`/rolls`), as `check` does a game's: each key by its own path to a seal.

    Raises `LookupError`, `TypeError` or `ValueError` when the file is not a proof.
    """
    verdicts: list[tuple[int, str]] = []
    used: list[int] = []
    for roll in proof["rolls"]:
        number, key = whole(roll["number"]), bytes.fromhex(str(roll["key"]))
        path = [bytes.fromhex(str(beside)) for beside in roll["path"]]
        seal, place = divmod(number - 1, 1 << DEPTH)
        node = leaf_of(key)
        for step, beside in enumerate(path):
            node = node_of(beside, node) if place >> step & 1 else node_of(node, beside)
        if number < 1 or number in used:
            wrong = "its number is none, or was used before"
        elif len(path) != DEPTH or node.hex() != str(proof["seals"][seal]):
            wrong = "its key does not lie under the seal that was posted"
        else:
            wrong = check_results(proof, roll, key) or check_meanings(proof, roll)
        used.append(number)
        verdicts.append((number, wrong))
    return verdicts


def check_meanings(proof: Mapping[str, Any], roll: Mapping[str, Any]) -> str:
    """Check what a channel's results are said to be, whose places fit their key; `""` for OK.

    A die's label names its sides; a card must be one of the deck.
    """
    for counter, result in enumerate(roll["results"], start=1):
        label, meaning = str(result["label"]), str(result["meaning"])
        if label.startswith("d"):
            if sides_of(label) != result["size"]:
                return f"result {counter} ({readable(label)}) is of a die with other sides"
            if meaning != str(result["index"] + 1):
                return f"result {counter} ({readable(label)}) is called other than what lay"
        elif meaning not in proof["cards"]:
            return f"result {counter} ({readable(label)}) is no card of this deck"
    return ""


def sides_of(label: str) -> int:
    """How many sides a die has by its name: `d20`, `d%`, `dF`, or `d{1,2,2}`; 0 for no such name."""
    kind = label[1:]
    if kind in ("%", "F"):
        return 100 if kind == "%" else 3
    if kind.startswith("{"):
        return kind.count(",") + 1
    return int(kind) if kind.isascii() and kind.isdigit() and len(kind) < 5 else 0


def fell(proof: Mapping[str, Any], roll: Mapping[str, Any]) -> str:
    """What came of a channel's key, in words: `d6 4 2, d20 7`, `card 17 of 52 (Queen of hearts)`."""
    cards: Mapping[str, Any] = proof.get("cards", {})
    told: list[str] = []
    before = ""
    for result in roll["results"]:
        label, size, index = str(result["label"]), whole(result["size"]), whole(result["index"])
        what: str
        if not label.startswith("d"):
            what = f"{index + 1} of {size} ({cards[str(result['meaning'])]})"
        elif label.startswith("d{"):
            what = label[2:-1].split(",")[index]
        else:
            what = ("-", "blank", "+")[index] if label == "dF" else str(index + 1)
        if label == before and label.startswith("d"):
            told[-1] += f" {what}"
        else:
            told.append(f"{label} {what}")
        before = label
    return readable(", ".join(told))


def main(arguments: Sequence[str]) -> int:
    """The command line; exit status 0 when everything is right, 1 when not, 2 for a wrong file."""
    out: Any = sys.stdout
    if isinstance(out, io.TextIOWrapper):  # a title may have letters that the terminal has not
        out.reconfigure(errors="backslashreplace")
    if len(arguments) != 1:
        print("usage: python -m games.kernel.verify FILE")
        return 2
    try:
        proof = json.loads(Path(arguments[0]).read_text(encoding="utf-8"))
        verdicts = check_sealed(proof) if "seals" in proof else check(proof)
        rows = check_rows(proof)
        listed = proof.get("rows", ())
        gone = sum(1 for row in listed if row.get("forgotten"))
        sealed = sum(1 for row in listed if row.get("content") is None) - gone
        shown = {
            int(roll["number"]): fell(proof, roll)
            for (_, wrong), roll in zip(verdicts, proof["rolls"], strict=True)
            if not wrong and "seals" in proof
        }
        for place, seal in enumerate(proof.get("seals", ()), start=1):
            print(f"seal {place}: {readable(str(seal))}")
    except (OSError, ValueError, LookupError, TypeError, AttributeError, *BROKEN) as fault:
        print(f"{arguments[0]} is not a proof file: {fault}")
        return 2
    for number, wrong in verdicts:
        right = f"OK: {shown[number]}" if shown.get(number) else "OK"
        print(f"roll {number}: {'FALSE: ' + wrong if wrong else right}")
    for number, wrong in rows:
        if wrong:
            print(f"log row {number}: FALSE: {wrong}")
    bad = sum(1 for _, wrong in verdicts if wrong)
    broken = sum(1 for _, wrong in rows if wrong)
    print(f"{len(verdicts) - bad} OK, {bad} false")
    if "seals" in proof:
        print("Compare the seal, and each roll, with what was posted in the channel.")
    if rows:
        later = f", {sealed} of them sealed until the game is over" if sealed else ""
        later += f", {gone} of them sealed for good: somebody had his data deleted" if gone else ""
        print(f"log: {len(rows)} rows, {broken} false{later}")
    return 1 if bad or broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
