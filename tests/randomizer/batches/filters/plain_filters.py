"""A plain second implementation of filters: one map, one hex after the other."""

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


class PlainMap:
    """One row of a batch."""

    def __init__(self, batch: Batch, row: int) -> None:
        planes = batch.planes(row)
        self.terrain = planes["terrain"].ravel().tolist()
        self.elevation = planes["elevation"].ravel().tolist()
        self.hexside = planes["hexside"].reshape(-1, 6).tolist()
        self.cells = batch.base.grid.cells.tolist()
        self.batch = batch.rows(np.array([row]))

    def passes(self, filter: Condition) -> bool:
        if isinstance(filter, Comparison):
            return SIGNS[filter.comparison](self.number(filter.left), self.number(filter.right))
        if isinstance(filter, CellShows):
            return self.shown(filter) == filter.is_expected
        if isinstance(filter, MeasureIsTrue):
            return bool(filter.measure.of(self.batch)[0])
        if isinstance(filter, Not):
            return not self.passes(filter.part)
        assert isinstance(filter, Combination)
        return (all if filter.every else any)(self.passes(part) for part in filter.parts)

    def shown(self, filter: CellShows) -> bool:
        cell = filter.cell.index
        if filter.side >= 0:
            return any(self.hexside[cell][filter.side] == kind.code for kind in filter.kinds)
        return any(
            self.is_ground(cell, kind) for kind in filter.kinds if not isinstance(kind, HexsideKind)
        )

    def is_ground(self, cell: int, kind: CellKind) -> bool:
        if isinstance(kind, WaterKind):
            return (self.terrain[cell] in kind.waters) == kind.is_water
        if isinstance(kind, ElevationKind):
            return SIGNS[kind.comparison](self.elevation[cell], kind.elevation)
        height = kind.elevation
        return self.terrain[cell] == kind.terrain and height in (None, self.elevation[cell])

    def number(self, quantity: Quantity) -> float:
        if isinstance(quantity, Number):
            return quantity.value
        if isinstance(quantity, ElevationAt):
            return int(self.elevation[quantity.cell.index])
        if isinstance(quantity, Measured):
            return float(quantity.measure.of(self.batch)[0])
        if isinstance(quantity, Regions):
            return self.regions(quantity.kind)
        among = [cell.index for cell in quantity.cells] or self.cells
        found = sum(self.times(cell, quantity) for cell in among)
        return found * 100.0 / len(among) if isinstance(quantity, Share) else found

    def times(self, cell: int, count: Count | Share) -> int:
        what = count.kind
        if isinstance(what, HexsideKind):
            return int(self.hexside[cell].count(what.code))
        return self.is_ground(cell, what)

    def regions(self, what: CellKind) -> int:
        ahead = {cell for cell in self.cells if self.is_ground(cell, what)}
        found = 0
        while ahead:
            found += 1
            area = [ahead.pop()]
            while area:
                around = {*self.batch.base.grid.neighbours(area.pop())} & ahead
                ahead -= around
                area += around
        return found
