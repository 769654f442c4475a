"""The terms of filters: kinds of terrain, elevation and hexside, and quantities of maps.

The parser (parser.py) makes them, and conditions (conditions.py) are put together from them. In
``count(Tree) >= 2`` the quantity ``count(Tree)`` counts the cells of the kind ``Tree``. All are
evaluated for the n maps of a batch at once. The planes of a batch have a row for each map and a
column for each cell (../batch.py):

- a kind has ``where(batch, columns)``, which returns whether each of these columns of the batch
  shows it: a bool array (n, columns), of a kind of hexside (n, columns, degree);
- a quantity has ``of(batch)``, which returns its value on each map: numbers (n,), and ``cost``, by
  which conditions are ordered for evaluation.

Of both ``str`` is the text as it is typed, and ``needs_hexsides`` tells that the batch must have
hexsides.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from randomizer.batches.batch import Batch, Measure
from randomizer.batches.filters.tokens import quoted
from randomizer.geometry.flood import count_areas

Truth = NDArray[np.bool_]
"""One bool for each map, or for each cell of each map."""

Numbers = NDArray[Any]
"""Numbers of any type, (n,): one for each map."""

Columns = NDArray[np.intp] | slice | int
"""The columns of a batch that are looked at; of a single number the result has no axis of columns.
"""

COMPARISONS: dict[str, np.ufunc] = {
    "=": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}
"""The signs of comparisons and what they compute."""


class Cost(IntEnum):
    """The relative cost of evaluating a condition: those of lower costs are evaluated first."""

    NOTHING = 0
    """A constant."""
    CELL = 1
    """Looks at one cell of each map."""
    COUNT = 2
    """Looks at all cells once."""
    MEASURE = 3
    """Computes something from all cells."""
    SIMULATION = 4
    """A measure of about a second a map (``Measure.cost``)."""


# --- what stands on cells and sides ---------------------------------------------------------------


@dataclass(frozen=True)
class TerrainKind:
    """Cells of one terrain."""

    terrain: int
    """The code of the terrain."""

    name: str

    elevation: int | None = None
    """The elevation that the cells must have; None for any."""

    needs_hexsides = False

    def __str__(self) -> str:
        name = quoted(self.name)
        if self.elevation is None:
            return name
        return f"{name}/{self.elevation}"

    def where(self, batch: Batch, columns: Columns) -> Truth:
        """Return (n, columns): the cells with the terrain, and the elevation if it has one."""
        result: Truth = batch.terrain[:, columns] == self.terrain
        if self.elevation is not None:
            result &= batch.elevation[:, columns] == self.elevation
        return result


@dataclass(frozen=True)
class WaterKind:
    """Cells of any terrain that is water, or of any that is not."""

    waters: tuple[int, ...]
    """The codes of the terrains that are water."""

    is_water: bool
    """False: the cells whose terrain is not among ``waters``."""

    needs_hexsides = False

    def __str__(self) -> str:
        if self.is_water:
            return "water"
        return "land"

    def where(self, batch: Batch, columns: Columns) -> Truth:
        """Return (n, columns): the cells that are water, or those that are none."""
        return np.isin(batch.terrain[:, columns], self.waters, invert=not self.is_water)


@dataclass(frozen=True)
class ElevationKind:
    """Cells whose elevation compares with ``elevation`` as ``comparison`` says."""

    comparison: str
    """A key of ``COMPARISONS``."""

    elevation: int

    needs_hexsides = False

    def __str__(self) -> str:
        if self.comparison == "=":
            return f"elevation {self.elevation}"
        return f"elevation {self.comparison} {self.elevation}"

    def where(self, batch: Batch, columns: Columns) -> Truth:
        """Return (n, columns): the cells of whose elevation the comparison holds."""
        result: Truth = COMPARISONS[self.comparison](batch.elevation[:, columns], self.elevation)
        return result


@dataclass(frozen=True)
class HexsideKind:
    """Sides of cells with one kind of hexside."""

    code: int
    """Its value in the plane of hexsides; 0 for sides without one."""

    name: str

    needs_hexsides = True

    def __str__(self) -> str:
        return quoted(self.name)

    def where(self, batch: Batch, columns: Columns) -> Truth:
        """Return (n, columns, degree): the sides with the hexside."""
        assert batch.hexside is not None, "hexsides need a batch with hexsides"
        result: Truth = batch.hexside[:, columns] == self.code
        return result


@dataclass(frozen=True)
class Cell:
    """A cell that a filter names."""

    index: int
    """Its flat index in the grid."""

    name: str
    """Its name as the system writes it."""

    def column(self, batch: Batch) -> int:
        """Return the cell's column in the planes of a batch."""
        return int(np.flatnonzero(batch.cells == self.index)[0])


def bracketed(texts: list[str]) -> str:
    """Return a list in brackets as it is typed."""
    return f"({', '.join(texts)})"


