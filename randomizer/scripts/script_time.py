"""The processor time that a program lets each run of a script have; without one, none is counted.

A command sets it for as long as it runs: ``with limit_script_time(60, "--time-limit"): ...``.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(frozen=True)
class TimeLimit:
    """A limit of processor time, in seconds, for a run of a script; ``option`` can name another."""

    seconds: int
    option: str


class _Current:
    limit: TimeLimit | None = None


@contextmanager
def limit_script_time(seconds: int, option: str) -> Iterator[None]:
    """Let each run of a script have so much processor time within the block."""
    before = _Current.limit
    _Current.limit = TimeLimit(seconds, option)
    try:
        yield
    finally:
        _Current.limit = before


def script_time_limit() -> TimeLimit | None:
    """Return the limit that holds now."""
    return _Current.limit
