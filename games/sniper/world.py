"""The world: a mission that may be changed, with dice and a log.

What ends up in many chapters is here: draws (SK-2.7), Morale and kills (SK-15), the Reserve track
(SK-12), wounds (SK-10) and results (SK-16).
"""

from __future__ import annotations

from typing import Literal

from games.kernel import wording
from games.kernel.entropy import Entropy
from games.kernel.event import Drew, Ended, Event, Noted, Tested, Throw
from games.kernel.game import Outcome
from games.kernel.view import CardFace
from games.sniper import roles, words
from games.sniper.content import Content
from games.sniper.look import Look
from games.sniper.model import State

Pile = Literal["action", "tactical", "hostile"]
Wound = Literal["light", "critical"]


class World(Look):
    """A private copy of a state that may be changed."""

    def __init__(self, content: Content, state: State, entropy: Entropy, log: list[Event]) -> None:
        super().__init__(content, state)
        self.entropy = entropy
        self.log = log

    @property
    def over(self) -> bool:
        """Whether a result is set: everything under way stops at once (SK-2.6)."""
        return self.state.result != ""

    # --- the log ---

    def note(self, text: str, to: tuple[str, ...] | None = None) -> None:
        """Say something."""
        self.log.append(Noted(text=text, to=to))

    def team_only(self) -> tuple[str, ...]:
        """The audience of what only the team may see (spec 2.2)."""
        return roles.seats(self.state)

    def tested(
        self, title: str, throws: list[Throw], verdict: str, *, good: bool | None, detail: str = ""
    ) -> None:
        """Show dice that are counted one by one."""
        text = f"{title}: {verdict}."
        self.log.append(
            Tested(
                text=text,
                title=title,
                detail=detail,
                throws=tuple(throws),
                verdict=verdict,
                good=good,
            )
        )

    # --- dice ---

    def dice(self, number: int, sides: int, label: str) -> list[int]:
        """Several dice thrown together."""
        return [self.entropy.roll(sides, label) for _ in range(number)]

    # --- cards ---

    def draw(self, pile: Pile) -> str:
        """A card off a pile, the discards shuffled in when it is empty; `""` when both are (SK-2.7)."""
        state = self.state
        cards: list[str] = getattr(state, f"{pile}_pile")
        if not cards:
            discards: list[str] = getattr(state, f"{pile}_discard")
            if not discards:
                return ""
            cards.extend(sorted(discards))
            discards.clear()
            self.note(words.reshuffled(pile))
        card = self.entropy.draw(cards, f"{pile} card")
        cards.remove(card)
        return card

    def draw_actions(self, number: int) -> None:
        """Action cards into the hand, one by one."""
        drawn = [card for _ in range(number) if (card := self.draw("action"))]
        self.state.hand.extend(drawn)
        self.state.hand.sort(key=self.action_order)
        names = wording.listed([self.content.action[card].name for card in drawn])
        self.note(words.drew_actions(names), self.team_only())
        self.note(words.drew_some(len(drawn)))

    def action_order(self, card: str) -> int:
        """The order of the hand: as the cards are listed in the data."""
        return list(self.content.action).index(card)

    def discard(self, card: str) -> None:
        """Discard an Action card from hand."""
        self.state.hand.remove(card)
        self.state.action_discard.append(card)

    def discard_tactical(self, card: str) -> None:
        """Discard a Tactical card that is held."""
        self.state.tactical.remove(card)
        self.state.tactical_discard.append(card)

    def show(self, kind: str, name: str, text: str) -> None:
        """Show a card that came up."""
        self.log.append(Drew(text=f"{kind}: {name}. {text}", card=CardFace(kind, name, text)))

    # --- Morale, kills, the track ---

    def kill(self, number: int, *, morale: bool = True) -> None:
        """Kills: Morale, counters, Kill Points (SK-15.1, SK-15.2)."""
        state, tables = self.state, self.tables
        if number <= 0:
            return
        before = state.kp
        state.kills += number
        state.kills_by_zone[state.zone - 1] += number
        if morale:
            state.morale += number * tables.kill_morale
        state.kill_counters += number
        while state.kill_counters >= tables.kills_per_point:
            state.kill_counters -= tables.kills_per_point
            state.kp += 1
        gained = number * tables.kill_morale if morale else 0
        self.note(words.kills(number, gained, state.morale, state.kp - before))

    def add_reserve(self, change: int) -> None:
        """Move the Enemy Reserve marker; the last box is captivity (SK-12.2 to SK-12.4)."""
        state, before = self.state, self.state.reserve
        state.reserve = max(
            self.tables.reserve_low, min(self.tables.pow_box, state.reserve + change)
        )
        self.note(words.track(before, state.reserve))
        if state.reserve >= self.tables.pow_box:
            self.end("POW")

    # --- wounds ---

    def wound(self, kind: Wound) -> None:
        """Place one wound: armour, KIA, then the spotter's luck (SK-10.2, SK-10.4, SK-10.7)."""
        state = self.state
        if kind == "critical" and self.has("first_critical_light") and not state.armour_used:
            state.armour_used = True
            kind = "light"
            self.note(words.armour())
        if kind == "light":
            state.light += 1
        else:
            state.critical += 1
        state.wounds_received += 1
        self.note(words.wounded(kind, state.light, state.critical))
        limits = self.limits
        if self.wounds >= limits.total or state.critical >= limits.critical:
            self.end("KIA")
        elif state.spotter_alive:
            self._spotter_luck()

    def _spotter_luck(self) -> None:
        dice = self.dice(2, 6, "spotter")
        dies = sum(dice) >= self.tables.spotter_killed
        verdict = "the spotter is killed" if dies else "the spotter is safe"
        throw = Throw("2d6, a double six kills him", tuple(dice), 6)
        self.tested("The spotter", [throw], verdict, good=not dies)
        if dies:
            self.state.spotter_alive = False
            flags = ("overwatch", "focus_wind", "focus_scan", "focus_comms")
            self.state.turn_flags = [f for f in self.state.turn_flags if f not in flags]

    def wounds_from(self, hits: int, kind: Wound) -> None:
        """Several hits, one after the other, until the mission ends (SK-10.3, SK-2.6)."""
        for _ in range(hits):
            if not self.over:
                self.wound(kind)

    # --- the end ---

    def end(
        self, result: Literal["MAJOR", "MINOR", "KIA", "POW"], *, abandoned: bool = False
    ) -> None:
        """Set the result; the mission stops at once (SK-2.6, SK-16)."""
        state = self.state
        if self.over:
            return
        state.result = result
        state.phase = "OVER"
        state.fire = None
        seats = roles.seats(state)
        won = seats if result in ("MAJOR", "MINOR") else ()
        way = "ABANDONED" if abandoned else result
        title, text, rule = words.ending(way, state.kp, self.victory_points(), self.wounds)
        state.outcome = Outcome(won, title, text, words.LEVELS.get(result, ""), rule)
        self.log.append(Ended(text=f"{title}. {text}", title=title))

    def victory_points(self) -> int:
        """Victory Points of the mission as it stands (SK-16.4, SK-21.6)."""
        if self.state.result in ("KIA", "POW"):
            return 0
        strict = self.option_on("count_received")
        wounds = self.state.wounds_received if strict else self.wounds
        return max(0, self.state.kp - wounds)
