"""The percentages of altitude and moisture that the terrain types of a period take.

Each type has a *box* of percentages. ``coverage`` works out the gaps that no box holds and the
overlaps that two boxes hold, as boxes again, for the chart of the types and the hints about a
period::

    coverage([Box(0, 60, 0, 100), Box(55, 100, 0, 40)])
    # gaps: (Box(61, 100, 41, 100),)      overlaps: (Overlap(0, 1, Box(55, 60, 0, 40)),)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from randomizer.systems.xconq.world.classification import Limits
from randomizer.systems.xconq.world.relief import PERCENTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

NO_TYPE = -1
"""The number in ``Coverage.winners`` of percentages that no type takes."""


class Box(NamedTuple):
    """A rectangle of percentages of altitude and moisture; both ends belong to it.

    The limits are any whole numbers; a minimum may be above its maximum. ``Limits`` has the same of
    all types of a period, as arrays, to classify a world with.
    """

    min_alt: int
    """The least altitude."""

    max_alt: int
    """The greatest altitude."""

    min_wet: int
    """The least moisture."""

    max_wet: int
    """The greatest moisture."""

    @property
    def is_empty(self) -> bool:
        """True if a minimum is above its maximum, or all of it lies outside of 0 to 100."""
        return self.clipped().size == 0

    @property
    def size(self) -> int:
        """The number of pairs of percentages that it holds."""
        altitudes = max(0, self.max_alt - self.min_alt + 1)
        moistures = max(0, self.max_wet - self.min_wet + 1)
        return altitudes * moistures

    def clipped(self) -> Box:
        """Return the part of it within 0 to 100."""
        return Box(
            _clip_minimum(self.min_alt),
            _clip_maximum(self.max_alt),
            _clip_minimum(self.min_wet),
            _clip_maximum(self.max_wet),
        )

    def intersection(self, box: Box) -> Box:
        """Return the box of what both hold; its ``size`` is 0 if that is nothing."""
        return Box(
            max(self.min_alt, box.min_alt),
            min(self.max_alt, box.max_alt),
            max(self.min_wet, box.min_wet),
            min(self.max_wet, box.max_wet),
        )

    def holds(self, alt: int, wet: int) -> bool:
        """Return whether a pair of percentages is in it."""
        return self.min_alt <= alt <= self.max_alt and self.min_wet <= wet <= self.max_wet


def _clip_minimum(minimum: int) -> int:
    """Return a minimum within 0 to 101: one above 100 stays so, and its box empty."""
    return min(max(minimum, 0), PERCENTS)


def _clip_maximum(maximum: int) -> int:
    """Return a maximum within -1 to 100: one below 0 stays so, and its box empty."""
    return min(max(maximum, -1), PERCENTS - 1)


class Overlap(NamedTuple):
    """Percentages that two types ask for."""

    first: int
    """The number of the type that is defined first, and gets them."""

    second: int
    """The number of the type that is defined later."""

    box: Box
    """The percentages, within 0 to 100."""

    @property
    def is_seam(self) -> bool:
        """True if it is one percentage wide, as between neighbours that name the same limit."""
        box = self.box
        return box.min_alt == box.max_alt or box.min_wet == box.max_wet


@dataclass(frozen=True, eq=False)
class Coverage:
    """The area that the boxes of the terrain types, in the order of definition, cover."""

    winners: NDArray[np.int16]
    """The number of the type that takes a pair of percentages, or ``NO_TYPE``: (101, 101), by
    altitude and moisture."""

    gaps: tuple[Box, ...]
    """The pairs that no type takes, as disjoint boxes."""

    overlaps: tuple[Overlap, ...]
    """The overlaps of all pairs of types, in the order of the types."""


def coverage(boxes: Sequence[Box]) -> Coverage:
    """Return what the boxes of the types cover, in the order of their definition."""
    winners = limits_of_boxes(boxes).make_table()
    overlaps = []
    for first, box in enumerate(boxes):
        for second in range(first + 1, len(boxes)):
            common = box.intersection(boxes[second]).clipped()
            if common.size:
                overlaps.append(Overlap(first, second, common))
    return Coverage(winners, _few_boxes(winners == NO_TYPE), tuple(overlaps))


def boxes_of_limits(limits: Limits) -> tuple[Box, ...]:
    """Return the boxes of the types with these limits."""
    rows = np.stack((limits.min_alt, limits.max_alt, limits.min_wet, limits.max_wet), axis=1)
    return tuple(Box(*row) for row in rows.tolist())


def limits_of_boxes(boxes: Sequence[Box]) -> Limits:
    """Return the limits of types with these boxes."""
    return Limits(*np.array(boxes, np.int64).reshape(-1, 4).T)


def _few_boxes(mask: NDArray[np.bool_]) -> tuple[Box, ...]:
    """Return disjoint boxes that hold exactly the marked pairs, (101, 101).

    The boxes are stretched along altitude or moisture, whichever needs fewer.
    """
    along_wet = [
        Box(
            min_alt=block.first_row,
            max_alt=block.last_row,
            min_wet=block.first_column,
            max_wet=block.last_column,
        )
        for block in _blocks(mask)
    ]
    along_alt = [
        Box(
            min_alt=block.first_column,
            max_alt=block.last_column,
            min_wet=block.first_row,
            max_wet=block.last_row,
        )
        for block in _blocks(mask.T)
    ]
    if len(along_alt) < len(along_wet):
        return tuple(along_alt)
    return tuple(along_wet)


class _Block(NamedTuple):
    """A rectangle of True in a mask; both ends belong to it."""

    first_row: int
    last_row: int
    first_column: int
    last_column: int


def _blocks(mask: NDArray[np.bool_]) -> list[_Block]:
    """Return the runs of True in the rows of ``mask`` as blocks, of equal runs in rows in a row.

    In these three rows there are two, the rows 0 and 1 of columns 1 and 2, and row 2 of column 2::

        . # # .
        . # # .
        . . # .
    """
    blocks: list[_Block] = []
    first_row_of_open_run: dict[tuple[int, int], int] = {}
    """The first row of each run, as (first column, last column), that goes on in this row."""
    # One row more than there are: it has no runs, so that all blocks end there.
    for row in range(PERCENTS + 1):
        runs: list[tuple[int, int]] = []
        if row < PERCENTS:
            runs = _runs_of_row(mask[row])
        for run in list(first_row_of_open_run):
            if run not in runs:
                first_column, last_column = run
                first_row = first_row_of_open_run.pop(run)
                blocks.append(_Block(first_row, row - 1, first_column, last_column))
        for run in runs:
            first_row_of_open_run.setdefault(run, row)
    return sorted(blocks)


def _runs_of_row(row: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Return the first and the last index of each run of True."""
    changes = np.diff(np.concatenate(([0], row.astype(np.int8), [0])))
    starts = np.flatnonzero(changes == 1)
    ends = np.flatnonzero(changes == -1) - 1
    return list(zip(starts.tolist(), ends.tolist(), strict=True))
