"""The pictures of terrains that make ranges: hills and mountains, in several heights."""

from __future__ import annotations

RANGES = {"Hills": 1, "Snowy hills": 1, "Mountains": 2, "High mountains": 2, "Volcano": 2}
"""The pictures of heights that make ranges, with how high their land is.

At the edge of a cell of a range the land is lower if the picture beyond it has a lower number, or
is none of these.
"""
