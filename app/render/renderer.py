"""Draws a map of any layout at any scale, from a million cells at once to one that fills the view.

Three bands, by how large a cell is: bricks stretched to the view, hexagons composed from the
bricks, sprites. The renderer draws what lies in a rectangle and nothing else, so that an edit
repaints only its surroundings; what it keeps of a map is the bricks of the one it ``follows``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QLineF, QRectF
from PySide6.QtGui import QImage, QPainter, QPolygonF

from app.render.cell_colours import CellColours
from app.render.detail import (
    HEXES_FROM,
    LABELS_FROM,
    SIDES_FROM,
    Overlays,
    cell_size,
    sprites_from,
)
from app.render.heat import Heat
from app.render.map_edges import paint_seam
from app.render.opacity_passes import SINGLE_PASS, OpacityPass, opacity_passes
from app.render.overlays.cell_overlays import CellOverlays
from app.render.overlays.entry_sides import EntrySideNames
from app.render.overlays.thing_overlay import ThingOverlay
from app.render.picture_source import OwnPictures, Pictures
from app.render.raster.frame import Frame
from app.render.raster.ground import Ground
from app.render.raster.overview_raster import OverviewRaster, device_box
from app.render.raster.sprites import SIDE_REACH, Sprites
from app.render.table.parallel_routes import side_by_side
from app.render.terrain_pictures import TerrainPictures
from app.render.viewport import Viewport, fitting
from randomizer.model.indices import ascending

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from app.render.overlays.heat_overlay import HeatOverlay
    from app.render.theme import Theme
    from randomizer.model.battlemap import BattleMap, Composite
    from randomizer.model.edit import Region

MOST_STALE = 100_000
"""If more bricks than these are out of date, all are sooner made anew."""

KEPT_BYTES = 6_000_000
"""Cell sprites of former scales are kept up to this: back and forth between two costs nothing."""


class Renderer:
    """Draws maps of every layout at every scale.

    On ``paper`` it leaves the background alone; ``translucent`` shows layers' opacity (the desk
    does, what is exported or printed does not).
    """

    def __init__(self, theme: Theme, pictures: Pictures | None = None) -> None:
        self.paper = False
        self.translucent = False
        self.drafted = False
        self._overlays = Overlays()
        self._heat: HeatOverlay | None = None
        self._followed: BattleMap | None = None
        self.set_look(theme, pictures or OwnPictures())

    # --- the look ---------------------------------------------------------------------------

    def set_look(self, theme: Theme, pictures: Pictures) -> None:
        """Draw with other colours or pictures from now on."""
        self.theme = theme
        self.pictures = pictures
        self._sprites: dict[tuple[object, ...], Sprites] = {}
        self._terrain_pictures: dict[tuple[str, str], TerrainPictures] = {}
        self._overview: OverviewRaster | None = None
        self._colours: CellColours  # set with the bricks
        self._stale: list[NDArray[np.intp]] | None = None  # whose colours are out of date; all
        self._stale_count = 0
        self._cell_overlays = CellOverlays(theme)
        self._things = ThingOverlay(theme)
        self._entry_sides = EntrySideNames(theme)

    @property
    def overlays(self) -> Overlays:
        """What is drawn besides the ground."""
        return self._overlays

    @overlays.setter
    def overlays(self, overlays: Overlays) -> None:
        if overlays.grid_lines != self._overlays.grid_lines:
            self._sprites.clear()
        self._overlays = overlays
        self._stale = None

    @property
    def heat(self) -> NDArray[np.float64] | None:
        """A value for each cell (shape (h, w) or (size,)) to show as colours; nan shows nothing."""
        return None if self._heat is None else self._heat.heat.cells

    @heat.setter
    def heat(self, heat: NDArray[np.float64] | None) -> None:
        self.show_heat(None if heat is None else Heat(heat))

    def show_heat(self, heat: Heat | None) -> None:
        """Show values of cells and sides as colours, in every detail; None: the map as it is."""
        from app.render.overlays.heat_overlay import HeatOverlay  # few sessions have some

        self._heat = None if heat is None else HeatOverlay(heat)
        self._stale = None

    def sprites(self, battlemap: BattleMap, scale: float, ratio: float) -> Sprites:
        """The sprites for one scale; those of the last few scales are kept."""
        layout, terrain_set = battlemap.grid.layout, battlemap.system.terrain_set
        family = (layout.name, terrain_set.name)
        key = (*family, round(scale, 3), ratio)
        sprites = self._sprites.pop(key, None)
        if sprites is None:
            terrain_pictures = self._terrain_pictures.get(family)
            if terrain_pictures is None:
                terrain_pictures = TerrainPictures(layout, terrain_set, self.pictures, self.theme)
                self._terrain_pictures[family] = terrain_pictures
            sprites = Sprites(
                layout,
                terrain_set,
                self.pictures,
                self.theme,
                scale,
                ratio,
                terrain_pictures=terrain_pictures,
                grid_lines=self._overlays.grid_lines,
            )
        self._sprites[key] = sprites
        while len(self._sprites) > 1 and sum(s.bytes for s in self._sprites.values()) > KEPT_BYTES:
            del self._sprites[next(iter(self._sprites))]
        return sprites

    # --- following one map ------------------------------------------------------------------

    def follow(self, battlemap: BattleMap) -> None:
        """Keep this map's bricks from now on; whoever asks tells of its changes (``changed``)."""
        self._followed = battlemap
        self._overview = None

    def changed(self, region: Region) -> None:
        """The followed map changed there: its bricks are coloured when they are seen again."""
        if self._stale is None or self._followed is None:
            return
        self._stale.append(self.spread(self._followed, region))
        self._stale_count += len(self._stale[-1])
        if region.everything or region.reshaped or self._stale_count > MOST_STALE:
            self._stale = None

    def spread(self, battlemap: BattleMap, region: Region) -> NDArray[np.intp]:
        """The cells that look otherwise after a change: with relief the neighbours do, too, and
        what goes on from area to area may end two cells away. Routes beside each other keep their
        order over any number of cells.
        """
        routes = {route.plane for route in battlemap.system.routes}
        if not routes.isdisjoint(region.planes) and side_by_side(battlemap):
            return battlemap.grid.cells
        table_features = bool(battlemap.system.terrain_set.contours)
        if not table_features and (not self._overlays.shading or "elevation" not in region.planes):
            return region.cells
        grid, cells = battlemap.grid, region.cells
        for _ in range(2 if table_features else 1):
            around = [grid.neighbours_of(cells, side) for side in range(grid.degree)]
            cells = np.unique(np.concatenate([cells, *around]))
            cells = cells[cells >= 0]
        return cells

    def _opacity_passes(self, battlemap: BattleMap) -> tuple[OpacityPass, ...]:
        return opacity_passes(battlemap) if self.translucent else SINGLE_PASS

    def _cell_colours(self, battlemap: BattleMap) -> CellColours:
        hot = self._heat_of(battlemap)
        return CellColours(
            battlemap,
            self._opacity_passes(battlemap),
            self.theme,
            self._overlays,
            None if hot is None else hot.steps,
            0.0 if hot is None else hot.heat.share,
        )

    def _heat_of(self, battlemap: BattleMap) -> HeatOverlay | None:
        """The heat, if it is meant for maps of this size."""
        fits = self._heat is not None and len(self._heat.steps) == battlemap.grid.size
        return self._heat if fits else None

    def _overview_of(self, battlemap: BattleMap, composite: Composite) -> OverviewRaster:
        followed = battlemap is self._followed
        overview = self._overview if followed else None
        starts = _start_cells(battlemap, composite)
        if overview is not None and overview.grid is battlemap.grid and self._stale is not None:
            if self._stale:
                cells = ascending(np.concatenate(self._stale))
                overview.colour(cells, self._colours.of(composite, cells, starts))
        else:
            if overview is None or overview.grid is not battlemap.grid:
                background = 0xFFFFFFFF if self.paper else self.theme.background.rgb()
                overview = OverviewRaster(battlemap.grid, background)
            colours = self._cell_colours(battlemap)
            overview.fill(lambda run: colours.of(composite, run, starts))
            if followed:
                self._overview, self._colours = overview, colours
        if followed:
            self._stale, self._stale_count = [], 0
        return overview

    # --- a frame ----------------------------------------------------------------------------

    def paint(
        self,
        painter: QPainter,
        battlemap: BattleMap,
        composite: Composite,
        viewport: Viewport,
        dirty: QRectF,
        ratio: float,
        *,
        progressive: bool = False,
    ) -> None:
        """Draw everything of the map that lies in ``dirty`` (logical pixels).

        ``progressive``: cells whose sprites are not drawn yet are drafted, and ``drafted`` is set;
        ``prepare`` draws those sprites.
        """
        size = cell_size(battlemap.grid, viewport.scale)
        hot = self._heat_of(battlemap)
        alone = hot is not None and hot.heat.alone
        if size >= sprites_from(battlemap) and not self.paper:
            painter.fillRect(dirty, self.theme.background)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(1 / ratio, 1 / ratio)
        if size >= sprites_from(battlemap):
            frame = self._frame(painter, battlemap, composite, viewport, dirty, ratio)
            ground = Ground(frame, self._opacity_passes(battlemap), self._overlays)
            ground.paint_cells(progressive=progressive)
            ground.paint_table_features(progressive=progressive)
            self._paint_shades(frame)
            ground.paint_map_edges()
            if size >= SIDES_FROM and self._overlays.hexsides and not alone:
                ground.paint_sides()
            self.drafted |= ground.drafted
        else:
            self._paint_overview(painter, battlemap, composite, viewport, dirty, ratio)
            if battlemap.grid.wrap and self._overlays.seam:
                paint_seam(painter, battlemap.grid, viewport, ratio, self.theme.seam)
            frame = None
        if self._overlays.things:
            self._things.paint(painter, battlemap, viewport, dirty, ratio)
        if frame is not None and size >= LABELS_FROM:
            self._paint_cell_overlays(frame, alone)
            if hot is not None:
                hot.paint_sides(frame)
                hot.paint_words(frame)
        painter.restore()
        if size >= LABELS_FROM and self._overlays.entry_sides:
            self._entry_sides.paint(painter, battlemap, viewport, dirty)

    def _paint_overview(
        self,
        painter: QPainter,
        battlemap: BattleMap,
        composite: Composite,
        viewport: Viewport,
        dirty: QRectF,
        ratio: float,
    ) -> None:
        overview = self._overview_of(battlemap, composite)
        plain = battlemap.grid.degree == 4 or viewport.scale * ratio < HEXES_FROM
        box = device_box(dirty, ratio)
        pixels = (overview.stretched if plain else overview.hexes)(viewport, ratio, box)
        width, height = box[2:]
        image = QImage(pixels.data, width, height, 4 * width, QImage.Format.Format_RGB32)
        painter.drawImage(box[0], box[1], image)

    def _frame(
        self,
        painter: QPainter,
        battlemap: BattleMap,
        composite: Composite,
        viewport: Viewport,
        dirty: QRectF,
        ratio: float,
    ) -> Frame:
        """The cells that may show in ``dirty``, hexsides and marks reaching over included."""
        reach = (1 + SIDE_REACH) * viewport.scale + 4
        area = dirty.adjusted(-reach, -reach, reach, reach)
        left, top = viewport.to_map(area.topLeft())
        right, bottom = viewport.to_map(area.bottomRight())
        cells = battlemap.grid.cells_in(left, top, right, bottom)
        sprites = self.sprites(battlemap, viewport.scale, ratio)
        frame = Frame(
            painter, battlemap, composite, viewport, ratio, dirty, sprites, cells, np.empty((0, 2))
        )
        return frame.moved(frame.to_device(battlemap.grid.centres_of(cells)))

    def _paint_shades(self, frame: Frame) -> None:
        if self._overlays.shading:
            self._cell_overlays.paint_shading(frame)
        if self._overlays.passability:
            self._cell_overlays.paint_passability(frame)
        hot = self._heat_of(frame.battlemap)
        if hot is not None:
            hot.paint_cells(frame)

    def _paint_cell_overlays(self, frame: Frame, alone: bool) -> None:
        """``alone``: only what is true of any map that could lie there."""
        overlays, cell_overlays = self._overlays, self._cell_overlays
        if overlays.start_list and frame.composite.startlist and not alone:
            cell_overlays.paint_start_list(frame, _start_cells(frame.battlemap, frame.composite))
        if overlays.names and not alone:
            cell_overlays.paint_names(frame)
        if overlays.elevation and not alone and not frame.sprites.terrain_set.contours:
            cell_overlays.paint_elevation(frame)
        if overlays.labels:
            hot = self._heat_of(frame.battlemap)
            dark = np.zeros(len(frame.cells), np.bool_) if hot is None else hot.dark(frame.cells)
            cell_overlays.paint_labels(frame, dark)
        if overlays.locks:
            cell_overlays.paint_locks(frame)

    def prepare(
        self,
        battlemap: BattleMap,
        composite: Composite,
        viewport: Viewport,
        shown_area: QRectF,
        ratio: float,
        budget_ms: int,
    ) -> bool:
        """Draw sprites that a frame would need for so long; whether all are there now."""
        if cell_size(battlemap.grid, viewport.scale) < sprites_from(battlemap):
            return True
        frame = self._frame(QPainter(), battlemap, composite, viewport, shown_area, ratio)
        return Ground(frame, self._opacity_passes(battlemap), self._overlays).prepare(budget_ms)

    # --- single places ----------------------------------------------------------------------

    def cell_polygon(
        self, battlemap: BattleMap, viewport: Viewport, cell: int, size: float = 1.0
    ) -> QPolygonF:
        """The outline of a cell in logical pixels, scaled around its centre."""
        x, y = battlemap.grid.centre(cell)
        return QPolygonF(
            [
                viewport.to_screen(x + dx * size, y + dy * size)
                for dx, dy in battlemap.grid.layout.corners
            ]
        )

    def side_line(self, battlemap: BattleMap, viewport: Viewport, cell: int, side: int) -> QLineF:
        """A side of a cell in logical pixels."""
        grid = battlemap.grid
        return QLineF(
            viewport.to_screen(*grid.corner(cell, side)),
            viewport.to_screen(*grid.corner(cell, side + 1)),
        )

    def paint_side(
        self,
        painter: QPainter,
        battlemap: BattleMap,
        viewport: Viewport,
        sprites: Sprites,
        cell: int,
        side: int,
        code: int,
    ) -> None:
        """Draw one hexside."""
        x, y = battlemap.grid.centre(cell)
        box = sprites.side_box(side)
        at = viewport.to_screen(x + box.left(), y + box.top())
        painter.drawPixmap(at, sprites.side(int(code), side))

    # --- whole pictures ---------------------------------------------------------------------

    def picture(
        self,
        battlemap: BattleMap,
        composite: Composite,
        width: int,
        height: int,
        margin: float,
        ratio: float = 1.0,
    ) -> QImage:
        """The whole map as an image of ``width`` x ``height`` logical pixels."""
        image = QImage(round(width * ratio), round(height * ratio), QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(ratio)
        size = QRectF(0, 0, width, height)
        painter = QPainter(image)
        viewport = fitting(battlemap.grid, size.size(), margin)
        self.paint(painter, battlemap, composite, viewport, size, ratio)
        painter.end()
        return image


def _start_cells(battlemap: BattleMap, composite: Composite) -> NDArray[np.intp]:
    """The cells of the start list, ascending; labels that name no cell are left out."""
    find = battlemap.system.cell_of_name
    found = {find(battlemap.grid, label) for label in composite.startlist or ()}
    return np.array(sorted(cell for cell in found if cell is not None), np.intp)
