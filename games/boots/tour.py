"""Tour of duty and service record. Spec section 10."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from games.boots import words
from games.boots.content import Content
from games.boots.model import GI, HOSTAGE, INSURGENT_SEAT, SQUAD_OF, State, Unit
from games.boots.setup import MODE_NAMES
from games.kernel import wording
from games.kernel.campaign import Campaign, CampaignView, Grading, Record, Stage
from games.kernel.game import Setup
from games.kernel.illegal import Illegal

DEFEAT = "Defeat"
CARDS, KILLED, KIA, SAVED = "Intel cards", "Insurgents killed", "Own KIA", "Hostages saved"
SOLDIERS = "Soldiers killed"


class TourMission(msgspec.Struct):
    """One mission of a tour that has been played."""

    mission: str
    level: str
    cards: int
    kia: int
    points: int


class Progress(msgspec.Struct):
    """How far a tour has come; `roster` names the G.I.s who stand in for the fallen next time."""

    mode: str
    options: dict[str, str] = {}
    played: list[TourMission] = []
    roster: dict[str, str] = {}


class Tour(Campaign[State]):
    """The missions in order, each squad with its own roster."""

    slug = "tour"
    title = "Tour of duty"
    summary = "Six missions in a row; G.I.s stand in for specialists who fell in the last one."
    modes = ("solo1", "coop")

    def __init__(self, content: Content) -> None:
        self.content = content
        self.missions = [name for name, m in content.missions.items() if m.recorded]

    def begin(self, mode: str, options: Mapping[str, str] = {}) -> dict[str, Any]:
        """The progress at the start. Raises `Illegal` for a mode without a tour."""
        if mode not in self.modes:
            names = " or ".join(f"“{MODE_NAMES[m]}”" for m in self.modes)
            raise Illegal("", f"A tour of duty is played as {names}.")
        return msgspec.to_builtins(Progress(mode, dict(options)))

    def setup(self, progress: dict[str, Any]) -> Setup | None:
        """The next mission with the roster the last one left."""
        tour = msgspec.convert(progress, Progress)
        ahead = self._ahead(tour)
        return (
            Setup(ahead[0], tour.mode, dict(tour.options), roster=dict(tour.roster))
            if ahead
            else None
        )

    def _ahead(self, tour: Progress) -> list[str]:
        """The missions still to come; each is played once, also when the content has changed."""
        played = {done.mission for done in tour.played}
        return [name for name in self.missions if name not in played]

    def after(self, progress: dict[str, Any], state: State) -> dict[str, Any]:
        """Score the mission and fill the places of the fallen with G.I.s for one mission.

        A G.I. who stood in makes room for a fresh specialist in any case.
        """
        tour = msgspec.convert(progress, Progress)
        fallen = [u for u in state.units.values() if u.is_original and u.status == "kia"]
        level = state.outcome.level if state.outcome and state.outcome.won else ""
        points = self.points(level, len(fallen), len(state.squads))
        tour.played.append(
            TourMission(state.mission, level or DEFEAT, state.cards_used, len(fallen), points)
        )
        tour.roster = {u.id: GI for u in fallen if u.kind != GI}
        return msgspec.to_builtins(tour)

    def points(self, level: str, kia: int, squads: int) -> int:
        """The points of one mission; `level` is empty after a defeat."""
        rules = self.content.tables.tour
        titles = {each.title: each.id for each in self.content.tables.levels}
        if level not in titles:
            return rules.scores.defeat
        base = {
            "narrow": rules.scores.narrow,
            "solid": rules.scores.solid,
            "outstanding": rules.scores.outstanding,
        }[titles[level]]
        lost = kia // (rules.kia_per_point * squads)
        bonus = rules.no_kia_bonus if kia == 0 else 0
        return max(0, base - lost + bonus)

    def view(self, progress: dict[str, Any]) -> CampaignView:
        """How the tour stands."""
        tour = msgspec.convert(progress, Progress)
        rules = self.content.tables.tour
        each = rules.scores.outstanding + rules.no_kia_bonus
        ahead = self._ahead(tour)
        stages = [
            Stage(
                self._title(done.mission),
                done.level,
                done.points,
                {CARDS: done.cards, KIA: done.kia},
                most=each,
            )
            for done in tour.played
        ]
        for name in ahead:
            note = _stand_ins(tour.roster) if name == ahead[0] else ""
            stages.append(Stage(self._title(name), "", None, note=note, most=each))
        total = sum(done.points for done in tour.played)
        return CampaignView(
            title=self.title,
            stages=tuple(stages),
            total=total,
            most=each * len(stages),
            rating=next(rating.title for rating in rules.ratings if total >= rating.low),
            next=self._title(ahead[0]) if ahead else "",
            ratings=tuple((rating.low, rating.title) for rating in reversed(rules.ratings)),
        )

    def _title(self, name: str) -> str:
        mission = self.content.missions.get(name)
        return mission.title if mission is not None else name


def _stand_ins(roster: Mapping[str, str]) -> str:
    """Who is replaced in the next mission, as a sentence; empty when nobody is."""
    places = wording.listed([words.name(Unit(unit, unit[2:], unit[0])) for unit in roster])
    if not roster:
        return ""
    return (
        f"A G.I. stands in for {places}." if len(roster) == 1 else f"G.I.s stand in for {places}."
    )


# --- the service record ---


def grading(content: Content) -> Grading:
    """The victory levels, and the Intel cards, of which fewer are better (spec 10)."""
    return Grading(tuple(level.title for level in reversed(content.tables.levels)), CARDS)


def record(content: Content, state: State, seat: str) -> Record:
    """What a seat takes into its users' service record (spec 10).

    The cards and the insurgents killed belong to all squads together. The insurgent's own figures
    are the originals killed: none of the squads' are his.
    """
    outcome = state.outcome
    won = outcome is not None and seat in outcome.won
    squad = SQUAD_OF.get(seat)
    mine = (squad,) if squad else state.playing
    units = state.units.values()
    kia = sum(1 for u in units if u.is_original and u.squad in mine and u.status == "kia")
    if seat == INSURGENT_SEAT:
        figures = {CARDS: state.cards_used, SOLDIERS: kia}
    else:
        saved = sum(1 for u in units if _saved(u, mine))
        figures = {CARDS: state.cards_used, KILLED: state.killed, KIA: kia, SAVED: saved}
    mission = content.missions[state.mission]
    return Record(
        mission=state.mission,
        mode=state.mode,
        won=won,
        level=outcome.level if outcome is not None and won else "",
        cause=outcome.cause if outcome is not None else "",
        figures=figures,
        shared=(CARDS, KILLED),
        most=state.cards_total,
        par=mission.par or 0,
        counted=mission.recorded,
    )


def _saved(unit: Unit, squads: tuple[str, ...]) -> bool:
    return unit.kind == HOSTAGE and unit.status == "freed" and unit.squad in squads
