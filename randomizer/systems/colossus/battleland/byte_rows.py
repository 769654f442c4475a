"""Rows of text that are alike but for some gaps, written as a matrix of bytes, a row a line.

    rows = ByteRows([b'{"number": ', Gap("number", 16), b"}\\n"], row_count=2)
    rows.fill("number", digit_pieces(np.array([7, 12], np.uint64), 16))
    rows.lines(2)                                   # b'{"number": 7}\\n{"number": 12}\\n'

That is much faster than to make each line of its parts: a gap is filled in all rows at once, from
*pieces*, an array of bytes of one width. A piece that is narrower than its gap is filled up with
null bytes, which ``lines`` leaves out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Pieces = NDArray[np.void]
"""Bytes of one width, an item each, (n,); in shorter ones null bytes fill up the width."""


class Gap(NamedTuple):
    """A part of a row that differs from row to row."""

    name: str
    width: int
    """The number of bytes that there is room for."""


class ByteRows:
    """Rows of bytes with the same text, which goes on or has a gap with each segment."""

    def __init__(self, segments: Sequence[bytes | Gap], row_count: int) -> None:
        """Make so many rows, whose gaps are still empty."""
        names = []
        formats = []
        offsets = []
        row = b""
        for segment in segments:
            if isinstance(segment, Gap):
                names.append(segment.name)
                formats.append(f"V{segment.width}")
                offsets.append(len(row))
                row += bytes(segment.width)
            else:
                row += segment
        gaps = {"names": names, "formats": formats, "offsets": offsets, "itemsize": len(row)}
        # A mapping of these four is a dtype, which numpy's stubs do not know.
        row_type: np.dtype[np.void] = np.dtype(gaps)  # type: ignore[call-overload]
        self._rows = np.zeros(row_count, row_type)
        """The rows, (row_count,), with the gaps as fields."""
        bytes_of_rows = self._rows.view((np.uint8, len(row)))  # the same memory as (rows, bytes)
        bytes_of_rows[:] = np.frombuffer(row, np.uint8)

    def fill(self, name: str, pieces: Pieces) -> None:
        """Put pieces into a gap of the first rows, (n,), in place of what was there before."""
        self._rows[name][: len(pieces)] = pieces

    def lines(self, row_count: int) -> bytes:
        """Return the text of the first rows, without the null bytes that fill up gaps."""
        return self._rows[:row_count].tobytes().translate(None, b"\0")


def pieces_of(texts: Sequence[bytes]) -> Pieces:
    """Return texts as pieces, as wide as the longest."""
    array = np.array(texts, np.bytes_)
    return array.view(f"V{array.itemsize}")


def digit_pieces(numbers: NDArray[np.uint64], width: int) -> Pieces:
    """Return numbers in decimal digits, (n,), with null bytes before the first digit.

    All numbers must have ``width`` digits at most. The digits of all of them are computed together,
    from the last one (the units) to the first.
    """
    assert int(numbers.max(initial=0)) < 10**width, "the number is too large for its gap"
    digits = np.zeros((width, numbers.size), np.uint8)
    quotients = numbers  # what is left of each number before the digits that are computed
    for position in reversed(range(width)):
        next_quotients = quotients // np.uint64(10)
        digits[position] = quotients - next_quotients * np.uint64(10) + np.uint64(ord("0"))
        # Nothing is left before the first digit of a number. Only the units stay: 0 is "0".
        is_units = position == width - 1
        if not is_units:
            digits[position][quotients == 0] = 0
        quotients = next_quotients
        if not quotients.any():
            break
    return np.ascontiguousarray(digits.T).view(f"V{width}").reshape(-1)
