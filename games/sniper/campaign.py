"""The campaign of ten missions: log sheet, Kill Point bank, Gear Up. Rules SK-17, SK-18.1 to SK-18.3."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from games.kernel.campaign import Campaign, CampaignView, Errand, Record, Stage
from games.kernel.domain import Option
from games.kernel.game import Setup, SetupField
from games.kernel.illegal import Illegal
from games.sniper import setup as setting_up
from games.sniper.content import Content
from games.sniper.gear import Gear
from games.sniper.model import State

FAILED = ("KIA", "POW")
RESULTS = {"MAJOR": "Major", "MINOR": "Minor", "KIA": "KIA", "POW": "POW"}
LEVELS = {"failed": "Failed", "minor": "Minor victory", "major": "Major victory"}


class Sheet(msgspec.Struct):
    """One line of the log sheet (spec 10)."""

    no: int
    location: str
    vip: str
    vip_dead: bool
    result: str
    kp: int
    kills: int
    wounds_left: int
    wounds_received: int
    vp: int
    turns: int
    spotter_alive: bool
    bank_after: int
    bought: list[str] = []


class Progress(msgspec.Struct):
    """A campaign's record (spec 10). `shop`: gear may be bought before the next mission."""

    mode: str
    rifle: str
    options: dict[str, str] = {}
    mission_no: int = 1
    bank: int = 0
    gear: list[str] = []
    med_kits: int = 0
    vp_total: int = 0
    failures: int = 0
    log: list[Sheet] = []
    shop: bool = False
    level: str = ""
    location: str = ""


