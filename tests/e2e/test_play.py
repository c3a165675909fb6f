"""Playing through real discord.py: by buttons, by commands, alone and for two."""

from __future__ import annotations

from typing import Any

from tests.e2e.tabletop import Tabletop


async def test_open_posts_the_panel_and_tells_the_opener_privately(top: Tabletop) -> None:
    result = await top.open()
    assert result.ephemeral
    assert "Your table is open" in top.words(result.response)
    words = top.words(top.panel)
    assert "Toy Skirmish" in words
    assert f"<@{top.robin.id}> (Red captain)" in words
    assert "Seal of this game's dice" in words
    assert "The arena opens." in words
    assert top.labels(top.panel)[:1] == ["Move"]
    assert {"Undo", "Board", "Help"} <= set(top.labels(top.panel))
    assert len(top.pictures(top.panel)) == 1
    assert "Red captain" in top.pictures(top.panel)[0]


async def test_move_by_buttons_edits_the_panel_in_place(top: Tabletop) -> None:
    await top.open()
    panel = top.panel
    picking = await top.robin.click(panel, label="Move")
    assert picking.ephemeral
    assert "Where to?" in top.words(picking.response)
    assert top.menu(picking.response)[0] == "B1"
    assert len(top.pictures(picking.response)) == 1
    done = await top.robin.select(picking.response, ["B2"])
    assert "walks A1 to B2" in top.words(done.response)
    assert (await top.state()).pos["RED"] == "B2"
    assert top.panel.id == panel.id
    assert "walks A1 to B2" in top.words(top.panel)
    assert top.posts() == 1


async def test_steps_gather_in_the_panel_until_dice_fall(top: Tabletop) -> None:
    await top.open()
    first = top.panel.id
    for cell in ("B2", "C2"):
        await top.robin.slash(top.channel, "toy move", to=cell)
    assert top.panel.id == first
    assert "A1 to B2" in top.words(top.panel)
    assert "B2 to C2" in top.words(top.panel)
    await top.robin.click(top.panel, label="End turn")
    words = top.words(top.panel)
    assert "ends the turn" in words
    assert (await top.state()).round == 2


async def test_dice_get_a_message_of_their_own_and_disarm_the_old_one(top: Tabletop) -> None:
    await top.open()
    await top.patch("pos", {"RED": "C2", "BLUE": "D2"})
    old = top.panel
    asked = await top.robin.slash(top.channel, "toy attack", style="bold")
    assert "attacks Blue captain" in top.words(asked.response)
    new = top.panel
    assert new.id != old.id
    assert len(top.pictures(new)) == 2
    assert top.labels(old) == []
    assert "Toy Skirmish" in top.words(old)
    assert len(top.pictures(old)) == 1


async def test_a_message_with_dice_is_not_edited_away(top: Tabletop) -> None:
    await top.open()
    await top.patch("pos", {"RED": "C2", "BLUE": "D2"})
    await top.robin.slash(top.channel, "toy attack", style="careful")
    dice = top.panel
    await top.robin.slash(top.channel, "toy move", to="C1")
    assert top.panel.id != dice.id
    assert "attacks Blue captain" in top.words(dice)
    assert top.labels(dice) == []


async def test_a_preset_is_taken_in_a_command_and_offered_in_the_picking(top: Tabletop) -> None:
    await top.open()
    await top.patch("pos", {"RED": "C2", "BLUE": "D2"})
    await top.patch("caches", [])
    await top.bot.outbox.idle()
    board = await top.robin.slash(top.channel, "table panel")
    assert "posted again" in top.words(board.response)
    picking = await top.robin.click(top.panel, label="Attack")
    assert "How?" in top.words(picking.response)
    assert "Keep: Careful" in top.labels(picking.response)
    done = await top.robin.click(picking.response, label="Keep: Careful")
    assert "attacks Blue captain" in top.words(done.response)


async def test_command_without_its_slot_opens_the_picking(top: Tabletop) -> None:
    await top.open()
    asked = await top.robin.slash(top.channel, "toy move")
    assert "Where to?" in top.words(asked.response)
    assert "B1" in top.menu(asked.response)


async def test_values_are_taken_in_any_case_and_suggested_nearest_first(top: Tabletop) -> None:
    await top.open()
    choices = await top.robin.autocomplete(top.channel, "toy move", "to", "")
    assert choices[0]["value"] == "B1"
    assert len(choices) <= 25
    choices = await top.robin.autocomplete(top.channel, "toy move", "to", "c")
    assert all(choice["value"].startswith("C") for choice in choices)
    done = await top.robin.slash(top.channel, "toy move", to=" b2 ")
    assert "A1 to B2" in top.words(done.response)


async def test_suggestions_say_what_is_missing_or_wrong(top: Tabletop) -> None:
    nothing = await top.robin.autocomplete(top.channel, "toy move", "to", "")
    assert "No game is running" in nothing[0]["name"]
    await top.open()
    far = await top.robin.autocomplete(top.channel, "toy attack", "style", "")
    assert "nothing to attack" in far[0]["name"].lower()
    stranger = await top.kim.autocomplete(top.channel, "toy move", "to", "")
    assert "no seat" in stranger[0]["name"]


