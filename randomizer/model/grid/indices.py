"""Ascending arrays of unique indices: how cells, sides or corners of a plane are named."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Indices = NDArray[np.intp]
"""Flat indices into a plane, ascending, shape (n,)."""


def ascending(numbers: Indices) -> Indices:
    """Return numbers of 0 or more in ascending order, each once.

    Most input is ascending already, which is checked first: ``numpy.unique`` takes twenty times as
    long.
    """
    if is_ascending(numbers):
        return numbers
    numbers = np.sort(numbers, kind="stable")
    is_first = np.ones(len(numbers), np.bool_)
    is_first[1:] = numbers[1:] != numbers[:-1]
    result: Indices = numbers[is_first]
    return result


def is_ascending(numbers: Indices) -> bool:
    """Return whether each number is greater than the one before it."""
    return bool((numbers[1:] > numbers[:-1]).all())


def places_by_value(values: NDArray[np.int64]) -> list[tuple[int, Indices]]:
    """Return each value that occurs in ``values`` (n,), ascending, with its indices there."""
    order = np.argsort(values, kind="stable")
    first_of_values = np.flatnonzero(np.diff(values[order])) + 1
    groups = np.split(order, first_of_values)
    return [(int(values[indices[0]]), indices) for indices in groups if len(indices)]
