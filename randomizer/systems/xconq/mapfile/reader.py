"""Reads mapfiles as maps: one layer of terrain and units, the period and all else as records.

``read_with`` makes a map of a mapfile, in these stages:

1. The files are found and parsed (loading.py).
2. The period is chosen, which says what the characters mean (file_period.py).
3. The sections become terrain (map_terrain.py), things (unit_things.py) and records. A file without
   a map gets a rolled world, without countries.
4. The header is made, and the lines are noted that would be written otherwise than they were typed.

A file without a map can be read onto the open world instead: units_onto_world.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from randomizer.formats.results import ReadResult
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import OBLIQUE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import NO_TEXTS, Layer, Roll, roll_name
from randomizer.model.problems import Problem, ProblemError, Severity, has_errors
from randomizer.model.records.map_records import MapRecord
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.things.things import Things
from randomizer.systems.xconq.header import LARGEST_FILE, PERIOD_ALONE, PERIOD_SUFFIX
from randomizer.systems.xconq.mapfile.file_period import FilePeriod, choose_period
from randomizer.systems.xconq.mapfile.includes import NO_GIVEN_FILES, include_finder
from randomizer.systems.xconq.mapfile.loading import Loaded, load
from randomizer.systems.xconq.mapfile.map_section import MapSection
from randomizer.systems.xconq.mapfile.map_sections import (
    GLOBALS_SECTION,
    MAP_SECTION,
    MAP_SECTIONS,
    SIDES_SECTION,
    UNITS_SECTION,
    digest_of,
)
from randomizer.systems.xconq.mapfile.map_terrain import terrain_of_section
from randomizer.systems.xconq.mapfile.period_texts import PeriodTexts
from randomizer.systems.xconq.mapfile.typed_lines import record_of
from randomizer.systems.xconq.mapfile.unit_problems import unit_problems
from randomizer.systems.xconq.mapfile.unit_things import things_of
from randomizer.systems.xconq.mapfile.units_onto_world import UNITS_LAYER
from randomizer.systems.xconq.mapfile.units_section import FileUnit, FileUnits
from randomizer.systems.xconq.mapfile.writer import find_typed_lines
from randomizer.systems.xconq.period.packaged_periods import (
    MODERN,
    packaged_metadata,
    packaged_text,
)
from randomizer.systems.xconq.records import (
    GLOBALS,
    HEADER,
    MAP,
    SIDES,
    TYPED,
    UNITS,
    Globals,
    Header,
    MapFacts,
    PeriodPlace,
    Sides,
    TypedLines,
    UnitsFacts,
    as_record,
)
from randomizer.systems.xconq.system import SYSTEM, TERRAIN, USUAL_SIZE
from randomizer.systems.xconq.terrain.terrain_set import terrain_set_of
from randomizer.systems.xconq.terrain.world_terrain import classify_terrain, relief_settings
from randomizer.systems.xconq.world.relief import relief_of

NO_MAP = "no-map"
"""The code of the problem of a mapfile that has no map."""

_WORLD_LAYER = "World"
"""The name of the only layer of a file with a map."""

_WORLD_ID = 1
"""The id of the layer with the terrain."""

_UNITS_ID = 2
"""The id of the layer with the units of a file without a map, above a rolled world."""

_SEED = 1
"""The seed of the world that a file without a map gets: the same one each time it is opened."""


def read_with(
    data: bytes,
    path: str | None = None,
    given_files: Mapping[str, bytes] = NO_GIVEN_FILES,
    library: Path | None = None,
) -> ReadResult:
    """Return the map of a mapfile; it never raises for bad data.

    ``given_files`` are included files, by their names as written, that are not searched for.
    ``library`` is the library directory, None for the chosen one.
    """
    if len(data) > LARGEST_FILE:
        message = f"The file has {len(data):,} bytes, {LARGEST_FILE:,} are the most of a mapfile"
        return ReadResult(None, (Problem(Severity.ERROR, "too-large", message, path),))
    finder = include_finder(path, library, given_files)
    try:
        loaded = load(data, path, finder)
    except ProblemError as failed:
        return ReadResult(None, tuple(failed.problems))
    if has_errors(loaded.problems):
        missing: tuple[str, ...] = ()
        if loaded.missing_maps:
            missing = (*loaded.missing_periods, *loaded.missing_maps)
        return ReadResult(None, tuple(loaded.problems), missing=missing)
    return _make_map(loaded, choose_period(loaded, finder))


class _Sections(NamedTuple):
    """The values of the sections of loaded mapfiles; None for a section that no file has."""

    map: MapSection | None
    globals: Globals | None
    sides: Sides | None
    units: FileUnits | None

    @classmethod
    def of(cls, loaded: Loaded) -> _Sections:
        return cls(
            map=loaded.value(MAP_SECTION),
            globals=loaded.value(GLOBALS_SECTION),
            sides=loaded.value(SIDES_SECTION),
            units=loaded.value(UNITS_SECTION),
        )


def _make_map(loaded: Loaded, file_period: FilePeriod) -> ReadResult:
    """Return the map of files that have no errors of form, and all problems."""
    sections = _Sections.of(loaded)
    main_path = loaded.main.path
    problems = [*loaded.problems, *file_period.problems]

    terrain = None
    if sections.map is None:
        grid = _grid_for_units(sections.units)
        problems.append(_no_map_problem(grid, main_path))
    else:
        grid = Grid(OBLIQUE, sections.map.width, sections.map.height, wrap=True)
        map_file = loaded.sections[MAP_SECTION.letter]
        terrain = terrain_of_section(sections.map, map_file, file_period)
        problems += terrain.problems

    things = Things()
    units_facts = None
    if sections.units is not None:
        period = file_period.period
        path = loaded.sections[UNITS_SECTION.letter].path
        side_count = None
        if sections.sides is not None:
            side_count = len(sections.sides.sides)
        problems += unit_problems(sections.units, period, grid, side_count, path)
        try:
            things, units_facts = things_of(sections.units, period, grid, side_count, path)
        except ProblemError as refused:  # no thing can be made of a unit
            return ReadResult(None, (*problems, *refused.problems))

    if terrain is None:
        battlemap = _map_on_rolled_world(grid, file_period, things)
    else:
        planes = {TERRAIN.name: terrain.plane}
        layer = Layer(_WORLD_ID, _WORLD_LAYER, planes=planes, things=things)
        battlemap = BattleMap.new(SYSTEM, grid, [layer], terrain.terrain_set)

    battlemap.records = {**file_period.records, **_section_records(sections, units_facts)}
    # The digests in the header, and the typed lines, depend on how the rest of the map would be
    # written: so these two records come last.
    header = _header(loaded, file_period, battlemap)
    battlemap.records[HEADER] = as_record(header)
    typed_lines = find_typed_lines(battlemap, loaded.main)
    if typed_lines != TypedLines():
        record = record_of(typed_lines)
        if record is None:
            problems.append(_too_many_lines_problem(main_path))
        else:
            battlemap.records[TYPED] = record

    missing: tuple[str, ...] = ()
    if header.period_place is PeriodPlace.MISSING and header.period_file:
        missing = (header.period_file,)
    return ReadResult(battlemap, tuple(problems), missing=missing)


def _too_many_lines_problem(path: str | None) -> Problem:
    message = "The lines are too many to be kept as they were typed: a save writes them anew"
    return Problem(Severity.HINT, "lines-anew", message, path, line=1, column=1)


def _section_records(sections: _Sections, units_facts: UnitsFacts | None) -> dict[str, MapRecord]:
    """Return a record for each section that the files have, by name; the period has its own."""
    values: dict[str, MapFacts | Globals | Sides | UnitsFacts | None] = {
        MAP: None,
        GLOBALS: sections.globals,
        SIDES: sections.sides,
        UNITS: units_facts,
    }
    if sections.map is not None:
        values[MAP] = sections.map.facts
    records = {name: as_record(value) for name, value in values.items() if value is not None}
    if SIDES in records:
        # A roll over the opened map keeps its sides, as it keeps those that the user edited.
        records[SIDES] = replace(records[SIDES], touched=True)
    return records


# --- a file without a map -------------------------------------------------------------------------


def _grid_for_units(units: FileUnits | None) -> Grid:
    """Return the grid of the rolled world that a file without a map gets.

    It has the usual size, or is large enough for all units.
    """
    width, height = USUAL_SIZE
    max_side = SYSTEM.max_along
    assert max_side is not None, "a world of Xconq has a largest size"
    file_units: tuple[FileUnit, ...] = ()
    if units is not None:
        file_units = units.units
    for unit in file_units:
        # Units beyond the largest possible world do not count. There is a row more than a unit
        # needs, since no unit may stand in the last row, the edge of the world.
        if 0 <= unit.x < max_side and 0 <= unit.y < max_side - 1:
            width = max(width, unit.x + 1)
            height = max(height, unit.y + 2)
    return Grid(OBLIQUE, width, height, wrap=True)


def _no_map_problem(grid: Grid, path: str | None) -> Problem:
    size = f"{grid.width} x {grid.height}"
    message = f"This mapfile has no map; what it has stands on a rolled world of {size}"
    return Problem(Severity.WARNING, NO_MAP, message, path, line=1, column=1)


def _map_on_rolled_world(grid: Grid, file_period: FilePeriod, things: Things) -> BattleMap:
    """Return the map of a file without a map: its units on a rolled world.

    The world is the map's source: another roll of it replaces the terrain set, too.
    """
    world = _rolled_world(grid, file_period)
    units = Layer(_UNITS_ID, UNITS_LAYER, things=things)
    battlemap = BattleMap.new(SYSTEM, grid, [world, units], terrain_set_of(file_period.period))
    battlemap.source = world.id
    return battlemap


def _rolled_world(grid: Grid, file_period: FilePeriod) -> Layer:
    """Return the world that a file without a map gets, without countries.

    The real program makes up a random one; here a file gets the same one each time.
    """
    period = file_period.period
    texts = file_period.texts
    if texts is None:
        name = _name_of_script(MODERN)
        script = MODERN
        text = packaged_text(MODERN)
        further_texts = NO_TEXTS
    else:
        name = ""
        script = texts.name or f"{period.name or 'period'}{PERIOD_SUFFIX}"
        text = texts.text
        further_texts = texts.further
    roll = Roll(
        generator=name,
        script_name=script,
        script=text,
        settings={"countries": 0},
        seed=_SEED,
        number=0,
        texts=further_texts,
    )
    settings = relief_settings(period, roll, grid.width, grid.height)
    codes = classify_terrain(relief_of(settings, DrawKey(_SEED, 0)), period).codes
    planes = {TERRAIN.name: codes.astype(TERRAIN.dtype)}
    layer = Layer(_WORLD_ID, "", planes=planes, roll=roll)
    layer.name = roll_name(layer)
    return layer


# --- the header -----------------------------------------------------------------------------------


def _header(loaded: Loaded, file_period: FilePeriod, battlemap: BattleMap) -> Header:
    """Return the header of the map's file.

    It has the digests of the sections that came from included files or from the library: they need
    not be written again until they change.
    """
    main = loaded.main
    texts = file_period.texts
    period_file = ""
    if texts is not None:
        period_file = texts.name
    included_letters = [letter for letter in MAP_SECTIONS if not loaded.is_in_main(letter)]
    # A period that the user has chosen gets no digest. So it counts as changed, and is written into
    # a file beside the mapfile.
    if not _has_period_itself(loaded) and not _is_period_chosen(texts):
        included_letters.insert(0, PERIOD_ALONE)
    return Header(
        description=main.header.description,
        blanks=main.header.blanks,
        notes=main.header.notes,
        includes=main.header.includes,
        version=main.version or "",
        sections=main.header.sections,
        period_file=period_file,
        period_place=_period_place(loaded, texts),
        rest=main.rest,
        included={letter: digest_of(battlemap, letter) for letter in included_letters},
    )


def _period_place(loaded: Loaded, texts: PeriodTexts | None) -> PeriodPlace:
    """Return where the period of a file was found, of which ``texts`` are the texts."""
    if _has_period_itself(loaded):
        return PeriodPlace.ITSELF
    if texts is not None and (texts.name or _is_period_chosen(texts)):
        return texts.place
    return PeriodPlace.STANDARD


def _has_period_itself(loaded: Loaded) -> bool:
    """Return whether the file that was opened has the period in it."""
    return loaded.is_in_main(PERIOD_ALONE) and loaded.main.period is not None


def _is_period_chosen(texts: PeriodTexts | None) -> bool:
    """Return whether a caller has chosen the period of a file that names none."""
    return texts is not None and not texts.name and texts.place is PeriodPlace.GIVEN


def _name_of_script(script: str) -> str:
    """Return the name of a packaged generator by the file of its script."""
    for metadata in packaged_metadata():
        if metadata.script == script:
            return metadata.name
    raise LookupError(script)
