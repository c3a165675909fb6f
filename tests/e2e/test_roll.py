"""`/roll` and `/rolls` through real discord.py."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from bot.parlour import rolls as service
from bot.store.parlour import chances, rolls
from tests.e2e.tabletop import Tabletop, toy_bot


async def verified(script: Path, proof: Path) -> tuple[int | None, str]:
    """What the verifier says of a file, without anything of ours but its own module."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-I", str(script), str(proof), stdout=asyncio.subprocess.PIPE
    )
    printed, _ = await process.communicate()
    return process.returncode, printed.decode()


async def rows(top: Tabletop) -> list[Any]:
    async with top.bot.store.read() as connection:
        return list(await connection.execute(select(rolls).order_by(rolls.c.id)))


async def test_a_roll_is_saved_and_shown_to_everybody(top: Tabletop) -> None:
    result = await top.robin.slash(top.channel, "roll", dice="4d6KH3 + 2", label="the *gate*")
    assert not result.ephemeral
    (row,) = await rows(top)
    total = json.loads(row.outcome)["lines"][0]["total"]
    told = top.words(top.panel)
    assert "**Robin** rolled `4d6kh3+2` · the \\*gate\\*" in told
    assert f"= **{total}**" in told and "Average ≈ 14.24" in told
    (alt,) = top.pictures(top.panel)
    assert "4d6kh3+2: " in alt and f"total {total}." in alt
    assert (row.notation, row.name, row.secret, row.key_number) == ("4d6kh3+2", "Robin", False, 1)
    assert row.guild_id == top.guild.id and row.interaction_id
    async with top.bot.store.read() as connection:
        seal = await connection.scalar(select(chances.c.commitment))
    assert f"`{seal}`" in told
    await top.robin.slash(top.channel, "roll", dice="d20")
    assert "seal" not in top.words(top.panel)


async def test_anybody_rolls_the_same_again(top: Tabletop) -> None:
    await top.robin.slash(top.channel, "roll", dice="2d6 # sword, d8", times=2, label="round 1")
    await top.kim.click(top.panel, label="Roll again")
    first, second = await rows(top)
    assert first.notation == second.notation == "2d6 # sword; d8; 2d6 # sword; d8"
    assert (second.name, second.label, second.user_id) == ("Kim", "round 1", top.kim.id)
    assert first.key != second.key and second.key_number == 2
    told = top.words(top.panel)
    assert "**Kim** rolled `2d6; d8; 2d6; d8` · round 1" in told
    assert "1. sword `2d6`" in told and "4. `d8`" in told


async def test_a_roll_full_of_signs_is_shown_and_made_again(top: Tabletop) -> None:
    await top.robin.slash(top.channel, "roll", dice="-" * 9 + "d6")
    await top.kim.click(top.panel, label="Roll again")
    assert [row.name for row in await rows(top)] == ["Robin", "Kim"]
    assert "**Kim** rolled `−(−" in top.words(top.panel)


async def test_a_wrong_notation_points_at_the_character(top: Tabletop) -> None:
    before = top.posts()
    result = await top.robin.slash(top.channel, "roll", dice="2d6 + `@everyone")
    assert result.ephemeral
    told = top.words(result.response)
    assert "“`” was not expected here, but dice such as 2d6, a number or “(”." in told
    assert "```\n2d6 + '@everyone\n      ^\n```" in told
    for dice, sentence in (
        ("10/(2-2)", "divides 10 by zero"),
        ("101d6", "at most 100 dice"),
        ("99d6;2d6", "That would be 101 dice"),
        ("d6!>0", "would never end"),
        ("1000000*1000000", "1,000,000,000"),
    ):
        result = await top.robin.slash(top.channel, "roll", dice=dice)
        assert result.ephemeral and sentence.lower() in top.words(result.response).lower()
    assert await rows(top) == [] and top.posts() == before
    async with top.bot.store.read() as connection:
        assert await connection.scalar(select(chances.c.keys_used)) is None


async def test_a_secret_roll_is_the_rollers_until_it_is_shown(top: Tabletop) -> None:
    result = await top.robin.slash(
        top.channel, "roll", dice="3d20", secret=True, label="perception"
    )
    notice = top.panel
    assert top.words(notice).startswith("**Robin** rolled in secret.")
    assert "3d20" not in top.words(notice) and "perception" not in top.words(notice)
    assert top.labels(notice) == [] and top.pictures(notice) == []
    private = result.response
    assert [one.id for one in result.followups] == [notice.id]  # the channel's, after it
    assert private.flags.ephemeral
    assert "Only you see this" in top.words(private) and "`3d20` · perception" in top.words(private)
    assert top.labels(private) == ["Show everybody", "Roll again"]
    listed = await top.kim.slash(top.channel, "rolls")
    assert "There are no rolls of this channel to show you" in top.words(listed.response)
    listed = await top.robin.slash(top.channel, "rolls")
    assert "secret, only you see it" in top.words(listed.response)
    await top.robin.click(private, label="Show everybody")
    shown = top.panel
    assert "**Robin** shows a secret roll: `3d20` · perception" in top.words(shown)
    assert len(top.pictures(shown)) == 1
    twice = await top.robin.click(private, label="Show everybody")
    assert "Everybody can see this roll already." in top.words(twice.response)
    listed = await top.kim.slash(top.channel, "rolls")
    assert "`3d20` · perception" in top.words(listed.response)


