"""Finds filters of the gallery that the layers above a roll exclude, whatever is rolled.

What a hand has painted onto a map lies above a roll, and so do some other layers. They cover the
roll: a cell that is painted as Bog shows Bog on every map of the gallery.

    problem = problem_of_covered_cells(condition, base)     # None if some map may pass

Each condition is true on every map, on none, or not decided: ``_truth`` returns True, False or
None. Of the cells that nothing covers everything is taken for possible; what the script itself
cannot make is the subject of ``vain_filters.py``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.batches.filters.conditions import CellShows, Combination, Comparison, Not
from randomizer.batches.filters.terms import (
    COMPARISONS,
    Count,
    ElevationAt,
    ElevationKind,
    HexsideKind,
    Number,
    Share,
    WaterKind,
)
from randomizer.model.grid.cell_words import cell_words
from randomizer.model.problems import Problem, Severity

if TYPE_CHECKING:
    from randomizer.batches.filters.conditions import Condition
    from randomizer.batches.filters.terms import CellKind, Quantity
    from randomizer.model.planes.planes import PlaneSpec
    from randomizer.roll_base import Base

Marks = NDArray[np.bool_]
"""A bool for each of some cells: (cells,)."""


def problem_of_covered_cells(condition: Condition, base: Base) -> Problem | None:
    """Return the problem of a filter that no map can pass because of what lies above the roll.

    None if some map may pass it.
    """
    if base.above is None or _truth(condition, base) is not False:
        return None
    # Of conditions joined by "and" the first one that is never true is told.
    part = condition
    if isinstance(condition, Combination) and condition.is_conjunction:
        part = next(part for part in condition.parts if _truth(part, base) is False)
    cells = cell_words(base.grid.layout).cells
    why = f"what was painted, or lies in a layer above the roll, decides these {cells}"
    cell_index = None
    inner_part = part
    while isinstance(inner_part, Not):
        inner_part = inner_part.part
    if isinstance(inner_part, CellShows):
        cell = inner_part.cell
        why = f"what was painted on {cell.name}, or lies in a layer above the roll, stays there"
        cell_index = cell.index
    message = (
        f"{why}, however many maps are rolled: none passes “{part}”. "
        "Change the filter, or paint otherwise"
    )
    return Problem(Severity.ERROR, "filter-against-paint", message, cell=cell_index)


def _truth(condition: Condition, base: Base) -> bool | None:
    """Return whether a condition is true on all maps, or on none (False); None: not decided."""
    match condition:
        case Not(part):
            truth_of_part = _truth(part, base)
            if truth_of_part is None:
                return None
            return not truth_of_part
        case Combination(parts, is_conjunction=is_conjunction):
            truths = [_truth(part, base) for part in parts]
            deciding_truth = not is_conjunction  # one false part decides "and", a true one "or"
            if deciding_truth in truths:
                return deciding_truth
            if None in truths:
                return None
            return is_conjunction
        case CellShows():
            return _truth_of_cell(condition, base)
        case Comparison():
            return _truth_of_comparison(condition, base)
    return None


def _truth_of_cell(condition: CellShows, base: Base) -> bool | None:
    """Return the truth of a condition on one cell; None, too, for one on a side of it."""
    cells = np.array([condition.cell.index])
    is_always_shown = False
    can_be_shown = False
    for kind in condition.kinds:
        if isinstance(kind, HexsideKind):
            return None
        marks = kind_marks(kind, cells, base)
        is_always_shown |= bool(marks.always[0])
        can_be_shown |= bool(marks.possibly[0])
    if is_always_shown:
        return condition.is_expected
    if not can_be_shown:
        return not condition.is_expected
    return None


def _truth_of_comparison(condition: Comparison, base: Base) -> bool | None:
    """Return the truth of a comparison of a quantity with a number; None for any other."""
    compare = COMPARISONS[condition.comparison]
    if isinstance(condition.right, Number):
        limits = _limits(condition.left, base)
        number = condition.right.value
        is_number_right = True
    elif isinstance(condition.left, Number):
        limits = _limits(condition.right, base)
        number = condition.left.value
        is_number_right = False
    else:
        return None
    if limits is None:
        return None

    # A comparison is monotonic in the quantity, but for "=" and "!=", which change at the number.
    values = {limits.least, limits.most}
    if limits.least <= number <= limits.most:
        values.add(number)
    truths = set()
    for value in values:
        if is_number_right:
            truths.add(bool(compare(value, number)))
        else:
            truths.add(bool(compare(number, value)))
    if len(truths) == 1:
        return truths.pop()
    return None


class _Limits(NamedTuple):
    """The least and the most that a quantity can be on any map."""

    least: float
    most: float


def _limits(quantity: Quantity, base: Base) -> _Limits | None:
    """Return the limits of a count or share of cells, or of an elevation; None for all others."""
    if isinstance(quantity, ElevationAt):
        values = values_above(base.system.elevation, np.array([quantity.cell.index]), base)
        if values is None or not values.is_set[0]:
            return None
        elevation = float(values.codes[0])
        return _Limits(elevation, elevation)
    if not isinstance(quantity, Count | Share) or isinstance(quantity.kind, HexsideKind):
        return None
    cells = base.grid.cells
    if quantity.cells:
        cells = np.unique([cell.index for cell in quantity.cells])
    marks = kind_marks(quantity.kind, cells, base)
    least = int(np.count_nonzero(marks.always))
    most = int(np.count_nonzero(marks.possibly))
    if isinstance(quantity, Share):
        return _Limits(least * 100.0 / len(cells), most * 100.0 / len(cells))
    return _Limits(least, most)


# --- what covers the cells ------------------------------------------------------------------------


class KindMarks(NamedTuple):
    """Which of some cells show a kind on every map, and which may show it."""

    always: Marks
    possibly: Marks


class ValuesAbove(NamedTuple):
    """The values of a plane that lie above the roll on some cells."""

    codes: NDArray[np.int_]
    """The value of each cell, (cells,); of one that is not set it means nothing."""

    is_set: Marks
    """True for the cells that are covered."""

    def marks(self, is_of_kind: Marks) -> KindMarks:
        """Return the marks of a kind that the cells whose value is known show or do not show."""
        return KindMarks(self.is_set & is_of_kind, ~self.is_set | is_of_kind)


def kind_marks(kind: CellKind, cells: NDArray[np.intp], base: Base) -> KindMarks:
    """Return which of some cells (flat indices) show a kind."""
    if isinstance(kind, ElevationKind):
        return _elevation_marks(kind.comparison, kind.elevation, cells, base)
    values = values_above(base.system.terrain, cells, base)
    if values is None:
        return _undecided(len(cells))
    if isinstance(kind, WaterKind):
        is_water = np.isin(values.codes, kind.waters)
        return values.marks(is_water == kind.is_water)
    terrain_marks = values.marks(values.codes == kind.terrain)
    if kind.elevation is None:
        return terrain_marks
    elevation_marks = _elevation_marks("=", kind.elevation, cells, base)
    return KindMarks(
        terrain_marks.always & elevation_marks.always,
        terrain_marks.possibly & elevation_marks.possibly,
    )


def _elevation_marks(
    comparison: str, elevation: int, cells: NDArray[np.intp], base: Base
) -> KindMarks:
    """Return on which of some cells the elevation compares so with ``elevation``."""
    values = values_above(base.system.elevation, cells, base)
    if values is None:
        return _undecided(len(cells))
    return values.marks(COMPARISONS[comparison](values.codes, elevation))


def _undecided(cell_count: int) -> KindMarks:
    """Return the marks of cells of which nothing is known."""
    return KindMarks(np.zeros(cell_count, np.bool_), np.ones(cell_count, np.bool_))


def values_above(spec: PlaneSpec | None, cells: NDArray[np.intp], base: Base) -> ValuesAbove | None:
    """Return the values of a plane above the roll; None if nothing covers it, or for no plane."""
    if spec is None or base.above is None or spec.name not in base.above.planes:
        return None
    values = base.above.planes[spec.name].ravel()[cells]
    return ValuesAbove(values.astype(np.int_), values != spec.unset)
