"""What the percentile chart says in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from randomizer.model.plurals import counted
from randomizer.systems.xconq.world.coverage import Box, Coverage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

MOST_OVERLAPS = 2
"""So many overlaps are named."""


def percent(part: float, whole: float) -> str:
    """A share of the world in words."""
    share = 100 * part / whole if whole else 0.0
    return f"{share:.1f}\N{NO-BREAK SPACE}%"


def type_words(name: str, box: Box, share: str) -> str:
    """The limits of a type, and its share of the world ("" if that is not known)."""
    words = (
        f"{name}: altitude {box.min_alt} to {box.max_alt}, moisture {box.min_wet} to {box.max_wet}"
    )
    return f"{words}; {share} of the world" if share else words


def point_words(point: tuple[int, int], name: str | None, share: str) -> str:
    """A pair of percentages, the type that takes it (None: none), and the share of the world that
    has that type, or that pair if there is none."""
    where = f"Altitude {point[0]}, moisture {point[1]}"
    words = f"{where}: {name or 'no terrain type'}"
    return f"{words}; {share} of the world" if share else words


def fault_words(names: Sequence[str], coverage: Coverage, density: NDArray[np.int64] | None) -> str:
    """The gaps and overlaps in words; "" if there are none."""
    said = []
    if coverage.gaps:
        words = counted(len(coverage.gaps), "gap")
        if density is not None:
            lost = sum(
                int(density[gap.min_alt : gap.max_alt + 1, gap.min_wet : gap.max_wet + 1].sum())
                for gap in coverage.gaps
            )
            words += f": {percent(lost, int(density.sum()))} of the world fits no type"
        said.append(f"{words}.")
    overlaps = [each for each in coverage.overlaps if not each.seam]
    for each in overlaps[:MOST_OVERLAPS]:
        first, second = names[each.first], names[each.second]
        said.append(f"{first} and {second} overlap: {first} is defined first and wins.")
    more = len(overlaps) - MOST_OVERLAPS
    if more > 0:
        said.append(f"{counted(more, 'more overlap')}.")
    return " ".join(said)
