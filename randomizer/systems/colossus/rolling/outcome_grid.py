"""The PAIRs of a script as a grid of outcomes, without equal rows and columns.

    PAIR (Tree,1)(Plains,0) HEXSIDES s,25.
    PAIR (Tree,2)(Plains,0) HEXSIDES s,25.

A PAIR marks the side of a hex with a certain *state* (terrain and elevation) towards a neighbour
with another state. What it does is an *outcome*: a hexside by chance, decided by a *lane*, a random
number below 2**16. The outcomes stand in a grid, whose rows are the states of the hex whose side is
marked, and whose columns those of the hex beyond. States that all PAIRs treat alike share a row or
a column, so the grid of these two PAIRs is only::

                            all other states   (Plains,0)
    all other states               -               -
    (Tree,1) and (Tree,2)          -            s, 25 %

Row 0 and column 0 are those without a PAIR.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from randomizer.systems.colossus.rolling.program import Choices, PairTable

LANE_VALUES = 1 << 16
"""The number of values of a lane."""


class Outcome(NamedTuple):
    """What PAIRs can do to a hexside: the first code comes whose limit is above the lane.

    The 25 % above are ``Outcome(codes=(code of s,), limits=(16384,))``. An outcome without limits
    is certain: its single code comes always.
    """

    codes: tuple[int, ...]
    """Plane values."""

    limits: tuple[int, ...]
    """Ascending, one for each code; behind the last one nothing comes, 0."""

    @property
    def is_certain(self) -> bool:
        """True if no draw decides it."""
        return not self.limits

    def code_at(self, lane: int) -> int:
        """Return the plane value that a draw gives, 0 for none."""
        choice = bisect_right(self.limits, lane)
        if choice < len(self.codes):
            return self.codes[choice]
        return 0


NO_PAIR = Outcome((0,), ())
"""The outcome where there is no PAIR: certainly no hexside."""


class OutcomeGrid(NamedTuple):
    """The outcomes of a script, without equal rows and columns; row 0 and column 0 have no PAIR."""

    rows: list[tuple[Outcome, ...]]
    """Those in which all outcomes are certain come first."""

    row_of_state: list[int]
    """By the state of the hex whose side is marked."""

    column_of_state: list[int]
    """By the state of the hex beyond."""

    @property
    def certain_rows(self) -> int:
        """The number of rows in which all outcomes are certain: the first ones."""
        return sum(not _has_draws(row) for row in self.rows)

    def limits(self) -> tuple[int, ...]:
        """Return the limits of all outcomes, ascending.

        A limit of 0 or of LANE_VALUES is left out: all lanes are on the same side of it.
        """
        limits: set[int] = set()
        for row in self.rows:
            for outcome in row:
                limits.update(outcome.limits)
        return tuple(sorted(limits - {0, LANE_VALUES}))


def outcome_grid(pairs: PairTable) -> OutcomeGrid:
    """Return the grid of a table of PAIRs: by state a dict of choices by neighbour, or None."""
    # The row of each state, as the outcomes with all states of the hex beyond.
    states = range(len(pairs))
    row_without_pair = (NO_PAIR,) * len(states)
    rows_by_state = []
    for choices_by_neighbour in pairs:
        row = row_without_pair
        if choices_by_neighbour:
            row = tuple(_outcome(choices_by_neighbour.get(state)) for state in states)
        rows_by_state.append(row)

    # Equal rows become one. The sort keeps the order of equals, so the row without a PAIR stays at
    # the front.
    rows = sorted(dict.fromkeys([row_without_pair, *rows_by_state]), key=_has_draws)

    # Equal columns become one: ``zip`` turns rows into columns, and in the end back.
    columns_by_state = list(zip(*rows, strict=True))
    column_without_pair = (NO_PAIR,) * len(rows)
    columns = list(dict.fromkeys([column_without_pair, *columns_by_state]))
    return OutcomeGrid(
        rows=list(zip(*columns, strict=True)),
        row_of_state=[rows.index(row) for row in rows_by_state],
        column_of_state=[columns.index(column) for column in columns_by_state],
    )


def _outcome(choices: Choices | None) -> Outcome:
    """Return what a PAIR can do; ``NO_PAIR`` for None, and for choices of which none can come.

    A first choice that always comes hides the others, so these are left out.
    """
    if choices is None or not any(choices.limits):
        return NO_PAIR
    is_certain = choices.limits[0] == LANE_VALUES
    if is_certain:
        return Outcome(choices.codes[:1], ())
    return Outcome(choices.codes, choices.limits)


def _has_draws(row: Sequence[Outcome]) -> bool:
    """Return whether a draw decides any outcome of a row."""
    return not all(outcome.is_certain for outcome in row)
