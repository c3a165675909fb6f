"""The sequence of play as explicit steps. Spec section 3; rules BG-6, BG-7.1, BG-8.1, BG-E.1 to BG-E.5.

The state holds a stack of named frames; `step` carries out the top one as far as nobody must decide.
Which seats it waits for, `waits_for` says.
"""

from __future__ import annotations

from games.boots import cards, conduct, reveal, words
from games.boots.field import Field
from games.boots.model import INSURGENT_SEAT, SEAT_OF, SQUAD_OF, Frame
from games.boots.objectives import (
    deliver_wmd,
    failed,
    hostages_lost,
    level,
    objective_met,
    success,
)
from games.boots.world import World
from games.geometry.squares import Square
from games.kernel.view import Task


def step(world: World) -> None:
    """One step of the automation. Only called while nobody must act."""
    frame = world.state.steps[-1]
    match frame.step:
        case "deploy":
            world.go("choose" if world.soldiers(world.state.squad_turn) else "next")
        case "act":
            end_activation(world)
        case "reveal":
            reveal.step(world)
        case "clear":
            _clear(world)
        case "card":
            cards.draw(world)
        case "event":
            if not conduct.step_forced(world):
                cards.step(world)
        case "gi":
            world.finish()
        case "fire":
            if not conduct.step_forced(world):
                cards.fire_step(world)
        case "discard":
            cards.discard(world)
        case "check":
            _check(world)
        case "next":
            _next(world)
        case _:
            raise RuntimeError(f"nothing to do in step {frame.step}")


def end_activation(world: World) -> None:
    """The activation is over; the Leader's shield stands from now on (BG-4.1)."""
    activation, squad = world.activation, world.state.squad_turn
    led = any(world.unit(m).kind == "L" for m in activation.members)
    world.squad(squad).leader_shield = activation.kind == "team" and led
    world.state.activation = None
    world.note(words.done(squad))
    world.go("reveal", *reveal.PHASES)


def _clear(world: World) -> None:
    if not world.soldiers(world.state.squad_turn):
        world.state.play.scouted = False  # a card left face up softens nothing later (BG-4.14)
        world.go("check")
        return
    reveal.mark_cleared(world)
    world.go("card")


# --- CHECK and NEXT ---


def _check(world: World) -> None:
    """The end conditions in their order: objective, failure, cards (BG-E.1, BG-E.2, BG-E.4, D32)."""
    state, squad = world.state, world.state.squad_turn
    race = state.line == "comp"
    winners = (squad,) if race else state.playing
    deliver_wmd(world)
    if objective_met(world, squad) and not world.squad(squad).out:
        win(world, winners, success(world, winners), cause="BG-E.1")
        return
    if race:
        _drop_out(world)
    elif failed(world, state.playing):
        world.end("BG-E.2", world.mission.failure.of(state.line).text)
    if world.over:
        return
    _count_cards(world)
    if not world.over:
        world.go("next")


def _count_cards(world: World) -> None:
    """When the last card is played the game is lost (BG-E.4, BG-8.9, BG-8.10)."""
    state, stop = world.state, world.content.tables.limits.safety_stop
    if not state.endless and state.cards_used >= state.cards_total:
        world.end("BG-E.4", words.cards_out())
    elif state.endless and state.cards_used >= stop:
        world.end("BG-E.4", words.safety_stop(stop))


def win(world: World, squads: tuple[str, ...], text: str, cause: str) -> None:
    """An allied win of those squads, with its level (BG-E.6)."""
    seats = tuple(SEAT_OF[k] for k in squads)
    world.end(cause, text, won=seats, level=level(world, squads))


def _drop_out(world: World) -> None:
    """In a race a squad that fails at its own CHECK leaves; with no hostage alive both do (BG-E.2)."""
    state, text = world.state, world.mission.failure.of(world.state.line).text
    all_fail = hostages_lost(world)
    for squad in state.playing:
        fails = all_fail or (squad == state.squad_turn and failed(world, (squad,)))
        if fails and not world.squad(squad).out:
            knock_out(world, squad, "BG-E.2", text)


def knock_out(world: World, squad: str, cause: str, text: str) -> None:
    """A squad leaves a race: its soldiers count as KIA, its hostages are captives (BG-E.2).

    When no other is left that ends the game, for the given cause.
    """
    world.squad(squad).out = True
    world.note(words.out_of_race(squad))
    world.nobody_left = (cause, text)
    for soldier in world.soldiers(squad):
        world.kill(soldier)


