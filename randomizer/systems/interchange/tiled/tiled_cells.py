"""The cells of Tiled's layers: numbers of tiles, as they are written in a file.

A *cell* is a number of 32 bits: the *global id* of the tile that it shows, 0 for none, and in its
highest bits how the tile is flipped. A layer says how the cells of all its chunks are written::

    encoding "csv"                       1,1,2,0,2147483649      numbers with commas
    encoding "xml"                       a list of numbers, one for each element
    encoding "base64", compression ""    AQAAAAEAAAACAAAA...     four bytes a cell; they can be
                                                                 compressed by gzip, zlib or zstd
"""

from __future__ import annotations

import gzip
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import zstandard
from numpy.typing import NDArray

from randomizer.model.basics.error_reasons import reason_of
from randomizer.systems.interchange.tiled.tiled_nodes import Node, NodeError, listed_cells, text

Cells = NDArray[np.uint32]
"""Global ids of tiles with their flips, shape (height, width)."""

GID = 0x0FFFFFFF
"""The bits of a cell that are the global id of a tile."""

FLIPS = {"h": 0x80000000, "v": 0x40000000, "d": 0x20000000, "r": 0x10000000}
"""The bits of a cell that flip its tile: horizontally, vertically, along the diagonal.

On hexes "d" turns it clockwise by 60 degrees and "r" by 120 degrees.
"""

PACKING_ERRORS = (ValueError, TypeError, OverflowError, zlib.error, zstandard.ZstdError)
"""The exceptions that are raised for packed bytes or numbers that are damaged."""

_CELL_VALUES = 2**32
"""The number of values that a cell can have."""

_BYTES_OF_CELL = 4
"""The bytes of a packed cell: a little-endian number of 32 bits."""

_ZLIB_OR_GZIP = 32 + zlib.MAX_WBITS
"""The window of a decompressor that takes data with the header of either."""

_LARGEST_WINDOW = 2**27
"""The most bytes that unpacking Zstandard may keep in memory."""


class Chunk(NamedTuple):
    """A rectangle of cells of a layer that are written together."""

    node: Node
    """The node with its cells. It is the layer itself if that has no chunks."""

    width: int
    """In cells."""

    height: int
    """In cells."""

    @property
    def cell_count(self) -> int:
        """The number of its cells."""
        return self.width * self.height


def decode_chunks(layer: Node, chunks: Sequence[Chunk]) -> list[Cells]:
    """Return the cells of all chunks of a layer. Raises NodeError for damaged ones."""
    cells_of_chunks = _decode_joined_texts(layer, chunks)
    if cells_of_chunks is not None:
        return cells_of_chunks
    return [_decode_cells(layer, chunk) for chunk in chunks]


def _decode_joined_texts(layer: Node, chunks: Sequence[Chunk]) -> list[Cells] | None:
    """Return the cells of chunks that are texts with commas, None for others and for faults.

    The texts are joined and parsed as one, which is ten times as fast for small chunks.
    """
    if layer.get("encoding", "csv") != "csv" or len(chunks) < 2:
        return None
    texts = list[str]()
    for chunk in chunks:
        data = chunk.node.get("data")
        # With a comma too many a chunk would shift the cells of those behind it.
        if not isinstance(data, str) or data.count(",") != chunk.cell_count - 1:
            return None
        texts.append(data)
    try:
        values = np.array(listed_cells(",".join(texts)), np.int64)
    except ValueError:
        return None  # decoding one by one tells which chunk has the fault
    if values.min() < 0 or values.max() >= _CELL_VALUES:
        return None
    cells = values.astype(np.uint32)
    cells_of_chunks = list[Cells]()
    start = 0
    for chunk in chunks:
        end = start + chunk.cell_count
        cells_of_chunks.append(cells[start:end].reshape(chunk.height, chunk.width))
        start = end
    return cells_of_chunks


def _decode_cells(layer: Node, chunk: Chunk) -> Cells:
    """Return the cells of a chunk of a layer. Raises NodeError for damaged ones."""
    data = chunk.node.get("data", [])
    encoding = layer.get("encoding", "csv")
    count = chunk.cell_count
    try:
        if encoding == "base64" and isinstance(data, str):
            packed = b64decode("".join(data.split()), validate=True)
            # One cell more than there should be, to see that there are too many.
            max_bytes = _BYTES_OF_CELL * (count + 1)
            raw = unpack(packed, text(layer, "compression"), max_bytes)
            values = np.frombuffer(raw, "<u4").astype(np.uint32)
        elif encoding in ("csv", "xml"):
            values = np.array(listed_cells(data), np.int64)
            if values.size and not 0 <= values.min() <= values.max() < _CELL_VALUES:
                raise ValueError("a cell is no number of a tile")
        else:
            raise ValueError(f"the encoding {encoding!r:.40} is not known")
        if values.size != count:
            raise ValueError(f"{values.size:,} of {count:,} cells")
    except PACKING_ERRORS as failed:
        raise NodeError(chunk.node, f"its cells cannot be read: {reason_of(failed)}") from failed
    return values.astype(np.uint32).reshape(chunk.height, chunk.width)


def unpack(data: bytes, compression: str, max_bytes: int) -> bytes:
    """Return ``data`` unpacked, the first ``max_bytes`` of it: a small file may pack terabytes.

    ``compression`` is as in the file; "" returns all of ``data``. Raises ValueError for an unknown
    one, and any of ``PACKING_ERRORS`` for damaged data.
    """
    if compression in ("zlib", "gzip"):
        return zlib.decompressobj(_ZLIB_OR_GZIP).decompress(data, max_bytes)
    if compression == "zstd":
        decompressor = zstandard.ZstdDecompressor(max_window_size=_LARGEST_WINDOW)
        with decompressor.stream_reader(data) as reader:
            return bytes(reader.read(max_bytes))
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
