"""The sprites of one scale in a file, so that the next start copies them instead of drawing them.

The file is a cache: what is damaged, or was drawn by another program, theme or scale, is not used.
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
"""CRC of the rest, and length of the table."""

LARGEST = 32_000_000
"""The largest file, in bytes."""

FORMAT = QImage.Format.Format_ARGB32_Premultiplied


@registered(count=1, bytes_each=40 * KB)
@cache
def program_stamp(module: str = __file__) -> str:
    """Return the files that draw, with their sizes and times: another version draws others.

    ``module`` is the file of this module in the program that is asked about.
    """
    # ".pyc" in the bundle
    app = Path(module).parents[2]
    code = Path(module).suffix
    times = []
    for folder in ("render", "appearance", "resources", "systems/cordery/table"):
        for root, _folders, names in os.walk(app / folder):
            for name in names:
                if name.endswith((code, ".svg", ".json")):
                    stat = Path(root, name).stat()
                    times.append((name, stat.st_size, stat.st_mtime_ns))
    return repr((PySide6.__version__, sorted(times)))


def inputs_of(sprites: Sprites) -> str:
    """Return what the look of sprites depends on, as text."""
    pieces = sprites.pieces
    inputs = (
        program_stamp(),
        QGuiApplication.font().toString(),
        sprites.layout,
        sprites.terrain_set,
        type(pieces.style).__qualname__,
        sprites.theme,
        round(sprites.scale, 3),
        sprites.ratio,
    )
    return repr(inputs)


def pack_images(inputs: str, images: Mapping[str, QImage]) -> bytes:
    """Return the content of a file of sprites, by the text of their pieces' keys."""
    rows = [(key, image.width(), image.height()) for key, image in images.items()]
    table = json.dumps({"inputs": inputs, "sprites": rows}).encode()
    content = table + b"".join(bytes(image.constBits()) for image in images.values())
    return HEAD.pack(zlib.crc32(content), len(table)) + content


def read_images(file: Path, inputs: str) -> dict[str, QImage]:
    """Return the sprites of a file by the text of their pieces' keys.

    There are none if the file is damaged or of other ``inputs``.
    """
    try:
        data = read_regular(file, LARGEST)
        crc, length = HEAD.unpack_from(data)
        content = memoryview(data)[HEAD.size :]
        if zlib.crc32(content) != crc:
            return {}
        table = json.loads(bytes(content[:length]))
        start = length
        images = {}
        if table["inputs"] != inputs:
            return {}
        for key, width, height in table["sprites"]:
            end = start + 4 * width * height
            if not (width > 0 < height and end <= len(content)):
                return {}
            images[key] = QImage(content[start:end], width, height, 4 * width, FORMAT).copy()
            start = end
    except (OSError, ValueError, TypeError, KeyError, struct.error):
        return {}  # they are drawn, as at the first start
    return images
