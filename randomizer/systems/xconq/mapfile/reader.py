"""Mapfiles as maps: one layer of terrain and units, the period and all else as records.

``read_with`` makes a map of a mapfile. One without a map gets a rolled world, or goes onto the
current map: ``read_onto``. The files are found and parsed by ``loading``; here the period is read
first, since it tells what the characters of terrains and units mean.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from randomizer.formats import ReadResult
from randomizer.generator import DrawKey
from randomizer.model.basics.plurals import counted, many
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import OBLIQUE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import NO_TEXTS, Layer, Roll, roll_name
from randomizer.model.planes.planes import Plane
from randomizer.model.problems import Problem, ProblemError, Severity, error, has_errors
from randomizer.model.records.map_records import MapRecord, script_records
from randomizer.model.terrain.terrain import Terrain, TerrainSet
from randomizer.model.things.things import Things
from randomizer.systems.xconq.header import LARGEST_FILE, PERIOD_SUFFIX
from randomizer.systems.xconq.library import library_folder
from randomizer.systems.xconq.map_period import modern_period, period_of, readable_period
from randomizer.systems.xconq.mapfile.includes import IncludeFinder
from randomizer.systems.xconq.mapfile.loading import Loaded, load
from randomizer.systems.xconq.mapfile.map_section import MapSection
from randomizer.systems.xconq.mapfile.parsing import (
    GLOBALS_SECTION,
    MAP_SECTION,
    MAP_SECTIONS,
    SIDES_SECTION,
    UNITS_SECTION,
    digest_of,
)
from randomizer.systems.xconq.mapfile.period_texts import PeriodTexts, period_texts
from randomizer.systems.xconq.mapfile.placeholder_types import GREY, provisional_period, type_name
from randomizer.systems.xconq.mapfile.typed_lines import record_of
from randomizer.systems.xconq.mapfile.unit_things import things_of, unit_problems
from randomizer.systems.xconq.mapfile.units_section import FileUnit, FileUnits
from randomizer.systems.xconq.mapfile.writer import find_typed_lines
from randomizer.systems.xconq.period.packaged_periods import (
    MODERN,
    packaged_metadata,
    packaged_text,
)
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.period.reading import read_period
from randomizer.systems.xconq.records import (
    GIVEN,
    GLOBALS,
    HEADER,
    MAP,
    MISSING,
    PERIOD,
    SIDES,
    STANDARD,
    TYPED,
    UNITS,
    Globals,
    Header,
    MapFacts,
    Sides,
    TypedLines,
    UnitsFacts,
    as_record,
    header_of,
    period_texts_of,
    sides_of,
)
from randomizer.systems.xconq.system import SYSTEM, TERRAIN, USUAL_SIZE
from randomizer.systems.xconq.terrain.terrain_set import terrain_set_of
from randomizer.systems.xconq.terrain.world_terrain import classify_terrain, relief_settings
from randomizer.systems.xconq.world.relief import relief_of

NO_MAP = "no-map"
"""The code of the problem of a mapfile that has no map."""

UNITS_LAYER = "Units"
"""The name of the layer with the units of a file without a map."""

_WORLD_LAYER = "World"
"""The name of the only layer of other files."""

_SEED = 1
"""The seed of the world that a file without a map gets."""

_NO_GIVEN_FILES: Mapping[str, bytes] = {}


def read_with(
    data: bytes,
    path: str | None = None,
    given_files: Mapping[str, bytes] = _NO_GIVEN_FILES,
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
    loaded = load(data, path, finder)
    if isinstance(loaded, tuple):
        return ReadResult(None, loaded)
    if has_errors(loaded.problems):
        missing: tuple[str, ...] = ()
        if loaded.missing_maps:
            missing = (*loaded.missing, *loaded.missing_maps)
        return ReadResult(None, tuple(loaded.problems), missing=missing)
    return _Reader(loaded, finder).result()


def include_finder(
    path: str | None,
    library: Path | None = None,
    given_files: Mapping[str, bytes] = _NO_GIVEN_FILES,
) -> IncludeFinder:
    """Return the finder of the files that a mapfile includes, see ``read_with``."""
    folder = None
    if path is not None:
        folder = Path(path).absolute().parent
    return IncludeFinder(folder, library or library_folder(), given_files)


class _Reader:
    """Makes the map of loaded mapfiles that have no errors of form."""

    def __init__(self, loaded: Loaded, finder: IncludeFinder) -> None:
        self.loaded = loaded
        self.records: dict[str, MapRecord] = {}
        """The records of the map so far."""
        self.texts = period_texts(loaded, finder)
        """The texts of the period; None where the packaged one stands in for the standard one."""
        self.problems = list(loaded.problems)
        self.section = loaded.value(MAP_SECTION)
        self.units = loaded.value(UNITS_SECTION)
        self.sides = loaded.value(SIDES_SECTION)
        self.has_whole_period = True
        """False if the period has errors, and only what can be read of it is used."""
        self.period = self._read_period()

    def result(self) -> ReadResult:
        """Return the map and all problems."""
        grid = self._grid()
        terrain_set, planes = self._terrain()
        try:
            things, units_facts = self._things(grid)
        except ProblemError as refused:
            return ReadResult(None, (*self.problems, *refused.problems))
        if self.section is None:
            layers = [self._rolled_world(grid), Layer(2, UNITS_LAYER, things=things)]
            source = layers[0].id
        else:
            layers = [Layer(1, _WORLD_LAYER, planes=planes, things=things)]
            source = None
        battlemap = BattleMap.new(SYSTEM, grid, layers, terrain_set)
        battlemap.source = source

        # The header's digests and the typed lines are compared with what the map would be written
        # as: so they come last.
        self._add_section_records(units_facts)
        battlemap.records = self.records
        header = self._header(battlemap)
        battlemap.records[HEADER] = as_record(header)
        self._keep_typed_lines(battlemap)

        missing: tuple[str, ...] = ()
        if header.period_place == MISSING and header.period_file:
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
        if self.section is not None:
            map_facts = self.section.facts
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
            # A roll over the opened map keeps its sides, as it keeps those that a hand has set.
            self.records[SIDES] = replace(self.records[SIDES], touched=True)

    def _keep_typed_lines(self, battlemap: BattleMap) -> None:
        """Keep the lines that would be written otherwise than they were typed, or say they go."""
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

    # --- the period -------------------------------------------------------------------------

    def _read_period(self) -> Period:
        """Return the period that the characters are read by; its texts become records.

        It is the one that the files bring. If that has errors, it is what can be read of it. If it
        is missing, or nothing of it can be read, types are made up from the characters of the map
        and the units. If the files name no period, and the library has no
        standard one, it is the packaged one, of which the map gets no record.
        """
        if self.texts is None and not self.loaded.missing:
            return modern_period()
        missing_name = ""
        if self.texts is not None:
            reading = read_period(self.texts.text, None, self.texts.further)
            self.problems += self.texts.located(reading.problems)
            if reading.period is not None:
                self.records |= script_records(PERIOD, self.texts.text, self.texts.further)
                return reading.period
            part = readable_period(self.texts.text, self.texts.further)
            if part is not None:
                message = "The period has errors: the map shows what can be read of it"
                self.problems.append(Problem(Severity.WARNING, "period-unusable", message))
                self.has_whole_period = False
                self.records |= script_records(PERIOD, self.texts.text, self.texts.further)
                return part
            message = "The period has errors, so its types are provisional"
            self.problems.append(Problem(Severity.WARNING, "period-unusable", message))
            missing_name = self.texts.name
        if self.loaded.missing:
            missing_name = self.loaded.missing[-1]
        text = provisional_period(missing_name, self._terrain_letters(), self._unit_letters())
        self.texts = PeriodTexts(text, NO_TEXTS, missing_name, MISSING)
        self.records |= script_records(PERIOD, self.texts.text, self.texts.further)
        return read_period(text).period or modern_period()

    def _terrain_letters(self) -> list[str]:
        """Return the terrain characters of the map in the order of the standard terrain set.

        Those that it does not have come last, by the alphabet.
        """
        if self.section is None:
            return []
        code_of_letter = {
            terrain.letters: code for code, terrain in enumerate(SYSTEM.terrain_set.terrains)
        }
        behind_all = len(code_of_letter)
        letters = map(chr, np.unique(self.section.characters).tolist())
        return sorted(letters, key=lambda letter: (code_of_letter.get(letter, behind_all), letter))

    def _unit_letters(self) -> list[str]:
        """Return the characters of the units, each once, in the order of the file."""
        if self.units is None:
            return []
        return list(dict.fromkeys(unit.character for unit in self.units.units))

    # --- the map ----------------------------------------------------------------------------

    def _grid(self) -> Grid:
        """Return the grid of the map; without one it is large enough for a world and all units."""
        if self.section is not None:
            return Grid(OBLIQUE, self.section.width, self.section.height, wrap=True)
        width, height = USUAL_SIZE
        largest_side = SYSTEM.most_along or 0
        units: tuple[FileUnit, ...] = ()
        if self.units is not None:
            units = self.units.units
        for unit in units:
            # Units beyond the largest possible world do not count. One row more than a unit needs:
            # the last row is an edge, on which none may stand.
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

        The real program makes up a random one; here the same file has the same one each time.
        """
        if self.texts is None:
            name = _name_of_script(MODERN)
            script = MODERN
            text = packaged_text(MODERN)
            texts = NO_TEXTS
        else:
            name = ""
            script = self.texts.name or f"{self.period.name or 'period'}{PERIOD_SUFFIX}"
            text = self.texts.text
            texts = self.texts.further
        roll = Roll(name, script, text, {"countries": 0}, _SEED, 0, texts=texts)
        settings = relief_settings(self.period, roll, grid.width, grid.height)
        codes = classify_terrain(relief_of(settings, DrawKey(_SEED, 0)), self.period).codes
        layer = Layer(1, "", planes={TERRAIN.name: codes.astype(TERRAIN.dtype)}, roll=roll)
        layer.name = roll_name(layer)
        return layer

    def _terrain(self) -> tuple[TerrainSet, dict[str, Plane]]:
        """Return the terrain set, and the terrain plane if there is a map.

        Characters that no terrain of the period has become its default terrain. If it has none they
        are errors, and terrains of their own, so that the map can be shown all the same.
        """
        terrain_set = terrain_set_of(self.period)
        section = self.section
        if section is None:
            return terrain_set, {}
        codes = self._codes_of_characters()
        characters: list[int] = np.unique(section.characters).tolist()
        unknown = [character for character in characters if codes[character] == TERRAIN.unset]
        substitute = self._default_terrain()
        if unknown and substitute is not None:
            codes[unknown] = substitute
            self._report_unknown(section, unknown, self.period.terrains[substitute].name)
        elif unknown:
            terrains = list(terrain_set.terrains)
            for character in unknown:
                codes[character] = len(terrains)
                name = type_name("terrain", chr(character))
                terrains.append(Terrain(name, GREY, missing=True))
            terrain_set = replace(terrain_set, terrains=tuple(terrains))
            self._report_unknown(section, unknown, None)
        return terrain_set, {TERRAIN.name: codes[section.characters].astype(TERRAIN.dtype)}

    def _codes_of_characters(self) -> NDArray[np.int64]:
        """Return the terrain code of each character, (256,), unset for those without a terrain.

        The first of several terrains with one character counts.
        """
        codes = np.full(256, TERRAIN.unset, np.int64)
        for code, terrain_type in enumerate(self.period.terrains):
            if len(terrain_type.char) == 1 and codes[ord(terrain_type.char)] == TERRAIN.unset:
                codes[ord(terrain_type.char)] = code
        return codes

    def _default_terrain(self) -> int | None:
        """Return the number of the terrain that stands in for unknown ones, None if none does."""
        if self.texts is None or not self.has_whole_period:
            # A period that no file names is only assumed, and one with errors may define more than
            # can be read: nothing is substituted for what it lacks.
            return None
        default = self.period.number("default-terrain")
        if 0 <= default < len(self.period.terrains):
            return default
        return None

    def _report_unknown(
        self, section: MapSection, characters: Iterable[int], substitute: str | None
    ) -> None:
        """Add a problem for each character that no terrain has, at the first row with it.

        ``substitute`` is the name of the terrain that stands in for them, None if none does.
        """
        file = self.loaded.sections[MAP_SECTION.letter]
        lines = file.text.split("\n")
        for character in characters:
            letter = chr(character)
            # Rows of the file go from north to south, those of the array from south to north.
            is_unknown: NDArray[np.bool_] = section.characters[::-1] == character
            row = int(is_unknown.any(axis=1).argmax())
            count = int(np.count_nonzero(is_unknown))
            message = self._message_of_unknown(letter, count, substitute)
            severity = Severity.WARNING
            if substitute is None:
                severity = Severity.ERROR
            line = section.first_line + row
            column = 1
            # Blank lines among the rows put the row further down: then this line may lack it.
            if letter in lines[line - 1]:
                column = lines[line - 1].index(letter) + 1
            position = (file.path, line, column)
            self.problems.append(Problem(severity, "unknown-terrain", message, *position))

    def _message_of_unknown(self, letter: str, count: int, substitute: str | None) -> str:
        """Return the message about a character of so many cells, see ``_report_unknown``."""
        cells = counted(count, "cell")
        if substitute is not None:
            verb = many(count, "becomes", "become")
            return f"{letter!r} is no terrain of the period: {cells} {verb} {substitute}"
        if self.texts is None:
            period = "the standard period, which is assumed since the file names none"
        else:
            period = "the period, which sets no default-terrain"
        verb = many(count, "has", "have")
        return f"{letter!r} is no terrain of {period}: {cells} {verb} it"

    def _header(self, battlemap: BattleMap) -> Header:
        """Return the header of the map's file, with the digests of what came from other files."""
        main = self.loaded.main
        texts = self.texts
        main_has_period = self.loaded.is_in_main("p") and main.period is not None
        # The caller chose a period for a file that names none.
        is_chosen = texts is not None and not texts.name and texts.origin == GIVEN
        if main_has_period:
            period_place = ""
        elif texts is None or (not texts.name and not is_chosen):
            period_place = STANDARD
        else:
            period_place = texts.origin

        # A chosen period has no digest: so it counts as changed, and is written beside the map.
        included_letters = [letter for letter in MAP_SECTIONS if not self.loaded.is_in_main(letter)]
        if not main_has_period and not is_chosen:
            included_letters.insert(0, "p")
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


