"""Codes of pieces: several small numbers in one integer, like the digits of a number.

A scene asks for pieces by one integer for each cell (``Pieces.numbers``). What a drawing depends on
is packed into it, with the number of values that each digit can have as its base::

    bases = (10, 4)                # of the digits behind the first one, which may be any number
    pack((3, 7, 2), bases)         # (3 * 10 + 7) * 4 + 2 = 150
    unpack(150, bases)             # (3, 7, 2)

A digit that is not below its base would be added to the digit before it. That is not checked.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def pack(digits: Sequence[NDArray[np.intp]], bases: Sequence[int]) -> NDArray[np.intp]:
    """Return the codes (n,) of n drawings. Each digit is an array (n,).

    ``bases`` are those of all digits but the first, which can be any number.
    """
    codes = digits[0]
    for digit, base in zip(digits[1:], bases, strict=True):
        codes = codes * base + digit
    return codes


def unpack(code: int, bases: Sequence[int]) -> tuple[int, ...]:
    """Return the digits of a code of ``pack``, in the same order."""
    remainder = code
    digits = []
    for base in reversed(bases):  # the last digit is the first that divides off
        remainder, digit = divmod(remainder, base)
        digits.append(digit)
    return (remainder, *reversed(digits))
