"""Painting with the colours of a Wang set: tiles that fit are chosen by sides and corners.

    tiles = paint_colour(battlemap, layer_id, painted_colour, cells)
    paint(battlemap, layer_id, "terrain", tiles.cells, tiles.terrains)      # hand/targets.py

A *Wang set* is a set of tiles, each of which has a colour at each of its sides and corners; tiles
that lie side by side should have one colour where they touch. This is what Tiled's terrain brush
does: what is painted gets the colour at all its sides and corners. The cells around it get tiles
that have the colour where they touch it, and what they had elsewhere. Where no such tile exists the
one with the least different colours is taken, and the cells around that one follow. Sea (S) is
painted into grass (G) with a set that has tiles of sea and sand (~) and of sand and grass (-), but
none of sea and grass::

    before        painted       first ring    second ring
    G G G G G     G G G G G     G G G G G     - - - - -
    G G G G G     G G G G G     G ~ ~ ~ G     - ~ ~ ~ -
    G G G G G     G G S G G     G ~ S ~ G     - ~ S ~ -
    G G G G G     G G G G G     G ~ ~ ~ G     - ~ ~ ~ -
    G G G G G     G G G G G     G G G G G     - - - - -

A tile has three numbers here: its *row* in the arrays of the set, the *terrain* of the map that it
is (an index in the terrain set, as planes have it), and its code, by which the two are matched.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.geometry.areas import Cells
from randomizer.geometry.wang_points import Point, WangPoints, cells_around
from randomizer.model.hand.targets import topmost_part
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.wang_sets import PaintedColour, WangSet
from randomizer.model.planes.planes import PlaneSpec

MAX_RINGS = 6
"""The most rings of cells around what is painted that can change.

With fewer, colours that need many others between them would meet without these. What does not fit
beyond the last ring stays as it is.
"""

_SPREAD = 2654435761
"""Knuth's multiplicative hash: cells beside one another get different tiles of the same kind."""

_NO_COLOUR = 0
"""The number in ``WangSet.values`` where a tile has no colour; those of colours begin with 1."""


class ChosenTiles(NamedTuple):
    """The cells that change, and their new tiles; both (n,)."""

    cells: Cells

    terrains: NDArray[np.int64]
    """The terrain of each cell, which is its tile."""


def paint_colour(
    battlemap: BattleMap, layer_id: int, painted: PaintedColour, cells: Cells
) -> ChosenTiles:
    """Return the tiles that are to be painted so that ``cells`` get a colour all round."""
    stroke = _Stroke(battlemap, layer_id, painted.wang_set)
    stroke.fill(cells.tolist(), painted.number)
    return stroke.result()


def paint_sides(
    battlemap: BattleMap,
    layer_id: int,
    painted: PaintedColour,
    sides: Iterable[tuple[int, int]],
) -> ChosenTiles:
    """Return the tiles that are to be painted so that sides of cells get a colour.

    ``sides`` are pairs of a cell and the number of its side.
    """
    stroke = _Stroke(battlemap, layer_id, painted.wang_set)
    stroke.draw_sides(sides, painted.number)
    return stroke.result()


