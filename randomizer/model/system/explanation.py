"""Why a cell shows what it shows, in words."""

from __future__ import annotations

from typing import NamedTuple


class Explanation(NamedTuple):
    """``short`` is a part of a line ("" if nothing is known), ``words`` are whole sentences."""

    short: str
    words: str
