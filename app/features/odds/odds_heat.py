"""The choice of what the odds on the map are of, and the heat that shows them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.render.cell_values.heat import Heat
from randomizer.batches.odds_table import OddsTable
from randomizer.model.terrain.terrain import TerrainSet


class Choice(NamedTuple):
    """``kind`` is "likeliest", "terrain", "elevation" or "hexside"; ``code`` is a plane value."""

    kind: str
    code: int = 0


LIKELIEST = Choice("likeliest")


def percent(chance: float) -> str:
    """Return a chance in whole per cent; what can be and need not be is never 0 % or 100 %."""
    if 0 < chance < 0.005:
        return "<1 %"
    if 0.995 < chance < 1 - 1e-9:
        return ">99 %"
    return f"{chance:.0%}".replace("%", " %")


def has_chance(table: OddsTable, choice: Choice) -> bool:
    """Return whether what is chosen can be seen on any map, as far as the table knows."""
    if choice.kind == "hexside":
        return table.sides is None or any(choice.code in odds for odds in table.sides.values())
    field = 0 if choice.kind == "terrain" else 1
    return choice.kind == "likeliest" or bool(_sum(table, table.chances, field, choice.code).any())


def can_be(table: OddsTable, choice: Choice) -> bool:
    """Return whether the script can give any cell what is chosen, though no map showed it yet."""
    if choice.kind not in ("terrain", "elevation"):
        return True
    field = 0 if choice.kind == "terrain" else 1
    columns = [at for at, state in enumerate(table.states) if state[field] == choice.code]
    return any(table.can_be(column) for column in columns)


def odds_heat(
    table: OddsTable,
    stage: int | None,
    choice: Choice,
    terrain_set: TerrainSet,
    degree: int,
    *,
    faded: bool,
    covered: NDArray[np.bool_] | None = None,
) -> Heat:
    """Return the chances of what is chosen, from 0 to 1, after stage ``stage`` (None: of the maps).

    Cells that are ``covered`` (size,) are hatched.
    """
    if stage is None:
        chances = table.chances
    else:
        chances = table.stages[stage].chances
    if choice.kind == "hexside":
        return _sides_heat(table, choice.code, len(chances), degree, faded, covered)
    names: dict[int, str] = {}
    if choice.kind == "likeliest":
        terrains = sorted({terrain for terrain, _elevation in table.states})
        chances_of_terrains = np.stack([_sum(table, chances, 0, terrain) for terrain in terrains])
        values = chances_of_terrains.max(axis=0)
        best = chances_of_terrains.argmax(axis=0)
        names = {
            cell: terrain_set.terrains[terrains[best[cell]]].name + "\n"
            for cell in np.flatnonzero(values).tolist()
        }
    else:
        values = _sum(table, chances, 0 if choice.kind == "terrain" else 1, choice.code)
    texts = {
        cell: names.get(cell, "") + percent(float(values[cell]))
        for cell in np.flatnonzero(values).tolist()
    }
    # Places that are no cells, and sampled tables that have found no map yet.
    values = np.where(chances.any(axis=1), values, np.nan)
    return Heat(values, (0.0, 1.0), texts=texts, alone=True, faded=faded, hatched=covered)


def _sum(
    table: OddsTable, chances: NDArray[np.float64], field: int, code: int
) -> NDArray[np.float64]:
    """Return the chance of each cell (cells,) of a terrain (field 0) or an elevation (field 1)."""
    columns = [column for column, state in enumerate(table.states) if state[field] == code]
    return np.asarray(chances[:, columns].sum(axis=1))


def _sides_heat(
    table: OddsTable,
    code: int,
    size: int,
    degree: int,
    faded: bool,
    covered: NDArray[np.bool_] | None,
) -> Heat:
    sides = np.zeros((size, degree))
    for cell_and_side, odds in (table.sides or {}).items():
        sides[cell_and_side] = odds.get(code, 0.0)
    cells_and_sides = zip(*np.nonzero(sides), strict=True)
    # Without the sign: there is hardly room for the number.
    texts = {
        (int(cell), int(side)): percent(float(sides[cell, side]))[:-2]
        for cell, side in cells_and_sides
    }
    return Heat(
        np.full(size, np.nan),
        (0.0, 1.0),
        sides=sides,
        side_texts=texts,
        alone=True,
        faded=faded,
        hatched=covered,
    )
