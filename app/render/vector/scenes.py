"""The scenes of pictures on paper and in files: one for each scale at which cells are drawn.

A ``Scene`` tells which *pieces*, small drawings, lie where on a map, and stores the pieces that it
has made. It is not of one map, so that many maps can be drawn from one::

    scenes = scenes_for(battlemap, style, theme, pictures, image_unit=40.0, coarse=False)
    scene = scenes.at_scale(section.cell_scale)
"""

from __future__ import annotations

from dataclasses import dataclass, field

from app.render.pictures.ground_images import GroundImages
from app.render.pictures.picture_images import PictureImages
from app.render.pictures.terrain_pictures import Pictures
from app.render.raster.sprites import OVERLAP_PX
from app.render.scene.pieces import Pieces
from app.render.scene.scene import Scene
from app.render.style import Style
from app.render.theme import Theme
from randomizer.model.grid.layouts import Layout
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.terrain.terrain import TerrainSet

SHAPE_OVERLAP = 0.006
"""Cells that are drawn as shapes are larger by this, in map units.

If it is smaller, viewers of a PDF show fine lines of the paper between cells; if it is larger, a
cell covers more of those that were drawn before it.
"""


@dataclass(eq=False)
class Scenes:
    """The scenes of all maps of one layout, terrain set and style."""

    layout: Layout
    """The shape of the cells."""

    terrain_set: TerrainSet
    """The terrains, which have pictures."""

    style: Style
    """The style in which maps are drawn."""

    theme: Theme
    """The colours in which they are drawn."""

    pictures: Pictures
    """The pictures of the style."""

    overlap: float
    """How much larger cells are drawn, in map units, so that no gap shows between them."""

    coarse: bool
    """True if maps are seen from afar: fewer variants of pieces will do."""

    _last_scene: Scene | None = field(default=None, init=False)
    """The scene that was asked for last; None before the first."""

    def at_scale(self, scale: float) -> Scene:
        """Return the scene at a scale, in logical pixels a map unit (``Section.cell_scale``).

        The last one is stored. Its pieces take long to make, and all strips of a picture and all
        maps of a tracing are drawn at one scale.
        """
        pixel = 1 / scale
        if self._last_scene is None or self._last_scene.pieces.pixel != pixel:
            pieces = Pieces(
                self.layout,
                self.terrain_set,
                self.style,
                self.pictures,
                self.theme,
                pixel=pixel,
                overlap=self.overlap,
                coarse=self.coarse,
            )
            self._last_scene = Scene(pieces)
        return self._last_scene


def scenes_for(
    battlemap: BattleMap,
    style: Style,
    theme: Theme,
    pictures: Pictures,
    *,
    image_unit: float | None,
    coarse: bool,
) -> Scenes:
    """Return the scenes of a map, and of others of its layout and terrain set.

    Args:
        battlemap: A map to be drawn.
        style: The style in which it is drawn.
        theme: The colours in which it is drawn.
        pictures: The pictures of terrains, before the style has chosen among them.
        image_unit: The pixels a map unit of the images that pieces are drawn as; None if they are
            drawn as shapes.
        coarse: Whether maps are seen from afar: fewer variants of pieces will do, and images of a
            few sizes, which are drawn smaller than they are.
    """
    pictures_of_style = style.pictures_in_theme(theme, pictures)
    if coarse:
        pictures_of_style = PictureImages(pictures_of_style)
    elif image_unit is not None:
        pictures_of_style = GroundImages(pictures_of_style, image_unit)
    overlap = SHAPE_OVERLAP
    if image_unit is not None:
        overlap = OVERLAP_PX / image_unit
    return Scenes(
        battlemap.grid.layout,
        battlemap.terrain_set,
        style,
        theme,
        pictures_of_style,
        overlap=overlap,
        coarse=coarse,
    )
