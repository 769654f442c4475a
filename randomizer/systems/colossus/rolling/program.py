"""The compiled form of a randomizer script: steps with lists of hexes, and the table of PAIRs.

    AREA SOMEOF(2,A1 A2 A3) HAZARDS Bog,50.          # of the script
    AreaStep(hexes=Pick(count=2, source=Fixed((0, 1, 2))), placings=(Placing(...),))

``compiler`` makes a ``Program`` once; the rollers (``roller`` one map at a time, ``batch_roller``
thousands), the odds and the learner read it. It is plain data and never changes. Begin with
``Program`` and ``Step``; ``program_analysis`` tells which steps matter.

Every draw has a *site*, a number that tells where in the script it is. The random bits of the draw
follow from the seed, the map number and the site (docs/adr/0003-keyed-draws.md).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.caches import registered
from randomizer.model.problems import Problem, Severity
from randomizer.systems.colossus.board import HEX_COUNT, NEIGHBOURS, SIDES
from randomizer.systems.colossus.script import syntax

EDGE_COUNT = HEX_COUNT * SIDES
"""Directed hexsides: ``hex id * 6 + side``, those at the board's edge included."""

LIST_LIMIT = 4096
"""The most hexes (duplicates counted) of a list.

A draw of 16 bits picks one of them: with more hexes some would be picked noticeably more often.
"""

LEFTOVER = "leftover"
"""The label that the language gives to the hexes of the last AREA that got no hazard."""
USEDUP = "usedup"
"""The label that the language gives to the hexes of the last AREA that got one."""

# The kinds of sites, which are never renumbered: all draws, and so all maps, would change.
HAZARD_SITE = 1
"""The draws for a hazard of an AREA: is it placed, on which hex, and at which elevation?"""
PICK_SITE = 2
"""The draws of the hexes that a SOMEOF picks."""
EDGE_SITE = 3
"""The draw of the hexside that a PAIR gives to an edge."""

STATEMENT_LIMIT = 1 << 24
"""The most statements of a script: its number has 24 bits in a site."""
PLACE_LIMIT = 1 << 20
"""The most hazards or SOMEOFs of a statement: their position has 20 bits in a site."""


def site(kind: int, statement: int = 0, place: int = 0, word: int = 0) -> int:
    """Return the site of a draw, for the kinds that the constants name.

    It is made of bit fields (docs/adr/0003-keyed-draws.md)::

        bits          63 .. 60      59 .. 36    35 .. 16                       15 .. 0
        a hazard      HAZARD_SITE   statement   its position in the AREA       0
        a SOMEOF      PICK_SITE     statement   its position in the statement  a word for 4 picks
        the hexsides  EDGE_SITE     0           0                              a word for 4 of them
    """
    assert 0 <= statement < STATEMENT_LIMIT, "it fits its field"
    assert 0 <= place < PLACE_LIMIT, "it fits its field"
    return kind << 60 | statement << 36 | place << 16 | word


TOO_LONG = f"The list grows beyond {LIST_LIMIT} hexes."
"""The message for a list beyond ``LIST_LIMIT``."""


def problem_at(span: syntax.Span, path: str | None, code: str, message: str) -> Problem:
    """Return an error at a span of the script in ``path``."""
    return Problem(
        Severity.ERROR,
        code,
        message,
        path,
        line=span.line,
        column=span.column,
        end_line=span.end_line,
        end_column=span.end_column,
    )


# --- lists -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Fixed:
    """Hexes that are known before any draw, in the game's order."""

    hexes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Use:
    """``(name)``: a copy of a label's list at that moment; empty if there is no such label."""

    name: str


@dataclass(frozen=True, slots=True)
class Pick:
    """``SOMEOF``: draws without replacement from ``source``."""

    count: int
    """The number of hexes that are drawn; 0 or less draws none."""
    source: HexList
    site: int
    """The site of its first word of random bits, which serves four draws; the next has site + 1."""


@dataclass(frozen=True, slots=True)
class Without:
    """``SUBSTRACT``: the hexes of ``source`` that are not in ``without``, duplicates kept."""

    source: HexList
    without: HexList


@dataclass(frozen=True, slots=True)
class Around:
    """``SURROUNDINGSOF``: the neighbours of the hexes of ``source``, as ``around`` gives them."""

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
"""The list without hexes."""


def around(hexes: Iterable[int]) -> tuple[int, ...]:
    """Return the neighbours of ``hexes``: each once, ascending, without ``hexes`` themselves."""
    # Both are sets of hexes as bits: 0b0110 are the hexes 1 and 2.
    members = 0
    neighbours = 0
    for number in hexes:
        members |= 1 << number
        neighbours |= _NEIGHBOUR_BITS[number]
    return _hexes_in(neighbours & ~members)


_NEIGHBOUR_BITS = tuple(sum(1 << number for number in row if number >= 0) for row in NEIGHBOURS)
"""By hex id its neighbours as a set of bits: bit i is hex i."""


