"""Flood fill: connected cells that have the same value."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.geometry.shapes import Cells, Marks, area_of, file_steps, ranges
from randomizer.model.grid.grid import Grid

SMALL = 2000
"""Areas up to this many cells are walked cell by cell, which is fast even on a huge map."""


def same_value(grid: Grid, values: NDArray[Any], cell: int) -> Cells:
    """All existing cells with the value of ``cell``; ``values`` has one value for each cell."""
    values = values.reshape(grid.height, grid.width)
    return area_of(grid, values == values.flat[cell])


def contiguous(grid: Grid, values: NDArray[Any], cell: int) -> Cells:
    """Return the cells connected with ``cell`` through neighbours of the same value."""
    values = values.reshape(grid.height, grid.width)
    result = _walk(grid, values, cell)
    if result is not None:
        return result
    same = values == values.flat[cell]
    return _connected_runs(grid, same if grid.mask is None else same & grid.mask, cell)


def _walk(grid: Grid, values: NDArray[Any], cell: int) -> Cells | None:
    """The area cell by cell, None if it is larger than ``SMALL``."""
    width, height = grid.width, grid.height
    sides = [list(file_steps(grid, side)) for side in range(grid.degree)]
    kinds = len(sides[0])  # of cells: all the same, or even and odd columns (or rows)
    steps = [[(kind[2], kind[3]) for kind in (side[odd] for side in sides)] for odd in range(kinds)]
    flat: memoryview[Any] = values.ravel().data
    mask = None if grid.mask is None else grid.mask.ravel().data
    value = flat[cell]
    by_column = grid.layout.shear == "columns"
    seen, ahead = {cell}, [cell]
    while ahead:
        y, x = divmod(ahead.pop(), width)
        for dx, dy in steps[(x if by_column else y) & 1 if kinds == 2 else 0]:
            to_x, to_y = x + dx, y + dy
            if not 0 <= to_x < width:
                if not grid.wrap:
                    continue
                to_x %= width
            if not 0 <= to_y < height:
                continue
            other = to_y * width + to_x
            if other not in seen and flat[other] == value and (mask is None or mask[other]):
                seen.add(other)
                ahead.append(other)
        if len(seen) > SMALL:
            return None
    return np.array(sorted(seen), np.intp)


def count_areas(grid: Grid, marks: Marks) -> NDArray[np.int64]:
    """Return the number of connected areas of marked cells on each of n maps: (n, cells) to (n,).

    All maps are laid on one tall grid, with empty rows between them.
    """
    maps, height = len(marks), grid.height
    if not maps:
        return np.zeros(0, np.int64)
    stride = height + 1 + (height + 1) % 2  # even: rows keep their parity
    tall = Grid(grid.layout, grid.width, maps * stride, wrap=grid.wrap)
    same = np.zeros((maps, stride, grid.width), np.bool_)
    same[:, :height] = marks.reshape(maps, height, grid.width)
    runs = _runs(tall, same.reshape(tall.height, tall.width))
    first = runs.starts[runs.labels == np.arange(len(runs.labels))]
    return np.bincount(first // ((grid.width + 1) * stride), minlength=maps)


class _Runs(NamedTuple):
    """Unbroken pieces of rows, and the area that each belongs to.

    ``starts`` and ``ends`` (just behind) are places in rows of width + 1. Runs of one area have the
    same ``labels``: the number of its first run. ``begun`` is the number of runs begun by each
    place, this one included.
    """

    starts: Cells
    ends: Cells
    labels: Cells
    begun: NDArray[np.int32]


def _connected_runs(grid: Grid, same: Marks, cell: int) -> Cells:
    """The area of a cell, composed of runs."""
    runs, row = _runs(grid, same), grid.width + 1
    chosen = np.flatnonzero(runs.labels == runs.labels[runs.begun[cell + cell // grid.width] - 1])
    gaps = runs.starts[chosen] // row
    return ranges(runs.starts[chosen] - gaps, runs.ends[chosen] - gaps)


def _runs(grid: Grid, same: Marks) -> _Runs:
    """The runs of the marked cells (h, w), joined where they touch."""
    height, row = grid.height, grid.width + 1
    padded = np.zeros((height + 1, row), np.int8)  # a gap after every row, and a row below
    padded[:height, :-1] = same
    inside = padded.ravel()
    edges = np.diff(inside, prepend=np.int8(0))
    starts, ends = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)
    begun = np.cumsum(edges == 1, dtype=np.int32)
    low, high = _below(grid, starts, ends - 1)
    # The runs of the next row that end after ``low`` and begin before ``high``.
    first, behind = (begun[low] - inside[low]).astype(np.intp), begun[high].astype(np.intp)
    count = np.where(behind > first, behind - first, 0)
    upper, lower = np.repeat(np.arange(len(starts)), count), ranges(first, first + count)
    if grid.wrap:
        here, there = _seam(grid, same)
        upper = np.concatenate([upper, begun[here + here // grid.width] - 1])
        lower = np.concatenate([lower, begun[there + there // grid.width] - 1])
    return _Runs(starts, ends, _join(len(starts), upper, lower), begun)


def _below(grid: Grid, first: Cells, last: Cells) -> tuple[Cells, Cells]:
    """The range that runs touch in the next row; places are counted in rows of width + 1."""
    row = grid.width + 1
    lows, highs = _reach_below(grid)
    by_row = grid.layout.shear == "rows"
    from_odd, to_odd = ((ends // row if by_row else ends % row) & 1 for ends in (first, last))
    return first + row + lows[from_odd], last + row + highs[to_odd]


def _reach_below(grid: Grid) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """How far left and right the neighbours in the next row are, of an even and an odd cell."""
    reach: list[list[int]] = [[], []]
    for side in range(grid.degree):
        kinds = list(file_steps(grid, side))
        for odd in range(2):
            _rows, _columns, dx, dy = kinds[odd % len(kinds)]
            if dy == 1:
                reach[odd].append(dx)
    return (
        np.array([min(dxs) for dxs in reach], np.intp),
        np.array([max(dxs) for dxs in reach], np.intp),
    )


def _seam(grid: Grid, same: Marks) -> tuple[Cells, Cells]:
    """The pairs of cells of the area that touch across the seam of a wrapped grid."""
    column = np.arange(grid.height) * grid.width
    rim = np.concatenate([column, column + grid.width - 1]).astype(np.intp)
    rim = np.tile(rim[same.reshape(-1)[rim]], (grid.degree, 1))
    across = np.stack([grid.neighbours_of(cells, side) for side, cells in enumerate(rim)])
    both = (across >= 0) & same.reshape(-1)[across]
    return rim[both], across[both]


def _join(count: int, one: Cells, other: Cells) -> Cells:
    """A label for each of ``count`` nodes: equal for nodes connected by pairs.

    For every pair not yet connected the later node is linked to the earlier one, and chains of
    links are shortened by pointer doubling, so a few rounds suffice for any chain.
    """
    labels = np.arange(count)
    while len(one):
        late = np.maximum(one, other)
        np.minimum.at(labels, late, np.minimum(one, other))
        _shorten(labels, late)
        one, other = labels[one], labels[other]
        apart = one != other
        one, other = one[apart], other[apart]
    _shorten(labels, np.arange(count))
    return labels


def _shorten(labels: Cells, nodes: Cells) -> None:
    """Link all nodes of chains directly to their ends."""
    while True:
        ahead = labels[nodes]
        end = labels[ahead]
        if (ahead == end).all():
            return
        labels[nodes] = end
