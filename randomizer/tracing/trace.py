"""Takes terrains from a picture: which kind each cell is most like, and which drawing fits best.

    kinds = drawn_kinds(grid.layout, range(21), (0, 1, 2), draw)
    known_terrains = np.full(grid.size, -1)             # no terrain is known
    traced = yield from trace(view, kinds, grid.cells, known_terrains, Drawing(draw, view))

First samples say how likely each kind is in each cell (``likelihoods``). If the picture may be one
of ours, drawings of the likely kinds decide then (``drawing_comparison``). Begin with ``trace``,
which ``app.paper.tracing`` calls.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from randomizer.tracing.appearance import BinLogs, View
from randomizer.tracing.cell_drawer import CellDrawer, Drawing
from randomizer.tracing.drawing_comparison import DrawingComparison
from randomizer.tracing.fits import Colour
from randomizer.tracing.kinds import Kinds
from randomizer.tracing.likelihoods import is_doubtful, likelihoods_of_kinds
from randomizer.tracing.registration import register

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAX_CELLS = 250_000
"""Maps of more cells are not traced."""

MAX_DRAWN = 20_000
"""Maps of more cells are not drawn to be compared with their picture: samples alone decide."""

REGISTRATIONS = 2
"""How often the placement of the grid is corrected by a drawing of the likeliest kinds."""


PERCENT_OF_SAMPLES = 30
"""The progress when samples have told how likely each kind is."""

PERCENT_OF_PLACEMENT = 35
"""The progress while the placement of the grid is corrected."""


@dataclass(frozen=True, eq=False)
class Traced:
    """The result of a tracing, in the order of the cells that were asked for."""

    terrains: NDArray[np.intp]
    """Terrain codes, (cells,)."""

    doubtful: NDArray[np.bool_]
    """True where another terrain fits nearly as well, (cells,)."""


def trace(
    view: View,
    kinds: Kinds,
    cells: NDArray[np.intp],
    known_terrains: NDArray[np.intp],
    drawing: Drawing | None = None,
    covers: Sequence[Colour] = (),
) -> Generator[int, None, Traced]:
    """Trace ``cells``, and yield percents of progress; the generator returns the result.

    ``known_terrains`` (size,) are terrain codes: a cell that has one keeps it, -1 is unknown.
    ``drawing`` is given only if the picture may be drawn by this program. ``covers`` are colours of
    what may lie on any cell, such as roads.
    """
    # Samples say how likely each kind is in each cell.
    bin_logs = BinLogs.of(view, kinds.samples, covers)
    likelihoods = likelihoods_of_kinds(view, bin_logs, kinds, cells, known_terrains)
    yield PERCENT_OF_SAMPLES
    if drawing is None or not len(cells) or view.grid.size > MAX_DRAWN:
        best_kinds = likelihoods.total.argmax(axis=1)
        doubtful = is_doubtful(likelihoods.by_colours, best_kinds, kinds.terrains)
        return Traced(kinds.terrains[best_kinds], doubtful)

    # The likeliest kinds, drawn, show how far the grid lies from where it should be. The better it
    # lies, the better are the likelihoods.
    drawer = CellDrawer(drawing, cells, kinds, known_terrains)
    if not drawing.is_placed:
        for _ in range(REGISTRATIONS):
            corrected_view = _corrected_view(drawer, likelihoods.total.argmax(axis=1))
            yield PERCENT_OF_PLACEMENT
            likelihoods = likelihoods_of_kinds(
                corrected_view, bin_logs, kinds, cells, known_terrains
            )
            corrected_drawing = replace(drawing, view=corrected_view)
            drawer = CellDrawer(corrected_drawing, cells, kinds, known_terrains)

    # Drawings of the likely kinds decide.
    comparison = DrawingComparison(drawer, likelihoods, kinds.terrains, covers)
    yield from comparison.draw_all_cells()
    yield from comparison.draw_doubtful_cells()
    return Traced(kinds.terrains[comparison.best_kinds], comparison.doubtful_cells())


def _corrected_view(drawer: CellDrawer, likeliest_kinds: NDArray[np.intp]) -> View:
    """Return a view with its grid where a drawing of the likeliest kinds fits the picture best.

    ``likeliest_kinds`` (cells,) are those of the cells of ``drawer``.
    """
    all_rows = np.arange(len(drawer.cells))
    drawn_colours = drawer.drawn_colours(all_rows, likeliest_kinds)
    placement = register(drawer.view, drawer.cells, drawn_colours)
    return replace(drawer.view, placement=placement)