async def test_an_illegal_move_is_refused_with_its_rule(top: Tabletop) -> None:
    await top.open()
    refused = await top.robin.slash(top.channel, "toy move", to="F5")
    assert refused.ephemeral
    assert (
        top.words(refused.response)
        == "Your pawn cannot walk to F5. (TOY-1; `/rule id:TOY-1` shows it.)"
    )
    assert (await top.state()).pos["RED"] == "A1"
    rule = await top.robin.slash(top.channel, "rule", id="TOY-1")
    assert "walks up to 4 squares" in top.words(rule.response)


async def test_the_private_part_of_an_action_goes_to_its_seat_only(top: Tabletop) -> None:
    await top.open()
    drawn = await top.robin.click(top.panel, label="Draw a card")
    assert drawn.ephemeral
    assert "You drew:" in top.words(drawn.response)
    assert "You drew:" not in top.words(top.panel)
    assert "draws a card" in top.words(top.panel)


async def test_several_are_picked_in_order(top: Tabletop) -> None:
    await top.open()
    await top.patch("hands", {"RED": ["AMMO", "MAP"], "BLUE": []})
    await top.robin.slash(top.channel, "table panel")
    picking = await top.robin.click(top.panel, label="Burn cards")
    assert "Pick 1 to 2" in top.words(picking.response)
    assert top.menu(picking.response) == ["AMMO", "MAP"]
    picking = await top.robin.select(picking.response, ["MAP"])
    assert "1. Map" in top.words(picking.response)
    assert top.menu(picking.response) == ["AMMO"]
    assert "That is all" in top.labels(picking.response)
    back = await top.robin.click(picking.response, label="Back")
    assert top.menu(back.response) == ["AMMO", "MAP"]
    picking = await top.robin.select(back.response, ["MAP"])
    done = await top.robin.click(picking.response, label="That is all")
    assert "burns Map" in top.words(done.response)
    assert (await top.state()).hands["RED"] == ["AMMO"]


async def test_a_list_is_typed_with_commas(top: Tabletop) -> None:
    await top.open()
    await top.patch("hands", {"RED": ["AMMO", "MAP"], "BLUE": []})
    choices = await top.robin.autocomplete(top.channel, "toy burn", "cards", "map, ")
    assert {"name": "Map, Ammunition", "value": "MAP, AMMO"} in choices
    done = await top.robin.slash(top.channel, "toy burn", cards="map, ammo")
    words = top.words(done.response)
    assert words.index("burns Map") < words.index("burns Ammunition")


async def test_a_cell_is_typed_into_the_form(top: Tabletop) -> None:
    await top.open()
    picking = await top.robin.click(top.panel, label="Move")
    shown = await top.robin.click(picking.response, label="Type it")
    assert shown.modal["custom_id"].startswith("fpm:")
    wrong = await top.robin.submit_modal(shown, {"value": "f5"})
    assert "cannot walk to f5" in top.words(wrong.response).casefold()
    shown = await top.robin.click(wrong.response, label="Type it")
    done = await top.robin.submit_modal(shown, {"value": "c3"})
    assert "A1 to C3" in top.words(done.response)


async def test_cancel_leaves_everything_as_it_was(top: Tabletop) -> None:
    await top.open()
    picking = await top.robin.click(top.panel, label="Move")
    gone = await top.robin.click(picking.response, label="Cancel")
    assert "Nothing was done" in top.words(gone.response)
    assert (await top.state()).pos["RED"] == "A1"


async def test_the_private_message_goes_on_as_a_cockpit(top: Tabletop) -> None:
    await top.open()
    picking = await top.robin.click(top.panel, label="Move")
    done = await top.robin.select(picking.response, ["B2"])
    assert "Move" in top.labels(done.response)
    again = await top.robin.click(done.response, label="Move")
    assert again.response.id == picking.response.id
    assert "Where to?" in top.words(again.response)
    ended = await top.robin.click(
        (await top.robin.select(again.response, ["C2"])).response, label="End turn"
    )
    assert ended.response.id == picking.response.id


async def test_a_game_for_two(top: Tabletop) -> None:
    await top.open("duel")
    joined = await top.kim.click(top.panel, label="Join Blue captain")
    assert "You have a seat" in top.words(joined.response)
    await top.robin.click(top.panel, label="Start")
    assert not [label for label in top.labels(top.panel) if label.startswith(("Join", "Play"))]
    early = await top.kim.click(top.panel, label="Move")
    assert "not your turn" in top.words(early.response)
    await top.robin.click(top.panel, label="End turn")
    words = top.words(top.panel)
    assert f"<@{top.kim.id}> (Blue captain)" in words
    posted = top.requests("POST", f"/channels/{top.channel.id}/messages")[-1]
    assert payload(posted)["allowed_mentions"]["users"] == [top.kim.id]
    moved = await top.kim.slash(top.channel, "toy move", to="E5")
    assert "Blue captain walks" in top.words(moved.response)


async def test_a_whole_game_to_its_end(top: Tabletop) -> None:
    await top.open()
    for _ in range(8):
        if (await top.state()).ended:
            break
        await top.robin.click(top.panel, label="End turn")
    assert (await top.state()).ended
    words = top.words(top.panel)
    assert "TOY-4" in words
    assert set(top.labels(top.panel)) == {"Undo", "Board", "Help"}
    over = await top.robin.slash(top.channel, "toy move", to="B2")
    assert "over" in top.words(over.response)
    again = await top.open()
    assert "Your table is open" in top.words(again.response)


def payload(request: Any) -> dict[str, Any]:
    """The JSON of a request."""
    return request.json
