"""The mean colours of pictures of terrains, by which cells are drawn that are too small for them.

They stand in a table (``resources/picture_colours.json``), which is drawn from the pictures by
``packaging/draw_picture_colours.py``. Begin with ``mean_colour``.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from PySide6.QtGui import QColor

from app.appearance.painting import mixed
from app.render.pictures.own_pictures import own_colour
from app.render.pictures.picture_library import has_own_look, terrain_of_ground
from app.render.pictures.svg_shapes import Tint
from app.render.theme import Theme
from randomizer.model.basics.caches import KB, registered
from randomizer.model.terrain.terrain import Terrain

STANDING_SHARE = 0.5
"""The share of what stands on the ground of another terrain in the mean colour of both.

The rest is that of the ground.
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

    Landscapes are drawn in these colours where cells are small.
    """
    if theme.colour_set != "pictures":
        return theme.terrain_colour(terrain)
    if terrain.ground and not terrain.asset:
        return _mean_on_ground(theme, terrain)
    own_mean = own_colour(terrain.asset)
    if own_mean is not None:
        return own_mean
    colours = _colours_of_picture_of(terrain)
    if colours is None:
        return theme.terrain_colour(terrain)
    if not terrain.picture:
        return QColor(colours.mean)
    # A picture that a terrain names takes the colour of the terrain.
    return _tint_to(terrain, QColor(colours.drawn_for)).of(QColor(colours.mean))


def _mean_on_ground(theme: Theme, terrain: Terrain) -> QColor:
    """Return the mean colour of a picture that stands on the ground of another terrain.

    Both are seen; the ground alone if the terrain has no picture that could stand on it.
    """
    ground = mean_colour(theme, terrain_of_ground(terrain))
    colours = _colours_of_picture_of(terrain)
    if colours is None:
        return ground
    return mixed(ground, QColor(colours.mean), STANDING_SHARE)


def _colours_of_picture_of(terrain: Terrain) -> PictureColours | None:
    """Return the colours of the picture of the library that shows a terrain; None without one."""
    if has_own_look(terrain):
        return None
    return _picture_colours().get(terrain.picture or terrain.name)


def _tint_to(terrain: Terrain, drawn_for: QColor) -> Tint:
    """Return the tint of a picture that was drawn for a colour and shows this terrain."""
    target = QColor(terrain.colour)
    return Tint(
        (drawn_for.red(), drawn_for.green(), drawn_for.blue()),
        (target.red(), target.green(), target.blue()),
    )
