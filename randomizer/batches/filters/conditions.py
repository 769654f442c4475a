"""The conditions of a filter, judged for all maps of a batch at once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from randomizer.batches.batch import Batch
from randomizer.batches.filters.terms import (
    COMPARISONS,
    Cell,
    Cost,
    Ground,
    Measured,
    Quantity,
    SideKind,
    Truth,
    list_words,
)


@dataclass(frozen=True)
class Compare:
    """Two numbers of a map side by side."""

    left: Quantity
    comparison: str
    right: Quantity

    @property
    def sides(self) -> bool:
        """Whether it is about hexsides."""
        return self.left.sides or self.right.sides

    @property
    def cost(self) -> Cost:
        """What it costs."""
        return max(self.left.cost, self.right.cost)

    @property
    def words(self) -> str:
        """As it is typed."""
        return f"{self.left.words} {self.comparison} {self.right.words}"

    def holds(self, batch: Batch) -> Truth:
        """(n,): for which maps."""
        found: Truth = COMPARISONS[self.comparison](self.left.of(batch), self.right.of(batch))
        return found


@dataclass(frozen=True)
class Shows:
    """A cell, or one ``side`` of it (-1: the cell), shows one of ``kinds``; not ``so``: none."""

    cell: Cell
    side: int
    kinds: tuple[Ground | SideKind, ...]
    so: bool = True
    cost = Cost.CELL

    @property
    def sides(self) -> bool:
        """Whether it is about hexsides."""
        return self.side >= 0

    @property
    def words(self) -> str:
        """As it is typed."""
        place = self.cell.name if self.side < 0 else f"{self.cell.name}:{self.side}"
        kinds = [kind.words for kind in self.kinds]
        if len(kinds) == 1:
            return f"{place} {'=' if self.so else '!='} {kinds[0]}"
        return f"{place} {'in' if self.so else 'not in'} {list_words(kinds)}"

    def holds(self, batch: Batch) -> Truth:
        """(n,): for which maps."""
        column = self.cell.column(batch)
        found = np.zeros(len(batch), np.bool_)
        for kind in self.kinds:
            there = kind.where(batch, column)
            found |= there[:, self.side] if self.sides else there
        return found if self.so else ~found


class IsSo(Measured):
    """A yes-or-no measure says yes."""

    def holds(self, batch: Batch) -> Truth:
        """(n,): for which maps."""
        found: Truth = self.of(batch) != 0
        return found


@dataclass(frozen=True)
class Not:
    """The opposite of a condition."""

    part: Condition

    @property
    def sides(self) -> bool:
        """Whether it is about hexsides."""
        return self.part.sides

    @property
    def cost(self) -> Cost:
        """What it costs."""
        return self.part.cost

    @property
    def words(self) -> str:
        """As it is typed."""
        return f"not {_inner(self.part)}"

    def holds(self, batch: Batch) -> Truth:
        """(n,): for which maps."""
        return ~self.part.holds(batch)


@dataclass(frozen=True)
class Several:
    """Conditions that must ``all`` hold, or of which one must. All of none always hold."""

    parts: tuple[Condition, ...]
    all: bool

    @cached_property
    def sides(self) -> bool:
        """Whether any is about hexsides."""
        return any(part.sides for part in self.parts)

    @cached_property
    def cost(self) -> Cost:
        """What the dearest costs."""
        return max((part.cost for part in self.parts), default=Cost.NOTHING)

    @property
    def words(self) -> str:
        """As it is typed."""
        return (" and " if self.all else " or ").join(map(_inner, self.parts))

    def holds(self, batch: Batch) -> Truth:
        """(n,): for which maps. The dear are asked only about maps that the cheap leave open."""
        found = np.full(len(batch), self.all)
        rows, some = np.arange(len(batch)), batch
        for part in sorted(self.parts, key=lambda part: part.cost):
            if part.cost is Cost.MEASURE:
                left_open = found[rows] == self.all
                # Not for a few less: what measures have in common is worked out once for a batch.
                if 2 * np.count_nonzero(left_open) < len(rows):
                    rows = rows[left_open]
                    some = batch.rows(rows)
                if not len(rows):
                    break
            holds = part.holds(some)
            found[rows] = found[rows] & holds if self.all else found[rows] | holds
        return found


Condition = Compare | Shows | IsSo | Not | Several


def _inner(part: Condition) -> str:
    return f"({part.words})" if isinstance(part, Several) else part.words


def without_sides(condition: Condition) -> Condition | None:
    """What must hold, as far as it can be judged without hexsides: None if nothing can."""
    if not condition.sides:
        return condition
    if not isinstance(condition, Several):
        return None
    parts = [without_sides(part) for part in condition.parts]
    known = tuple(part for part in parts if part is not None)
    if not known or (not condition.all and len(known) < len(parts)):
        return None
    return Several(known, condition.all)
