"""What a script writes while it makes a map."""

from __future__ import annotations

from typing import NamedTuple

LOG = "log"
WARN = "warn"
ERROR = "error"
PRINT = "print"
LEVELS = (LOG, WARN, ERROR, PRINT)


class LogLine(NamedTuple):
    """A line that a script wrote; ``level`` is one of ``LEVELS``."""

    level: str
    text: str
