"""Draws a map as shapes and text: for paper, SVG, PDF and images of any size.

No QPixmap is used, so that it may be done on any thread.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QImage, QPaintEngine, QPainter

from app.appearance.painting import painting, saved_state
from app.render.cell_geometry import STANDING_REACH
from app.render.cell_values.cell_colours import CellColours, listed_cells
from app.render.cell_values.opacity_passes import SINGLE_PASS
from app.render.level_of_detail import LABELS_FROM, cell_size, sprites_from
from app.render.map_outline import paint_round_edge
from app.render.overlay_options import Overlays
from app.render.pictures.own_pictures import know_assets_of
from app.render.pictures.picture_images import PictureImages
from app.render.pictures.terrain_pictures import Pictures
from app.render.raster.flat_ways import draw_way, line_width
from app.render.raster.overview import OverviewRaster
from app.render.raster.sprites import OVERLAP_PX
from app.render.scene import cell_overlays, rim_names
from app.render.scene.batch import AnyBatch, Batch, SurfaceBatch
from app.render.scene.countries import countries_of, paint_countries
from app.render.scene.legend import legend_of_picture
from app.render.scene.locks import area_locks
from app.render.scene.part import ScenePart
from app.render.scene.pieces import Pieces
from app.render.scene.regions import region_names
from app.render.scene.relief_light import REACH as PATCH_REACH
from app.render.scene.scene import Scene
from app.render.scene.shades import tile
from app.render.scene.things import things
from app.render.scene.things.names import NO_NAMES, names_of
from app.render.scene.things.signs import signs_of
from app.render.scene.things.things import loads_of
from app.render.style import drawn_style
from app.render.theme import Theme
from app.render.vector.piece_painter import SMOOTH, PiecePainter, lay, lay_surface
from app.render.viewport import Viewport
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
SURFACE_SIDE = 4096.0
"""A surface of which no resolution is asked for has so many pixels a map unit, and is at most so
many wide and high."""

BAND_PIXELS = 1_000_000
"""A large picture is stored in bands of so many pixels; larger ones take longer to compress than
the window may wait while it prints."""

BAND_OVERLAP = 2
"""So many rows of pixels of a band lie below the next one."""

EDGE_REACH = 0.5
"""Lines at the edge of the map reach over it by less than this, in map units."""

NO_CELLS = np.empty((0, 2), np.float64)

PAPER_PIXELS = 3.0
"""Pixels of the overview raster on paper, for one on a screen: about 300 an inch."""


def snapshot(
    battlemap: BattleMap, composite: Composite, overlays: Overlays | None = None
) -> tuple[BattleMap, Composite]:
    """Return copies of a map, of its visible layers only the things, and of its composite.

    They can be drawn on another thread. With ``overlays`` for players nothing secret is in them.
    """
    if overlays is not None and overlays.players:
        seen = players_view(battlemap)
        if seen is not battlemap:
            battlemap = seen
            composite = seen.composite()
    locks = (battlemap.locked_cells, battlemap.locked_sides)
    cells, sides = (plane if is_blank(plane) else plane.copy() for plane in locks)
    still = replace(
        battlemap,
        layers=[
            Layer(layer.id, layer.name, things=layer.things.copy())
            for layer in battlemap.layers
            if layer.visible
        ],
        locked_cells=cells,
        locked_sides=sides,
        records=dict(battlemap.records),
    )
    return still, composite.copy()


@dataclass(eq=False)
class VectorMap:
    """One map in one theme, drawn with ``piece_painter``.

    ``ground`` is the colour of what it is drawn on, seen around the map and in its holes.
    """

    battlemap: BattleMap
    composite: Composite
    theme: Theme
    pictures: Pictures
    overlays: Overlays
    piece_painter: PiecePainter
    ground: QColor
    coarse: bool = False
    """As in ``Pieces``."""
    picture_unit: float | None = None
    """So many pixels a map unit has a picture of all the ground, None: it is drawn piece by piece
    (but surfaces are always pictures)."""

    is_titled: bool = False
    """Whether the page has the title of the map, so that its legend has none."""

    def __post_init__(self) -> None:
        know_assets_of(self.battlemap)
        self._overview: OverviewRaster | None = None
        self._picture_map: VectorMap | None = None
        """Draws pictures of the ground, with pieces of their scale."""
        self._style = drawn_style(self.battlemap.system, self.overlays, self.theme)
        self._pictures = self._style.pictures(self.theme, self.pictures)
        if self.coarse:
            self._pictures = PictureImages(self._pictures)
        self._kept_scene: Scene | None = None
        self._legend = legend_of_picture(
            self.battlemap, self.composite, self.overlays, is_titled=self.is_titled
        )
        # How much larger cells are drawn, in map units, so that no gap shows between them.
        unit = self.piece_painter.unit
        self._overlap = OVERLAP_PX / unit if unit else 0.006
        self._starts = listed_cells(self.battlemap, self.composite)

    def steps(
        self, painter: QPainter, area: QRectF, scale: float, cell_scale: float | None = None
    ) -> Generator[None, None, None]:
        """Draw what lies in ``area``, in steps of some milliseconds.

        The units of painter and area are map units. ``scale`` is the level of detail: the hex
        radius in the logical pixels of a screen on which the map would have the same size.
        ``cell_scale`` is that of cells, None for the same: they are many in small pictures.
        """
        painter.setRenderHints(SMOOTH)
        cell_scale = cell_scale or scale
        standing_reach = STANDING_REACH if self._style.landscape else 0.0
        reach = 1 + max(PATCH_REACH, standing_reach) + 2 / cell_scale
        near = area.adjusted(-reach, -reach, reach, reach)
        size = cell_size(self.battlemap.grid, cell_scale)
        scene = self._scene(cell_scale)
        shown = self.overlays
        names = NO_NAMES
        if shown.things and shown.thing_names and shown.map_names:
            names = names_of(self.battlemap, scale, loads_of(self.battlemap))
        taken = names.boxes(scale)
        if self._is_flat(size) and self.piece_painter.unit:
            yield from self._overview_cells(painter, area, cell_scale)
            yield from self._flat_ways(painter, self._in(near)[0], cell_scale)
            cells, at = self._at_map_edges(near)
            yield from self._lay(painter, scene, scene.map_edges(self._part(cells)), at)
        else:
            yield from self._cells(painter, area, near, cell_scale)
        if shown.countries:
            paint_countries(painter, countries_of(self.battlemap), scale)
            yield
        if shown.regions and shown.map_names:
            regions = region_names(self.battlemap, self.composite)
            taken = taken.joined(regions.boxes(scale, names))
            texts = regions.batches(scale, area, self.theme, names)
            yield from self._lay(painter, scene, texts)
        if shown.things:
            loads = loads_of(self.battlemap)
            icons = things.batches(self.battlemap, scale, area, loads)
            yield from self._lay(painter, scene, icons)
            afar = signs_of(self.battlemap, scale)
            yield from self._lay(painter, scene, afar.batches(area))
        if size >= LABELS_FROM or shown.locks:
            cells, at = self._in(near)
            part = replace(self._part(cells), taken=taken)
            for _, batches in scene.cell_overlays(part, size):
                yield from self._lay(painter, scene, batches, at)
        if shown.locks:
            signs = area_locks(self.battlemap).batches(scale, area, self.theme)
            yield from self._lay(painter, scene, signs)
        yield from self._lay(painter, scene, names.batch(scale, area, self.theme))
        if self._legend is not None and self._legend.box.intersects(area):
            self._legend.draw(painter, scene.pieces)
            yield
        if shown.round_edge:
            whole = Viewport(1.0, 0.0, 0.0)
            paint_round_edge(painter, self.battlemap, whole, area, self.theme)
        if shown.rulers:
            yield from self._lay(
                painter, scene, rim_names.batches(self.battlemap, scale, self.theme)
            )
        if size >= LABELS_FROM and shown.entry_sides:
            sides = cell_overlays.entry_sides(self.battlemap, self.theme)
            yield from self._lay(painter, scene, sides)

    def _in(self, box: QRectF) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """Return the cells (n,) whose centres lie in a box, and their centres (n, 2), in map
        units.
        """
        grid = self.battlemap.grid
        cells = grid.cells_in(box.left(), box.top(), box.right(), box.bottom())
        return cells, grid.centres_of(cells)

    def _at_map_edges(self, box: QRectF) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """Return what ``_in`` returns, but without the inner cells of a map that has no holes."""
        grid = self.battlemap.grid
        if grid.mask is not None:
            return self._in(box)
        left, top, right, bottom = grid.bounds
        whole = QRectF(QPointF(left, top), QPointF(right, bottom))
        deep = 2.5
        ends = (
            QRectF(left, top, deep, whole.height()),
            QRectF(right - deep, top, deep, whole.height()),
            QRectF(left, top, whole.width(), deep),
            QRectF(left, bottom - deep, whole.width(), deep),
        )
        near = [self._in(end.intersected(box))[0] for end in ends if end.intersects(box)]
        cells = np.unique(np.concatenate([np.zeros(0, np.intp), *near]))
        return cells, grid.centres_of(cells)

    def _is_flat(self, size: float) -> bool:
        """Return whether cells of a size (``level_of_detail.cell_size``) have one colour each."""
        if self._style.draws_surface(self.battlemap.system, self.theme):
            return False
        return size < sprites_from(self.battlemap)

    def _cells(self, painter: QPainter, area: QRectF, near: QRectF, scale: float) -> Iterator[None]:
        """Yield the ground with all that lies on it; ``near`` has the cells that reach into the
        ``area``.
        """
        cells, at = self._in(near)
        if self._has_picture(painter):
            yield from self._picture(painter, area, near, scale)
            return
        size = cell_size(self.battlemap.grid, scale)
        scene = self._scene(scale)
        part = self._part(cells)
        if self._is_flat(size):
            shown = self._colours().of(self.composite, cells, self._starts).astype(np.int64)
            for colour, places in places_by_value(shown):
                piece = tile(self.battlemap.grid.layout, QColor(colour), 0.02)
                yield from self.piece_painter.put(painter, piece, at[places])
            yield from self._flat_ways(painter, cells, scale)
        else:
            yield from self._lay(painter, scene, scene.ground(part, SINGLE_PASS), at)
            for _name, batches in scene.shades(part):
                yield from self._lay(painter, scene, batches, at)
        yield from self._lay(painter, scene, scene.map_edges(part), at)
        yield from self._lay(painter, scene, scene.hexsides(part, SINGLE_PASS, size), at)

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
        left, top, right, bottom = self.battlemap.grid.bounds
        reach = EDGE_REACH
        edge = QRectF(QPointF(left, top), QPointF(right, bottom))
        area = area.intersected(edge.adjusted(-reach, -reach, reach, reach))
        if area.isEmpty():
            return
        unit = self.picture_unit
        if unit is None:
            unit = min(SURFACE_UNIT, SURFACE_SIDE / max(area.width(), area.height()))
        width = math.ceil(area.width() * unit)
        height = math.ceil(area.height() * unit)
        rows = height if self.picture_unit is None else max(1, BAND_PIXELS // width)
        if self._picture_map is None or self._picture_map.piece_painter.unit != unit:
            self._picture_map = replace(self, piece_painter=PiecePainter(unit))
        beyond = near.bottom() - area.bottom()
        for row in range(0, height, rows):
            # Bands overlap: else viewers show a line between them.
            count = min(rows + BAND_OVERLAP, height - row)
            band_top = area.top() + row / unit
            band = QRectF(area.left(), band_top, width / unit, count / unit)
            image = QImage(width, count, QImage.Format.Format_RGB32)
            image.fill(self.ground)
            with painting(image) as on_image:
                on_image.setRenderHints(SMOOTH)
                on_image.scale(unit, unit)
                on_image.translate(-band.topLeft())
                near_band = band.adjusted(-beyond, -beyond, beyond, beyond)
                yield from self._picture_map._cells(on_image, band, near_band, scale)
            yield from self.piece_painter.put_picture(painter, band, image)

    # --- the scene --------------------------------------------------------------------------

    def _scene(self, scale: float) -> Scene:
        """Return the scene with lines of a pixel at this scale; one is kept."""
        pixel = 1 / scale
        if self._kept_scene is None or self._kept_scene.pieces.pixel != pixel:
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
            self._kept_scene = Scene(pieces)
        return self._kept_scene

    def _part(self, cells: NDArray[np.intp]) -> ScenePart:
        return ScenePart(self.battlemap, self.composite, self.overlays, cells)

    def _lay(
        self,
        painter: QPainter,
        scene: Scene,
        batches: Iterable[AnyBatch],
        at: NDArray[np.float64] = NO_CELLS,
    ) -> Iterator[None]:
        """Draw batches; ``at`` (n, 2) are the centres of the part's cells."""
        for batch in batches:
            if isinstance(batch, SurfaceBatch):
                yield from lay_surface(painter, batch)
            elif not isinstance(batch, Batch):
                yield from lay(painter, self.piece_painter, batch)
            elif len(batch.places):
                cells = at[batch.places]
                yield from self.piece_painter.lay(painter, scene.pieces, batch, cells)

    # --- cells of one colour ----------------------------------------------------------------

    def _colours(self) -> CellColours:
        return CellColours(self.battlemap, SINGLE_PASS, self.theme, self.overlays, None, ways=False)

    def _flat_ways(
        self, painter: QPainter, cells: NDArray[np.intp], scale: float
    ) -> Iterator[None]:
        """Yield the ways of cells of one colour as lines, some of them at each step."""
        layout = self.battlemap.grid.layout
        width = line_width(1 / scale)
        for route in self.battlemap.system.routes_of(self.battlemap.terrain_set):
            plane = self.composite.planes[route.plane]
            if is_blank(plane):
                continue
            values = plane.reshape(-1)[cells]
            places = np.flatnonzero(route.runs(values))
            sides = (values[places] & SIDES).tolist()
            at = self.battlemap.grid.centres_of(cells[places]).tolist()
            colour = self.theme.route_cell_colour(route)
            for index, (x, y) in enumerate(at):
                with saved_state(painter):
                    painter.translate(x, y)
                    draw_way(painter, layout, sides[index], width, colour)
                if index % WAYS_AT_ONCE == 0:
                    yield

    def _overview_cells(self, painter: QPainter, area: QRectF, scale: float) -> Iterator[None]:
        """Yield the overview raster, a strip at each step."""
        if self._overview is None:
            self._overview = OverviewRaster(self.battlemap.grid, self.ground.rgb())
            colours = self._colours()
            self._overview.fill(lambda run: colours.of(self.composite, run, self._starts))
        raster = painter.paintEngine().type() == QPaintEngine.Type.Raster
        if raster:
            unit = self.piece_painter.unit
        else:
            unit = scale * PAPER_PIXELS
        left = area.left() * unit
        top = area.top() * unit
        # On an image its whole pixels; else pixels are counted from the corner of the area.
        start = QPointF(painter.transform().dx(), painter.transform().dy())
        if raster:
            viewport = Viewport(unit, start.x(), start.y())
        else:
            viewport = Viewport(unit, -left, -top)
        first = math.floor(left + viewport.dx), math.floor(top + viewport.dy)
        width = math.ceil(area.width() * unit) + 1
        height = math.ceil(area.height() * unit) + 1
        rows = max(1, STRIP_PIXELS // width)
        for row in range(0, height, rows):
            box = first[0], first[1] + row, width, min(rows, height - row)
            with saved_state(painter):
                if raster:
                    painter.resetTransform()
                else:
                    painter.translate(area.topLeft())
                    painter.scale(1 / unit, 1 / unit)
                self._overview.paint(painter, viewport, 1.0, box)
            yield
