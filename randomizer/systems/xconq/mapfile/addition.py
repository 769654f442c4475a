"""A mapfile without a map, read for a map that is open already: what it adds to that one.

>>> result = read_onto(b"Xconq 0 -----+ Towns\\nUnits 1 1 0\\n@ Rome 4,2 -1\\n", None, world)
>>> [thing.label for thing in result.battlemap.visible_things()]
['Rome']
"""

from __future__ import annotations

from pathlib import Path

from randomizer.formats import ReadResult
from randomizer.model.battlemap import BattleMap
from randomizer.model.layer import Layer
from randomizer.model.plurals import counted
from randomizer.model.problems import ProblemError, error, has_errors
from randomizer.model.things.things import Things
from randomizer.systems.xconq.map_period import period_of
from randomizer.systems.xconq.mapfile.loading import Loaded, Places, load, period_texts
from randomizer.systems.xconq.mapfile.reader import UNITS_LAYER, places_of
from randomizer.systems.xconq.mapfile.sections import (
    GLOBALS_SECTION,
    MAP_SECTION,
    SIDES_SECTION,
    UNITS_SECTION,
)
from randomizer.systems.xconq.mapfile.unit_things import things_of, unit_problems
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


def read_onto(
    data: bytes, path: str | None, world: BattleMap, library: Path | None = None
) -> ReadResult | None:
    """Return the units of a mapfile on the grid of ``world``, with the records that it has.

    A file that names no period is read by that of ``world``. None: the file has a map of its own,
    or it cannot be read. Raises ProblemError for a file of another period, with units that the
    period lacks, or with units outside ``world``.
    """
    places = places_of(path, library)
    loaded = load(data, path, places)
    if isinstance(loaded, tuple) or has_errors(loaded.problems):
        return None
    if loaded.value(MAP_SECTION) is not None:
        return None
    _check_period(loaded, places, world)
    problems, things = list(loaded.problems), Things()
    sides, units = loaded.value(SIDES_SECTION), loaded.value(UNITS_SECTION)
    values: dict[str, Globals | Sides | UnitsFacts | None] = {
        GLOBALS: loaded.value(GLOBALS_SECTION),
        SIDES: sides,
    }
    if units is not None:
        file, period, grid = (
            loaded.sections[UNITS_SECTION.letter].path,
            period_of(world),
            world.grid,
        )
        number = len((sides or sides_of(world)).sides)
        faults = list(unit_problems(units, period, grid, number, file))
        if has_errors(faults):
            raise ProblemError(tuple(faults))
        width, height = grid.width, grid.height
        outside = sum(not (0 <= each.x < width and 0 <= each.y < height) for each in units.units)
        if outside:
            message = f"{counted(outside, 'unit')} would be outside the world of {width} x {height}"
            raise error("other-size", message, path=file)
        things, facts = things_of(units, period, grid, number, file)
        problems += faults
        if UNITS not in world.records:
            values[UNITS] = facts
    layer = Layer(1, UNITS_LAYER, things=things)
    result = BattleMap.new(SYSTEM, world.grid, [layer], world.terrain_set)
    result.records = {name: as_record(each) for name, each in values.items() if each is not None}
    return ReadResult(result, tuple(problems), adds_records=True)


def _check_period(loaded: Loaded, places: Places, world: BattleMap) -> None:
    """Raise ProblemError if the file names a period that is not that of ``world``."""
    if loaded.missing:
        name = loaded.missing[-1]
    elif any(mapfile.period is not None for _, _, mapfile in loaded.files):
        texts = period_texts(loaded, places)
        assert texts is not None, "a file brings it"
        if (texts.text, dict(texts.further)) == period_texts_of(world):
            return
        name = texts.name
    else:
        return
    if not name or name != header_of(world).period_file:
        period = f"the period {name}" if name else "a period of its own"
        message = f"The file is made for {period}, which this map does not have"
        raise error("other-period", message, path=loaded.main.path)
