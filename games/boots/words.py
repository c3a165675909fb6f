"""Every sentence of the game in one place: names, log lines, prompts."""

from __future__ import annotations

from collections.abc import Sequence

from games.boots.model import GI, HOSTAGE, INSURGENT, SEAT_NAME, SQUAD_NAME, Unit
from games.geometry.squares import FACINGS, Grid, Square
from games.kernel.event import Contest, Suffered
from games.kernel.view import Badge
from games.kernel.wording import listed, signed

KIND_NAMES = {
    "L": "Leader",
    "M": "Medic",
    "DE": "Demo Expert",
    "S": "Scout",
    "HWE": "Heavy Weapons Expert",
    "SN": "Sniper",
    "GI": "G.I.",
}
GUN_NAMES = {**KIND_NAMES, "HWE": "heavy weapons"}
KIND_CODES = {"HWE": "HW"}
ROLE_NAMES = {
    "hwe": "machine gunner",
    "demo": "bomb maker",
    "sniper": "marksman",
    "hvt": "wanted man",
}
ROLE_LETTERS = {"hwe": "M", "demo": "B", "sniper": "S", "hvt": "★"}
ITEM_NAMES = {
    "health": "health kit",
    "grenade": "grenade kit",
    "bombkit": "bomb kit",
    "wmd": "the WMD",
}
BOX_FINDS = {**ITEM_NAMES, "booby": "a booby trap"}
VEHICLE_KINDS = {"safe": "a harmless vehicle", "ied_a": "a car bomb (A)", "ied_b": "a car bomb (B)"}
CIVILIAN_KINDS = {"friendly": "a friendly civilian", "insurgent": "an insurgent"}
CHART_TITLES = {"allied": "Allied fire · difference", "insurgent": "Insurgent fire · difference"}
VERDICTS = {
    "killed": "killed",
    "wounded": "wounded",
    "nothing": "no effect",
    "attacker_wounded": "shooter hit",
}
NO_EFFECT = "no effect"
BACKFIRE = "the shooter is hit"
NOBODY_LEFT = "No allied soldier is left on the board."
DEFEAT = "Defeat"


# --- names ---


def name(unit: Unit) -> str:
    """A unit's name in a sentence: “Alpha’s Scout”, “insurgent 3”, “hostage 1”."""
    if unit.kind == INSURGENT:
        role = ROLE_NAMES.get(unit.role)
        return f"insurgent {unit.id[2:]}" + (f" ({role})" if role else "")
    if unit.kind == HOSTAGE:
        return f"hostage {unit.id[2:]}"
    if unit.kind == GI and unit.is_original:
        return f"{SQUAD_NAME[unit.squad]}’s G.I. for the {KIND_NAMES[unit.id[2:]]}"
    number = f" {unit.id[-1]}" if unit.kind == GI else ""
    return f"{SQUAD_NAME[unit.squad]}’s {KIND_NAMES[unit.kind]}{number}"


def member(unit: Unit) -> str:
    """A unit's name after its squad's: “the Scout”."""
    full, own = name(unit), f"{SQUAD_NAME.get(unit.squad, '')}’s "
    return f"the {full.removeprefix(own)}" if full.startswith(own) else full


def title(unit: Unit) -> str:
    """A unit's name at the head of a line."""
    text = name(unit)
    return text[0].upper() + text[1:]


def badge(unit: Unit) -> Badge:
    """A unit's counter face: outline and colour by side, code by kind."""
    if unit.kind == INSURGENT:
        return Badge(unit.id[2:], "diamond", "slate")
    if unit.kind == HOSTAGE:
        return Badge(f"H{unit.id[2:]}", "circle", "white")
    first = unit.squad == "A"
    if unit.kind == GI:
        place = unit.id[2:]
        code = f"G{KIND_CODES.get(place, place)}" if unit.is_original else f"G{unit.id[-1]}"
        return Badge(code, *(("square", "lime") if first else ("hexagon", "rose")))
    code = KIND_CODES.get(unit.kind, unit.kind)
    return Badge(code, *(("square", "green") if first else ("hexagon", "red")))


# --- harm ---

FATES = {
    "wounded": "wounded (1 hit)",
    "critical": "critically wounded (2 hits)",
    "to the pool": "wounded, back to the pool",
    "captured": "captured",
    "unhurt": "unhurt",
}


def fate(unit: Unit, harm: str) -> str:
    """What became of a unit."""
    if harm == "killed":
        return "killed" if unit.kind in (INSURGENT, HOSTAGE) else "killed in action"
    return FATES[harm]


def consequence(unit: Unit, text: str) -> str:
    """A shot's consequence with whom it befalls, for pictures: “Insurgent 7 killed”."""
    return text if text in (NO_EFFECT, BACKFIRE) else f"{title(unit)} {text}"


