"""The exact chances of every value of every hex and hexside, without rolling.

A forward pass over the statements. Two maps are equivalent from a statement on if the *live*
labels, those that a later AREA still needs, hold the same hexes; so the maps are kept as classes of
equal live labels, each with the chance of every state of every hex (or of the two hexes at every
edge). The hexes taken by an AREA are enumerated only while ``usedup`` or ``leftover`` is live.
Branches are counted before anything is enumerated; beyond a limit the result is ``TooLarge``.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np

from randomizer.systems.colossus.board import HEX_COUNT
from randomizer.systems.colossus.odds.area_odds import (
    EDGES,
    AreaOdds,
    Chances,
    EdgeChances,
    HexChances,
    NoChances,
)
from randomizer.systems.colossus.rolling.program import (
    LEFTOVER,
    LIST_LIMIT,
    USEDUP,
    AreaStep,
    Around,
    Chain,
    Fixed,
    HexList,
    LabelStep,
    Pick,
    Placing,
    Program,
    Step,
    Use,
    Without,
    around,
    state_of,
)
from randomizer.systems.colossus.rolling.roller import PLAIN_HEXES, HexBase

WORK_LIMIT = 5_000
"""In branches of about 0.01 ms each; 0.03 ms with hexsides, which dominate from 8 states on."""

State = tuple[int, int]
"""Terrain (an index into the terrain set) and elevation."""
_ROUNDING = 1e-14
"""The rounding error in the chance of a hexside of the base that is certainly replaced."""
SideOdds = dict[tuple[int, int], dict[int, float]]
"""(hex id, side) -> plane value -> chance, where any but 0 (none) has one."""


@dataclass(frozen=True, eq=False)
class Odds:
    """``hexes`` has shape (27, S): the chance of each of the S ``states`` on each hex.

    ``after`` has the same after each AREA (index in ``Script.statements``, (27, S)). ``sides`` is
    None if not requested. With ``by_statement`` there is one state for each statement that can
    place it: ``placed_by`` (S) has their indices, -1 for the map below.
    """

    states: tuple[State, ...]
    hexes: Chances
    after: tuple[tuple[int, Chances], ...]
    sides: SideOdds | None = None
    placed_by: tuple[int, ...] = ()

    def of(self, number: int) -> dict[State, float]:
        """What hex ``number`` can become: the likeliest first."""
        found = zip(self.states, self.hexes[number].tolist(), strict=True)
        return dict(sorted((pair for pair in found if pair[1]), key=lambda pair: -pair[1]))


@dataclass(frozen=True, slots=True)
class TooLarge:
    """Why there are no exact odds: they take at least ``work`` branches, more than the limit."""

    work: int


def exact_odds(
    program: Program,
    base: HexBase = PLAIN_HEXES,
    limit: int = WORK_LIMIT,
    *,
    sides: bool = False,
    by_statement: bool = False,
) -> Odds | TooLarge:
    """The odds of ``program`` rolled onto ``base``, if they take at most ``limit`` branches.

    ``sides`` requests hexsides, ``by_statement`` the statement that is responsible. The odds are
    those of the percentages as written; keyed draws round them to 2**-16. An unknown hazard takes
    its hex and leaves it as it is (a roll would fail there).
    """
    try:
        kind = EdgeChances if sides else HexChances
        return _Pass(program, base, limit, kind, by_statement).odds()
    except _TooLargeError as refusal:
        return TooLarge(refusal.work)


class _TooLargeError(Exception):
    def __init__(self, work: int) -> None:
        self.work = work


# --- which labels are live ---------------------------------------------------------------------

_Hexes = tuple[int, ...]
"""The value of a list, ascending: the order does not affect draws."""
_Needs = dict[str, bool]
"""The live labels; True where duplicates count, False where only membership does."""


def _live_steps(program: Program) -> list[tuple[AreaStep | LabelStep, _Needs]]:
    """The steps that can change a hex, each with the labels live after it."""
    needs: _Needs = {}
    steps: list[tuple[AreaStep | LabelStep, _Needs]] = []
    for step in reversed(program.steps):
        if isinstance(step, LabelStep) and step.name in needs:
            written, counted = {step.name}, needs[step.name]
        elif isinstance(step, AreaStep) and (
            USEDUP in needs or LEFTOVER in needs or any(p.terrain >= 0 for p in step.placings)
        ):
            written, counted = {USEDUP, LEFTOVER}, True
        else:
            continue
        steps.append((step, needs))
        needs = {name: need for name, need in needs.items() if name not in written}
        _add_uses(step.hexes, counted, needs)
    return steps[::-1]


def _add_uses(hexes: HexList, counted: bool, needs: _Needs) -> None:
    match hexes:
        case Use(name):
            needs[name] = needs.get(name, False) or counted
        case Chain(parts):
            for part in parts:
                _add_uses(part, counted, needs)
        case Without(source, without):
            _add_uses(source, counted, needs)
            _add_uses(without, False, needs)
        case Around(source):
            _add_uses(source, False, needs)
        case Pick(_, source):
            _add_uses(source, True, needs)


def _uses(hexes: HexList) -> list[str]:
    """The labels that a list refers to."""
    needs: _Needs = {}
    _add_uses(hexes, True, needs)
    return list(needs)


def _elevations(placing: Placing) -> tuple[float, float, float]:
    """The chances of elevation 0, 1 and 2 if the hazard is placed."""
    # The limits decide what is certain or impossible; rounded quotients can miss it slightly.
    first, second = (
        min(max(below / 100, limit == 65536), limit > 0)
        for below, limit in zip(placing.below, (placing.first, placing.second), strict=True)
    )
    return min(first, second), max(second - first, 0.0), 1.0 - second


# --- the pass ----------------------------------------------------------------------------------

_Key = tuple[_Hexes, ...]
"""The values of the live labels."""
_Labels = dict[str, _Hexes]
_Branches = Iterator[tuple[_Labels, Chances]]
"""The labels that a step sets, with the part of a class in which it sets exactly these."""
_Kind = type[NoChances] | type[HexChances] | type[EdgeChances]
_Step = Callable[[_Hexes, Chances], _Branches]
"""The branches of a class whose list in the step is known."""


class _Pass:
    """Carries the classes of maps from step to step. ``states`` as in ``Odds``."""

    def __init__(
        self,
        program: Program,
        base: HexBase,
        limit: int,
        kind: type[HexChances] | type[EdgeChances],
        by_statement: bool,
    ) -> None:
        self.kind, self.by_statement = kind, by_statement
        self.program, self.map_below = program, base
        self.steps = _live_steps(program)
        self.limit = limit
        self.work = 0
        self.lists: dict[tuple[int, _Key], dict[_Hexes, float]] = {}
        self.base = [(*state, -1) for state in zip(base.terrain, base.elevation, strict=True)]
        placed = {
            (placing.terrain, elevation, self._placer(step))
            for step, _needs in self.steps
            for placing in (step.placings if isinstance(step, AreaStep) else ())
            for elevation, chance in enumerate(_elevations(placing))
            if chance and placing.terrain >= 0
        }
        self.columns = sorted(placed.union(self.base))
        self.states = tuple((terrain, elevation) for terrain, elevation, _placer in self.columns)
        self.every = self._start(kind)
        self.weight = 1 + self.every.size // 4_000

    def _start(self, kind: _Kind) -> Chances:
        return kind.start([self.columns.index(state) for state in self.base], len(self.columns))

    def _placer(self, step: Step) -> int:
        return step.statement if self.by_statement else -1

    def odds(self) -> Odds:
        if self.kind is EdgeChances:
            # Their chances cost so much that counting the classes beforehand pays.
            for _ in self._follow(NoChances):
                pass
            self.work = 0
        every, after = self.every, []
        for statement, every in self._follow(self.kind):
            after.append((statement, np.minimum(self.kind.hexes(every), 1.0)))
        sides = self._sides(every) if self.kind is EdgeChances else None
        hexes = np.minimum(self.kind.hexes(every), 1.0)
        placed_by = tuple(placer for _terrain, _elevation, placer in self.columns)
        return Odds(self.states, hexes, tuple(after), sides, placed_by)

    def _follow(self, kind: _Kind) -> Iterator[tuple[int, Chances]]:
        """After each AREA its statement and the chances of all classes."""
        classes: dict[_Key, Chances] = {(): self._start(kind)}
        live: _Needs = {}
        for step, needs in self.steps:
            self._spend(len(classes))
            known, uses = [], _uses(step.hexes)
            for key, chances in classes.items():
                labels = dict(zip(live, key, strict=True))
                used = step.statement, tuple(labels[name] for name in uses)
                if used not in self.lists:  # classes that differ in other labels have the same
                    self.lists[used] = self._values(step.hexes, labels)
                known.append((labels, chances, self.lists[used]))
            # The step's cost is known before it begins, so ``TooLarge`` comes early.
            lists = [value for _labels, _chances, values in known for value in values]
            if isinstance(step, AreaStep):
                branches = self._area(step, needs, lists, kind)
            else:
                self._spend(len(lists) - len(classes))
                branches = _labelled(step)
            found: dict[_Key, Chances] = {}
            for labels, chances, values in known:
                for value, chance in values.items():
                    for written, part in branches(
                        value, chances * chance if chance < 1 else chances
                    ):
                        now = labels | written
                        new = tuple(
                            now[name] if counted else tuple(dict.fromkeys(now[name]))
                            for name, counted in needs.items()
                        )
                        found[new] = found[new] + part if new in found else part
            classes, live = found, needs
            if isinstance(step, AreaStep):
                yield step.statement, sum(classes.values(), np.zeros(()))

    def _sides(self, chances: Chances) -> SideOdds:
        """``chances`` as in ``EdgeChances``."""
        hexside = self.map_below.hexside
        found: SideOdds = {
            (number, side): {code: 1.0} if code else {}
            for number, row in enumerate(hexside)
            for side, code in enumerate(row)
        }
        pairs, rows = self.program.pairs, [state_of(*state) for state in self.states]
        for (x, high), (y, low) in product(enumerate(rows), repeat=2):
            choices = (pairs[high] or {}).get(low)
            if choices is None:
                continue
            shares, missed = [], 1.0
            for percent in choices.percents:
                shares.append(missed * percent / 100)
                missed *= 1 - percent / 100
            both = zip(EDGES, chances[:, x, y].tolist(), chances[:, y, x].tolist(), strict=True)
            for (number, side, other), there, back in both:
                for key, chance in (((number, side), there), ((other, (side + 3) % 6), back)):
                    if chance:
                        odds, below = found[key], hexside[key[0]][key[1]]
                        for code, share in zip(choices.codes, shares, strict=True):
                            odds[code] = odds.get(code, 0.0) + chance * share
                        if below:
                            odds[below] -= chance * (1 - missed)
        return {
            key: kept
            for key, odds in found.items()
            if (kept := {code: min(p, 1.0) for code, p in odds.items() if p > _ROUNDING})
        }

    def _spend(self, work: int) -> None:
        self.work += work * self.weight
        if self.work > self.limit:
            raise _TooLargeError(self.work)

    # --- lists: every value with its chance ---

    def _values(self, hexes: HexList, labels: _Labels) -> dict[_Hexes, float]:
        match hexes:
            case Fixed(value):
                return {tuple(sorted(value)): 1.0}
            case Use(name):
                return {labels[name]: 1.0}
            case Chain(parts):
                found: dict[_Hexes, float] = {(): 1.0}
                for part in parts:
                    found = self._both(found, self._values(part, labels), _joined)
                return found
            case Without(source, without):
                values = self._values(source, labels), self._values(without, labels)
                return self._both(*values, _without)
            case Around(source):
                return _summed((around(v), p) for v, p in self._values(source, labels).items())
            case Pick(count, source):
                given = self._values(source, labels)
                counts = [min(count, len(value)) for value in given]
                ways = sum(map(math.comb, map(len, given), counts))
                if ways > 1:
                    self._spend(ways)
                return _summed(
                    (taken, chance * share)
                    for (value, chance), many in zip(given.items(), counts, strict=True)
                    for taken, share in _taken(value, many).items()
                )

    def _both(
        self,
        first: dict[_Hexes, float],
        second: dict[_Hexes, float],
        combine: Callable[[_Hexes, _Hexes], _Hexes],
    ) -> dict[_Hexes, float]:
        longest = max(map(len, first)) + max(map(len, second))
        if longest > LIST_LIMIT:  # whether this can be rolled at all, only a roll shows
            self._spend(self.limit + 1)
        if len(first) * len(second) > 1 or longest > HEX_COUNT:
            self._spend(len(first) * len(second) * (1 + longest // HEX_COUNT))
        return _summed((combine(a, b), p * q) for a, p in first.items() for b, q in second.items())

    # --- AREA ---

    def _area(self, step: AreaStep, live: _Needs, lists: list[_Hexes], kind: _Kind) -> _Step:
        """The branches of the step for all of ``lists``."""
        rows = np.zeros((len(step.placings), len(self.states) + 1))
        for row, placing in zip(rows, step.placings, strict=True):
            if placing.terrain < 0:
                row[-1] = 1
                continue
            for elevation, chance in enumerate(_elevations(placing)):
                if chance:
                    column = placing.terrain, elevation, self._placer(step)
                    row[self.columns.index(column)] = chance
        percents = [placing.percent for placing in step.placings]
        by_total: dict[int, AreaOdds] = {}
        for total in set(map(len, lists)):
            self._spend(AreaOdds.work(len(percents), total, len(self.states), self.kind.edges))
            by_total[total] = AreaOdds(percents, rows, total, kind.edges)
        enumerated = USEDUP in live or LEFTOVER in live
        if enumerated:
            self._spend(sum(by_total[len(hexes)].branches() for hexes in lists))

        ways = {
            hexes: [
                ({USEDUP: used, LEFTOVER: left}, taken, share)
                for taken, chance in enumerate(by_total[len(hexes)].counts.tolist())
                if chance
                for used, share in _taken(hexes, taken).items()
                for left in (_left_over(hexes, used) if LEFTOVER in live else (),)
            ]
            for hexes in (set(lists) if enumerated else ())
        }

        def branches(hexes: _Hexes, chances: Chances) -> _Branches:
            area = by_total[len(hexes)]
            if not enumerated:
                yield {}, kind.after(chances, area, hexes, None, 1)
                return
            for written, taken, share in ways[hexes]:
                yield written, kind.after(chances, area, written[USEDUP], taken, share)

        return branches


def _labelled(step: LabelStep) -> _Step:
    def branches(hexes: _Hexes, chances: Chances) -> _Branches:
        yield {step.name: hexes}, chances

    return branches


def _taken(hexes: _Hexes, count: int) -> dict[_Hexes, float]:
    """The results of ``count`` draws without replacement, ascending."""
    ways = math.comb(len(hexes), count)
    return {value: many / ways for value, many in Counter(combinations(hexes, count)).items()}


def _left_over(hexes: _Hexes, used: _Hexes) -> _Hexes:
    return tuple(sorted((Counter(hexes) - Counter(used)).elements()))


def _joined(first: _Hexes, second: _Hexes) -> _Hexes:
    return tuple(sorted(first + second))


def _without(hexes: _Hexes, without: _Hexes) -> _Hexes:
    return tuple(number for number in hexes if number not in without)


def _summed(values: Iterable[tuple[_Hexes, float]]) -> dict[_Hexes, float]:
    found: dict[_Hexes, float] = {}
    for value, chance in values:
        found[value] = found.get(value, 0.0) + chance
    return found
