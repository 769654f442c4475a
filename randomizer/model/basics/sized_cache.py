"""A cache bounded by the size of what it holds as well as by the number of results.

``functools.lru_cache`` counts results only, and those of long texts are large::

    @sized_cache(max_entries=16, max_size=1 << 18)  # characters of the texts together
    def parsed(text: str, path: str | None) -> Script: ...

    @sized_cache(max_entries=256, max_size=4 << 20, size_of=lambda array: array.nbytes)
    def combinations_of(total: int, count: int) -> NDArray[np.intp]: ...
"""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from threading import Lock
from typing import Any, Generic, NamedTuple, ParamSpec, TypeVar

Arguments = ParamSpec("Arguments")
"""The parameters of a cached function."""

Result = TypeVar("Result")
"""The result of a cached function."""


def sized_cache(
    *, max_entries: int, max_size: int, size_of: Callable[[Any], int] | None = None
) -> Callable[[Callable[Arguments, Result]], SizedCache[Arguments, Result]]:
    """Return a decorator that caches the last ``max_entries`` results of a function.

    Together they are not larger than ``max_size``, but the last one stays however large it is. The
    size of a result is ``size_of(result)``, or without that the number of characters of the texts
    among the arguments and in tuples there.
    """

    def decorate(function: Callable[Arguments, Result]) -> SizedCache[Arguments, Result]:
        """Return ``function`` with a cache of its results."""
        return SizedCache(function, max_entries, max_size, size_of)

    return decorate


class SizedCache(Generic[Arguments, Result]):
    """A function with a cache, which is called as the function is, by any thread.

    Arguments are given by position and can be hashed. An exception is not cached.
    """

    def __init__(
        self,
        function: Callable[Arguments, Result],
        max_entries: int,
        max_size: int,
        size_of: Callable[[Result], int] | None,
    ) -> None:
        """Begin with an empty cache; the arguments are those of ``sized_cache``."""
        update_wrapper(self, function)  # takes over its name and docstring
        self.max_entries = max_entries
        """The greatest number of results."""
        self.max_size = max_size
        """The greatest size of all results together, unless there is only one."""
        self._function = function
        self._size_of = size_of
        self._entries: dict[tuple[Any, ...], _Entry[Result]] = {}
        """The results by the arguments, the one that was used longest ago first."""
        self._total_size = 0
        """The size of all results together."""
        self._lock = Lock()
        """Held while the entries are read or changed, but not while a result is made."""

    def __call__(self, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        """Return the result for these arguments, made now if it is not in the cache."""
        if kwargs:
            raise TypeError("the arguments of a cached function are given by position")
        with self._lock:
            # Taken out and put back, it is the last: the one that was used latest.
            entry = self._entries.pop(args, None)
            if entry is not None:
                self._entries[args] = entry
                return entry.result

        # Outside the lock: other threads need not wait for it.
        result = self._function(*args, **kwargs)
        if self._size_of is None:
            size = _text_length(args)
        else:
            size = self._size_of(result)
        with self._lock:
            self._drop(args)  # another thread may have made the same result meanwhile
            self._entries[args] = _Entry(result, size)
            self._total_size += size
            while self._is_overfull():
                self._drop(next(iter(self._entries)))
        return result

    def cache_clear(self) -> None:
        """Drop all results."""
        with self._lock:
            self._entries.clear()
            self._total_size = 0

    def content(self) -> tuple[int, int]:
        """Return the number of results and their size together."""
        with self._lock:
            return len(self._entries), self._total_size

    def _is_overfull(self) -> bool:
        """Return whether a result has to go; a single one stays however large it is."""
        is_too_large = self._total_size > self.max_size and len(self._entries) > 1
        return is_too_large or len(self._entries) > self.max_entries

    def _drop(self, args: tuple[Any, ...]) -> None:
        """Drop the result for these arguments, if there is one."""
        entry = self._entries.pop(args, None)
        if entry is not None:
            self._total_size -= entry.size


class _Entry(NamedTuple, Generic[Result]):
    """A result in a cache."""

    result: Result

    size: int
    """Its size, as ``sized_cache`` measures it."""


def _text_length(values: tuple[object, ...]) -> int:
    """Return the number of characters of all texts in a tuple, and in the tuples within it."""
    total = 0
    for value in values:
        if isinstance(value, str):
            total += len(value)
        elif isinstance(value, tuple):
            total += _text_length(value)
    return total