def shot_title(shooter: Unit, defenders: Sequence[Unit]) -> str:
    """The head line of a shot's picture."""
    return f"{title(shooter)} fires at {listed([name(d) for d in defenders])}"


def shot_detail(grid: Grid, lines: Sequence[tuple[Square, Square]]) -> str:
    """From where to where, how far."""
    return " · ".join(f"{a} to {b}, range {grid.dist(a, b)}" for a, b in lines)


def shot_line(
    shooter: Unit, defenders: Sequence[Unit], contests: Sequence[Contest], texts: Sequence[str]
) -> str:
    """One line for the log: totals, difference and what follows, target by target."""
    parts: list[str] = []
    for target, contest, text in zip(defenders, contests, texts, strict=True):
        sums = f"{contest.attacker.total} against {contest.defender.total}"
        who = name(shooter) if contest.verdict == "attacker_wounded" else name(target)
        verdict = text if text == NO_EFFECT else f"{who} is {text}"
        parts.append(f"{name(target)}: {sums} ({signed(contest.difference)}), {verdict}")
    return f"{title(shooter)} fires at {'; '.join(parts)}."


# --- explosions ---


def throws(unit: Unit, square: Square) -> str:
    return f"{title(unit)} throws a grenade at {square}."


def fires_rpg(unit: Unit, square: Square) -> str:
    return f"{title(unit)} fires an RPG at {square}."


def grenade_title(square: Square) -> str:
    return f"Grenade at {square}"


def grenade_detail(unit: Unit, square: Square) -> str:
    return f"by {name(unit)} from {unit.pos}; kills in {square}"


def rpg_title(square: Square) -> str:
    return f"RPG through the wall at {square}"


def rpg_detail(unit: Unit, square: Square) -> str:
    return f"by {name(unit)} from {unit.pos}; kills in {square}"


def door_title(here: Square, beyond: Square) -> str:
    return f"Demo door between {here} and {beyond}"


def door_detail(unit: Unit) -> str:
    return f"blown by {name(unit)}; wounds whoever is just beyond"


def blast_line(heading: str, harmed: Sequence[Suffered]) -> str:
    if not harmed:
        return f"{heading}: nobody is hurt."
    return f"{heading}: {listed([f'{s.who.code} in {s.where} {s.what}' for s in harmed])}."


# --- hostages, counters, items ---


def captive_again(unit: Unit) -> str:
    return f"{title(unit)} is a captive again."


def freed(unit: Unit) -> str:
    return f"{title(unit)} in {unit.pos} is free and joins {SQUAD_NAME[unit.squad]}."


def wmd_dropped(square: Square) -> str:
    return f"The WMD lies in {square}."


def wmd_picked(unit: Unit) -> str:
    return f"{title(unit)} picks up the WMD."


def wmd_delivered(unit: Unit) -> str:
    return f"{title(unit)} has brought the WMD in."


def civilian_goes(square: Square) -> str:
    return f"The civilian in {square} is friendly and runs home."


def civilian_fights(square: Square, unit: Unit) -> str:
    return f"The civilian in {square} is an insurgent: {name(unit)}."


def vehicle_is(square: Square, kind: str) -> str:
    return f"The vehicle in {square} is {VEHICLE_KINDS[kind]}."


def defused_by(unit: Unit | None, square: Square) -> str:
    by = f" by {name(unit)}" if unit else ""
    return f"The bomb in {square} is defused{by}."


def box_holds(unit: Unit, square: Square, kind: str) -> str:
    return f"{title(unit)} opens the box in {square}: {BOX_FINDS[kind]}."


def box_left(unit: Unit, square: Square) -> str:
    return f"{title(unit)} leaves the box in {square} closed."


def building_cleared(numeral: str, squad: str) -> str:
    return f"{SQUAD_NAME[squad]} has cleared building {numeral}."


def building_lost(numeral: str) -> str:
    return f"Building {numeral} is no longer held: insurgents can appear in it again."


# --- actions ---


def activates(unit: Unit, squad: str) -> str:
    return f"{title(unit)} is activated alone."


def activates_team(units: Sequence[Unit], squad: str) -> str:
    codes = listed([u.id for u in units])
    return f"{SQUAD_NAME[squad]} activates a team: {codes}."


def selects(unit: Unit) -> str:
    return f"{title(unit)} acts next."


def moves(unit: Unit, start: Square, cost: int) -> str:
    facing = "" if unit.kind == HOSTAGE else f", facing {FACINGS[unit.face]}"
    if start == unit.pos:
        return f"{title(unit)} turns on the spot{facing} ({cost} MP)."
    return f"{title(unit)} moves {start} to {unit.pos}{facing} ({cost} MP)."


