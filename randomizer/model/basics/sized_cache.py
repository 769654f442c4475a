"""A cache bounded by the size of what it holds as well as by the number of results.

``functools.lru_cache`` counts results only, and those of long texts are large::

    @sized_cache(most=16, size=1 << 18)  # characters of the texts together
    def parsed(text: str, path: str | None) -> Script: ...

    @sized_cache(most=256, size=4 << 20, size_of=lambda made: made.nbytes)
    def combinations_of(total: int, count: int) -> NDArray[np.intp]: ...
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from threading import Lock
from typing import Any, ParamSpec, Protocol, TypeVar, cast

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")
Cached = TypeVar("Cached", covariant=True)


class SizedCache(Protocol[Arguments, Cached]):
    """A function with a cache. ``content()`` is the number of results and their size together."""

    most: int
    size: int
    cache_clear: Callable[[], None]
    content: Callable[[], tuple[int, int]]

    def __call__(self, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Cached:
        """Return the result, made now if it is not in the cache."""


def sized_cache(
    *, most: int, size: int, size_of: Callable[[Any], int] | None = None
) -> Callable[[Callable[Arguments, Result]], SizedCache[Arguments, Result]]:
    """Cache the last ``most`` results of a function as long as they are not larger than ``size``
    together, or are one.

    A result has the size that ``size_of`` says; without it, the length of the texts among the
    arguments and in tuples there. Arguments are given by position and can be hashed. An exception
    is not cached. Any thread may call.
    """

    def decorate(make: Callable[Arguments, Result]) -> SizedCache[Arguments, Result]:
        results: dict[tuple[Hashable, ...], tuple[Result, int]] = {}  # the one used last is last
        lock = Lock()
        total = 0

        @wraps(make)
        def cached(*args: Any) -> Any:
            nonlocal total
            with lock:
                cached_result = results.pop(args, None)
                if cached_result is not None:
                    results[args] = cached_result
                    return cached_result[0]
            result = make(*args)  # type: ignore[call-arg]
            entry_size = _length(args) if size_of is None else size_of(result)
            with lock:
                total += entry_size - results.pop(args, (None, 0))[1]
                results[args] = result, entry_size
                while len(results) > most or (total > size and len(results) > 1):
                    total -= results.pop(next(iter(results)))[1]
            return result

        def clear() -> None:
            nonlocal total
            with lock:
                results.clear()
                total = 0

        function = cast(Any, cached)
        function.most = most
        function.size = size
        function.cache_clear = clear
        function.content = lambda: (len(results), total)
        return cast("SizedCache[Arguments, Result]", function)

    return decorate


def _length(values: tuple[object, ...]) -> int:
    """Return the characters of all texts in a tuple."""
    return sum(
        len(value) if isinstance(value, str) else _length(value) if isinstance(value, tuple) else 0
        for value in values
    )
