"""The edges of maps and cells that a system declares (``System``).

They are the sides on which armies enter, the edge of a round map, and the commands that put
hexsides on the edges between cells.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class EdgeFill:
    """A command that puts a hexside on every edge that matches the hexside's rule."""

    title: str
    """The title of the command."""

    icon: str
    """The name of its icon among the resources of the desk."""

    letter: str
    """The letter of the hexside in the terrain set."""


class EntrySide(NamedTuple):
    """A side of the board on which an army enters."""

    name: str
    """Its name, as it is drawn beside the map."""

    cells: tuple[int, ...]
    """The cells along it, clockwise."""


class RoundEdge(NamedTuple):
    """The edge of a round map: two circles around the middle of its grid, in map units."""

    map_radius: float
    """The radius at which the map ends."""

    unit_radius: float
    """The radius within which units stay; not greater."""
