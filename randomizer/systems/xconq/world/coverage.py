"""Which percentages of altitude and moisture the terrain types of a period take, and which none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from randomizer.systems.xconq.world.classification import Limits
from randomizer.systems.xconq.world.relief import PERCENTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

NONE = -1
"""In ``Coverage.winners``: no type takes these percentages."""


class Box(NamedTuple):
    """Percentages of altitude and moisture; both ends belong to it."""

    min_alt: int
    max_alt: int
    min_wet: int
    max_wet: int

    @property
    def empty(self) -> bool:
        """True if a minimum is above its maximum, or all of it lies outside of 0 to 100."""
        return self.clipped().size == 0

    @property
    def size(self) -> int:
        """The number of pairs of percentages that it holds."""
        return max(0, self.max_alt - self.min_alt + 1) * max(0, self.max_wet - self.min_wet + 1)

    def clipped(self) -> Box:
        """Return the part of it within 0 to 100."""
        lows = (min(max(low, 0), PERCENTS) for low in (self.min_alt, self.min_wet))
        highs = (min(max(high, -1), PERCENTS - 1) for high in (self.max_alt, self.max_wet))
        return Box(*(limit for pair in zip(lows, highs, strict=True) for limit in pair))

    def common(self, box: Box) -> Box:
        """Return what both hold; ``size`` 0 if that is nothing."""
        return Box(
            max(self.min_alt, box.min_alt),
            min(self.max_alt, box.max_alt),
            max(self.min_wet, box.min_wet),
            min(self.max_wet, box.max_wet),
        )

    def holds(self, alt: int, wet: int) -> bool:
        """Return whether a pair of percentages is in it."""
        return self.min_alt <= alt <= self.max_alt and self.min_wet <= wet <= self.max_wet


class Overlap(NamedTuple):
    """Percentages (``box``) that two types ask for; the one defined ``first`` gets them."""

    first: int
    second: int
    box: Box

    @property
    def seam(self) -> bool:
        """True if it is one percentage wide: neighbours that name the same limit."""
        box = self.box
        return box.min_alt == box.max_alt or box.min_wet == box.max_wet


@dataclass(frozen=True, eq=False)
class Coverage:
    """The area that the boxes of the terrain types, in the order of definition, cover.

    ``winners``: (101, 101), int16, indexed by altitude and moisture: the index of the type that
    takes these percentages, or ``NONE``. ``gaps`` are disjoint and few, ``overlaps`` are in the
    order of the types.
    """

    winners: NDArray[np.int16]
    gaps: tuple[Box, ...]
    overlaps: tuple[Overlap, ...]


def coverage(boxes: Sequence[Box]) -> Coverage:
    """Return what the boxes of the types cover, in the order of their definition."""
    winners = limits_of_boxes(boxes).table
    overlaps = []
    for first, box in enumerate(boxes):
        for second in range(first + 1, len(boxes)):
            common = box.common(boxes[second]).clipped()
            if common.size:
                overlaps.append(Overlap(first, second, common))
    return Coverage(winners, _few_boxes(winners == NONE), tuple(overlaps))


def boxes_of_limits(limits: Limits) -> tuple[Box, ...]:
    """Return the boxes of the types with these limits."""
    rows = np.stack((limits.min_alt, limits.max_alt, limits.min_wet, limits.max_wet), axis=1)
    return tuple(Box(*row) for row in rows.tolist())


def limits_of_boxes(boxes: Sequence[Box]) -> Limits:
    """Return the limits of types with these boxes."""
    return Limits(*np.array(boxes, np.int64).reshape(-1, 4).T)


def _few_boxes(mask: NDArray[np.bool_]) -> tuple[Box, ...]:
    """Disjoint boxes that hold exactly the wanted pairs, stretched along altitude or moisture,
    whichever needs fewer."""
    along_wet = _runs(mask)
    along_alt = [Box(box[2], box[3], box[0], box[1]) for box in _runs(mask.T)]
    return tuple(along_alt if len(along_alt) < len(along_wet) else along_wet)


def _runs(mask: NDArray[np.bool_]) -> list[Box]:
    """Return the runs of each row of ``mask``; equal runs in consecutive rows are joined."""
    done: list[Box] = []
    open_runs: dict[tuple[int, int], int] = {}  # run -> its first row
    for row in range(PERCENTS + 1):
        if row < PERCENTS:
            runs = set(_runs_of_row(mask[row]))
        else:
            runs = set()
        for run in [run for run in open_runs if run not in runs]:
            done.append(Box(open_runs.pop(run), row - 1, *run))
        for run in sorted(runs):
            open_runs.setdefault(run, row)
    return sorted(done)


def _runs_of_row(row: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """First and last place of each run of True."""
    steps = np.diff(np.concatenate(([0], row.astype(np.int8), [0])))
    starts = np.flatnonzero(steps == 1)
    ends = np.flatnonzero(steps == -1) - 1
    return list(zip(starts.tolist(), ends.tolist(), strict=True))
