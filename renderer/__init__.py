"""Pictures of games: a `View` or its events in, a palette PNG with alternative text out.

Knows boards, counters, cards, dice and charts; knows no game, no Discord, no files but the font.
"""

from renderer.board import board
from renderer.film import Film, frame
from renderer.hand import hand
from renderer.outcome import outcome
from renderer.picture import Picture
from renderer.texts import ALT_LIMIT, alt_text, text_board

__all__ = [
    "ALT_LIMIT",
    "Film",
    "Picture",
    "alt_text",
    "board",
    "frame",
    "hand",
    "outcome",
    "text_board",
]
