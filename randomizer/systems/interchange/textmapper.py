"""The format ``textmapper``: maps of Text Mapper, a line a hex or a way, in any order.

    0304 green fir-forest "Deep Forest" 30
    0304-0506 trail

All types of a hex are one code of a terrain, kinds of lines are ways, cliffs and comments of ours
hexsides (``textmapper_document``). A map is written by changing the lines of its file: a line stays
as it is if all that it says of the map is still so. Lines whose content changed are written anew,
and new ones follow.

Text Mapper pushes even columns down; where the first column of a file is even, a masked one is put
before it. The file says no layout: maps of other layouts are written with column and row as they
are.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count, groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.plurals import counted
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Planes
from randomizer.model.planes.composite import Composite
from randomizer.model.problems import Problem
from randomizer.model.terrain.terrain import Hexside, Terrain, Way
from randomizer.model.terrain.terrain_check import MOST_HEXSIDES
from randomizer.model.things.thing_state import NO_STATE, State
from randomizer.model.things.things import Thing
from randomizer.systems.free.system import SYSTEM
from randomizer.systems.free.things import LABEL
from randomizer.systems.interchange.foreign.codec import Codec, Written
from randomizer.systems.interchange.foreign.losses import losses
from randomizer.systems.interchange.foreign.new_map import foreign_map
from randomizer.systems.interchange.foreign.source import Source
from randomizer.systems.interchange.foreign.terrain_codes import Codes
from randomizer.systems.interchange.foreign.ways import chains, visible_ways, way_planes
from randomizer.systems.interchange.textmapper_document import (
    BLANK,
    CLIFF,
    Document,
    Edge,
    Point,
    Region,
    Side,
    edge_between,
    is_prose,
    read_document,
    refuse_prose,
)
from randomizer.systems.interchange.textmapper_lines import Lines

POINTS = "points"
"""The entry of a label's state that is the size in its file."""

_LARGEST_SIZE = 10**9
"""No size of a label is so large: its number would not be read again."""

_STYLES = {"river": "water", "canal": "water", "road": "road", "rail": "rail", "railway": "rail"}
"""The styles of ways by words in the kinds of lines; "track" for other kinds."""

_COLOURS = {"water": "#3f86bd", "road": "#8a6d45", "rail": "#4a4540", "track": "#a3773f"}
"""The colours of ways by their styles."""

_HEXSIDE_COLOUR = "#7d5a3c"
"""The colour of hexsides other than cliffs."""

_QUOTES = str.maketrans('"“”\r\n', "’’’  ")
"""Quotes would end a label too early, line ends its line."""


class TextMapperCodec(Codec):
    """Reads and writes lines about hexes."""

    program = "Text Mapper"
    flat_only = False

    def parse(self, source: Source, problems: list[Problem]) -> BattleMap:
        """Return the map of a file: regions become terrains and labels, lines ways."""
        document = read_document(source.text, problems)
        grid = _grid_of(document)
        regions = {document.cell(point, grid): region for point, region in document.regions.items()}
        terrains, terrain_plane = _terrains_of(regions, grid)
        planes: Planes = {SYSTEM.terrain.name: terrain_plane}
        hexsides = _put_hexsides(planes, _sides_of(document, regions, grid), grid)
        links = _links_of(document, grid)
        planes |= way_planes(grid, dict(enumerate(links.values())))
        return foreign_map(
            self.program,
            grid,
            (BLANK, *terrains),
            planes,
            hexsides=hexsides,
            ways=[_way(kind) for kind in links],
            things=_labels_of(regions, grid),
        )

    def compose(self, battlemap: BattleMap, original: Source, _stem: str) -> Written:
        """Return the lines of the original that still hold, and new ones."""
        # The content of the original and that of the map are compared statement by statement.
        document = Document()
        former = _Content({}, {}, lost_labels=0, lost_ways=0)
        lines = list[str]()
        if original.data:
            document = read_document(original.text, [])
            former = _content_of(self.parse(original, []), document, has_codes=True)
            lines = original.lines()
        has_codes = bool(original.data) or battlemap.terrain_set.name == self.program
        content = _content_of(battlemap, document, has_codes=has_codes)
        rows = _rows(document, lines, former, content)

        # In a note there is other text before and behind the rows of the map.
        lines_behind_map = max(0, len(lines) - document.of_map.stop)
        map_start = document.of_map.start
        map_end = len(rows) - lines_behind_map
        map_rows = rows[map_start:map_end]
        commented_lines = 0
        if _are_prose(map_rows):
            # Prose that was in the file now outweighs its hexes: it would not be read again.
            map_rows = [*_definitions(battlemap, content, document.line_end), *map_rows]
            commented_lines = _comment_prose(map_rows)
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


# --- a document as a map -------------------------------------------------------------------------