async def test_a_secret_roll_is_made_again_in_secret(top: Tabletop) -> None:
    result = await top.robin.slash(top.channel, "roll", dice="d20", secret=True)
    again = await top.robin.click(result.response, label="Roll again")
    assert [row.secret for row in await rows(top)] == [True, True]
    assert top.words(top.panel) == "**Robin** rolled in secret."
    assert "Only you see this" in top.words(again.followups[-1])


async def test_nobody_else_gets_at_a_secret_roll(top: Tabletop) -> None:
    await top.robin.slash(top.channel, "roll", dice="d6")
    public = top.panel
    await top.robin.slash(top.channel, "roll", dice="d20", secret=True)
    (_, secret) = await rows(top)
    for verb in ("again", "show"):
        custom = f"fp:rolls:{secret.id}:.roll_{verb}"
        stored = top.env.backend.get_message(top.channel.id, public.id)
        for component in stored.components[0]["components"]:
            if component["type"] == 1:
                component["components"][0]["custom_id"] = custom
        result = await top.kim.click(public, custom_id=custom)
        assert result.ephemeral and "not kept any more" in top.words(result.response)
    assert len(await rows(top)) == 2


async def test_history_pages_and_stays_in_its_channel(top: Tabletop) -> None:
    for number in range(1, 13):
        await top.robin.slash(top.channel, "roll", dice=f"d6+{number}")
    other = top.guild.create_text_channel("elsewhere")
    await top.kim.slash(other, "roll", dice="d100")
    shown = await top.kim.slash(top.channel, "rolls")
    assert shown.ephemeral
    told = top.words(shown.response)
    assert "`d6+12`" in told and "`d6+3`" in told and "`d6+2`" not in told and "d100" not in told
    assert top.labels(shown.response) == ["Older", "Proof"]
    older = await top.kim.click(shown.response, label="Older")
    told = top.words(older.response)
    assert "`d6+2`" in told and "`d6+1`" in told and "`d6+3`" not in told
    assert top.labels(older.response) == ["Newer", "Proof"]
    newer = await top.kim.click(older.response, label="Newer")
    assert "`d6+12`" in top.words(newer.response)


async def test_a_seal_whose_message_was_lost_is_told_with_the_list(top: Tabletop) -> None:
    listed = await top.kim.slash(top.channel, "rolls")
    assert "seal" not in top.words(listed.response)
    top.env.inject_error(  # the roll is saved, but nobody is there to be told any more
        "POST", "/interactions/*/callback", status=404, code=10062, message="Unknown interaction"
    )
    await top.robin.slash(top.channel, "roll", dice="d20", secret=True)
    async with top.bot.store.read() as connection:
        seal = await connection.scalar(select(chances.c.commitment))
    for person in (top.kim, top.robin):
        listed = await person.slash(top.channel, "rolls")
        assert f"under the seal `{seal}`" in top.words(listed.response)


async def test_the_proof_is_checked_by_the_standard_library_alone(
    top: Tabletop, tmp_path: Path
) -> None:
    await top.robin.slash(top.channel, "roll", dice="4d6kh3; 2d{1,2,2,3}!; 4dF")
    await top.robin.slash(top.channel, "roll", dice="3d20", secret=True)
    await top.kim.slash(top.channel, "roll", dice="10d10r1>6")
    listed = await top.kim.slash(top.channel, "rolls")
    proof = await top.kim.click(listed.response, label="Proof")
    assert proof.ephemeral and "The last 2 rolls" in top.words(proof.response)
    (attached,) = [a for a in proof.response.attachments if a.filename.endswith(".json")]
    raw = await attached.read()
    path = tmp_path / "proof.json"
    path.write_bytes(raw)
    told = json.loads(raw)
    assert [roll["number"] for roll in told["rolls"]] == [1, 3]
    secret = (await rows(top))[1]
    assert secret.key not in raw.decode()
    verify = Path(service.__file__).parents[2] / "games" / "kernel" / "verify.py"
    alone = tmp_path / "verify.py"
    alone.write_bytes(verify.read_bytes())
    code, printed = await verified(alone, path)
    assert code == 0
    seal, first, third, count, _ = printed.splitlines()
    assert seal == f"seal 1: {told['seals'][0]}"
    assert first.startswith("roll 1: OK: d6 ") and third.startswith("roll 3: OK: d10 ")
    assert count == "2 OK, 0 false"
    told["rolls"][0]["results"][0]["index"] ^= 1
    path.write_text(json.dumps(told))
    code, printed = await verified(alone, path)
    assert code == 1 and "roll 1: FALSE" in printed


