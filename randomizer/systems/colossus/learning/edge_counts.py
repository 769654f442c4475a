"""Counts the edges of maps: between which hexes they are, and which hexside stands on each.

An *edge* leads from one hex, its *owner*, to a *neighbour*. Two hexes that touch have two edges,
one in each direction, since a hexside belongs to the hex from which it was drawn: a cliff below a
hill is on the edge from the hill to the plain, and the edge back is bare. A *step* is an edge that
leads down. The *code* of an edge is 0 if it is bare, else that of its hexside.

Counts are arrays with an axis for each property that is told apart, so that numpy's sums over axes
answer most questions:

    counts = hexside_counts(boards)
    counts[plains, 2, lake, 0, cliff]        # cliffs from plains of elevation 2 to lakes of 0
    counts[plains, :, lake, :].sum((0, 1))   # the codes on edges from any plains to any lake
    counts[..., 1:].sum()                    # all edges that are not bare
"""

from __future__ import annotations

from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.colossus.board import NEIGHBOURS, OFF_BOARD
from randomizer.systems.colossus.learning.boards import Boards
from randomizer.systems.colossus.learning.counts import Floats
from randomizer.systems.colossus.rolling.program import ELEVATIONS
from randomizer.systems.colossus.terrain_set import COLOSSUS

Counts = NDArray[np.intp]
"""Numbers of edges; each function says which axes they have."""

_TERRAINS = len(COLOSSUS.terrains)
"""The number of terrains, 12."""

_CODES = 1 + len(COLOSSUS.hexsides)
"""The number of codes that an edge can have: bare, or one of 5 hexsides."""


class _Edges(NamedTuple):
    """The edges of the board, in three arrays (132,): item i of each belongs to edge i."""

    owners: NDArray[np.intp]
    """The hex id of the hex that an edge leads from."""

    sides: NDArray[np.intp]
    """The side of the owner on which the edge lies, 0 to 5."""

    neighbours: NDArray[np.intp]
    """The hex id of the hex that the edge leads to."""


def _edges_of_board() -> _Edges:
    """Return the edges between two hexes; those at the rim of the board lead nowhere."""
    owners = []
    sides = []
    neighbours = []
    for owner, neighbours_of_owner in enumerate(NEIGHBOURS):
        for side, neighbour in enumerate(neighbours_of_owner):
            if neighbour != OFF_BOARD:
                owners.append(owner)
                sides.append(side)
                neighbours.append(neighbour)
    return _Edges(np.array(owners), np.array(sides), np.array(neighbours))


_EDGES = _edges_of_board()
"""Each edge of the board once."""


def hexside_counts(boards: Boards) -> Counts:
    """Return how often each hexside stands between two kinds of hexes, on all maps together.

    The axes are terrain and elevation of the owner, terrain and elevation of the neighbour, and
    the code: (12, 4, 12, 4, 6).
    """
    terrains = boards.terrain
    elevations = boards.elevation
    return _counts_of_combinations(
        (
            terrains[:, _EDGES.owners],
            elevations[:, _EDGES.owners],
            terrains[:, _EDGES.neighbours],
            elevations[:, _EDGES.neighbours],
            boards.hexside[:, _EDGES.owners, _EDGES.sides],
        ),
        (_TERRAINS, ELEVATIONS, _TERRAINS, ELEVATIONS, _CODES),
    )


def edges_per_map(states: NDArray[np.uint8]) -> Floats:
    """Return how many edges between two kinds of hexes a map has on average.

    ``states`` (27, maps) has terrain and elevation of each hex as one number (``state_of``). The
    axes of the result are those of ``hexside_counts`` without the code: (12, 4, 12, 4).
    """
    terrains, elevations = np.divmod(states, ELEVATIONS)
    counts = _counts_of_combinations(
        (
            terrains[_EDGES.owners],
            elevations[_EDGES.owners],
            terrains[_EDGES.neighbours],
            elevations[_EDGES.neighbours],
        ),
        (_TERRAINS, ELEVATIONS, _TERRAINS, ELEVATIONS),
    )
    _hexes, maps = states.shape
    averages: Floats = counts / maps
    return averages


def steps_of_two(states: NDArray[np.uint8]) -> float:
    """Return how many steps of two elevations a map has on average.

    ``states`` is that of ``edges_per_map``. The learner compares the given maps with those of its
    scripts by this number: independent terrains make too many such steps.
    """
    elevations = (states % ELEVATIONS).astype(np.intp)  # signed, since edges also lead up
    heights = elevations[_EDGES.owners] - elevations[_EDGES.neighbours]
    return float((heights == 2).sum(0).mean())


def _counts_of_combinations(
    properties: tuple[NDArray[np.uint8], ...], numbers_of_values: tuple[int, ...]
) -> Counts:
    """Return how many edges have each combination of values of some properties.

    ``properties`` are arrays of one shape, in which each edge has its place. The result has an axis
    for each of them, whose length is the number of its values.
    """
    # Each combination is the flat index of its place in the result, so that all are counted in one
    # go: a loop over the half a million edges of the rolled maps would be slow.
    flat_indices = np.ravel_multi_index(properties, numbers_of_values)
    counts = np.bincount(flat_indices.ravel(), minlength=prod(numbers_of_values))
    return counts.reshape(numbers_of_values)
