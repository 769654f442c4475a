"""The sections of mapfiles that a map has, too: how each is read, written and compared.

``MAP_SECTIONS`` is the table of the sections map, globals, sides and units. The modules of the
sections (``map_section`` and so on) do the work; reader and writer find them here by the letter of
the section in a save string::

    MAP_SECTIONS["s"].title                         # "the sides"
    MAP_SECTIONS["s"].text(battlemap, 1)            # the section of the sides, in detail 1
    digest_of(battlemap, "s")                       # another digest after a side was renamed

The sections version and period are no part of the table; ``parsing`` reads them. Only ``digest_of``
takes the letter ``p`` of the period, too.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from randomizer.model.map.battlemap import BattleMap
from randomizer.systems.xconq.mapfile.cursor import Cursor
from randomizer.systems.xconq.mapfile.globals_section import globals_text, read_globals
from randomizer.systems.xconq.mapfile.map_section import (
    MapSection,
    characters_of,
    map_text,
    read_map,
)
from randomizer.systems.xconq.mapfile.sides_section import FULL_DETAIL, read_sides, sides_text
from randomizer.systems.xconq.mapfile.units_section import FileUnits, read_units, units_text
from randomizer.systems.xconq.mapfile.written_units import section_of, units_of
from randomizer.systems.xconq.records import (
    GLOBALS,
    Globals,
    Sides,
    map_facts_of,
    period_texts_of,
    sides_of,
)
from randomizer.systems.xconq.system import TERRAIN

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Section(Generic[Value]):
    """A section of mapfiles that a map has, too."""

    letter: str
    """The letter of the section in a save string (``details``)."""

    title: str
    """The contents in words, for the middle of a sentence."""

    read: Callable[[Cursor], Value | None]
    """Reads the section of a file, which begins at the next line; returns None with errors.

    Raises UnreadableError if the sections behind it cannot be read either.
    """

    text: Callable[[BattleMap, int], str]
    """Returns the section of a map with a detail of 1 to 9. Raises ProblemError."""

    has_content: Callable[[BattleMap], bool]
    """Returns whether a map has anything to write in the section."""


MAP_SECTION: Section[MapSection] = Section(
    "m",
    "the map",
    read_map,
    map_text,
    lambda battlemap: any(
        TERRAIN.name in layer.planes for layer in battlemap.layers if layer.visible
    ),
)
GLOBALS_SECTION: Section[Globals] = Section(
    "g",
    "turns and conditions",
    read_globals,
    globals_text,
    lambda battlemap: GLOBALS in battlemap.records,
)
SIDES_SECTION: Section[Sides] = Section(
    "s", "the sides", read_sides, sides_text, lambda battlemap: bool(sides_of(battlemap).sides)
)
UNITS_SECTION: Section[FileUnits] = Section(
    "u",
    "the units",
    read_units,
    lambda battlemap, detail: units_text(section_of(battlemap, detail)),
    lambda battlemap: bool(units_of(battlemap)),
)

MAP_SECTIONS = {
    section.letter: section
    for section in (MAP_SECTION, GLOBALS_SECTION, SIDES_SECTION, UNITS_SECTION)
}
"""The sections that a map has by their letters, in the order of the flags."""


def digest_of(battlemap: BattleMap, letter: str) -> str:
    """Return the digest of what a map has in a section; the letter ``p`` is that of its period.

    Two digests are equal if nothing has changed. Raises ProblemError if the section cannot be
    written.
    """
    if letter == "p":
        return _digest_of_period(battlemap)
    if letter == MAP_SECTION.letter:
        # The digest is made of the characters, since the text with its run lengths takes long to
        # make. The extension, a number of the file that does not change the map, is left out.
        facts = map_facts_of(battlemap)
        grid = battlemap.grid
        facts_text = f"{grid.width} {grid.height} {facts.scale} {facts.seen}"
        return _digest(facts_text, characters_of(battlemap).tobytes().decode("latin-1"))
    return _digest(MAP_SECTIONS[letter].text(battlemap, FULL_DETAIL))


def _digest_of_period(battlemap: BattleMap) -> str:
    """Return the digest of the text of the period, and of the names and texts that it includes."""
    texts = period_texts_of(battlemap)
    if texts is None:
        return _digest()
    main_text, further_texts = texts
    hashed = [main_text]
    for name, further_text in sorted(further_texts.items()):
        hashed += [name, further_text]
    return _digest(*hashed)


def _digest(*texts: str) -> str:
    """Return the digest of some texts, 32 hexadecimal digits."""
    digest = hashlib.sha256()
    for text in texts:
        digest.update(f"{len(text)}:".encode())  # else ("ab", "c") and ("a", "bc") would be equal
        digest.update(text.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:32]