async def test_buttons_work_after_a_restart(top: Tabletop) -> None:
    await top.robin.slash(top.channel, "roll", dice="2d6+1")
    public = top.panel
    result = await top.robin.slash(top.channel, "roll", dice="d20", secret=True)
    bot = toy_bot(top.folder)
    await top.bot.close()
    await top.env.restart_bot(bot)
    top.bot = bot
    await top.kim.click(public, label="Roll again")
    assert [row.notation for row in await rows(top)] == ["2d6+1", "d20", "2d6+1"]
    await top.robin.click(result.response, label="Show everybody")
    assert "shows a secret roll: `d20`" in top.words(top.panel)


async def test_what_is_typed_is_completed(top: Tabletop) -> None:
    await top.robin.slash(top.channel, "roll", dice="4d6kh3")
    found = await top.robin.autocomplete(top.channel, "roll", "dice", "4d6")
    assert [(choice["name"], choice["value"]) for choice in found] == [
        ("4d6 · Average 14", "4d6"), ("4d6kh3", "4d6kh3"),
    ]  # fmt: skip


async def test_it_works_in_direct_messages(top: Tabletop) -> None:
    result = await top.robin.user.slash("roll", dice="2d6")
    assert "rolled `2d6`" in top.words(result.response)
    (row,) = await rows(top)
    assert row.guild_id is None


async def test_a_roll_without_picture_is_a_roll(
    top: Tabletop, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(view: object) -> None:
        raise RuntimeError("no ink")

    monkeypatch.setattr(service, "tray", broken)
    await top.robin.slash(top.channel, "roll", dice="2d6")
    assert "rolled `2d6`" in top.words(top.panel) and top.pictures(top.panel) == []
    assert "no picture of ['2d6']" in caplog.text


async def test_a_picture_that_discord_refuses_is_left_out(top: Tabletop) -> None:
    for secret in (False, True):
        top.env.inject_error(
            "POST",
            "/interactions/*/callback",
            status=403,
            code=50013,
            message="Missing Permissions",
        )
        result = await top.robin.slash(top.channel, "roll", dice="2d6", secret=secret)
        assert result.ephemeral is secret
        told = top.words(result.response)
        assert "rolled `2d6`" in told and told.endswith("The picture could not be posted here.")
        assert top.pictures(result.response) == []
        assert "Roll again" in top.labels(result.response)
    assert [row.notation for row in await rows(top)] == ["2d6", "2d6"]


async def test_what_is_typed_for_a_secret_roll_is_shown_to_nobody(top: Tabletop) -> None:
    """Discord shows everybody the options of a command whose first answer is public."""
    open_, secret = [
        await top.robin.slash(top.channel, "roll", dice="d20", secret=one, label="spot")
        for one in (False, True)
    ]
    assert not open_.ephemeral and secret.ephemeral
    assert top.words(top.panel) == "**Robin** rolled in secret."


async def test_what_is_kept_about_a_user_and_forgetting_it(top: Tabletop) -> None:
    await top.robin.slash(top.channel, "roll", dice="2d6", secret=True, label="mine")
    await top.kim.slash(top.channel, "roll", dice="d8")
    kims = top.panel
    (about,) = await top.bot.rolls.about(top.robin.id)
    assert (about["notation"], about["label"], about["secret"]) == ("2d6", "mine", True)
    assert len(about["outcome"]["results"]) == 2
    json.dumps(about)
    async with top.bot.store.write() as connection:
        await top.bot.rolls.forget(connection, top.kim.id)
    assert await top.bot.rolls.about(top.kim.id) == []
    assert len(await rows(top)) == 1
    result = await top.robin.click(kims, label="Roll again")
    assert "not kept any more" in top.words(result.response)


async def test_the_widest_roll_is_posted(top: Tabletop) -> None:
    await top.robin.slash(
        top.channel, "roll", dice="5d{1000,-1000}!kh5r<-999 # " + "_" * 60, times=20
    )
    told = top.words(top.panel)
    (row,) = await rows(top)
    totals = [line["total"] for line in json.loads(row.outcome)["lines"]]
    assert len(totals) == 20 and len(told) <= 4000
    for number, total in enumerate(totals, 1):
        assert f"{number}. " in told and f"**{total}**".replace("-", "−") in told.replace(",", "")
    await top.kim.click(top.panel, label="Roll again")
    assert len(await rows(top)) == 2


def test_it_may_be_installed_by_users() -> None:
    from cogs.roll import RollCog

    for command in RollCog().get_app_commands():
        installs, contexts = command.allowed_installs, command.allowed_contexts
        assert installs is not None and installs.guild and installs.user
        assert contexts is not None
        assert contexts.guild and contexts.dm_channel and contexts.private_channel