@registered(bytes_each=300)
@lru_cache(maxsize=2048)
def _hexes_in(bits: int) -> tuple[int, ...]:
    """Return the hex ids in a set of hexes, ascending; there are few different sets in scripts."""
    return tuple(number for number in range(HEX_COUNT) if bits >> number & 1)


# --- statements ------------------------------------------------------------------------------


class ElevationBounds(NamedTuple):
    """The elevation of a hazard as two bounds of a draw from 0 to 100.

    A draw up to ``of_zero`` gives elevation 0, one up to ``of_one`` 1, any other 2. Both can lie
    outside 0 to 100, as the game does not clamp them.
    """

    of_zero: float
    of_one: float


UNKNOWN_TERRAIN = -1
"""Stands for the code of a terrain that the game does not know."""


@dataclass(frozen=True, slots=True)
class Placing:
    """One hazard of an AREA, with the numbers of both kinds of draws.

    - Replays of the game's recorded draws use ``percent`` and ``bounds``: what the original game
      computes and compares with a draw from 0 to 100.
    - Keyed draws use ``chance``, ``level_1_from`` and ``level_2_from``: the same as thresholds of
      random bits.
    """

    terrain: int
    """Its code in the terrain set; ``UNKNOWN_TERRAIN`` for a hazard that the game does not know."""
    percent: float
    """For replays: it is placed if the draw is below."""
    bounds: ElevationBounds
    """For replays: its elevation by another draw."""
    chance: int
    """For keyed draws: it is placed if a random number of 32 bits is below."""
    level_1_from: int
    """For keyed draws: the random number of 16 bits from which on its elevation is at least 1."""
    level_2_from: int
    """For keyed draws: the same random number from which on its elevation is 2.

    It is checked first, even where it is lower than ``level_1_from``.
    """
    index: int
    """The index of its site in ``Program.sites``."""
    hazard: syntax.Hazard

    @property
    def is_known(self) -> bool:
        """False for a hazard that the game does not know: a roll that places it fails."""
        return self.terrain != UNKNOWN_TERRAIN

    @property
    def elevations(self) -> tuple[int, ...]:
        """The elevations it can give, ascending."""
        # The number of values of 16 bits that give each elevation.
        value_count_of_0 = min(self.level_1_from, self.level_2_from)
        value_count_of_1 = self.level_2_from - self.level_1_from
        value_count_of_2 = (1 << 16) - self.level_2_from
        value_counts = (value_count_of_0, value_count_of_1, value_count_of_2)
        return tuple(elevation for elevation, count in enumerate(value_counts) if count > 0)


@dataclass(frozen=True, slots=True)
class AreaStep:
    """Place hazards on a list."""

    statement: int
    """The statement's index in ``Script.statements``, as in all steps."""
    hexes: HexList
    placings: tuple[Placing, ...]
    """The hazards in the order of the text, in which they are placed."""


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
    """The hexsides that one PAIR can give, in its own order.

    The game draws once for each of them, until one succeeds. Keyed draws draw once in all, which
    is equally likely.
    """

    statement: int
    """The index of the PAIR in ``Script.statements``."""
    codes: tuple[int, ...]
    """The plane values of the hexsides."""
    percents: tuple[float, ...]
    """For replays: hexside i succeeds if its draw from 0 to 100 is below ``percents[i]``."""
    limits: tuple[int, ...]
    """For keyed draws, ascending: hexside i is the first whose limit is above 16 random bits."""


ELEVATIONS = 4
"""The number of elevations that states tell apart: 0, 1, 2 and ``OTHER_ELEVATION``."""

OTHER_ELEVATION = 3
"""Stands for all elevations that no script gives. A base can have them; they match only ``*``."""


def state_of(terrain: int, elevation: int) -> int:
    """Return the row of ``Program.pairs`` of a hex with this terrain and elevation."""
    if not 0 <= elevation < OTHER_ELEVATION:
        elevation = OTHER_ELEVATION
    return terrain * ELEVATIONS + elevation


PairTable = tuple[dict[int, Choices] | None, ...]
"""By the state of the hex whose side is marked: the neighbour's state -> choices; None: no PAIR."""


@dataclass(frozen=True, eq=False)
class Program:
    """A script ready to roll."""

    script: syntax.Script
    path: str | None
    """The file that problems name."""
    steps: tuple[Step, ...]
    """The statements that depend on one another, in the script's order."""
    pairs: PairTable
    """All PAIRs. They are applied after all steps, wherever they stand in the script."""
    sites: NDArray[np.uint64]
    """The sites of all hazards, then those of the words for the hexsides, if there are PAIRs."""
    first_edge_word: int
    """The index in ``sites`` of the first word for the hexsides."""
    title: str | None
    """None if the script sets none."""
    subtitle: str | None
    """None if the script sets none."""
    tower: bool | None
    """True if the script makes the map a tower; None if it leaves that as it is."""
