"""Filters: conditions on maps that a person types, such as ``count(Tree) >= 2 and not C4 = Bog``.

docs/manual/filters.md tells the language; ``parser`` reads it, ``conditions`` judge.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.batches.batch import Batch, Measure
from randomizer.batches.filters.conditions import Condition, Several, without_sides
from randomizer.batches.filters.parser import Parser
from randomizer.batches.filters.terms import Quantity
from randomizer.model.battlemap import System
from randomizer.model.cell_words import suited
from randomizer.model.grid import Grid
from randomizer.model.problems import ProblemError


@dataclass(frozen=True)
class Filter:
    """A filter that could be read. ``words`` is it as the program writes it."""

    condition: Condition

    @property
    def words(self) -> str:
        """The filter as text, which reads as the same filter; "" for one that every map passes."""
        return self.condition.words

    @property
    def needs_sides(self) -> bool:
        """Whether ``holds`` needs batches with hexsides."""
        return self.condition.sides

    @property
    def before_sides(self) -> Condition | None:
        """What the filter asks at least that can be judged without hexsides, None if nothing."""
        return without_sides(self.condition)

    def holds(self, batch: Batch) -> NDArray[np.bool_]:
        """(n,): which maps pass it; cheap conditions are judged first. Failed maps never do."""
        found: NDArray[np.bool_] = self.condition.holds(batch) & ~batch.failed
        return found


def parse_filter(
    text: str, system: System, measures: tuple[Measure, ...] = (), grid: Grid | None = None
) -> Filter:
    """Read a filter; an empty one is passed by every map.

    ``measures`` are those that it may name, ``grid`` is whose cells it may name (None: the grid of
    the system's new maps). Raises ProblemError with one problem that is located in ``text``.
    """
    if not text.strip():
        return Filter(Several((), True))
    return Filter(Parser(text, system, measures, grid).filter())


def parse_quantity(
    text: str, system: System, measures: tuple[Measure, ...] = (), grid: Grid | None = None
) -> Quantity:
    """Read a number that maps have, such as ``count(Tree)`` or a measure's name.

    Raises ProblemError with the place in ``text``.
    """
    return Parser(text, system, measures, grid).quantity_alone()


class Suggestion(NamedTuple):
    """What can be typed, and what it means."""

    text: str
    help: str


class Suggestions(NamedTuple):
    """What can stand in place of the characters ``start`` up to, not including, ``end``."""

    start: int
    end: int
    offers: tuple[Suggestion, ...]


def suggestions(
    text: str,
    position: int,
    system: System,
    measures: tuple[Measure, ...] = (),
    grid: Grid | None = None,
) -> Suggestions:
    """What can be typed at ``position``, in any case of letters; nothing behind a mistake."""
    start = position
    while start and (text[start - 1].isalnum() or text[start - 1] in "_-"):
        start -= 1
    begun = text[start:position].casefold()
    parser = Parser(text[:start], system, measures, grid)
    with suppress(ProblemError):  # what an unfinished filter lacks has been noted
        parser.filter()
    # There are many hexes: they come last, and A1 before A2 before A10.
    hexes = {text for text, help_ in parser.lacking.items() if help_ == "hex"}
    layout = parser.grid.layout
    offers = [Suggestion(text, suited(help_, layout)) for text, help_ in parser.lacking.items()]
    fitting = [offer for offer in offers if offer.text.casefold().startswith(begun)]
    last = [offer for offer in fitting if offer.text in hexes]
    fitting = [offer for offer in fitting if offer.text not in hexes]
    fitting += sorted(last, key=lambda offer: (len(offer.text), offer.text))
    return Suggestions(start, position, tuple(fitting))
