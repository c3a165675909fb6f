"""The geometry and the insurgents' choices once more, written plainly after the specification.

Nothing of the rules code is used but the state. Slow and simple on purpose: tests compare.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise

from games.boots.model import State, Unit
from games.kernel.datafiles import read_tables
from games.registry import DATA

XY = tuple[int, int]
DIRECTIONS = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)]
CANONICAL = ["L", "M", "DE", "S", "HWE", "SN", "GI1", "GI2", "GI3"]


@cache
def rows(name: str) -> tuple[str, ...]:
    return tuple(read_tables(DATA / "boots" / "maps")[name]["rows"].strip("\n").split("\n"))


def xy(square: str) -> XY:
    letters = square.rstrip("0123456789")
    column = 0
    for letter in letters:
        column = column * 26 + ord(letter) - 64
    return column - 1, int(square[len(letters) :]) - 1


def name(at: XY) -> str:
    x, y = at
    return f"{chr(65 + x)}{y + 1}"  # our maps have no more than 26 columns


def sign(n: int) -> int:
    return (n > 0) - (n < 0)


def dist(a: XY, b: XY) -> int:
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))


def dir8(dx: int, dy: int) -> int:
    big, small = max(abs(dx), abs(dy)), min(abs(dx), abs(dy))
    if (big + small) ** 2 > 2 * big * big:
        return DIRECTIONS.index((sign(dx), sign(dy)))
    if abs(dx) > abs(dy):
        return DIRECTIONS.index((sign(dx), 0))
    return DIRECTIONS.index((0, sign(dy)))


class Board:
    """One position, read from a state."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.rows = rows(state.map)
        self.w, self.h = len(self.rows[0]) // 2, len(self.rows) // 2
        self.doors = [{xy(d.a), xy(d.b)} for d in state.doors]
        self.units = {xy(u.pos): u for u in state.units.values() if u.pos}
        self.civilians = [xy(c.pos) for c in state.civilians.values()]
        self.cover = [xy(v.pos) for v in state.vehicles.values()]
        self.cover += [s for s in self.squares() if self.letter(s) == "X"]

    def squares(self) -> list[XY]:
        return [(x, y) for y in range(self.h) for x in range(self.w)]

    def on(self, s: XY) -> bool:
        return 0 <= s[0] < self.w and 0 <= s[1] < self.h

    def letter(self, s: XY) -> str:
        return self.rows[2 * s[1] + 1][2 * s[0] + 1]

    def edge(self, a: XY, b: XY) -> str:
        """Between orthogonal neighbours on the board."""
        mark = self.rows[a[1] + b[1] + 1][a[0] + b[0] + 1]
        kind = {" ": "open", "-": "wall", "|": "wall", "D": "door", "W": "window"}[mark]
        return "door" if {a, b} in self.doors else kind

    def cost(self, a: XY, b: XY) -> int | None:
        if not (self.on(a) and self.on(b)) or dist(a, b) != 1:
            return None
        if a[0] == b[0] or a[1] == b[1]:
            ways = [[self.edge(a, b)]]
        else:
            corners = [(b[0], a[1]), (a[0], b[1])]
            ways = [[self.edge(a, c), self.edge(c, b)] for c in corners]
        ways = [way for way in ways if "wall" not in way]
        if not ways:
            return None
        return 2 if all("window" in way for way in ways) else 1

    def near(self, s: XY) -> list[XY]:
        found = [(s[0] + dx, s[1] + dy) for dx, dy in DIRECTIONS]
        return [n for n in found if self.cost(s, n) is not None]

    # --- walking

    def free(self, s: XY) -> bool:
        return s not in self.units and s not in self.civilians and s not in self.cover

    def reach(self, unit: Unit, points: int) -> dict[XY, int]:
        """Where a move may end, with costs (BG-10), by relaxing every edge until nothing changes."""
        start = xy(unit.pos or "")

        def enter(s: XY) -> bool:
            other = self.units.get(s)
            if s in self.cover:
                return False
            return other is None or other.status == "captive" or not self.enemies(unit, other)

        best = {start: 0}
        for _ in range(points):
            for s, cost in list(best.items()):
                for n in self.near(s):
                    step = self.cost(s, n) or 0
                    if enter(n) and cost + step <= points:
                        best[n] = min(best.get(n, 99), cost + step)
        ends = {s: c for s, c in best.items() if s != start and self.free(s)}
        steps = [self.cost(start, n) or 0 for n in self.near(start) if enter(n)]
        if steps and 2 * min(steps) <= points:
            ends[start] = 2 * min(steps)
        return ends

    def walk(self, goal: XY) -> dict[XY, int]:
        """W of BG-G.12 from everywhere."""
        best, changed = {goal: 0}, True
        while changed:
            changed = False
            for s, cost in list(best.items()):
                for n in self.near(s):
                    total = cost + (self.cost(s, n) or 0)
                    if n not in self.cover and total < best.get(n, 9999):
                        best[n], changed = total, True
        return best

    # --- seeing

    def enemies(self, a: Unit, b: Unit) -> bool:
        if "captive" in (a.status, b.status):
            return False
        return (a.kind == "INS") != (b.kind == "INS")

    def trace(self, a: XY, b: XY) -> list[XY]:
        nx, ny = abs(b[0] - a[0]), abs(b[1] - a[1])
        sx, sy = sign(b[0] - a[0]), sign(b[1] - a[1])
        ix = iy = 0
        path = [a]
        while ix < nx or iy < ny:
            left, right = (1 + 2 * ix) * ny, (1 + 2 * iy) * nx
            x, y = path[-1]
            if left == right:
                ix, iy, step = ix + 1, iy + 1, (x + sx, y + sy)
            elif left < right:
                ix, step = ix + 1, (x + sx, y)
            else:
                iy, step = iy + 1, (x, y + sy)
            path.append(step)
        return path

    def clear(self, a: XY, b: XY) -> bool:
        return all(self.cost(c, d) is not None for c, d in pairwise(self.trace(a, b)))

    def sees(self, shooter: Unit, a: XY, b: XY) -> bool:
        if not self.clear(a, b):
            return False
        for s in self.trace(a, b)[1:-1]:
            other = self.units.get(s)
            if s in self.civilians:
                return False
            if other and (other.status == "captive" or self.enemies(shooter, other)):
                return False
        return True

    def arc(self, at: XY, face: int, other: XY) -> int:
        return (dir8(other[0] - at[0], other[1] - at[1]) - face) % 8

    def has_cover(self, s: XY, t: XY) -> bool:
        path = self.trace(s, t)
        met = path[1:-1]
        for c, d in pairwise(path):
            if c[0] != d[0] and c[1] != d[1]:
                met += [(d[0], c[1]), (c[0], d[1])]
        return any(v in self.cover and v in self.near(t) and v not in self.near(s) for v in met)

    def may_fire(self, shooter: Unit, a: XY, face: int, target: Unit) -> bool:
        b = xy(target.pos or "")
        reach = 99 if shooter.role == "sniper" else 5
        if a == b or dist(a, b) > reach or self.arc(a, face, b) not in (7, 0, 1):
            return False
        return self.sees(shooter, a, b)

    # --- the insurgents' choices (chapter 9), eight facings

    def targets(self) -> list[Unit]:
        squad = self.state.squad_turn
        found = [u for u in state_units(self.state) if u.squad == squad and u.pos]
        return sorted(found, key=canonical)

    def keys(self, a: XY, target: Unit) -> tuple[int, int, int]:
        b = xy(target.pos or "")
        hostage = target.kind == "HOS"
        arc = 0 if hostage else self.arc(b, target.face, a)
        rank = {4: 0, 2: 1, 3: 1, 5: 1, 6: 1}.get(arc, 2)
        return int(hostage), rank, dist(a, b)

    def best_targets(self, shooter: Unit, a: XY, face: int) -> list[Unit]:
        legal = [t for t in self.targets() if self.may_fire(shooter, a, face, t)]

        def key(t: Unit) -> tuple[object, ...]:
            cover = self.has_cover(a, xy(t.pos or ""))
            return (*self.keys(a, t), cover, -t.hits, canonical(t))

        return sorted(legal, key=key)

    def towards(self, a: XY, b: XY) -> int:
        return dir8(b[0] - a[0], b[1] - a[1])

    def closest(self, a: XY) -> Unit:
        return min(self.targets(), key=lambda t: (dist(a, xy(t.pos or "")), canonical(t)))

    def placement(self, openings: dict[str, tuple[str, ...]]) -> tuple[str, int] | None:
        best = None
        for building, squares in openings.items():
            if self.state.buildings[building].cleared:
                continue
            for square in squares:
                at = xy(square)
                if not self.free(at):
                    continue
                nearest = xy(self.closest(at).pos or "")
                face = self.towards(at, nearest)
                shots = self.best_targets(Unit("IN0", "INS"), at, face)
                best_arc = self.keys(at, shots[0])[:2] if shots else (9, 9)
                key = (dist(at, nearest), not shots, *best_arc, at[1], at[0])
                if best is None or key < best[0]:
                    best = (key, (square, face))
        return best[1] if best else None

    def movement(self, unit: Unit) -> tuple[str, int, int]:
        """Square, facing and cost of a selected insurgent (BG-A.4)."""
        start = xy(unit.pos or "")
        ends = self.reach(unit, 5)
        found: list[tuple[tuple[object, ...], tuple[XY, int, int]]] = []

        def add(at: XY, face: int, cost: int, t: Unit) -> None:
            if self.may_fire(unit, at, face, t):
                cover = self.has_cover(at, xy(t.pos or ""))
                ties = (cover, cost, at[1], at[0], -t.hits, canonical(t))
                found.append(((*self.keys(at, t), *ties), (at, face, cost)))

        for t in self.targets():
            add(start, unit.face, 0, t)
            for at, cost in ends.items():
                if at != xy(t.pos or ""):
                    add(at, self.towards(at, xy(t.pos or "")), cost, t)
        if found:
            at, face, cost = min(found, key=lambda f: f[0])[1]
            return name(at), face, cost
        walks = [self.walk(xy(t.pos or "")) for t in self.targets()]
        options = {start: 0} | {s: c for s, c in ends.items() if s != start}
        at = min(
            options,
            key=lambda s: (min(w.get(s, 10**6) for w in walks), options[s], s[1], s[0]),
        )
        if at == start:
            return name(at), unit.face, 0
        return name(at), self.towards(at, xy(self.closest(at).pos or "")), options[at]

    def blast(self, s: XY) -> list[XY]:
        return [s, *self.near(s)]

    def grenade(self, unit: Unit) -> str:
        """The square of BG-A.5, or empty."""
        here, best = xy(unit.pos or ""), ((0, 0, 0), "")
        squad = self.state.squad_turn
        for s in self.squares():
            if not 1 <= dist(here, s) <= 2 or not self.clear(here, s):
                continue
            hit = [self.units[q] for q in self.blast(s) if q in self.units]
            if any(q in self.civilians for q in self.blast(s)):
                continue
            if any(u.status == "captive" for u in hit):
                continue
            ours = [u for u in hit if u.squad == squad and u.kind != "INS"]
            score = sum(3 if u.pos == name(s) else 1 for u in ours)
            score -= 2 * sum(u.kind == "INS" for u in hit)
            key = (-score, s[1], s[0])
            if ours and score > 0 and key < best[0]:
                best = (key, name(s))
        return best[1]

    # --- roles, doors, the order of fire

    def nearest(self, at: XY) -> int:
        return min(dist(at, xy(t.pos or "")) for t in self.targets())

    def insurgents(self) -> list[Unit]:
        """Closest first, the wanted man left out (BG-A.1)."""
        found = [u for u in self.units.values() if u.kind == "INS" and u.role != "hvt"]
        return sorted(found, key=lambda u: (self.nearest(xy(u.pos or "")), int(u.id[2:])))

    def role(self, role: str) -> str:
        plain = [u for u in self.insurgents() if not u.role]
        if role == "sniper":

            def fires(u: Unit, kind: str) -> bool:
                marksman = Unit(u.id, "INS", pos=u.pos, face=u.face, role=kind)  # type: ignore[arg-type]
                return bool(self.best_targets(marksman, xy(u.pos or ""), u.face))

            silent = [u for u in plain if not fires(u, "")]
            plain = [u for u in silent if fires(u, "sniper")] or silent or plain
        return plain[0].id if plain else ""

    def door(self) -> tuple[str, str]:
        """The printed door that explodes (BG-A.7)."""
        found = []
        for a in self.squares():
            for upright, step in ((False, (1, 0)), (True, (0, 1))):
                b = (a[0] + step[0], a[1] + step[1])
                if not self.on(b) or {a, b} in self.doors or self.edge(a, b) != "door":
                    continue
                along = (1, 0) if upright else (0, 1)
                hit = {a, b}
                for s in (a, b):
                    for way in (1, -1):
                        beside = (s[0] + way * along[0], s[1] + way * along[1])
                        if self.cost(s, beside):
                            hit.add(beside)
                victims = sum(xy(t.pos or "") in hit for t in self.targets())
                key = (min(self.nearest(a), self.nearest(b)), -victims, a[1], a[0], upright)
                found.append((key, (name(a), name(b))))
        return min(found)[1]

    def attack(self) -> tuple[str, list[str], str]:
        """Who fires or throws first: id, targets, grenade square (BG-A.8)."""
        found = []
        for u in self.units.values():
            if u.kind != "INS":
                continue
            at = xy(u.pos or "")
            shots = self.best_targets(u, at, u.face)
            square = self.grenade(u) if u.role == "demo" else ""
            if not shots and not square:
                continue
            aim = xy(shots[0].pos or "") if shots else xy(square)
            key = (dist(at, aim), int(u.id[2:]))
            names = [t.id for t in shots[: 3 if u.role == "hwe" else 1]]
            found.append((key, (u.id, [] if square else names, square)))
        return min(found)[1] if found else ("", [], "")


def state_units(state: State) -> list[Unit]:
    return list(state.units.values())


def canonical(unit: Unit) -> tuple[int, int, int]:
    squad = "AB".index(unit.squad)
    tail = unit.id.split("-")[-1]
    if unit.kind == "HOS":
        return squad, 1, int(unit.id[2:])
    return squad, 0, CANONICAL.index(tail)
