"""Cells, tilesets and pictures of tiles in Tiled's maps."""

from __future__ import annotations

import gzip
import re
import zlib
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
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
from randomizer.systems.interchange.foreign import Source, fault, is_code, warning
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
FLIPS = {"h": 0x80000000, "v": 0x40000000, "d": 0x20000000, "r": 0x10000000}
"""Letters of the bits of a global id: flipped, and turned (on hexes by 60 and 120 degrees)."""

TILESETS = (".tsx", ".tsj", ".json", ".xml")
MOST_TILESETS = 1000
MOST_PAINTED = 2**26
"""Pixels of the pictures of a tileset of ours."""

MOST_CUT = 2**26
"""Pixels of all pictures of tilesets and of tiles: no more are cut out."""
MOST_UNCOUNTED = 2**16
"""So many tiles a tileset may have that does not say how many."""

OWN = "battlelands"
"""The property of a tileset whose tiles say what of a map of ours they stand for."""


PACKING_ERRORS = (ValueError, TypeError, OverflowError, zlib.error, zstandard.ZstdError)
"""What is raised for packed bytes or numbers that are damaged."""


# --- cells ---------------------------------------------------------------------------------------


def decode_cells(layer: Node, part: Node, width: int, height: int) -> Cells:
    """Return the cells of a layer or of a chunk of it. Raises NodeError."""
    data = part.get("data", [])
    encoding = layer.get("encoding", "csv")
    try:
        if encoding == "base64" and isinstance(data, str):
            packed = b64decode("".join(data.split()), validate=True)
            raw = unpacked(packed, text(layer, "compression"), 4 * width * height)
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
        raise NodeError(part, f"its cells cannot be read: {reason_of(failed)}") from failed
    return values.astype(np.uint32).reshape(height, width)


def decode_chunks(
    layer: Node, chunks: Sequence[Node], sizes: Sequence[tuple[int, int]]
) -> list[Cells]:
    """Return the cells of all chunks of a layer, of (width, height) each. Raises NodeError.

    Numbers in texts are read all at once, which is ten times as fast for small chunks.
    """
    counts = [width * height for width, height in sizes]
    texts = [data for chunk in chunks if isinstance(data := chunk.get("data"), str)]
    is_plain = layer.get("encoding", "csv") == "csv" and len(texts) == len(chunks) > 1
    if is_plain and all(
        data.count(",") == count - 1 for data, count in zip(texts, counts, strict=True)
    ):
        with suppress(ValueError):  # the chunk with what is no number is found below
            values = np.array(listed_cells(",".join(texts)), np.int64)
            if values.min() >= 0 and values.max() < 2**32:
                parts = np.split(values.astype(np.uint32), np.cumsum(counts)[:-1])
                return [
                    part.reshape(height, width)
                    for part, (width, height) in zip(parts, sizes, strict=True)
                ]
    return [
        decode_cells(layer, chunk, width, height)
        for chunk, (width, height) in zip(chunks, sizes, strict=True)
    ]


def unpacked(data: bytes, compression: str, size: int) -> bytes:
    """Return ``size`` bytes, and up to 4 more if there are more: never more are unpacked.

    Raises ValueError, and what the packers raise for damaged bytes (``PACKING_ERRORS``).
    """
    if compression in ("zlib", "gzip"):
        return zlib.decompressobj(47).decompress(data, size + 4)
    if compression == "zstd":
        with zstandard.ZstdDecompressor(max_window_size=2**27).stream_reader(data) as reader:
            return bytes(reader.read(size + 4))
    if compression:
        raise ValueError(f"the compression {compression!r:.40} is not known")
    return data


def encode_cells(layer: Node, cells: Cells) -> str | list[int]:
    """Return the cells as what a layer has as ``data``, in its encoding and compression."""
    if layer.get("encoding", "csv") != "base64":
        return [int(each) for each in cells.ravel()]
    packers = {
        "zlib": zlib.compress,
        "gzip": lambda raw: gzip.compress(raw, mtime=0),
        "zstd": zstandard.ZstdCompressor().compress,
    }
    raw = cells.astype("<u4").tobytes()
    packer = packers.get(text(layer, "compression"))
    return b64encode(packer(raw) if packer else raw).decode()


# --- tilesets ------------------------------------------------------------------------------------


class Mark(NamedTuple):
    """The value of a plane that a tile of ours stands for, for whatever terrain set.

    ``name`` is the code or name of a terrain, the letter of a hexside or the name of a way.
    """

    plane: str = "terrain"
    name: str = ""
    side: int = 0
    value: int = 0