class _Stroke:
    """Chooses tiles of one set for the cells of a map, which it only reads.

    A colour is *fixed* at a point once a chosen tile, or the hand, has it there; all cells at that
    point have to follow. An instance is made for one stroke: it is given one ``fill`` or
    ``draw_sides``, and then has the ``result``.
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
        """The row of the tile that each terrain of the map is."""
        for row, number in enumerate(terrains):
            if number >= 0:
                self._row_of_terrain.setdefault(number, row)
        spec = battlemap.system.terrain
        assert spec is not None, "maps with Wang sets have terrains"
        self._unset = spec.unset
        self._present_terrains = _terrains_set(battlemap, layer_id, spec)
        """The terrain that each cell has before the stroke, (cells,)."""
        self._points = WangPoints(battlemap.grid, np.flatnonzero(wang_set.active).tolist())
        self._fixed_colours = dict[Point, int]()
        """The colours that are fixed, by points."""
        self._chosen_rows = dict[int, int]()
        """The rows of the tiles that were chosen, by cells."""

    # --- the two strokes --------------------------------------------------------------------

    def fill(self, cells: list[int], colour: int) -> None:
        """Give cells a colour everywhere, and let those around them follow."""
        target_colours = self._no_colours()
        target_colours[self._points.positions] = colour
        nothing_fixed = np.zeros(len(target_colours), np.bool_)
        rows = self._best_rows(target_colours, nothing_fixed)
        if not len(rows):
            return
        filled = set(cells)
        border = list[int]()
        for cell in cells:
            self._chosen_rows[cell] = self._pick_row(rows, cell)
            if not filled.issuperset(cells_around(self._grid, cell)):
                border.append(cell)
        cells_around_border = set[int]()
        for cell in border:
            self._fix_colours(cell, self._set.values[self._chosen_rows[cell]])
            cells_around_border.update(cells_around(self._grid, cell))
        self._follow_in_rings(cells_around_border - filled, filled)

    def draw_sides(self, sides: Iterable[tuple[int, int]], colour: int) -> None:
        """Give sides a colour, and let the cells at them, then those around, follow."""
        cells = list[int]()
        for cell, side in sides:
            self._fixed_colours[self._points.point(cell, side)] = colour
            cells.append(cell)
            twin = self._grid.twin(cell, side)
            if twin is not None:
                cells.append(twin[0])
        cells_to_follow = set[int]()
        for painted_cell in cells:
            cells_to_follow |= self._choose_tile(painted_cell, is_painted=True)
        self._follow_in_rings(cells_to_follow - set(cells), set(cells))

    def result(self) -> ChosenTiles:
        """Return the cells that get other tiles, and these, in the order of the cells."""
        cells = np.array(sorted(self._chosen_rows), np.intp)
        rows = np.array([self._chosen_rows[cell] for cell in cells.tolist()], np.intp)
        terrains = self._terrains[rows]
        is_changed = self._present_terrains[cells] != terrains
        return ChosenTiles(cells[is_changed], terrains[is_changed])

    # --- the cells around -------------------------------------------------------------------

    def _follow_in_rings(self, cells: set[int], finished: set[int]) -> None:
        """Choose tiles for cells that do not fit the fixed colours, ring by ring outwards.

        Each cell is looked at once: those of ``finished`` are not changed any more.
        """
        finished = set(finished)
        for _ring in range(MAX_RINGS):
            ring = [cell for cell in cells if not self._fits(cell)]
            # The cells at which most colours are fixed come first: they have the least choice.
            ring.sort(key=lambda cell: (-self._count_fixed(cell), cell))
            finished.update(ring)
            cells = set()
            for cell in ring:
                cells |= self._choose_tile(cell, is_painted=False)
            cells -= finished
            if not cells:
                return

    def _fits(self, cell: int) -> bool:
        """Return whether a cell has the fixed colour at each of its points that has one."""
        colours = self._present_colours(cell)
        for position in self._points.positions:
            fixed_colour = self._fixed_colours.get(self._points.point(cell, position))
            if fixed_colour is not None and fixed_colour != colours[position]:
                return False
        return True

    def _count_fixed(self, cell: int) -> int:
        """Return at how many points of a cell a colour is fixed."""
        return sum(point in self._fixed_colours for point in self._points.points(cell))

    # --- one cell ---------------------------------------------------------------------------

    def _choose_tile(self, cell: int, *, is_painted: bool) -> set[int]:
        """Choose the tile of a cell; return the cells around it that it may not fit any more.

        ``is_painted`` is True for the cells that the user paints; others only follow. Which of them
        may get a tile::

            the cell shows                     painted    follows
            a tile of the set                  yes        yes
            nothing                            if a tile has exactly the fixed colours
            a tile that is not of the set      likewise   no
        """
        present_terrain = int(self._present_terrains[cell])
        shows_tile_of_set = present_terrain in self._row_of_terrain
        if not shows_tile_of_set and present_terrain != self._unset and not is_painted:
            return set()

        # The colours that the cell should have: those that are fixed, and its own elsewhere.
        present_colours = self._present_colours(cell)
        target_colours = present_colours.copy()
        is_fixed = np.zeros(len(target_colours), np.bool_)
        for position in self._points.positions:
            colour = self._fixed_colours.get(self._points.point(cell, position))
            if colour is not None:
                target_colours[position] = colour
                is_fixed[position] = True
        rows = self._best_rows(target_colours, is_fixed)
        if not len(rows):
            return set()
        row = self._pick_row(rows, cell)
        colours = self._set.values[row]
        if not shows_tile_of_set and (colours != target_colours).any():
            return set()

        self._chosen_rows[cell] = row
        self._fix_colours(cell, colours)
        changed_points = set[Point]()
        for position in self._points.positions:
            if colours[position] != present_colours[position]:
                changed_points.add(self._points.point(cell, position))
        return {
            near_cell
            for near_cell in cells_around(self._grid, cell)
            if not changed_points.isdisjoint(self._points.points(near_cell))
        }

    def _present_colours(self, cell: int) -> NDArray[np.int64]:
        """Return the colours of the tile of a cell by position, none if it is not of the set."""
        row = self._row_of_terrain.get(int(self._present_terrains[cell]))
        if row is None:
            return self._no_colours()
        colours: NDArray[np.int64] = self._set.values[row]
        return colours

    def _no_colours(self) -> NDArray[np.int64]:
        """Return a new array of colours by position, without any."""
        return np.full(len(self._set.active), _NO_COLOUR, np.int64)

    def _fix_colours(self, cell: int, colours: NDArray[np.int64]) -> None:
        """Fix the colours of a tile at all points of a cell where none was fixed before."""
        for position in self._points.positions:
            self._fixed_colours.setdefault(
                self._points.point(cell, position), int(colours[position])
            )

    def _best_rows(
        self, target_colours: NDArray[np.int64], is_fixed: NDArray[np.bool_]
    ) -> NDArray[np.intp]:
        """Return the tiles with all fixed colours that differ least from the other target colours.

        Both arrays have one entry for each position. The result is empty if no tile has the fixed
        colours.
        """
        colours = self._set.values
        has_fixed_colours = (colours[:, is_fixed] == target_colours[is_fixed]).all(axis=1)
        is_on_map = self._terrains >= 0
        rows = np.flatnonzero(is_on_map & has_fixed_colours)
        if not len(rows):
            return rows
        differences = self._set.distances[target_colours, colours[rows]].sum(axis=1)
        best: NDArray[np.intp] = rows[differences == differences.min()]
        return best

    def _pick_row(self, rows: NDArray[np.intp], cell: int) -> int:
        """Return the row of the present tile if it is among them, else one by their weights.

        The same cell gets the same tile, so that the preview shows what will be painted.
        """
        present_row = self._row_of_terrain.get(int(self._present_terrains[cell]))
        if present_row is not None and present_row in rows:
            return int(present_row)
        ends_of_weights = np.cumsum(self._set.weights[rows])
        share = (cell + 1) * _SPREAD % 2**32 / 2**32  # 0 to below 1, as if at random
        index = int(np.searchsorted(ends_of_weights, share * ends_of_weights[-1], side="right"))
        return int(rows[min(index, len(rows) - 1)])


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
