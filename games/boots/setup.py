"""Setting a game up. Spec sections 3 (SETUP), 5.5, 7.6; rules BG-1, BG-6.1, BG-9.1 to BG-9.5, BG-O."""

from __future__ import annotations

from collections.abc import Mapping

from games.boots.content import Content
from games.boots.missions import Line, Mission, SquadId
from games.boots.model import (
    HOSTAGE,
    INSURGENT,
    SEAT_OF,
    SPECIALISTS,
    SQUAD_NAME,
    Box,
    Building,
    Civilian,
    Frame,
    Squad,
    State,
    Unit,
    Vehicle,
)
from games.boots.tables import Counters
from games.boots.texts import MODES
from games.kernel.domain import Option
from games.kernel.event import Event, Noted
from games.kernel.game import Seat, Setup, SetupField
from games.kernel.illegal import Illegal

MODE_NAMES = {
    "solo1": "Solo, one squad",
    "solo2": "Solo, two squads",
    "coop": "Co-op, a squad each",
    "comp": "Race, a squad each",
    "versus": "Versus: squads against a human insurgent",
    "three": "Three: two squads and a human insurgent",
}
"""The modes that can be opened."""

_CIVILIANS = ("friendly", "insurgent")
_VEHICLES = ("safe", "ied_a", "ied_b")
_BOXES = ("health", "grenade", "booby", "bombkit", "wmd")


# --- what can be chosen ---


def fields(content: Content) -> list[SetupField]:
    """What `/boots new` asks for: mission, mode and the options of the rules (spec 4.13)."""
    missions = tuple(
        Option(name, m.title, _mission_note(m)) for name, m in content.missions.items()
    )
    modes = tuple(Option(name, title) for name, title in MODE_NAMES.items())
    found = [
        SetupField("mission", "Which mission?", missions, "hot-lz"),
        SetupField("mode", "How many play, and how?", modes, "solo1"),
    ]
    for name, spec in content.options.items():
        values = tuple(Option(v.value, v.label) for v in spec.choices())
        found.append(SetupField(name, spec.title, values, spec.default))
    return found


def _mission_note(mission: Mission) -> str:
    cards = mission.cards.solo
    return f"{cards} cards" if cards else f"endless deck, par {mission.par}"


def read(content: Content, chosen: Mapping[str, str]) -> Setup:
    """A set-up from what was chosen; what is missing takes its default.

    Raises `Illegal` naming the choices when something does not exist or does not go together.
    """
    known = {f.name: f for f in fields(content)}
    for name, value in chosen.items():
        field = known.get(name)
        if field is None:
            raise Illegal("", f"There is no option “{name}”. There are: {', '.join(known)}.")
        if all(option.value != value for option in field.options):
            values = ", ".join(option.value for option in field.options)
            raise Illegal("", f"“{name}” cannot be “{value}”. Choose one of: {values}.")
    mission = chosen.get("mission", known["mission"].preset)
    mode = chosen.get("mode", known["mode"].preset)
    options = {k: v for k, v in chosen.items() if k not in ("mission", "mode")}
    return Setup(mission, mode, _meant(content, mode, options))


def _meant(content: Content, mode: str, options: Mapping[str, str]) -> dict[str, str]:
    """The options that mean something in a mode; others may stand at their default only.

    Raises `Illegal` with the modes in which a switch would count.
    """
    found: dict[str, str] = {}
    for name, value in options.items():
        spec = content.options[name]
        if mode in spec.modes:
            found[name] = value
        elif value != spec.default_in(mode):
            counts = " and ".join(f"“{MODE_NAMES[one]}”" for one in spec.modes)
            raise Illegal(
                spec.rule,
                f"“{name}” means nothing in “{MODE_NAMES[mode]}”, only in {counts}. Leave it out, "
                "or choose another mode.",
            )
    return found


# --- lines, squads, cards ---


def all_options(content: Content, setup: Setup) -> dict[str, str]:
    """Every option of the rules with its value in this game."""
    return {
        name: setup.options.get(name, spec.default_in(setup.mode))
        for name, spec in content.options.items()
    }


def line_of(setup: Setup, options: Mapping[str, str]) -> Line:
    """Which line of the mission the mode takes (BG-9.1 to BG-9.3, spec 7.6)."""
    match setup.mode:
        case "solo1":
            return "solo"
        case "comp":
            return "comp"
        case "versus":
            return "coop" if options["versus_squads"] == "2" else "solo"
        case "three":
            return "comp" if options["three_goal"] == "comp" else "coop"
        case _:
            return "coop"


def squads_of(setup: Setup, options: Mapping[str, str]) -> tuple[SquadId, ...]:
    """The squads that play in a mode (BG-1.1 to BG-1.5)."""
    one = setup.mode == "solo1" or (setup.mode == "versus" and options["versus_squads"] == "1")
    return ("A",) if one else ("A", "B")


def cards_of(content: Content, mission: Mission, setup: Setup, options: Mapping[str, str]) -> int:
    """How many Intel cards the game has; 0 for a deck that never ends (BG-9.1 to BG-9.5)."""
    line, limits = line_of(setup, options), content.tables.limits
    cards = mission.cards.of(line)
    if setup.mode == "versus" and line == "solo" and mission.versus is not None:
        cards = mission.versus
    if mission.endless:
        return 0
    wanted = cards + int(options["cards_delta"])
    return max(limits.cards_min, min(limits.cards_max, wanted))


