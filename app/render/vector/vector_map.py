"""Draws a map as shapes and text: for paper, SVG, PDF and images of any size (``app.paper``).

``VectorMap.draw_in_steps``, where reading begins, is a generator that draws a little until each
``yield``, so that a window or a progress bar may go on in between::

    for _step in vector_map.draw_in_steps(painter, area, scale=40.0):
        show_progress()

It draws the ground (``_Ground`` says how), then things and texts, then what stands around the map.

Resolutions have one of two units. A *scale* is the radius of a hex in the logical pixels of a
screen on which the map would be as large as in the picture: it decides in which detail the map is
drawn. A *unit* is the number of pixels of a stored image for a map unit.

No QPixmap is used, so that it may run on any thread: there on the copies that ``snapshot`` makes.
The screen is drawn by ``Renderer``.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPaintEngine, QPainter

from app.appearance.painting import painting
from app.render.cell_geometry import STANDING_REACH, map_box
from app.render.cell_values.opacity_passes import SINGLE_PASS
from app.render.level_of_detail import LABELS_FROM, cell_size, sprites_from
from app.render.map_outline import paint_round_edge
from app.render.overlay_options import Overlays
from app.render.pictures.ground_images import GroundImages
from app.render.pictures.own_pictures import register_assets_of
from app.render.pictures.picture_images import PictureImages
from app.render.pictures.terrain_pictures import Pictures
from app.render.raster.sprites import OVERLAP_PX
from app.render.raster.surface_painter import surface_steps_on_map
from app.render.scene import entry_names, rim_names
from app.render.scene.batch import AnyBatch, Batch, SurfaceBatch
from app.render.scene.countries import countries_of, paint_countries
from app.render.scene.legend import legend_of_picture
from app.render.scene.locks import area_locks
from app.render.scene.part import ScenePart
from app.render.scene.pieces import Pieces
from app.render.scene.region_names import region_names
from app.render.scene.relief_light import PATCH_REACH
from app.render.scene.scene import Scene
from app.render.scene.text_boxes import TextBoxes
from app.render.scene.things import things
from app.render.scene.things.loads import NO_LOADS, loads_of
from app.render.scene.things.signs import signs_of
from app.render.style import drawn_style
from app.render.theme import Theme
from app.render.vector.flat_cells import FlatCells
from app.render.vector.overlay_batches import draw_overlay_batch
from app.render.vector.picture_names import shown_names
from app.render.vector.piece_painter import SMOOTH, ImagePiecePainter, PiecePainter
from app.render.viewport import Viewport
from randomizer.model.grid.box import Box
from randomizer.model.grid.cells_in_box import cells_in_box
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite

SURFACE_UNIT = 24.0
"""The pixels a map unit of a surface of which no resolution is asked for."""

SURFACE_SIDE = 4096.0
"""Such a surface has at most so many pixels a side: larger maps have fewer pixels a map unit."""

BAND_PIXELS = 1_000_000
"""A large picture is stored in bands of so many pixels.

