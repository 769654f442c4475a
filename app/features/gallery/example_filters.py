"""Example filters to click on, about terrain that the maps shown have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from randomizer.batches.filters.tokens import quoted
from randomizer.model.basics.plurals import counted
from randomizer.model.grid.cell_words import cell_words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from randomizer.batches.batch import Batch, Measure

EVEN_PERCENT = 10
"""What counts as fair in an example."""

FEW_PERCENT = 85
"""An example asks for more than so many of the maps have."""


Example = tuple[str, str]
"""An example in plain words, and as a filter."""


def example_filters(batch: Batch, measures: Sequence[Measure]) -> list[Example]:
    """Return filters that some of these maps pass, so that one sees at once what they do."""
    counts = _TerrainCounts(batch)
    # The simplest comes first: a terrain on a cell of these maps.
    on_cell = (
        f"{counts.often} on {counts.usual_cell}",
        f"{counts.usual_cell} = {quoted(counts.often)}",
    )
    examples = [on_cell]
    examples += _examples_of_terrains(batch, counts)
    _on_cell, at_least, not_there = examples[:3]
    examples += _examples_of_water(batch, counts)
    examples += [(measure.title, measure.name) for measure in measures if measure.yes_no]
    if any(measure.name == "fairness" for measure in measures):
        examples.append((f"Fair within {EVEN_PERCENT} %", f"fairness <= {EVEN_PERCENT} %"))
    examples += _examples_of_landscapes(batch, measures)
    if batch.hexside is not None and batch.hexside.any():
        examples.append(_example_of_hexsides(batch, batch.hexside))
    both = " and ".join((at_least[1], not_there[1]))
    examples.append((f"{counts.often}, but not on {counts.usual_cell}", both))
    return examples


class _TerrainCounts:
    """How often the terrains stand on each of the maps that did not fail."""

    def __init__(self, batch: Batch) -> None:
        grid = batch.base.grid
        terrains = batch.base.terrain_set.terrains
        columns = np.flatnonzero(np.isin(batch.cells, grid.cells))
        self.codes_of_cells = batch.terrain[~batch.failed][:, columns]
        """Shape (maps, cells)."""
        self.codes = np.unique(self.codes_of_cells)
        """The terrains that stand on any of the maps."""
        counts = (self.codes_of_cells[:, :, None] == self.codes).sum(axis=1)
        order = _by_variety(counts)
        often = order[0]
        seldom = order[1 % len(order)]
        self.often = terrains[self.codes[often]].name
        """The terrain whose count differs most from map to map."""
        self.seldom = terrains[self.codes[seldom]].name
        """The terrain whose count differs second most, the same if there is only one."""
        self.many = max(1, int(np.percentile(counts[:, often], FEW_PERCENT)))
        """So many cells of ``often`` only a few maps have."""
        maps_with_often = np.count_nonzero(self.codes_of_cells == self.codes[often], axis=0)
        cell = int(batch.cells[columns[maps_with_often.argmax()]])
        self.usual_cell = batch.base.system.cell_name(grid, cell)
        """The cell on which ``often`` stands most often."""


def _by_variety(counts: NDArray[np.intp]) -> list[int]:
    """Return the columns of counts (maps, terrains): first what differs most from map to map.

    The commonest terrain comes last: it is the ground that all else stands on.
    """
    spread = counts.std(axis=0)
    spread[counts.sum(axis=0).argmax()] = -1
    order: list[int] = np.argsort(-spread, kind="stable").tolist()
    return order


def _examples_of_terrains(batch: Batch, counts: _TerrainCounts) -> list[Example]:
    words = cell_words(batch.base.grid.layout)
    several = counted(counts.many, words.cell, words.cells)
    often = quoted(counts.often)
    return [
        (f"At least {several} of {counts.often}", f"count({often}) >= {counts.many}"),
        (f"No {counts.often} on {counts.usual_cell}", f"{counts.usual_cell} != {often}"),
        (f"Exactly 1 {words.cell} of {counts.seldom}", f"count({quoted(counts.seldom)}) = 1"),
    ]


def _examples_of_water(batch: Batch, counts: _TerrainCounts) -> list[Example]:
    """Return examples if the maps have both water and land."""
    terrains = batch.base.terrain_set.terrains
    waters = [code for code in counts.codes.tolist() if terrains[code].water]
    if not waters or len(waters) == len(counts.codes):
        return []
    percents = 100 * np.isin(counts.codes_of_cells, waters).mean(axis=1)
    usual_percent = max(1, int(np.median(percents)))
    return [
        (f"Less than {usual_percent} % water", f"share(water) < {usual_percent} %"),
        ("Land in one piece", "regions(land) = 1"),
    ]


def _examples_of_landscapes(batch: Batch, measures: Sequence[Measure]) -> list[Example]:
    """Return examples about towns and rivers, if the maps are measured by them."""
    examples = []
    for measure in measures:
        if measure.name not in ("towns", "rivers"):
            continue
        count = max(1, int(measure.of(batch).max()))
        text = f"At least {counted(count, 'town')}"
        if measure.name == "rivers":
            words = cell_words(batch.base.grid.layout)
            text = f"Rivers on at least {counted(count, words.cell, words.cells)}"
        examples.append((text, f"{measure.name} >= {count}"))
    return examples


def _example_of_hexsides(batch: Batch, hexsides: NDArray[np.integer[Any]]) -> Example:
    """Return an example about the commonest hexside; code 0 is a plain one."""
    commonest = int(np.bincount(hexsides.ravel())[1:].argmax())
    name = batch.base.terrain_set.hexsides[commonest].name
    return f"No {name.lower()} at all", f"count({quoted(name)}) = 0"
