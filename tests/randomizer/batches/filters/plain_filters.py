"""A plain second implementation of filters: one map, one hex after the other.

    PlainMap(batch, row=3).passes(condition)

Tests compare it with the real one, which filters a whole batch at once.
"""

from __future__ import annotations

import operator
from collections.abc import Callable

import numpy as np

from randomizer.batches.batch import Batch
from randomizer.batches.filters.conditions import (
    CellShows,
    Combination,
    Comparison,
    Condition,
    MeasureIsTrue,
    Not,
)
from randomizer.batches.filters.terms import (
    CellKind,
    Count,
    ElevationAt,
    ElevationKind,
    HexsideKind,
    Measured,
    Number,
    Quantity,
    Regions,
    Share,
    WaterKind,
)

SIGNS: dict[str, Callable[[float, float], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


"""The functions of comparisons by their signs."""


class PlainMap:
    """One map of a batch, the one in this row, with its values by cell."""

    def __init__(self, batch: Batch, row: int) -> None:
        planes = batch.planes(row)
        self.terrain = planes["terrain"].ravel().tolist()
        self.elevation = planes["elevation"].ravel().tolist()
        self.hexside = planes["hexside"].reshape(-1, 6).tolist()
        self.cells = batch.base.grid.cells.tolist()
        self.batch = batch.rows(np.array([row]))

    def passes(self, condition: Condition) -> bool:
        """Return whether a condition is true of the map."""
        if isinstance(condition, Comparison):
            left = self.number_of(condition.left)
            right = self.number_of(condition.right)
            return SIGNS[condition.comparison](left, right)
        if isinstance(condition, CellShows):
            return self.cell_shows(condition) == condition.is_expected
        if isinstance(condition, MeasureIsTrue):
            return bool(condition.measure.of(self.batch)[0])
        if isinstance(condition, Not):
            return not self.passes(condition.part)
        assert isinstance(condition, Combination)
        results = [self.passes(part) for part in condition.parts]
        if condition.is_conjunction:
            return all(results)
        return any(results)

    def cell_shows(self, condition: CellShows) -> bool:
        """Return whether a cell, or a side of it, is of any of the kinds."""
        cell = condition.cell.index
        if condition.side is not None:
            code = self.hexside[cell][condition.side]
            return any(code == kind.code for kind in condition.kinds)
        for kind in condition.kinds:
            if not isinstance(kind, HexsideKind) and self.is_of_kind(cell, kind):
                return True
        return False

    def is_of_kind(self, cell: int, kind: CellKind) -> bool:
        """Return whether a cell has the water, elevation or terrain of a kind."""
        if isinstance(kind, WaterKind):
            return (self.terrain[cell] in kind.waters) == kind.is_water
        if isinstance(kind, ElevationKind):
            return SIGNS[kind.comparison](self.elevation[cell], kind.elevation)
        # A terrain, at any elevation or at one.
        has_elevation = kind.elevation in (None, self.elevation[cell])
        return self.terrain[cell] == kind.terrain and has_elevation

    def number_of(self, quantity: Quantity) -> float:
        """Return the value of a quantity on the map."""
        if isinstance(quantity, Number):
            return quantity.value
        if isinstance(quantity, ElevationAt):
            return int(self.elevation[quantity.cell.index])
        if isinstance(quantity, Measured):
            return float(quantity.measure.of(self.batch)[0])
        if isinstance(quantity, Regions):
            return self.count_regions(quantity.kind)
        cells = [cell.index for cell in quantity.cells]
        if not cells:
            cells = self.cells  # none are named: all count
        count = sum(self.count_in_cell(cell, quantity) for cell in cells)
        if isinstance(quantity, Share):
            return count * 100.0 / len(cells)
        return count

    def count_in_cell(self, cell: int, quantity: Count | Share) -> int:
        """Return how often a kind is in a cell: on how many sides, or 1 for the cell itself."""
        kind = quantity.kind
        if isinstance(kind, HexsideKind):
            return int(self.hexside[cell].count(kind.code))
        return int(self.is_of_kind(cell, kind))

    def count_regions(self, kind: CellKind) -> int:
        """Return the number of connected areas of cells of a kind."""
        unvisited = {cell for cell in self.cells if self.is_of_kind(cell, kind)}
        count = 0
        while unvisited:
            count += 1
            waiting = [unvisited.pop()]
            while waiting:
                neighbours = {*self.batch.base.grid.neighbours(waiting.pop())} & unvisited
                unvisited -= neighbours
                waiting += neighbours
        return count
