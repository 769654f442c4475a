"""Example filters for the gallery's menu "Examples", which maps like those shown can pass.

The examples are about terrains that the maps have, so that a click shows at once what a filter
does. For maps of which most have a few bogs they are such as

    Bog on D4                     D4 = Bog
    At least 5 hexes of Bog       count(Bog) >= 5
    Less than 20 % water          share(water) < 20 %

``example_filters`` puts them together; ``_TerrainCounts`` finds the terrains and numbers for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from randomizer.batches.filters.tokens import quoted
from randomizer.model.basics.plurals import counted
from randomizer.model.grid.cell_words import cell_words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from randomizer.batches.batch import Batch, Measure

FAIR_PERCENT = 10
"""In an example, maps whose unfairness is not above this are fair."""

MANY_PERCENTILE = 85
"""The percentile of counts for "at least n cells": about 15 % of the maps have so many."""


class Example(NamedTuple):
    """A filter that the menu offers."""

    title: str
    """The filter in plain words: "Bog on D4"."""

    filter: str
    """The filter as it is typed: "D4 = Bog"."""


def example_filters(batch: Batch, measures: Sequence[Measure]) -> list[Example]:
    """Return examples for the maps of a batch, the simplest first.

    ``measures`` are those that filters can compare. At least one map of the batch did not fail.
    """
    counts = _TerrainCounts(batch)
    words = cell_words(batch.base.grid.layout)
    terrain = counts.varied_terrain
    cell_name = counts.usual_cell
    many_cells = counted(counts.many, words.cell, words.cells)
    filter_for_many = f"count({quoted(terrain)}) >= {counts.many}"
    filter_for_none_on_cell = f"{cell_name} != {quoted(terrain)}"
    filter_for_one = f"count({quoted(counts.second_terrain)}) = 1"

    examples = [
        Example(f"{terrain} on {cell_name}", f"{cell_name} = {quoted(terrain)}"),
        Example(f"At least {many_cells} of {terrain}", filter_for_many),
        Example(f"No {terrain} on {cell_name}", filter_for_none_on_cell),
        Example(f"Exactly 1 {words.cell} of {counts.second_terrain}", filter_for_one),
    ]
    examples += _examples_of_water(batch, counts)
    # The name of a measure that is yes or no is a filter by itself.
    examples += [Example(measure.title, measure.name) for measure in measures if measure.yes_no]
    if any(measure.name == "fairness" for measure in measures):
        examples.append(Example(f"Fair within {FAIR_PERCENT} %", f"fairness <= {FAIR_PERCENT} %"))
    examples += _examples_of_landscapes(batch, measures)
    if batch.hexside is not None:
        hexsides = batch.hexside[~batch.failed]
        if hexsides.any():
            examples.append(_example_of_hexsides(batch, hexsides))
    # The last one shows how filters are joined.
    joined_filter = f"{filter_for_many} and {filter_for_none_on_cell}"
    examples.append(Example(f"{terrain}, but not on {cell_name}", joined_filter))
    return examples


class _TerrainCounts:
    """The terrains that examples are about, chosen by how often each stands on each map.

    A filter by a terrain that all maps have alike would show all of them or none. So examples are
    about the terrain whose count varies most from map to map.
    """

    def __init__(self, batch: Batch) -> None:
        """Count the terrains of the maps of ``batch`` that did not fail."""
        grid = batch.base.grid
        # The columns of the batch stand for cells; those in gaps of the grid are left out.
        columns = np.flatnonzero(np.isin(batch.cells, grid.cells))
        self.codes_of_cells = batch.terrain[~batch.failed][:, columns]
        """The code of the terrain of each cell of each map, shape (maps, cells)."""
        self.codes = np.unique(self.codes_of_cells)
        """The codes of the terrains that stand on any of the maps, ascending."""
        counts = (self.codes_of_cells[:, :, None] == self.codes).sum(axis=1)  # (maps, codes)
        terrains_by_variety = _terrains_by_variety(counts)
        first = terrains_by_variety[0]
        second = first
        if len(terrains_by_variety) > 1:
            second = terrains_by_variety[1]

        terrains = batch.base.terrain_set.terrains
        self.varied_terrain = terrains[self.codes[first]].name
        """The terrain whose count differs most from map to map."""
        self.second_terrain = terrains[self.codes[second]].name
        """The terrain whose count differs second most, the same if there is only one."""
        self.many = max(1, int(np.percentile(counts[:, first], MANY_PERCENTILE)))
        """So many cells of ``varied_terrain`` only a few maps have, see ``MANY_PERCENTILE``."""

        # For each cell, the number of maps that have the terrain there.
        map_counts = np.count_nonzero(self.codes_of_cells == self.codes[first], axis=0)  # (cells,)
        cell = int(batch.cells[columns[map_counts.argmax()]])
        self.usual_cell = batch.base.system.cell_name(grid, cell)
        """The name of the cell that has ``varied_terrain`` on most maps."""


def _terrains_by_variety(counts: NDArray[np.intp]) -> list[int]:
    """Return the columns of ``counts`` (maps, terrains): that of the most varied terrain first.

    The commonest terrain comes last: it is the ground on which all others stand.
    """
    spread = counts.std(axis=0)
    commonest = counts.sum(axis=0).argmax()
    spread[commonest] = -1  # below every standard deviation
    columns: list[int] = np.argsort(-spread, kind="stable").tolist()
    return columns


def _examples_of_water(batch: Batch, counts: _TerrainCounts) -> list[Example]:
    """Return examples about water, if the maps have both water and land."""
    terrains = batch.base.terrain_set.terrains
    waters = [code for code in counts.codes.tolist() if terrains[code].water]
    if not waters or len(waters) == len(counts.codes):
        return []
    percents = 100 * np.isin(counts.codes_of_cells, waters).mean(axis=1)
    # By the median about half of the maps pass.
    usual_percent = max(1, int(np.median(percents)))
    return [
        Example(f"Less than {usual_percent} % water", f"share(water) < {usual_percent} %"),
        Example("Land in one piece", "regions(land) = 1"),
    ]


def _examples_of_landscapes(batch: Batch, measures: Sequence[Measure]) -> list[Example]:
    """Return examples about towns and rivers, if the maps are measured by them."""
    examples = []
    for measure in measures:
        if measure.name not in ("towns", "rivers"):
            continue
        # The greatest count of all maps: at least one map passes.
        count = int(measure.of(batch)[~batch.failed].max(initial=0))
        if count == 0:
            continue
        if measure.name == "rivers":
            words = cell_words(batch.base.grid.layout)
            text = f"Rivers on at least {counted(count, words.cell, words.cells)}"
        else:
            text = f"At least {counted(count, 'town')}"
        examples.append(Example(text, f"{measure.name} >= {count}"))
    return examples


def _example_of_hexsides(batch: Batch, hexsides: NDArray[np.integer[Any]]) -> Example:
    """Return an example about the commonest of ``hexsides``, which are codes, not all of them 0."""
    counts_by_code = np.bincount(hexsides.ravel())
    # Code 0 is a side without a hexside; code 1 is the first hexside of the set.
    commonest = int(counts_by_code[1:].argmax())
    name = batch.base.terrain_set.hexsides[commonest].name
    return Example(f"No {name.lower()} at all", f"count({quoted(name)}) = 0")
