"""The kinds of cells that a tracing tells apart: pairs of terrain and elevation, with samples.

Tracing finds out the terrain of each cell of a map from a picture of it.

A sample says how cells of a kind look. ``drawn_kinds`` are drawn by the program, which can draw all
terrains; ``painted_kinds`` are cells of the picture whose terrain a person has set. ``trace``
compares all other cells with them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from randomizer.model.grid.grid import Grid
from randomizer.tracing.appearance import BinLogs, Samples, View, likeness

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from randomizer.model.grid.layouts import Layout

Draw = Callable[
    [Grid, "NDArray[np.intp]", "NDArray[np.intp]", "NDArray[np.intp]"],
    View,
]
"""A function that draws a map and returns the view of its picture.

Its arguments are the grid, the terrains (size,), the elevations (size,), and the cells (n,) that
have to be drawn; what the picture shows elsewhere is not used. A view is valid until the next
drawing.
"""

BLOCK = 2
"""The number of cells, across and down, in which each kind is drawn for a sample."""

MAX_KINDS = 400
"""The largest number of kinds that are drawn for samples; of more only those of elevation 0."""

MAX_PAINTED = 30
"""The largest number of painted cells of a terrain that are samples."""


@dataclass(frozen=True, eq=False)
class Kinds:
    """Samples, and the terrain and the elevation that each of them shows.

    Several samples may be of one kind: there is one for each painted cell.
    """

    samples: Samples

    terrains: NDArray[np.intp]
    """The terrain codes, (samples,)."""

    elevations: NDArray[np.intp]
    """The elevations, (samples,)."""


def drawn_kinds(
    layout: Layout, terrains: Sequence[int], elevations: Sequence[int], draw: Draw
) -> Kinds:
    """Return a sample of each terrain in each of ``elevations``, as the program draws them.

    All are drawn as one map, which has a block of cells for each kind.
    """
    if len(terrains) * len(elevations) > MAX_KINDS:
        elevations = (0,)
    kinds = []
    for elevation in elevations:
        for terrain in terrains:
            kinds.append((terrain, elevation))
    blocks_across = min(len(terrains), MAX_KINDS)
    blocks_down = ceil(len(kinds) / blocks_across)
    grid = Grid(layout, blocks_across * BLOCK, blocks_down * BLOCK)

    y, x = np.divmod(np.arange(grid.size), grid.width)
    kind_of_cell = y // BLOCK * blocks_across + x // BLOCK
    # The last row of blocks may have more blocks than kinds are left; these show the last kind.
    shown_kind = kind_of_cell.clip(0, len(kinds) - 1)
    terrain_codes, elevations_of_kinds = np.array(kinds, np.intp).T
    view = draw(grid, terrain_codes[shown_kind], elevations_of_kinds[shown_kind], grid.cells)
    cells_of_kinds = [np.flatnonzero(kind_of_cell == index) for index in range(len(kinds))]
    return Kinds(Samples(view, cells_of_kinds), terrain_codes, elevations_of_kinds)


def painted_kinds(view: View, cells: NDArray[np.intp], terrains: NDArray[np.intp]) -> Kinds:
    """Return a sample for each of ``cells`` (n,), whose ``terrains`` (n,) are known.

    A terrain with more than ``MAX_PAINTED`` cells has samples of some of them, evenly spread. All
    count as of elevation 0.
    """
    sample_cells: list[NDArray[np.intp]] = []
    codes: list[int] = []
    for terrain in np.unique(terrains).tolist():
        cells_of_terrain = cells[terrains == terrain]
        step = ceil(len(cells_of_terrain) / MAX_PAINTED)
        cells_of_terrain = cells_of_terrain[::step]
        sample_cells += list(cells_of_terrain[:, None])
        codes += [terrain] * len(cells_of_terrain)
    no_elevations = np.zeros(len(codes), np.intp)
    return Kinds(Samples(view, sample_cells), np.array(codes, np.intp), no_elevations)


def agreement(
    view: View, kinds: Kinds, cells: NDArray[np.intp], terrains: NDArray[np.intp]
) -> float:
    """Return the share of cells whose terrain the likeliest sample tells rightly, 0 to 1.

    ``terrains`` (n,) are the true terrains of ``cells`` (n,). The result is 0 for no cells.
    """
    if not len(cells):
        return 0.0
    likeliest = likeness(view, cells, BinLogs.of(view, kinds.samples)).argmax(axis=1)
    return float((kinds.terrains[likeliest] == terrains).mean())
