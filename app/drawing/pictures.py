"""Where the pictures of terrains and hexsides come from: our own, or the user's game."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

if TYPE_CHECKING:
    from randomizer.terrain import Hexside, Terrain

HEX_BOX = QRectF(-1.0, -0.8660254, 2.0, 1.7320508)
"""The box of a terrain picture in map units around the hex's centre."""

SIDE_BOX = QRectF(-0.5, -0.3, 1.0, 0.4)
"""The box of a hexside picture: the edge from (-0.5, 0) to (0.5, 0), its owner at negative y."""


class Pictures(Protocol):
    """Draws terrains and hexsides in map units (the painter is scaled accordingly)."""

    def ground(self, painter: QPainter, terrain: Terrain) -> None:
        """Fill the hexagon of radius 1 around (0, 0)."""
        ...

    def feature(self, painter: QPainter, terrain: Terrain) -> None:
        """Draw what stands on the ground."""
        ...

    def hexside(self, painter: QPainter, hexside: Hexside) -> None:
        """Draw the hexside into ``SIDE_BOX``."""
        ...


@cache
def _renderer(folder: str, name: str) -> QSvgRenderer:
    data = files("app.resources").joinpath(folder, f"{name}.svg").read_bytes()
    return QSvgRenderer(QByteArray(data))


class OwnPictures:
    """Our own pictures, from ``resources/terrain`` and ``resources/hexside``."""

    def ground(self, painter: QPainter, terrain: Terrain) -> None:
        """The ground of the terrain's SVG."""
        self._element(painter, terrain, "ground")

    def feature(self, painter: QPainter, terrain: Terrain) -> None:
        """The feature of the terrain's SVG."""
        self._element(painter, terrain, "feature")

    def _element(self, painter: QPainter, terrain: Terrain, element: str) -> None:
        renderer = _renderer("terrain", terrain.name)
        box = renderer.boundsOnElement(element)
        painter.setClipRect(HEX_BOX.adjusted(-0.03, -0.03, 0.03, 0.03))
        renderer.render(painter, element, box)

    def hexside(self, painter: QPainter, hexside: Hexside) -> None:
        """The hexside's SVG."""
        _renderer("hexside", hexside.name).render(painter, SIDE_BOX)


class GamePictures:
    """The pictures of the user's own game, with ours where the game has none.

    ``images`` maps a terrain's or hexside's name to its picture.
    """

    def __init__(self, images: dict[str, QImage]) -> None:
        self._images = images
        self._own = OwnPictures()

    def ground(self, painter: QPainter, terrain: Terrain) -> None:
        """A plain colour under the game's picture."""
        if terrain.name not in self._images and terrain.name not in ("Plains", "Tower"):
            self._own.ground(painter, terrain)
            return
        painter.fillRect(HEX_BOX.adjusted(-0.03, -0.03, 0.03, 0.03), QColor(terrain.colour))

    def feature(self, painter: QPainter, terrain: Terrain) -> None:
        """The game's picture, scaled to the hexagon."""
        image = self._images.get(terrain.name)
        if image is None:
            self._own.feature(painter, terrain)
            return
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(_within(HEX_BOX, image), image)

    def hexside(self, painter: QPainter, hexside: Hexside) -> None:
        """Ours: in the game's pictures one cannot see which side is the high one."""
        self._own.hexside(painter, hexside)


def _within(box: QRectF, image: QImage) -> QRectF:
    """The largest box of the image's proportions inside ``box``, centred."""
    size = image.size().toSizeF().scaled(box.size(), Qt.AspectRatioMode.KeepAspectRatio)
    inner = QRectF(0, 0, size.width(), size.height())
    inner.moveCenter(box.center())
    return inner
