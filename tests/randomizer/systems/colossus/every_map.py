"""Every map that a small script can make, each with its probability as a fraction.

    chances = chances_of(compile_script(script), PLAIN_HEXES)     # or TooManyError

It follows the statements as the manual tells them and draws hex by hex; it shares nothing with the
exact odds, which tests compare with it, but the compiled program. Wherever the game draws, the
computation branches: a function yields each possible result with its probability.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from randomizer.systems.colossus.board import HEX_COUNT, NEIGHBOURS
from randomizer.systems.colossus.rolling.program import (
    LEFTOVER,
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
    state_of,
)
from randomizer.systems.colossus.rolling.roller import HexBase

Hexes = tuple[int, ...]
"""Hex ids, ascending, duplicates kept."""

MAX_BRANCHES = 1_000
"""The most states that are followed at once."""

CERTAIN = Fraction(1)


class TooManyError(Exception):
    """More than ``MAX_BRANCHES`` states at once."""


class HexState(NamedTuple):
    """What is on a hex."""

    terrain: int
    elevation: int
    statement: int
    """The statement that placed it, -1 for the map below."""


Hexmap = tuple[HexState, ...]
"""The states of all hexes, by hex id."""

Labels = tuple[tuple[str, Hexes], ...]
"""The lists of labels, sorted by name, so that equal ones are equal keys."""


class State(NamedTuple):
    """A roll after some statements; rolls in the same state go on alike, so they are added up."""

    labels: Labels
    hexmap: Hexmap


Branches = Mapping[State, Fraction]
"""The probabilities of all states in which a roll can be."""


def every_map(program: Program, base: HexBase) -> dict[Hexmap, Fraction]:
    """Return the maps and their probabilities. Raises TooManyError."""
    hexmap = tuple(
        HexState(terrain, elevation, statement=-1)
        for terrain, elevation in zip(base.terrain, base.elevation, strict=True)
    )
    branches: Branches = {State((), hexmap): CERTAIN}
    for step in program.steps:
        if isinstance(step, AreaStep | LabelStep):
            branches = _after_step(step, branches)
    chances: dict[Hexmap, Fraction] = defaultdict(Fraction)
    for state, chance in branches.items():
        chances[state.hexmap] += chance
    return dict(chances)


def _after_step(step: AreaStep | LabelStep, branches: Branches) -> Branches:
    """Return the states after one more step. Raises TooManyError."""
    new_branches: dict[State, Fraction] = defaultdict(Fraction)
    for state, chance in branches.items():
        for new_state, share in _states_after(step, state):
            new_branches[new_state] += chance * share
        if len(new_branches) > MAX_BRANCHES:
            raise TooManyError
    return new_branches


def _states_after(step: AreaStep | LabelStep, state: State) -> Iterator[tuple[State, Fraction]]:
    """Yield the states that can follow from one by a step, with their probabilities."""
    labels = dict(state.labels)
    for hexes, chance in _lists(step.hexes, labels):
        if isinstance(step, LabelStep):
            yield State(_sorted(labels | {step.name: hexes}), state.hexmap), chance
            continue
        start = _Placed(hexes, (), state.hexmap)
        for placed, share in _placed(step.placings, start, step.statement):
            written = {LEFTOVER: placed.free_hexes, USEDUP: tuple(sorted(placed.used_hexes))}
            yield State(_sorted(labels | written), placed.hexmap), chance * share


def _sorted(labels: dict[str, Hexes]) -> Labels:
    """Return labels as a part of a ``State``."""
    return tuple(sorted(labels.items()))


# --- hazards -------------------------------------------------------------------------------------


class _Placed(NamedTuple):
    """An AREA after some of its hazards."""

    free_hexes: Hexes
    used_hexes: Hexes
    """Those that got a hazard, in this order."""
    hexmap: Hexmap


def _placed(
    placings: tuple[Placing, ...], area: _Placed, statement: int
) -> Iterator[tuple[_Placed, Fraction]]:
    """Yield the results of placing hazards one after the other, with their probabilities."""
    if not placings or not area.free_hexes:
        yield area, CERTAIN
        return
    placing, *further = placings
    further_placings = tuple(further)
    hit = _percent(placing.percent)
    if hit < 1:
        for placed, chance in _placed(further_placings, area, statement):
            yield placed, chance * (1 - hit)
    if not hit:
        return
    for number, copies in Counter(area.free_hexes).items():
        chance_of_hex = Fraction(copies, len(area.free_hexes))
        for elevation, chance_of_elevation in enumerate(_elevations(placing)):
            if not chance_of_elevation:
                continue
            with_hazard = _with_hazard(area, placing, number, elevation, statement)
            share = hit * chance_of_hex * chance_of_elevation
            for placed, chance in _placed(further_placings, with_hazard, statement):
                yield placed, chance * share


def _with_hazard(
    area: _Placed, placing: Placing, number: int, elevation: int, statement: int
) -> _Placed:
    """Return an AREA after a hazard was placed on hex ``number``.

    A hazard that the game does not know (its terrain is below 0) uses its hex up, but leaves it.
    """
    hexmap = list(area.hexmap)
    if placing.terrain >= 0:
        hexmap[number] = HexState(placing.terrain, elevation, statement)
    free_hexes = _without_one(area.free_hexes, number)
    return _Placed(free_hexes, (*area.used_hexes, number), tuple(hexmap))


def _percent(percent: float) -> Fraction:
    """Return a percentage, clamped to 0 to 100, as a probability."""
    return Fraction(min(max(percent, 0), 100)) / 100


def _elevations(placing: Placing) -> tuple[Fraction, Fraction, Fraction]:
    """Return the probabilities of the elevations 0, 1 and 2 of a hazard."""
    of_zero, of_one = (_percent(bound) for bound in placing.bounds)
    return min(of_zero, of_one), max(of_one - of_zero, Fraction(0)), 1 - of_one


# --- lists ---------------------------------------------------------------------------------------


def _lists(hexes: HexList, labels: dict[str, Hexes]) -> Iterator[tuple[Hexes, Fraction]]:
    """Yield what a list can be, with the probability of each."""
    match hexes:
        case Fixed(fixed_hexes):
            yield tuple(sorted(fixed_hexes)), CERTAIN
        case Use(name):
            yield labels.get(name, ()), CERTAIN
        case Chain(parts):
            yield from _chained(parts, labels)
        case Without(source, without):
            for source_hexes, chance in _lists(source, labels):
                for excluded, share in _lists(without, labels):
                    remaining = [number for number in source_hexes if number not in excluded]
                    yield tuple(remaining), chance * share
        case Around(source):
            for source_hexes, chance in _lists(source, labels):
                neighbours: set[int] = set()
                for number in source_hexes:
                    neighbours.update(NEIGHBOURS[number])
                # -1 is the neighbour beyond the rim.
                yield tuple(sorted(neighbours - set(source_hexes) - {-1})), chance
        case Pick(count, source):
            for source_hexes, chance in _lists(source, labels):
                for picked, share in _picked(source_hexes, min(count, len(source_hexes))):
                    yield picked, chance * share


def _chained(
    parts: tuple[HexList, ...], labels: dict[str, Hexes]
) -> Iterator[tuple[Hexes, Fraction]]:
    """Yield what several lists can be together."""
    if not parts:
        yield (), CERTAIN
        return
    for first_hexes, chance in _lists(parts[0], labels):
        for further_hexes, share in _chained(parts[1:], labels):
            yield tuple(sorted(first_hexes + further_hexes)), chance * share


def _picked(hexes: Hexes, count: int) -> Iterator[tuple[Hexes, Fraction]]:
    """Yield what a SOMEOF can pick: ``count`` hexes, one after the other. Raises TooManyError.

    The order in which they are picked makes no difference.
    """
    # By the hexes picked so far and those that remain.
    chances: dict[tuple[Hexes, Hexes], Fraction] = {((), hexes): CERTAIN}
    for _ in range(max(count, 0)):
        new_chances: dict[tuple[Hexes, Hexes], Fraction] = defaultdict(Fraction)
        for (picked, pool), chance in chances.items():
            for number, copies in Counter(pool).items():
                key = (tuple(sorted((*picked, number))), _without_one(pool, number))
                new_chances[key] += chance * Fraction(copies, len(pool))
            if len(new_chances) > MAX_BRANCHES:
                raise TooManyError
        chances = new_chances
    for (picked, _pool), chance in chances.items():
        yield picked, chance


def _without_one(hexes: Hexes, number: int) -> Hexes:
    """Return hexes without one occurrence of a hex."""
    remaining = list(hexes)
    remaining.remove(number)
    return tuple(remaining)


# --- odds ----------------------------------------------------------------------------------------


def chances_of(
    program: Program, base: HexBase
) -> tuple[dict[tuple[int, int, int, int], Fraction], dict[tuple[int, int, int], Fraction]]:
    """Return the odds by (hex id, terrain, elevation, statement), and by (hex id, side, hexside).

    Raises TooManyError.
    """
    hexes: dict[tuple[int, int, int, int], Fraction] = defaultdict(Fraction)
    sides: dict[tuple[int, int, int], Fraction] = defaultdict(Fraction)
    for hexmap, chance in every_map(program, base).items():
        for number in range(HEX_COUNT):
            hexes[number, *hexmap[number]] += chance
            for side, neighbour in enumerate(NEIGHBOURS[number]):
                for code, share in _hexsides(program, base, hexmap, number, side, neighbour):
                    if code and share:
                        sides[number, side, code] += chance * share
    return dict(hexes), dict(sides)


def _hexsides(
    program: Program, base: HexBase, hexmap: Hexmap, number: int, side: int, neighbour: int
) -> Iterator[tuple[int, Fraction]]:
    """Yield the hexsides (codes) that a side of a hex can get, with their probabilities.

    The game tries those of the PAIR one after the other; if none comes, that of the base stays.
    """
    none_so_far = CERTAIN
    if neighbour >= 0:
        high = state_of(hexmap[number].terrain, hexmap[number].elevation)
        low = state_of(hexmap[neighbour].terrain, hexmap[neighbour].elevation)
        choices = (program.pairs[high] or {}).get(low)
        if choices is not None:
            for code, percent in zip(choices.codes, choices.percents, strict=True):
                hit = _percent(percent)
                yield code, none_so_far * hit
                none_so_far *= 1 - hit
    yield base.hexside[number][side], none_so_far
