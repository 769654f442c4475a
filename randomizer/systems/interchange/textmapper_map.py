"""Makes a map of the statements of a Text Mapper file.

All types of a hex together become one terrain, kinds of lines become ways, cliffs and comments of
ours hexsides. Text Mapper pushes even columns down; where the first column of a file is even, a
masked one is put before it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Planes
from randomizer.model.terrain.terrain import Hexside, Terrain, Way
from randomizer.model.terrain.terrain_check import MAX_HEXSIDES
from randomizer.model.things.thing_state import NO_STATE, State
from randomizer.model.things.things import Thing
from randomizer.systems.free.system import SYSTEM
from randomizer.systems.free.things import LABEL
from randomizer.systems.interchange.foreign.new_map import foreign_map
from randomizer.systems.interchange.foreign.terrain_codes import Codes
from randomizer.systems.interchange.foreign.ways import way_planes
from randomizer.systems.interchange.textmapper_document import POINTS, Document
from randomizer.systems.interchange.textmapper_statements import Edge, Region, Side
from randomizer.systems.interchange.textmapper_terrains import BLANK, CLIFF

PROGRAM = "Text Mapper"
"""The name of the program, and of the terrain sets of its maps."""

_STYLES = {"river": "water", "canal": "water", "road": "road", "rail": "rail", "railway": "rail"}
"""The styles of ways by words in the kinds of lines; "track" for other kinds."""

_COLOURS = {"water": "#3f86bd", "road": "#8a6d45", "rail": "#4a4540", "track": "#a3773f"}
"""The colours of ways by their styles."""

_HEXSIDE_COLOUR = "#7d5a3c"
"""The colour of hexsides other than cliffs."""


def map_of_document(document: Document) -> BattleMap:
    """Return the map of a document: regions become terrains and labels, lines ways."""
    grid = _grid_of(document)
    regions = {document.cell(point, grid): region for point, region in document.regions.items()}
    terrains, terrain_plane = _terrains_of(regions, grid)
    planes: Planes = {SYSTEM.terrain.name: terrain_plane}
    hexsides = _put_hexsides(planes, _sides_of(document, regions, grid), grid)
    links = _links_of(document, grid)
    planes |= way_planes(grid, dict(enumerate(links.values())))
    return foreign_map(
        PROGRAM,
        grid,
        (BLANK, *terrains),
        planes,
        hexsides=hexsides,
        ways=[_way(kind) for kind in links],
        things=_labels_of(regions, grid),
    )


def _grid_of(document: Document) -> Grid:
    """Return the grid of a document; its first column is hidden if the file has nothing there."""
    # The program pushes even columns down, this layout every second one from the second on. Where
    # the first column of the file is even, the document begins with one more, which is not shown.
    box = document.box
    mask = np.ones((box.height, box.width), np.bool_)
    mask[:, 0] = box.left in document.columns
    if mask.all():
        return Grid(FLAT, box.width, box.height)
    return Grid(FLAT, box.width, box.height, mask)


def _terrains_of(
    regions: Mapping[int, Region], grid: Grid
) -> tuple[list[Terrain], NDArray[np.uint16]]:
    """Return the terrains behind ``BLANK``, which is the first, and the plane of all of them.

    ``regions`` are by cells; a cell without one is blank. All types of a hex together are the code
    of one terrain.
    """
    # The words of a code tell which of our pictures a terrain gets.
    codes = Codes()
    numbers = {cell: codes.number(region.code) for cell, region in regions.items() if region.code}
    terrains, indices = codes.terrains(
        lambda code: code.lower().split(), np.array(list(numbers.values()), np.int64)
    )
    plane = SYSTEM.terrain.allocate(grid)
    plane.flat[list(numbers)] = indices + np.uint16(1)  # 0 is ``BLANK``
    distinct_terrains = list[Terrain]()
    for terrain in terrains:
        if terrain.name == BLANK.name:  # a file may have a type of this name, too
            terrain = replace(terrain, name=f"{terrain.name} (type)")
        distinct_terrains.append(terrain)
    return distinct_terrains, plane


class _SideOfCell(NamedTuple):
    """A hexside on the map."""

    cell: int

    side: int

    letter: str
    """The letter of the hexside in the terrain set."""


def _sides_of(document: Document, regions: Mapping[int, Region], grid: Grid) -> list[_SideOfCell]:
    """Return all hexsides on the map, cliffs last, as these replace others on the same side."""
    sides = list[_SideOfCell]()
    for line in document.lines:
        for fact in line.facts:
            if isinstance(fact, Side):
                cell = document.cell(fact.point, grid)
                sides.append(_SideOfCell(cell, fact.side, fact.letter))
    for cell, region in regions.items():
        sides += [_SideOfCell(cell, side, CLIFF.letter) for side in region.cliffs]
    # A comment of ours can name a hex that the map does not have.
    return [side for side in sides if side.cell >= 0]


def _put_hexsides(planes: Planes, sides: Sequence[_SideOfCell], grid: Grid) -> list[Hexside]:
    """Put hexsides into their plane, and return them in the order of their numbers there.

    Those for which a terrain set has no more room are left out.
    """
    further_letters = sorted({side.letter for side in sides} - {CLIFF.letter})
    letters = [CLIFF.letter, *further_letters][:MAX_HEXSIDES]
    if sides:
        plane = SYSTEM.hexside.allocate(grid)
        planes[SYSTEM.hexside.name] = plane
        values = plane.reshape(grid.size, -1)
        for cell, side, letter in sides:
            if letter in letters:
                values[cell, side] = letters.index(letter) + 1  # 0 is "no hexside"
    hexsides = [CLIFF]
    for letter in letters[1:]:
        hexsides.append(Hexside(f"hexside {letter}", letter, _HEXSIDE_COLOUR))
    return hexsides


def _links_of(document: Document, grid: Grid) -> dict[str, dict[int, int]]:
    """Return for each kind of lines the sides (bits) by which it leaves cells, by cell."""
    links = dict[str, dict[int, int]]()
    for line in document.lines:
        for fact in line.facts:
            if not isinstance(fact, Edge):
                continue
            sides_of_cell = links.setdefault(fact.kind, defaultdict(int))
            start = document.cell(fact.start, grid)
            end = document.cell(fact.end, grid)
            # The document has split lines into steps between neighbours.
            side = grid.neighbour_table[start].tolist().index(end)
            sides_of_cell[start] |= 1 << side
            sides_of_cell[end] |= 1 << grid.opposite(side)
    return links


def _way(kind: str) -> Way:
    """Return the way for a kind of lines, in the style of the first word that has one."""
    style = "track"
    for word in re.split(r"[^a-z]+", kind.lower()):
        if word in _STYLES:
            style = _STYLES[word]
            break
    return Way(kind, style, _COLOURS[style])


def _labels_of(regions: Mapping[int, Region], grid: Grid) -> list[Thing]:
    """Return the labels of regions as things, in the order of their cells."""
    labels = list[Thing]()
    for cell, region in sorted(regions.items()):
        if region.label:
            state = NO_STATE
            if region.size:
                state = State({POINTS: region.size})
            x, y = grid.centre(cell)
            labels.append(Thing(len(labels) + 1, LABEL, x, y, label=region.label, state=state))
    return labels