Larger ones take longer to compress than the window may wait while it prints.
"""

BAND_OVERLAP = 2
"""So many rows of pixels of a band lie below the next one."""

EDGE_REACH = 0.5
"""Lines at the edge of the map reach over it by less than this, in map units."""

EDGE_DEPTH = 2.5
"""Cells whose centres are farther from all edges of the map, in map units, have no edge."""

UNSCALED_OVERLAP = 0.006
"""Cells that are drawn as shapes are larger by this, in map units, so that no gap shows."""

NO_CENTRES = np.empty((0, 2), np.float64)
"""For batches that have points of their own."""


class _Ground(Enum):
    """How the ground of a section is drawn; ``VectorMap._ground_of`` chooses."""

    RASTER = "one colour a cell, as pixels: for a painter of images"
    PICTURE = "all cells on one image, which is drawn: for paper, PDF and SVG"
    POLYGONS = "one colour a cell, as polygons"
    PIECES = "the pieces of the scene, with all their details"


@dataclass(frozen=True)
class _Section:
    """The part of a map that is drawn, and in which detail."""

    area: QRectF
    """What is drawn, in map units."""

    reach: float
    """How far around ``area`` cells lie of which something may reach into it, in map units."""

    scale: float
    """The level of detail: the hex radius in the logical pixels of a screen.

    On that screen the map would have the size that it has in the picture.
    """

    cell_scale: float
    """The same for what is drawn on each cell."""

    cell_size: float
    """``level_of_detail.cell_size`` at ``cell_scale``."""

    @property
    def near(self) -> QRectF:
        """The area with the centres of all cells from which something reaches into it."""
        return self.area.adjusted(-self.reach, -self.reach, self.reach, self.reach)


@dataclass(eq=False)
class VectorMap:
    """One map in one theme, drawn with ``piece_painter``.

    Where the ground is drawn as pieces, their pictures are stored images if ``coarse``, else images
    if ``piece_painter`` has an ``image_unit``, else shapes.
    """

    battlemap: BattleMap
    """The map."""

    composite: Composite
    """The values that its cells show."""

    theme: Theme
    """The colours in which it is drawn."""

    pictures: Pictures
    """The pictures of terrains, before the style has chosen among them."""

    overlays: Overlays
    """The overlays that are shown."""

    piece_painter: PiecePainter
    """Draws pieces, as shapes or as images."""

    ground: QColor
    """The colour of what the map is drawn on, seen around it and in its holes."""

    coarse: bool = False
    """True if it is seen from afar: fewer variants of pieces will do, drawn from stored images."""

    picture_unit: float | None = None
    """The pixels a map unit of one picture of all the ground.

    None: the ground is drawn piece by piece; only surfaces are pictures, of ``SURFACE_UNIT``.
    """

    is_titled: bool = False
    """True if the page has the title of the map, so that its legend has none."""

    def __post_init__(self) -> None:
        register_assets_of(self.battlemap)
        self._flat_cells = FlatCells(
            self.battlemap, self.composite, self.theme, self.overlays, self.ground
        )
        """Draws cells of one colour each."""
        self._picture_map: VectorMap | None = None
        """The same map with pieces as images, for ``_Ground.PICTURE``; None until there is one."""
        self._style = drawn_style(self.battlemap.system, self.overlays, self.theme)
        self._pictures = self._style.pictures_in_theme(self.theme, self.pictures)
        if self.coarse:
            self._pictures = PictureImages(self._pictures)
        elif self.piece_painter.image_unit is not None:
            self._pictures = GroundImages(self._pictures, self.piece_painter.image_unit)
        self._last_scene: Scene | None = None
        """The scene of the scale that was drawn last (``_scene``), None before the first.

        To make its pieces takes long, and many sections and maps are drawn at one scale.
        """
        self._legend = legend_of_picture(
            self.battlemap, self.composite, self.overlays, is_titled=self.is_titled
        )
        self._overlap = UNSCALED_OVERLAP
        """How much larger cells are drawn, in map units, so that no gap shows between them."""
        if self.piece_painter.image_unit is not None:
            self._overlap = OVERLAP_PX / self.piece_painter.image_unit

    def of_map(self, battlemap: BattleMap, composite: Composite) -> VectorMap:
        """Return the same drawing of another map, of the same system, layout and terrain set.

        Both share the pieces of the scene, which are not worked out again for each of many maps.
        """
        result = replace(self, battlemap=battlemap, composite=composite)
        result._last_scene = self._last_scene
        return result

    def draw_in_steps(
        self, painter: QPainter, area: QRectF, scale: float, cell_scale: float | None = None
    ) -> Generator[None, None, None]:
        """Draw what lies in ``area``, in steps of some milliseconds.

        The units of painter and area are map units. ``scale`` is the level of detail: the hex
        radius in the logical pixels of a screen on which the map would have the same size.
        ``cell_scale`` is that of what is drawn on each cell, None for the same. It is smaller where
        a picture has so many cells that their details would take too long or too much room.

        A caller that stops half-way has to close the generator before the painter ends: painters of
        images may be open at a ``yield``.
        """
        painter.setRenderHints(SMOOTH)
        section = self._section(area, scale, cell_scale)
        yield from self._draw_ground(painter, section)
        if self.overlays.countries:
            paint_countries(painter, countries_of(self.battlemap), scale)
            yield
        yield from self._draw_things_and_texts(painter, section)
        yield from self._draw_surroundings(painter, section)

    def _section(self, area: QRectF, scale: float, cell_scale: float | None) -> _Section:
        """Return a section; the parameters are those of ``draw_in_steps``."""
        if cell_scale is None:
            cell_scale = scale
        reach = PATCH_REACH
        if self._style.landscape:
            reach = max(reach, STANDING_REACH)
        # A cell's own radius, and two pixels for lines at its edge.
        reach += 1 + 2 / cell_scale
        size = cell_size(self.battlemap.grid, cell_scale)
        return _Section(area, reach, scale, cell_scale, size)

    # --- the ground -----------------------------------------------------------------------------

    def _draw_ground(self, painter: QPainter, section: _Section) -> Iterator[None]:
        """Draw the cells of a section with all that lies on the ground."""
        match self._ground_of(painter, section):
            case _Ground.RASTER:
                yield from self._draw_raster(painter, section)
            case _Ground.PICTURE:
                yield from self._draw_picture(painter, section)
            case _Ground.POLYGONS | _Ground.PIECES:
                yield from self._draw_cells(painter, section)

    def _ground_of(self, painter: QPainter, section: _Section) -> _Ground:
        """Return how the ground of a section is drawn with a painter."""
        is_flat = self._is_flat(section)
        if is_flat and self.piece_painter.image_unit is not None:
            return _Ground.RASTER
        has_surface = self._style.draws_surface(self.battlemap.system, self.theme)
        if (has_surface or self.picture_unit is not None) and not _is_image(painter):
            return _Ground.PICTURE
        if is_flat:
            return _Ground.POLYGONS
        return _Ground.PIECES

    def _is_flat(self, section: _Section) -> bool:
        """Return whether the cells of a section have one colour each."""
        if self._style.draws_surface(self.battlemap.system, self.theme):
            return False
        return section.cell_size < sprites_from(self.battlemap)

    def _draw_raster(self, painter: QPainter, section: _Section) -> Iterator[None]:
        """Draw cells of one colour each as a raster, with routes and the edges of the map.

        On an image it has the ``image_unit`` of the piece painter. Hexsides are left out, as on the
        screen: cells are too small for them.
        """
        flat_cells = self._flat_cells
        image_unit = self.piece_painter.image_unit
        assert image_unit is not None, "_Ground.RASTER is for painters of images"
        if _is_image(painter):
            yield from flat_cells.draw_pixels_on_image(painter, section.area, image_unit)
        else:
            yield from flat_cells.draw_pixels_on_paper(painter, section.area, section.cell_scale)
        cells_in_view, _centres = self._cells_in(section.near)
        yield from flat_cells.draw_routes(painter, cells_in_view, section.cell_scale)
        scene = self._scene(section.cell_scale)
        edge_cells, centres = self._cells_at_map_edges(section.near)
        edges = scene.map_edges(self._part(edge_cells))
        yield from self._draw_batches(painter, scene, edges, centres)

    def _draw_cells(self, painter: QPainter, section: _Section) -> Iterator[None]:
        """Draw the ground cell by cell, as polygons or as pieces, with all that lies on it."""
        cells, centres = self._cells_in(section.near)
        scene = self._scene(section.cell_scale)
        part = self._part(cells)
        if self._is_flat(section):
            yield from self._flat_cells.draw_tiles(painter, self.piece_painter, cells, centres)
            yield from self._flat_cells.draw_routes(painter, cells, section.cell_scale)
        else:
            # From the bottom up: the land, what stands on it, its light and shade.
            land = scene.land(part, SINGLE_PASS)
            yield from self._draw_batches(painter, scene, land, centres)
            over_land = scene.over_land(part, SINGLE_PASS)
            yield from self._draw_batches(painter, scene, over_land, centres)
            for _name, shades in scene.shades(part):
                yield from self._draw_batches(painter, scene, shades, centres)
        yield from self._draw_batches(painter, scene, scene.map_edges(part), centres)
        hexsides = scene.hexsides(part, SINGLE_PASS, section.cell_size)
        yield from self._draw_batches(painter, scene, hexsides, centres)

    def _cells_in(self, box: QRectF) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """Return the cells (n,) whose centres lie in a box, and these (n, 2), in map units."""
        grid = self.battlemap.grid
        return cells_in_box(grid, Box(box.left(), box.top(), box.right(), box.bottom()))

    def _cells_at_map_edges(self, box: QRectF) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """Return what ``_cells_in`` returns, without the inner cells of a map without holes.

        These have no edge, and are nearly all cells of a large map.
        """
        grid = self.battlemap.grid
        if grid.mask is not None:
            return self._cells_in(box)
        left, top, right, bottom = grid.bounds
        width = right - left
        height = bottom - top
        depth = EDGE_DEPTH
        strips = (
            QRectF(left, top, depth, height),
            QRectF(right - depth, top, depth, height),
            QRectF(left, top, width, depth),
            QRectF(left, bottom - depth, width, depth),
        )
        cells_of_strips = [np.zeros(0, np.intp)]
        for strip in strips:
            if strip.intersects(box):
                cells, _centres = self._cells_in(strip.intersected(box))
                cells_of_strips.append(cells)
        cells = np.unique(np.concatenate(cells_of_strips))
        return cells, grid.centres_of(cells)

    # --- the ground as one picture --------------------------------------------------------------

    def _draw_picture(self, painter: QPainter, section: _Section) -> Iterator[None]:
        """Draw the ground of a section as a picture.

        If it is a large one it is stored in bands, so that no step takes long.
        """
        area = section.area.intersected(self._map_with_edges())
        if area.isEmpty():
            return
        unit = self._unit_of_picture(area)
        width = math.ceil(area.width() * unit)
        height = math.ceil(area.height() * unit)
        band_height = height
        if self.picture_unit is not None:
            band_height = max(1, BAND_PIXELS // width)
        picture_map = self._picture_map
        if picture_map is None or picture_map.piece_painter.image_unit != unit:
            picture_map = replace(self, piece_painter=ImagePiecePainter(unit))
            self._picture_map = picture_map

        for first_row in range(0, height, band_height):
            # Bands overlap: else viewers show a line between them.
            rows = min(band_height + BAND_OVERLAP, height - first_row)
            band_top = area.top() + first_row / unit
            band = QRectF(area.left(), band_top, width / unit, rows / unit)
            image = QImage(width, rows, QImage.Format.Format_RGB32)
            image.fill(self.ground)
            with painting(image) as on_image:
                on_image.setRenderHints(SMOOTH)
                on_image.scale(unit, unit)
                on_image.translate(-band.topLeft())
                yield from picture_map._draw_cells(on_image, replace(section, area=band))
            yield from self.piece_painter.draw_ground_picture(painter, band, image)

    def _map_with_edges(self) -> QRectF:
        """Return the box around all cells and the lines at the edge of the map, in map units."""
        all_cells = map_box(self.battlemap.grid)
        return all_cells.adjusted(-EDGE_REACH, -EDGE_REACH, EDGE_REACH, EDGE_REACH)

    def _unit_of_picture(self, area: QRectF) -> float:
        """Return the pixels a map unit of the picture of an area."""
        if self.picture_unit is not None:
            return self.picture_unit
        return min(SURFACE_UNIT, SURFACE_SIDE / max(area.width(), area.height()))

    # --- over the ground ------------------------------------------------------------------------

    def _draw_things_and_texts(self, painter: QPainter, section: _Section) -> Iterator[None]:
        """Draw things, texts and locks of cells, and names, as the renderer of the screen does.

        Texts give way to those that matter more: regions to the names of things, and the texts of
        cells to both. Names are drawn last nevertheless, so that nothing covers them.
        """
        overlays = self.overlays
        area = section.area
        scale = section.scale
        scene = self._scene(section.cell_scale)
        loads = NO_LOADS
        if overlays.things:
            loads = loads_of(self.battlemap)
        names = shown_names(self.battlemap, overlays, scale, loads)
        occupied_boxes = names.boxes(scale)

        if overlays.regions and overlays.map_names:
            regions = region_names(self.battlemap, self.composite)
            occupied_boxes = occupied_boxes.joined(regions.boxes(scale, names))
            texts = regions.batches(scale, area, self.theme, names)
            yield from self._draw_batches(painter, scene, texts)
        if overlays.things:
            icons = things.batches(self.battlemap, scale, area, loads)
            yield from self._draw_batches(painter, scene, icons)
            signs = signs_of(self.battlemap, scale)
            yield from self._draw_batches(painter, scene, signs.batches(area))
        yield from self._draw_texts_and_locks(painter, section, occupied_boxes)
        yield from self._draw_batches(painter, scene, names.batches(scale, area, self.theme))

    def _draw_texts_and_locks(
        self, painter: QPainter, section: _Section, occupied_boxes: TextBoxes
    ) -> Iterator[None]:
        """Draw the texts of cells where names leave room, and locks."""
        scene = self._scene(section.cell_scale)
        has_locks = self.overlays.locks
        if section.cell_size >= LABELS_FROM or has_locks:
            cells, centres = self._cells_in(section.near)
            part = replace(self._part(cells), occupied_boxes=occupied_boxes)
            for _overlay, batches in scene.cell_overlays(part, section.cell_size):
                yield from self._draw_batches(painter, scene, batches, centres)
        if has_locks:
            area_batches = area_locks(self.battlemap).batches(
                section.scale, section.area, self.theme
            )
            yield from self._draw_batches(painter, scene, area_batches)

    def _draw_surroundings(self, painter: QPainter, section: _Section) -> Iterator[None]:
        """Draw what stands around the map.

        That is the legend, the edge of a round map, and the texts of rulers and of sides of entry.
        """
        overlays = self.overlays
        scene = self._scene(section.cell_scale)
        if self._legend is not None and self._legend.box.intersects(section.area):
            self._legend.draw(painter, scene.pieces)
            yield
        if overlays.round_edge:
            map_units = Viewport(1.0, 0.0, 0.0)
            paint_round_edge(painter, self.battlemap, map_units, section.area, self.theme)
        if overlays.rulers:
            rulers = rim_names.batches(self.battlemap, section.scale, self.theme)
            yield from self._draw_batches(painter, scene, rulers)
        if overlays.entry_sides and section.cell_size >= LABELS_FROM:
            sides = entry_names.entry_sides(self.battlemap, self.theme)
            yield from self._draw_batches(painter, scene, sides)

    # --- the scene --------------------------------------------------------------------------

    def _scene(self, scale: float) -> Scene:
        """Return the scene whose thin lines are a pixel wide at this scale."""
        pixel = 1 / scale
        if self._last_scene is None or self._last_scene.pieces.pixel != pixel:
            pieces = Pieces(
                self.battlemap.grid.layout,
                self.battlemap.terrain_set,
                self._style,
                self._pictures,
                self.theme,
                pixel,
                self._overlap,
                coarse=self.coarse,
            )
            self._last_scene = Scene(pieces)
        return self._last_scene

    def _part(self, cells: NDArray[np.intp]) -> ScenePart:
        """Return the part of the scene that shows these cells."""
        return ScenePart(self.battlemap, self.composite, self.overlays, cells)

    def _draw_batches(
        self,
        painter: QPainter,
        scene: Scene,
        batches: Iterable[AnyBatch],
        centres: NDArray[np.float64] = NO_CENTRES,
    ) -> Iterator[None]:
        """Draw batches of any kind, each in its own way.

        ``centres`` (n, 2) are those of the part's cells, in map units; overlays need none.
        """
        for batch in batches:
            if isinstance(batch, SurfaceBatch):
                yield from surface_steps_on_map(painter, batch)
            elif not isinstance(batch, Batch):
                yield from draw_overlay_batch(painter, batch, self.piece_painter)
            elif len(batch.rows):
                points = centres[batch.rows]
                yield from self.piece_painter.draw_batch(painter, scene.pieces, batch, points)


def _is_image(painter: QPainter) -> bool:
    """Return whether a painter draws on an image, and not on paper, in a PDF or in an SVG."""
    return painter.paintEngine().type() == QPaintEngine.Type.Raster
