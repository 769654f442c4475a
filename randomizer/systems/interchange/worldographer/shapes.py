"""Reads the shapes of a Worldographer file: lines, which become hexsides and ways.

What runs from corner to corner of a side of a cell is a hexside, all else a way through the cells
that it crosses. So one shape can be both; here between the corners ``*`` of a cell, and beyond::

    *---------*- - - - - - - - -
     hexside       way

A file has no kinds of lines, so they are guessed by the tags and the colour of a shape (``looks``).
"""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from randomizer.model.map.layer import Layer
from randomizer.model.terrain.terrain import Hexside, Way
from randomizer.reading.xml_tree import Element
from randomizer.systems.free.system import SYSTEM
from randomizer.systems.interchange.foreign.ways import link_cells, points_on_line
from randomizer.systems.interchange.worldographer.file_layers import FileLayers
from randomizer.systems.interchange.worldographer.level import Level
from randomizer.systems.interchange.worldographer.looks import LINE_KINDS, line_name
from randomizer.systems.interchange.worldographer.values import colour_of, number_of

MAX_STEPS = 1_000_000
"""The largest number of points (``LINE_STEP`` apart) by which all lines are followed."""

_NEAR_CORNER = 0.03
"""The distance, in sides of a cell, up to which a point of a line counts as a corner.

The file snaps lines to corners, and writes their coordinates rounded.
"""

_LENGTH_TOLERANCE = 0.1
"""A line whose length differs more from 1, that of a side, is not looked at as a side."""

_BESIDE_SIDE = 0.05
"""The distance from a side, in sides of a cell, at which the grid is asked for the nearest side."""

Path = list[NDArray[np.float64]]
"""The points of a line in map units, each (2,)."""


class ShapeReader:
    """Draws the shapes of a file into the layers of our map."""

    def __init__(self, level: Level, layers: FileLayers, lost: Counter[str]) -> None:
        """Begin with no lines; ``lost`` counts what a map has no place for, by nouns."""
        self._level = level
        self._layers = layers
        self._lost = lost
        self._colours: dict[str, str] = {}
        """The colour of each kind of lines drawn so far, by its name in ``LINE_KINDS``.

        A kind has the same position here, among our hexsides, and among our ways.
        """
        self._steps = 0
        """The number of points on lines so far (``MAX_STEPS``)."""

    def hexsides(self) -> list[Hexside]:
        """Return the kinds of hexsides of all shapes that were read."""
        return [
            Hexside(name, LINE_KINDS[name].letter, colour) for name, colour in self._colours.items()
        ]

    def ways(self) -> list[Way]:
        """Return the kinds of ways of all shapes that were read."""
        return [Way(name, LINE_KINDS[name].style, colour) for name, colour in self._colours.items()]

    def read(self, shape: Element) -> None:
        """Draw the line of a shape. Raises ProblemError for lines that are too long."""
        looks = shape.attributes
        stroke = colour_of(looks.get("strokeColor", ""), "#000000")
        has_fill_colour = colour_of(looks.get("fillColor", ""), if_black="#000000") != ""
        if looks.get("fillTexture") or has_fill_colour:
            self._lost["fills of areas"] += 1
        has_line = stroke or looks.get("strokeTexture")
        if not has_line or not self._level.has(looks.get("currentShapeViewLevel")):
            self._lost["shapes of other levels or without a line"] += 1
            return

        # The first line of a kind gives all lines of that kind their colour.
        kind = line_name(looks.get("tags", ""), stroke)
        self._colours.setdefault(kind, stroke or LINE_KINDS[kind].colour)
        position = list(self._colours).index(kind)
        is_secret = looks.get("isGMOnly") == "true"
        layer = self._layers.get_or_add(looks.get("mapLayer", ""), is_secret=is_secret)
        for path in self._paths(shape):
            self._draw(layer, position, path)

    def _paths(self, shape: Element) -> list[Path]:
        """Return the lines of a shape; a curve is two straight parts.

        They meet in the middle of the curve: for a cubic Bézier curve from p to q with the controls
        c and d this is (p + 3c + 3d + q) / 8.
        """
        paths: list[Path] = []
        for element in shape.elements("p"):
            end = self._level.point(number_of(element, "x"), number_of(element, "y"))
            if not paths or element.attributes.get("type") == "m":
                paths.append([])
            elif "cx1" in element.attributes:
                start = paths[-1][-1]
                # 3c + 3d is six times the mean of both controls, which is one point to convert.
                mean_control_x = (number_of(element, "cx1") + number_of(element, "cx2")) / 2
                mean_control_y = (number_of(element, "cy1") + number_of(element, "cy2")) / 2
                mean_control = self._level.point(mean_control_x, mean_control_y)
                paths[-1].append((start + 6 * mean_control + end) / 8)
            paths[-1].append(end)
        if shape.attributes.get("type") == "Polygon":
            return [[*path, path[0]] for path in paths]
        return paths

    def _draw(self, layer: Layer, position: int, path: Path) -> None:
        """Put a line into a layer: its parts along sides as hexsides, the others as a way.

        ``position`` is that of its kind among hexsides and ways.
        """
        grid = self._level.grid
        cells_of_way = list[int]()
        for start, end in pairwise(path):
            side = self._side_between(start, end)
            if side is None:
                points = points_on_line(start, end, MAX_STEPS - self._steps)
                self._steps += len(points)
                cells_of_way += grid.cells_at(points).tolist()
                continue
            sides = self._layers.plane(layer, SYSTEM.hexside)
            sides.reshape(grid.size, -1)[side] = position + 1  # 0 is no hexside
            # The way ends at the hexside. It may begin anew behind it.
            self._draw_way(layer, position, cells_of_way)
            cells_of_way.clear()
        self._draw_way(layer, position, cells_of_way)

    def _draw_way(self, layer: Layer, position: int, cells: list[int]) -> None:
        """Draw a way through cells in their order into a layer, if there are any cells."""
        if cells:
            plane = self._layers.plane(layer, SYSTEM.ways[position]).reshape(-1)
            link_cells(self._level.grid, plane, cells)

    def _side_between(
        self, start: NDArray[np.float64], end: NDArray[np.float64]
    ) -> tuple[int, int] | None:
        """Return the side (cell, number) whose corners two points are; None if they are not.

        The grid is asked for the side nearest to a point beside the middle of the line. At the edge
        of the map only one of the two cells beside a side exists, so both are tried.
        """
        if abs(math.dist(start, end) - 1) >= _LENGTH_TOLERANCE:
            return None
        grid = self._level.grid
        dx, dy = end - start
        across = np.array((dy, -dx))
        for distance in (_BESIDE_SIDE, -_BESIDE_SIDE):
            point = (start + end) / 2 + distance * across
            hit = grid.hit(*point.tolist())
            if not hit:
                continue
            corners = [grid.corner(hit.cell, hit.side + offset) for offset in (0, 1)]
            distances = [
                min(math.dist(corner, start), math.dist(corner, end)) for corner in corners
            ]
            if max(distances) < _NEAR_CORNER:
                return hit.cell, hit.side
        return None
