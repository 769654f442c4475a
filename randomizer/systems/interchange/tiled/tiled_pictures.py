"""The pictures of tiles, cut out of those of their tilesets.

A tileset has one picture for all tiles, a *sheet* with columns and rows, or each tile has a picture
of its own. A picture is a file beside the map, or it is embedded in the file of the map::

    pictures = Pictures(source, problems, (64, 64), is_hexagonal=False)
    pictures.of(tileset, 3, FLIPS["h"])     # tile 3 as its cell shows it: an array (64, 64, 4)
"""

from __future__ import annotations

import re
from base64 import b64decode
from io import BytesIO
from posixpath import join, normpath

import numpy as np
from PIL import Image

from randomizer.model.basics.error_reasons import reason_of
from randomizer.model.problems import Problem
from randomizer.model.records.assets import LARGEST_PICTURE, picture_size
from randomizer.systems.interchange.foreign.faults import warning
from randomizer.systems.interchange.foreign.source import Source
from randomizer.systems.interchange.tile_pictures import SUFFIXES, Pixels, read_pixels
from randomizer.systems.interchange.tiled.tiled_cells import FLIPS, PACKING_ERRORS, unpack
from randomizer.systems.interchange.tiled.tiled_nodes import (
    EMBEDDED,
    MAX_TILE_SIDE,
    Node,
    NodeError,
    child,
    text,
    whole,
)
from randomizer.systems.interchange.tiled.tiled_tilesets import Tileset
from randomizer.systems.interchange.tiled.tiled_xml import elements_of

MAX_PIXELS_IN_ALL = 2**26
"""The largest number of pixels in all pictures of tilesets and tiles together, four bytes each.

Pictures of further tiles are left out.
"""

_FARTHEST_PIXEL = 2**20
"""The largest coordinate or size in pixels within the picture of a tile."""


class Pictures:
    """Cuts out the pictures of tiles as they are seen in a cell of ``size`` pixels.

    It lives while one map is read, and decodes the picture of a tileset once. No more than
    ``MAX_PIXELS_IN_ALL`` pixels are decoded and cut out. The size of a picture is read before it
    is decoded.
    """

    def __init__(
        self, source: Source, problems: list[Problem], size: tuple[int, int], *, is_hexagonal: bool
    ) -> None:
        self._source = source
        self._problems = problems
        self._size = size
        """Width and height of a cell in pixels."""
        self._pixels_left = MAX_PIXELS_IN_ALL
        """The number of pixels that may still be decoded and cut out."""
        self._is_hexagonal = is_hexagonal
        self._has_told_limit = False
        """True once a problem says that there are too many pixels."""
        self._images: dict[str, Pixels | None] = {}
        """The decoded pictures by name, None for one that cannot be used."""

    def of(self, tileset: Tileset, number: int, flips: int) -> Pixels | None:
        """Return the pixels of a tile in its cell, (height, width, 4); None without a picture."""
        tile = tileset.tiles.get(number, {})
        if _has_picture(tile):
            image = self._image(tileset, tile)
        else:
            image = self._image(tileset, tileset.node)
        width, height = self._size
        if image is None or width * height > self._pixels_left:
            return None
        self._pixels_left -= width * height
        try:
            part = _cut_tile(tileset.node, tile, number, image)
        except NodeError:
            return None
        if not part.size:
            return None
        # A tile stands at the lower left corner of its cell, moved by the offset. It may be larger
        # than the cell: then what is above and to the right of the cell is cut off.
        offset = child(tileset.node, "tileoffset")
        x = _offset(offset, "x")
        y = _offset(offset, "y")
        tile_height = len(part)
        picture = _cut_pixels(part, -x, tile_height - height - y, width, height)
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
            return _turn_pixels(picture, degrees)
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

    def _decoded(self, data: bytes, name: str, transparent: str) -> Pixels | None:
        """Return the pixels of a picture, those of the colour ``transparent`` clear.

        None, with a problem, for a picture that is damaged or exceeds the limit of pixels.
        """
        width, height = picture_size(data) or (0, 0)
        if width * height > self._pixels_left:
            if not self._has_told_limit:
                self._has_told_limit = True
                message = (
                    f"{name!r:.80} and further pictures are not used: all pictures together have "
                    f"more than {MAX_PIXELS_IN_ALL:,} pixels"
                )
                self._problems.append(warning(message))
            return None
        try:
            pixels = read_pixels(data)
        except ValueError as failed:
            self._problems.append(warning(f"{name!r:.80} is not used: {reason_of(failed)}"))
            return None
        self._pixels_left -= width * height
        # Pictures without alpha have a colour that is not drawn: "#ff00ff", with or without the #.
        if re.fullmatch("#?[0-9a-fA-F]{6}", transparent):
            colour = np.frombuffer(bytes.fromhex(transparent[-6:]), np.uint8)
            has_colour = (pixels[:, :, :3] == colour).all(axis=2)
            pixels[has_colour, 3] = 0  # alpha
        return pixels


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
        picture = unpack(packed, compression, LARGEST_PICTURE + 1)
    except PACKING_ERRORS as failed:
        raise ValueError("it is damaged") from failed
    if len(picture) > LARGEST_PICTURE:
        raise ValueError(f"it has more than {LARGEST_PICTURE:,} bytes")
    return picture


