"""Static analysis of a program: which steps matter, and how long lists can become."""

from __future__ import annotations

from collections.abc import Mapping, Set
from functools import lru_cache
from itertools import chain

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
    Program,
    StartStep,
    Step,
    Use,
    Without,
)


@lru_cache(16)
def needed_steps(program: Program) -> tuple[tuple[Step, frozenset[str]], ...]:
    """The steps that matter, each with the labels that are still read after it."""
    steps: list[tuple[Step, frozenset[str]]] = []
    needed: frozenset[str] = frozenset()
    start_is_set = False
    for step in reversed(program.steps):
        if isinstance(step, LabelStep) and step.name not in needed:
            continue
        if isinstance(step, StartStep) and start_is_set:
            continue
        start_is_set |= isinstance(step, StartStep)
        steps.append((step, needed))
        needed -= _set_by(step)
        needed |= _read_in(step.hexes)
    return tuple(steps[::-1])


def _set_by(step: Step) -> Set[str]:
    if isinstance(step, LabelStep):
        return {step.name}
    return {USEDUP, LEFTOVER} if isinstance(step, AreaStep) else set()


def _read_in(hexes: HexList) -> Set[str]:
    if isinstance(hexes, Fixed | Use):
        return {hexes.name} if isinstance(hexes, Use) else set()
    return set(chain.from_iterable(map(_read_in, _inside(hexes))))


def _inside(hexes: Function | Chain) -> tuple[HexList, ...]:
    if isinstance(hexes, Chain):
        return hexes.parts
    return (hexes.source, hexes.without) if isinstance(hexes, Without) else (hexes.source,)


@lru_cache(16)
def longest_list(program: Program) -> int:
    """The most hexes, duplicates counted, that any list, nested ones included, can hold."""
    most = {name: len(part) for name, part in PARTS.items()}
    longest = 0
    for step in program.steps:
        length, longest_inside = _lengths(step.hexes, most)
        longest = max(longest, longest_inside)
        most |= dict.fromkeys(_set_by(step), length)
    return longest


def _lengths(hexes: HexList, most: Mapping[str, int]) -> tuple[int, int]:
    """Upper bounds of the length of a list, and of the longest list in it."""
    if isinstance(hexes, Fixed | Use):
        length = len(hexes.hexes) if isinstance(hexes, Fixed) else most.get(hexes.name, 0)
        return length, length
    inner = [_lengths(part, most) for part in _inside(hexes)]
    if isinstance(hexes, Chain):
        length = sum(length for length, _ in inner)
    elif isinstance(hexes, Around):
        length = HEX_COUNT
    else:
        length = inner[0][0] if isinstance(hexes, Without) else min(hexes.count, inner[0][0])
    return length, max(length, *(longest for _, longest in inner))
