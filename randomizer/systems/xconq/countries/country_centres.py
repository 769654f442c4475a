"""The centres of countries on a new world of Xconq, found by the rules of its period.

``find_centres`` looks for one country after the other. For each it tries ``TRIES`` positions by
chance, then all others from the middle of the world outwards. The first position that no rule
refuses becomes the centre. The rules, cheap ones first:

- The centre is neither too near to an earlier centre nor too far from all of them.
- If the period names a first unit, it can stand on the terrain of the centre.
- The disc around the centre has enough terrain for the units that a country begins with.

How often each rule refused a position is counted, so that ``placement_advice`` can tell the user
why a world has no room::

    centres = find_centres(codes, rules, count=3, key=key)
    centres.positions           # ((12, 5), (40, 22)): the third country found no centre,
    centres.failure.refused     # {Rule.NEAR: 310, Rule.FAR: 1450, TooFewHexesFor(2): 96}

Arrays ``x`` and ``y`` are columns and rows of hexes, shape (n,).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from randomizer.model.rolls.draw_key import DrawKey
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


class Rule(Enum):
    """A rule that refuses a position, whatever the units of the country are."""

    NEAR = "it is too near to another country"
    FAR = "it is too far from all other countries"
    CENTRE = "the first unit does not stand on its terrain"
    FULL = "it has too few hexes around it for all units together"


@dataclass(frozen=True)
class TooFewHexesFor:
    """The rule that refuses a position with too few hexes around it for the units of one type."""

    unit_type: int
    """The number of the type."""


Reason = Rule | TooFewHexesFor
"""Why a position is refused."""


@dataclass(frozen=True)
class NoCentre:
    """The failure to find a centre for a country."""

    country: int
    """The number of the country, from 0."""

    refused: Mapping[Reason, int]
    """How many positions were refused for each reason; a reason that refused none is left out."""

    @property
    def reasons(self) -> list[Reason]:
        """The reasons, the one that refused most positions first.

        There are none if nothing was tried, as on a world with too few rows.
        """
        return sorted(self.refused, key=lambda reason: -self.refused[reason])

    @property
    def refusal_count(self) -> int:
        """The number of refusals: a position that was tried twice counts twice."""
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
    return max(1, size) + max(0, size) + 2


class _Candidates:
    """Positions that are tried together, and which of them no rule has refused so far."""

    def __init__(self, x: Ints, y: Ints, refused: Counter[Reason]) -> None:
        self.x = x
        self.y = y
        self.is_good: NDArray[np.bool_] = np.ones(len(x), np.bool_)
        """Whether no rule has refused the position, (n,)."""
        self._refused = refused
        """The counts of the whole search, which ``refuse`` increases."""

    def refuse(self, reason: Reason, is_refused: NDArray[np.bool_]) -> None:
        """Refuse the positions of a mask (n,). One that is refused already is not counted again."""
        count = int((self.is_good & is_refused).sum())
        if count:
            self._refused[reason] += count
        self.is_good &= ~is_refused


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
        """The steps (x, y) from a centre to all hexes of its country, (hexes, 2)."""
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
        if centre is not None:
            return centre

        x, y = self._outwards(rows)
        # The hexes of these rows that are left out are too far away.
        left_out = len(rows) * width - len(x)
        if left_out:
            self.refused[Rule.FAR] += left_out
        return self._first_good(x, y)

    def _outwards(self, rows: range) -> tuple[Ints, Ints]:
        """Return x and y of the hexes of these rows, in rings around the middle of the world.

        Hexes that are surely too far from all earlier centres are left out.
        """
        height, width = self._codes.shape
        is_candidate = self._boxes_around_earlier()
        is_candidate[: rows.start] = False
        is_candidate[rows.stop :] = False
        y, x = np.nonzero(is_candidate)
        order = np.argsort(distances(width, x, y, width // 2, height // 2), kind="stable")
        return x[order], y[order]

    def _boxes_around_earlier(self) -> NDArray[np.bool_]:
        """Return which hexes (h, w) can be near enough to an earlier centre.

        They are the boxes around the centres, which hold all hexes that are near enough and some
        that are not. All hexes can be if there is no earlier centre, or a box goes round the world.
        """
        height, width = self._codes.shape
        reach = self._rules.max_distance
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
        candidates = _Candidates(x, y, self.refused)
        if self._earlier_centres:
            self._apply_distances(candidates)
        if self._rules.first_unit is not None:
            self._apply_terrain_of_centre(candidates, self._rules.first_unit)

        good_indices = np.flatnonzero(candidates.is_good)
        group_size = max(1, HEXES_AT_ONCE // len(self._disc))
        for start in range(0, len(good_indices), group_size):
            indices = good_indices[start : start + group_size]
            group = _Candidates(x[indices], y[indices], self.refused)
            self._apply_terrain_around(group)
            if group.is_good.any():
                first = int(group.is_good.argmax())
                return int(group.x[first]), int(group.y[first])
        return None

    def _apply_distances(self, candidates: _Candidates) -> None:
        """Refuse positions too near to an earlier centre, and those that are far from all."""
        width = self._codes.shape[1]
        # (earlier centres, n)
        lengths = np.array(
            [
                distances(width, candidates.x, candidates.y, *centre)
                for centre in self._earlier_centres
            ]
        )
        is_near = np.asarray((lengths < self._rules.min_distance).any(axis=0))
        is_far = np.asarray((lengths >= self._rules.max_distance).all(axis=0))
        candidates.refuse(Rule.NEAR, is_near)
        candidates.refuse(Rule.FAR, is_far)

    def _apply_terrain_of_centre(self, candidates: _Candidates, first_unit: int) -> None:
        """Refuse positions where a die roll of the first unit's favor for the terrain fails."""
        terrain = self._codes[candidates.y, candidates.x]
        percents = self._rules.favored[first_unit][terrain]
        rolls = self._draws.many_below(100, len(terrain))
        candidates.refuse(Rule.CENTRE, rolls >= percents)

    def _apply_terrain_around(self, candidates: _Candidates) -> None:
        """Refuse centres around which a country lacks terrain for its first units.

        A hex counts for a unit type if a die roll of the type's favor for its terrain passes. Each
        type needs as many hexes as it has units in a country, and all together more than there are
        units.
        """
        rules = self._rules
        # The terrain of the disc around each candidate, (n, hexes).
        disc_x = (candidates.x[:, None] + self._disc[:, 0]) % self._codes.shape[1]
        disc_y = candidates.y[:, None] + self._disc[:, 1]
        terrain = self._codes[disc_y, disc_x]
        total = np.zeros(len(terrain), np.int64)
        for unit_type in np.flatnonzero(rules.has_favored_terrain).tolist():
            percents = rules.favored[unit_type][terrain]
            is_certain = (percents <= 0) | (percents >= 100)
            # Nothing is drawn where no roll could change the result.
            rolls = np.zeros(percents.shape, np.int64)
            if not is_certain.all():
                rolls = self._draws.many_below(100, percents.size).reshape(percents.shape)
            hex_counts = (rolls < percents).sum(axis=1)
            needed = int(rules.in_country[unit_type])
            candidates.refuse(TooFewHexesFor(unit_type), np.asarray(hex_counts < needed))
            total += hex_counts
        needed_in_all = int(rules.in_country.sum())
        candidates.refuse(Rule.FULL, total <= needed_in_all)
