"""The pictures of the game on the user's disk, for maps of that game.

A terrain whose picture the game has is a plain ground with that picture on it.
"""

from __future__ import annotations

from PySide6.QtGui import QColor, QImage, QPainter

from app.render.pictures.ground_phase import Phase
from app.render.pictures.image_store import ImageStore
from app.render.pictures.own_picture_drawing import fitted_into
from app.render.pictures.svg_picture import SvgPicture
from app.render.pictures.terrain_pictures import HEX_BOX, Pictures, fill_outline
from randomizer.model.terrain.terrain import Terrain

BARE_IN_GAME = ("Plains", "Tower")
"""The terrains that are plain colours in the game, without a picture."""


class GamePictures(Pictures):
    """The pictures of the user's own game, with ours where the game has none.

    ``images`` maps a terrain's name to its picture.
    """

    def __init__(self, images: dict[str, QImage]) -> None:
        self._images = images
        self.images = ImageStore()

    def ground(self, painter: QPainter, terrain: Terrain, phase: Phase) -> None:
        if not self._is_of_game(terrain):
            super().ground(painter, terrain, phase)
            return
        fill_outline(painter, phase, QColor(terrain.colour))

    def _is_of_game(self, terrain: Terrain) -> bool:
        """Return whether a terrain looks as in the game, where some have no picture at all."""
        return terrain.name in self._images or terrain.name in BARE_IN_GAME

    def feature(self, painter: QPainter, terrain: Terrain, variant: int = 0) -> None:
        """Draw the game's picture, scaled to fit into the hexagon."""
        image = self._images.get(terrain.name)
        if image is None:
            super().feature(painter, terrain, variant)
            return
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(fitted_into(HEX_BOX, image), image)

    def picture_of_groups(self, terrain: Terrain) -> SvgPicture | None:
        if terrain.name in self._images:
            return None
        return super().picture_of_groups(terrain)

    def recolourable_picture(self, terrain: Terrain) -> SvgPicture | None:
        if self._is_of_game(terrain):
            return None
        return super().recolourable_picture(terrain)
