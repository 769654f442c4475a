"""The chances of every value in every cell and on every side of a generator's maps.

A generator's ``odds``, or ``SampledOdds``, yields ``OddsTable``s; the heat on the map, the panel of
odds and ``randomizer odds`` show them, through ``odds_as_seen`` if layers lie above the roll.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.terrain.terrain import TerrainSet
from randomizer.roll_base import Base

if TYPE_CHECKING:
    from randomizer.model.map.layer import Layer

State = tuple[int, int]
"""Terrain code and elevation."""

CONFIDENCE = 0.99
"""The probability with which the bound of a table holds; with a greater one the bound is wider."""

WORTHLESS = 0.3
"""Above this a bound says nothing of use; with a greater one worse tables get a number, too."""


class Origin(NamedTuple):
    """A statement of a script, because of which a cell has a state."""

    line: int
    """Its first line, from 1."""
    end_line: int
    """Its last line."""
    text: str
    """The beginning of its text."""


class Stage(NamedTuple):
    """The chances after a statement has been carried out."""

    origin: Origin
    chances: NDArray[np.float64]
    """(cells, S), as in ``OddsTable``."""


@dataclass(frozen=True, eq=False)
class OddsTable:
    """How likely cells and sides have which values, counted on many maps of a generator.

    A *state* is what a cell can be: a terrain with an elevation. Cells are numbered as in the grid
    of the base that the maps are rolled onto.
    """

    samples: int
    """How many maps were counted; 0: none yet, and all chances are 0."""
    tried: int
    """How many maps were rolled; those without the locked values, and failed ones, do not count."""
    states: tuple[State, ...]
    """The S states that the columns of the arrays stand for."""
    chances: NDArray[np.float64]
    """(cells, S): the chance of a cell to have a state; rows of cells outside the grid are 0."""
    sides: Mapping[tuple[int, int], Mapping[int, float]] | None = None
    """By (cell, side) the chance of each hexside, by its code; None: not requested.

    Code 0, no hexside, is left out: its chance is what is left of 1.
    """
    stages: tuple[Stage, ...] = ()
    """The chances after each statement, in the order of the script."""
    origins: tuple[Origin, ...] = ()
    """The statements of the script that give cells their states."""
    sources: NDArray[np.float64] | None = None
    """(cells, S, len(origins) + 1): the chance that a cell ends in a state because of a statement.

    The last column is for states that the map below the roll gave. None: not requested.
    """
    terrain_set: TerrainSet | None = None
    """The set of the codes; None: the base's."""
    possible: NDArray[np.bool_] | None = None
    """(cells, S): whether the script can give a cell a state; None: that is not known.

    False is certain, it comes from the lists of the script. True is not: a list that is read as
    larger than it ever gets reaches more cells.
    """

    def of(self, cell: int) -> dict[State, float]:
        """Return the states that a cell can have and their chances, the likeliest first."""
        chances = {}
        for state, chance in zip(self.states, self.chances[cell].tolist(), strict=True):
            if chance:
                chances[state] = chance
        return dict(sorted(chances.items(), key=lambda entry: -entry[1]))

    def can_be(self, column: int) -> bool:
        """Return whether a state can be anywhere, as far as that is known without counting."""
        return self.possible is None or bool(self.possible[:, column].any())

    def error(self, chance: float, cell: int | None = None) -> float:
        """Return the standard error of a chance, 0 if the script leaves ``cell`` no choice."""
        if not self.samples:
            return 0.0
        if cell is not None and self.possible is not None and self.possible[cell].sum() == 1:
            return 0.0
        # At least one map in either direction: what never came up is not impossible.
        likely_chance = min(max(chance, 1 / (self.samples + 1)), self.samples / (self.samples + 1))
        return math.sqrt(likely_chance * (1 - likely_chance) / self.samples)

    @property
    def bound(self) -> float:
        """With ``CONFIDENCE`` no chance of the table is further off than this, 0 to 1.

        Hoeffding's inequality for each chance, and the union bound over ``chances`` and ``sides``.
        """
        if not self.samples:
            return 1.0
        sides = self.sides or {}
        codes = set[int]()
        for chances_of_side in sides.values():
            codes.update(chances_of_side)
        chance_count = self.chances.size + len(sides) * len(codes)
        # P(|error| > t) <= 2 exp(-2 n t^2) for one chance; solved for t, for all of them together.
        allowed = (1 - CONFIDENCE) / chance_count
        return min(1.0, math.sqrt(math.log(2 / allowed) / (2 * self.samples)))

    @property
    def bound_text(self) -> str:
        """The bound in words, such as "each chance is within 0.23 points (99 % sure)"."""
        if self.bound > WORTHLESS:
            return "these are too few maps to tell chances by"
        points = f"{self.bound * 100:.2g}"
        return f"each chance is within {points} points ({CONFIDENCE:.0%} sure)".replace("%", " %")


