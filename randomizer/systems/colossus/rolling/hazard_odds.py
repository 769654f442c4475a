"""The odds of a hazard: its percentage, and the bounds that decide its elevation.

    percent_of(hazard)              # 75.0 for ``Bog,75.,2``, and 100.0 for ``Bog``
    elevation_bounds(hazard)        # for ``Bog,75.,50.,25.,25.``: up to 50 elevation 0, up to 75 1

A draw from 0 to 100 is compared with the bounds. The game computes them in its own way, which shows
where odds do not add up to 100; replays of its recorded draws need these figures. Keyed draws need
exact ones. ``HazardBounds`` holds both.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from randomizer.systems.colossus.rolling.program import ElevationBounds
from randomizer.systems.colossus.script import syntax

_CERTAIN_ELEVATION = (
    ElevationBounds(of_zero=100.0, of_one=100.0),
    ElevationBounds(of_zero=0.0, of_one=100.0),
    ElevationBounds(of_zero=0.0, of_one=0.0),
)
"""By elevation the bounds of a hazard that has it for certain."""


class HazardBounds(NamedTuple):
    """The bounds of a hazard's elevation in both ways."""

    as_in_game: ElevationBounds
    """As the game computes them."""

    exact: ElevationBounds
    """As keyed draws need them."""


def percent_of(choice: syntax.Hazard | syntax.HexsideChoice) -> float:
    """Return the probability of a hazard or hexside: 100 % if the script gives none."""
    if choice.probability is None:
        return 100.0
    return _clamped(choice.probability)


def elevation_bounds(hazard: syntax.Hazard) -> HazardBounds:
    """Return the bounds of a hazard's elevation."""
    if hazard.odds is not None:
        return _bounds_of_odds(hazard.odds)
    elevation = hazard.elevation or 0
    if not 0 <= elevation < len(_CERTAIN_ELEVATION):
        elevation = 0  # the game treats unknown elevations as 0
    bounds = _CERTAIN_ELEVATION[elevation]
    return HazardBounds(as_in_game=bounds, exact=bounds)


def _bounds_of_odds(odds: tuple[float, float, float]) -> HazardBounds:
    """Return the bounds for the odds of the elevations 0, 1 and 2, as they are written.

    The game divides each of the three odds by the sum of their values clamped to 0 .. 100, but does
    not clamp the value itself: a first ``*`` (-1) is below everything. It then adds two rounded
    quotients, which can miss 100 by a rounding error; keyed draws must not (100 % is certain). So
    the order of the operations matters in both: the first must round as the game does.
    """
    odds_0, odds_1, _odds_2 = odds
    total = sum(_clamped(value) for value in odds)
    if total:
        return HazardBounds(
            as_in_game=ElevationBounds(
                of_zero=odds_0 * 100 / total,
                of_one=odds_0 * 100 / total + odds_1 * 100 / total,
            ),
            exact=ElevationBounds(
                of_zero=100 * (odds_0 / total),
                of_one=100 * ((odds_0 + odds_1) / total),
            ),
        )

    # Where the sum is 0 the game divides by it. A negative value over 0 is below every draw; 0 over
    # 0 is NaN, and so is its sum with anything: no draw exceeds it, as if the bound were infinite.
    of_zero = math.inf
    of_one = math.inf
    if odds_0 < 0:
        of_zero = -math.inf
        if odds_1 < 0:
            of_one = -math.inf
    bounds = ElevationBounds(of_zero, of_one)
    return HazardBounds(as_in_game=bounds, exact=bounds)


def _clamped(percent: float) -> float:
    """Return the nearest percentage from 0 to 100."""
    return min(max(percent, 0.0), 100.0)
