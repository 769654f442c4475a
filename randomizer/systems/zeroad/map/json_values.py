"""Reads values of JSON data whose shape is not known, since a script or a user wrote them.

value_at(environment, ("Fog", "FogFactor"))     # 0.5
whole_number(3.0)                               # 3: JavaScript has one kind of number
finite_number("3")                              # None
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from randomizer.model.basics.limits import LARGEST_INT


def value_at(data: object, path: Iterable[str], missing: object = None) -> Any:
    """Return the value to which a path of keys leads in JSON data.

    For example ``value_at(environment, ("Fog", "FogFactor"))``. Returns ``missing`` if the data has
    no such value.
    """
    for key in path:
        if not isinstance(data, Mapping) or key not in data:
            return missing
        data = data[key]
    return data


def whole_number(value: object) -> int | None:
    """Return a JSON value as a whole number: 3 for 3 and for 3.0; None for any other value."""
    if type(value) is float and value.is_integer():
        return int(value)
    if type(value) is int:  # True is an int for isinstance
        return value
    return None


def finite_number(value: object) -> float | None:
    """Return a JSON value as a float; None unless it is a finite number of 64 bits."""
    if type(value) is float and math.isfinite(value):
        return value
    if type(value) is int and abs(value) <= LARGEST_INT:  # others can overflow a float
        return float(value)
    return None
