"""Filters: conditions on maps that a person types, such as ``count(Tree) >= 2 and not C4 = Bog``.

The language is described in docs/manual/filters.md; ``parser`` reads it, ``conditions`` evaluate.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from randomizer.batches.batch import Batch, Measure
from randomizer.batches.filters.conditions import Combination, Condition, without_sides
from randomizer.batches.filters.parser import Parser
from randomizer.batches.filters.terms import Quantity
from randomizer.model.grid import Grid
from randomizer.model.system import System
from randomizer.model.terrain import TerrainSet


@dataclass(frozen=True)
class Filter:
    """A parsed filter."""

    condition: Condition

    @property
    def words(self) -> str:
        """The filter as text that parses to the same filter; "" if every map passes."""
        return self.condition.words

    @property
    def needs_sides(self) -> bool:
        """Whether ``matches`` needs batches with hexsides."""
        return self.condition.sides

    @property
    def before_sides(self) -> Condition | None:
        """The part of the filter that can be decided without hexsides, None if there is none."""
        return without_sides(self.condition)

    def matches(self, batch: Batch) -> NDArray[np.bool_]:
        """Shape (n,): which maps pass. Cheap conditions are evaluated first; failed maps never
        pass.
        """
        found: NDArray[np.bool_] = self.condition.matches(batch) & ~batch.failed
        return found


def parse_filter(
    text: str,
    system: System,
    measures: tuple[Measure, ...] = (),
    grid: Grid | None = None,
    terrain_set: TerrainSet | None = None,
) -> Filter:
    """Parse a filter; every map passes an empty one.

    ``measures`` are those it may name, ``grid`` and ``terrain_set`` those whose cells and terrains
    it may name (None: those of the system's new maps). Raises ProblemError with one problem located
    in ``text``.
    """
    if not text.strip():
        return Filter(Combination((), True))
    return Filter(Parser(text, system, measures, grid, terrain_set).filter())


def parse_quantity(
    text: str,
    system: System,
    measures: tuple[Measure, ...] = (),
    grid: Grid | None = None,
    terrain_set: TerrainSet | None = None,
) -> Quantity:
    """Parse a number computed from maps, such as ``count(Tree)`` or a measure's name.

    Raises ProblemError located in ``text``.
    """
    return Parser(text, system, measures, grid, terrain_set).quantity_alone()
