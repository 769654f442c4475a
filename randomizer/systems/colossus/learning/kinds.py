"""The kinds of hexes that a script places: a terrain, or one elevation of it, on every map.

For example: the Bogs of all given maps are one kind, the Plains of elevation 1 another. The learner
begins with ``kinds_of`` the maps and learns a layer of the script (its AREAs) for each kind.

``order_search`` tries which order of layers explains the maps best. It may divide a kind by
elevation. It may also place one kind over another: the script then places a lake, say, and replaces
some of its hexes by an island, which is easier to say than a lake with a hole. ``same_order``
repeats for other maps what it found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.plurals import counted
from randomizer.systems.colossus.learning.hex_masks import Masks, masks_where, size
from randomizer.systems.colossus.rolling.program import ELEVATIONS
from randomizer.systems.colossus.terrain_set import COLOSSUS

PLAINS = 0
"""The code of Plains, of which a blank board is made."""


@dataclass(frozen=True, eq=False)
class Kind:
    """The hexes that a layer of a script fills, on n maps."""

    terrain: int
    """The code of the terrain."""

    by_elevation: Masks
    """(3, n): the hexes of each elevation on each map."""

    upper: Kind | None = None
    """Another kind that is placed over some of these hexes, as an island is over a lake.

    ``by_elevation`` then has the hexes of both; ``visible`` has those that show this kind.
    """

    only_elevation: int | None = None
    """The elevation, if the other elevations of the terrain are another kind."""

    @property
    def elevations(self) -> tuple[int, ...]:
        """The elevations that its hexes have on some map."""
        return tuple(elevation for elevation, masks in enumerate(self.by_elevation) if masks.any())

    @property
    def masks(self) -> Masks:
        """(n,): its hexes of all elevations on each map."""
        masks: Masks = self.by_elevation[0] | self.by_elevation[1] | self.by_elevation[2]
        return masks

    @property
    def hex_count(self) -> int:
        """The number of its hexes on all maps together."""
        return int(size(self.masks).sum())

    @property
    def visible(self) -> Masks:
        """(n,): ``masks`` without the hexes of ``upper``."""
        if self.upper is None:
            return self.masks
        visible: Masks = self.masks & ~self.upper.masks
        return visible

    def at_elevation(self, elevation: int) -> Kind:
        """Return the kind of the hexes of one elevation."""
        assert self.upper is None, "kinds are divided before others are placed over them"
        masks = np.zeros_like(self.by_elevation)
        masks[elevation] = self.by_elevation[elevation]
        return Kind(self.terrain, masks, only_elevation=elevation)

    def without_elevation(self, elevation: int) -> Kind:
        """Return the kind of the hexes of all other elevations."""
        assert self.upper is None, "kinds are divided before others are placed over them"
        masks = self.by_elevation.copy()
        masks[elevation] = 0
        return Kind(self.terrain, masks)


def placed_over(lower: Kind, upper: Kind) -> Kind:
    """Return the kind of the hexes of both, with ``upper`` placed over ``lower``.

    Below the upper hexes the lower kind has the elevation that it has most often.
    """
    hex_counts = [int(size(masks).sum()) for masks in lower.by_elevation]
    elevation = int(np.argmax(hex_counts))
    masks = lower.by_elevation.copy()
    masks[elevation] |= upper.masks
    return Kind(lower.terrain, masks, upper, lower.only_elevation)


def summary_of(kind: Kind) -> str:
    """Return a sentence about the number of hexes of a kind; those of ``kind.upper`` do not count.

    For instance "Bog: on 40 % of the maps 1 to 3 hexes, 1.7 on average."
    """
    hex_counts = size(kind.visible)
    name = COLOSSUS.terrains[kind.terrain].name
    if kind.terrain == PLAINS:
        name = f"{name}, {kind.elevations[0]} high"
    share = "on every map"
    if not hex_counts.all():
        percent = 100 * (hex_counts > 0).mean()
        share = f"on {percent:.0f} % of the maps"
    largest = int(hex_counts.max())
    counts_above_0 = hex_counts[hex_counts > 0]
    smallest = int(counts_above_0.min(initial=largest))
    hexes = counted(largest, "hex", "hexes")
    if smallest < largest:
        hexes = f"{smallest} to {hexes}, {counts_above_0.mean():.1f} on average"
    return f"{name}: {share} {hexes}."


def kinds_of(states: NDArray[np.uint8]) -> list[Kind]:
    """Return the kinds of hexes on maps (n, 27) of states.

    Each terrain is one kind, except Plains. Plains of elevation 0 are no kind, since a board
    consists of them before anything is placed. Plains of elevation 2 and 1 are a kind each.
    """
    kinds = []
    for terrain in range(len(COLOSSUS.terrains)):
        first_state = terrain * ELEVATIONS
        elevations = range(ELEVATIONS - 1)  # the last one stands for those that no board has
        by_elevation = [masks_where(states == first_state + elevation) for elevation in elevations]
        kind = Kind(terrain, np.array(by_elevation))
        if terrain == PLAINS:
            kinds.append(kind.at_elevation(2))
            kinds.append(kind.at_elevation(1))
        else:
            kinds.append(kind)
    return [kind for kind in kinds if kind.masks.any()]


def same_order(order: Sequence[Kind], kinds: Sequence[Kind]) -> list[Kind]:
    """Return ``kinds`` in the order that was found on other maps.

    In ``order`` a terrain can be divided into elevations, or a kind be placed over another one;
    ``kinds``, as ``kinds_of`` returns them, are divided and placed over one another in the same
    way. Kinds that are not in ``order`` come last.
    """
    stock = _KindStock(kinds)
    result = []
    for kind in order:
        lower = stock.take_like(kind)
        upper = None
        if kind.upper is not None:
            upper = stock.take_like(kind.upper)
        if lower is not None and upper is not None:
            result.append(placed_over(lower, upper))
        elif lower is not None:
            result.append(lower)
        elif upper is not None:
            result.append(upper)
    return result + stock.remaining()


class _KindStock:
    """Kinds of which one after the other is taken out, whole or a single elevation."""

    def __init__(self, kinds: Sequence[Kind]) -> None:
        self._undivided = {kind.terrain: kind for kind in kinds if kind.only_elevation is None}
        """By terrain: the hexes of all elevations that were not taken."""
        self._single = {
            (kind.terrain, kind.only_elevation): kind
            for kind in kinds
            if kind.only_elevation is not None
        }
        """By terrain and elevation: kinds of one elevation, as those of Plains are from the start.
        """

    def take_like(self, kind: Kind) -> Kind | None:
        """Take out and return the kind that is on these maps what ``kind`` is on others.

        None if there is none: these maps need not have all terrains and elevations.
        """
        if kind.only_elevation is None:
            return self._undivided.pop(kind.terrain, None)
        return self._take_elevation(kind.terrain, kind.only_elevation)

    def _take_elevation(self, terrain: int, elevation: int) -> Kind | None:
        """Take out and return the hexes of one elevation of a terrain, None if there are none."""
        undivided = self._undivided.get(terrain)
        if undivided is None:
            return self._single.pop((terrain, elevation), None)
        self._undivided[terrain] = undivided.without_elevation(elevation)
        kind = undivided.at_elevation(elevation)
        if not kind.masks.any():
            return None
        return kind

    def remaining(self) -> list[Kind]:
        """Return the kinds that were not taken and have hexes."""
        kinds = [*self._single.values(), *self._undivided.values()]
        return [kind for kind in kinds if kind.masks.any()]
