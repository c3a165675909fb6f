"""What a seat sees: the zones, the mat, the hand. Spec sections 2.2 and 11.

Undrawn cards, face-down locations and the VIP are not decided before they come up; the hand is shown
to the team only.
"""

from __future__ import annotations

from games.kernel import wording
from games.kernel.view import (
    Badge,
    CardFace,
    Place,
    PlaceCard,
    Roster,
    RosterLine,
    Task,
    Token,
    Track,
    View,
    ZoneBoard,
)
from games.sniper import roles, words
from games.sniper.journey import why_not_on
from games.sniper.look import Look
from games.sniper.model import State

TEAM = Badge("S", "square", "green")
SPOTTER = Badge("O", "square", "lime")
ZONE_WIDTH = 6


def view(look: Look, seat: str | None) -> View:
    """What that seat (None: the public) may see."""
    state = look.state
    ours = seat is not None and seat in roles.seats(state)
    return View(
        game="sniper",
        title=f"Sniper Kill Confirmed · {look.location.title}",
        turn=turn_line(look),
        headline=headline(look),
        tasks=tasks(look),
        board=board(look),
        tracks=tracks(look),
        rosters=(mat(look),),
        cards=open_cards(look),
        hand=hand(look) if ours else (),
        footer=footer(look),
    )


# --- who must do what ---

PROMPTS = {
    "TDISCARD": "discard a Tactical card: more than three are held",
    "PATROL": "answer the patrol of {patrol}: hide, escape or fight",
    "IV": "make the radio call, with or without the Priority Channel",
    "VI": "extract, or stay another turn",
    "I": "play cards, or end phase I (a patrol may come by)",
    "II": "play cards, or end phase II (an enemy may appear)",
    "III": "play cards, or end the turn (radio, then the enemy’s reserves)",
}


def tasks(look: Look) -> tuple[Task, ...]:
    """The seat that must act for the mission to go on, and what it must do."""
    state = look.state
    if state.outcome is not None:
        return ()
    what = PROMPTS[state.phase].format(patrol=state.patrol)
    spotter, sniper = roles.spotter(state), roles.sniper(state)
    if state.phase in ("TDISCARD", "PATROL", "IV"):
        return (Task(spotter, what),)
    if state.hold:
        return (Task(spotter, "release the hold, or act"),)
    if _spotter_needed(look):
        return (Task(spotter, "spot the group that the Sniper has opened fire at"),)
    return (Task(sniper, what),)


def _spotter_needed(look: Look) -> bool:
    state, group = look.state, look.group
    if state.mode != "group" or state.fire is None or group is None or group.spotted:
        return False
    ordered = state.orders.spot != "ask"
    return roles.spotting(state) == "Q" and state.fire.spot_tries > 0 and not ordered


def headline(look: Look) -> str:
    """One sentence: who must do what, or how it ended."""
    outcome = look.state.outcome
    if outcome is not None:
        return f"{outcome.title}. {outcome.text}"
    return " ".join(f"{seat_title(look.state, t.seat)}: {t.what}." for t in tasks(look))


def seat_title(state: State, seat: str) -> str:
    """A seat's name, with its part in a rotation."""
    if not state.crew:
        return seat.title()
    part = "Sniper" if seat == roles.sniper(state) else "Spotter"
    return f"Player {seat[1:]} ({part})"


def turn_line(look: Look) -> str:
    """Turn, phase and zone."""
    state = look.state
    name = look.location.zone_names[state.zone - 1]
    number = f"Mission {state.mission_no} · " if state.mission_no else ""
    phase = {"TDISCARD": "I", "PATROL": "patrol", "SETUP": "set-up"}.get(state.phase, state.phase)
    return f"{number}Turn {state.turn}, phase {phase} · Zone {state.zone}, {name}"


# --- the board ---


def board(look: Look) -> ZoneBoard:
    """The six zones with everything that stands in them."""
    state = look.state
    return ZoneBoard(
        key=state.location,
        places=tuple(_place(look, zone) for zone in range(1, look.tables.last_zone + 1)),
        tokens=tuple(_tokens(look)),
        focus=(f"{state.zone}:team",),
    )


