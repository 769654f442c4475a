"""``LogLine``: a line that a script wrote while it made a map, as the desk shows it."""

from __future__ import annotations

from typing import NamedTuple

# The levels of lines; each is the name of the function by which a script writes such a line.
LOG = "log"
WARN = "warn"
ERROR = "error"
PRINT = "print"

LEVELS = (LOG, WARN, ERROR, PRINT)
"""All levels."""


class LogLine(NamedTuple):
    """A line that a script wrote."""

    level: str
    """One of ``LEVELS``."""

    text: str