CellKind = TerrainKind | WaterKind | ElevationKind
"""Any kind of cell."""


# --- numbers that a map has -----------------------------------------------------------------------


@dataclass(frozen=True)
class Number:
    """A literal number, the same for all maps."""

    value: float

    unit: str = ""
    """The unit with which it was typed, "%" or ""; it does not change the value."""

    needs_hexsides = False
    cost = Cost.NOTHING

    def __str__(self) -> str:
        number = np.format_float_positional(self.value, trim="-")
        return f"{number} {self.unit}".rstrip()

    def of(self, _batch: Batch) -> Numbers:
        """Return the number, which numpy compares with those of all maps."""
        return np.asarray(self.value)


@dataclass(frozen=True)
class Count:
    """The number of cells, or of sides of cells, of a kind."""

    kind: CellKind | HexsideKind

    cells: tuple[Cell, ...] = ()
    """The cells among which is counted; () for all of the map."""

    cost = Cost.COUNT

    @property
    def needs_hexsides(self) -> bool:
        return self.kind.needs_hexsides

    def __str__(self) -> str:
        return f"count({self.argument})"

    @property
    def argument(self) -> str:
        """The text between the brackets, as it is typed: "Tree in (C3, C4)"."""
        if not self.cells:
            return str(self.kind)
        return f"{self.kind} in {bracketed([cell.name for cell in self.cells])}"

    def of(self, batch: Batch) -> Numbers:
        """Return the count of each map, uint8 or uint32: (n,)."""
        cells: Any = [cell.index for cell in self.cells]
        if not cells:
            cells = batch.base.grid.cells
        # The columns of these cells in the planes of the batch, which has a column for each cell.
        is_counted = np.isin(batch.cells, cells)
        columns: Columns = slice(None)  # selecting by a slice copies nothing
        if not is_counted.all():
            columns = np.flatnonzero(is_counted)
        shows = self.kind.where(batch, columns)

        # Bools are summed as bytes, and into bytes where no count can overflow: that is faster.
        axes_of_map = tuple(range(1, shows.ndim))
        highest_count = int(np.prod(shows.shape[1:]))
        count_type: type[np.unsignedinteger[Any]] = np.uint32
        if highest_count <= np.iinfo(np.uint8).max:
            count_type = np.uint8
        counts: Numbers = np.add.reduce(shows.view(np.uint8), axis=axes_of_map, dtype=count_type)
        return counts


@dataclass(frozen=True)
class Share:
    """The percentage of the cells that are of a kind."""

    kind: CellKind

    cells: tuple[Cell, ...] = ()
    """The cells of which it is the percentage; () for all of the map."""

    needs_hexsides = False
    cost = Cost.COUNT

    def __str__(self) -> str:
        return f"share({Count(self.kind, self.cells).argument})"

    def of(self, batch: Batch) -> Numbers:
        """Return the percentage of each map, (n,)."""
        counts = Count(self.kind, self.cells).of(batch)
        cell_count = len(set(self.cells))  # a cell that is named twice counts once
        if not self.cells:
            cell_count = len(batch.base.grid.cells)
        return counts * 100.0 / cell_count


@dataclass(frozen=True)
class Regions:
    """The number of areas that the cells of a kind make: cells that touch are one area."""

    kind: CellKind
    needs_hexsides = False
    cost = Cost.MEASURE

    def __str__(self) -> str:
        return f"regions({self.kind})"

    def of(self, batch: Batch) -> Numbers:
        """Return the number of areas on each map, (n,)."""
        grid = batch.base.grid
        # Whether each cell of the grid is of the kind, also where the batch has no column for it.
        marked = np.zeros((len(batch), grid.size), np.bool_)
        marked[:, batch.cells] = self.kind.where(batch, slice(None))
        if grid.mask is not None:
            marked &= grid.mask.ravel()
        return count_areas(grid, marked)


@dataclass(frozen=True)
class ElevationAt:
    """The elevation of one cell."""

    cell: Cell
    needs_hexsides = False
    cost = Cost.CELL

    def __str__(self) -> str:
        return f"elevation({self.cell.name})"

    def of(self, batch: Batch) -> Numbers:
        """Return the elevation of each map, (n,)."""
        return batch.elevation[:, self.cell.column(batch)]


@dataclass(frozen=True)
class Measured:
    """The value of a measure."""

    measure: Measure

    @property
    def cost(self) -> Cost:
        if self.measure.cost:
            return Cost.SIMULATION
        return Cost.MEASURE

    @property
    def needs_hexsides(self) -> bool:
        return self.measure.needs_hexsides

    def __str__(self) -> str:
        return self.measure.name

    def of(self, batch: Batch) -> Numbers:
        """Return the value of each map, (n,)."""
        return self.measure.of(batch)


Quantity = Number | Count | Share | Regions | ElevationAt | Measured
"""Any number that a map has."""
