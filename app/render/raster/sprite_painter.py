"""Draws the cells of a map that lie in a rectangle, with sprites: pictures drawn once and stored.

So a frame copies pixels, and an edit draws only its surroundings again. Read ``paint_cells`` first:
it is the order in which the layers of a picture are drawn. ``GroundPainter`` calls it where cells
are large, and draws maps that are seen from afar otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from app.render.cell_geometry import SIDE_REACH, STANDING_REACH
from app.render.cell_values.opacity_passes import (
    SINGLE_PASS,
    OpacityPass,
    opacity_passes,
    passes_over_picture,
)
from app.render.drawing_faults import picture_part
from app.render.level_of_detail import LABELS_FROM
from app.render.map_view import MapView
from app.render.overlay_options import Overlays
from app.render.pictures.terrain_pictures import Pictures
from app.render.raster.frame import Frame, ScenePainter
from app.render.raster.ground_view import Detail, GroundView
from app.render.raster.label_painter import LabelPainter
from app.render.raster.sprite_sets import SpriteSets
from app.render.raster.sprites import Sprites
from app.render.scene.batch import LandBatch
from app.render.scene.part import ScenePart
from app.render.scene.relief_light import PATCH_REACH
from app.render.scene.text_boxes import TextBoxes
from app.render.style import Style, drawn_style
from app.render.theme import Theme
from app.render.viewport import Viewport
from randomizer.model.grid.box import Box
from randomizer.model.grid.cells_in_box import cells_in_box
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map_picture import MapPicture, picture_of

if TYPE_CHECKING:
    from app.render.pictures.picture_levels import PictureLevels
    from app.render.raster.heat_painter import HeatOverlay

ROUNDING_PX = 4
"""Cells are searched so many logical pixels beyond what they reach.

