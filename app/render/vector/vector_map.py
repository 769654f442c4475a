"""Draws a map as shapes and text: for paper, SVG, PDF and images of any size (``app.paper``).

``VectorMap.steps``, where reading begins, is a generator that draws a little until each ``yield``,
so that a window or a progress bar may go on in between. No QPixmap is used, so that it may run on
any thread: there on the copies that ``snapshot`` makes. The screen is drawn by ``Renderer``.

Names of areas: ``area`` is what is drawn, ``near`` is that with the centres of all cells from which
something reaches into it. Both are in map units. Scales are as in ``VectorMap.steps``.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPaintEngine, QPainter

from app.appearance.painting import painting, saved_state
from app.render.cell_geometry import STANDING_REACH, map_box
from app.render.cell_values.cell_colours import CellColours, listed_cells
from app.render.cell_values.opacity_passes import SINGLE_PASS
from app.render.level_of_detail import LABELS_FROM, cell_size, sprites_from
from app.render.map_outline import paint_round_edge
from app.render.overlay_options import Overlays
from app.render.pictures.ground_images import GroundImages
from app.render.pictures.own_pictures import know_assets_of
from app.render.pictures.picture_images import PictureImages
from app.render.pictures.terrain_pictures import Pictures
from app.render.raster.flat_ways import draw_way, line_width
from app.render.raster.overview_raster import DeviceBox, OverviewRaster
from app.render.raster.sprites import OVERLAP_PX
from app.render.scene import cell_overlays, rim_names
from app.render.scene.batch import AnyBatch, Batch, SurfaceBatch
from app.render.scene.countries import countries_of, paint_countries
from app.render.scene.legend import legend_of_picture
from app.render.scene.locks import area_locks
from app.render.scene.part import ScenePart
from app.render.scene.pieces import Pieces
from app.render.scene.region_names import region_names
from app.render.scene.relief_light import REACH as PATCH_REACH
from app.render.scene.scene import Scene
from app.render.scene.shades import tile
from app.render.scene.things import things
from app.render.scene.things.loads import NO_LOADS, Loads, loads_of
from app.render.scene.things.names import NO_NAMES, Names
from app.render.scene.things.signs import signs_of
from app.render.scene.things.thing_labels import names_of
from app.render.style import drawn_style
from app.render.theme import Theme
from app.render.vector.piece_painter import SMOOTH, PiecePainter, lay, lay_surface
from app.render.viewport import Viewport
from randomizer.model.grid.box import Box
from randomizer.model.grid.cells_in_box import cells_in_box
from randomizer.model.grid.indices import places_by_value
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.planes.composite import Composite
from randomizer.model.planes.planes import is_blank
from randomizer.model.planes.routes import SIDES
from randomizer.model.players_view import players_view

WAYS_AT_ONCE = 500
"""This many cells with a way are drawn in one step."""

STRIP_PIXELS = 200_000
"""This many pixels of the overview raster are drawn in one step."""

SURFACE_UNIT = 24.0
"""The pixels a map unit of a surface of which no resolution is asked for."""

SURFACE_SIDE = 4096.0
"""Such a surface has at most so many pixels a side: larger maps have fewer pixels a map unit."""

BAND_PIXELS = 1_000_000
"""A large picture is stored in bands of so many pixels; larger ones take longer to compress than
the window may wait while it prints."""

BAND_OVERLAP = 2
"""So many rows of pixels of a band lie below the next one."""

EDGE_REACH = 0.5
"""Lines at the edge of the map reach over it by less than this, in map units."""

EDGE_DEPTH = 2.5
"""Cells whose centres are farther than this from all edges of the map, in map units, have no edge.
"""

TILE_OVERLAP = 0.02
"""How much larger cells of one colour are drawn, in map units, so that no gap shows between them.
"""

UNSCALED_OVERLAP = 0.006
"""As much for other pieces where the picture has no pixels (``PiecePainter.unit`` is 0)."""

NO_CENTRES = np.empty((0, 2), np.float64)
"""For batches that have points of their own."""

PAPER_PIXELS = 3.0
"""Pixels of the overview raster on paper, for one on a screen: about 300 an inch."""


def snapshot(
    battlemap: BattleMap, composite: Composite, overlays: Overlays | None = None
) -> tuple[BattleMap, Composite]:
    """Return copies of a map, of its visible layers only the things, and of its composite.

    They can be drawn on another thread. With ``overlays`` for players nothing secret is in them.
    """
    if overlays is not None and overlays.players:
        map_for_players = players_view(battlemap)
        if map_for_players is not battlemap:
            battlemap = map_for_players
            composite = map_for_players.composite()
    # What cells look like is in the composite; of layers only things are drawn.
    layers = [
        Layer(layer.id, layer.name, things=layer.things.copy())
        for layer in battlemap.layers
        if layer.visible
    ]
    copied_map = replace(
        battlemap,
        layers=layers,
        locked_cells=_copied(battlemap.locked_cells),
        locked_sides=_copied(battlemap.locked_sides),
        records=dict(battlemap.records),
    )
    return copied_map, composite.copy()


def _copied(plane: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return a copy of a plane; a blank one is never written to, and is shared."""
    if is_blank(plane):
        return plane
    return plane.copy()