class Tour(Campaign[State]):
    """Ten missions; three failures end it."""

    slug = "campaign"
    title = "Sniper campaign"
    summary = "Ten missions, a bank of Kill Points, gear to buy, three failures at most"
    modes = ("solo", "group")

    def __init__(self, content: Content) -> None:
        self.content = content

    def fields(self, mode: str) -> Sequence[SetupField]:
        """The options that are played in that mode (SK-21.9)."""
        options = self.content.options
        barred = {name for name, spec in options.items() if mode not in spec.modes}
        found = setting_up.fields(self.content, "campaign")
        return [field for field in found if field.name not in {"mode", *barred}]

    def begin(self, mode: str, options: Mapping[str, str] = {}) -> dict[str, Any]:
        """The record at the start; options hold for all missions (SK-21.9). Raises `Illegal`."""
        if mode not in self.modes:
            raise Illegal("SK-17.1", "A campaign is played solo or as a group.")
        setting_up.read(self.content, {**options, "mode": mode}, "campaign")
        return msgspec.to_builtins(Progress(mode, self.content.start_rifle, dict(options)))

    def setup(self, progress: dict[str, Any]) -> Setup | None:
        """The next mission with the gear that is owned (SK-1.9, SK-17.8, SK-18.2)."""
        record = _read(progress)
        if record.level:
            return None
        roster = {
            "rifle": record.rifle,
            "gear": ",".join(record.gear),
            "med_kits": str(record.med_kits),
            "mission_no": str(record.mission_no),
            "vp": str(record.vp_total),
            "failures": str(record.failures),
            "bank": str(record.bank),
        }
        options = dict(record.options)
        if record.location:
            options["location"] = record.location
        return Setup(setting_up.MISSION, record.mode, options, roster=roster)

    def after(self, progress: dict[str, Any], state: State) -> dict[str, Any]:
        """Book a mission that has ended (SK-17.2 to SK-17.7)."""
        record, tables = _read(progress), self.content.tables
        failed = state.result in FAILED
        points = _victory_points(self.content, state)
        if failed:
            record.failures += 1
            record.rifle, record.gear, record.med_kits = self.content.start_rifle, [], 0
        else:
            record.bank += state.kp
            record.vp_total += points
        record.log.append(_sheet(record, state, points))
        record.shop = not failed and record.mission_no < tables.campaign_missions
        record.mission_no += 1
        record.location = ""
        endless = any(self.content.options[o].endless_failures for o in state.options)
        if record.failures >= tables.campaign_failures and not endless:
            record.level = "failed"
        elif record.mission_no > tables.campaign_missions:
            record.level = self.level(record.vp_total)
        if record.level:
            record.shop = False
        return msgspec.to_builtins(record)

    def level(self, points: int) -> str:
        """What Victory Points amount to after the last mission (SK-17.7)."""
        tables = self.content.tables
        if points >= tables.major_vp:
            return "major"
        return "minor" if points >= tables.minor_vp else "failed"

    # --- Gear Up ---

    def errands(self, progress: dict[str, Any]) -> tuple[Errand, ...]:
        """What may be done before the next mission: buy gear, name the location."""
        record = _read(progress)
        found: list[Errand] = []
        if record.shop:
            wares = tuple(
                Option(g.id, f"{g.name} · {g.price} KP", g.text)
                for g in self.content.gear.values()
                if self.why_not_buy(record, g) is None
            )
            if wares:
                prompt = f"What do you buy? {record.bank} Kill Points are in the bank."
                found.append(Errand("buy", "Gear up", prompt, wares))
        if self.names_location(record):
            places = tuple(Option(p.id, p.title) for p in self.content.locations.values())
            found.append(Errand("location", "Name the location", "Where to next?", places))
        return tuple(found)

    def names_location(self, record: Progress) -> bool:
        """Whether the location of the next mission is named, not rolled (SK-21.7)."""
        chosen = Setup(setting_up.MISSION, record.mode, record.options)
        on = setting_up.switched_on(self.content, chosen)
        return not record.level and any(self.content.options[o].choose_location for o in on)

    def why_not_buy(self, record: Progress, gear: Gear) -> Illegal | None:
        """Why an item cannot be bought; None when it can (SK-17.5, SK-18.1 to SK-18.3)."""
        if not record.shop:
            return Illegal("SK-17.5", "Gear is bought only after a mission that did not fail.")
        if gear.price is None:
            return Illegal("SK-18.1", f"{gear.name} is not for sale.")
        if gear.kind == "rifle" and gear.id == record.rifle:
            return Illegal("SK-18.1", f"You carry the {gear.name} already.")
        owned = record.med_kits if gear.heal_light else record.gear.count(gear.id)
        if gear.kind != "rifle" and owned >= gear.most:
            return Illegal("SK-18.2", f"You own {gear.name} already.")
        if gear.price > record.bank:
            return Illegal(
                "SK-18.3", f"{gear.name} costs {gear.price} Kill Points; {record.bank} in the bank."
            )
        return None

    def run(self, progress: dict[str, Any], errand: str, value: str) -> dict[str, Any]:
        """Buy an item, or name the next location. Raises `Illegal`."""
        record = _read(progress)
        if errand == "location":
            if not self.names_location(record):
                raise Illegal("SK-21.7", "The location of the next mission is rolled.")
            if value not in self.content.locations:
                raise Illegal("SK-21.7", f"There is no location “{value}”.")
            record.location = value
            return msgspec.to_builtins(record)
        gear = self.content.gear.get(value)
        if errand != "buy" or gear is None:
            raise Illegal("SK-17.5", f"There is no “{value}” to buy.")
        refused = self.why_not_buy(record, gear)
        if refused is not None:
            raise refused
        record.bank -= gear.price or 0
        if gear.kind == "rifle":
            record.rifle = gear.id
        elif gear.heal_light:
            record.med_kits += 1
        else:
            record.gear.append(gear.id)
        if record.log:
            record.log[-1].bought.append(gear.id)
        return msgspec.to_builtins(record)

    # --- shown ---

    def view(self, progress: dict[str, Any]) -> CampaignView:
        """The log sheet (spec 10)."""
        record, tables = _read(progress), self.content.tables
        stages = [self._stage(sheet) for sheet in record.log]
        for number in range(len(stages) + 1, tables.campaign_missions + 1):
            carried = self._carried(record) if number == len(record.log) + 1 else ""
            stages.append(Stage(f"Mission {number}", "", None, note=carried))
        if record.level:
            rating, ahead = LEVELS[record.level], ""
        else:
            rating = (
                f"{tables.minor_vp} for a minor, {tables.major_vp} for a major victory; "
                f"bank {record.bank} KP, failures {record.failures} of {tables.campaign_failures}"
            )
            ahead = f"Mission {record.mission_no}"
        ratings = ((0, LEVELS["failed"]), (tables.minor_vp, LEVELS["minor"]))
        ratings = (*ratings, (tables.major_vp, LEVELS["major"]))
        return CampaignView(
            self.title, tuple(stages), record.vp_total, tables.major_vp, rating, ahead, ratings
        )

    def _carried(self, record: Progress) -> str:
        """What goes along to the next mission: rifle, gear, Med Kits (SK-18.2)."""
        gear = self.content.gear
        names = [gear[record.rifle].name, *(gear[name].name for name in record.gear)]
        kits = next((g.name for g in gear.values() if g.heal_light), "")
        if record.med_kits:
            names.append(f"{kits} ×{record.med_kits}" if record.med_kits > 1 else kits)
        shop = "; the shop is open" if record.shop else ""
        return f"You take along: {', '.join(names)}{shop}."

    def _stage(self, sheet: Sheet) -> Stage:
        place = self.content.locations[sheet.location].title
        vip = self.content.vips[sheet.vip].name if sheet.vip else "VIP not seen"
        bought = [self.content.gear[name].name for name in sheet.bought]
        note = vip + (" dead" if sheet.vip_dead else "")
        if bought:
            note += f"; bought {', '.join(bought)}"
        figures = {"KP": sheet.kp, "Kills": sheet.kills, "Wounds": sheet.wounds_left}
        return Stage(place, RESULTS[sheet.result], sheet.vp, figures, note)