def _grid_of(document: Document) -> Grid:
    """Return the grid of a document; its first column is hidden if the file has nothing there."""
    mask = np.ones((document.height, document.width), np.bool_)
    mask[:, 0] = document.left in document.columns
    if mask.all():
        return Grid(FLAT, document.width, document.height)
    return Grid(FLAT, document.width, document.height, mask)


def _terrains_of(
    regions: Mapping[int, Region], grid: Grid
) -> tuple[list[Terrain], NDArray[np.uint16]]:
    """Return the terrains behind ``BLANK``, which is the first, and the plane of all of them.

    ``regions`` are by cells; a cell without one is blank.
    """
    codes = Codes()
    numbers = {cell: codes.number(region.code) for cell, region in regions.items() if region.code}
    terrains, indices = codes.terrains(
        lambda code: code.lower().split(), np.array(list(numbers.values()), np.int64)
    )
    plane = SYSTEM.terrain.allocate(grid)
    plane.flat[list(numbers)] = indices + np.uint16(1)  # 0 is ``BLANK``
    distinct_terrains = list[Terrain]()
    for terrain in terrains:
        if terrain.name == BLANK.name:  # a file may have a type of this name, too
            terrain = replace(terrain, name=f"{terrain.name} (type)")
        distinct_terrains.append(terrain)
    return distinct_terrains, plane


class _SideOfCell(NamedTuple):
    """A hexside on the map."""

    cell: int
    side: int
    letter: str


def _sides_of(document: Document, regions: Mapping[int, Region], grid: Grid) -> list[_SideOfCell]:
    """Return all hexsides on the map, cliffs last, as these replace others on the same side."""
    sides = list[_SideOfCell]()
    for line in document.lines:
        for fact in line.facts:
            if isinstance(fact, Side):
                cell = document.cell(fact.point, grid)
                sides.append(_SideOfCell(cell, fact.side, fact.letter))
    for cell, region in regions.items():
        sides += [_SideOfCell(cell, side, CLIFF.letter) for side in region.cliffs]
    return [side for side in sides if side.cell >= 0]


def _put_hexsides(planes: Planes, sides: Sequence[_SideOfCell], grid: Grid) -> list[Hexside]:
    """Put hexsides into their plane, and return them in the order of their numbers there.

    Those for which a terrain set has no more room are left out.
    """
    further_letters = sorted({side.letter for side in sides} - {CLIFF.letter})
    letters = [CLIFF.letter, *further_letters][:MOST_HEXSIDES]
    if sides:
        plane = SYSTEM.hexside.allocate(grid)
        planes[SYSTEM.hexside.name] = plane
        values = plane.reshape(grid.size, -1)
        for cell, side, letter in sides:
            if letter in letters:
                values[cell, side] = letters.index(letter) + 1  # 0 is "no hexside"
    hexsides = [CLIFF]
    for letter in letters[1:]:
        hexsides.append(Hexside(f"hexside {letter}", letter, _HEXSIDE_COLOUR))
    return hexsides


def _links_of(document: Document, grid: Grid) -> dict[str, dict[int, int]]:
    """Return for each kind of lines the sides (bits) by which it leaves cells, by cell."""
    links = dict[str, dict[int, int]]()
    for line in document.lines:
        for fact in line.facts:
            if not isinstance(fact, Edge):
                continue
            sides_of_cell = links.setdefault(fact.kind, defaultdict(int))
            start = document.cell(fact.start, grid)
            end = document.cell(fact.end, grid)
            side = grid.neighbour_table[start].tolist().index(end)
            sides_of_cell[start] |= 1 << side
            sides_of_cell[end] |= 1 << grid.opposite(side)
    return links


def _way(kind: str) -> Way:
    """Return the way for a kind of lines, in the style of the first word that has one."""
    style = "track"
    for word in re.split(r"[^a-z]+", kind.lower()):
        if word in _STYLES:
            style = _STYLES[word]
            break
    return Way(kind, style, _COLOURS[style])


def _labels_of(regions: Mapping[int, Region], grid: Grid) -> list[Thing]:
    """Return the labels of regions as things, in the order of their cells."""
    labels = list[Thing]()
    for cell, region in sorted(regions.items()):
        if region.label:
            state = NO_STATE
            if region.size:
                state = State({POINTS: region.size})
            x, y = grid.centre(cell)
            labels.append(Thing(len(labels) + 1, LABEL, x, y, label=region.label, state=state))
    return labels


# --- a map as statements -------------------------------------------------------------------------


class _Content(NamedTuple):
    """The statements that a map is, and the counts of what has none."""

    regions: dict[Point, Region]
    """The regions by their points, column by column."""
    facts: dict[Edge | Side, None]
    """The steps of ways, then the hexsides: a set in the order of its entries."""
    lost_labels: int
    """The number of labels that cannot be written."""
    lost_ways: int
    """The number of cells with a way that leads nowhere."""


