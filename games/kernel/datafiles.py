"""Reading a game's tables (TOML) and turning them into typed values, with errors that say where.

`read_tables` is the only input or output of the rules: whoever starts the program reads a folder
once, and everything else works on the tables, which are plain JSON values (text, whole numbers,
true and false, lists, tables) so that a session can keep the ones it began with.
"""

import hashlib
import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import msgspec

T = TypeVar("T")

Tables = Mapping[str, Any]
"""Parsed files by their path inside the folder without the suffix, e.g. "maps/city"."""

_ADVICE: Final = "Correct the file or restore it from the release."
_TOML_PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")
_AT = re.compile(r"^(?P<what>.*?)(?: - at (?P<key>`key` in )?`\$(?P<path>.*)`)?$", re.DOTALL)
_FIELD = re.compile(r"^Object (?P<how>missing required|contains unknown) field `(?P<name>.*)`$")


class BrokenData(Exception):
    """A data file says something the game cannot use.

    `file` is the file as the reader finds it, `key` the dotted path of the entry (list places
    count from 0) or the line, `problem` what is wrong there.
    """

    def __init__(self, file: str, key: str, problem: str) -> None:
        """Remember the place and the problem; the message is one sentence and an advice."""
        self.file, self.key, self.problem = file, key, problem
        place = f"{file}, {key}" if key else file
        super().__init__(f"{place}: {problem}. {_ADVICE}")


@dataclass(frozen=True, slots=True)
class DataFile:
    """One parsed file, with what is needed to complain about it."""

    name: str
    data: Any
    where: str = ""
    """Folder to name in complaints."""

    @property
    def path(self) -> str:
        """The file as it is called in complaints: folder, name and suffix."""
        return f"{self.where.rstrip('/')}/{self.name}.toml" if self.where else f"{self.name}.toml"

    def broken(self, key: str, problem: str) -> BrokenData:
        """Return the complaint that an entry of this file is wrong, to be raised."""
        return BrokenData(self.path, key, problem)

    def convert(self, kind: type[T]) -> T:
        """Return the file as a typed value; nothing is guessed or converted loosely.

        Raises BrokenData naming the entry that does not fit.
        """
        try:
            return msgspec.convert(self.data, kind, strict=True)
        except msgspec.ValidationError as error:
            key, problem = _explain(str(error), self.data, kind)
            raise self.broken(key, problem) from error


def read_tables(folder: Path) -> dict[str, Any]:
    """Read all TOML files under a folder, by relative path without suffix, in path order.

    Raises BrokenData when the folder or a file cannot be read, for a syntax error (naming the
    line) and for values with no place in a rules file: fractions and dates.
    """
    if not folder.is_dir():
        raise BrokenData(str(folder), "", "there is no such folder")
    tables: dict[str, Any] = {}
    paths = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*.toml")}
    for relative, path in sorted(paths.items()):
        shown = (folder / relative).as_posix()
        try:
            data = tomllib.loads(path.read_text(encoding="utf-8"))
        except tomllib.TOMLDecodeError as error:
            place = _TOML_PLACE.search(str(error))
            line = f"line {place[1]}" if place and place[1] else "end of file"
            problem = _TOML_PLACE.sub("", str(error)).rstrip(".")
            raise BrokenData(shown, line, f"not valid TOML, {_lower(problem)}") from error
        except UnicodeDecodeError as error:
            raise BrokenData(shown, f"byte {error.start}", "not valid UTF-8 text") from error
        except OSError as error:
            raise BrokenData(shown, "", f"cannot be read ({error.strerror})") from error
        _check_plain(shown, "", data)
        tables[relative.removesuffix(".toml")] = data
    return tables


def open_table(tables: Tables, file: str, where: str = "") -> DataFile:
    """Return one file of the tables; `where` is the folder to name in complaints.

    Raises BrokenData when it is not among them.
    """
    found = DataFile(name=file, data=tables.get(file), where=where)
    if found.data is None:
        raise found.broken("", "the file is missing")
    return found


def convert(tables: Tables, file: str, kind: type[T], where: str = "") -> T:
    """Return one file of the tables as a typed value.

    Raises BrokenData naming the entry that does not fit, or the missing file.
    """
    return open_table(tables, file, where).convert(kind)


def canonical_json(tables: Tables) -> str:
    """Return the tables as JSON text that is the same for equal tables, in any order."""
    return json.dumps(tables, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def content_hash(tables: Tables) -> str:
    """Return the SHA-256 (hex) of the tables; equal tables have equal hashes."""
    return hashlib.sha256(canonical_json(tables).encode()).hexdigest()


# --- inside -----------------------------------------------------------------------------------


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def _check_plain(file: str, key: str, value: Any) -> None:
    if isinstance(value, dict):
        for name, inner in cast("dict[str, Any]", value).items():
            _check_plain(file, f"{key}.{name}" if key else name, inner)
    elif isinstance(value, list):
        for place, inner in enumerate(cast("list[Any]", value)):
            _check_plain(file, f"{key}[{place}]", inner)
    elif isinstance(value, float):
        raise BrokenData(file, key, "fractions are not used in the rules, write a whole number")
    elif not isinstance(value, str | int):
        raise BrokenData(file, key, "dates and times are not used in the rules")


def _explain(message: str, data: Any, kind: type[Any]) -> tuple[str, str]:
    """Turn a message of msgspec into a dotted key and a problem."""
    match = _AT.match(message)
    if match is None:  # pragma: no cover - the pattern matches any text
        return "", _lower(message)
    key = _named_path(match["path"] or "", message, data, kind)
    what = match["what"]
    field = _FIELD.match(what)
    if field:
        key = f"{key}.{field['name']}" if key else field["name"]
        what = "is missing" if field["how"] == "missing required" else "unknown key"
    if match["key"]:
        what = f"one of its keys is wrong: {_lower(what)}"
    return key, _lower(what).replace("`", "")


def _named_path(path: str, message: str, data: Any, kind: type[Any]) -> str:
    """Give names to the table keys that msgspec writes as ``[...]``.

    Each is found by trying the document with only one of the keys left: the culprit still
    gives the same message.
    """
    named: list[str | int] = []
    for token in re.findall(r"\[\.\.\.\]|\[\d+\]|[^.\[\]]+", path):
        if token == "[...]":
            found = _culprit(named, message, data, kind)
            if found is None:
                break
            data = _only(data, named, found)
            named.append(found)
        else:
            named.append(int(token[1:-1]) if token.startswith("[") else token)
    text = ""
    for part in named:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def _culprit(path: list[str | int], message: str, data: Any, kind: type[Any]) -> str | None:
    place = data
    for part in path:
        place = place[part]
    if not isinstance(place, dict):
        return None
    for name in cast("dict[str, Any]", place):
        try:
            msgspec.convert(_only(data, path, name), kind, strict=True)
        except msgspec.ValidationError as error:
            if str(error) == message:
                return name
    return None


def _only(data: Any, path: list[str | int], name: str) -> Any:
    """Return a copy of the document in which the table at `path` has only the key `name`."""
    if not path:
        return {name: data[name]}
    first, rest = path[0], path[1:]
    copy = data.copy()
    copy[first] = _only(copy[first], rest, name)
    return copy
