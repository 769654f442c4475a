"""Reads the tiles of a Worldographer file: the content of its cells.

Each cell is a line of text, whose parts are divided by tabs (here by blanks). Terrains are numbers
there; their names stand in an element ``terrainmap``:

    <terrainmap>Hills 1 Water 2</terrainmap>
    <tiles><tilerow>
    1 300.0 0 1 0 Z          terrain 1, 300 feet, not icy, for the GM only; nothing else
    ...

The element ``tiles`` of such a file is read by:

    tiles = read_tiles(root, tiles_element, shape=(row_count, row_length))

``worldographer`` makes planes of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from randomizer.reading.xml_tree import Element
from randomizer.systems.interchange.foreign.faults import fault
from randomizer.systems.interchange.worldographer.values import colour_of, value_of

_MAX_RESOURCES = 7
"""The most resources of a tile: animals and six others."""

_COUNTS_WITHOUT_COLOUR = (6, 11)
"""The numbers of parts that a tile without a colour can have.

Five come before the other resources, which are one part ``Z`` if there are none, else six numbers.
"""

_COUNTS_WITH_COLOUR = (7, 12)
"""The numbers of parts that a tile with a colour can have: one more."""


class Tile(NamedTuple):
    """A tile of the file: the content of one cell."""

    line: int
    """Its line in the XML file, for errors."""
    code: str
    """The name of its terrain, with ", icy" behind it if it is icy."""
    colour: str
    """Its background as "#rrggbb", "" for the usual one."""
    height: float
    """Its elevation in feet."""
    is_secret: bool
    """True if it is for the GM only."""
    has_resources: bool
    """True if it has resources or animals, which a map has no place for."""


def read_tiles(root: Element, tiles: Element, shape: tuple[int, int]) -> list[Tile]:
    """Return the tiles of one level of a file, in the order of the file. Raises ProblemError.

    ``root`` is the root of the file, ``tiles`` the element of the level. ``shape`` are the number
    of rows that the file lists, and of tiles in each. In a file that lists its tiles by columns, a
    row here is a column of the map.
    """
    # The lines of all rows, each with its number in the XML file. They are counted before any
    # is read: a file of the wrong size gives one error, not an error in some tile.
    row_count, row_length = shape
    row_lengths = list[int]()
    numbered_lines = list[tuple[int, str]]()
    for row in tiles.elements("tilerow"):
        numbered = enumerate(row.text.split("\n"), row.line)
        lines_of_row = [(number, line) for number, line in numbered if line.strip()]
        row_lengths.append(len(lines_of_row))
        numbered_lines += lines_of_row
    if row_lengths != [row_length] * row_count:
        message = f"these are no {row_count:,} rows of {row_length:,} tiles"
        raise fault(message, tiles.line, tiles.column)

    names = _terrain_names(root)
    return [_tile(line, number, names) for number, line in numbered_lines]


def _terrain_names(root: Element) -> dict[str, str]:
    """Return the names of terrains by their numbers, which are texts as in the tiles.

    A ``terrainmap`` is one text with tabs: a name, its number, the next name and so on.
    """
    names = dict[str, str]()
    for element in root.elements("terrainmap"):
        words = [word.strip() for word in element.text.split("\t")]
        numbers = words[1::2]
        # A last name without a number is left out.
        names |= dict(zip(numbers, words[::2], strict=False))
    return names


def _tile(line: str, number: int, names: Mapping[str, str]) -> Tile:
    """Return the tile of a line of text; ``number`` is that of the line in the XML file.

    The parts of a line, with tabs between, are: the number of the terrain, the elevation in
    feet, 1 if it is icy, 1 if it is for the GM only, the animals, then ``Z`` or the numbers of
    six other resources, then the background colour if the tile has one. ``names`` are the
    names of terrains by number. Raises ProblemError.
    """
    parts = line.split("\t")
    has_colour = len(parts) in _COUNTS_WITH_COLOUR
    is_known_count = has_colour or len(parts) in _COUNTS_WITHOUT_COLOUR
    if not is_known_count or parts[0] not in names:
        raise fault("a tile is a known terrain, an elevation and 4, 5, 9 or 10 more", number)
    terrain_number, elevation, icy, gm_only, *further_parts = parts
    code = names[terrain_number]
    if icy == "1":
        code += ", icy"
    colour = ""
    if has_colour:
        colour = colour_of(parts[-1])
    # What is left are the amounts of resources: "0" is none of one, "Z" alone none of all. The
    # colour, which has commas, is among the first parts if there is only "Z" before it.
    amounts = [part for part in further_parts[:_MAX_RESOURCES] if "," not in part]
    return Tile(
        line=number,
        code=code,
        colour=colour,
        height=value_of(elevation, number),
        is_secret=gm_only == "1",
        has_resources=any(amount not in ("", "0", "Z") for amount in amounts),
    )
