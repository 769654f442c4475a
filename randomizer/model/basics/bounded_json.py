"""Parses JSON from outside within bounds, and checks values that are to be kept as JSON.

A few kilobytes of nested brackets become gigabytes of Python objects. So the readers of files
measure a text while it is still bytes::

    data = b'{"size": [1, 2]}'
    measure_json(data, deepest=2)               # raises ValueError if it were nested deeper
    parse_json(data, largest=1000)              # {"size": [1, 2]}
    fault_in_data({"size": float("nan")})       # "has nan, which is no number"
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

MAX_VALUES = 1_000_000
"""The most values, lists and objects of one text; each takes some 100 bytes of memory."""

_STRING_PATTERN = rb"""
    " (?: [^"\\]++ | \\.? )*+  # characters but the quote; a backslash takes the next one along
    (?: " | \Z )               # a text that is cut off may end in a string
"""
_STRING = re.compile(_STRING_PATTERN, re.DOTALL | re.VERBOSE)
"""A string with its quotes."""

# In pieces of 20,000, since the result of a ``sub`` over a text of megabytes takes many times its
# memory. The quantifiers are possessive: what was matched is never tried again in another way.
_PIECE = re.compile(rb'(?: [^"]++ | ' + _STRING_PATTERN + rb" ){1,20000}+", re.DOTALL | re.VERBOSE)
"""Whole strings and what is between them, so many that little memory is taken at once."""

_LARGE_NUMBER = re.compile(rb"[0-9]{300}|[eE]\+?[0-9]{2}")
"""The digits or the exponent of a number that may be too large for a float.

Floats end at about 1.8e308; Python reads a larger number as infinite. Fewer than 300 digits with
an exponent of one digit stay below that.
"""

_BLOCK = 2**20
"""The number of characters counted at once; larger blocks take more memory, and no less time."""

_OPEN = b"[{"
_CLOSE = b"]}"


def parse_json(
    data: bytes, *, largest: int, deepest: int = DEEPEST_DATA, max_values: int = MAX_VALUES
) -> Any:
    """Return the value of a JSON text in UTF-8.

    Raises ValueError for a text of more than ``largest`` bytes, nested more than ``deepest`` deep,
    or of more than ``max_values`` values; for numbers that are not finite; and for what is no
    JSON.
    """
    if len(data) > largest:
        raise ValueError(f"its JSON has {len(data):,} bytes, {largest:,} are the most")
    measure_json(data, deepest, max_values)
    if _LARGE_NUMBER.search(data) is None:
        return json.loads(data.decode("utf-8"), parse_constant=_refuse_constant)
    return json.loads(
        data.decode("utf-8"), parse_constant=_refuse_constant, parse_float=_checked_float
    )


def parse_first(text: str, start: int, longest: int) -> tuple[Any, int]:
    """Return the JSON value that begins at ``start`` of a text, and the offset at which it ends.

    The text can go on behind it. At most ``longest`` characters are read. Raises ValueError, or
    RecursionError for a value that is nested too deeply.
    """
    end = start + longest
    try:
        return json.JSONDecoder(parse_constant=_refuse_constant).raw_decode(text[:end], start)
    except json.JSONDecodeError as failed:
        if len(text) <= end:
            raise
        # The value may just be longer: ``error_reasons.reason_of`` tells how much was read.
        message = f"{failed.msg} (the first {longest:,} characters were read)"
        raise json.JSONDecodeError(message, text, failed.pos) from failed


def measure_json(data: bytes, deepest: int, max_values: int = MAX_VALUES) -> None:
    """Raise ValueError if the text is nested too deeply or has too many values.

    Values are counted by the commas between them and the opening brackets: a lone value counts 0.
    """
    # The idea: the depth at a bracket is the number of brackets opened so far less that of those
    # closed, which is a running sum: for ``[[]]`` the steps +1 +1 -1 -1 give the depths 1 2 1 0.
    characters = np.frombuffer(_without_strings(data), np.uint8)
    depth = 0
    value_count = 0
    for start in range(0, len(characters), _BLOCK):
        block = characters[start : start + _BLOCK]
        opens = (block == _OPEN[0]) | (block == _OPEN[1])
        closes = (block == _CLOSE[0]) | (block == _CLOSE[1])
        value_count += int(np.count_nonzero(opens) + np.count_nonzero(block == ord(",")))
        steps = opens.astype(np.int8) - closes.astype(np.int8)
        depths = np.cumsum(steps[opens | closes], dtype=np.int32) + depth
        if len(depths):
            depth = int(depths[-1])
            if depths.max() > deepest:
                raise ValueError(f"its JSON is nested more than {deepest} deep")
    if value_count > max_values:
        raise ValueError(f"its JSON has {value_count:,} values, {max_values:,} are the most")


def _without_strings(data: bytes) -> bytes:
    """Return a text of JSON without its strings, which can contain brackets and commas."""
    return b"".join(_STRING.sub(b"", piece[0]) for piece in _PIECE.finditer(data))


def _checked_float(digits: str) -> float:
    """Return the number of its digits. Raises ValueError for one that is infinite as a float."""
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"its JSON has the number {digits:.40}, which is too large")
    return number


def _refuse_constant(word: str) -> NoReturn:
    """Raise ValueError: Python's JSON has NaN and Infinity, that of the standard has not."""
    raise ValueError(f"its JSON has {word} where a number should be")


def fault_in_data(value: object) -> str:
    """Return why a value cannot be kept as JSON, as the end of a sentence; "" if it can.

    Mappings (with str keys), lists, tuples, texts, finite numbers of 64 bits, booleans and None
    can, nested up to ``DEEPEST_DATA`` deep and ``LARGEST_DATA`` bytes long in all.
    """
    # A list of what is still to be looked at, not a recursion: the data may be nested deeper than
    # Python's stack is. Single values are checked here, not in a function of their own, because a
    # call for each of a million values takes as long as the check.
    size = 0
    waiting: list[tuple[object, int]] = [(value, 1)]
    while waiting:
        item, depth = waiting.pop()
        fault = ""
        # The size that the value has as a text, roughly.
        size += 2  # a comma and a blank, or the brackets of a container
        if isinstance(item, str):
            fault = fault_in_characters(item)
            size += len(item)
        elif item is None or isinstance(item, bool):
            pass  # before int: to Python a bool is one
        elif isinstance(item, int):
            size += 4  # the usual number of digits
            if not -LARGEST_INT - 1 <= item <= LARGEST_INT:
                fault = "has a whole number of more than 64 bits"
        elif isinstance(item, float):
            size += 8  # likewise
            if not math.isfinite(item):
                fault = f"has {item}, which is no number"
        elif isinstance(item, Mapping | list | tuple):
            fault = _fault_in_container(item, depth)
            if not fault:
                waiting += [(entry, depth + 1) for entry in _entries(item)]
        else:
            fault = f"has a value of the type {type(item).__name__}"
        if size > LARGEST_DATA:
            fault = f"is larger than {LARGEST_DATA:,} bytes"
        if fault:
            return fault
    return ""


def _fault_in_container(item: Mapping[Any, Any] | list[Any] | tuple[Any, ...], depth: int) -> str:
    """Return why data cannot have this container at ``depth`` (1: outermost); "" if it can."""
    if depth > DEEPEST_DATA:
        return f"is nested more than {DEEPEST_DATA} deep"
    if isinstance(item, Mapping) and not all(isinstance(name, str) for name in item):
        return "has a name that is no text"
    return ""


def _entries(item: Mapping[Any, Any] | list[Any] | tuple[Any, ...]) -> list[object]:
    """Return what lies directly in a container; of a mapping the names, too."""
    if isinstance(item, Mapping):
        return [*item, *item.values()]
    return list(item)
