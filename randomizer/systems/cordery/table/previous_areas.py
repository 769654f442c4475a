"""The areas in which features stood before an earlier part of the page was thrown again.

If the hills are thrown again, the trees stay where they were as far as their areas are still free.
A roll keeps these areas as a text, in the setting ``previous_areas``::

    trees 1 = 0304; trees 2 = 0305 beside

Each feature has the name of its area; "beside" says that dice had put it beside the one before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from randomizer.model.grid.grid import Grid
from randomizer.systems.cordery.dice.decisions import read_fixed

CHAINED = "beside"
"""The word after the area of a feature that dice had put beside the one before it."""


@dataclass(frozen=True, slots=True)
class PreviousArea:
    """The area in which a feature stood before an earlier part of the page was thrown again."""

    cell: int

    is_chained: bool
    """True if dice had put it beside the feature before it."""


def read_previous_areas(
    text: str, grid: Grid, name_of: Callable[[int], str]
) -> dict[str, PreviousArea]:
    """Return the previous areas of features by name, from a text of ``write_previous_areas``.

    Areas that the table does not have are left out. Raises ProblemError for a syntax error.
    """
    cells_by_name = {name_of(cell): cell for cell in grid.cells.tolist()}
    previous_areas = {}
    for feature, value in read_fixed(text).items():
        area_name, _space, note = value.partition(" ")
        if area_name in cells_by_name:
            is_chained = note == CHAINED
            previous_areas[feature] = PreviousArea(cells_by_name[area_name], is_chained)
    return previous_areas


def write_previous_areas(
    previous_areas: Mapping[str, PreviousArea], name_of: Callable[[int], str]
) -> str:
    """Return previous areas as a text: "trees 1 = 0304; trees 2 = 0305 beside"."""
    texts = []
    for feature, area in previous_areas.items():
        text = f"{feature} = {name_of(area.cell)}"
        if area.is_chained:
            text = f"{text} {CHAINED}"
        texts.append(text)
    return "; ".join(texts)
