"""Planning an export into a library: the mapfile, and its line in the menu.

A period inside the file that the library has as a file of its own becomes an include line. Nothing
is written here; ``export_backups`` does that.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath

from randomizer.games import ExportPlan
from randomizer.model.basics.plurals import counted
from randomizer.model.problems import ProblemError, Severity, has_errors
from randomizer.reading.files import read_file
from randomizer.storage.exports.export_planning import ExportPlanner
from randomizer.systems.xconq.game.folder import Library
from randomizer.systems.xconq.game.menu import MAPS, NAME, SCENARIOS, empty_menu, with_entry
from randomizer.systems.xconq.header import MapfileHeader, encode
from randomizer.systems.xconq.mapfile.loading import LARGEST_INCLUDE, IncludeFinder
from randomizer.systems.xconq.mapfile.parsing import MAP_SECTION, Mapfile, parse

_OF_SCENARIOS = frozenset("gsu")
"""A file with one of these sections is a scenario."""

SUFFIXES = (".map", ".scn")
"""Of a map, and of one with units or sides."""


def plan_exports(game: Library, maps: Mapping[str, bytes], group: str) -> ExportPlan:
    """Return the plan for mapfiles by their names; one without a suffix gets the usual one.

    Never raises for bad names, maps or paths: they are problems of the plan.
    """
    planner = _Planner(game)
    names = []
    if planner.check_names(("mapfile", name) for name in maps):
        names = [planner.add_mapfile(name, data) for name, data in maps.items()]
        planner.add_menu()
    if names:
        how_to_play = f"To play it, start Xconq with the file: xconq {names[0]}"
    else:
        how_to_play = ""
    return planner.plan(group, names or maps, how_to_play=how_to_play)


class _Planner(ExportPlanner):
    def __init__(self, game: Library) -> None:
        super().__init__(game.root)
        self.game = game
        self.entries: list[tuple[str, str, str]] = []

    def add_mapfile(self, name: str, data: bytes) -> str:
        """Plan a mapfile and its entry in the menu; its name in the library."""
        mapfile, problems = parse(data)
        self.problems += [problem.at_path(name) for problem in problems if has_errors((problem,))]
        scenario = mapfile is not None and bool(_OF_SCENARIOS & set(mapfile.header.sections))
        if PurePath(name).suffix not in SUFFIXES:
            name += SUFFIXES[scenario]
        if mapfile is None:
            return name
        data = self.with_library_period(mapfile, data)
        kind = "scenario" if scenario else "map"
        self.add(self.root / name, data, f"the {kind} {PurePath(name).stem}")
        description = mapfile.header.description
        section = mapfile.value(MAP_SECTION)
        if not description and section is not None:
            description = f"A world of {section.width} x {section.height}"
        heading = SCENARIOS if scenario else MAPS
        self.entries.append((heading, PurePath(name).stem, description))
        return name

    def with_library_period(self, mapfile: Mapfile, data: bytes) -> bytes:
        """Return the file with an include line in the place of a period that the library has."""
        includes = mapfile.header.includes
        if mapfile.period is not None:
            file = self.library_file(mapfile.period)
            if file:
                self.notes.append(f"It includes {file}, which the library has.")
                sections = mapfile.header.sections.replace("p", "")
                includes = (*includes, file)
                header = MapfileHeader(
                    sections,
                    mapfile.header.description,
                    mapfile.header.blanks,
                    mapfile.header.notes,
                    includes,
                )
                lines = mapfile.text.split("\n")
                last = mapfile.period_line - 1 + mapfile.period.count("\n")
                other_lines = [
                    *lines[mapfile.header.next_line : mapfile.period_line - 1],
                    *lines[last:],
                ]
                data = encode(header.text() + "\n".join(other_lines))
        finder = IncludeFinder(None, self.root)
        for name in includes:
            if finder.find(name) is None:
                message = f"The library has no {name}, which the map includes: copy it there, too"
                self.complain("include-missing", message, severity=Severity.WARNING)
        return data

    def library_file(self, period: str) -> str:
        """Return the name of a file of the library that has this period and nothing else, "" for
        none.
        """
        for path in self.game.scripts():
            try:
                mapfile, _ = parse(read_file(path, LARGEST_INCLUDE), str(path))
            except ProblemError:
                continue
            alone = mapfile is not None and not mapfile.header.includes
            if mapfile is not None and alone and mapfile.period == period:
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
        if menu != text or not path.exists():
            lines = counted(len(self.entries), "line")
            self.add(path, encode(menu), f"the menu with {lines} more")
