"""Zip files whose directory is as long as a test asks for; its entries are empty files."""

from __future__ import annotations

import struct
from pathlib import Path

_ENTRY = struct.Struct("<4s6H3I5H2I")
_END = struct.Struct("<4s4H2IH")


def write_directory(path: Path, count: int, name_length: int = 5, name: str = "{}") -> Path:
    """Write a zip file that lists ``count`` entries.

    Each has a name like ``name`` with a number of ``name_length`` digits in it.
    """
    rows = []
    for number in range(count):
        data = name.format(f"{number:0{name_length}}").encode()
        sizes = (len(data), 0, 0, 0, 0)
        rows.append(_ENTRY.pack(b"PK\x01\x02", 20, 20, 0, 0, 0, 33, 0, 0, 0, *sizes, 0, 0) + data)
    directory = b"".join(rows)
    end = _END.pack(b"PK\x05\x06", 0, 0, count, count, len(directory), 0, 0)
    path.write_bytes(directory + end)
    return path
