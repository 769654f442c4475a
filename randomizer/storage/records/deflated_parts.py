"""Large parts of a block, deflated once and remembered by their content.

A job that makes or reads whole layers deflates their planes, so that the window's thread, which
stores them as part of an undo step, has only to find them here::

    made = run(generator, settings, key, base, progress, cancelled)
    deflate_layers(made.layers)     # on the job's thread
    ...
    encode_edit(step.edit)          # on the window's thread
"""

from __future__ import annotations

import threading
import zlib
from collections.abc import Iterable
from hashlib import sha256

from randomizer.model.basics.caches import register_bytes
from randomizer.model.map.layer import Layer
from randomizer.storage.records.npy import npy_bytes

LARGE = 1 << 16
"""In bytes: smaller parts are deflated together, since that is done at once."""

MOST_BYTES = 3 << 20
"""How much is remembered, deflated; a layer of a million cells takes 0.4 to 1 MB."""
register_bytes(f"{__name__}.MOST_BYTES", MOST_BYTES)

_LEVEL = 1
"""The deflate level: fast, since a stroke waits for it."""

_ZLIB_HEADER = b"\x78\x01"  # RFC 1950: a window of 32 KB, the fastest level


class DeflatedParts:
    """Deflated parts by the digests of what they hold, those used last."""

    def __init__(self) -> None:
        self._parts: dict[bytes, bytes] = {}
        self._bytes = 0
        self._lock = threading.Lock()

    @property
    def size(self) -> int:
        """The bytes that the parts take together, at most ``MOST_BYTES``."""
        return self._bytes

    def parts(self) -> list[bytes]:
        """Return the deflated parts, the one used last at the end."""
        with self._lock:
            return list(self._parts.values())

    def clear(self) -> None:
        """Forget all parts."""
        with self._lock:
            self._parts.clear()
            self._bytes = 0

    def get(self, digest: bytes) -> bytes | None:
        """Return the deflated part of a digest, None if it is not remembered."""
        with self._lock:
            part = self._parts.pop(digest, None)
            if part is not None:
                self._parts[digest] = part
            return part

    def put(self, digest: bytes, part: bytes) -> None:
        """Remember a deflated part, and forget those that were used longest ago."""
        with self._lock:
            self._bytes += len(part) - len(self._parts.pop(digest, b""))
            self._parts[digest] = part
            while self._bytes > MOST_BYTES:
                self._bytes -= len(self._parts.pop(next(iter(self._parts))))


REMEMBERED = DeflatedParts()


def deflate_layers(layers: Iterable[Layer]) -> None:
    """Deflate the planes of layers that are going to be encoded as they are now."""
    for layer in layers:
        for plane in layer.planes.values():
            if plane.nbytes >= LARGE:
                _blocks_of(npy_bytes(plane))


def deflated(head: bytes, parts: Iterable[bytes]) -> bytes:
    """Return the head and the parts one after the other as one zlib stream (RFC 1950).

    Equal parts give equal bytes, whether they were remembered or not. A head is never remembered.
    """
    compressor = zlib.compressobj(_LEVEL, wbits=-zlib.MAX_WBITS)
    blocks = [_ZLIB_HEADER, compressor.compress(head)]
    checksum = zlib.adler32(head)
    for part in parts:
        checksum = zlib.adler32(part, checksum)
        if len(part) < LARGE:
            blocks.append(compressor.compress(part))
        else:  # a full flush: no block refers to what stands before it
            blocks += compressor.flush(zlib.Z_FULL_FLUSH), _blocks_of(part)
    return b"".join((*blocks, compressor.flush(), checksum.to_bytes(4, "big")))


def _blocks_of(part: bytes) -> bytes:
    """Return a large part as whole blocks of deflate (RFC 1951), none of them the last of a
    stream.
    """
    digest = sha256(part).digest()
    blocks = REMEMBERED.get(digest)
    if blocks is None:
        blocks = deflate_large(part)
        REMEMBERED.put(digest, blocks)
    return blocks


def deflate_large(part: bytes) -> bytes:
    """Deflate a large part by itself, see ``_blocks_of``."""
    deflate = zlib.compressobj(_LEVEL, wbits=-zlib.MAX_WBITS)
    return deflate.compress(part) + deflate.flush(zlib.Z_FULL_FLUSH)
