"""Turns the odds of a script into the heat that the canvas draws over the map.

An ``OddsTable`` tells how often each cell got each *state*, a pair (terrain code, elevation), on
many maps of a script. The user asks about one value, such as "Marsh" or "elevation 2"; that is a
``Choice``. The *heat* of the choice is one chance from 0 to 1 for each cell, with a text:

    choice = Choice(ChoiceKind.TERRAIN, terrain_set.terrain_code("Marsh"))
    odds = ShownOdds(table, terrain_set, degree=6)
    heat = odds_heat(odds, choice)

The panel of odds offers the ``choices_with_chance``; ``has_chance`` and ``can_be`` tell whether one
of them never comes up.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.render.cell_values.heat import Heat
from randomizer.batches.odds_table import OddsTable
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.system.system import System
from randomizer.model.terrain.terrain import TerrainSet


class ChoiceKind(Enum):
    """The kinds of questions about the odds, in the order in which the panel offers them."""

    LIKELIEST = "likeliest"
    """Which terrain is the likeliest one of each cell, and how likely it is."""

    TERRAIN = "terrain"
    """How likely each cell has one terrain, at any elevation."""

    ELEVATION = "elevation"
    """How likely each cell has one elevation, with any terrain."""

    HEXSIDE = "hexside"
    """How likely each side of a cell has one hexside."""


class Choice(NamedTuple):
    """A question about the odds, such as how likely each cell is "Marsh"."""

    kind: ChoiceKind

    code: int = 0
    """The code of the terrain or hexside, or the elevation; ``LIKELIEST`` does not use it."""


LIKELIEST = Choice(ChoiceKind.LIKELIEST)
"""The question for the likeliest terrain of each cell."""


@dataclass(frozen=True, eq=False)
class ShownOdds:
    """The odds of which a heat is made, and what is needed to draw them."""

    table: OddsTable
    """The odds of the script."""

    terrain_set: TerrainSet
    """The terrains that the table's states have codes of; their names stand in the texts."""

    degree: int
    """The number of sides of a cell."""

    stage: int | None = None
    """The statement of the script after which the chances are shown, as an index of the stages.

    None shows the chances of the finished maps.
    """

    is_outdated: bool = False
    """True if the script cannot be rolled and the odds are from before: they are drawn paler."""

    covered: NDArray[np.bool_] | None = None
    """(cells,): the cells that are hatched, as a layer above the roll hides them; None: none."""

    @property
    def chances(self) -> NDArray[np.float64]:
        """The chance of each state of the table in each cell, (cells, states)."""
        if self.stage is None:
            return self.table.chances
        return self.table.stages[self.stage].chances


_HALF_PERCENT = 0.005
"""A chance of no more would be rounded to "0 %": of two whole numbers Python takes the even one."""

_ROUNDING_ERROR = 1e-9
"""A chance so near to 1 is certain: chances are sums of floats, which are rarely exactly 1."""

_HEAT_RANGE = (0.0, 1.0)
"""The chances with the coldest and the hottest colour."""


def percent(chance: float) -> str:
    """Return a chance (0 to 1) as a text in whole per cent.

    Only an impossible value is "0 %", and only a certain one "100 %": plain rounding would write
    this of a chance of 0.001 or 0.999, too.
    """
    return f"{_percent_number(chance)} %"


def _percent_number(chance: float) -> str:
    """Return what ``percent`` does without the sign, such as "<1"."""
    if 0 < chance <= _HALF_PERCENT:
        return "<1"
    if 1 - _HALF_PERCENT <= chance < 1 - _ROUNDING_ERROR:
        return ">99"
    return f"{chance * 100:.0f}"


def terrain_set_of(table: OddsTable | None, battlemap: BattleMap) -> TerrainSet:
    """Return the terrain set that the codes of a table are about.

    That is the set of the script if it has one of its own, else that of the map.
    """
    if table is not None and table.terrain_set is not None:
        return table.terrain_set
    return battlemap.terrain_set


def choices_with_chance(table: OddsTable, system: System, hexside_count: int) -> set[Choice]:
    """Return the terrains and elevations with a chance in some cell, and all hexsides.

    ``hexside_count`` is the number of hexsides of the terrain set. Elevations and hexsides are left
    out for a system without them.
    """
    choices = set[Choice]()
    for column in np.flatnonzero(table.chances.any(axis=0)).tolist():
        terrain, elevation = table.states[column]
        choices.add(Choice(ChoiceKind.TERRAIN, terrain))
        if system.elevation is not None:
            choices.add(Choice(ChoiceKind.ELEVATION, elevation))
    if system.hexside is not None:
        # Code 0 is no hexside.
        for code in range(1, hexside_count + 1):
            choices.add(Choice(ChoiceKind.HEXSIDE, code))
    return choices


