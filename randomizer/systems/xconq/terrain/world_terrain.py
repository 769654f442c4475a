"""From a period and a relief to terrain: the rectangles of its types, edges and what fits none."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from randomizer.model.basics.caches import KB, registered
from randomizer.model.map.layer import Roll
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.world.classification import Classified, Limits, classify
from randomizer.systems.xconq.world.relief import MOST_ROUGHNESS, Relief, WorldSettings
from randomizer.systems.xconq.world.shared_edges import LIMITS


@registered(bytes_each=10 * KB)
@lru_cache(maxsize=4)
def limits_of(period: Period) -> Limits:
    """Return the rectangles of the period's terrain types."""
    return Limits(*(period.row(word).astype(np.int64) for word in LIMITS))


def classify_terrain(relief: Relief, period: Period, limits: Limits | None = None) -> Classified:
    """Return the terrain of a world of this relief in the period, with other ``limits`` if
    given.
    """
    return classify(
        relief,
        limits_of(period) if limits is None else limits,
        edge=period.named_type("edge-terrain"),
        default=period.named_type("default-terrain"),
    )


def relief_settings(period: Period, roll: Roll, width: int, height: int) -> WorldSettings:
    """Return what the relief of a roll's world follows from, beside seed and number.

    Raises ValueError for a size that no world has.
    """
    words = ("alt-roughness", "wet-roughness")
    rough = (roughness(period, word, roll.settings.get(word)) for word in words)
    return WorldSettings(width, height, *rough)


def roughness(period: Period, word: str, chosen: object) -> int:
    """Return a roughness (0 .. 100): the chosen one, else that of the period."""
    if isinstance(chosen, int):
        value = chosen
    else:
        value = period.number(word)
    return min(max(value, 0), MOST_ROUGHNESS)