class Marks:
    """Marks as values of planes and back, with one terrain set."""

    def __init__(self, terrain_set: TerrainSet) -> None:
        self._names: dict[str, list[str]] = {
            "terrain": [key_of(terrain) for terrain in terrain_set.terrains],
            "hexside": ["", *(hexside.letter for hexside in terrain_set.hexsides)],
        }
        self._ways = [way.name for way in terrain_set.ways]
        self._numbers = {
            plane: {name: at for at, name in reversed(list(enumerate(names)))}
            for plane, names in self._names.items()
        }

    def of(self, spec: PlaneSpec, side: int, value: int) -> Mark:
        """Return what a value of a plane, of a side if it has sides, is."""
        if spec.name in self._names:
            return Mark(spec.name, self._names[spec.name][value], side)
        if spec in SYSTEM.ways:
            return Mark("way", self._ways[SYSTEM.ways.index(spec)], value=value)
        return Mark(spec.name, value=value)

    def look(self, mark: Mark) -> Look | None:
        """Return the value of a plane that a mark is; None for one that there is not."""
        plane = mark.plane
        value = mark.value
        if plane in self._numbers:
            value = self._numbers[plane].get(mark.name, -1)
        elif plane == "way":
            if mark.name in self._ways:
                at = self._ways.index(mark.name)
            else:
                at = -1
            plane = SYSTEM.ways[at].name if at >= 0 else ""
        spec = next((each for each in SYSTEM.planes if each.name == plane), None)
        if spec is None or not spec.limits[0] <= value <= spec.limits[1]:
            return None
        return Look(plane, mark.side, value)


def key_of(terrain: Terrain) -> str:
    """Return the name by which tiles of ours know a terrain."""
    return terrain.code or terrain.name


@dataclass
class Tileset:
    """A tileset of a map. ``entry`` is what the map says, ``node`` the set, ``folder`` its own.

    ``name`` is its own in the map; ``tiles`` are what the set says of some tiles, by id.
    """

    entry: Node
    node: Node
    folder: str
    name: str
    first: int
    tiles: dict[int, Node] = field(default_factory=dict)

    @cached_property
    def is_own(self) -> bool:
        """Return whether it was written by us, so that its pictures can be painted again."""
        try:
            sizes = [whole(self.node, f"tile{key}", 0, 1, MOST_SIDE) for key in ("width", "height")]
        except NodeError:
            return False
        is_own = properties(self.node).get(OWN) is True
        return is_own and self.count * sizes[0] * sizes[1] <= MOST_PAINTED

    @cached_property
    def count(self) -> int:
        """One more than the highest id."""
        number = self.node.get("tilecount")
        stated = number if type(number) is int and 0 <= number < 2**20 else 0
        return max(stated, max(self.tiles, default=-1) + 1)

    @property
    def room(self) -> int:
        """Return the number of global ids it may use; old files and missing sets do not say it."""
        return max(1, self.count, 0 if "tilecount" in self.node else MOST_UNCOUNTED)

    def mark(self, number: int) -> Mark | None:
        """Return what a tile of ours stands for; None for other tiles."""
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
        """Return the words of a tile, by which it gets its picture, the best first."""
        tile = self.tiles.get(number, {})
        words = [text(tile, "type"), text(tile, "class")]
        words += [each for each in properties(tile).values() if isinstance(each, str)]
        words += [PurePosixPath(text(tile, "image")).stem, *self._wang_colours.get(number, ())]
        return [each.lower() for each in (*words, self.name) if each]

    @cached_property
    def _wang_colours(self) -> dict[object, list[str]]:
        """The colours of tiles, the most frequent first."""
        result = dict[object, list[str]]()
        for wangset in nodes(self.node, "wangsets"):
            colours = enumerate(nodes(wangset, "colors"), 1)
            names = {str(at): text(each, "name") for at, each in colours}
            for node in nodes(wangset, "wangtiles"):
                counts = Counter(map(str, node.get("wangid", ())))
                own = [names.get(at, "") for at, _count in counts.most_common()]
                result.setdefault(whole(node, "tileid", 0, 0, GID), []).extend(own)
        return result


def open_tilesets(root: Node, documents: Documents) -> list[Tileset]:
    """Return the tilesets of a map by their first ids. Raises NodeError."""
    tilesets = list[Tileset]()
    names = set[str]()
    if len(nodes(root, "tilesets")) > MOST_TILESETS:
        raise NodeError(root, f"it has more than {MOST_TILESETS:,} tilesets")
    for entry in nodes(root, "tilesets"):
        first = whole(entry, "firstgid", 1, 1, GID)
        reference = text(entry, "source")
        if reference:
            node = documents.read(reference, TILESETS)
        else:
            node = entry
        node = node or {}
        name = text(node, "name") or PurePosixPath(reference).stem
        name = " ".join(clean_line(name).replace(":", " ").split())[:80]
        name = "".join(character for character in name if character.isprintable()) or "tileset"
        while name in names:
            name += "'"
        names.add(name)
        _check_ids(node)
        tiles = {tile.get("id", 0): tile for tile in nodes(node, "tiles")}
        folder = str(PurePosixPath(reference.replace("\\", "/")).parent)
        tilesets.append(Tileset(entry, node, folder, name, first, tiles))
    tilesets.sort(key=lambda tileset: tileset.first)
    return tilesets


