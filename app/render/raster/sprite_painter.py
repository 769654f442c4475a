"""Draws the cells of a map that lie in a rectangle, with sprites: pictures drawn once and stored.

So an edit repaints only its surroundings. ``Renderer`` derives from ``SpritePainter`` and adds how
a map is seen from afar. Read ``_paint_cells`` first: it is the order of a frame. ``sprites`` says
for how long pictures are stored.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from app.render.cell_geometry import SIDE_REACH, STANDING_REACH
from app.render.cell_values.opacity_passes import (
    SINGLE_PASS,
    OpacityPass,
    opacity_passes,
    without_unset,
)
from app.render.drawing_faults import picture_part
from app.render.level_of_detail import LABELS_FROM
from app.render.overlay_choices import OverlayChoices
from app.render.overlay_options import Overlays
from app.render.pictures.picture_images import PictureImages
from app.render.pictures.picture_levels import PictureLevels
from app.render.pictures.terrain_pictures import Pictures, draws_own_pictures
from app.render.raster.frame import Frame, ScenePainter
from app.render.raster.label_painter import LabelPainter
from app.render.raster.sprites import Sprites
from app.render.raster.stored_sprites import inputs_of, pack_images, read_images
from app.render.scene.batch import LandBatch
from app.render.scene.edges.hexsides import hexside
from app.render.scene.part import ScenePart
from app.render.scene.relief_light import REACH as PATCH_REACH
from app.render.scene.text_boxes import TextBoxes
from app.render.style import Style, drawn_style
from app.render.theme import Theme
from app.render.viewport import Viewport
from randomizer.model.basics.caches import register_bytes
from randomizer.model.grid.box import Box
from randomizer.model.grid.cells_in_box import cells_in_box
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map_picture import MapPicture, picture_of
from randomizer.model.planes.composite import Composite
from randomizer.model.terrain.terrain import TerrainSet

if TYPE_CHECKING:
    from app.render.raster.heat_painter import HeatOverlay


class View(NamedTuple):
    """The part of a map to draw, and its scale."""

    battlemap: BattleMap
    composite: Composite
    viewport: Viewport
    ratio: float
    """Device pixels to a logical pixel."""
    cell_size: float
    """As ``level_of_detail.cell_size``; with tiles hexsides are seen at any size."""
    has_sprites: bool
    """Whether cells are pictures; else they are pixels of far tiles or of the overview raster."""
    far: bool = False
    """Whether it is shown by tiles, or drawn in them."""
    sprites_for: Viewport | None = None
    """The view for which sprites are kept, where ``viewport`` is that of a kept picture of it."""


class _Look(NamedTuple):
    """All but the terrain set on which sprites depend."""

    layout: str
    """The name of the layout of the grid."""
    style: Style
    scale: float
    """Logical pixels to a map unit, rounded: scales that nearly agree show the same pictures."""
    ratio: float
    """Device pixels to a logical pixel."""
    coarse: bool
    """Whether they are drawn for tiles of a map seen from afar."""


class _SpritesKey(NamedTuple):
    """The terrain set and the look for which a set of sprites was drawn."""

    terrain_set: TerrainSet
    look: _Look


KEPT_BYTES = 4_000_000
"""Sprites of former scales are kept up to this size."""

MOST_BYTES = 45_000_000
"""Sprites of one scale are drawn again for another view once they take more than this."""
register_bytes(f"{__name__}.MOST_BYTES", MOST_BYTES)

KEPT_IMAGE_BYTES = 12_000_000
"""The images of pictures of former terrain sets are kept up to this size.

