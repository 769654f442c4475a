"""Painting with the colours of a Wang set: tiles that fit are chosen by sides and corners.

    tiles = paint_colour(battlemap, layer_id, painted_colour, cells)
    paint(battlemap, layer_id, "terrain", tiles.cells, tiles.terrains)      # hand/targets.py

A *Wang set* is a set of tiles, each of which has a colour at each of its sides and corners; tiles
that lie side by side should have one colour where they touch. This is what Tiled's terrain brush
does: what is painted gets the colour at all its sides and corners. The cells around it get tiles
that have the colour where they touch it, and what they had elsewhere. Where no such tile exists the
one with the least different colours is taken (grass, then sand, then sea), and the cells around
that one follow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.geometry.areas import Cells
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.hand.targets import topmost_part
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.wang_sets import PaintedColour, WangSet
from randomizer.model.planes.planes import PlaneSpec

MOST_RINGS = 6
"""The most rings of cells around what is painted that can change.

With fewer, colours that need many others between them would meet without these.
"""

_PARTS = 12
"""The points of sides and corners are told in so many parts of the distance of columns and of rows.

On all layouts these are whole numbers: the points lie at halves, thirds or quarters.
"""

_SPREAD = 2654435761
"""Knuth's multiplicative hash: cells beside one another get different tiles of the same kind."""

Point = tuple[int, int]
"""The point of a side (its middle) or of a corner, across and down in ``_PARTS``.

It is the same from all cells at it, so that squares and hexes are alike.
"""


class ChosenTiles(NamedTuple):
    """The cells that change, and their new tiles; both (n,)."""

    cells: Cells

    terrains: NDArray[np.int64]
    """The terrain of each cell, which is its tile."""


def paint_colour(
    battlemap: BattleMap, layer_id: int, painted: PaintedColour, cells: Cells
) -> ChosenTiles:
    """Return the tiles that are to be painted so that ``cells`` get a colour all round."""
    fitting = _Fitting(battlemap, layer_id, painted.wang_set)
    fitting.fill(cells.tolist(), painted.number)
    return fitting.result()


def paint_sides(
    battlemap: BattleMap,
    layer_id: int,
    painted: PaintedColour,
    sides: Iterable[tuple[int, int]],
) -> ChosenTiles:
    """Return the tiles that are to be painted so that sides of cells get a colour.

    ``sides`` are pairs of a cell and the number of its side.
    """
    fitting = _Fitting(battlemap, layer_id, painted.wang_set)
    fitting.draw_sides(sides, painted.number)
    return fitting.result()


