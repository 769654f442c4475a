"""The cache of the reliefs of worlds that were used last.

    cache = ReliefCache(max_bytes=9 << 20)
    cache.put(settings, key, relief)
    cache.get(settings, key)            # the relief; None once later ones have filled the cache

To make a relief takes up to seconds, and the panels of a map ask for the same one again and again.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock
from typing import Generic, Protocol, TypeVar

from randomizer.model.rolls.draw_key import DrawKey


class _Cached(Protocol):
    """A relief, as far as the cache knows it."""

    @property
    def bytes(self) -> int:
        """Its size in memory."""


_Relief = TypeVar("_Relief", bound=_Cached)


class ReliefCache(Generic[_Relief]):
    """The reliefs used last, by settings and key; safe from several threads."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._bytes = 0
        """The size of all reliefs in the cache together."""
        self._lock = Lock()
        self._reliefs: OrderedDict[tuple[Hashable, DrawKey], _Relief] = OrderedDict()
        """The reliefs in the order of their last use, the longest unused first."""

    def get(self, settings: Hashable, key: DrawKey) -> _Relief | None:
        """Return the relief if it is in the cache."""
        with self._lock:
            relief = self._reliefs.get((settings, key))
            if relief is not None:
                self._reliefs.move_to_end((settings, key))
            return relief

    def put(self, settings: Hashable, key: DrawKey, relief: _Relief) -> None:
        """Add a relief, and drop the longest unused ones until the rest fits.

        A relief that is larger than the whole cache is dropped itself, after all others.
        """
        with self._lock:
            # Two threads may have made the same relief.
            replaced_relief = self._reliefs.pop((settings, key), None)
            if replaced_relief is not None:
                self._bytes -= replaced_relief.bytes
            self._reliefs[settings, key] = relief
            self._bytes += relief.bytes
            while self._bytes > self._max_bytes:
                _key, unused_relief = self._reliefs.popitem(last=False)
                self._bytes -= unused_relief.bytes
