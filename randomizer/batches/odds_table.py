"""``OddsTable``: the chances of every value in every cell and on every side of a generator's maps.

A *state* is what a cell can be: a terrain with an elevation. The arrays of a table have a row for
each cell and a column for each state::

    table.states               # ((3, 0), (3, 1)): terrain 3 with elevation 0 or 1
    table.chances[12]          # array([0.75, 0.25]): those of cell 12
    table.of(12)               # {(3, 0): 0.75, (3, 1): 0.25}

A generator's ``odds``, or ``SampledOdds``, yields tables. The panel of odds, the heat map and
``randomizer odds`` show them. If layers lie above the roll, ``odds_as_seen`` lays them on first.
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
"""The probability with which the bound of a table holds; a greater one makes the bound wider."""

WORTHLESS = 0.3
"""The bound, as a chance, above which ``bound_text`` gives no number: it would say nothing."""


class Origin(NamedTuple):
    """A statement of a script that gives cells their states."""

    line: int
    """Its first line, from 1."""
    end_line: int
    """Its last line."""
    text: str
    """The beginning of its text."""


class ReasonShares(NamedTuple):
    """The chance of a cell to have a state, divided by what the state comes from."""

    of_statements: list[float]
    """The part that is due to each of ``OddsTable.origins``."""
    of_map_below: float
    """The part that is due to the map below the roll."""


class Stage(NamedTuple):
    """The chances after a statement has been carried out."""

    origin: Origin
    chances: NDArray[np.float64]
    """(cells, S), as in ``OddsTable``."""


@dataclass(frozen=True, eq=False)
class OddsTable:
    """The chances of the values of cells and sides, counted on many maps of a generator.

    Rows of the arrays are the flat indices of cells in the grid of the base that the maps are
    rolled onto. S is the number of states.
    """

    samples: int
    """The number of maps that were counted; if it is 0, all chances are 0."""
    tried: int
    """The number of maps rolled: those counted, those that failed, and those without the locks."""
    states: tuple[State, ...]
    """The states of the columns of the arrays."""
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
    """(cells, S): whether the script can give a cell a state; None if that is not known.

    It comes from the lists of cells in the script. False is certain. True is not: a list is read as
    large as it could get, which it may never be.
    """

    def of(self, cell: int) -> dict[State, float]:
        """Return the states that a cell can have and their chances, the likeliest first."""
        chances = {}
        for state, chance in zip(self.states, self.chances[cell].tolist(), strict=True):
            if chance:
                chances[state] = chance
        return dict(sorted(chances.items(), key=lambda entry: -entry[1]))

    def reasons(self, cell: int, column: int) -> ReasonShares | None:
        """Return why a cell has the state of a column; None if that was not counted."""
        if self.sources is None:
            return None
        *of_statements, of_map_below = self.sources[cell, column].tolist()
        return ReasonShares(of_statements, of_map_below)

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
        """The largest error that any chance of the table has with ``CONFIDENCE``, 0 to 1.

        It is from Hoeffding's inequality for each chance, and from the union bound over all of
        ``chances`` and ``sides``.
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
    """Return the odds of what will be seen on the map if layers lie above a roll onto ``base``.

    A cell or side that a layer above covers has the covering value for certain. A cell whose
    terrain and elevation are both covered has no ``sources``. A table of maps of another size than
    the base is returned as it is.
    """
    above = base.above
    if above is None or not table.states or len(table.chances) != base.grid.size:
        return table
    covering = _covering_values(base, above)
    seen = _SeenStates.of(table, covering)
    possible = table.possible
    if possible is not None:
        possible = seen.gather(possible.astype(np.float64)) > 0
    sources = table.sources
    if sources is not None:
        covers_terrain, covers_elevation = covering.is_covered
        is_all_covered = covers_terrain & covers_elevation
        sources = seen.gather(np.where(is_all_covered[:, None, None], 0.0, sources))
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


class _CoveringValues(NamedTuple):
    """The values that a layer above a roll sets in the planes of terrains and elevations.

    The arrays have shape (2, cells): row 0 is for terrains, row 1 for elevations, as in ``State``.
    """

    is_covered: NDArray[np.bool_]
    """True where the layer sets a value."""

    values: NDArray[np.int64]
    """The values; those where it sets none mean nothing."""


def _covering_values(base: Base, above: Layer) -> _CoveringValues:
    """Return which cells the layer above the roll covers, and with which values.

    A plane that the system lacks counts as covered, with the value 0.
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
    return _CoveringValues(is_covered, values)


class _SeenStates(NamedTuple):
    """The states that are seen, and which of them each state of a table becomes in each cell."""

    states: tuple[State, ...]

    columns: NDArray[np.intp]
    """By cell and column of the table the column of the seen state, (cells, S)."""

    @classmethod
    def of(cls, table: OddsTable, covering: _CoveringValues) -> _SeenStates:
        """Return the states of a table below the values of the layer above."""
        # Terrain and elevation of each cell in each state, (2, cells, S): that of the layer above
        # where it covers them, else that of the roll.
        rolled_states = np.array(table.states).T[:, None, :]
        is_covered = covering.is_covered[:, :, None]
        seen = np.where(is_covered, covering.values[:, :, None], rolled_states)
        # States that have become the same share a column.
        pairs, columns = np.unique(seen.reshape(2, -1), axis=1, return_inverse=True)
        states = tuple((terrain, elevation) for terrain, elevation in pairs.T.tolist())
        cell_count = covering.values.shape[1]
        return cls(states, columns.reshape(cell_count, len(table.states)))

    def gather(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return values (cells, S, ...) by seen states, (cells, seen states, ...).

        States of the roll that look alike in a cell are added: under a painted terrain, for
        example, all terrains of the roll look alike.
        """
        cells = np.arange(len(self.columns))
        result = np.zeros((len(cells), len(self.states), *values.shape[2:]))
        for column in range(values.shape[1]):
            result[cells, self.columns[:, column]] += values[:, column]
        return result


def _sides_as_seen(
    table: OddsTable, base: Base, above: Layer
) -> Mapping[tuple[int, int], Mapping[int, float]] | None:
    """Return the chances of sides; a side that the layer above sets has that value for certain."""
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