class Documents:
    """The tilesets and templates that a map refers to.

    All of them together have at most as many elements, or values, as one file may have.
    """

    def __init__(self, source: Source, problems: list[Problem]) -> None:
        self._source = source
        self._problems = problems
        self._share_left = 1.0

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
    """Make the ids of tiles whole numbers. Raises NodeError where one is none."""
    for tile in nodes(node, "tiles"):
        if "id" in tile:
            tile["id"] = whole(tile, "id", 0, 0, GID)
    for wangset in nodes(node, "wangsets"):
        for wang_tile in nodes(wangset, "wangtiles"):
            whole(wang_tile, "tileid", 0, 0, GID)


# --- pictures ------------------------------------------------------------------------------------


class Pictures:
    """The pictures of tiles as they are seen in a cell of ``size`` pixels.

    No more than ``MOST_CUT`` pixels are taken, of the pictures of tilesets and of tiles together;
    how many a picture has is looked at before it is decoded.
    """

    def __init__(
        self, source: Source, problems: list[Problem], size: tuple[int, int], *, is_hexagonal: bool
    ) -> None:
        self._source = source
        self._problems = problems
        self._size = size
        self._pixels_left = MOST_CUT
        self._is_hexagonal = is_hexagonal
        self._has_told_limit = False
        self._images: dict[str, Pixels | None] = {}

    def of(self, tileset: Tileset, number: int, flips: int) -> Pixels | None:
        """Return what a tile shows in its cell: (height, width, 4); None without its picture."""
        tile = tileset.tiles.get(number, {})
        has_own_picture = "image" in tile or EMBEDDED in tile
        image = self._image(tileset, tile if has_own_picture else tileset.node)
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
        x, y = (_offset(offset, key) for key in ("x", "y"))
        picture = cut_pixels(part, -x, len(part) - height - y, width, height)
        if flips & FLIPS["d"] and not self._is_hexagonal and width == height:
            picture = picture.transpose(1, 0, 2)
        picture = picture[:: -1 if flips & FLIPS["v"] else 1, :: -1 if flips & FLIPS["h"] else 1]
        sixths = bool(flips & FLIPS["d"]) + 2 * bool(flips & FLIPS["r"])
        if self._is_hexagonal and sixths:
            return turn_pixels(picture, 60 * sixths)
        return picture

    def _image(self, tileset: Tileset, holder: Node) -> Pixels | None:
        """Return the picture that a tileset or a tile names, or has in the file itself."""
        reference = text(holder, "image").replace("\\", "/")
        if reference:
            name = normpath(join(tileset.folder, reference))
        elif EMBEDDED in holder:
            name = f"the picture in {tileset.name}"
            if holder is not tileset.node:
                name += f", tile {holder.get('id', 0)}"
        else:
            return None
        if name not in self._images:
            if reference:
                data = self._source.beside(name, SUFFIXES, self._problems)
            else:
                data = None
            if not reference:
                data = self._embedded(holder, name)
            clear = text(holder, "transparentcolor")
            self._images[name] = None if data is None else self._decoded(data, name, clear)
        return self._images[name]

    def _embedded(self, holder: Node, name: str) -> bytes | None:
        try:
            return embedded_picture(holder)
        except ValueError as failed:
            self._problems.append(warning(f"{name!r:.80} is not used: {reason_of(failed)}"))
            return None

    def _decoded(self, data: bytes, name: str, clear: str) -> Pixels | None:
        """Return the pixels of a picture, without those of the colour ``clear``."""
        width, height = picture_size(data) or (0, 0)
        if width * height > self._pixels_left:
            if not self._has_told_limit:
                self._has_told_limit = True
                message = f"all pictures together have more than {MOST_CUT:,} pixels"
                message = f"{name!r:.80} and further pictures are not used: {message}"
                self._problems.append(warning(message))
            return None
        try:
            pixels = read_pixels(data)
        except ValueError as failed:
            self._problems.append(warning(f"{name!r:.80} is not used: {reason_of(failed)}"))
            return None
        self._pixels_left -= width * height
        if re.fullmatch("#?[0-9a-fA-F]{6}", clear):
            colour = np.frombuffer(bytes.fromhex(clear[-6:]), np.uint8)
            pixels[(pixels[:, :, :3] == colour).all(axis=2), 3] = 0
        return pixels


def _offset(node: Node, key: str) -> int:
    """Return a coordinate of an offset in pixels; 0 for what is none."""
    try:
        return whole(node, key, 0, -(2**20), 2**20)
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
    """Return the part of an image that a tile is. Raises NodeError."""
    height, width = image.shape[:2]
    if "image" in tile:
        left, top = (whole(tile, key, 0, 0, 2**20) for key in ("x", "y"))
        across = whole(tile, "width", width, 1, 2**20)
        down = whole(tile, "height", height, 1, 2**20)
    else:
        across, down = (whole(node, key, 0, 1, MOST_SIDE) for key in ("tilewidth", "tileheight"))
        margin, spacing = (whole(node, key, 0, 0, MOST_SIDE) for key in ("margin", "spacing"))
        columns = max(1, (width - margin + spacing) // (across + spacing))
        top = margin + number // columns * (down + spacing)
        left = margin + number % columns * (across + spacing)
    return image[top : top + down, left : left + across]
