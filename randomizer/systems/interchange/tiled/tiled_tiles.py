"""Cells, tilesets and pictures of tiles in Tiled's maps.

Three subjects, in this order: the cells of layers as they are packed in a file (``decode_cells``,
``encode_cells``); the tilesets that a map refers to (``open_tilesets``, ``Tileset``), and what a
tile of ours stands for (``Mark``); the pictures of tiles, cut out of those of the tilesets
(``Pictures``). ``tiled_map.py`` calls all of them while it reads a map.
"""

from __future__ import annotations

import gzip
import re
import zlib
from base64 import b64decode, b64encode
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from io import BytesIO
from pathlib import PurePosixPath
from posixpath import join, normpath
from typing import NamedTuple

import numpy as np
import zstandard
from numpy.typing import NDArray
from PIL import Image

from randomizer.formats import Look
from randomizer.model.basics.error_reasons import reason_of
from randomizer.model.basics.texts import clean_line
from randomizer.model.planes.planes import PlaneSpec
from randomizer.model.problems import Problem, ProblemError
from randomizer.model.records.assets import LARGEST_PICTURE, picture_size
from randomizer.model.terrain.terrain import Terrain, TerrainSet
from randomizer.systems.free.system import SYSTEM
from randomizer.systems.interchange.foreign.faults import fault, warning
from randomizer.systems.interchange.foreign.source import Source
from randomizer.systems.interchange.foreign.terrain_codes import is_code
from randomizer.systems.interchange.tile_pictures import SUFFIXES, Pixels, read_pixels
from randomizer.systems.interchange.tiled.tiled_nodes import (
    EMBEDDED,
    MOST_SIDE,
    Node,
    NodeError,
    child,
    listed_cells,
    nodes,
    properties,
    text,
    whole,
)
from randomizer.systems.interchange.tiled.tiled_notation import read, share_of_limit
from randomizer.systems.interchange.tiled.tiled_xml import elements_of


def cut_pixels(pixels: Pixels, left: int, top: int, width: int, height: int) -> Pixels:
    """Return a box of a picture; what lies outside of the picture is clear."""
    return np.array(Image.fromarray(pixels).crop((left, top, left + width, top + height)))


def turn_pixels(pixels: Pixels, degrees: int) -> Pixels:
    """Return a picture turned clockwise around its middle, in its box."""
    return np.array(Image.fromarray(pixels).rotate(-degrees))


def write_png(pixels: Pixels) -> bytes:
    """Return the PNG of (height, width, 4) values of red, green, blue and alpha."""
    file = BytesIO()
    Image.fromarray(pixels).save(file, "PNG")
    return file.getvalue()


Cells = NDArray[np.uint32]
"""Global ids of tiles with their flips, shape (height, width)."""

GID = 0x0FFFFFFF
"""The bits of a cell that are the global id of a tile."""

FLIPS = {"h": 0x80000000, "v": 0x40000000, "d": 0x20000000, "r": 0x10000000}
"""The bits of a cell that flip its tile: horizontally, vertically, along the diagonal.

On hexes "d" turns it clockwise by 60 degrees and "r" by 120 degrees.
"""

TILESETS = (".tsx", ".tsj", ".json", ".xml")
"""The endings of the names of tileset files."""

MOST_TILESETS = 1000
"""The most tilesets of a map."""

MOST_PAINTED = 2**26
"""The largest number of pixels in the picture of a tileset of ours; each takes four bytes."""

MOST_CUT = 2**26
"""The largest number of pixels in all pictures of tilesets and tiles together, four bytes each.

Pictures of further tiles are left out.
"""

MOST_UNCOUNTED = 2**16
"""The number of tiles that a tileset may have if its file does not tell the number.

Only a new tileset of ours, whose global ids come after these, notices the difference.
"""

OUR_KEY = "battlelands"
"""The property of a tileset whose tiles say what of a map of ours they stand for."""

PACKING_ERRORS = (ValueError, TypeError, OverflowError, zlib.error, zstandard.ZstdError)
"""The exceptions that are raised for packed bytes or numbers that are damaged."""

_BYTES_OF_CELL = 4
"""The bytes of a packed cell: a little-endian number of 32 bits."""

_ZLIB_OR_GZIP = 32 + zlib.MAX_WBITS
"""The window of a decompressor that takes data with the header of either."""

_LARGEST_WINDOW = 2**27
"""The most bytes that unpacking Zstandard may keep in memory."""

