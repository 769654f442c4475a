"""A part of a map: the cells of which batches are made, and what lies around them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from app.render.cell_colours import DEEPEST, HIGHEST
from app.render.opacity_passes import SINGLE_PASS, OpacityPass
from randomizer.model.planes import is_blank

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from app.render.overlay_options import Overlays
    from randomizer.model.battlemap import BattleMap
    from randomizer.model.composite import Composite
    from randomizer.model.grid import Grid
    from randomizer.model.planes import Plane, PlaneSpec
    from randomizer.model.system import System


NOWHERE = -100
"""Stands for the elevation of a cell that does not exist."""


@dataclass(eq=False)
class ScenePart:
    """The existing ``cells`` (n,), ascending, of a map as one opacity pass shows them.

    ``base`` (n,) are the places of ``cells`` among those of the part that this one was made of.
    """

    battlemap: BattleMap
    composite: Composite
    overlays: Overlays
    cells: NDArray[np.intp]
    shown: OpacityPass = SINGLE_PASS[0]
    base: NDArray[np.intp] | None = None
    _kept: dict[object, NDArray[np.intp]] = field(default_factory=dict, repr=False)

    @property
    def grid(self) -> Grid:
        """The grid of the map."""
        return self.battlemap.grid

    @property
    def system(self) -> System:
        """The system of the map."""
        return self.battlemap.system

    def in_pass(self, shown: OpacityPass, specs: tuple[PlaneSpec, ...]) -> ScenePart:
        """What ``shown`` draws of this part, as far as these planes go."""
        drawn = shown.draws(specs, self.cells)
        if drawn is None and shown is self.shown:
            return self
        base = None if drawn is None else np.flatnonzero(drawn)
        cells = self.cells if base is None else self.cells[base]
        return ScenePart(self.battlemap, self.composite, self.overlays, cells, shown, base)

    # --- values -----------------------------------------------------------------------------

    def values(self, spec: PlaneSpec | None) -> Plane:
        """The values of a plane at the cells, (n,) or (n, degree); 0 for None."""
        return self.values_at(spec, self.cells)

    def values_at(self, spec: PlaneSpec | None, cells: NDArray[np.intp]) -> Plane:
        """The values of a plane at any existing cells."""
        if spec is None:
            return np.zeros(len(cells), np.intp)
        return self.shown.values(self.composite, spec, cells)

    def sides_at(
        self, spec: PlaneSpec, cells: NDArray[np.intp], sides: NDArray[np.intp] | int
    ) -> Plane:
        """The values (n,) of a plane of sides at ``sides`` (n,) of existing ``cells`` (n,)."""
        if self.shown.own is None:
            plane = self.composite.planes[spec.name]
            return np.asarray(plane.reshape(-1)[cells * self.grid.degree + sides])
        return np.asarray(self.values_at(spec, cells)[np.arange(len(cells)), sides])

    def across(
        self, spec: PlaneSpec | None, side: int, none: int, least: int, most: int
    ) -> NDArray[np.intp]:
        """The values (n,) of a cell plane beyond a side, from ``least`` to ``most``.

        ``none`` where there is no cell.
        """
        return self._at_others(spec, self.neighbours(side), none, least, most)

    def _at_others(
        self, spec: PlaneSpec | None, others: NDArray[np.intp], none: int, least: int, most: int
    ) -> NDArray[np.intp]:
        found = self.values_at(spec, np.maximum(others, 0)).clip(least, most).astype(np.intp)
        if self._inside:
            return found
        return np.where(others >= 0, found, none)

    @property
    def terrain(self) -> NDArray[np.intp]:
        """The terrain codes (n,)."""
        kept = self._kept.get("terrain")
        if kept is None:
            found = self.values(self.system.terrain)
            kept = np.minimum(found, self._last_terrain).astype(np.intp)
            self._kept["terrain"] = kept
        return kept

    @property
    def _last_terrain(self) -> int:
        return len(self.composite.terrain_set.terrains) - 1

    def terrain_across(self, side: int) -> NDArray[np.intp]:
        """The terrain codes (n,) beyond a side, -1 where there is no cell."""
        kept = self._kept.get(("terrain", side))
        if kept is None:
            kept = self.across(self.system.terrain, side, -1, 0, self._last_terrain)
            self._kept["terrain", side] = kept
        return kept

    def terrain_at_corner(self, corner: int) -> NDArray[np.intp]:
        """The terrain codes (n,) beyond a corner of squares, -1 where there is no cell."""
        others = self._beyond_corner(corner)
        return self._at_others(self.system.terrain, others, -1, 0, self._last_terrain)

    @property
    def elevation(self) -> NDArray[np.intp]:
        """The elevations (n,) that are shown, from ``DEEPEST`` to ``HIGHEST``; 0 if none are."""
        kept = self._kept.get("elevation")
        if kept is None:
            if self.flat:
                kept = np.zeros(len(self.cells), np.intp)
            else:
                found = self.values(self.system.elevation)
                kept = found.clip(DEEPEST, HIGHEST).astype(np.intp)
            self._kept["elevation"] = kept
        return kept

    @property
    def flat(self) -> bool:
        """Whether no elevation is shown anywhere."""
        spec = self.system.elevation
        if spec is None or not self.overlays.elevation:
            return True
        return self.shown.own is None and is_blank(self.composite.planes[spec.name])

    @property
    def rises(self) -> NDArray[np.intp]:
        """By how much the neighbours are higher, 0 where there is no cell.

        Shape (degree, n); of squares (8, n): the neighbours beyond corners follow.
        """
        kept = self._kept.get("rises")
        if kept is None:
            sides = range(self.grid.degree)
            others = [self.neighbours(side) for side in sides]
            if self.grid.degree == 4:
                others += [self._beyond_corner(corner) for corner in sides]
            kept = np.zeros((len(others), len(self.cells)), np.intp)
            if not self.flat:
                here, spec = self.elevation, self.system.elevation
                for row, there in zip(kept, others, strict=True):
                    found = self._at_others(spec, there, NOWHERE, DEEPEST, HIGHEST)
                    np.subtract(found, here, out=row, where=found != NOWHERE)
            self._kept["rises"] = kept
        return kept

    # --- neighbours -------------------------------------------------------------------------

    def _beyond_corner(self, corner: int) -> NDArray[np.intp]:
        """The squares (n,) beyond a corner, -1 where there is none."""
        beside = self.neighbours((corner - 1) % 4)
        if self._inside:
            return beside + self._steps(corner)
        others = self.grid.neighbours_of(np.maximum(beside, 0), corner)
        return np.where(beside >= 0, others, -1)

    def neighbours(self, side: int) -> NDArray[np.intp]:
        """The cells (n,) beyond a side, -1 where there is none."""
        kept = self._kept.get(side)
        if kept is None:
            if self._inside and len(self.cells):
                kept = self.cells + self._steps(side)
            else:
                kept = self.grid.neighbours_of(self.cells, side)
            self._kept[side] = kept
        return kept

    @property
    def _inside(self) -> bool:
        """Whether every cell has all its neighbours, in the next rows and columns of the plane."""
        kept = self._kept.get("inside")
        if kept is None:
            grid = self.grid
            inside = grid.mask is None and len(self.cells) > 0
            if inside:
                ys, xs = np.divmod(self.cells, grid.width)
                inside = bool(
                    ys[0] > 0
                    and ys[-1] < grid.height - 1
                    and xs.min() > 0
                    and xs.max() < grid.width - 1
                )
                self._kept["xs"], self._kept["ys"] = xs, ys
            kept = self._kept["inside"] = np.array(inside, np.intp)
        return bool(kept)

    def _steps(self, side: int) -> NDArray[np.intp]:
        """How far on in the plane the cell beyond a side is, for each cell (n,) or for all."""
        grid, layout = self.grid, self.grid.layout
        odd = {"columns": self._kept["xs"], "rows": self._kept["ys"]}.get(layout.shear)
        q, r = layout.steps[side]

        def step(x: int, y: int) -> int:
            first_q, first_r = grid.axial(x, y)
            there_x, there_y = grid.offset(first_q + q, first_r + r)
            return (there_y - y) * grid.width + there_x - x

        if odd is None:
            return np.array(step(0, 0), np.intp)
        even_step, odd_step = step(0, 0), step(1, 1)
        if even_step == odd_step:
            return np.array(even_step, np.intp)
        return np.where(odd & 1, odd_step, even_step)
