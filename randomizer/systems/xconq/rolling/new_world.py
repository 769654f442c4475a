"""Makes a world: terrain from the relief and the period, countries, units and records."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from randomizer.generator import Base, DrawKey, Generating
from randomizer.model.basics.plurals import counted, many
from randomizer.model.edits.terrain_codes import called_as_in, translated_layer, with_missing
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import OBLIQUE
from randomizer.model.map.layer import Layer, Roll, roll_name
from randomizer.model.problems import Problem, ProblemError, Severity
from randomizer.model.records.map_records import MapRecord, further_texts, script_records
from randomizer.model.rolls.generated import Generated
from randomizer.model.terrain.terrain import TerrainSet
from randomizer.model.things.thing_state import State
from randomizer.model.things.things import Thing, Things
from randomizer.systems.xconq.countries.board import PlacedUnit
from randomizer.systems.xconq.countries.settlement import Settlement, settlement
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.period.reading import read_period
from randomizer.systems.xconq.period.words import NOTHING
from randomizer.systems.xconq.records import PERIOD, SIDES, Side, Sides, as_record
from randomizer.systems.xconq.rolling.world_settings import countries_of
from randomizer.systems.xconq.system import MOST_ALONG, SYSTEM, TERRAIN
from randomizer.systems.xconq.terrain.terrain_set import terrain_set_of
from randomizer.systems.xconq.terrain.world_terrain import classify_terrain, relief_settings
from randomizer.systems.xconq.units.unit_kinds import kind_names
from randomizer.systems.xconq.units.unit_state import MORE, TRANSPORT, supply_entry
from randomizer.systems.xconq.world.relief import Relief, WorldSettings, relief_of, relief_steps


def new_world(roll: Roll, base: Base, size: tuple[int, int], path: str | None = None) -> Generating:
    """Yield the world of ``roll`` with ``size`` columns and rows, in the period of its script.

    A period among the records of the base, changed by hand, takes the place of the script.
    ``path`` is the file that problems name. Raises ProblemError for a period with errors.
    """
    roll = _with_texts(roll, base)
    reading = read_period(roll.script, path, roll.texts)
    if reading.period is None:
        raise ProblemError(reading.problems)
    period = reading.period
    worlds = _Worlds(period, roll)
    relief = yield from worlds.relief_steps(*size)
    fitting = classify_terrain(relief, period)
    codes = fitting.codes
    terrain_set = terrain_set_of(period)
    notes: list[Problem] = []
    if fitting.unmatched and fitting.example is not None:
        notes.append(_unmatched(fitting.unmatched, fitting.example, period))
    same_grid = size == (base.grid.width, base.grid.height)
    if same_grid and base.locked_mask(TERRAIN).any():
        codes, terrain_set, note = _with_kept(codes, terrain_set, base)
        notes.append(note)
    yield 96
    settled = Settlement()
    count = countries_of(roll.settings)
    if count:
        settled = settlement(codes, period, count, worlds.key, worlds.codes)
    yield 99
    if same_grid:
        grid = base.grid
    else:
        grid = Grid(OBLIQUE, *size, wrap=True, lean=base.grid.lean)
    things = Things(things_of(settled.units, period, grid))
    layer = Layer(0, "", planes={TERRAIN.name: codes}, things=things, roll=roll)
    layer.name = roll_name(layer)
    yield 100
    return Generated(
        (layer,),
        roll.number,
        notes=(*notes, *settled.notes),
        records=_records(roll, settled),
        terrain_set=terrain_set,
        grid=None if same_grid else grid,
    )


def _with_texts(roll: Roll, base: Base) -> Roll:
    """Return the roll with the texts of the period that a hand changed in the map."""
    record = base.records.get(PERIOD)
    script = roll.script if record is None else record.text
    return replace(roll, script=script, texts={**roll.texts, **further_texts(PERIOD, base.records)})


@dataclass(frozen=True)
class _Worlds:
    """The worlds of any size that a roll makes in a period."""

    period: Period
    roll: Roll

    @property
    def key(self) -> DrawKey:
        """The key of all their draws."""
        return DrawKey(self.roll.seed, self.roll.number)

    def _settings(self, width: int, height: int) -> WorldSettings:
        return relief_settings(self.period, self.roll, width, height)

    def relief_steps(self, width: int, height: int) -> Generator[int, None, Relief]:
        """The relief of a world; yields progress (1 .. 95)."""
        steps = relief_steps(self._settings(width, height), self.key)
        while True:
            try:
                percent = next(steps)
            except StopIteration as end:
                relief: Relief = end.value
                return relief
            yield max(1, percent * 95 // 100)

    def codes(self, width: int, height: int) -> NDArray[np.uint8] | None:
        """Return the terrain types (h, w) of a world, at once; None for one that would be too
        large.
        """
        if max(width, height) > MOST_ALONG:
            return None
        return classify_terrain(
            relief_of(self._settings(width, height), self.key), self.period
        ).codes


def _unmatched(count: int, example: tuple[int, int], period: Period) -> Problem:
    """Return the warning of the real program, which goes on, too."""
    used = period.named_type("default-terrain")
    name = period.terrains[used or 0].name
    altitude, moisture = example
    message = (
        f"{counted(count, 'hex', 'hexes')} {many(count, 'fits', 'fit')} no terrain type, for "
        f"instance one with altitude {altitude} % and moisture {moisture} %: "
        f"{many(count, 'it becomes', 'they become')} {name}"
    )
    return Problem(Severity.WARNING, "terrain-gap", message)


def _with_kept(
    codes: NDArray[np.uint8], new_set: TerrainSet, base: Base
) -> tuple[NDArray[np.uint8], TerrainSet, Problem]:
    """Return the terrain with what is locked as it was, and a note of it.

    Terrains that the set lacks come into it as missing.
    """
    locked = base.locked_mask(TERRAIN)
    values = np.where(locked, base.shown.planes[TERRAIN.name], TERRAIN.unset).astype(TERRAIN.dtype)
    only = Layer(0, "", planes={TERRAIN.name: values})
    renamed_set = called_as_in(base.terrain_set, new_set)
    terrain_set = with_missing(SYSTEM, [only], renamed_set, new_set)
    values = translated_layer(SYSTEM, only, renamed_set, terrain_set).planes[TERRAIN.name]
    message = f"{counted(int(locked.sum()), 'locked hex', 'locked hexes')} kept their terrain"
    note = Problem(Severity.HINT, "locked-kept", message)
    return np.where(locked, values, codes).astype(TERRAIN.dtype), terrain_set, note


def _records(roll: Roll, settled: Settlement) -> dict[str, MapRecord]:
    """Return the records of the map: the period, what it includes, and the sides."""
    records = script_records(PERIOD, roll.script, roll.texts)
    if settled.sides:
        records[SIDES] = as_record(Sides(tuple(Side(name) for name in settled.sides)))
    return records


NEXT = 256
"""A product is a unit type, plus so many times the one that comes next."""


def things_of(units: Sequence[PlacedUnit], period: Period, grid: Grid) -> Iterator[Thing]:
    """Yield a thing in the middle of its hex for each unit; the id is its index + 1."""
    kinds = kind_names(period)
    supplies = _supplies(period)
    cells = np.array([unit.y * grid.width + unit.x for unit in units], np.intp)
    centres = grid.centres_of(cells).tolist()
    for number, (unit, (x, y)) in enumerate(zip(units, centres, strict=True), 1):
        state: dict[str, object] = dict(supplies[unit.unit])
        if unit.carrier is not None:
            state[TRANSPORT] = unit.carrier + 1
        if unit.product is not None:
            state[MORE] = {"product": unit.product + NEXT * NOTHING}
        yield Thing(
            number, kinds[unit.unit], x, y, 0.0, unit.owner, unit.name, State(state), unit.key
        )


def _supplies(period: Period) -> list[Mapping[str, int]]:
    """By unit type the supplies at the beginning, as entries of the state; full ones are absent."""
    storage = period.table("storage")
    percent = period.table("stockpile")
    names = [supply_entry(resource.name) for resource in period.resources]
    return [
        {
            name: max(0, int(storage[unit, number]) * int(percent[unit, number]) // 100)
            for number, name in enumerate(names)
            if storage[unit, number] > 0 and percent[unit, number] != 100
        }
        for unit in range(len(period.units))
    ]
