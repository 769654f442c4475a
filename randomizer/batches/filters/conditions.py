"""The conditions of a filter, evaluated for all maps of a batch at once.

Each has ``words`` (its text as it is typed), ``sides`` (whether the batch must have hexsides),
``cost`` (cheap ones are evaluated first) and ``matches``, which gives a bool array (n,) for the n
maps.
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
    Quantity,
    TerrainKind,
    Truth,
    WaterKind,
    list_words,
)


@dataclass(frozen=True)
class Comparison:
    """Compares two quantities of a map."""

    left: Quantity
    comparison: str
    right: Quantity

    @property
    def sides(self) -> bool:
        """Whether hexsides are needed."""
        return self.left.sides or self.right.sides

    @property
    def cost(self) -> Cost:
        """The cost of the costlier quantity."""
        return max(self.left.cost, self.right.cost)

    @property
    def words(self) -> str:
        """The text as it is typed."""
        return f"{self.left.words} {self.comparison} {self.right.words}"

    def matches(self, batch: Batch) -> Truth:
        """Shape (n,): the maps for which the comparison is true."""
        found: Truth = COMPARISONS[self.comparison](self.left.of(batch), self.right.of(batch))
        return found


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
        """Whether hexsides are needed."""
        return self.side >= 0

    @property
    def words(self) -> str:
        """The text as it is typed."""
        place = self.cell.name if self.side < 0 else f"{self.cell.name}:{self.side}"
        kinds = [kind.words for kind in self.kinds]
        if len(kinds) == 1:
            return f"{place} {'=' if self.expected else '!='} {kinds[0]}"
        return f"{place} {'in' if self.expected else 'not in'} {list_words(kinds)}"

    def matches(self, batch: Batch) -> Truth:
        """Shape (n,): the maps for which it is true."""
        column = self.cell.column(batch)
        found = np.zeros(len(batch), np.bool_)
        for kind in self.kinds:
            there = kind.where(batch, column)
            found |= there[:, self.side] if self.sides else there
        return found if self.expected else ~found


class MeasureIsTrue(Measured):
    """A yes-or-no measure is 1."""

    def matches(self, batch: Batch) -> Truth:
        """Shape (n,): the maps for which it is true."""
        found: Truth = self.of(batch) != 0
        return found


@dataclass(frozen=True)
class Not:
    """The negation of a condition."""

    part: Condition

    @property
    def sides(self) -> bool:
        """Whether hexsides are needed."""
        return self.part.sides

    @property
    def cost(self) -> Cost:
        """The cost of the negated condition."""
        return self.part.cost

    @property
    def words(self) -> str:
        """The text as it is typed."""
        return f"not {_inner(self.part)}"

    def matches(self, batch: Batch) -> Truth:
        """Shape (n,): the maps for which the negated condition is false."""
        return ~self.part.matches(batch)


@dataclass(frozen=True)
class Combination:
    """Conditions joined by "and" (``all``) or "or". Without parts, "and" is always true."""

    parts: tuple[Condition, ...]
    all: bool

    @cached_property
    def sides(self) -> bool:
        """Whether any part needs hexsides."""
        return any(part.sides for part in self.parts)

    @cached_property
    def cost(self) -> Cost:
        """The cost of the costliest part."""
        return max((part.cost for part in self.parts), default=Cost.NOTHING)

    @property
    def words(self) -> str:
        """The text as it is typed."""
        return (" and " if self.all else " or ").join(map(_inner, self.parts))

    def matches(self, batch: Batch) -> Truth:
        """Shape (n,). Costly parts are evaluated only for maps that cheap ones leave undecided."""
        found = np.full(len(batch), self.all)
        rows, some = np.arange(len(batch)), batch
        for part in sorted(self.parts, key=lambda part: part.cost):
            if part.cost is Cost.MEASURE:
                left_open = found[rows] == self.all
                # Only if it halves the batch: measures share results within one batch only.
                if 2 * np.count_nonzero(left_open) < len(rows):
                    rows = rows[left_open]
                    some = batch.rows(rows)
                if not len(rows):
                    break
            holds = part.matches(some)
            found[rows] = found[rows] & holds if self.all else found[rows] | holds
        return found


Condition = Comparison | CellShows | MeasureIsTrue | Not | Combination


def _inner(part: Condition) -> str:
    return f"({part.words})" if isinstance(part, Combination) else part.words


def without_sides(condition: Condition) -> Condition | None:
    """The part of a condition that can be decided without hexsides; None if there is none."""
    if not condition.sides:
        return condition
    if not isinstance(condition, Combination):
        return None
    parts = [without_sides(part) for part in condition.parts]
    known = tuple(part for part in parts if part is not None)
    if not known or (not condition.all and len(known) < len(parts)):
        return None
    return Combination(known, condition.all)
