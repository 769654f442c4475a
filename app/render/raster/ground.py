"""Draws what lies on the cells of a frame: terrain, table features, hexsides, the map's edges.

All of it consists of sprites. Translucent layers are drawn in several passes.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QElapsedTimer

from app.render.cell_colours import DEEPEST, HIGHEST, LEVELS
from app.render.map_edges import map_edge_sides, near_map_edge
from app.render.raster.fragments import draw_by_key
from app.render.variants import MOST_VARIANTS, variants_at
from randomizer.model.planes import is_blank

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from app.render.opacity_passes import OpacityPass
    from app.render.overlay_options import Overlays
    from app.render.raster.frame import Frame
    from app.render.symbols import SymbolPlaces
    from app.render.terrain_pictures import CellKey
    from randomizer.model.planes import PlaneSpec

PROGRESSIVE_MS = 8
"""For this long a progressive frame draws sprites of table features that are missing."""


class Ground:
    """Paints one frame. ``drafted``: some sprites were missing; it is drawn again with them."""

    def __init__(self, frame: Frame, passes: tuple[OpacityPass, ...], overlays: Overlays) -> None:
        self.drafted = False
        self._frame = frame
        self._passes = passes
        self._overlays = overlays
        self._system = frame.battlemap.system

    def _parts(self, specs: tuple[PlaneSpec, ...]) -> Iterator[tuple[OpacityPass, Frame]]:
        """Each pass and the part of the frame that it draws for these planes.

        The painter has the opacity of the pass.
        """
        painter = self._frame.painter
        for each in self._passes:
            drawn = each.draws(specs, self._frame.cells)
            painter.setOpacity(each.opacity)
            yield each, self._frame if drawn is None else self._frame.some(drawn)
        painter.setOpacity(1.0)

    def paint_cells(self, *, progressive: bool) -> None:
        """Draw terrain and elevation; ``progressive``: missing sprites are drafted."""
        planes = (self._system.terrain, self._system.elevation)
        for each, part in self._parts(tuple(spec for spec in planes if spec is not None)):
            codes = self._cell_codes(part, each)
            if not len(codes):
                continue
            present = np.flatnonzero(np.bincount(codes))
            keys = [_cell_key(code) for code in present.tolist()]
            sheet = part.sprites.sheet
            sources = np.empty((present[-1] + 1, 2))
            sources[present] = sheet.draw(keys, progressive=progressive)
            self.drafted |= progressive and not all(map(sheet.ready, keys))
            sheet.paint(part.painter, sources[codes], part.corners(part.sprites.cell_box))

    def _cell_codes(self, frame: Frame, drawn: OpacityPass) -> NDArray[np.intp]:
        """The sprite of each cell (n,), as one number: see ``_cell_key``."""
        system, composite = self._system, frame.composite
        codes = np.full(len(frame.cells), -DEEPEST, np.intp)
        if system.terrain is not None:
            shown = drawn.values(composite, system.terrain, frame.cells)
            known = len(composite.terrain_set.terrains) - 1
            terrain = np.minimum(shown, known).astype(np.intp)
            variant = variants_at(composite.terrain_set, terrain, frame.cells)
            codes += (terrain * MOST_VARIANTS + variant) * LEVELS
        if self._overlays.elevation and system.elevation is not None:
            elevation = drawn.values(composite, system.elevation, frame.cells)
            codes += elevation.clip(DEEPEST, HIGHEST)
        return np.asarray(codes)

    def paint_table_features(self, *, progressive: bool) -> None:
        """Draw hills, waters, features and routes of a wargame table.

        ``progressive``: missing sprites are left out once ``PROGRESSIVE_MS`` are over.
        """
        sprites, clock = self._frame.sprites, QElapsedTimer()
        clock.start()
        for each, part in self._parts(self._system.shown_planes):
            for symbol, places in self._table_features(part, each):
                late = progressive and clock.elapsed() > PROGRESSIVE_MS
                if late and not sprites.has_symbol(symbol):
                    self.drafted = True
                else:
                    part.some(places).draw_in_box(sprites.symbol(symbol), symbol.box)

    def _table_features(self, frame: Frame, drawn: OpacityPass) -> Iterator[SymbolPlaces]:
        """The table features that a pass draws; none on maps that are no tables."""
        system, grid, planes = self._system, frame.battlemap.grid, frame.composite.planes
        if not frame.composite.terrain_set.contours:
            return iter(())
        if drawn.own is not None:
            everywhere = slice(0, grid.size)
            planes = {
                spec.name: drawn.values(frame.composite, spec, everywhere).reshape(spec.shape(grid))
                for spec in system.shown_planes
            }
        from app.render.table.cells import TableCells

        table = TableCells(system, grid, planes, frame.cells, self._overlays.grid_lines)
        return frame.sprites.table_features.symbols(table)

    def paint_hexsides(self) -> None:
        """Draw the hexsides."""
        spec, plane = self._system.hexside, self._frame.composite.plane(self._system.hexside)
        if spec is None or plane is None or is_blank(plane):
            return
        for each, part in self._parts((spec,)):
            codes = each.values(part.composite, spec, part.cells)
            for side in range(part.battlemap.grid.degree):
                there = np.flatnonzero(codes[:, side])
                draw_by_key(
                    part.painter,
                    codes[there, side].astype(np.int64),
                    part.some(there).corners(part.sprites.side_box(side)),
                    partial(part.sprites.hexside, side=side),
                )

    def paint_map_edges(self) -> None:
        """Draw the map's edge, and the seam of a map that wraps."""
        grid, sprites = self._frame.battlemap.grid, self._frame.sprites
        frame = self._frame.some(near_map_edge(grid, self._frame.cells))
        if not len(frame.cells):
            return
        for side in range(grid.degree):
            edge, seam = map_edge_sides(grid, frame.cells, side)
            box = sprites.side_box(side)
            frame.some(edge).draw_in_box(sprites.map_edge(side), box)
            if self._overlays.seam and seam.any():
                frame.some(seam).draw_in_box(sprites.seam(side), box)

    def prepare(self, budget_ms: int) -> bool:
        """Draw missing sprites of the frame for ``budget_ms``; whether all are drawn now.

        At least one is drawn, so that preparing comes to an end.
        """
        frame, sprites, clock = self._frame, self._frame.sprites, QElapsedTimer()
        clock.start()
        for each in self._passes:
            for code in np.unique(self._cell_codes(frame, each)).tolist():
                key = _cell_key(code)
                if not sprites.sheet.ready(key):
                    sprites.sheet.draw([key])
                    if clock.elapsed() >= budget_ms:
                        return False
            for symbol, _ in self._table_features(frame, each):
                if not sprites.has_symbol(symbol):
                    sprites.symbol(symbol)
                    if clock.elapsed() >= budget_ms:
                        return False
        return True


def _cell_key(code: int) -> CellKey:
    """The key of ``(terrain * MOST_VARIANTS + variant) * LEVELS + elevation - DEEPEST``."""
    picture, level = divmod(code, LEVELS)
    terrain, variant = divmod(picture, MOST_VARIANTS)
    return terrain, level + DEEPEST, variant
