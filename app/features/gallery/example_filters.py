"""Example filters to click on, about terrain that the maps shown have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from randomizer.batches.filters.tokens import quoted
from randomizer.model.basics.plurals import counted
from randomizer.model.grid.cell_text import cell_words

if TYPE_CHECKING:
    from randomizer.batches.batch import Batch, Measure

EVEN_PERCENT = 10
"""What counts as fair in an example."""

FEW_PERCENT = 85
"""An example asks for more than so many of the maps have."""


def example_filters(batch: Batch, measures: Sequence[Measure]) -> list[tuple[str, str]]:
    """Return pairs of plain words and a filter, about what these maps have now and then."""
    system = batch.base.system
    grid = batch.base.grid
    columns = np.flatnonzero(np.isin(batch.cells, grid.cells))
    terrain = batch.terrain[~batch.failed][:, columns]
    codes = np.unique(terrain)
    counts = (terrain[:, :, None] == codes).sum(axis=1)
    # What differs most from map to map; the commonest is the ground that all else stands on.
    spread = counts.std(axis=0)
    spread[counts.sum(axis=0).argmax()] = -1
    order = np.argsort(-spread, kind="stable").tolist()
    often = order[0]
    seldom = order[1 % len(order)]
    names = [batch.base.terrain_set.terrains[code].name for code in codes.tolist()]
    least = max(1, int(np.percentile(counts[:, often], FEW_PERCENT)))
    words = cell_words(grid.layout)
    one = f"1 {words.cell}"
    several = counted(least, words.cell, words.cells)
    column = np.count_nonzero(terrain == codes[often], axis=0).argmax()
    cell_name = system.cell_name(grid, int(batch.cells[columns[column]]))
    result = [
        (f"At least {several} of {names[often]}", f"count({quoted(names[often])}) >= {least}"),
        (f"No {names[often]} on {cell_name}", f"{cell_name} != {quoted(names[often])}"),
        (f"Just {one} of {names[seldom]}", f"count({quoted(names[seldom])}) = 1"),
    ]
    waters = {code for code in codes.tolist() if batch.base.terrain_set.terrains[code].water}
    if waters and len(waters) < len(codes):
        share = max(1, int(np.median(100 * np.isin(terrain, [*waters]).mean(axis=1))))
        result.append((f"Less than {share} % water", f"share(water) < {share} %"))
        result.append(("Land in one piece", "regions(land) = 1"))
    result += [(measure.title, measure.name) for measure in measures if measure.yes_no]
    if any(measure.name == "fairness" for measure in measures):
        result.append((f"Fair within {EVEN_PERCENT} %", f"fairness <= {EVEN_PERCENT} %"))
    if batch.hexside is not None and batch.hexside.any():
        code = int(np.bincount(batch.hexside.ravel())[1:].argmax())
        side = batch.base.terrain_set.hexsides[code].name
        result.append((f"No {side.lower()} at all", f"count({quoted(side)}) = 0"))
    result.append(
        (f"{names[often]}, but not on {cell_name}", " and ".join((result[0][1], result[1][1])))
    )
    return result
