"""Keeps the overview raster of one map up to date with its edits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from app.render.cell_list import listed_cells
from app.render.raster.overview_raster import OverviewRaster
from randomizer.model.indices import ascending

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from app.render.cell_colours import CellColours
    from randomizer.model.battlemap import BattleMap
    from randomizer.model.composite import Composite

MOST_STALE = 100_000
"""If more cells than these changed, colouring all of them is quicker."""


class Overview:
    """The overview rasters of maps; that of the ``followed`` one is kept.

    ``colours_of`` gives the colours of a map's cells.
    """

    def __init__(self, colours_of: Callable[[BattleMap], CellColours]) -> None:
        self.followed: BattleMap | None = None
        self._colours_of = colours_of
        self._raster: OverviewRaster | None = None
        self._colours: CellColours  # set with the raster
        self._stale: list[NDArray[np.intp]] | None = None  # cells to be coloured again; all
        self._stale_count = 0

    def follow(self, battlemap: BattleMap) -> None:
        """Keep this map's raster; the caller reports its changes to ``changed``."""
        self.followed = battlemap
        self._raster = None

    def forget(self) -> None:
        """The theme is another: make a new raster."""
        self._raster = None
        self._stale = None

    @property
    def has_current_cells(self) -> bool:
        """Whether some cells of the kept raster are up to date, so that changes matter."""
        return self._stale is not None

    def all_changed(self) -> None:
        """All cells of the followed map are coloured again when they are drawn next."""
        self._stale = None

    def changed(self, cells: NDArray[np.intp]) -> None:
        """These cells (n,) of the followed map are coloured again when they are drawn next."""
        if self._stale is None:
            return
        self._stale.append(cells)
        self._stale_count += len(cells)
        if self._stale_count > MOST_STALE:
            self._stale = None

    def raster(self, battlemap: BattleMap, composite: Composite, background: int) -> OverviewRaster:
        """The raster of a map as it is now; ``background`` is 0xffRRGGBB."""
        followed = battlemap is self.followed
        raster = self._raster if followed else None
        starts = listed_cells(battlemap, composite)
        if raster is not None and raster.grid is battlemap.grid and self._stale is not None:
            if self._stale:
                cells = ascending(np.concatenate(self._stale))
                raster.colour(cells, self._colours.of(composite, cells, starts))
        else:
            if raster is None or raster.grid is not battlemap.grid:
                raster = OverviewRaster(battlemap.grid, background)
            colours = self._colours_of(battlemap)
            raster.fill(lambda run: colours.of(composite, run, starts))
            if followed:
                self._raster, self._colours = raster, colours
        if followed:
            self._stale, self._stale_count = [], 0
        return raster
