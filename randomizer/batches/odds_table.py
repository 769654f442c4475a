"""The chances of every value in every cell and on every side of a generator's maps."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.generator import Base
from randomizer.model.terrain.terrain import TerrainSet

State = tuple[int, int]
"""Terrain code and elevation."""


CONFIDENCE = 0.99
"""The probability with which the bound of a table holds."""

WORTHLESS = 0.3
"""Above this a bound says nothing of use."""


class Origin(NamedTuple):
    """A statement of a script: its first and last line (from 1), and the beginning of its text."""

    line: int
    end_line: int
    text: str


class Stage(NamedTuple):
    """The chances, shape (cells, S), after a statement has been carried out."""

    origin: Origin
    chances: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class OddsTable:
    """The shares of the maps counted so far: of cells by flat cell of the base's grid, of sides."""

    samples: int
    """How many maps were counted; 0: none yet, and all chances are 0."""
    tried: int
    """How many maps were rolled; those without the locked values, and failed ones, do not count."""
    states: tuple[State, ...]
    """The S states that the columns of the arrays stand for."""
    chances: NDArray[np.float64]
    """(cells, S): the chance of a cell to have a state; rows of cells outside the grid are 0."""
    sides: Mapping[tuple[int, int], Mapping[int, float]] | None = None
    """The chances of plane values but 0 ("none") by (cell, side); None: not requested."""
    stages: tuple[Stage, ...] = ()
    """The chances after each statement, in the order of the script."""
    origins: tuple[Origin, ...] = ()
    sources: NDArray[np.float64] | None = None
    """(cells, S, O): the chance that a cell ends in a state because of ``origins[o]``.

    The last column (O = len(origins) + 1) is the map below. None: not requested.
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
        result = zip(self.states, self.chances[cell].tolist(), strict=True)
        return dict(sorted((pair for pair in result if pair[1]), key=lambda pair: -pair[1]))

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
        likely = min(max(chance, 1 / (self.samples + 1)), self.samples / (self.samples + 1))
        return math.sqrt(likely * (1 - likely) / self.samples)

    @property
    def bound(self) -> float:
        """With ``CONFIDENCE`` no chance of the table is further off than this, 0 to 1.

        Hoeffding's inequality for each chance, and the union bound over ``chances`` and ``sides``.
        """
        if not self.samples:
            return 1.0
        sides = self.sides or {}
        codes = {code for row in sides.values() for code in row}
        chance_count = self.chances.size + len(sides) * len(codes)
        return min(
            1.0, math.sqrt(math.log(2 * chance_count / (1 - CONFIDENCE)) / (2 * self.samples))
        )

    @property
    def bound_text(self) -> str:
        """The bound in words, such as "no chance is more than 0.23 points off (99 %)"."""
        if self.bound > WORTHLESS:
            return "these are too few maps to tell chances by"
        points = f"{self.bound * 100:.2g}"
        return f"no chance is more than {points} points off ({CONFIDENCE:.0%})".replace("%", " %")


def odds_as_seen(table: OddsTable, base: Base) -> OddsTable:
    """Return the odds of what will be seen where things lie above a roll onto ``base``.

    A place that is covered has what covers it for certain. ``sources`` name no origin of a cell of
    which all comes from above. A table of maps of another size than the base's stays as it is.
    """
    above = base.above
    system = base.system
    size = base.grid.size
    if above is None or not table.states or len(table.chances) != size:
        return table
    covers = np.zeros((2, size), np.bool_)
    counts = np.zeros((2, size), np.int64)
    for row, spec in enumerate((system.terrain, system.elevation)):
        if spec is None:
            covers[row] = True
        elif spec.name in above.planes:
            counts[row] = above.planes[spec.name].ravel()
            covers[row] = counts[row] != spec.unset
    # By cell and column: the state that is seen.
    seen = np.where(covers[:, :, None], counts[:, :, None], np.array(table.states).T[:, None, :])
    pairs, columns = np.unique(seen.reshape(2, -1), axis=1, return_inverse=True)
    columns = columns.reshape(size, len(table.states))
    cells = np.arange(size)

    def gathered(values: NDArray[np.float64]) -> NDArray[np.float64]:
        result = np.zeros((size, pairs.shape[1], *values.shape[2:]))
        for column in range(values.shape[1]):
            result[cells, columns[:, column]] += values[:, column]
        return result

    possible = table.possible
    if possible is not None:
        possible = gathered(possible.astype(np.float64)) > 0
    sources = table.sources
    if sources is not None:
        sources = gathered(np.where((covers[0] & covers[1])[:, None, None], 0.0, sources))
    sides = table.sides
    if sides is not None and system.hexside is not None and system.hexside.name in above.planes:
        values = above.planes[system.hexside.name].reshape(size, -1)
        indices = np.argwhere(values != system.hexside.unset).tolist()
        codes = {(cell, side): int(values[cell, side]) for cell, side in indices}
        sides = {**sides, **{at: {code: 1.0} if code else {} for at, code in codes.items()}}
    return replace(
        table,
        states=tuple((terrain, elevation) for terrain, elevation in pairs.T.tolist()),
        chances=gathered(table.chances),
        stages=tuple(stage._replace(chances=gathered(stage.chances)) for stage in table.stages),
        sources=sources,
        sides=sides,
        possible=possible,
    )
