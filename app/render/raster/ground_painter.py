"""Draws the ground of a map at any scale, and stores what it has drawn of the map it follows.

The *ground* is what cells show, without things, texts and marks. ``ground_view`` says how it is
drawn at which scale. A ``GroundPainter`` *follows* one map, of which it stores

- an *overview*, one colour for each cell, which is shown while better pictures are not drawn yet;
- *tiles*, the map as it looks from afar (``far_tiles``).

A widget adds a *backdrop*, the picture of the ground in its view (``backdrop``). All three hear of
edits of the map: the first two by ``changed``, the backdrop by the widget.

``Renderer`` derives from the class here. For each frame it calls ``_make_tiles_follow``, then
``_paint_ground`` with the ``_ground_view``; between frames ``_prepare_ground``; and after an edit
``_all_changed`` or ``_region_changed``. What begins with one underscore is shared by these classes.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QImage, QPainter

from app.appearance.painting import painting, saved_state
from app.qt_guard import report_fault
from app.render.cell_changes import affected_cells
from app.render.cell_values.cell_colours import CellColours
from app.render.drawing_faults import picture_part, without_undrawable
from app.render.level_of_detail import FAR_BELOW, SIDES_FROM, cell_size, sprites_from
from app.render.map_view import MapView
from app.render.pictures.terrain_pictures import Pictures
from app.render.raster.backdrop import Backdrop, GroundSubject
from app.render.raster.far_marks import WAYS_UP_TO, paint_marks, paint_ways
from app.render.raster.far_tiles import Drawing, FarTiles
from app.render.raster.flat_ways import paint_flat_ways
from app.render.raster.followed_map import FollowedMap
from app.render.raster.frame import ScenePainter
from app.render.raster.ground_view import Detail, GroundView
from app.render.raster.overview import Overview
from app.render.raster.overview_raster import OverviewRaster, device_box
from app.render.raster.picture_reading import PictureReading
from app.render.raster.sprite_painter import DrawnGround, SpritePainter
from app.render.raster.tile_levels import LEVELS, Level
from app.render.theme import Theme
from app.render.time_budget import TimeBudget
from app.render.viewport import Viewport
from randomizer.model.edits.edit import Region
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite

STEP_MS = 2
"""For so many milliseconds the sprites of a block are drawn in one step.

