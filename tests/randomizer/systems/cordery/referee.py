"""A referee for the routes of wargame tables. It shares no code with the search for routes.

It reads the dice log of a table and the table as it was before each route, works out by itself what
the route cost and what the cheapest one would have cost, by the costs that stand in the manual, and
checks the rim, what was left out, and what was said of hills.

``python -m tests.randomizer.systems.cordery.referee 2000`` judges so many tables.
"""

from __future__ import annotations

import heapq
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

from randomizer.model.grid.grid import Grid
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.systems.cordery.dice_log import LogEntry, build_table
from randomizer.systems.cordery.table.table_words import area_record
from tests.randomizer.systems.cordery.built_tables import base_of

MANUAL = Path(__file__).resolve().parents[4] / "docs" / "manual" / "wargame-tables.md"
SIZES = ((6, 6), (6, 8), (8, 8), (9, 8), (12, 9), (15, 12))
TABLES: tuple[dict[str, Any], ...] = (
    {"railways": 1},
    {"railways": 1, "detour": True, "area": "urban"},
    {"relief": "hilly", "railways": 2, "roads": 2, "lakes": True},
    {"relief": "mountainous", "rivers": 2, "roads": 2, "railways": 1, "marshes": True},
    {"relief": "open", "railways": 2, "roads": 3, "detour": True, "area": "urban"},
    {"cover": "forested", "rivers": 2, "railways": 1, "road": "track", "area": "urban"},
)
SIDES = {
    4: ("north", "east", "south", "west"),
    6: ("north-east", "east", "south-east", "south-west", "west", "north-west"),
}
WATERS = ("Lake", "Marsh")
HOUSES = ("Settlement", "Village", "Town", "City")
FIELDS = ("Field", "Orchard", "Olive grove", "Vineyard")
FAR = 1 << 60


def stated_costs() -> dict[str, int]:
    """The costs in the table of the manual, by the words of its rows."""
    section = MANUAL.read_text("utf-8").split("## What a way costs")[1].split("\n## ")[0]
    rows = re.findall(r"^\| ([^|]+) \| ([\d ]+) \|$", section, re.MULTILINE)
    return {words: int(cost.replace(" ", "")) for words, cost in rows}


@dataclass
class Verdict:
    """What a referee found on some tables: faults in words, and what was counted."""

    faults: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)


