"""A campaign is started over: one transaction, the same people and options, the old one kept."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from bot.campaigns import QUICKER, AlreadyRunning
from bot.refusals import AgainstTheRules, NotAllowed, Refused
from bot.restarting import left_out
from bot.store import Store
from bot.store import schema as db
from games.kernel.campaign import Campaign
from games.kernel.illegal import Illegal
from games.registry import Registry
from tests.bot.campaigners import Club, scripted
from tests.bot.house import KIM, ROBIN, SAM, snapshot
from tests.bot.test_campaigns import coop


@pytest.fixture
async def club(store: Store, monkeypatch: pytest.MonkeyPatch) -> Club:
    return Club(store, scripted(monkeypatch))


async def restart(club: Club, standing: Any, user: int = ROBIN) -> Any:
    now = await club.campaigns.get(standing.id)
    return await club.campaigns.restart(standing.id, user, mark=now.mark)


async def test_the_same_again_with_the_old_one_kept(club: Club) -> None:
    standing = await club.begin()
    await club.play(standing)
    new = (await restart(club, standing)).standing
    old = await club.campaigns.get(standing.id)
    assert (old.status, old.played, old.members) == (db.ABANDONED, 1, new.members)
    assert new.running and new.played == 0 and new.id != old.id
    assert (new.game, new.kind, new.mode, new.host_id) == (old.game, old.kind, old.mode, ROBIN)
    assert club.campaigns.view(new).total == 0 and club.campaigns.view(old).total == 5
    table = await club.play(new)
    assert table.setup.mission == "hot-lz" and table.setup.campaign == new.id
    assert (await club.campaigns.get(old.id)).played == 1
    assert [one.id for one in await club.campaigns.of_user(ROBIN)] == [new.id, old.id]


async def test_everybody_sits_where_they_sat(club: Club) -> None:
    standing, table = await coop(club)
    await club.finish(table)
    result = await restart(club, standing)
    assert result.left_out == ()
    assert [(m.user_id, m.seat) for m in result.standing.members] == [
        (ROBIN, "ALPHA"),
        (KIM, "BRAVO"),
    ]
    opened = await club.next(result.standing, KIM)
    assert {holder.seat: holder.user_ids for holder in opened.seats} == {
        "ALPHA": (ROBIN,),
        "BRAVO": (KIM,),
    }
    await club.finish(await club.start(opened, KIM))
    after = await club.campaigns.get(result.standing.id)
    assert after.played == 1 and len(after.members) == 2


async def test_the_mission_under_way_goes_on_by_itself(club: Club) -> None:
    standing = await club.begin()
    table = await club.next(standing)
    new = (await restart(club, standing)).standing
    other = await club.next(new, channel=71)
    await club.finish(table)
    assert (await club.campaigns.get(standing.id)).played == 0
    assert (await club.campaigns.get(new.id)).session_id == other.id


async def test_options_are_the_same(club: Club) -> None:
    standing = await club.campaigns.start(
        "sniper", "", "solo", user_id=ROBIN, user_name="Robin", options={"veteran": "on"}
    )
    new = (await restart(club, standing)).standing
    assert new.progress == standing.progress and new.progress["options"] == {"veteran": "on"}


def test_every_series_of_every_game_can_be_started_over() -> None:
    registry = Registry()
    series = [
        one for slug in registry.slugs() for one in registry.newest(slug).campaigns().values()
    ]
    assert len(series) >= 2
    for one in series:
        for mode in one.modes:
            begun = one.begin(mode)
            assert one.again(begun) == begun


async def test_an_ended_one_stays_as_it_ended(club: Club) -> None:
    standing = await club.begin()
    for _ in range(6):
        await club.play(standing)
    over = await club.campaigns.get(standing.id)
    assert over.status == db.ENDED
    new = (await restart(club, standing)).standing
    assert new.running and (await club.campaigns.get(standing.id)).status == db.ENDED


async def test_who_may_not(club: Club, database: Path) -> None:
    standing, table = await coop(club)
    await club.finish(table)
    before = snapshot(database)
    with pytest.raises(NotAllowed, match=f"Only <@{ROBIN}>, who hosts this campaign"):
        await restart(club, standing, KIM)
    with pytest.raises(NotAllowed, match="somebody else’s campaign"):
        await restart(club, standing, SAM)
    with pytest.raises(Refused, match="know nothing of this campaign"):
        await club.campaigns.restart("nonsense", ROBIN, mark=1)
    assert snapshot(database) == before


async def test_pressed_twice_it_begins_once(club: Club, database: Path) -> None:
    standing = await club.begin()
    mark = (await club.campaigns.get(standing.id)).mark
    done = await asyncio.gather(
        *(club.campaigns.restart(standing.id, ROBIN, mark=mark) for _ in range(3)),
        return_exceptions=True,
    )
    assert sum(isinstance(one, AlreadyRunning) for one in done) == 2
    assert len(snapshot(database)["campaigns"]) == 2


async def test_one_that_has_gone_on_is_left_alone(club: Club, database: Path) -> None:
    standing = await club.begin()
    mark = standing.mark
    await club.play(standing)
    before = snapshot(database)
    with pytest.raises(Refused, match=QUICKER[:20]):
        await club.campaigns.restart(standing.id, ROBIN, mark=mark)
    assert snapshot(database) == before


async def test_whoever_has_another_is_left_out_or_in_the_way(club: Club, database: Path) -> None:
    standing, table = await coop(club)
    await club.finish(table)
    await club.campaigns.abandon(standing.id, ROBIN)
    other = await club.begin(user=KIM)
    result = await restart(club, standing)
    assert [m.user_id for m in result.standing.members] == [ROBIN]
    assert [m.user_id for m in result.left_out] == [KIM]
    assert (
        left_out(result.left_out) == "Kim has begun another one meanwhile, so is not in this one."
    )
    assert left_out(result.left_out * 2).startswith("Kim and Kim have begun")
    assert (await club.campaigns.get(other.id)).running
    before = snapshot(database)
    with pytest.raises(AlreadyRunning):
        await restart(club, standing)
    assert snapshot(database) == before


async def test_options_that_there_are_no_more_are_a_sentence(
    club: Club, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    standing = await club.begin()

    def gone(self: Any, progress: dict[str, Any]) -> dict[str, Any]:
        raise Illegal("X-1", "There is no such option any more.")

    monkeypatch.setattr(Campaign, "again", gone)
    before = snapshot(database)
    with pytest.raises(AgainstTheRules, match="no such option"):
        await restart(club, standing)
    assert snapshot(database) == before
