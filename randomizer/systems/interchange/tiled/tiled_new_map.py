"""Makes new maps of Tiled, for maps of ours that did not come from there.

    root = new_map(grid)        # a node without layers: {"type": "map", "width": 40, ...}

``tiled`` then writes layers and objects into the node.
"""

from __future__ import annotations

from collections.abc import Mapping

from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT, POINTY, SQUARE
from randomizer.model.problems import error
from randomizer.systems.interchange.tiled.tiled_nodes import Node

VERSION = {"version": "1.8", "tiledversion": "1.8.2"}
"""The version that files of ours name. Debian 12 has it, and all later ones read its files."""

_SIZES: Mapping[str, Node] = {
    FLAT.name: {"tilewidth": 120, "tileheight": 104, "hexsidelength": 60, "staggeraxis": "x"},
    POINTY.name: {"tilewidth": 104, "tileheight": 120, "hexsidelength": 60, "staggeraxis": "y"},
    SQUARE.name: {"tilewidth": 96, "tileheight": 96},
}
"""The cells of maps that do not come from Tiled, by layout, in pixels.

A flat-top hex with sides of 60 pixels is 120 wide and nearly 104 high (60 times the root of 3).
"""


def new_map(grid: Grid) -> Node:
    """Return a map of Tiled without layers for the cells of a grid.

    Raises ProblemError for an oblique grid.
    """
    if grid.layout.name not in _SIZES:
        message = "Tiled has no oblique maps before 1.12: nothing was written"
        raise error("other-layout", message)
    width = grid.width
    height = grid.height
    root: Node = {"type": "map", **VERSION, "renderorder": "right-down", "infinite": False}
    if grid.layout.name == SQUARE.name:
        root["orientation"] = "orthogonal"
        root |= _SIZES[SQUARE.name]
    else:
        root["orientation"] = "hexagonal"
        root |= _SIZES[grid.layout.name]
        root["staggerindex"] = "odd"
        # Our maps always push the odd columns (of pointy hexes: rows). A map of Tiled that pushes
        # the even ones was read with a hidden first column before them: it is written without it.
        if _is_first_column_hidden(grid):
            root["staggerindex"] = "even"
            width -= 1
        elif _is_first_row_hidden(grid):
            root["staggerindex"] = "even"
            height -= 1
    root |= {"width": width, "height": height, "nextlayerid": 1, "nextobjectid": 1}
    root |= {"tilesets": [], "layers": []}
    return root


def _is_first_column_hidden(grid: Grid) -> bool:
    """Return whether a grid of flat-top hexes has no cell in its first column."""
    if grid.mask is None or grid.layout.name != FLAT.name or grid.width == 1:
        return False
    return not grid.mask[:, 0].any()


def _is_first_row_hidden(grid: Grid) -> bool:
    """Return whether a grid of pointy-top hexes has no cell in its first row."""
    if grid.mask is None or grid.layout.name != POINTY.name or grid.height == 1:
        return False
    return not grid.mask[0].any()
