"""What filters speak of: what stands where on a map, and numbers that a map has.

Everything is told for all maps of a batch at once, and can be written as it is typed (``words``).
``sides`` says that the batch must have hexsides, ``cost`` what it costs: the cheap come first.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from randomizer.batches.batch import Batch, Measure

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
    """What judging costs, roughly."""

    NOTHING = 0
    CELL = 1
    COUNT = 2
    MEASURE = 3


def number_words(value: float) -> str:
    """A number as it is typed, without an exponent."""
    return np.format_float_positional(value, trim="-")


# --- what stands on cells and sides ---------------------------------------------------------------


@dataclass(frozen=True)
class Ground:
    """A terrain, at one elevation or (None) at any."""

    terrain: int
    name: str
    elevation: int | None = None
    sides = False

    @property
    def words(self) -> str:
        """As it is typed."""
        return self.name if self.elevation is None else f"{self.name}/{self.elevation}"

    def where(self, batch: Batch, columns: Any) -> Truth:
        """(n, columns): where it is."""
        found: Truth = batch.terrain[:, columns] == self.terrain
        if self.elevation is not None:
            found &= batch.elevation[:, columns] == self.elevation
        return found


@dataclass(frozen=True)
class Height:
    """Elevations."""

    comparison: str
    elevation: int
    sides = False

    @property
    def words(self) -> str:
        """As it is typed."""
        sign = "" if self.comparison == "=" else f"{self.comparison} "
        return f"elevation {sign}{self.elevation}"

    def where(self, batch: Batch, columns: Any) -> Truth:
        """(n, columns): where they are."""
        found: Truth = COMPARISONS[self.comparison](batch.elevation[:, columns], self.elevation)
        return found


@dataclass(frozen=True)
class SideKind:
    """A kind of hexside: its plane value."""

    code: int
    name: str
    sides = True

    @property
    def words(self) -> str:
        """As it is typed."""
        return self.name

    def where(self, batch: Batch, columns: Any) -> Truth:
        """(n, columns, degree): where it is."""
        assert batch.hexside is not None, "hexsides are judged with hexsides"
        found: Truth = batch.hexside[:, columns] == self.code
        return found


@dataclass(frozen=True)
class Cell:
    """A flat cell of the grid and its name."""

    index: int
    name: str

    def column(self, batch: Batch) -> int:
        """Where it stands in a batch."""
        return int(np.flatnonzero(batch.cells == self.index)[0])


def list_words(words: list[str]) -> str:
    """Several of something as they are typed."""
    return f"({', '.join(words)})"


# --- numbers that a map has -----------------------------------------------------------------------


@dataclass(frozen=True)
class Number:
    """A number of the filter itself; ``sign``: the unit it was typed with."""

    value: float
    sign: str = ""
    sides = False
    cost = Cost.NOTHING

    @property
    def words(self) -> str:
        """As it is typed."""
        return number_words(self.value) + self.sign

    def of(self, _batch: Batch) -> Numbers:
        """The same for every map."""
        return np.asarray(self.value)


@dataclass(frozen=True)
class Count:
    """On how many cells (or sides of cells) something is: of all, or only of ``cells``."""

    what: Ground | Height | SideKind
    cells: tuple[Cell, ...] = ()
    cost = Cost.COUNT

    @property
    def sides(self) -> bool:
        """Whether hexsides are counted."""
        return self.what.sides

    @property
    def words(self) -> str:
        """As it is typed."""
        among = f" in {list_words([cell.name for cell in self.cells])}" if self.cells else ""
        return f"count({self.what.words}{among})"

    def of(self, batch: Batch) -> Numbers:
        """(n,): how many."""
        wanted = [cell.index for cell in self.cells] or batch.base.grid.cells
        columns: Any = np.flatnonzero(np.isin(batch.cells, wanted))
        if len(columns) == len(batch.cells):
            columns = slice(None)  # nothing is copied
        found = self.what.where(batch, columns)
        places = tuple(range(1, found.ndim))
        most = int(np.prod(found.shape[1:]))
        # Sums of bytes are the faster ones.
        counted: Numbers = np.add.reduce(
            found.view(np.uint8), axis=places, dtype=np.uint8 if most < 256 else np.uint32
        )
        return counted


@dataclass(frozen=True)
class ElevationAt:
    """The elevation of one cell."""

    cell: Cell
    sides = False
    cost = Cost.CELL

    @property
    def words(self) -> str:
        """As it is typed."""
        return f"elevation({self.cell.name})"

    def of(self, batch: Batch) -> Numbers:
        """(n,): it."""
        return batch.elevation[:, self.cell.column(batch)]


@dataclass(frozen=True)
class Measured:
    """A measure of the generator."""

    measure: Measure
    cost = Cost.MEASURE

    @property
    def sides(self) -> bool:
        """Whether the measure looks at hexsides."""
        return self.measure.sides

    @property
    def words(self) -> str:
        """As it is typed."""
        return self.measure.name

    def of(self, batch: Batch) -> Numbers:
        """(n,): it."""
        return self.measure.of(batch)


Quantity = Number | Count | ElevationAt | Measured
