"""The kinds of cells that a tracing tells apart: pairs of terrain and elevation, with samples.

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
"""Returns the view of a drawn map: of its grid, terrains (size,) and elevations (size,), and which
cells (n,) have to be drawn; what is drawn elsewhere is of no use. A view is valid until the next
drawing."""

BLOCK = 2
"""A kind is drawn in a block of so many cells across and down for a sample."""

MOST_KINDS = 400
"""So many pairs of terrain and elevation are drawn for samples; else elevation 0 alone."""

MOST_PAINTED = 30
"""So many painted cells of a terrain are samples."""


@dataclass(frozen=True, eq=False)
class Kinds:
    """Samples, and the terrain and the elevation that each of them shows.

    Several may be of one kind, as painted cells are.
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
    if len(terrains) * len(elevations) > MOST_KINDS:
        elevations = (0,)
    kinds = []
    for elevation in elevations:
        for terrain in terrains:
            kinds.append((terrain, elevation))
    blocks_across = min(len(terrains), MOST_KINDS)
    blocks_down = ceil(len(kinds) / blocks_across)
    grid = Grid(layout, blocks_across * BLOCK, blocks_down * BLOCK)

    y, x = np.divmod(np.arange(grid.size), grid.width)
    kind_of_cell = y // BLOCK * blocks_across + x // BLOCK
    # Blocks behind the last kind show it once more.
    shown_kind = kind_of_cell.clip(0, len(kinds) - 1)
    terrain_codes, elevations_of_kinds = np.array(kinds, np.intp).T
    view = draw(grid, terrain_codes[shown_kind], elevations_of_kinds[shown_kind], grid.cells)
    cells_of_kinds = [np.flatnonzero(kind_of_cell == number) for number in range(len(kinds))]
    return Kinds(Samples(view, cells_of_kinds), terrain_codes, elevations_of_kinds)


def painted_kinds(view: View, cells: NDArray[np.intp], terrains: NDArray[np.intp]) -> Kinds:
    """Return ``cells`` (n,), whose ``terrains`` (n,) are known, as a sample each.

    Of a terrain with more than ``MOST_PAINTED`` cells some are taken, evenly. All count as of
    elevation 0.
    """
    sample_cells: list[NDArray[np.intp]] = []
    codes: list[int] = []
    for terrain in np.unique(terrains).tolist():
        cells_of_terrain = cells[terrains == terrain]
        step = ceil(len(cells_of_terrain) / MOST_PAINTED)
        cells_of_terrain = cells_of_terrain[::step]
        sample_cells += list(cells_of_terrain[:, None])
        codes += [terrain] * len(cells_of_terrain)
    no_elevations = np.zeros(len(codes), np.intp)
    return Kinds(Samples(view, sample_cells), np.array(codes, np.intp), no_elevations)


def agreement(
    view: View, kinds: Kinds, cells: NDArray[np.intp], terrains: NDArray[np.intp]
) -> float:
    """Return the share of ``cells`` (n,) whose ``terrains`` (n,) samples tell; 0 for no cells."""
    if not len(cells):
        return 0.0
    likeliest = likeness(view, cells, BinLogs.of(view, kinds.samples)).argmax(axis=1)
    return float((kinds.terrains[likeliest] == terrains).mean())
