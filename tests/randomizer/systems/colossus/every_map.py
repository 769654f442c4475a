"""Every map that a small script can make, each with its probability as a fraction.

It follows the statements as the manual tells them and draws hex by hex; it shares nothing with the
exact odds but the compiled program.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

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
)
from randomizer.systems.colossus.rolling.roller import HexBase

Shown = tuple[tuple[int, int, int], ...]
"""For each hex its terrain, elevation and the statement that placed it, -1 for the map below."""
Labels = tuple[tuple[str, tuple[int, ...]], ...]
MOST = 1_000


class TooManyError(Exception):
    """More than MOST branches at once."""


def every_map(program: Program, base: HexBase) -> dict[Shown, Fraction]:
    """The maps and their probabilities. Raises TooManyError."""
    below = tuple((t, e, -1) for t, e in zip(base.terrain, base.elevation, strict=True))
    now: dict[tuple[Labels, Shown], Fraction] = {((), below): Fraction(1)}
    for step in program.steps:
        after: dict[tuple[Labels, Shown], Fraction] = {}
        for (labels, shown), chance in now.items():
            if isinstance(step, AreaStep | LabelStep):
                for new, share in _after(step, dict(labels), shown):
                    after[new] = after.get(new, Fraction(0)) + chance * share
            else:
                after[labels, shown] = after.get((labels, shown), Fraction(0)) + chance
            if len(after) > MOST:
                raise TooManyError
        now = after
    found: dict[Shown, Fraction] = {}
    for (_labels, shown), chance in now.items():
        found[shown] = found.get(shown, Fraction(0)) + chance
    return found


def _after(
    step: AreaStep | LabelStep, labels: dict[str, tuple[int, ...]], shown: Shown
) -> Iterator[tuple[tuple[Labels, Shown], Fraction]]:
    for hexes, chance in _lists(step.hexes, labels):
        if isinstance(step, LabelStep):
            yield (_sorted(labels | {step.name: hexes}), shown), chance
            continue
        for left, used, now, share in _placed(step.placings, hexes, (), shown, step.statement):
            written = {LEFTOVER: left, USEDUP: tuple(sorted(used))}
            yield (_sorted(labels | written), now), chance * share


def _sorted(labels: dict[str, tuple[int, ...]]) -> Labels:
    return tuple(sorted(labels.items()))


def _placed(
    placings: tuple[Placing, ...],
    left: tuple[int, ...],
    used: tuple[int, ...],
    shown: Shown,
    statement: int,
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...], Shown, Fraction]]:
    if not placings or not left:
        yield left, used, shown, Fraction(1)
        return
    first, *others = placings
    rest = tuple(others)
    hit = Fraction(min(max(first.percent, 0), 100)) / 100
    if hit < 1:
        for *found, chance in _placed(rest, left, used, shown, statement):
            yield *found, chance * (1 - hit)  # type: ignore[misc]
    for number, copies in Counter(left).items() if hit else ():
        remaining = list(left)
        remaining.remove(number)
        for elevation, high in enumerate(_elevations(first)):
            if high:
                now = list(shown)
                if first.terrain >= 0:
                    now[number] = first.terrain, elevation, statement
                share = hit * high * Fraction(copies, len(left))
                for *found, chance in _placed(
                    rest, tuple(remaining), (*used, number), tuple(now), statement
                ):
                    yield *found, chance * share  # type: ignore[misc]


def _elevations(placing: Placing) -> tuple[Fraction, Fraction, Fraction]:
    first, second = (Fraction(min(max(below, 0), 100)) / 100 for below in placing.bounds)
    return min(first, second), max(second - first, Fraction(0)), 1 - second


def _lists(
    hexes: HexList, labels: dict[str, tuple[int, ...]]
) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    match hexes:
        case Fixed(known):
            yield tuple(sorted(known)), Fraction(1)
        case Use(name):
            yield labels.get(name, ()), Fraction(1)
        case Chain(parts):
            first, *others = parts
            for one, chance in _lists(first, labels):
                for more, share in _lists(Chain(tuple(others)), labels) if others else [((), 1)]:
                    yield tuple(sorted(one + more)), chance * share
        case Without(source, without):
            for one, chance in _lists(source, labels):
                for out, share in _lists(without, labels):
                    yield tuple(n for n in one if n not in out), chance * share
        case Around(source):
            for one, chance in _lists(source, labels):
                near = {n for number in one for n in NEIGHBOURS[number] if n >= 0}
                yield tuple(sorted(near - set(one))), chance
        case Pick(count, source):
            for one, chance in _lists(source, labels):
                for taken, share in _drawn(one, min(count, len(one))):
                    yield taken, chance * share


def _drawn(hexes: tuple[int, ...], count: int) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    found: dict[tuple[tuple[int, ...], tuple[int, ...]], Fraction] = {((), hexes): Fraction(1)}
    for _ in range(max(count, 0)):
        after: dict[tuple[tuple[int, ...], tuple[int, ...]], Fraction] = {}
        for (taken, left), chance in found.items():
            for number, copies in Counter(left).items():
                remaining = list(left)
                remaining.remove(number)
                key = tuple(sorted((*taken, number))), tuple(remaining)
                after[key] = after.get(key, Fraction(0)) + chance * Fraction(copies, len(left))
            if len(after) > MOST:
                raise TooManyError
        found = after
    for (taken, _left), chance in found.items():
        yield taken, chance


def chances_of(
    program: Program, base: HexBase
) -> tuple[dict[tuple[int, int, int, int], Fraction], dict[tuple[int, int, int], Fraction]]:
    """By (hex id, terrain, elevation, statement), and by (hex id, side, hexside)."""
    hexes: dict[tuple[int, int, int, int], Fraction] = {}
    sides: dict[tuple[int, int, int], Fraction] = {}
    for shown, chance in every_map(program, base).items():
        for number in range(HEX_COUNT):
            key = number, *shown[number]
            hexes[key] = hexes.get(key, Fraction(0)) + chance
            for side, other in enumerate(NEIGHBOURS[number]):
                for code, share in _hexsides(program, base, shown, number, side, other):
                    if code and share:
                        mark = number, side, code
                        sides[mark] = sides.get(mark, Fraction(0)) + chance * share
    return hexes, sides


def _hexsides(
    program: Program, base: HexBase, shown: Shown, number: int, side: int, other: int
) -> Iterator[tuple[int, Fraction]]:
    left = Fraction(1)
    if other >= 0:
        high, low = (
            t * 4 + (e if 0 <= e <= 2 else 3) for t, e, _s in (shown[number], shown[other])
        )
        choices = (program.pairs[high] or {}).get(low)
        if choices is not None:
            for code, percent in zip(choices.codes, choices.percents, strict=True):
                hit = Fraction(min(max(percent, 0), 100)) / 100
                yield code, left * hit
                left *= 1 - hit
    yield base.hexside[number][side], left
