"""The shipped content is whole, and every way to break a file is refused in words."""

from __future__ import annotations

import copy
import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from games.kernel.datafiles import BrokenData, content_hash, read_tables
from games.sniper.content import ByRange, Content

FOLDER = Path(__file__).parents[3] / "data" / "sniper"
TABLES = read_tables(FOLDER)
CONTENT = Content.load(FOLDER)
Tables = dict[str, Any]
Change = Callable[[Tables], None]


# --- what is shipped --------------------------------------------------------------------------


@pytest.mark.rule("SK-1.1", "SK-1.2")
def test_sizes_of_the_decks() -> None:
    assert len(CONTENT.action_deck) == 60
    assert len(CONTENT.tactical_deck) == 24
    assert len(CONTENT.hostile_deck) == 37
    assert len(CONTENT.vip_deck) == len(CONTENT.vips) == 4
    assert {name: len(place.deck) for name, place in CONTENT.locations.items()} == {
        "jungle": 12,
        "ruined_city": 12,
        "desert": 12,
        "countryside": 12,
    }
    assert len(CONTENT.location_cards) == 48
    assert len(CONTENT.options) == 8
    assert len(CONTENT.decisions) == 35


def test_decks_hold_every_copy() -> None:
    assert Counter(CONTENT.action_deck) == {
        "fire": 18,
        "blank": 12,
        "movement": 8,
        "crawl": 8,
        "hidden": 6,
        "binocs": 5,
        "medkit": 3,
    }
    assert Counter(CONTENT.hostile_deck) == {
        "h1": 6,
        "h2": 9,
        "h3": 6,
        "h4": 3,
        "enemy_sniper": 3,
        "reserve": 10,
    }
    single = {"double_tap", "field_dressing", "ghost"}
    single |= {"local_informant", "spooked_birds", "dead_air"}
    assert Counter(CONTENT.tactical_deck) == {
        name: 1 if name in single else 2 for name in CONTENT.tactical
    }


def test_immediate_cards() -> None:
    immediate = [card.id for card in CONTENT.tactical.values() if card.timing == "immediate"]
    assert immediate == ["local_informant", "spooked_birds", "dead_air"]


def test_hostile_cards_have_their_number() -> None:
    numbers = {name: card.count for name, card in CONTENT.hostile.items()}
    assert numbers == {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "enemy_sniper": 1, "reserve": 0}


def test_content_from_kept_tables_is_the_same() -> None:
    kept = Content.from_tables(json.loads(CONTENT.tables_json()))
    assert kept.hash == CONTENT.hash == content_hash(TABLES)
    assert kept.action_deck == CONTENT.action_deck
    assert list(kept.locations) == list(CONTENT.locations)
    assert list(kept.location_cards) == list(CONTENT.location_cards)
    assert list(kept.gear) == list(CONTENT.gear)
    assert list(kept.options) == list(CONTENT.options)


def test_hash_follows_every_value() -> None:
    other = copy.deepcopy(TABLES)
    other["tables"]["hit"] = 8
    assert Content.from_tables(other).hash != CONTENT.hash


@pytest.mark.rule("SK-1.3", "SK-1.8")
def test_locations() -> None:
    tables = CONTENT.tables
    sums = Counter(tables.location_of(a + b) for a in range(1, 7) for b in range(1, 7))
    assert sums == {"jungle": 9, "ruined_city": 9, "desert": 9, "countryside": 9}
    assert [place.morale for place in CONTENT.locations.values()] == [10, 10, 15, 10]
    with pytest.raises(KeyError):
        tables.location_of(13)


@pytest.mark.parametrize("name", list(CONTENT.locations))
def test_maps(name: str) -> None:
    location = CONTENT.locations[name]
    assert len(location.rows) == 8 and all(len(row) == 36 for row in location.rows)
    assert len(location.zone_names) == 6
    assert location.deck_ids == tuple(card.id for card in location.deck)
    for zone in range(1, 7):
        signs = "".join(row[6 * (zone - 1) : 6 * zone] for row in location.rows)
        assert [signs.count(sign) for sign in "123SVX"] == [1, 1, 1, 1, zone == 5, zone == 6]
    assert "V" in location.rows[0][24:30] and "X" in location.rows[7][30:]


