"""The pictures, colours, kinds of lines and elevations that we choose for a file.

A file names its terrains and tags its lines as their authors like. ``words_of`` and ``line_name``
guess from that, ``own_colour`` and ``step_of`` decide on colours and on the feet of an elevation.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.terrain.terrain import Terrain
from randomizer.systems.interchange.foreign.texts import words_in

_PLANTS = frozenset(("forest", "evergreen", "deciduous", "jungle", "dead", "palm"))
"""Words of terrains for what grows there."""

PAPER = "#efe9dc"
"""The colour of a blank terrain."""


class LineKind(NamedTuple):
    """A kind of lines, which becomes a hexside and a way."""

    letter: str
    """The letter of the hexside."""
    style: str
    """The style of the way."""
    colour: str
    """The colour of both for a line without one."""
    tags: str
    """The words in the tags of a shape that make its line one of the kind."""


LINE_KINDS = {
    "River": LineKind("r", "water", "#3f86bd", "river stream creek canal water"),
    "Road": LineKind("d", "road", "#8d7a5c", "road highway street"),
    "Trail": LineKind("t", "track", "#8a6d45", "trail path track"),
    "Railway": LineKind("y", "rail", "#4a4540", "rail railway railroad"),
    "Coast": LineKind("c", "track", "#3d6f96", "coast shore"),
    "Border": LineKind("b", "track", "#a8322d", "border boundary"),
    "Wall": LineKind("w", "track", "#6f6a64", "wall fence hedge"),
    "Line": LineKind("l", "track", "#7d5a3c", ""),
}
"""All kinds of lines by their names; of the words of several the first kind counts."""


def line_name(tags: str, colour: str) -> str:
    """Return the kind of a line by its tags; without such tags a blue one is a river."""
    words = words_in(tags)
    for name, kind in LINE_KINDS.items():
        if words & set(kind.tags.split()):
            return name
    red, green, blue = bytes.fromhex(colour[1:] or "000000")
    if blue > max(red, green):
        return "River"
    return "Line"


def words_of(code: str) -> list[str]:
    """Return the words of a terrain's name by which it gets its picture.

    On a mountain what grows does not count; without plants ice and snow count alone.
    """
    words = words_in(code.partition(" #")[0])
    if "mountain" in words:
        words -= _PLANTS
        if words & {"glacier", "icy", "snow"}:
            words |= {"peak"}
    elif "icy" in words and not words & _PLANTS:
        if words & {"water", "sea", "ocean"}:
            words = {"ice"}
        else:
            words = {"snow"}
    if {"sea", "deep"} <= words:
        return [*words, "ocean"]
    return [*words]


def own_colour(terrain: Terrain) -> str:
    """Return the background colour in the code of a terrain, else the colour of the terrain.

    A blank terrain has the colour of paper.
    """
    background = re.search(r" (#[0-9a-f]{6})$", terrain.code)
    if background is not None:
        return background[1]
    is_blank = not terrain.picture and {"Blank", "Border"} & set(terrain.code.split())
    if is_blank:
        return PAPER
    return terrain.colour


_MOST_STEPS = 20
"""The most steps of elevation between the lowest and the highest cell."""

_FARTHEST_STEP = 1000
"""The most steps of a cell above or below the sea."""


def step_of(heights: NDArray[np.float64]) -> int:
    """Return the feet of a step of elevation: 10, 20, 50, 100 and so on.

    It is the smallest one by which the map has at most ``_MOST_STEPS`` steps, none of them beyond
    ``_FARTHEST_STEP``. ``heights`` are in feet, of any shape.
    """
    lowest = float(heights.min())
    highest = float(heights.max())
    # 5 * 10**7 feet is enough for any heights up to ``values.FARTHEST``.
    for power in range(1, 8):
        for factor in (1, 2, 5):
            step = factor * int(10**power)
            is_coarse_enough = highest - lowest <= _MOST_STEPS * step
            if is_coarse_enough and max(highest, -lowest) <= _FARTHEST_STEP * step:
                return step
    raise AssertionError("the largest step is enough for FARTHEST")
