"""Integer arrays as ``.npy`` data; no pickle is read, and sizes are checked first."""

from __future__ import annotations

import struct
import zlib
from functools import lru_cache
from io import BytesIO
from math import prod
from tokenize import TokenError

import numpy as np
from numpy.lib import format as npy

from randomizer.model.planes import Plane

LONGEST_HEADER = 2000
"""In bytes; plain arrays have 128."""

FAULTS = (ValueError, KeyError, OverflowError, RecursionError, zlib.error, struct.error)
"""The exceptions that reading damaged data raises; each becomes a Problem."""


@lru_cache
def _npy_header(dtype: str, shape: tuple[int, ...]) -> bytes:
    file = BytesIO()
    npy.write_array_header_1_0(file, {"descr": dtype, "fortran_order": False, "shape": shape})
    return file.getvalue()


def npy_bytes(array: Plane) -> bytes:
    """An integer or bool array as the bytes of an ``.npy`` file."""
    return _npy_header(array.dtype.str, array.shape) + array.tobytes()


def read_npy(data: memoryview, dtype: str | None, shape: tuple[int, ...] | None) -> Plane:
    """The array at the start of ``data``, a new one, of the given dtype and shape.

    ``dtype`` None: any integers; ``shape`` None: one axis of any length. Raises ValueError, before
    memory is allocated.
    """
    file = BytesIO(data[:LONGEST_HEADER])
    if npy.read_magic(file) != (1, 0):
        raise ValueError("this version of .npy is not known here")
    try:
        size, in_columns, found = npy.read_array_header_1_0(file)
    except (SyntaxError, TokenError, MemoryError) as failed:
        raise ValueError("the header of an array makes no sense") from failed
    if found.kind not in "biu" or in_columns or min(size, default=0) < 0:
        raise ValueError("an array is not of whole numbers, row by row")
    if (dtype is not None and found != np.dtype(dtype)) or (
        size != shape if shape is not None else len(size) != 1
    ):
        raise ValueError(f"an array of {found} {size} stands where {dtype} {shape} should")
    array = np.frombuffer(data, found, prod(size), file.tell()).reshape(size).copy()
    if found.kind == "b" and array.view(np.uint8).max(initial=0) > 1:
        raise ValueError("an array of yes and no has a value that is neither")
    return array