def odds_as_seen(table: OddsTable, base: Base) -> OddsTable:
    """Return the odds of what will be seen where things lie above a roll onto ``base``.

    A place that is covered has what covers it for certain. ``sources`` name no origin of a cell of
    which all comes from above. A table of maps of another size than the base's stays as it is.
    """
    above = base.above
    if above is None or not table.states or len(table.chances) != base.grid.size:
        return table
    is_covered, values_above = _values_above(base, above)
    seen = _SeenStates.of(table, is_covered, values_above)
    possible = table.possible
    if possible is not None:
        possible = seen.gather(possible.astype(np.float64)) > 0
    sources = table.sources
    if sources is not None:
        comes_from_above = is_covered[0] & is_covered[1]
        sources = seen.gather(np.where(comes_from_above[:, None, None], 0.0, sources))
    stages = [stage._replace(chances=seen.gather(stage.chances)) for stage in table.stages]
    return replace(
        table,
        states=seen.states,
        chances=seen.gather(table.chances),
        stages=tuple(stages),
        sources=sources,
        sides=_sides_as_seen(table, base, above),
        possible=possible,
    )


def _values_above(base: Base, above: Layer) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Return which cells something above the roll covers, and with which value.

    Both have shape (2, cells): terrains and elevations. A plane that the system lacks counts as
    covered, with the value 0.
    """
    system = base.system
    is_covered = np.zeros((2, base.grid.size), np.bool_)
    values = np.zeros((2, base.grid.size), np.int64)
    for row, spec in enumerate((system.terrain, system.elevation)):
        if spec is None:
            is_covered[row] = True
        elif spec.name in above.planes:
            values[row] = above.planes[spec.name].ravel()
            is_covered[row] = values[row] != spec.unset
    return is_covered, values


class _SeenStates(NamedTuple):
    """The states that are seen, and which of them each state of a table becomes in each cell."""

    states: tuple[State, ...]

    columns: NDArray[np.intp]
    """By cell and column of the table the column of the seen state, (cells, S)."""

    @classmethod
    def of(
        cls,
        table: OddsTable,
        is_covered: NDArray[np.bool_],
        values_above: NDArray[np.int64],
    ) -> _SeenStates:
        """Return the states with what covers them laid on (both arrays (2, cells))."""
        rolled_states = np.array(table.states).T[:, None, :]
        seen = np.where(is_covered[:, :, None], values_above[:, :, None], rolled_states)
        pairs, columns = np.unique(seen.reshape(2, -1), axis=1, return_inverse=True)
        states = tuple((terrain, elevation) for terrain, elevation in pairs.T.tolist())
        return cls(states, columns.reshape(is_covered.shape[1], len(table.states)))

    def gather(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return values (cells, S, ...) by seen states: those of states that look alike are added.

        Under a painted terrain, for example, all terrains of the roll look alike.
        """
        cells = np.arange(len(self.columns))
        result = np.zeros((len(cells), len(self.states), *values.shape[2:]))
        for column in range(values.shape[1]):
            result[cells, self.columns[:, column]] += values[:, column]
        return result


def _sides_as_seen(
    table: OddsTable, base: Base, above: Layer
) -> Mapping[tuple[int, int], Mapping[int, float]] | None:
    """Return the chances of sides; one that something above sets has that for certain."""
    spec = base.system.hexside
    if table.sides is None or spec is None or spec.name not in above.planes:
        return table.sides
    sides = dict(table.sides)
    values = above.planes[spec.name].reshape(base.grid.size, -1)
    for cell, side in np.argwhere(values != spec.unset).tolist():
        code = int(values[cell, side])
        chances = {code: 1.0}
        if code == 0:  # "none", whose chance the table does not list
            chances = {}
        sides[cell, side] = chances
    return sides