def read_onto(
    data: bytes, path: str | None, world: BattleMap, library: Path | None = None
) -> ReadResult | None:
    """Return the units of a mapfile without a map on the grid of ``world``, with its records.

    A file that names no period is read by that of ``world``. None: the file has a map of its own,
    or it cannot be read. Raises ProblemError for a file of another period, with units that the
    period lacks, or with units outside ``world``.
    """
    finder = include_finder(path, library)
    loaded = load(data, path, finder)
    if isinstance(loaded, tuple) or has_errors(loaded.problems):
        return None
    if loaded.value(MAP_SECTION) is not None:
        return None
    _check_period(loaded, finder, world)
    problems = list(loaded.problems)

    # The units become things, all other sections records.
    things = Things()
    sides = loaded.value(SIDES_SECTION)
    units = loaded.value(UNITS_SECTION)
    values: dict[str, Globals | Sides | UnitsFacts | None] = {
        GLOBALS: loaded.value(GLOBALS_SECTION),
        SIDES: sides,
    }
    if units is not None:
        file_path = loaded.sections[UNITS_SECTION.letter].path
        period = period_of(world)
        side_count = len((sides or sides_of(world)).sides)
        warnings = list(unit_problems(units, period, world.grid, side_count, file_path))
        if has_errors(warnings):
            raise ProblemError(tuple(warnings))
        _check_positions(units, world.grid, file_path)
        things, facts = things_of(units, period, world.grid, side_count, file_path)
        problems += warnings
        # The world's own facts stay: they say how its other units are written.
        if UNITS not in world.records:
            values[UNITS] = facts
    layer = Layer(1, UNITS_LAYER, things=things)
    result = BattleMap.new(SYSTEM, world.grid, [layer], world.terrain_set)
    result.records = {name: as_record(value) for name, value in values.items() if value is not None}
    return ReadResult(result, tuple(problems), adds_records=True)


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


def _check_period(loaded: Loaded, finder: IncludeFinder, world: BattleMap) -> None:
    """Raise ProblemError if the file names a period that is not that of ``world``.

    It is the same if its texts are, or if the file of ``world`` included it by the same name.
    """
    if loaded.missing:
        name = loaded.missing[-1]
    elif any(file.mapfile.period is not None for file in loaded.files):
        texts = period_texts(loaded, finder)
        assert texts is not None, "a file brings it"
        if (texts.text, dict(texts.further)) == period_texts_of(world):
            return
        name = texts.name
    else:
        return
    if name and name == header_of(world).period_file:
        return
    if name:
        period = f"the period {name}"
    else:
        period = "a period of its own"
    message = f"The file is made for {period}, which this map does not have"
    raise error("other-period", message, path=loaded.main.path)
