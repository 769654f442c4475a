"""What a period says of countries and of units at the beginning of a game."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.xconq.period.period import Numbers, Period
from randomizer.systems.xconq.units.capacity import Capacity


@dataclass(frozen=True, eq=False)
class CountryRules:
    """The words of the period as numbers, with U unit types and T = 256 codes of terrain types.

    ``size`` is the radius of a country. ``least_distance`` and ``most_distance`` are between the
    centres of countries. ``first_unit`` and ``first_product`` are unit types, None for none. (U,):
    ``in_country``, ``density`` per 10,000 hexes, ``named``. ``favored`` (U, T) is in percent.
    ``stuck`` (U, T): a unit that can move cannot do so there. ``idle`` (U, T): how many of the
    resources that it produces it does not produce there.
    """

    size: int
    least_distance: int
    most_distance: int
    first_unit: int | None
    first_product: int | None
    in_country: Numbers
    density: Numbers
    named: Numbers
    favored: Numbers
    capacity: Capacity
    stuck: Numbers
    idle: Numbers

    @property
    def of_country(self) -> Numbers:
        """The number of units of each type that a country begins with, its first included: (U,)."""
        counts = self.in_country.copy()
        if self.first_unit is not None:
            counts[self.first_unit] = max(1, counts[self.first_unit])
        return counts

    @property
    def settles(self) -> NDArray[np.bool_]:
        """True if a unit type has any favored terrain: (U,)."""
        return np.asarray((self.favored > 0).any(axis=1))

    def with_least_distance(self, distance: int) -> CountryRules:
        """Return the same rules with another ``country-min-distance``."""
        return replace(self, least_distance=distance)


def rules_of(period: Period) -> CountryRules:
    """Return the rules of a period. Numbers below 0 count as 0; no two first units are on one
    hex.
    """

    def by_terrain(table: NDArray[np.generic]) -> Numbers:
        """Return a table (U, T) with columns of zeros for terrains that the period lacks."""
        wide = np.zeros((len(period.units), 256), np.int32)
        wide[:, : table.shape[1]] = table
        return wide

    def row(word: str) -> Numbers:
        return np.maximum(period.row(word), 0)

    first = period.named_type("first-unit")
    fixed = period.table("moves") < 0
    produced = period.table("produce") > 0
    barren = period.table("productivity") == 0
    return CountryRules(
        max(0, period.number("country-size")),
        max(0 if first is None else 1, period.number("country-min-distance")),
        period.number("country-max-distance"),
        first,
        period.named_type("first-product"),
        row("in-country"),
        row("density"),
        row("named"),
        by_terrain(np.maximum(period.table("favored"), 0)),
        Capacity(period),
        by_terrain(fixed & (period.row("speed") > 0)[:, None]),
        by_terrain(barren * produced.sum(axis=1)[:, None]),
    )
