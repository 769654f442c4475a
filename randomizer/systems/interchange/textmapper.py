"""The format ``textmapper``: maps of Text Mapper, a line a hex or a way, in any order.

    0304 green fir-forest "Deep Forest" 30
    0304-0506 trail

A file is read in two steps: its statements (textmapper_document.py) become a map
(textmapper_map.py). It is written by changing the lines of the file that was read, where there is
one: the content of the map (textmapper_content.py) is compared with that of the file, and only
lines that do not hold any more are exchanged (textmapper_rows.py).

Hexes are flat-top: the file has no word for another layout. Maps of other layouts are written with
column and row as they are.
"""

from __future__ import annotations

from randomizer.model.basics.plurals import counted
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem
from randomizer.systems.interchange.foreign.codec import Codec, Written
from randomizer.systems.interchange.foreign.losses import losses
from randomizer.systems.interchange.foreign.source import Source
from randomizer.systems.interchange.textmapper_content import NO_CONTENT, content_of
from randomizer.systems.interchange.textmapper_document import Document, read_document
from randomizer.systems.interchange.textmapper_map import PROGRAM, map_of_document
from randomizer.systems.interchange.textmapper_rows import (
    are_prose,
    changed_rows,
    comment_prose,
    type_definitions,
)


class TextMapperCodec(Codec):
    """Reads and writes lines about hexes."""

    program = PROGRAM
    flat_only = False

    def parse(self, source: Source, problems: list[Problem]) -> BattleMap:
        """Return the map of a file. Raises ProblemError for a file that is none of the program."""
        return map_of_document(read_document(source.text, problems))

    def compose(self, battlemap: BattleMap, original: Source, _stem: str) -> Written:
        """Return the lines of the original that still hold, and new ones."""
        # The content of the original and that of the map are compared statement by statement.
        document = Document()
        former = NO_CONTENT
        lines = list[str]()
        if original.data:
            document = read_document(original.text, [])
            former = content_of(self.parse(original, []), document, has_codes=True)
            lines = original.lines()
        has_codes = bool(original.data) or battlemap.terrain_set.name == self.program
        content = content_of(battlemap, document, has_codes=has_codes)
        rows = changed_rows(document, lines, former, content)

        # In a note in Markdown there is other text before and behind the rows of the map. The text
        # behind it has as many lines as in the file that was read.
        lines_behind_map = max(0, len(lines) - document.map_lines.stop)
        map_start = document.map_lines.start
        map_end = len(rows) - lines_behind_map
        map_rows = rows[map_start:map_end]
        commented_lines = 0
        if are_prose(map_rows):
            # Prose that was in the file now outweighs its hexes: it would not be read again.
            map_rows = [*type_definitions(battlemap, content, document.line_end), *map_rows]
            commented_lines = comment_prose(map_rows)
        rows[map_start:map_end] = map_rows

        hints = list[str]()
        if commented_lines:
            words = counted(commented_lines, "line")
            hints.append(f"{words} of other text: written as comments, so that the map is one")
        if battlemap.grid.degree == 4:
            hints.append(
                "Text Mapper knows no layout: column and row are as they are, for squares with "
                "--square"
            )
        elif battlemap.grid.layout is not FLAT:
            hints.append("Text Mapper knows no layout: column and row are as they are")

        lost = losses(
            battlemap,
            battlemap.composite(),
            hexside=0,
            line=content.lost_ways,
            label=content.lost_labels,
        )
        data = original.encoded("".join(row.text for row in rows))
        return Written(data, lost, tuple(hints))


CODEC = TextMapperCodec()
