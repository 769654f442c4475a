"""The widths of lines over the map, which grow with the zoom but stay visible from afar."""

from __future__ import annotations

from typing import NamedTuple


class LineWidth(NamedTuple):
    """The width of a line that is drawn over the map."""

    map_units: float
    """The width in map units; a hex has a radius of 1."""

    min_pixels: float
    """The least width in logical pixels, for a map that is shown small."""

    def at(self, scale: float) -> float:
        """Return the width in logical pixels, ``scale`` of which are a map unit."""
        return max(self.min_pixels, scale * self.map_units)
