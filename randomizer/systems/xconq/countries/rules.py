"""The rules of a period about countries and units at the beginning of a game, as numbers.

A *period* is the rules of a game of Xconq; a *country* is the land of a side in a new world. Arrays
have a number for each unit type (U), or for each unit type and terrain code (U, T)::

    rules = rules_of(period)
    rules.in_country[2]         # 3: a country has three units of type 2
    rules.favored[2, 5]         # 80: the chance in percent that such a unit begins on terrain 5
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.xconq.period.period import Numbers, Period
from randomizer.systems.xconq.units.capacity import Capacity

TERRAIN_CODES = 256
"""The number of codes of terrain types that a map can have: a byte of each hex."""


@dataclass(frozen=True, eq=False)
class CountryRules:
    """The rules of a period about countries, for its U unit types.

    Tables by terrain have T = ``TERRAIN_CODES`` columns, more than the period has terrains, so that
    the codes of any world can be indices of columns.
    """

    size: int
    """The radius of a country in hexes."""

    min_distance: int
    """The least distance of the centres of two countries, in hexes."""

    max_distance: int
    """Each country after the first lies nearer than this, in hexes, to some earlier one."""

    first_unit: int | None
    """The unit type that stands in the centre and belongs to the side, None for none."""

    first_product: int | None
    """The unit type that the first unit begins to make, None for none."""

    in_country: Numbers
    """The number of units of each type in a country, (U,)."""

    density: Numbers
    """The number of units of each type on 10,000 hexes of the world, (U,)."""

    named: Numbers
    """A number above 0 for types whose units have names, (U,)."""

    favored: Numbers
    """The chance in percent that a type may begin on a terrain, (U, T)."""

    capacity: Capacity
    """The room for units in other units, and on a hex."""

    cannot_move_on: Numbers
    """1 where a type that moves elsewhere cannot move on a terrain, else 0: (U, T)."""

    products_lost_on: Numbers
    """The number of products that a type makes elsewhere, but not on a terrain: (U, T)."""

    @property
    def of_country(self) -> Numbers:
        """The number of units of each type that a country begins with, its first included: (U,)."""
        counts = self.in_country.copy()
        if self.first_unit is not None:
            counts[self.first_unit] = max(1, counts[self.first_unit])
        return counts

    @property
    def has_favored_terrain(self) -> NDArray[np.bool_]:
        """True for unit types that have any favored terrain: (U,)."""
        return np.asarray((self.favored > 0).any(axis=1))

    def with_least_distance(self, distance: int) -> CountryRules:
        """Return the same rules with another ``country-min-distance``."""
        return replace(self, min_distance=distance)


def rules_of(period: Period) -> CountryRules:
    """Return the rules of a period; numbers below 0 count as 0.

    With a first unit the least distance is at least 1, so that no two are on one hex.
    """

    def by_terrain(table: NDArray[np.generic]) -> Numbers:
        """Return a table (U, T) with columns of zeros for terrains that the period lacks."""
        wide = np.zeros((len(period.units), TERRAIN_CODES), np.int32)
        wide[:, : table.shape[1]] = table
        return wide

    def row(word: str) -> Numbers:
        """Return the numbers of a word for all unit types, (U,)."""
        return np.maximum(period.row(word), 0)

    first_unit = period.type_number_of("first-unit")
    min_distance = max(0, period.number("country-min-distance"))
    if first_unit is not None:
        min_distance = max(1, min_distance)
    can_move = period.row("speed") > 0
    is_stuck = (period.table("moves") < 0) & can_move[:, None]
    product_counts = (period.table("produce") > 0).sum(axis=1)
    is_barren = period.table("productivity") == 0
    return CountryRules(
        size=max(0, period.number("country-size")),
        min_distance=min_distance,
        max_distance=max(0, period.number("country-max-distance")),
        first_unit=first_unit,
        first_product=period.type_number_of("first-product"),
        in_country=row("in-country"),
        density=row("density"),
        named=row("named"),
        favored=by_terrain(np.maximum(period.table("favored"), 0)),
        capacity=Capacity(period),
        cannot_move_on=by_terrain(is_stuck),
        products_lost_on=by_terrain(np.where(is_barren, product_counts[:, None], 0)),
    )