@pytest.mark.rule("SK-20.1")
def test_location_cards() -> None:
    events = Counter(card.event for card in CONTENT.location_cards.values() if card.event)
    assert events == {
        "AMBUSH": 4,
        "TRAP": 4,
        "ALARM": 4,
        "CACHE": 2,
        "INTEL": 2,
        "AID": 2,
        "CONTACT": 2,
    }
    statics = Counter(card.static for card in CONTENT.location_cards.values() if card.static)
    assert statics == {"NO_PATROL": 4, "RELAY": 2}
    tower = CONTENT.location_cards["R01"]
    assert (tower.cover, tower.fire, tower.move, tower.crawl) == (2, 1, 2, 3)


def test_wind() -> None:
    drms = [CONTENT.tables.wind_row(roll).drm for roll in range(1, 11)]
    assert drms == [-2, -2, -1, -1, -1, 0, 0, 0, 0, 1]
    for roll in (0, 11):
        with pytest.raises(KeyError):
            CONTENT.tables.wind_row(roll)


def test_numbers_by_range() -> None:
    tables = CONTENT.tables
    assert [tables.range_drm.at(place) for place in ("long", "medium", "short")] == [-2, -1, 0]
    assert [tables.exposed.at(place) for place in ("long", "medium", "short")] == [6, 5, 4]
    assert tables.zone_morale == {"2": 20, "3": 40, "4": 65, "5": 90, "6": 0}


@pytest.mark.rule("SK-1.10")
def test_counters() -> None:
    assert Counter(CONTENT.tables.patrol_counters) == {1: 2, 2: 3, 3: 3, 4: 2}
    assert CONTENT.tables.dice_counters == (1, 2, 3, 4, 5, 6)


def test_rifles() -> None:
    rifles = {gear.id: gear for gear in CONTENT.gear.values() if gear.kind == "rifle"}
    prices = {name: gear.price for name, gear in rifles.items()}
    assert prices == {"m40a3": None, "m24": 3, "m110": 4, "mk13": 7, "m107": 8, "m200": 12}
    assert CONTENT.start_rifle == "m40a3"
    assert rifles["m24"].range_drm == ByRange(-1, -1, 0)
    assert rifles["m24"].flat_drm == ByRange()
    assert rifles["m110"].flat_drm == ByRange(0, 1, 1) and rifles["m110"].fire_actions == 3
    assert rifles["m107"].move_extra == 1 and rifles["m107"].range_drm == ByRange(-1, 0, 0)
    assert rifles["m200"].range_drm == ByRange(0, 0, 0)


def test_items() -> None:
    items = [gear for gear in CONTENT.gear.values() if gear.kind == "item"]
    prices = {gear.id: gear.price for gear in items}
    assert prices == {
        "knife": 2,
        "sidearm": 3,
        "ghillie": 5,
        "armour": 4,
        "scope": 2,
        "rangefinder": 4,
        "wind_meter": 3,
        "suppressor": 2,
        "satcom": 3,
        "cleaning_kit": 2,
        "med_kit": 1,
    }
    assert {gear.id: gear.most for gear in items if gear.most > 1} == {"med_kit": 3}


def test_options() -> None:
    veteran, rookie = CONTENT.options["veteran"], CONTENT.options["rookie"]
    assert veteran.kia is not None and (veteran.kia.total, veteran.kia.critical) == (4, 2)
    assert veteran.reserve_start == 2 and veteran.excludes == ("rookie",)
    assert rookie.kia is not None and (rookie.kia.total, rookie.kia.critical) == (6, 4)
    assert rookie.morale == 10 and rookie.excludes == ("veteran",)
    assert [name for name, option in CONTENT.options.items() if option.modes == ("solo",)] == [
        "lone_wolf"
    ]
    assert all(option.changes for option in CONTENT.options.values())
    rules = [option.rule for option in CONTENT.options.values()]
    assert rules == [f"SK-21.{number}" for number in range(1, 9)]


