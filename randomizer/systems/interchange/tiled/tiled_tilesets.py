"""The tilesets that a map of Tiled refers to, and the tiles that its cells show.

Each tileset of a map owns a range of *global ids* from its first one on. A cell holds a global id::

    "ground"    first 1      tiles 0 to 47 have the global ids 1 to 48
    "roads"     first 49     its tile 3 has the global id 52

A tileset stands in a file of its own, which several maps share, or is embedded in that of the map.
``open_tilesets`` reads all of them, ``tile_of`` tells which tile a cell shows.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePosixPath
from typing import NamedTuple

from randomizer.model.basics.texts import clean_line
from randomizer.model.problems import Problem, ProblemError
from randomizer.systems.interchange.foreign.faults import fault, warning
from randomizer.systems.interchange.foreign.source import Source
from randomizer.systems.interchange.foreign.terrain_codes import is_code
from randomizer.systems.interchange.tiled.tiled_cells import GID
from randomizer.systems.interchange.tiled.tiled_marks import OUR_KEY, Mark
from randomizer.systems.interchange.tiled.tiled_nodes import (
    MAX_TILE_SIDE,
    Node,
    NodeError,
    nodes,
    properties,
    text,
    whole,
)
from randomizer.systems.interchange.tiled.tiled_notation import read, share_of_limit

TILESETS = (".tsx", ".tsj", ".json", ".xml")
"""The endings of the names of tileset files."""

MAX_TILESETS = 1000
"""The most tilesets of a map."""

MAX_PAINTED = 2**26
"""The largest number of pixels in the picture of a tileset of ours; each takes four bytes."""

MAX_UNCOUNTED = 2**16
"""The number of tiles that a tileset may have if its file does not tell the number.

