"""A part of a map: the cells of which batches are made, and what lies around them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from app.render.cell_values.cell_colours import DEEPEST, HIGHEST
from app.render.cell_values.opacity_passes import SINGLE_PASS, OpacityPass
from app.render.overlay_options import Overlays
from app.render.scene.text_boxes import NO_BOXES, TextBoxes
from randomizer.model.grid.grid import Grid
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite
from randomizer.model.planes.planes import Plane, PlaneSpec, is_blank
from randomizer.model.system.system import System

NOWHERE = -100
"""Stands for the elevation of a cell that does not exist."""


@dataclass(eq=False)
class ScenePart:
    """The existing ``cells`` (n,), ascending, of a map as one opacity pass shows them.

    ``base`` (n,) are the places of ``cells`` among those of the part that this one was made of.
    ``screen``: it is drawn on a screen, where type has a least size. ``dark`` (n,): under a heat
    map these cells are so dark that texts on them must be light. ``taken``: where names stand, for
    which texts of cells make way.
    """

    battlemap: BattleMap
    composite: Composite
    overlays: Overlays
    cells: NDArray[np.intp]
    shown: OpacityPass = SINGLE_PASS[0]
    base: NDArray[np.intp] | None = None
    screen: bool = False
    dark: NDArray[np.bool_] | None = None
    taken: TextBoxes = NO_BOXES

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

    def in_pass(self, shown: OpacityPass, specs: tuple[PlaneSpec, ...]) -> ScenePart:
        """Return what ``shown`` draws of this part, as far as these planes go."""
        drawn = shown.draws(specs, self.cells)
        if drawn is None and shown is self.shown:
            return self
        base = None if drawn is None else np.flatnonzero(drawn)
        cells = self.cells if base is None else self.cells[base]
        return ScenePart(self.battlemap, self.composite, self.overlays, cells, shown, base)

    # --- values -----------------------------------------------------------------------------

    def values(self, spec: PlaneSpec | None) -> Plane:
        """Return the values of a plane at the cells, (n,) or (n, degree); 0 for None."""
        return self.values_at(spec, self.cells)

    def values_at(self, spec: PlaneSpec | None, cells: NDArray[np.intp]) -> Plane:
        """Return the values of a plane at any existing cells."""
        if spec is None:
            return np.zeros(len(cells), np.intp)
        return self.shown.values(self.composite, spec, cells)

    def sides_at(
        self, spec: PlaneSpec, cells: NDArray[np.intp], sides: NDArray[np.intp] | int
    ) -> Plane:
        """Return values (n,) of a plane of sides at ``sides`` (n,) of existing ``cells`` (n,)."""
        if self.shown.own is None:
            plane = self.composite.planes[spec.name]
            return np.asarray(plane.reshape(-1)[cells * self.grid.degree + sides])
        return np.asarray(self.values_at(spec, cells)[np.arange(len(cells)), sides])

    @cached_property
    def terrain(self) -> NDArray[np.intp]:
        """The terrain codes (n,)."""
        return np.minimum(self.values(self.system.terrain), self._last_terrain).astype(np.intp)

    @property
    def _last_terrain(self) -> int:
        return len(self.composite.terrain_set.terrains) - 1

    @cached_property
    def terrain_around(self) -> NDArray[np.intp]:
        """The terrain codes beyond the sides, (degree, n), -1 where there is no cell."""
        return self._beyond(self.system.terrain, self.around, -1, 0, self._last_terrain)

    @cached_property
    def terrain_at_corners(self) -> NDArray[np.intp]:
        """The terrain codes beyond the corners of squares, (4, n), -1 where there is no cell."""
        return self._beyond(self.system.terrain, self._at_corners, -1, 0, self._last_terrain)

    def _beyond(
        self, spec: PlaneSpec | None, others: NDArray[np.intp], none: int, least: int, most: int
    ) -> NDArray[np.intp]:
        """Values of a cell plane from ``least`` to ``most``; ``none`` where ``others`` is -1."""
        if self._inside:
            inside = others.ravel()
        else:
            inside = np.maximum(others.ravel(), 0)
        result = (
            self.values_at(spec, inside).clip(least, most).astype(np.intp).reshape(others.shape)
        )
        if self._inside:
            return result
        return np.where(others >= 0, result, none)

    @cached_property
    def elevation(self) -> NDArray[np.intp]:
        """The elevations (n,) that are shown, from ``DEEPEST`` to ``HIGHEST``; 0 if none are."""
        if self.flat:
            return np.zeros(len(self.cells), np.intp)
        return self.values(self.system.elevation).clip(DEEPEST, HIGHEST).astype(np.intp)

    @cached_property
    def flat(self) -> bool:
        """True if no elevation is shown anywhere."""
        spec = self.system.elevation
        if spec is None or not self.overlays.elevation:
            return True
        return self.shown.own is None and is_blank(self.composite.planes[spec.name])

    @cached_property
    def rises(self) -> NDArray[np.intp]:
        """By how much the neighbours are higher, 0 where there is no cell.

        Shape (degree, n); of squares (8, n): the neighbours beyond corners follow.
        """
        others = self.around
        if self.grid.degree == 4:
            others = np.concatenate([others, self._at_corners])
        if self.flat:
            return np.zeros(others.shape, np.intp)
        result = self._beyond(self.system.elevation, others, NOWHERE, DEEPEST, HIGHEST)
        return np.where(result == NOWHERE, 0, result - self.elevation)

    @cached_property
    def alike(self) -> NDArray[np.bool_]:
        """True if cells of the same terrain and elevation lie beyond the sides, (degree, n)."""
        same: NDArray[np.bool_] = self.terrain_around == self.terrain
        return same if self.flat else same & (self.rises[: self.grid.degree] == 0)

    # --- neighbours -------------------------------------------------------------------------

    @cached_property
    def _at_corners(self) -> NDArray[np.intp]:
        """The squares beyond the corners, (4, n), -1 where there is none."""
        result = []
        for corner in range(4):
            beside = self.around[corner - 1]
            if self._inside:
                result.append(beside + self._steps[corner])
            else:
                others = self.grid.neighbours_of(np.maximum(beside, 0), corner)
                result.append(np.where(beside >= 0, others, -1))
        return self._drawn(np.stack(result))

    def _drawn(self, others: NDArray[np.intp]) -> NDArray[np.intp]:
        """Cells (any shape), -1 for those that a pass which stands alone does not draw."""
        if not self.shown.alone:
            return others
        specs = tuple(spec for spec in (self.system.terrain, self.system.elevation) if spec)
        drawn = self.shown.draws(specs, np.maximum(others.ravel(), 0))
        if drawn is None:
            return others
        return np.where(drawn.reshape(others.shape), others, -1)

    def neighbours(self, side: int) -> NDArray[np.intp]:
        """Return the cells (n,) beyond a side, -1 where there is none."""
        return np.asarray(self.around[side])

    @cached_property
    def around(self) -> NDArray[np.intp]:
        """The cells beyond the sides, (degree, n), -1 where there is none."""
        if self._inside:
            return self.cells + self._steps
        sides = range(self.grid.degree)
        return self._drawn(np.stack([self.grid.neighbours_of(self.cells, side) for side in sides]))

    @cached_property
    def _inside(self) -> bool:
        """True if every cell has all its neighbours, in the next rows and columns of the plane."""
        grid = self.grid
        if grid.mask is not None or self.shown.alone or not len(self.cells):
            return False
        ys, xs = self._places
        return bool(
            ys[0] > 0 and ys[-1] < grid.height - 1 and xs.min() > 0 and xs.max() < grid.width - 1
        )

    @cached_property
    def _places(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        ys, xs = np.divmod(self.cells, self.grid.width)
        return ys, xs

    @cached_property
    def _steps(self) -> NDArray[np.intp]:
        """The offsets in the plane of the cells beyond the sides: (degree, n) or (degree, 1)."""
        even, odd = _steps_of(self.grid)
        if self.grid.layout.shear not in ("columns", "rows"):
            return even
        ys, xs = self._places
        shifted = (xs if self.grid.layout.shear == "columns" else ys) & 1
        return np.where(shifted, odd, even)


def _steps_of(grid: Grid) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return ``ScenePart._steps`` of cells in even and in odd columns or rows, (degree, 1) each."""
    result = []
    for start in (0, 1):
        q, r = grid.axial(start, start)
        ends = (grid.offset(q + dq, r + dr) for dq, dr in grid.layout.steps)
        steps = [(y - start) * grid.width + x - start for x, y in ends]
        result.append(np.array(steps, np.intp)[:, None])
    return result[0], result[1]
