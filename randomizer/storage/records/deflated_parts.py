"""Compresses (deflates) the large planes of layers once, and remembers the result by their content.

Each undo step is written to the disk on the window's thread, and deflating a plane of a million
cells takes long enough to be felt. So a job that makes whole layers deflates their planes on its
own thread, and the window's thread only finds them here::

    generated = run(generator, settings, key, base, progress, cancelled)
    deflate_layers(generated.layers)        # on the job's thread
    ...
    encode_edit_for_journal(step.edit)      # on the window's thread; it calls ``deflated``

A *part* is the bytes of one array or text of the step.
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
"""The bytes from which a part is deflated by itself and remembered; smaller parts take no time that
is felt."""

MAX_BYTES = 3 << 20
"""The bytes of deflated parts that are remembered; a layer of a million cells takes 0.4 to 1 MB."""
register_bytes(f"{__name__}.MAX_BYTES", MAX_BYTES)

_LEVEL = 1
"""The deflate level: fast, since a stroke waits for it."""

_ZLIB_HEADER = b"\x78\x01"
"""The first bytes of a zlib stream (RFC 1950): a window of 32 KB, and the fastest level."""


class DeflatedParts:
    """The deflated parts that were used last, by the SHA-256 of what they hold.

    Any thread may call.
    """

    def __init__(self) -> None:
        self._parts: dict[bytes, bytes] = {}
        """The deflated parts by their digests, the one used longest ago first."""
        self._bytes = 0
        """The bytes that they take together."""
        self._lock = threading.Lock()
        """Guards both."""

    @property
    def size(self) -> int:
        """The bytes that the parts take together, at most ``MAX_BYTES``."""
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
                self._parts[digest] = part  # at the end again: it is the one used last
            return part

    def put(self, digest: bytes, part: bytes) -> None:
        """Remember a deflated part, and forget those that were used longest ago.

        One that is larger than ``MAX_BYTES`` is forgotten at once, with all others.
        """
        with self._lock:
            replaced_part = self._parts.pop(digest, b"")
            self._parts[digest] = part
            self._bytes += len(part) - len(replaced_part)
            while self._bytes > MAX_BYTES:
                oldest_digest = next(iter(self._parts))
                oldest_part = self._parts.pop(oldest_digest)
                self._bytes -= len(oldest_part)


REMEMBERED = DeflatedParts()
"""The parts that this process remembers."""


def deflate_layers(layers: Iterable[Layer]) -> None:
    """Deflate the planes of layers that are going to be encoded as they are now."""
    for layer in layers:
        for plane in layer.planes.values():
            if plane.nbytes >= LARGE:
                _remember_blocks(npy_bytes(plane))


def deflated(head: bytes, parts: Iterable[bytes]) -> bytes:
    """Return the head and the parts one after the other as one zlib stream (RFC 1950).

    The stream is put together from pieces: small parts pass through one compressor, and between its
    output stand the blocks of large parts, deflated by themselves. Equal parts give equal bytes,
    whether they were remembered or not. The head is never remembered.
    """
    compressor = zlib.compressobj(_LEVEL, wbits=-zlib.MAX_WBITS)  # negative: without a header
    pieces = [_ZLIB_HEADER, compressor.compress(head)]
    checksum = zlib.adler32(head)
    for part in parts:
        checksum = zlib.adler32(part, checksum)
        if len(part) < LARGE:
            pieces.append(compressor.compress(part))
        else:
            # After a full flush later blocks refer to nothing before it, so that the blocks of
            # the part can stand in between.
            pieces.append(compressor.flush(zlib.Z_FULL_FLUSH))
            pieces.append(_remembered_blocks(part))
    pieces.append(compressor.flush())
    pieces.append(checksum.to_bytes(4, "big"))
    return b"".join(pieces)


def _remember_blocks(part: bytes) -> None:
    """Deflate a large part now, so that ``deflated`` finds its blocks."""
    _remembered_blocks(part)


def _remembered_blocks(part: bytes) -> bytes:
    """Return ``deflate_blocks`` of a large part, remembered from an earlier time if possible."""
    digest = sha256(part).digest()
    blocks = REMEMBERED.get(digest)
    if blocks is None:
        blocks = deflate_blocks(part)
        REMEMBERED.put(digest, blocks)
    return blocks


def deflate_blocks(part: bytes) -> bytes:
    """Return a large part as whole blocks of deflate (RFC 1951), after which others can follow."""
    compressor = zlib.compressobj(_LEVEL, wbits=-zlib.MAX_WBITS)
    return compressor.compress(part) + compressor.flush(zlib.Z_FULL_FLUSH)
