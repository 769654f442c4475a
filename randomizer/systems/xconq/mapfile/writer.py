"""Writes a map as a mapfile, and the file of its period that belongs beside it.

``write_mapfile`` returns the files as bytes::

    written = write_mapfile(battlemap, "isles")
    written.data                  # b"Xconq 1 +-++-- Two islands ...": the mapfile
    written.companions            # {"isles.per": b"..."}: the period, which the mapfile includes

A map that was read from a file is written back as it was where nothing has changed: sections that
came with included files are left out again (``saved_sections``), and lines that a person had typed
in another way than this program writes them stay so (``find_typed_lines``). What a mapfile does not
hold is told by ``losses``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import ProblemError
from randomizer.systems.xconq.header import MapfileHeader, encode
from randomizer.systems.xconq.mapfile.details import SaveDetails
from randomizer.systems.xconq.mapfile.map_sections import MAP_SECTIONS
from randomizer.systems.xconq.mapfile.parsing import Mapfile
from randomizer.systems.xconq.mapfile.saved_sections import details_of
from randomizer.systems.xconq.mapfile.typed_lines import (
    FileSection,
    compare_lines,
    end_of,
    restore_lines,
)
from randomizer.systems.xconq.mapfile.written_period import written_period
from randomizer.systems.xconq.records import VERSION, TypedLines, header_of, typed_lines_of

_VERSION_LETTER = "v"
"""The letter of the section with the version of Xconq."""

_PERIOD_LETTER = "p"
"""The letter of the section with the period."""


class WrittenMapfile(NamedTuple):
    """A mapfile with the files that belong beside it."""

    data: bytes
    """The mapfile."""

    companions: Mapping[str, bytes]
    """The files that it includes and that are written beside it, by name."""


def write_mapfile(
    battlemap: BattleMap, stem: str = "", details: SaveDetails | None = None
) -> WrittenMapfile:
    """Return the files of a map that is saved as ``stem`` and a suffix ("": not known yet).

    ``details`` is what to save, None for ``details_of``. Raises ProblemError for a map that no
    mapfile can hold.
    """
    if details is None:
        details = details_of(battlemap)
    header = header_of(battlemap)
    period = written_period(battlemap, details, stem)
    file_header = MapfileHeader(
        details.sections, header.description, header.blanks, header.notes, period.includes
    )

    # The sections in their order; lines that a person typed stay as they are if they still say
    # the same as the line that would be written in their place.
    pieces = [file_header.text()]
    typed = typed_lines_of(battlemap)
    for letter in details.sections:
        if letter == _PERIOD_LETTER:
            pieces.append(period.section)
        else:
            text = _section_text(battlemap, letter, details)
            pieces.append(restore_lines(text, typed.sections.get(letter, ())))

    # The lines behind the last section, which no program reads.
    if header.rest:
        # Detail 4 of units ends with a blank, which would stand before the first of these lines.
        pieces[-1] = pieces[-1].rstrip(" ")
        pieces += [f"{line}\n" for line in header.rest]

    # The end of the file as it was: perhaps without a line end, or with several.
    text = "".join(pieces)
    if typed.end is not None:
        text = text.removesuffix(end_of(text)) + typed.end
    companions = {name: encode(text) for name, text in period.companions.items()}
    return WrittenMapfile(encode(text), companions)


def find_typed_lines(battlemap: BattleMap, mapfile: Mapfile) -> TypedLines:
    """Return the lines of a file that a person typed in another way than they would be written.

    ``battlemap`` is the map as it was read from ``mapfile``, unchanged.
    """
    try:
        details = details_of(battlemap)
        sections = []
        for letter, lines in mapfile.lines.items():
            if details.detail(letter):
                text = _section_text(battlemap, letter, details)
                sections.append(FileSection(letter, lines, text))
    except ProblemError:
        # The map cannot be written; a period that is found later can change that.
        return TypedLines()
    return compare_lines(sections, end_of(mapfile.text))


def _section_text(battlemap: BattleMap, letter: str, details: SaveDetails) -> str:
    """Return a section, other than the period, as this program writes it."""
    if letter == _VERSION_LETTER:
        return f"{header_of(battlemap).version or VERSION}\n"
    return MAP_SECTIONS[letter].text(battlemap, details.detail(letter))
