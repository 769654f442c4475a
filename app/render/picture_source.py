"""Where the pictures of terrains come from: our own, or the user's game."""

from __future__ import annotations

import threading
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QByteArray, QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter, QPainterPath, QPen
from PySide6.QtSvg import QSvgRenderer

if TYPE_CHECKING:
    from app.render.theme import Theme
    from randomizer.model.terrain import Terrain, TerrainSet

HEX_BOX = QRectF(-1.0, -0.8660254, 2.0, 1.7320508)
"""The box of a terrain picture in map units around the hex's centre."""

GROUND_BOX = HEX_BOX.adjusted(-0.03, -0.03, 0.03, 0.03)
"""Grounds are larger, so that no gap shows between neighbouring cells."""


LEAST_LETTER = 50
"""Letters smaller than this (pixels of a font of 100) are not enlarged to the size of others."""

VARIED = frozenset(
    {
        "Conifers",
        "Desert",
        "Farmland",
        "Grassland",
        "Hills",
        "Houses",
        "Ice",
        "Jungle",
        "Mist",
        "Mountains",
        "Open sea",
        "Pavement",
        "River",
        "Shallows",
        "Swamp",
        "Void",
        "Woods",
    }
)
"""The pictures that have four features, of which neighbouring cells show different ones."""


def variants_of(terrain: Terrain) -> int:
    """How many features the picture of a terrain has, a power of 2."""
    return 4 if terrain.picture in VARIED else 1


class Pictures(Protocol):
    """Draws terrains; the painter's unit is the map unit."""

    def ground(self, painter: QPainter, terrain: Terrain) -> None:
        """Fill the flat hexagon of radius 1 around (0, 0)."""

    def feature(self, painter: QPainter, terrain: Terrain, variant: int = 0) -> None:
        """Draw what stands on the ground; ``variant`` is below ``variants_of(terrain)``."""


def _renderer(folder: str, name: str) -> QSvgRenderer:
    return _renderer_on(folder, name, threading.get_ident())


@cache
def _renderer_on(folder: str, name: str, _thread: int) -> QSvgRenderer:
    """One renderer a thread, since a ``QSvgRenderer`` must not be used by two at a time."""
    data = files("app.resources").joinpath(folder, f"{name}.svg").read_bytes()
    return QSvgRenderer(QByteArray(data))


@cache
def _drawn(folder: str) -> frozenset[str]:
    """What there are pictures of."""
    found = files("app.resources").joinpath(folder).iterdir()
    return frozenset(each.name.removesuffix(".svg") for each in found)


class OwnPictures:
    """Our own pictures, from ``resources/terrain``.

    A terrain of which there is none is drawn in its colour, and so is the ground of a
    terrain that names a picture: the picture lets the colour through.
    """

    def ground(self, painter: QPainter, terrain: Terrain) -> None:
        """The ground of the terrain's SVG."""
        if terrain.picture or terrain.name not in _drawn("terrain"):
            painter.fillRect(GROUND_BOX, QColor(terrain.colour))
        self._element(painter, terrain, "ground")

    def feature(self, painter: QPainter, terrain: Terrain, variant: int = 0) -> None:
        """A feature of the terrain's SVG."""
        self._element(painter, terrain, f"feature-{variant + 1}" if variant else "feature")

    def _element(self, painter: QPainter, terrain: Terrain, element: str) -> None:
        name = terrain.picture or terrain.name
        if name not in _drawn("terrain"):
            return
        renderer = _renderer("terrain", name)
        if renderer.elementExists(element):
            painter.setClipRect(GROUND_BOX, Qt.ClipOperation.IntersectClip)
            renderer.render(painter, element, renderer.boundsOnElement(element))


