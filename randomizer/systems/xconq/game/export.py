"""Plans an export into Xconq's library: the mapfile, and its line in the menu.

A *mapfile* holds a map, and can hold its *period* (the rules of the game) or name a file that holds
it. If the library has the same period as a file of its own, the exported mapfile includes that
instead. ``XconqHost`` calls ``plan_exports``. Nothing is written here: the user confirms the plan,
and ``export_backups`` writes it. The plan for a map "islands"::

    islands.map         the mapfile, or islands.scn if it has units, sides or globals
    mapfiles            the menu of the library, with one line more
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePath
from typing import NamedTuple

from randomizer.games.export_plan import ExportPlan
from randomizer.model.basics.plurals import counted
from randomizer.model.problems import ProblemError, Severity
from randomizer.reading.files import read_file
from randomizer.storage.exports.export_planning import ExportPlanner
from randomizer.systems.xconq.game.folder import Library
from randomizer.systems.xconq.game.menu import MAPS, NAME, SCENARIOS, empty_menu, with_entry
from randomizer.systems.xconq.header import encode
from randomizer.systems.xconq.mapfile.includes import LARGEST_INCLUDE, IncludeFinder
from randomizer.systems.xconq.mapfile.map_sections import MAP_SECTION
from randomizer.systems.xconq.mapfile.parsing import Mapfile, parse

_SECTIONS_OF_SCENARIOS = frozenset("gsu")
"""The letters of the sections of globals, sides and units: a file with one of them is a scenario.
"""

MAP_SUFFIX = ".map"
"""The suffix of a map without units and sides."""

SCENARIO_SUFFIX = ".scn"
"""The suffix of a map with units or sides."""


class _FileKind(NamedTuple):
    """A kind of mapfiles in a library."""

    noun: str
    """The word for such a file in messages."""

    suffix: str
    """The suffix of a new file, with the dot."""

    heading: str
    """The heading in the menu under which such files stand."""


_MAP = _FileKind("map", MAP_SUFFIX, MAPS)
_SCENARIO = _FileKind("scenario", SCENARIO_SUFFIX, SCENARIOS)


class _MenuEntry(NamedTuple):
    """A line of the menu."""

    heading: str
    """The heading under which it stands."""

    name: str
    """The name of the file, without its suffix."""

    description: str
    """A text on the map, for players."""


def plan_exports(game: Library, maps: Mapping[str, bytes], group: str) -> ExportPlan:
    """Return the plan for an export of mapfiles, by their names.

    A name without a suffix gets the usual one. Bad names, maps or paths are problems of the plan.
    """
    planner = _Planner(game)
    if not planner.check_names(("mapfile", name) for name in maps):
        return planner.plan(group, slots=maps)
    file_names = [planner.add_mapfile(name, data) for name, data in maps.items()]
    planner.add_menu()
    how_to_play = ""
    if file_names:
        how_to_play = f"To play it, start Xconq with the file: xconq {file_names[0]}"
    return planner.plan(group, slots=file_names, how_to_play=how_to_play)


class _Planner(ExportPlanner):
    """Plans the files of an export: ``add_mapfile`` for each map, then ``add_menu``."""

    def __init__(self, game: Library) -> None:
        super().__init__(game.root)
        self.game = game
        self.entries: list[_MenuEntry] = []
        """The entries that the mapfiles so far need in the menu."""

    def add_mapfile(self, name: str, data: bytes) -> str:
        """Plan a mapfile and its entry in the menu; return its name in the library."""
        mapfile, problems = parse(data)
        for problem in problems:
            if problem.severity is Severity.ERROR:
                self.problems.append(problem.at_path(name))
        kind = _MAP
        if mapfile is not None and _SECTIONS_OF_SCENARIOS & set(mapfile.header.sections):
            kind = _SCENARIO
        if PurePath(name).suffix not in (MAP_SUFFIX, SCENARIO_SUFFIX):
            name += kind.suffix
        if mapfile is None:  # it cannot be read; the problems say why
            return name

        data = self.plan_with_library_period(mapfile, data)
        stem = PurePath(name).stem
        self.add(self.root / name, data, f"the {kind.noun} {stem}")
        self.entries.append(_MenuEntry(kind.heading, stem, _description(mapfile)))
        return name

    def plan_with_library_period(self, mapfile: Mapfile, data: bytes) -> bytes:
        """Return the bytes of a mapfile, with an include instead of a period that the library has.

        ``data`` are its bytes now. That is noted in the plan, and included files that the library
        lacks become warnings there.
        """
        includes = mapfile.header.includes
        if mapfile.period is not None:
            period_file = self.file_with_period(mapfile.period)
            if period_file:
                self.notes.append(f"It includes {period_file}, which the library has.")
                includes = (*includes, period_file)
                data = _without_period(mapfile, includes)
        finder = IncludeFinder(None, self.root)
        for name in includes:
            if finder.find(name).file is None:
                message = f"The library has no {name}, which the map includes: copy it there, too"
                self.complain("include-missing", message, severity=Severity.WARNING)
        return data

    def file_with_period(self, period: str) -> str:
        """Return the name of a file of the library that has this period and includes no other file.

        "" if there is none.
        """
        for path in self.game.scripts():
            try:
                mapfile, _problems = parse(read_file(path, LARGEST_INCLUDE), str(path))
            except ProblemError:  # a file that cannot be read is not included
                continue
            if mapfile is None or mapfile.header.includes:
                continue
            if mapfile.period == period:
                return path.name
        return ""

    def add_menu(self) -> None:
        """Plan the menu with a line for each mapfile."""
        path = self.root / NAME
        try:
            text = empty_menu()
            if path.exists():
                text = read_file(path, LARGEST_INCLUDE).decode("latin-1")
        except ProblemError as failed:
            self.problems += failed.problems
            return
        menu = text
        for heading, name, description in self.entries:
            menu = with_entry(menu, heading, name, description)
        is_new = not path.exists()
        if menu != text or is_new:
            lines = counted(len(self.entries), "line")
            self.add(path, encode(menu), f"the menu with {lines} more")


def _description(mapfile: Mapfile) -> str:
    """Return the description of a mapfile in the menu: its own, or else the size of its world."""
    section = mapfile.value(MAP_SECTION)
    if not mapfile.header.description and section is not None:
        return f"A world of {section.width} x {section.height}"
    return mapfile.header.description


def _without_period(mapfile: Mapfile, includes: tuple[str, ...]) -> bytes:
    """Return the bytes of a mapfile without its period section, and with other included files."""
    assert mapfile.period is not None, "the mapfile has a period section"
    header = replace(
        mapfile.header, sections=mapfile.header.sections.replace("p", ""), includes=includes
    )
    lines = mapfile.text.split("\n")
    first_line = mapfile.period_line - 1  # ``period_line`` counts from 1
    # A period that ends the file may have no line end behind its last line.
    next_line = first_line + mapfile.period.removesuffix("\n").count("\n") + 1
    other_lines = [*lines[mapfile.header.next_line : first_line], *lines[next_line:]]
    return encode(header.text() + "\n".join(other_lines))
