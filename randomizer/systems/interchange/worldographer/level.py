"""The level of a Worldographer file that is read, and where its cells are on our map.

A file has a map for each *level* (world, kingdom, province ...), with the same tiles, shapes and
things in one file; an element says by ``viewLevel`` which level it belongs to. The level that was
seen last is read.

    level = level_of(root)
    level.grid                      # the grid of our map
    level.point(375, 300)           # a point of the file in map units

Points of a file are those of ideal cells of 300 x 300, whatever shape cells really have::

    COLUMNS (flat-top hexes)        x = 150 + 225 * column
                                    y = 150 + 300 * row, + 150 in odd columns
    ROWS (pointy-top hexes)         the same with x and y exchanged, and row and column
    SQUARE                          x = 150 + 300 * column, y = 150 + 300 * row
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT, POINTY, ROOT3, SQUARE, Layout
from randomizer.reading.xml_tree import Element
from randomizer.systems.interchange.foreign.faults import fault
from randomizer.systems.interchange.foreign.new_map import check_size
from randomizer.systems.interchange.worldographer.values import naming_of, number_of

CELL_SIZE = 300
"""The width and the height of a cell of the file, in its units."""


class _Orientation(NamedTuple):
    """The cells of a file, as its attribute ``hexOrientation`` says."""

    layout: Layout

    cell_width: float
    """The width of our cells, whose sides have the length 1, in map units."""

    cell_height: float
    """The height of our cells, in map units."""

    lists_rows: bool = False
    """True if the file lists its tiles row by row, False if column by column."""


_ORIENTATIONS = {
    "COLUMNS": _Orientation(FLAT, cell_width=2, cell_height=ROOT3),
    "ROWS": _Orientation(POINTY, cell_width=ROOT3, cell_height=2, lists_rows=True),
    "SQUARE": _Orientation(SQUARE, cell_width=1, cell_height=1),
}
"""All orientations by their names in files."""


@dataclass(frozen=True, eq=False)
class Level:
    """A level of a file."""

    name: str | None
    """The name by which elements say that they belong to the level; None if the file has none."""

    other_levels: int
    """The number of levels of the file that are not read."""

    tiles: Element
    """The element with the tiles of the level."""

    tile_shape: tuple[int, int]
    """The number of lists of tiles, and of tiles in each: lists are rows or columns of the map."""

    lists_rows: bool
    """True if each list of tiles is a row of the map, False if it is a column."""

    grid: Grid
    """The grid of our map."""

    units: tuple[float, float]
    """The map units of a unit of the file, across and down."""

    def has(self, view_level: str | None) -> bool:
        """Return whether an element with this ``viewLevel`` is on the level.

        An element without one (None) is on all levels.
        """
        return view_level is None or view_level == self.name

    def point(self, x: float, y: float) -> NDArray[np.float64]:
        """Return a point of the file in map units, whose origin is the centre of the first cell."""
        return (np.array((x, y)) - CELL_SIZE / 2) * self.units

    def as_plane(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return values of the tiles in the file's order, (tiles,), as an array (height, width)."""
        listed = values.reshape(self.tile_shape)
        if self.lists_rows:
            return listed
        return listed.T.copy()


def level_of(root: Element) -> Level:
    """Return the level of a file that is read. Raises ProblemError for what is no such file."""
    orientation = _ORIENTATIONS.get(root.attributes.get("hexOrientation", ""))
    tiles_of_levels = list(root.elements("tiles"))
    if root.name != "map" or orientation is None or not tiles_of_levels:
        message = f"a map has tiles, and a hexOrientation of {', '.join(_ORIENTATIONS)}"
        raise fault(message, root.line, root.column)

    # The level seen last, the first one if the file does not say which that is.
    tiles = tiles_of_levels[0]
    names = [element.attributes.get("viewLevel") for element in tiles_of_levels]
    last_level = root.attributes.get("lastViewLevel")
    if last_level in names:
        tiles = tiles_of_levels[names.index(last_level)]

    # A file calls the number of its lists "wide", whether they are columns or rows.
    list_count = int(number_of(tiles, "tilesWide"))
    list_length = int(number_of(tiles, "tilesHigh"))
    check_size(list_count, list_length, tiles.line, tiles.column)
    if orientation.lists_rows:
        width = list_length
        height = list_count
    else:
        width = list_count
        height = list_length
    return Level(
        name=tiles.attributes.get("viewLevel"),
        other_levels=len(tiles_of_levels) - 1,
        tiles=tiles,
        tile_shape=(list_count, list_length),
        lists_rows=orientation.lists_rows,
        grid=Grid(orientation.layout, width, height, naming=naming_of(root)),
        units=(orientation.cell_width / CELL_SIZE, orientation.cell_height / CELL_SIZE),
    )
