"""A compiled randomizer script: lists folded, sites numbered, thresholds computed.

A ``Program`` (made by ``compiler``) is plain data that every roller reads. Sites and thresholds
follow docs/adr/0003-keyed-draws.md; they never change.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.caches import KB, registered
from randomizer.systems.colossus.board import HEX_COUNT, NEIGHBOURS, PARTS
from randomizer.systems.colossus.script import syntax

EDGE_COUNT = HEX_COUNT * 6
"""Directed hexsides: ``hex id * 6 + side``, those at the board's edge included."""

LIST_LIMIT = 4096
"""The most hexes (duplicates counted) of a list; few enough for a fair 16-bit lane."""

LEFTOVER = "leftover"
USEDUP = "usedup"

HAZARD_SITE = 1
PICK_SITE = 2
EDGE_SITE = 3
STATEMENT_LIMIT = 1 << 24
PLACE_LIMIT = 1 << 20
"""The most statements, and hazards or SOMEOFs in a statement, for the bit fields of a site."""


def site(kind: int, statement: int = 0, place: int = 0, word: int = 0) -> int:
    """Return the site of a draw: four disjoint bit fields of 4, 24, 20 and 16 bits (ADR 3).

    ``kind`` is HAZARD_SITE (``place``: the hazard's position in its AREA), PICK_SITE (``place``:
    the SOMEOF's position in its statement; four picks a ``word``) or EDGE_SITE (four directed
    hexsides a ``word``).
    """
    return kind << 60 | statement << 36 | place << 16 | word


# --- lists -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Fixed:
    """Hexes that are known before any draw, in the game's order."""

    hexes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Use:
    """A copy of a label's list at that moment; empty if there is no such label."""

    name: str


@dataclass(frozen=True, slots=True)
class Pick:
    """``count`` draws without replacement from ``source``; ``site`` is its first word's site."""

    count: int
    source: HexList
    site: int


@dataclass(frozen=True, slots=True)
class Without:
    """The hexes of ``source`` that are not in ``without``, duplicates kept."""

    source: HexList
    without: HexList


@dataclass(frozen=True, slots=True)
class Around:
    """The neighbours of the hexes of ``source``: each once, ascending, members left out."""

    source: HexList


@dataclass(frozen=True, slots=True)
class Chain:
    """Several lists in the order of the text. The game joins them from the last to the first."""

    parts: tuple[Part, ...]


Function = Pick | Without | Around
"""The parts that have lists as arguments."""
Part = Fixed | Use | Function
HexList = Part | Chain

NOTHING = Fixed(())


def around(hexes: Iterable[int]) -> tuple[int, ...]:
    """Return the neighbours of ``hexes``: each once, ascending, members left out."""
    members = neighbours = 0
    for number in hexes:
        members |= 1 << number
        neighbours |= _NEIGHBOUR_BITS[number]
    return _hexes_in(neighbours & ~members)


_NEIGHBOUR_BITS = tuple(sum(1 << number for number in row if number >= 0) for row in NEIGHBOURS)


@registered(bytes_each=300)
@lru_cache(maxsize=2048)
def _hexes_in(bits: int) -> tuple[int, ...]:
    return tuple(number for number in range(HEX_COUNT) if bits >> number & 1)


# --- statements ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Placing:
    """One hazard of an AREA, with the numbers both kinds of draws need.

    ``terrain`` is an index into the terrain set, -1 for an unknown hazard. ``percent`` and the
    ``below`` bounds are what the game computes: it is placed if U * 100 < percent; its elevation is
    1 if V * 100 > below[0], and 2 if V * 100 > below[1]. ``chance`` (of 2**32), ``first`` and
    ``second`` (of 2**16) are the same as integer thresholds: placed if lane < chance; elevation 2
    if lane >= second, else 1 if lane >= first, else 0. ``index`` is its row in ``Program.sites``.
    """

    terrain: int
    percent: float
    below: tuple[float, float]
    chance: int
    first: int
    second: int
    index: int
    hazard: syntax.Hazard

    @property
    def elevations(self) -> tuple[int, ...]:
        """The elevations it can give."""
        chances = (min(self.first, self.second), self.second - self.first, 65536 - self.second)
        return tuple(elevation for elevation, chance in enumerate(chances) if chance > 0)


