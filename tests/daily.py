"""Which of many like cases of a test run each day; the others are deep (packaging/test.py)."""

from __future__ import annotations

from collections.abc import Iterable

import pytest


def deep_but(cases: Iterable[object], *daily: object) -> list[object]:
    """Return the cases of a test as parameters, all but the daily ones marked as deep.

    A case is the value of the parameter, or a tuple of those of several. Raises AssertionError for
    a daily one that is no case.
    """
    every = list(cases)
    assert all(case in every for case in daily), f"no case: {daily}"
    return [case if case in daily else _deep(case) for case in every]


def deep_but_last(cases: Iterable[object]) -> list[object]:
    """Return the cases as ``deep_but``, with the last one as the daily one.

    For steps that follow one another: who comes to the last one has passed the others.
    """
    every = list(cases)
    return deep_but(every, every[-1])


def _deep(case: object) -> object:
    values = case if isinstance(case, tuple) else (case,)
    return pytest.param(*values, marks=pytest.mark.deep)
