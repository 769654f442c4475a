"""Thousands of battlelands as JSON, an object a line, byte for byte as ``record_line`` writes each.

``batch_lines`` is called when a script's maps are written as JSON; it is faster than writing each
map alone. A line looks like this, with 27 hexes (the line is cut here):

    {"seed": 1, "number": 7, "title": null, ..., "hexes": {"A1": ["Bog", 0, " s    "], ...}}

The idea: the lines are written into a matrix of bytes, a row a map. The text that all maps have in
common is copied into every row at once. It has gaps for the parts that differ, and these are filled
a column at a time from prepared pieces: the number (``7``), the head (``, "title": null, ...``),
and for each hex the terrain with the elevation (``Bog", 0, "``) and the letters of its six sides. A
piece that is narrower than its gap is filled up with null bytes, which are removed at the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

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

ROWS_AT_ONCE = 4096
"""The number of maps whose rows are filled at once: few enough for the processor's cache."""

DIGITS = 16
"""The largest number of digits of a map's number; larger numbers are refused."""

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

    # Prepare the pieces, and a row with gaps for them.
    terrain_indices, terrain_pieces = _terrain_pieces(batch)
    letter_indices = _letter_indices(batch.hexside)
    heads = _heads(properties, batch.seed)
    row, row_type = _row_template(
        heads.text_before_number,
        head_width=heads.pieces.itemsize,
        terrain_width=terrain_pieces.itemsize,
    )

    # Fill copies of the row with the pieces of each map. The matrix is used again for each chunk:
    # its gaps are overwritten, and the text between them stays.
    matrix = np.zeros(min(ROWS_AT_ONCE, len(batch)), row_type)
    matrix.view((np.uint8, len(row)))[:] = np.frombuffer(row, np.uint8)  # seen as (maps, bytes)
    heads_of_maps = np.broadcast_to(heads.pieces, len(batch))  # one head can be that of all maps
    chunks = []
    for first in range(0, len(batch), ROWS_AT_ONCE):
        maps = slice(first, first + ROWS_AT_ONCE)
        rows = matrix[: len(batch) - first]  # the last chunk can have fewer maps
        rows["number"] = _digits(batch.numbers[maps])
        rows["head"] = heads_of_maps[maps]
        for hex_id, label in enumerate(LABELS):
            rows[label] = terrain_pieces[terrain_indices[hex_id, maps]]
            rows[_letters_gap(label)] = _LETTER_PIECES[letter_indices[hex_id, maps]]
        chunks.append(rows.tobytes().translate(None, b"\0"))
    return b"".join(chunks)


class _Heads(NamedTuple):
    """The texts around the number of a map."""

    text_before_number: bytes
    """What all lines have in common."""

    pieces: Pieces
    """The heads behind it, one for each map, or one for all."""


def _heads(properties: Sequence[Mapping[str, Any]], seed: int) -> _Heads:
    """Return the texts around the number, with a head for each mapping of ``properties``.

    A head is the text between the number and ``"hexes"``: title, subtitle, tower and start list.
    """
    known_heads: dict[tuple[Any, ...], bytes] = {}
    text_before_number = b""
    heads = []
    for values in properties:
        key = tuple(values.items())
        if key not in known_heads:  # most maps have the same properties
            line = record_line(head_of(values, seed, None)).encode("ascii")
            without_brace = line.removesuffix(b"}")
            # No title can contain this text: its quotes would have backslashes before them.
            text_before_number, known_heads[key] = without_brace.split(b'"number": null')
        heads.append(known_heads[key])
    return _Heads(text_before_number, _pieces(heads))


