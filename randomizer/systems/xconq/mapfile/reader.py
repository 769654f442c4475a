"""Mapfiles as maps: one layer of terrain and units, the period and all else as records."""

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
from randomizer.systems.xconq.map_period import modern_period, period_of
from randomizer.systems.xconq.mapfile.loading import Loaded, PeriodTexts, Places, load, period_texts
from randomizer.systems.xconq.mapfile.map_section import MapSection
from randomizer.systems.xconq.mapfile.parsing import (
    GLOBALS_SECTION,
    MAP_SECTION,
    MAP_SECTIONS,
    SIDES_SECTION,
    UNITS_SECTION,
    Mapfile,
    digest_of,
)
from randomizer.systems.xconq.mapfile.placeholder_types import GREY, provisional_period, type_name
from randomizer.systems.xconq.mapfile.typed_lines import record_of
from randomizer.systems.xconq.mapfile.unit_things import things_of, unit_problems
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

_LAYER = "World"
UNITS_LAYER = "Units"
_SEED = 1
"""Of the world of a file without a map."""

NOT_READ: Mapping[str, bytes] = {}


def read_with(
    data: bytes,
    path: str | None = None,
    further_files: Mapping[str, bytes] = NOT_READ,
    library: Path | None = None,
) -> ReadResult:
    """Return the map of a mapfile, where some included files are given by their names as written.

    ``library`` is the library directory, None for the usual one. Never raises for bad data.
    """
    if len(data) > LARGEST_FILE:
        message = f"The file has {len(data):,} bytes, {LARGEST_FILE:,} are the most of a mapfile"
        return ReadResult(None, (Problem(Severity.ERROR, "too-large", message, path),))
    places = places_of(path, library, further_files)
    loaded = load(data, path, places)
    if isinstance(loaded, tuple):
        return ReadResult(None, loaded)
    if has_errors(loaded.problems):
        return ReadResult(None, tuple(loaded.problems))
    return _Reader(loaded, places).result()


def places_of(
    path: str | None, library: Path | None = None, further_files: Mapping[str, bytes] = NOT_READ
) -> Places:
    """Return where the files that a mapfile includes are sought, see ``read_with``."""
    if path is None:
        beside = None
    else:
        beside = Path(path).absolute().parent
    return Places(beside, library or library_folder(), further_files)


