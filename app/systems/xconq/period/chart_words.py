"""The texts below the percentile chart: on a type, on a point, and on faults of all types.

A terrain type is a box in the chart: it takes the cells of a world whose altitude and moisture,
both in percent, lie between its limits. Its *share* is the part of the cells that it takes::

    describe_type       Hills: altitude 70 to 90, moisture 20 to 100; 12.5 % of the world
    describe_point      Altitude 75, moisture 40: Hills; 12.5 % of the world
    describe_faults     1 gap: 2.0 % of the world fits no type.
    describe_hidden_part      Swamp gets no altitude 70 to 80, ...: Hills is defined before it
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.plurals import counted
from randomizer.systems.xconq.world.coverage import Box, Coverage

MAX_NAMED_OVERLAPS = 2
"""The most overlaps that are named; the rest are only counted, to keep the text short."""


def percent(part: float, whole: float) -> str:
    """Return a share as text, such as "12.5 %"; "0.0 %" of nothing."""
    share = 0.0
    if whole:
        share = 100 * part / whole
    return f"{share:.1f}\N{NO-BREAK SPACE}%"


def describe_type(name: str, box: Box, share: str) -> str:
    """Return a text on the limits of a type and its share of the world.

    The share is left out if it is "", that is, not known.
    """
    text = (
        f"{name}: altitude {box.min_alt} to {box.max_alt}, moisture {box.min_wet} to {box.max_wet}"
    )
    if share:
        return f"{text}; {share} of the world"
    return text


def describe_won_point(point: tuple[int, int], name: str, share_of_type: str) -> str:
    """Return a text on a pair of percentages (altitude, moisture) that the type ``name`` takes.

    ``share_of_type`` is "" if it is not known.
    """
    return _point_text(point, name, share_of_type)


def describe_free_point(point: tuple[int, int], share_of_point: str) -> str:
    """Return a text on a pair of percentages (altitude, moisture) that no type takes.

    ``share_of_point`` is that of the cells with these percentages; "" if it is not known.
    """
    return _point_text(point, "no terrain type", share_of_point)


def _point_text(point: tuple[int, int], taker: str, share: str) -> str:
    """Return a text on a pair of percentages and what takes it; ``share`` may be ""."""
    altitude, moisture = point
    text = f"Altitude {altitude}, moisture {moisture}: {taker}"
    if share:
        return f"{text}; {share} of the world"
    return text


def describe_faults(
    names: Sequence[str], coverage: Coverage, density: NDArray[np.int64] | None
) -> str:
    """Return sentences on the gaps and overlaps of the boxes; "" if there are none.

    ``names`` are those of the types. ``density`` is the number of cells of the world with each pair
    of percentages, (101, 101), altitude first; None if it is not known.
    """
    sentences = []
    if coverage.gaps:
        text = counted(len(coverage.gaps), "gap")
        if density is not None:
            cells_in_gaps = 0
            for gap in coverage.gaps:
                altitudes = slice(gap.min_alt, gap.max_alt + 1)
                moistures = slice(gap.min_wet, gap.max_wet + 1)
                cells_in_gaps += int(density[altitudes, moistures].sum())
            share = percent(cells_in_gaps, int(density.sum()))
            text += f": {share} of the world fits no type"
        sentences.append(f"{text}.")
    overlaps = [overlap for overlap in coverage.overlaps if not overlap.is_seam]
    for overlap in overlaps[:MAX_NAMED_OVERLAPS]:
        first = names[overlap.first]
        second = names[overlap.second]
        sentences.append(f"{first} and {second} overlap: {first} is defined first and wins.")
    more = len(overlaps) - MAX_NAMED_OVERLAPS
    if more > 0:
        sentences.append(f"{counted(more, 'more overlap')}.")
    return " ".join(sentences)


def describe_hidden_part(names: Sequence[str], coverage: Coverage, terrain: int) -> str:
    """Return a text on the first part of a type's box that an earlier type takes; "" for none.

    To widen the limits of the type (its number is ``terrain``) has no effect there. The text is for
    the status bar, and so has no full stop.
    """
    for overlap in coverage.overlaps:
        if overlap.second == terrain and not overlap.is_seam:
            box = overlap.box
            return (
                f"{names[terrain]} gets no altitude {box.min_alt} to {box.max_alt}, moisture "
                f"{box.min_wet} to {box.max_wet}: {names[overlap.first]} is defined before it"
            )
    return ""
