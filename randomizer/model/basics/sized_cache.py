"""A cache bounded by the size of what it holds as well as by the number of results.

``functools.lru_cache`` counts results only, and those of long texts are large::

    @sized_cache(max_entries=16, max_size=1 << 18)  # characters of the texts together
    def parsed(text: str, path: str | None) -> Script: ...

    @sized_cache(max_entries=256, max_size=4 << 20, size_of=lambda array: array.nbytes)
    def combinations_of(total: int, count: int) -> NDArray[np.intp]: ...
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from threading import Lock
from typing import Any, NamedTuple, ParamSpec, Protocol, TypeVar, cast

Arguments = ParamSpec("Arguments")
"""The parameters of a cached function."""

Result = TypeVar("Result")
"""The result of a cached function."""

Cached = TypeVar("Cached", covariant=True)
"""The same in the protocol of cached functions: a protocol that returns it must be covariant."""


class SizedCache(Protocol[Arguments, Cached]):
    """A function with a cache."""

    max_entries: int
    """The greatest number of results."""

    max_size: int
    """The greatest size of all results together, unless there is one only."""

    cache_clear: Callable[[], None]
    """Drops all results."""

    content: Callable[[], tuple[int, int]]
    """Returns the number of results and their size together."""

    def __call__(self, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Cached:
        """Return the result, made now if it is not in the cache."""


class _Entry(NamedTuple):
    """A result and its size."""

    result: Any
    size: int


class _Entries:
    """The results of one function by its arguments, in the order in which they were last used.

    Any thread may call.
    """

    def __init__(self, max_entries: int, max_size: int) -> None:
        self._max_entries = max_entries
        self._max_size = max_size
        self._entries: dict[tuple[Hashable, ...], _Entry] = {}
        """The entries by their arguments, the one used longest ago first."""
        self._total = 0
        """The size of all entries together."""
        self._lock = Lock()

    def use(self, args: tuple[Hashable, ...]) -> _Entry | None:
        """Return the entry of these arguments and note that it was used; None if there is none."""
        with self._lock:
            entry = self._entries.pop(args, None)
            if entry is not None:
                self._entries[args] = entry
            return entry

    def add(self, args: tuple[Hashable, ...], entry: _Entry) -> None:
        """Add an entry, and drop those used longest ago as far as there are too many."""
        with self._lock:
            self._drop(args)  # another thread may have made the same result meanwhile
            self._entries[args] = entry
            self._total += entry.size
            while self._has_too_many():
                self._drop(next(iter(self._entries)))

    def clear(self) -> None:
        """Drop all entries."""
        with self._lock:
            self._entries.clear()
            self._total = 0

    def content(self) -> tuple[int, int]:
        """Return the number of entries and their size together."""
        return len(self._entries), self._total

    def _has_too_many(self) -> bool:
        """Return whether an entry has to go; a single one stays however large it is."""
        is_too_large = self._total > self._max_size and len(self._entries) > 1
        return is_too_large or len(self._entries) > self._max_entries

    def _drop(self, args: tuple[Hashable, ...]) -> None:
        """Drop the entry of these arguments, if there is one."""
        entry = self._entries.pop(args, None)
        if entry is not None:
            self._total -= entry.size


def sized_cache(
    *, max_entries: int, max_size: int, size_of: Callable[[Any], int] | None = None
) -> Callable[[Callable[Arguments, Result]], SizedCache[Arguments, Result]]:
    """Return a decorator that caches the last ``max_entries`` results of a function.

    Together they are not larger than ``max_size``, but the last one stays however large it is. The
    size of a result is ``size_of(result)``, or without that the number of characters of the texts
    among the arguments and in tuples there. Arguments are given by position and can be hashed. An
    exception is not cached. Any thread may call.
    """

    def decorate(make: Callable[Arguments, Result]) -> SizedCache[Arguments, Result]:
        """Return ``make`` with a cache of its results."""
        entries = _Entries(max_entries, max_size)

        @wraps(make)
        def cached(*args: Any) -> Any:
            """Return the result of ``make``, which is called if the cache has no result."""
            entry = entries.use(args)
            if entry is None:
                # Outside the lock: other threads need not wait for it.
                result = make(*args)  # type: ignore[call-arg]
                if size_of is None:
                    result_size = _length(args)
                else:
                    result_size = size_of(result)
                entry = _Entry(result, result_size)
                entries.add(args, entry)
            return entry.result

        function = cast(Any, cached)
        function.max_entries = max_entries
        function.max_size = max_size
        function.cache_clear = entries.clear
        function.content = entries.content
        return cast("SizedCache[Arguments, Result]", function)

    return decorate


def _length(values: tuple[object, ...]) -> int:
    """Return the number of characters of all texts in a tuple, and in the tuples within it."""
    total = 0
    for value in values:
        if isinstance(value, str):
            total += len(value)
        elif isinstance(value, tuple):
            total += _length(value)
    return total
