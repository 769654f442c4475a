"""Reads mapfiles as maps: one layer of terrain and units, the period and all else as records.

``read_with`` makes a map of a mapfile, in these stages:

1. The files are found and parsed (loading.py).
2. The period is chosen, which says what the characters mean (file_period.py).
3. The sections become terrain (map_terrain.py), things (unit_things.py) and records. A file without
   a map gets a rolled world.
4. The header is made, and the lines are noted that would be written otherwise than they were typed.

A file without a map can be read onto the open world instead: units_onto_world.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from randomizer.formats.results import ReadResult
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import OBLIQUE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import NO_TEXTS, Layer, Roll, roll_name
from randomizer.model.problems import Problem, ProblemError, Severity, has_errors
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.things.things import Things
from randomizer.systems.xconq.header import LARGEST_FILE, PERIOD_ALONE, PERIOD_SUFFIX
from randomizer.systems.xconq.mapfile.file_period import FilePeriod, choose_period
from randomizer.systems.xconq.mapfile.includes import NO_GIVEN_FILES, include_finder
from randomizer.systems.xconq.mapfile.loading import Loaded, load
from randomizer.systems.xconq.mapfile.map_sections import (
    GLOBALS_SECTION,
    MAP_SECTION,
    MAP_SECTIONS,
    SIDES_SECTION,
    UNITS_SECTION,
    digest_of,
)
from randomizer.systems.xconq.mapfile.map_terrain import terrain_of_section
from randomizer.systems.xconq.mapfile.typed_lines import record_of
from randomizer.systems.xconq.mapfile.unit_problems import unit_problems
from randomizer.systems.xconq.mapfile.unit_things import things_of
from randomizer.systems.xconq.mapfile.units_onto_world import UNITS_LAYER
from randomizer.systems.xconq.mapfile.units_section import FileUnit
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
    return _Reader(loaded, choose_period(loaded, finder)).make_map()


class _Reader:
    """Makes the map of loaded mapfiles that have no errors of form; used for one file only."""

    def __init__(self, loaded: Loaded, file_period: FilePeriod) -> None:
        self.loaded = loaded
        self.file_period = file_period
        self.period = file_period.period
        self.problems = [*loaded.problems, *file_period.problems]
        """All problems so far."""
        self.records = dict(file_period.records)
        """The records of the map so far: at first those of the period."""
        # The values of the sections; None for a section that no file has.
        self.map_section = loaded.value(MAP_SECTION)
        self.units = loaded.value(UNITS_SECTION)
        self.sides = loaded.value(SIDES_SECTION)

    def make_map(self) -> ReadResult:
        """Return the map and all problems."""
        grid = self._grid_or_report()
        terrain = None
        if self.map_section is not None:
            file = self.loaded.sections[MAP_SECTION.letter]
            terrain = terrain_of_section(self.map_section, file, self.file_period)
            self.problems += terrain.problems
        try:
            things, units_facts = self._things(grid)
        except ProblemError as refused:
            return ReadResult(None, (*self.problems, *refused.problems))

        # A rolled world is the map's source: another roll of it replaces the terrain set, too.
        if terrain is None:
            terrain_set = terrain_set_of(self.period)
            layers = [self._rolled_world(grid), Layer(_UNITS_ID, UNITS_LAYER, things=things)]
            source = layers[0].id
        else:
            terrain_set = terrain.terrain_set
            planes = {TERRAIN.name: terrain.plane}
            layers = [Layer(_WORLD_ID, _WORLD_LAYER, planes=planes, things=things)]
            source = None
        battlemap = BattleMap.new(SYSTEM, grid, layers, terrain_set)
        battlemap.source = source

        # The digests in the header, and the typed lines, depend on how the rest of the map would be
        # written: so these two records come last.
        self._add_section_records(units_facts)
        battlemap.records = self.records
        header = self._header(battlemap)
        battlemap.records[HEADER] = as_record(header)
        self._keep_typed_lines(battlemap)

        missing: tuple[str, ...] = ()
        if header.period_place is PeriodPlace.MISSING and header.period_file:
            missing = (header.period_file,)
        return ReadResult(battlemap, tuple(self.problems), missing=missing)

    def _things(self, grid: Grid) -> tuple[Things, UnitsFacts | None]:
        """Return the units as things, and the facts of their section if there is one.

        Raises ProblemError for a unit that no thing can be made of.
        """
        if self.units is None:
            return Things(), None
        path = self.loaded.sections[UNITS_SECTION.letter].path
        side_count = None
        if self.sides is not None:
            side_count = len(self.sides.sides)
        self.problems += unit_problems(self.units, self.period, grid, side_count, path)
        return things_of(self.units, self.period, grid, side_count, path)

    def _add_section_records(self, units_facts: UnitsFacts | None) -> None:
        """Add a record for each section that the files have, beside the period."""
        map_facts = None
        if self.map_section is not None:
            map_facts = self.map_section.facts
        values: dict[str, MapFacts | Globals | Sides | UnitsFacts | None] = {
            MAP: map_facts,
            GLOBALS: self.loaded.value(GLOBALS_SECTION),
            SIDES: self.sides,
            UNITS: units_facts,
        }
        for name, value in values.items():
            if value is not None:
                self.records[name] = as_record(value)
        if self.sides is not None:
            # A roll over the opened map keeps its sides, as it keeps those that the user edited.
            self.records[SIDES] = replace(self.records[SIDES], touched=True)

    def _keep_typed_lines(self, battlemap: BattleMap) -> None:
        """Add the record of lines that are saved as they were typed; tell if they are too many."""
        typed = find_typed_lines(battlemap, self.loaded.main)
        if typed == TypedLines():
            return
        record = record_of(typed)
        if record is not None:
            battlemap.records[TYPED] = record
            return
        message = "The lines are too many to be kept as they were typed: a save writes them anew"
        path = self.loaded.main.path
        self.problems.append(Problem(Severity.HINT, "lines-anew", message, path, 1, 1))

    def _grid_or_report(self) -> Grid:
        """Return the grid of the map.

        If the file has no map, that becomes a problem, and the grid is one for a rolled world that
        is large enough for all units.
        """
        if self.map_section is not None:
            return Grid(OBLIQUE, self.map_section.width, self.map_section.height, wrap=True)
        width, height = USUAL_SIZE
        largest_side = SYSTEM.max_along or 0
        units: tuple[FileUnit, ...] = ()
        if self.units is not None:
            units = self.units.units
        for unit in units:
            # Units beyond the largest possible world do not count. There is a row more than a unit
            # needs, since no unit may stand in the last row, the edge of the world.
            if 0 <= unit.x < largest_side and 0 <= unit.y < largest_side - 1:
                width = max(width, unit.x + 1)
                height = max(height, unit.y + 2)
        message = (
            f"This mapfile has no map; what it has stands on a rolled world of {width} x {height}"
        )
        path = self.loaded.main.path
        self.problems.append(Problem(Severity.WARNING, NO_MAP, message, path, 1, 1))
        return Grid(OBLIQUE, width, height, wrap=True)

    def _rolled_world(self, grid: Grid) -> Layer:
        """Return the world that a file without a map gets, without countries.

        The real program makes up a random one; here a file gets the same one each time.
        """
        texts = self.file_period.texts
        if texts is None:
            name = _name_of_script(MODERN)
            script = MODERN
            text = packaged_text(MODERN)
            further_texts = NO_TEXTS
        else:
            name = ""
            script = texts.name or f"{self.period.name or 'period'}{PERIOD_SUFFIX}"
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
        settings = relief_settings(self.period, roll, grid.width, grid.height)
        codes = classify_terrain(relief_of(settings, DrawKey(_SEED, 0)), self.period).codes
        planes = {TERRAIN.name: codes.astype(TERRAIN.dtype)}
        layer = Layer(_WORLD_ID, "", planes=planes, roll=roll)
        layer.name = roll_name(layer)
        return layer

    def _header(self, battlemap: BattleMap) -> Header:
        """Return the header of the map's file.

        It has the digests of the sections that came from included files or from the library: they
        need not be written again until they change.
        """
        main = self.loaded.main
        texts = self.file_period.texts
        main_has_period = self.loaded.is_in_main(PERIOD_ALONE) and main.period is not None
        # The caller may have chosen a period for a file that names none.
        is_chosen = texts is not None and not texts.name and texts.place is PeriodPlace.GIVEN
        if main_has_period:
            period_place = PeriodPlace.ITSELF
        elif texts is not None and (texts.name or is_chosen):
            period_place = texts.place
        else:
            period_place = PeriodPlace.STANDARD

        # A period that the user has chosen gets no digest. So it counts as changed, and is written
        # into a file beside the mapfile.
        included_letters = [letter for letter in MAP_SECTIONS if not self.loaded.is_in_main(letter)]
        if not main_has_period and not is_chosen:
            included_letters.insert(0, PERIOD_ALONE)
        period_file = ""
        if texts is not None:
            period_file = texts.name
        return Header(
            description=main.header.description,
            blanks=main.header.blanks,
            notes=main.header.notes,
            includes=main.header.includes,
            version=main.version or "",
            sections=main.header.sections,
            period_file=period_file,
            period_place=period_place,
            rest=main.rest,
            included={letter: digest_of(battlemap, letter) for letter in included_letters},
        )


def _name_of_script(script: str) -> str:
    """Return the name of a packaged generator by the file of its script."""
    for metadata in packaged_metadata():
        if metadata.script == script:
            return metadata.name
    raise LookupError(script)
