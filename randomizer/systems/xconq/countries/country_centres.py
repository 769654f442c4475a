"""The centres of countries on a world, found by the rules of the period.

``find_centres`` looks for one country after the other. For each, some positions are tried by
chance, then all others from the middle of the world outwards; the first one that no rule refuses is
the centre. The rules are those of Xconq's distances, of the first unit's terrain in the centre, and
of enough terrain around it for the units that a country begins with.
"""

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
"""How many positions are tried by chance, before all others are tried from the middle outwards."""

SITE = 0x5863_6F6E_1000_0000
"""The first site of the draws for the centre of the first country.

Each draw has a number of its own, its *site*: draw i has the site SITE + i. Other parts of a world
draw at other sites (see ``settlement`` and ``naming``), so no part changes what another one draws.
"""

SITES = 1 << 40
"""How many sites each country has for its draws: more than it can need."""

HEXES_AT_ONCE = 1 << 20
"""So many hexes of countries are looked at together: more take more memory."""

NEAR = "near"
"""The reason to refuse a position that is near another country."""

FAR = "far"
"""The reason to refuse a position that is far from all other countries."""

CENTRE = "centre"
"""The reason to refuse a position whose own terrain is not that of the first unit."""

FULL = "full"
"""The reason to refuse a position that has too few hexes for all units."""

Reason = str | int
"""Why a position is refused: one of the above, or the unit type that has too few hexes."""


@dataclass(frozen=True)
class NoCentre:
    """The failure to find a centre for a country."""

    country: int
    """The number of the country, from 0."""

    refused: Mapping[Reason, int]
    """How many positions were refused for each reason."""

    @property
    def reasons(self) -> list[Reason]:
        """The reasons, that which refused most positions first; none if the world is too low."""
        return sorted(self.refused, key=lambda reason: -self.refused[reason])

    @property
    def tried(self) -> int:
        """The number of positions that were tried."""
        return sum(self.refused.values())


@dataclass(frozen=True)
class Centres:
    """The centres of countries."""

    positions: tuple[tuple[int, int], ...]
    """The centre (x, y) of each country, in order."""

    failure: NoCentre | None = None
    """Why there are not more of them; None if all were found."""


def find_centres(
    codes: NDArray[np.uint8], rules: CountryRules, count: int, key: DrawKey
) -> Centres:
    """Find the centres of ``count`` countries on a world with these terrain types, (h, w).

    The first centres are the same for any number of countries.
    """
    centres: list[tuple[int, int]] = []
    for country in range(count):
        search = _Search(codes, rules, tuple(centres), key, country)
        centre = search.find()
        if centre is None:
            return Centres(tuple(centres), NoCentre(country, dict(search.refused)))
        centres.append(centre)
    return Centres(tuple(centres))


