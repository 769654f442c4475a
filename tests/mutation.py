"""Damages project files as a fuzzer does: flipped bytes, other values in JSON and in arrays."""

from __future__ import annotations

import io
import json
import random
import zipfile
from typing import Any

Parts = dict[str, bytes]

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
    """The parts of a project file by name."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(parts: Parts) -> bytes:
    """A project file of these parts."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return file.getvalue()


def mutated(data: bytes, draw: random.Random) -> bytes:
    """The file with one to three damages of one kind."""
    damage = draw.choice(
        [_flip, _exchange_json, _exchange_json, _exchange_values, _exchange_values]
    )
    for _ in range(draw.randint(1, 3)):
        data = damage(data, draw)
    return data


def _flip(data: bytes, draw: random.Random) -> bytes:
    changed = bytearray(data)
    changed[draw.randrange(len(changed))] ^= 1 << draw.randrange(8)
    return bytes(changed)


def _exchange_values(data: bytes, draw: random.Random) -> bytes:
    """Other bytes in an array, sometimes in its header, or the array of another plane."""
    parts = unpacked(data)
    names = [name for name in parts if name.endswith(".npy")]
    if not names:
        return data
    name = draw.choice(names)
    if draw.random() < 0.2:
        parts[name] = parts[draw.choice(names)]
        return packed(parts)
    array = bytearray(parts[name])
    start = 0 if draw.random() < 0.1 else 128
    for _ in range(draw.choice([1, 1, 20])):
        new = draw.choice([draw.randrange(256), draw.choice(array)])
        array[draw.randrange(min(start, len(array) - 1), len(array))] = new
    parts[name] = bytes(array)
    return packed(parts)


def _exchange_json(data: bytes, draw: random.Random) -> bytes:
    """Another value somewhere in ``map.json``."""
    parts = unpacked(data)
    record = json.loads(parts["map.json"])
    exchanged(record, draw)
    return packed({**parts, "map.json": json.dumps(record).encode()})


def exchanged(record: Any, draw: random.Random) -> None:
    """Put another value somewhere into JSON data; or take one away, double it, nest it deeply."""
    places = _places(record)
    owner, key = draw.choice(places)
    doing = draw.random()
    if doing < 0.1:
        del owner[key]
    elif doing < 0.2 and isinstance(owner, list):
        owner.append(owner[key])
    elif doing < 0.25 and isinstance(owner, dict):
        owner["unknown"] = owner[key]
    elif doing < 0.3:
        owner[key] = json.loads("[" * 60 + "]" * 60)
    elif doing < 0.45:
        other, its = draw.choice(places)
        owner[key] = json.loads(json.dumps(other[its]))
    else:
        owner[key] = draw.choice(VALUES)


def _places(record: Any) -> list[tuple[Any, Any]]:
    """Every place of a value: its dict or list, and its key there."""
    found: list[tuple[Any, Any]] = []
    waiting = [record]
    while waiting:
        value = waiting.pop()
        keys: Any = value if isinstance(value, dict) else range(len(value))
        for key in keys:
            found.append((value, key))
            if isinstance(value[key], dict | list):
                waiting.append(value[key])
    return found