def has_chance(table: OddsTable, choice: Choice) -> bool:
    """Return whether the chosen value has a chance above 0 in any cell or on any side.

    True, too, if the choice is of a hexside and no odds of hexsides were requested.
    """
    if choice.kind is ChoiceKind.LIKELIEST:
        return True
    if choice.kind is ChoiceKind.HEXSIDE:
        return table.sides is None or any(choice.code in odds for odds in table.sides.values())
    return bool(_chances_of_choice(table, table.chances, choice).any())


def can_be(table: OddsTable, choice: Choice) -> bool:
    """Return whether the script can give the chosen value to a cell, on maps not counted yet, too.

    Only terrains and elevations can be ruled out; other choices are always possible.
    """
    if choice.kind in (ChoiceKind.LIKELIEST, ChoiceKind.HEXSIDE):
        return True
    return any(table.can_be(column) for column in _columns_of_choice(table, choice))


def odds_heat(odds: ShownOdds, choice: Choice) -> Heat:
    """Return the heat of the chances of the choice, 0 to 1, in each cell or on each side."""
    if choice.kind is ChoiceKind.HEXSIDE:
        return _hexside_heat(odds, choice.code)

    chances = odds.chances
    if choice.kind is ChoiceKind.LIKELIEST:
        values, texts = _likeliest_terrains(odds)
    else:
        values = _chances_of_choice(odds.table, chances, choice)
        texts = {}
        for cell in np.flatnonzero(values).tolist():
            texts[cell] = percent(float(values[cell]))

    # No colour (NaN) where nothing is known: outside the map's mask, and in all cells as long as
    # a sampled table has no map yet.
    values = np.where(chances.any(axis=1), values, np.nan)
    return Heat(
        values,
        _HEAT_RANGE,
        texts=texts,
        alone=True,  # in place of the terrains
        faded=odds.is_outdated,
        hatched=odds.covered,
    )


def _likeliest_terrains(odds: ShownOdds) -> tuple[NDArray[np.float64], dict[int, str]]:
    """Return for each cell (cells,) the chance of its likeliest terrain, and texts by cell.

    A text has the terrain's name and its chance.
    """
    terrains = sorted({terrain for terrain, _elevation in odds.table.states})
    # One row for each terrain, one column for each cell.
    chances_of_terrains = np.stack(
        [
            _chances_of_choice(odds.table, odds.chances, Choice(ChoiceKind.TERRAIN, terrain))
            for terrain in terrains
        ]
    )
    values = chances_of_terrains.max(axis=0)
    likeliest_rows = chances_of_terrains.argmax(axis=0)
    texts = {}
    for cell in np.flatnonzero(values).tolist():
        terrain = terrains[likeliest_rows[cell]]
        name = odds.terrain_set.terrains[terrain].name
        texts[cell] = f"{name}\n{percent(float(values[cell]))}"
    return values, texts


def _chances_of_choice(
    table: OddsTable, chances: NDArray[np.float64], choice: Choice
) -> NDArray[np.float64]:
    """Return for each cell (cells,) the chance of the chosen terrain or elevation.

    ``chances`` (cells, states) has a column for each pair of terrain and elevation. The chance of
    a terrain is the sum of its columns: Hills at elevation 1, at elevation 2, and so on.
    """
    columns = _columns_of_choice(table, choice)
    return np.asarray(chances[:, columns].sum(axis=1))


def _columns_of_choice(table: OddsTable, choice: Choice) -> list[int]:
    """Return the columns of a table's arrays whose state has the chosen terrain or elevation."""
    assert choice.kind in (ChoiceKind.TERRAIN, ChoiceKind.ELEVATION), "others are no states"
    columns = []
    for column, (terrain, elevation) in enumerate(table.states):
        if choice.kind is ChoiceKind.TERRAIN:
            value = terrain
        else:
            value = elevation
        if value == choice.code:
            columns.append(column)
    return columns


def _hexside_heat(odds: ShownOdds, code: int) -> Heat:
    """Return the heat of a hexside: chances on the sides of cells, while cells have no colour.

    ``code`` is that of the hexside. A table without odds of hexsides gives a heat without chances.
    """
    cell_count = len(odds.chances)
    sides = np.zeros((cell_count, odds.degree))
    if odds.table.sides is not None:
        for (cell, side), chances_by_code in odds.table.sides.items():
            sides[cell, side] = chances_by_code.get(code, 0.0)
    texts = {}
    for cell, side in np.argwhere(sides).tolist():
        # Without the sign: on a side there is hardly room for the number.
        texts[cell, side] = _percent_number(float(sides[cell, side]))
    return Heat(
        np.full(cell_count, np.nan),
        _HEAT_RANGE,
        sides=sides,
        side_texts=texts,
        alone=True,  # in place of the terrains
        faded=odds.is_outdated,
        hatched=odds.covered,
    )
