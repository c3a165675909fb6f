"""Check a game's dice against the commitment posted before it began. Standard library only.

`python -m games.kernel.verify FILE` reads the file that `/table verify` gives and prints OK or FALSE
for every action that used dice or drew a card. The file may be checked with this one module alone.

How it works. Before anybody joins, the table draws a secret and hashes it many times in a row; the
last hash, `commitment`, is posted. Each action that needs chance uses the next link backwards, so that
SHA-256 of an action's key is the key before it, and nobody can choose a key afterwards. A result is
the key's HMAC over session, salts, action number, counter and label, reduced without bias.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any


def hash_key(key: bytes) -> bytes:
    """The link before this one in the chain."""
    return hashlib.sha256(key).digest()


def derive(key: bytes, place: str, counter: int, label: str, size: int) -> int:
    """A number in 0..size-1, every one equally likely, fixed by its arguments.

    `place` is session, salts and action number joined by `|`. Raises `ValueError` for a size below 1.
    """
    if size < 1:
        raise ValueError("nothing to choose from")
    limit = (1 << 64) - (1 << 64) % size
    attempt = 0
    while True:
        message = f"{place}|{counter}|{attempt}|{label}".encode()
        number = int.from_bytes(hmac.digest(key, message, "sha256")[:8], "big")
        if number < limit:
            return number % size
        attempt += 1


def place_of(session: str, salts: Sequence[str], number: int) -> str:
    """Where a result belongs: the session, what the players added, the action's number."""
    return f"{session}|{','.join(salts)}|{number}"


def check_roll(proof: Mapping[str, Any], roll: Mapping[str, Any], before: bytes) -> str:
    """Check one action against the key before it; returns what is wrong, or `""`."""
    key = bytes.fromhex(str(roll["key"]))
    if hash_key(key) != before:
        return "its key does not belong to the chain that was posted"
    place = place_of(str(proof["session"]), [str(s) for s in roll["salts"]], int(roll["number"]))
    for counter, result in enumerate(roll["results"]):
        label, size = str(result["label"]), int(result["size"])
        if derive(key, place, counter, label, size) != int(result["index"]):
            return f"result {counter + 1} ({label}) is not what the key gives"
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


def main(arguments: Sequence[str]) -> int:
    """The command line; exit status 0 when everything is right, 1 when not, 2 for a wrong file."""
    if len(arguments) != 1:
        print("usage: python -m games.kernel.verify FILE")
        return 2
    try:
        verdicts = check(json.loads(Path(arguments[0]).read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError) as fault:
        print(f"{arguments[0]} is not a proof file: {fault}")
        return 2
    for number, wrong in verdicts:
        print(f"roll {number}: {'FALSE: ' + wrong if wrong else 'OK'}")
    bad = sum(1 for _, wrong in verdicts if wrong)
    print(f"{len(verdicts) - bad} OK, {bad} false")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
