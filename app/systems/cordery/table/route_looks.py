"""What the picture of a route, or of a crossing, in a cell depends on: its *look*.

Cells with the same look share a piece. A table has tens of thousands of cells, so looks are worked
out as arrays of *keys*: one whole number for each cell, with some bits for each part of the look::

    bits of a route's key      0-5    the sides by which it leaves the cell
                               8      routes cross in the cell
                               10-11  the variant of a river's cell, which bends it
                               12-23  a river: the sides and corners that it fills
                               12-17  a road: the sides of the river beside which it forks
                               24-    the parallel code

    bits of a crossing's key   0-1    the kind of crossing
                               2-9    the value of the upper route
                               10     the lower route is a broad river
                               11-16  the sides of the lower route
                               17-22  the sides of the river beside which a road forks
                               23-    the parallel code

``keys`` makes keys, ``of_key`` a look of a key.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.planes.routes import SIDES

Keys = NDArray[np.int64]

_CROSSED_SHIFT = 8
_VARIANT_SHIFT = 10
_VARIANT_MASK = 3
_WATER_SHIFT = 12
_PARALLEL_SHIFT = 24
_BROAD_MASK = (1 << _PARALLEL_SHIFT - _WATER_SHIFT) - 1
"""The bits of a river that fills its cell: at most six sides and six corners."""


class RouteLook(NamedTuple):
    """The look of a route in a cell."""

    sides: int
    """The sides (bits) by which it leaves the cell."""

    is_crossed: bool
    """True where routes cross."""

    variant: int
    """The variant of a river's cell, 0 to 3; 0 for other routes."""

    broad: int
    """The sides and corners (bits) that a river fills; 0 for other routes."""

    river_at_fork: int
    """The two sides (bits) of a river beside which a road forks; 0 for a river."""

    parallel_code: int
    """The cell's code as in ``parallel_routes``, 0 where no side is shared."""

    @staticmethod
    def keys_of_river(
        sides: NDArray[Any],
        is_crossed: NDArray[np.bool_],
        variants: Keys,
        broad: Keys,
        parallel_codes: Keys,
    ) -> Keys:
        """Return the keys of the cells of a river, (n,), from the parts of their looks, (n,)."""
        keys = sides.astype(np.int64) | is_crossed.astype(np.int64) << _CROSSED_SHIFT
        keys |= variants << _VARIANT_SHIFT
        keys |= broad << _WATER_SHIFT
        return keys | parallel_codes << _PARALLEL_SHIFT

    @staticmethod
    def keys_of_road(
        sides: NDArray[Any],
        is_crossed: NDArray[np.bool_],
        rivers_at_forks: Keys,
        parallel_codes: Keys,
    ) -> Keys:
        """Return the keys of the cells of a road or railway, (n,), from the parts of their looks.

        The parts are arrays (n,).
        """
        keys = sides.astype(np.int64) | is_crossed.astype(np.int64) << _CROSSED_SHIFT
        keys |= rivers_at_forks << _WATER_SHIFT
        return keys | parallel_codes << _PARALLEL_SHIFT

    @classmethod
    def of_key(cls, key: int, *, is_river: bool) -> RouteLook:
        """Return the look whose key this is."""
        water = key >> _WATER_SHIFT & _BROAD_MASK
        broad = 0
        river_at_fork = 0
        if is_river:
            broad = water
        else:
            river_at_fork = water & SIDES
        return cls(
            sides=key & SIDES,
            is_crossed=bool(key >> _CROSSED_SHIFT & 1),
            variant=key >> _VARIANT_SHIFT & _VARIANT_MASK,
            broad=broad,
            river_at_fork=river_at_fork,
            parallel_code=key >> _PARALLEL_SHIFT,
        )


class CrossingLook(NamedTuple):
    """The look of a crossing of two routes in a cell."""

    kind: int
    """The number of the kind in ``CrossingSpec.kinds``, from 1."""

    upper_value: int
    """The value of the upper route's plane: its mark and sides."""

    is_broad: bool
    """True where the lower route is a river that fills its cell."""

    lower_sides: int
    """The lower route's sides (bits), 0 where no side is shared and no road forks at a river."""

    river_at_fork: int
    """The two sides (bits) of the river beside which a road forks; 0 where none does."""

    parallel_code: int
    """The cell's code as in ``parallel_routes``, 0 where no side is shared."""

    @staticmethod
    def keys(
        kinds: Keys,
        upper_values: NDArray[Any],
        lower_values: NDArray[Any],
        is_broad: NDArray[np.bool_],
        rivers_at_forks: Keys,
        parallel_codes: Keys,
    ) -> Keys:
        """Return the keys of crossings from the parts of their looks; all arrays are (crossings,).

        ``lower_values`` are those of the lower route's plane.
        """
        keys = kinds | upper_values.astype(np.int64) << 2
        keys |= is_broad.astype(np.int64) << 10
        # Where no side is shared and no road forks at a river, the picture does not depend on the
        # lower sides; without them fewer pieces are made.
        lower_sides = lower_values.astype(np.int64) & SIDES
        depends_on_sides = (parallel_codes > 0) | (rivers_at_forks > 0)
        keys |= np.where(depends_on_sides, lower_sides, 0) << 11
        keys |= rivers_at_forks << 17
        return keys | parallel_codes << 23

    @classmethod
    def of_key(cls, key: int) -> CrossingLook:
        """Return the look whose key this is."""
        return cls(
            kind=key & 3,
            upper_value=key >> 2 & 0xFF,
            is_broad=bool(key >> 10 & 1),
            lower_sides=key >> 11 & SIDES,
            river_at_fork=key >> 17 & SIDES,
            parallel_code=key >> 23,
        )
