"""Thousands of battlelands as JSON, an object a line, byte for byte as ``record_line`` writes each.

``batch_lines`` is called when a script's maps are written as JSON; it is faster than writing each
map alone. A line looks like this, with 27 hexes (the line is cut here):

    {"seed": 1, "number": 7, "title": null, ..., "hexes": {"A1": ["Bog", 0, " s    "], ...}}

The lines are rows of bytes with gaps (``byte_rows``), which are filled for all maps at once: the
number (``7``), the head (``, "title": null, ...``), and for each hex the terrain with the elevation
(``Bog", 0, "``) and the letters of its six sides.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from randomizer.batches.batch import Batch
from randomizer.systems.colossus.battleland.byte_rows import (
    ByteRows,
    Gap,
    Pieces,
    digit_pieces,
    pieces_of,
)
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


def batch_lines(batch: Batch, properties: Sequence[Mapping[str, Any]]) -> bytes:
    """Return the lines of all maps of a batch of battlelands, none of which failed.

    ``properties`` are those of each map, or one mapping for all. The columns of the batch must be
    the hexes by id, with hexsides.
    """
    assert batch.hexside is not None, "rolled with hexsides"
    assert np.array_equal(batch.cells, CELL_OF_HEX), "columns are hexes"

    # Prepare the pieces, and rows with gaps for them.
    terrain_indices, terrain_pieces = _terrain_pieces(batch)
    letter_indices = _letter_indices(batch.hexside)
    head_pieces = _head_pieces(properties)
    heads_of_maps = np.broadcast_to(head_pieces, len(batch))  # one head can be that of all maps
    segments = _segments(
        batch.seed,
        head_width=head_pieces.itemsize,
        terrain_width=terrain_pieces.itemsize,
    )
    rows = ByteRows(segments, row_count=min(ROWS_AT_ONCE, len(batch)))

    # Fill them with the pieces of each map, one chunk of maps after the other.
    chunks = []
    for first in range(0, len(batch), ROWS_AT_ONCE):
        maps = slice(first, first + ROWS_AT_ONCE)
        numbers = batch.numbers[maps]  # the last chunk can have fewer maps
        rows.fill("number", digit_pieces(numbers, DIGITS))
        rows.fill("head", heads_of_maps[maps])
        for hex_id, label in enumerate(LABELS):
            rows.fill(_terrain_gap(label), terrain_pieces[terrain_indices[hex_id, maps]])
            rows.fill(_letters_gap(label), _LETTER_PIECES[letter_indices[hex_id, maps]])
        chunks.append(rows.lines(len(numbers)))
    return b"".join(chunks)


def _segments(seed: int, *, head_width: int, terrain_width: int) -> list[bytes | Gap]:
    """Return the texts and the gaps of a line, in their order. Widths are in bytes."""
    segments: list[bytes | Gap] = [
        b'{"seed": %d, "number": ' % seed,
        Gap("number", DIGITS),
        Gap("head", head_width),
        b', "hexes": {',
    ]
    for label in LABELS:
        if label != LABELS[0]:
            segments.append(b", ")
        segments.append(f'"{label}": ["'.encode("ascii"))
        segments.append(Gap(_terrain_gap(label), terrain_width))
        segments.append(Gap(_letters_gap(label), 6))
        segments.append(b'"]')
    segments.append(b"}}\n")
    return segments


def _terrain_gap(label: str) -> str:
    """Return the name of the gap for the terrain and the elevation of a hex."""
    return f"{label} terrain"


def _letters_gap(label: str) -> str:
    """Return the name of the gap for the six hexside letters of a hex."""
    return f"{label} letters"


# --- pieces -------------------------------------------------------------------------------------


def _head_pieces(properties: Sequence[Mapping[str, Any]]) -> Pieces:
    """Return the texts between the number and ``"hexes"``, for each mapping of ``properties``.

    They are title, subtitle, tower and start list, with a comma before the first.
    """
    known_heads: dict[tuple[Any, ...], bytes] = {}
    heads = []
    for values in properties:
        key = tuple(values.items())
        if key not in known_heads:  # most maps have the same properties
            head = head_of(values, None, None)
            del head["seed"]
            del head["number"]
            without_braces = record_line(head)[1:-1]
            known_heads[key] = f", {without_braces}".encode("ascii")
        heads.append(known_heads[key])
    return pieces_of(heads)


def _terrain_pieces(batch: Batch) -> tuple[NDArray[np.intp], Pieces]:
    """Return the index of a piece for every hex and map, (27, n), and the pieces.

    A piece is the text of a terrain and an elevation (``_terrain_text``). There is one for each
    terrain with each *level*, an elevation that occurs in the batch, ordered by terrain.
    """
    levels, level_indices = _levels(batch.elevation.T)
    texts = list[bytes]()
    for terrain in range(len(COLOSSUS.terrains)):
        texts += (_terrain_text(terrain, level).encode("ascii") for level in levels)
    indices = batch.terrain.T * np.intp(len(levels)) + level_indices
    return indices, pieces_of(texts)


def _levels(elevation: NDArray[Any]) -> tuple[list[int], NDArray[np.intp]]:
    """Return the elevations that occur, and the index among these of each value, in its shape.

    ``np.unique`` would do the same, but sorts all values, which takes many times as long. Seen as
    unsigned numbers elevations can be counted, and be indices of a table: -1 is 65535.
    """
    unsigned = elevation.astype(np.int16, copy=False).view(np.uint16)
    unsigned_levels = np.flatnonzero(np.bincount(unsigned.ravel("K"), minlength=LEVELS))
    index_of_level = np.zeros(LEVELS, np.intp)
    index_of_level[unsigned_levels] = range(unsigned_levels.size)
    levels = unsigned_levels.astype(np.uint16).view(np.int16).tolist()
    return levels, index_of_level[unsigned]


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


_LETTER_PIECES = pieces_of(list(_six_letters()))
"""The six letters of a hex for every combination of its hexsides."""
