"""How the pictures of terrains take the colours of the terrains that name them.

A terrain can name the picture of another one, such as "Tree" for blue woods. The picture was drawn
for one colour (``SvgPicture.colour``); its *tint* moves that to the colour of the terrain.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QColor

from randomizer.model.terrain.terrain import Terrain

# The first paint takes its sprites from a file, and reads no pictures.
if TYPE_CHECKING:
    from app.render.pictures.svg_picture import SvgPicture
    from app.render.pictures.svg_shapes import Tint

FEATURE_SHARE = 0.35
"""The share of the way from its own colour to that of the terrain that a feature goes.

With 1 a tree on brown land would be brown.
"""


def ground_tint(terrain: Terrain, picture: SvgPicture) -> Tint | None:
    """Return the tint of a ground, which takes all of the terrain's colour.

    None if its colours stay: the picture is the terrain's own, or has the same colour.
    """
    if not terrain.picture:
        return None
    return _tint(terrain, picture, share=1.0)


def feature_tint(terrain: Terrain, picture: SvgPicture) -> Tint | None:
    """Return the tint of what stands on the ground, which goes some of the way.

    None as for ``ground_tint``, and for a terrain on the ground of another one: there the colour of
    the terrain is that of the ground.
    """
    if not terrain.picture or terrain.ground:
        return None
    return _tint(terrain, picture, FEATURE_SHARE)


def _tint(terrain: Terrain, picture: SvgPicture, share: float) -> Tint | None:
    """Return the tint that moves the picture's colour by ``share`` towards the terrain's."""
    from app.render.pictures.svg_shapes import Tint

    drawn_for = QColor(picture.colour)
    target = QColor(terrain.colour)
    red = drawn_for.red()
    green = drawn_for.green()
    blue = drawn_for.blue()
    tint = Tint(
        (red, green, blue),
        (
            round(red + (target.red() - red) * share),
            round(green + (target.green() - green) * share),
            round(blue + (target.blue() - blue) * share),
        ),
    )
    if tint.target == tint.drawn_for:
        return None
    return tint
