"""The purposes for which the dialog of pictures is opened."""

from __future__ import annotations

from enum import Enum


class Purpose(Enum):
    """What the dialog makes of the map; the value is the title of its window."""

    PICTURE = "Export picture"
    TABLE = "Export for a virtual table"
    PRINT = "Print"
