"""Keeps what the gallery has found, to show it again without rolling.

When the user goes back to another open map, its script asks for the same maps as before. The panel
of the gallery adds each search that has ended (``FinishedSearches.add``), and looks for an equal
one before it begins to search (``find``).
"""

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

MAX_BYTES = 1_000_000
"""The most memory that the maps of all searches take together.

Three searches for worlds of Xconq fit, or some thirty for wargame tables. 48 maps of 0 A.D. are too
many (38 MB).
"""
register_bytes(f"{__name__}.MAX_BYTES", MAX_BYTES)


@dataclass(frozen=True, eq=False)
class FinishedSearch:
    """A search that has ended: what it was asked for, and what it has found."""

    inputs: tuple[object, ...]
    """All that the maps depend on but the pins: searches with equal inputs find the same."""

    pins: tuple[Roll, ...]
    """The rolls that were pinned when it ended."""

    base: Base
    """The base that the maps were rolled onto."""

    measures: tuple[Measure, ...]
    """The measures that the maps can be sorted by."""

    unpinned: tuple[Candidate, ...]
    """The maps that it has found, in its order."""

    pinned: tuple[Candidate, ...]
    """The pinned maps, rolled onto ``base``."""

    ended: Ended
    """The end of the search: how far it came, and why not further."""

    count: int
    """The number of maps that were asked for."""

    @property
    def nbytes(self) -> int:
        """The memory that its maps take, in bytes."""
        # Many candidates share one batch, which counts once. (Batches are compared by identity.)
        batches = {candidate.batch for candidate in (*self.unpinned, *self.pinned)}
        return sum(batch.nbytes for batch in batches)


class FinishedSearches:
    """The searches that have ended, the latest last, as far as ``MAX_BYTES`` allow."""

    def __init__(self) -> None:
        self._searches: list[FinishedSearch] = []

    def add(self, search: FinishedSearch) -> None:
        """Keep a search, unless it alone is too large; one with equal inputs is dropped.

        The oldest searches are dropped until all that are kept fit into ``MAX_BYTES``.
        """
        self._searches = [
            old_search for old_search in self._searches if old_search.inputs != search.inputs
        ]
        if search.nbytes <= MAX_BYTES:
            self._searches.append(search)
        while sum(kept_search.nbytes for kept_search in self._searches) > MAX_BYTES:
            del self._searches[0]

    def find(self, inputs: tuple[object, ...], pins: tuple[Roll, ...]) -> FinishedSearch | None:
        """Return the search with these inputs and these pins; None if none is kept."""
        for search in self._searches:
            if search.inputs == inputs and search.pins == pins:
                return search
        return None
