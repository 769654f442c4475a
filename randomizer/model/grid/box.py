"""An upright rectangle of the map: the bounds of a grid, or the part of it that is seen."""

from __future__ import annotations

from typing import NamedTuple


class Box(NamedTuple):
    """An upright rectangle in map units; y increases downwards."""

    left: float

    top: float

    right: float

    bottom: float
