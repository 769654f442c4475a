"""The mean colours of pictures of terrains, by which cells are drawn that are too small for them.

They stand in a table (``resources/picture_colours.json``), which is drawn from the pictures by
``packaging/draw_picture_colours.py``.
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from importlib.resources import files

from PySide6.QtGui import QColor

from app.appearance.painting import mixed
from app.render.pictures.own_pictures import own_colour
from app.render.pictures.picture_library import ground_of, has_own_look
from app.render.pictures.svg_shapes import Tint
from app.render.theme import Theme
from randomizer.model.basics.caches import KB, registered
from randomizer.model.terrain.terrain import Terrain

STANDING_SHARE = 0.5
"""How much of its mean colour a terrain on the ground of another has from what stands there."""


@registered(count=1, bytes_each=20 * KB)
@cache
def _mean_colours() -> dict[str, tuple[str, str]]:
    """Return for each picture the colour that it is made for, and its mean colour."""
    text = files("app.resources").joinpath("picture_colours.json").read_text("ascii")
    return dict(json.loads(text))


def colour_of_picture(name: str) -> str:
    """Return the colour of terrain that a picture is made for, as ``#rrggbb``.

    Raises KeyError if there is no picture of this name.
    """
    return _mean_colours()[name][0]


def mean_colour(theme: Theme, terrain: Terrain) -> QColor:
    """Return the mean colour of a terrain's picture; its plain colour if it has none.

    In these landscapes are drawn where cells are small.
    """
    if theme.colour_set != "pictures":
        return theme.terrain_colour(terrain)
    if terrain.ground and not terrain.asset:
        # The picture stands on the ground of another terrain: both are seen.
        ground = mean_colour(theme, ground_of(terrain))
        standing = mean_colour(theme, replace(terrain, name=terrain.picture, picture="", ground=""))
        return mixed(ground, standing, STANDING_SHARE)
    own_mean = own_colour(terrain.asset)
    if own_mean is not None:
        return own_mean
    picture_colours = _mean_colours().get(terrain.picture or terrain.name)
    if picture_colours is None or has_own_look(terrain):
        return theme.terrain_colour(terrain)

    drawn_for, mean = (QColor(colour) for colour in picture_colours)
    if not terrain.picture:
        return mean
    # A picture that a terrain names takes the colour of the terrain.
    target = QColor(terrain.colour)
    tint = Tint(
        (drawn_for.red(), drawn_for.green(), drawn_for.blue()),
        (target.red(), target.green(), target.blue()),
    )
    return tint.of(mean)
