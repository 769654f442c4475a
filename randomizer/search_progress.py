"""The progress of a search: of a roll that tries many maps for one that keeps the locks.

Such a roll yields its progress in percent, as every generator does. The percents stand for the
number of maps tried, so that a window can tell that number:

    percent_of_search(1_000_000)    # 50
    tried_by(50)                    # 1,000,000, to within one percent of SEARCH_LIMIT
"""

from __future__ import annotations

SEARCH_LIMIT = 2_000_000
"""The largest number of maps that are tried for one that keeps the locks.

A larger limit finds maps for stricter locks, and makes a search that fails take longer. The
progress of a search is its share of this number.
"""

_FIRST_PERCENT = 1
"""The progress of a search at its beginning: 0 would say that nobody knows how long it takes."""

_PERCENTS_OF_SEARCH = 98
"""A search goes from 1 to 99 percent: 100 is the finished roll."""


def percent_of_search(maps_tried: int) -> int:
    """Return the progress (1 .. 99) of a search for a map that keeps the locks."""
    return _FIRST_PERCENT + maps_tried * _PERCENTS_OF_SEARCH // SEARCH_LIMIT


def tried_by(percent: int) -> int:
    """Return the approximate number of maps tried at a progress of ``percent``."""
    return max(0, percent - _FIRST_PERCENT) * SEARCH_LIMIT // _PERCENTS_OF_SEARCH