Sprites are moved to whole pixels, and lines are blended with the pixels beside them. More of them
cost time and show nothing.
"""

CELL_RADIUS = 1
"""How far a cell itself reaches from its centre, in map units."""


class DrawnGround(NamedTuple):
    """The result of a call that drew the ground of a map."""

    frame: Frame | None
    """The cells that were drawn with sprites.

    None if there are no such cells: the ground is an overview or tiles, or could not be drawn.
    """

    is_draft: bool
    """True if something was drawn coarsely, or left out, because there was no time for it.

    Then the ground is to be drawn again after ``Renderer.prepare`` has drawn what is missing.
    """


class SpritePainter:
    """Draws the cells of maps in one theme, with ``pictures``, on the UI thread."""

    def __init__(self, theme: Theme, pictures: Pictures) -> None:
        self.theme = theme
        self.pictures = pictures
        """The pictures of terrains: ours, or those of a game."""
        self.translucent = False
        """True if layers are drawn with their opacity, as on the canvas; else they are opaque."""
        self.sprite_sets = SpriteSets(theme, pictures)
        """The sprites of the last few scales and kinds of map."""
        self.label_painter = LabelPainter()
        """Draws texts and icons; it stores letters in the colours of the theme."""
        self.overlays = Overlays()
        """The overlays that are drawn."""
        self.heat_overlay: HeatOverlay | None = None
        """The heat map over the cells; None for none."""
        self._picture: PictureLevels | None = None
        """The decoded picture that some map has below or above its grid; None for none."""

    def set_theme(self, theme: Theme, pictures: Pictures) -> None:
        """Draw with other colours and pictures from now on."""
        self.theme = theme
        self.pictures = pictures
        self.sprite_sets.set_theme(theme, pictures)
        self.label_painter = LabelPainter()

    def sprites(
        self,
        battlemap: BattleMap,
        scale: float,
        ratio: float,
        *,
        coarse: bool = False,
        viewport: Viewport | None = None,
    ) -> Sprites:
        """Return the sprites of a map at one scale; the options are those of ``SpriteSets``."""
        style = self.style_of(battlemap)
        return self.sprite_sets.sprites(
            battlemap, style, scale, ratio, coarse=coarse, viewport=viewport
        )

    # --- the picture and the heat map of a map --------------------------------------------------

    def heat_overlay_of(self, battlemap: BattleMap) -> HeatOverlay | None:
        """Return the heat map, if it has the size of this map."""
        if self.heat_overlay is None or len(self.heat_overlay.ramp_indices) != battlemap.grid.size:
            return None
        return self.heat_overlay

    def show_picture(self, levels: PictureLevels | None) -> None:
        """Show this picture, decoded, below or above maps that have it; None: no picture."""
        self._picture = levels

    def shown_picture_of(self, battlemap: BattleMap) -> MapPicture | None:
        """Return the picture of a map, if it is shown and decoded."""
        picture = picture_of(battlemap.records)
        levels = self._picture
        if picture is None or levels is None or picture.asset != levels.digest:
            return None
        if not picture.shown:
            return None
        return picture

    def has_picture_below(self, battlemap: BattleMap) -> bool:
        """Return whether a picture below a map is seen where no layer sets anything."""
        picture = self.shown_picture_of(battlemap)
        return picture is not None and not picture.over

    def paint_picture_below(self, painter: QPainter, view: MapView) -> None:
        """Draw the picture of a map if it lies below the terrains; the unit is a device pixel."""
        picture = self.shown_picture_of(view.battlemap)
        if picture is not None and not picture.over:
            self._paint_picture(painter, view, picture)

    def paint_picture_above(self, painter: QPainter, view: MapView) -> None:
        """Draw the picture of a map if it lies above the terrains; the unit is a device pixel."""
        picture = self.shown_picture_of(view.battlemap)
        if picture is not None and picture.over:
            self._paint_picture(painter, view, picture)

    def _paint_picture(self, painter: QPainter, view: MapView, picture: MapPicture) -> None:
        """Draw a picture that ``shown_picture_of`` has returned."""
        assert self._picture is not None
        with picture_part(painter, "The picture"):
            self._picture.paint(painter, picture, view.viewport, view.ratio)

    # --- how a map is drawn ---------------------------------------------------------------------

    def style_of(self, battlemap: BattleMap) -> Style:
        """Return the style in which a map is drawn."""
        return drawn_style(battlemap.system, self.overlays, self.theme)

    def passes(self, battlemap: BattleMap) -> tuple[OpacityPass, ...]:
        """Return the layers that are drawn together, from the bottom up, with their opacity."""
        if self.translucent:
            return opacity_passes(battlemap)
        return SINGLE_PASS

    def _land_passes(self, battlemap: BattleMap) -> tuple[OpacityPass, ...]:
        """Return the passes of the land, which leaves out unset cells over a picture below it."""
        passes = self.passes(battlemap)
        if self.has_picture_below(battlemap):
            return passes_over_picture(battlemap, passes)
        return passes

    # --- a frame --------------------------------------------------------------------------------

    def frame(self, painter: QPainter, view: GroundView, dirty: QRectF) -> Frame:
        """Return the cells that may show in ``dirty``, also those that reach in from outside."""
        battlemap = view.battlemap
        viewport = view.viewport

        # What is drawn for a cell reaches beyond its edges, by how much depends on what is shown.
        beyond = SIDE_REACH
        if self.style_of(battlemap).landscape:
            beyond = max(beyond, STANDING_REACH)
        if self.overlays.shows_relief(battlemap.system):
            beyond = max(beyond, PATCH_REACH)
        reach = (CELL_RADIUS + beyond) * viewport.scale + ROUNDING_PX
        area = dirty.adjusted(-reach, -reach, reach, reach)
        left, top = viewport.to_map(area.topLeft())
        right, bottom = viewport.to_map(area.bottomRight())
        cells, centres = cells_in_box(battlemap.grid, Box(left, top, right, bottom))

        sprites = self.sprites(
            battlemap,
            viewport.scale,
            view.ratio,
            coarse=view.detail is Detail.INSIDE_TILE,
            viewport=view.sprites_viewport,
        )
        return Frame(painter, view, dirty, sprites=sprites, cells=cells, centres=centres)

    def batches(self, frame: Frame, part: ScenePart) -> Iterator[LandBatch]:
        """Yield all pieces of the ground of a frame, from the bottom up.

        They are those that ``paint_cells`` draws with something between them, in the same order.
        """
        view = frame.view
        scene = frame.sprites.scene
        passes = self.passes(view.battlemap)
        return chain(
            scene.land(part, self._land_passes(view.battlemap)),
            scene.over_land(part, passes),
            *(batches for _name, batches in scene.shades(part)),
            scene.map_edges(part),
            scene.hexsides(part, passes, view.cell_size),
        )

    def paint_cells(
        self, painter: QPainter, view: GroundView, dirty: QRectF, *, progressive: bool
    ) -> DrawnGround:
        """Draw the cells of ``dirty`` with all that lies on them but texts.

        The order matters: what is drawn later hides what was drawn before. It is that of
        ``batches``, with the picture of the map and the heat map between them.
        """
        frame = self.frame(painter, view, dirty)
        scene = frame.sprites.scene
        passes = self.passes(view.battlemap)
        scene_painter = ScenePainter(
            frame, self.overlays, self.label_painter, progressive=progressive
        )
        part = scene_painter.part
        paint = scene_painter.paint

        self.paint_picture_below(painter, view)
        land = scene.land(part, self._land_passes(view.battlemap))
        over_land = scene.over_land(part, passes)
        if self.shown_picture_of(view.battlemap) is None:
            paint(chain(land, over_land))  # one call of Qt for both, where they allow it
        else:
            paint(land)
            self.paint_picture_above(painter, view)
            paint(over_land)
        for name, batches in scene.shades(part):
            with picture_part(painter, name):
                paint(batches)

        heat_overlay = self.heat_overlay_of(view.battlemap)
        if heat_overlay is not None:
            with picture_part(painter, "The heat map"):
                heat_overlay.paint_cells(frame)
        paint(scene.map_edges(part))
        if heat_overlay is None or not heat_overlay.heat.alone:
            paint(scene.hexsides(part, passes, view.cell_size))
        return DrawnGround(frame, is_draft=scene_painter.drafted)

    def paint_cell_overlays(self, frame: Frame, occupied_boxes: TextBoxes) -> None:
        """Draw texts and icons on the cells of a frame.

        ``occupied_boxes`` are those of texts that matter more: where one of these stands, the text
        of a cell is left out.
        """
        painter = frame.painter
        view = frame.view
        overlays = self.overlays
        dark_cells = None
        heat_overlay = self.heat_overlay_of(view.battlemap)
        if heat_overlay is not None:
            dark_cells = heat_overlay.dark(frame.cells)
            if heat_overlay.heat.alone:
                # It shows what is true of many maps: what is true of this one only is left out.
                overlays = replace(overlays, cell_list=False, names=False, elevation=False)

        scene_painter = ScenePainter(
            frame, overlays, self.label_painter, is_dark=dark_cells, occupied_boxes=occupied_boxes
        )
        for name, batches in frame.sprites.scene.cell_overlays(scene_painter.part, view.cell_size):
            with picture_part(painter, name):
                scene_painter.paint(batches)

        if heat_overlay is not None and view.cell_size >= LABELS_FROM:
            with picture_part(painter, "The heat map"):
                heat_overlay.paint_sides(frame)
                painter.setOpacity(heat_overlay.text_opacity)  # ``picture_part`` restores it
                scene_painter.paint(heat_overlay.texts(frame))