def campaign_line(content: Content, setup: Setup) -> str:
    """How the campaign stands that a mission belongs to, in a line (spec 10)."""
    brought, tables = setup.roster, content.tables
    if "mission_no" not in brought:
        return ""
    number, points = brought["mission_no"], brought.get("vp", "0")
    return (
        f"Campaign: mission {number} of {tables.campaign_missions} · {points} VP "
        f"(minor {tables.minor_vp}, major {tables.major_vp}) · "
        f"failures {brought.get('failures', '0')} of {tables.campaign_failures} · "
        f"bank {brought.get('bank', '0')} KP"
    )


def _read(progress: dict[str, Any]) -> Progress:
    return msgspec.convert(progress, Progress)


def _victory_points(content: Content, state: State) -> int:
    """Victory Points of an ended mission (SK-16.4, SK-21.6)."""
    if state.result in FAILED:
        return 0
    strict = any(content.options[name].count_received for name in state.options)
    wounds = state.wounds_received if strict else state.light + state.critical
    return max(0, state.kp - wounds)


def _sheet(record: Progress, state: State, points: int) -> Sheet:
    return Sheet(
        no=record.mission_no,
        location=state.location,
        vip=state.vip.card if state.vip.revealed else "",
        vip_dead=state.vip.dead,
        result=state.result,
        kp=state.kp,
        kills=state.kills,
        wounds_left=state.light + state.critical,
        wounds_received=state.wounds_received,
        vp=points,
        turns=state.turn,
        spotter_alive=state.spotter_alive,
        bank_after=record.bank,
    )


def record(content: Content, state: State, seat: str) -> Record:
    """What a seat takes into its users' record (spec 10)."""
    outcome = state.outcome
    return Record(
        mission=state.location,
        mode=state.mode,
        won=outcome is not None and seat in outcome.won,
        level=outcome.level if outcome is not None else "",
        cause=outcome.cause if outcome is not None else "",
        figures={
            "Turns": state.turn,
            "Kills": state.kills,
            "Kill Points": state.kp,
            "Wounds": state.light + state.critical,
            "VIPs": int(state.vip.dead),
            "Victory Points": _victory_points(content, state),
        },
        shared=("Turns", "Kills", "Kill Points", "Wounds", "VIPs", "Victory Points"),
    )
