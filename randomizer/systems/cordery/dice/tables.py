"""The dice tables of Cordery's page, one entry for each row, under its step numbers.

    2 + HILLS[HILLY]      # a die shows 2 in hilly country: 6 hills

The page is Bob Cordery's terrain generator: numbered steps by which a wargamer lays out a table by
the throw of dice, from hills (1) to fields (7). The table is divided into areas, squares or hexes.
The modules of ``parts`` follow the steps and look their throws up here. A number such as 1.1 at a
constant is its step; D6 is the score of one die, 1 to 6. A frozenset holds the scores of a die with
which something happens.
"""

from __future__ import annotations

from typing import NamedTuple

# The choices that name a row: of the relief, of the cover (4.1), of the habitation.
OPEN = "open"
UNDULATING = "undulating"
HILLY = "hilly"
MOUNTAINOUS = "mountainous"
DESERT = "desert"
FORESTED = "forested"
AS_RELIEF = "relief"
WILD = "wild"
CULTIVATED = "cultivated"
URBAN = "urban"

RELIEF_OF_COVER = {DESERT: OPEN, FORESTED: UNDULATING, AS_RELIEF: UNDULATING}
"""The relief by the choice of the cover, if no relief is chosen."""

# 1 Hills and mountains

HILLS = {OPEN: 0, UNDULATING: 2, HILLY: 4, MOUNTAINOUS: 6}
"""1.1: added to D6 for the number of hills and mountains."""


class Heights(NamedTuple):
    """1.1: the heights of hills by their own D6; with all other scores a hill has one contour."""

    two_contours: frozenset[int]
    """The scores with which a hill is two contours high."""

    mountain: frozenset[int]
    """The scores with which a hill is a mountain."""

    at_once: bool
    """True if the die of a hill is thrown before the next hill is located, False: after all are."""


_HIGH = frozenset((5, 6))
HEIGHTS = {
    UNDULATING: Heights(two_contours=_HIGH, mountain=frozenset(), at_once=True),
    HILLY: Heights(two_contours=_HIGH, mountain=frozenset(), at_once=False),
    MOUNTAINOUS: Heights(two_contours=frozenset((3, 4)), mountain=_HIGH, at_once=False),
}
"""1.1: the heights of hills by the relief. In a relief without a row they are one contour high."""

LOCATING_DICE = 3
"""1.2: the number of D6 whose sum is counted from the previous feature."""

ADJACENT = frozenset((4, 5, 6))
"""1.3: the scores with which the next feature is adjacent to this one."""

# 2 Rivers and water, 3 Roads and tracks

QUARTERS_OF_EDGE = 4
"""2.1: the number of stretches into which each edge of the table is divided."""

WIDE = frozenset((5, 6))
"""2.2: the scores with which a river is two areas wide."""

LEFT_BANK = frozenset((1, 2, 3))
"""2.2: the scores with which the second area is on the left bank; the page leaves that open."""

BRIDGE = frozenset((5, 6))
"""3.3: the scores with which a road crosses a river by a bridge."""

# 4 Trees, 5 Habitation, 7 Fields

TREES = {DESERT: -2, OPEN: 0, UNDULATING: 0, HILLY: 2, MOUNTAINOUS: 3, FORESTED: 4}
"""4.1: added to D6 for the number of groups of trees."""

INHABITED = {WILD: -3, CULTIVATED: 0, URBAN: 2}
"""5.1: added to D6 for the number of inhabited areas."""


class PlaceKind(NamedTuple):
    """5: a kind of place."""

    min_areas: int
    """The least number of contiguous areas of such a place."""

    name: str


PLACES = (
    PlaceKind(5, "City"),
    PlaceKind(3, "Town"),
    PlaceKind(2, "Village"),
    PlaceKind(1, "Settlement"),
)
"""5: the kinds of places, the largest first."""

FIELDS = {CULTIVATED: 2, URBAN: -2}
"""7.1: added to D6 for the number of fields. Wild country has no row and no fields."""

PLANTED = frozenset((4, 5, 6))
"""7.3: the scores with which a field is an orchard, an olive grove or a vineyard."""
