"""Integer arrays as ``.npy`` data; no pickle is read, and sizes are checked first."""

from __future__ import annotations

import re
import struct
import zlib
from functools import lru_cache
from io import BytesIO
from math import prod
from typing import Any

import numpy as np
from numpy.lib import format as npy

from randomizer.model.basics.caches import registered
from randomizer.model.planes.planes import Plane

LONGEST_HEADER = 2000
"""In bytes; plain arrays have 128."""

_START = b"\x93NUMPY\x01\0.."
_HEADER = re.compile(
    rb"""\x93NUMPY\x01\0(?P<length>..)
    \{'descr':[ ]'(?P<dtype>\|b1|[|<>][iu][1248])',[ ]'fortran_order':[ ]False,
    [ ]'shape':[ ]\((?P<shape>(?:\d{1,12},?[ ]?){0,4})\),[ ]\}""",
    re.DOTALL | re.VERBOSE,
)

FAULTS = (ValueError, KeyError, OverflowError, RecursionError, zlib.error, struct.error)
"""The exceptions that reading damaged data raises; each becomes a Problem."""


@registered(bytes_each=400)
@lru_cache
def _npy_header(dtype: str, shape: tuple[int, ...]) -> bytes:
    file = BytesIO()
    npy.write_array_header_1_0(file, {"descr": dtype, "fortran_order": False, "shape": shape})
    return file.getvalue()


def _read_header(data: bytes) -> tuple[np.dtype[Any], tuple[int, ...], int]:
    """Return the dtype, the shape and the offset of the values. Raises ValueError.

    numpy's own reader evaluates the text of the header as Python and warns of some.
    """
    header = _HEADER.match(data)
    if header is None:
        raise ValueError("an array is not of whole numbers, row by row, in .npy of version 1.0")
    length = int.from_bytes(header["length"], "little")
    end = len(_START) + length
    if header.end() > end or data[header.end() : end].strip():
        raise ValueError("the header of an array has another length than it says")
    shape = tuple(int(length) for length in header["shape"].split(b",") if length.strip())
    return np.dtype(header["dtype"].decode()), shape, end


def npy_bytes(array: Plane) -> bytes:
    """Return an integer or bool array as the bytes of an ``.npy`` file."""
    return _npy_header(array.dtype.str, array.shape) + array.tobytes()


def read_npy(data: memoryview, dtype: str | None, shape: tuple[int, ...] | None) -> Plane:
    """Return the array at the start of ``data``, a new one, of the given dtype and shape.

    ``dtype`` None: any integers; ``shape`` None: one axis of any length. Raises ValueError, before
    memory is allocated.
    """
    dtype_read, size, start = _read_header(bytes(data[:LONGEST_HEADER]))
    if (dtype is not None and dtype_read != np.dtype(dtype)) or (
        size != shape if shape is not None else len(size) != 1
    ):
        raise ValueError(f"an array of {dtype_read} {size} stands where {dtype} {shape} should")
    array = np.frombuffer(data, dtype_read, prod(size), start).reshape(size).copy()
    if dtype_read.kind == "b" and array.view(np.uint8).max(initial=0) > 1:
        raise ValueError("an array of yes and no has a value that is neither")
    return array
