"""The head of a journal: what its last write was, in a file of its own.

SQLite leaves out a damaged frame of its log, and all behind it, without a word. The head is written
after every commit, in turn to one of two slots, and says which state the log must lead to. It is
not forced to the disk: after a power cut it may be some seconds behind the log, never before it
(docs/adr/0011).
"""

from __future__ import annotations

import os
import struct
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from randomizer.storage.regular_files import open_regular, read_regular

VERSION = 6
"""The version of journals; others are not read."""

HEAD = "head"
_SLOT = 4096
_MAGIC = b"BLh%d" % VERSION
_NAME = 160
_FORM = struct.Struct(f"<4sQQQqd32s16s{_NAME}s")
LENGTH = _FORM.size + 32
"""Of a head, in bytes. A file that is shorter is that of a program killed in its first write."""


@dataclass(frozen=True, slots=True)
class Head:
    """The state after the write with the number ``serial``.

    ``count``, ``position``, ``saved`` and ``changed`` are those of ``Journal``. ``digest`` is that
    of the last step, ``base`` the file of the base, ``name`` that of the map, cut off.
    """

    serial: int = 0
    count: int = 0
    position: int = 0
    saved: int = -1
    changed: float = 0.0
    digest: bytes = b""
    base: str = ""
    name: str = ""


class HeadFile:
    """The head of a journal that is being written. Raises OSError, or NotAFileError."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / HEAD
        self._handle = open_regular(self.path, os.O_RDWR | os.O_CREAT)

    def write(self, head: Head) -> None:
        """Write the head to its slot."""
        os.lseek(self._handle, head.serial % 2 * _SLOT, os.SEEK_SET)
        os.write(self._handle, _packed(head))

    def end(self) -> None:
        """Write that nothing is kept any more."""
        os.lseek(self._handle, 0, os.SEEK_SET)
        os.write(self._handle, _packed(Head()).ljust(2 * _SLOT, b"\0"))

    def close(self) -> None:
        """Release the file."""
        os.close(self._handle)


def read_head(folder: Path) -> Head | None:
    """The latest head; None if there is none that is whole. Raises OSError."""
    try:
        data = read_regular(folder / HEAD, 2 * _SLOT)
    except (FileNotFoundError, ValueError):
        return None
    found = [head for head in map(_unpacked, (data[:_SLOT], data[_SLOT:])) if head is not None]
    return max(found, default=None, key=lambda head: head.serial)


def _packed(head: Head) -> bytes:
    name = head.name.encode("utf-8", "replace")[:_NAME].decode("utf-8", "ignore").encode()
    numbers = (head.serial, head.count, head.position, head.saved, head.changed)
    packed = _FORM.pack(_MAGIC, *numbers, head.digest, head.base.encode(), name)
    return packed + sha256(packed).digest()


def _unpacked(data: bytes) -> Head | None:
    packed, digest = data[: _FORM.size], data[_FORM.size : _FORM.size + 32]
    if sha256(packed).digest() != digest or not packed.startswith(_MAGIC):
        return None
    _magic, *numbers, base, name = _FORM.unpack(packed)
    texts = (text.rstrip(b"\0").decode("utf-8", "ignore") for text in (base, name))
    return Head(*numbers, *texts)
