"""Draws the cells of a map from *pieces*, small drawings such as a wood, which many cells show.

A ``Scene`` tells which pieces lie where, in *batches*, and a ``PiecePainter`` puts them on paper,
as shapes or as images::

    drawing = SceneDrawing(battlemap, composite, theme, overlays, ShapePiecePainter(), scenes)
    yield from drawing.draw_ground(painter, section)

A ``Section`` is what of the map is drawn, and in which detail. The painter's unit is the map unit.

Methods that draw are generators, which draw a little until each ``yield``: they draw nothing before
they are iterated, and all has been drawn at their end (``VectorMap``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from PySide6.QtGui import QPainter

from app.render.cell_values.opacity_passes import SINGLE_PASS
from app.render.overlay_options import Overlays
from app.render.raster.surface_painter import surface_steps_on_map
from app.render.scene.batch import (
    AnyBatch,
    Batch,
    CoveredBatch,
    IconBatch,
    OverlayBatch,
    SurfaceBatch,
    TextBatch,
)
from app.render.scene.part import ScenePart
from app.render.scene.scene import Scene
from app.render.theme import Theme
from app.render.vector.overlay_batches import draw_overlay_batch
from app.render.vector.piece_painter import PiecePainter
from app.render.vector.scenes import Scenes
from app.render.vector.section import Section
from randomizer.model.grid.box import Box
from randomizer.model.grid.cells_in_box import cells_in_box
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite


@dataclass(frozen=True, eq=False)
class SceneDrawing:
    """One map whose pieces are drawn by one painter of pieces."""

    battlemap: BattleMap

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

    # A picture on paper has all layers in one pass (``SINGLE_PASS``), as if all were opaque. On the
    # canvas a translucent layer has a pass of its own.

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
            match batch:
                case Batch(rows=rows):
                    if len(rows):
                        points = part.centres[rows]
                        yield from self.piece_painter.draw_batch(painter, pieces, batch, points)
                case SurfaceBatch():
                    yield from surface_steps_on_map(painter, batch)
                case TextBatch() | IconBatch() | CoveredBatch():
                    yield from draw_overlay_batch(painter, batch, self.piece_painter)

    def draw_overlay_batches(
        self, painter: QPainter, batches: Iterable[OverlayBatch]
    ) -> Iterator[None]:
        """Draw batches of texts and icons, which have points of their own."""
        for batch in batches:
            yield from draw_overlay_batch(painter, batch, self.piece_painter)
