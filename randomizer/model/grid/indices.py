"""Ascending arrays of unique indices, which name places of a plane."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Indices = NDArray[np.intp]
"""Flat indices into a plane, ascending, shape (n,)."""


def ascending(numbers: Indices) -> Indices:
    """Non-negative integers in ascending order, each once.

    Most input is ascending already, which is checked first: ``numpy.unique`` takes twenty times as
    long.
    """
    if is_ascending(numbers):
        return numbers
    numbers = np.sort(numbers, kind="stable")
    result: Indices = numbers[np.diff(numbers, prepend=-1) > 0]
    return result


def is_ascending(numbers: Indices) -> bool:
    """Return whether each number is greater than the one before it."""
    return bool((numbers[1:] > numbers[:-1]).all())


def places_by_value(values: NDArray[np.int64]) -> list[tuple[int, Indices]]:
    """Return each value that occurs in ``values`` (n,), ascending, with the places where it
    stands.
    """
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    cuts = np.flatnonzero(np.diff(ordered)) + 1
    return [(int(values[part[0]]), part) for part in np.split(order, cuts) if len(part)]
