"""Thousands of battlelands as JSON, an object a line, byte for byte as ``record_line`` writes each.

The lines are laid into a matrix of bytes, a row a map. What is the same in all maps is filled in
once; number, terrains with elevations, and hexsides are looked up among prepared pieces. Pieces
that are shorter than others end in null bytes, which are taken out of the whole at the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from randomizer.batches.batch import Batch
from randomizer.systems.colossus.battleland.record_line import (
    LETTERS,
    head_of,
    hex_entry,
    record_line,
)
from randomizer.systems.colossus.board import CELL_OF_HEX, HEX_COUNT, LABELS
from randomizer.systems.colossus.terrain_set import COLOSSUS

ROWS = 4096
"""The number of maps laid at once: few enough for the processor's cache."""
DIGITS = 16
"""The most digits of a map's number."""
LEVELS = 1 << 16
"""The number of values of an elevation, int16."""

Pieces = NDArray[np.void]
"""Bytes of one width, an item each; shorter ones end in null bytes."""


def batch_lines(batch: Batch, properties: Sequence[Mapping[str, Any]]) -> bytes:
    """Return the lines of all maps of a batch of battlelands, none of which failed.

    ``properties`` are those of each map, or one mapping for all. The columns of the batch must be
    the hexes by id, with hexsides.
    """
    assert batch.hexside is not None, "rolled with hexsides"
    assert np.array_equal(batch.cells, CELL_OF_HEX), "columns are hexes"
    states, shown = _states(batch)
    sides = _sides(batch.hexside)
    head_before, heads_after = _heads(properties, batch.seed)
    row, slots = _row(head_before, heads_after.itemsize, shown.itemsize)
    matrix = np.zeros(min(ROWS, len(batch)), slots)
    matrix.view((np.uint8, len(row)))[:] = np.frombuffer(row, np.uint8)
    lines = []
    for first in range(0, len(batch), ROWS):
        part = slice(first, first + ROWS)
        rows = matrix[: len(batch) - first]
        rows["number"] = _digits(batch.numbers[part])
        rows["head"] = heads_after if heads_after.size == 1 else heads_after[part]
        for number, label in enumerate(LABELS):
            rows[label] = shown[states[number, part]]
            rows[f"{label} sides"] = _SIDES[sides[number, part]]
        lines.append(rows.tobytes().translate(None, b"\0"))
    return b"".join(lines)


def _heads(properties: Sequence[Mapping[str, Any]], seed: int) -> tuple[bytes, Pieces]:
    """Return what stands before the number, in all lines, and what follows it, for each mapping."""
    heads: dict[tuple[Any, ...], bytes] = {}
    head_before = b""
    heads_after = []
    for each in properties:
        key = tuple(each.items())
        if key not in heads:
            line = record_line(head_of(each, seed, None)).encode("ascii")
            head_before, heads[key] = line[:-1].split(b'"number": null')
        heads_after.append(heads[key])
    return head_before, _pieces(heads_after)


def _row(before: bytes, head: int, state: int) -> tuple[bytes, np.dtype[np.void]]:
    """Return a row with null bytes where maps differ, and those places as a structured type.

    ``before`` begins every line; ``head`` and ``state`` are the widths of what follows the number
    and of the pieces of terrain and elevation.
    """
    names = []
    widths = []
    places = []
    row = b""

    def leave(name: str, width: int) -> None:
        nonlocal row
        names.append(name)
        widths.append(width)
        places.append(len(row))
        row += bytes(width)

    row += before + b'"number": '
    leave("number", DIGITS)
    leave("head", head)
    hexes = record_line({"hexes": dict.fromkeys(LABELS, hex_entry(0, 0, (0,) * 6))})
    first, *others = hexes.split(_state_text(0, 0) + LETTERS[0] * 6)
    row += f", {first.removeprefix('{')}".encode("ascii")
    for label, following in zip(LABELS, others, strict=True):
        leave(label, state)
        leave(f"{label} sides", 6)
        row += following.encode("ascii")
    row += b"\n"
    formats = [f"V{each}" for each in widths]
    slots = {"names": names, "formats": formats, "offsets": places, "itemsize": len(row)}
    return row, np.dtype(slots)  # type: ignore[call-overload]  # a mapping of these four is a dtype


def _digits(numbers: NDArray[np.uint64]) -> Pieces:
    """Return the numbers in decimal digits (n,), null bytes before the first."""
    digits = np.zeros((DIGITS, numbers.size), np.uint8)
    left = numbers
    for place in reversed(range(DIGITS)):
        rest = left // np.uint64(10)
        digits[place] = left - rest * np.uint64(10) + np.uint64(ord("0"))
        if place < DIGITS - 1:
            digits[place][left == 0] = 0
        left = rest
        if not left.any():
            break
    return np.ascontiguousarray(digits.T).view(f"V{DIGITS}").reshape(-1)


def _states(batch: Batch) -> tuple[NDArray[np.intp], Pieces]:
    """For every hex and map the index of its piece (27, n), and the pieces (``_state_text``)."""
    elevation = batch.elevation.astype(np.int16, copy=False).view(np.uint16).T
    levels = np.flatnonzero(np.bincount(elevation.ravel("K"), minlength=LEVELS))
    rank = np.zeros(LEVELS, np.intp)
    rank[levels] = range(levels.size)
    pieces = [
        _state_text(terrain, level).encode("ascii")
        for terrain in range(len(COLOSSUS.terrains))
        for level in levels.astype(np.uint16).view(np.int16).tolist()
    ]
    states = batch.terrain.T * np.intp(levels.size) + rank[elevation]
    return states, _pieces(pieces)


def _state_text(terrain: int, elevation: int) -> str:
    """Return what stands in a line from a terrain's name on up to the letters: ``Volcano", 2,
    "``.
    """
    return record_line(hex_entry(terrain, elevation, ())).removeprefix('["').removesuffix('"]')


def _sides(hexside: NDArray[Any]) -> NDArray[np.intp]:
    """For every hex and map the index in ``_SIDES`` (27, n)."""
    codes = np.zeros((HEX_COUNT, len(hexside)), np.intp)
    for side in range(6):
        codes *= len(LETTERS)
        codes += hexside[:, :, side].T
    return codes


def _six_letters() -> Iterator[bytes]:
    for codes in np.ndindex(*(len(LETTERS),) * 6):
        yield "".join(LETTERS[code] for code in codes).encode("ascii")


def _pieces(texts: list[bytes]) -> Pieces:
    array = np.array(texts, np.bytes_)
    return array.view(f"V{array.itemsize}")


_SIDES = _pieces(list(_six_letters()))
"""The six letters of a hex for every combination of its hexsides."""
