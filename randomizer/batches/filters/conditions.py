"""The conditions of a filter, evaluated for all maps of a batch at once.

The parser (parser.py) makes them of terms (terms.py), and a search (../search.py) asks them which
maps to keep. Each condition has

- ``matches(batch)``, which returns whether each of the n maps fulfils it: a bool array (n,). None
  of the maps may have failed;
- ``needs_hexsides``: True if the batch must have hexsides;
- ``cost``: cheap conditions are evaluated first;
- ``str``: its text as it is typed.

The filter "count(Tree) > 2 and not C4 = Bog" is this::

    Combination(
        (Comparison(Count(tree), ">", Number(2)), Not(CellShows(c4, None, (bog,)))),
        is_conjunction=True,
    )
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
    """A key of ``COMPARISONS``."""
    right: Quantity

    @property
    def needs_hexsides(self) -> bool:
        return self.left.needs_hexsides or self.right.needs_hexsides

    @property
    def cost(self) -> Cost:
        return max(self.left.cost, self.right.cost)

    def __str__(self) -> str:
        return f"{self.left} {self.comparison} {self.right}"

    def matches(self, batch: Batch) -> Truth:
        """Return (n,): the maps for which the comparison holds."""
        # A measure may be able to decide by itself, on whichever side of the sign it stands.
        decided = _decide(batch, self.left, self.comparison, self.right)
        if decided is None:
            decided = _decide(batch, self.right, _MIRRORED[self.comparison], self.left)
        if decided is not None:
            return decided
        result: Truth = COMPARISONS[self.comparison](self.left.of(batch), self.right.of(batch))
        return result


_MIRRORED = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
"""The comparison that holds with left and right exchanged: 3 < x is x > 3."""


def _decide(batch: Batch, left: Quantity, comparison: str, right: Quantity) -> Truth | None:
    """Return (n,): the maps on which a measure compares so with a number, decided by the measure.

    Some measures can tell it in less time than their values take (``Measure.decide``). None if
    ``left`` is no such measure, or ``right`` is no number.
    """
    if not isinstance(left, Measured) or not isinstance(right, Number):
        return None
    if left.measure.decide is None:
        return None
    return left.measure.decide(batch, COMPARISONS[comparison], right.value)


@dataclass(frozen=True)
class CellShows:
    """A cell, or one side of it, shows one of several kinds, or shows none of them."""

    cell: Cell

    side: int | None
    """The number of the side; None for the cell itself."""

    kinds: tuple[TerrainKind | WaterKind | HexsideKind, ...]
    """Kinds of hexside for a side, the others for a cell."""

    is_expected: bool = True
    """True: one of ``kinds`` must be shown. False: none of them may be."""

    cost = Cost.CELL

    @property
    def needs_hexsides(self) -> bool:
        return self.side is not None

    def __str__(self) -> str:
        name = self.cell.name
        if self.side is not None:
            name = f"{name}:{self.side}"
        kinds = [str(kind) for kind in self.kinds]
        sign = "!="
        word = "not in"
        if self.is_expected:
            sign = "="
            word = "in"
        if len(kinds) == 1:
            return f"{name} {sign} {kinds[0]}"
        return f"{name} {word} {bracketed(kinds)}"

    def matches(self, batch: Batch) -> Truth:
        """Return (n,): the maps that show, or do not show, one of the kinds."""
        column = self.cell.column(batch)
        is_shown = np.zeros(len(batch), np.bool_)
        for kind in self.kinds:
            shows_kind = kind.where(batch, column)
            if self.side is not None:
                shows_kind = shows_kind[:, self.side]
            is_shown |= shows_kind
        if self.is_expected:
            return is_shown
        return ~is_shown


class MeasureIsTrue(Measured):
    """A yes-or-no measure is not 0."""

    def matches(self, batch: Batch) -> Truth:
        """Return (n,): the maps whose value is not 0."""
        result: Truth = self.of(batch) != 0
        return result


@dataclass(frozen=True)
class Not:
    """The negation of a condition."""

    part: Condition
    """The condition that must not hold."""

    @property
    def needs_hexsides(self) -> bool:
        return self.part.needs_hexsides

    @property
    def cost(self) -> Cost:
        return self.part.cost

    def __str__(self) -> str:
        return f"not {_inner(self.part)}"

    def matches(self, batch: Batch) -> Truth:
        """Return (n,): the maps that do not fulfil the condition."""
        return ~self.part.matches(batch)


@dataclass(frozen=True)
class Combination:
    """Conditions joined by "and" or by "or"."""

    parts: tuple[Condition, ...]
    """Without any, "and" is true for every map, as an empty filter is."""

    is_conjunction: bool
    """True if every part must hold ("and"), False if one of them must ("or")."""

    @cached_property
    def needs_hexsides(self) -> bool:
        return any(part.needs_hexsides for part in self.parts)

    @cached_property
    def cost(self) -> Cost:
        return max((part.cost for part in self.parts), default=Cost.NOTHING)

    def __str__(self) -> str:
        conjunction = " or "
        if self.is_conjunction:
            conjunction = " and "
        return conjunction.join(map(_inner, self.parts))

    def matches(self, batch: Batch) -> Truth:
        """Return (n,): which maps fulfil the combination.

        Cheap parts come first; costly ones are evaluated only for the maps that are still
        undecided. With "and" a map is decided by the first part that does not hold, with "or" by
        the first that holds.
        """
        # Before any part is evaluated, "and" holds for every map, and "or" for none.
        result = np.full(len(batch), self.is_conjunction)
        # The maps that are looked at: their rows in ``batch``, and a batch of these alone.
        rows = np.arange(len(batch))
        maps = batch
        for part in sorted(self.parts, key=lambda part: part.cost):
            if part.cost >= Cost.MEASURE:
                # An undecided map still has the result that it began with.
                is_undecided = result[rows] == self.is_conjunction
                # Decided maps are dropped only if they are more than half of the batch: measures
                # share what they compute within one batch, and a smaller batch begins afresh.
                if 2 * np.count_nonzero(is_undecided) < len(rows):
                    rows = rows[is_undecided]
                    maps = batch.rows(rows)
                if not len(rows):
                    break
            holds = part.matches(maps)
            if self.is_conjunction:
                result[rows] &= holds
            else:
                result[rows] |= holds
        return result


Condition = Comparison | CellShows | MeasureIsTrue | Not | Combination
"""Any condition that a map fulfils or does not."""


def _inner(part: Condition) -> str:
    """Return the text of a part of a condition; "and" and "or" in brackets, so that it stays one.

    Without them ``not (a or b)`` would become ``not a or b``, which means something else.
    """
    if isinstance(part, Combination):
        return f"({part})"
    return str(part)


def costs(condition: Condition) -> tuple[str, ...]:
    """Return the costs of the slow measures in a condition as ``Measure.cost`` tells them.

    Each text occurs once.
    """
    texts: list[str] = []
    match condition:
        case Combination(parts):
            for part in parts:
                texts += costs(part)
        case Not(part):
            texts += costs(part)
        case Comparison(left, _, right):
            for operand in (left, right):
                if isinstance(operand, Measured):
                    texts.append(operand.measure.cost)
        case Measured(measure):
            texts.append(measure.cost)
    return tuple(dict.fromkeys(filter(None, texts)))


def without_hexsides(condition: Condition) -> Condition | None:
    """Return what ``condition`` demands of the cells alone; None if that is nothing.

    Every map that fulfils ``condition`` fulfils the result, so a search can drop the other maps
    before it computes any hexsides. "count(Tree) > 2 and connected" gives "count(Tree) > 2". For
    "count(Tree) > 2 or connected" it is None: a map with one tree may still be connected.
    """
    if not condition.needs_hexsides:
        return condition
    if not isinstance(condition, Combination):
        return None
    parts = []
    for part in condition.parts:
        part_without_hexsides = without_hexsides(part)
        if part_without_hexsides is not None:
            parts.append(part_without_hexsides)
        elif not condition.is_conjunction:
            return None  # this alternative can save a map whatever its cells are
    if not parts:
        return None
    return Combination(tuple(parts), is_conjunction=condition.is_conjunction)
