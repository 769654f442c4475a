"""The kinds of hexes that a script places: a terrain, or one elevation of it, on every map."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.plurals import counted
from randomizer.systems.colossus.learning.hex_masks import Masks, masks_where, size
from randomizer.systems.colossus.rolling.program import ELEVATIONS
from randomizer.systems.colossus.terrain_set import COLOSSUS


@dataclass(frozen=True, eq=False)
class Kind:
    """What a layer places: ``terrain``, and in each map its hexes (n) by elevation (3, n).

    ``over`` is another kind that is placed over some of these hexes, which count here too. ``only``
    is the elevation if the terrain's others are another kind.
    """

    terrain: int
    by_elevation: Masks
    over: Kind | None = None
    only: int | None = None

    @property
    def levels(self) -> tuple[int, ...]:
        """The elevations that there are."""
        return tuple(e for e, masks in enumerate(self.by_elevation) if masks.any())

    def single(self, level: int) -> Kind:
        """Return the kind of the hexes of one elevation."""
        masks = np.zeros_like(self.by_elevation)
        masks[level] = self.by_elevation[level]
        return Kind(self.terrain, masks, only=level)

    @property
    def masks(self) -> Masks:
        """Its hexes in each map, (n)."""
        masks: Masks = self.by_elevation[0] | self.by_elevation[1] | self.by_elevation[2]
        return masks


def laid_over(a: Kind, b: Kind) -> Kind:
    """Return the kind of the hexes of ``a`` and ``b``, with ``b`` placed over."""
    level = int(np.argmax([int(size(masks).sum()) for masks in a.by_elevation]))
    masks = a.by_elevation.copy()
    masks[level] |= b.masks
    return Kind(a.terrain, masks, b, a.only)


def summary_of(kind: Kind) -> str:
    """Return a sentence about on how many hexes a kind is; without those of ``kind.over``."""
    hidden = kind.over.masks if kind.over else 0
    sizes = size(kind.masks & ~hidden)
    name = COLOSSUS.terrains[kind.terrain].name
    if kind.terrain == 0:
        height = f", {kind.levels[0]} high"
    else:
        height = ""
    some = sizes[sizes > 0]
    most = int(sizes.max())
    least = int(some.min(initial=most))
    numbers = f"{least} to " if least < most else ""
    if numbers:
        average = f", {some.mean():.1f} on average"
    else:
        average = ""
    if sizes.all():
        share = "on every map"
    else:
        share = f"on {100 * (sizes > 0).mean():.0f} % of the maps"
    return f"{name}{height}: {share} {numbers}{counted(most, 'hex', 'hexes')}{average}."


def kinds_of(states: NDArray[np.uint8]) -> list[Kind]:
    """Return what is placed on maps (n, 27) of states: each terrain, high Plains by elevation."""
    kinds = []
    for terrain in range(len(COLOSSUS.terrains)):
        masks = np.array([masks_where(states == terrain * ELEVATIONS + e) for e in range(3)])
        kind = Kind(terrain, masks)
        kinds += [kind] if terrain else [kind.single(2), kind.single(1)]
    return [kind for kind in kinds if kind.masks.any()]


def same_order(order: Sequence[Kind], kinds: Sequence[Kind]) -> list[Kind]:
    """Return ``kinds`` of all maps in the order found on some; what these lack comes last."""
    left = {(kind.terrain, kind.only): kind for kind in kinds}

    def take(kind: Kind) -> Kind | None:
        whole = left.get((kind.terrain, None))
        if whole is None or kind.only is None:
            return left.pop((kind.terrain, kind.only), None)
        rest = whole.by_elevation.copy()
        rest[kind.only] = 0
        left[kind.terrain, None] = Kind(kind.terrain, rest)
        single = whole.single(kind.only)
        return single if single.masks.any() else None

    result = []
    for kind in order:
        base = take(kind)
        over = take(kind.over) if kind.over else None
        result += [laid_over(base, over)] if base and over else [e for e in (base, over) if e]
    return result + [kind for kind in left.values() if kind.masks.any()]
