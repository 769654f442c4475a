"""The format ``xconq``: the mapfiles in which the game Xconq stores worlds and games.

A mapfile has a header and sections: the period (the rules, with the types of terrains and units),
the map, globals, sides and units. A small one::

    Xconq 0 -+---- Two islands          the header: a map follows
    Map 6 3 100 1 0
    6+
    ..3,1.
    6+

One with a period and nothing else is no map but a script, which another format reads. The registry
of formats calls what ``Format`` documents; ``Mapfiles`` is for files anywhere, ``LibraryMapfiles``
for those that are exported into the library of a game.

Reader and writer are imported by the methods that need them: the program registers this format at
its start, and most sessions never read or write an Xconq file.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from types import MappingProxyType

from randomizer.formats.format import Format, Purpose
from randomizer.formats.held_systems import refuse_other_systems
from randomizer.formats.losses import lost_fixtures
from randomizer.formats.provenance import Provenance
from randomizer.formats.results import NO_FILES, ReadResult
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem, Severity, error
from randomizer.systems.xconq.header import (
    LARGEST_FILE,
    PERIOD_ALONE,
    PERIOD_SUFFIX,
    SECTION_WORDS,
    encode,
    is_mapfile,
    sections_of,
)
from randomizer.systems.xconq.system import SYSTEM

_NAMES_GAME = 0.8
"""The resemblance of a file whose first line names the game, as each header does."""

_HAS_SECTION = 0.4
"""The resemblance of a file with a line that begins like a section: other texts may have one."""

_HEADER_BYTES = 200
"""The number of bytes in which the first line of a header ends."""

_SEARCHED_BYTES = 64 * 1024
"""The number of bytes that are searched for sections.

With more of them opening a large file takes longer, as it is read once more afterwards.
"""

_PERIOD_SECTION = "p"
"""The letter of the section with the period, as in ``SECTION_WORDS``."""


class Mapfiles(Format):
    """Mapfiles with a map, or with sides and units that belong on one."""

    name = "xconq"
    title = "Xconq mapfile"
    suffixes = (".map", ".scn")
    systems = (SYSTEM.name,)
    largest = LARGEST_FILE
    encoding = "latin-1"
    purpose = Purpose.GAME
    nouns_beside = MappingProxyType({PERIOD_SUFFIX: "period"})

    def recognises(self, data: bytes) -> bool:
        """Return whether this is a mapfile, by its first word, and no period alone."""
        return is_mapfile(data) and sections_of(data) != PERIOD_ALONE

    def resemblance(self, data: bytes) -> float:
        """Return how much a file looks like a damaged mapfile, from 0 to 1."""
        first_line = data[:_HEADER_BYTES].split(b"\n", 1)[0]
        if b"xconq" in first_line.lower():
            return _NAMES_GAME
        section_words = [word.encode() for word in SECTION_WORDS.values() if word]
        for line in data[:_SEARCHED_BYTES].splitlines():
            first_word = line.split(b" ")[0]
            if first_word in section_words:
                return _HAS_SECTION
        return 0.0

    def read(self, data: bytes, path: str | None = None) -> ReadResult:
        """Return the map, with the files that it includes from beside ``path`` or the library.

        It raises nothing: what is wrong with the file is told by the problems of the result.
        """
        return self.read_with(data, path, NO_FILES)

    def read_with(self, data: bytes, path: str | None, given: Mapping[str, bytes]) -> ReadResult:
        """As ``read``, with the files ``given``, by name, in place of those of the same name."""
        from randomizer.systems.xconq.mapfile.reader import read_with

        return read_with(data, path, given)

    def substitutes(self, _name: str) -> Mapping[str, bytes]:
        """Return the packaged period that can stand for any that is missing: Modern Times."""
        from randomizer.systems.xconq.period.packaged_periods import MODERN, packaged_text

        return {"Modern Times": encode(packaged_text(MODERN))}

    def read_onto(self, data: bytes, path: str | None, battlemap: BattleMap) -> ReadResult | None:
        """Return a world with the units, sides and globals of a file that has no map of its own.

        None if the map is no world of Xconq, or if the file is larger than any mapfile.
        """
        if battlemap.system is not SYSTEM or len(data) > LARGEST_FILE:
            return None
        from randomizer.systems.xconq.mapfile.units_onto_world import read_onto

        return read_onto(data, path, battlemap)

    def write(self, battlemap: BattleMap, _provenance: Provenance | None = None) -> bytes:
        """Return the mapfile alone, without the file of the period that may belong beside it."""
        from randomizer.systems.xconq.mapfile.writer import write_mapfile

        refuse_other_systems(self, battlemap)
        return write_mapfile(battlemap).data

    def write_files(
        self, battlemap: BattleMap, name: str, _provenance: Provenance | None = None
    ) -> Mapping[str, bytes]:
        """Return the mapfile ``name`` and the files beside it, by name: that of its period.

        Raises ProblemError if the mapfile would have the name of its period's file.
        """
        from randomizer.systems.xconq.mapfile.writer import write_mapfile

        refuse_other_systems(self, battlemap)
        written = write_mapfile(battlemap, PurePath(name).stem)
        # Some file systems do not tell small letters from capitals.
        if name.lower() in {companion.lower() for companion in written.companions}:
            message = f"{name} is the file of the period, so the map needs another name"
            raise error("name-of-period", message)
        return {name: written.data, **written.companions}

    def check(self, battlemap: BattleMap) -> tuple[Problem, ...]:
        """Return what a mapfile would lose of a map, and what the game would not accept."""
        from randomizer.systems.xconq.mapfile.losses import check_mapfile

        return (*check_mapfile(battlemap), *lost_fixtures(self, battlemap))


class LibraryMapfiles(Mapfiles):
    """Mapfiles for the library of a game, which are one file each.

    The game looks for a period in its library only. So a period that is not in the library is
    written into the mapfile, where ``Mapfiles`` writes a file of its own beside it.
    """

    def write(self, battlemap: BattleMap, _provenance: Provenance | None = None) -> bytes:
        """Return the mapfile, with its period unless the library has that."""
        from randomizer.systems.xconq.mapfile.saved_sections import details_of
        from randomizer.systems.xconq.mapfile.writer import write_mapfile
        from randomizer.systems.xconq.records import PeriodPlace, header_of

        refuse_other_systems(self, battlemap)
        written = write_mapfile(battlemap)
        is_period_beside = bool(written.companions)
        was_period_inside = header_of(battlemap).period_place is PeriodPlace.PART
        if is_period_beside or was_period_inside:
            details = details_of(battlemap).including(_PERIOD_SECTION)
            written = write_mapfile(battlemap, details=details)
        return written.data

    def check(self, battlemap: BattleMap) -> tuple[Problem, ...]:
        """As ``Mapfiles.check``, but told for a file with its period inside."""
        from randomizer.systems.xconq.mapfile.losses import check_mapfile

        problems = []
        for problem in check_mapfile(battlemap):
            if problem.code == "period-beside":
                message = "The period is written into the file, unless the library has it"
                problems.append(Problem(Severity.HINT, "period-inside", message))
            elif problem.code != "includes":
                # Which included files the library lacks is told by the plan of the export.
                problems.append(problem)
        return (*problems, *lost_fixtures(self, battlemap))


XCONQ = Mapfiles()
"""The format of mapfiles anywhere."""

LIBRARY_FORMAT = LibraryMapfiles()
"""The format of mapfiles that are exported into a library."""