_MOST_TILES = 2**20
"""The most tiles that a tileset can say to have."""

_FARTHEST_PIXEL = 2**20
"""The largest coordinate or size in pixels within the picture of a tile."""

_LONGEST_NAME = 80
"""The most characters of the name of a tileset, which begins the codes of its terrains."""


# --- cells ---------------------------------------------------------------------------------------


def decode_cells(layer: Node, chunk: Node, width: int, height: int) -> Cells:
    """Return the cells of a chunk of a layer, which is the layer itself if it has no chunks.

    The layer says how its chunks are encoded: as numbers, or as packed bytes in base64. Raises
    NodeError for damaged cells.
    """
    data = chunk.get("data", [])
    encoding = layer.get("encoding", "csv")
    try:
        if encoding == "base64" and isinstance(data, str):
            packed = b64decode("".join(data.split()), validate=True)
            raw = unpacked(packed, text(layer, "compression"), _BYTES_OF_CELL * width * height)
            values = np.frombuffer(raw, "<u4").astype(np.uint32)
        elif encoding in ("csv", "xml"):
            values = np.array(listed_cells(data), np.int64)
            if values.size and not 0 <= values.min() <= values.max() < 2**32:
                raise ValueError("a cell is no number of a tile")
        else:
            raise ValueError(f"the encoding {encoding!r:.40} is not known")
        if values.size != width * height:
            raise ValueError(f"{values.size:,} of {width * height:,} cells")
    except PACKING_ERRORS as failed:
        raise NodeError(chunk, f"its cells cannot be read: {reason_of(failed)}") from failed
    return values.astype(np.uint32).reshape(height, width)


def decode_chunks(
    layer: Node, chunks: Sequence[Node], sizes: Sequence[tuple[int, int]]
) -> list[Cells]:
    """Return the cells of all chunks of a layer, whose sizes are (width, height).

    Raises NodeError. Texts with commas are read all at once, which is ten times as fast for small
    chunks.
    """
    cells_of_chunks = _decode_texts(layer, chunks, sizes)
    if cells_of_chunks is not None:
        return cells_of_chunks
    return [
        decode_cells(layer, chunk, width, height)
        for chunk, (width, height) in zip(chunks, sizes, strict=True)
    ]


def _decode_texts(
    layer: Node, chunks: Sequence[Node], sizes: Sequence[tuple[int, int]]
) -> list[Cells] | None:
    """Return the cells of chunks that are texts with commas, None for others and for faults."""
    # The texts are joined and parsed as one. Each must have as many commas as its size wants, so
    # that a chunk with a number too many cannot shift those behind it.
    if layer.get("encoding", "csv") != "csv" or len(chunks) < 2:
        return None
    counts = [width * height for width, height in sizes]
    texts = list[str]()
    for chunk, count in zip(chunks, counts, strict=True):
        data = chunk.get("data")
        if not isinstance(data, str) or data.count(",") != count - 1:
            return None
        texts.append(data)
    try:
        values = np.array(listed_cells(",".join(texts)), np.int64)
    except ValueError:
        return None  # decoding one by one tells which chunk has the fault
    if values.min() < 0 or values.max() >= 2**32:
        return None
    flat_chunks = np.split(values.astype(np.uint32), np.cumsum(counts)[:-1])
    cells_of_chunks = list[Cells]()
    for flat_cells, (width, height) in zip(flat_chunks, sizes, strict=True):
        cells_of_chunks.append(flat_cells.reshape(height, width))
    return cells_of_chunks


def unpacked(data: bytes, compression: str, size: int) -> bytes:
    """Return the unpacked ``data``, cut off behind ``size`` bytes and those of one more cell.

    So callers see that there is too much, but a small file cannot fill the memory. Raises
    ValueError, and what the packers raise for damaged bytes (``PACKING_ERRORS``).
    """
    most_bytes = size + _BYTES_OF_CELL
    if compression in ("zlib", "gzip"):
        return zlib.decompressobj(_ZLIB_OR_GZIP).decompress(data, most_bytes)
    if compression == "zstd":
        decompressor = zstandard.ZstdDecompressor(max_window_size=_LARGEST_WINDOW)
        with decompressor.stream_reader(data) as reader:
            return bytes(reader.read(most_bytes))
    if compression:
        raise ValueError(f"the compression {compression!r:.40} is not known")
    return data