class PlainPictures:
    """Grounds of one colour from a colour set, with our features or letters on them.

    ``lettered``: every terrain has its letter and one of six patterns instead of a feature, so that
    a dozen of them are told apart without colours.
    """

    def __init__(self, theme: Theme, *, lettered: bool) -> None:
        self._theme = theme
        self._lettered = lettered
        self._own = OwnPictures()

    def ground(self, painter: QPainter, terrain: Terrain) -> None:
        """The colour, and the pattern."""
        colour = self._theme.terrain_colour(terrain)
        painter.setClipRect(GROUND_BOX, Qt.ClipOperation.IntersectClip)
        painter.fillRect(GROUND_BOX, colour)
        if self._lettered:
            painter.setPen(QPen(_ink_on(colour, 60), 0.05))
            _draw_pattern(painter, sum(terrain.name.encode()) % 6)

    def feature(self, painter: QPainter, terrain: Terrain, variant: int = 0) -> None:
        """The first of the terrain's ``letters``, or our feature."""
        if not self._lettered:
            painter.setOpacity(0.8)
            self._own.feature(painter, terrain, variant)
            return
        text = terrain.letters[:1].upper() or terrain.name[:2]
        path = QPainterPath()
        font = QFont()
        font.setPixelSize(100)
        font.setBold(True)
        path.addText(0, 0, font, text)
        box = path.boundingRect()
        colour = self._theme.terrain_colour(terrain)
        size = 0.62 / max(box.height(), box.width(), LEAST_LETTER)
        painter.scale(size, size)
        painter.translate(-box.center())
        painter.strokePath(path, QPen(colour, 14))
        painter.fillPath(path, _ink_on(colour, 215))


def pictures_in(theme: Theme, pictures: Pictures) -> Pictures:
    """The pictures that the theme's colour set shows in place of ``pictures``."""
    if theme.colour_set == "pictures":
        return pictures
    return PlainPictures(theme, lettered=theme.colour_set == "colour-blind")


def shown_pictures(terrain_set: TerrainSet, theme: Theme, pictures: Pictures) -> Pictures:
    """The pictures that maps of a terrain set show in a theme.

    The features of tables differ in shape: no colour set replaces them by letters.
    """
    return OwnPictures() if terrain_set.contours else pictures_in(theme, pictures)


def _ink_on(colour: QColor, alpha: int) -> QColor:
    """Black or white, whichever is readable on ``colour``."""
    ink = QColor(0, 0, 0) if colour.lightness() > 110 else QColor(255, 255, 255)
    ink.setAlpha(alpha)
    return ink


def _draw_pattern(painter: QPainter, number: int) -> None:
    """One of six patterns: none, horizontal, vertical, rising or falling lines, dots."""
    for i in range(-8, 9):
        at = i * 0.25
        if number == 1:
            painter.drawLine(QLineF(-1.1, at, 1.1, at))
        elif number == 2:
            painter.drawLine(QLineF(at, -1.1, at, 1.1))
        elif number == 3:
            painter.drawLine(QLineF(at - 1, 1, at + 1, -1))
        elif number == 4:
            painter.drawLine(QLineF(at - 1, -1, at + 1, 1))
        elif number == 5:
            for j in range(-4, 5):
                painter.drawEllipse(QPointF(at, j * 0.25 + (i & 1) * 0.125), 0.02, 0.02)


class GamePictures:
    """The pictures of the user's own game, with ours where the game has none.

    ``images`` maps a terrain's name to its picture.
    """

    def __init__(self, images: dict[str, QImage]) -> None:
        self._images = images
        self._own = OwnPictures()

    def ground(self, painter: QPainter, terrain: Terrain) -> None:
        """A plain colour under the game's picture."""
        if terrain.name not in self._images and terrain.name not in ("Plains", "Tower"):
            self._own.ground(painter, terrain)
            return
        painter.fillRect(GROUND_BOX, QColor(terrain.colour))

    def feature(self, painter: QPainter, terrain: Terrain, variant: int = 0) -> None:
        """The game's picture, scaled to fit into the hexagon."""
        image = self._images.get(terrain.name)
        if image is None:
            self._own.feature(painter, terrain, variant)
            return
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(_within(HEX_BOX, image), image)


def _within(box: QRectF, image: QImage) -> QRectF:
    """The largest box of the image's proportions inside ``box``, centred."""
    size = image.size().toSizeF().scaled(box.size(), Qt.AspectRatioMode.KeepAspectRatio)
    inner = QRectF(0, 0, size.width(), size.height())
    inner.moveCenter(box.center())
    return inner
