"""Mapfiles for a library: complete in one file, since what is beside a map does not go with it."""

from __future__ import annotations

from randomizer.formats import Provenance, refuse_other_systems
from randomizer.model.battlemap import BattleMap
from randomizer.model.problems import Problem, Severity
from randomizer.systems.xconq.mapfile.mapfile_format import Mapfiles


class LibraryMapfiles(Mapfiles):
    """The format ``xconq`` with the period inside, unless it is one of the library."""

    def write(self, battlemap: BattleMap, _provenance: Provenance | None = None) -> bytes:
        """The mapfile. Raises ProblemError if the map cannot be written."""
        from randomizer.systems.xconq.mapfile.writer import details_of, write_mapfile
        from randomizer.systems.xconq.records import PART, header_of

        refuse_other_systems(self, battlemap)
        written = write_mapfile(battlemap)
        if written.companions or header_of(battlemap).period_place == PART:
            written = write_mapfile(battlemap, details=details_of(battlemap).including("p"))
        return written.data

    def check(self, battlemap: BattleMap) -> tuple[Problem, ...]:
        """What the file would lose."""
        from randomizer.systems.xconq.mapfile.writer import check_mapfile

        problems = []
        for each in check_mapfile(battlemap):
            if each.code == "period-beside":
                message = "The period is written into the file, unless the library has it"
                problems.append(Problem(Severity.HINT, "period-inside", message))
            elif each.code != "includes":  # the plan says which of them the library lacks
                problems.append(each)
        return tuple(problems)


FORMAT = LibraryMapfiles()