def encode_cells(layer: Node, cells: Cells) -> str | list[int]:
    """Return the cells as what a layer has as ``data``, in its encoding and compression."""
    if layer.get("encoding", "csv") != "base64":
        return [int(gid) for gid in cells.ravel()]
    packers: dict[str, Callable[[bytes], bytes]] = {
        "zlib": zlib.compress,
        "gzip": partial(gzip.compress, mtime=0),  # no time: equal maps have equal files
        "zstd": zstandard.ZstdCompressor().compress,
    }
    raw = cells.astype("<u4").tobytes()
    packer = packers.get(text(layer, "compression"))
    if packer is not None:
        raw = packer(raw)
    return b64encode(raw).decode()


# --- tilesets ------------------------------------------------------------------------------------


class Mark(NamedTuple):
    """The value of a plane that a tile stands for, whatever terrain set the map has.

    It is written into our tilesets as properties of the tile.
    """

    plane: str = "terrain"
    """The plane, "way" for that of any way."""
    name: str = ""
    """The code or name of a terrain, the letter of a hexside, or the name of a way."""
    side: int = 0
    """The side of a plane with sides."""
    value: int = 0
    """The value of a plane whose values have no names."""


class Marks:
    """Converts marks to values of planes and back, by the names of one terrain set."""

    def __init__(self, terrain_set: TerrainSet) -> None:
        self._names: dict[str, list[str]] = {
            "terrain": [key_of(terrain) for terrain in terrain_set.terrains],
            "hexside": ["", *(hexside.letter for hexside in terrain_set.hexsides)],
        }
        """The names of the values of planes that have some; 0 is "no hexside"."""
        self._ways = [way.name for way in terrain_set.ways]
        """The names of the ways; the n-th is in the n-th plane of ways."""
        self._values = {plane: _first_indices(names) for plane, names in self._names.items()}
        """The values of those planes, by name."""

    def of(self, spec: PlaneSpec, side: int, value: int) -> Mark:
        """Return the mark of a value of a plane; ``side`` is 0 for a plane without sides."""
        if spec.name in self._names:
            return Mark(spec.name, self._names[spec.name][value], side)
        if spec in SYSTEM.ways:
            return Mark("way", self._ways[SYSTEM.ways.index(spec)], value=value)
        return Mark(spec.name, value=value)

    def look(self, mark: Mark) -> Look | None:
        """Return the value of a plane that a mark stands for; None if the terrain set lacks it."""
        plane = mark.plane
        value = mark.value
        if plane in self._values:
            value = self._values[plane].get(mark.name, -1)
        elif plane == "way":
            if mark.name not in self._ways:
                return None
            plane = SYSTEM.ways[self._ways.index(mark.name)].name
        for spec in SYSTEM.planes:
            if spec.name != plane:
                continue
            lowest, highest = spec.limits
            if lowest <= value <= highest:
                return Look(plane, mark.side, value)
        return None


def _first_indices(names: Sequence[str]) -> dict[str, int]:
    """Return the index of each name in a list, the first one of a name that comes twice."""
    indices = dict[str, int]()
    for index, name in enumerate(names):
        indices.setdefault(name, index)
    return indices


def key_of(terrain: Terrain) -> str:
    """Return the name by which tiles of ours refer to a terrain."""
    return terrain.code or terrain.name


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

    @cached_property
    def is_own(self) -> bool:
        """True if it was written by us, so that its pictures can be painted again."""
        try:
            width = whole(self.node, "tilewidth", 0, 1, MOST_SIDE)
            height = whole(self.node, "tileheight", 0, 1, MOST_SIDE)
        except NodeError:
            return False
        has_property = properties(self.node).get(OUR_KEY) is True
        return has_property and self.count * width * height <= MOST_PAINTED

    @cached_property
    def count(self) -> int:
        """One more than the highest id of its tiles: a collection of pictures can have holes."""
        stated_count = self.node.get("tilecount")
        if type(stated_count) is not int or not 0 <= stated_count < _MOST_TILES:
            stated_count = 0
        highest_id = max(self.tiles, default=-1)
        return max(stated_count, highest_id + 1)

    @property
    def id_count(self) -> int:
        """The number of global ids that belong to it, from ``first`` on.

        Old files, and sets whose files are missing, do not tell the number of their tiles.
        """
        if "tilecount" in self.node:
            return max(1, self.count)
        return max(self.count, MOST_UNCOUNTED)

    def numbers(self) -> Iterable[int]:
        """Return the ids of its tiles: all of a sheet, else those that have a node."""
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
        """Return words about what a tile shows, by which it gets its picture, the best first."""
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
                counts = Counter(map(str, tile.get("wangid", ())))
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


