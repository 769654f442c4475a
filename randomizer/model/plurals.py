"""Numbers of things in words: 1 map, 2 maps."""

from __future__ import annotations


def many(count: int, one: str, more: str = "") -> str:
    """The noun for a number: ``one``, or ``more`` ("": ``one`` and an s)."""
    return one if count == 1 else more or f"{one}s"


def counted(count: int, one: str, more: str = "") -> str:
    """A number with its noun: "1 map", "1,024 maps"; ``one`` and ``more`` as in ``many``."""
    return f"{count:,} {many(count, one, more)}"
