"""Messages of rolls: within Discord's limits, and harmless whatever people call things."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from bot.acknowledge import Desk
from bot.layout import Image
from bot.parlour.rolls import Rolls
from bot.parlour.rolls_kept import GONE, Kept, Page, about, forget, get, keep, page, proof, reveal
from bot.parlour.rolls_letters import (
    hints,
    page_letter,
    proof_letter,
    roll_letter,
    secret_letter,
    secret_notice,
)
from bot.refusals import Duplicate, Refused
from bot.store import Store
from bot.studio import Studio
from games.kernel.entropy import seeded
from games.parlour.notation_reading import read
from games.parlour.roll import roll
from tests.bot import limits
from tests.bot.house import KIM, ROBIN

PICTURE = Image("roll.png", b"png", "alt " * 300)
NASTY = "@everyone <@1> [x](https://e.example) `` **b** \u202e"


def made(notation: str, number: int = 1, **more: Any) -> Kept:
    parsed = read(notation, more.pop("times", 1))
    values: dict[str, Any] = {
        "id": 999_999_999,
        "channel_id": 70,
        "guild_id": 9,
        "user_id": ROBIN,
        "name": "Robin",
        "notation": str(parsed),
        "label": "",
        "outcome": roll(parsed, seeded(f"{number}")),
        "secret": False,
        "key_number": number,
        "key": "ab" * 32,
        "interaction_id": number,
        "time": 1_800_000_000,
    }
    return Kept(**{**values, **more})


def wire(letter: Any) -> list[dict[str, Any]]:
    return letter.screen.to_components()


def words(letter: Any) -> str:
    every = limits.walk(wire(letter))
    return "\n".join(c["content"] for c in every if c["type"] == limits.TEXT)


@pytest.mark.parametrize(
    ("notation", "times"),
    [
        ("d20", 1),
        ("100d1000", 1),
        ("100d1000r<999!", 1),
        ("5d{1000,-1000}r<-999!kh5 # " + "_" * 60, 20),
        ("5d1000!r1kh5>=500", 20),
        (";".join(["d1000 # ______"] * 13), 1),
        ("+".join(["d1000"] * 33), 1),
        ("1000000*1000", 20),
    ],
)
def test_letters_are_within_the_limits(notation: str, times: int) -> None:
    one = made(notation, times=times, name="_" * 100, label="*" * 60)
    letters = [
        roll_letter(one, (PICTURE,), seal="ef" * 32),
        roll_letter(one, (), shown=True),
        secret_letter(one, (PICTURE,)),
        secret_notice(one, "ef" * 32),
    ]
    for letter in letters:
        limits.check_message(wire(letter))
    for line in one.outcome.lines:
        assert f"{abs(line.total):,}" in words(letters[0]) or str(abs(line.total)) in words(
            letters[0]
        )
    listed = page_letter(Page((one,) * 10, True, True, "ef" * 32))
    limits.check_message(wire(listed))
    assert f"`{'ef' * 32}`." in words(listed)
    limits.check_message(wire(proof_letter(b"{}", 1000, 2**63)))


def test_nothing_that_people_write_does_anything() -> None:
    one = made("d6; d8", name=NASTY, label=NASTY)
    labelled = made("2d6 # @here **x**; d8 # <@&1>", name=NASTY)
    for letter in (
        roll_letter(one, ()),
        secret_letter(one, ()),
        secret_notice(one),
        roll_letter(labelled, ()),
    ):
        told = words(letter)
        assert "@everyone" not in told and "@here" not in told and "<@" not in told
        assert "**b**" not in told and "**x**" not in told and "](" not in told
        assert "\u202e" not in told


def test_a_label_from_right_to_left_leaves_the_numbers_in_their_order() -> None:
    one = made("d6; d8", label="אבג")
    first, second = (line.total for line in one.outcome.lines)
    assert f" · אבג\u200e: **{first}, {second}**" in words(page_letter(Page((one,), False, False)))


def test_the_text_is_exact() -> None:
    told = words(roll_letter(made("2d6+1", 3), ()))
    total = made("2d6+1", 3).outcome.lines[0]
    first, second = (die.value for die in total.throws[0].dice)
    assert told == (
        f"**Robin** rolled `2d6+1`\n`[{first}, {second}]` {first + second}+1 = "
        f"**{total.total}**\n-# Average 8"
    )
    told = words(roll_letter(made("d20+5 # hit; 2*3", 3), ()))
    (die,) = made("d20+5 # hit; 2*3", 3).outcome.lines[0].throws[0].dice
    assert told.splitlines()[:3] == [
        "**Robin** rolled `d20+5; 2×3`",
        f"1. hit `d20+5` `[{die.value}]` {die.value}+5 = **{die.value + 5}**",
        "2. `2×3` 2×3 = **6**",
    ]


def test_hints_are_what_is_typed_and_own_rolls_like_it() -> None:
    lately = ["2d6+3", "4d6kh3", "d20 adv", "2d6", "2d6; " * 30]
    assert hints("", lately) == [(one, one) for one in lately[:4]]
    assert hints("2D6 ", lately) == [
        ("2D6 · Average 7", "2D6 "), ("2d6+3", "2d6+3"), ("2d6", "2d6"),
    ]  # fmt: skip
    assert hints("2d6", lately) == [("2d6 · Average 7", "2d6"), ("2d6+3", "2d6+3")]
    assert hints("d20A", lately) == [("d20 adv", "d20 adv")]
    assert hints("d6/2", []) == [("d6/2", "d6/2")]
    assert hints("nonsense", lately) == []
    deep = str(read("2*-(2*-(2*-(2*-(2*-d6))))"))
    assert deep.count("(") > 8 and hints("2×", [deep, "2×d6"]) == [("2×d6", "2×d6")]
    assert hints("1+" * 60 + "1", lately) == []
    many = hints("+".join(["d6"] * 33), [f"d{n}" for n in range(1, 60)])
    assert len(many) == 1 and len(many[0][0]) <= 100
    assert len(hints("", [f"d{n}" for n in range(1, 60)])) == 25


class Answers(Desk):
    """Does the work, and lets what is refused out."""

    async def answer(self, interaction: Any, work: Any, way: Any = None) -> None:
        await work()


async def test_an_interaction_is_rolled_for_once(store: Store) -> None:
    studio = Studio()
    rolls = Rolls(store, Answers(), studio, clock=lambda: 1)
    user = SimpleNamespace(id=ROBIN, display_name="Robin")
    press: Any = SimpleNamespace(id=5, guild_id=9, channel_id=70, user=user)
    await rolls.command(press, "2d6", secret=False, label="", times=1)
    with pytest.raises(Duplicate):
        await rolls.command(press, "2d6", secret=False, label="", times=1)
    assert len(await rolls.about(ROBIN)) == 1
    assert await rolls.suggest(ROBIN, "2") == [("2", "2"), ("2d6", "2d6")]
    nowhere: Any = SimpleNamespace(id=6, guild_id=9, channel_id=None, user=user)
    with pytest.raises(Refused, match="which channel"):
        await rolls.command(nowhere, "2d6", secret=False, label="", times=1)
    studio.close()


async def test_rows_are_kept_shown_and_forgotten(store: Store) -> None:
    async with store.write() as connection:
        open_ = await keep(connection, made("2d6", 1))
        secret = await keep(connection, made("3d6", 2, secret=True))
        await keep(connection, made("4d6", 3, channel_id=71))
        await keep(connection, made("5d6", 4, user_id=KIM))
    async with store.read() as connection:
        assert await get(connection, open_.id, 70) == open_
        with pytest.raises(Refused, match="not kept any more"):
            await get(connection, open_.id, 71)
        seen = await page(connection, 70, ROBIN, 10)
        assert [one.notation for one in seen.rolls] == ["5d6", "3d6", "2d6"]
        seen = await page(connection, 70, KIM, 10)
        assert [one.notation for one in seen.rolls] == ["5d6", "2d6"]
        first = await page(connection, 70, KIM, 1)
        assert first.older and not first.newer
        assert (await page(connection, 70, KIM, 1, before=1)).rolls == first.rolls  # none: the last
        older = await page(connection, 70, KIM, 1, before=first.rolls[0].id)
        assert [one.notation for one in older.rolls] == ["2d6"] and older.newer and not older.older
    async with store.write() as connection:
        assert await reveal(connection, secret.id)
        assert not await reveal(connection, secret.id)
    assert [row["notation"] for row in await about(store, ROBIN)] == ["2d6", "3d6", "4d6"]
    async with store.write() as connection:
        await forget(connection, ROBIN)
    assert await about(store, ROBIN) == [] and len(await about(store, KIM)) == 1
    with pytest.raises(Refused, match="Nothing was rolled here"):
        await proof(store, 71, ROBIN)
    assert GONE.startswith("That roll")
