"""The grounds of cells, and the grounds beyond their sides.

A ground is told by its *ground code* (``ground_traits``). Of three cells in a row, of meadow (3),
wood on a meadow (3, too) and sea (0), ``surroundings_of`` gives for the one in the middle::

    grounds           3
    grounds_around    3 beyond the side to the left, 0 beyond that to the right
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.render.scene.landscape.ground_traits import NO_FAMILY, GroundTraits
from app.render.scene.part import ScenePart


class Surroundings(NamedTuple):
    """The grounds of n cells and of those around them.

    Arrays (neighbours, n) have a row for each side of a cell, and of squares, behind these, a row
    for each corner: what lies beyond a corner of a hex lies beyond one of its sides, too.
    """

    grounds: NDArray[np.intp]
    """The ground codes of the cells themselves, (n,)."""

    grounds_around: NDArray[np.intp]
    """The ground codes beyond sides and corners, (neighbours, n); ``NO_GROUND`` for no cell."""

    is_of_same_family: NDArray[np.bool_]
    """True if the ground there fades into that of the cell, or is the same: (neighbours, n).

    Grounds without a family are of none, not even their own.
    """


def surroundings_of(traits: GroundTraits, part: ScenePart) -> Surroundings:
    """Return the grounds of the cells of a part and of those around them."""
    terrains_around = part.terrain_around
    if part.grid.degree == 4:  # squares
        terrains_around = np.concatenate([terrains_around, part.terrain_at_corners])
    grounds = traits.ground_code[part.terrain]
    grounds_around = traits.ground_code[terrains_around]
    families = _families_that_fade(traits, part)
    family = families[grounds]
    is_of_same_family = (families[grounds_around] == family) & (family != NO_FAMILY)
    return Surroundings(grounds, grounds_around, is_of_same_family)


def _families_that_fade(traits: GroundTraits, part: ScenePart) -> NDArray[np.intp]:
    """Return the family of each ground as far as grounds fade in a part, (terrains + 1,).

    On maps with corner heights the land is drawn as a surface: only waters fade.
    """
    if part.system.corner_heights is not None:
        return np.where(traits.is_water, traits.family, NO_FAMILY)
    return traits.family
