"""What the picture of a route, or of a crossing, in a cell depends on: its *look*.

Cells with the same look share a piece. A table has tens of thousands of cells, so looks are worked
out as arrays of *keys*: one whole number for each cell, with some bits for each part of the look::

    bits of a route's key      0-5    the sides by which it leaves the cell (6, 7 and 9 are free)
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


class _Bits(NamedTuple):
    """Some bits of a key, which hold one part of a look."""

    shift: int
    """The lowest of the bits."""

    size: int
    """The number of the bits; a larger value would run into the next part."""

    def packed(self, values: NDArray[Any]) -> Keys:
        """Return values (n,) moved to these bits, the others being 0."""
        return values.astype(np.int64) << self.shift

    def of(self, key: int) -> int:
        """Return the value that a key has in these bits."""
        return (key >> self.shift) & ((1 << self.size) - 1)


_PARALLEL_CODE_BITS = 24
"""A parallel code has four bits for each of at most six sides."""

# The bits of a route's key. The same ones hold what a river fills and where a road forks.
_SIDES = _Bits(0, 6)
_IS_CROSSED = _Bits(8, 1)
_VARIANT = _Bits(10, 2)
_BROAD = _Bits(12, 12)
_RIVER_AT_FORK = _Bits(12, 6)
_PARALLEL_CODE = _Bits(24, _PARALLEL_CODE_BITS)

# The bits of a crossing's key.
_KIND = _Bits(0, 2)
_UPPER_VALUE = _Bits(2, 8)
_IS_BROAD_BELOW = _Bits(10, 1)
_LOWER_SIDES = _Bits(11, 6)
_RIVER_AT_FORK_ABOVE = _Bits(17, 6)
_PARALLEL_CODE_OF_CROSSING = _Bits(23, _PARALLEL_CODE_BITS)


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
        *,
        sides: NDArray[Any],
        is_crossed: NDArray[np.bool_],
        variants: Keys,
        broad: Keys,
        parallel_codes: Keys,
    ) -> Keys:
        """Return the keys of the cells of a river, (n,), from the parts of their looks, (n,)."""
        keys = _SIDES.packed(sides) | _IS_CROSSED.packed(is_crossed)
        keys |= _VARIANT.packed(variants) | _BROAD.packed(broad)
        return keys | _PARALLEL_CODE.packed(parallel_codes)

    @staticmethod
    def keys_of_road(
        *,
        sides: NDArray[Any],
        is_crossed: NDArray[np.bool_],
        rivers_at_forks: Keys,
        parallel_codes: Keys,
    ) -> Keys:
        """Return the keys of the cells of a road or railway, (n,), from the parts of their looks.

        The parts are arrays (n,).
        """
        keys = _SIDES.packed(sides) | _IS_CROSSED.packed(is_crossed)
        keys |= _RIVER_AT_FORK.packed(rivers_at_forks)
        return keys | _PARALLEL_CODE.packed(parallel_codes)

    @classmethod
    def of_key(cls, key: int, *, is_river: bool) -> RouteLook:
        """Return the look whose key this is; the key does not tell whether it is of a river."""
        broad = 0
        river_at_fork = 0
        if is_river:
            broad = _BROAD.of(key)
        else:
            river_at_fork = _RIVER_AT_FORK.of(key)
        return cls(
            sides=_SIDES.of(key),
            is_crossed=bool(_IS_CROSSED.of(key)),
            variant=_VARIANT.of(key),
            broad=broad,
            river_at_fork=river_at_fork,
            parallel_code=_PARALLEL_CODE.of(key),
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
        *,
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
        keys = _KIND.packed(kinds) | _UPPER_VALUE.packed(upper_values)
        keys |= _IS_BROAD_BELOW.packed(is_broad)
        # Where no side is shared and no road forks at a river, the picture does not depend on the
        # lower sides; without them fewer pieces are made.
        lower_sides = lower_values.astype(np.int64) & SIDES
        depends_on_sides = (parallel_codes > 0) | (rivers_at_forks > 0)
        keys |= _LOWER_SIDES.packed(np.where(depends_on_sides, lower_sides, 0))
        keys |= _RIVER_AT_FORK_ABOVE.packed(rivers_at_forks)
        return keys | _PARALLEL_CODE_OF_CROSSING.packed(parallel_codes)

    @classmethod
    def of_key(cls, key: int) -> CrossingLook:
        """Return the look whose key this is."""
        return cls(
            kind=_KIND.of(key),
            upper_value=_UPPER_VALUE.of(key),
            is_broad=bool(_IS_BROAD_BELOW.of(key)),
            lower_sides=_LOWER_SIDES.of(key),
            river_at_fork=_RIVER_AT_FORK_ABOVE.of(key),
            parallel_code=_PARALLEL_CODE_OF_CROSSING.of(key),
        )
