"""The columns of tables of counts: one for each state that some hex can have.

    columns = columns_of(reachable_states(program, base))
    columns.add(counts, states, range(HEX_COUNT))      # counts: 27 rows, a column for each state

``Sample`` has the tables, and an example of one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.colossus.board import HEX_COUNT
from randomizer.systems.colossus.rolling.hex_locks import State
from randomizer.systems.colossus.rolling.program import state_of

Bytes = NDArray[np.uint8]
Origins = NDArray[np.uint16]
Counts = NDArray[np.int64]


class _StateColumn(NamedTuple):
    """A state that a hex can have."""

    state: int
    """Terrain and elevation as one byte (``state_of``)."""

    column: int
    """The index in ``StateColumns.states``, where its counts are."""


@dataclass(frozen=True)
class StateColumns:
    """The state that each column of a table of counts is about."""

    states: tuple[State, ...]
    """The S states that some hex can have, in ascending order."""

    of_hexes: tuple[tuple[_StateColumn, ...], ...]
    """By hex id the states that the hex can have; only these are looked for."""

    possible: NDArray[np.bool_]
    """The same as truth values, (27, S)."""

    def add(self, counts: Counts, states: Bytes, hexes: Iterable[int]) -> None:
        """Add the states (27, n) of some hexes to ``counts`` (27, S)."""
        for number in hexes:
            states_of_hex = states[number]
            for state, column in self.of_hexes[number]:
                counts[number, column] += np.count_nonzero(states_of_hex == state)

    def add_by_origin(self, counts: Counts, states: Bytes, origins: Origins) -> None:
        """Add the states (27, n) by their origins (27, n) to ``counts`` (27, S, O).

        Origin 0 is the map below, 1 the first area. In ``counts`` the areas come first, the map
        below comes last.
        """
        origin_count = counts.shape[2]
        for index, state_columns in enumerate(self.of_hexes):
            # Origin and state become one number, so that both are counted in one go.
            pairs = origins[index] * np.intp(256) + states[index]
            pair_counts = np.bincount(pairs, minlength=256 * origin_count).reshape(-1, 256)
            areas_first = np.roll(pair_counts, -1, 0)
            for state, column in state_columns:
                counts[index, column] += areas_first[:, state]


def columns_of(states_of_hexes: list[set[State]]) -> StateColumns:
    """Return the columns for the states that each hex can have."""
    states = tuple(sorted(set().union(*states_of_hexes)))
    columns = {}
    for column, state in enumerate(states):
        columns[state] = _StateColumn(state_of(*state), column)
    possible = np.zeros((HEX_COUNT, len(states)), np.bool_)
    of_hexes = []
    for index, states_of_hex in enumerate(states_of_hexes):
        columns_of_hex = tuple(columns[state] for state in states_of_hex)
        for _state, column in columns_of_hex:
            possible[index, column] = True
        of_hexes.append(columns_of_hex)
    return StateColumns(states, tuple(of_hexes), possible)
