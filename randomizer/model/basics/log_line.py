"""What a script writes while it makes a map."""

from __future__ import annotations

from typing import NamedTuple

LOG = "log"
WARN = "warn"
ERROR = "error"
PRINT = "print"
LEVELS = (LOG, WARN, ERROR, PRINT)
"""The kinds of lines, called as the functions by which scripts write them."""


class LogLine(NamedTuple):
    """A line that a script wrote."""

    level: str
    """One of ``LEVELS``."""
    text: str