def _place(look: Look, zone: int) -> Place:
    state, location = look.state, look.location
    left = (zone - 1) * ZONE_WIDTH
    card = None
    if zone <= state.zone and state.location_cards[zone - 1]:
        found = look.content.location_cards[state.location_cards[zone - 1]]
        figures = (
            ("cover", str(found.cover)),
            ("fire", wording.signed(found.fire)),
            ("move", str(found.move)),
            ("crawl", str(found.crawl)),
        )
        remarks = [words.EVENTS[found.event]] if found.event else []
        remarks += [words.STATICS[found.static]] if found.static else []
        card = PlaceCard(found.name, figures, tuple(remarks))
    needed = look.morale_needed(zone)
    needs = f"Morale {needed}" if needed else ""
    if zone == look.tables.last_zone:
        needs = "VIP attempted"
    return Place(
        number=zone,
        name=location.zone_names[zone - 1],
        ground=tuple(row[left : left + ZONE_WIDTH] for row in location.rows),
        card=card,
        current=zone == state.zone,
        open=zone <= state.zone or (zone == state.zone + 1 and why_not_on(look) is None),
        needs=needs,
    )


def _tokens(look: Look) -> list[Token]:
    state = look.state
    here = f"{state.zone}:team"
    icons = ("claymore",) if state.claymore_laid else ()
    found = [Token("TEAM", "the sniper", here, TEAM, hits=look.wounds, icons=icons, current=True)]
    if state.spotter_alive:
        found.append(Token("SPOTTER", "the spotter", here, SPOTTER))
    if state.patrol:
        badge = Badge(str(state.patrol), "diamond", "slate")
        found.append(Token("PATROL", f"patrol of {state.patrol}", here, badge, note="patrol"))
    enemy = state.enemy
    if enemy is not None:
        cell = f"{state.zone}:{enemy.range}"
        if enemy.kind == "sniper":
            note = f"shots at him: {enemy.shots}"
            badge = Badge("S", "diamond", "red")
            found.append(Token("ENEMY", "enemy sniper", cell, badge, note=note))
        else:
            note = "spotted" if enemy.spotted else "unspotted"
            badge = Badge(str(enemy.count), "diamond", "slate" if enemy.spotted else "grey")
            found.append(Token("ENEMY", f"hostile group of {enemy.count}", cell, badge, note=note))
    elif state.first_contact and state.zone == 1:
        badge = Badge("?", "diamond", "grey")
        found.append(
            Token("CONTACT", "somebody out there", f"{state.zone}:long", badge, hidden=True)
        )
    found.append(_vip(look))
    return found


def _vip(look: Look) -> Token:
    state = look.state
    cell = f"{look.tables.vip_zone}:vip"
    if not state.vip.revealed:
        return Token("VIP", "the VIP", cell, Badge("VIP?", "circle", "violet"), hidden=True)
    vip = look.content.vips[state.vip.card]
    left = look.tables.vip_fires - state.vip.fire_cards_used
    note = "dead" if state.vip.dead else f"{vip.range}, {vip.behaviour}, fires left: {left}"
    tone = "steel" if state.vip.dead else "violet"
    return Token("VIP", vip.name, cell, Badge("VIP", "circle", tone), note=note)


# --- the mat ---


def tracks(look: Look) -> tuple[Track, ...]:
    """The public figures of the mission."""
    state, tables, limits = look.state, look.tables, look.limits
    nextone = look.morale_needed(state.zone + 1) if state.zone + 1 < tables.last_zone else 0
    found = [
        Track(
            "Enemy Reserve",
            str(state.reserve),
            str(tables.pow_box),
            boxes=tables.pow_box,
            danger=True,
        ),
        Track("Morale", str(state.morale), str(nextone) if nextone else ""),
        Track("Wounds", str(look.wounds), str(limits.total), boxes=limits.total, danger=True),
        Track(
            "Critical",
            str(state.critical),
            str(limits.critical),
            boxes=limits.critical,
            danger=True,
        ),
        Track("Kill counters", str(state.kill_counters), boxes=tables.kills_per_point),
        Track("Kill Points", str(state.kp)),
        Track("Kills", str(state.kills)),
    ]
    if state.zone < tables.last_zone:
        cost = look.crawl_cost()
        found.append(Track("Crawl", str(state.crawl), str(cost), boxes=cost))
    return tuple(found)


