"""Draws a map as shapes and text: for paper, SVG, PDF and images of any size (``app.paper``).

``VectorMap.draw_in_steps``, where reading begins, is a generator that draws a little until each
``yield``, so that a window or a progress bar may go on in between::

    for _step in vector_map.draw_in_steps(painter, area, text_scale=40.0):
        show_progress()

It draws from the bottom up:

- the ground, in one of four ways (``_Ground``): from pieces (``scene_drawing``), as one picture of
  these (``ground_picture``), or as cells of one colour each (``flat_cells``);
- things, names and texts, then what stands around the map (``over_ground``).

A *scale* says in which detail something is drawn, in logical pixels a map unit; a *unit* is the
number of pixels a map unit of an image (``section``).

No QPixmap is used, so that it may run on any thread. On another thread than that of the user
interface it draws the copies that ``snapshot`` makes: the map itself may be edited meanwhile. The
screen is drawn by ``Renderer``.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from enum import Enum, auto

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPaintEngine, QPainter

from app.render.level_of_detail import sprites_from
from app.render.overlay_options import Overlays
from app.render.pictures.own_pictures import register_assets_of
from app.render.pictures.terrain_pictures import Pictures
from app.render.scene.countries import countries_of, paint_countries
from app.render.scene.legend import legend_of_picture
from app.render.scene.part import ScenePart
from app.render.style import drawn_style
from app.render.theme import Theme
from app.render.vector.flat_cells import FlatCells
from app.render.vector.ground_picture import box_of_ground, draw_ground_picture
from app.render.vector.over_ground import draw_surroundings, draw_things_and_texts
from app.render.vector.piece_painter import SMOOTH, ImagePiecePainter, PiecePainter
from app.render.vector.scene_drawing import SceneDrawing
from app.render.vector.scenes import scenes_for
from app.render.vector.section import Section
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite

MAX_SURFACE_UNIT = 24.0
"""The pixels a map unit of the picture of a surface, if it need not be as sharp as images.

A surface is soft, as light on hills is. Files grow with the square of this.
"""

MAX_SURFACE_SIDE = 4096.0
"""The picture of a surface has at most so many pixels a side; a larger map gets a smaller unit.

