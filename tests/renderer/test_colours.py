"""Colours: a small fixed palette, text that can be read, sides that nobody confuses."""

from __future__ import annotations

import io
import itertools
import math

import pytest
from PIL import Image

import renderer
from games.kernel.view import SHAPES, TONES, Badge, Token
from renderer import palette
from renderer.counters import counter
from renderer.palette import Colour
from tests.renderer import scenes

# Colour-vision deficiency in linear RGB: after Viénot, Brettel and Mollon 1999 (protan, deutan) and
# one half-plane of Brettel, Viénot and Mollon 1997 (tritan). Rows add up to 1: white stays white.
Matrix = tuple[tuple[float, float, float], ...]
EYES: dict[str, Matrix] = {
    "usual": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.10889, 0.89111, 0.0), (0.10889, 0.89111, 0.0), (0.00447, -0.00447, 1.0)),
    "deuteranopia": ((0.29031, 0.70969, 0.0), (0.29031, 0.70969, 0.0), (-0.02197, 0.02197, 1.0)),
    "tritanopia": ((1.01354, 0.14268, -0.15622), (-0.01181, 0.87561, 0.13619), (0.07707, 0.81208, 0.11085)),
}  # fmt: skip

# Who can meet on a board: outline and tone of every kind of counter that games use, face up and
# face down (those are small and pale, with a question mark, and told from each other).
COUNTERS = (
    ("square", "green"), ("square", "lime"), ("hexagon", "red"), ("hexagon", "rose"),
    ("diamond", "slate"), ("circle", "white"), ("block", "steel"), ("chip", "yellow"),
)  # fmt: skip
FACE_DOWN = (("chip", "brown"), ("circle", "violet"), ("block", "rose"))

APART = 15.0
"""CIE76 difference above which two areas of colour are told apart at a glance."""


def _linear(colour: Colour) -> list[float]:
    unit = [c / 255 for c in colour]
    return [u / 12.92 if u <= 0.04045 else ((u + 0.055) / 1.055) ** 2.4 for u in unit]


def _seen(colour: Colour, eyes: str) -> list[float]:
    r, g, b = _linear(colour)
    return [min(1.0, max(0.0, m[0] * r + m[1] * g + m[2] * b)) for m in EYES[eyes]]


