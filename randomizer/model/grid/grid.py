"""Topology and geometry of a map's cells: neighbours, centres and hit tests of any layout.

All of it follows from the ``Layout`` row (``layouts.py``, which defines the units), for single
cells and for arrays. A *cell* is the flat index ``y * width + x``; -1 means "no cell".
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from randomizer.model.grid.cell_naming import NEUTRAL, CellNaming, fault_in_naming
from randomizer.model.grid.layouts import Layout

Coordinate = TypeVar("Coordinate", int, NDArray[np.int64])
"""An integer coordinate, or an int64 array of them."""

FAR = 2.0**40
"""Points farther from the origin than this (and nan) are on no cell."""

NEAR_EDGE = 0.8
"""From this share of the distance to the edge on, a point means the side, not the cell."""


class Hit(NamedTuple):
    """The cell under a point, its nearest side, and the distance outwards (0 centre, 1 edge).

    ``corner``: the nearest of its corners (``corners``), -1 on a grid that has none.
    """

    cell: int
    side: int
    depth: float
    corner: int = -1

    @property
    def near_edge(self) -> bool:
        """True if the point is outside the inner 80 % of the cell, so that the side is meant."""
        return self.depth > NEAR_EDGE


@dataclass(frozen=True, eq=False)
class Grid:
    """``width`` x ``height`` cells of one layout.

    ``mask`` (bool, shape (height, width), or None) says which cells exist; the grid keeps a
    read-only copy. With ``wrap`` the column after the last is the first. An oblique grid that wraps
    is shown upright, as a rectangle, unless ``lean``: then it is shown as in its file. That changes
    where cells are, not which are neighbours. ``naming`` is that of the map's cells, in games that
    leave it to the map (``System.own_cell_names``). Raises ValueError for a size below 1, a mask of
    another shape, an unknown naming, or a wrap whose seam would not fit (odd columns are shifted:
    the width must then be even).
    """

    layout: Layout
    width: int
    height: int
    mask: NDArray[np.bool_] | None = None
    wrap: bool = False
    lean: bool = False
    naming: CellNaming = NEUTRAL

    def __post_init__(self) -> None:
        if self.width < 1 or self.height < 1:
            raise ValueError(f"a grid needs at least one cell, not {self.width} x {self.height}")
        if fault := fault_in_naming(self.naming):
            raise ValueError(fault)
        if self.mask is not None:
            mask = np.array(self.mask, np.bool_)
            if mask.shape != (self.height, self.width):
                raise ValueError(
                    f"the mask has shape {mask.shape}, the grid {(self.height, self.width)}"
                )
            mask.flags.writeable = False  # neighbours and cells are cached
            object.__setattr__(self, "mask", mask)
        if self.wrap and self.layout.shear == "columns" and self.width % 2:
            raise ValueError("columns that wrap must be even in number")

    def same_as(self, other: Grid) -> bool:
        """Return whether both have the same cells at the same places (``lean`` and ``naming`` are
        ignored)."""
        if self is other:
            return True
        sizes = [(grid.layout, grid.width, grid.height, grid.wrap) for grid in (self, other)]
        masks = np.asarray(self.mask), np.asarray(other.mask)
        return sizes[0] == sizes[1] and np.array_equal(*masks)

    @property
    def degree(self) -> int:
        """The number of sides of a cell."""
        return self.layout.degree

    @property
    def has_corners(self) -> bool:
        """True if corners have places in planes: on squares without wrap (``corners``)."""
        return self.layout.name == "square" and not self.wrap

    @property
    def size(self) -> int:
        """The number of cell indices, masked ones included."""
        return self.width * self.height

    # --- coordinates ------------------------------------------------------------------------

    def cell(self, x: int, y: int) -> int:
        """Return the cell at (x, y), -1 if there is none. ``x`` wraps if the grid does."""
        if self.wrap:
            x %= self.width
        if not (0 <= x < self.width and 0 <= y < self.height):
            return -1
        if self.mask is not None and not self.mask[y, x]:
            return -1
        return y * self.width + x

    def xy(self, cell: int) -> tuple[int, int]:
        """Return the file coordinates of a cell."""
        y, x = divmod(cell, self.width)
        return x, y

    def exists(self, cell: int) -> bool:
        """Return whether the index is that of an existing cell (inside, and not masked)."""
        return 0 <= cell < self.size and (self.mask is None or bool(self.mask.flat[cell]))

    @cached_property
    def cells(self) -> NDArray[np.intp]:
        """All existing cells in ascending order, shape (n,)."""
        if self.mask is None:
            return np.arange(self.size, dtype=np.intp)
        return np.flatnonzero(self.mask)

    def axial(self, x: Coordinate, y: Coordinate) -> tuple[Coordinate, Coordinate]:
        """Axial (q, r) of file coordinates; works on integer arrays as well."""
        if self.layout.shear == "columns":
            return x, y - (x >> 1)
        if self.layout.shear == "rows":
            return x - (y >> 1), y
        if self.layout.shear == "oblique":
            return x + y, -y
        return x, y

    def offset(self, q: Coordinate, r: Coordinate) -> tuple[Coordinate, Coordinate]:
        """File coordinates of axial (q, r), the inverse of ``axial``; takes arrays as well."""
        if self.layout.shear == "columns":
            return q, r + (q >> 1)
        if self.layout.shear == "rows":
            return q + (r >> 1), r
        if self.layout.shear == "oblique":
            return q + r, -r
        return q, r

    # --- neighbours -------------------------------------------------------------------------

    def neighbour(self, cell: int, side: int) -> int:
        """Return the cell across ``side``, -1 at the map edge and for cells that do not exist."""
        if not self.exists(cell):
            return -1
        q, r = self.axial(*self.xy(cell))
        step_q, step_r = self.layout.steps[side]
        return self.cell(*self.offset(q + step_q, r + step_r))

    def opposite(self, side: int) -> int:
        """Return the number of ``side`` seen from the neighbour."""
        return (side + self.degree // 2) % self.degree

    def twin(self, cell: int, side: int) -> tuple[int, int] | None:
        """Return the same edge seen from the other cell, as (cell, side); None at the map edge."""
        neighbour = self.neighbour(cell, side)
        if neighbour < 0:
            return None
        return (neighbour, self.opposite(side))

    def neighbours(self, cell: int) -> list[int]:
        """Return the existing cells around one, in the order of the sides."""
        cells_around = (self.neighbour(cell, side) for side in range(self.degree))
        return [neighbour for neighbour in cells_around if neighbour >= 0]

    @cached_property
    def neighbour_table(self) -> NDArray[np.int32]:
        """All neighbours: shape (size, degree), -1 at the map edge and for masked cells."""
        ys, xs = np.divmod(np.arange(self.size, dtype=np.int64), self.width)
        q, r = self.axial(xs, ys)
        table = np.full((self.size, self.degree), -1, np.int32)
        for side, (step_q, step_r) in enumerate(self.layout.steps):
            table[:, side] = self.cells_of_xy(*self.offset(q + step_q, r + step_r))
        if self.mask is not None:
            table[~self.mask.ravel()] = -1
        return table

    def neighbours_of(self, cells: NDArray[np.intp], side: int) -> NDArray[np.intp]:
        """Return the cells across ``side`` of existing ``cells``, shape (n,), -1 at the map
        edge.
        """
        ys, xs = np.divmod(cells, self.width)
        q, r = self.axial(xs, ys)
        step_q, step_r = self.layout.steps[side]
        x, y = self.offset(q + step_q, r + step_r)
        return self.cells_of_xy(x, y)

    def cells_of_xy(self, x: NDArray[np.int64], y: NDArray[np.int64]) -> NDArray[np.intp]:
        """``cell`` for arrays of file coordinates of one shape, -1 where there is none."""
        if self.wrap:
            x = x % self.width
        inside = np.asarray((x >= 0) & (x < self.width) & (y >= 0) & (y < self.height))
        if self.mask is None and inside.all():  # as mostly: nothing has to be looked up
            return np.asarray(y * self.width + x, np.intp)
        cells = np.where(inside, y * self.width + x, 0).astype(np.intp, copy=False)
        if self.mask is not None:
            inside &= self.mask.ravel()[cells]
        return np.where(inside, cells, -1)

    # --- geometry ---------------------------------------------------------------------------

    @property
    def period(self) -> float:
        """The width after which a wrapped grid repeats, in map units; 0 without wrap."""
        if self.wrap:
            return self.width * self.layout.basis[0][0]
        return 0.0

    @property
    def upright(self) -> bool:
        """True if an oblique grid is shown as a rectangle."""
        return self.wrap and not self.lean and self.layout.shear == "oblique"

    def _wraps_left(self, x: Coordinate, y: Coordinate) -> Coordinate:
        """Return how many periods to the left an upright grid shows a cell of file coordinates (x,
        y).
        """
        return (x + (y >> 1)) // self.width

    def centre(self, cell: int) -> tuple[float, float]:
        """Return the centre of a cell in map units."""
        x, y = self.xy(cell)
        q, r = self.axial(x, y)
        (qx, qy), (rx, ry) = self.layout.basis
        if self.upright:
            turned = self._wraps_left(x, y) * self.period
        else:
            turned = 0.0
        return q * qx + r * rx - turned, q * qy + r * ry

    def centres_of(self, cells: NDArray[np.intp]) -> NDArray[np.float64]:
        """``centre`` for many cells: shape (n,) in, (n, 2) out."""
        ys, xs = np.divmod(cells, self.width)
        q, r = self.axial(xs, ys)
        (qx, qy), (rx, ry) = self.layout.basis
        centres = np.empty((len(cells), 2), np.float64)
        centres[:, 0] = q * qx + r * rx
        centres[:, 1] = q * qy + r * ry
        if self.upright:
            centres[:, 0] -= self._wraps_left(xs, ys) * self.period
        return centres

    def centres(self) -> NDArray[np.float64]:
        """Return the centres of all cell indices, masked ones included: shape (size, 2)."""
        return self.centres_of(np.arange(self.size, dtype=np.intp))

    def cells_in(self, left: float, top: float, right: float, bottom: float) -> NDArray[np.intp]:
        """Return the existing cells whose centres lie in a box (map units), ascending, shape (n,).

        The cost grows with the box, not with the grid.
        """
        qx = self.layout.basis[0][0]
        ry = self.layout.basis[1][1]
        if (
            self.layout.shear == "columns"
        ):  # the position across depends on x alone; the one down on y and parity
            first = max(0, math.ceil(left / qx))
            last = min(self.width - 1, math.floor(right / qx))
            x = np.arange(first, last + 1, dtype=np.int64)
            low = max(0, math.floor(top / ry) - 1)
            high = min(self.height - 1, math.ceil(bottom / ry) + 1)
            ys = np.arange(low, high + 1, dtype=np.int64)
        else:
            down = -ry if self.layout.shear == "oblique" else ry
            ends = sorted((top / down, bottom / down))
            low = max(0, math.ceil(ends[0]))
            high = min(self.height - 1, math.floor(ends[1]))
            ys = np.arange(low, high + 1, dtype=np.int64)
            first = math.floor(left / qx) - 1
            last = math.ceil(right / qx) + 1
            if self.layout.shear == "oblique" and not self.upright:  # rows start farther right
                start = first - (ys >> 1) - 1
                x = start[:, None] + np.arange(last - first + 3, dtype=np.int64)
            else:
                x = np.arange(max(0, first), min(self.width - 1, last) + 1, dtype=np.int64)
                if self.upright:
                    x = (x - (ys >> 1)[:, None]) % self.width
        cells = (ys[:, None] * self.width + x).astype(np.intp, copy=False)
        if x.ndim > 1:
            cells = cells[(x >= 0) & (x < self.width)]
        else:
            cells = cells.ravel()
        if self.mask is not None:
            cells = cells[self.mask.ravel()[cells]]
        at = self.centres_of(cells)
        keep = (at[:, 0] >= left) & (at[:, 0] <= right) & (at[:, 1] >= top) & (at[:, 1] <= bottom)
        inside = cells[keep]
        return np.unique(inside) if self.upright else inside  # ascending already in other layouts

    def corner(self, cell: int, index: int) -> tuple[float, float]:
        """Corner ``index`` (taken modulo the degree) of a cell in map units."""
        x, y = self.centre(cell)
        dx, dy = self.layout.corners[index % self.degree]
        return x + dx, y + dy

    def outline(self, cell: int) -> list[tuple[float, float]]:
        """Return the corners of a cell, clockwise."""
        return [self.corner(cell, index) for index in range(self.degree)]

    @cached_property
    def bounds(self) -> tuple[float, float, float, float]:
        """(left, top, right, bottom) of the existing cells in map units.

        Raises ValueError if the mask leaves no cell.
        """
        if self.mask is not None and not self.mask.any():
            raise ValueError("a grid without cells has no bounds")
        centres = self.centres_of(self._outermost())
        corners = np.array(self.layout.corners)
        left, top = centres.min(axis=0) + corners.min(axis=0)
        right, bottom = centres.max(axis=0) + corners.max(axis=0)
        return float(left), float(top), float(right), float(bottom)

    def _outermost(self) -> NDArray[np.intp]:
        """Return a subset of the cells that contains the outermost ones in every direction."""
        if self.mask is not None:
            if self.upright:
                return self.cells
            firsts = []
            for mask, turned in ((self.mask, False), (self.mask.T, True)):
                rows = np.flatnonzero(mask.any(axis=1))
                first = mask[rows].argmax(axis=1)
                last = mask.shape[1] - 1 - mask[rows, ::-1].argmax(axis=1)
                for edge in (first, last):
                    firsts.append(edge * self.width + rows if turned else rows * self.width + edge)
            return np.concatenate(firsts)
        ys = np.unique([0, 1, self.height - 2, self.height - 1]).clip(0, self.height - 1)
        xs = np.unique([0, 1, self.width - 2, self.width - 1]).clip(0, self.width - 1)
        x, y = np.meshgrid(xs, ys)
        if self.upright:
            x = (x - (y >> 1)) % self.width
        return np.unique(y * self.width + x).astype(np.intp)

    @cached_property
    def _inverse_basis(self) -> tuple[float, float, float, float]:
        (qx, qy), (rx, ry) = self.layout.basis
        det = qx * ry - qy * rx
        return ry / det, -rx / det, -qy / det, qx / det

    def cell_at(self, px: float, py: float) -> int:
        """Return the cell under a point in map units, -1 if none.

        A point on an edge goes to either.
        """
        if not (abs(px) < FAR and abs(py) < FAR):
            return -1
        a, b, c, d = self._inverse_basis
        q = px * a + py * b
        r = px * c + py * d
        if self.degree == 4:
            return self.cell(*self.offset(math.floor(q + 0.5), math.floor(r + 0.5)))
        return self.cell(*self.offset(*_round_axial(q, r)))

    def cells_at(self, points: NDArray[np.float64]) -> NDArray[np.intp]:
        """``cell_at`` for many points: shape (N, 2) in, (N,) out."""
        a, b, c, d = self._inverse_basis
        near = np.asarray((np.abs(points) < FAR).all(axis=1))
        px, py = np.where(near[:, None], points, 0.0).T
        q = px * a + py * b
        r = px * c + py * d
        if self.degree == 4:
            rounded_q = np.floor(q + 0.5)
            rounded_r = np.floor(r + 0.5)
        else:
            s = -q - r
            rounded_q = np.round(q)
            rounded_r = np.round(r)
            rounded_s = np.round(s)
            off_q = abs(rounded_q - q)
            off_r = abs(rounded_r - r)
            off_s = abs(rounded_s - s)
            q_worst = (off_q > off_r) & (off_q > off_s)
            r_worst = ~q_worst & (off_r > off_s)
            corrected_q = np.where(q_worst, -rounded_r - rounded_s, rounded_q)
            rounded_r = np.where(r_worst, -rounded_q - rounded_s, rounded_r)
            rounded_q = corrected_q
        x, y = self.offset(rounded_q.astype(np.int64), rounded_r.astype(np.int64))
        return np.where(near, self.cells_of_xy(x, y), -1)

    def shown_points(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the copies of points (n, 2) that a wrapped grid shows: nearest to the centre of
        the cell.

        Points off the map, and those of other grids, are as they were.
        """
        if not self.wrap:
            return points
        points_on_screen = points.copy()
        cells = self.cells_at(points)
        on = np.flatnonzero(cells >= 0)
        across = self.centres_of(cells[on])[:, 0] - points[on, 0]
        points_on_screen[on, 0] += np.round(across / self.period) * self.period
        return points_on_screen

    def shown_cells_at(self, points: NDArray[np.float64]) -> NDArray[np.intp]:
        """``cells_at``, -1 for the points at which a wrapped grid does not show the cell."""
        cells = self.cells_at(points)
        return np.where(self.shown_points(points)[:, 0] == points[:, 0], cells, -1)

    def hit(self, px: float, py: float) -> Hit | None:
        """Return the cell under a point, its nearest side, and how near that side is; None off the
        map.
        """
        cell = self.cell_at(px, py)
        if cell < 0:
            return None
        cx, cy = self.centre(cell)
        if self.wrap:  # the periodic copy of the cell nearest to the point
            cx += round((px - cx) / self.period) * self.period
        best = 0
        best_reach = -math.inf
        for side, (nx, ny) in enumerate(self._side_normals):
            reach = (px - cx) * nx + (py - cy) * ny
            if reach > best_reach:
                best = side
                best_reach = reach
        corner = -1
        if self.has_corners:
            x, y = self.xy(cell)
            corner = (y + (py >= cy)) * (self.width + 1) + x + (px >= cx)
        return Hit(cell, best, best_reach, corner)

    @cached_property
    def _side_normals(self) -> tuple[tuple[float, float], ...]:
        """Outward vectors, scaled so that their dot product with a point of the side is 1."""
        (qx, qy), (rx, ry) = self.layout.basis
        normals = []
        for q, r in self.layout.steps:
            x = q * qx + r * rx
            y = q * qy + r * ry
            normals.append((2 * x / (x * x + y * y), 2 * y / (x * x + y * y)))
        return tuple(normals)


def _round_axial(q: float, r: float) -> tuple[int, int]:
    """Return the hex whose centre is nearest: cube rounding."""
    s = -q - r
    rounded_q = round(q)
    rounded_r = round(r)
    rounded_s = round(s)
    off_q = abs(rounded_q - q)
    off_r = abs(rounded_r - r)
    off_s = abs(rounded_s - s)
    if off_q > off_r and off_q > off_s:
        return -rounded_r - rounded_s, rounded_r
    if off_r > off_s:
        return rounded_q, -rounded_q - rounded_s
    return rounded_q, rounded_r
