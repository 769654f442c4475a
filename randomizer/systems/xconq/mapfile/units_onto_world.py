"""Reads a mapfile without a map onto the world that is open: its units, sides and conditions.

Such a file is a scenario for a world of a certain period and size. So it is checked first whether
it fits the world.
"""

from __future__ import annotations

from pathlib import Path

from randomizer.formats.results import ReadResult
from randomizer.model.basics.plurals import counted
from randomizer.model.grid.grid import Grid
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.problems import ProblemError, error, has_errors
from randomizer.model.things.things import Things
from randomizer.systems.xconq.map_period import period_of
from randomizer.systems.xconq.mapfile.includes import IncludeFinder, include_finder
from randomizer.systems.xconq.mapfile.loading import Loaded, load
from randomizer.systems.xconq.mapfile.map_sections import (
    GLOBALS_SECTION,
    MAP_SECTION,
    SIDES_SECTION,
    UNITS_SECTION,
)
from randomizer.systems.xconq.mapfile.period_texts import period_texts
from randomizer.systems.xconq.mapfile.unit_problems import unit_problems
from randomizer.systems.xconq.mapfile.unit_things import things_of
from randomizer.systems.xconq.mapfile.units_section import FileUnits
from randomizer.systems.xconq.records import (
    GLOBALS,
    SIDES,
    UNITS,
    Globals,
    Sides,
    UnitsFacts,
    as_record,
    header_of,
    period_texts_of,
    sides_of,
)
from randomizer.systems.xconq.system import SYSTEM

UNITS_LAYER = "Units"
"""The name of the layer with the units of a file without a map."""


def read_onto(
    data: bytes, path: str | None, world: BattleMap, library: Path | None = None
) -> ReadResult | None:
    """Return the units of a mapfile without a map on the grid of ``world``, with its records.

    A file that names no period is read by that of ``world``. None means that the file has to be
    opened as a map of its own, or that reading it so tells what is wrong: it has a map, or it
    cannot be read. Raises ProblemError for a file of another period, with units outside ``world``,
    or with units that the period lacks.
    """
    finder = include_finder(path, library)
    try:
        loaded = load(data, path, finder)
    except ProblemError:
        return None
    if has_errors(loaded.problems):
        return None
    if loaded.value(MAP_SECTION) is not None:
        return None
    _check_period(loaded, finder, world)

    # The units become things, all other sections records.
    problems = list(loaded.problems)
    things = Things()
    sides = loaded.value(SIDES_SECTION)
    units = loaded.value(UNITS_SECTION)
    values: dict[str, Globals | Sides | UnitsFacts | None] = {
        GLOBALS: loaded.value(GLOBALS_SECTION),
        SIDES: sides,
    }
    if units is not None:
        path_of_units = loaded.sections[UNITS_SECTION.letter].path
        period = period_of(world)
        # A file without sides is for those of the world.
        side_count = len((sides or sides_of(world)).sides)
        found_problems = list(unit_problems(units, period, world.grid, side_count, path_of_units))
        if has_errors(found_problems):
            raise ProblemError(tuple(found_problems))
        _check_positions(units, world.grid, path_of_units)
        things, facts = things_of(units, period, world.grid, side_count, path_of_units)
        problems += found_problems
        # The world's own facts stay: they say how its other units are written.
        if UNITS not in world.records:
            values[UNITS] = facts

    # The result is a map of one layer, which the caller lays over the world.
    layer = Layer(1, UNITS_LAYER, things=things)
    result = BattleMap.new(SYSTEM, world.grid, [layer], world.terrain_set)
    result.records = {name: as_record(value) for name, value in values.items() if value is not None}
    return ReadResult(result, tuple(problems), adds_records=True)


def _check_period(loaded: Loaded, finder: IncludeFinder, world: BattleMap) -> None:
    """Raise ProblemError if the file names a period that is not that of ``world``.

    It is the same if its texts are, or if the file of ``world`` included it by the same name.
    """
    if loaded.missing_periods:
        # The period was not found, so that only its name can be compared. Which of several missing
        # files would have it is not known: as of several periods, the last one counts.
        name = loaded.missing_periods[-1]
    elif any(file.mapfile.period is not None for file in loaded.files):
        texts = period_texts(loaded, finder)
        assert texts is not None, "a file brings it"
        texts_of_file = (texts.text, dict(texts.further))
        if texts_of_file == period_texts_of(world):
            return
        name = texts.name  # "" if the file itself has it
    else:
        return  # the file names none
    if name and name == header_of(world).period_file:
        return

    period = "a period of its own"
    if name:
        period = f"the period {name}"
    message = f"The file is made for {period}, which this map does not have"
    raise error("other-period", message, path=loaded.main.path)


def _check_positions(units: FileUnits, grid: Grid, path: str | None) -> None:
    """Raise ProblemError if units would be outside of a grid."""
    outside = 0
    for unit in units.units:
        if not (0 <= unit.x < grid.width and 0 <= unit.y < grid.height):
            outside += 1
    if outside:
        message = (
            f"{counted(outside, 'unit')} would be outside the world of {grid.width} x {grid.height}"
        )
        raise error("other-size", message, path=path)