def _cut_tile(node: Node, tile: Node, number: int, image: Pixels) -> Pixels:
    """Return the pixels of a tile, a part of an image; empty if that is too small.

    The image is the tile's own picture or the sheet of its tileset, whose node is ``node``. Raises
    NodeError for impossible sizes.
    """
    image_height, image_width = image.shape[:2]
    if _has_picture(tile):
        left = whole(tile, "x", 0, 0, _FARTHEST_PIXEL)
        top = whole(tile, "y", 0, 0, _FARTHEST_PIXEL)
        width = whole(tile, "width", image_width, 1, _FARTHEST_PIXEL)
        height = whole(tile, "height", image_height, 1, _FARTHEST_PIXEL)
    else:
        width = whole(node, "tilewidth", 0, 1, MAX_TILE_SIDE)
        height = whole(node, "tileheight", 0, 1, MAX_TILE_SIDE)
        margin = whole(node, "margin", 0, 0, MAX_TILE_SIDE)
        spacing = whole(node, "spacing", 0, 0, MAX_TILE_SIDE)
        # Tiled counts the columns by the picture: ``columns`` of old files may be missing.
        columns = max(1, (image_width - margin + spacing) // (width + spacing))
        row, column = divmod(number, columns)
        top = margin + row * (height + spacing)
        left = margin + column * (width + spacing)
    return image[top : top + height, left : left + width]


def _has_picture(tile: Node) -> bool:
    """Return whether a tile has a picture of its own, in a file or in that of the map."""
    return "image" in tile or EMBEDDED in tile


def _offset(node: Node, key: str) -> int:
    """Return a coordinate of an offset in pixels; 0 for one that is no whole number."""
    try:
        return whole(node, key, 0, -_FARTHEST_PIXEL, _FARTHEST_PIXEL)
    except NodeError:
        return 0


def _cut_pixels(pixels: Pixels, left: int, top: int, width: int, height: int) -> Pixels:
    """Return a box of a picture; what lies outside of the picture is clear."""
    return np.array(Image.fromarray(pixels).crop((left, top, left + width, top + height)))


def _turn_pixels(pixels: Pixels, degrees: int) -> Pixels:
    """Return a picture turned clockwise around its middle, in its box."""
    return np.array(Image.fromarray(pixels).rotate(-degrees))


def write_png(pixels: Pixels) -> bytes:
    """Return the PNG of (height, width, 4) values of red, green, blue and alpha."""
    file = BytesIO()
    Image.fromarray(pixels).save(file, "PNG")
    return file.getvalue()
