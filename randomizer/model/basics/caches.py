"""The register of all caches of the program, with the most memory that each can take.

The limits of memory are those of docs/adr/0009.

A cache is registered where it is made, and a test adds up all of them::

    @registered(bytes_each=2 * KB)              # 256 results of about 2 KB
    @lru_cache(maxsize=256)
    def contour(...)

    register_bytes(__name__, MAX_BYTES)        # a cache of another kind, bounded by a constant

What is in memory anyway, since it is shown, does not count as a cache: the pictures of the terrain
set of the current map, and the composite of an open map.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

KB = 1 << 10
MB = 1 << 20

T = TypeVar("T")


@dataclass(frozen=True)
class Cache:
    """A registered cache."""

    name: str
    """The name of its module and of the function, with a dot between them."""

    max_bytes: float
    """The most bytes that it takes; a product of averages, so not always whole."""

    results: int | None = None
    """The number of results that it can hold; None for a cache bounded by bytes."""

    function: Any = None
    """The cached function; None for a cache of another kind.

    Its type is Any, since functions under ``lru_cache``, ``cache`` and ``sized_cache`` have no type
    in common that has ``cache_clear``.
    """


_CACHES: dict[str, Cache] = {}
"""All caches by name."""


def all_caches() -> Iterator[Cache]:
    """Yield the caches of all modules that were imported so far."""
    yield from tuple(_CACHES.values())


def registered(
    *, bytes_each: float = 0, count: int | None = None, bytes_a_unit: float = 0
) -> Callable[[T], T]:
    """Return a decorator that registers a cached function, and leaves it as it is.

    Which arguments it needs depends on the cache below it::

        @lru_cache      bytes_each      the bytes of a result
        @cache          bytes_each      likewise
                        count           how many different arguments there are
        @sized_cache    bytes_a_unit    the bytes of a result for each unit of its size (a
                                        character, or a byte)
    """

    def register(function: T) -> T:
        """Register the function with the most bytes of all its results."""
        cached: Any = function
        results = count
        if bytes_a_unit:
            max_bytes = cached.max_size * bytes_a_unit
        else:
            if results is None:
                results = cached.cache_parameters()["maxsize"]
            assert results is not None, f"{cached.__name__} has no bound of its own"
            max_bytes = results * bytes_each
        name = f"{cached.__module__}.{cached.__name__}"
        _CACHES[name] = Cache(name, max_bytes, results, function)
        return function

    return register


def register_bytes(name: str, max_bytes: float) -> None:
    """Register a cache that is not a cached function, with the most bytes that it takes."""
    _CACHES[name] = Cache(name, max_bytes)


def empty_caches(module: str) -> None:
    """Empty the caches of all cached functions of a module; tests begin afresh with it.

    Caches of another kind stay.
    """
    for cache in all_caches():
        if cache.function is not None and cache.name.rpartition(".")[0] == module:
            cache.function.cache_clear()
