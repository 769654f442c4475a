"""Keeps the overview raster of one map up to date with its edits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QElapsedTimer

from app.render.cell_values.cell_colours import CellColours, listed_cells
from app.render.raster.overview_raster import OverviewRaster
from randomizer.model.battlemap import BattleMap
from randomizer.model.composite import Composite
from randomizer.model.grid.indices import ascending

MOST_STALE = 100_000
"""If more cells than these changed, colouring all of them is quicker."""


@dataclass
class _Pass:
    """A raster while it is coloured: the rows before ``row`` are."""

    raster: OverviewRaster
    colours: CellColours
    row: int = 0


class Overview:
    """The overview rasters of maps; that of the ``followed`` one is kept.

    ``colours_of`` gives the colours of a map's cells. Where all cells are to be coloured again,
    that can be done in several turns: meanwhile the raster is shown as it was.
    """

    def __init__(self, colours_of: Callable[[BattleMap], CellColours]) -> None:
        self.followed: BattleMap | None = None
        self._colours_of = colours_of
        self._shown: _Pass | None = None
        self._pass: _Pass | None = None
        self._stale: list[NDArray[np.intp]] | None = None  # cells to be coloured again; all
        self._stale_count = 0

    def follow(self, battlemap: BattleMap) -> None:
        """Keep this map's raster; the caller reports its changes to ``changed``."""
        self.followed = battlemap
        self._drop()

    def forget(self) -> None:
        """The theme is another: what is coloured in the old one is not gone on with."""
        self._pass = self._stale = None

    def _drop(self) -> None:
        self._shown = self._pass = self._stale = None

    @property
    def is_current(self) -> bool:
        """Whether the kept raster shows the followed map as ``raster`` last had it."""
        return self._pass is None and self._stale is not None

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

    def raster(
        self,
        battlemap: BattleMap,
        composite: Composite,
        background: int,
        budget_ms: int | None = None,
    ) -> OverviewRaster:
        """Return the raster of a map as it is now; ``background`` is 0xffRRGGBB.

        With a budget that of the followed map is perhaps not yet current (``is_current``): one that
        was complete is given as it was, else what is coloured of the first.
        """
        starts = listed_cells(battlemap, composite)
        if battlemap is not self.followed:
            alone = OverviewRaster(battlemap.grid, background)
            colours = self._colours_of(battlemap)
            alone.fill(lambda run: colours.of(composite, run, starts))
            return alone
        current = self._pass or self._shown
        if current is not None and current.raster.grid is not battlemap.grid:
            self._drop()
        if self._stale:
            cells = ascending(np.concatenate(self._stale))
            for each in filter(None, (self._shown, self._pass)):
                each.raster.colour(cells, each.colours.of(composite, cells, starts))
        if self._stale is not None:
            self._stale, self._stale_count = [], 0
        clock = QElapsedTimer()
        clock.start()
        while not self.is_current:
            if self._pass is None or (self._stale is None and budget_ms is None):
                raster = OverviewRaster(battlemap.grid, background)
                self._pass = _Pass(raster, self._colours_of(battlemap))
                self._stale, self._stale_count = [], 0
            self._go_on(self._pass, composite, starts)
            if budget_ms is not None and clock.elapsed() >= budget_ms:
                break
        shown = self._shown or self._pass
        assert shown is not None, "one of them has been made"
        return shown.raster

    def _go_on(self, under_way: _Pass, composite: Composite, starts: NDArray[np.intp]) -> None:
        """Colour some more rows."""
        colours = under_way.colours
        under_way.row = under_way.raster.fill_from(
            under_way.row, lambda run: colours.of(composite, run, starts)
        )
        if under_way.row >= under_way.raster.grid.height:
            self._shown, self._pass = under_way, None
