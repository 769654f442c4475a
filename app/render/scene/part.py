"""A part of a map: the cells of which batches are made, with the values in and around them.

``ScenePart`` is what ``Scene`` and its modules read of a map. They get all cells of a view or of a
picture at once, as arrays:

    part = ScenePart(battlemap, battlemap.composite(), Overlays(), battlemap.grid.cells)
    is_shore = ((part.terrain == water) & (part.terrain_around != water)).any(axis=0)
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from app.render.cell_values.cell_colours import DEEPEST, HIGHEST
from app.render.cell_values.opacity_passes import SINGLE_PASS, OpacityPass
from app.render.overlay_options import Overlays
from app.render.pictures.ground_phase import phases_at
from app.render.scene.text_boxes import NO_BOXES, TextBoxes
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import Shear
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite
from randomizer.model.planes.planes import Plane, PlaneSpec, is_blank
from randomizer.model.planes.routes import RouteSpec
from randomizer.model.system.system import System

FAR_FROM_END = 5
"""Nothing that is drawn for a cell reaches an end of the map that is so many cells away."""

NOWHERE = -100
"""Stands for the elevation of a cell that does not exist; it is below ``DEEPEST``."""


@dataclass(eq=False)
class ScenePart:
    """Existing cells of a map as one opacity pass shows them, with values that batches are made of.

    Scenes make batches of parts. Values are worked out when they are first read, and then stored:
    a part is for one frame or export, and is wrong after the map has changed.

    Arrays of shape (degree, n) have a row for each side of a cell: ``terrain_around[2, 5]`` is the
    terrain beyond the side 2 of the sixth cell. -1 stands for a neighbour that does not exist.
    """

    battlemap: BattleMap
    """The map that is drawn."""

    composite: Composite
    """The values that its cells show, of all layers together."""

    overlays: Overlays
    """What the user wants to see over the ground, or not."""

    cells: NDArray[np.intp]
    """The cells of the part, ascending, shape (n,)."""

    opacity_pass: OpacityPass = SINGLE_PASS[0]
    """Which layers the part shows; see ``opacity_passes``."""

    rows_in_whole: NDArray[np.intp] | None = None
    """The indices (n,) of ``cells`` among those of the part from which ``in_pass`` chose them.

    None if it chose all, or if the part was not made by ``in_pass``.
    """

    is_on_screen: bool = False
    """True if it is drawn on a screen, where type has a least size."""

    is_dark: NDArray[np.bool_] | None = None
    """True for cells (n,) that a heat map darkens so much that texts on them must be light."""

    occupied_boxes: TextBoxes = NO_BOXES
    """Boxes of the names of things and regions, for which the texts of cells make way."""

    @property
    def grid(self) -> Grid:
        """The grid of the map."""
        return self.battlemap.grid

    @property
    def system(self) -> System:
        """The system of the map."""
        return self.battlemap.system

    @cached_property
    def centres(self) -> NDArray[np.float64]:
        """The centres of the cells (n, 2), in map units."""
        return self.grid.centres_of(self.cells)

    @cached_property
    def routes(self) -> tuple[RouteSpec, ...]:
        """The routes that the map can have, in the order of lists."""
        return self.system.routes_of(self.composite.terrain_set)

    @cached_property
    def phases(self) -> NDArray[np.intp]:
        """The phases (n,) of the ground that the cells show."""
        return phases_at(self.grid.layout, self.centres)

    def of_rows(self, rows: NDArray[np.intp]) -> ScenePart:
        """Return the part with only some of its cells, by their indices; without texts."""
        return ScenePart(
            self.battlemap, self.composite, self.overlays, self.cells[rows], self.opacity_pass
        )

    def in_pass(self, opacity_pass: OpacityPass, specs: tuple[PlaneSpec, ...]) -> ScenePart:
        """Return the part with those cells for which a pass draws the planes of ``specs``.

        It has none of the fields that concern texts: these are drawn over all passes.
        """
        is_drawn = opacity_pass.draws(specs, self.cells)
        if is_drawn is not None:
            rows = np.flatnonzero(is_drawn)
            cells = self.cells[rows]
            return ScenePart(
                self.battlemap,
                self.composite,
                self.overlays,
                cells,
                opacity_pass,
                rows_in_whole=rows,
            )
        if opacity_pass is self.opacity_pass:
            return self
        return ScenePart(self.battlemap, self.composite, self.overlays, self.cells, opacity_pass)

    # --- values -----------------------------------------------------------------------------

    def values(self, spec: PlaneSpec | None) -> Plane:
        """Return the values of a plane at the cells, (n,) or (n, degree); 0 for None."""
        return self.values_at(spec, self.cells)

    def values_at(self, spec: PlaneSpec | None, cells: NDArray[np.intp]) -> Plane:
        """Return the values of a plane at any existing ``cells`` (n,), as ``values`` does."""
        if spec is None:
            return np.zeros(len(cells), np.intp)
        return self.opacity_pass.values(self.composite, spec, cells)

    def sides_at(
        self, spec: PlaneSpec, cells: NDArray[np.intp], sides: NDArray[np.intp] | int
    ) -> Plane:
        """Return values (n,) of a plane of sides at ``sides`` (n,) of existing ``cells`` (n,)."""
        if self.opacity_pass.shows_composite:
            plane = self.composite.planes[spec.name]
            return np.asarray(plane.reshape(-1)[cells * self.grid.degree + sides])
        return np.asarray(self.values_at(spec, cells)[np.arange(len(cells)), sides])

    @cached_property
    def terrain(self) -> NDArray[np.intp]:
        """The terrain codes (n,)."""
        return np.minimum(self.values(self.system.terrain), self._last_terrain).astype(np.intp)

    @property
    def _last_terrain(self) -> int:
        """The highest code of the terrain set.

        A damaged map can have higher ones, for which there is no picture: they are drawn as this.
        """
        return len(self.composite.terrain_set.terrains) - 1

    @cached_property
    def terrain_around(self) -> NDArray[np.intp]:
        """The terrain codes beyond the sides, (degree, n), -1 where there is no cell."""
        return self._terrain_beyond(self.neighbour_cells)

    @cached_property
    def terrain_at_corners(self) -> NDArray[np.intp]:
        """The terrain codes beyond the corners of squares, (4, n), -1 where there is no cell."""
        return self._terrain_beyond(self._corner_cells)

    def _terrain_beyond(self, cells: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return the terrain codes of ``cells`` (any shape), -1 where they are -1."""
        limits = (0, self._last_terrain)
        return self._values_beyond(self.system.terrain, cells, limits, if_missing=-1)

    def _values_beyond(
        self,
        spec: PlaneSpec | None,
        cells: NDArray[np.intp],
        limits: tuple[int, int],
        *,
        if_missing: int,
    ) -> NDArray[np.intp]:
        """Return the values of a cell plane at neighbours, ``cells`` of any shape.

        Values below or above the ``limits`` become these; ``if_missing`` is the value of cells that
        are -1.
        """
        lowest, highest = limits
        # Most parts lie within the map: then no cell is -1, and two passes over arrays are saved.
        existing = cells.ravel()
        if not self._is_interior:
            existing = np.maximum(existing, 0)
        values = self.values_at(spec, existing).astype(np.intp)
        result = np.minimum(np.maximum(values, lowest), highest).reshape(cells.shape)
        if self._is_interior:
            return result
        return np.where(cells >= 0, result, if_missing)

    @cached_property
    def elevation(self) -> NDArray[np.intp]:
        """The elevations (n,) that are shown, from ``DEEPEST`` to ``HIGHEST``; 0 if none are."""
        if self.is_flat:
            return np.zeros(len(self.cells), np.intp)
        values = self.values(self.system.elevation).astype(np.intp)
        return np.minimum(np.maximum(values, DEEPEST), HIGHEST)

    @cached_property
    def is_flat(self) -> bool:
        """True if no elevation is shown anywhere."""
        spec = self.system.elevation
        if spec is None or not self.overlays.elevation:
            return True
        return self.opacity_pass.shows_composite and is_blank(self.composite.planes[spec.name])

    @cached_property
    def rises(self) -> NDArray[np.intp]:
        """The differences of elevation to the neighbours, positive if those are higher.

        0 where there is no cell. Shape (degree, n); of squares (8, n): those beyond the four
        corners follow those beyond the sides.
        """
        cells = self.neighbour_cells
        if self.grid.degree == 4:
            cells = np.concatenate([cells, self._corner_cells])
        if self.is_flat:
            return np.zeros(cells.shape, np.intp)
        elevation = self.system.elevation
        limits = (DEEPEST, HIGHEST)
        result = self._values_beyond(elevation, cells, limits, if_missing=NOWHERE)
        if self._is_interior:
            return result - self.elevation
        return np.where(result == NOWHERE, 0, result - self.elevation)

    @cached_property
    def is_same_beyond(self) -> NDArray[np.bool_]:
        """True if cells of the same terrain and elevation lie beyond the sides, (degree, n)."""
        is_same: NDArray[np.bool_] = self.terrain_around == self.terrain
        if self.is_flat:
            return is_same
        is_same &= self.rises[: self.grid.degree] == 0
        return is_same

    @cached_property
    def same_sides(self) -> NDArray[np.intp]:
        """Bit masks (n,) of the sides of ``is_same_beyond``."""
        return bit_masks(self.is_same_beyond)

    # --- neighbours -------------------------------------------------------------------------

    @cached_property
    def _corner_cells(self) -> NDArray[np.intp]:
        """The squares beyond the corners, (4, n), -1 where there is none."""
        result = []
        for corner in range(4):
            # The corner 2 lies between the sides 1 and 2: the square beyond it is reached over the
            # side 1, and from there over the side 2.
            beside = self.neighbour_cells[corner - 1]
            if self._is_interior:
                result.append(beside + self._steps[corner])
            else:
                beyond = self.grid.neighbours_of(np.maximum(beside, 0), corner)
                result.append(np.where(beside >= 0, beyond, -1))
        return self._without_undrawn(np.stack(result))

    def _without_undrawn(self, cells: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return neighbours (any shape) with -1 for those that the pass does not draw.

        Only a pass that ``is_alone`` leaves cells out: it shows its layers as if no others were.
        """
        if not self.opacity_pass.is_alone:
            return cells
        specs = tuple(spec for spec in (self.system.terrain, self.system.elevation) if spec)
        is_drawn = self.opacity_pass.draws(specs, np.maximum(cells.ravel(), 0))
        if is_drawn is None:
            return cells
        return np.where(is_drawn.reshape(cells.shape), cells, -1)

    def neighbours(self, side: int) -> NDArray[np.intp]:
        """Return the cells (n,) beyond a side, -1 where there is none."""
        return np.asarray(self.neighbour_cells[side])

    @cached_property
    def neighbour_cells(self) -> NDArray[np.intp]:
        """The cells beyond the sides, (degree, n), -1 where there is none."""
        if self._is_interior:
            return self.cells + self._steps
        return self._without_undrawn(self.grid.all_neighbours_of(self.cells))

    @cached_property
    def _is_interior(self) -> bool:
        """True if every cell has all its neighbours, in the next rows and columns of the plane.

        Then neighbours are found by adding offsets (``_steps``), several times faster than by the
        grid.
        """
        grid = self.grid
        if grid.mask is not None or self.opacity_pass.is_alone or not len(self.cells):
            return False
        return self._cells_to_end > 0

    @cached_property
    def is_far_from_ends(self) -> bool:
        """True if no cell lies near the edge of the map, or near the seam of one that wraps.

        False if some may lie there: of maps with a mask and of upright grids it is not worked out.
        """
        grid = self.grid
        # The columns of an upright grid are not those that one sees.
        if grid.mask is not None or grid.upright or not len(self.cells):
            return False
        return self._cells_to_end >= FAR_FROM_END

    @cached_property
    def _cells_to_end(self) -> int:
        """The number of cells of the plane beyond the part, on the side where these are fewest."""
        ys, xs = self._positions
        above = ys[0]  # the cells are ascending, and so are their rows
        below = self.grid.height - 1 - ys[-1]
        right = self.grid.width - 1 - xs.max()
        return int(min(above, below, xs.min(), right))

    @cached_property
    def _positions(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The rows and the columns of the cells in the plane, (n,) each."""
        ys, xs = np.divmod(self.cells, self.grid.width)
        return ys, xs

    @cached_property
    def _steps(self) -> NDArray[np.intp]:
        """The offsets in the plane of the cells beyond the sides.

        Their shape is (degree, n), or (degree, 1) on layouts in which those of all cells are the
        same: neither columns nor rows are shifted there.
        """
        even, odd = self.grid.steps_in_plane
        if self.grid.layout.shear not in (Shear.COLUMNS, Shear.ROWS):
            return even
        ys, xs = self._positions
        if self.grid.layout.shear is Shear.COLUMNS:
            is_odd = xs & 1
        else:
            is_odd = ys & 1
        return np.where(is_odd, odd, even)


def bit_masks(marks: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return bit masks (n,) of ``marks`` (bits, n), which have 8 rows at most.

    Row i becomes bit i: the marks of one cell [True, False, True] are the mask 0b101.
    """
    (masks,) = np.packbits(marks, axis=0, bitorder="little")
    return np.asarray(masks, np.intp)