So it has at most 64 MB in memory, which grow with the square of this.
"""


class _Ground(Enum):
    """A way to draw the ground of a section."""

    RASTER = auto()
    """One colour a cell, as pixels: where cells are too small for more, for a painter of images."""

    POLYGONS = auto()
    """One colour a cell, as polygons: where cells are too small for more, for one of shapes."""

    PIECES = auto()
    """Each cell with all its details, as shapes or as images."""

    PICTURE = auto()
    """The pieces of all cells on one image, which is drawn: on paper, in a PDF or an SVG.

    A map with a *surface* (``SurfaceBatch``), which is worked out pixel by pixel, can be drawn
    there in no other way. For other maps it is a choice: one picture may make the file smaller.
    """


@dataclass(eq=False)
class VectorMap:
    """One map in one theme, drawn with ``piece_painter``.

    To make one registers the pictures that come with the map, for the whole program.
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

    is_one_picture: bool = False
    """True if the ground on paper is one picture, of the unit of ``piece_painter``.

    It can be True with a painter of images only. If it is False each piece is an image or a shape
    of its own.
    """

    is_titled: bool = False
    """True if the page has the title of the map, so that its legend has none."""

    def __post_init__(self) -> None:
        assert not self.is_one_picture or self.piece_painter.image_unit is not None
        register_assets_of(self.battlemap)
        self._style = drawn_style(self.battlemap.system, self.overlays, self.theme)
        """The style of the system, or that of a plan."""
        self._flat_cells = FlatCells(
            self.battlemap, self.composite, self.theme, self.overlays, self.ground
        )
        """Draws cells of one colour each."""
        self._drawing = self._drawing_with(self.piece_painter)
        """Draws pieces, texts and icons where they are to be seen."""
        self._image_drawing: SceneDrawing | None = None
        """Draws pieces on the image of ``_Ground.PICTURE``; None until there was one."""
        self._legend = legend_of_picture(
            self.battlemap, self.composite, self.overlays, is_titled=self.is_titled
        )
        """The legend; None if it is not shown."""

    def _drawing_with(self, piece_painter: PiecePainter) -> SceneDrawing:
        """Return a drawing of the map with a painter of pieces."""
        scenes = scenes_for(
            self.battlemap,
            self._style,
            self.theme,
            self.pictures,
            image_unit=piece_painter.image_unit,
            coarse=self.coarse,
        )
        return SceneDrawing(
            self.battlemap, self.composite, self.theme, self.overlays, piece_painter, scenes
        )

    def of_map(self, battlemap: BattleMap, composite: Composite) -> VectorMap:
        """Return the same drawing of another map, of the same system, layout and terrain set.

        Both share the pieces of the scene, which are not worked out again for each of many maps.
        """
        result = replace(self, battlemap=battlemap, composite=composite)
        result._drawing = self._drawing.of_map(battlemap, composite)
        return result

    def draw_in_steps(
        self, painter: QPainter, area: QRectF, text_scale: float, cell_scale: float | None = None
    ) -> Generator[None, None, None]:
        """Draw what lies in ``area``, in steps of some milliseconds.

        The units of painter and area are map units. ``text_scale`` and ``cell_scale`` are those of
        a ``Section``; None for one scale for both. That of cells is smaller where a picture has so
        many cells that their details would take too long or too much room.

        A caller that stops half-way has to close the generator before the painter ends: painters of
        images may be open at a ``yield``.
        """
        painter.setRenderHints(SMOOTH)
        if cell_scale is None:
            cell_scale = text_scale
        section = Section.of(
            self.battlemap.grid,
            area,
            text_scale,
            cell_scale,
            is_landscape=self._style.landscape,
        )
        yield from self._draw_ground(painter, section)
        if self.overlays.countries:
            paint_countries(painter, countries_of(self.battlemap), text_scale)
            yield
        yield from draw_things_and_texts(painter, self._drawing, section)
        yield from draw_surroundings(painter, self._drawing, section, self._legend)

    # --- the ground -----------------------------------------------------------------------------

    def _draw_ground(self, painter: QPainter, section: Section) -> Iterator[None]:
        """Draw the cells of a section with all that lies on the ground."""
        match self._choose_ground(painter, section):
            case _Ground.RASTER:
                yield from self._draw_raster(painter, section)
            case _Ground.POLYGONS:
                yield from self._draw_polygons(painter, section)
            case _Ground.PIECES:
                yield from self._drawing.draw_ground(painter, section)
            case _Ground.PICTURE:
                yield from self._draw_picture(painter, section)

    def _choose_ground(self, painter: QPainter, section: Section) -> _Ground:
        """Return the way to draw the ground of a section with a painter."""
        has_surface = self._has_surface()
        # A surface has its details in pictures of any size.
        is_flat = not has_surface and section.cell_size < sprites_from(self.battlemap)
        if is_flat and self.piece_painter.image_unit is not None:
            return _Ground.RASTER
        if is_flat:
            return _Ground.POLYGONS
        if (has_surface or self.is_one_picture) and not _is_image(painter):
            return _Ground.PICTURE
        return _Ground.PIECES

    def _has_surface(self) -> bool:
        """Return whether the ground is a surface."""
        return self._style.draws_surface(self.battlemap.system, self.theme)

    def _draw_raster(self, painter: QPainter, section: Section) -> Iterator[None]:
        """Draw cells of one colour each as pixels, with routes and the edges of the map."""
        flat_cells = self._flat_cells
        image_unit = self.piece_painter.image_unit
        assert image_unit is not None, "_Ground.RASTER is for painters of images"
        if _is_image(painter):
            yield from flat_cells.draw_pixels_on_image(painter, section.area, image_unit)
        else:
            yield from flat_cells.draw_pixels_on_paper(painter, section.area, section.cell_scale)
        yield from self._draw_over_flat_cells(painter, section, self._drawing.part_near(section))

    def _draw_polygons(self, painter: QPainter, section: Section) -> Iterator[None]:
        """Draw cells of one colour each as polygons, with routes and the edges of the map."""
        part = self._drawing.part_near(section)
        yield from self._flat_cells.draw_tiles(
            painter, self.piece_painter, part.cells, part.centres
        )
        yield from self._draw_over_flat_cells(painter, section, part)

    def _draw_over_flat_cells(
        self, painter: QPainter, section: Section, part: ScenePart
    ) -> Iterator[None]:
        """Draw what lies on the ground where cells have one colour each."""
        yield from self._flat_cells.draw_routes(painter, part.cells, section.cell_scale)
        yield from self._drawing.draw_cell_sides(painter, section, part)

    def _draw_picture(self, painter: QPainter, section: Section) -> Iterator[None]:
        """Draw the ground of a section as a picture."""
        box = box_of_ground(self.battlemap.grid, section.area)
        if box.isEmpty():
            return
        yield from draw_ground_picture(
            painter,
            self.piece_painter,
            replace(section, area=box),
            self._image_drawing_of(self._unit_of_picture(box)),
            self.ground,
            # The picture of a surface alone is small enough for one step.
            in_bands=self.is_one_picture,
        )

    def _unit_of_picture(self, box: QRectF) -> float:
        """Return the unit of a picture of the ground in a box of map units."""
        image_unit = self.piece_painter.image_unit
        if self.is_one_picture and image_unit is not None:
            return image_unit
        return min(MAX_SURFACE_UNIT, MAX_SURFACE_SIDE / max(box.width(), box.height()))

    def _image_drawing_of(self, unit: float) -> SceneDrawing:
        """Return a drawing for an image of this unit, the same one for all pages of a document."""
        drawing = self._image_drawing
        if drawing is None or drawing.piece_painter.image_unit != unit:
            drawing = self._drawing_with(ImagePiecePainter(unit))
            self._image_drawing = drawing
        return drawing


def _is_image(painter: QPainter) -> bool:
    """Return whether a painter draws on an image, and not on paper, in a PDF or in an SVG."""
    return painter.paintEngine().type() == QPaintEngine.Type.Raster