def seats(setup: Setup, options: Mapping[str, str]) -> tuple[Seat, ...]:
    """The seats of a set-up, in order of play."""
    squads = [Seat(SEAT_OF[k], SQUAD_NAME[k], "allied") for k in squads_of(setup, options)]
    if setup.mode in ("versus", "three"):
        return (*squads, Seat("INSURGENT", "Insurgents", "insurgent"))
    return tuple(squads)


# --- the first state ---


def build(content: Content, setup: Setup, log: list[Event]) -> State:
    """The state at the start of DEPLOY (or of the first activation on an empty board).

    Raises `Illegal` for a mission, map, mode or option value that does not exist.
    """
    mission = content.missions.get(setup.mission)
    if mission is None:
        names = ", ".join(content.missions)
        raise Illegal("", f"There is no mission “{setup.mission}”. There are: {names}.")
    if setup.lesson:
        mission = _taught(content, setup)
    if setup.mode not in MODES:
        raise Illegal("", f"There is no mode “{setup.mode}”. There are: {', '.join(MODES)}.")
    _check_options(content, setup)
    options = all_options(content, setup)
    counters = content.tables.counters
    squads = squads_of(setup, options)
    state = State(
        mode=setup.mode,
        mission=setup.mission,
        map=setup.map or mission.map,
        options=options,
        line=line_of(setup, options),
        squads={
            k: Squad(gi_left=counters.gi_per_squad, blasts_left=counters.doors_per_squad)
            for k in squads
        },
        steps=[Frame("choose" if setup.empty else "deploy")],
        pool=counters.insurgents,
        cards_total=cards_of(content, mission, setup, options),
        deck=sorted(content.cards),
    )
    if state.map not in content.maps:
        raise Illegal("", f"There is no map “{state.map}”. There are: {', '.join(content.maps)}.")
    state.buildings = {numeral: Building() for numeral in content.maps[state.map].buildings}
    _deal(state, mission, counters)
    if not setup.empty:
        _place(state, mission, squads, setup.roster)
    log.append(Noted(text=f"{mission.title}. {mission.briefing}"))
    if not setup.lesson:
        log.append(Noted(text=f"Objective: {mission.objective.of(state.line).text}"))
    return state


def _taught(content: Content, setup: Setup) -> Mission:
    """The mission with the counters of a lesson. Raises `Illegal` for a lesson that does not exist."""
    lesson = content.lessons.get(setup.lesson)
    if lesson is None or lesson.base != setup.mission:
        raise Illegal("", f"There is no lesson “{setup.lesson}” in this mission.")
    return lesson.mission


def _check_options(content: Content, setup: Setup) -> None:
    for name, value in setup.options.items():
        spec = content.options.get(name)
        if spec is None:
            raise Illegal("", f"There is no option “{name}”.")
        if not spec.allows(value):
            raise Illegal(spec.rule, f"“{name}” cannot be “{value}”.")


def _deal(state: State, mission: Mission, counters: Counters) -> None:
    """The counters from which hidden ones are drawn when they are turned over (spec 5.5)."""
    state.civilian_mix = [k for k in _CIVILIANS for _ in range(counters.civilians.of(k))]
    state.vehicle_mix = [k for k in _VEHICLES for _ in range(counters.vehicles.of(k))]
    state.box_mix = [k for k in _BOXES for _ in range(counters.boxes.of(k))]
    for kind in mission.forced_boxes:
        state.box_mix.remove(kind)
        state.box_forced.append(kind)


def _place(
    state: State, mission: Mission, squads: tuple[SquadId, ...], roster: Mapping[str, str]
) -> None:
    """Everybody on the default squares; `roster` names who fills whose place in a tour (spec 10)."""
    for k in squads:
        start = mission.squads.of(k)
        for kind in SPECIALISTS:
            name = f"{k}-{kind}"
            unit = Unit(name, roster.get(name, kind), k, start.start[kind], start.facing)
            state.units[unit.id] = unit
    stands = [*([mission.hvt] if mission.hvt else []), *mission.insurgents.base]
    if len(squads) > 1:
        stands.extend(mission.insurgents.plus)
    for number, stand in enumerate(stands, start=1):
        unit = Unit(f"IN{number}", INSURGENT, pos=stand.square, face=stand.facing)
        if mission.hvt and number == 1:
            unit.role, unit.role_span = "hvt", "game"
        state.units[unit.id] = unit
    state.created = len(stands)
    state.pool -= len(stands)
    for hostage in mission.hostages_of(state.line):
        state.units[hostage.id] = Unit(
            hostage.id, HOSTAGE, pos=hostage.square, hits=hostage.hits, status="captive"
        )
    for number, square in enumerate(mission.civilians, start=1):
        state.civilians[f"CV{number}"] = Civilian(f"CV{number}", square)
    for number, square in enumerate(mission.vehicles, start=1):
        state.vehicles[f"VH{number}"] = Vehicle(f"VH{number}", square)
    for number, square in enumerate(mission.boxes, start=1):
        state.boxes[f"LB{number}"] = Box(f"LB{number}", square)