class _Search:
    """The search for the centre of one country."""

    def __init__(
        self,
        codes: NDArray[np.uint8],
        rules: CountryRules,
        earlier_centres: tuple[tuple[int, int], ...],
        key: DrawKey,
        country: int,
    ) -> None:
        self._codes = codes
        self._rules = rules
        self._earlier_centres = earlier_centres
        self._draws = KeyedDraws(key, SITE + country * SITES)
        self._disc = disc(rules.size)
        self.refused: Counter[Reason] = Counter()
        """How many positions were refused for each reason so far."""

    def find(self) -> tuple[int, int] | None:
        """Return the centre (x, y), None if no position is good."""
        height, width = self._codes.shape
        # The rows that Xconq tries; without a radius not the edge rows, where no unit can stand.
        lowest = max(1, self._rules.size)
        highest = height - max(0, self._rules.size) - 2
        if highest < lowest:
            return None
        x = self._draws.many_below(width, TRIES)
        y = lowest + self._draws.many_below(highest - lowest + 1, TRIES)
        centre = self._first_good(x, y)
        if centre is None:
            centre = self._first_good(*self._outwards(lowest, highest))
        return centre

    def _outwards(self, lowest: int, highest: int) -> tuple[Ints, Ints]:
        """Return x and y of the hexes between two rows, in rings around the middle of the world.

        Those that are surely too far from all earlier centres are refused here.
        """
        height, width = self._codes.shape
        is_candidate = self._near_earlier()
        is_candidate[:lowest] = False
        is_candidate[highest + 1 :] = False
        y, x = np.nonzero(is_candidate)
        far_count = (highest + 1 - lowest) * width - len(x)
        if far_count:
            self.refused[FAR] += far_count
        order = np.argsort(distances(width, x, y, width // 2, height // 2), kind="stable")
        return x[order], y[order]

    def _near_earlier(self) -> NDArray[np.bool_]:
        """Return the hexes (h, w) in boxes around earlier centres; all if there are none."""
        height, width = self._codes.shape
        reach = self._rules.most_distance
        if not self._earlier_centres or 2 * reach >= width:
            return np.ones((height, width), np.bool_)
        near = np.zeros((height, width), np.bool_)
        for x, y in self._earlier_centres:
            columns = np.arange(x - reach, x + reach + 1) % width
            near[max(0, y - reach) : y + reach + 1, columns] = True
        return near

    def _first_good(self, x: Ints, y: Ints) -> tuple[int, int] | None:
        """Return the first of the hexes that can be a centre; None if none can.

        The cheap rules are looked at for all hexes, the terrain around them only for the rest, and
        in groups, so that the search can end early.
        """
        is_good = self._well_apart(x, y)
        first_unit = self._rules.first_unit
        if first_unit is not None:
            chances = self._rules.favored[first_unit][self._codes[y, x]]
            passes = self._draws.many_below(100, len(x)) < chances
            self._refuse(CENTRE, is_good & ~passes)
            is_good &= passes
        candidates = np.flatnonzero(is_good)
        group_size = max(1, HEXES_AT_ONCE // len(self._disc))
        for start in range(0, len(candidates), group_size):
            group = candidates[start : start + group_size]
            has_room = self._has_room(x[group], y[group])
            if has_room.any():
                chosen = int(group[has_room.argmax()])
                return int(x[chosen]), int(y[chosen])
        return None

    def _refuse(self, reason: Reason, is_refused: NDArray[np.bool_]) -> None:
        """Count the positions that are refused for a reason."""
        count = int(is_refused.sum())
        if count:
            self.refused[reason] += count

    def _well_apart(self, x: Ints, y: Ints) -> NDArray[np.bool_]:
        """Return for each hex whether it is far enough from all earlier centres, and near to one.

        True for all hexes of the first country.
        """
        if not self._earlier_centres:
            return np.ones(len(x), np.bool_)
        width = self._codes.shape[1]
        lengths = np.array([distances(width, x, y, *centre) for centre in self._earlier_centres])
        is_apart = np.asarray((lengths >= self._rules.least_distance).all(axis=0))
        is_near = np.asarray((lengths < self._rules.most_distance).any(axis=0))
        self._refuse(NEAR, ~is_apart)
        self._refuse(FAR, is_apart & ~is_near)
        return is_apart & is_near

    def _has_room(self, x: Ints, y: Ints) -> NDArray[np.bool_]:
        """Return for each centre whether the country around it has terrain for its first units.

        A hex counts for a unit type if a die roll of the type's favor for its terrain passes. Each
        type needs as many hexes as it has units in a country, and all together more than there are
        units. Where only 0 and 100 percent occur nothing is drawn, since it would change nothing.
        """
        rules = self._rules
        hexes_x = (x[:, None] + self._disc[:, 0]) % self._codes.shape[1]
        codes = self._codes[y[:, None] + self._disc[:, 1], hexes_x]
        is_good: NDArray[np.bool_] = np.ones(len(x), np.bool_)
        total = np.zeros(len(x), np.int64)
        for unit in np.flatnonzero(rules.settles).tolist():
            chances = rules.favored[unit][codes]
            drawn = np.zeros(chances.shape, np.int64)
            if ((chances > 0) & (chances < 100)).any():
                drawn = self._draws.many_below(100, chances.size).reshape(chances.shape)
            hex_counts = (drawn < chances).sum(axis=1)
            is_enough = np.asarray(hex_counts >= int(rules.in_country[unit]))
            self._refuse(unit, is_good & ~is_enough)
            is_good &= is_enough
            total += hex_counts
        is_enough = np.asarray(total > int(rules.in_country.sum()))
        self._refuse(FULL, is_good & ~is_enough)
        return np.asarray(is_good & is_enough)
