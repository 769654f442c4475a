"""Chooses looks on our map for what a Worldographer file names freely.

    words_of("ISO/Mountain Snow")              # words by which a terrain gets its picture
    line_name("Great River", "#3f86bd")        # "River", one of ``LINE_KINDS``
    own_colour(terrain)                        # the colour in its code, else that of the terrain
    step_of(heights)                           # 100: the feet of a step of elevation

Authors name their terrains, and tag their lines, as they like. So pictures and kinds of lines are
guessed by words; elevations in feet become whole steps, of which a map can show some twenty.
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
    """A kind of lines, which becomes a hexside (along sides of cells) and a way (through cells)."""

    letter: str
    """The letter of the hexside."""
    style: str
    """The style of the way."""
    colour: str
    """The colour of both, if the line has none."""
    tags: str
    """The words, with blanks between, of which a line of this kind has one in its tags."""


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
"""All kinds of lines by name. A line with words of several kinds is of the first of these."""


def line_name(tags: str, colour: str) -> str:
    """Return the name of the kind of a line, a key of ``LINE_KINDS``.

    ``tags`` are the words of its author, ``colour`` is "#rrggbb", or "" for none. A line without a
    word of any kind is a river if it is blue, else "Line".
    """
    words = words_in(tags)
    for name, kind in LINE_KINDS.items():
        if words & set(kind.tags.split()):
            return name
    if colour:
        red, green, blue = bytes.fromhex(colour.removeprefix("#"))
        if blue > max(red, green):
            return "River"
    return "Line"


def words_of(code: str) -> list[str]:
    """Return the words of a terrain's code by which it gets its picture.

    Some words are left out or added, so that the picture is that of the most important one::

        "Mountain Forest Evergreen"      {"mountain"}             a wooded mountain is a mountain
        "Sea, icy"                       {"ice"}                  icy water is ice
        "Deep Sea"                       {"deep", "sea", "ocean"}
    """
    name = code.partition(" #")[0]  # without the background colour
    words = words_in(name)
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
        return [*sorted(words), "ocean"]
    return sorted(words)


def own_colour(terrain: Terrain) -> str:
    """Return the background colour in the code of a terrain, else the colour of the terrain.

    A blank terrain, which has no picture, has the colour of paper.
    """
    background = re.search(r" (#[0-9a-f]{6})$", terrain.code)
    if background is not None:
        return background[1]
    is_blank = not terrain.picture and {"Blank", "Border"} & set(terrain.code.split())
    if is_blank:
        return PAPER
    return terrain.colour


_MAX_STEPS = 20
"""The most steps of elevation between the lowest and the highest cell."""

_FARTHEST_STEP = 1000
"""The most steps of a cell above or below the sea."""

_EXPONENTS_OF_STEPS = range(1, 8)
"""The exponents of ten in the steps; 5 * 10**7 feet are enough up to ``values.FARTHEST``."""


def step_of(heights: NDArray[np.float64]) -> int:
    """Return the feet of a step of elevation: 10, 20, 50, 100, 200 and so on.

    ``heights`` are in feet, of any shape. The step is the smallest with which the lowest and the
    highest are at most ``_MAX_STEPS`` apart, and neither is beyond ``_FARTHEST_STEP``.
    """
    lowest = float(heights.min())
    highest = float(heights.max())
    for exponent in _EXPONENTS_OF_STEPS:
        for factor in (1, 2, 5):
            step = factor * int(10**exponent)
            has_few_steps = highest - lowest <= _MAX_STEPS * step
            is_near_sea = max(highest, -lowest) <= _FARTHEST_STEP * step
            if has_few_steps and is_near_sea:
                return step
    raise AssertionError("the largest step is enough for FARTHEST")