def _content_of(battlemap: BattleMap, document: Document, *, has_codes: bool) -> _Content:
    """Return the statements that a map is; ``document`` says how its points are numbered.

    With ``has_codes`` the codes of its terrains are types of the program; else the names of
    terrains become types.
    """
    composite = battlemap.composite()
    labels, lost_labels = _labels_by_cell(battlemap)
    edges, lost_ways = _edges_of(battlemap, composite, document)
    cliffs, sides = _hexsides_by_kind(battlemap, composite, document)
    codes = _codes_of_terrains(battlemap, has_codes=has_codes)
    terrain = composite.planes["terrain"].reshape(-1)
    regions = dict[Point, Region]()
    for cell in _cells_by_column(battlemap.grid):
        code = codes[terrain[cell]]
        if code or cell in cliffs or cell in labels:
            label = labels.get(cell, _Label("", 0))
            point = document.point(cell, battlemap.grid)
            cliffs_of_cell = frozenset(cliffs.get(cell, ()))
            regions[point] = Region(point, code, cliffs_of_cell, label.text, label.size)
    return _Content(regions, dict.fromkeys((*edges, *sides)), lost_labels, lost_ways)


def _cells_by_column(grid: Grid) -> list[int]:
    """Return the cells of a grid column by column, which is how people write such files."""
    cells: list[int] = grid.cells.tolist()
    return sorted(cells, key=lambda cell: cell % grid.width)


def _codes_of_terrains(battlemap: BattleMap, *, has_codes: bool) -> list[str]:
    """Return the types of each terrain, all different; "" for a blank one."""
    codes = list[str]()
    for terrain in battlemap.terrain_set.terrains:
        if has_codes and terrain.code:
            codes.append(terrain.code)
        elif has_codes and terrain.name == BLANK.name:
            codes.append("")
        else:
            codes.append(_word(terrain.name))
    return _distinct(codes)


def _hexsides_by_kind(
    battlemap: BattleMap, composite: Composite, document: Document
) -> tuple[dict[int, set[int]], list[Side]]:
    """Return the sides with cliffs by cell, and all other hexsides.

    The program has cliffs for hexes of its own layout only.
    """
    grid = battlemap.grid
    hexsides = composite.planes["hexside"].reshape(grid.size, -1)
    has_hexside = np.asarray((hexsides > 0).any(axis=1))
    cliffs = dict[int, set[int]]()
    sides = list[Side]()
    for cell in _cells_by_column(grid):
        if not has_hexside[cell]:
            continue
        for side in np.flatnonzero(hexsides[cell]).tolist():
            hexside = battlemap.terrain_set.hexsides[hexsides[cell, side] - 1]
            if hexside.name == CLIFF.name and grid.layout is FLAT:
                cliffs.setdefault(cell, set()).add(side)
            else:
                sides.append(Side(document.point(cell, grid), side, hexside.letter))
    return cliffs, sides


class _Label(NamedTuple):
    """The label of a hex."""

    text: str
    size: int
    """In points; 0 for the usual size."""


def _labels_by_cell(battlemap: BattleMap) -> tuple[dict[int, _Label], int]:
    """Return the labels by cell, and the number of labels left out.

    A hex has one label, and a label beside the map has no hex.
    """
    labels = dict[int, _Label]()
    lost_labels = 0
    for thing in battlemap.visible_things():
        if thing.kind != LABEL:
            continue
        text = thing.label.translate(_QUOTES)
        cell = battlemap.grid.cell_at(thing.x, thing.y)
        if not text or cell < 0 or cell in labels:
            lost_labels += 1
            continue
        size = thing.state.get(POINTS)
        if type(size) is not int or not 0 < size < _LARGEST_SIZE:
            size = 0
        labels[cell] = _Label(text, size)
    return labels, lost_labels


def _edges_of(
    battlemap: BattleMap, composite: Composite, document: Document
) -> tuple[list[Edge], int]:
    """Return the steps of all ways, and the number of cells with a way that leads nowhere."""
    grid = battlemap.grid
    lost_ways = 0
    edges = list[Edge]()
    ways = list(visible_ways(battlemap, composite))
    words = list[str]()
    for way, _plane in ways:
        is_one_word = re.fullmatch(r"\S+", way.name) is not None
        if is_one_word:
            words.append(way.name)
        else:
            words.append(_word(way.name))
    kinds = _distinct(words)
    for kind, (_way, plane) in zip(kinds, ways, strict=True):
        for cell in np.flatnonzero(plane).tolist():
            links = int(plane[cell])
            point = document.point(cell, grid)
            leads_nowhere = True
            for side, neighbour in enumerate(grid.neighbour_table[cell].tolist()):
                has_link = links >> side & 1
                if has_link and neighbour >= 0:
                    leads_nowhere = False
                    edges.append(edge_between(kind, point, document.point(neighbour, grid)))
            lost_ways += leads_nowhere
    return edges, lost_ways


