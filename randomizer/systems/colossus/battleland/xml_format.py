"""The format of battleland files, ``Battlelands/*.xml`` of Colossus: recognising and writing.

    result = XML.read(data, "Marsh.xml")          # result.battlemap, result.problems
    data = XML.write(result.battlemap)

A map that was read from a file keeps the bytes of that file. It is written into the text of them,
so that comments, spacing and order stay; only where that fails it is written anew.

Every command of the program asks each format whether it recognises a file. So the modules that only
writing needs are imported in the methods.
"""

from __future__ import annotations

import re

from randomizer.formats.format import Format, Purpose
from randomizer.formats.held_systems import refuse_other_systems
from randomizer.formats.losses import lost_things
from randomizer.formats.provenance import Provenance
from randomizer.formats.results import ReadResult
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite
from randomizer.model.problems import Problem, ProblemError, Severity, has_errors
from randomizer.model.records.map_records import original_asset
from randomizer.reading.xml_source import decode_xml
from randomizer.reading.xml_tree import MAX_BYTES
from randomizer.systems.colossus.battleland.xml_reader import FORMAT_NAME, read_battleland
from randomizer.systems.colossus.system import SYSTEM

_BEGINNING = 20_000
"""The bytes of a file that are looked at to recognise it."""

_FIRST_TAG = re.compile(
    r"<(?P<name>[^\s!?<>/]++)(?P<attributes>[^<>]*+)>"
)  # possessive: in linear time
"""The first tag that is no comment, declaration or instruction: its name and its attributes."""


class BattlelandXml(Format):
    """The format of ``Battlelands/*.xml``."""

    name = FORMAT_NAME
    title = "Colossus battleland"
    suffixes = (".xml",)
    systems = (SYSTEM.name,)
    largest = MAX_BYTES
    purpose = Purpose.GAME

    def recognises(self, data: bytes) -> bool:
        """Return whether the root is a ``battlemap``, or has a ``tower`` attribute as they have."""
        try:
            text = decode_xml(data[:_BEGINNING])
        except ProblemError:
            return False
        without_comments = re.sub(r"<!--.*?(?:-->|\Z)", "", text, flags=re.DOTALL)
        tag = _FIRST_TAG.search(without_comments)
        if tag is None:
            return False
        has_tower = re.search(r"\stower\s*=", tag["attributes"]) is not None
        return tag["name"] == "battlemap" or has_tower

    def resemblance(self, data: bytes) -> float:
        """Return how like a battleland these bytes are, 0 to 1:

        0.8 with an element of one, else 0.
        """
        beginning = data[:_BEGINNING].replace(b"\0", b"")  # in UTF-16 every other byte is 0
        if b"<battle" in beginning:
            return 0.8
        return 0.0

    def read(self, data: bytes, path: str | None = None) -> ReadResult:
        """Return one layer that sets the hexes that the file names. Never raises for bad data."""
        return read_battleland(data, path)

    def write(self, battlemap: BattleMap, provenance: Provenance | None = None) -> bytes:
        """Return the visible layers, flattened; the provenance is a comment before the hexes.

        A map that was read from a file is written into the text of that file. Raises ProblemError
        for what XML cannot hold.
        """
        from randomizer.systems.colossus.battleland.xml_writer import (
            check_writable,
            write_battleland,
        )

        refuse_other_systems(self, battlemap)
        composite = battlemap.composite()
        comment = None
        if provenance is not None:
            comment = provenance.words
        original = battlemap.assets.get(original_asset(battlemap.records, self.name))
        if original is not None and not has_errors(check_writable(composite)):
            edited = _edited(original, composite, comment)
            if edited is not None:
                return edited
        return write_battleland(composite, comment)

    def check(self, battlemap: BattleMap) -> tuple[Problem, ...]:
        """Return what the file would lose, and the warnings of the game's builder."""
        from randomizer.systems.colossus.battleland.xml_writer import check_writable
        from randomizer.systems.colossus.map_checks import check_battleland

        composite = battlemap.composite()
        problems = check_writable(composite) + check_battleland(composite)
        has_locks = battlemap.locked_cells.any() or battlemap.locked_sides.any()
        if len(battlemap.layers) > 1 or has_locks:
            flat = Problem(
                Severity.HINT,
                "flattened",
                "A battleland file holds one flat map: layers and locks are not kept in it",
            )
            problems = (*problems, flat)
        return (*problems, *lost_things(self, battlemap))


XML = BattlelandXml()
"""The format of the catalogue."""


def _edited(original: bytes, composite: Composite, comment: str | None) -> bytes | None:
    """Return the original file changed to what a map shows, with a comment.

    None if it cannot be changed to that: the result is read again, and has to show the same.
    """
    from randomizer.systems.colossus.battleland.source_edits import edited_source

    # Can the original be read, as the map that it was? Any problem but that of a DOCTYPE means that
    # something in it was not read.
    former = read_battleland(original)
    if former.battlemap is None or any(problem.code != "doctype" for problem in former.problems):
        return None
    former_composite = former.battlemap.composite()

    # Change it, and read the result again.
    edited_without_comment = edited_source(original, former_composite, composite)
    if edited_without_comment is None:
        return None
    edited_map = read_battleland(edited_without_comment).battlemap
    if edited_map is None:
        return None

    # Does it show the same?
    edited_composite = edited_map.composite()
    if not edited_composite.same_as(composite):
        return None
    if dict(edited_composite.extras) != dict(composite.extras):
        return None
    # The comment last: among the unknown parts above it would be one more.
    return edited_source(original, former_composite, composite, comment)