def open_tilesets(root: Node, documents: Documents) -> list[Tileset]:
    """Return the tilesets of a map by their first ids. Raises NodeError."""
    tilesets = list[Tileset]()
    names = set[str]()
    if len(nodes(root, "tilesets")) > MOST_TILESETS:
        raise NodeError(root, f"it has more than {MOST_TILESETS:,} tilesets")
    for entry in nodes(root, "tilesets"):
        first = whole(entry, "firstgid", 1, 1, GID)
        reference = text(entry, "source")
        node = entry
        if reference:
            # A set without its file stays as an empty one: its global ids must not move.
            node = documents.read(reference, TILESETS) or {}
        name = _clean_name(text(node, "name") or PurePosixPath(reference).stem)
        while name in names:
            name += "'"
        names.add(name)
        _check_ids(node)
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
            _check_ids(node)
        except (ProblemError, NodeError) as failed:
            message = str(failed)
            if isinstance(failed, ProblemError):
                message = failed.problems[0].message
            self._problems.append(warning(f"{name!r:.80} is not used: {message}"))
            return None
        return node


def _check_ids(node: Node) -> None:
    """Make the ids of tiles whole numbers. Raises NodeError for one that is not."""
    for tile in nodes(node, "tiles"):
        if "id" in tile:
            tile["id"] = whole(tile, "id", 0, 0, GID)
    for wangset in nodes(node, "wangsets"):
        for wang_tile in nodes(wangset, "wangtiles"):
            whole(wang_tile, "tileid", 0, 0, GID)


# --- pictures ------------------------------------------------------------------------------------


class Pictures:
    """Cuts out the pictures of tiles as they are seen in a cell of ``size`` pixels.

    It lives while one map is read, and decodes the picture of a tileset once. No more than
    ``MOST_CUT`` pixels are decoded and cut out. The size of a picture is read before it is decoded.
    """

    def __init__(
        self, source: Source, problems: list[Problem], size: tuple[int, int], *, is_hexagonal: bool
    ) -> None:
        self._source = source
        self._problems = problems
        self._size = size
        """Width and height of a cell in pixels."""
        self._pixels_left = MOST_CUT
        """The number of pixels that may still be decoded and cut out."""
        self._is_hexagonal = is_hexagonal
        self._has_told_limit = False
        """True once a problem says that there are too many pixels."""
        self._images: dict[str, Pixels | None] = {}
        """The pictures of files by name, None for one that cannot be used."""

    def of(self, tileset: Tileset, number: int, flips: int) -> Pixels | None:
        """Return the pixels of a tile in its cell, (height, width, 4); None without a picture."""
        tile = tileset.tiles.get(number, {})
        is_single_picture = "image" in tile or EMBEDDED in tile
        if is_single_picture:
            image = self._image(tileset, tile)
        else:
            image = self._image(tileset, tileset.node)
        width, height = self._size
        if image is None or width * height > self._pixels_left:
            return None
        self._pixels_left -= width * height
        try:
            part = _tile(tileset.node, tile, number, image)
        except NodeError:
            return None
        if not part.size:
            return None
        # A tile stands at the lower left corner of its cell, moved by the offset.
        offset = child(tileset.node, "tileoffset")
        x = _offset(offset, "x")
        y = _offset(offset, "y")
        picture = cut_pixels(part, -x, len(part) - height - y, width, height)
        return self._flipped(picture, flips)

    def _flipped(self, picture: Pixels, flips: int) -> Pixels:
        """Return a picture flipped as Tiled does it: first along the diagonal, turned last."""
        height, width = picture.shape[:2]
        if flips & FLIPS["d"] and not self._is_hexagonal and width == height:
            picture = picture.transpose(1, 0, 2)
        if flips & FLIPS["v"]:
            picture = picture[::-1]
        if flips & FLIPS["h"]:
            picture = picture[:, ::-1]
        if not self._is_hexagonal:
            return picture
        # On hexes "d" and "r" are turns: see ``FLIPS``.
        degrees = 0
        if flips & FLIPS["d"]:
            degrees += 60
        if flips & FLIPS["r"]:
            degrees += 120
        if degrees:
            return turn_pixels(picture, degrees)
        return picture

    def _image(self, tileset: Tileset, holder: Node) -> Pixels | None:
        """Return the picture that a tileset or a tile names, or has in the file itself.

        None, with a problem, if it cannot be used.
        """
        reference = text(holder, "image").replace("\\", "/")
        if reference:
            name = normpath(join(tileset.folder, reference))
        elif EMBEDDED in holder:
            name = f"the picture in {tileset.name}"
            if holder is not tileset.node:
                name += f", tile {holder.get('id', 0)}"
        else:
            return None
        if name in self._images:
            return self._images[name]
        if reference:
            data = self._source.beside(name, SUFFIXES, self._problems)
        else:
            data = self._embedded(holder, name)
        image = None
        if data is not None:
            image = self._decoded(data, name, text(holder, "transparentcolor"))
        self._images[name] = image
        return image

    def _embedded(self, holder: Node, name: str) -> bytes | None:
        """Return the picture in the file itself; None, with a problem, if it is damaged."""
        try:
            return embedded_picture(holder)
        except ValueError as failed:
            self._problems.append(warning(f"{name!r:.80} is not used: {reason_of(failed)}"))
            return None

    def _decoded(self, data: bytes, name: str, clear: str) -> Pixels | None:
        """Return the pixels of a picture, those of the colour ``clear`` transparent.

        None, with a problem, for a picture that is damaged or exceeds the limit of pixels.
        """
        width, height = picture_size(data) or (0, 0)
        if width * height > self._pixels_left:
            if not self._has_told_limit:
                self._has_told_limit = True
                self._problems.append(
                    warning(
                        f"{name!r:.80} and further pictures are not used: all pictures together "
                        f"have more than {MOST_CUT:,} pixels"
                    )
                )
            return None
        try:
            pixels = read_pixels(data)
        except ValueError as failed:
            self._problems.append(warning(f"{name!r:.80} is not used: {reason_of(failed)}"))
            return None
        self._pixels_left -= width * height
        if re.fullmatch("#?[0-9a-fA-F]{6}", clear):
            colour = np.frombuffer(bytes.fromhex(clear[-6:]), np.uint8)
            has_colour = (pixels[:, :, :3] == colour).all(axis=2)
            pixels[has_colour, 3] = 0  # alpha
        return pixels


