"""Setting a mission up. Rules SK-1, SK-21."""

from __future__ import annotations

from collections.abc import Mapping

from games.kernel import wording
from games.kernel.domain import Option
from games.kernel.entropy import Entropy
from games.kernel.event import Event, Noted
from games.kernel.game import Seat, Setup, SetupField
from games.kernel.illegal import Illegal
from games.sniper import words
from games.sniper.content import Content
from games.sniper.journey import turn_up
from games.sniper.model import SNIPER, SPOTTER, State
from games.sniper.texts import Context
from games.sniper.turn import start_turn
from games.sniper.world import World

MISSION = "mission"
"""The one mission there is; campaigns number it."""
MODES = {"solo": "Alone", "group": "Sniper and spotter"}
SWITCH = (Option("off", "Off"), Option("on", "On"))
NO_CREW = "0"
ANY_LOCATION = "roll"


# --- what can be chosen ---


def fields(content: Content, context: Context = "standalone") -> list[SetupField]:
    """What is asked when a mission or a campaign is opened."""
    found = [
        SetupField(
            "mode",
            "How many play?",
            tuple(Option(mode, title) for mode, title in MODES.items()),
            "solo",
        )
    ]
    for name, spec in content.options.items():
        if context not in spec.contexts:
            continue
        if spec.choose_location:
            places = tuple(Option(p.id, p.title) for p in content.locations.values())
            prompt = "Where? Otherwise a roll decides."
            options = (Option(ANY_LOCATION, "A roll decides"), *places)
            found.append(SetupField("location", prompt, options, ANY_LOCATION))
        elif spec.rotation:
            crews = (
                Option(NO_CREW, "Off"),
                *(Option(str(n), f"{n} players take turns") for n in (3, 4, 5, 6)),
            )
            found.append(SetupField(name, spec.title, crews, NO_CREW))
        else:
            found.append(SetupField(name, spec.title, SWITCH, "off"))
    return found


def read(content: Content, chosen: Mapping[str, str], context: Context = "standalone") -> Setup:
    """A set-up from what was chosen. Raises `Illegal` for what does not exist or go together."""
    known = {field.name: field for field in fields(content, context)}
    for name, value in chosen.items():
        field = known.get(name)
        if field is None:
            raise Illegal("", f"There is no option “{name}”. There are: {', '.join(known)}.")
        if all(option.value != value for option in field.options):
            values = ", ".join(option.value for option in field.options)
            raise Illegal("", f"“{name}” cannot be “{value}”. Choose one of: {values}.")
    mode = chosen.get("mode", "solo")
    options = {k: v for k, v in chosen.items() if k != "mode"}
    setup = Setup(MISSION, mode, options)
    check(content, setup)
    return setup


def check(content: Content, setup: Setup) -> None:
    """Options that exclude each other or the mode are refused (SK-21)."""
    on = switched_on(content, setup)
    for name in on:
        spec = content.options[name]
        if setup.mode not in spec.modes:
            modes = wording.listed([MODES[m].lower() for m in spec.modes])
            raise Illegal(spec.rule, f"“{spec.title}” is for missions played {modes}.")
        clash = next((other for other in spec.excludes if other in on), None)
        if clash is not None:
            other = content.options[clash].title
            raise Illegal(spec.rule, f"“{spec.title}” and “{other}” do not go together.")


def switched_on(content: Content, setup: Setup) -> list[str]:
    """The options that are in force, in the order of the rules."""
    found: list[str] = []
    for name, spec in content.options.items():
        key = "location" if spec.choose_location else name
        if setup.options.get(key, "off") not in ("off", NO_CREW, ANY_LOCATION):
            found.append(name)
    return found


def seats(setup: Setup) -> tuple[Seat, ...]:
    """The seats of a set-up (SK-22.1, SK-22.9)."""
    crew = int(setup.options.get("rotation", NO_CREW))
    if crew:
        return tuple(Seat(f"P{n}", f"Player {n}", "team") for n in range(1, crew + 1))
    if setup.mode == "group":
        return (Seat(SNIPER, "Sniper", "team"), Seat(SPOTTER, "Spotter", "team"))
    return (Seat(SNIPER, "Sniper", "team"),)


# --- the first state ---


def build(content: Content, setup: Setup, entropy: Entropy, log: list[Event]) -> State:
    """A mission from the location roll to the first window (SK-1.3 to SK-1.15).

    `setup.roster` may bring `rifle`, `gear` (ids joined by commas), `med_kits` and `mission_no` from a
    campaign. Raises `Illegal` for a set-up that does not exist.
    """
    if setup.mission != MISSION or setup.mode not in MODES:
        raise Illegal("", f"There is no “{setup.mission}” played “{setup.mode}”.")
    check(content, setup)
    if setup.lesson and not _is_lesson(content, setup.lesson):
        raise Illegal("", f"There is no lesson “{setup.lesson}”.")
    state = _state(content, setup)
    world = World(content, state, entropy, log)
    _where(world, setup)
    state.morale = world.location.morale + sum(
        content.options[name].morale for name in state.options
    )
    state.location_pile = sorted(world.location.deck_ids)
    log.append(Noted(text=f"A new mission in the {world.location.title.lower()}."))
    if not setup.empty:
        turn_up(world)
        if state.phase == "SETUP" and not world.over:
            start_turn(world)
    else:
        state.phase = "III"
    return state


def _is_lesson(content: Content, slug: str) -> bool:
    file = content.lesson_file
    return file is not None and slug in file.data.get("lessons", {})


def _state(content: Content, setup: Setup) -> State:
    brought, tables = setup.roster, content.tables
    options = switched_on(content, setup)
    specs = [content.options[name] for name in options]
    starts = [spec.reserve_start for spec in specs if spec.reserve_start]
    return State(
        mode="group" if setup.mode == "group" else "solo",
        context="campaign" if "mission_no" in brought else "standalone",
        options=options,
        location="",
        morale=0,
        reserve=max([tables.reserve_start, *starts]),
        action_pile=sorted(content.action_deck),
        tactical_pile=sorted(content.tactical_deck),
        hostile_pile=sorted(content.hostile_deck),
        location_pile=[],
        vip_pile=sorted(content.vip_deck),
        rifle=brought.get("rifle", content.start_rifle),
        gear=[name for name in brought.get("gear", "").split(",") if name],
        med_kits=int(brought.get("med_kits", "0")),
        location_cards=[""] * tables.last_zone,
        spotter_alive=not any(spec.no_spotter for spec in specs),
        mission_no=int(brought.get("mission_no", "0")),
        crew=int(setup.options.get("rotation", NO_CREW)),
    )


def _where(world: World, setup: Setup) -> None:
    """The location: named, or rolled (SK-1.3, SK-21.7)."""
    chosen = setup.options.get("location", ANY_LOCATION)
    if setup.map:
        chosen = setup.map
    if chosen != ANY_LOCATION:
        if chosen not in world.content.locations:
            names = ", ".join(world.content.locations)
            raise Illegal("SK-1.3", f"There is no location “{chosen}”. There are: {names}.")
        world.state.location = chosen
        return
    total = sum(world.dice(2, 6, "location"))
    world.state.location = world.tables.location_of(total)
    world.note(words.location_rolled(total, world.location.title))
