"""Keeps the sprites of one scale in a file: the next start reads them instead of drawing them.

The file has the pixels of all sprites, and a text of all that their look depends on, the *inputs*:
the program's files, the theme, the scale and so on. It is a cache: what is damaged, or has other
inputs, is not used::

    file.write_bytes(pack_images(inputs_of(sprites), images))     # at the end
    images = read_images(file, inputs_of(sprites))                # at the next start

Such a file consists of ``HEAD``, a table (JSON with the inputs, and key, width and height of each
sprite), and the pixels of all sprites, one after another.
"""

from __future__ import annotations

import json
import os
import struct
import zlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import PySide6
from PySide6.QtGui import QGuiApplication, QImage

from app.render.raster.sprites import Sprites
from randomizer.model.basics.caches import KB, registered
from randomizer.storage.disk.regular_files import read_regular

HEAD = struct.Struct("<II")
"""The head of a file: a checksum (CRC-32) of all that follows, and the length of the table."""

LARGEST_FILE_BYTES = 32_000_000
"""The largest file that is read, in bytes."""

FORMAT = QImage.Format.Format_ARGB32_Premultiplied
"""The format of the pixels."""

PIXEL_BYTES = 4
"""The bytes of a pixel of ``FORMAT``."""

DRAWING_FOLDERS = ("render", "appearance", "resources", "systems/cordery/table")
"""The folders of ``app`` with the files on which the look of sprites depends."""


@registered(count=1, bytes_each=40 * KB)
@cache
def program_stamp(module: str = __file__) -> str:
    """Return a text that differs between two versions of the program that draw differently.

    It has the sizes and times of all files that draw. ``module`` is this file in the program that
    is asked about: in a test it may be another one than that which runs.
    """
    app_folder = Path(module).parents[2]  # this file is app/render/raster/stored_sprites.py
    code_suffix = Path(module).suffix  # ".py", but ".pyc" in the bundle
    files = []
    for folder in DRAWING_FOLDERS:
        for root, _folders, names in os.walk(app_folder / folder):
            for name in names:
                if name.endswith((code_suffix, ".svg", ".json")):
                    path = f"{root}/{name}"  # a ``Path`` for each would double the time of all this
                    stat = os.stat(path)  # noqa: PTH116
                    place = path.removeprefix(str(app_folder))
                    files.append((place, stat.st_size, stat.st_mtime_ns))
    return repr((PySide6.__version__, sorted(files)))


def inputs_of(sprites: Sprites) -> str:
    """Return all that the look of sprites depends on, as one text.

    The texts of terrain sets and themes have the values of all their fields, and no addresses.
    """
    pieces = sprites.pieces
    inputs = (
        program_stamp(),
        QGuiApplication.font().toString(),
        sprites.layout,
        sprites.terrain_set,
        type(pieces.style).__qualname__,
        pieces.coarse,
        sprites.theme,
        round(sprites.scale, 3),  # errors of rounding make no other scale
        sprites.ratio,
    )
    return repr(inputs)


def pack_images(inputs: str, images: Mapping[str, QImage]) -> bytes:
    """Return the content of a file with these inputs and ``images``.

    Images are given by their keys, the texts of the keys of their pieces. They have the ``FORMAT``,
    whose rows of pixels follow one another without gaps.
    """
    rows = [(key, image.width(), image.height()) for key, image in images.items()]
    table = json.dumps({"inputs": inputs, "sprites": rows}).encode()
    content = table + b"".join(bytes(image.constBits()) for image in images.values())
    return HEAD.pack(zlib.crc32(content), len(table)) + content


def read_images(file: Path, inputs: str) -> dict[str, QImage]:
    """Return the images in a file by their keys; none if it is damaged or has other ``inputs``."""
    try:
        data = read_regular(file, LARGEST_FILE_BYTES)
        crc, table_length = HEAD.unpack_from(data)
        content = memoryview(data)[HEAD.size :]
        if zlib.crc32(content) != crc:
            return {}
        table = json.loads(bytes(content[:table_length]))
        if table["inputs"] != inputs:
            return {}
        start = table_length
        images = {}
        for key, width, height in table["sprites"]:
            row_bytes = PIXEL_BYTES * width
            end = start + row_bytes * height
            if width <= 0 or height <= 0 or end > len(content):
                return {}
            # A copy, since a QImage does not keep the memory that it was made of.
            images[key] = QImage(content[start:end], width, height, row_bytes, FORMAT).copy()
            start = end
    except (OSError, ValueError, TypeError, KeyError, struct.error):
        return {}  # they are drawn, as at the first start
    return images
