"""Filters: conditions on maps that a person types, such as ``count(Tree) >= 2 and not C4 = Bog``.

The language is described in docs/manual/filters.md; ``parser`` reads it, ``conditions`` evaluate.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.batches.batch import Batch, Measure
from randomizer.batches.filters.conditions import Combination, Condition, without_sides
from randomizer.batches.filters.parser import Parser
from randomizer.batches.filters.terms import Quantity
from randomizer.model.grid import Grid
from randomizer.model.problems import ProblemError
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


class Suggestion(NamedTuple):
    """Text that can be typed, and its meaning."""

    text: str
    help: str


class Suggestions(NamedTuple):
    """Texts that can replace the characters ``start`` up to, not including, ``end``."""

    start: int
    end: int
    offers: tuple[Suggestion, ...]


def suggestions(
    text: str,
    position: int,
    system: System,
    measures: tuple[Measure, ...] = (),
    grid: Grid | None = None,
    terrain_set: TerrainSet | None = None,
) -> Suggestions:
    """The texts that can be typed at ``position``, ignoring case; none after a mistake."""
    start = position
    if text[:position].count('"') % 2:
        start = text.rindex('"', 0, position)
    else:
        while start and (text[start - 1].isalnum() or text[start - 1] in "_-"):
            start -= 1
    begun = text[start:position].casefold().removeprefix('"')
    parser = Parser(text[:start], system, measures, grid, terrain_set)
    with suppress(ProblemError):  # the parser has noted what could follow
        parser.filter()
    # There are many hexes: they come last, and A1 before A2 before A10.
    hexes = {text for text, help_ in parser.lacking.items() if help_ == parser.words.cell}
    offers = [Suggestion(text, help_) for text, help_ in parser.lacking.items()]
    fitting = [
        offer for offer in offers if offer.text.casefold().removeprefix('"').startswith(begun)
    ]
    last = [offer for offer in fitting if offer.text in hexes]
    fitting = [offer for offer in fitting if offer.text not in hexes]
    fitting += sorted(last, key=lambda offer: (len(offer.text), offer.text))
    return Suggestions(start, position, tuple(fitting))
