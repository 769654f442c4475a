"""Topology and geometry of a map's cells: neighbours, centres and hit tests of any layout.

A *cell* is the flat index ``y * width + x`` into an array of shape (height, width); -1 means "no
cell". ``Grid(FLAT, 4, 2)``, of flat-top hexes, has these::

    0       2
        1       3
    4       6
        5       7

    grid.xy(6)                 # (2, 1): its column and row
    grid.neighbour(1, 2)       # 6: the cell across side 2, the south-east one
    grid.neighbours(1)         # [2, 6, 5, 4, 0]: in the order of the sides, none in the north
    grid.centre(6)             # (3.0, 1.73...): in map units
    grid.cell_at(3.1, 1.8)     # 6: the cell under a point

``layouts.py`` defines the units, the numbers of the sides, and the two kinds of coordinates, those
of the file (x, y) and axial ones (q, r). Most methods add steps in axial coordinates, in which all
cells are alike, and convert before and after (``axial``, ``offset``).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from randomizer.model.grid.box import Box
from randomizer.model.grid.cell_naming import NEUTRAL, CellNaming, fault_in_naming
from randomizer.model.grid.hex_rounding import round_axial, round_axial_arrays
from randomizer.model.grid.layouts import Shear

if TYPE_CHECKING:
    from randomizer.model.grid.layouts import Layout

Coordinate = TypeVar("Coordinate", int, NDArray[np.int64])
"""An integer coordinate, or an int64 array of coordinates."""

FAR = 2.0**40
"""Points farther from the origin than this (and nan) are on no cell: they could overflow integers.
"""

# Looking up a member of an enum takes as long as converting a coordinate, which is done often.
_COLUMNS = Shear.COLUMNS
_ROWS = Shear.ROWS
_OBLIQUE = Shear.OBLIQUE

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
    """True for cells that exist, (height, width); None: all do. The grid keeps a read-only copy."""

    wrap: bool = False
    """True if the map goes round: the column after the last is the first."""

    lean: bool = False
    """True if an oblique grid that wraps is shown as in its file, each row farther to the right.

    Otherwise it is shown ``upright``, as a rectangle, with the cells that stick out at the right
    moved round to the left. That changes where cells are, not which are neighbours. Drawn with the
    (x, y) of the cells::

        lean                        upright
              0,2   1,2   2,2       2,2   0,2   1,2
           0,1   1,1   2,1             0,1   1,1   2,1
        0,0   1,0   2,0             0,0   1,0   2,0
    """

    naming: CellNaming = NEUTRAL
    """The naming of cells, in games that leave it to the map (``System.own_cell_names``)."""

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
        if self.wrap and self.layout.shear is Shear.COLUMNS and self.width % 2:
            raise ValueError("columns that wrap must be even in number")

    def same_as(self, other: Grid) -> bool:
        """Return whether both have the same cells; ``lean`` and ``naming`` are not compared."""
        if self is other:
            return True
        if self.layout != other.layout or self.wrap != other.wrap:
            return False
        if self.width != other.width or self.height != other.height:
            return False
        if self.mask is None:
            return other.mask is None or bool(other.mask.all())
        if other.mask is None:
            return bool(self.mask.all())
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
        if self.layout.shear is _COLUMNS:
            return x, y - (x >> 1)
        if self.layout.shear is _ROWS:
            return x - (y >> 1), y
        if self.layout.shear is _OBLIQUE:
            return x + y, -y
        return x, y

    def offset(self, q: Coordinate, r: Coordinate) -> tuple[Coordinate, Coordinate]:
        """Return the file coordinates (x, y) of axial (q, r): the inverse of ``axial``.

        ("Offset coordinates" is what handbooks call these of hexes.)
        """
        if self.layout.shear is _COLUMNS:
            return q, r + (q >> 1)
        if self.layout.shear is _ROWS:
            return q + (r >> 1), r
        if self.layout.shear is _OBLIQUE:
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

    @cached_property
    def steps_in_plane(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The differences of cell numbers, as in flat planes, to all neighbours, (degree, 1) each.

        The first array is that of cells in even columns (or rows, where rows are shifted), the
        second that of cells in odd ones. They hold where a neighbour is neither beyond the map's
        edge nor beyond a seam.
        """
        steps = []
        for start in (0, 1):  # the cell in column and row 0, and the one in column and row 1
            q, r = self.axial(start, start)
            differences = []
            for step_q, step_r in self.layout.steps:
                x, y = self.offset(q + step_q, r + step_r)
                differences.append((y - start) * self.width + x - start)
            steps.append(np.array(differences, np.intp)[:, None])
        return steps[0], steps[1]

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
        """The width after which a wrapped grid repeats itself, in map units; 0 without wrap."""
        if self.wrap:
            return self.width * self.layout.column_distance
        return 0.0

    @property
    def step_around(self) -> tuple[int, int]:
        """The axial step (q, r) once around a wrapped grid, to the east: back to the same cell."""
        return self.axial(self.width, 0)

    @cached_property
    def upright(self) -> bool:
        """True if an oblique grid is shown as a rectangle."""
        return self.wrap and not self.lean and self.layout.shear is Shear.OBLIQUE

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
        # ``Layout.point``, written out because this is called so often.
        (q_x, q_y), (r_x, r_y) = self.layout.basis
        centre_x = q * q_x + r * r_x
        centre_y = q * q_y + r * r_y
        if self.upright:
            centre_x -= self._wraps_left(x, y) * self.period
        return centre_x, centre_y

    def centres_of(self, cells: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return the centres of cells (n,) in map units: shape (n, 2)."""
        ys, xs = np.divmod(cells, self.width)
        q, r = self.axial(xs, ys)
        centres = np.empty((len(cells), 2), np.float64)
        (q_x, q_y), (r_x, r_y) = self.layout.basis
        centres[:, 0] = q * q_x + r * r_x
        centres[:, 1] = q * q_y + r * r_y
        if self.upright:
            centres[:, 0] -= self._wraps_left(xs, ys) * self.period
        return centres

    def centres(self) -> NDArray[np.float64]:
        """Return the centres of all cell indices, masked ones included: shape (size, 2)."""
        return self.centres_of(np.arange(self.size, dtype=np.intp))

    def corner(self, cell: int, index: int) -> tuple[float, float]:
        """Return corner ``index`` (taken modulo the degree) of a cell, in map units."""
        x, y = self.centre(cell)
        dx, dy = self.layout.corners[index % self.degree]
        return x + dx, y + dy

    def outline(self, cell: int) -> list[tuple[float, float]]:
        """Return the corners of a cell, clockwise."""
        return [self.corner(cell, index) for index in range(self.degree)]

    @cached_property
    def bounds(self) -> Box:
        """The smallest box around the existing cells, in map units.

        Raises ValueError if the mask leaves no cell.
        """
        if self.mask is not None and not self.mask.any():
            raise ValueError("a grid without cells has no bounds")
        centres = self.centres_of(self._outermost_cells())
        corners = np.array(self.layout.corners)
        left, top = centres.min(axis=0) + corners.min(axis=0)
        right, bottom = centres.max(axis=0) + corners.max(axis=0)
        return Box(float(left), float(top), float(right), float(bottom))

    def _outermost_cells(self) -> NDArray[np.intp]:
        """Return some of the existing cells, among them the outermost ones in every direction.

        So the bounds of a large grid are found without the centres of all its cells.
        """
        if self.mask is not None:
            if self.upright:
                return self.cells
            return self._ends_of_rows_and_columns(self.mask)
        # Two rows and two columns at each edge, of which one is shifted and one is not, see
        # ``Shear``. The outermost cells are among those where these rows and columns cross.
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

    # --- points -----------------------------------------------------------------------------

    def cell_at(self, px: float, py: float) -> int:
        """Return the cell under a point in map units, -1 if none.

        A point on an edge goes to either.
        """
        if not (abs(px) < FAR and abs(py) < FAR):
            return -1
        (q_of_x, r_of_x), (q_of_y, r_of_y) = self._inverse_basis
        q = px * q_of_x + py * q_of_y
        r = px * r_of_x + py * r_of_y
        if self.degree == 4:
            return self.cell(*self.offset(math.floor(q + 0.5), math.floor(r + 0.5)))
        return self.cell(*self.offset(*round_axial(q, r)))

    def cells_at(self, points: NDArray[np.float64]) -> NDArray[np.intp]:
        """Return the cells under points (n, 2) in map units, shape (n,): -1 as in ``cell_at``."""
        (q_of_x, r_of_x), (q_of_y, r_of_y) = self._inverse_basis
        # Far points, and nan, would overflow integers: they are treated like (0, 0) until the end.
        is_near = np.asarray((np.abs(points) < FAR).all(axis=1))
        px, py = np.where(is_near[:, None], points, 0.0).T
        q = px * q_of_x + py * q_of_y
        r = px * r_of_x + py * r_of_y
        if self.degree == 4:
            rounded_q = np.floor(q + 0.5)
            rounded_r = np.floor(r + 0.5)
        else:
            rounded_q, rounded_r = round_axial_arrays(q, r)
        x, y = self.offset(rounded_q.astype(np.int64), rounded_r.astype(np.int64))
        return np.where(is_near, self.cells_of_xy(x, y), -1)

    @cached_property
    def _inverse_basis(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """The (q, r) of the points (1, 0) and (0, 1), which are fractions: ``basis`` inverted."""
        (q_x, q_y), (r_x, r_y) = self.layout.basis
        determinant = q_x * r_y - q_y * r_x
        return (r_y / determinant, -q_y / determinant), (-r_x / determinant, q_x / determinant)

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
        """Return the cells that are shown at points (n, 2): shape (n,), -1 where none is.

        Points beyond the seam of a wrapped grid are on no cell, while ``cells_at`` returns the cell
        of which a copy is there.
        """
        cells = self.cells_at(points)
        # A point where nothing is shown is not its own ``shown_points``, bit for bit.
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
        # The edge is half way to the neighbour's centre, so the vector there is halved and divided
        # by its squared length: v / 2 becomes (v / 2) / (v² / 4) = 2 v / v².
        normals = []
        for q, r in self.layout.steps:
            x, y = self.layout.point(q, r)
            squared_distance = x * x + y * y
            normals.append((2 * x / squared_distance, 2 * y / squared_distance))
        return tuple(normals)
