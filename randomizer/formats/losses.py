"""What a file does not keep of a map, as problems that a format's ``check`` returns."""

from __future__ import annotations

from randomizer.formats.format import Format
from randomizer.model.basics.plurals import counted, listed
from randomizer.model.fixtures_record import fixtures_of
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem, Severity

NOT_KEPT = "not-kept"
"""The code of the problems that say what a file does not keep: a person is asked before a save."""

IN_FILE = "in-file"
"""The code of the hints that say what a written file holds, such as the number of its walls."""


def lost_things(map_format: Format, battlemap: BattleMap) -> tuple[Problem, ...]:
    """Return the hints on what a map loses in a format that has neither things nor fixtures.

    Fixtures are walls, doors and lights of a virtual table. Things count if they are visible.
    """
    thing_count = sum(1 for _thing in battlemap.visible_things())
    hints = lost_fixtures(map_format, battlemap)
    if not thing_count:
        return hints
    return (_lost(counted(thing_count, "placed thing"), map_format), *hints)


def lost_fixtures(map_format: Format, battlemap: BattleMap) -> tuple[Problem, ...]:
    """Return the hint on the fixtures that a map loses in a format without them, () for none."""
    counts = fixtures_of(battlemap.records).counts_by_noun()
    if not counts:
        return ()
    counted_nouns = [counted(count, noun) for noun, count in sorted(counts.items())]
    return (_lost(listed(counted_nouns), map_format),)


def _lost(noun: str, map_format: Format) -> Problem:
    """Return the hint that a format does not keep what ``noun`` names."""
    message = f"{noun}: the format “{map_format.title}” has none"
    return Problem(Severity.HINT, NOT_KEPT, message)