class _Reader:
    """Makes the map of loaded mapfiles that have no errors of form."""

    def __init__(self, loaded: Loaded, places: Places) -> None:
        self.loaded = loaded
        self.records: dict[str, MapRecord] = {}
        self.texts = period_texts(loaded, places)
        self.problems = list(loaded.problems)
        self.section = loaded.value(MAP_SECTION)
        self.units = loaded.value(UNITS_SECTION)
        self.period = self._period()

    def result(self) -> ReadResult:
        """Return the map and all problems."""
        units = self.units
        grid = self._grid()
        terrain_set, planes = self._terrain()
        things: Things = Things()
        facts: UnitsFacts | None = None
        sides = self.loaded.value(SIDES_SECTION)
        if units is not None:
            path = self.loaded.sections[UNITS_SECTION.letter].path
            number = None if sides is None else len(sides.sides)
            self.problems += unit_problems(units, self.period, grid, number, path)
            try:
                things, facts = things_of(units, self.period, grid, number, path)
            except ProblemError as refused:
                return ReadResult(None, (*self.problems, *refused.problems))
        section = self.section
        if section is None:
            layers = [self._rolled_world(grid), Layer(2, UNITS_LAYER, things=things)]
        else:
            layers = [Layer(1, _LAYER, planes=planes, things=things)]
        battlemap = BattleMap.new(SYSTEM, grid, layers, terrain_set)
        if layers[0].roll is None:
            battlemap.source = None
        else:
            battlemap.source = layers[0].id
        records: dict[str, MapFacts | Globals | Sides | UnitsFacts | None] = {
            MAP: None if section is None else section.facts,
            GLOBALS: self.loaded.value(GLOBALS_SECTION),
            SIDES: sides,
            UNITS: facts,
        }
        self.records |= {
            name: as_record(value) for name, value in records.items() if value is not None
        }
        battlemap.records = self.records
        header = self._header(battlemap)
        battlemap.records[HEADER] = as_record(header)
        self._keep_typed_lines(battlemap)
        missing = (header.period_file,) if header.period_place == MISSING else ()
        return ReadResult(battlemap, tuple(self.problems), missing=tuple(filter(None, missing)))

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

    def _period(self) -> Period:
        """Return the period that the characters are read by; its texts become records."""
        if self.texts is None and not self.loaded.missing:
            return modern_period()
        if self.texts is not None:
            reading = read_period(self.texts.text, None, self.texts.further)
            self.problems += self.texts.located(reading.problems)
            if reading.period is not None:
                self.records |= script_records(PERIOD, self.texts.text, self.texts.further)
                return reading.period
            message = "The period has errors, so its types are provisional"
            self.problems.append(Problem(Severity.WARNING, "period-unusable", message))
        unusable = self.texts.name if self.texts is not None else ""
        missing = self.loaded.missing[-1] if self.loaded.missing else unusable
        units = self.units
        if units is None:
            unit_letters = []
        else:
            unit_letters = [unit.character for unit in units.units]
        text = provisional_period(missing, self._terrain_letters(), dict.fromkeys(unit_letters))
        period = read_period(text).period or modern_period()
        self.texts = PeriodTexts(text, NO_TEXTS, missing, MISSING)
        self.records |= script_records(PERIOD, self.texts.text, self.texts.further)
        return period

    def _terrain_letters(self) -> list[str]:
        section = self.section
        if section is None:
            return []
        codes: list[int] = np.unique(section.characters).tolist()
        code_of_letter = {
            terrain.letters: code for code, terrain in enumerate(SYSTEM.terrain_set.terrains)
        }
        letters = [chr(code) for code in codes]
        return sorted(letters, key=lambda letter: (code_of_letter.get(letter, 99), letter))

    # --- the map ----------------------------------------------------------------------------

    def _grid(self) -> Grid:
        section = self.section
        if section is not None:
            return Grid(OBLIQUE, section.width, section.height, wrap=True)
        width, height = USUAL_SIZE
        most = SYSTEM.most_along or 0
        for unit in self.units.units if self.units is not None else ():
            if 0 <= unit.x < most and 0 <= unit.y < most - 1:
                width = max(width, unit.x + 1)
                height = max(height, unit.y + 2)
        main = self.loaded.main
        message = (
            f"This mapfile has no map; what it has stands on a rolled world of {width} x {height}"
        )
        self.problems.append(Problem(Severity.WARNING, NO_MAP, message, main.path, 1, 1))
        return Grid(OBLIQUE, width, height, wrap=True)

    def _rolled_world(self, grid: Grid) -> Layer:
        """Return the world that a file without a map gets, without countries.

        The real program makes up a random one; here the same file has the same one each time.
        """
        name = ""
        script = MODERN
        text = packaged_text(MODERN)
        texts = NO_TEXTS
        if self.texts is None:
            name = next(
                metadata.name for metadata in packaged_metadata() if metadata.script == MODERN
            )
        else:
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
        """Return the terrain set, and the terrain plane if there is a map."""
        terrain_set = terrain_set_of(self.period)
        section = self.section
        if section is None:
            return terrain_set, {}
        file = self.loaded.sections[MAP_SECTION.letter]
        table = np.full(256, TERRAIN.unset, np.int64)
        for code, terrain_type in enumerate(self.period.terrains):
            if len(terrain_type.char) == 1 and table[ord(terrain_type.char)] == TERRAIN.unset:
                table[ord(terrain_type.char)] = code
        # A period that no file names is only assumed: nothing is substituted for what it lacks.
        if self.texts is None:
            default = -1
        else:
            default = self.period.number("default-terrain")
        unknown = [
            code for code in np.unique(section.characters).tolist() if table[code] == TERRAIN.unset
        ]
        if not unknown:
            return terrain_set, {TERRAIN.name: table[section.characters].astype(TERRAIN.dtype)}
        if 0 <= default < len(self.period.terrains):
            table[unknown] = default
            substitute = self.period.terrains[default].name
            self._say_unknown(section, file, unknown, substitute)
        else:
            terrains = list(terrain_set.terrains)
            for code in unknown:
                table[code] = len(terrains)
                name = type_name("terrain", chr(code))
                terrains.append(Terrain(name, GREY, missing=True))
            terrain_set = replace(terrain_set, terrains=tuple(terrains))
            self._say_unknown(section, file, unknown, None)
        return terrain_set, {TERRAIN.name: table[section.characters].astype(TERRAIN.dtype)}

    def _say_unknown(
        self, section: MapSection, file: Mapfile, unknown: Iterable[int], substitute: str | None
    ) -> None:
        """Characters that no terrain of the period has, each with its first row."""
        for code in unknown:
            is_unknown: NDArray[np.bool_] = section.characters[::-1] == code
            row = int(is_unknown.any(axis=1).argmax())
            count = int(np.count_nonzero(is_unknown))
            cells = counted(count, "cell")
            line = section.first_line + row
            quoted = repr(chr(code))
            if substitute is not None:
                severity = Severity.WARNING
                verb = many(count, "becomes", "become")
                message = f"{quoted} is no terrain of the period: {cells} {verb} {substitute}"
            else:
                severity = Severity.ERROR
                if self.texts is None:
                    period = "the standard period, which is assumed since the file names none"
                else:
                    period = "the period, which sets no default-terrain"
                verb = many(count, "has", "have")
                message = f"{quoted} is no terrain of {period}: {cells} {verb} it"
            if line <= file.text.count("\n") + 1:
                text = file.text.split("\n")[line - 1]
            else:
                text = ""
            column = text.find(chr(code)) + 1
            position = (file.path, line, max(column, 1))
            self.problems.append(Problem(severity, "unknown-terrain", message, *position))

    def _header(self, battlemap: BattleMap) -> Header:
        main = self.loaded.main
        texts = self.texts
        own_period = self.loaded.own("p") and main.period is not None
        source = texts.place if texts is not None else STANDARD
        chosen = texts is not None and not texts.name and texts.place == GIVEN
        if texts is not None and not texts.name and not own_period and not chosen:
            source = STANDARD
        included = "" if own_period or chosen else "p"
        included += "".join(letter for letter in MAP_SECTIONS if not self.loaded.own(letter))
        return Header(
            main.header.description,
            main.header.blanks,
            main.header.notes,
            main.header.includes,
            main.version or "",
            main.header.sections,
            period_file=texts.name if texts is not None else "",
            period_place="" if own_period else source,
            rest=main.rest,
            included={letter: digest_of(battlemap, letter) for letter in included},
        )


