"""Answers about a whole program: which of its steps matter, how long its lists can become.

for step, labels_read in needed_steps(program): ...    # to roll it
longest_list(program)                                  # 27: the most hexes of any of its lists
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from randomizer.model.basics.caches import KB, registered
from randomizer.systems.colossus.board import HEX_COUNT, PARTS
from randomizer.systems.colossus.rolling.program import (
    LEFTOVER,
    USEDUP,
    AreaStep,
    Around,
    Chain,
    Fixed,
    Function,
    HexList,
    LabelStep,
    Pick,
    Program,
    StartStep,
    Step,
    Use,
    Without,
)


class NeededStep(NamedTuple):
    """A step whose result matters."""

    step: Step
    labels_read: frozenset[str]
    """The labels whose lists, as they are after this step, a later step reads."""


@registered(bytes_each=50 * KB)
@lru_cache(16)
def needed_steps(program: Program) -> tuple[NeededStep, ...]:
    """Return the steps without labels that nothing reads, and without all but the last start list.

    They are found from the last step to the first, since only later steps read a label.
    """
    steps: list[NeededStep] = []
    labels_read: frozenset[str] = frozenset()
    start_is_set = False
    for step in reversed(program.steps):
        if isinstance(step, LabelStep) and step.name not in labels_read:
            continue
        if isinstance(step, StartStep):
            if start_is_set:
                continue
            start_is_set = True
        steps.append(NeededStep(step, labels_read))
        labels_read -= _labels_set_by(step)
        labels_read |= _labels_in(step.hexes)
    return tuple(reversed(steps))


def _labels_set_by(step: Step) -> Set[str]:
    """Return the labels that a step gives a list to."""
    if isinstance(step, LabelStep):
        return {step.name}
    if isinstance(step, AreaStep):
        return {USEDUP, LEFTOVER}
    return set()


def _labels_in(hexes: HexList) -> Set[str]:
    """Return the labels that a list uses, nested ones included."""
    if isinstance(hexes, Use):
        return {hexes.name}
    if isinstance(hexes, Fixed):
        return set()
    return set(chain.from_iterable(map(_labels_in, _lists_in(hexes))))


def _lists_in(hexes: Function | Chain) -> tuple[HexList, ...]:
    """Return the lists that a list is directly made from."""
    if isinstance(hexes, Chain):
        return hexes.parts
    if isinstance(hexes, Without):
        return (hexes.source, hexes.without)
    return (hexes.source,)


@registered(bytes_each=KB)
@lru_cache(16)
def longest_list(program: Program) -> int:
    """Return the most hexes, duplicates counted, that any list, nested ones included, can hold."""
    lengths = {name: len(hexes) for name, hexes in PARTS.items()}
    longest = 0
    for step in program.steps:
        bounds = _length_bounds(step.hexes, lengths)
        longest = max(longest, bounds.longest)
        for name in _labels_set_by(step):
            lengths[name] = bounds.length
    return longest


class _LengthBounds(NamedTuple):
    """Upper bounds of the numbers of hexes in a list, duplicates counted."""

    length: int
    """That of the list itself."""
    longest: int
    """That of the longest list among it and those nested in it."""


def _length_bounds(hexes: HexList, lengths: Mapping[str, int]) -> _LengthBounds:
    """Return the bounds of a list, if labels have at most these lengths."""
    nested: list[_LengthBounds] = []
    if not isinstance(hexes, Fixed | Use):
        nested = [_length_bounds(part, lengths) for part in _lists_in(hexes)]
    match hexes:
        case Fixed():
            length = len(hexes.hexes)
        case Use():
            length = lengths.get(hexes.name, 0)
        case Chain():
            length = sum(bounds.length for bounds in nested)
        case Around():
            length = HEX_COUNT
        case Without():
            length = nested[0].length
        case Pick():
            length = min(hexes.count, nested[0].length)
    return _LengthBounds(length, max([length, *(bounds.longest for bounds in nested)]))