Those of two kinds of map fit, so that going to and fro between their tabs paints no picture again;
a picture of a ground takes 0.3 MB. With 2 MB a landscape alone drove all others out.
"""
register_bytes(f"{__name__}.KEPT_IMAGE_BYTES", KEPT_IMAGE_BYTES)


class SpritePainter:
    """Draws the cells of maps in one theme, with ``pictures``, on the UI thread."""

    def __init__(self, theme: Theme, pictures: Pictures) -> None:
        self.translucent = False
        """Whether layers have their opacity, as on the canvas; thumbnails show the composite."""
        self.drafted = False
        """Set when a progressive frame was not drawn completely; the caller resets it."""
        self.sprites_file: Path | None = None
        """Where sprites of an earlier session are, as long as these are of use."""
        self.choices = OverlayChoices()
        """What each kind of map is drawn with; ``Renderer.overlays`` are those of one of them."""
        self._overlays = Overlays()
        self._heat: HeatOverlay | None = None
        """The heat map over the cells; None for none."""
        self._picture: PictureLevels | None = None
        """The decoded picture of the shown map; None for none."""
        self._see_through = False
        """Whether cells that no layer sets are left out, so that a picture below them is seen."""
        self.set_theme(theme, pictures)

    def set_theme(self, theme: Theme, pictures: Pictures) -> None:
        """Draw with other colours and pictures."""
        self.theme = theme
        self.pictures = pictures
        self._sprites: dict[_SpritesKey, Sprites] = {}
        """The stored sprites; those used last are at the end."""
        self._images: dict[Style, PictureImages] = {}
        """The images of pictures, which the sprites of all scales are drawn from."""
        self._label_painter = LabelPainter()

    @property
    def sprite_count(self) -> int:
        """The number of sets of sprites: one for each scale and look of maps."""
        return len(self._sprites)

    @property
    def style_count(self) -> int:
        """For how many styles pictures are kept."""
        return len(self._images)

    @property
    def heat(self) -> NDArray[np.float64] | None:
        """The values of cells that are shown as a heat map, as in ``Heat.cells``; None for none."""
        if self._heat is None:
            return None
        return self._heat.heat.cells

    def show_picture(self, levels: PictureLevels | None) -> None:
        """Show the pictures that maps have below or above their grid, if this is the one."""
        self._picture = levels

    def _heat_of(self, battlemap: BattleMap) -> HeatOverlay | None:
        """Return the heat map, if it has the size of this map."""
        if self._heat is None or len(self._heat.ramp_indices) != battlemap.grid.size:
            return None
        return self._heat

    def _picture_of(self, battlemap: BattleMap) -> MapPicture | None:
        """Return the picture of a map, if it is shown and decoded."""
        picture = picture_of(battlemap.records)
        levels = self._picture
        if picture is None or levels is None or picture.asset != levels.digest:
            return None
        if not picture.shown:
            return None
        return picture

    def _paint_picture(self, painter: QPainter, view: View, *, is_above: bool) -> None:
        """Draw the picture of a map if it lies above the terrains, as ``is_above`` says, or below.

        The painter's unit is a device pixel.
        """
        picture = self._picture_of(view.battlemap)
        if picture is not None and picture.over is is_above:
            assert self._picture is not None
            with picture_part(painter, "The picture"):
                self._picture.paint(painter, picture, view.viewport, view.ratio)

    def _passes(self, battlemap: BattleMap) -> tuple[OpacityPass, ...]:
        if self.translucent:
            return opacity_passes(battlemap)
        return SINGLE_PASS

    def _land_passes(self, battlemap: BattleMap) -> tuple[OpacityPass, ...]:
        """Return the passes of the land: over a picture nothing is drawn where no layer sets
        anything.
        """
        passes = self._passes(battlemap)
        if self._see_through:
            return without_unset(battlemap, passes)
        return passes

    # --- sprites --------------------------------------------------------------------------------

    def sprites(
        self,
        battlemap: BattleMap,
        scale: float,
        ratio: float,
        *,
        coarse: bool = False,
        viewport: Viewport | None = None,
    ) -> Sprites:
        """Return the sprites for one scale; those of the last few scales are kept.

        ``viewport`` is the view that they will fill, None if they are for a single cell: what one
        view needs is kept however much it is, or the view would never be complete.
        """
        style = drawn_style(battlemap.system, self._overlays, self.theme)
        look = _Look(battlemap.grid.layout.name, style, round(scale, 3), ratio, coarse)
        key = _SpritesKey(battlemap.terrain_set, look)
        sprites = self._sprites.pop(key, None)
        is_of_other_view = sprites is not None and viewport not in (None, sprites.viewport)
        if sprites is None or (is_of_other_view and sprites.bytes > MOST_BYTES):
            sprites = self._new_sprites(battlemap, look, scale)
        if viewport is not None:
            sprites.viewport = viewport
        # Taken out above and added again: the first are those used longest ago.
        self._sprites[key] = sprites
        self._bound_sprites()
        return sprites

    def _new_sprites(self, battlemap: BattleMap, look: _Look, scale: float) -> Sprites:
        """Return sprites, none of which is drawn but what former ones or a file have of them."""
        terrain_set = battlemap.terrain_set
        sprites = Sprites(
            battlemap.grid.layout,
            terrain_set,
            self.pictures,
            self.theme,
            scale,
            look.ratio,
            style=look.style,
            images=self._images_for(look.style, terrain_set),
            coarse=look.coarse,
        )

        # After an edit of the terrain set most of its terrains are what they were.
        former = next((key for key in self._sprites if key.look == look), None)
        if former is not None and self._sprites[former].bytes <= MOST_BYTES:
            sprites.adopt(self._sprites.pop(former))

        if self.sprites_file is not None and self._draws_own_pictures:
            sprites.atlas.stored = read_images(self.sprites_file, inputs_of(sprites))
        return sprites

    def _images_for(self, style: Style, terrain_set: TerrainSet) -> PictureImages:
        """Return the images of a style, without those of other terrain sets if they are many."""
        images = self._images.get(style)
        if images is None:
            images = PictureImages(style.pictures(self.theme, self.pictures))
            self._images[style] = images
        elif images.bytes > KEPT_IMAGE_BYTES:
            images.keep(terrain_set.terrains)
        return images

    def _bound_sprites(self) -> None:
        """Let go of the sprites used longest ago, if all take too much; the last ones stay."""
        while len(self._sprites) > 1:
            if sum(sprites.bytes for sprites in self._sprites.values()) <= KEPT_BYTES:
                return
            del self._sprites[next(iter(self._sprites))]

    @property
    def _draws_own_pictures(self) -> bool:
        """True if no pictures of a game or of another package are shown."""
        return draws_own_pictures(self.pictures)

    def pack_sprites(self) -> bytes | None:
        """Return the file for the sprites drawn last; None if it would hold what it holds already.

        From now on sprites are drawn, not read.
        """
        self.sprites_file = None
        sprites = next(reversed(self._sprites.values()), None)
        if sprites is None or not self._draws_own_pictures:
            return None
        images = sprites.atlas.images()
        stored = sprites.atlas.stored
        sprites.atlas.stored = {}
        if images.keys() <= stored.keys():
            return None
        return pack_images(inputs_of(sprites), images)

    def forget_former(self) -> None:
        """Let go of the sprites and images of all scales and terrain sets but the last ones."""
        for former in list(self._sprites)[:-1]:
            del self._sprites[former]
        for sprites in self._sprites.values():
            style = sprites.pieces.style
            self._images = {key: images for key, images in self._images.items() if key is style}
            self._images[style].keep(sprites.terrain_set.terrains)

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

    # --- a frame --------------------------------------------------------------------------------

    def _frame(self, painter: QPainter, view: View, dirty: QRectF) -> Frame:
        """Return the cells that may show in ``dirty``, also those that reach in from outside."""
        battlemap = view.battlemap
        viewport = view.viewport
        landscape = drawn_style(battlemap.system, self._overlays, self.theme).landscape

        # What is drawn for a cell reaches beyond its edges, by how much depends on what is shown.
        beyond = SIDE_REACH
        if landscape:
            beyond = max(beyond, STANDING_REACH)
        if self._overlays.shows_relief(battlemap.system):
            beyond = max(beyond, PATCH_REACH)
        reach = (1 + beyond) * viewport.scale + 4
        area = dirty.adjusted(-reach, -reach, reach, reach)
        left, top = viewport.to_map(area.topLeft())
        right, bottom = viewport.to_map(area.bottomRight())
        cells, centres = cells_in_box(battlemap.grid, Box(left, top, right, bottom))

        sprites_viewport = view.sprites_for
        if sprites_viewport is None:
            sprites_viewport = viewport
        sprites = self.sprites(
            battlemap, viewport.scale, view.ratio, coarse=view.far, viewport=sprites_viewport
        )
        return Frame(
            painter,
            battlemap,
            view.composite,
            viewport,
            view.ratio,
            dirty,
            sprites,
            cells,
            centres,
        )

    def _batches(self, frame: Frame, part: ScenePart, size: float) -> Iterator[LandBatch]:
        """Yield all pieces of a frame, for cells of this size."""
        scene = frame.sprites.scene
        passes = self._passes(frame.battlemap)
        return chain(
            scene.land(part, self._land_passes(frame.battlemap)),
            scene.on_land(part, passes),
            *(batches for _name, batches in scene.shades(part)),
            scene.map_edges(part),
            scene.hexsides(part, passes, size),
        )

    def _paint_cells(
        self, painter: QPainter, view: View, dirty: QRectF, progressive: bool
    ) -> Frame:
        """Draw the cells of ``dirty`` with all that lies on them but texts; return the frame.

        The order matters: what is drawn later hides what was drawn before.
        """
        frame = self._frame(painter, view, dirty)
        scene = frame.sprites.scene
        passes = self._passes(view.battlemap)
        scene_painter = ScenePainter(
            frame, self._overlays, self._label_painter, progressive=progressive
        )
        part = scene_painter.part
        paint = scene_painter.paint

        self._paint_picture(painter, view, is_above=False)
        land = scene.land(part, self._land_passes(view.battlemap))
        on_land = scene.on_land(part, passes)
        if self._picture_of(view.battlemap) is None:
            paint(chain(land, on_land))
        else:
            paint(land)
            self._paint_picture(painter, view, is_above=True)
            paint(on_land)
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

    def _paint_cell_overlays(self, frame: Frame, size: float, occupied_boxes: TextBoxes) -> None:
        """Draw texts and icons on cells of a size (``level_of_detail.cell_size``).

        A heat map may hide what is true of this map only. ``occupied_boxes`` are those of
        ``ScenePart``.
        """
        painter = frame.painter
        overlays = self._overlays
        dark_cells = None
        hot = self._heat_of(frame.battlemap)
        if hot is not None:
            dark_cells = hot.dark(frame.cells)
            if hot.heat.alone:
                overlays = replace(overlays, cell_list=False, names=False, elevation=False)

        scene_painter = ScenePainter(
            frame, overlays, self._label_painter, is_dark=dark_cells, occupied_boxes=occupied_boxes
        )
        for name, batches in frame.sprites.scene.cell_overlays(scene_painter.part, size):
            with picture_part(painter, name):
                scene_painter.paint(batches)

        if hot is not None and size >= LABELS_FROM:
            with picture_part(painter, "The heat map"):
                hot.paint_sides(frame)
                scene_painter.paint(hot.texts(frame))