def shown_names(battlemap: BattleMap, overlays: Overlays, scale: float, loads: Loads) -> Names:
    """Return the names of things that a picture of a map shows at a scale, by its overlays."""
    if overlays.things and overlays.thing_names and overlays.map_names:
        return names_of(battlemap, scale, loads)
    return NO_NAMES


def names_without_room(
    battlemap: BattleMap, composite: Composite, overlays: Overlays, scale: float
) -> tuple[str, ...]:
    """Return the names that a picture of a map leaves out, as others have their room.

    Names of things come first, then those of regions.
    """
    names = shown_names(battlemap, overlays, scale, loads_of(battlemap))
    if not (overlays.regions and overlays.map_names):
        return names.left_out
    regions = region_names(battlemap, composite)
    return names.left_out + regions.left_out(scale, names)


@dataclass(eq=False)
class VectorMap:
    """One map in one theme, drawn with ``piece_painter``."""

    battlemap: BattleMap
    composite: Composite
    theme: Theme
    pictures: Pictures
    overlays: Overlays
    piece_painter: PiecePainter

    ground: QColor
    """The colour of what the map is drawn on, seen around it and in its holes."""

    coarse: bool = False
    """True if it is seen from afar: fewer variants of pieces will do, drawn from stored images."""

    picture_unit: float | None = None
    """The pixels a map unit of one picture of all the ground.

    None: the ground is drawn piece by piece; only surfaces are pictures, of ``SURFACE_UNIT``.
    """

    is_titled: bool = False
    """Whether the page has the title of the map, so that its legend has none."""

    def __post_init__(self) -> None:
        know_assets_of(self.battlemap)
        self._overview: OverviewRaster | None = None
        """The colours of all cells; None until cells of one colour are drawn."""
        self._picture_map: VectorMap | None = None
        """Draws pictures of the ground, with pieces of their scale; None until there is one."""
        self._style = drawn_style(self.battlemap.system, self.overlays, self.theme)
        self._pictures = self._style.pictures(self.theme, self.pictures)
        if self.coarse:
            self._pictures = PictureImages(self._pictures)
        elif self.piece_painter.unit:
            self._pictures = GroundImages(self._pictures, self.piece_painter.unit)
        self._last_scene: Scene | None = None
        """The scene of the scale that was drawn last (``_scene``)."""
        self._legend = legend_of_picture(
            self.battlemap, self.composite, self.overlays, is_titled=self.is_titled
        )
        self._overlap = UNSCALED_OVERLAP
        """How much larger cells are drawn, in map units, so that no gap shows between them."""
        if self.piece_painter.unit:
            self._overlap = OVERLAP_PX / self.piece_painter.unit
        self._listed_cells = listed_cells(self.battlemap, self.composite)
        """The cells of the cell list of a system that has one, such as where a defender begins."""

    def of_map(self, battlemap: BattleMap, composite: Composite) -> VectorMap:
        """Return the same drawing of another map, of the same system, layout and terrain set.

        Both share the pieces of the scene, which are not worked out again for each of many maps.
        """
        result = replace(self, battlemap=battlemap, composite=composite)
        result._last_scene = self._last_scene
        return result

    def steps(
        self, painter: QPainter, area: QRectF, scale: float, cell_scale: float | None = None
    ) -> Generator[None, None, None]:
        """Draw what lies in ``area``, in steps of some milliseconds.

        The units of painter and area are map units. ``scale`` is the level of detail: the hex
        radius in the logical pixels of a screen on which the map would have the same size.
        ``cell_scale`` is that of cells, None for the same: they are many in small pictures.
        """
        painter.setRenderHints(SMOOTH)
        if cell_scale is None:
            cell_scale = scale
        near = self._with_reach(area, cell_scale)
        yield from self._land(painter, area, near, cell_scale)
        if self.overlays.countries:
            paint_countries(painter, countries_of(self.battlemap), scale)
            yield
        yield from self._things_and_texts(painter, area, near, scale, cell_scale)
        yield from self._surroundings(painter, area, scale, cell_scale)

    def _land(
        self, painter: QPainter, area: QRectF, near: QRectF, cell_scale: float
    ) -> Iterator[None]:
        """Draw the cells of an area with all that lies on the ground.

        ``near`` has the centres of the cells that reach into the area. Cells of one colour each are
        drawn as a raster, but not in a file of shapes (``PiecePainter.unit`` is 0).
        """
        size = cell_size(self.battlemap.grid, cell_scale)
        if not self._is_flat(size) or not self.piece_painter.unit:
            yield from self._cells(painter, area, near, cell_scale)
            return
        yield from self._overview_cells(painter, area, cell_scale)
        cells_in_view, _centres = self._in(near)
        yield from self._flat_ways(painter, cells_in_view, cell_scale)
        scene = self._scene(cell_scale)
        edge_cells, centres = self._at_map_edges(near)
        yield from self._lay(painter, scene, scene.map_edges(self._part(edge_cells)), centres)

    def _things_and_texts(
        self, painter: QPainter, area: QRectF, near: QRectF, scale: float, cell_scale: float
    ) -> Iterator[None]:
        """Draw things, texts and locks of cells, and names, as the renderer of the screen does.

        Texts give way to those that matter more: regions to the names of things, and the texts of
        cells to both. Names are drawn last nevertheless, so that nothing covers them.
        """
        overlays = self.overlays
        scene = self._scene(cell_scale)

        # Names take their room first.
        loads = NO_LOADS
        if overlays.things:
            loads = loads_of(self.battlemap)
        names = shown_names(self.battlemap, overlays, scale, loads)
        name_boxes = names.boxes(scale)

        if overlays.regions and overlays.map_names:
            regions = region_names(self.battlemap, self.composite)
            name_boxes = name_boxes.joined(regions.boxes(scale, names))
            texts = regions.batches(scale, area, self.theme, names)
            yield from self._lay(painter, scene, texts)
        if overlays.things:
            icons = things.batches(self.battlemap, scale, area, loads)
            yield from self._lay(painter, scene, icons)
            signs = signs_of(self.battlemap, scale)
            yield from self._lay(painter, scene, signs.batches(area))

        size = cell_size(self.battlemap.grid, cell_scale)
        if size >= LABELS_FROM or overlays.locks:
            cells, centres = self._in(near)
            part = replace(self._part(cells), occupied_boxes=name_boxes)
            for _overlay, batches in scene.cell_overlays(part, size):
                yield from self._lay(painter, scene, batches, centres)
        if overlays.locks:
            padlocks = area_locks(self.battlemap).batches(scale, area, self.theme)
            yield from self._lay(painter, scene, padlocks)
        yield from self._lay(painter, scene, names.batch(scale, area, self.theme))

    def _with_reach(self, area: QRectF, scale: float) -> QRectF:
        """Return an area with the centres of all cells from which something reaches into it."""
        reach = PATCH_REACH
        if self._style.landscape:
            reach = max(reach, STANDING_REACH)
        # A cell's own radius, and two pixels for lines at its edge.
        reach += 1 + 2 / scale
        return area.adjusted(-reach, -reach, reach, reach)

    def _surroundings(
        self, painter: QPainter, area: QRectF, scale: float, cell_scale: float
    ) -> Iterator[None]:
        """Draw what stands around the map.

        That is the legend, the edge of a round map, and the texts of rulers and of sides of entry.
        """
        overlays = self.overlays
        scene = self._scene(cell_scale)
        if self._legend is not None and self._legend.box.intersects(area):
            self._legend.draw(painter, scene.pieces)
            yield
        if overlays.round_edge:
            map_units = Viewport(1.0, 0.0, 0.0)
            paint_round_edge(painter, self.battlemap, map_units, area, self.theme)
        if overlays.rulers:
            rulers = rim_names.batches(self.battlemap, scale, self.theme)
            yield from self._lay(painter, scene, rulers)
        size = cell_size(self.battlemap.grid, cell_scale)
        if size >= LABELS_FROM and overlays.entry_sides:
            sides = cell_overlays.entry_sides(self.battlemap, self.theme)
            yield from self._lay(painter, scene, sides)

    def _in(self, box: QRectF) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """Return the cells (n,) whose centres lie in a box, and their centres (n, 2), in map
        units.
        """
        grid = self.battlemap.grid
        return cells_in_box(grid, Box(box.left(), box.top(), box.right(), box.bottom()))

    def _at_map_edges(self, box: QRectF) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """Return what ``_in`` returns, but without the inner cells of a map that has no holes."""
        grid = self.battlemap.grid
        if grid.mask is not None:
            return self._in(box)
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
                cells, _centres = self._in(strip.intersected(box))
                cells_of_strips.append(cells)
        cells = np.unique(np.concatenate(cells_of_strips))
        return cells, grid.centres_of(cells)

    def _is_flat(self, size: float) -> bool:
        """Return whether cells of a size (``level_of_detail.cell_size``) have one colour each."""
        if self._style.draws_surface(self.battlemap.system, self.theme):
            return False
        return size < sprites_from(self.battlemap)

    def _cells(self, painter: QPainter, area: QRectF, near: QRectF, scale: float) -> Iterator[None]:
        """Draw the ground with all that lies on it.

        ``near`` has the centres of the cells that reach into the ``area``.
        """
        if self._has_picture(painter):
            yield from self._picture(painter, area, near, scale)
            return
        cells, centres = self._in(near)
        size = cell_size(self.battlemap.grid, scale)
        scene = self._scene(scale)
        part = self._part(cells)
        if self._is_flat(size):
            colours = self._colours().of(self.composite, cells, self._listed_cells).astype(np.int64)
            for colour, rows in places_by_value(colours):
                piece = tile(self.battlemap.grid.layout, QColor(colour), TILE_OVERLAP)
                yield from self.piece_painter.put(painter, piece, centres[rows])
            yield from self._flat_ways(painter, cells, scale)
        else:
            yield from self._lay(painter, scene, scene.ground(part, SINGLE_PASS), centres)
            for _name, batches in scene.shades(part):
                yield from self._lay(painter, scene, batches, centres)
        yield from self._lay(painter, scene, scene.map_edges(part), centres)
        yield from self._lay(painter, scene, scene.hexsides(part, SINGLE_PASS, size), centres)

    # --- the ground as one picture --------------------------------------------------------------

    def _has_picture(self, painter: QPainter) -> bool:
        """Return whether the ground is drawn as one picture: not on images, which are one."""
        if painter.paintEngine().type() == QPaintEngine.Type.Raster:
            return False
        surface = self._style.draws_surface(self.battlemap.system, self.theme)
        return surface or self.picture_unit is not None

    def _picture(
        self, painter: QPainter, area: QRectF, near: QRectF, scale: float
    ) -> Iterator[None]:
        """Draw the ground of an area as a picture.

        If it is a large one it is stored in bands, so that no step takes long.
        """
        reach = near.bottom() - area.bottom()
        area = area.intersected(self._map_with_edges())
        if area.isEmpty():
            return
        unit = self._unit_of_picture(area)
        width = math.ceil(area.width() * unit)
        height = math.ceil(area.height() * unit)
        band_height = height
        if self.picture_unit is not None:
            band_height = max(1, BAND_PIXELS // width)
        if self._picture_map is None or self._picture_map.piece_painter.unit != unit:
            self._picture_map = replace(self, piece_painter=PiecePainter(unit))

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
                near_band = band.adjusted(-reach, -reach, reach, reach)
                yield from self._picture_map._cells(on_image, band, near_band, scale)
            yield from self.piece_painter.put_picture(painter, band, image)

    def _map_with_edges(self) -> QRectF:
        """Return the box around all cells and the lines at the edge of the map, in map units."""
        all_cells = map_box(self.battlemap.grid)
        return all_cells.adjusted(-EDGE_REACH, -EDGE_REACH, EDGE_REACH, EDGE_REACH)

    def _unit_of_picture(self, area: QRectF) -> float:
        """Return the pixels a map unit of the picture of an area."""
        if self.picture_unit is not None:
            return self.picture_unit
        return min(SURFACE_UNIT, SURFACE_SIDE / max(area.width(), area.height()))

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
        return ScenePart(self.battlemap, self.composite, self.overlays, cells)

    def _lay(
        self,
        painter: QPainter,
        scene: Scene,
        batches: Iterable[AnyBatch],
        centres: NDArray[np.float64] = NO_CENTRES,
    ) -> Iterator[None]:
        """Draw batches; ``centres`` (n, 2) are those of the part's cells, in map units."""
        for batch in batches:
            if isinstance(batch, SurfaceBatch):
                yield from lay_surface(painter, batch)
            elif not isinstance(batch, Batch):
                yield from lay(painter, self.piece_painter, batch)
            elif len(batch.rows):
                points = centres[batch.rows]
                yield from self.piece_painter.lay(painter, scene.pieces, batch, points)

    # --- cells of one colour ----------------------------------------------------------------

    def _colours(self) -> CellColours:
        return CellColours(self.battlemap, SINGLE_PASS, self.theme, self.overlays, None, ways=False)

    def _flat_ways(
        self, painter: QPainter, cells: NDArray[np.intp], scale: float
    ) -> Iterator[None]:
        """Draw the ways of cells of one colour as lines, ``WAYS_AT_ONCE`` of them at each step."""
        layout = self.battlemap.grid.layout
        width = line_width(1 / scale)
        for route in self.battlemap.system.routes_of(self.battlemap.terrain_set):
            plane = self.composite.planes[route.plane]
            if is_blank(plane):
                continue
            values = plane.reshape(-1)[cells]
            rows = np.flatnonzero(route.runs(values))
            sides = (values[rows] & SIDES).tolist()
            centres = self.battlemap.grid.centres_of(cells[rows]).tolist()
            colour = self.theme.route_cell_colour(route)
            for index, (x, y) in enumerate(centres):
                with saved_state(painter):
                    painter.translate(x, y)
                    draw_way(painter, layout, sides[index], width, colour)
                if index % WAYS_AT_ONCE == 0:
                    yield

    def _overview_cells(self, painter: QPainter, area: QRectF, scale: float) -> Iterator[None]:
        """Draw the overview raster, a strip of ``STRIP_PIXELS`` at each step.

        An image gets it pixel by pixel. On paper its pixels are smaller than the painter's unit,
        and are counted from the corner of the area.
        """
        if self._overview is None:
            self._overview = OverviewRaster(self.battlemap.grid, self.ground.rgb())
            colours = self._colours()
            self._overview.fill(lambda run: colours.of(self.composite, run, self._listed_cells))
        is_image = painter.paintEngine().type() == QPaintEngine.Type.Raster
        if is_image:
            unit = self.piece_painter.unit
            transform = painter.transform()
            viewport = Viewport(unit, transform.dx(), transform.dy())
        else:
            unit = scale * PAPER_PIXELS
            viewport = Viewport(unit, -area.left() * unit, -area.top() * unit)
        left = math.floor(area.left() * unit + viewport.dx)
        top = math.floor(area.top() * unit + viewport.dy)
        # One more: the area may begin and end within a pixel.
        width = math.ceil(area.width() * unit) + 1
        height = math.ceil(area.height() * unit) + 1
        strip_height = max(1, STRIP_PIXELS // width)
        for row in range(0, height, strip_height):
            strip = DeviceBox(left, top + row, width, min(strip_height, height - row))
            with saved_state(painter):
                if is_image:
                    painter.resetTransform()
                else:
                    painter.translate(area.topLeft())
                    painter.scale(1 / unit, 1 / unit)
                self._overview.paint(painter, viewport, 1.0, strip)
            yield
