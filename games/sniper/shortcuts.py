"""Short cuts: several single verbs in one go, under their own rules. Rules SK-23."""

from __future__ import annotations

from dataclasses import dataclass

from games.sniper.firing import binocs, open_fire, shoot, spot, why_no_shot
from games.sniper.journey import crawl, pay_extraction
from games.sniper.look import Look
from games.sniper.model import Target
from games.sniper.turn import end_phase, radio
from games.sniper.world import World

SPOTTING = ("roll", "binocs", "binocs_last")
UNTIL = ("one", "miss", "near", "spent")


@dataclass(frozen=True, slots=True)
class Engagement:
    """The slots of `engage` (SK-23.3). `spot` is empty when somebody else does the spotting."""

    way: str
    target: Target
    spot: str
    attached: tuple[str, ...]
    until: str


def engage(world: World, plan: Engagement) -> None:
    """Open fire, spot, shoot, as long as the plan says and nothing stops it (SK-23.2 to SK-23.5)."""
    state = world.state
    if plan.way != "open":
        open_fire(world, plan.way, plan.target)
    attached = plan.attached
    while _may_go_on(world, plan):
        if not _spotted(world, plan):
            return
        if why_no_shot(world) is not None or (plan.until == "near" and near(world, attached)):
            return
        wounds = state.wounds_received
        came = shoot(world, attached)
        if came != "jam":
            attached = ()
            if plan.until == "one" or (plan.until == "miss" and came == "miss"):
                return
        if state.wounds_received > wounds or state.jammed:
            return


def _may_go_on(world: World, plan: Engagement) -> bool:
    state = world.state
    if world.over or not state.in_window or state.fire is None:
        return False
    return plan.target == "vip" or state.enemy is not None


def _spotted(world: World, plan: Engagement) -> bool:
    """Spot the group as planned; False when it stays unspotted or somebody else must do it."""
    group = world.group
    if plan.target == "vip" or group is None:
        return True
    while not group.spotted and world.state.fire is not None:
        if not plan.spot:
            return False
        last = world.state.fire.spot_tries <= 1
        held = world.held("binocs") > 0
        if held and (plan.spot == "binocs" or (plan.spot == "binocs_last" and last)):
            binocs(world)
        else:
            spot(world)
    return group.spotted


def near(look: Look, attached: tuple[str, ...]) -> bool:
    """Whether a miss would bring the enemy into the zone box (SK-23.5)."""
    enemy = look.state.enemy
    if enemy is None or enemy.range != "short":
        return False
    if enemy.kind == "hostile":
        return "muffled_shot" not in attached
    return enemy.shots + 1 >= look.tables.sniper_patience


def crawl_on(world: World) -> None:
    """As many Crawl cards as are still needed (SK-23.7)."""
    zone, turn = world.state.zone, world.state.turn
    while world.state.zone == zone and world.state.turn == turn and not world.over:
        crawl(world)


def end_turn(world: World, *, priority: str, extract: str) -> None:
    """End this window and the ones after it, until somebody must decide (SK-23.6)."""
    state = world.state
    turn = state.turn
    while state.turn == turn and state.in_window and not world.over:
        wounds, alone = state.wounds_received, state.enemy is None
        end_phase(world)
        if state.turn == turn and state.wounds_received > wounds:
            return
        if state.phase == "III" and alone and state.enemy is not None:
            return
        if state.phase == "IV" and priority:
            radio(world, priority=priority == "true")
        if state.phase == "VI" and state.turn == turn and extract == "true":
            extract_team(world)


def extract_team(world: World) -> None:
    """Pay and be picked up: the mission ends (SK-14.1, SK-16.1, SK-16.2)."""
    pay_extraction(world)
    world.end("MAJOR" if world.state.vip.dead else "MINOR")


def follow(world: World, then: str, before: Before, *, priority: str, extract: str) -> None:
    """What `then` asks for, if nothing came in between (SK-23.8)."""
    state = world.state
    if then == "no" or world.over or not state.in_window or before.interrupted(world):
        return
    if then == "end_turn":
        end_turn(world, priority=priority, extract=extract)
    elif then == "end_phase" or state.phase == "I":
        end_phase(world, through=then == "III")


@dataclass(frozen=True, slots=True)
class Before:
    """How things stood before a verb, to see what came in between."""

    turn: int
    wounds: int
    jammed: bool
    closed: bool

    @classmethod
    def of(cls, world: World) -> Before:
        """How things stand now."""
        state = world.state
        return cls(state.turn, state.wounds_received, state.jammed, state.fire_closed)

    def interrupted(self, world: World) -> bool:
        """Whether a wound, a failed spotting, a jam or a new turn came in between."""
        state = world.state
        failed = state.fire_closed and not self.closed
        jam = state.jammed and not self.jammed
        return state.turn != self.turn or state.wounds_received > self.wounds or failed or jam
