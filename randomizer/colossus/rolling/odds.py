"""How likely every hex is to become what, exactly and without rolling.

A forward pass over the statements. Two maps behave alike from a statement on if the *live* labels,
those that a later AREA still needs, hold the same hexes; so the maps are kept as classes of equal
live labels, each with the chance of every state of every hex. What an AREA took is enumerated only
while ``usedup`` or ``leftover`` is live: given how many hexes were taken, all choices of that many
are equally likely. Before anything is enumerated the branches are counted, and beyond a limit the
answer is ``TooLarge``.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from randomizer.colossus.board import HEX_COUNT
from randomizer.colossus.rolling.program import (
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
    Use,
    Without,
    around,
)
from randomizer.colossus.rolling.roller import PLAIN_BASE, Base

WORK_LIMIT = 10_000
"""In branches, of about 0.01 ms each."""

State = tuple[int, int]
"""Terrain (an index into the terrain set) and elevation."""
Chances = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Odds:
    """``hexes`` has shape (27, S): the chance of every one of the S ``states`` on every hex.

    ``after`` has the same as it stands after each AREA (index in ``Script.statements``, (27, S)).
    """

    states: tuple[State, ...]
    hexes: Chances
    after: tuple[tuple[int, Chances], ...]

    def of(self, number: int) -> dict[State, float]:
        """What hex ``number`` can become: the likeliest first."""
        found = zip(self.states, self.hexes[number].tolist(), strict=True)
        return dict(sorted((pair for pair in found if pair[1]), key=lambda pair: -pair[1]))


@dataclass(frozen=True, slots=True)
class TooLarge:
    """Why there are no exact odds: at least ``work`` branches are beyond the limit."""

    work: int


def exact_odds(
    program: Program, base: Base = PLAIN_BASE, limit: int = WORK_LIMIT
) -> Odds | TooLarge:
    """The odds of ``program`` rolled onto ``base``, if they take at most ``limit`` branches.

    They are those of the percentages as written; keyed draws round them to 2**-16. A hazard that
    the game does not know takes its hex and leaves it as it is (a roll would end there).
    """
    try:
        return _Pass(program, base, limit).odds()
    except _TooLargeError as refusal:
        return TooLarge(refusal.work)


class _TooLargeError(Exception):
    def __init__(self, work: int) -> None:
        self.work = work


# --- which labels are live ---------------------------------------------------------------------

_Hexes = tuple[int, ...]
"""The value of a list, ascending: a draw cannot tell the order."""
_Needs = dict[str, bool]
"""The live labels; True where duplicates count, False where only "in it or not" does."""


def _live_steps(program: Program) -> list[tuple[AreaStep | LabelStep, _Needs]]:
    """The steps that can change a hex, each with what is live after it."""
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


# --- one AREA ----------------------------------------------------------------------------------


class _Placed:
    """What the hazards of an AREA do to a list of ``total`` hexes, whichever hexes it has.

    ``counts[j]`` is the chance that j hexes are taken; ``nth[j, r]`` (S,) what the one taken as
    the r-th (from 0) then becomes, times ``counts[j]``. ``rows`` (K, S + 1) are the hazards: the
    chance of each state, and last that it leaves the hex as it is.
    """

    def __init__(self, percents: Sequence[float], rows: Chances, total: int) -> None:
        self.total = total
        most = min(total, len(percents))
        self.counts = np.zeros(most + 1)
        self.counts[0] = 1
        self.nth = np.zeros((most + 1, most, rows.shape[1]))
        for percent, row in zip(percents, rows, strict=True):
            hit = percent / 100
            taken, taken_nth = self.counts[:-1] * hit, self.nth[:-1] * hit
            # Where no hex is left (the last row) nothing more is drawn.
            self.counts[:-1] *= 1 - hit
            self.nth[:-1] *= 1 - hit
            self.counts[1:] += taken
            self.nth[1:] += taken_nth
            self.nth[np.arange(1, most + 1), np.arange(most)] += taken[:, None] * row
        self._last: dict[tuple[int, int], Chances] = {}
        self._any: dict[int, Chances] = {}

    def last(self, taken: int, copies: int) -> Chances:
        """What a hex becomes that is ``copies`` (>= 1) times among ``taken``: the last one counts.

        (S + 1,), times the chance of ``taken``.
        """
        key = taken, copies
        if key not in self._last:
            ways = [math.comb(r, copies - 1) / math.comb(taken, copies) for r in range(taken)]
            self._last[key] = np.array(ways) @ self.nth[taken, :taken]
        return self._last[key]

    def whichever(self, copies: int) -> Chances:
        """What a hex becomes that is ``copies`` times in the list, taken or not: (S + 1,)."""
        if copies not in self._any:
            others, found = self.total - copies, np.zeros(self.nth.shape[2])
            for taken, chance in enumerate(self.counts.tolist()):
                every = math.comb(self.total, taken)
                found[-1] += chance * (math.comb(others, taken) / every)
                for own in range(1, min(copies, taken) + 1):
                    ways = math.comb(copies, own) * math.comb(others, taken - own)
                    found += self.last(taken, own) * (ways / every)
            self._any[copies] = found
        return self._any[copies]

    def branches(self) -> int:
        """How many sets of taken hexes there are."""
        return sum(math.comb(self.total, j) for j, chance in enumerate(self.counts) if chance)


def _elevations(placing: Placing) -> tuple[float, float, float]:
    """The chances of elevation 0, 1 and 2, where the hazard is placed."""
    # The limits tell what is certain and what impossible, which rounded quotients miss by a hair.
    first, second = (
        min(max(below / 100, limit == 65536), limit > 0)
        for below, limit in zip(placing.below, (placing.first, placing.second), strict=True)
    )
    return min(first, second), max(second - first, 0.0), 1.0 - second


# --- the pass ----------------------------------------------------------------------------------

_Key = tuple[_Hexes, ...]
"""What the live labels hold."""
_Labels = dict[str, _Hexes]
_Branches = Iterator[tuple[_Labels, Chances]]
"""The labels that a step writes, with the part of a class in which it writes just that."""
_Step = Callable[[_Hexes, _Needs, Chances], _Branches]
"""The branches of a class for which the step's list is known, given what is live after it."""


