"""The dice tables of Cordery's page, one entry for each row, under its step numbers."""

from __future__ import annotations

from typing import NamedTuple

OPEN = "open"
UNDULATING = "undulating"
HILLY = "hilly"
MOUNTAINOUS = "mountainous"
DESERT = "desert"
FORESTED = "forested"
WILD = "wild"
CULTIVATED = "cultivated"
URBAN = "urban"

RELIEF_OF_COVER = {DESERT: OPEN, FORESTED: UNDULATING, "relief": UNDULATING}
"""The relief where none is chosen."""

HILLS = {OPEN: 0, UNDULATING: 2, HILLY: 4, MOUNTAINOUS: 6}
"""1.1: added to D6 for the number of hills and mountains."""


class Heights(NamedTuple):
    """1.1: the scores of a hill's own D6 that raise it. ``at_once``: before the next hill."""

    two_contours: frozenset[int]
    mountain: frozenset[int]
    at_once: bool


_HIGH = frozenset((5, 6))
HEIGHTS = {
    UNDULATING: Heights(_HIGH, frozenset(), True),
    HILLY: Heights(_HIGH, frozenset(), False),
    MOUNTAINOUS: Heights(frozenset((3, 4)), _HIGH, False),
}
"""Relief without a row: every hill is one contour high."""

LOCATING_DICE = 3
"""1.2: the number of D6 whose sum is counted from the previous feature."""
ADJACENT = frozenset((4, 5, 6))
"""1.3: the scores with which the next feature is adjacent to this one."""

QUARTERS_OF_EDGE = 4
WIDE = frozenset((5, 6))
"""2.2: the scores with which a river is two areas wide."""
LEFT_BANK = frozenset((1, 2, 3))
"""The scores with which the second area is on the left bank (our interpretation)."""

BRIDGE = frozenset((5, 6))
"""3.3: the scores with which a road crosses a river by a bridge."""

TREES = {DESERT: -2, OPEN: 0, UNDULATING: 0, HILLY: 2, MOUNTAINOUS: 3, FORESTED: 4}
"""4.1: added to D6 for the number of groups of trees."""

INHABITED = {WILD: -3, CULTIVATED: 0, URBAN: 2}
"""5.1: added to D6 for the number of inhabited areas."""

PLACES = ((5, "City"), (3, "Town"), (2, "Village"), (1, "Settlement"))
"""5: the kind of a place by its least number of contiguous areas."""

FIELDS = {CULTIVATED: 2, URBAN: -2}
"""7.1: added to D6 for the number of fields. Areas without a row have none."""
PLANTED = frozenset((4, 5, 6))
"""7.3: the scores with which a field is an orchard, an olive grove or a vineyard."""
