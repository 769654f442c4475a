"""The choice of what the odds on the map are of, and the heat that shows them.

The panel offers the ``Choice``s that ``has_chance`` or ``can_be``; ``odds_heat`` makes of the
chosen one what the canvas draws.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.render.cell_values.heat import Heat
from randomizer.batches.odds_table import OddsTable
from randomizer.model.terrain.terrain import TerrainSet


class Choice(NamedTuple):
    """What the odds are of: a terrain, an elevation or a hexside, or whatever is likeliest."""

    kind: str
    """It is "likeliest", "terrain", "elevation" or "hexside"."""

    code: int = 0
    """The value of the plane, such as the code of a terrain; without meaning for "likeliest"."""


LIKELIEST = Choice("likeliest")
"""For each cell its likeliest terrain, and how likely that is."""

_TERRAIN_FIELD = 0
"""The index of the terrain in a state of ``OddsTable.states``."""

_ELEVATION_FIELD = 1
"""The index of the elevation in a state of ``OddsTable.states``."""


def percent(chance: float) -> str:
    """Return a chance as a text in whole per cent.

    What is possible is never "0 %", and what is not certain never "100 %", as rounding would have
    it. A chance within 1e-9 of 1 is certain: it is a sum with rounding errors.
    """
    if 0 < chance < 0.005:
        return "<1 %"
    if 0.995 < chance < 1 - 1e-9:
        return ">99 %"
    return f"{chance:.0%}".replace("%", " %")


def has_chance(table: OddsTable, choice: Choice) -> bool:
    """Return whether what is chosen can be seen on any map, as far as the table knows."""
    if choice.kind == "likeliest":
        return True
    if choice.kind == "hexside":
        return table.sides is None or any(choice.code in odds for odds in table.sides.values())
    chances = _sum(table, table.chances, _field_of(choice), choice.code)
    return bool(chances.any())


def can_be(table: OddsTable, choice: Choice) -> bool:
    """Return whether the script can give any cell what is chosen, though no map showed it yet."""
    if choice.kind not in ("terrain", "elevation"):
        return True
    columns = _columns_with(table, _field_of(choice), choice.code)
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
    """Return the heat of the chances of what is chosen, from 0 to 1.

    They are those after the statement with the number ``stage``, or of the finished maps (None).
    ``degree`` is the number of sides of a cell. The heat is ``faded`` while newer odds are being
    computed; cells that are ``covered`` (size,) are hatched.
    """
    if stage is None:
        chances = table.chances
    else:
        chances = table.stages[stage].chances
    if choice.kind == "hexside":
        return _sides_heat(
            table,
            choice.code,
            size=len(chances),
            degree=degree,
            faded=faded,
            covered=covered,
        )

    texts: dict[int, str] = {}
    if choice.kind == "likeliest":
        terrains = sorted({terrain for terrain, _elevation in table.states})
        chances_of_terrains = np.stack(
            [_sum(table, chances, _TERRAIN_FIELD, terrain) for terrain in terrains]
        )
        values = chances_of_terrains.max(axis=0)
        likeliest = chances_of_terrains.argmax(axis=0)
        for cell in np.flatnonzero(values).tolist():
            name = terrain_set.terrains[terrains[likeliest[cell]]].name
            texts[cell] = f"{name}\n{percent(float(values[cell]))}"
    else:
        values = _sum(table, chances, _field_of(choice), choice.code)
        for cell in np.flatnonzero(values).tolist():
            texts[cell] = percent(float(values[cell]))

    # No colour where nothing is known: outside the map's mask, and in all cells as long as a
    # sampled table has no map yet.
    values = np.where(chances.any(axis=1), values, np.nan)
    return Heat(values, (0.0, 1.0), texts=texts, alone=True, faded=faded, hatched=covered)


def _field_of(choice: Choice) -> int:
    """Return the index in a state that a choice of a terrain or an elevation is about."""
    return _TERRAIN_FIELD if choice.kind == "terrain" else _ELEVATION_FIELD


def _columns_with(table: OddsTable, field: int, code: int) -> list[int]:
    """Return the columns of a table whose states have this terrain or elevation."""
    return [column for column, state in enumerate(table.states) if state[field] == code]


def _sum(
    table: OddsTable, chances: NDArray[np.float64], field: int, code: int
) -> NDArray[np.float64]:
    """Return for each cell (cells,) the chance of a terrain or an elevation.

    ``chances`` (cells, states) has a column for each pair of terrain and elevation: those with the
    wanted one are added up.
    """
    columns = _columns_with(table, field, code)
    return np.asarray(chances[:, columns].sum(axis=1))


def _sides_heat(
    table: OddsTable,
    code: int,
    *,
    size: int,
    degree: int,
    faded: bool,
    covered: NDArray[np.bool_] | None,
) -> Heat:
    """Return the heat of a hexside: chances on the sides of the ``size`` cells, not on these."""
    sides = np.zeros((size, degree))
    for cell_and_side, odds in (table.sides or {}).items():
        sides[cell_and_side] = odds.get(code, 0.0)
    texts = {}
    for cell, side in np.argwhere(sides).tolist():
        # Without the sign: on a side there is hardly room for the number.
        texts[cell, side] = percent(float(sides[cell, side])).removesuffix(" %")
    return Heat(
        np.full(size, np.nan),
        (0.0, 1.0),
        sides=sides,
        side_texts=texts,
        alone=True,
        faded=faded,
        hatched=covered,
    )
