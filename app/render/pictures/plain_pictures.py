"""Terrains in the plain colours of a colour set, for print or for colours that all can tell apart.

``plain_pictures`` returns them for a theme whose colour set has no pictures.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPainterPath, QPen

from app.render.pictures.ground_phase import Phase
from app.render.pictures.image_store import ImageStore
from app.render.pictures.svg_picture import SvgPicture
from app.render.pictures.terrain_patterns import Pattern, draw_pattern, ink_on
from app.render.pictures.terrain_pictures import Pictures, fill_outline
from app.render.theme import Theme
from randomizer.model.terrain.terrain import Terrain

FONT_SIZE = 100
"""The pixels of the font of which letters are taken as shapes, before they are made smaller."""

MIN_LETTER = 50
"""Letters smaller than this (pixels of that font) are not enlarged to the size of others."""

LETTER_SIZE = 0.62
"""The width or height of a letter, whichever is larger, in map units."""

LETTER_OPACITY = 215
"""The opacity of letters, of 255."""

LETTER_RIM = 14
"""The width of the rim around letters, in pixels of that font: it keeps the pattern off them."""

PATTERN_SCALE = 1.1
"""Patterns are enlarged by this, so that they reach the edges of the outline."""

PATTERN_OPACITY = 76
"""The opacity of a pattern below a letter, of 255."""

FEATURE_OPACITY = 0.8
"""The opacity of features on plain grounds."""


def plain_pictures(theme: Theme) -> Pictures:
    """Return the pictures that the theme's colour set shows in place of the user's."""
    return PlainPictures(theme, lettered=theme.colour_set == "colour-blind")


class PlainPictures(Pictures):
    """Grounds of one colour from a colour set, with our features or letters on them.

    If they are ``lettered``, every terrain has its letter and one of six patterns instead of a
    feature, so that a dozen of them are mostly told apart without colours: two terrains may happen
    to have the same letter, or the same pattern.
    """

    def __init__(self, theme: Theme, *, lettered: bool) -> None:
        self._theme = theme
        self._lettered = lettered
        self.images = ImageStore()

    def ground(self, painter: QPainter, terrain: Terrain, phase: Phase) -> None:
        colour = self._theme.terrain_colour(terrain)
        painter.setClipRect(phase.box, Qt.ClipOperation.IntersectClip)
        fill_outline(painter, phase, colour)
        if self._lettered:
            painter.scale(PATTERN_SCALE, PATTERN_SCALE)
            # A number that follows from the name alone, so that it is the same on every map.
            number = sum(terrain.name.encode()) % len(Pattern)
            draw_pattern(painter, list(Pattern)[number], ink_on(colour, PATTERN_OPACITY))

    def ground_colour(self, terrain: Terrain) -> QColor:
        return self._theme.terrain_colour(terrain)

    def feature(self, painter: QPainter, terrain: Terrain, variant: int = 0) -> None:
        """Draw our feature, or on ``lettered`` terrains a letter in its place.

        It is the first of the terrain's ``letters``; without them the first two of its name.
        """
        if not self._lettered:
            painter.setOpacity(FEATURE_OPACITY)
            super().feature(painter, terrain, variant)
            return
        text = terrain.letters[:1].upper() or terrain.name[:2]
        path = QPainterPath()
        font = QFont()
        font.setPixelSize(FONT_SIZE)
        font.setBold(True)
        path.addText(0, 0, font, text)
        box = path.boundingRect()
        colour = self._theme.terrain_colour(terrain)
        scale = LETTER_SIZE / max(box.height(), box.width(), MIN_LETTER)
        painter.scale(scale, scale)
        painter.translate(-box.center())
        painter.strokePath(path, QPen(colour, LETTER_RIM))
        painter.fillPath(path, ink_on(colour, LETTER_OPACITY))

    def picture_of_groups(self, terrain: Terrain) -> SvgPicture | None:
        return None

    def recolourable_picture(self, terrain: Terrain) -> SvgPicture | None:
        return None
