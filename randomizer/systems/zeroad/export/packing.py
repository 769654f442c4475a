"""Packs arrays into short text that a few lines of JavaScript (``unpack.js``) can read.

    pack_steps(heights)           # the differences from one value to the next, which are small
    pack_runs(textures)           # each value with the number of times that it is repeated
    pack_numbers(numbers)         # both end here: ["FlB..."], lines of ``LINE_LENGTH`` characters

``fixed_script`` packs the heights of a map as steps, its textures as runs.

A whole number from 0 on is written in digits of base64, the lowest first. A digit has six bits:
five of the number, and above them the *continuation bit*, which is 1 if another digit of the same
number follows::

    5  =          0b00101    is  0_00101                =  digit 5           =  "F"
    37 =  0b00001_00101      is  1_00101, then 0_00001  =  digits 37 and 1   =  "lB"
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
"""The digits of base64 by their value."""

LINE_LENGTH = 100
"""The characters of a line."""

_BITS_PER_DIGIT = 5
"""The bits of a number in each digit."""

_CONTINUATION_BIT = 1 << _BITS_PER_DIGIT
"""The bit of a digit that says that another one follows."""

_MAX_DIGITS = 6
"""The most digits of a number: 30 bits, which JavaScript can still shift (``unpack.js``)."""

_CHARACTERS = np.frombuffer(DIGITS.encode(), np.uint8)
"""The code of the character of each digit, (64,)."""

_NO_DIGIT = 255
"""Stands in ``_DIGIT_OF_CHARACTER`` for a character that is no digit."""

_DIGIT_OF_CHARACTER = np.full(256, _NO_DIGIT, np.uint8)
"""The digit of each character by its code, (256,)."""
_DIGIT_OF_CHARACTER[_CHARACTERS] = np.arange(len(DIGITS), dtype=np.uint8)


def pack_numbers(numbers: NDArray[np.int64]) -> list[str]:
    """Return lines of text for numbers (n,) from 0 to 2 ** 30 - 1.

    Others are not refused here: they make text that does not give them back.
    """
    # All digits that the numbers could have, lowest first, (n, _MAX_DIGITS).
    shifts = _BITS_PER_DIGIT * np.arange(_MAX_DIGITS)
    five_bits = (numbers[:, None] >> shifts) & (_CONTINUATION_BIT - 1)
    is_continued = (numbers[:, None] >> (shifts + _BITS_PER_DIGIT)) > 0
    digits = five_bits + _CONTINUATION_BIT * is_continued

    # The first digit is written, and each one that the digit before it announces.
    is_written = np.ones(digits.shape, np.bool_)
    is_written[:, 1:] = is_continued[:, :-1]
    text = _CHARACTERS[digits[is_written]].tobytes().decode()
    return [text[start : start + LINE_LENGTH] for start in range(0, len(text), LINE_LENGTH)]


def unpack_numbers(lines: Sequence[str]) -> NDArray[np.int64]:
    """Return the numbers of ``pack_numbers``. Raises ValueError for text that holds none."""
    characters = np.frombuffer("".join(lines).encode(), np.uint8)
    digits = _DIGIT_OF_CHARACTER[characters]
    if not len(digits):
        return np.zeros(0, np.int64)
    if (digits == _NO_DIGIT).any():
        raise ValueError("a character is no digit")
    is_last_digit = digits < _CONTINUATION_BIT
    if not is_last_digit[-1]:
        raise ValueError("the last number does not end")

    # A number starts at the beginning, and behind each last digit of another one.
    starts = np.flatnonzero(np.r_[True, is_last_digit[:-1]])
    lengths = np.diff(np.r_[starts, len(digits)])
    if lengths.max() > _MAX_DIGITS:
        raise ValueError("a number is too large")

    # Shift the bits of each digit to their place in the number, and add up those of each number.
    index_in_number = np.arange(len(digits)) - np.repeat(starts, lengths)
    five_bits = (digits & (_CONTINUATION_BIT - 1)).astype(np.int64)
    return np.asarray(
        np.add.reduceat(five_bits << (_BITS_PER_DIGIT * index_in_number), starts), np.int64
    )


def pack_steps(values: NDArray[np.uint16]) -> list[str]:
    """Return lines of text for values that change little from one to the next.

    The differences are written, the first one from 0: 100, 102, 99 are the steps 100, 2, -3.
    Packed numbers are not negative, so a step d from 0 on is written as the even number 2 * d, and
    a negative one as the odd number -2 * d - 1: here 200, 4, 5.
    """
    steps = np.diff(values.ravel().astype(np.int64), prepend=0)
    return pack_numbers(np.where(steps < 0, -2 * steps - 1, 2 * steps))


def unpack_steps(lines: Sequence[str], count: int) -> NDArray[np.uint16]:
    """Return ``count`` values of ``pack_steps``. Raises ValueError if there are not as many."""
    numbers = unpack_numbers(lines)
    is_negative = numbers % 2 == 1
    steps = np.where(is_negative, -(numbers + 1) // 2, numbers // 2)
    return _as_u16(np.cumsum(steps), count)


def pack_runs(values: NDArray[np.uint16]) -> list[str]:
    """Return lines of text for values that often repeat: the value and length of each run.

    7, 7, 7, 2 are the numbers 7, 3, 2, 1: three times 7, once 2.
    """
    flat = values.ravel().astype(np.int64)
    starts = np.flatnonzero(np.r_[True, flat[1:] != flat[:-1]])
    lengths = np.diff(np.r_[starts, len(flat)])
    return pack_numbers(np.column_stack([flat[starts], lengths]).ravel())


def unpack_runs(lines: Sequence[str], count: int) -> NDArray[np.uint16]:
    """Return ``count`` values of ``pack_runs``. Raises ValueError if there are not as many."""
    numbers = unpack_numbers(lines)
    if len(numbers) % 2:
        raise ValueError("the last run has no length")
    run_values = numbers[::2]
    lengths = numbers[1::2]
    # Before the runs are written out: a damaged length must not take gigabytes.
    if lengths.sum() != count:
        raise ValueError("the runs have another length in all")
    return _as_u16(np.repeat(run_values, lengths), count)


def _as_u16(values: NDArray[np.int64], count: int) -> NDArray[np.uint16]:
    """Return ``count`` values of 16 bits. Raises ValueError for more or fewer, or larger ones."""
    if len(values) != count:
        raise ValueError("there are too few values, or too many")
    if values.min() < 0 or values.max() > 0xFFFF:
        raise ValueError("values are out of range")
    return values.astype(np.uint16)
