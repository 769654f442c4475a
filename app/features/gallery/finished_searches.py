"""What the gallery found for the maps that were current before: shown again without a roll."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from randomizer.model.basics.caches import register_bytes
from randomizer.model.map.layer import Roll

if TYPE_CHECKING:
    from app.features.gallery.candidates import Candidate
    from app.features.gallery.search import Ended
    from randomizer.batches.batch import Measure
    from randomizer.roll_base import Base

MOST_BYTES = 1_000_000
"""The largest size of the maps of all searches that are kept: those of three worlds of Xconq, or of
some thirty wargame tables. 48 maps of 0 A.D. are too many (38 MB)."""
register_bytes(f"{__name__}.MOST_BYTES", MOST_BYTES)


@dataclass(frozen=True, eq=False)
class FinishedSearch:
    """One search: its request (equal requests find the same), its pins, and its result.

    ``count`` is how many maps were wanted, ``measures`` what they can be measured by.
    """

    request: tuple[object, ...]
    pins: tuple[Roll, ...]
    base: Base
    measures: tuple[Measure, ...]
    unpinned: tuple[Candidate, ...]
    pinned: tuple[Candidate, ...]
    ended: Ended
    count: int

    @property
    def nbytes(self) -> int:
        """The size of its maps."""
        batches = {
            id(candidate.batch): candidate.batch for candidate in (*self.unpinned, *self.pinned)
        }
        return sum(batch.nbytes for batch in batches.values())


class FinishedSearches:
    """The latest searches that ended."""

    def __init__(self) -> None:
        self._searches: list[FinishedSearch] = []

    def add(self, search: FinishedSearch) -> None:
        """Keep a search, if it is not too large, instead of one that asked for the same."""
        self._searches = [
            finished_search
            for finished_search in self._searches
            if finished_search.request != search.request
        ]
        if search.nbytes <= MOST_BYTES:
            self._searches.append(search)
        while sum(finished_search.nbytes for finished_search in self._searches) > MOST_BYTES:
            del self._searches[0]

    def find(self, request: tuple[object, ...], pins: tuple[Roll, ...]) -> FinishedSearch | None:
        """Return the search that asked for this with the same pins; None if none is kept."""
        for search in self._searches:
            if search.request == request and search.pins == pins:
                return search
        return None
