"""The conditions of a filter, evaluated for all maps of a batch at once.

Each has ``sides`` (whether the batch must have hexsides), ``cost`` (cheap ones are evaluated first)
and ``matches``, which gives a bool array (n,) for the n maps, none of which may have failed.
``str`` is its text as it is typed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from randomizer.batches.batch import Batch
from randomizer.batches.filters.terms import (
    COMPARISONS,
    Cell,
    Cost,
    HexsideKind,
    Measured,
    Number,
    Quantity,
    TerrainKind,
    Truth,
    WaterKind,
    bracketed,
)


@dataclass(frozen=True)
class Comparison:
    """Compares two quantities of a map."""

    left: Quantity
    comparison: str
    right: Quantity

    @property
    def sides(self) -> bool:
        return self.left.sides or self.right.sides

    @property
    def cost(self) -> Cost:
        return max(self.left.cost, self.right.cost)

    def __str__(self) -> str:
        return f"{self.left} {self.comparison} {self.right}"

    def matches(self, batch: Batch) -> Truth:
        compare = COMPARISONS[self.comparison]
        turned = COMPARISONS[_TURNED[self.comparison]]
        sides = (self.left, compare, self.right), (self.right, turned, self.left)
        for quantity, comparison, number in sides:
            if isinstance(quantity, Measured) and isinstance(number, Number):
                decide = quantity.measure.decide
                if decide is not None:
                    return decide(batch, comparison, number.value)
        result: Truth = compare(self.left.of(batch), self.right.of(batch))
        return result


_TURNED = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
"""The comparisons with left and right exchanged."""


@dataclass(frozen=True)
class CellShows:
    """A cell (``side`` -1) or one side of it has one of ``kinds``; none if not ``expected``."""

    cell: Cell
    side: int
    kinds: tuple[TerrainKind | WaterKind | HexsideKind, ...]
    expected: bool = True
    cost = Cost.CELL

    @property
    def sides(self) -> bool:
        return self.side >= 0

    def __str__(self) -> str:
        if self.side < 0:
            name = self.cell.name
        else:
            name = f"{self.cell.name}:{self.side}"
        kinds = [str(kind) for kind in self.kinds]
        if len(kinds) == 1:
            return f"{name} {'=' if self.expected else '!='} {kinds[0]}"
        return f"{name} {'in' if self.expected else 'not in'} {bracketed(kinds)}"

    def matches(self, batch: Batch) -> Truth:
        column = self.cell.column(batch)
        result = np.zeros(len(batch), np.bool_)
        for kind in self.kinds:
            shows = kind.where(batch, column)
            result |= shows[:, self.side] if self.sides else shows
        return result if self.expected else ~result


class MeasureIsTrue(Measured):
    """A yes-or-no measure is 1."""

    def matches(self, batch: Batch) -> Truth:
        result: Truth = self.of(batch) != 0
        return result


@dataclass(frozen=True)
class Not:
    """The negation of a condition."""

    part: Condition

    @property
    def sides(self) -> bool:
        return self.part.sides

    @property
    def cost(self) -> Cost:
        return self.part.cost

    def __str__(self) -> str:
        return f"not {_inner(self.part)}"

    def matches(self, batch: Batch) -> Truth:
        return ~self.part.matches(batch)


@dataclass(frozen=True)
class Combination:
    """Conditions joined by "and" (``every``) or "or". Without parts, "and" is always true."""

    parts: tuple[Condition, ...]
    every: bool

    @cached_property
    def sides(self) -> bool:
        return any(part.sides for part in self.parts)

    @cached_property
    def cost(self) -> Cost:
        return max((part.cost for part in self.parts), default=Cost.NOTHING)

    def __str__(self) -> str:
        return (" and " if self.every else " or ").join(map(_inner, self.parts))

    def matches(self, batch: Batch) -> Truth:
        """Shape (n,). Costly parts are evaluated only for maps that cheap ones leave undecided."""
        result = np.full(len(batch), self.every)
        rows = np.arange(len(batch))
        some = batch
        for part in sorted(self.parts, key=lambda part: part.cost):
            if part.cost >= Cost.MEASURE:
                left_open = result[rows] == self.every
                # Only if it halves the batch: measures share results within one batch only.
                if 2 * np.count_nonzero(left_open) < len(rows):
                    rows = rows[left_open]
                    some = batch.rows(rows)
                if not len(rows):
                    break
            holds = part.matches(some)
            result[rows] = result[rows] & holds if self.every else result[rows] | holds
        return result


Condition = Comparison | CellShows | MeasureIsTrue | Not | Combination


def _inner(part: Condition) -> str:
    if isinstance(part, Combination):
        return f"({part})"
    return str(part)


def costs(condition: Condition) -> tuple[str, ...]:
    """Return what the measures of a condition cost that take long, each once."""
    match condition:
        case Combination(parts):
            every = [cost for part in parts for cost in costs(part)]
        case Not(part):
            every = [*costs(part)]
        case Comparison(left, _, right):
            every = [
                operand.measure.cost for operand in (left, right) if isinstance(operand, Measured)
            ]
        case Measured(measure):
            every = [measure.cost]
        case _:
            every = []
    return tuple(dict.fromkeys(filter(None, every)))


def without_sides(condition: Condition) -> Condition | None:
    """Return the part of a condition that can be decided without hexsides; None if there is
    none.
    """
    if not condition.sides:
        return condition
    if not isinstance(condition, Combination):
        return None
    parts = [without_sides(part) for part in condition.parts]
    decided = tuple(part for part in parts if part is not None)
    if not decided or (not condition.every and len(decided) < len(parts)):
        return None
    return Combination(decided, every=condition.every)
