"""The sections of a mapfile that are a map's own: how each is read, written and noticed to change.

The other two, version and period, are no part of a map: ``parsing`` and ``writer`` know them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from randomizer.model.battlemap import BattleMap
from randomizer.systems.xconq.mapfile.cursor import Cursor
from randomizer.systems.xconq.mapfile.globals_section import globals_text, read_globals
from randomizer.systems.xconq.mapfile.map_section import (
    MapSection,
    characters_of,
    map_text,
    read_map,
)
from randomizer.systems.xconq.mapfile.sides_section import FULL_DETAIL, read_sides, sides_text
from randomizer.systems.xconq.mapfile.unit_things import section_of, units_of
from randomizer.systems.xconq.mapfile.units_section import FileUnits, read_units, units_text
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
    """A section by its letter in the save string.

    ``read`` gives what a file has, from the next line on, None with errors (raises
    UnreadableError); ``text`` the section of a map with a detail of 1 to 9 (raises ProblemError).
    ``in_map`` is whether a map has something to write in it, ``title`` what that is, in a sentence.
    """

    letter: str
    title: str
    read: Callable[[Cursor], Value | None]
    text: Callable[[BattleMap, int], str]
    in_map: Callable[[BattleMap], bool]


MAP_SECTION: Section[MapSection] = Section(
    "m",
    "the map",
    read_map,
    map_text,
    lambda battlemap: any(TERRAIN.name in each.planes for each in battlemap.layers if each.visible),
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
    each.letter: each for each in (MAP_SECTION, GLOBALS_SECTION, SIDES_SECTION, UNITS_SECTION)
}
"""By their letters, in the order of the flags."""


# --- noticing changes -------------------------------------------------------------------------


def digest_of(battlemap: BattleMap, letter: str) -> str:
    """Return the digest of a section, or of the period (``p``). Raises ProblemError."""
    if letter == "p":
        texts = period_texts_of(battlemap)
        if texts is None:
            return _digest()
        return _digest(texts[0], *(part for each in sorted(texts[1].items()) for part in each))
    if letter == MAP_SECTION.letter:  # not its text: run lengths take long, and the extension
        facts = map_facts_of(battlemap)  # of a file is not a change
        size = f"{battlemap.grid.width} {battlemap.grid.height} {facts.scale} {facts.seen}"
        return _digest(size, characters_of(battlemap).tobytes().decode("latin-1"))
    return _digest(MAP_SECTIONS[letter].text(battlemap, FULL_DETAIL))


def _digest(*texts: str) -> str:
    digest = hashlib.sha256()
    for text in texts:
        digest.update(f"{len(text)}:".encode())
        digest.update(text.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:32]