def turns(unit: Unit) -> str:
    return f"{title(unit)} turns to {FACINGS[unit.face]}."


def treats(medic: Unit, patient: Unit) -> str:
    whom = "himself" if medic.id == patient.id else name(patient)
    left = ("fit again", "1 hit left", "2 hits left")[patient.hits]
    return f"{title(medic)} treats {whom}: {left}."


def escorts(medic: Unit, unit: Unit, start: Square) -> str:
    return f"{title(medic)} escorts {name(unit)} from {start} to {unit.pos}."


def scouts(unit: Unit) -> str:
    return f"{title(unit)} looks ahead: the next Intel card is known."


def done(squad: str) -> str:
    return f"{SQUAD_NAME[squad]}’s activation is over."


def concedes(seat: str) -> str:
    verb = "give" if seat == "INSURGENT" else "gives"
    return f"{SEAT_NAME[seat]} {verb} up."


def deployed(unit: Unit) -> str:
    return f"{title(unit)} sets up in {unit.pos}, facing {FACINGS[unit.face]}."


def ready(squad: str) -> str:
    return f"{SQUAD_NAME[squad]} is ready."


# --- cards ---


def card_drawn(card_title: str, text: str) -> str:
    stop = "" if card_title.endswith(("!", "?")) else "."
    return f"Intel card: {card_title}{stop} {text}"


def appears(unit: Unit) -> str:
    return f"{title(unit)} appears in {unit.pos}, facing {FACINGS[unit.face]}."


def nobody_appears() -> str:
    return "No insurgent can appear: no door or window is free, or none is left in the pool."


def stays(unit: Unit) -> str:
    return f"{title(unit)} stays in {unit.pos}."


def gets_role(unit: Unit, span_of: str) -> str:
    return f"{title(unit)} in {unit.pos}" + (" for this card." if span_of == "turn" else ".")


def no_one_for(event: str) -> str:
    return {
        "role": "No insurgent is there to take the role.",
        "grenade": "No insurgent can reach anybody with a grenade.",
        "door_ied": "No door is left to blow up.",
        "move": "No insurgent is there to move.",
        "medivac": "Nobody can be flown out.",
        "kia_gi": "No replacement can come.",
        "reinforce": "No reinforcement can come.",
    }[event]


def flown_out(unit: Unit, start: Square) -> str:
    return f"{title(unit)} is flown from {start} to {unit.pos} and is fit again."


def gi_arrives(unit: Unit) -> str:
    return f"{title(unit)} arrives in {unit.pos}."


def reshuffled() -> str:
    return "The Intel deck is used up; the discards are shuffled back."


def safety_stop(cards: int) -> str:
    return f"{cards} cards have been played without a decision."


def cards_out() -> str:
    return "The last Intel card is played and the objective is not met."


# --- the end ---


def victory(level: str) -> str:
    return f"{level} victory" if level else "Victory"


def auto() -> str:
    return "The program finishes this card."


def standing(seat: str, what: str) -> str:
    return f"{SEAT_NAME[seat]} gives standing orders: {what[0].lower()}{what[1:]}."


def gave_up() -> str:
    return "The mission has been given up."


def insurgents_gave_up() -> str:
    return "The insurgents have given up."


def out_of_race(squad: str) -> str:
    return f"{SQUAD_NAME[squad]} is out of the race."


# --- prompts ---

PROMPT_DEPLOY = "rearrange the squad in its zone, then press Ready"
PROMPT_CHOOSE = "activate one unit or one team"
PROMPT_TEAM = "select a team member to act, or finish the activation"
PROMPT_DEFUSE = "spend the bomb kit on the car bomb in {square}, or let it go off"
PROMPT_BOX = "open the lock box under {who} in {square}, or leave it closed"
PROMPT_MEDIVAC = "fly one wounded soldier out, or skip"
PROMPT_GI = "place a G.I., or skip"
PROMPT_CONDUCT = {
    "place": "place the card’s new insurgent",
    "move": "move the selected insurgents or let them stay",
    "role": "choose who gets the card’s role",
    "grenade": "choose who throws the grenade, and where",
    "door_ied": "choose the door that explodes",
    "fire": "choose who fires next, and at whom",
}


def prompt_act(unit: Unit, mp: int, acted: bool, others: bool) -> str:
    """What is left to the unit that acts; `others`: members of its team that can be selected."""
    if mp and not acted:
        what = f"move, fire or use an ability with {member(unit)} ({mp} MP left), or "
    elif mp:
        what = f"move {member(unit)} ({mp} MP left), or "
    elif not acted:
        what = f"fire or use an ability with {member(unit)} (no MP left), or "
    else:
        what = "select the next team member, or " if others else ""
    return f"{what}finish the activation"
