"""The sections that a map is saved with: those chosen, or else those that it needs.

A mapfile has sections, each with a letter: the map (m), its sides (s), units (u) and globals (g),
the period (p) and the version (v). ``details_of`` returns which of them a map is saved with. A
section need not be saved if an included file brings it as it is on the map: ``is_in_includes``.
"""

from __future__ import annotations

from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem, ProblemError, Severity
from randomizer.systems.xconq.mapfile.details import SaveDetails
from randomizer.systems.xconq.mapfile.map_sections import MAP_SECTIONS, digest_of
from randomizer.systems.xconq.records import header_of, sides_of, units_facts_of

_MAX_DETAIL = 9
"""The detail of sides and units at which all of them is saved."""


def details_of(battlemap: BattleMap) -> SaveDetails:
    """Return the sections that a map is saved with, and their details.

    These are the ones that a person chose. Where nobody chose, they are those that the map's file
    had, and those that have changed since an included file brought them. A map without a file has
    its terrain, sides and units saved, and conditions if it has any. Raises ProblemError for a map
    whose header holds a choice that is no save string.
    """
    header = header_of(battlemap)
    if header.details:
        try:
            return SaveDetails.parse(header.details)
        except ValueError as fault:
            message = f"The map is to be saved with {header.details}: {fault}"
            raise ProblemError(Problem(Severity.ERROR, "details", message)) from None

    letters = header.sections
    has_file = bool(header.sections or header.included)
    if not has_file:
        letters = "m"
        for letter, section in MAP_SECTIONS.items():
            if section.has_content(battlemap):
                letters += letter
    levels = dict.fromkeys(letters, 1)
    if "s" in levels:
        levels["s"] = min(sides_of(battlemap).detail, _MAX_DETAIL)
    if "u" in levels:
        levels["u"] = units_facts_of(battlemap).detail
    return SaveDetails(levels).including(_changed_sections(battlemap))


def _changed_sections(battlemap: BattleMap) -> list[str]:
    """Return the letters of the sections that an included file brought, and that have changed."""
    brought = header_of(battlemap).included
    return [
        letter
        for letter in MAP_SECTIONS
        if letter in brought and not is_in_includes(battlemap, letter)
    ]


def is_in_includes(battlemap: BattleMap, letter: str) -> bool:
    """Return whether an included file, or the library, brings a section as it is on the map.

    ``letter`` is that of the section, ``p`` for the period.
    """
    digest = header_of(battlemap).included.get(letter)
    return digest is not None and digest == digest_of(battlemap, letter)