def _offset(node: Node, key: str) -> int:
    """Return a coordinate of an offset in pixels; 0 for one that is no whole number."""
    try:
        return whole(node, key, 0, -_FARTHEST_PIXEL, _FARTHEST_PIXEL)
    except NodeError:
        return 0


def embedded_picture(holder: Node) -> bytes:
    """Return the bytes of the picture that is in the file itself. Raises ValueError."""
    element = holder[EMBEDDED]
    data = next(elements_of(element, "data"))
    encoding = data.attributes.get("encoding", "base64")
    if encoding != "base64":
        raise ValueError(f"the encoding {encoding!r:.40} is not known")
    try:
        packed = b64decode("".join(data.text.split()), validate=True)
        compression = data.attributes.get("compression", "")
        picture = unpacked(packed, compression, LARGEST_PICTURE)
    except PACKING_ERRORS as failed:
        raise ValueError("it is damaged") from failed
    if len(picture) > LARGEST_PICTURE:
        raise ValueError(f"it has more than {LARGEST_PICTURE:,} bytes")
    return picture


def _tile(node: Node, tile: Node, number: int, image: Pixels) -> Pixels:
    """Return the part of an image that a tile is: of its own picture, or of its tileset's sheet.

    Raises NodeError.
    """
    image_height, image_width = image.shape[:2]
    if "image" in tile:
        left = whole(tile, "x", 0, 0, _FARTHEST_PIXEL)
        top = whole(tile, "y", 0, 0, _FARTHEST_PIXEL)
        width = whole(tile, "width", image_width, 1, _FARTHEST_PIXEL)
        height = whole(tile, "height", image_height, 1, _FARTHEST_PIXEL)
    else:
        width = whole(node, "tilewidth", 0, 1, MOST_SIDE)
        height = whole(node, "tileheight", 0, 1, MOST_SIDE)
        margin = whole(node, "margin", 0, 0, MOST_SIDE)
        spacing = whole(node, "spacing", 0, 0, MOST_SIDE)
        # Tiled counts the columns by the picture: ``columns`` of old files may be missing.
        columns = max(1, (image_width - margin + spacing) // (width + spacing))
        row, column = divmod(number, columns)
        top = margin + row * (height + spacing)
        left = margin + column * (width + spacing)
    return image[top : top + height, left : left + width]
