"""Bad input and bad weather: each gets its sentence, and the game stays as it was."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import Any

import discord
import pytest

from bot import texts
from games.kernel.verify import main as verify
from tests import toygame
from tests.e2e.tabletop import Tabletop, toy_bot


async def test_a_strangers_press_gets_one_private_line(top: Tabletop) -> None:
    await top.open()
    before = (await top.state()).pos
    for label in ("Move", "End turn", "Undo"):
        result = await top.kim.click(top.panel, label=label)
        assert result.ephemeral
        assert top.words(result.response) == texts.STRANGER
    assert (await top.state()).pos == before
    assert top.posts() == 1
    shown = await top.kim.click(top.panel, label="Board")
    assert len(top.pictures(shown.response)) == 1


async def test_a_stale_press_gets_the_game_as_it_stands(top: Tabletop) -> None:
    await top.open()
    old = top.ids(top.panel)["Move"]
    await top.robin.slash(top.channel, "toy draw")
    stored = top.env.backend.get_message(top.channel.id, top.panel.id)
    rewrite(stored.components, top.ids(top.panel)["Move"], old)
    result = await top.robin.click(top.panel, custom_id=old)
    assert result.ephemeral
    words = top.words(result.response)
    assert words.startswith(texts.MOVED_ON)
    assert "Red captain" in words
    fresh = await top.robin.click(result.response, label="Move")
    assert "Where to?" in top.words(fresh.response)


async def test_a_stale_step_of_the_picking_is_replaced_by_the_game_as_it_stands(
    top: Tabletop,
) -> None:
    await top.open()
    picking = await top.robin.click(top.panel, label="Move")
    await top.robin.slash(top.channel, "toy move", to="B2")
    late = await top.robin.select(picking.response, ["C1"])
    assert late.response.id == picking.response.id
    assert top.words(late.response).startswith(texts.MOVED_ON)
    assert (await top.state()).pos["RED"] == "B2"


async def test_a_double_press_acts_once(top: Tabletop) -> None:
    await top.open()
    picking = await top.robin.click(top.panel, label="Move")
    menu = next(c["custom_id"] for c in top.wire(picking.response) if c["type"] == 3)
    first = await top.robin.select(picking.response, ["B2"])
    rewrite(
        top.env.backend.get_message(top.channel.id, first.response.id).components,
        top.ids(first.response)["Move"],
        menu,
    )
    again = await top.robin.click(first.response, custom_id=menu)
    assert top.words(again.response).startswith(texts.MOVED_ON)
    table = await top.bot.sessions.in_channel(top.channel.id)
    assert table is not None and table.version == 2


async def test_undo_names_what_it_takes_back_and_asks(top: Tabletop) -> None:
    await top.open()
    nothing = await top.robin.click(top.panel, label="Undo")
    assert "Nothing has been done yet" in top.words(nothing.response)
    await top.robin.slash(top.channel, "toy move", to="B2")
    asked = await top.robin.slash(top.channel, "table undo")
    assert "Red captain walks A1 to B2." in top.words(asked.response)
    assert (await top.state()).pos["RED"] == "B2"
    done = await top.robin.click(asked.response, label="Take it back")
    assert "Taken back" in top.words(done.response)
    assert (await top.state()).pos["RED"] == "A1"
    assert "Taken back: Red captain walks A1 to B2." in top.words(top.panel)
    assert top.posts() == 1
    await top.robin.slash(top.channel, "toy draw")
    asked = await top.robin.click(top.panel, label="Undo")
    assert "something came to light" in top.words(asked.response)
    done = await top.robin.click(asked.response, label="Take it back")
    assert "Take-backs past a die or card in this game: 1." in top.words(done.response)


async def test_end_asks_first_and_only_the_host_or_a_moderator(top: Tabletop) -> None:
    await top.open()
    refused = await top.kim.slash(top.channel, "table end")
    assert f"Only <@{top.robin.id}>" in top.words(refused.response)
    asked = await top.robin.slash(top.channel, "table end")
    assert "End this game for everybody?" in top.words(asked.response)
    assert not (await top.bot.sessions.in_channel(top.channel.id)).over  # type: ignore[union-attr]
    done = await top.robin.click(asked.response, label="End the game")
    assert "The game is ended" in top.words(done.response)
    assert "This game was ended" in top.words(top.panel)
    again = await top.robin.slash(top.channel, "table end")
    assert "over" in top.words(again.response)


async def test_a_moderator_may_end_a_game_of_others(top: Tabletop) -> None:
    await top.open()
    role = top.guild.create_role("Mods", permissions=discord.Permissions(manage_messages=True))
    sam = top.guild.add_member(top.env.create_user("Sam"), roles=[role])
    asked = await sam.slash(top.channel, "table end")
    done = await sam.click(asked.response, label="End the game")
    assert "The game is ended" in top.words(done.response)


async def test_buttons_and_forms_work_after_a_restart(top: Tabletop) -> None:
    await top.open()
    picking = await top.robin.click(top.panel, label="Move")
    form = await top.robin.click(picking.response, label="Type it")
    await restart(top)
    done = await top.robin.submit_modal(form, {"value": "B2"})
    assert "A1 to B2" in top.words(done.response)
    await restart(top)
    result = await top.robin.click(top.panel, label="End turn")
    assert result.acknowledged
    assert (await top.state()).round == 2
    assert "ends the turn" in top.words(top.panel)


async def test_commands_are_synced_only_when_they_changed(top: Tabletop) -> None:
    assert len(top.requests("PUT", "/commands")) == 1
    await restart(top)
    assert len(top.requests("PUT", "/commands")) == 1


async def test_old_panel_is_disarmed_after_a_restart_too(top: Tabletop) -> None:
    await top.open()
    await top.patch("pos", {"RED": "C2", "BLUE": "D2"})
    old = top.panel
    await restart(top)
    await top.robin.slash(top.channel, "toy attack", style="bold")
    assert top.panel.id != old.id
    assert top.labels(old) == []
    assert "Toy Skirmish" in top.words(old)
    assert len(top.pictures(old)) == 1


async def test_a_deleted_panel_is_posted_anew(top: Tabletop) -> None:
    await top.open()
    await delete_message(top, top.panel.id)
    await top.robin.slash(top.channel, "toy move", to="B2")
    assert "walks A1 to B2" in top.words(top.panel)
    assert top.posts() == 2
    await delete_message(top, top.panel.id)
    again = await top.robin.slash(top.channel, "table panel")
    assert "posted again" in top.words(again.response)
    assert "walks A1 to B2" in top.words(top.panel)
    assert "Move" in top.labels(top.panel)


async def test_a_deleted_channel_is_given_up_quietly(top: Tabletop) -> None:
    await top.open()
    table = await top.bot.sessions.in_channel(top.channel.id)
    assert table is not None
    top.env.inject_error(
        "*", f"/channels/{top.channel.id}/*", status=404, code=10003, times=None,
        message="Unknown Channel",
    )  # fmt: skip
    result = await top.robin.slash(top.channel, "toy draw")
    assert "You drew" in top.words(result.response)
    after = await top.bot.sessions.get(table.id)
    assert after.trouble == texts.GONE_CHANNEL


async def test_without_the_right_to_attach_the_game_goes_on_in_words(top: Tabletop) -> None:
    # simcord does not ask for this permission, so its refusal is injected.
    top.env.inject_error(
        "POST", f"/channels/{top.channel.id}/messages", status=403, code=50013,
        message="Missing Permissions",
    )  # fmt: skip
    await top.open()
    assert "I may not attach files" in top.words(top.panel)
    assert top.pictures(top.panel) == []
    assert "Move" in top.labels(top.panel)
    told = await top.robin.slash(top.channel, "table text")
    assert "Red captain" in top.words(told.response)


async def test_without_the_right_to_send_the_opener_is_told(top: Tabletop) -> None:
    mute = top.guild.create_text_channel(
        "mute", overwrites={top.guild.me: discord.PermissionOverwrite(send_messages=False)}
    )
    result = await top.robin.slash(mute, "toy new", mode="solo1")
    words = top.words(result.response)
    assert f"I may not post in <#{mute.id}>" in words
    assert "“Send messages”" in words


async def test_discord_failing_is_tried_again(top: Tabletop) -> None:
    await top.open()
    path = f"/channels/{top.channel.id}/messages/*"
    top.env.inject_error("PATCH", path, status=503)
    await top.robin.slash(top.channel, "toy move", to="B2")
    await asyncio.sleep(1.1)
    await top.bot.outbox.idle()
    assert "A1 to B2" in top.words(top.panel)
    assert top.posts() == 1


async def test_an_answer_is_tried_again_when_discord_fails(top: Tabletop) -> None:
    await top.open()
    top.env.inject_error("POST", "/interactions/*/callback", status=502)
    result = await top.robin.slash(top.channel, "toy move", to="B2")
    assert "A1 to B2" in top.words(result.response)


async def test_a_late_interaction_acts_and_nothing_breaks(top: Tabletop) -> None:
    await top.open()
    top.env.inject_error(
        "POST", "/interactions/*/callback", status=404, code=10062, message="Unknown interaction"
    )
    await top.robin.click(top.panel, label="End turn")
    assert (await top.state()).round == 2
    assert "ends the turn" in top.words(top.panel)


async def test_slow_work_is_deferred(top: Tabletop, monkeypatch: pytest.MonkeyPatch) -> None:
    await top.open()
    monkeypatch.setattr(top.bot.desk, "_patience", 0.02)
    get = top.bot.sessions.get

    async def slow_get(session_id: str) -> Any:
        await asyncio.sleep(0.06)  # of virtual time
        return await get(session_id)

    monkeypatch.setattr(top.bot.sessions, "get", slow_get)
    picking = await top.robin.click(top.panel, label="Move")
    assert callbacks(top)[-1] == 6
    assert "Where to?" in top.words(followup(picking))
    typed = await top.robin.slash(top.channel, "toy move", to="B2")
    assert callbacks(top)[-1] == 5
    assert "A1 to B2" in top.words(typed.response)
    await top.robin.click(top.panel, label="End turn")
    assert callbacks(top)[-1] == 6
    refused = await top.robin.slash(top.channel, "toy move", to="F6")
    assert callbacks(top)[-1] == 5
    assert "TOY-1" in top.words(refused.response)


async def test_an_unexpected_error_has_a_reference_that_is_in_the_log(
    top: Tabletop, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await top.open()

    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("a fault of the game")

    monkeypatch.setattr(toygame.Move, "perform", broken)
    with caplog.at_level(logging.ERROR):
        result = await top.robin.slash(top.channel, "toy move", to="B2")
    assert result.ephemeral
    words = top.words(result.response)
    reference = words.split("**")[1]
    assert any(reference in record.getMessage() for record in caplog.records)
    assert any(record.exc_info for record in caplog.records)
    assert "Traceback" not in words and "RuntimeError" not in words
    assert (await top.state()).pos["RED"] == "A1"


async def test_a_picture_that_fails_does_not_stop_the_game(
    top: Tabletop, monkeypatch: pytest.MonkeyPatch
) -> None:
    import renderer

    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("no paint")

    monkeypatch.setattr(renderer, "board", broken)
    await top.open()
    assert "Move" in top.labels(top.panel)
    assert top.pictures(top.panel) == []
    shown = await top.robin.slash(top.channel, "table board")
    assert "`/table text`" in top.words(shown.response)


async def test_commands_without_a_game_say_how_to_open_one(top: Tabletop) -> None:
    for command in ("table board", "table log", "table undo", "table end", "toy done"):
        result = await top.robin.slash(top.channel, command)
        assert result.ephemeral
        assert "new` opens one" in top.words(result.response), command


async def test_a_taken_channel(top: Tabletop) -> None:
    await top.open()
    result = await top.open()
    assert "going on in this channel already" in top.words(result.response)


async def test_unknown_choices_are_refused(top: Tabletop) -> None:
    result = await top.robin.slash(top.channel, "toy new", mode="quartet")
    assert "quartet" in top.words(result.response)
    zoomed = await top.open()
    assert zoomed
    odd = await top.robin.slash(top.channel, "table zoom", cell="**Z99** @everyone")
    assert "@everyone" not in top.words(odd.response)
    rule = await top.robin.slash(top.channel, "rule", id="nonsense")
    assert "There is no rule" in top.words(rule.response)


async def test_looking_around(top: Tabletop) -> None:
    await top.open()
    await top.robin.slash(top.channel, "toy draw")
    zoom = await top.robin.slash(top.channel, "table zoom", cell="b2")
    assert "Around B2" in top.words(zoom.response)
    assert len(top.pictures(zoom.response)) == 1
    unit = await top.robin.slash(top.channel, "table zoom", cell="blue captain")
    assert "Around F6" in top.words(unit.response)
    squares = await top.robin.autocomplete(top.channel, "table zoom", "cell", "c3")
    assert squares[0]["value"] == "C3"
    log = await top.robin.slash(top.channel, "table log")
    assert "You drew" in top.words(log.response)
    other = await top.kim.slash(top.channel, "table log")
    assert "draws a card" in top.words(other.response)
    assert "You drew" not in top.words(other.response)
    shown = await top.robin.slash(top.channel, "help")
    assert "It is your turn in this channel" in top.words(shown.response)
    topic = await top.robin.slash(top.channel, "help", topic="dice")
    assert "sealed" in top.words(topic.response)
    pressed = await top.kim.click(top.panel, label="Help")
    assert f"the turn of <@{top.robin.id}>" in top.words(pressed.response)


async def test_the_dice_can_be_verified_by_the_file_alone(
    top: Tabletop, tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    await top.open()
    await top.robin.slash(top.channel, "toy draw")
    result = await top.robin.slash(top.channel, "table verify")
    assert "python -m games.kernel.verify" in top.words(result.response)
    raw = top.env.backend.cdn.get(url_of(result.response.attachments[0]))
    assert raw is not None and json.loads(raw)
    path = tmp_path / "proof.json"
    path.write_bytes(raw)
    assert verify([str(path)]) == 0
    assert "OK" in capsys.readouterr().out


def url_of(attachment: Any) -> str:
    """Where an attachment can be read."""
    if isinstance(attachment, str):
        return attachment
    return attachment["url"] if isinstance(attachment, dict) else attachment.url


def callbacks(top: Tabletop) -> list[int]:
    """The types of the bot's first answers to interactions, in order."""
    return [request.json["type"] for request in top.requests("POST", "/callback")]


def followup(result: Any) -> Any:
    """The private message that came after a deferred press."""
    return result.followups[-1] if result.followups else result.response


def rewrite(components: list[Any], new: str, old: str) -> None:
    """Put an old custom id into a stored message, as if the client still showed it."""
    for component in components:
        if component.get("custom_id") == new:
            component["custom_id"] = old
        rewrite(component.get("components", []), new, old)


async def restart(top: Tabletop) -> None:
    """The process ends and a new one starts on the same database."""
    await top.bot.close()
    top.bot = toy_bot(top.folder)
    await top.env.restart_bot(top.bot)


async def delete_message(top: Tabletop, message_id: int) -> None:
    """Somebody deletes a message of the bot's."""
    await top.bot.http.delete_message(top.channel.id, message_id)
