"""What lies on the cells of a frame: terrain, hills, features, routes, hexsides, the board's ends.

All of it comes from sprites, in one pass for each step of the stack where layers are translucent.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QElapsedTimer

from app.render.cell_colours import DEEPEST, HIGHEST, LEVELS
from app.render.map_edges import map_edge_sides, near_map_edge
from app.render.opacity_passes import OpacityPass, is_own, shown
from app.render.raster.fragments import draw_by_key, stamp_from
from app.render.table.features import Table
from randomizer.model.battlemap import is_blank

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from app.render.detail import Overlays
    from app.render.raster.frame import Frame
    from app.render.table.features import Found
    from randomizer.model.battlemap import PlaneSpec

PROGRESSIVE_MS = 8
"""So long a hurried frame of a table draws pieces that are not at hand."""


class Ground:
    """Paints one frame. ``drafted``: some of its pictures were not at hand and it hurried."""

    def __init__(self, frame: Frame, steps: tuple[OpacityPass, ...], overlays: Overlays) -> None:
        self.drafted = False
        self._frame = frame
        self._opacity_passes = steps
        self._overlays = overlays
        self._system = frame.battlemap.system

    def _parts(self, specs: tuple[PlaneSpec, ...]) -> Iterator[tuple[OpacityPass, Frame]]:
        """Each pass with the part of the frame on which it has some of the planes, to be drawn."""
        painter = self._frame.painter
        for step in self._opacity_passes:
            own = is_own(step, specs, self._frame.cells)
            painter.setOpacity(step.opacity)
            yield step, self._frame if own is None else self._frame.some(own)
        painter.setOpacity(1.0)

    def paint_cells(self, *, progressive: bool) -> None:
        """Terrain and elevation. ``progressive``: what is not at hand is drafted."""
        names = {spec.name for spec in self._system.shown_planes}
        planes = [name for name in ("terrain", "elevation") if name in names]
        for step, part in self._parts(tuple(self._system.plane(name) for name in planes)):
            keys = self._cell_keys(part, step)
            if not len(keys):
                continue
            present = np.flatnonzero(np.bincount(keys))
            looks = [_look(key) for key in present.tolist()]
            sheet = part.sprites.sheet
            sources = np.empty((present[-1] + 1, 2))
            sources[present] = sheet.draw(looks, progressive=progressive)
            self.drafted |= progressive and not all(map(sheet.ready, looks))
            stamp_from(part.painter, sheet, sources[keys], part.corners(part.sprites.cell_box))

    def _cell_keys(self, frame: Frame, step: OpacityPass) -> NDArray[np.intp]:
        """Which sprite each cell has."""
        system, composite = self._system, frame.composite
        terrain = shown(step, composite, system.plane("terrain"), frame.cells)
        known = len(system.terrain_set.terrains) - 1
        keys = np.minimum(terrain, known).astype(np.intp) * LEVELS - DEEPEST
        plane = composite.planes.get("elevation")
        if self._overlays.elevation and plane is not None:
            elevation = shown(step, composite, system.plane("elevation"), frame.cells)
            keys += elevation.clip(DEEPEST, HIGHEST)
        return np.asarray(keys)

    def paint_table_features(self, *, progressive: bool) -> None:
        """Hills, features and routes.

        ``progressive``: what is not at hand is left out once that takes time.
        """
        sprites, clock = self._frame.sprites, QElapsedTimer()
        clock.start()
        for step, part in self._parts(self._system.shown_planes):
            for symbol, places in self._table_features(part, step):
                if (
                    progressive
                    and clock.elapsed() > PROGRESSIVE_MS
                    and not sprites.has_symbol(symbol)
                ):
                    self.drafted = True
                else:
                    part.some(places).draw_in_box(sprites.symbol(symbol), symbol.box)

    def _table_features(self, frame: Frame, step: OpacityPass) -> Iterator[Found]:
        """What one pass lays on the cells of a frame; nothing on maps without contours."""
        system, grid, planes = self._system, frame.battlemap.grid, frame.composite.planes
        if not system.terrain_set.contours:
            return iter(())
        if step.own is not None:
            everywhere = slice(0, grid.size)
            planes = {
                spec.name: shown(step, frame.composite, spec, everywhere).reshape(spec.shape(grid))
                for spec in system.shown_planes
            }
        table = Table(system, grid, planes, frame.cells, seams=self._overlays.grid_lines)
        return frame.sprites.table_features.symbols(table)

    def paint_sides(self) -> None:
        """Hexsides."""
        plane = self._frame.composite.planes.get("hexside")
        if plane is None or is_blank(plane):
            return
        spec = self._system.plane("hexside")
        for step, part in self._parts((spec,)):
            codes = shown(step, part.composite, spec, part.cells)
            for side in range(part.battlemap.grid.degree):
                there = np.flatnonzero(codes[:, side])
                draw_by_key(
                    part.painter,
                    codes[there, side].astype(np.int64),
                    part.some(there).corners(part.sprites.side_box(side)),
                    partial(part.sprites.side, side=side),
                )

    def paint_map_edges(self) -> None:
        """The board's rim, and the seam of a world that goes round."""
        grid, sprites = self._frame.battlemap.grid, self._frame.sprites
        frame = self._frame.some(near_map_edge(grid, self._frame.cells))
        if not len(frame.cells):
            return
        for side in range(grid.degree):
            map_edge, seam = map_edge_sides(grid, frame.cells, side)
            box = sprites.side_box(side)
            frame.some(map_edge).draw_in_box(sprites.map_edge(side), box)
            if self._overlays.seam and seam.any():
                frame.some(seam).draw_in_box(sprites.seam(side), box)

    def prepare(self, budget_ms: int) -> bool:
        """Draw sprites that the frame needs for so long; whether all are there now.

        One at least is drawn: finding out took its time, too.
        """
        frame, sprites, clock = self._frame, self._frame.sprites, QElapsedTimer()
        clock.start()
        for step in self._opacity_passes:
            for key in np.unique(self._cell_keys(frame, step)).tolist():
                look = _look(key)
                if not sprites.sheet.ready(look):
                    sprites.sheet.draw([look])
                    if clock.elapsed() >= budget_ms:
                        return False
            for symbol, _ in self._table_features(frame, step):
                if not sprites.has_symbol(symbol):
                    sprites.symbol(symbol)
                    if clock.elapsed() >= budget_ms:
                        return False
        return True


def _look(key: int) -> tuple[int, int]:
    """The terrain and the elevation of a key of ``_cell_keys``."""
    terrain, level = divmod(key, LEVELS)
    return terrain, level + DEEPEST