def _word(name: str) -> str:
    """Return a name as one word of the program."""
    return re.sub(r"[^a-z0-9_]+", "-", name.lower()).strip("-") or "terrain"


def _distinct(words: Iterable[str]) -> list[str]:
    """Return words all different: one that came before gets a number behind it."""
    result = dict[str, None]()
    for word in words:
        candidate = word
        numbers = count(2)
        while candidate in result:
            candidate = f"{word}-{next(numbers)}"
        result[candidate] = None
    return list(result)


# --- statements as lines -------------------------------------------------------------------------


class _Row(NamedTuple):
    """A line to be written."""

    text: str
    """With its line end."""
    is_fact: bool
    """True if it says something of the map; prose does not."""


def _rows(
    document: Document, lines: Sequence[str], former: _Content, content: _Content
) -> list[_Row]:
    """Return the lines of a file, changed where the content differs from the former one.

    New statements follow behind the map, which in a note is before the end of its block.
    """
    rows = list[_Row]()
    rows_up_to_map_end = None
    unwritten_regions = dict(content.regions)
    unwritten_facts = dict(content.facts)
    for index, line in enumerate(lines):
        if index == document.of_map.stop:
            rows_up_to_map_end = len(rows)
        text, point, facts = document.lines[index]
        if point is None:
            # Prose, or lines and hexsides: it is left out if one of these does not hold any more.
            if all(fact in content.facts for fact in facts if fact in former.facts):
                rows.append(_Row(line, bool(facts)))
                for fact in facts:
                    unwritten_facts.pop(fact, None)
        elif content.regions.get(point) == former.regions.get(point):
            rows.append(_Row(line, is_fact=True))
            unwritten_regions.pop(point, None)
        elif point in unwritten_regions:
            # The first line of a changed region gets all of it; its further lines are left out.
            further_texts = document.regions[point].further_texts
            region = unwritten_regions.pop(point)._replace(further_texts=further_texts)
            line_end = line[len(text) :]
            rows.append(_Row(document.text(region) + line_end, is_fact=True))
    if rows_up_to_map_end is None:
        rows_up_to_map_end = len(rows)  # the map goes on to the end of the file

    new_texts = _new_texts(document, unwritten_regions, unwritten_facts)
    if new_texts and rows and not rows[-1].text.endswith(("\n", "\r")):
        rows[-1] = rows[-1]._replace(text=rows[-1].text + document.line_end)
    new_rows = [_Row(f"{text}{document.line_end}", is_fact=True) for text in new_texts]
    return [*rows[:rows_up_to_map_end], *new_rows, *rows[rows_up_to_map_end:]]


def _new_texts(
    document: Document, regions: Mapping[Point, Region], facts: Iterable[Edge | Side]
) -> list[str]:
    """Return new statements as lines: regions, lines as long as they can be, hexsides."""
    texts = [document.text(region) for region in regions.values()]
    edges = [fact for fact in facts if isinstance(fact, Edge)]
    for kind, edges_of_kind in groupby(edges, key=lambda edge: edge.kind):
        for path in chains((edge.start, edge.end) for edge in edges_of_kind):
            texts.append(f"{document.name(*path)} {kind}")
    texts += [document.text(fact) for fact in facts if isinstance(fact, Side)]
    return texts


def _comment_prose(rows: list[_Row]) -> int:
    """Turn prose into comments if lines would be read as prose; return the number of comments.

    Raises ProblemError for lines that would be nevertheless.
    """
    if not _are_prose(rows):
        return 0
    commented_lines = 0
    for index in Lines(_texts_of(rows)).prose:
        if not rows[index].is_fact:
            rows[index] = _Row(f"# {rows[index].text}", is_fact=False)
            commented_lines += 1
    refuse_prose(_texts_of(rows))
    return commented_lines


def _texts_of(rows: Iterable[_Row]) -> list[str]:
    """Return the texts of rows without their line ends."""
    return [row.text.rstrip("\r\n") for row in rows]


def _are_prose(rows: Iterable[_Row]) -> bool:
    """Return whether a file of these rows would be taken for prose, not for a map."""
    texts = _texts_of(rows)
    return is_prose(texts, Lines(texts))


def _definitions(battlemap: BattleMap, content: _Content, line_end: str) -> Iterator[_Row]:
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
        yield _Row(f'{first_type} attributes fill="{colour}"{line_end}', is_fact=True)


CODEC = TextMapperCodec()
