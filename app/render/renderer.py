"""Draws a map of any layout at any scale with pixels: the picture on the canvas and of thumbnails.

By the size of a cell a map is drawn as the bricks of its overview raster, as hexagons computed from
these, or with sprites. The renderer draws what lies in a rectangle and nothing else, so that an
edit repaints only its surroundings.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QElapsedTimer, QPointF, QRect, QRectF
from PySide6.QtGui import QImage, QPainter

from app.appearance.painting import painting, saved_state
from app.render.cell_geometry import SIDE_REACH, STANDING_REACH
from app.render.cell_values.cell_colours import CellColours
from app.render.cell_values.heat import Heat
from app.render.cell_values.opacity_passes import (
    SINGLE_PASS,
    OpacityPass,
    opacity_passes,
    without_unset,
)
from app.render.drawing_faults import picture_part, without_undrawable
from app.render.level_of_detail import (
    FAR_BELOW,
    LABELS_FROM,
    SIDES_FROM,
    cell_size,
    sprites_from,
)
from app.render.map_outline import paint_round_edge, paint_seam
from app.render.overlay_options import Overlays
from app.render.pictures.own_pictures import know_assets_of
from app.render.pictures.picture_images import PictureImages
from app.render.pictures.picture_levels import PictureLevels
from app.render.pictures.terrain_pictures import FOLDERS, Pictures
from app.render.raster.backdrop import Backdrop
from app.render.raster.far_marks import WAYS_AT_LEAST, paint_marks, paint_ways
from app.render.raster.far_tiles import LEVELS, FarTiles, Level
from app.render.raster.frame import Frame, ScenePainter
from app.render.raster.overlay_painter import OverlayPainter
from app.render.raster.overview import Overview
from app.render.raster.overview_raster import OverviewRaster, device_box
from app.render.raster.sprites import Sprites
from app.render.raster.stored_sprites import inputs_of, pack_images, read_images
from app.render.scene import entry_sides, legend
from app.render.scene.batch import Batch, OverlayBatch
from app.render.scene.edges.hexsides import hexside
from app.render.scene.part import ScenePart
from app.render.scene.regions import KeptRegionNames
from app.render.scene.relief_light import REACH as PATCH_REACH
from app.render.scene.things import things
from app.render.scene.things.loads import KeptLoads
from app.render.scene.things.names import NO_NAMES, KeptNames, Names
from app.render.style import Style, style_of
from app.render.theme import Theme
from app.render.viewport import Viewport, fitting
from randomizer.model.battlemap import BattleMap
from randomizer.model.composite import Composite
from randomizer.model.edits.edit import Region
from randomizer.model.map_picture import MapPicture, picture_of
from randomizer.model.regions import RECORD as REGIONS

if TYPE_CHECKING:
    from app.render.raster.heat_painter import HeatOverlay


class _View(NamedTuple):
    """What is drawn where: ``ratio`` is the number of device pixels in a logical one."""

    battlemap: BattleMap
    composite: Composite
    viewport: Viewport
    ratio: float
    cell_size: float
    """As ``level_of_detail.cell_size``; with tiles hexsides are seen at any size."""
    has_sprites: bool
    """Whether cells are pictures; else they are pixels of far tiles or of the overview raster."""
    far: bool = False
    """Whether it is shown by tiles, or drawn in them."""


KEPT_BYTES = 4_000_000
"""Sprites of former scales are kept up to this size."""

MOST_BYTES = 45_000_000
"""Sprites of one scale are drawn again once they take more than this."""

KEPT_IMAGE_BYTES = 2_000_000
"""The images of pictures of former terrain sets are kept up to this size."""


class Renderer:
    """Draws maps in one theme, with ``pictures`` (None: ours), on the UI thread.

    ``translucent``: layers have their opacity, as on the canvas; thumbnails show the composite.
    ``drafted`` is set when a progressive frame was not drawn completely; the caller resets it.
    ``has_new_tiles``: the next frame would show more of a map that is seen from afar. With
    an ``overview_ms`` an overview of which all cells changed is coloured in several turns of that
    length, too.
    """

    def __init__(self, theme: Theme, pictures: Pictures | None = None) -> None:
        self.translucent = False
        self.drafted = False
        self.overview_ms: int | None = None
        self._overlays = Overlays()
        self._version = object()  # another one with each change of what overlays and theme draw
        self._heat: HeatOverlay | None = None
        self._picture: PictureLevels | None = None
        self._see_through = False
        self._overview = Overview(self._cell_colours)
        self._far_tiles: FarTiles | None = None
        self.has_new_tiles = False
        self._water_level: float | None = None
        self._loads, self._names = KeptLoads(), KeptNames()
        self._region_names = KeptRegionNames()
        self.sprites_file: Path | None = None
        """Where sprites of an earlier session are, as long as these are of use."""
        self.set_theme(theme, pictures or Pictures())

    # --- how maps are drawn -----------------------------------------------------------------

    def set_theme(self, theme: Theme, pictures: Pictures) -> None:
        """Draw with other colours and pictures."""
        self.theme = theme
        self.pictures = pictures
        self._sprites: dict[tuple[object, ...], Sprites] = {}
        self._images: dict[Style, PictureImages] = {}
        self._overview.forget()
        self._version = object()
        self._overlay_painter = OverlayPainter()

    @property
    def overlays(self) -> Overlays:
        """Which overlays are drawn."""
        return self._overlays

    @overlays.setter
    def overlays(self, overlays: Overlays) -> None:
        self._overlays = overlays
        self._version = object()
        self._overview.all_changed()

    @property
    def heat(self) -> NDArray[np.float64] | None:
        """The values of cells that are shown as a heat map, as in ``Heat.cells``; None for none."""
        return None if self._heat is None else self._heat.heat.cells

    def show_heat(self, heat: Heat | None) -> None:
        """Show a heat map over maps of its size, or none."""
        from app.render.raster.heat_painter import HeatOverlay  # few sessions show one

        self._heat = None if heat is None else HeatOverlay(heat)
        self._overview.all_changed()

    def show_picture(self, levels: PictureLevels | None) -> None:
        """Show the pictures that maps have below or above their grid, if this is the one."""
        self._picture = levels

    def _picture_of(self, battlemap: BattleMap) -> MapPicture | None:
        """The picture of a map, if it is shown and decoded."""
        picture, levels = picture_of(battlemap.records), self._picture
        if picture is None or levels is None or picture.asset != levels.digest:
            return None
        return picture if picture.shown else None

    def _paint_picture(self, painter: QPainter, view: _View, *, over: bool) -> None:
        """Draw the picture below the terrains, or ``over`` them; the unit is a device pixel."""
        picture = self._picture_of(view.battlemap)
        if picture is not None and picture.over is over:
            assert self._picture is not None
            with picture_part(painter, "The picture"):
                self._picture.paint(painter, picture, view.viewport, view.ratio)

    def sprites(
        self, battlemap: BattleMap, scale: float, ratio: float, *, coarse: bool = False
    ) -> Sprites:
        """Return the sprites for one scale; those of the last few scales are kept."""
        layout, terrain_set = battlemap.grid.layout, battlemap.terrain_set
        style = style_of(battlemap.system)
        alike = (layout.name, style, round(scale, 3), ratio, coarse)
        sprites = self._sprites.pop((terrain_set, *alike), None)
        if sprites is None or sprites.bytes > MOST_BYTES:
            images = self._images.get(style)
            if images is None:
                pictures = style.pictures(self.theme, self.pictures)
                images = self._images[style] = PictureImages(pictures)
            elif images.bytes > KEPT_IMAGE_BYTES:
                images.keep(terrain_set.terrains)
            sprites = Sprites(
                layout,
                terrain_set,
                self.pictures,
                self.theme,
                scale,
                ratio,
                style=style,
                images=images,
                coarse=coarse,
            )
            former = next((key for key in self._sprites if key[1:] == alike), None)
            if former is not None and self._sprites[former].bytes <= MOST_BYTES:
                sprites.adopt(self._sprites.pop(former))
            if self.sprites_file is not None and self._draws_own_pictures:
                sprites.atlas.stored = read_images(self.sprites_file, inputs_of(sprites))
        self._sprites[terrain_set, *alike] = sprites
        while len(self._sprites) > 1 and sum(s.bytes for s in self._sprites.values()) > KEPT_BYTES:
            del self._sprites[next(iter(self._sprites))]
        return sprites

    @property
    def _draws_own_pictures(self) -> bool:
        """Whether no pictures of a game or of another package are shown."""
        return type(self.pictures) is Pictures and len(FOLDERS) == 1

    def pack_sprites(self) -> bytes | None:
        """Return the file for the sprites drawn last; None if it would hold what it holds already.

        From now on sprites are drawn, not read.
        """
        self.sprites_file = None
        sprites = next(reversed(self._sprites.values()), None)
        if sprites is None or not self._draws_own_pictures:
            return None
        images, stored = sprites.atlas.images(), sprites.atlas.stored
        sprites.atlas.stored = {}
        return None if images.keys() <= stored.keys() else pack_images(inputs_of(sprites), images)

    def forget_former(self) -> None:
        """Let go of the sprites and images of all scales and terrain sets but the last ones."""
        for former in list(self._sprites)[:-1]:
            del self._sprites[former]
        for sprites in self._sprites.values():
            style = sprites.pieces.style
            self._images = {each: images for each, images in self._images.items() if each is style}
            self._images[style].keep(sprites.terrain_set.terrains)

    def _passes(self, battlemap: BattleMap) -> tuple[OpacityPass, ...]:
        return opacity_passes(battlemap) if self.translucent else SINGLE_PASS

    def _land_passes(self, battlemap: BattleMap) -> tuple[OpacityPass, ...]:
        """The passes of the land: over a picture nothing is drawn where no layer sets anything."""
        passes = self._passes(battlemap)
        return without_unset(battlemap, passes) if self._see_through else passes

    def _cell_colours(self, battlemap: BattleMap) -> CellColours:
        hot = self._heat_of(battlemap)
        return CellColours(
            battlemap,
            self._passes(battlemap),
            self.theme,
            self._overlays,
            None if hot is None else hot.ramp_indices,
            0.0 if hot is None else hot.heat.share,
            see_through=self._see_through,
        )

    def _heat_of(self, battlemap: BattleMap) -> HeatOverlay | None:
        """The heat map, if it has the size of this map."""
        fits = self._heat is not None and len(self._heat.ramp_indices) == battlemap.grid.size
        return self._heat if fits else None

    def _view(
        self, battlemap: BattleMap, composite: Composite, viewport: Viewport, ratio: float
    ) -> _View:
        """Return what is drawn where, and how."""
        picture = self._picture_of(battlemap)
        see_through = picture is not None and not picture.over
        if see_through is not self._see_through:
            self._see_through = see_through
            self._overview.forget()
        size = cell_size(battlemap.grid, viewport.scale)
        tiles, sprites = self._far_tiles, size >= sprites_from(battlemap)
        if battlemap is not self._overview.followed or tiles is None or self._heat is not None:
            return _View(battlemap, composite, viewport, ratio, size, sprites)
        tiles.follow(battlemap, composite, self._ground_key(battlemap))
        near = viewport.scale * ratio >= FAR_BELOW
        size = max(size, SIDES_FROM)
        return _View(battlemap, composite, viewport, ratio, size, near, not near)

    # --- following one map ------------------------------------------------------------------

    def follow(self, battlemap: BattleMap) -> None:
        """Keep this map's overview raster; the caller reports the map's changes to ``changed``."""
        self._overview.follow(battlemap)
        # Without a time to draw for, as for thumbnails, they are not worth it.
        self._far_tiles = None if self.overview_ms is None else FarTiles(self._far_block)
        self._water_level = self._level_of(battlemap)

    @staticmethod
    def _level_of(battlemap: BattleMap | None) -> float | None:
        return None if battlemap is None else battlemap.system.water_level(battlemap)

    def changed(self, region: Region) -> NDArray[np.intp] | None:
        """The followed map changed in ``region``; return its ``spread``, None for all cells."""
        followed = self._overview.followed
        before, self._water_level = self._water_level, self._level_of(followed)
        everything = region.everything or region.reshaped or before != self._water_level
        everything |= REGIONS in region.records
        spec = None if followed is None else followed.system.regions
        if everything or (spec is not None and spec.name in region.planes):
            self._region_names.forget()
        if everything or followed is None:
            self._overview.all_changed()
            if self._far_tiles is not None:
                self._far_tiles.forget()
            return None
        cells = self.spread(followed, region)
        self._overview.changed(cells)
        if self._far_tiles is not None:
            self._far_tiles.changed(cells)
        return cells

    def spread(self, battlemap: BattleMap, region: Region) -> NDArray[np.intp]:
        """Return cells (n,), ascending, that are drawn differently after a change of ``region``."""
        grid, cells = battlemap.grid, region.cells
        relief = self._overlays.shows_relief(battlemap.system)
        steps = style_of(battlemap.system).spread(battlemap, region.planes, relief)
        if steps is None:
            return grid.cells
        reach = battlemap.system.passability_reach if self._overlays.passability else 0
        for _ in range(max(steps, 2 * reach)):  # squares meet at corners: two steps across
            around = [grid.neighbours_of(cells, side) for side in range(grid.degree)]
            cells = np.unique(np.concatenate([cells, *around]))
            cells = cells[cells >= 0]
        return cells

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
        backdrop: Backdrop | None = None,
    ) -> None:
        """Draw everything of the map that lies in ``dirty`` (logical pixels).

        ``ratio`` is the number of device pixels in a logical one. ``progressive``: cells whose
        sprites are missing are drafted, and ``drafted`` is set; ``prepare`` draws those sprites.
        ``backdrop`` keeps the ground of the followed map; the caller reports changes to it, too.
        A layer or an overlay that cannot be drawn is reported and left out.
        """
        know_assets_of(battlemap)
        view, place = self._view(battlemap, composite, viewport, ratio), (viewport, dirty, ratio)
        size = view.cell_size
        if view.has_sprites:
            painter.fillRect(dirty, self.theme.background)
        with saved_state(painter):
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.scale(1 / ratio, 1 / ratio)
            if backdrop is None or not self._can_keep(view):
                frame = self._paint_layers(painter, view, dirty, progressive)
            else:
                frame = self._frame(painter, view, dirty) if view.has_sprites else None
                self._paint_kept(painter, view, dirty, progressive, backdrop)
            if frame is None and battlemap.grid.wrap and self._overlays.seam:
                with picture_part(painter, "The seam"):
                    paint_seam(painter, battlemap.grid, viewport, ratio, self.theme.seam)
            if self._overlays.regions:
                with picture_part(painter, "The names of regions"):
                    regions = self._region_names.of(battlemap, composite)
                    area, names = _area(viewport, dirty), self.names(battlemap, viewport.scale)
                    texts = regions.batches(viewport.scale, area, self.theme, names)
                    self._overlay_painter.paint(painter, texts, *place)
            if self._overlays.things:
                with picture_part(painter, "What is placed on the map"):
                    icons = self._thing_icons(battlemap, viewport, dirty)
                    self._overlay_painter.paint(painter, icons, *place)
            if frame is not None and size >= LABELS_FROM:
                self._paint_cell_overlays(frame)
            with picture_part(painter, "The names of what is placed on the map"):
                names = self.names(battlemap, viewport.scale)
                texts = names.batch(viewport.scale, _area(viewport, dirty), self.theme)
                self._overlay_painter.paint(painter, texts, *place)
            if frame is not None and self._overlays.legend:
                with picture_part(painter, "The legend"):
                    pieces = frame.sprites.pieces
                    icons = legend.batches(pieces, battlemap, composite, viewport.scale)
                    self._overlay_painter.paint(painter, icons, *place)
        if self._overlays.round_edge:
            with picture_part(painter, "The round edge"):
                paint_round_edge(painter, battlemap, viewport, dirty, self.theme)
        if size >= LABELS_FROM and self._overlays.entry_sides:
            with picture_part(painter, "The entry sides"):
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.scale(1 / ratio, 1 / ratio)
                texts = entry_sides.batches(battlemap, self.theme)
                self._overlay_painter.paint(painter, texts, *place)

    def _thing_icons(
        self, battlemap: BattleMap, viewport: Viewport, dirty: QRectF
    ) -> Iterator[OverlayBatch]:
        """Yield the things that may show in ``dirty`` (logical pixels)."""
        area, loads = _area(viewport, dirty), self._loads.of(battlemap)
        return things.batches(
            battlemap, viewport.scale, area, loads, screen=True, translucent=self.translucent
        )

    def names(self, battlemap: BattleMap, scale: float) -> Names:
        """Return the names of things that a map shows at a scale."""
        if not (self._overlays.things and self._overlays.thing_names):
            return NO_NAMES
        return self._names.of(battlemap, scale, self._loads.of(battlemap))

    def _can_keep(self, view: _View) -> bool:
        """Return whether a backdrop is of use: afar, and for landscapes with pictures."""
        return view.far or (
            view.battlemap is self._overview.followed
            and style_of(view.battlemap.system).landscape
            and self._heat is None
            and view.has_sprites
        )

    def _ground_key(self, battlemap: BattleMap) -> object:
        """Return what a backdrop and tiles show of a map."""
        picture = self._picture_of(battlemap)
        return (id(battlemap.grid), battlemap.terrain_set, self._version, self.translucent, picture)

    def _paint_kept(
        self,
        painter: QPainter,
        view: _View,
        dirty: QRectF,
        progressive: bool,
        backdrop: Backdrop,
    ) -> None:
        """Draw the ground by way of a backdrop."""
        viewport, ratio = view.viewport, view.ratio
        key, box = self._ground_key(view.battlemap), QRect(*device_box(dirty, ratio))
        tiles = self._far_tiles if view.far else None
        if tiles is None:
            drafted = progressive and not backdrop.covers(key, viewport, ratio, box)
        else:
            tiles.prepare(viewport, ratio, box, self.overview_ms or 0, begun=True)
            drafted = not tiles.covers(viewport, ratio, box)
        if drafted:
            self.drafted = True
            self._paint_overview(painter, view, dirty)
            backdrop.paint_draft(painter, key, viewport, ratio)
            if tiles is not None:
                self.has_new_tiles = False
                tiles.paint(painter, viewport, ratio, box)
            return
        backdrop.paint(painter, key, viewport, ratio, box, partial(self._draw_area, view))

    def _draw_area(self, view: _View, painter: QPainter, area: QRect) -> None:
        """Draw the ground in an area of device pixels, the painter's unit."""
        painter.fillRect(area, self.theme.background)
        if view.far and self._far_tiles is not None:
            self._far_tiles.paint(painter, view.viewport, view.ratio, area)
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        dirty = QRectF(area.topLeft() / view.ratio, area.size() / view.ratio)
        self._paint_layers(painter, view, dirty, progressive=False)

    def _paint_layers(
        self, painter: QPainter, view: _View, dirty: QRectF, progressive: bool
    ) -> Frame | None:
        """Draw what the layers set; without those that cannot be drawn if there are any.

        The frame that was drawn; None for an overview, or if nothing can be drawn.
        """
        try:
            with saved_state(painter):
                return self._paint_ground(painter, view, dirty, progressive)
        except Exception as reason:  # noqa: BLE001 - reported below
            fault = reason

        def draw_apart(alone: BattleMap) -> None:
            image = QImage(1, 1, QImage.Format.Format_RGB32)
            apart = view._replace(battlemap=alone, composite=alone.composite())
            with painting(image) as scratch:
                self._paint_ground(scratch, apart, dirty, progressive=False)

        rest = without_undrawable(view.battlemap, draw_apart)
        with picture_part(painter, "The map"):
            if rest is None:
                raise fault
            drawable = view._replace(battlemap=rest, composite=rest.composite())
            return self._paint_ground(painter, drawable, dirty, progressive)

    def _paint_ground(
        self, painter: QPainter, view: _View, dirty: QRectF, progressive: bool
    ) -> Frame | None:
        """Draw cells, features and sides; the frame, None for an overview."""
        if not view.has_sprites:
            self._paint_overview(painter, view, dirty)
            return None
        frame = self._frame(painter, view, dirty)
        scene, passes = frame.sprites.scene, self._passes(view.battlemap)
        scene_painter = ScenePainter(
            frame, self._overlays, self._overlay_painter, progressive=progressive
        )
        part, paint = scene_painter.part, scene_painter.paint
        self._paint_picture(painter, view, over=False)
        paint(scene.land(part, self._land_passes(view.battlemap)))
        self._paint_picture(painter, view, over=True)
        paint(scene.on_land(part, passes))
        for name, batches in scene.shades(part):
            with picture_part(painter, name):
                paint(batches)
        hot = self._heat_of(view.battlemap)
        if hot is not None:
            with picture_part(painter, "The heat map"):
                hot.paint_cells(frame)
        paint(scene.map_edges(part))
        if hot is None or not hot.heat.alone:
            paint(scene.hexsides(part, passes, view.cell_size))
        self.drafted |= scene_painter.drafted
        return frame

    def _overview_of(self, view: _View, budget_ms: int | None) -> OverviewRaster:
        """Return the overview, as far as it is coloured after ``budget_ms``."""
        background = 0 if self._see_through else self.theme.background.rgb()
        raster = self._overview.raster(view.battlemap, view.composite, background, budget_ms)
        if view.battlemap is self._overview.followed and not self._overview.is_current:
            self.drafted = True
        return raster

    def _paint_overview(self, painter: QPainter, view: _View, dirty: QRectF) -> None:
        raster, box = self._overview_of(view, self.overview_ms), device_box(dirty, view.ratio)
        if self._see_through:
            painter.fillRect(QRect(*box), self.theme.background)
        self._paint_picture(painter, view, over=False)
        raster.paint(painter, view.viewport, view.ratio, box)
        self._paint_picture(painter, view, over=True)

    def _frame(self, painter: QPainter, view: _View, dirty: QRectF) -> Frame:
        """Return the cells that may show in ``dirty``, also those that reach in from outside."""
        battlemap, viewport = view.battlemap, view.viewport
        landscape = style_of(battlemap.system).landscape
        shaded = self._overlays.shows_relief(battlemap.system)
        beyond = max(
            SIDE_REACH, STANDING_REACH if landscape else 0.0, PATCH_REACH if shaded else 0.0
        )
        reach = (1 + beyond) * viewport.scale + 4
        area = dirty.adjusted(-reach, -reach, reach, reach)
        left, top = viewport.to_map(area.topLeft())
        right, bottom = viewport.to_map(area.bottomRight())
        cells = battlemap.grid.cells_in(left, top, right, bottom)
        sprites = self.sprites(battlemap, viewport.scale, view.ratio, coarse=view.far)
        frame = Frame(painter, *view[:4], dirty, sprites, cells, np.empty((0, 2)))
        return frame.with_centres(frame.to_device(battlemap.grid.centres_of(cells)))

    def _paint_cell_overlays(self, frame: Frame) -> None:
        """Draw texts and icons on cells; a heat map may hide what is true of this map only."""
        painter, overlays, hot = frame.painter, self._overlays, self._heat_of(frame.battlemap)
        if hot is not None and hot.heat.alone:
            overlays = replace(overlays, cell_list=False, names=False, elevation=False)
        dark = None if hot is None else hot.dark(frame.cells)
        scene_painter = ScenePainter(frame, overlays, self._overlay_painter, dark=dark)
        for name, batches in frame.sprites.scene.cell_overlays(scene_painter.part):
            with picture_part(painter, name):
                scene_painter.paint(batches)
        if hot is not None:
            with picture_part(painter, "The heat map"):
                hot.paint_sides(frame)
                painter.setOpacity(hot.text_opacity)
                scene_painter.paint(hot.texts(frame))

    def prepare(
        self,
        battlemap: BattleMap,
        composite: Composite,
        viewport: Viewport,
        area: QRectF,
        ratio: float,
        budget_ms: int,
        backdrop: Backdrop | None = None,
    ) -> bool:
        """Draw sprites that a frame of ``area`` (logical pixels) needs, for ``budget_ms``.

        And then the ground of ``backdrop``, if there is one. True if all is drawn now.
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
        if view.far:
            return self._prepare_far(view, area, budget_ms, clock, backdrop)
        frame = self._frame(QPainter(), view, area)
        scene_painter = ScenePainter(frame, self._overlays, self._overlay_painter)
        batches = self._batches(frame, scene_painter.part, view.cell_size)
        if not scene_painter.prepare(batches, budget_ms):
            return False
        return self._prepare_kept(view, area, budget_ms, clock, backdrop)

    def _prepare_kept(
        self,
        view: _View,
        area: QRectF,
        budget_ms: int,
        clock: QElapsedTimer,
        backdrop: Backdrop | None,
    ) -> bool:
        """Draw the ground of a backdrop, if it is of use."""
        if backdrop is None or not self._can_keep(view):
            return True
        key, box = self._ground_key(view.battlemap), QRect(*device_box(area, view.ratio))
        place, draw = (view.viewport, view.ratio), partial(self._draw_area, view)
        return backdrop.prepare(key, *place, box, draw, clock, budget_ms)

    def _batches(self, frame: Frame, part: ScenePart, size: float) -> Iterator[Batch]:
        """Yield all pieces of a frame, for cells of this size."""
        scene, passes = frame.sprites.scene, self._passes(frame.battlemap)
        return chain(
            scene.land(part, self._land_passes(frame.battlemap)),
            scene.on_land(part, passes),
            *(batches for _name, batches in scene.shades(part)),
            scene.map_edges(part),
            scene.hexsides(part, passes, size),
        )

    # --- seen from afar ---------------------------------------------------------------------

    def _prepare_far(
        self,
        view: _View,
        area: QRectF,
        budget_ms: int,
        clock: QElapsedTimer,
        backdrop: Backdrop | None,
    ) -> bool:
        tiles, box = self._far_tiles, QRect(*device_box(area, view.ratio))
        assert tiles is not None
        if not tiles.prepare(view.viewport, view.ratio, box, budget_ms):
            self.has_new_tiles = True
            return False
        return self._prepare_kept(view, area, budget_ms, clock, backdrop)

    def _far_block(
        self,
        battlemap: BattleMap,
        composite: Composite,
        level: Level,
        box: QRect,
        clock: QElapsedTimer,
        budget_ms: int,
    ) -> QImage | None:
        """Return what a box of pixels shows of a map; None if there was no time for its sprites.

        Ways and marks of cells are so large that they can be seen in a tile of this ``level``.
        """
        image, drawn = QImage(box.size(), QImage.Format.Format_RGB32), False
        image.fill(self.theme.background)
        with painting(image) as painter, picture_part(painter, "The map from afar"):
            painter.translate(-box.topLeft())
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            viewport = Viewport(level.drawn, 0, 0)
            view = _View(battlemap, composite, viewport, 1.0, SIDES_FROM, True, True)
            frame = self._frame(painter, view, QRectF(box))
            lines = self._overlays.grid_lines and level is LEVELS[0]  # smaller, they are a haze
            overlays = replace(self._overlays, grid_lines=lines)
            scene_painter = ScenePainter(frame, overlays, self._overlay_painter)
            pieces, batches = frame.sprites.pieces, []
            before = len(pieces)
            for batch in self._batches(frame, scene_painter.part, view.cell_size):
                batches.append(batch)
                if len(pieces) > before and clock.elapsed() > budget_ms:
                    return None  # the pieces made until now are there in the next turn
            if not scene_painter.prepare(batches, max(0, budget_ms - clock.elapsed())):
                return None
            self._paint_picture(painter, view, over=False)
            scene_painter.paint(batches)
            self._paint_picture(painter, view, over=True)
            paint_marks(frame, self._overlays, level.unit)
            if level.unit <= WAYS_AT_LEAST:
                paint_ways(frame, level.drawn / level.unit)
            drawn = True
        if not drawn:
            self._far_tiles = None  # the flat picture is drawn without the layer that fails
        return image if drawn else None

    # --- parts and wholes -------------------------------------------------------------------

    def paint_hexside(
        self,
        painter: QPainter,
        battlemap: BattleMap,
        viewport: Viewport,
        sprites: Sprites,
        cell: int,
        side: int,
        code: int,
    ) -> None:
        """Draw one hexside, ``code`` from 1 on; the painter's unit is a logical pixel."""
        piece = hexside(sprites.pieces, int(code), side)
        x, y = battlemap.grid.centre(cell)
        at = viewport.to_screen(x + piece.box.left(), y + piece.box.top())
        painter.drawPixmap(at, sprites.pixmap(piece))

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
        image = QImage(round(width * ratio), round(height * ratio), QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(ratio)
        size = QRectF(0, 0, width, height)
        with painting(image) as painter:
            viewport = fitting(battlemap.grid, size.size(), margin)
            self.paint(painter, battlemap, composite, viewport, size, ratio)
        return image


def _area(viewport: Viewport, box: QRectF) -> QRectF:
    """A box of logical pixels in map units."""
    first, last = viewport.to_map(box.topLeft()), viewport.to_map(box.bottomRight())
    return QRectF(QPointF(*first), QPointF(*last))
