"""Writes and reads integer arrays as ``.npy`` data, the format of ``numpy.save``.

    data = npy_bytes(plane)
    plane = read_npy(memoryview(data), dtype="uint8", shape=(30, 40))

Data are a *header* of 128 bytes, and then the values row by row. The header of these is::

    \\x93NUMPY \\x01\\x00 v\\x00 {'descr': '|u1', 'fortran_order': False, 'shape': (30, 40), }

without the blanks between its four parts, and with blanks at the end.

Files come from anywhere, so this reader is stricter than numpy's: it unpickles nothing, evaluates
no header, and checks dtype and shape before it allocates memory.
"""

from __future__ import annotations

import re
import struct
import zlib
from functools import lru_cache
from io import BytesIO
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.lib import format as npy

from randomizer.model.basics.caches import registered
from randomizer.model.planes.planes import Plane

LONGEST_HEADER = 2000
"""The bytes of data that are searched for the header; that of a plain array has 128 bytes."""

_PREFIX_LENGTH = 10
"""The bytes before the text of a header: 6 of a signature, 2 of the version, 2 of its length."""

_HEADER = re.compile(
    rb"""
    \x93NUMPY \x01\0                                        # the signature, and version 1.0
    (?P<length> .. )                                        # of the rest of the header
    \{'descr':[ ]' (?P<dtype> \|b1 | [|<>][iu][1248] ) ',   # bools, or integers of 1 to 8 bytes
    [ ]'fortran_order':[ ]False,                            # row by row
    [ ]'shape':[ ]\( (?P<shape> (?: \d{1,12}, | \d{1,12} (?: ,[ ]\d{1,12} ){1,3} )? ) \),[ ]\}""",
    re.DOTALL | re.VERBOSE,
)
"""A header of version 1.0 up to its closing brace, as numpy writes it; blanks follow.

Numbers of an axis have twelve digits at most, so that no large ones are computed with.
"""

FAULTS = (ValueError, KeyError, OverflowError, RecursionError, zlib.error, struct.error)
"""The exceptions that reading damaged arrays raises, and files and blocks in which they are packed.

Those who read these turn each into a Problem.
"""


def npy_bytes(array: Plane) -> bytes:
    """Return an integer or bool array as the bytes of an ``.npy`` file."""
    return _npy_header(array.dtype.str, array.shape) + array.tobytes()


def read_npy(data: memoryview, dtype: str | None, shape: tuple[int, ...] | None) -> Plane:
    """Return the array at the start of ``data``, a new one, of the given dtype and shape.

    With None as ``dtype`` it is of any integers, with None as ``shape`` of one axis of any length.
    Raises ValueError for another array, before memory is allocated.
    """
    header = _read_header(bytes(data[:LONGEST_HEADER]))
    has_dtype = dtype is None or header.dtype == np.dtype(dtype)
    if shape is None:
        has_shape = len(header.shape) == 1
    else:
        has_shape = header.shape == shape
    if not has_dtype or not has_shape:
        raise ValueError(
            f"an array of {header.dtype} {header.shape} stands where {dtype} {shape} should"
        )
    # ``frombuffer`` raises ValueError if the data end before the last value.
    values = np.frombuffer(data, header.dtype, count=prod(header.shape), offset=header.length)
    array = values.reshape(header.shape).copy()
    # numpy takes any byte for a bool, and computes wrongly with others than 0 and 1.
    if header.dtype.kind == "b" and array.view(np.uint8).max(initial=0) > 1:
        raise ValueError("an array of yes and no has a value that is neither")
    return array


@registered(bytes_each=400)
@lru_cache
def _npy_header(dtype: str, shape: tuple[int, ...]) -> bytes:
    """Return the header of an array; numpy takes longer to make one than to copy a small plane."""
    file = BytesIO()
    npy.write_array_header_1_0(file, {"descr": dtype, "fortran_order": False, "shape": shape})
    return file.getvalue()


class _Header(NamedTuple):
    """The header of ``.npy`` data."""

    dtype: np.dtype[Any]

    shape: tuple[int, ...]

    length: int
    """The bytes of the header: the values begin behind it."""


def _read_header(data: bytes) -> _Header:
    """Return the header at the start of ``data``. Raises ValueError.

    numpy's own reader evaluates the text of the header as Python and warns of some.
    """
    header = _HEADER.match(data)
    if header is None:
        raise ValueError("an array is not of whole numbers, row by row, in .npy of version 1.0")
    end = _PREFIX_LENGTH + int.from_bytes(header["length"], "little")
    has_more_than_blanks = data[header.end() : end].strip() != b""
    if header.end() > end or has_more_than_blanks:
        raise ValueError("the header of an array has another length than it says")
    # The shape of one axis is written ``(3,)``: the text behind its comma is empty.
    axes = header["shape"].split(b",")
    shape = tuple(int(axis) for axis in axes if axis.strip())
    return _Header(np.dtype(header["dtype"].decode()), shape, end)
