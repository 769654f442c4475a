"""Draws a map of any layout at any scale with pixels: the picture on the canvas and of thumbnails.

By the size of a cell a map is drawn with sprites, as the bricks of its overview raster, or as
hexagons computed from these. A renderer *follows* one map: of that it stores an overview and, seen
from afar, tiles, and hears of its changes. Read ``paint`` first, which is the order of a frame,
then ``changed`` and ``prepare``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QElapsedTimer, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QImage, QPainter

from app.appearance.painting import painting, saved_state
from app.qt_guard import report_fault
from app.render.cell_changes import redefined_cells, spread
from app.render.cell_values.cell_colours import CellColours
from app.render.cell_values.heat import Heat
from app.render.drawing_faults import picture_part, without_undrawable
from app.render.level_of_detail import (
    FAR_BELOW,
    GRID_LINES_FROM,
    LABELS_FROM,
    SIDES_FROM,
    cell_size,
    sprites_from,
)
from app.render.map_outline import paint_round_edge, paint_seam
from app.render.overlay_options import Overlays
from app.render.pictures.own_pictures import know_assets_of
from app.render.pictures.terrain_pictures import Pictures, read_pictures
from app.render.raster.backdrop import Backdrop
from app.render.raster.far_marks import WAYS_AT_LEAST, paint_marks, paint_ways
from app.render.raster.far_tiles import LEVELS, Drawing, FarTiles, Level
from app.render.raster.flat_ways import paint_flat_ways
from app.render.raster.frame import Frame, ScenePainter
from app.render.raster.overview import Overview
from app.render.raster.overview_raster import OverviewRaster, device_box
from app.render.raster.sprite_painter import SpritePainter, View
from app.render.scene import cell_overlays, legend
from app.render.scene.batch import OverlayBatch
from app.render.scene.countries import CountriesCache, Country, paint_countries
from app.render.scene.landscape.picture_groups import group_prefix
from app.render.scene.locks import AreaLocks, AreaLocksCache
from app.render.scene.region_names import RegionNamesCache
from app.render.scene.things import things
from app.render.scene.things.loads import LoadsCache
from app.render.scene.things.names import NO_NAMES, Names
from app.render.scene.things.signs import NO_SIGNS, Signs, SignsCache
from app.render.scene.things.thing_labels import NamesCache
from app.render.style import Style, drawn_style
from app.render.theme import Theme
from app.render.viewport import Viewport, fitting
from randomizer.model.edits.edit import Region
from randomizer.model.grid.layouts import Layout
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.regions import RECORD as REGIONS
from randomizer.model.planes.composite import Composite
from randomizer.model.terrain.terrain import TerrainSet

STEP_MS = 2
"""So long the sprites of a block are drawn in one step: shorter than a turn, so that it ends in
time."""


CELL_REACH = 4.0
"""Texts of cells that reach into a part of the map stand no farther from it, in map units."""


class PaintTurn(NamedTuple):
    """One call of ``Renderer.paint``."""

    painter: QPainter
    view: View
    dirty: QRectF
    """What is drawn, in logical pixels."""
    area: QRectF
    """The same in map units."""


class Renderer(SpritePainter):
    """Draws maps in one theme, with ``pictures`` (None: ours), on the UI thread."""

    def __init__(self, theme: Theme, pictures: Pictures | None = None) -> None:
        self.overview_ms: int | None = None
        """How long an overview of which all cells changed is coloured in one turn.

        None: until it is complete, and no tiles are drawn of a map seen from afar.
        """
        self.has_new_tiles = False
        """Whether the next frame would show more of a map that is seen from afar."""
        self.painted_names = NO_NAMES
        """The names of things that the last frame showed."""
        self.painted_signs = NO_SIGNS
        """The signs of things that the last frame showed."""
        self._overview = Overview(self.cell_colours)
        self.far_tiles: FarTiles | None = None
        """Tiles of what is seen from afar; None if none are drawn, or they cannot be."""
        self._terrain_set: TerrainSet | None = None
        """The terrain set of the followed map, as it was drawn last."""
        self._water_level: float | None = None
        """The water level of the followed map, as it was drawn last; None without water."""
        self._picture_reading: Iterator[None] = iter(())
        """Reads the pictures of the map that was prepared last."""
        self._pictures_of: tuple[TerrainSet, Style, Layout] | None = None
        """What ``_picture_reading`` depends on."""
        self._loads = LoadsCache()
        self._names = NamesCache()
        self._signs = SignsCache()
        self._countries = CountriesCache()
        self._region_names = RegionNamesCache()
        self._area_locks = AreaLocksCache()
        super().__init__(theme, pictures or Pictures())

    # --- how maps are drawn -----------------------------------------------------------------

    def set_theme(self, theme: Theme, pictures: Pictures) -> None:
        super().set_theme(theme, pictures)
        self._overview.forget()
        self._version = object()  # another one with each change of theme and pictures

    @property
    def overlays(self) -> Overlays:
        """The overlays that are drawn."""
        return self._overlays

    @overlays.setter
    def overlays(self, overlays: Overlays) -> None:
        self._overlays = overlays
        self._overview.all_changed()

    @property
    def heat_map(self) -> Heat | None:
        """The heat map of ``show_heat``, None if none is shown."""
        if self._heat is None:
            return None
        return self._heat.heat

    def show_heat(self, heat: Heat | None) -> None:
        """Show a heat map over maps of its size, or none."""
        if heat is None and self._heat is None:
            return
        if heat is None:
            self._heat = None
        else:
            from app.render.raster.heat_painter import HeatOverlay  # few sessions show one

            self._heat = HeatOverlay(heat)
        self._overview.all_changed()

    def cell_colours(self, battlemap: BattleMap) -> CellColours:
        """Return the colours of cells where a map is seen from afar."""
        heat_overlay = self._heat_of(battlemap)
        ramp_indices = None
        heat_share = 0.0
        if heat_overlay is not None:
            ramp_indices = heat_overlay.ramp_indices
            heat_share = heat_overlay.heat.share
        return CellColours(
            battlemap,
            self._passes(battlemap),
            self.theme,
            self._overlays,
            ramp_indices,
            heat_share,
            see_through=self._see_through,
            ways=False,
        )

    def _view(
        self, battlemap: BattleMap, composite: Composite, viewport: Viewport, ratio: float
    ) -> View:
        """Return how a map is drawn: with sprites, by tiles, or as an overview."""
        picture = self._picture_of(battlemap)
        see_through = picture is not None and not picture.over
        if see_through is not self._see_through:
            self._see_through = see_through
            self._overview.forget()

        size = cell_size(battlemap.grid, viewport.scale)
        tiles = self.far_tiles
        if battlemap is not self._overview.followed or tiles is None or self._heat is not None:
            style = drawn_style(battlemap.system, self._overlays, self.theme)
            draws_surface = style.draws_surface(battlemap.system, self.theme)
            has_sprites = draws_surface or size >= sprites_from(battlemap)
            return View(battlemap, composite, viewport, ratio, size, has_sprites)

        # With tiles there are sprites down to the scale where tiles begin.
        tiles.follow(battlemap, composite, self._ground_key(battlemap))
        is_near = viewport.scale * ratio >= FAR_BELOW
        size = max(size, SIDES_FROM)
        return View(battlemap, composite, viewport, ratio, size, is_near, far=not is_near)

    def grid_lines_from(self, battlemap: BattleMap) -> float:
        """Return from how many device pixels a map unit on a map has grid lines; 0: always."""
        style = drawn_style(battlemap.system, self._overlays, self.theme)
        if not style.landscape or self.theme.colour_set != "pictures":
            return 0.0  # there they are part of each cell
        return GRID_LINES_FROM

    def names(self, battlemap: BattleMap, scale: float) -> Names:
        """Return the names of things that a map shows at a scale."""
        overlays = self._overlays
        if not (overlays.things and overlays.thing_names and overlays.map_names):
            return NO_NAMES
        return self._names.of(battlemap, scale, self._loads.of(battlemap))

    def signs(self, battlemap: BattleMap, scale: float) -> Signs:
        """Return the signs of things that a map shows at a scale; one object while they are the
        same.
        """
        if not self._overlays.things:
            return NO_SIGNS
        return self._signs.of(battlemap, scale)

    def countries(self, battlemap: BattleMap) -> tuple[Country, ...]:
        """Return the countries that a map shows; one object until something of them changes."""
        if not self._overlays.countries:
            return ()
        return self._countries.of(battlemap)

    # --- following one map ----------------------------------------------------------------------

    @property
    def placed_locks(self) -> AreaLocks:
        """The padlocks that were placed last."""
        return self._area_locks.latest

    def area_locks(self, battlemap: BattleMap) -> AreaLocks:
        """Return the padlocks of a map: one object until a lock changes."""
        return self._area_locks.of(battlemap)

    def follow(self, battlemap: BattleMap, tiles: FarTiles | None = None) -> None:
        """Keep this map's overview raster; the caller reports the map's changes to ``changed``.

        ``tiles`` are those that were drawn when the map was followed before, if it is still as it
        was then (``leave``).
        """
        self._overview.follow(battlemap)
        self.far_tiles = tiles
        if tiles is None and self.overview_ms is not None:
            # Without a time to draw for, as for thumbnails, they are not worth it.
            self.far_tiles = FarTiles(self._far_block)
        self._water_level = battlemap.system.water_level(battlemap)
        self._terrain_set = battlemap.terrain_set

    def leave(self) -> FarTiles | None:
        """Return the tiles of the followed map, for ``follow``; another one is followed next."""
        if self.far_tiles is not None:
            self.far_tiles.forget_unfinished()
        return self.far_tiles

    @property
    def tile_bytes(self) -> int:
        """The memory that the tiles of the followed map take, in bytes."""
        if self.far_tiles is None:
            return 0
        return self.far_tiles.bytes

    def changed(self, region: Region) -> NDArray[np.intp] | None:
        """Return the followed map changed in ``region``; return its ``spread``, None for all
        cells.
        """
        followed = self._overview.followed
        if followed is None:
            water_level = None
            redefined = None
            regions_spec = None
        else:
            water_level = followed.system.water_level(followed)
            redefined = redefined_cells(followed, region, self._terrain_set)
            self._terrain_set = followed.terrain_set
            regions_spec = followed.system.regions

        # An edit of the terrain set says that everything changed, but often only few terrains did.
        everything = (region.everything and redefined is None) or region.reshaped
        if region.locks or everything:
            self._area_locks.forget()  # they may be elsewhere now
        everything |= REGIONS in region.records or water_level != self._water_level
        self._water_level = water_level
        if everything or (regions_spec is not None and regions_spec.name in region.planes):
            self._region_names.forget()

        if everything or followed is None:
            self._overview.all_changed()
            if self.far_tiles is not None:
                self.far_tiles.forget()
                self.far_tiles.content = object()  # equal to nothing that was drawn
            return None
        if redefined is not None:
            self._overview.all_changed()  # its colours are those of the former terrain set
            region = redefined
        cells = self.spread(followed, region)
        self._overview.changed(cells)
        if self.far_tiles is not None:
            self.far_tiles.changed(cells)
        return cells

    def spread(self, battlemap: BattleMap, region: Region) -> NDArray[np.intp]:
        """Return cells (n,), ascending, that are drawn differently after a change of ``region``."""
        style = drawn_style(battlemap.system, self._overlays, self.theme)
        return spread(battlemap, region, style, self._overlays)

    # --- a frame --------------------------------------------------------------------------------

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
        backdrop: Backdrop | None = None,
    ) -> None:
        """Draw everything of the map that lies in ``dirty`` (logical pixels).

        ``ratio`` is the number of device pixels in a logical one. ``progressive``: cells whose
        sprites are missing are drafted, and ``drafted`` is set; ``prepare`` draws those sprites.
        ``backdrop`` keeps the ground of the followed map; the caller reports changes to it, too.
        A layer or an overlay that cannot be drawn is reported and left out.
        """
        know_assets_of(battlemap)
        view = self._view(battlemap, composite, viewport, ratio)
        turn = PaintTurn(painter, view, dirty, _area(viewport, dirty))
        if view.has_sprites:
            painter.fillRect(dirty, self.theme.background)
        with saved_state(painter):
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.scale(1 / ratio, 1 / ratio)
            if backdrop is not None and self._can_store_ground(view):
                frame = None
                if view.has_sprites:
                    frame = self._frame(painter, view, dirty)
                self._paint_by_backdrop(painter, view, dirty, progressive, backdrop)
            else:
                frame = self._paint_layers(painter, view, dirty, progressive)
            if frame is None:
                self._paint_seam(turn)
            self._paint_countries(turn)
            self._paint_things_and_texts(turn, frame)
        self._paint_edges_of_map(turn)

    def _lay(self, turn: PaintTurn, batches: Iterable[OverlayBatch]) -> None:
        """Draw texts and icons of a scene."""
        viewport = turn.view.viewport
        self._label_painter.paint(turn.painter, batches, viewport, turn.dirty, turn.view.ratio)

    def _paint_seam(self, turn: PaintTurn) -> None:
        """Mark where a map that wraps was cut open; a frame of sprites has marked it."""
        grid = turn.view.battlemap.grid
        if grid.wrap and self._overlays.seam:
            with picture_part(turn.painter, "The seam"):
                viewport = turn.view.viewport
                paint_seam(turn.painter, grid, viewport, turn.view.ratio, self.theme.seam)

    def _paint_countries(self, turn: PaintTurn) -> None:
        """Draw borders and names of countries; the painter's unit is that of the map meanwhile."""
        countries = self.countries(turn.view.battlemap)
        if not countries:
            return
        painter = turn.painter
        viewport = turn.view.viewport
        ratio = turn.view.ratio
        with picture_part(painter, "The countries"), saved_state(painter):
            painter.translate(viewport.dx * ratio, viewport.dy * ratio)
            painter.scale(viewport.scale * ratio, viewport.scale * ratio)
            paint_countries(painter, countries, viewport.scale)

    def _paint_things_and_texts(self, turn: PaintTurn, frame: Frame | None) -> None:
        """Draw things, marks of cells, padlocks, names and the legend over the ground.

        Texts give way to those that matter more: regions to the names of things, and the texts of
        cells to both. Names are drawn last nevertheless, so that nothing covers them.
        """
        view = turn.view
        battlemap = view.battlemap
        scale = view.viewport.scale
        painter = turn.painter
        names = self.names(battlemap, scale)
        self.painted_names = names
        self.painted_signs = NO_SIGNS
        taken_boxes = names.boxes(scale)

        if self._overlays.regions and self._overlays.map_names:
            with picture_part(painter, "The names of regions"):
                regions = self._region_names.of(battlemap, view.composite)
                taken_boxes = taken_boxes.joined(regions.boxes(scale, names))
                self._lay(turn, regions.batches(scale, turn.area, self.theme, names))
        if self._overlays.things:
            with picture_part(painter, "What is placed on the map"):
                self._paint_things(turn)
        if frame is not None:
            self._paint_cell_overlays(
                frame, view.cell_size, taken_boxes.near(turn.area, CELL_REACH)
            )
        if self._overlays.locks:
            with picture_part(painter, "The padlocks"):
                padlocks = self.area_locks(battlemap)
                self._lay(turn, padlocks.batches(scale, turn.area, self.theme))
        with picture_part(painter, "The names of what is placed on the map"):
            self._lay(turn, names.batch(scale, turn.area, self.theme))
        if frame is not None and self._overlays.legend:
            with picture_part(painter, "The legend"):
                pieces = frame.sprites.pieces
                batches = legend.batches(pieces, battlemap, view.composite, self._overlays, scale)
                self._lay(turn, batches)

    def _paint_things(self, turn: PaintTurn) -> None:
        """Draw what is placed on the map, and the signs that stand for it seen from afar."""
        battlemap = turn.view.battlemap
        scale = turn.view.viewport.scale
        batches = things.batches(
            battlemap,
            scale,
            turn.area,
            self._loads.of(battlemap),
            screen=True,
            translucent=self.translucent,
        )
        self._lay(turn, batches)
        self.painted_signs = self.signs(battlemap, scale)
        self._lay(turn, self.painted_signs.batches(turn.area))

    def _paint_edges_of_map(self, turn: PaintTurn) -> None:
        """Mark the edge of a round map, and the sides on which armies enter a battleland."""
        view = turn.view
        painter = turn.painter
        if self._overlays.round_edge:
            with picture_part(painter, "The round edge"):
                paint_round_edge(painter, view.battlemap, view.viewport, turn.dirty, self.theme)
        if view.cell_size >= LABELS_FROM and self._overlays.entry_sides:
            with picture_part(painter, "The entry sides"):
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.scale(1 / view.ratio, 1 / view.ratio)
                self._lay(turn, cell_overlays.entry_sides(view.battlemap, self.theme))

    def _can_store_ground(self, view: View) -> bool:
        """Return whether a backdrop is of use: from afar, and for landscapes with pictures."""
        if view.far:
            return True
        if view.battlemap is not self._overview.followed or self._heat is not None:
            return False
        style = drawn_style(view.battlemap.system, self._overlays, self.theme)
        return style.landscape and view.has_sprites

    def _ground_key(self, battlemap: BattleMap) -> object:
        """Return what backdrops and tiles were drawn for; those of another key are of no use."""
        picture = self._picture_of(battlemap)
        content: object = battlemap.terrain_set
        if battlemap is self._overview.followed and self.far_tiles is not None:
            content = self.far_tiles.content  # changes of the terrain set are told (``changed``)
        drawn_with = (self._version, self._overlays, self.translucent, picture)
        return (id(battlemap.grid), content, *drawn_with)

    def _paint_by_backdrop(
        self, painter: QPainter, view: View, dirty: QRectF, progressive: bool, backdrop: Backdrop
    ) -> None:
        """Draw the ground from a backdrop, into which it is drawn first where that lacks it.

        If that would take long the ground is drafted: as an overview, under what there is of a
        former backdrop and of tiles.
        """
        viewport = view.viewport
        ratio = view.ratio
        key = self._ground_key(view.battlemap)
        box = QRect(*device_box(dirty, ratio))
        tiles = None
        if view.far:
            tiles = self.far_tiles
        if tiles is None:
            is_draft = progressive and not backdrop.covers(key, viewport, ratio, box)
        else:
            budget_ms = self.overview_ms
            if budget_ms is None:
                budget_ms = 0
            tiles.prepare(viewport, ratio, box, budget_ms, only_drawn_once=True)
            is_draft = not tiles.covers(viewport, ratio, box)

        if is_draft:
            self.drafted = True
            self._paint_overview(painter, view, dirty)
            backdrop.paint_draft(painter, key, viewport, ratio)
            if tiles is not None:
                self.has_new_tiles = False
                tiles.paint(painter, viewport, ratio, box)
            return

        draw = partial(self._draw_area, view)
        # Tiles are drawn for what a view shows, and no more.
        backdrop.paint(painter, key, viewport, ratio, box, draw, ahead=tiles is None)

    def _draw_area(self, view: View, painter: QPainter, viewport: Viewport, area: QRect) -> None:
        """Draw the ground in an area of device pixels of a viewport, the painter's unit."""
        painter.fillRect(area, self.theme.background)
        if view.far and self.far_tiles is not None:
            self.far_tiles.paint(painter, viewport, view.ratio, area)
            return
        view = view._replace(viewport=viewport, sprites_for=view.viewport)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        dirty = QRectF(area.topLeft() / view.ratio, area.size() / view.ratio)
        self._paint_layers(painter, view, dirty, progressive=False)

    def _paint_layers(
        self, painter: QPainter, view: View, dirty: QRectF, progressive: bool
    ) -> Frame | None:
        """Draw what the layers set, without layers that cannot be drawn, which are reported.

        Returns the frame that was drawn; None for an overview, or if nothing can be drawn.
        """
        try:
            with saved_state(painter):
                return self._paint_ground(painter, view, dirty, progressive)
        except Exception as reason:  # noqa: BLE001 - reported below
            fault = reason

        # Some layer is the cause: each is tried by itself, on an image that nobody sees.
        def draw_apart(alone: BattleMap) -> None:
            image = QImage(1, 1, QImage.Format.Format_RGB32)
            apart = view._replace(battlemap=alone, composite=alone.composite())
            with painting(image) as scratch:
                self._paint_ground(scratch, apart, dirty, progressive=False)

        drawable_map = without_undrawable(view.battlemap, draw_apart)
        with picture_part(painter, "The map"):
            if drawable_map is None:
                raise fault
            drawable = view._replace(battlemap=drawable_map, composite=drawable_map.composite())
            return self._paint_ground(painter, drawable, dirty, progressive)
        return None

    def _paint_ground(
        self, painter: QPainter, view: View, dirty: QRectF, progressive: bool
    ) -> Frame | None:
        """Draw cells, features and sides with sprites and return the frame.

        Cells too small for sprites are drawn as an overview; None then.
        """
        if view.has_sprites:
            return self._paint_cells(painter, view, dirty, progressive)
        self._paint_overview(painter, view, dirty)
        return None

    def prepare(
        self,
        battlemap: BattleMap,
        composite: Composite,
        viewport: Viewport,
        area: QRectF,
        ratio: float,
        budget_ms: int,
        backdrop: Backdrop | None = None,
        nearest: QPointF | None = None,
    ) -> bool:
        """Draw what a frame of ``area`` (logical pixels) needs and lacks, for ``budget_ms``.

        First the overview, then the pictures of terrains are read, then sprites or tiles are drawn,
        then the ground of ``backdrop``, if there is one.
        Tiles are drawn first at ``nearest``, in logical pixels. True if all is drawn now.
        """
        view = self._view(battlemap, composite, viewport, ratio)
        if not view.has_sprites:
            if battlemap is not self._overview.followed:
                return True  # coloured at once when it is drawn: no sprites are needed
            self._overview_of(view, budget_ms)
            if not view.far or not self._overview.is_current:
                return self._overview.is_current

        clock = QElapsedTimer()
        clock.start()
        if not self._read_pictures(battlemap, clock, budget_ms):
            return False
        box = QRect(*device_box(area, ratio))
        if view.far and self.far_tiles is not None:
            if nearest is not None:
                nearest = nearest * ratio  # in device pixels, as ``box``
            if not self.far_tiles.prepare(viewport, ratio, box, budget_ms, nearest=nearest):
                self.has_new_tiles = True
                return False
        elif not self._prepare_sprites(view, area, budget_ms):
            return False

        if backdrop is None or not self._can_store_ground(view):
            return True
        key = self._ground_key(battlemap)
        draw = partial(self._draw_area, view)
        return backdrop.prepare(key, viewport, ratio, box, draw, clock, budget_ms)

    def _read_pictures(self, battlemap: BattleMap, clock: QElapsedTimer, budget_ms: int) -> bool:
        """Read the pictures of a map's terrains until ``budget_ms``; return whether all are."""
        style = drawn_style(battlemap.system, self._overlays, self.theme)
        layout = battlemap.grid.layout
        if self._pictures_of != (battlemap.terrain_set, style, layout):
            self._pictures_of = battlemap.terrain_set, style, layout
            prefix = None
            if style.landscape and self.theme.colour_set == "pictures":
                prefix = f"{group_prefix(layout)}-"
            terrains = style.pictured(battlemap.terrain_set).terrains
            self._picture_reading = read_pictures(terrains, prefix)
        return all(clock.elapsed() < budget_ms for _group in self._picture_reading)

    def _prepare_sprites(self, view: View, area: QRectF, budget_ms: int) -> bool:
        """Draw sprites that a frame of ``area`` lacks; return whether all are drawn now."""
        frame = self._frame(QPainter(), view, area)
        scene_painter = ScenePainter(frame, self._overlays, self._label_painter)
        batches = self._batches(frame, scene_painter.part, view.cell_size)
        return scene_painter.prepare(batches, budget_ms)

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
        return self.image(battlemap, composite, viewport, area, ratio)

    def image(
        self,
        battlemap: BattleMap,
        composite: Composite,
        viewport: Viewport,
        area: QRectF,
        ratio: float,
    ) -> QImage:
        """Return what lies in ``area`` (logical pixels, from 0 on) as an image."""
        size = round(area.width() * ratio), round(area.height() * ratio)
        image = QImage(*size, QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(ratio)
        image.fill(Qt.GlobalColor.black)
        with painting(image) as painter:
            self.paint(painter, battlemap, composite, viewport, area, ratio)
        return image

    # --- seen from afar -------------------------------------------------------------------------

    def _overview_of(self, view: View, budget_ms: int | None) -> OverviewRaster:
        """Return the overview, as far as it is coloured after ``budget_ms``."""
        if self._see_through:
            background = 0
        else:
            background = self.theme.background.rgb()
        raster = self._overview.raster(view.battlemap, view.composite, background, budget_ms)
        if view.battlemap is self._overview.followed and not self._overview.is_current:
            self.drafted = True
        return raster

    def _paint_overview(self, painter: QPainter, view: View, dirty: QRectF) -> None:
        """Draw the overview, with the ways over it, and the picture of the map below or above."""
        raster = self._overview_of(view, self.overview_ms)
        box = device_box(dirty, view.ratio)
        if self._see_through:
            painter.fillRect(QRect(*box), self.theme.background)
        self._paint_picture(painter, view, is_above=False)
        raster.paint(painter, view.viewport, view.ratio, box)
        unit = view.viewport.scale * view.ratio
        origin = (view.viewport.dx * view.ratio, view.viewport.dy * view.ratio)
        with saved_state(painter):
            painter.setClipRect(QRect(*box), Qt.ClipOperation.IntersectClip)
            paint_flat_ways(painter, view.battlemap, view.composite, self.theme, unit, origin, box)
        self._paint_picture(painter, view, is_above=True)

    def _far_block(
        self, battlemap: BattleMap, composite: Composite, level: Level, box: QRect
    ) -> Drawing:
        """Draw what a box of pixels shows of a map; a fault is reported, and tiles are given up."""
        try:
            return (yield from self._far_block_steps(battlemap, composite, level, box))
        except Exception as fault:  # noqa: BLE001 - reported
            fault.add_note("The map from afar cannot be drawn")
            report_fault(fault)
            self.far_tiles = None  # the flat picture is drawn without the layer that fails
            return None

    def _far_block_steps(
        self, battlemap: BattleMap, composite: Composite, level: Level, box: QRect
    ) -> Drawing:
        """Draw what a box of pixels shows of a map: first its batches, then sprites, then pixels.

        Ways and marks of cells are so large that they can be seen in a tile of this ``level``.
        """
        viewport = Viewport(level.drawn, 0, 0)
        view = View(battlemap, composite, viewport, 1.0, SIDES_FROM, has_sprites=True, far=True)
        frame = self._frame(QPainter(), view, QRectF(box))
        lines = self._overlays.grid_lines and level is LEVELS[0]  # smaller, they are a haze
        overlays = replace(self._overlays, grid_lines=lines)
        scene_painter = ScenePainter(
            frame, overlays, self._label_painter, coarseness=1 << level.halvings
        )

        batches = []
        for batch in self._batches(frame, scene_painter.part, view.cell_size):
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
            self._paint_picture(painter, view, is_above=False)
            scene_painter.paint(batches, painter)
            self._paint_picture(painter, view, is_above=True)
            paint_marks(frame, self._overlays, level.unit)
            if level.unit <= WAYS_AT_LEAST:
                paint_ways(frame, level.drawn / level.unit)
        return image


def _area(viewport: Viewport, box: QRectF) -> QRectF:
    """Return a box of logical pixels in map units."""
    first = viewport.to_map(box.topLeft())
    last = viewport.to_map(box.bottomRight())
    return QRectF(QPointF(*first), QPointF(*last))
