"""What a cell of the map can become, as rows of a list; ``OddsRowList`` shows them.

    rows = CellRows(table, system, terrain_set, grid)
    rows.of_finished_map(cell)            # the states of the cell, then hexsides on its sides
    rows.of_stage(3, cell)                # the states after statement 3 of the script

A ``StateRow`` is for a *state* that the cell can have, a terrain at an elevation. The *reasons* of
a state are the statements of the script that give it to the cell, and the map below the script's
roll, which gives it where no statement does. The chances of the reasons add up to that of the
state. A ``HexsideRow`` is for a hexside on one side of the cell.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.batches.filters.tokens import quoted
from randomizer.batches.odds_table import OddsTable
from randomizer.model.grid.grid import Grid
from randomizer.model.system.system import System
from randomizer.model.terrain.terrain import TerrainSet

MIN_SHOWN = 0.0005
"""Chances and errors below this are not shown: they are less than half of the last digit, 0.1 %."""


class Chance(NamedTuple):
    """A chance, with the error that comes from counting it on a sample of maps."""

    value: float
    """From 0 to 1."""

    error: float
    """The standard error; 0 if the chance is exact."""

    @property
    def has_error(self) -> bool:
        """True if the error is large enough to be shown."""
        return self.error >= MIN_SHOWN

    @property
    def text(self) -> str:
        """The chance in per cent, with its error: "66.7 ±1.2 %"."""
        percent = f"{self.value * 100:.1f}"
        if not self.has_error:
            return f"{percent} %"
        return f"{percent} \N{PLUS-MINUS SIGN}{self.error * 100:.1f} %"


@dataclass(frozen=True)
class ReasonRow:
    """A reason why a cell has a state."""

    label: str

    chance: Chance
    """The part of the state's chance that is due to this reason."""

    line: int | None
    """The line of the statement in the script, from 1; None for the map below the roll."""


@dataclass(frozen=True)
class StateRow:
    """A state that a cell can have."""

    label: str

    chance: Chance

    filter: str
    """The filter of the gallery for maps on which the cell has this state: "C3 = Marsh/1"."""

    reasons: tuple[ReasonRow, ...]
    """The one with the greatest chance first; () if they were not counted."""


@dataclass(frozen=True)
class HexsideRow:
    """A hexside that can stand on one side of a cell."""

    label: str

    chance: Chance


@dataclass(frozen=True, eq=False)
class CellRows:
    """Makes the rows of any cell from a table of odds."""

    table: OddsTable

    system: System

    terrain_set: TerrainSet
    """The terrain set that the codes in the table are about."""

    grid: Grid

    def of_finished_map(self, cell: int) -> list[StateRow | HexsideRow]:
        """Return the rows of a cell after the whole script: its states, then hexsides by side.

        States come by their chance, the likeliest first.
        """
        rows: list[StateRow | HexsideRow] = []
        chances = self.table.chances[cell]
        for column in _likely_columns(chances):
            reasons = self._reasons(cell, column)
            rows.append(self._state_row(cell, column, float(chances[column]), reasons))
        rows += self._hexside_rows(cell)
        return rows

    def of_stage(self, stage: int, cell: int) -> list[StateRow | HexsideRow]:
        """Return the rows of a cell after a statement of the script, the likeliest state first.

        ``stage`` is the index of the statement. Reasons and hexsides are counted for finished maps
        only.
        """
        rows: list[StateRow | HexsideRow] = []
        chances = self.table.stages[stage].chances[cell]
        for column in _likely_columns(chances):
            rows.append(self._state_row(cell, column, float(chances[column]), ()))
        return rows

    def _state_row(
        self, cell: int, column: int, chance: float, reasons: tuple[ReasonRow, ...]
    ) -> StateRow:
        """Return the row for the state of a column of the table."""
        terrain, elevation = self.table.states[column]
        terrain_name = self.terrain_set.terrains[terrain].name
        filter_text = f"{self.system.cell_name(self.grid, cell)} = {quoted(terrain_name)}"
        if self.system.elevation is not None:
            filter_text += f"/{elevation}"
        return StateRow(
            label=f"{terrain_name}, {self.system.elevation_text(elevation)}",
            chance=self._chance_of_cell(chance, cell),
            filter=filter_text,
            reasons=reasons,
        )

    def _reasons(self, cell: int, column: int) -> tuple[ReasonRow, ...]:
        """Return the reasons for the state of a column, the one with the greatest chance first."""
        shares = self.table.reasons(cell, column)
        if shares is None:
            return ()
        rows = []
        for origin, share in zip(self.table.origins, shares.of_statements, strict=True):
            if share >= MIN_SHOWN:
                label = f"line {origin.line}: {origin.text}"
                rows.append(ReasonRow(label, self._chance_of_cell(share, cell), origin.line))
        if shares.of_map_below >= MIN_SHOWN:
            chance = self._chance_of_cell(shares.of_map_below, cell)
            rows.append(ReasonRow("the map below", chance, line=None))
        rows.sort(key=lambda row: -row.chance.value)
        return tuple(rows)

    def _chance_of_cell(self, chance: float, cell: int) -> Chance:
        """Return a chance of a cell with its error, 0 if the script has no choice there."""
        return Chance(chance, self.table.error(chance, cell))

    def _hexside_rows(self, cell: int) -> list[HexsideRow]:
        """Return a row for each hexside that a side of the cell can have, side by side.

        Empty if the table was counted without hexsides.
        """
        if self.table.sides is None:
            return []
        rows = []
        for side, side_name in enumerate(self.grid.layout.side_names):
            chances_of_side = self.table.sides.get((cell, side), {})
            for code, chance in sorted(chances_of_side.items()):
                if chance < MIN_SHOWN:
                    continue
                hexside = self.terrain_set.hexsides[code - 1]  # code 0 is a side without a hexside
                label = f"{hexside.name} on the {side_name}"
                # The table knows of states only where the script has no choice, not of hexsides.
                rows.append(HexsideRow(label, Chance(chance, self.table.error(chance))))
        return rows


def _likely_columns(chances: NDArray[np.float64]) -> list[int]:
    """Return the columns of the states whose chances are shown, the likeliest first.

    ``chances`` (states,) are those of one cell.
    """
    columns: list[int] = np.argsort(-chances, kind="stable").tolist()
    return [column for column in columns if chances[column] >= MIN_SHOWN]