If it is longer a turn of the event loop, which ends between two steps, may take too long.
"""


class GroundPainter(SpritePainter):
    """Draws the ground of maps in one theme, with ``pictures``, on the UI thread."""

    def __init__(self, theme: Theme, pictures: Pictures) -> None:
        super().__init__(theme, pictures)
        self.overview_ms: int | None = None
        """How long a turn may colour an overview of which all cells changed: for canvases.

        None for thumbnails and pictures, which are drawn only once: an overview is coloured to its
        end, and a map seen from afar has no tiles (``_draws_tiles``). It is set before ``follow``.
        """
        self.has_new_tiles = False
        """True if tiles were drawn since the last frame, which showed a draft in their place."""
        self.far_tiles: FarTiles | None = None
        """The tiles of the followed map; None if none are drawn, or they cannot be."""
        self._followed: FollowedMap | None = None
        """The followed map as it was drawn last; None if no map is followed."""
        self._overview = Overview(self.cell_colours)
        """The overview of the followed map, and of any other while that is drawn."""
        self._overview_is_see_through = False
        """True if that of the followed map leaves out unset cells: a picture below is seen."""
        self._look = object()
        """Stands for theme and pictures: another object for each, equal to no other."""
        self._picture_reading = PictureReading()
        """Reads the pictures of the map that was prepared last."""

    def set_theme(self, theme: Theme, pictures: Pictures) -> None:
        super().set_theme(theme, pictures)
        self._overview.forget()
        self._look = object()

    # --- the followed map -----------------------------------------------------------------------

    def follow(self, battlemap: BattleMap, tiles: FarTiles | None = None) -> None:
        """Store the overview and tiles of this map; the caller tells its edits to ``changed``.

        ``tiles`` are those that ``tiles_for_later`` returned when the map was followed before, if
        it has not been edited since.
        """
        self._followed = FollowedMap.of(battlemap)
        self._overview.follow(battlemap)
        self.far_tiles = tiles
        if tiles is None and self._draws_tiles:
            self.far_tiles = FarTiles(self._far_block)

    @property
    def _draws_tiles(self) -> bool:
        """True for canvases: it takes several turns to draw a map from afar in tiles."""
        return self.overview_ms is not None

    def tiles_for_later(self) -> FarTiles | None:
        """Return the tiles of the followed map, for a later ``follow``; None if it has none.

        They stay in use until ``follow`` is called with another map. Those that are unfinished are
        forgotten: what is drawn of them would not be used for long.
        """
        if self.far_tiles is not None:
            self.far_tiles.forget_unfinished()
        return self.far_tiles

    def _is_followed(self, battlemap: BattleMap) -> bool:
        """Return whether this is the map that is followed."""
        return self._followed is not None and battlemap is self._followed.battlemap

    @property
    def tile_bytes(self) -> int:
        """The memory that the tiles of the followed map take, in bytes."""
        if self.far_tiles is None:
            return 0
        return self.far_tiles.bytes

    def _all_changed(self) -> None:
        """Draw all of the followed map again: all of it may look different."""
        self._overview.all_changed()
        if self.far_tiles is not None:
            self.far_tiles.all_changed()

    def _region_changed(self, region: Region, *, has_redefined_terrains: bool) -> NDArray[np.intp]:
        """Draw again what is in ``region`` of the followed map; return these cells (n,)."""
        assert self._followed is not None
        if has_redefined_terrains:
            self._overview.all_changed()  # its colours are those of the former terrain set
        cells = self.spread(self._followed.battlemap, region)
        self._overview.changed(cells)
        if self.far_tiles is not None:
            self.far_tiles.changed(cells)
        return cells

    def spread(self, battlemap: BattleMap, region: Region) -> NDArray[np.intp]:
        """Return cells (n,), ascending, that are drawn differently after a change of ``region``."""
        return affected_cells(battlemap, region, self._style_of(battlemap), self._overlays)

    # --- in how much detail ---------------------------------------------------------------------

    def _ground_view(self, view: MapView) -> GroundView:
        """Return how the ground of a view is drawn."""
        battlemap = view.battlemap
        size = cell_size(battlemap.grid, view.viewport.scale)
        if self._has_tiles(battlemap):
            # There are sprites down to the scale where tiles begin, with hexsides as tiles have.
            size = max(size, SIDES_FROM)
            if view.unit >= FAR_BELOW:
                detail = Detail.SPRITES
            else:
                detail = Detail.TILES
        else:
            style = self._style_of(battlemap)
            is_large_enough = size >= sprites_from(battlemap)
            if is_large_enough or style.draws_surface(battlemap.system, self.theme):
                detail = Detail.SPRITES
            else:
                detail = Detail.OVERVIEW
        return GroundView(
            battlemap,
            view.composite,
            view.viewport,
            view.ratio,
            detail=detail,
            cell_size=size,
        )

    def _has_tiles(self, battlemap: BattleMap) -> bool:
        """Return whether a map is shown by tiles from afar; a heat map is not drawn in them."""
        has_tiles = self._is_followed(battlemap) and self.far_tiles is not None
        return has_tiles and self._heat_overlay is None

    def _make_tiles_follow(self, view: MapView) -> None:
        """Let the tiles show the map of a view; they are dropped if all of it looks different."""
        if self._has_tiles(view.battlemap):
            assert self.far_tiles is not None
            content = self._ground_content(view.battlemap)
            self.far_tiles.follow(view.battlemap, view.composite, content)

    def _ground_content(self, battlemap: BattleMap) -> object:
        """Return a key of all that the picture of the ground depends on but the values of cells.

        Backdrops and tiles that were drawn for another key are of no use.
        """
        content: object = battlemap.terrain_set
        if self._is_followed(battlemap) and self.far_tiles is not None:
            # Edits of the terrain set are told (``changed``), so that tiles of terrains which were
            # not edited can stay.
            content = self.far_tiles.content
        picture = self._picture_of(battlemap)
        return (
            battlemap.grid,
            content,
            self._look,
            self._overlays,
            self.translucent,
            picture,
        )

    # --- drawing --------------------------------------------------------------------------------

    def _paint_ground(
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
            return self._paint_layers(painter, view, dirty, progressive=progressive)
        is_draft = self._paint_by_backdrop(painter, view, dirty, backdrop, progressive=progressive)
        frame = None
        if view.detail.has_sprites:
            frame = self._frame(painter, view, dirty)  # for the texts on cells
        return DrawnGround(frame, is_draft)

    def _can_store_ground(self, view: GroundView) -> bool:
        """Return whether a backdrop is of use: it costs memory, and boards are drawn quickly."""
        if view.detail is Detail.TILES:
            return True
        if not self._is_followed(view.battlemap) or self._heat_overlay is not None:
            return False
        return view.detail.has_sprites and self._style_of(view.battlemap).landscape

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

        draw = partial(self._draw_area, view)
        # Sprites are drawn for some of what lies beyond the view, too, so that the next frames of a
        # pan find it drawn. Tiles are there only for what the view shows.
        draws_ahead = tiles is None
        backdrop.paint(painter, subject, box, draw, ahead=draws_ahead)
        return False

    def _repair_tiles(self, tiles: FarTiles, view: GroundView, box: QRect) -> bool:
        """Draw what edits have touched of tiles in the frame itself, while there is time.

        Return whether the tiles cover ``box``, as the map is now.
        """
        assert self.overview_ms is not None, "only canvases have tiles"
        budget = TimeBudget(self.overview_ms)
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
        self._paint_overview(painter, view, dirty)
        backdrop.paint_draft(painter, self._subject(view))
        if tiles is not None:
            box = QRect(*device_box(dirty, view.ratio))
            tiles.paint(painter, view.viewport.in_device_pixels(view.ratio), box)
            self.has_new_tiles = False

    def _subject(self, view: GroundView) -> GroundSubject:
        """Return what a backdrop of this view shows."""
        return GroundSubject(self._ground_content(view.battlemap), view.viewport, view.ratio)

    def _draw_area(
        self, view: GroundView, painter: QPainter, viewport: Viewport, area: QRect
    ) -> None:
        """Draw the ground in an area of device pixels of a viewport, the painter's unit.

        ``viewport`` is that of the backdrop, in which the ground lies elsewhere than in the view.
        """
        painter.fillRect(area, self.theme.background)
        if view.detail is Detail.TILES and self.far_tiles is not None:
            self.far_tiles.paint(painter, viewport.in_device_pixels(view.ratio), area)
            return
        view = replace(view, viewport=viewport, stored_for=view.viewport)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        dirty = QRectF(area.topLeft() / view.ratio, area.size() / view.ratio)
        self._paint_layers(painter, view, dirty, progressive=False)

    def _paint_layers(
        self, painter: QPainter, view: GroundView, dirty: QRectF, *, progressive: bool
    ) -> DrawnGround:
        """Draw what the layers set, without layers that cannot be drawn, which are reported."""
        try:
            with saved_state(painter):
                return self._paint_all_layers(painter, view, dirty, progressive=progressive)
        except Exception as reason:  # noqa: BLE001 - reported below
            fault = reason

        # Some layer is the cause: each is tried by itself, on an image that nobody sees.
        def draw_alone(map_of_layer: BattleMap) -> None:
            image = QImage(1, 1, QImage.Format.Format_RGB32)
            view_of_layer = replace(
                view, battlemap=map_of_layer, composite=map_of_layer.composite()
            )
            with painting(image) as scratch:
                self._paint_all_layers(scratch, view_of_layer, dirty, progressive=False)

        nothing_drawn = DrawnGround(frame=None, is_draft=False)
        drawable_map = without_undrawable(view.battlemap, draw_alone)
        if drawable_map is None:  # no layer alone is the cause
            fault.add_note("The map cannot be drawn")
            report_fault(fault)
            return nothing_drawn
        drawable = replace(view, battlemap=drawable_map, composite=drawable_map.composite())
        with picture_part(painter, "The map"):  # reports what is raised in it
            return self._paint_all_layers(painter, drawable, dirty, progressive=progressive)
        return nothing_drawn

    def _paint_all_layers(
        self, painter: QPainter, view: GroundView, dirty: QRectF, *, progressive: bool
    ) -> DrawnGround:
        """Draw what the layers set, with sprites or as an overview."""
        if view.detail.has_sprites:
            return self._paint_cells(painter, view, dirty, progressive=progressive)
        is_draft = self._paint_overview(painter, view, dirty)
        return DrawnGround(frame=None, is_draft=is_draft)

    # --- preparing ------------------------------------------------------------------------------

    def _prepare_ground(
        self,
        view: GroundView,
        area: QRectF,
        budget_ms: int,
        backdrop: Backdrop | None,
        nearest: QPointF | None,
    ) -> bool:
        """Draw what a frame of ``area`` lacks, for ``budget_ms``; see ``Renderer.prepare``."""
        # One budget for all parts of the turn, which follow each other as far as it lasts.
        budget = TimeBudget(budget_ms)
        box = QRect(*device_box(area, view.ratio))

        # First the overview, which is shown until better pictures are drawn.
        if not view.detail.has_sprites:
            if not self._is_followed(view.battlemap):
                return True  # its overview is coloured at once when it is drawn
            self._coloured_overview(view, budget.ms_left)
            if not self._overview.is_current:
                return False
            if view.detail is Detail.OVERVIEW:
                return True

        # Then the pictures of terrains, and tiles or sprites made of them.
        style = self._style_of(view.battlemap)
        if not self._picture_reading.read(view.battlemap, style, self.theme, budget):
            return False
        if view.detail is Detail.TILES and self.far_tiles is not None:
            device_viewport = view.viewport.in_device_pixels(view.ratio)
            if nearest is not None:
                nearest = nearest * view.ratio
            if not self.far_tiles.prepare(device_viewport, box, budget, nearest=nearest):
                self.has_new_tiles = True
                return False
        elif not self._prepare_sprites(view, area, budget.ms_left):
            return False

        # At last the backdrop, which is put together of these.
        if backdrop is None or not self._can_store_ground(view):
            return True
        draw = partial(self._draw_area, view)
        return backdrop.prepare(self._subject(view), box, draw, budget)

    def _prepare_sprites(self, view: GroundView, area: QRectF, budget_ms: int) -> bool:
        """Draw sprites that a frame of ``area`` lacks; return whether all are drawn now."""
        frame = self._frame(QPainter(), view, area)
        scene_painter = ScenePainter(frame, self._overlays, self._label_painter)
        return scene_painter.prepare(self._batches(frame, scene_painter.part), budget_ms)

    # --- the overview ---------------------------------------------------------------------------

    def cell_colours(self, battlemap: BattleMap) -> CellColours:
        """Return the colours of cells in the overview of a map."""
        heat_overlay = self._heat_overlay_of(battlemap)
        ramp_indices = None
        heat_share = 0.0
        if heat_overlay is not None:
            ramp_indices = heat_overlay.ramp_indices
            heat_share = heat_overlay.heat.opacity
        return CellColours(
            battlemap,
            self._passes(battlemap),
            self.theme,
            self._overlays,
            ramp_indices,
            heat_share,
            unset_is_transparent=self._has_picture_below(battlemap),
            draws_ways=False,
        )

    def _coloured_overview(self, view: GroundView, budget_ms: int | None) -> OverviewRaster:
        """Return the overview of a map, as far as it is coloured after ``budget_ms``."""
        see_through = self._has_picture_below(view.battlemap)
        is_stored = self._is_followed(view.battlemap)
        if is_stored and see_through is not self._overview_is_see_through:
            self._overview_is_see_through = see_through
            self._overview.forget()
        background = self.theme.background.rgb()
        if see_through:
            background = 0
        return self._overview.raster(view.battlemap, view.composite, background, budget_ms)

    def _paint_overview(self, painter: QPainter, view: GroundView, dirty: QRectF) -> bool:
        """Draw the overview, with the ways over it, and the picture of the map below or above.

        Return whether it is a draft: its colours are not yet those of the map as it is now.
        """
        raster = self._coloured_overview(view, self.overview_ms)
        box = device_box(dirty, view.ratio)
        if self._has_picture_below(view.battlemap):
            painter.fillRect(QRect(*box), self.theme.background)
        self._paint_picture_below(painter, view)
        raster.paint(painter, view.viewport, view.ratio, box)
        with saved_state(painter):
            painter.setClipRect(QRect(*box), Qt.ClipOperation.IntersectClip)
            paint_flat_ways(painter, view, self.theme, box)
        self._paint_picture_above(painter, view)
        return self._is_followed(view.battlemap) and not self._overview.is_current

    # --- tiles ----------------------------------------------------------------------------------

    def _far_block(
        self, battlemap: BattleMap, composite: Composite, level: Level, box: QRect
    ) -> Drawing:
        """Draw what a box of pixels shows of a map; a fault is reported, and tiles are given up."""
        try:
            return (yield from self._far_block_steps(battlemap, composite, level, box))
        except Exception as fault:  # noqa: BLE001 - reported
            fault.add_note("The map from afar cannot be drawn")
            report_fault(fault)
            self.far_tiles = None  # the overview is drawn without the layer that fails
            return None

    def _far_block_steps(
        self, battlemap: BattleMap, composite: Composite, level: Level, box: QRect
    ) -> Drawing:
        """Draw what a box of pixels shows of a map: first its batches, then sprites, then pixels.

        Ways and marks of cells are so large that they can be seen in a tile of this ``level``.
        """
        view = GroundView(
            battlemap,
            composite,
            Viewport(level.drawn_unit, 0, 0),
            ratio=1.0,
            detail=Detail.INSIDE_TILE,
            cell_size=SIDES_FROM,
        )
        overlays = self._overlays
        if level is not LEVELS[0]:
            overlays = replace(overlays, grid_lines=False)  # so small, they would be a haze
        frame = self._frame(QPainter(), view, QRectF(box))
        scene_painter = ScenePainter(
            frame, overlays, self._label_painter, coarseness=level.shrink_factor
        )

        batches = []
        for batch in self._batches(frame, scene_painter.part):
            batches.append(batch)
            yield
        while not scene_painter.prepare(batches, STEP_MS):
            yield

        image = QImage(box.size(), QImage.Format.Format_RGB32)
        image.fill(self.theme.background)
        with painting(image) as painter:
            frame = replace(frame, painter=painter)
            painter.translate(-box.topLeft())
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint_picture_below(painter, view)
            scene_painter.paint(batches, painter)
            self._paint_picture_above(painter, view)
            paint_marks(frame, self._overlays, level.unit)
            if level.unit <= WAYS_UP_TO:
                paint_ways(frame, level.shrink_factor)
        return image