@dataclass(frozen=True, slots=True)
class AreaStep:
    """Place hazards on a list. ``statement`` is the index in ``Script.statements``."""

    statement: int
    hexes: HexList
    placings: tuple[Placing, ...]


@dataclass(frozen=True, slots=True)
class LabelStep:
    """Set a label to a list."""

    statement: int
    hexes: HexList
    name: str


@dataclass(frozen=True, slots=True)
class StartStep:
    """Set the start list."""

    statement: int
    hexes: HexList


Step = AreaStep | LabelStep | StartStep


@dataclass(frozen=True, slots=True)
class Choices:
    """The hexsides of one PAIR: entry i has the plane value ``codes[i]``.

    The game draws once for each entry until U * 100 < percents[i]; keyed draws draw once in all and
    take the first entry with lane < limits[i] (of 2**16), which is equally likely.
    """

    statement: int
    codes: tuple[int, ...]
    percents: tuple[float, ...]
    limits: tuple[int, ...]


ELEVATIONS = 4
"""Elevations 0, 1, 2 and, as 3, all others: those match only ``*``."""


def state_of(terrain: int, elevation: int) -> int:
    """Return the row of ``Program.pairs`` of a hex with this terrain and elevation."""
    return terrain * ELEVATIONS + (elevation if 0 <= elevation <= 2 else 3)


PairTable = tuple[dict[int, Choices] | None, ...]
"""By the state of the hex whose side is marked: the neighbour's state -> choices; None: no PAIR."""


@dataclass(frozen=True, eq=False)
class Program:
    """A script ready to roll.

    ``sites`` (uint64) holds the site of every hazard, then, if there are PAIRs, of the words for
    the hexsides, from ``edge_words`` on. ``title``, ``subtitle`` and ``tower`` are None where the
    script sets none. ``path`` is the file named in problems.
    """

    script: syntax.Script
    path: str | None
    steps: tuple[Step, ...]
    pairs: PairTable
    sites: NDArray[np.uint64]
    edge_words: int
    title: str | None
    subtitle: str | None
    tower: bool | None


@registered(bytes_each=50 * KB)
@lru_cache(16)
def needed_steps(program: Program) -> tuple[tuple[Step, frozenset[str]], ...]:
    """Return the steps that matter, each with the labels that are still read after it."""
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
    if isinstance(step, AreaStep):
        return {USEDUP, LEFTOVER}
    return set()


def _read_in(hexes: HexList) -> Set[str]:
    if isinstance(hexes, Fixed | Use):
        if isinstance(hexes, Use):
            return {hexes.name}
        return set()
    return set(chain.from_iterable(map(_read_in, _inside(hexes))))


def _inside(hexes: Function | Chain) -> tuple[HexList, ...]:
    if isinstance(hexes, Chain):
        return hexes.parts
    if isinstance(hexes, Without):
        return (hexes.source, hexes.without)
    return (hexes.source,)


@registered(bytes_each=KB)
@lru_cache(16)
def longest_list(program: Program) -> int:
    """Return the most hexes, duplicates counted, that any list, nested ones included, can hold."""
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
        if isinstance(hexes, Fixed):
            length = len(hexes.hexes)
        else:
            length = most.get(hexes.name, 0)
        return length, length
    inner = [_lengths(part, most) for part in _inside(hexes)]
    if isinstance(hexes, Chain):
        length = sum(length for length, _ in inner)
    elif isinstance(hexes, Around):
        length = HEX_COUNT
    else:
        if isinstance(hexes, Without):
            length = inner[0][0]
        else:
            length = min(hexes.count, inner[0][0])
    return length, max(length, *(longest for _, longest in inner))
