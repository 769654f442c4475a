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
    from randomizer.geometry.turn import reflection  # not needed for the first paint

    # ``Symmetry.centre`` is in sixths of axial coordinates, which are whole for every centre.
    q, r = np.array(symmetry.centre) / 6
    (qx, qy), (rx, ry) = symmetry.layout.basis
    centre = (float(q * qx + r * rx), float(q * qy + r * ry))
    if not symmetry.kind.startswith("mirror"):
        return SymmetryAxis(centre, direction=None)

    # The middle between a point and its mirror image lies on the line. Any point will do that does
    # not lie straight across from the centre: such a one has the centre itself as its middle.
    mirror = reflection(symmetry.layout, int(symmetry.kind.removeprefix("mirror")))
    point = (1.0, 0.3)
    along_line = np.add(mirror.point(*point), point)
    x, y = (along_line / np.hypot(*along_line)).tolist()
    return SymmetryAxis(centre, (x, y))
