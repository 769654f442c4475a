"""Packs arrays into short text that a few lines of JavaScript (``unpack.js``) can read.

    pack_steps(heights)           # differences from one value to the next, which are small
    pack_runs(textures)           # each value with the number of times that it is repeated
    pack_numbers(numbers)         # by which both write: ["FlB..."], in lines of ``LINE`` characters

A whole number from 0 on is written in digits of base64. A digit has six bits: five of the number,
the lowest ones first, and a sixth one that says that another digit follows. So 5 is "F"; and 37,
which is 5 + 1 * 32, is "lB": the digit 37, which is 5 with the sixth bit, then the digit 1.

``fixed_script`` packs the heights of a map as steps, its textures as runs.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
"""The digits of base64 by their value."""
LINE = 100
"""The characters of a line."""

_BITS = 5
"""The bits of a number in each digit."""
_MORE = 1 << _BITS
"""The bit of a digit that says that another one follows."""
_MOST_DIGITS = 6
"""The most digits of a number: enough for 2 ** 30."""

_NO_DIGIT = 255
"""Stands for the value of a character that is no digit."""

# The value of each character as a digit, by the code of the character.
_VALUES = np.full(256, _NO_DIGIT, np.uint8)
_VALUES[np.frombuffer(DIGITS.encode(), np.uint8)] = np.arange(64, dtype=np.uint8)


def pack_numbers(numbers: NDArray[np.int64]) -> list[str]:
    """Return lines of text for numbers (n,) from 0 to 2 ** 30 - 1."""
    # All digits of all numbers, (n, 6): a digit is written if one before it says that more follow.
    shifts = _BITS * np.arange(_MOST_DIGITS)
    digits = (numbers[:, None] >> shifts) & (_MORE - 1)
    has_more = (numbers[:, None] >> (shifts + _BITS)) > 0
    is_written = np.ones(digits.shape, np.bool_)
    is_written[:, 1:] = has_more[:, :-1]
    values = (digits + _MORE * has_more)[is_written]
    text = np.frombuffer(DIGITS.encode(), np.uint8)[values].tobytes().decode()
    return [text[start : start + LINE] for start in range(0, len(text), LINE)]


def unpack_numbers(lines: Sequence[str]) -> NDArray[np.int64]:
    """Return the numbers of ``pack_numbers``. Raises ValueError for text that holds none."""
    digits = _VALUES[np.frombuffer("".join(lines).encode(), np.uint8)]
    if not len(digits):
        return np.zeros(0, np.int64)
    if (digits == _NO_DIGIT).any() or digits[-1] >= _MORE:
        raise ValueError("a number does not end, or there are other characters")

    # A number starts behind a digit that no other one follows.
    starts = np.flatnonzero(np.r_[True, digits[:-1] < _MORE])
    lengths = np.diff(np.r_[starts, len(digits)])
    if lengths.max() > _MOST_DIGITS:
        raise ValueError("a number is too large")
    shifts = _BITS * (np.arange(len(digits)) - np.repeat(starts, lengths))
    summands = (digits & (_MORE - 1)).astype(np.int64) << shifts
    return np.asarray(np.add.reduceat(summands, starts), np.int64)


def pack_steps(values: NDArray[np.uint16]) -> list[str]:
    """Return lines of text for values that change little from one to the next.

    The differences are written. Since packed numbers are not negative, a difference d of 0 or more
    is the number 2 * d, and a negative one is -2 * d - 1: even and odd numbers tell the two apart.
    """
    steps = np.diff(values.ravel().astype(np.int64), prepend=0)
    return pack_numbers(np.where(steps < 0, -2 * steps - 1, 2 * steps))


def unpack_steps(lines: Sequence[str], count: int) -> NDArray[np.uint16]:
    """Return ``count`` values of ``pack_steps``. Raises ValueError if there are not as many."""
    numbers = unpack_numbers(lines)
    steps = np.where(numbers & 1, -(numbers + 1) // 2, numbers // 2)
    return _as_u16(np.cumsum(steps), count)


def pack_runs(values: NDArray[np.uint16]) -> list[str]:
    """Return lines of text for values that often repeat: the value and length of each run."""
    flat = values.ravel().astype(np.int64)
    starts = np.flatnonzero(np.r_[True, flat[1:] != flat[:-1]])
    lengths = np.diff(np.r_[starts, len(flat)])
    return pack_numbers(np.column_stack([flat[starts], lengths]).ravel())


def unpack_runs(lines: Sequence[str], count: int) -> NDArray[np.uint16]:
    """Return ``count`` values of ``pack_runs``. Raises ValueError if there are not as many."""
    numbers = unpack_numbers(lines)
    if len(numbers) % 2 or numbers[1::2].sum() != count:
        raise ValueError("the runs have another length")
    return _as_u16(np.repeat(numbers[::2], numbers[1::2]), count)


def _as_u16(values: NDArray[np.int64], count: int) -> NDArray[np.uint16]:
    """Return ``count`` values of 16 bits. Raises ValueError for more or fewer, or larger ones."""
    if len(values) != count or values.min() < 0 or values.max() > 0xFFFF:
        raise ValueError("there are too few values, too many, or some are out of range")
    return values.astype(np.uint16)
