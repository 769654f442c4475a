"""Keeps the overview of a map, a small raster image, up to date with the edits of the map.

``Overview`` knows which cells of an ``OverviewRaster`` have to be coloured again, and colours them
in several turns of the event loop where they are many. The renderer follows one map with it,
reports the map's changes, and asks for its ``raster`` with each frame that shows one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QElapsedTimer

from app.render.cell_values.cell_colours import CellColours, listed_cells
from app.render.raster.overview_raster import OverviewRaster
from randomizer.model.grid.indices import ascending
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite

MAX_STALE = 100_000
"""If more cells than these changed, colouring all of them is quicker."""


class _StaleCells:
    """The cells of a map that look otherwise than the rasters have them: some, or all."""

    def __init__(self) -> None:
        self.all_are_stale = True
        """True if all cells are stale."""
        self._changes: list[NDArray[np.intp]] = []
        """The stale cells of each change, arrays (n,); empty if all cells are stale."""
        self._count = 0
        """The number of cells in ``_changes``, counted with repetitions."""

    def add_all(self) -> None:
        """Note that all cells are stale."""
        self.all_are_stale = True
        self._changes = []  # they are not needed any more
        self._count = 0

    def add(self, cells: NDArray[np.intp]) -> None:
        """Note that these cells (n,) are stale."""
        if self.all_are_stale:
            return
        self._changes.append(cells)
        self._count += len(cells)
        if self._count > MAX_STALE:
            self.add_all()

    def clear(self) -> None:
        """Note that no cell is stale: all have been coloured, or are about to be."""
        self.all_are_stale = False
        self._changes = []
        self._count = 0

    def listed(self) -> NDArray[np.intp]:
        """Return the stale cells, ascending (n,), while they are not all."""
        if not self._changes:
            return np.empty(0, np.intp)
        return ascending(np.concatenate(self._changes))


@dataclass
class _Colouring:
    """A raster that is being coloured, or has been, row by row."""

    raster: OverviewRaster
    """The image."""

    colours: CellColours
    """The colours of the map's cells, as they were when it began."""

    row: int = 0
    """The rows before this one are coloured."""


class Overview:
    """The overview rasters of maps; that of the ``followed`` one is stored.

    Where all cells are to be coloured again, that can take several turns: meanwhile the raster is
    shown as it was. So there are up to two *colourings*, one that is ``_complete`` and is shown,
    and one ``_under_way`` that will take its place. Cells are *stale* if they look otherwise than
    both have them. One under way goes on although all cells changed meanwhile: if they change in
    every turn, it would never end otherwise. This is what becomes of the two:

        ``changed``       some cells are stale, and are coloured in both at the next ``raster``
        ``all_changed``   one under way goes on to its end; then a new one begins
        ``forget``        one under way is dropped, and a new one begins at once
        ``follow``        both are dropped: nothing of another map is shown
    """

    def __init__(self, colours_of: Callable[[BattleMap], CellColours]) -> None:
        self.followed: BattleMap | None = None
        """The map whose raster is stored."""
        self._colours_of = colours_of
        """Returns the colours of a map's cells."""
        self._complete: _Colouring | None = None
        """The last colouring that came to its end."""
        self._under_way: _Colouring | None = None
        """The colouring that will take its place."""
        self._stale = _StaleCells()
        """The cells that have to be coloured again."""

    def follow(self, battlemap: BattleMap) -> None:
        """Store this map's raster; the caller reports its changes to ``changed``."""
        self.followed = battlemap
        self._drop_colourings()

    def forget(self) -> None:
        """Colour all cells again, from the start: the theme is another.

        What was coloured completely is shown until then.
        """
        self._under_way = None
        self._stale.add_all()

    @property
    def is_current(self) -> bool:
        """True if nothing is left to colour: the stored raster shows the followed map."""
        return self._under_way is None and not self._stale.all_are_stale

    def all_changed(self) -> None:
        """Colour all cells of the followed map again when they are drawn next."""
        self._stale.add_all()

    def changed(self, cells: NDArray[np.intp]) -> None:
        """Colour these cells (n,) of the followed map again when they are drawn next."""
        self._stale.add(cells)

    def raster(
        self,
        battlemap: BattleMap,
        composite: Composite,
        background: int,
        budget_ms: int | None = None,
    ) -> OverviewRaster:
        """Return the raster of a map; ``background`` is 0xffRRGGBB.

        Without a budget it shows the map as it is now. With one the raster of the followed map may
        not be current yet (``is_current``): the complete one is returned as it was, or if there is
        none as many rows as are coloured of the first.
        """
        cell_list = listed_cells(battlemap, composite)
        if battlemap is not self.followed:
            raster = OverviewRaster(battlemap.grid, background)
            colours = self._colours_of(battlemap)
            raster.fill(lambda run: colours.of(composite, run, cell_list))
            return raster

        self._drop_colourings_of_another_grid(battlemap)
        self._colour_stale_cells(composite, cell_list)
        clock = QElapsedTimer()
        clock.start()
        while not self.is_current:
            # Without a budget one under way need not end first: it is begun anew at once.
            begins_anew = self._stale.all_are_stale and budget_ms is None
            if self._under_way is None or begins_anew:
                raster = OverviewRaster(battlemap.grid, background)
                self._under_way = _Colouring(raster, self._colours_of(battlemap))
                self._stale.clear()
            self._colour_some_rows(self._under_way, composite, cell_list)
            if budget_ms is not None and clock.elapsed() >= budget_ms:
                break
        return self._shown_raster()

    # --- the two colourings -----------------------------------------------------------------

    def _shown_raster(self) -> OverviewRaster:
        """Return the raster that is complete, or that of the first colouring of a map."""
        if self._complete is not None:
            return self._complete.raster
        assert self._under_way is not None, "the first colouring of the map has begun"
        return self._under_way.raster

    def _drop_colourings(self) -> None:
        """Let go of the rasters: they show another map, or one of another grid."""
        self._complete = None
        self._under_way = None
        self._stale.add_all()

    def _drop_colourings_of_another_grid(self, battlemap: BattleMap) -> None:
        """Let go of the rasters if the map has got another grid since they were begun."""
        latest = self._complete
        if self._under_way is not None:
            latest = self._under_way
        if latest is not None and latest.raster.grid is not battlemap.grid:
            self._drop_colourings()

    def _colour_stale_cells(self, composite: Composite, cell_list: NDArray[np.intp]) -> None:
        """Colour the cells that changed, if they are not all."""
        if self._stale.all_are_stale:
            return
        cells = self._stale.listed()
        if len(cells):
            for colouring in (self._complete, self._under_way):
                if colouring is not None:
                    colours = colouring.colours.of(composite, cells, cell_list)
                    colouring.raster.colour(cells, colours)
        self._stale.clear()

    def _colour_some_rows(
        self, colouring: _Colouring, composite: Composite, cell_list: NDArray[np.intp]
    ) -> None:
        """Colour some more rows; once all are coloured this colouring is the complete one."""
        colours = colouring.colours
        colouring.row = colouring.raster.fill_from(
            colouring.row, lambda run: colours.of(composite, run, cell_list)
        )
        if colouring.row >= colouring.raster.grid.height:
            self._complete = colouring
            self._under_way = None
