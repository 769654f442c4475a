"""What a call costs, counted instead of timed: the same at any load of the machine."""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Callable
from types import FrameType


def calls_of(action: Callable[[], object]) -> int:
    """How many functions, of Python and C, are called on this thread while ``action`` runs."""
    count = 0

    def note(_frame: FrameType, event: str, _value: object) -> None:
        nonlocal count
        if event in ("call", "c_call"):
            count += 1

    sys.setprofile(note)
    try:
        action()
    finally:
        sys.setprofile(None)
    return count


def peak_of(action: Callable[[], object]) -> int:
    """The bytes that are allocated at most at once while ``action`` runs; numpy's are counted."""
    tracemalloc.start()
    try:
        action()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
