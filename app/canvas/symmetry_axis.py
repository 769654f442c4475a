"""The axis of a symmetry, as the canvas draws it: the line of a mirror or the centre of a turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from randomizer.geometry.symmetry import Symmetry


class SymmetryAxis(NamedTuple):
    """The line of a mirror, or the centre of a rotation, as it is drawn."""

    centre: tuple[float, float]
    """The point (x, y) that the symmetry leaves where it is, in map units."""

    direction: tuple[float, float] | None
    """The direction (x, y) of the mirror's line, of length 1; None for a rotation."""


def axis_of(symmetry: Symmetry) -> SymmetryAxis:
    """Return the centre of a symmetry, and the direction of its line if it is a mirror."""
    mirror = symmetry.mirror
    if mirror is None:
        return SymmetryAxis(symmetry.centre_point, direction=None)

    # The middle between a point and its mirror image lies on the line. Any point will do that does
    # not lie straight across from the centre: such a one has the centre itself as its middle.
    point = (1.0, 0.3)
    along_line = np.add(mirror.point(*point), point)
    x, y = (along_line / np.hypot(*along_line)).tolist()
    return SymmetryAxis(symmetry.centre_point, (x, y))
