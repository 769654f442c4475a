"""Damages project files as a fuzzer does: flipped bytes, other values in JSON and in arrays.

    damaged = mutated(data, random.Random(7))

Tests open what comes out: it is read, or refused with a reason, but nothing else happens.
"""

from __future__ import annotations

import io
import json
import random
import zipfile
from typing import Any

Parts = dict[str, bytes]
"""The members of a project file, which is a zip file, by name."""

_NPY_HEADER = 128
"""The usual size of the header of an array's file (.npy), in bytes; behind it are the values."""

VALUES: tuple[Any, ...] = (
    None,
    True,
    False,
    -1,
    0,
    1,
    7,
    255,
    2**31,
    2**53,
    2**62,
    2**63,
    10**30,
    0.5,
    -0.0,
    1e300,
    float("nan"),
    "",
    "x",
    "terrain",
    "\0",
    "\ud800",
    "\u202e" * 50,
    "y" * 5000,
    [],
    {},
    [[]],
    [None] * 600,
    {"": ""},
)
"""Values that replace others in ``map.json``."""


def unpacked(data: bytes) -> Parts:
    """Return the parts of a project file by name."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(parts: Parts) -> bytes:
    """Return a project file of these parts."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return file.getvalue()


def mutated(data: bytes, draw: random.Random) -> bytes:
    """Return the file with one to three damages of one kind."""
    # Flipped bits are seen by the checksums of the zip file at once, so they are rarer.
    damage = draw.choice(
        [_flip_bit, _exchange_json, _exchange_json, _exchange_values, _exchange_values]
    )
    for _ in range(draw.randint(1, 3)):
        data = damage(data, draw)
    return data


def _flip_bit(data: bytes, draw: random.Random) -> bytes:
    """Return the file with another bit somewhere."""
    changed = bytearray(data)
    changed[draw.randrange(len(changed))] ^= 1 << draw.randrange(8)
    return bytes(changed)


def _exchange_values(data: bytes, draw: random.Random) -> bytes:
    """Return the file with other bytes in an array, or with the array of another plane.

    The bytes are in its values, now and then in its header.
    """
    parts = unpacked(data)
    names = [name for name in parts if name.endswith(".npy")]
    if not names:
        return data
    name = draw.choice(names)
    if draw.random() < 0.2:
        parts[name] = parts[draw.choice(names)]
        return packed(parts)
    array = bytearray(parts[name])
    start = _NPY_HEADER
    if draw.random() < 0.1:
        start = 0
    for _ in range(draw.choice([1, 1, 20])):
        new_byte = draw.choice([draw.randrange(256), draw.choice(array)])
        array[draw.randrange(min(start, len(array) - 1), len(array))] = new_byte
    parts[name] = bytes(array)
    return packed(parts)


def _exchange_json(data: bytes, draw: random.Random) -> bytes:
    """Return the file with another value somewhere in ``map.json``."""
    parts = unpacked(data)
    record = json.loads(parts["map.json"])
    exchanged(record, draw)
    return packed({**parts, "map.json": json.dumps(record).encode()})


def exchanged(record: Any, draw: random.Random) -> None:
    """Change one value somewhere in JSON data, in place.

    It gets another value, is removed, doubled, nested too deeply, or replaced by a copy of a value
    from elsewhere in the data.
    """
    positions = _positions(record)
    owner, key = draw.choice(positions)
    kind = draw.random()  # which of these happens
    if kind < 0.1:
        del owner[key]
    elif kind < 0.2 and isinstance(owner, list):
        owner.append(owner[key])
    elif kind < 0.25 and isinstance(owner, dict):
        owner["unknown"] = owner[key]
    elif kind < 0.3:
        owner[key] = json.loads("[" * 60 + "]" * 60)
    elif kind < 0.45:
        source_owner, source_key = draw.choice(positions)
        owner[key] = json.loads(json.dumps(source_owner[source_key]))  # a deep copy
    else:
        owner[key] = draw.choice(VALUES)


def _positions(record: Any) -> list[tuple[Any, Any]]:
    """Return where each value is, however deep: its dict or list, and its key or index there."""
    positions: list[tuple[Any, Any]] = []
    waiting = [record]
    while waiting:
        owner = waiting.pop()
        keys: Any = range(len(owner))
        if isinstance(owner, dict):
            keys = owner
        for key in keys:
            positions.append((owner, key))
            if isinstance(owner[key], dict | list):
                waiting.append(owner[key])
    return positions