Only a new tileset of ours, whose global ids come after these, notices the difference.
"""

_MAX_TILES = 2**20
"""The most tiles that a tileset can say to have."""

_LONGEST_NAME = 80
"""The most characters of the name of a tileset, which begins the codes of its terrains."""


def open_tilesets(root: Node, documents: Documents) -> list[Tileset]:
    """Return the tilesets of a map by their first ids. Raises NodeError."""
    tilesets = list[Tileset]()
    names = set[str]()
    if len(nodes(root, "tilesets")) > MAX_TILESETS:
        raise NodeError(root, f"it has more than {MAX_TILESETS:,} tilesets")
    for entry in nodes(root, "tilesets"):
        first = whole(entry, "firstgid", 1, 1, GID)
        reference = text(entry, "source")
        node = entry
        if reference:
            # A set without its file stays as an empty one: the global ids of others must not move.
            node = documents.read(reference, TILESETS) or {}
        name = _clean_name(text(node, "name") or PurePosixPath(reference).stem)
        # Codes of terrains begin with the name, so no two tilesets may share one.
        while name in names:
            name += "'"
        names.add(name)
        _normalise_ids(node)
        tiles = {tile.get("id", 0): tile for tile in nodes(node, "tiles")}
        folder = str(PurePosixPath(reference.replace("\\", "/")).parent)
        tilesets.append(Tileset(entry, node, folder, name, first, tiles))
    tilesets.sort(key=lambda tileset: tileset.first)
    return tilesets


def _clean_name(name: str) -> str:
    """Return the name of a tileset as a part of codes: without the colon, which ends it there."""
    words = clean_line(name).replace(":", " ").split()
    short_name = " ".join(words)[:_LONGEST_NAME]
    printable = "".join(character for character in short_name if character.isprintable())
    return printable or "tileset"


class Documents:
    """Reads the tilesets and templates that a map refers to, for as long as the map is read.

    All of them together have at most as many elements, or values, as one file may have.
    """

    def __init__(self, source: Source, problems: list[Problem]) -> None:
        self._source = source
        self._problems = problems
        self._share_left = 1.0
        """The share of the elements of one file that the next ones may have."""

    def read(self, name: str, suffixes: tuple[str, ...]) -> Node | None:
        """Return the document of a file as the map names it; None, with a problem, without it."""
        data = self._source.beside(name, suffixes, self._problems)
        if data is None:
            return None
        try:
            self._share_left -= share_of_limit(data)
            if self._share_left < 0:
                raise fault("the files beside the map are too many or too large together", 1)
            node = read(data)
            _normalise_ids(node)
        except (ProblemError, NodeError) as failed:
            message = str(failed)
            if isinstance(failed, ProblemError):
                message = failed.problems[0].message
            self._problems.append(warning(f"{name!r:.80} is not used: {message}"))
            return None
        return node


def _normalise_ids(node: Node) -> None:
    """Make the ids of tiles whole numbers. Raises NodeError for one that is not."""
    for tile in nodes(node, "tiles"):
        if "id" in tile:
            tile["id"] = whole(tile, "id", 0, 0, GID)
    for wangset in nodes(node, "wangsets"):
        for wang_tile in nodes(wangset, "wangtiles"):
            whole(wang_tile, "tileid", 0, 0, GID)


@dataclass
class Tileset:
    """A tileset of a map, in a file of its own or embedded in that of the map."""

    entry: Node
    """Its node in the map: the first global id and the name of its file."""

    node: Node
    """The node of the tileset itself; for an embedded one the same as ``entry``."""

    folder: str
    """The folder of its file, to which the names of its pictures are relative."""

    name: str
    """Its name, made unique in the map."""

    first: int
    """The global id of its tile 0."""

    tiles: dict[int, Node] = field(default_factory=dict)
    """The nodes of tiles by id; most tiles of a sheet have none."""

    @property
    def is_embedded(self) -> bool:
        """True if it stands in the file of the map, not in one of its own."""
        return self.entry is self.node

    @cached_property
    def is_own(self) -> bool:
        """True if it was written by us, so that its pictures can be painted again."""
        try:
            width = whole(self.node, "tilewidth", 0, 1, MAX_TILE_SIDE)
            height = whole(self.node, "tileheight", 0, 1, MAX_TILE_SIDE)
        except NodeError:
            return False
        # Whoever writes our property into a file of theirs may state any size.
        has_property = properties(self.node).get(OUR_KEY) is True
        return has_property and self.count * width * height <= MAX_PAINTED

    @cached_property
    def count(self) -> int:
        """One more than the highest id of its tiles: a collection of pictures can have holes."""
        stated_count = self.node.get("tilecount")
        if type(stated_count) is not int or not 0 <= stated_count < _MAX_TILES:
            stated_count = 0
        highest_id = max(self.tiles, default=-1)
        return max(stated_count, highest_id + 1)

    @property
    def reserved_id_count(self) -> int:
        """The number of global ids that belong to it, from ``first`` on.

        Old files, and sets whose files are missing, do not tell the number of their tiles.
        """
        if "tilecount" in self.node:
            return max(1, self.count)
        return max(self.count, MAX_UNCOUNTED)

    def numbers(self) -> Iterable[int]:
        """Return the ids of its tiles.

        A sheet, one picture in columns and rows, has all of them up to ``count``; a collection of
        pictures, and a tileset of ours, those with a node.
        """
        is_sheet = self.node.get("columns") and not self.is_own
        if is_sheet:
            return range(self.count)
        return self.tiles

    def mark(self, number: int) -> Mark | None:
        """Return the mark of a tile of ours; None for other tiles."""
        if number not in self.tiles or not self.is_own:
            return None
        values = properties(self.tiles[number])
        plane = values.get("plane")
        side = values.get("side", 0)
        value = values.get("value", 0)
        if not isinstance(plane, str) or type(side) is not int or type(value) is not int:
            return None
        name = str(values.get("name", ""))
        if plane == "terrain" and not is_code(name):
            return None
        return Mark(plane, name, side, value)

    def words(self, number: int) -> list[str]:
        """Return what the file says about a tile, from which its terrain is guessed.

        The most telling words come first: its class, its properties, the name of its picture, its
        Wang colours, the name of the tileset. All are in lower case.
        """
        tile = self.tiles.get(number, {})
        words = [text(tile, "type"), text(tile, "class")]
        words += [value for value in properties(tile).values() if isinstance(value, str)]
        words += [PurePosixPath(text(tile, "image")).stem, *self._wang_colours.get(number, ())]
        words.append(self.name)
        return [word.lower() for word in words if word]

    @cached_property
    def _wang_colours(self) -> dict[int, list[str]]:
        """The names of the Wang colours of tiles by id, the most frequent of a tile first."""
        colours_by_tile = dict[int, list[str]]()
        for wangset in nodes(self.node, "wangsets"):
            colours = enumerate(nodes(wangset, "colors"), 1)
            names = {str(number): text(colour, "name") for number, colour in colours}
            for tile in nodes(wangset, "wangtiles"):
                # A Wang id has the colour of each corner and edge, 0 for none.
                wang_id = tile.get("wangid")
                if not isinstance(wang_id, list):
                    continue
                counts = Counter(map(str, wang_id))
                names_of_tile = [names.get(number, "") for number, _count in counts.most_common()]
                tile_id = whole(tile, "tileid", 0, 0, GID)
                colours_by_tile.setdefault(tile_id, []).extend(names_of_tile)
        return colours_by_tile


class TileOfCell(NamedTuple):
    """The tile that a cell or an object shows."""

    tileset: Tileset | None
    """None for a global id before those of all tilesets."""

    number: int
    """The id of the tile in its tileset; the global id if there is no tileset."""

    flips: int
    """The bits of ``FLIPS`` that are set."""


def tile_of(tilesets: Sequence[Tileset], gid: int) -> TileOfCell:
    """Return the tile of a global id with flips; ``tilesets`` are sorted by their first ids."""
    number = gid & GID
    flips = gid & ~GID
    # A tile is of the last tileset that does not begin behind it.
    index = bisect_right(tilesets, number, key=lambda tileset: tileset.first) - 1
    if index < 0:
        return TileOfCell(None, number, flips)
    tileset = tilesets[index]
    return TileOfCell(tileset, number - tileset.first, flips)
