"""What the caches of this process hold: the registered ones of ``functools`` and ``sized_cache``.

Sizes are those of everything that a cache alone or among others refers to, without classes,
functions and modules; arrays and images count with their buffers.
"""

from __future__ import annotations

import gc
import sys
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QObject
from PySide6.QtGui import QImage, QPixmap

from randomizer.model.basics.caches import all_caches

_SHARED = (type, ModuleType, FunctionType, BuiltinFunctionType, MethodType, QObject)


class CacheSize(NamedTuple):
    """One cache: its function, how many results it has, their size and the bound, in bytes."""

    name: str
    count: int
    size: int
    most: float


def cache_sizes() -> list[CacheSize]:
    """The caches that hold something, the largest first."""
    sizes = []
    for cache in all_caches():
        function = cache.function
        if function is None:
            continue
        if hasattr(function, "content"):
            count = function.content()[0]
        else:
            count = function.cache_info().currsize
        if count:
            sizes.append(CacheSize(cache.name, count, _size_of(function), cache.max_bytes))
    return sorted(sizes, key=lambda each: -each.size)


def _size_of(root: object) -> int:
    total = 0
    seen = {id(root)}
    left = gc.get_referents(root)
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
