"""The mean colours of terrain pictures, in which landscapes are drawn where cells are small.

``packaging/draw_picture_colours.py`` makes the table ``resources/picture_colours.json``.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from PySide6.QtGui import QColor

from app.render.svg_picture import Tint

if TYPE_CHECKING:
    from app.render.theme import Theme
    from randomizer.model.terrain import Terrain


@cache
def _table() -> dict[str, tuple[str, str]]:
    """Of each picture the colour that it is made for, and its mean colour."""
    text = files("app.resources").joinpath("picture_colours.json").read_text("ascii")
    return dict(json.loads(text))


def mean_colour(theme: Theme, terrain: Terrain) -> QColor:
    """The mean colour of a terrain's picture; its plain colour if it has none."""
    found = _table().get(terrain.picture or terrain.name)
    if found is None or theme.colour_set != "pictures":
        return theme.terrain_colour(terrain)
    own, mean = (QColor(each) for each in found)
    if not terrain.picture:
        return mean
    shown = QColor(terrain.colour)
    colours = [(each.red(), each.green(), each.blue()) for each in (own, shown)]
    return Tint(*colours).of(mean)