def read_onto(
    data: bytes, path: str | None, world: BattleMap, library: Path | None = None
) -> ReadResult | None:
    """Return the units of a mapfile without a map on the grid of ``world``, with its records.

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
    problems = list(loaded.problems)
    things = Things()
    sides = loaded.value(SIDES_SECTION)
    units = loaded.value(UNITS_SECTION)
    values: dict[str, Globals | Sides | UnitsFacts | None] = {
        GLOBALS: loaded.value(GLOBALS_SECTION),
        SIDES: sides,
    }
    if units is not None:
        file = loaded.sections[UNITS_SECTION.letter].path
        period = period_of(world)
        grid = world.grid
        number = len((sides or sides_of(world)).sides)
        faults = list(unit_problems(units, period, grid, number, file))
        if has_errors(faults):
            raise ProblemError(tuple(faults))
        width = grid.width
        height = grid.height
        outside = sum(not (0 <= unit.x < width and 0 <= unit.y < height) for unit in units.units)
        if outside:
            message = f"{counted(outside, 'unit')} would be outside the world of {width} x {height}"
            raise error("other-size", message, path=file)
        things, facts = things_of(units, period, grid, number, file)
        problems += faults
        if UNITS not in world.records:
            values[UNITS] = facts
    layer = Layer(1, UNITS_LAYER, things=things)
    result = BattleMap.new(SYSTEM, world.grid, [layer], world.terrain_set)
    result.records = {name: as_record(value) for name, value in values.items() if value is not None}
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
        if name:
            period = f"the period {name}"
        else:
            period = "a period of its own"
        message = f"The file is made for {period}, which this map does not have"
        raise error("other-period", message, path=loaded.main.path)
