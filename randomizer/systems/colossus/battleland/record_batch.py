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
"""The largest number of digits of a map's number."""

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

    # Prepare the pieces, and a row with room for them.
    states, state_pieces = _states(batch)
    sides = _sides(batch.hexside)
    head_before, heads_after = _heads(properties, batch.seed)
    row, slots = _row(head_before, heads_after.itemsize, state_pieces.itemsize)

    # Fill copies of the row with the pieces of each map.
    matrix = np.zeros(min(ROWS, len(batch)), slots)
    matrix.view((np.uint8, len(row)))[:] = np.frombuffer(row, np.uint8)
    lines = []
    for first in range(0, len(batch), ROWS):
        part = slice(first, first + ROWS)
        rows = matrix[: len(batch) - first]
        rows["number"] = _digits(batch.numbers[part])
        if heads_after.size == 1:
            rows["head"] = heads_after
        else:
            rows["head"] = heads_after[part]
        for number, label in enumerate(LABELS):
            rows[label] = state_pieces[states[number, part]]
            rows[f"{label} sides"] = _SIDES[sides[number, part]]
        lines.append(rows.tobytes().translate(None, b"\0"))
    return b"".join(lines)


def _heads(properties: Sequence[Mapping[str, Any]], seed: int) -> tuple[bytes, Pieces]:
    """Return the text before the number, the same in all lines, and the text behind it.

    The second has a piece for each mapping of ``properties``.
    """
    heads: dict[tuple[Any, ...], bytes] = {}
    head_before = b""
    heads_after = []
    for values in properties:
        key = tuple(values.items())
        if key not in heads:  # most maps have the same
            line = record_line(head_of(values, seed, None)).encode("ascii")
            head_before, heads[key] = line[:-1].split(b'"number": null')
        heads_after.append(heads[key])
    return head_before, _pieces(heads_after)


def _row(before: bytes, head: int, state: int) -> tuple[bytes, np.dtype[np.void]]:
    """Return a row with null bytes where maps differ, and these gaps as a structured type.

    The type has the fields "number", "head", and for each hex its label and "LABEL sides".
    ``before`` begins every line. ``head`` and ``state`` are widths in bytes: of the text behind the
    number, and of the pieces of terrain and elevation.
    """
    row = _RowWithGaps()
    row.add_text(before + b'"number": ')
    row.add_gap("number", DIGITS)
    row.add_gap("head", head)

    # The line of a blank battleland, cut at the terrains, elevations and letters of its hexes.
    hexes = record_line({"hexes": dict.fromkeys(LABELS, hex_entry(0, 0, (0,) * 6))})
    first_text, *texts_between = hexes.split(_state_text(0, 0) + LETTERS[0] * 6)
    row.add_text(f", {first_text.removeprefix('{')}".encode("ascii"))
    for label, text in zip(LABELS, texts_between, strict=True):
        row.add_gap(label, state)
        row.add_gap(f"{label} sides", 6)
        row.add_text(text.encode("ascii"))
    row.add_text(b"\n")
    return row.bytes, row.type()


class _RowWithGaps:
    """A row of bytes while it is put together from texts and from gaps, which have names."""

    def __init__(self) -> None:
        self.bytes = b""
        self._names = list[str]()
        self._formats = list[str]()
        self._offsets = list[int]()

    def add_text(self, text: bytes) -> None:
        """Add bytes that are the same in all rows."""
        self.bytes += text

    def add_gap(self, name: str, width: int) -> None:
        """Add null bytes in the place of a piece."""
        self._names.append(name)
        self._formats.append(f"V{width}")
        self._offsets.append(len(self.bytes))
        self.bytes += bytes(width)

    def type(self) -> np.dtype[np.void]:
        """Return the structured type of the row, whose fields are the gaps."""
        gaps = {
            "names": self._names,
            "formats": self._formats,
            "offsets": self._offsets,
            "itemsize": len(self.bytes),
        }
        # A mapping of these four is a dtype, which numpy's stubs do not know.
        row_type: np.dtype[np.void] = np.dtype(gaps)  # type: ignore[call-overload]
        return row_type


def _digits(numbers: NDArray[np.uint64]) -> Pieces:
    """Return the numbers in decimal digits, (n,), with null bytes before the first digit."""
    digits = np.zeros((DIGITS, numbers.size), np.uint8)
    last = DIGITS - 1
    quotients = numbers
    for position in range(last, -1, -1):
        next_quotients = quotients // np.uint64(10)
        digits[position] = quotients - next_quotients * np.uint64(10) + np.uint64(ord("0"))
        if position < last:  # the number 0 has one digit, others none before their first
            digits[position][quotients == 0] = 0
        quotients = next_quotients
        if not quotients.any():
            break
    return np.ascontiguousarray(digits.T).view(f"V{DIGITS}").reshape(-1)


def _states(batch: Batch) -> tuple[NDArray[np.intp], Pieces]:
    """Return the index of a piece for every hex and map, (27, n), and the pieces.

    A piece is the text of a terrain and an elevation (``_state_text``). There is one for each
    terrain with each elevation that occurs in the batch.
    """
    elevation = batch.elevation.astype(np.int16, copy=False).view(np.uint16).T
    # As unsigned numbers elevations can be counted, and be indices.
    levels = np.flatnonzero(np.bincount(elevation.ravel("K"), minlength=LEVELS))
    index_of_level = np.zeros(LEVELS, np.intp)
    index_of_level[levels] = range(levels.size)
    signed_levels = levels.astype(np.uint16).view(np.int16).tolist()
    texts = list[bytes]()
    for terrain in range(len(COLOSSUS.terrains)):
        texts += (_state_text(terrain, level).encode("ascii") for level in signed_levels)
    states = batch.terrain.T * np.intp(levels.size) + index_of_level[elevation]
    return states, _pieces(texts)


def _state_text(terrain: int, elevation: int) -> str:
    """Return the text of a line from the name of a terrain to the letters: ``Volcano", 2, "``."""
    return record_line(hex_entry(terrain, elevation, ())).removeprefix('["').removesuffix('"]')


def _sides(hexside: NDArray[Any]) -> NDArray[np.intp]:
    """Return the index in ``_SIDES`` for every hex and map, (27, n).

    It is a number whose six digits are the hexsides, with one value of a digit for each letter.
    """
    codes = np.zeros((HEX_COUNT, len(hexside)), np.intp)
    for side in range(6):
        codes *= len(LETTERS)
        codes += hexside[:, :, side].T
    return codes


def _six_letters() -> Iterator[bytes]:
    """Yield all combinations of six letters in the order of the numbers of ``_sides``."""
    for codes in np.ndindex(*(len(LETTERS),) * 6):
        yield "".join(LETTERS[code] for code in codes).encode("ascii")


def _pieces(texts: list[bytes]) -> Pieces:
    """Return texts as an array of pieces, as wide as the longest."""
    array = np.array(texts, np.bytes_)
    return array.view(f"V{array.itemsize}")


_SIDES = _pieces(list(_six_letters()))
"""The six letters of a hex for every combination of its hexsides."""
