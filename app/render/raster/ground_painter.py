"""Draws the ground of a map at any scale, and stores what it has drawn of the map it follows.

The *ground* is what cells show, without things, texts and marks. ``ground_view`` says how it is
drawn at which scale. It is drawn by

- a ``SpritePainter``, cell by cell, where cells are large;
- an ``OverviewPainter``, with one colour for each cell;
- ``FarTiles``, pictures of the map as it looks from afar, which a ``TileDrawer`` draws.

A ``GroundPainter`` chooses among them. It *follows* one map, of which overview and tiles are
stored. A widget adds a *backdrop*, the picture of the ground in its view (``backdrop``). For each
frame, between frames and after an edit::

    ground = ground_painter.paint(painter, ground_painter.begin_view(view), dirty, backdrop, ...)
    is_ready = ground_painter.prepare(ground_painter.begin_view(view), area, ms, backdrop, None)
    cells = ground_painter.draw_again(ground_painter.change_by(region))
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRect, QRectF
from PySide6.QtGui import QImage, QPainter

from app.appearance.painting import painting, saved_state
from app.qt_guard import report_fault
from app.render.cell_changes import affected_cells
from app.render.drawing_faults import picture_part, without_undrawable
from app.render.level_of_detail import FAR_BELOW, SIDES_FROM, cell_size, sprites_from
from app.render.map_view import MapView
from app.render.overlay_options import Overlays
from app.render.raster.backdrop import Backdrop, GroundSubject
from app.render.raster.far_tiles import Drawing, FarTiles
from app.render.raster.followed_map import FollowedMap, MapChange
from app.render.raster.frame import ScenePainter
from app.render.raster.ground_view import Detail, GroundView
from app.render.raster.overview_painter import OverviewPainter
from app.render.raster.overview_raster import device_box
from app.render.raster.picture_reading import PictureReading
from app.render.raster.sprite_painter import DrawnGround, SpritePainter
from app.render.raster.tile_drawer import TileDrawer
from app.render.raster.tile_levels import Level
from app.render.time_budget import TimeBudget
from app.render.viewport import Viewport
from randomizer.model.edits.edit import Region
from randomizer.model.grid.grid import Grid
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map_picture import MapPicture
from randomizer.model.planes.composite import Composite

if TYPE_CHECKING:
    from app.render.raster.heat_painter import HeatOverlay

NOTHING_DRAWN = DrawnGround(frame=None, is_draft=False)
"""The result for a map that cannot be drawn."""


class _GroundKey(NamedTuple):
    """All that the picture of the ground depends on but the values of cells.

    Backdrops and tiles that were drawn for another key are of no use.
    """

    grid: Grid

    terrains: object
    """The terrain set; of a map with tiles an object that stands for what these show.

    Edits of the terrain set are told to the tiles, so that those of unchanged terrains can stay.
    """

    look: object
    """A new object whenever theme or pictures change."""

    overlays: Overlays
    """The overlays that are drawn."""

    translucent: bool
    """True if layers are drawn with their opacity."""

    picture: MapPicture | None
    """The picture below or above the grid, None if none is seen."""

    heat_overlay: HeatOverlay | None
    """The heat map over the cells, None if there is none."""


class GroundPainter:
    """Draws the ground of maps on the UI thread, in the look of a painter of cells."""

    def __init__(self, cells: SpritePainter) -> None:
        self._cells = cells
        """Draws cells with sprites, and says in which look all of the ground is drawn."""
        self.overview = OverviewPainter(cells)
        """Draws and stores the overview."""
        self._tile_drawer = TileDrawer(cells)
        """Draws the tiles."""
        self.far_tiles: FarTiles | None = None
        """The tiles of the followed map; None if none are drawn, or they cannot be."""
        self.has_new_tiles = False
        """True if tiles were drawn since the last frame, which showed a draft in their place."""
        self._turn_ms: int | None = None
        """How long a turn may take for the overview or for tiles; None: see ``draw_in_turns``."""
        self._followed: FollowedMap | None = None
        """The followed map as it was drawn last; None if no map is followed."""
        self._look_token = object()
        """A new object whenever theme or pictures change."""
        self._picture_reading = PictureReading()
        """Reads the pictures of the map that was prepared last."""

    def draw_in_turns(self, turn_ms: int) -> None:
        """Draw for a canvas, whose turns of the event loop last no longer than this.

        It is called before ``follow``. An overview is then coloured in several turns, and a map has
        tiles. Without it, for thumbnails and pictures, which are drawn only once, an overview is
        coloured to its end, and a map seen from afar has no tiles.
        """
        self._turn_ms = turn_ms

    def look_changed(self) -> None:
        """Draw all of the ground again: theme or pictures are others."""
        self.overview.theme_changed()
        self._look_token = object()

    # --- the followed map -----------------------------------------------------------------------

    def follow(self, battlemap: BattleMap, tiles: FarTiles | None = None) -> None:
        """Store the overview and tiles of this map; the caller tells its edits to ``change_by``.

        ``tiles`` are those that ``tiles_for_later`` returned when the map was followed before, if
        it has not been edited since.
        """
        self._followed = FollowedMap.of(battlemap)
        self.overview.follow(battlemap)
        self.far_tiles = tiles
        draws_tiles = self._turn_ms is not None
        if tiles is None and draws_tiles:
            self.far_tiles = FarTiles(self._draw_block)

    def tiles_for_later(self) -> FarTiles | None:
        """Return the tiles of the followed map, for a later ``follow``; None if it has none.

        They stay in use until ``follow`` is called with another map. Those that are unfinished are
        forgotten: what is drawn of them would not be used for long.
        """
        if self.far_tiles is not None:
            self.far_tiles.forget_unfinished()
        return self.far_tiles

    @property
    def tile_bytes(self) -> int:
        """The memory that the tiles of the followed map take, in bytes."""
        if self.far_tiles is None:
            return 0
        return self.far_tiles.bytes

    def change_by(self, region: Region) -> MapChange | None:
        """Return what an edit of the followed map changes in its picture; None if there is no map.

        ``region`` is what the edit has touched. It is called once after each edit.
        """
        former = self._followed
        if former is None:
            return None
        self._followed = FollowedMap.of(former.battlemap)
        return former.change_to(self._followed, region)

    def draw_again(self, change: MapChange) -> NDArray[np.intp] | None:
        """Draw again what looks different; return these cells (n,), None for all cells."""
        assert self._followed is not None
        if change.region is None:
            self.overview.all_changed()
            if self.far_tiles is not None:
                self.far_tiles.all_changed()
            return None
        if change.has_redefined_terrains:
            self.overview.all_changed()  # its colours are those of the former terrain set
        cells = self.spread(self._followed.battlemap, change.region)
        self.overview.changed(cells)
        if self.far_tiles is not None:
            self.far_tiles.changed(cells)
        return cells

    def spread(self, battlemap: BattleMap, region: Region) -> NDArray[np.intp]:
        """Return cells (n,), ascending, that are drawn differently after a change of ``region``."""
        style = self._cells.style_of(battlemap)
        return affected_cells(battlemap, region, style, self._cells.overlays)

    def _is_followed(self, battlemap: BattleMap) -> bool:
        """Return whether this is the map that is followed."""
        return self._followed is not None and battlemap is self._followed.battlemap

    # --- in how much detail ---------------------------------------------------------------------

    def begin_view(self, view: MapView) -> GroundView:
        """Return how the ground of a view is drawn; tiles show the map of the view from now on."""
        battlemap = view.battlemap
        if self._has_tiles(battlemap):
            assert self.far_tiles is not None
            self.far_tiles.follow(battlemap, view.composite, self._ground_key(battlemap))
        return GroundView(
            battlemap,
            view.composite,
            view.viewport,
            view.ratio,
            detail=self._detail_of(view),
            cell_size=self._cell_size_of(view),
        )

    def _detail_of(self, view: MapView) -> Detail:
        """Return in how much detail the ground of a view is drawn."""
        battlemap = view.battlemap
        if self._has_tiles(battlemap):
            # There are sprites down to the scale where tiles begin.
            if view.unit >= FAR_BELOW:
                return Detail.SPRITES
            return Detail.TILES
        is_large_enough = self._cell_size_of(view) >= sprites_from(battlemap)
        style = self._cells.style_of(battlemap)
        if is_large_enough or style.draws_surface(battlemap.system, self._cells.theme):
            return Detail.SPRITES
        return Detail.OVERVIEW

    def _cell_size_of(self, view: MapView) -> float:
        """Return the size of a cell of a view in logical pixels, as ``GroundView.cell_size``."""
        size = cell_size(view.battlemap.grid, view.viewport.scale)
        if self._has_tiles(view.battlemap):
            return max(size, SIDES_FROM)  # sprites have hexsides, as tiles have
        return size

    def _has_tiles(self, battlemap: BattleMap) -> bool:
        """Return whether a map is shown by tiles from afar; a heat map is not drawn in them."""
        has_tiles = self._is_followed(battlemap) and self.far_tiles is not None
        return has_tiles and self._cells.heat_overlay is None

    def _ground_key(self, battlemap: BattleMap) -> _GroundKey:
        """Return all that the picture of the ground depends on but the values of cells."""
        terrains: object = battlemap.terrain_set
        if self._is_followed(battlemap) and self.far_tiles is not None:
            terrains = self.far_tiles.content
        return _GroundKey(
            battlemap.grid,
            terrains,
            self._look_token,
            self._cells.overlays,
            self._cells.translucent,
            self._cells.shown_picture_of(battlemap),
            self._cells.heat_overlay_of(battlemap),
        )

    # --- drawing --------------------------------------------------------------------------------

    def paint(
        self,
        painter: QPainter,
        view: GroundView,
        dirty: QRectF,
        backdrop: Backdrop | None,
        *,
        progressive: bool,
    ) -> DrawnGround:
        """Draw the ground in ``dirty``, from ``backdrop`` if there is one that is of use."""
        if backdrop is None or not self._can_store_ground(view):
            return self._paint_drawable_layers(painter, view, dirty, progressive=progressive)
        is_draft = self._paint_by_backdrop(painter, view, dirty, backdrop, progressive=progressive)
        frame = None
        if view.detail.has_sprites:
            frame = self._cells.frame(painter, view, dirty)  # for the texts on cells
        return DrawnGround(frame, is_draft)

    def _can_store_ground(self, view: GroundView) -> bool:
        """Return whether a backdrop is of use: it costs memory, and boards are drawn quickly."""
        if view.detail is Detail.TILES:
            return True
        if not self._is_followed(view.battlemap):
            return False
        return view.detail.has_sprites and self._cells.style_of(view.battlemap).landscape

    def _paint_by_backdrop(
        self,
        painter: QPainter,
        view: GroundView,
        dirty: QRectF,
        backdrop: Backdrop,
        *,
        progressive: bool,
    ) -> bool:
        """Draw the ground from a backdrop, into which it is drawn first where that lacks it.

        If that would take long the ground is drafted, and the result is True.
        """
        subject = self._subject(view)
        box = QRect(*device_box(dirty, view.ratio))
        tiles = None
        if view.detail is Detail.TILES:
            tiles = self.far_tiles
        if tiles is None:
            is_draft = progressive and not backdrop.covers(subject, box)
        else:
            is_draft = not self._repair_tiles(tiles, view, box)
        if is_draft:
            self._paint_draft(painter, view, dirty, backdrop, tiles)
            return True

        draw = partial(self.draw_area, view)
        # Sprites are drawn for some of what lies beyond the view, too, so that the next frames of a
        # pan find it drawn. Tiles are there only for what the view shows.
        draws_ahead = tiles is None
        backdrop.paint(painter, subject, box, draw, ahead=draws_ahead)
        return False

    def _repair_tiles(self, tiles: FarTiles, view: GroundView, box: QRect) -> bool:
        """Draw what edits have touched of tiles in the frame itself, while there is time.

        Return whether the tiles cover ``box``, as the map is now.
        """
        assert self._turn_ms is not None, "only canvases have tiles"
        budget = TimeBudget(self._turn_ms)
        device_viewport = view.viewport.in_device_pixels(view.ratio)
        tiles.prepare(device_viewport, box, budget, only_repair=True)
        return tiles.covers(device_viewport, box)

    def _paint_draft(
        self,
        painter: QPainter,
        view: GroundView,
        dirty: QRectF,
        backdrop: Backdrop,
        tiles: FarTiles | None,
    ) -> None:
        """Draw an overview, and over it what there is of a former backdrop and of tiles."""
        self.overview.paint(painter, view, dirty, self._turn_ms)
        backdrop.paint_draft(painter, self._subject(view))
        if tiles is not None:
            box = QRect(*device_box(dirty, view.ratio))
            tiles.paint(painter, view.viewport.in_device_pixels(view.ratio), box)
            self.has_new_tiles = False

    def _subject(self, view: GroundView) -> GroundSubject:
        """Return what a backdrop of this view shows."""
        return GroundSubject(self._ground_key(view.battlemap), view.viewport, view.ratio)

    def draw_area(
        self, view: GroundView, painter: QPainter, viewport: Viewport, area: QRect
    ) -> None:
        """Draw the ground in an area of device pixels of a viewport, the painter's unit.

        ``viewport`` is that of the backdrop, in which the ground lies elsewhere than in the view.
        """
        painter.fillRect(area, self._cells.theme.background)
        if view.detail is Detail.TILES and self.far_tiles is not None:
            self.far_tiles.paint(painter, viewport.in_device_pixels(view.ratio), area)
            return
        view = replace(view, viewport=viewport, stored_for=view.viewport)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        dirty = QRectF(area.topLeft() / view.ratio, area.size() / view.ratio)
        self._paint_drawable_layers(painter, view, dirty, progressive=False)

    # --- layers that cannot be drawn --------------------------------------------------------------

    def _paint_drawable_layers(
        self, painter: QPainter, view: GroundView, dirty: QRectF, *, progressive: bool
    ) -> DrawnGround:
        """Draw what the layers set, without layers that cannot be drawn, which are reported."""
        try:
            with saved_state(painter):
                return self.paint_layers(painter, view, dirty, progressive=progressive)
        except Exception as reason:  # noqa: BLE001 - reported below
            fault = reason

        drawable_map = self._find_drawable_map(view, dirty)
        if drawable_map is None:  # no layer alone is the cause
            fault.add_note("The map cannot be drawn")
            report_fault(fault)
            return NOTHING_DRAWN
        drawable = replace(view, battlemap=drawable_map, composite=drawable_map.composite())
        with picture_part(painter, "The map"):
            return self.paint_layers(painter, drawable, dirty, progressive=progressive)
        # ``picture_part`` has reported a fault of the remaining layers, and goes on here.
        return NOTHING_DRAWN

    def _find_drawable_map(self, view: GroundView, dirty: QRectF) -> BattleMap | None:
        """Return the map without the layers that cannot be drawn; None if none fails alone."""

        def draw_alone(map_of_layer: BattleMap) -> None:
            """Draw a map of one layer on an image that nobody sees."""
            image = QImage(1, 1, QImage.Format.Format_RGB32)
            view_of_layer = replace(
                view, battlemap=map_of_layer, composite=map_of_layer.composite()
            )
            with painting(image) as scratch:
                self.paint_layers(scratch, view_of_layer, dirty, progressive=False)

        return without_undrawable(view.battlemap, draw_alone)

    def paint_layers(
        self, painter: QPainter, view: GroundView, dirty: QRectF, *, progressive: bool
    ) -> DrawnGround:
        """Draw what the layers set, with sprites or as an overview."""
        if view.detail.has_sprites:
            return self._cells.paint_cells(painter, view, dirty, progressive=progressive)
        is_draft = self.overview.paint(painter, view, dirty, self._turn_ms)
        return DrawnGround(frame=None, is_draft=is_draft)

    def _draw_block(
        self, battlemap: BattleMap, composite: Composite, level: Level, box: QRect
    ) -> Drawing:
        """Draw a part of a tile; a fault is reported, and tiles are given up."""
        try:
            return (yield from self._tile_drawer.draw(battlemap, composite, level, box))
        except Exception as fault:  # noqa: BLE001 - reported
            fault.add_note("The map from afar cannot be drawn")
            report_fault(fault)
            self.far_tiles = None  # the overview is drawn without the layer that fails
            return None

    # --- preparing ------------------------------------------------------------------------------

    def prepare(
        self,
        view: GroundView,
        area: QRectF,
        budget_ms: int,
        backdrop: Backdrop | None,
        nearest: QPointF | None,
    ) -> bool:
        """Draw what a frame of ``area`` lacks, for ``budget_ms``; return whether all is drawn.

        See ``Renderer.prepare``. One budget is for all stages, which follow each other as far as it
        lasts.
        """
        budget = TimeBudget(budget_ms)
        # First the overview, which is shown until better pictures are drawn.
        if not view.detail.has_sprites and not self._prepare_overview(view, budget):
            return False
        if view.detail is Detail.OVERVIEW:
            return True

        # Then the pictures of terrains, and tiles or sprites made of them.
        style = self._cells.style_of(view.battlemap)
        if not self._picture_reading.read(view.battlemap, style, self._cells.theme, budget):
            return False
        box = QRect(*device_box(area, view.ratio))
        if view.detail is Detail.TILES and self.far_tiles is not None:
            is_prepared = self._prepare_tiles(self.far_tiles, view, box, budget, nearest)
        else:
            is_prepared = self._prepare_sprites(view, area, budget)
        if not is_prepared:
            return False

        # At last the backdrop, which is put together of these.
        if backdrop is None or not self._can_store_ground(view):
            return True
        draw = partial(self.draw_area, view)
        return backdrop.prepare(self._subject(view), box, draw, budget)

    def _prepare_overview(self, view: GroundView, budget: TimeBudget) -> bool:
        """Colour the overview of the followed map; return whether it is done."""
        if not self._is_followed(view.battlemap):
            return True  # it is coloured at once when it is drawn
        return self.overview.prepare(view, budget.ms_left)

    def _prepare_tiles(
        self,
        tiles: FarTiles,
        view: GroundView,
        box: QRect,
        budget: TimeBudget,
        nearest: QPointF | None,
    ) -> bool:
        """Draw tiles that a frame of ``box`` lacks, those nearest to a point first, if not None.

        ``box`` is in device pixels, the point in logical ones. Return whether all are drawn now.
        """
        nearest_device_pixel = None
        if nearest is not None:
            nearest_device_pixel = nearest * view.ratio
        device_viewport = view.viewport.in_device_pixels(view.ratio)
        if tiles.prepare(device_viewport, box, budget, nearest=nearest_device_pixel):
            return True
        self.has_new_tiles = True
        return False

    def _prepare_sprites(self, view: GroundView, area: QRectF, budget: TimeBudget) -> bool:
        """Draw sprites that a frame of ``area`` lacks; return whether all are drawn now."""
        frame = self._cells.frame(QPainter(), view, area)
        scene_painter = ScenePainter(frame, self._cells.overlays, self._cells.label_painter)
        batches = self._cells.batches(frame, scene_painter.part)
        return scene_painter.prepare(batches, budget.ms_left)
