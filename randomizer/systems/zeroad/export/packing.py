"""Arrays as short text that a few lines of JavaScript can read: ``unpack.js`` has them.

A whole number from 0 on is written in base64 digits of five bits each, the lowest first; a digit
from 32 on (the sixth bit) says that another one follows. Text is in lines of one length.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
LINE = 100

_BITS = 5
_MORE = 32
_MOST_DIGITS = 6
"""Of one number: enough for 2 ** 30."""

_NO_DIGIT = 255
_VALUES = np.full(256, _NO_DIGIT, np.uint8)
_VALUES[np.frombuffer(DIGITS.encode(), np.uint8)] = np.arange(64, dtype=np.uint8)


def pack_numbers(numbers: NDArray[np.int64]) -> list[str]:
    """Numbers from 0 to 2 ** 30 - 1 as lines of text."""
    shifts = _BITS * np.arange(_MOST_DIGITS)
    digits = (numbers[:, None] >> shifts) & (_MORE - 1)
    more = (numbers[:, None] >> (shifts + _BITS)) > 0
    used = np.ones(digits.shape, np.bool_)
    used[:, 1:] = more[:, :-1]
    codes = (digits + _MORE * more)[used]
    text = np.frombuffer(DIGITS.encode(), np.uint8)[codes].tobytes().decode()
    return [text[at : at + LINE] for at in range(0, len(text), LINE)]


def unpack_numbers(lines: Sequence[str]) -> NDArray[np.int64]:
    """Return the numbers of ``pack_numbers``. Raises ValueError for text that holds none."""
    codes = _VALUES[np.frombuffer("".join(lines).encode(), np.uint8)]
    if not len(codes):
        return np.zeros(0, np.int64)
    if (codes == _NO_DIGIT).any() or codes[-1] >= _MORE:
        raise ValueError("a number does not end, or there are other characters")
    starts = np.flatnonzero(np.r_[True, codes[:-1] < _MORE])
    lengths = np.diff(np.r_[starts, len(codes)])
    if lengths.max() > _MOST_DIGITS:
        raise ValueError("a number is too large")
    shifts = _BITS * (np.arange(len(codes)) - np.repeat(starts, lengths))
    values = (codes & (_MORE - 1)).astype(np.int64) << shifts
    return np.asarray(np.add.reduceat(values, starts), np.int64)


def pack_steps(values: NDArray[np.uint16]) -> list[str]:
    """Values that change little from one to the next: the differences, doubled, odd if negative."""
    steps = np.diff(values.ravel().astype(np.int64), prepend=0)
    return pack_numbers(np.where(steps < 0, -2 * steps - 1, 2 * steps))


def unpack_steps(lines: Sequence[str], count: int) -> NDArray[np.uint16]:
    """``count`` values of ``pack_steps``. Raises ValueError if there are not as many."""
    numbers = unpack_numbers(lines)
    steps = np.where(numbers & 1, -(numbers + 1) // 2, numbers // 2)
    return _as_u16(np.cumsum(steps), count)


def pack_runs(values: NDArray[np.uint16]) -> list[str]:
    """Values that are often repeated: for each run the value and the number of places."""
    flat = values.ravel().astype(np.int64)
    starts = np.flatnonzero(np.r_[True, flat[1:] != flat[:-1]])
    lengths = np.diff(np.r_[starts, len(flat)])
    return pack_numbers(np.column_stack([flat[starts], lengths]).ravel())


def unpack_runs(lines: Sequence[str], count: int) -> NDArray[np.uint16]:
    """``count`` values of ``pack_runs``. Raises ValueError if there are not as many."""
    numbers = unpack_numbers(lines)
    if len(numbers) % 2 or numbers[1::2].sum() != count:
        raise ValueError("the runs have another length")
    return _as_u16(np.repeat(numbers[::2], numbers[1::2]), count)


def _as_u16(values: NDArray[np.int64], count: int) -> NDArray[np.uint16]:
    if len(values) != count or values.min() < 0 or values.max() > 0xFFFF:
        raise ValueError("there are too few values, too many, or some are out of range")
    return values.astype(np.uint16)