def mat(look: Look) -> Roster:
    """Rifle, gear, spotter, the open fire."""
    state = look.state
    lines = [
        RosterLine(TEAM, "Sniper", f"Zone {state.zone}", _health(look)),
        RosterLine(
            SPOTTER,
            "Spotter",
            "",
            "alive" if state.spotter_alive else "dead",
            not state.spotter_alive,
        ),
        RosterLine(Badge("R", "block", "steel"), look.rifle.name, "", _gun(look)),
    ]
    names = [look.content.gear[name].name for name in state.gear]
    if state.med_kits:
        names.append(f"Med Kits {state.med_kits}")
    if names:
        lines.append(RosterLine(Badge("G", "chip", "brown"), "Gear", "", wording.listed(names)))
    return Roster("The team", tuple(lines))


def _health(look: Look) -> str:
    state = look.state
    return f"{state.light} light, {state.critical} critical"


def _gun(look: Look) -> str:
    state = look.state
    parts = ["jammed" if state.jammed else "clear"]
    if state.fire is not None:
        at = "the VIP" if state.fire.target == "vip" else "the enemy"
        number = (
            "1 fire action" if state.fire.actions == 1 else f"{state.fire.actions} fire actions"
        )
        parts.append(f"{number} open at {at}")
    if state.fire_closed:
        parts.append("spotting failed: no fire this phase")
    for flag, text in (("windage_call", "Windage Call"), ("overwatch", "Overwatch")):
        if state.flag(flag):
            parts.append(text)
    focus = next(
        (f[6:] for f in state.turn_flags if f.startswith("focus_") and f != "focus_by_order"), ""
    )
    if focus:
        parts.append(f"focus {focus}")
    return ", ".join(parts)


def open_cards(look: Look) -> tuple[CardFace, ...]:
    """The VIP once he is known, and the Hostile card of the enemy in play."""
    state, found = look.state, list[CardFace]()
    if state.vip.revealed:
        vip = look.content.vips[state.vip.card]
        found.append(CardFace(vip.id, vip.name, words.vip_text(vip), "VIP"))
    if state.hostile_card:
        card = look.content.hostile[state.hostile_card]
        found.append(CardFace(card.id, card.name, card.text, "in play"))
    return tuple(found)


def hand(look: Look) -> tuple[CardFace, ...]:
    """The common hand: Action cards, then Tactical cards, copies counted."""
    state, content = look.state, look.content
    found = [
        CardFace(
            f"action:{c}", content.action[c].name, content.action[c].text, _copies(state.hand, c)
        )
        for c in dict.fromkeys(state.hand)
    ]
    found += [
        CardFace(
            f"tactical:{c}",
            content.tactical[c].name,
            content.tactical[c].text,
            _copies(state.tactical, c),
        )
        for c in dict.fromkeys(state.tactical)
    ]
    return tuple(found)


def _copies(cards: list[str], card: str) -> str:
    number = cards.count(card)
    return f"×{number}" if number > 1 else ""


def footer(look: Look) -> tuple[str, ...]:
    """Piles and discards by their sizes (spec 2.1)."""
    state = look.state
    return (
        f"Hand {len(state.hand)} + {len(state.tactical)}",
        f"Action pile {len(state.action_pile)}, discards {len(state.action_discard)}",
        f"Tactical {len(state.tactical_pile)}",
        f"Hostile {len(state.hostile_pile)}, discards {len(state.hostile_discard)}",
    )