class Board:
    """A table before a route is laid, as the records of its areas say."""

    def __init__(self, grid: Grid, planes: Any) -> None:
        self.degree = grid.degree
        self.width = grid.width
        self.height = grid.height
        self.sides = SIDES[grid.degree]
        self.records = {
            (cell % grid.width, cell // grid.width): area_record(grid, planes, cell)
            for cell in range(grid.size)
        }
        self.routes = {kind: self._route(kind) for kind in ("river", "road", "rail")}
        self._arms: dict[Any, set[int]] = {}
        self.broad = self._broad()

    def beyond(self, place: tuple[int, int], side: int) -> tuple[int, int] | None:
        """The area beyond a side; None off the table. Hexes: odd rows stand half a hex right."""
        x, y = place
        if self.degree == 4:
            dx, dy = ((0, -1), (1, 0), (0, 1), (-1, 0))[side]
        else:
            shift = y % 2
            dx = (shift, 1, shift, shift - 1, -1, shift - 1)[side]
            dy = (-1, 0, 1, 1, 0, -1)[side]
        there = x + dx, y + dy
        return there if there in self.records else None

    def opposite(self, side: int) -> int:
        return (side + self.degree // 2) % self.degree

    def _route(self, kind: str) -> dict[tuple[int, int], set[int]]:
        names = ("road", "track") if kind == "road" else (kind,)
        return {
            place: {self.sides.index(name) for name in record[each]}
            for place, record in self.records.items()
            for each in names
            if each in record
        }

    def arms(self, kind: str, place: tuple[int, int]) -> set[int]:
        """The sides of an area that a route crosses, by its own record or its neighbour's."""
        route = self.routes[kind]
        if place not in route:
            return set()
        if (kind, place) not in self._arms:
            self._arms[kind, place] = self._all_arms(route, place)
        return self._arms[kind, place]

    def _all_arms(self, route: Any, place: tuple[int, int]) -> set[int]:
        return {
            side
            for side in range(self.degree)
            if side in route[place]
            or self.opposite(side) in route.get(self.beyond(place, side) or (-9, -9), ())
        }

    def _broad(self) -> set[tuple[int, int]]:
        """Areas of a river that touch others of it without a link, or fill a corner.

        Where two rivers only touch once, or one joins the other, they stay narrow.
        """
        river = self.routes["river"]
        once = self._touching_once()
        found = set()
        for x, y in river:
            for side in range(self.degree):
                other = self.beyond((x, y), side)
                if other not in river:
                    continue
                unlinked = side not in self.arms("river", (x, y))
                if unlinked and frozenset(((x, y), other)) not in once:
                    found |= {(x, y), other}
                next_one = self.beyond((x, y), (side + 1) % self.degree)
                corner = [next_one]
                if self.degree == 4 and next_one is not None:
                    corner.append(self.beyond(next_one, side))
                around = {(x, y), other, *(each for each in corner if each is not None)}
                if self.degree == 6 and any(pair <= around for pair in once):
                    continue
                if all(each in river for each in corner):
                    found |= around
        return found

    def _touching_once(self) -> set[frozenset[tuple[int, int]]]:
        """The pairs of areas of rivers that touch without a link, with no such pair beside them."""
        river = self.routes["river"]
        touching = set()
        linked = set()
        for place in river:
            for side in range(self.degree):
                other = self.beyond(place, side)
                if other in river:
                    pairs = linked if side in self.arms("river", place) else touching
                    pairs.add(frozenset((place, other)))
        once = set()
        for pair in touching:
            near = pair.union(*(link for link in linked if link & pair))
            if not any(other & near for other in touching - {pair}):
                once.add(pair)
        return once

    def outward(self, place: tuple[int, int], edge: int) -> int:
        """The side by which a route leaves at an edge (top, right, bottom, left)."""
        if self.degree == 4:
            return edge
        for side in ((0, 5), (1, 0), (3, 2), (4, 3))[edge]:
            if self.beyond(place, side) is None:
                return side
        raise AssertionError(f"{place} is not at edge {edge}")


class Judge:
    """What ways cost for one kind of route on a board.

    A way is a sequence of gates: a side of an area, and for each other route that crosses that side
    too whether the way crosses it before (clockwise, seen from the area) or behind that route.
    """

    def __init__(
        self, board: Board, kind: str, costs: Mapping[str, int], houses_free: bool = False
    ) -> None:
        self.board = board
        self.kind = kind
        self.costs = costs
        self.houses = 0 if houses_free else costs["inhabited areas and fields"]
        self._areas: dict[tuple[int, int], int | None] = {}
        self._gates: dict[Any, list[frozenset[str]]] = {}
        self.others = [k for k in ("river", "road", "rail") if k != kind and kind != "river"]

    def area(self, place: tuple[int, int]) -> int | None:
        """The cost of an area by what it holds."""
        if place not in self._areas:
            self._areas[place] = self._area(place)
        return self._areas[place]

    def _area(self, place: tuple[int, int]) -> int | None:
        record = self.board.records[place]
        costs = self.costs
        ground = record.get("ground", "")
        if ground == "Mountain":
            return None
        total = costs["an area"] + costs["a hill, for each contour"] * record.get("contours", 0)
        if self.kind == "river":
            assert not ground or ground in WATERS, "nothing else is there before rivers"
            river = self.board.routes["river"]
            around = [self.board.beyond(place, side) for side in range(self.board.degree)]
            if place not in river and any(other in river for other in around):
                total += costs["for a river, an area beside another river that does not run there"]
            return total
        if ground == "Lake":
            total += costs["a lake (not for rivers)"]
        if ground == "Marsh":
            total += costs["a marsh (not for rivers)"]
        if ground in HOUSES:
            total += self.houses
        if ground in FIELDS:
            total += costs["inhabited areas and fields"]
        for other in self.others:
            if place in self.board.routes[other]:
                broad = other == "river" and place in self.board.broad
                key = "broad" if broad else "river" if other == "river" else "shared"
                total += costs[
                    {
                        "broad": "an area of a river that is two areas wide, "
                        "instead of the 8 and the crossing",
                        "river": "an area of a river (not for rivers), instead of the 1",
                        "shared": "an area through which a route of another kind runs",
                    }[key]
                ]
        return total

    def arms(self, other: str, place: tuple[int, int]) -> set[int]:
        if other == "river" and place in self.board.broad:
            return set()
        return self.board.arms(other, place)

    def beside(self, place: tuple[int, int], side: int) -> list[str]:
        """The other routes that cross a side in a line of their own."""
        there = self.board.beyond(place, side)
        return [
            other
            for other in self.others
            if side in self.arms(other, place) and (there is None or self.arms(other, there))
        ]

    def gates(self, place: tuple[int, int], side: int) -> list[frozenset[str]]:
        """All ways to cross a side: the others that lie clockwise of the way."""
        if (place, side) not in self._gates:
            found = [frozenset[str]()]
            for other in self.beside(place, side):
                found += [gate | {other} for gate in found]
            self._gates[place, side] = found
        return self._gates[place, side]

    def crossings(
        self,
        place: tuple[int, int],
        one: tuple[int, frozenset[str]],
        two: tuple[int, frozenset[str]],
    ) -> int:
        """How many others a line through an area crosses, from gate to gate."""
        if not any(place in self.board.routes[other] for other in self.others):
            return 0
        degree = self.board.degree
        found = 0
        start = one[0]
        length = (two[0] - one[0]) % degree
        for other in self.others:
            hands = set()
            for arm in self.arms(other, place):
                if arm in (one[0], two[0]) and other not in self.beside(place, arm):
                    continue  # a river widens there
                at = (arm - start) % degree + 0.0
                if arm == one[0]:
                    at = 0.25 if other in one[1] else degree - 0.25
                elif arm == two[0]:
                    at += 0.25 if other in two[1] else -0.25
                hands.add(at < length)
            found += len(hands) == 2
        return found

    def turns_back(self, sides: list[int]) -> bool:
        """Whether the last of these headings turns back: a sharp bend, or a U on squares."""
        degree = self.board.degree
        if degree == 6:
            return len(sides) > 1 and (sides[-1] - sides[-2]) % 6 in (2, 4)
        return len(sides) > 2 and (sides[-1] - sides[-3]) % 4 == 2

    def step(self, here: tuple[int, int], there: tuple[int, int], side: int) -> int | None:
        """The cost of going on into the next area, without crossings and bends."""
        cost = self.area(there)
        own = self.board.routes[self.kind]
        if cost is None or there not in own:
            return cost
        along = side in self.board.arms(self.kind, here) and here in own
        along = along or self.board.opposite(side) in own[there]
        meets = self.costs["meeting a route of the same kind, other than along it"]
        return cost if along else cost + meets

    # --- ways -------------------------------------------------------------------------------

    def wet(self, place: tuple[int, int]) -> int:
        """1 in an area of a river that a road or railway meets, else 0."""
        return int("river" in self.others and place in self.board.routes["river"])

    def cheapest(
        self,
        starts: list[tuple[tuple[int, int], int | None]],
        ends: list[tuple[tuple[int, int], int | None]],
        only: list[tuple[int, int]] | None = None,
        passing: set[tuple[int, int]] | None = None,
    ) -> tuple[int, int] | None:
        """The least cost between two ends, and the crossings on that way; None if there is none.

        An end is an area, and the side by which the way leaves the table there (None: it begins or
        ends in the area). ``only``: the cost of just this way. ``passing``: areas one of which it
        goes through.
        """
        board = self.board
        costs = self.costs
        back = board.opposite
        queue: list[Any] = []
        number = 0

        third = costs["the third area of a river in a row, and each one more (not for rivers)"]

        def put(cost: int, crossed: int, place: Any, gate: Any, sides: Any, at: Any, ok: bool):
            nonlocal number
            number += 1
            heapq.heappush(queue, (cost, crossed, number, place, gate, sides, at, ok))

        for place, side in starts:
            ok = passing is None or place in passing
            if only is not None and place != only[0]:
                continue
            for gate in self.gates(place, side) if side is not None else [None]:
                put(
                    0,
                    0,
                    place,
                    None if side is None else (side, gate),
                    (),
                    (0, self.wet(place)),
                    ok,
                )
        seen = set()
        while queue:
            cost, crossed, _, place, gate, sides, (at, wet), ok = heapq.heappop(queue)
            if place is None:
                return cost, crossed
            known = place, gate, sides, at, wet, ok
            if known in seen:
                continue
            seen.add(known)
            for end, out in ends:
                last = only is None or at == len(only) - 1
                if end == place and ok and last:
                    if out is None:
                        put(cost, crossed, None, None, (), (at, wet), ok)
                    elif gate is None or gate[0] != out:
                        for leaving in self.gates(place, out):
                            more = 0
                            if gate is not None:
                                more = self.crossings(place, gate, (out, leaving))
                            total = cost + more * costs["each crossing of such a route"]
                            put(total, crossed + more, None, None, (), (at, wet), ok)
            for side in range(board.degree):
                there = board.beyond(place, side)
                if there is None or (gate is not None and gate[0] == side):
                    continue
                if only is not None and (at + 1 >= len(only) or only[at + 1] != there):
                    continue
                step = self.step(place, there, side)
                if step is None:
                    continue
                row = (wet + 1) * self.wet(there)
                step += third if row > 2 else 0
                headings = [*sides, side]
                turned = self.turns_back(headings)
                step += costs["a bend that turns back"] if turned else 0
                keep = tuple(headings[-1:] if board.degree == 6 else headings[-2:])
                for leaving in self.gates(place, side):
                    more = 0 if gate is None else self.crossings(place, gate, (side, leaving))
                    entering = back(side), self.gates(place, side)[-1] - leaving
                    total = cost + step + more * costs["each crossing of such a route"]
                    into = ok or (passing is not None and there in passing)
                    then = at + (only is not None), min(row, 2)
                    put(total, crossed + more, there, entering, keep, then, into)
        return None

    def dry_length(self, starts: list[Any], ends: list[Any]) -> int | None:
        """The areas of the shortest way off hills, lakes, marshes and along no river.

        It enters at most two areas of a river in a row. None if there is none. A plain flood.
        """
        goals = {place for place, _side in ends}
        flood = [(place, self.wet(place)) for place, _side in starts]
        seen = set(flood)
        length = 1
        while flood:
            if any(place in goals for place, _row in flood):
                return length
            reached = []
            for place, row in flood:
                for there in (self.board.beyond(place, side) for side in range(self.board.degree)):
                    if there is None:
                        continue
                    record = self.board.records[there]
                    now = (row + 1) * self.wet(there)
                    barred = record.get("contours") or record.get("ground") in (*WATERS, "Mountain")
                    if not barred and now < 3 and (there, now) not in seen:
                        seen.add((there, now))
                        reached.append((there, now))
            flood = reached
            length = length + 1
        return None

    def reaches_without(self, starts: list[Any], ends: list[Any]) -> bool:
        """Whether any way keeps off hills, lakes and mountains: a plain flood."""
        goals = {place for place, _side in ends}
        flood = [place for place, _side in starts]
        seen = set(flood)
        while flood:
            place = flood.pop()
            if place in goals:
                return True
            for side in range(self.board.degree):
                there = self.board.beyond(place, side)
                if there is None or there in seen:
                    continue
                record = self.board.records[there]
                lake = record.get("ground") == "Lake" and self.kind != "river"
                if not (record.get("contours") or lake or record.get("ground") == "Mountain"):
                    seen.add(there)
                    flood.append(there)
        return False


def place_of(name: str) -> tuple[int, int]:
    return int(name[:2]) - 1, int(name[2:]) - 1


KINDS = {"river": "river", "road": "road", "track": "road", "railway": "rail"}


def judge(kind: str, size: tuple[int, int], seed: int, chosen: Mapping[str, Any]) -> Verdict:
    """Judge all routes of one table."""
    base = base_of(kind, *size)
    entries = build_table(chosen, DrawKey(seed, 0), base).entries
    verdict = Verdict()
    costs = stated_costs()
    where = f"{kind} {size} seed {seed} {dict(chosen)}"
    points: dict[str, Any] = {}
    for number, entry in enumerate(entries):
        for words in _judge_line(entries, number, base.grid, points, chosen, costs, verdict):
            verdict.faults.append(f"{where}: {entry.line}: {words}")
    verdict.counts["tables"] += 1
    return verdict


def _judge_line(
    entries: tuple[LogEntry, ...],
    number: int,
    grid: Grid,
    points: dict[str, Any],
    chosen: Mapping[str, Any],
    costs: Mapping[str, int],
    verdict: Verdict,
) -> Iterator[str]:
    words = entries[number].line.words
    before = entries[number - 1].planes
    rim = re.match(r"((River|Road|Track|Railway) \d+) (entry|exit): D6 = \d, (.*): (\d{4})$", words)
    if rim:
        board = Board(grid, before)
        point = rim.group(1).lower(), rim.group(3)
        entry = points.get(rim.group(1).lower() + " entry", (None,))[0]
        points[" ".join(point)] = yield from _rim(board, rim.group(4), rim.group(5), entry)
        return
    left_out = re.match(r"There is no way for (?:the )?(.*): it is left out", words)
    runs = re.match(r"((?:River|Road|Track|Railway)[^:]*) runs through (.*)$", words)
    if not (runs or left_out):
        return
    name = (runs or left_out).group(1).lower()  # type: ignore[union-attr]
    own = KINDS[name.split()[0]]
    joins = " to " in name
    bends = own == "rail" and bool(chosen.get("detour"))
    if bends and entries[number - 1].line.words.endswith("bends to pass a village or town"):
        before = entries[number - 2].planes
    board = Board(grid, before)
    places = _large_places(board)
    judge = Judge(board, own, costs, houses_free=bends and bool(places))
    if joins:
        kind, numbered = name.split()[-2:]
        starts = [(place, None) for place in _place_of_line(entries, number, kind, int(numbered))]
        ends = [(place, None) for place in board.routes["road"]]
    else:
        starts = [points[f"{name} entry"][1]]
        ends = [points[f"{name} exit"][1]]
    verdict.counts["routes"] += 1
    best = judge.cheapest(starts, ends)
    if left_out:
        verdict.counts["left out"] += 1
        if best is not None:
            yield "it was left out, and there is a way"
        return
    assert runs is not None
    way = [
        place_of(text) for text in re.findall(r"\b\d{4}\b", re.sub(r"\(.*?\)", "", runs.group(2)))
    ]
    if len(set(way)) < len(way):
        yield "it goes through an area twice"
    if joins:
        paid = _cheapest_door(judge, starts, ends, way)
    else:
        paid = judge.cheapest(starts, ends, only=way)
    if best is None or paid is None:
        yield "the way is barred"
        return
    verdict.counts["crossings"] += paid[1]
    yield from _water(judge, starts, ends, way, entries, number, verdict)
    shared = [p for p in way if any(p in board.routes[k] for k in judge.others)]
    verdict.counts["routes that share areas"] += bool(shared)
    if bends and places:
        around = {board.beyond(p, s) for p in places for s in range(board.degree)} - {None}
        near = places | {each for each in around if each is not None}
        passing = judge.cheapest(starts, ends, passing=near)
        most = best[0] + costs["the most that a bend of a railway may cost"]
        if passing is not None and passing[0] <= most:
            verdict.counts["railways that pass a place"] += 1
            verdict.counts["bends"] += passing[0] > best[0]
            if near.isdisjoint(way):
                yield "it could pass a place"
            if paid[0] != passing[0]:
                yield f"it costs {paid[0]}, and {passing[0]} would pass a place"
            return
    if paid[0] != best[0]:
        yield f"it costs {paid[0]}, and there is a way for {best[0]}"
    over = [place for place in way if board.records[place].get("contours")]
    said = any("Hills bar every way" in e.line.words for e in entries[number : number + 2])
    if joins and over and over[0] == way[0] and len(over) == 1:
        return
    verdict.counts["over hills"] += bool(over)
    if bool(over) != said:
        yield "hills and words do not agree"
    if over and judge.reaches_without(starts, ends):
        yield "it goes over a hill, and there is a way round"


def _water(
    judge: Judge,
    starts: Any,
    ends: Any,
    way: list[tuple[int, int]],
    entries: tuple[LogEntry, ...],
    number: int,
    verdict: Verdict,
) -> Iterator[str]:
    """Faults of a road or railway beside rivers, and in lakes and marshes."""
    board = judge.board
    if judge.kind == "river":
        return
    stretches = ["".join(g) for k, g in groupby(".~"[judge.wet(p)] for p in way)]
    along = any(part.startswith("~~~") for part in stretches)
    verdict.counts["along rivers"] += along
    wet = any(board.records[p].get("ground") in WATERS for p in way[1:])
    joins = starts[0][1] is None
    dry = judge.dry_length(starts, ends)
    if along and dry is not None:
        yield "it runs along a river, and there is another way"
    if wet and dry is not None and dry - joins <= len(way):
        yield "it goes through a lake or marsh, and a dry way is as short"
    marked = set[tuple[int, int]]()
    for entry in entries[number + 1 :]:
        words = entry.line.words
        if " runs through " in words:
            break
        mark = re.search(r"(?: crossing \d+ at|bridge over the river at) (\d{4})", words)
        if mark:
            marked.add(place_of(mark.group(1)))
    verdict.counts["crossings of rivers"] += len(marked)
    for river, places in groupby(way, judge.wet):
        part = list(places)
        if river and board.broad.isdisjoint(part) and len(marked.intersection(part)) > 1:
            yield f"it crosses a river twice in {part}"


def _cheapest_door(judge: Judge, starts: Any, ends: Any, way: Any) -> tuple[int, int] | None:
    """A joining road begins beside an area of its place: the cheapest one."""
    found = [judge.cheapest([(place, None)], ends, only=[place, *way]) for place, _none in starts]
    return min((each for each in found if each is not None), default=None)


def _rim(board: Board, words: str, name: str, entry: Any) -> Any:
    """The point of an entry or exit; faults in the quarter or its dice."""
    quarters = [int(text) for text in re.findall(r"quarter (\d+)", words)]
    thrown = quarters[0]
    used = quarters[-1]
    edge = (used - 1) // 4
    place = place_of(name)

    def free(quarter: int) -> list[tuple[int, int]]:
        edge = (quarter - 1) // 4
        part = (quarter - 1) % 4
        w = board.width
        h = board.height
        along = [
            [(x, 0) for x in range(w)],
            [(w - 1, y) for y in range(h)],
            [(x, h - 1) for x in reversed(range(w))],
            [(0, y) for y in reversed(range(h))],
        ][edge]
        inside = [p for i, p in enumerate(along) if i * 4 // len(along) == part]
        high = [p for p in inside if board.records[p].get("contours")]
        high += [p for p in inside if board.records[p].get("ground") == "Mountain"]
        return [p for p in inside if p not in high and p != entry]

    if used != thrown and free(thrown):
        yield f"quarter {thrown} is not full, and {used} was taken"
    cells = free(used)
    if place not in cells:
        yield f"{name} is not a free area of quarter {used}"
    dice = re.findall(r"(\d{4}) \(\d", words)
    if len(cells) > 1 and {place_of(text) for text in dice} != set(cells):
        yield f"dice for {dice}, and {len(cells)} areas are free"
    return place, (place, board.outward(place, edge))


def _large_places(board: Board) -> set[tuple[int, int]]:
    return {
        place
        for place, record in board.records.items()
        if record.get("ground") in ("Village", "Town", "City")
    }


def _place_of_line(entries: Any, number: int, kind: str, numbered: int) -> list[tuple[int, int]]:
    """The areas of the numbered place of a kind, by the lines of 5.2: chained areas are one place.

    Villages have two areas, towns three or four, cities five or more.
    """
    places: list[list[tuple[int, int]]] = []
    for entry in entries[:number]:
        found = re.match(r"Inhabited area \d+: (.*): (\d{4})", entry.line.words)
        if found:
            chained = re.match(r"D6 = [456], adjacent: D6", found.group(1))
            if not chained or not places:
                places.append([])
            places[-1].append(place_of(found.group(2)))
    sizes = {"village": (2, 2), "town": (3, 4), "city": (5, 99)}
    least, most = sizes[kind]
    places_of_kind = [place for place in places if least <= len(place) <= most]
    return places_of_kind[numbered - 1]


def judged(seeds: range, sizes: tuple[tuple[int, int], ...] = SIZES) -> Verdict:
    """Judge tables of both grids, all sizes and choices in turn."""
    total = Verdict()
    for seed in seeds:
        kind = ("square", "hex")[seed % 2]
        size = sizes[seed // 2 % len(sizes)]
        found = judge(kind, size, seed, TABLES[seed // 2 // len(sizes) % len(TABLES)])
        total.faults += found.faults
        total.counts += found.counts
    return total


if __name__ == "__main__":
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    result = judged(range(first, first + int(sys.argv[1])))
    print("\n".join(result.faults[:20]))
    print(dict(result.counts), "faults:", len(result.faults))
