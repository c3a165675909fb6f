"""The picture of README.md: a burst of fire in a recorded game of Hot LZ, as the bot posts it.

    python -m tests.readme_picture     draws docs/img/board.png anew; `make goldens` does it, too

It shows the outcome above the board after it, two pictures that a player sees under each other.
"""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image

import renderer
from bot.pictures import action_cells
from games.kernel.action import read_action
from games.kernel.entropy import ScriptedEntropy
from games.kernel.event import Event, seen_by
from games.kernel.play import begin, play
from games.kernel.view import View
from renderer.picture import encode
from tests.games.all_games import game_of
from tests.games.wanted import FOLDER
from tests.record_fixtures import read

PATH = Path(__file__).parents[1] / "docs" / "img" / "board.png"
RECORDING = FOLDER / "boots" / "lost-squad.json"
MOMENT = "spread"
"""The picture is of the first action of this kind in the recording."""

GAP = 12
PAPER = (255, 255, 255)


def moment() -> tuple[View, tuple[Event, ...]]:
    """What everybody sees just after the burst, and what happened. Raises `LookupError`."""
    recording = read(RECORDING)
    game = game_of(recording.game)
    state = begin(game, game.read_setup(recording.setup), ScriptedEntropy(recording.script)).state
    for line in recording.actions:
        action = read_action(line.action)
        done = play(game, state, line.seat, action, ScriptedEntropy(line.script))
        state = done.state
        if action.verb == MOMENT:
            return game.view(state, None), seen_by(tuple(done.events), None)
    raise LookupError(f"{RECORDING.name} has no “{MOMENT}”: choose another moment for README.md.")


def draw() -> bytes:
    """The picture as a PNG."""
    view, events = moment()
    outcome = renderer.outcome(events)
    assert outcome is not None
    board = renderer.board(view, events=events, crop=action_cells(view, events))
    above, below = (Image.open(io.BytesIO(one.png)).convert("RGB") for one in (outcome, board))
    size = max(above.width, below.width), above.height + GAP + below.height
    whole = Image.new("RGB", size, PAPER)
    whole.paste(above, (0, 0))
    whole.paste(below, (0, above.height + GAP))
    return encode(whole)


if __name__ == "__main__":
    PATH.parent.mkdir(parents=True, exist_ok=True)
    PATH.write_bytes(draw())