def _next(world: World) -> None:
    """The other squad's turn if it has a soldier, else the same squad again (BG-6.3, BG-6.6)."""
    state = world.state
    _count_cards(world)  # a squad that gave up may have taken its last card with it, unchecked
    if world.over:
        return
    others = [k for k in state.playing if k != state.squad_turn and world.soldiers(k)]
    if others:
        state.squad_turn = others[0]
    world.go("choose")


# --- who must act ---


def waits_for(field: Field) -> tuple[str, ...]:
    """The seats that must act now; empty while the program has work and when the game is over."""
    if field.state.outcome is not None:
        return ()
    frame, owner = field.state.steps[-1], SEAT_OF[field.state.squad_turn]
    match frame.step:
        case "deploy":
            waiting = [k for k in field.state.playing if k not in field.state.ready]
            return tuple(SEAT_OF[k] for k in waiting if not field.squad(k).out)
        case "act":
            return (owner,) if field.activation.members else ()
        case "gi":
            event = cards.current(field).event
            can = frame.count > 0 and cards.gi_squares(field, field.state.squad_turn, event)
            return (owner,) if can else ()
        case "choose" | "defuse" | "box" | "medivac":
            return (owner,)
        case "event" | "fire":
            seat = conduct.asked(field)
            return (seat,) if seat else ()
        case _:
            return ()


def tasks(field: Field) -> tuple[Task, ...]:
    """What each of them must do."""
    frame = field.state.steps[-1]
    return tuple(Task(seat, prompt(field, frame)) for seat in waits_for(field))


def upcoming(field: Field) -> tuple[str, ...]:
    """The other squad while one has its turn (BG-6.3); no squad is next before both are deployed."""
    state = field.state
    if state.outcome is not None or state.steps[-1].step == "deploy":
        return ()
    others = (k for k in state.playing if k != state.squad_turn and field.soldiers(k))
    return tuple(SEAT_OF[k] for k in others)


def prompt(field: Field, frame: Frame) -> str:
    """What must be decided in a step, as a sentence without subject."""
    match frame.step:
        case "deploy":
            return words.PROMPT_DEPLOY
        case "choose":
            return words.PROMPT_CHOOSE
        case "act" if field.activation.current:
            unit, parts = field.unit(field.activation.current), field.activation.parts
            others = any(not part.finished for name, part in parts.items() if name != unit.id)
            return words.prompt_act(unit, parts[unit.id].mp, parts[unit.id].acted, others)
        case "act":
            return words.PROMPT_TEAM
        case "defuse":
            return words.PROMPT_DEFUSE.format(square=field.state.vehicles[frame.subject].pos)
        case "box":
            unit = field.unit(frame.subject)
            where: Square = unit.pos or ""
            return words.PROMPT_BOX.format(who=words.member(unit), square=where)
        case "medivac":
            return words.PROMPT_MEDIVAC
        case "gi":
            return words.PROMPT_GI
        case "event":
            event = cards.current(field).event
            return words.PROMPT_CONDUCT["move" if event == "move_all" else event]
        case "fire":
            return words.PROMPT_CONDUCT["fire"]
        case _:
            raise RuntimeError(f"nobody is asked in step {frame.step}")


def concede(world: World, seat: str) -> None:
    """A seat gives up (BG-E.5). Allies share the fate of a game only when all give up."""
    state = world.state
    state.conceded.append(seat)
    world.note(words.concedes(seat))
    if seat == INSURGENT_SEAT:
        if state.line != "comp":
            win(world, state.playing, words.insurgents_gave_up(), cause="BG-E.5")
        return
    squad = SQUAD_OF[seat]
    if state.line == "comp":
        if not world.squad(squad).out:
            knock_out(world, squad, "BG-E.5", words.gave_up())
        at_work = state.steps[-1].step != "deploy" and not world.over
        if state.squad_turn == squad and at_work:
            state.activation = None
            cards.put_away(world)
            state.steps = [Frame("next")]
        return
    if world.given_up or state.mode in ("solo1", "solo2", "versus"):
        world.end("BG-E.5", words.gave_up())
