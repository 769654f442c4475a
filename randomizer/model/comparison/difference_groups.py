"""Puts the differences between two maps into groups, a line of a list each.

Where a whole wood was painted, neighbouring cells have the same difference: they are one group. ::

    for group in difference_groups(comparison):
        print(group_text(comparison, group))        # 12 hexes around D4: Plains | Woods
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from randomizer.model.comparison.comparison import MAX_LISTED, Difference, DifferenceKind
from randomizer.model.planes.planes import Element

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from randomizer.model.comparison.comparison import Comparison
    from randomizer.model.grid.grid import Grid

GROUPED_KINDS = (DifferenceKind.CELL, DifferenceKind.CELL_LOCK)
"""The kinds of which neighbouring cells with the same difference are one group."""

_VALUE_LIMIT = 2**20
"""No two values of a plane of cells are so far apart: a pair of them makes one number."""


class DifferenceGroup(NamedTuple):
    """Differences of one kind that are alike: of connected cells, or a single one."""

    kind: DifferenceKind

    indices: NDArray[np.intp]
    """The indices of the differences (``Difference.index``), one at least, ascending."""

    middle: Difference
    """The one of them that lies nearest to the middle of the group."""


def difference_groups(comparison: Comparison, limit: int = MAX_LISTED) -> list[DifferenceGroup]:
    """Return the first ``limit`` groups, kind by kind; those of cells by their first cells."""
    groups: list[DifferenceGroup] = []
    for kind, indices in comparison.indices.items():
        if kind in GROUPED_KINDS:
            groups_of_kind = _groups_of_cells(comparison, kind, limit - len(groups))
        else:
            groups_of_kind = _single_groups(kind, indices[: limit - len(groups)])
        groups += groups_of_kind
    return groups


def _single_groups(kind: DifferenceKind, indices: NDArray[np.intp]) -> Iterator[DifferenceGroup]:
    """Yield a group for each difference."""
    for position, index in enumerate(indices.tolist()):
        yield DifferenceGroup(kind, indices[position : position + 1], Difference(kind, index))


def _groups_of_cells(
    comparison: Comparison, kind: DifferenceKind, limit: int
) -> Iterator[DifferenceGroup]:
    """Yield the first ``limit`` groups of connected cells with the same difference."""
    grid = comparison.ours.grid
    cells = comparison.indices[kind]
    if not len(cells):
        return
    first_rows = _first_rows(grid, cells, _codes_of_cells(comparison, kind))
    rows = np.argsort(first_rows, kind="stable")  # group by group, each ascending
    _first, starts = np.unique(first_rows[rows], return_index=True)
    ends = np.append(starts[1:], len(rows))
    for start, end in list(zip(starts.tolist(), ends.tolist(), strict=True))[:limit]:
        cells_of_group = cells[rows[start:end]]
        middle = Difference(kind, _middle_cell(grid, cells_of_group))
        yield DifferenceGroup(kind, cells_of_group, middle)


def _codes_of_cells(comparison: Comparison, kind: DifferenceKind) -> NDArray[np.intp]:
    """Return a code for each cell with a difference of a kind, (n,): equal ones differ alike.

    They do if the same planes differ, and these have the same values of ours and of theirs.
    """
    cells = comparison.indices[kind]
    if kind is DifferenceKind.CELL_LOCK:
        return comparison.ours.locked_cells.flat[cells].astype(np.intp)
    codes = np.zeros(len(cells), np.intp)
    for spec in comparison.ours.system.shown_planes:
        if spec.element is not Element.CELL:
            continue
        our_plane = comparison.ours.composite.planes[spec.name]
        their_plane = comparison.theirs.composite.planes[spec.name]
        our_values = our_plane.reshape(-1)[cells].astype(np.int64)
        their_values = their_plane.reshape(-1)[cells].astype(np.int64)
        differs = our_values != their_values
        if not differs.any():
            continue
        pairs = our_values * _VALUE_LIMIT + their_values
        different_pairs, pair_codes = np.unique(pairs[differs], return_inverse=True)
        # 0 where this plane is the same; made small again, so that no number of planes overflows.
        codes *= len(different_pairs) + 1
        codes[differs] += pair_codes + 1
        _codes, codes = np.unique(codes, return_inverse=True)
    return codes


def _first_rows(grid: Grid, cells: NDArray[np.intp], codes: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return for each of n cells, ascending, the row of the first cell of its group: (n,).

    A group is connected through neighbours with the same code. Each row points to a lower one of
    its group, at last to the first: so trees of rows grow together until no neighbours are in
    different ones (union-find, for all pairs of neighbours at once).
    """
    all_rows = np.arange(len(cells))
    pairs = []
    for side in range(grid.degree):
        neighbours = grid.neighbours_of(cells, side)
        rows = np.minimum(np.searchsorted(cells, neighbours), len(cells) - 1)
        is_pair = (cells[rows] == neighbours) & (codes[rows] == codes)
        is_pair &= rows > all_rows  # the other side of each pair is as good
        pairs.append(np.stack([all_rows[is_pair], rows[is_pair]]))
    first, second = np.concatenate(pairs, axis=1)

    lower_rows = all_rows.copy()
    while True:
        first_roots = lower_rows[first]
        second_roots = lower_rows[second]
        are_apart = first_roots != second_roots
        if not are_apart.any():
            return lower_rows
        roots = np.stack([first_roots[are_apart], second_roots[are_apart]])
        np.minimum.at(lower_rows, roots.max(axis=0), roots.min(axis=0))
        # Let every row point to its root again.
        while (lower_rows[lower_rows] != lower_rows).any():
            lower_rows = lower_rows[lower_rows]


def _middle_cell(grid: Grid, cells: NDArray[np.intp]) -> int:
    """Return the one of the cells that lies nearest to their middle."""
    centres = grid.centres_of(cells)
    squared_distances = ((centres - centres.mean(axis=0)) ** 2).sum(axis=1)
    return int(cells[squared_distances.argmin()])
