"""The terms of filters: kinds of terrain, elevation and hexside, and quantities of maps.

All are evaluated for the n maps of a batch at once. ``str`` is the text as it is typed, ``sides``
says that the batch must have hexsides, ``cost`` decides the order of evaluation. ``where`` gives
the cells of a kind, a bool array (n, columns), of hexsides (n, columns, degree); ``of`` the
quantity of each map, numbers (n,).
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
Numbers = NDArray[Any]

COMPARISONS: dict[str, np.ufunc] = {
    "=": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}


class Cost(IntEnum):
    """The relative cost of evaluating a condition."""

    NOTHING = 0
    CELL = 1
    COUNT = 2
    MEASURE = 3
    SIMULATION = 4


# --- what stands on cells and sides ---------------------------------------------------------------


@dataclass(frozen=True)
class TerrainKind:
    """A terrain, at one elevation or (None) at any."""

    terrain: int
    name: str
    elevation: int | None = None
    sides = False

    def __str__(self) -> str:
        name = quoted(self.name)
        if self.elevation is None:
            return name
        return f"{name}/{self.elevation}"

    def where(self, batch: Batch, columns: Any) -> Truth:
        result: Truth = batch.terrain[:, columns] == self.terrain
        if self.elevation is not None:
            result &= batch.elevation[:, columns] == self.elevation
        return result


@dataclass(frozen=True)
class WaterKind:
    """All terrains that are water (``waters``, their codes), or all that are not."""

    waters: tuple[int, ...]
    water: bool
    sides = False

    def __str__(self) -> str:
        return "water" if self.water else "land"

    def where(self, batch: Batch, columns: Any) -> Truth:
        return np.isin(batch.terrain[:, columns], self.waters, invert=not self.water)


@dataclass(frozen=True)
class ElevationKind:
    """Elevations that compare with ``elevation`` as ``comparison`` says."""

    comparison: str
    elevation: int
    sides = False

    def __str__(self) -> str:
        if self.comparison == "=":
            sign = ""
        else:
            sign = f"{self.comparison} "
        return f"elevation {sign}{self.elevation}"

    def where(self, batch: Batch, columns: Any) -> Truth:
        result: Truth = COMPARISONS[self.comparison](batch.elevation[:, columns], self.elevation)
        return result


@dataclass(frozen=True)
class HexsideKind:
    """A kind of hexside; ``code`` is its plane value."""

    code: int
    name: str
    sides = True

    def __str__(self) -> str:
        return quoted(self.name)

    def where(self, batch: Batch, columns: Any) -> Truth:
        assert batch.hexside is not None, "hexsides need a batch with hexsides"
        result: Truth = batch.hexside[:, columns] == self.code
        return result


@dataclass(frozen=True)
class Cell:
    """A flat cell of the grid and its name."""

    index: int
    name: str

    def column(self, batch: Batch) -> int:
        """Return the cell's column in a batch."""
        return int(np.flatnonzero(batch.cells == self.index)[0])


def bracketed(texts: list[str]) -> str:
    """Return a list in brackets as it is typed."""
    return f"({', '.join(texts)})"


CellKind = TerrainKind | WaterKind | ElevationKind

# --- numbers that a map has -----------------------------------------------------------------------


@dataclass(frozen=True)
class Number:
    """A literal number; ``sign`` is the unit it was typed with."""

    value: float
    sign: str = ""
    sides = False
    cost = Cost.NOTHING

    def __str__(self) -> str:
        return np.format_float_positional(self.value, trim="-") + self.sign

    def of(self, _batch: Batch) -> Numbers:
        return np.asarray(self.value)


@dataclass(frozen=True)
class Count:
    """The number of cells (or sides of cells) of a kind, of all cells or only of ``cells``."""

    what: CellKind | HexsideKind
    cells: tuple[Cell, ...] = ()
    cost = Cost.COUNT

    @property
    def sides(self) -> bool:
        return self.what.sides

    def __str__(self) -> str:
        if self.cells:
            among = f" in {bracketed([cell.name for cell in self.cells])}"
        else:
            among = ""
        return f"count({self.what}{among})"

    def of(self, batch: Batch) -> Numbers:
        cells = [cell.index for cell in self.cells] or batch.base.grid.cells
        columns: Any = np.flatnonzero(np.isin(batch.cells, cells))
        if len(columns) == len(batch.cells):
            columns = slice(None)  # a slice copies nothing
        shows = self.what.where(batch, columns)
        axes = tuple(range(1, shows.ndim))
        most = int(np.prod(shows.shape[1:]))
        # Sums of bytes are faster.
        counted: Numbers = np.add.reduce(
            shows.view(np.uint8), axis=axes, dtype=np.uint8 if most < 256 else np.uint32
        )
        return counted


@dataclass(frozen=True)
class Share:
    """The percentage of the cells that are of a kind, of all cells or only of ``cells``."""

    what: CellKind
    cells: tuple[Cell, ...] = ()
    sides = False
    cost = Cost.COUNT

    def __str__(self) -> str:
        return f"share{str(Count(self.what, self.cells)).removeprefix('count')}"

    def of(self, batch: Batch) -> Numbers:
        counted = Count(self.what, self.cells).of(batch)
        cell_count = len(set(self.cells)) or len(batch.base.grid.cells)
        return counted * 100.0 / cell_count


@dataclass(frozen=True)
class Regions:
    """The number of connected areas of the cells of a kind."""

    what: CellKind
    sides = False
    cost = Cost.MEASURE

    def __str__(self) -> str:
        return f"regions({self.what})"

    def of(self, batch: Batch) -> Numbers:
        grid = batch.base.grid
        marked = np.zeros((len(batch), grid.size), np.bool_)
        marked[:, batch.cells] = self.what.where(batch, slice(None))
        if grid.mask is not None:
            marked &= grid.mask.ravel()
        return count_areas(grid, marked)


@dataclass(frozen=True)
class ElevationAt:
    """The elevation of one cell."""

    cell: Cell
    sides = False
    cost = Cost.CELL

    def __str__(self) -> str:
        return f"elevation({self.cell.name})"

    def of(self, batch: Batch) -> Numbers:
        return batch.elevation[:, self.cell.column(batch)]


@dataclass(frozen=True)
class Measured:
    """A measure of the generator."""

    measure: Measure

    @property
    def cost(self) -> Cost:
        return Cost.SIMULATION if self.measure.cost else Cost.MEASURE

    @property
    def sides(self) -> bool:
        return self.measure.sides

    def __str__(self) -> str:
        return self.measure.name

    def of(self, batch: Batch) -> Numbers:
        return self.measure.of(batch)


Quantity = Number | Count | Share | Regions | ElevationAt | Measured
