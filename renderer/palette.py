"""Every colour of every picture: names, the tones of counters, and the one fixed palette.

Pictures are drawn in RGB with these colours and written with `PALETTE_BYTES`, so nothing is quantised
adaptively: equal views give equal bytes. Blends of colours that often meet are in the palette, which
keeps the edges of letters and shapes smooth.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

Colour: TypeAlias = tuple[int, int, int]


def _hex(code: str) -> Colour:
    return (int(code[1:3], 16), int(code[3:5], 16), int(code[5:7], 16))


def blend(a: Colour, b: Colour, share: float) -> Colour:
    """The colour `share` (0 to 1) of the way from `a` to `b`."""
    mixed = [round(x + (y - x) * share) for x, y in zip(a, b, strict=True)]
    return (mixed[0], mixed[1], mixed[2])


def luminance(colour: Colour) -> float:
    """Relative luminance by WCAG 2 (0 black, 1 white)."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in _unit(colour)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _unit(colour: Colour) -> tuple[float, float, float]:
    return (colour[0] / 255, colour[1] / 255, colour[2] / 255)


def contrast(a: Colour, b: Colour) -> float:
    """Contrast ratio by WCAG 2 (1 to 21); text needs 4.5."""
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


INK: Final = _hex("#1B1F23")
WHITE: Final = _hex("#FFFFFF")
PAPER: Final = _hex("#F8F5EC")
GROUND: Final = _hex("#DED2B4")
GROUND_ALT: Final = _hex("#D5C8A6")
GROUND_LINE: Final = _hex("#C6B78F")
FLOOR: Final = _hex("#F7F2E8")
FLOOR_LINE: Final = _hex("#E3DAC8")
NUMERAL: Final = _hex("#D3C5A8")
LETTER: Final = _hex("#857A60")
DOOR: Final = _hex("#A4511F")
WINDOW: Final = _hex("#3D86BD")
WINDOW_LIGHT: Final = _hex("#D3ECFA")
COVER: Final = _hex("#A7B4BB")
COVER_EDGE: Final = _hex("#97332A")
ZONE: Final = _hex("#79B068")
ZONE_ALT: Final = _hex("#6EA65E")
ZONE_IDLE: Final = _hex("#C5CDA2")
ZONE_IDLE_ALT: Final = _hex("#BBC496")
ZONE_LINE: Final = _hex("#1F5F2C")
YELLOW: Final = _hex("#FFC400")
FIRE: Final = _hex("#E0401A")
BLAST: Final = _hex("#F5922B")
FACING: Final = _hex("#FF9614")
PATH: Final = _hex("#1F4FA8")
CRIT: Final = _hex("#DB1222")

SCRUB: Final = _hex("#D2CD9F")
SCRUB_MARK: Final = _hex("#A6A765")
WOOD: Final = _hex("#C0C991")
WOOD_MARK: Final = _hex("#8FA75F")
JUNGLE: Final = _hex("#9DB573")
JUNGLE_MARK: Final = _hex("#749352")
WATER: Final = _hex("#A9CBDB")
WATER_MARK: Final = _hex("#7FAFC6")
RUIN: Final = _hex("#D0C7B6")
RUIN_MARK: Final = _hex("#A69C89")
ROOF: Final = _hex("#A2A3A4")
ROOF_MARK: Final = _hex("#84868A")
STREET: Final = _hex("#C3C3C0")
SAND: Final = _hex("#EADCB2")
SAND_MARK: Final = _hex("#D0B988")
DUNE: Final = _hex("#DFC9A2")
DUNE_MARK: Final = _hex("#BFA277")
ROCK: Final = _hex("#CABBA2")
ROCK_MARK: Final = _hex("#9C9081")
GRASS: Final = _hex("#CBD49B")
GRASS_MARK: Final = _hex("#9FB268")
HEDGE: Final = _hex("#7C9A58")
FIELD: Final = _hex("#DED298")
FIELD_MARK: Final = _hex("#BFAF6C")
"""Terrain of zone boards: calm fills, and one mark each that is a little darker."""

NIGHT: Final = _hex("#26292E")
PANEL: Final = _hex("#363A41")
PANEL_EDGE: Final = _hex("#4C515A")
DIM: Final = _hex("#B9BEC7")
GAIN: Final = _hex("#8FE3A8")
LOSS: Final = _hex("#FFB27A")

REACH: Final = _hex("#A9D2FA")
REACH_SHARE: Final = 0.85
ARC_SHARE: Final = 0.34
BLAST_SHARE: Final = 0.55


class Tone(NamedTuple):
    """How a tone is drawn: fill, a shade of it for the pattern, text, the pattern's name.

    Face down: `pale` for the ground, `edge` for outline and text.
    """

    fill: Colour
    shade: Colour
    text: Colour
    pattern: str
    pale: Colour
    edge: Colour


def _tone(code: str, shade: str, text: Colour, pattern: str) -> Tone:
    fill = _hex(code)
    edge = fill
    while contrast(edge, PAPER) < 5.6:
        edge = blend(edge, INK, 0.15)
    return Tone(fill, _hex(shade), text, pattern, blend(PAPER, fill, 0.10), edge)


