"""Taking somebody out of texts and JSON: his id, his mentions, the names that he was known by."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, cast

import msgspec

from bot.sessions.records import dumps
from bot.texts import GONE, GONE_NAME, plain

_OWN = re.compile(
    r"^(?P<name>.+?)(?<! no longer) (?:plays|leaves|opens a table|adds words|goes on here|asks |"
    r"votes |agrees |refuses|does not |has withdrawn)"
)
"""How sentences about what somebody did himself begin."""

_OFFICE = re.compile(r"(?:: |as )(?P<name>[^:]+?) \((?:the host|a moderator)\)")
"""How sentences name somebody who did something as host or moderator."""


class Anonymous:
    """Puts nobody in somebody's place.

    `names` are those that he was known by, `others` the names of people who stay: where one of these
    contains one of his, it stays as it is.
    """

    def __init__(self, user_id: int, names: Iterable[str], others: Iterable[str] = ()) -> None:
        self.user_id = user_id
        self._mention = re.compile(rf"<@!?{user_id}>")
        self._id = re.compile(rf"(?<!\d){user_id}(?!\d)")
        self._his = _forms(names)
        every = sorted(self._his | _forms(others), key=lambda name: (-len(name), name))
        either = "|".join(re.escape(name) for name in every)
        self._names = re.compile(rf"(?<!\w)(?:{either})(?!\w)") if self._his else None

    def text(self, told: str, *, names: bool = True) -> str:
        """A sentence without him; without `names` only his mentions are replaced."""
        told = self._mention.sub(GONE_NAME, told)
        if names:
            told = self._id.sub(str(GONE), told)
        if self._names is None or not names:
            return told
        return self._names.sub(lambda hit: GONE_NAME if hit[0] in self._his else hit[0], told)

    def json(self, raw: str, *, names: bool = True) -> str:
        """JSON without him: out of lists he is taken, elsewhere his id is that of nobody."""
        try:
            value = msgspec.json.decode(raw)
        except msgspec.MsgspecError:  # damaged already: nobody can read more of it than this
            return self.text(raw)
        clean = self._value(value, names)
        return raw if clean == value else dumps(clean)

    def _value(self, value: Any, names: bool) -> Any:
        if isinstance(value, str):
            return self.text(value, names=names)
        if isinstance(value, list):
            items = cast("list[Any]", value)
            return [self._value(item, names) for item in items if not self._is_he(item)]
        if isinstance(value, dict):
            items = cast("dict[str, Any]", value)
            return {
                key: GONE if self._is_he(item) else self._value(item, names)
                for key, item in items.items()
            }
        return GONE if self._is_he(value) else value

    def _is_he(self, value: Any) -> bool:
        return isinstance(value, int) and not isinstance(value, bool) and value == self.user_id


def _forms(names: Iterable[str]) -> set[str]:
    """Names as they are typed and as sentences show them."""
    return {form for name in names for form in (name, plain(name)) if form.strip()}


def name_in(told: str) -> str:
    """The name of whoever acted, in a sentence about what he did; empty when it names nobody."""
    hit = _OFFICE.search(told) or _OWN.match(told)
    return hit["name"] if hit is not None else ""
