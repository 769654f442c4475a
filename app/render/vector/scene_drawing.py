"""Draws the cells of a map from pieces, with one painter of pieces: as shapes or as images.

*Pieces* are small drawings, such as the ground of a cell or a wood on it, that many cells show. A
``Scene`` tells which pieces lie where, in *batches*; a ``PiecePainter`` puts them on paper::

    drawing = SceneDrawing(battlemap, composite, theme, overlays, ShapePiecePainter(), scenes)
    yield from drawing.draw_ground(painter, section)

Methods that draw are generators, which yield after some milliseconds (``VectorMap``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from PySide6.QtGui import QPainter

from app.render.cell_values.opacity_passes import SINGLE_PASS
from app.render.overlay_options import Overlays
from app.render.pictures.ground_images import GroundImages
from app.render.pictures.picture_images import PictureImages
from app.render.pictures.terrain_pictures import Pictures
from app.render.raster.sprites import OVERLAP_PX
from app.render.raster.surface_painter import surface_steps_on_map
from app.render.scene.batch import AnyBatch, Batch, OverlayBatch, SurfaceBatch
from app.render.scene.part import ScenePart
from app.render.scene.pieces import Pieces
from app.render.scene.scene import Scene
from app.render.style import Style
from app.render.theme import Theme
from app.render.vector.overlay_batches import draw_overlay_batch
from app.render.vector.piece_painter import PiecePainter
from app.render.vector.section import Section
from randomizer.model.grid.box import Box
from randomizer.model.grid.cells_in_box import cells_in_box
from randomizer.model.grid.layouts import Layout
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite
from randomizer.model.terrain.terrain import TerrainSet

SHAPE_OVERLAP = 0.006
"""Cells that are drawn as shapes are larger by this, in map units.

If it is smaller, viewers of a PDF show fine lines of the paper between cells; if it is larger, a
cell covers more of those that were drawn before it.
"""


@dataclass(eq=False)
class Scenes:
    """The scenes of all maps of one layout, terrain set and style: one for each scale.

    A ``Scene`` stores the pieces that it has made, and is not of one map.
    """

    layout: Layout
    """The shape of the cells."""

    terrain_set: TerrainSet
    """The terrains, which have pictures."""

    style: Style
    """The style in which maps are drawn."""

    theme: Theme
    """The colours in which they are drawn."""

    pictures: Pictures
    """The pictures of terrains, before the style has chosen among them."""

    image_unit: float | None
    """The pixels a map unit of the images that pieces are drawn as; None if they are shapes."""

    coarse: bool
    """True if maps are seen from afar: fewer variants of pieces will do."""

    def __post_init__(self) -> None:
        self._pictures = self.style.pictures_in_theme(self.theme, self.pictures)
        """The pictures of the style, drawn from images where that is quicker."""
        if self.coarse:
            # Images of a few sizes do, which are drawn smaller than they are.
            self._pictures = PictureImages(self._pictures)
        elif self.image_unit is not None:
            self._pictures = GroundImages(self._pictures, self.image_unit)
        self._last_scale: float | None = None
        """The scale of ``_last_scene``; None before the first."""
        self._last_scene: Scene | None = None
        """The scene that was asked for last; None before the first."""

    def at_scale(self, scale: float) -> Scene:
        """Return the scene at a scale (``section``).

        The last one is stored. Its pieces take long to make, and all strips of a picture and all
        maps of a tracing are drawn at one scale.
        """
        if self._last_scene is None or self._last_scale != scale:
            pieces = Pieces(
                self.layout,
                self.terrain_set,
                self.style,
                self._pictures,
                self.theme,
                pixel=1 / scale,
                overlap=self._overlap(),
                coarse=self.coarse,
            )
            self._last_scale = scale
            self._last_scene = Scene(pieces)
        return self._last_scene

    def _overlap(self) -> float:
        """Return how much larger cells are drawn, in map units, so that no gap shows."""
        if self.image_unit is None:
            return SHAPE_OVERLAP
        return OVERLAP_PX / self.image_unit


@dataclass(frozen=True, eq=False)
class SceneDrawing:
    """One map whose pieces are drawn by one painter of pieces."""

    battlemap: BattleMap
    """The map."""

    composite: Composite
    """The values that its cells show."""

    theme: Theme
    """The colours of texts."""

    overlays: Overlays
    """The overlays that are shown."""

    piece_painter: PiecePainter
    """Draws pieces, as shapes or as images."""

    scenes: Scenes
    """The scenes that the map is drawn from, with their pieces; maps can share them."""

    def of_map(self, battlemap: BattleMap, composite: Composite) -> SceneDrawing:
        """Return the drawing of another map with the same ``scenes``."""
        return replace(self, battlemap=battlemap, composite=composite)

    def scene_of(self, section: Section) -> Scene:
        """Return the scene that a section shows."""
        return self.scenes.at_scale(section.cell_scale)

    def part_near(self, section: Section) -> ScenePart:
        """Return the part of the scene from which something reaches into a section."""
        near = section.near
        box = Box(near.left(), near.top(), near.right(), near.bottom())
        cells = cells_in_box(self.battlemap.grid, box).cells
        return ScenePart(self.battlemap, self.composite, self.overlays, cells)

    def draw_ground(self, painter: QPainter, section: Section) -> Iterator[None]:
        """Draw cells with all that lies on the ground."""
        scene = self.scene_of(section)
        part = self.part_near(section)
        # From the bottom up: the land, what stands on it, its light and shade.
        yield from self.draw_batches(painter, section, scene.land(part, SINGLE_PASS), part)
        over_land = scene.over_land(part, SINGLE_PASS)
        yield from self.draw_batches(painter, section, over_land, part)
        for _name, shades in scene.shades(part):
            yield from self.draw_batches(painter, section, shades, part)
        yield from self.draw_cell_sides(painter, section, part)

    def draw_cell_sides(
        self, painter: QPainter, section: Section, part: ScenePart
    ) -> Iterator[None]:
        """Draw the edges of the map, and the hexsides of a part unless its cells are small."""
        scene = self.scene_of(section)
        yield from self.draw_batches(painter, section, scene.map_edges(part), part)
        hexsides = scene.hexsides(part, SINGLE_PASS, section.cell_size)
        yield from self.draw_batches(painter, section, hexsides, part)

    def draw_batches(
        self, painter: QPainter, section: Section, batches: Iterable[AnyBatch], part: ScenePart
    ) -> Iterator[None]:
        """Draw the batches of a part of the scene."""
        pieces = self.scene_of(section).pieces
        for batch in batches:
            if isinstance(batch, SurfaceBatch):
                yield from surface_steps_on_map(painter, batch)
            elif not isinstance(batch, Batch):
                yield from draw_overlay_batch(painter, batch, self.piece_painter)
            elif len(batch.rows):
                points = part.centres[batch.rows]
                yield from self.piece_painter.draw_batch(painter, pieces, batch, points)

    def draw_overlay_batches(
        self, painter: QPainter, batches: Iterable[OverlayBatch]
    ) -> Iterator[None]:
        """Draw batches of texts and icons, which have points of their own."""
        for batch in batches:
            yield from draw_overlay_batch(painter, batch, self.piece_painter)
