"""Writes the content of a map into the lines of its Text Mapper file.

A line stays as it is if all that it says of the map is still so. Lines whose content changed are
written anew, and new ones follow. A file can be a note with a map in it: text that describes a
region, and a block with the lines of the map. So the program has to guess whether lines are *prose*
or a map, and what is written here must not be taken for prose.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from randomizer.model.map.battlemap import BattleMap
from randomizer.systems.interchange.foreign.ways import chains
from randomizer.systems.interchange.textmapper_content import Content
from randomizer.systems.interchange.textmapper_document import Document, refuse_prose
from randomizer.systems.interchange.textmapper_lines import Lines
from randomizer.systems.interchange.textmapper_statements import (
    Edge,
    Point,
    Region,
    Side,
    hexside_text,
    points_text,
    region_text,
)
from randomizer.systems.interchange.textmapper_terrains import BLANK


class Row(NamedTuple):
    """A line to be written."""

    text: str
    """With its line end."""

    is_statement: bool
    """True if it says something of the map; prose does not."""


def changed_rows(
    document: Document, lines: Sequence[str], former: Content, content: Content
) -> list[Row]:
    """Return the lines of a file, changed where the content differs from the former one.

    ``document`` and ``former`` are what the file said when it was read, line by line and as
    content. New statements follow behind the map, which in a note is before the end of its block.
    """
    rows = list[Row]()
    rows_up_to_map_end = None
    unwritten_regions = dict(content.regions)
    unwritten_facts = dict(content.facts)
    for index, line in enumerate(lines):
        if index == document.map_lines.stop:
            rows_up_to_map_end = len(rows)
        text, point, facts = document.lines[index]
        if point is None:
            # The line is about no hex: it is prose, or has a path or hexside. It is left out if one
            # of its steps does not hold any more; those that still hold are written anew then. A
            # fact that a later line has overridden was not in the former content: it is no loss.
            still_holds = all(fact in content.facts for fact in facts if fact in former.facts)
            if still_holds:
                rows.append(Row(line, bool(facts)))
                for fact in facts:
                    unwritten_facts.pop(fact, None)
        elif content.regions.get(point) == former.regions.get(point):
            # The hex is as it was.
            rows.append(Row(line, is_statement=True))
            unwritten_regions.pop(point, None)
        elif point in unwritten_regions:
            # The first line of a changed region gets all of it; its further lines are left out.
            further_texts = document.regions[point].further_texts
            region = unwritten_regions.pop(point)._replace(further_texts=further_texts)
            line_end = line[len(text) :]
            rows.append(Row(region_text(region, document.level) + line_end, is_statement=True))
    if rows_up_to_map_end is None:
        rows_up_to_map_end = len(rows)  # the map goes on to the end of the file

    # Add what no line of the file says yet.
    new_texts = _new_texts(document, unwritten_regions, unwritten_facts)
    rows_of_map = rows[:rows_up_to_map_end]
    if new_texts and rows_of_map and not rows_of_map[-1].text.endswith(("\n", "\r")):
        last_row = rows_of_map[-1]
        rows_of_map[-1] = last_row._replace(text=last_row.text + document.line_end)
    new_rows = [Row(f"{text}{document.line_end}", is_statement=True) for text in new_texts]
    return [*rows_of_map, *new_rows, *rows[rows_up_to_map_end:]]


def _new_texts(
    document: Document, regions: Mapping[Point, Region], facts: Iterable[Edge | Side]
) -> list[str]:
    """Return new statements as lines: regions, paths as long as they can be, hexsides."""
    texts = [region_text(region, document.level) for region in regions.values()]
    edges = [fact for fact in facts if isinstance(fact, Edge)]
    # ``content_of`` lists them way by way, so that those of a kind are in a row.
    for kind, edges_of_kind in groupby(edges, key=lambda edge: edge.kind):
        for path in chains((edge.start, edge.end) for edge in edges_of_kind):
            texts.append(f"{points_text(path, document.level)} {kind}")
    texts += [hexside_text(fact, document.level) for fact in facts if isinstance(fact, Side)]
    return texts


def comment_prose(rows: list[Row]) -> int:
    """Turn prose into comments if lines would be read as prose; return the number of comments.

    Raises ProblemError for lines that would be nevertheless.
    """
    if not are_prose(rows):
        return 0
    commented_lines = 0
    for index in Lines(_texts_of(rows)).prose:
        if not rows[index].is_statement:
            rows[index] = Row(f"# {rows[index].text}", is_statement=False)
            commented_lines += 1
    refuse_prose(_texts_of(rows))
    return commented_lines


def _texts_of(rows: Iterable[Row]) -> list[str]:
    """Return the texts of rows without their line ends."""
    return [row.text.rstrip("\r\n") for row in rows]


def are_prose(rows: Iterable[Row]) -> bool:
    """Return whether a file of these rows would be taken for prose, not for a map."""
    return Lines(_texts_of(rows)).are_mostly_prose


def type_definitions(battlemap: BattleMap, content: Content, line_end: str) -> Iterator[Row]:
    """Yield definitions of the types in capitals that regions begin with.

    A line such as "0304 Moor" is taken for a sentence unless the type is defined.
    """
    colours = {terrain.code: terrain.colour for terrain in battlemap.terrain_set.terrains}
    colour_of_type = dict[str, str]()
    for region in content.regions.values():
        if region.code[:1].isupper():
            first_type = region.code.split()[0]
            colour_of_type.setdefault(first_type, colours.get(region.code, BLANK.colour))
    for first_type, colour in colour_of_type.items():
        yield Row(f'{first_type} attributes fill="{colour}"{line_end}', is_statement=True)
