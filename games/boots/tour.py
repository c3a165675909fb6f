"""Tour of duty and service record. Spec section 10."""

from __future__ import annotations

from typing import Any

import msgspec

from games.boots.content import Content
from games.boots.model import GI, HOSTAGE, SQUAD_OF, State, Unit
from games.boots.setup import MODE_NAMES
from games.kernel.campaign import Campaign, CampaignView, Record, Stage
from games.kernel.game import Setup
from games.kernel.illegal import Illegal

DEFEAT = "Defeat"


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
    played: list[TourMission] = []
    roster: dict[str, str] = {}


class Tour(Campaign[State]):
    """The missions in order, each squad with its own roster."""

    slug = "tour"
    title = "Tour of duty"
    modes = ("solo1", "coop")

    def __init__(self, content: Content) -> None:
        self.content = content
        self.missions = [name for name, m in content.missions.items() if m.recorded]

    def begin(self, mode: str) -> dict[str, Any]:
        """The progress at the start. Raises `Illegal` for a mode without a tour."""
        if mode not in self.modes:
            names = " or ".join(MODE_NAMES[m].lower() for m in self.modes)
            raise Illegal("", f"A tour of duty is played {names}.")
        return msgspec.to_builtins(Progress(mode))

    def setup(self, progress: dict[str, Any]) -> Setup | None:
        """The next mission with the roster the last one left."""
        tour = msgspec.convert(progress, Progress)
        if len(tour.played) >= len(self.missions):
            return None
        return Setup(self.missions[len(tour.played)], tour.mode, roster=dict(tour.roster))

    def after(self, progress: dict[str, Any], state: State) -> dict[str, Any]:
        """Score the mission and fill the places of the fallen with G.I.s for one mission."""
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
        stages: list[Stage] = []
        for number, name in enumerate(self.missions):
            title = self.content.missions[name].title
            if number < len(tour.played):
                done = tour.played[number]
                figures = {"Intel cards": done.cards, "Own KIA": done.kia}
                stages.append(Stage(title, done.level, done.points, figures))
            else:
                stages.append(Stage(title, "", None))
        rules = self.content.tables.tour
        total = sum(m.points for m in tour.played)
        rating = next(r.title for r in rules.ratings if total >= r.low)
        most = (rules.scores.outstanding + rules.no_kia_bonus) * len(self.missions)
        setup = self.setup(progress)
        ahead = self.content.missions[setup.mission].title if setup else ""
        return CampaignView(self.title, tuple(stages), total, most, rating, ahead)


# --- the service record ---


def record(content: Content, state: State, seat: str) -> Record:
    """What a seat takes into its users' service record (spec 10)."""
    outcome = state.outcome
    won = outcome is not None and seat in outcome.won
    squad = SQUAD_OF.get(seat)
    mine = (squad,) if squad else state.playing
    units = state.units.values()
    kia = sum(1 for u in units if u.is_original and u.squad in mine and u.status == "kia")
    saved = sum(1 for u in units if _saved(u, mine))
    return Record(
        mission=state.mission,
        mode=state.mode,
        won=won,
        level=outcome.level if outcome is not None and won else "",
        cause=outcome.cause if outcome is not None else "",
        figures={
            "Intel cards": state.cards_used,
            "Insurgents killed": state.killed,
            "Own KIA": kia,
            "Hostages saved": saved,
        },
        counted=content.missions[state.mission].recorded,
    )


def _saved(unit: Unit, squads: tuple[str, ...]) -> bool:
    return unit.kind == HOSTAGE and unit.status == "freed" and unit.squad in squads
