"""Words for people without pictures."""

from __future__ import annotations

from msgspec import structs

import renderer
from renderer.texts import cut
from tests.renderer import scenes


def test_alt_text_says_what_to_do_what_happened_and_who_is_where() -> None:
    alt = renderer.alt_text(scenes.city(), scenes.city_events())
    assert len(alt) <= 1024
    start = "Hot LZ · co-op, Alpha squad-turn 3 · card 5 of 40. Alpha: move, fire or finish"
    assert alt.startswith(start)
    assert "The sniper fires at insurgent 14: wounded." in alt
    assert "SN O16, 1 hit" in alt
    assert "S N13, critical" in alt
    assert renderer.board(scenes.city(), events=scenes.city_events()).alt == alt


def test_long_alt_texts_end_at_a_word() -> None:
    alt = renderer.alt_text(scenes.anything_odd())
    assert len(alt) <= 1024
    assert alt.endswith("…")
    assert cut("one two three", 9) == "one two…"
    assert cut("short", 9) == "short"
    assert len(cut("x" * 50, 10)) == 10


def test_text_board_names_every_unit_once() -> None:
    view = scenes.city()
    lines = renderer.text_board(view).split("\n")
    assert "SN sniper, O16, facing east, acting now: 1 hit" in lines
    assert "M medic, off the board: killed" in lines
    assert "S scout, N13, facing north-east, critical, carries health" in lines
    assert "HO2 hostage 2, M16, 1 hit" in lines
    for token in view.board.tokens:
        if not token.hidden:
            assert sum(line.startswith(f"{token.badge.code} ") and f", {token.cell}" in line
                       for line in lines) == 1, token  # fmt: skip


def test_text_board_lists_hidden_counters_and_places() -> None:
    text = renderer.text_board(scenes.city())
    assert "civilian: E6, G9, G14, K3, L7, N10" in text
    assert "GZ1 (active): A1 to D4" in text
    assert "Building VI (cleared): P8 to R12" in text
    assert "Breach O16-P16" in text
    assert "Cards left 35 of 40" in text
    assert len(text) < 8_000


def test_what_must_be_done_is_said_once() -> None:
    view = scenes.city()
    what = view.tasks[0].what
    for headline in (f"Alpha: {what}.", "It is Alpha's turn."):
        said = structs.replace(view, headline=headline)
        assert renderer.text_board(said).count(what) == 1
