"""What the caches of this process hold: ``functools`` caches, found among all objects.

Sizes are those of everything that a cache alone or among others refers to, without classes,
functions and modules; arrays and images count with their buffers.
"""

from __future__ import annotations

import gc
import sys
from functools import _lru_cache_wrapper
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QObject
from PySide6.QtGui import QImage, QPixmap

_SHARED = (type, ModuleType, FunctionType, BuiltinFunctionType, MethodType, QObject)


class CacheSize(NamedTuple):
    """One cache: its function, how many results it has and may have, and their size in bytes."""

    name: str
    count: int
    most: int | None
    size: int


def cache_sizes() -> list[CacheSize]:
    """The caches that hold something, the largest first."""
    sizes = []
    for each in gc.get_objects():
        if isinstance(each, _lru_cache_wrapper) and each.cache_info().currsize:
            info = each.cache_info()
            name = f"{each.__module__}.{getattr(each, '__qualname__', each.__wrapped__)}"
            sizes.append(CacheSize(name, info.currsize, info.maxsize, _size_of(each)))
    return sorted(sizes, key=lambda each: -each.size)


def _size_of(root: object) -> int:
    total, seen, left = 0, {id(root)}, gc.get_referents(root)
    while left:
        each = left.pop()
        if id(each) in seen or isinstance(each, _SHARED):
            continue
        seen.add(id(each))
        total += sys.getsizeof(each)
        if isinstance(each, np.ndarray) and each.base is not None:
            total += each.nbytes
        elif isinstance(each, QImage):
            total += each.sizeInBytes()
        elif isinstance(each, QPixmap):
            total += each.width() * each.height() * each.depth() // 8
        left.extend(gc.get_referents(each))
    return total
