"""What a map says as statements of Text Mapper, the content of a file that is to be written.

    content_of(battlemap, document, has_codes=True).regions[3, 4]     # the region of hex 0304

The content of a map is compared with that of its file, to see which lines still hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import count
from typing import NamedTuple

import numpy as np

from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite
from randomizer.systems.free.things import LABEL
from randomizer.systems.interchange.foreign.ways import visible_ways
from randomizer.systems.interchange.textmapper_document import POINTS, Document
from randomizer.systems.interchange.textmapper_statements import (
    Edge,
    Point,
    Region,
    Side,
    edge_between,
)
from randomizer.systems.interchange.textmapper_terrains import BLANK, CLIFF

_LARGEST_SIZE = 10**9
"""Sizes of labels are smaller: this one and larger ones have more digits than are read."""

_QUOTES = str.maketrans('"“”\r\n', "’’’  ")
"""Quotes would end a label too early, line ends its line."""


class Content(NamedTuple):
    """The statements that a map is, and the counts of what has none."""

    regions: dict[Point, Region]
    """The regions by their points, column by column."""

    facts: dict[Edge | Side, None]
    """The steps of ways, then the hexsides: a set in the order of its entries."""

    lost_labels: int
    """The number of labels that cannot be written."""

    lost_ways: int
    """The number of cells with a way that leads nowhere."""


NO_CONTENT = Content({}, {}, lost_labels=0, lost_ways=0)
"""The content of a map that shows nothing."""


def content_of(battlemap: BattleMap, document: Document, *, has_codes: bool) -> Content:
    """Return the statements that a map is; ``document`` says how its points are numbered.

    With ``has_codes`` the codes of its terrains are types of the program; else the names of
    terrains become types.
    """
    composite = battlemap.composite()
    labels, lost_labels = _labels_by_cell(battlemap)
    edges, lost_ways = _edges_of(battlemap, composite, document)
    cliffs, sides = _hexsides_by_kind(battlemap, composite, document)
    codes = _codes_of_terrains(battlemap, has_codes=has_codes)
    terrain = composite.planes["terrain"].reshape(-1)
    regions = dict[Point, Region]()
    # A hex of which there is nothing to say has no line.
    for cell in _cells_by_column(battlemap.grid):
        code = codes[terrain[cell]]
        if code or cell in cliffs or cell in labels:
            label = labels.get(cell, _Label("", 0))
            point = document.point(cell, battlemap.grid)
            cliffs_of_cell = frozenset(cliffs.get(cell, ()))
            regions[point] = Region(point, code, cliffs_of_cell, label.text, label.size)
    # Each step of a way was found twice, from both of its hexes.
    facts: dict[Edge | Side, None] = dict.fromkeys((*edges, *sides))
    return Content(regions, facts, lost_labels, lost_ways)


def _cells_by_column(grid: Grid) -> list[int]:
    """Return the cells of a grid column by column, which is how people write such files."""
    cells: list[int] = grid.cells.tolist()
    return sorted(cells, key=lambda cell: cell % grid.width)


def _codes_of_terrains(battlemap: BattleMap, *, has_codes: bool) -> list[str]:
    """Return the types of each terrain, all different; "" for a blank one."""
    codes = list[str]()
    for terrain in battlemap.terrain_set.terrains:
        if has_codes and terrain.code:
            codes.append(terrain.code)
        elif has_codes and terrain.name == BLANK.name:
            codes.append("")
        else:
            codes.append(_word(terrain.name))
    return _distinct(codes)


def _hexsides_by_kind(
    battlemap: BattleMap, composite: Composite, document: Document
) -> tuple[dict[int, set[int]], list[Side]]:
    """Return the sides with cliffs by cell, and all other hexsides.

    The program has cliffs for hexes of its own layout only.
    """
    grid = battlemap.grid
    hexsides = composite.planes["hexside"].reshape(grid.size, -1)
    has_hexside = np.asarray((hexsides > 0).any(axis=1))
    cliffs = dict[int, set[int]]()
    sides = list[Side]()
    for cell in _cells_by_column(grid):
        if not has_hexside[cell]:
            continue
        for side in np.flatnonzero(hexsides[cell]).tolist():
            hexside = battlemap.terrain_set.hexsides[hexsides[cell, side] - 1]
            if hexside.name == CLIFF.name and grid.layout is FLAT:
                cliffs.setdefault(cell, set()).add(side)
            else:
                sides.append(Side(document.point(cell, grid), side, hexside.letter))
    return cliffs, sides


class _Label(NamedTuple):
    """The label of a hex."""

    text: str

    size: int
    """In points; 0 for the usual size."""


def _labels_by_cell(battlemap: BattleMap) -> tuple[dict[int, _Label], int]:
    """Return the labels by cell, and the number of labels left out.

    A hex has one label, and a label beside the map has no hex.
    """
    labels = dict[int, _Label]()
    lost_labels = 0
    for thing in battlemap.visible_things():
        if thing.kind != LABEL:
            continue
        # Of several labels in a hex the first one is written.
        text = thing.label.translate(_QUOTES)
        cell = battlemap.grid.cell_at(thing.x, thing.y)
        if not text or cell < 0 or cell in labels:
            lost_labels += 1
            continue
        size = thing.state.get(POINTS)
        if type(size) is not int or not 0 < size < _LARGEST_SIZE:
            size = 0
        labels[cell] = _Label(text, size)
    return labels, lost_labels


def _edges_of(
    battlemap: BattleMap, composite: Composite, document: Document
) -> tuple[list[Edge], int]:
    """Return the steps of all ways, and the number of cells with a way that leads nowhere."""
    grid = battlemap.grid
    lost_ways = 0
    edges = list[Edge]()
    ways = list(visible_ways(battlemap, composite))
    words = list[str]()
    # A kind of lines is one word. The names of ways that came from a file are words already, in
    # whatever letters, and must stay as they are.
    for way, _plane in ways:
        is_one_word = re.fullmatch(r"\S+", way.name) is not None
        if is_one_word:
            words.append(way.name)
        else:
            words.append(_word(way.name))
    kinds = _distinct(words)
    for kind, (_way, plane) in zip(kinds, ways, strict=True):
        for cell in np.flatnonzero(plane).tolist():
            links = int(plane[cell])
            point = document.point(cell, grid)
            leads_nowhere = True  # or only off the map, which no line can say
            for side, neighbour in enumerate(grid.neighbour_table[cell].tolist()):
                has_link = (links >> side) & 1
                if has_link and neighbour >= 0:
                    leads_nowhere = False
                    edges.append(edge_between(kind, point, document.point(neighbour, grid)))
            if leads_nowhere:
                lost_ways += 1
    return edges, lost_ways


def _word(name: str) -> str:
    """Return a name as one word of the program."""
    return re.sub(r"[^a-z0-9_]+", "-", name.lower()).strip("-") or "terrain"


def _distinct(words: Iterable[str]) -> list[str]:
    """Return words all different: one that came before gets a number behind it."""
    result = dict[str, None]()
    for word in words:
        candidate = word
        numbers = count(2)
        while candidate in result:
            candidate = f"{word}-{next(numbers)}"
        result[candidate] = None
    return list(result)
