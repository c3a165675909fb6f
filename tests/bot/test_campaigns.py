"""Campaigns: whole tours, races, restarts, somebody else’s, given up, without their channel."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from bot import aftermath
from bot.campaigns import AlreadyRunning, Campaigns, UnderWay
from bot.refusals import AgainstTheRules, ChannelTaken, Duplicate, NotAllowed, Refused
from bot.sessions import Table
from bot.store import Store
from games.boots.model import GI
from games.boots.tour import Tour
from games.registry import Registry
from tests.bot.campaigners import Club, scripted, spend
from tests.bot.house import KIM, ROBIN, SAM, House, address, snapshot, sql


@pytest.fixture
async def club(store: Store, monkeypatch: pytest.MonkeyPatch) -> Club:
    return Club(store, scripted(monkeypatch))


def list_of_missions() -> list[str]:
    fields = {field.name: field for field in Registry().newest("boots").setup_fields()}
    return [option.value for option in fields["mission"].options]


def points(club: Club, standing: Any) -> list[int | None]:
    return [stage.points for stage in club.campaigns.view(standing).stages]


async def coop(club: Club) -> tuple[Any, Table]:
    """Robin’s co-op tour with its first mission under way: Kim plays Bravo."""
    standing = await club.begin("coop")
    table = await club.next(standing)
    assert table.lobby
    table = await club.seat(table, KIM, "BRAVO")
    return standing, await club.start(table)


# --- a whole tour -----------------------------------------------------------------------------


async def test_a_whole_tour(club: Club) -> None:
    standing = await club.begin()
    assert standing.running and [m.user_id for m in standing.members] == [ROBIN]
    ends: list[tuple[str, ...]] = [
        ("Solid", "A-M", "A-SN"), ("Outstanding",), ("",), ("Narrow", "A-L", "A-M", "A-S"),
        ("Solid",), ("Outstanding", "A-M"),
    ]  # fmt: skip
    rosters: list[list[str]] = []
    missions: list[str] = []
    for level, *kia in ends:
        table = await club.next(standing)
        missions.append(table.setup.mission)
        rosters.append(sorted(table.setup.roster))
        units = table.state.units
        assert all((units[f"A-{k}"].kind == GI) == (f"A-{k}" in rosters[-1]) for k in "LMS")
        await club.finish(table, level, *kia)
    assert missions == [name for name in list_of_missions() if name != "range"]
    assert rosters == [[], ["A-M", "A-SN"], [], [], ["A-L", "A-M", "A-S"], []]
    ended = await club.campaigns.get(standing.id)
    assert points(club, ended) == [4, 6, 0, 2, 5, 5]
    view = club.campaigns.view(ended)
    assert (ended.status, view.total, view.rating, view.next) == ("ended", 22, "Veteran", "")
    with pytest.raises(Refused, match="This campaign is over"):
        await club.next(standing)
    again = await club.begin()
    assert again.id != standing.id
    assert [one.id for one in await club.campaigns.of_user(ROBIN)] == [again.id, standing.id]


async def test_the_last_panel_says_how_the_campaign_stands(club: Club, database: Path) -> None:
    standing = await club.begin()
    await club.play(standing, "Solid")
    (payload,) = sql(database, "SELECT payload FROM outbox ORDER BY id DESC LIMIT 1")[0]
    assert (
        "**Tour of duty:** 5 points for Hot LZ, 5 of 36 in all. Next: Bring Them Home." in payload
    )
    sql(database, "UPDATE campaigns SET progress = json_set(progress, '$.played', json(?))",
        '[' + ",".join(
            f'{{"mission":"{m}","level":"Solid","cards":9,"kia":0,"points":5}}'
            for m in ("hot-lz", "bring-them-home", "yellow-rain", "block-by-block", "angel-down")
        ) + ']')  # fmt: skip
    await club.play(standing, "Narrow", "A-L")
    (payload,) = sql(database, "SELECT payload FROM outbox ORDER BY id DESC LIMIT 1")[0]
    assert "3 points for Most Wanted, 28 of 36 in all. The campaign is over" in payload


async def test_a_mission_ended_by_decision_is_played_again(club: Club) -> None:
    standing = await club.begin()
    table = await club.next(standing)
    await club.end(table)
    again = await club.next(standing)
    assert (again.setup.mission, again.id != table.id) == ("hot-lz", True)
    await club.finish(again)
    assert points(club, await club.campaigns.get(standing.id))[0] == 5


async def test_giving_up_is_a_defeat(store: Store) -> None:
    club = Club(store, None)  # pyright: ignore[reportArgumentType]
    standing = await club.begin()
    await club.act(await club.next(standing), "concede")
    found = await club.campaigns.get(standing.id)
    assert points(club, found)[0] == 0 and found.played == 1


async def test_the_campaign_goes_on_after_a_restart_in_another_channel(
    club: Club, database: Path
) -> None:
    standing = await club.begin()
    await club.play(standing, "Solid", "A-M")
    opened = await club.next(standing, channel=71)
    store = await Store.open(address(database))
    later = Club(store, club.script)
    later.interactions = iter(range(5000, 6000))
    names = iter(f"later{n:03d}" for n in range(9))
    later.sessions._name = lambda: next(names)  # pyright: ignore[reportPrivateUsage]
    try:
        with pytest.raises(UnderWay, match="<#71>"):
            await later.next(standing, channel=72)
        table = await later.sessions.get(opened.id)
        assert table.setup.roster == {"A-M": GI}
        await later.finish(table, "Outstanding")
        assert (await later.next(standing, channel=72)).setup.mission == "yellow-rain"
    finally:
        await store.close()


# --- who may ----------------------------------------------------------------------------------


async def test_a_second_start_is_refused(club: Club) -> None:
    standing = await club.begin()
    with pytest.raises(AlreadyRunning) as refused:
        await club.begin("coop")
    assert refused.value.standing.id == standing.id
    assert "Tour of duty" in refused.value.sentence
    await club.begin(user=KIM)


async def test_two_starts_at_once(club: Club) -> None:
    results = await asyncio.gather(club.begin(), club.begin(), return_exceptions=True)
    assert sorted(isinstance(r, AlreadyRunning) for r in results) == [False, True]
    assert len(await club.campaigns.of_user(ROBIN)) == 1


async def test_what_cannot_be_started(club: Club, house: House) -> None:
    with pytest.raises(AgainstTheRules, match="A tour of duty is played as"):
        await club.begin("versus")
    with pytest.raises(Refused, match="no such campaign"):
        club.campaigns.series("boots", "crusade")
    with pytest.raises(Refused):
        club.campaigns.series("chess")
    toys = Campaigns(house.store, house.sessions, clock=house.clock)
    with pytest.raises(Refused, match="Toy Skirmish has no campaigns"):
        await toys.start("toy", "", "", user_id=ROBIN, user_name="Robin")
    assert await club.campaigns.of_user(ROBIN) == []


async def test_somebody_elses_campaign(club: Club, database: Path) -> None:
    standing = await club.begin()
    before = snapshot(database)
    with pytest.raises(NotAllowed, match="somebody else’s"):
        await club.next(standing, KIM)
    with pytest.raises(NotAllowed, match="somebody else’s"):
        await club.campaigns.abandon(standing.id, KIM)
    assert snapshot(database) == before
    with pytest.raises(Refused, match="no campaign under way"):
        await club.campaigns.running(KIM)
    with pytest.raises(Refused, match="know nothing"):
        await club.campaigns.get("nonesuch")


# --- together ---------------------------------------------------------------------------------


async def test_those_of_the_first_mission_are_members(club: Club) -> None:
    standing, table = await coop(club)
    with pytest.raises(NotAllowed):
        await club.next(standing, KIM, channel=71)
    await club.finish(table, "Solid", "B-M")
    found = await club.campaigns.get(standing.id)
    assert [(m.user_id, m.name, m.seat) for m in found.members] == [
        (ROBIN, "Robin", "ALPHA"), (KIM, "Kim", "BRAVO"),
    ]  # fmt: skip
    lobby = await club.next(standing, KIM)
    assert lobby.lobby and lobby.host_id == KIM
    assert (lobby.seats_of(ROBIN), lobby.seats_of(KIM)) == (("ALPHA",), ("BRAVO",))
    started = await club.start(lobby, KIM)
    assert started.state.units["B-M"].kind == GI
    await club.finish(started, "Outstanding")
    assert points(club, await club.campaigns.get(standing.id))[:2] == [4, 6]


async def test_what_is_played_is_set_by_the_campaign(club: Club) -> None:
    standing = await club.begin("coop")
    table = await club.next(standing)
    with pytest.raises(Refused, match="set by the campaign"):
        await club.sessions.change(
            table.id, ROBIN, {"mission": "angel-down"}, interaction_id=next(club.interactions)
        )


async def test_who_has_a_tour_of_their_own_only_plays_along(club: Club) -> None:
    own = await club.begin(user=KIM)
    standing, table = await coop(club)
    await club.finish(table)
    found = await club.campaigns.get(standing.id)
    assert [m.user_id for m in found.members] == [ROBIN]
    assert (await club.campaigns.running(KIM)).id == own.id
    lobby = await club.next(standing)
    assert [holder.title for holder in lobby.vacant()] == ["Bravo"]


async def test_a_member_leaves_and_the_host_gives_up(club: Club) -> None:
    standing, table = await coop(club)
    await club.finish(table)
    left = await club.campaigns.abandon(standing.id, KIM)
    assert left.running and [m.user_id for m in left.members] == [ROBIN]
    await club.begin(user=KIM)
    table = await club.next(standing)
    given_up = await club.campaigns.abandon(standing.id, ROBIN)
    assert given_up.status == "abandoned"
    table = await club.start(await club.seat(table, SAM, "BRAVO"))
    await club.finish(table)  # it goes on as a game of its own
    assert (await club.campaigns.get(standing.id)).played == 1
    for refused in (club.next(standing), club.campaigns.abandon(standing.id, ROBIN)):
        with pytest.raises(Refused, match="This campaign is over"):
            await refused
    await club.begin()


# --- races and faults -------------------------------------------------------------------------


async def test_two_next_at_once_open_one_mission(club: Club, database: Path) -> None:
    standing = await club.begin()
    results = await asyncio.gather(
        *(club.next(standing, channel=70 + n) for n in range(4)), return_exceptions=True
    )
    assert sorted(type(r).__name__ for r in results) == ["Table"] + ["UnderWay"] * 3
    assert sql(database, "SELECT count(*) FROM sessions") == [(1,)]


async def test_two_bots_open_one_mission(club: Club, database: Path) -> None:
    """Two processes over one database: neither sees the other’s locks."""
    standing = await club.begin()
    store = await Store.open(address(database))
    other = Club(store, club.script)
    other.interactions = iter(range(5000, 6000))
    names = iter(f"other{n:03d}" for n in range(9))
    other.sessions._name = lambda: next(names)  # pyright: ignore[reportPrivateUsage]
    try:
        results = await asyncio.gather(
            club.next(standing, channel=70), other.next(standing, channel=71),
            return_exceptions=True,
        )  # fmt: skip
    finally:
        await store.close()
    assert sorted(isinstance(r, Table) for r in results) == [False, True]
    assert all(isinstance(r, Table | Refused) for r in results)
    assert sql(database, "SELECT count(*) FROM sessions") == [(1,)]


async def test_a_mission_that_ends_twice_counts_once(club: Club) -> None:
    standing = await club.begin()
    table = await club.play(standing, "Solid")
    async with club.store.write() as connection:
        assert await aftermath.settle(connection, table, 99) == ""
    assert (await club.campaigns.get(standing.id)).played == 1


async def test_a_taken_channel_leaves_the_campaign_as_it_was(club: Club, database: Path) -> None:
    standing = await club.begin()
    await club.boots(channel=70)
    before = snapshot(database)
    with pytest.raises(ChannelTaken):
        await club.next(standing)
    assert snapshot(database)["campaigns"] == before["campaigns"]
    assert (await club.next(standing, channel=71)).setup.mission == "hot-lz"


async def test_the_same_press_twice_is_one(club: Club) -> None:
    standing = await club.begin()
    table = await club.next(standing)
    await club.end(table)
    club.interactions = iter([1000, 7000])
    with pytest.raises(Duplicate):
        await club.next(standing)


async def test_an_uncounted_mission_is_counted_at_the_next_look(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    standing = await club.begin()
    table = await club.next(standing)
    with monkeypatch.context() as broken:
        broken.setattr(Tour, "after", lambda *_: 1 / 0)
        assert (await club.finish(table, "Solid")).over
    assert (await club.campaigns.of_user(ROBIN))[0].played == 0
    found = await club.campaigns.get(standing.id)
    assert found.played == 1 and points(club, found)[0] == 5


async def test_a_mission_played_otherwise_does_not_count(club: Club, database: Path) -> None:
    standing = await club.begin()
    table = await club.next(standing)
    sql(database, "UPDATE sessions SET setup = json_set(setup, '$.mission', 'angel-down')")
    await club.finish(await club.sessions.get(table.id))
    assert (await club.campaigns.get(standing.id)).played == 0
    assert (await club.next(standing)).setup.mission == "hot-lz"


async def test_a_mission_goes_on_elsewhere_when_its_channel_is_gone(club: Club) -> None:
    standing = await club.begin()
    table = await club.next(standing)
    with pytest.raises(UnderWay):
        await club.next(standing, channel=71)
    club.gone.add(70)
    await club.boots(channel=72)
    with pytest.raises(ChannelTaken):
        await club.next(standing, channel=72)
    moved = await club.next(standing, channel=71)
    assert (moved.id, moved.channel_id, moved.version) == (table.id, 71, table.version)
    assert club.woken[-1] == table.id
    await club.finish(moved)
    assert (await club.campaigns.get(standing.id)).played == 1


async def test_a_session_that_was_deleted_is_opened_again(club: Club, database: Path) -> None:
    standing = await club.begin()
    await club.next(standing)
    sql(database, "DELETE FROM sessions")
    assert (await club.next(standing)).setup.mission == "hot-lz"


# --- the end taken back -----------------------------------------------------------------------


async def back(club: Club, table: Table) -> None:
    async with club.store.write() as connection:
        await aftermath.unsettle(connection, table.id, 99)


async def test_taking_back_the_end_of_a_mission(club: Club) -> None:
    standing, table = await coop(club)
    table = await club.finish(table)
    await back(club, table)
    found = await club.campaigns.get(standing.id)  # counts it again, since the session is over
    assert found.played == 1
    await back(club, table)
    (found,) = await club.campaigns.of_user(ROBIN)
    assert (found.played, found.session_id) == (0, table.id)
    assert [m.user_id for m in found.members] == [ROBIN]


async def test_taking_back_the_end_of_the_campaign(club: Club, database: Path) -> None:
    standing = await club.begin()
    for _ in range(6):
        table = await club.play(standing)
    await back(club, table)
    (found,) = await club.campaigns.of_user(ROBIN)
    assert (found.status, found.played) == ("running", 5)
    with pytest.raises(AlreadyRunning):
        await club.begin()


async def test_what_stands_cannot_be_taken_back(club: Club, database: Path) -> None:
    standing = await club.begin()
    first = await club.play(standing)
    await club.next(standing)
    before = snapshot(database)
    with pytest.raises(Refused, match="next mission of this campaign is open"):
        await back(club, first)
    assert snapshot(database) == before
    await club.finish(
        await club.sessions.get((await club.campaigns.get(standing.id)).session_id or "")
    )
    for _ in range(4):
        last = await club.play(standing)
    await club.begin()
    with pytest.raises(Refused, match="begun another one"):
        await back(club, last)


async def test_an_undo_of_the_end_takes_all_of_it_back(club: Club, database: Path) -> None:
    """Undo past the end takes the records along, and the campaign’s stage."""
    standing = await club.begin()
    table = await club.finish(await club.next(standing))
    await club.undo(await club.sessions.get(table.id))
    (found,) = await club.campaigns.of_user(ROBIN)
    assert found.played == 0 and sql(database, "SELECT count(*) FROM records") == [(0,)]
    await club.finish(await club.sessions.get(table.id), "Outstanding")
    assert points(club, await club.campaigns.get(standing.id))[0] == 6


# --- between two missions ---------------------------------------------------------------------


async def shopping(club: Club, database: Path, bank: int = 20) -> Any:
    """A sniper’s campaign after its first mission, with Kill Points to spend."""
    standing = await club.campaigns.start("sniper", "", "", user_id=ROBIN, user_name="Robin")
    spend(database, standing.id, bank)
    return await club.campaigns.get(standing.id)


async def test_an_errand_between_two_missions(club: Club, database: Path) -> None:
    standing = await shopping(club, database)
    (errand,) = await club.campaigns.errands(standing)
    assert errand.name == "buy"
    choice = errand.options[0].value
    after = await club.campaigns.run(standing.id, ROBIN, "buy", choice, mark=standing.mark)
    assert after.progress["bank"] < 20 and after.mark != standing.mark
    before = snapshot(database)
    with pytest.raises(Refused, match="Somebody was quicker"):
        await club.campaigns.run(standing.id, ROBIN, "buy", choice, mark=standing.mark)
    with pytest.raises(AgainstTheRules, match="to buy"):
        await club.campaigns.run(standing.id, ROBIN, "buy", "a tank", mark=after.mark)
    with pytest.raises(NotAllowed):
        await club.campaigns.run(standing.id, KIM, "buy", choice, mark=after.mark)
    assert snapshot(database) == before


async def test_two_purchases_at_once_are_one(club: Club, database: Path) -> None:
    standing = await shopping(club, database)
    (errand,) = await club.campaigns.errands(standing)
    results = await asyncio.gather(
        *(
            club.campaigns.run(
                standing.id, ROBIN, "buy", errand.options[0].value, mark=standing.mark
            )
            for _ in range(3)
        ),
        return_exceptions=True,
    )
    assert sum(isinstance(r, Refused) for r in results) == 2


async def test_no_errands_while_a_mission_is_under_way_or_all_is_over(
    club: Club, database: Path
) -> None:
    standing = await shopping(club, database)
    await club.next(standing)
    standing = await club.campaigns.get(standing.id)
    assert await club.campaigns.errands(standing) == ()
    with pytest.raises(UnderWay):
        await club.campaigns.run(standing.id, ROBIN, "buy", "x", mark=standing.mark)
    gone = await club.campaigns.abandon(standing.id, ROBIN)
    assert await club.campaigns.errands(gone) == ()
    with pytest.raises(Refused, match="This campaign is over"):
        await club.campaigns.run(standing.id, ROBIN, "buy", "x", mark=gone.mark)


async def test_campaigns_of_two_games_at_once(club: Club) -> None:
    tour = await club.begin()
    await club.campaigns.start("sniper", "", "", user_id=ROBIN, user_name="Robin")
    with pytest.raises(Refused, match="Say which one with the option `campaign`"):
        await club.campaigns.running(ROBIN)
    assert (await club.next(tour)).slug == "boots"
