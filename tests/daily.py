"""Which of many like cases of a test run each day; the others are deep (packaging/test.py)."""

from __future__ import annotations

from collections.abc import Iterable

import pytest


def deep_but_last(cases: Iterable[object]) -> list[object]:
    """Return the cases of a test as parameters, all but the last one marked as deep.

    For steps that follow one another: who comes to the last one has passed the others. A case is
    the value of the parameter, or a tuple of those of several.
    """
    *earlier, last = cases
    return [*(_deep(case) for case in earlier), last]


def _deep(case: object) -> object:
    values = case if isinstance(case, tuple) else (case,)
    return pytest.param(*values, marks=pytest.mark.deep)
