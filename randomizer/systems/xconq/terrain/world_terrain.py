"""The terrain of a world, from its relief and the words of the period.

Here the words of a period become the arguments of ``classification`` and ``relief``::

    min-alt, max-alt, min-wet, max-wet      the rectangles of terrain types (``Limits``)
    edge-terrain, default-terrain           the types of the edge rows and of gaps
    alt-roughness, wet-roughness            the ``WorldSettings`` of a relief
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from randomizer.model.basics.caches import KB, registered
from randomizer.model.map.layer import Roll
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.world.classification import Classified, Limits, classify
from randomizer.systems.xconq.world.relief import MAX_ROUGHNESS, Relief, WorldSettings
from randomizer.systems.xconq.world.shared_edges import LIMITS


@registered(bytes_each=10 * KB)
@lru_cache(maxsize=4)
def limits_of(period: Period) -> Limits:
    """Return the rectangles of the period's terrain types."""
    return Limits(*(period.row(word).astype(np.int64) for word in LIMITS))


def classify_terrain(relief: Relief, period: Period, limits: Limits | None = None) -> Classified:
    """Return the terrain of a world of this relief in the period.

    ``limits`` take the place of the period's own, for a preview of changed ones; None: its own.
    """
    if limits is None:
        limits = limits_of(period)
    return classify(
        relief,
        limits,
        edge=period.type_number_of("edge-terrain"),
        default=period.type_number_of("default-terrain"),
    )


def relief_settings(period: Period, roll: Roll, width: int, height: int) -> WorldSettings:
    """Return the settings of the relief of a roll's world.

    Raises ValueError for a size that no world has.
    """
    alt_roughness = roughness(period, "alt-roughness", roll.settings.get("alt-roughness"))
    wet_roughness = roughness(period, "wet-roughness", roll.settings.get("wet-roughness"))
    return WorldSettings(width, height, alt_roughness, wet_roughness)


def roughness(period: Period, word: str, chosen: object) -> int:
    """Return a roughness (0 .. 100): the chosen one, or that of the period if none is chosen.

    ``word`` is the word of the period: "alt-roughness" or "wet-roughness".
    """
    if isinstance(chosen, int):
        value = chosen
    else:
        value = period.number(word)
    return min(max(value, 0), MAX_ROUGHNESS)