class _Fitting:
    """Chooses tiles of one set for cells of a map, which it only reads.

    A tile is a row of the arrays of the set, and a *position* a side or a corner of a cell: a
    column of these. A colour is *decided* at a point once a chosen tile, or the hand, has it there;
    all cells at that point have to follow. An instance is made for one stroke: it is given one
    ``fill`` or ``draw_sides``, and then has the ``result``.
    """

    def __init__(self, battlemap: BattleMap, layer_id: int, wang_set: WangSet) -> None:
        self._grid = battlemap.grid
        self._set = wang_set
        terrain_by_code: dict[str, int] = {}
        for number, terrain in enumerate(battlemap.terrain_set.terrains):
            terrain_by_code.setdefault(terrain.code, number)  # the first of several
        terrains = [terrain_by_code.get(code, -1) for code in wang_set.codes]
        self._terrains = np.array(terrains, np.int64)
        """The terrain of the map that each tile is, (tiles,); -1 for none."""
        self._row_of_terrain: dict[int, int] = {}
        """The tile that each terrain of the map is."""
        for row, number in enumerate(terrains):
            self._row_of_terrain.setdefault(number, row)
        self._is_known = self._terrains >= 0
        spec = battlemap.system.terrain
        assert spec is not None, "maps with Wang sets have terrains"
        self._unset = spec.unset
        self._current = _terrains_set(battlemap, layer_id, spec)
        """The terrain that each cell has now, (cells,)."""
        self._active = np.flatnonzero(wang_set.active).tolist()
        """The positions at which tiles of the set have colours."""
        self._colours = dict[Point, int]()
        """The colours that are decided, by points."""
        self._rows = dict[int, int]()
        """The tiles that were chosen, by cells."""

    @cached_property
    def _offsets(self) -> list[tuple[float, float]]:
        """The steps from the centre of a cell to each position: its sides' middles, its corners."""
        corners = self._grid.layout.corners
        middles = []
        for side, (start_x, start_y) in enumerate(corners):
            end_x, end_y = corners[(side + 1) % len(corners)]
            middles.append(((start_x + end_x) / 2, (start_y + end_y) / 2))
        return [*middles, *corners]

    def fill(self, cells: list[int], colour: int) -> None:
        """Give cells a colour everywhere, and let those around them follow."""
        target_colours = np.zeros(len(self._set.active), np.int64)
        target_colours[self._active] = colour
        nothing_decided = np.zeros(len(target_colours), np.bool_)
        rows = self._best_rows(target_colours, nothing_decided)
        if not len(rows):
            return
        filled = set(cells)
        border = list[int]()
        for cell in cells:
            self._rows[cell] = self._chosen_row(rows, cell)
            if not filled.issuperset(_cells_around(self._grid, cell)):
                border.append(cell)
        cells_around_border = set[int]()
        for cell in border:
            self._decide(cell, self._set.values[self._rows[cell]])
            cells_around_border.update(_cells_around(self._grid, cell))
        self._fit(cells_around_border - filled, filled)

    def draw_sides(self, sides: Iterable[tuple[int, int]], colour: int) -> None:
        """Give sides a colour, and let the cells at them, then those around, follow."""
        cells = list[int]()
        for cell, side in sides:
            self._colours[self._point(cell, side)] = colour
            cells.append(cell)
            twin = self._grid.twin(cell, side)
            if twin is not None:
                cells.append(twin[0])
        changed = set[int]()
        for touched in cells:
            changed |= self._refit(touched, is_painted=True)
        self._fit(changed - set(cells), set(cells))

    def result(self) -> ChosenTiles:
        """Return the cells that get other tiles, and these, in the order of the cells."""
        cells = np.array(sorted(self._rows), np.intp)
        rows = np.array([self._rows[cell] for cell in cells.tolist()], np.intp)
        terrains = self._terrains[rows]
        is_changed = self._current[cells] != terrains
        return ChosenTiles(cells[is_changed], terrains[is_changed])

    def _fit(self, cells: set[int], finished: set[int]) -> None:
        """Fit cells to the colours that are decided, ring by ring outwards.

        Of the cells of a ring those come first of which most is decided.
        """
        finished = set(finished)
        for _ring in range(MOST_RINGS):
            waiting = [cell for cell in cells if self._differs(cell)]
            waiting.sort(key=lambda cell: (-self._count_decided(cell), cell))
            finished.update(waiting)
            cells = set()
            for cell in waiting:
                cells |= self._refit(cell, is_painted=False)
            cells -= finished
            if not cells:
                return

    def _refit(self, cell: int, *, is_painted: bool) -> set[int]:
        """Choose the tile of a cell; return the cells around it that it may not fit any more.

        A cell that shows no tile of the set gets one only if that has nothing but what is decided;
        what another tile is on is left alone, unless a hand paints there.
        """
        current = self._present_colours(cell)
        is_empty = current is None
        if current is None:
            if self._current[cell] != self._unset and not is_painted:
                return set()
            current = np.zeros(len(self._set.active), np.int64)

        # The colours that the cell should have: those that are decided, and its own elsewhere.
        target_colours = current.copy()
        is_decided = np.zeros(len(target_colours), np.bool_)
        for position in self._active:
            colour = self._colours.get(self._point(cell, position))
            if colour is not None:
                target_colours[position] = colour
                is_decided[position] = True
        rows = self._best_rows(target_colours, is_decided)
        if not len(rows):
            return set()
        row = self._chosen_row(rows, cell)
        colours = self._set.values[row]
        if is_empty and (colours != target_colours).any():
            return set()

        self._rows[cell] = row
        self._decide(cell, colours)
        changed_points = set[Point]()
        for position in self._active:
            if colours[position] != current[position]:
                changed_points.add(self._point(cell, position))
        return {
            near_cell
            for near_cell in _cells_around(self._grid, cell)
            if not changed_points.isdisjoint(self._points(near_cell))
        }

    def _best_rows(
        self, target_colours: NDArray[np.int64], is_decided: NDArray[np.bool_]
    ) -> NDArray[np.intp]:
        """Return the tiles with all decided colours that differ least from the others.

        Both arrays have one entry for each position.
        """
        values = self._set.values
        has_decided_colours = (values[:, is_decided] == target_colours[is_decided]).all(axis=1)
        rows = np.flatnonzero(self._is_known & has_decided_colours)
        if not len(rows):
            return rows
        differences = self._set.distances[target_colours, values[rows]].sum(axis=1)
        best: NDArray[np.intp] = rows[differences == differences.min()]
        return best

    def _chosen_row(self, rows: NDArray[np.intp], cell: int) -> int:
        """Return the row of the present tile if it is among them, else one by their weights.

        The same cell gets the same tile, so that the preview shows what will be painted.
        """
        present = self._row_of_terrain.get(int(self._current[cell]))
        if present is not None and present in rows:
            return int(present)
        ends_of_weights = np.cumsum(self._set.weights[rows])
        share = (cell + 1) * _SPREAD % 2**32 / 2**32  # 0 to below 1, as if at random
        index = int(np.searchsorted(ends_of_weights, share * ends_of_weights[-1], side="right"))
        return int(rows[min(index, len(rows) - 1)])

    def _decide(self, cell: int, values: NDArray[np.int64]) -> None:
        """Decide the colours of a tile at all points of a cell where none was decided before."""
        for position in self._active:
            self._colours.setdefault(self._point(cell, position), int(values[position]))

    def _present_colours(self, cell: int) -> NDArray[np.int64] | None:
        """Return the colours of the tile of a cell; None if it is none of the set."""
        row = self._row_of_terrain.get(int(self._current[cell]))
        if row is None:
            return None
        values: NDArray[np.int64] = self._set.values[row]
        return values

    def _differs(self, cell: int) -> bool:
        """Return whether a cell has another colour than one that is decided at any point."""
        values = self._present_colours(cell)
        for position in self._active:
            decided_colour = self._colours.get(self._point(cell, position))
            if decided_colour is None:
                continue
            present_colour = 0  # no colour
            if values is not None:
                present_colour = int(values[position])
            if decided_colour != present_colour:
                return True
        return False

    def _count_decided(self, cell: int) -> int:
        """Return at how many points of a cell a colour is decided."""
        return sum(point in self._colours for point in self._points(cell))

    def _points(self, cell: int) -> Iterator[Point]:
        """Yield the points of a cell at which tiles have colours."""
        for position in self._active:
            yield self._point(cell, position)

    def _point(self, cell: int, position: int) -> Point:
        """Return the point of a side or a corner of a cell."""
        grid = self._grid
        x, y = grid.centre(cell)
        right, down = self._offsets[position]
        parts_across = round((x + right) / grid.layout.column_distance * _PARTS)
        if grid.wrap:  # what lies at the seam is at the left and at the right of the map
            parts_across %= grid.width * _PARTS
        parts_down = round((y + down) / grid.layout.row_distance * _PARTS)
        return parts_across, parts_down


def _terrains_set(battlemap: BattleMap, layer_id: int, spec: PlaneSpec) -> NDArray[np.int64]:
    """Return the terrain that a layer and the visible ones above it set in each cell, (size,).

    ``unset`` where none of them sets one.
    """
    lowest = battlemap.index_of(topmost_part(battlemap, layer_id).id)
    values = np.full(battlemap.grid.size, spec.unset, np.int64)
    for layer in battlemap.layers[lowest:]:
        plane = layer.planes.get(spec.name)
        if layer.visible and plane is not None:
            flat = plane.reshape(-1)
            is_set = flat != spec.unset
            values[is_set] = flat[is_set]
    return values


def _cells_around(grid: Grid, cell: int) -> Iterator[int]:
    """Yield the cells that share a side or a corner with one."""
    if grid.layout is not SQUARE:
        yield from grid.neighbours(cell)
        return
    x, y = grid.xy(cell)
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            near = grid.cell(x + right, y + down)
            if near >= 0 and near != cell:
                yield near
