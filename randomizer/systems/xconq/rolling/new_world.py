"""Makes a world of Xconq: terrain, countries, units and records.

A *period* is the rules of a game, written in Xconq's language: it says what terrain and unit types
there are, and which percentages of altitude and moisture make which terrain. The generator calls
``new_world``, which goes from stage to stage and yields the progress in percent:

1. The *relief*: altitude and moisture of all hexes (the package ``world``).
2. The terrain types of the hexes, by the period (``terrain``).
3. A country with units for each side (``countries``).
4. The layer, and the records: the period and the sides.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.generator import Generating
from randomizer.model.basics.plurals import counted, many
from randomizer.model.edits.terrain_codes import called_as_in, translated_layer, with_missing
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import OBLIQUE
from randomizer.model.map.layer import Layer, Roll, roll_name
from randomizer.model.problems import Problem, ProblemError, Severity
from randomizer.model.records.map_records import MapRecord, further_texts, script_records
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.generated import Generated
from randomizer.model.terrain.terrain import TerrainSet
from randomizer.model.things.things import Things
from randomizer.roll_base import Base
from randomizer.systems.xconq.countries.settlement import (
    NO_KEPT_UNITS,
    KeptUnits,
    Settlement,
    settlement,
)
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.period.reading import read_period
from randomizer.systems.xconq.records import PERIOD, SIDES, Side, Sides, as_record
from randomizer.systems.xconq.rolling.things_of_world import things_of
from randomizer.systems.xconq.rolling.world_settings import country_count_of
from randomizer.systems.xconq.system import MAX_ALONG, SYSTEM, TERRAIN
from randomizer.systems.xconq.terrain.terrain_set import terrain_set_of
from randomizer.systems.xconq.terrain.world_terrain import classify_terrain, relief_settings
from randomizer.systems.xconq.world.relief import Relief, WorldSettings, relief_of, relief_steps

_PERCENT_OF_RELIEF = 95
"""The progress when the relief is made: that takes by far the longest."""

_PERCENT_OF_TERRAIN = 96
"""The progress when the terrain is known."""

_PERCENT_OF_COUNTRIES = 99
"""The progress when countries and units are placed."""


def new_world(roll: Roll, base: Base, size: tuple[int, int], path: str | None = None) -> Generating:
    """Yield the world of ``roll`` with ``size`` columns and rows, in the period of its script.

    If the map has a period among the records of ``base``, that takes the place of the script.
    ``path`` is the file that problems name. Raises ProblemError for a period with errors.
    """
    roll = _with_period_of_map(roll, base)
    reading = read_period(roll.script, path, roll.texts)
    if reading.period is None:
        raise ProblemError(reading.problems)
    period = reading.period
    worlds = _WorldsOfRoll(period, roll)
    has_same_grid = size == (base.grid.width, base.grid.height)

    terrain = yield from _terrain_of_world(worlds, base, size)
    yield _PERCENT_OF_TERRAIN
    settled = _settle(worlds, terrain, base, has_same_grid=has_same_grid)
    yield _PERCENT_OF_COUNTRIES

    # The layer, and what belongs to the map.
    new_grid = None
    if not has_same_grid:
        new_grid = Grid(OBLIQUE, *size, wrap=True, lean=base.grid.lean)
    layer = _rolled_layer(roll, terrain.codes, settled, period, new_grid or base.grid)
    yield 100
    return Generated(
        (layer,),
        roll.number,
        notes=(*terrain.notes, *settled.notes),
        records=_records(roll, settled),
        terrain_set=terrain.terrain_set,
        grid=new_grid,
    )


class _WorldTerrain(NamedTuple):
    """The terrain of a world."""

    codes: NDArray[np.uint8]
    """(h, w)"""

    terrain_set: TerrainSet

    notes: tuple[Problem, ...]
    """What the user is told about it."""


def _terrain_of_world(
    worlds: _WorldsOfRoll, base: Base, size: tuple[int, int]
) -> Generator[int, None, _WorldTerrain]:
    """Make the terrain of a world; yields the progress.

    Locked hexes keep theirs, unless the map gets another size.
    """
    width, height = size
    relief = yield from worlds.relief_steps(width, height)
    classified = classify_terrain(relief, worlds.period)
    notes = []
    if classified.unmatched and classified.example is not None:
        notes.append(_warn_of_gap(classified.unmatched, classified.example, worlds.period))
    codes = classified.codes
    terrain_set = terrain_set_of(worlds.period)
    has_same_grid = size == (base.grid.width, base.grid.height)
    if has_same_grid and base.locked_mask(TERRAIN).any():
        codes, terrain_set, note = _with_locked_terrain(codes, terrain_set, base)
        notes.append(note)
    return _WorldTerrain(codes, terrain_set, tuple(notes))


def _settle(
    worlds: _WorldsOfRoll, terrain: _WorldTerrain, base: Base, *, has_same_grid: bool
) -> Settlement:
    """Return the countries and units of a world, on its terrain with the locked hexes."""
    country_count = country_count_of(worlds.roll.settings)
    if not country_count:
        return Settlement()
    kept_units = NO_KEPT_UNITS
    if has_same_grid:
        kept_units = _kept_units(base)
    return settlement(
        terrain.codes,
        worlds.period,
        country_count,
        worlds.key,
        worlds.terrain_of_size,
        kept_units,
    )


def _kept_units(base: Base) -> KeptUnits:
    """Return the units of the layers that will lie above the roll."""
    if base.above is None:
        return NO_KEPT_UNITS
    hexes = set()
    keys = set()
    for unit in base.above.things.values():
        cell = base.grid.cell_at(unit.x, unit.y)
        if cell >= 0:
            hexes.add(base.grid.xy(cell))
        if unit.key:
            keys.add(unit.key)
    return KeptUnits(frozenset(hexes), frozenset(keys))


def _rolled_layer(
    roll: Roll, codes: NDArray[np.uint8], settled: Settlement, period: Period, grid: Grid
) -> Layer:
    """Return the layer with the terrain (h, w) and the units of a world."""
    things = Things(things_of(settled.units, period, grid))
    layer = Layer(0, "", planes={TERRAIN.name: codes}, things=things, roll=roll)
    layer.name = roll_name(layer)
    return layer


def _with_period_of_map(roll: Roll, base: Base) -> Roll:
    """Return the roll with the texts of the map's own period, if the map has one.

    A person may have changed them since the period was rolled.
    """
    script = roll.script
    record = base.records.get(PERIOD)
    if record is not None:
        script = record.text
    return replace(roll, script=script, texts={**roll.texts, **further_texts(PERIOD, base.records)})


@dataclass(frozen=True)
class _WorldsOfRoll:
    """The worlds that one roll makes in a period: the map, and the same at other sizes.

    If the map has no room for the countries, ``settlement`` tries worlds of other sizes, to tell
    the user on which there would be room.
    """

    period: Period
    roll: Roll

    @property
    def key(self) -> DrawKey:
        """The seed and the number of the map, from which all that is random is drawn."""
        return DrawKey(self.roll.seed, self.roll.number)

    def _settings(self, width: int, height: int) -> WorldSettings:
        """Return the settings of the relief of a world of this size."""
        return relief_settings(self.period, self.roll, width, height)

    def relief_steps(self, width: int, height: int) -> Generator[int, None, Relief]:
        """Yield the progress of making the relief of a world, 1 to 95; return the relief."""
        steps = relief_steps(self._settings(width, height), self.key)
        # ``yield from`` would pass on the percentages of the relief, which end at 100. They are
        # scaled instead, so the generator is run by hand; its result comes with its end.
        while True:
            try:
                percent = next(steps)
            except StopIteration as end:
                relief: Relief = end.value
                return relief
            yield max(1, percent * _PERCENT_OF_RELIEF // 100)

    def terrain_of_size(self, width: int, height: int) -> NDArray[np.uint8] | None:
        """Return the terrain types (h, w) of a world of another size, None if it is too large."""
        if max(width, height) > MAX_ALONG:
            return None
        relief = relief_of(self._settings(width, height), self.key)
        return classify_terrain(relief, self.period).codes


def _warn_of_gap(count: int, example: tuple[int, int], period: Period) -> Problem:
    """Return the warning about hexes that no terrain type takes; Xconq itself warns of them, too.

    ``count`` is their number, ``example`` are the percentiles of altitude and moisture of one.
    """
    default = period.type_number_of("default-terrain")
    if default is None:
        default = 0  # without a default it is the first type
    name = period.terrains[default].name
    altitude, moisture = example
    hexes = counted(count, "hex", "hexes")
    fit = many(count, "fits", "fit")
    they_become = many(count, "it becomes", "they become")
    message = (
        f"{hexes} {fit} no terrain type, for instance one with altitude {altitude} % and moisture "
        f"{moisture} %: {they_become} {name}"
    )
    return Problem(Severity.WARNING, "terrain-gap", message)


def _with_locked_terrain(
    codes: NDArray[np.uint8], new_set: TerrainSet, base: Base
) -> tuple[NDArray[np.uint8], TerrainSet, Problem]:
    """Return codes and terrain set of a world in which locked hexes are as they were, and a note.

    The period may have other terrains now. So the codes of locked hexes are translated by the names
    of their terrains; names that the new set lacks are added to it, marked as missing.
    """
    is_locked = base.locked_mask(TERRAIN)
    shown_codes = base.shown.planes[TERRAIN.name]
    locked_codes = np.where(is_locked, shown_codes, TERRAIN.unset).astype(TERRAIN.dtype)
    locked_layer = Layer(0, "", planes={TERRAIN.name: locked_codes})
    # The old set with the new names of its terrains; the new set with those that it lacks; the
    # locked codes by that.
    renamed_set = called_as_in(base.terrain_set, new_set)
    terrain_set = with_missing(SYSTEM, [locked_layer], renamed_set, new_set)
    translated = translated_layer(SYSTEM, locked_layer, renamed_set, terrain_set)
    new_codes = np.where(is_locked, translated.planes[TERRAIN.name], codes).astype(TERRAIN.dtype)
    hexes = counted(int(is_locked.sum()), "locked hex", "locked hexes")
    note = Problem(Severity.HINT, "locked-kept", f"{hexes} kept their terrain")
    return new_codes, terrain_set, note


def _records(roll: Roll, settled: Settlement) -> dict[str, MapRecord]:
    """Return the records of the map: the period, what it includes, and the sides."""
    records = script_records(PERIOD, roll.script, roll.texts)
    if settled.sides:
        records[SIDES] = as_record(Sides(tuple(Side(name) for name in settled.sides)))
    return records
