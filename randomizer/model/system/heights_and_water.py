"""The subject of ``System`` that tells how heights are displayed, and where units can go.

    battlemap.system.elevation_text(2)           # "elevation 2"
    battlemap.system.water_level(battlemap)      # 1840.0, as planes hold heights; None for no water

The class of a game sets and overrides what is different there (``System``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from randomizer.model.planes.planes import Plane
from randomizer.model.system.height_scale import HeightScale
from randomizer.model.system.system_base import AnyEdit, AnyMap, SystemBase

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PLAIN_HEIGHTS = HeightScale()
"""Heights that are displayed as planes hold them."""


class HeightsAndWater(SystemBase):
    """How heights are told, and where land is under water or too steep for units."""

    height_scale = PLAIN_HEIGHTS
    """The scale in which heights are displayed."""
    steep_rise = 3.0
    """The rise from cell to cell, in units of height, that gets the full light or shade."""
    passability_reach = 0
    """The distance in cells over which heights count for the ``passability`` of a cell.

    0 if the system does not override ``passability``, which is then not to be called.
    """

    def elevation_text(self, elevation: int) -> str:
        """Return an elevation in words."""
        return f"elevation {elevation}"

    def water_level(self, battlemap: AnyMap) -> float | None:
        """Return the height of the water's surface, as planes hold heights."""
        return None

    def set_water(self, battlemap: AnyMap, height: float) -> AnyEdit | None:
        """Return the ``Edit`` that changes ``water_level``; None if it is that height already."""
        return None

    def passability(
        self, battlemap: AnyMap, planes: Mapping[str, Plane], cells: NDArray[np.intp] | slice
    ) -> tuple[Sequence[tuple[str, str]], NDArray[np.intp]]:
        """Return the kinds of ground, and the index of the kind of each of the cells: shape (n,).

        ``cells`` are indices, or the slice of whole rows. A kind is a name, and what it does to
        units: one of ``terrain_check.HINDERS``, or "ships" where only ships pass.
        """
        raise NotImplementedError