class _Pass:
    """Takes the classes of maps from step to step. ``states`` as in ``Odds``."""

    def __init__(self, program: Program, base: Base, limit: int) -> None:
        self.steps = _live_steps(program)
        self.limit = limit
        self.work = 0
        self.base = list(zip(base.terrain, base.elevation, strict=True))
        placed = {
            (placing.terrain, elevation)
            for step, _needs in self.steps
            for placing in (step.placings if isinstance(step, AreaStep) else ())
            for elevation, chance in enumerate(_elevations(placing))
            if chance and placing.terrain >= 0
        }
        self.states = tuple(sorted(placed.union(self.base)))

    def odds(self) -> Odds:
        hexes = np.zeros((HEX_COUNT, len(self.states)))
        hexes[range(HEX_COUNT), [self.states.index(state) for state in self.base]] = 1
        classes: dict[_Key, Chances] = {(): hexes}
        live: _Needs = {}
        after = []
        for step, needs in self.steps:
            branches = self._area(step) if isinstance(step, AreaStep) else _labelled(step)
            found: dict[_Key, Chances] = {}
            self._spend(len(classes))
            for key, chances in classes.items():
                labels = dict(zip(live, key, strict=True))
                for value, chance in self._values(step.hexes, labels).items():
                    for written, part in branches(
                        value, needs, chances * chance if chance < 1 else chances
                    ):
                        now = labels | written
                        new = tuple(
                            now[name] if counted else tuple(dict.fromkeys(now[name]))
                            for name, counted in needs.items()
                        )
                        found[new] = found[new] + part if new in found else part
            classes, live = found, needs
            if isinstance(step, AreaStep):
                every = sum(classes.values(), np.zeros_like(hexes))
                after.append((step.statement, np.minimum(every, 1.0)))
        return Odds(self.states, after[-1][1] if after else classes[()], tuple(after))

    def _spend(self, work: int) -> None:
        self.work += work
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
        if longest > LIST_LIMIT:  # whether this can be rolled at all, only a roll will tell
            self._spend(self.limit + 1)
        if len(first) * len(second) > 1 or longest > HEX_COUNT:
            self._spend(len(first) * len(second) * (1 + longest // HEX_COUNT))
        return _summed((combine(a, b), p * q) for a, p in first.items() for b, q in second.items())

    # --- AREA ---

    def _area(self, step: AreaStep) -> _Step:
        rows = np.zeros((len(step.placings), len(self.states) + 1))
        for row, placing in zip(rows, step.placings, strict=True):
            if placing.terrain < 0:
                row[-1] = 1
                continue
            for elevation, chance in enumerate(_elevations(placing)):
                if chance:
                    row[self.states.index((placing.terrain, elevation))] = chance
        percents = [placing.percent for placing in step.placings]
        by_total: dict[int, _Placed] = {}

        def branches(hexes: _Hexes, live: _Needs, chances: Chances) -> _Branches:
            total = len(hexes)
            if total not in by_total:
                most = min(total, len(percents))
                self._spend(len(percents) * (1 + most * most * len(self.states) // 10_000))
                by_total[total] = _Placed(percents, rows, total)
            placed = by_total[total]
            if USEDUP not in live and LEFTOVER not in live:
                yield {}, _become(chances, hexes, placed.whichever, 1, 1)
                return
            self._spend(placed.branches())
            for taken, chance in enumerate(placed.counts.tolist()):
                if not chance:
                    continue
                last = partial(placed.last, taken)
                for used, share in _taken(hexes, taken).items():
                    left = _left_over(hexes, used) if LEFTOVER in live else ()
                    part = _become(chances, used, last, share, chance)
                    yield {USEDUP: used, LEFTOVER: left}, part

        return branches


def _labelled(step: LabelStep) -> _Step:
    def branches(hexes: _Hexes, live: _Needs, chances: Chances) -> _Branches:
        yield {step.name: hexes}, chances

    return branches


def _become(
    chances: Chances,
    hexes: _Hexes,
    fate: Callable[[int], Chances],
    share: float,
    chance: float,
) -> Chances:
    """``share`` of the maps of a class, after ``hexes`` took their hazards.

    ``fate`` says by the copies of a hex what it becomes, times ``chance``.
    """
    part = chances * (share * chance)
    weight = share * chances[0].sum()
    by_copies: dict[int, list[int]] = {}
    for number, copies in Counter(hexes).items():
        by_copies.setdefault(copies, []).append(number)
    for copies, numbers in by_copies.items():
        row = fate(copies)
        part[numbers] = weight * row[:-1] + share * row[-1] * chances[numbers]
    return part


def _taken(hexes: _Hexes, count: int) -> dict[_Hexes, float]:
    """What ``count`` draws without replacement take, ascending."""
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