def _row_template(
    text_before_number: bytes, *, head_width: int, terrain_width: int
) -> tuple[bytes, np.dtype[np.void]]:
    """Return a row with null bytes in its gaps, and a structured type whose fields are the gaps.

    The fields are "number", "head", and for each hex its label (terrain and elevation) and
    ``_letters_gap`` of the label. Widths are in bytes.
    """
    row = _RowWithGaps()
    row.add_text(text_before_number + b'"number": ')
    row.add_gap("number", DIGITS)
    row.add_gap("head", head_width)

    # The line of a blank battleland, cut at the terrains, elevations and letters of its hexes.
    hexes = record_line({"hexes": dict.fromkeys(LABELS, hex_entry(0, 0, (0,) * 6))})
    first_text, *texts_between = hexes.split(_terrain_text(0, 0) + LETTERS[0] * 6)
    row.add_text(f", {first_text.removeprefix('{')}".encode("ascii"))
    for label, text in zip(LABELS, texts_between, strict=True):
        row.add_gap(label, terrain_width)
        row.add_gap(_letters_gap(label), 6)
        row.add_text(text.encode("ascii"))
    row.add_text(b"\n")
    return row.bytes, row.type()


def _letters_gap(label: str) -> str:
    """Return the name of the gap for the six hexside letters of a hex."""
    return f"{label} letters"


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
    """Return the numbers in decimal digits, (n,), with null bytes before the first digit.

    The digits of all numbers are computed together, from the last one (the units) to the first.
    """
    assert int(numbers.max(initial=0)) < 10**DIGITS, "no map has so large a number"
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


def _terrain_pieces(batch: Batch) -> tuple[NDArray[np.intp], Pieces]:
    """Return the index of a piece for every hex and map, (27, n), and the pieces.

    A piece is the text of a terrain and an elevation (``_terrain_text``). There is one for each
    terrain with each elevation that occurs in the batch, ordered by terrain.
    """
    # As unsigned numbers elevations can be counted, and be indices; ``np.unique`` would sort them,
    # which takes many times as long.
    elevation = batch.elevation.astype(np.int16, copy=False).view(np.uint16).T
    levels = np.flatnonzero(np.bincount(elevation.ravel("K"), minlength=LEVELS))
    index_of_level = np.zeros(LEVELS, np.intp)
    index_of_level[levels] = range(levels.size)
    signed_levels = levels.astype(np.uint16).view(np.int16).tolist()
    texts = list[bytes]()
    for terrain in range(len(COLOSSUS.terrains)):
        texts += (_terrain_text(terrain, level).encode("ascii") for level in signed_levels)
    indices = batch.terrain.T * np.intp(levels.size) + index_of_level[elevation]
    return indices, _pieces(texts)


def _terrain_text(terrain: int, elevation: int) -> str:
    """Return the text of a line from the name of a terrain to the letters: ``Volcano", 2, "``."""
    return record_line(hex_entry(terrain, elevation, ())).removeprefix('["').removesuffix('"]')


def _letter_indices(hexside: NDArray[Any]) -> NDArray[np.intp]:
    """Return the index in ``_LETTER_PIECES`` for every hex and map, (27, n).

    ``hexside`` are plane values, (n, 27, 6). The six values of a hex are the digits of its index,
    in the base of the number of letters: 0 0 0 0 1 2 gives 1 * 6 + 2 for six letters.
    """
    indices = np.zeros((HEX_COUNT, len(hexside)), np.intp)
    for side in range(6):
        indices *= len(LETTERS)
        indices += hexside[:, :, side].T
    return indices


def _six_letters() -> Iterator[bytes]:
    """Yield all combinations of six letters, in the order of the indices of ``_letter_indices``."""
    for codes in np.ndindex(*(len(LETTERS),) * 6):
        yield "".join(LETTERS[code] for code in codes).encode("ascii")


def _pieces(texts: list[bytes]) -> Pieces:
    """Return texts as an array of pieces, as wide as the longest."""
    array = np.array(texts, np.bytes_)
    return array.view(f"V{array.itemsize}")


_LETTER_PIECES = _pieces(list(_six_letters()))
"""The six letters of a hex for every combination of its hexsides."""
