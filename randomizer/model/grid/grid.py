"""Topology and geometry of a map's cells: neighbours, centres and hit tests of any layout.

All of it follows from the ``Layout`` row (``layouts.py``, which defines the units), for single
cells and for arrays. A *cell* is the flat index ``y * width + x``; -1 means "no cell".

A cell has coordinates of two kinds. *File* coordinates (x, y) are column and row of the arrays of
the map. *Axial* coordinates (q, r) are those along the two axes of the layout: in them the steps to
the neighbours are the same for every cell, and a centre is ``q * basis[0] + r * basis[1]``. Most
methods go from one to the other (``axial``, ``offset``).
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
"""An integer coordinate, or an int64 array of coordinates."""

FAR = 2.0**40
"""Points farther from the origin than this (and nan) are on no cell."""

NEAR_EDGE = 0.8
"""From this share of the distance to the edge on, a point means the side, not the cell."""


class Hit(NamedTuple):
    """The cell, side and corner under a point of the map."""

    cell: int
    """The cell that contains the point."""

    side: int
    """The side of the cell that is nearest to the point."""

    depth: float
    """The distance from the centre towards that side: 0 at the centre, 1 on the edge."""

    corner: int = -1
    """The nearest corner of the cell (``planes.corners``); -1 on a grid without ``has_corners``."""

    @property
    def near_edge(self) -> bool:
        """True if the point is so near to the edge that its side is meant."""
        return self.depth > NEAR_EDGE


@dataclass(frozen=True, eq=False)
class Grid:
    """``width`` x ``height`` cells of one layout.

    Raises ValueError for a size below 1, a mask of another shape, an unknown naming, or a wrap
    whose seam would not fit: where odd columns are shifted, the width must be even.
    """

    layout: Layout

    width: int
    """The number of columns, 1 at least."""

    height: int
    """The number of rows, 1 at least."""

    mask: NDArray[np.bool_] | None = None
    """Which cells exist, shape (height, width); None: all do. The grid keeps a read-only copy."""

    wrap: bool = False
    """True if the map goes round: the column after the last is the first."""

    lean: bool = False
    """True if an oblique grid that wraps is shown as in its file, each row farther to the right.

    Otherwise it is shown upright, as a rectangle. That changes where cells are, not which are
    neighbours.
    """

    naming: CellNaming = NEUTRAL
    """How cells are called, in games that leave it to the map (``System.own_cell_names``)."""

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
        """Return whether both have the same cells; ``lean`` and ``naming`` are not compared."""
        if self is other:
            return True
        if self.layout != other.layout or self.wrap != other.wrap:
            return False
        if self.width != other.width or self.height != other.height:
            return False
        if self.mask is None or other.mask is None:
            return self.mask is other.mask
        return np.array_equal(self.mask, other.mask)

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
        """Return the axial (q, r) of file coordinates, numbers or arrays of them."""
        if self.layout.shear == "columns":
            return x, y - (x >> 1)
        if self.layout.shear == "rows":
            return x - (y >> 1), y
        if self.layout.shear == "oblique":
            return x + y, -y
        return x, y

    def offset(self, q: Coordinate, r: Coordinate) -> tuple[Coordinate, Coordinate]:
        """Return the file coordinates of axial (q, r): the inverse of ``axial``."""
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
        """Return the cells across ``side`` of existing ``cells``, (n,); -1 at the map edge."""
        ys, xs = np.divmod(cells, self.width)
        q, r = self.axial(xs, ys)
        step_q, step_r = self.layout.steps[side]
        x, y = self.offset(q + step_q, r + step_r)
        return self.cells_of_xy(x, y)

    def all_neighbours_of(self, cells: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return ``neighbours_of`` at all sides, (degree, n), in one computation."""
        ys, xs = np.divmod(cells, self.width)
        q, r = self.axial(xs, ys)
        steps = np.array(self.layout.steps)[:, :, None]
        x, y = self.offset(q + steps[:, 0], r + steps[:, 1])
        return self.cells_of_xy(x, y)

    def cells_of_xy(self, x: NDArray[np.int64], y: NDArray[np.int64]) -> NDArray[np.intp]:
        """Return the cells at file coordinates, arrays of one shape; -1 where there is none."""
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
        """Return how many periods farther left than in its file an upright grid shows a cell.

        In the file row y begins y / 2 cells farther right than row 0, so its cells run past the
        right edge of the rectangle: these are shown a whole width (``period``) to the left.
        """
        return (x + (y >> 1)) // self.width

    def centre(self, cell: int) -> tuple[float, float]:
        """Return the centre of a cell in map units."""
        x, y = self.xy(cell)
        q, r = self.axial(x, y)
        (qx, qy), (rx, ry) = self.layout.basis
        centre_x = q * qx + r * rx
        if self.upright:
            centre_x -= self._wraps_left(x, y) * self.period
        return centre_x, q * qy + r * ry

    def centres_of(self, cells: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return the centres of cells (n,) in map units: shape (n, 2)."""
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
        # Candidates first, a few too many, from the bounds of the box; their centres then decide.
        if self.layout.shear == "columns":
            x, y = self._candidates_in_columns(left, top, right, bottom)
        else:
            x, y = self._candidates_in_rows(left, top, right, bottom)
        cells = (y[:, None] * self.width + x).astype(np.intp, copy=False)
        if x.ndim > 1:
            cells = cells[(x >= 0) & (x < self.width)]
        else:
            cells = cells.ravel()
        if self.mask is not None:
            cells = cells[self.mask.ravel()[cells]]

        centres = self.centres_of(cells)
        across = centres[:, 0]
        down = centres[:, 1]
        is_inside = (across >= left) & (across <= right) & (down >= top) & (down <= bottom)
        inside = cells[is_inside]
        if self.upright:
            return np.unique(inside)
        return inside  # ascending already

    def _candidates_in_columns(
        self, left: float, top: float, right: float, bottom: float
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return x (columns,) and y (rows,) of cells whose centres can lie in a box.

        In this layout x alone decides how far right a centre is. Odd columns are half a cell lower,
        so the rows are one more at the top and at the bottom.
        """
        qx = self.layout.basis[0][0]
        ry = self.layout.basis[1][1]
        first_x = max(0, math.ceil(left / qx))
        last_x = min(self.width - 1, math.floor(right / qx))
        first_y = max(0, math.floor(top / ry) - 1)
        last_y = min(self.height - 1, math.ceil(bottom / ry) + 1)
        return (
            np.arange(first_x, last_x + 1, dtype=np.int64),
            np.arange(first_y, last_y + 1, dtype=np.int64),
        )

    def _candidates_in_rows(
        self, left: float, top: float, right: float, bottom: float
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return x, (columns,) or (rows, columns), and y (rows,) of cells as above.

        In these layouts y alone decides how far down a centre is. Where odd rows are half a cell
        farther right, so are the columns: they are one more at the left and at the right. Values of
        x in two dimensions can be outside the grid.
        """
        qx = self.layout.basis[0][0]
        ry = self.layout.basis[1][1]
        is_oblique = self.layout.shear == "oblique"
        row_height = ry
        if is_oblique:
            row_height = -ry  # rows count upwards there, so the box begins with the last one
        first_row, last_row = sorted((top / row_height, bottom / row_height))
        first_y = max(0, math.ceil(first_row))
        last_y = min(self.height - 1, math.floor(last_row))
        y = np.arange(first_y, last_y + 1, dtype=np.int64)

        first_x = math.floor(left / qx) - 1
        last_x = math.ceil(right / qx) + 1
        if is_oblique and not self.upright:
            # Row y begins y / 2 cells farther right than row 0.
            first_x_of_rows = first_x - (y >> 1) - 1
            x = first_x_of_rows[:, None] + np.arange(last_x - first_x + 3, dtype=np.int64)
            return x, y
        x = np.arange(max(0, first_x), min(self.width - 1, last_x) + 1, dtype=np.int64)
        if self.upright:
            # Column x of the rectangle is another column of the file in each pair of rows.
            x = (x - (y >> 1)[:, None]) % self.width
        return x, y

    def corner(self, cell: int, index: int) -> tuple[float, float]:
        """Return corner ``index`` (taken modulo the degree) of a cell, in map units."""
        x, y = self.centre(cell)
        dx, dy = self.layout.corners[index % self.degree]
        return x + dx, y + dy

    def outline(self, cell: int) -> list[tuple[float, float]]:
        """Return the corners of a cell, clockwise."""
        return [self.corner(cell, index) for index in range(self.degree)]

    @cached_property
    def bounds(self) -> tuple[float, float, float, float]:
        """The (left, top, right, bottom) of the existing cells in map units.

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
        """Return a subset of the cells that contains the outermost ones in every direction.

        So the bounds of a large grid are found without the centres of all its cells.
        """
        if self.mask is not None:
            if self.upright:
                return self.cells
            return self._ends_of_rows_and_columns(self.mask)
        # Two rows and columns at each edge: odd ones are shifted.
        ys = np.unique([0, 1, self.height - 2, self.height - 1]).clip(0, self.height - 1)
        xs = np.unique([0, 1, self.width - 2, self.width - 1]).clip(0, self.width - 1)
        x, y = np.meshgrid(xs, ys)
        if self.upright:
            x = (x - (y >> 1)) % self.width
        return np.unique(y * self.width + x).astype(np.intp)

    def _ends_of_rows_and_columns(self, mask: NDArray[np.bool_]) -> NDArray[np.intp]:
        """Return the first and the last cell of ``mask`` in each row and in each column."""
        ys = np.flatnonzero(mask.any(axis=1))
        first_x = mask[ys].argmax(axis=1)
        last_x = self.width - 1 - mask[ys, ::-1].argmax(axis=1)
        xs = np.flatnonzero(mask.any(axis=0))
        first_y = mask[:, xs].argmax(axis=0)
        last_y = self.height - 1 - mask[::-1, xs].argmax(axis=0)
        ends = (
            ys * self.width + first_x,
            ys * self.width + last_x,
            first_y * self.width + xs,
            last_y * self.width + xs,
        )
        return np.concatenate(ends)

    @cached_property
    def _inverse_basis(self) -> tuple[float, float, float, float]:
        """The matrix (a, b, c, d) that makes fractional axial coordinates of a point.

        ``q = x * a + y * b`` and ``r = x * c + y * d``.
        """
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
        """Return the cells under points (n, 2) in map units, shape (n,): -1 as in ``cell_at``."""
        a, b, c, d = self._inverse_basis
        # Far points, and nan, would overflow integers: they are treated like (0, 0) until the end.
        is_near = np.asarray((np.abs(points) < FAR).all(axis=1))
        px, py = np.where(is_near[:, None], points, 0.0).T
        q = px * a + py * b
        r = px * c + py * d
        if self.degree == 4:
            rounded_q = np.floor(q + 0.5)
            rounded_r = np.floor(r + 0.5)
        else:
            rounded_q, rounded_r = _round_axial_arrays(q, r)
        x, y = self.offset(rounded_q.astype(np.int64), rounded_r.astype(np.int64))
        return np.where(is_near, self.cells_of_xy(x, y), -1)

    def shown_points(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return points (n, 2) moved by whole periods to where a wrapped grid shows their cells.

        Points off the map, and those of other grids, are as they were.
        """
        if not self.wrap:
            return points
        shown_points = points.copy()
        cells = self.cells_at(points)
        on_map = np.flatnonzero(cells >= 0)
        distances = self.centres_of(cells[on_map])[:, 0] - points[on_map, 0]
        shown_points[on_map, 0] += np.round(distances / self.period) * self.period
        return shown_points

    def shown_point(self, x: float, y: float) -> tuple[float, float]:
        """Return one point as ``shown_points`` does."""
        ((shown_x, shown_y),) = self.shown_points(np.array([(x, y)], np.float64)).tolist()
        return shown_x, shown_y

    def shown_cells_at(self, points: NDArray[np.float64]) -> NDArray[np.intp]:
        """``cells_at``, -1 for the points at which a wrapped grid does not show the cell."""
        cells = self.cells_at(points)
        return np.where(self.shown_points(points)[:, 0] == points[:, 0], cells, -1)

    def hit(self, px: float, py: float) -> Hit | None:
        """Return what is under a point in map units; None off the map."""
        cell = self.cell_at(px, py)
        if cell < 0:
            return None
        cx, cy = self.centre(cell)
        if self.wrap:  # the periodic copy of the cell nearest to the point
            cx += round((px - cx) / self.period) * self.period
        nearest_side = 0
        depth = -math.inf
        for side, (nx, ny) in enumerate(self._side_normals):
            depth_to_side = (px - cx) * nx + (py - cy) * ny
            if depth_to_side > depth:
                nearest_side = side
                depth = depth_to_side
        if not self.has_corners:
            return Hit(cell, nearest_side, depth)

        # Corner (x, y) is the top left one of cell (x, y): ``planes.corners``.
        corner_x, corner_y = self.xy(cell)
        if px >= cx:
            corner_x += 1
        if py >= cy:
            corner_y += 1
        return Hit(cell, nearest_side, depth, corner_y * (self.width + 1) + corner_x)

    @cached_property
    def _side_normals(self) -> tuple[tuple[float, float], ...]:
        """Vectors from the centre outwards, one a side.

        They are scaled so that their dot product with a vector from the centre is 1 on the edge.
        """
        (qx, qy), (rx, ry) = self.layout.basis
        normals = []
        for q, r in self.layout.steps:
            x = q * qx + r * rx
            y = q * qy + r * ry
            normals.append((2 * x / (x * x + y * y), 2 * y / (x * x + y * y)))
        return tuple(normals)


def _round_axial(q: float, r: float) -> tuple[int, int]:
    """Return the axial coordinates of the hex whose centre is nearest: cube rounding.

    With s = -q - r the three coordinates are those of a cube, and their sum is 0. Rounded singly
    they may sum to another number: then the one that was rounded by the most follows from the other
    two. Source: https://www.redblobgames.com/grids/hexagons/#rounding
    """
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


def _round_axial_arrays(
    q: NDArray[np.float64], r: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return what ``_round_axial`` does, for arrays, as whole numbers of type float."""
    s = -q - r
    rounded_q = np.round(q)
    rounded_r = np.round(r)
    rounded_s = np.round(s)
    off_q = abs(rounded_q - q)
    off_r = abs(rounded_r - r)
    off_s = abs(rounded_s - s)
    is_q_worst = (off_q > off_r) & (off_q > off_s)
    is_r_worst = ~is_q_worst & (off_r > off_s)
    return (
        np.where(is_q_worst, -rounded_r - rounded_s, rounded_q),
        np.where(is_r_worst, -rounded_q - rounded_s, rounded_r),
    )