def test_files_say_where_their_values_come_from() -> None:
    for path in sorted(FOLDER.rglob("*.toml")):
        text = path.read_text(encoding="utf-8")
        assert text.startswith("# "), path
        assert "\nprovenance = " in text, path


def test_another_groups_cards() -> None:
    """Cards of another copy: other counts, fewer kinds, other groups and targets."""
    tables = copy.deepcopy(TABLES)
    cards = tables["cards"]
    cards["tactical"][0]["count"] = 0
    cards["hostile"][0] = {**cards["hostile"][0], "id": "patrolman", "copies": 9}
    del cards["vip"][2:]
    del tables["locations"]["locations"]["jungle"]["card"][6:]
    other = Content.from_tables(tables)
    assert len(other.tactical_deck) == 22 and "steady_breath" in other.tactical
    assert other.hostile_deck.count("patrolman") == 9
    assert other.vip_deck == ("V1", "V2")
    assert len(other.locations["jungle"].deck) == 6


# --- broken files -----------------------------------------------------------------------------


def put(path: str, value: Any) -> Change:
    """Sets the value at "file|key.key[0]"; None takes it away."""
    file, _, keys = path.partition("|")

    def change(tables: Tables) -> None:
        place, parts = tables[file], [p.strip("[]") for p in re.findall(r"\[\d+\]|[^.\[\]]+", keys)]
        for part in parts[:-1]:
            place = place[int(part) if isinstance(place, list) else part]
        last: Any = int(parts[-1]) if isinstance(place, list) else parts[-1]
        if value is None:
            del place[last]
        else:
            place[last] = value

    return change


def both(*changes: Change) -> Change:
    def change(tables: Tables) -> None:
        for one in changes:
            one(tables)

    return change


def draw(location: str, row: int, column: int, sign: str) -> Change:
    """Changes one sign of a map, row and column counted from 1."""

    def change(tables: Tables) -> None:
        place = tables["locations"]["locations"][location]
        rows = [list(line) for line in place["rows"].strip("\n").split("\n")]
        rows[row - 1][column - 1] = sign
        place["rows"] = "\n".join("".join(line) for line in rows)

    return change


def drop(file: str) -> Change:
    def change(tables: Tables) -> None:
        del tables[file]

    return change


def nothing_in(deck: str, count: str) -> Change:
    def change(tables: Tables) -> None:
        for card in tables["cards"][deck]:
            card[count] = 0

    return change


def short_deck(tables: Tables) -> None:
    del tables["locations"]["locations"]["desert"]["card"][5:]


JUNGLE = "locations|locations.jungle"
KEY = "locations.jungle"

