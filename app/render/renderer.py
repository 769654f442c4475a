"""Draws a map of any layout at any scale with pixels: the picture on the canvas and of thumbnails.

    renderer = Renderer(theme("light"))
    renderer.paint(painter, MapView(battlemap, composite, viewport, ratio), dirty)

A frame is drawn from the bottom up: first the ground, which is what the cells show
(``GroundPainter``, for which a ``SpritePainter`` draws the cells), then what lies over it, such as
things and names (``OverlayPainter``). Read ``paint`` first.

The renderer of a canvas *follows* one map: it stores pictures of it, is told of its edits
(``changed``), and draws while there is time what the next frame will need (``prepare``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QPainter

from app.appearance.painting import painting, saved_state
from app.render.drawing_faults import picture_part
from app.render.level_of_detail import GRID_LINES_FROM
from app.render.map_view import MapView
from app.render.overlay_choices import OverlayChoices
from app.render.overlay_options import Overlays
from app.render.pictures.own_pictures import register_assets_of
from app.render.pictures.terrain_pictures import Pictures
from app.render.raster.backdrop import Backdrop
from app.render.raster.far_tiles import FarTiles
from app.render.raster.frame import Frame
from app.render.raster.ground_painter import GroundPainter
from app.render.raster.overlay_painter import OverlayFrame, OverlayPainter
from app.render.raster.sprite_painter import SpritePainter
from app.render.raster.sprites import Sprites
from app.render.scene.countries import Country
from app.render.scene.locks import AreaLocks
from app.render.scene.things.names import NO_NAMES, Names
from app.render.scene.things.signs import NO_SIGNS, Signs
from app.render.theme import Theme
from app.render.viewport import fitting
from randomizer.model.edits.edit import Region
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite

# What the first paint does not need is imported where it is used.
if TYPE_CHECKING:
    from app.render.cell_values.heat import Heat

CELL_REACH = 4.0
"""How far from a part of the map cells can lie whose texts reach into it, in map units."""


class PaintedFrame(NamedTuple):
    """The result of ``Renderer.paint``, for whoever draws the next frame."""

    names: Names
    """The names of things that were drawn."""

    signs: Signs
    """The signs of things that were drawn."""

    is_draft: bool
    """True if there was no time for some of the ground, which is drawn coarsely.

    Then ``prepare`` is to be called until all is drawn, and the frame to be painted again.
    """


class Renderer:
    """Draws maps in one theme, with ``pictures`` (None: ours), on the UI thread."""

    def __init__(self, theme: Theme, pictures: Pictures | None = None) -> None:
        self.theme = theme
        """The colours; ``set_theme`` changes them."""
        self.pictures = pictures or Pictures()
        """The pictures of terrains: ours, or those of a game."""
        self.choices = OverlayChoices()
        """What each kind of map is drawn with; ``overlays`` are those of one of them."""
        self.cells = SpritePainter(self.theme, self.pictures)
        """Draws cells, and holds what all of the ground is drawn with."""
        self.sprite_sets = self.cells.sprite_sets
        """The sprites of the last few scales and kinds of map."""
        self.ground = GroundPainter(self.cells)
        """Draws the ground at any scale."""
        self._overlay_painter = OverlayPainter()
        """Draws what lies over the ground."""

    # --- what is shown --------------------------------------------------------------------------

    def set_theme(self, theme: Theme, pictures: Pictures) -> None:
        """Draw with other colours and pictures from now on."""
        self.theme = theme
        self.pictures = pictures
        self.cells.set_theme(theme, pictures)
        self.ground.look_changed()

    @property
    def overlays(self) -> Overlays:
        """The overlays that are drawn."""
        return self.cells.overlays

    @overlays.setter
    def overlays(self, overlays: Overlays) -> None:
        self.cells.overlays = overlays
        self.ground.overview.all_changed()

    @property
    def heat(self) -> NDArray[np.float64] | None:
        """The values of cells that are shown as a heat map, as in ``Heat.cells``; None for none."""
        if self.heat_map is None:
            return None
        return self.heat_map.cells

    @property
    def heat_map(self) -> Heat | None:
        """The heat map of ``show_heat``, None if none is shown."""
        if self.cells.heat_overlay is None:
            return None
        return self.cells.heat_overlay.heat

    def show_heat(self, heat: Heat | None) -> None:
        """Show a heat map over maps of its size, or none."""
        if heat is None and self.cells.heat_overlay is None:
            return
        if heat is None:
            self.cells.heat_overlay = None
        else:
            from app.render.raster.heat_painter import HeatOverlay  # few sessions show one

            self.cells.heat_overlay = HeatOverlay(heat)
        self.ground.overview.all_changed()

    def grid_lines_from(self, battlemap: BattleMap) -> float:
        """Return from how many device pixels a map unit on a map has grid lines; 0: always."""
        style = self.cells.style_of(battlemap)
        if not style.landscape or not self.theme.has_pictures:
            return 0.0  # there they are part of each cell
        return GRID_LINES_FROM

    def names(self, battlemap: BattleMap, scale: float) -> Names:
        """Return the names of things that a map shows at a scale."""
        return self._overlay_painter.names(battlemap, scale, self.cells.overlays)

    def signs(self, battlemap: BattleMap, scale: float) -> Signs:
        """Return the signs of things that a map shows at a scale: one object until they change."""
        return self._overlay_painter.signs(battlemap, scale, self.cells.overlays)

    def countries(self, battlemap: BattleMap) -> tuple[Country, ...]:
        """Return the countries that a map shows: one object until something of them changes."""
        return self._overlay_painter.countries(battlemap, self.cells.overlays)

    def area_locks(self, battlemap: BattleMap) -> AreaLocks:
        """Return the padlocks of a map: one object until a lock changes."""
        return self._overlay_painter.area_locks(battlemap)

    @property
    def placed_locks(self) -> AreaLocks:
        """The padlocks that were placed last, which the screen shows also after an edit."""
        return self._overlay_painter.placed_locks

    # --- a frame --------------------------------------------------------------------------------

    def paint(
        self,
        painter: QPainter,
        view: MapView,
        dirty: QRectF,
        *,
        progressive: bool = False,
        backdrop: Backdrop | None = None,
    ) -> PaintedFrame:
        """Draw everything of the map that lies in ``dirty`` (logical pixels).

        A ``progressive`` frame does not wait for sprites that are missing: where there is no time
        to draw them it is a draft. ``backdrop`` stores the ground of the followed map; the caller
        tells it of edits. A layer or an overlay that cannot be drawn is reported and left out.
        """
        register_assets_of(view.battlemap)  # for all drawing: the pictures that come with the map
        ground_view = self.ground.begin_view(view)
        frame = OverlayFrame(
            painter, ground_view, dirty, self.cells.overlays, self.theme, self.cells.label_painter
        )
        if ground_view.detail.has_sprites:
            painter.fillRect(dirty, self.theme.background)
        with saved_state(painter):
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.scale(1 / view.ratio, 1 / view.ratio)  # the unit is a device pixel from here on
            ground = self.ground.paint(
                painter, ground_view, dirty, backdrop, progressive=progressive
            )
            if ground.frame is None:  # sprites show the seam themselves
                with picture_part(painter, "The seam"):
                    self._overlay_painter.paint_seam(frame)
            with picture_part(painter, "The countries"):
                self._overlay_painter.paint_countries(frame)
            names, signs = self._paint_things_and_texts(frame, ground.frame)
        self._paint_edges_of_map(frame)
        return PaintedFrame(names, signs, ground.is_draft)

    def _paint_things_and_texts(
        self, frame: OverlayFrame, sprite_frame: Frame | None
    ) -> tuple[Names, Signs]:
        """Draw things, marks of cells, padlocks, names and the legend over the ground.

        Texts give way to those that matter more: regions to the names of things, and the texts of
        cells to both. Names are drawn last nevertheless, so that nothing covers them.

        ``sprite_frame`` are the cells that were drawn with sprites; without it cells are too small
        for texts. Return the names and signs of things that were drawn.
        """
        painter = frame.painter
        battlemap = frame.view.battlemap
        overlays = frame.overlays
        over_ground = self._overlay_painter
        names = NO_NAMES
        signs = NO_SIGNS
        with picture_part(painter, "The places of names"):
            names = self.names(battlemap, frame.scale)
        occupied_boxes = names.boxes(frame.scale)

        if overlays.regions and overlays.map_names:
            with picture_part(painter, "The names of regions"):
                regions = over_ground.region_names(frame.view)
                occupied_boxes = occupied_boxes.joined(regions.boxes(frame.scale, names))
                over_ground.paint_region_names(frame, regions, names)
        if overlays.things:
            with picture_part(painter, "What is placed on the map"):
                signs = self.signs(battlemap, frame.scale)
                over_ground.paint_things(frame, signs, translucent=self.cells.translucent)
        if sprite_frame is not None:
            boxes_near_cells = occupied_boxes.near(frame.map_area, CELL_REACH)
            self.cells.paint_cell_overlays(sprite_frame, boxes_near_cells)
        if overlays.locks:
            with picture_part(painter, "The padlocks"):
                over_ground.paint_padlocks(frame)
        with picture_part(painter, "The names of what is placed on the map"):
            over_ground.paint_names(frame, names)
        if sprite_frame is not None and overlays.legend:
            with picture_part(painter, "The legend"):
                self._paint_legend(frame, sprite_frame)
        return names, signs

    def _paint_legend(self, frame: OverlayFrame, sprite_frame: Frame) -> None:
        """Draw the legend of a map beside it."""
        from app.render.scene import legend  # the first paint has none

        view = frame.view
        pieces = sprite_frame.sprites.pieces
        frame.draw(
            legend.batches(pieces, view.battlemap, view.composite, frame.overlays, frame.scale)
        )

    def _paint_edges_of_map(self, frame: OverlayFrame) -> None:
        """Mark the edge of a round map, and the sides on which armies enter a battleland."""
        painter = frame.painter
        if frame.overlays.round_edge:
            with picture_part(painter, "The round edge"):
                self._overlay_painter.paint_round_edge(frame)
        if frame.overlays.entry_sides:
            with picture_part(painter, "The entry sides"):
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.scale(1 / frame.view.ratio, 1 / frame.view.ratio)
                self._overlay_painter.paint_entry_sides(frame)

    # --- edits, and what the next frame needs ---------------------------------------------------

    def follow(self, battlemap: BattleMap, tiles: FarTiles | None = None) -> None:
        """Follow this map from now on; the caller tells its edits to ``changed``.

        ``tiles`` are those of ``GroundPainter.tiles_for_later``, if there are any.
        """
        self.ground.follow(battlemap, tiles)

    def changed(self, region: Region) -> NDArray[np.intp] | None:
        """Draw again what an edit of the followed map changes; ``region`` is what it touched.

        Return the cells (n,) that look different, ascending; None for all cells. None also if no
        map is followed yet: then the first frame draws all of it.
        """
        change = self.ground.change_by(region)
        if change is None:
            return None
        if change.moves_locks:
            self._overlay_painter.forget_locks()
        if change.moves_region_names:
            self._overlay_painter.forget_region_names()
        return self.ground.draw_again(change)

    def prepare(
        self,
        view: MapView,
        area: QRectF,
        budget_ms: int,
        *,
        backdrop: Backdrop | None = None,
        nearest: QPointF | None = None,
    ) -> bool:
        """Draw what a frame of ``area`` (logical pixels) needs and lacks, for ``budget_ms``.

        First the overview is coloured, then pictures of terrains are read, then sprites or tiles
        are drawn, then the ground of ``backdrop``, if there is one. Tiles are drawn first at
        ``nearest``, in logical pixels. Return whether all is drawn now.
        """
        ground_view = self.ground.begin_view(view)
        return self.ground.prepare(ground_view, area, budget_ms, backdrop, nearest)

    def sprites(
        self, battlemap: BattleMap, scale: float, ratio: float, *, coarse: bool = False
    ) -> Sprites:
        """Return the sprites of a map at one scale; the options are those of ``SpriteSets``."""
        return self.cells.sprites(battlemap, scale, ratio, coarse=coarse)

    # --- images ---------------------------------------------------------------------------------

    def picture(
        self,
        battlemap: BattleMap,
        composite: Composite,
        width: int,
        height: int,
        margin: float,
        ratio: float = 1.0,
    ) -> QImage:
        """Return the whole map as an image of ``width`` x ``height`` logical pixels.

        ``margin`` is left free around the map, in map units.
        """
        area = QRectF(0, 0, width, height)
        viewport = fitting(battlemap.grid, area.size(), margin)
        return self.image(MapView(battlemap, composite, viewport, ratio), area)

    def image(self, view: MapView, area: QRectF) -> QImage:
        """Return what lies in ``area`` (logical pixels, from 0 on) as an image."""
        width = round(area.width() * view.ratio)
        height = round(area.height() * view.ratio)
        image = QImage(width, height, QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(view.ratio)
        image.fill(Qt.GlobalColor.black)
        with painting(image) as painter:
            self.paint(painter, view, area)
        return image
