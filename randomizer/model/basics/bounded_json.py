"""JSON from outside, bounded before it is parsed; and data that JSON can hold, checked.

A few kilobytes of nested brackets become gigabytes of Python objects, so a text is measured while
it is still bytes.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any, NoReturn

import numpy as np

from randomizer.model.basics.limits import DEEPEST_DATA, LARGEST_DATA, LARGEST_INT
from randomizer.model.basics.texts import fault_in_characters

MOST_VALUES = 1_000_000
"""The most values, lists and objects of one text; each takes some 100 bytes of memory."""

_STRING = re.compile(rb'"(?:[^"\\]++|\\.?)*+(?:"|\Z)', re.DOTALL)
_PIECE = re.compile(rb'(?:[^"]++|"(?:[^"\\]++|\\.?)*+(?:"|\Z)){1,20000}+', re.DOTALL)
"""Whole strings and what is between them, so many that little memory is taken at once."""
_LARGE_NUMBER = re.compile(rb"[0-9]{300}|[eE]\+?[0-9]{3}")
"""What a number has that may be too large for a float, which Python reads as infinite."""
_BLOCK = 2**20
_OPEN = b"[{"
_CLOSE = b"]}"


def parse_json(
    data: bytes, *, largest: int, deepest: int = DEEPEST_DATA, most: int = MOST_VALUES
) -> Any:
    """Return the value of a JSON text in UTF-8. Raises ValueError.

    ``largest`` is the most bytes, ``deepest`` the deepest nesting, ``most`` the most values.
    """
    if len(data) > largest:
        raise ValueError(f"its JSON has {len(data):,} bytes, {largest:,} are the most")
    measure_json(data, deepest, most)
    if _LARGE_NUMBER.search(data) is None:
        return json.loads(data.decode("utf-8"), parse_constant=_refuse_constant)
    return json.loads(
        data.decode("utf-8"), parse_constant=_refuse_constant, parse_float=_checked_float
    )


def parse_first(text: str, start: int, longest: int) -> tuple[Any, int]:
    """Return the JSON value at ``start`` of a text that can go on behind it, and where that ends.

    Of the text at most ``longest`` characters are looked at. Raises ValueError, RecursionError.
    """
    end = start + longest
    try:
        return json.JSONDecoder(parse_constant=_refuse_constant).raw_decode(text[:end], start)
    except json.JSONDecodeError as failed:
        if len(text) <= end:
            raise
        message = f"{failed.msg} (the first {longest:,} characters were read)"
        raise json.JSONDecodeError(message, text, failed.pos) from failed


def measure_json(data: bytes, deepest: int, most: int = MOST_VALUES) -> None:
    """Raise ValueError if the text is nested too deeply or has too many values."""
    outside = b"".join(_STRING.sub(b"", piece[0]) for piece in _PIECE.finditer(data))
    marks = np.frombuffer(outside, np.uint8)
    depth = values = 0
    for start in range(0, len(marks), _BLOCK):
        block = marks[start : start + _BLOCK]
        opened = (block == _OPEN[0]) | (block == _OPEN[1])
        closed = (block == _CLOSE[0]) | (block == _CLOSE[1])
        values += int(np.count_nonzero(opened) + np.count_nonzero(block == ord(",")))
        steps = opened.astype(np.int8) - closed.astype(np.int8)
        depths = np.cumsum(steps[opened | closed], dtype=np.int32) + depth
        if len(depths):
            depth = int(depths[-1])
            if depths.max() > deepest:
                raise ValueError(f"its JSON is nested more than {deepest} deep")
    if values > most:
        raise ValueError(f"its JSON has {values:,} values, {most:,} are the most")


def _checked_float(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"its JSON has the number {digits:.40}, which is too large")
    return number


def _refuse_constant(word: str) -> NoReturn:
    raise ValueError(f"its JSON has {word} where a number should be")


def fault_in_data(value: object) -> str:
    """Return why a value cannot be kept as JSON, as the end of a sentence; "" if it can.

    Mappings (with str keys), lists, tuples, texts, finite numbers of 64 bits, booleans and None
    can, nested up to ``DEEPEST_DATA`` deep and ``LARGEST_DATA`` bytes long in all.
    """
    size = 0
    waiting: list[tuple[object, int]] = [(value, 1)]
    while waiting:
        item, depth = waiting.pop()
        fault = ""
        size += 2
        if isinstance(item, str):
            fault = fault_in_characters(item)
            size += len(item)
        elif item is None or isinstance(item, bool):
            pass
        elif isinstance(item, int):
            if not -LARGEST_INT - 1 <= item <= LARGEST_INT:
                fault = "has a whole number of more than 64 bits"
            size += 4
        elif isinstance(item, float):
            if not math.isfinite(item):
                fault = f"has {item}, which is no number"
            size += 8
        elif isinstance(item, Mapping | list | tuple):
            if depth > DEEPEST_DATA:
                fault = f"is nested more than {DEEPEST_DATA} deep"
            elif isinstance(item, Mapping):
                if not all(isinstance(name, str) for name in item):
                    fault = "has a name that is no text"
                waiting += [(name, depth + 1) for name in item]
                waiting += [(each, depth + 1) for each in item.values()]
            else:
                waiting += [(each, depth + 1) for each in item]
        else:
            fault = f"has a value of the type {type(item).__name__}"
        if size > LARGEST_DATA:
            fault = f"is larger than {LARGEST_DATA:,} bytes"
        if fault:
            return fault
    return ""
