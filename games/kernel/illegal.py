"""Why an action is refused: one exception that carries the rule and the sentence for the player."""

from __future__ import annotations


class Illegal(Exception):
    """The rules (or the gate) refuse an action; nothing has changed.

    `rule` is the id of the rule that refuses (`BG-11.3.1`), or `""` when no rule of the game but the
    form of the action itself is at fault. `sentence` is shown to the player as it stands.
    """

    def __init__(self, rule: str, sentence: str) -> None:
        super().__init__(f"{sentence} ({rule})" if rule else sentence)
        self.rule = rule
        self.sentence = sentence