BROKEN: list[tuple[Change, str, str, str]] = [
    # types, missing and unknown keys
    (put("tables|hit", "7"), "tables", "hit", "expected int, got str"),
    (put("tables|hit", None), "tables", "hit", "is missing"),
    (put("tables|colour", 1), "tables", "colour", "unknown key"),
    (put("tables|provenance", None), "tables", "provenance", "is missing"),
    (drop("cards"), "cards", "", "the file is missing"),
    (drop("rules"), "rules", "", "the file is missing"),
    # cards
    (put("cards|action[0].id", "napalm"), "cards", "action[0].id", "napalm"),
    (put("cards|action[0].count", -1), "cards", "action[0].count", ">= 0"),
    (put("cards|action[0]", None), "cards", "action", "the card fire is missing"),
    (put("cards|action[1].id", "fire"), "cards", "action[1].id", "two cards fire"),
    (nothing_in("action", "count"), "cards", "action", "the deck is empty"),
    (
        both(put("cards|action[2].count", 0), put("cards|action[3].count", 1)),
        *("cards", "action", "1 Movement and Crawl cards cannot pay 2"),
    ),
    (
        both(put("cards|action[0].count", 0), put("cards|action[1].count", 1)),
        *("cards", "action", "no Fire card and fewer than 2 Blank cards"),
    ),
    (put("cards|set_aside.medkit", -1), "cards", "set_aside.medkit", ">= 0"),
    (put("cards|tactical[0].id", "napalm"), "cards", "tactical[0].id", "napalm"),
    (put("cards|tactical[3]", None), "cards", "tactical", "windage_call is missing"),
    (put("cards|tactical[0].timing", "radio"), "cards", "tactical[0].timing", "is 'shot'"),
    (nothing_in("tactical", "count"), "cards", "tactical", "the deck is empty"),
    (put("cards|hostile[0].kind", "tank"), "cards", "hostile[0].kind", "tank"),
    (put("cards|hostile[0].count", None), "cards", "hostile[0].count", "needs its number"),
    (put("cards|hostile[0].count", 5), "cards", "hostile[0].count", "<= 4"),
    (put("cards|hostile[4].count", 1), "cards", "hostile[4].count", "has no number"),
    (put("cards|hostile[0].id", "h 1"), "cards", "hostile[0].id", "letters and digits"),
    (put("cards|hostile[1].id", "h1"), "cards", "hostile[1].id", "two cards h1"),
    (put("cards|hostile[5].copies", 0), "cards", "hostile", "without a Reserve card"),
    (nothing_in("hostile", "copies"), "cards", "hostile", "the deck is empty"),
    (put("cards|vip", []), "cards", "vip", "the deck is empty"),
    (put("cards|vip[1].id", "V1"), "cards", "vip[1].id", "two cards V1"),
    (put("cards|vip[0].range", "far"), "cards", "vip[0].range", "far"),
    (put("cards|vip[0].guards", 5), "cards", "vip[0].guards", "<= 4"),
    (put("cards|vip[0].bonus_kp", -1), "cards", "vip[0].bonus_kp", ">= 0"),
    (put("cards|vip[0].name", ""), "cards", "vip[0].name", "length >= 1"),
    # locations
    (put(JUNGLE, None), "locations", KEY, "is missing"),
    (put("locations|locations.moon", {}), "locations", "locations", "moon"),
    (short_deck, "locations", "locations.desert.card", "the deck has 5 cards"),
    (put(f"{JUNGLE}.card[0].cover", 3), "locations", f"{KEY}.card[0].cover", "<= 2"),
    (put(f"{JUNGLE}.card[0].fire", 2), "locations", f"{KEY}.card[0].fire", "<= 1"),
    (put(f"{JUNGLE}.card[0].move", 4), "locations", f"{KEY}.card[0].move", "<= 3"),
    (put(f"{JUNGLE}.card[0].crawl", 0), "locations", f"{KEY}.card[0].crawl", ">= 1"),
    (put(f"{JUNGLE}.card[0].event", "RAIN"), "locations", f"{KEY}.card[0].event", "RAIN"),
    (put(f"{JUNGLE}.card[0].static", "FOG"), "locations", f"{KEY}.card[0].static", "FOG"),
    (put(f"{JUNGLE}.card[0].terrain", "sea"), "locations", f"{KEY}.card[0].terrain", "sea"),
    (put(f"{JUNGLE}.card[0].id", "J1"), "locations", f"{KEY}.card[0].id", "matching regex"),
    (
        put(f"{JUNGLE}.card[1].id", "J01"),
        *("locations", f"{KEY}.card[1].id", "there are two cards J01"),
    ),
    (put(f"{JUNGLE}.zone_names", ["A"]), "locations", f"{KEY}.zone_names", "1 names"),
    (put(f"{JUNGLE}.morale", -5), "locations", f"{KEY}.morale", ">= 0"),
    (put(f"{JUNGLE}.rows", "..."), "locations", f"{KEY}.rows", "1 rows, a map has 8"),
    (put(f"{JUNGLE}.rows", "...\n" * 8), "locations", f"{KEY}.rows", "row 1 has 3 characters"),
    (draw("jungle", 3, 1, "?"), "locations", f"{KEY}.rows", "row 3, column 1: unknown sign '?'"),
    (draw("jungle", 1, 1, "1"), "locations", f"{KEY}.rows", "zone 1 has the sign 1 2 times"),
    (draw("jungle", 8, 9, "."), "locations", f"{KEY}.rows", "zone 2 has the sign S 0 times"),
    (draw("jungle", 1, 1, "V"), "locations", f"{KEY}.rows", "zone 1 has the sign V 1 times"),
    (draw("jungle", 8, 36, "."), "locations", f"{KEY}.rows", "zone 6 has the sign X 0 times"),
    (
        both(draw("jungle", 1, 29, "."), draw("jungle", 3, 30, "V")),
        *("locations", f"{KEY}.rows", "zone 5: the V is not in row 1"),
    ),
    # numbers
    (put("tables|wind[9]", None), "tables", "wind", "9 entries, the d10 needs 10"),
    (put("tables|location_roll.jungle[0]", 4), "tables", "location_roll.ruined_city[0]", "already"),
    (put("tables|location_roll.jungle[0]", 13), "tables", "location_roll.jungle[0]", "cannot give"),
    (put("tables|location_roll.jungle[1]", None), "tables", "location_roll", "sum 6 leads to no"),
    (put("tables|location_roll.moon", [2]), "tables", "location_roll", "moon"),
    (put("tables|zone_morale.3", None), "tables", "zone_morale.3", "is missing"),
    (put("tables|zone_morale.7", 10), "tables", "zone_morale.7", "2 to 6"),
    (put("tables|zone_morale.2", -1), "tables", "zone_morale.2", ">= 0"),
    (put("tables|vip_zone", 4), "tables", "vip_zone", "drawn for zone 5"),
    (put("tables|last_zone", 7), "tables", "last_zone", "drawn for zone 6"),
    (put("tables|patrol_counters", []), "tables", "patrol_counters", "no counter"),
    (put("tables|patrol_counters[0]", 5), "tables", "patrol_counters[0]", "<= 4"),
    (put("tables|dice_counters", []), "tables", "dice_counters", "no counter"),
    (put("tables|reserve_start", 8), "tables", "reserve_start", "not between 1 and 7"),
    (put("tables|kia.critical", 6), "tables", "kia.critical", "5 wounds in all"),
    (put("tables|cover_max", 3), "tables", "cover_max", "with more than 2 no enemy could hit"),
    (put("tables|spot_hit", 7), "tables", "spot_hit", "<= 6"),
    (put("tables|spot_tries_alone", 3), "tables", "spot_tries_alone", "with a spotter"),
    (
        both(put("tables|air_hit", 5), put("tables|air_hit_helped", 6)),
        *("tables", "air_hit_helped", "harder than the plain 5"),
    ),
    (put("tables|exposed.long", None), "tables", "exposed.long", "is missing"),
    (put("tables|campaign_failures", 11), "tables", "campaign_failures", "10 missions"),
    (put("tables|rotation_least", 7), "tables", "rotation_least", "more than the most, 6"),
    (put("tables|minor_vp", 50), "tables", "minor_vp", "not less than the 50"),
    (put("tables|extraction_cards", 17), "cards", "action", "16 Movement and Crawl cards"),
    # gear
    (put("gear|gear[1].price", 0), "gear", "gear[1].price", ">= 1"),
    (put("gear|gear[1].price", -3), "gear", "gear[1].price", ">= 1"),
    (put("gear|gear[0].price", 1), "gear", "gear", "there is none"),
    (put("gear|gear[1].price", None), "gear", "gear", "there is m40a3 and m24"),
    (put("gear|gear[6].price", None), "gear", "gear[6].price", "an item needs a price"),
    (put("gear|gear[1].id", "m40a3"), "gear", "gear[1].id", "two pieces of gear m40a3"),
    (put("gear|gear[1].id", "M24"), "gear", "gear[1].id", "small letters"),
    (put("gear|gear[1].laser", 1), "gear", "gear[1].laser", "unknown key"),
    (put("gear|gear[6].fire_actions", 3), "gear", "gear[6].fire_actions", "only a rifle"),
    (put("gear|gear[6].flat_drm", {"long": 1}), "gear", "gear[6].flat_drm", "only a rifle"),
    (put("gear|gear[6].range_drm", {}), "gear", "gear[6].range_drm", "only a rifle"),
    (put("gear|gear[6].move_extra", 1), "gear", "gear[6].move_extra", "only a rifle"),
    (put("gear|gear[6].most", 2), "gear", "gear[6].most", "only what heals"),
    (put("gear|gear[6].cc_hit", 7), "gear", "gear[6].cc_hit", "<= 6"),
    (put("gear|gear[1].heal_light", True), "gear", "gear[1].heal_light", "does not heal"),
    (put("gear|gear[6].heal_light", True), "gear", "gear", "not knife and med_kit"),
    (put("gear|gear[16].most", 4), "gear", "gear[16].most", "only 3 Med Kit cards"),
    (put("cards|set_aside.medkit", 2), "gear", "gear[16].most", "only 2 Med Kit cards"),
    # options and rules
    (put("options|option[0].id", "colour"), "options", "option[0].id", "colour"),
    (put("options|option[1].id", "veteran"), "options", "option[1].id", "two options veteran"),
    (put("options|option[1]", None), "options", "option", "no_surrender is missing"),
    (put("options|option[0].rule", "SK-99.1"), "options", "option[0].rule", "no rule SK-99.1"),
    (put("options|option[0].modes", []), "options", "option[0].modes", "at least one mode"),
    (put("options|option[0].modes[0]", "duel"), "options", "option[0].modes[0]", "duel"),
    (put("options|option[0].contexts", []), "options", "option[0].contexts", "at least one"),
    (put("options|option[0].reserve_start", 8), "options", "option[0].reserve_start", "1 and 7"),
    (put("options|option[0].kia.critical", 5), "options", "option[0].kia.critical", "4 wounds"),
    (put("options|option[2].reserve_start", None), "options", "option[2]", "changes nothing"),
    (
        put("options|option[0].excludes[0]", "veteran"),
        *("options", "option[0].excludes[0]", "cannot exclude itself"),
    ),
    (
        put("options|option[3].excludes", []),
        *("options", "option[0].excludes[0]", "rookie does not exclude veteran"),
    ),
    (put("rules|rule[1].id", "SK-1.1"), "rules", "rule[1].id", "two rules SK-1.1"),
    (put("rules|rule[1].id", "BG-1.1"), "rules", "rule[1].id", "no rule id"),
    (put("rules|rule[1].text", ""), "rules", "rule[1].text", "length >= 1"),
    (put("rules|rule[1].source", "memory"), "rules", "rule[1].source", "is not like"),
    (put("rules|decision[0].id", "one"), "rules", "decision[0].id", "no decision id"),
    (put("rules|decision[1].id", "D1"), "rules", "decision[1].id", "two decisions D1"),
    (put("rules|decision[0].rules[0]", "SK-77.1"), "rules", "decision[0].rules[0]", "no rule"),
]


@pytest.mark.parametrize(
    ("change", "file", "key", "reason"), BROKEN, ids=[f"{f}-{k}-{r}" for _, f, k, r in BROKEN]
)
def test_broken_files_are_refused(change: Change, file: str, key: str, reason: str) -> None:
    tables = copy.deepcopy(TABLES)
    change(tables)
    with pytest.raises(BrokenData) as caught:
        Content.from_tables(tables)
    error = caught.value
    assert error.file == f"data/sniper/{file}.toml"
    assert error.key == key
    assert reason in error.problem
    assert str(error).endswith(". Correct the file or restore it from the release.")
    assert not re.search(r"\.\.|msgspec|Traceback", str(error))


def test_unknown_files_are_refused() -> None:
    with pytest.raises(BrokenData, match="no such file"):
        Content.from_tables({**TABLES, "weather": {}})


def test_the_folder_is_named() -> None:
    with pytest.raises(BrokenData, match=r"^elsewhere/tables\.toml: the file is missing"):
        Content.from_tables({}, where="elsewhere")
