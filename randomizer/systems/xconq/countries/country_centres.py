"""Where the centres of countries lie."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from randomizer.generator import DrawKey
from randomizer.systems.xconq.countries.rules import CountryRules
from randomizer.systems.xconq.world.hexes import Ints, disc, distances
from randomizer.systems.xconq.world.random_numbers import KeyedDraws

TRIES = 200
"""How many places are tried by chance, before all others are tried from the middle outwards."""

SITE = 0x5863_6F6E_1000_0000
"""The first site of the draws for the place of the first country."""
SITES = 1 << 40
"""How many sites of draws each country has."""

AT_ONCE = 1 << 20
"""So many hexes of countries are looked at together."""

NEAR = "near"
FAR = "far"
CENTRE = "centre"
FULL = "full"
"""Why a place is refused: near another country, far from all, the terrain of the centre, too few
hexes for all units. A unit type, as a number, is refused where its own hexes are too few."""

Reason = str | int


@dataclass(frozen=True)
class NoPlace:
    """No place for country ``country`` (from 0): how many places were refused for which reason."""

    country: int
    refused: Mapping[Reason, int]

    @property
    def reasons(self) -> list[Reason]:
        """The reasons, that which refused most places first; none if the world is too low."""
        return sorted(self.refused, key=lambda reason: -self.refused[reason])

    @property
    def tried(self) -> int:
        """The number of places that were tried."""
        return sum(self.refused.values())


@dataclass(frozen=True)
class Places:
    """The centres (x, y) of countries in order, and why there are not more of them."""

    centres: tuple[tuple[int, int], ...]
    failed: NoPlace | None = None


def find_places(codes: NDArray[np.uint8], rules: CountryRules, count: int, key: DrawKey) -> Places:
    """Find places for ``count`` countries on a world with these terrain types, (h, w).

    The first places are the same for any number of countries.
    """
    centres: list[tuple[int, int]] = []
    for country in range(count):
        search = _Search(codes, rules, tuple(centres), key, country)
        centre = search.find()
        if centre is None:
            return Places(tuple(centres), NoPlace(country, dict(search.refused)))
        centres.append(centre)
    return Places(tuple(centres))


class _Search:
    """The search for the place of one country."""

    def __init__(
        self,
        codes: NDArray[np.uint8],
        rules: CountryRules,
        earlier: tuple[tuple[int, int], ...],
        key: DrawKey,
        country: int,
    ) -> None:
        self._codes = codes
        self._rules = rules
        self._earlier = earlier
        self._draws = KeyedDraws(key, SITE + country * SITES)
        self._disc = disc(rules.size)
        self.refused: Counter[Reason] = Counter()

    def find(self) -> tuple[int, int] | None:
        """Return the centre, None if no place is good."""
        height, width = self._codes.shape
        low = max(1, self._rules.size)
        high = height - max(0, self._rules.size) - 2
        if high < low:
            return None
        x = self._draws.many_below(width, TRIES)
        y = low + self._draws.many_below(high - low + 1, TRIES)
        return self._first_good(x, y) or self._first_good(*self._outwards(low, high))

    def _outwards(self, low: int, high: int) -> tuple[Ints, Ints]:
        """Return the hexes from row ``low`` to row ``high``, in rings around the middle of the
        world.

        Without those that are too far from all earlier centres.
        """
        height, width = self._codes.shape
        near = self._near_earlier()
        near[:low] = near[high + 1 :] = False
        y, x = np.nonzero(near)
        left_out = (high + 1 - low) * width - len(x)
        if left_out:
            self.refused[FAR] += left_out
        order = np.argsort(distances(width, x, y, width // 2, height // 2), kind="stable")
        return x[order], y[order]

    def _near_earlier(self) -> NDArray[np.bool_]:
        """Return the hexes (h, w) in boxes around earlier centres; all if there are none."""
        height, width = self._codes.shape
        reach = self._rules.most_distance
        if not self._earlier or 2 * reach >= width:
            return np.ones((height, width), np.bool_)
        near = np.zeros((height, width), np.bool_)
        for x, y in self._earlier:
            columns = np.arange(x - reach, x + reach + 1) % width
            near[max(0, y - reach) : y + reach + 1, columns] = True
        return near

    def _first_good(self, x: Ints, y: Ints) -> tuple[int, int] | None:
        """Return the first of the hexes that can be a centre."""
        good = self._well_apart(x, y)
        first = self._rules.first_unit
        if first is not None:
            chance = self._rules.favored[first][self._codes[y, x]]
            passed = self._draws.many_below(100, len(x)) < chance
            self._refuse(CENTRE, good & ~passed)
            good &= passed
        left = np.flatnonzero(good)
        at_once = max(1, AT_ONCE // len(self._disc))
        for start in range(0, len(left), at_once):
            tried = left[start : start + at_once]
            fits = self._has_room(x[tried], y[tried])
            if fits.any():
                fitting = int(tried[fits.argmax()])
                return int(x[fitting]), int(y[fitting])
        return None

    def _refuse(self, reason: Reason, refused: NDArray[np.bool_]) -> None:
        count = int(refused.sum())
        if count:
            self.refused[reason] += count

    def _well_apart(self, x: Ints, y: Ints) -> NDArray[np.bool_]:
        """Return which hexes are far enough from all earlier centres, and near enough to one of
        them.
        """
        if not self._earlier:
            return np.ones(len(x), np.bool_)
        width = self._codes.shape[1]
        lengths = np.array([distances(width, x, y, *centre) for centre in self._earlier])
        apart = np.asarray((lengths >= self._rules.least_distance).all(axis=0))
        is_near = np.asarray((lengths < self._rules.most_distance).any(axis=0))
        self._refuse(NEAR, ~apart)
        self._refuse(FAR, apart & ~is_near)
        return apart & is_near

    def _has_room(self, x: Ints, y: Ints) -> NDArray[np.bool_]:
        """Return which countries around these centres have terrain for the units that they begin
        with.
        """
        rules = self._rules
        near_x = (x[:, None] + self._disc[:, 0]) % self._codes.shape[1]
        codes = self._codes[y[:, None] + self._disc[:, 1], near_x]
        good: NDArray[np.bool_] = np.ones(len(x), np.bool_)
        total = np.zeros(len(x), np.int64)
        for unit in np.flatnonzero(rules.settles).tolist():
            chance = rules.favored[unit][codes]
            drawn = np.zeros(chance.shape, np.int64)
            if ((chance > 0) & (chance < 100)).any():
                drawn = self._draws.many_below(100, chance.size).reshape(chance.shape)
            hexes = (drawn < chance).sum(axis=1)
            fits = np.asarray(hexes >= int(rules.in_country[unit]))
            self._refuse(unit, good & ~fits)
            good &= fits
            total += hexes
        fits = np.asarray(total > int(rules.in_country.sum()))
        self._refuse(FULL, good & ~fits)
        return np.asarray(good & fits)