def _lab(linear: list[float]) -> tuple[float, float, float]:
    r, g, b = linear
    xyz = (
        (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047,
        0.2126 * r + 0.7152 * g + 0.0722 * b,
        (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883,
    )
    x, y, z = (c ** (1 / 3) if c > 0.008856 else 7.787 * c + 16 / 116 for c in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def difference(a: Colour, b: Colour, eyes: str) -> float:
    return math.dist(_lab(_seen(a, eyes)), _lab(_seen(b, eyes)))


def test_the_simulation_confuses_what_those_eyes_confuse() -> None:
    for eyes, one, other in (
        ("deuteranopia", (200, 60, 40), (120, 114, 30)),
        ("protanopia", (255, 0, 0), (94, 94, 0)),
        ("tritanopia", (0, 150, 200), (0, 160, 150)),
    ):
        assert difference(one, other, eyes) < difference(one, other, "usual") / 2
    for eyes in EYES:
        assert difference((255, 255, 255), (0, 0, 0), eyes) == pytest.approx(100, abs=1)


@pytest.mark.parametrize("eyes", EYES)
def test_counters_differ_in_outline_or_colour(eyes: str) -> None:
    for (shape, one), (other_shape, other) in itertools.combinations(COUNTERS, 2):
        if shape == other_shape:
            a, b = palette.tone(one).fill, palette.tone(other).fill
            assert difference(a, b, eyes) >= APART, (shape, one, other, eyes)
    assert len({shape for shape, _ in FACE_DOWN}) == len(FACE_DOWN)
    for shape, one in FACE_DOWN:
        for other_shape, other in COUNTERS:
            if shape == other_shape and other != "white":
                a, b = palette.tone(one).pale, palette.tone(other).fill
                assert difference(a, b, eyes) >= APART, (shape, one, other, eyes)


@pytest.mark.parametrize("eyes", EYES)
def test_tones_differ_in_colour_or_texture(eyes: str) -> None:
    for one, other in itertools.combinations(TONES, 2):
        a, b = palette.tone(one), palette.tone(other)
        same = a.pattern == b.pattern
        assert not same or difference(a.fill, b.fill, eyes) >= APART, (one, other, eyes)


@pytest.mark.parametrize("eyes", EYES)
def test_signals_stand_out_for_all_eyes(eyes: str) -> None:
    """Facing, hits and the ring of who acts are seen against every side's counters and the ground."""
    grounds = [palette.GROUND, palette.FLOOR, palette.INK]
    for signal in (palette.FACING, palette.CRIT, palette.YELLOW):
        for ground in grounds:
            assert difference(signal, ground, eyes) >= APART
    for name in ("green", "slate", "red"):
        assert difference(palette.FACING, palette.tone(name).fill, eyes) >= APART
        assert difference(palette.YELLOW, palette.tone(name).fill, eyes) >= APART


@pytest.mark.parametrize("eyes", EYES)
def test_signals_stand_out_on_every_terrain(eyes: str) -> None:
    for ground in palette.TERRAIN:
        for signal in (palette.CRIT, palette.FIRE, palette.PATH, palette.YELLOW, palette.INK):
            assert difference(signal, ground, eyes) >= APART, (signal, ground, eyes)


@pytest.mark.parametrize("eyes", EYES)
def test_states_of_zones_and_boxes_differ_in_tone_too(eyes: str) -> None:
    """Each has a sign or word of its own as well; the colours alone are told apart all the same."""
    p = palette
    zones = (p.YELLOW, p.PANEL_EDGE, p.ZONE, p.GROUND)
    dice = (p.WHITE, p.YELLOW, p.PANEL_EDGE)
    bands = tuple(p.tone(t).fill for t in ("green", "violet", "steel"))
    for group in (zones, dice, bands, (p.CRIT, p.PANEL), (p.YELLOW, p.PANEL)):
        for one, other in itertools.combinations(group, 2):
            assert difference(one, other, eyes) >= APART, (one, other, eyes)


def test_terrain_is_calm() -> None:
    """Counters have an ink and a white rim; the ground stays lighter than the one, darker than the other."""
    for ground in palette.TERRAIN:
        assert 0.25 < palette.luminance(ground) < 0.8
        assert palette.contrast(palette.INK, ground) >= 4.5


@pytest.mark.parametrize("name", TONES)
def test_text_on_counters_can_be_read(name: str) -> None:
    look = palette.tone(name)
    assert palette.contrast(look.text, look.fill) >= 4.5
    assert palette.contrast(look.text, look.shade) >= 4.5
    assert palette.contrast(look.edge, look.pale) >= 4.5, "face down"


def test_text_on_boards_and_strips_can_be_read() -> None:
    p = palette
    pairs = [
        (p.WHITE, p.NIGHT), (p.WHITE, p.PANEL), (p.WHITE, p.PANEL_EDGE), (p.DIM, p.NIGHT),
        (p.DIM, p.PANEL), (p.GAIN, p.PANEL), (p.LOSS, p.PANEL), (p.YELLOW, p.PANEL),
        (p.YELLOW, p.INK), (p.INK, p.YELLOW), (p.INK, p.DIM), (p.INK, p.PAPER), (p.WHITE, p.CRIT),
        (p.WHITE, p.PATH), (p.WHITE, p.INK), (p.ZONE_LINE, p.ZONE_IDLE),
        (p.WHITE, p.ZONE_LINE), (p.INK, p.ZONE), (p.INK, p.GROUND), (p.DIM, p.INK),
    ]  # fmt: skip
    for ink, paper in pairs:
        assert p.contrast(ink, paper) >= 4.5, (ink, paper)
    for discord in ((49, 51, 56), (255, 255, 255)):
        assert p.contrast(p.WHITE, p.NIGHT) > 10, f"strips carry their own ground on {discord}"


def test_contrast_is_wcags() -> None:
    assert palette.contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert palette.contrast((119, 119, 119), (255, 255, 255)) == pytest.approx(4.48, abs=0.01)


def test_palette_is_small_and_without_twins() -> None:
    assert len(palette.PALETTE) <= 160
    assert len(set(palette.PALETTE)) == len(palette.PALETTE)


def test_named_colours_survive_the_palette() -> None:
    """Flat areas keep their exact colour: no neighbour in the palette is taken for them."""
    from renderer.picture import to_palette

    for colour in (palette.GROUND, palette.FLOOR, palette.YELLOW, palette.CRIT, palette.NIGHT,
                   *(palette.tone(t).fill for t in TONES)):  # fmt: skip
        image = Image.new("RGB", (8, 8), colour)
        got = to_palette(image).convert("RGB").getpixel((4, 4))
        assert got == colour


def test_all_tones_and_shapes_are_drawn_on_purpose() -> None:
    assert set(TONES) == set(palette.TONE_VALUES)
    assert {t.pattern for t in palette.TONE_VALUES.values()} <= set(palette.PATTERNS)
    silhouettes = set()
    for shape in (*SHAPES, "nobody knows"):
        sprite = counter(Token("x", "x", "A1", Badge("", shape, "green")), 60)
        silhouettes.add(sprite.getchannel("A").tobytes())
    assert len(silhouettes) == len(SHAPES) + 1
    assert palette.tone("nobody knows") == palette.UNKNOWN_TONE


def test_pictures_hold_only_palette_colours() -> None:
    picture = renderer.board(scenes.city())
    image = Image.open(io.BytesIO(picture.png))
    assert image.mode == "P"
    found = image.convert("RGB").getcolors(256)
    assert found is not None
    assert {colour for _, colour in found} <= set(palette.PALETTE)