PATTERNS: Final = ("plain", "bands", "stripes", "half", "dots", "check")
"""Textures inside a counter; two tones that look alike to some eyes differ in their texture."""

TONE_VALUES: Final[dict[str, Tone]] = {
    "green": _tone("#0A6B4E", "#075740", WHITE, "plain"),
    "lime": _tone("#A9D155", "#8FB93B", INK, "stripes"),
    "red": _tone("#B4281F", "#961D16", WHITE, "bands"),
    "rose": _tone("#F4AFBF", "#E292A6", INK, "stripes"),
    "slate": _tone("#434A51", "#30363C", WHITE, "half"),
    "white": _tone("#FFFFFF", "#DFE3E6", INK, "plain"),
    "violet": _tone("#584A94", "#473B7C", WHITE, "dots"),
    "steel": _tone("#9DB4C2", "#839DAD", INK, "half"),
    "brown": _tone("#86522A", "#6E4120", WHITE, "check"),
    "yellow": _tone("#F7D154", "#E4BA33", INK, "plain"),
    "grey": _tone("#A6A8A8", "#8E9191", INK, "check"),
}
UNKNOWN_TONE: Final = _tone("#FF3FD0", "#D924AC", INK, "check")
"""What a tone nobody knows looks like: loud on purpose, so that it is seen and mended."""


def tone(name: str) -> Tone:
    """The tone of that name; an unknown one falls back to a loud pink rather than failing in play."""
    return TONE_VALUES.get(name, UNKNOWN_TONE)


_PLAIN: Final = (
    *(INK, WHITE, PAPER, GROUND, GROUND_ALT, GROUND_LINE, FLOOR, FLOOR_LINE, NUMERAL, LETTER),
    *(DOOR, WINDOW, WINDOW_LIGHT, COVER, COVER_EDGE, ZONE, ZONE_ALT, ZONE_IDLE, ZONE_IDLE_ALT),
    *(ZONE_LINE, YELLOW, FIRE, BLAST, FACING, PATH, CRIT, REACH),
    *(NIGHT, PANEL, PANEL_EDGE, DIM, GAIN, LOSS),
    *(SCRUB, SCRUB_MARK, WOOD, WOOD_MARK, JUNGLE, JUNGLE_MARK, WATER, WATER_MARK, RUIN, RUIN_MARK),
    *(ROOF, ROOF_MARK, STREET, SAND, SAND_MARK, DUNE, DUNE_MARK, ROCK, ROCK_MARK),
    *(GRASS, GRASS_MARK, HEDGE, FIELD, FIELD_MARK),
)

TERRAIN: Final = (
    *(
        GROUND,
        SCRUB,
        WOOD,
        JUNGLE,
        WATER,
        RUIN,
        ROOF,
        STREET,
        SAND,
        DUNE,
        ROCK,
        GRASS,
        HEDGE,
        FIELD,
    ),
)
"""The fills of zone boards."""

_BLENDS: Final[tuple[tuple[Colour, Colour, tuple[float, ...]], ...]] = (
    (INK, WHITE, (0.12, 0.25, 0.38, 0.5, 0.62, 0.75, 0.88)),
    (INK, GROUND, (0.25, 0.5, 0.75)),
    (YELLOW, INK, (0.25, 0.5, 0.75)),
    (YELLOW, GROUND, (0.5,)),
    (FLOOR, NUMERAL, (0.5,)),
    (FACING, INK, (0.35, 0.7)),
    (FIRE, WHITE, (0.3, 0.6)),
    (PATH, WHITE, (0.3, 0.6)),
    (CRIT, WHITE, (0.5,)),
    (GROUND, REACH, (REACH_SHARE,)),
    (FLOOR, REACH, (REACH_SHARE,)),
    (ZONE, REACH, (REACH_SHARE,)),
    (ZONE, YELLOW, (ARC_SHARE,)),
    (GROUND, YELLOW, (ARC_SHARE,)),
    (FLOOR, YELLOW, (ARC_SHARE,)),
    (GROUND, BLAST, (BLAST_SHARE,)),
    (FLOOR, BLAST, (BLAST_SHARE,)),
    (PANEL, GAIN, (0.5,)),
    (PANEL, LOSS, (0.5,)),
    (PANEL, DIM, (0.35, 0.7)),
)


def _palette() -> tuple[Colour, ...]:
    colours: dict[Colour, None] = dict.fromkeys(_PLAIN)
    for t in (*TONE_VALUES.values(), UNKNOWN_TONE):
        colours.setdefault(t.fill)
        colours.setdefault(t.shade)
    for t in TONE_VALUES.values():
        colours.setdefault(blend(t.fill, t.text, 0.5))
        colours.setdefault(t.pale)
        colours.setdefault(t.edge)
    for a, b, shares in _BLENDS:
        for share in shares:
            colours.setdefault(blend(a, b, share))
    return tuple(colours)


PALETTE: Final = _palette()
"""All colours a picture may hold: at most 160."""

PALETTE_BYTES: Final = b"".join(bytes(c) for c in PALETTE)
