"""The centres of countries on a new world of Xconq, found by the rules of its period.

``find_centres`` looks for one country after the other. For each it tries ``TRIES`` positions by
chance, then all others from the middle of the world outwards. The first position that no rule
refuses becomes the centre. The rules, cheap ones first:

- The centre is neither too near to an earlier centre nor too far from all of them.
- If the period names a first unit, it can stand on the terrain of the centre.
- The disc around the centre has enough terrain for the units that a country begins with.

How often each rule refused a position is counted, so that ``placement_advice`` can tell the user
why a world has no room. Arrays ``x`` and ``y`` are columns and rows of hexes, shape (n,).
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
"""The most hexes, of the discs of all candidates together, that are examined at once.

More take more memory.
"""

NEAR = "near"
"""The reason to refuse a position that is too near to another country."""

FAR = "far"
"""The reason to refuse a position that is too far from all other countries."""

CENTRE = "centre"
"""The reason to refuse a position on whose terrain the first unit does not stand."""

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
        """The reasons, the one that refused most positions first.

        There are none if nothing was tried, as on a world with too few rows.
        """
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


def rows_of_centres(height: int, size: int) -> range:
    """Return the rows in which Xconq looks for centres of countries of a size, the radius.

    A country reaches as many rows up and down as its size. With size 0 the rows at the edges have
    no centres nevertheless: no unit can stand there.
    """
    return range(max(1, size), height - max(0, size) - 1)


def fewest_rows(size: int) -> int:
    """Return the height of the lowest world that has a row for centres of countries of a size."""
    height = 1
    while not rows_of_centres(height, size):
        height += 1
    return height


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
        rows = rows_of_centres(height, self._rules.size)
        if not rows:
            return None
        x = self._draws.many_below(width, TRIES)
        y = rows.start + self._draws.many_below(len(rows), TRIES)
        centre = self._first_good(x, y)
        if centre is None:
            centre = self._first_good(*self._outwards(rows))
        return centre

    def _outwards(self, rows: range) -> tuple[Ints, Ints]:
        """Return x and y of the hexes of these rows, in rings around the middle of the world.

        Hexes that are surely too far from all earlier centres are left out and counted as refused.
        """
        height, width = self._codes.shape
        is_candidate = self._near_earlier()
        is_candidate[: rows.start] = False
        is_candidate[rows.stop :] = False
        y, x = np.nonzero(is_candidate)
        far_count = len(rows) * width - len(x)
        if far_count:
            self.refused[FAR] += far_count
        order = np.argsort(distances(width, x, y, width // 2, height // 2), kind="stable")
        return x[order], y[order]

    def _near_earlier(self) -> NDArray[np.bool_]:
        """Return which hexes (h, w) can be near enough to an earlier centre.

        They are the boxes around the centres, which hold all hexes that are near enough and some
        that are not. All hexes can be if there is no earlier centre, or a box goes round the world.
        """
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
        """Return the first hex that no rule refuses, as (x, y); None if all are refused.

        The cheap rules are applied to all hexes at once. The costly one, which looks at the terrain
        around a hex, is applied to groups of the rest, so that the search can end early.
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

        For the first country every hex is.
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
