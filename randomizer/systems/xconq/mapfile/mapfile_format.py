"""The format ``xconq``: mapfiles with anything but a period alone.

Reader and writer are imported when they are called: other systems have no use for them.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from types import MappingProxyType

from randomizer.formats import (
    NO_FILES,
    Format,
    Provenance,
    Purpose,
    ReadResult,
    lost_fixtures,
    refuse_other_systems,
)
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


class Mapfiles(Format):
    """The format ``xconq``."""

    name = "xconq"
    title = "Xconq mapfile"
    suffixes = (".map", ".scn")
    systems = (SYSTEM.name,)
    largest = LARGEST_FILE
    encoding = "latin-1"
    purpose = Purpose.GAME
    nouns_beside = MappingProxyType({PERIOD_SUFFIX: "period"})

    def recognises(self, data: bytes) -> bool:
        """Return whether the first word is that of a mapfile; one with a period alone is a
        script.
        """
        return is_mapfile(data) and sections_of(data) != PERIOD_ALONE

    def resemblance(self, data: bytes) -> float:
        """Return what the first word and those that begin a section tell."""
        if b"xconq" in data[:200].split(b"\n", 1)[0].lower():
            return 0.8
        words = [word.encode() for word in SECTION_WORDS.values() if word]
        lines = data[: 2**16].splitlines()
        if any(line.split(b" ")[0] in words for line in lines):
            return 0.4
        return 0.0

    def read(self, data: bytes, path: str | None = None) -> ReadResult:
        """Return the map, with what it includes from beside ``path`` and the library.

        Never raises.
        """
        return self.read_with(data, path, NO_FILES)

    def read_with(self, data: bytes, path: str | None, given: Mapping[str, bytes]) -> ReadResult:
        from randomizer.systems.xconq.mapfile.reader import read_with

        return read_with(data, path, given)

    def substitutes(self, _name: str) -> Mapping[str, bytes]:
        """Return the packaged period of the game's own time."""
        from randomizer.systems.xconq.period.packaged_periods import MODERN, packaged_text

        return {"Modern Times": encode(packaged_text(MODERN))}

    def read_onto(self, data: bytes, path: str | None, battlemap: BattleMap) -> ReadResult | None:
        """Read units, sides and globals of a file without a map for a world."""
        if battlemap.system is not SYSTEM or len(data) > LARGEST_FILE:
            return None
        from randomizer.systems.xconq.mapfile.reader import read_onto

        return read_onto(data, path, battlemap)

    def write(self, battlemap: BattleMap, _provenance: Provenance | None = None) -> bytes:
        from randomizer.systems.xconq.mapfile.writer import write_mapfile

        refuse_other_systems(self, battlemap)
        return write_mapfile(battlemap).data

    def write_files(
        self, battlemap: BattleMap, name: str, _provenance: Provenance | None = None
    ) -> Mapping[str, bytes]:
        from randomizer.systems.xconq.mapfile.writer import write_mapfile

        refuse_other_systems(self, battlemap)
        written = write_mapfile(battlemap, PurePath(name).stem)
        if name.lower() in {companion.lower() for companion in written.companions}:
            message = f"{name} is the file of the period, so the map needs another name"
            raise error("name-of-period", message)
        return {name: written.data, **written.companions}

    def check(self, battlemap: BattleMap) -> tuple[Problem, ...]:
        from randomizer.systems.xconq.mapfile.writer import check_mapfile

        return (*check_mapfile(battlemap), *lost_fixtures(self, battlemap))


class LibraryMapfiles(Mapfiles):
    """The format ``xconq`` with the period inside, unless it is one of the library."""

    def write(self, battlemap: BattleMap, _provenance: Provenance | None = None) -> bytes:
        from randomizer.systems.xconq.mapfile.writer import details_of, write_mapfile
        from randomizer.systems.xconq.records import PART, header_of

        refuse_other_systems(self, battlemap)
        written = write_mapfile(battlemap)
        if written.companions or header_of(battlemap).period_place == PART:
            written = write_mapfile(battlemap, details=details_of(battlemap).including("p"))
        return written.data

    def check(self, battlemap: BattleMap) -> tuple[Problem, ...]:
        from randomizer.systems.xconq.mapfile.writer import check_mapfile

        problems = []
        for problem in check_mapfile(battlemap):
            if problem.code == "period-beside":
                message = "The period is written into the file, unless the library has it"
                problems.append(Problem(Severity.HINT, "period-inside", message))
            elif problem.code != "includes":  # the plan says which of them the library lacks
                problems.append(problem)
        return (*problems, *lost_fixtures(self, battlemap))


XCONQ = Mapfiles()
"""The format of mapfiles anywhere."""

LIBRARY_FORMAT = LibraryMapfiles()
"""The format of mapfiles that are exported into a library."""
