"""The mean colours of pictures of terrains, by which cells are drawn that are too small for them.

They stand in a table (``resources/picture_colours.json``), which is drawn from the pictures by
``packaging/draw_picture_colours.py``. Begin with ``mean_colour``.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtGui import QColor

from app.appearance.painting import mixed
from app.render.pictures.own_pictures import own_colour
from app.render.pictures.picture_library import has_own_look, terrain_of_ground
from app.render.theme import Theme
from randomizer.model.basics.caches import KB, registered
from randomizer.model.terrain.terrain import Terrain

# The first paint takes its sprites from a file, and reads no pictures.
if TYPE_CHECKING:
    from app.render.pictures.svg_shapes import Tint

STANDING_SHARE = 0.5
"""Of a picture that stands on the ground of another terrain: its share of the mean colour of both.

The ground has the rest.
"""


class PictureColours(NamedTuple):
    """The row of a picture in the table, both colours as ``#rrggbb``."""

    drawn_for: str
    """The colour of the terrain for which the picture was drawn."""

    mean: str
    """The mean colour of the picture."""


@registered(count=1, bytes_each=20 * KB)
@cache
def _picture_colours() -> dict[str, PictureColours]:
    """Return the table, by the names of pictures."""
    text = files("app.resources").joinpath("picture_colours.json").read_text("ascii")
    return {name: PictureColours(*row) for name, row in json.loads(text).items()}


def colour_of_picture(name: str) -> str:
    """Return the colour of terrain that a picture is made for, as ``#rrggbb``.

    Raises KeyError if there is no picture of this name.
    """
    return _picture_colours()[name].drawn_for


def mean_colour(theme: Theme, terrain: Terrain) -> QColor:
    """Return the mean colour of a terrain's picture; its plain colour if it has none.

    Landscapes are drawn in these colours where cells are small. The first case that fits counts:

    - the theme has no pictures: the plain colour;
    - the picture stands on the ground of another terrain: a mean of both;
    - the terrain has a picture of the user's own: the mean colour of that;
    - it has no picture: the plain colour;
    - it has the picture of its own name: the mean colour of that;
    - it names another picture: its mean colour, changed to the colour of the terrain.
    """
    if not theme.has_pictures:
        return theme.terrain_colour(terrain)
    if terrain.ground and not terrain.asset:
        return _mean_on_ground(theme, terrain)
    own_mean = own_colour(terrain.asset)
    if own_mean is not None:
        return own_mean
    colours = _library_colours(terrain)
    if colours is None:
        return theme.terrain_colour(terrain)
    if not terrain.picture:
        return QColor(colours.mean)
    tint = _tint_to(terrain, QColor(colours.drawn_for))
    return tint.of(QColor(colours.mean))


def _mean_on_ground(theme: Theme, terrain: Terrain) -> QColor:
    """Return the mean colour of a picture that stands on the ground of another terrain.

    Both are seen; the ground alone if the terrain has no picture that could stand on it.
    """
    ground = mean_colour(theme, terrain_of_ground(terrain))
    colours = _library_colours(terrain)
    if colours is None:
        return ground
    return mixed(ground, QColor(colours.mean), STANDING_SHARE)


def _library_colours(terrain: Terrain) -> PictureColours | None:
    """Return the colours of the picture of the library that shows a terrain; None without one."""
    if has_own_look(terrain):
        return None
    return _picture_colours().get(terrain.picture or terrain.name)


def _tint_to(terrain: Terrain, drawn_for: QColor) -> Tint:
    """Return the tint of a picture that was drawn for a colour and shows this terrain."""
    from app.render.pictures.svg_shapes import Tint

    target = QColor(terrain.colour)
    return Tint(
        (drawn_for.red(), drawn_for.green(), drawn_for.blue()),
        (target.red(), target.green(), target.blue()),
    )
