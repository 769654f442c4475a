"""Reads the long lists of a map as arrays: its heights, and the textures and priorities of tiles.

    rules = ListRules(side=16, texture_count=5)
    textures = read_list(tiles, "index", "tileData.index", rules, findings)      # (256,) or None

A list has hundreds of thousands of numbers, so it is checked as an array, rule by rule. For each
rule that is broken ``findings`` gets the first number at fault, and how many there are.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.plurals import counted
from randomizer.systems.zeroad.map.json_values import finite_number
from randomizer.systems.zeroad.map.planes import MOST
from randomizer.systems.zeroad.map_format.value_problems import Findings, describe_value


class ListRules(NamedTuple):
    """What a list has to have. In any case its numbers are whole, and 0 to ``MOST``."""

    side: int | None
    """The list has ``side`` x ``side`` numbers; any number of them if this is None: the size of the
    map is not known."""
    texture_count: int | None = None
    """The numbers are indices of so many textures; None if they are no indices."""


def read_list(
    holder: Mapping[str, Any], key: str, path: str, rules: ListRules, findings: Findings
) -> NDArray[np.uint16] | None:
    """Return the list ``holder[key]`` as an array (n,); None if it is missing or breaks a rule.

    ``path`` is that of the list in the map, such as "tileData.index". Instead of a list there can
    be an array of any dtype.
    """
    numbers = holder.get(key)
    if not isinstance(numbers, list | tuple | np.ndarray):
        findings.add_wrong_value(path, holder, key, "a list of numbers")
        return None
    values = _as_array(numbers, path, findings)
    if values is None:
        return None

    is_valid = True
    if rules.side is not None and len(values) != rules.side * rules.side:
        is_valid = False
        expected = f"{rules.side:,} x {rules.side:,} = {rules.side * rules.side:,}"
        findings.error(path, f"has {counted(len(values), 'value')}, expected {expected}")
    for fault in _faults(values, rules.texture_count):
        is_valid = False
        wrong_indices = np.flatnonzero(fault.is_wrong)
        first = int(wrong_indices[0])
        message = f"is {describe_value(values[first].item())}, expected {fault.expected}"
        findings.error(f"{path}[{first}]", message, further_count=len(wrong_indices) - 1)
    if not is_valid:
        return None
    return values.astype(np.uint16)


def _as_array(numbers: Any, path: str, findings: Findings) -> NDArray[Any] | None:
    """Return numbers as an array (n,) of integers or floats; None, and an error, for all else."""
    if isinstance(numbers, np.ndarray):
        if numbers.dtype.kind in "iuf" and numbers.ndim == 1:
            return numbers
        message = f"is an array of {numbers.dtype} {numbers.shape}, expected a list of numbers"
        findings.error(path, message)
        return None

    # The quick way for nearly all lists. A float is exact for all numbers that can be right.
    has_numbers_alone = set(map(type, numbers)) <= {int, float}
    if has_numbers_alone:
        try:
            return np.asarray(numbers, np.float64)
        except OverflowError:
            pass  # an integer is too large even for a float: it is looked for below
    wrong_indices = [index for index, value in enumerate(numbers) if not _fits_float(value)]
    first = wrong_indices[0]  # there is one: a value of another type, or an integer too large
    message = f"is {describe_value(numbers[first])}, expected a whole number"
    findings.error(f"{path}[{first}]", message, further_count=len(wrong_indices) - 1)
    return None


def _fits_float(value: object) -> bool:
    """Return whether a value is a number that a float can hold; NaN and infinity are floats."""
    return type(value) is float or finite_number(value) is not None


class _Fault(NamedTuple):
    """The numbers of a list that break a rule."""

    is_wrong: NDArray[np.bool_]
    """A mask (n,) of them."""
    expected: str
    """What the rule asks for, in the words of a message."""


def _faults(values: NDArray[Any], texture_count: int | None) -> list[_Fault]:
    """Return the rules that values (n,) break, each with these. A value breaks one rule at most."""
    faults: list[_Fault] = []
    is_number = np.ones(len(values), np.bool_)
    if values.dtype.kind == "f":
        is_number = np.isfinite(values)
        faults.append(_Fault(~is_number, "a finite number"))
        is_broken = is_number & (values != np.floor(values))
        faults.append(_Fault(is_broken, "a whole number"))

    is_in_range = (values >= 0) & (values <= MOST)
    faults.append(_Fault(is_number & ~is_in_range, f"0 to {MOST}"))
    if texture_count is not None:
        is_beyond = is_in_range & (values >= texture_count)
        faults.append(_Fault(is_beyond, f"an index of the {counted(texture_count, 'texture')}"))
    return [fault for fault in faults if fault.is_wrong.any()]
