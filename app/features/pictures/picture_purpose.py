"""The purposes for which the dialog of pictures is opened, and what differs between them."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum


class Purpose(Enum):
    """What the dialog makes of the map; the value is the title of its window."""

    PICTURE = "Export picture"
    TABLE = "Export for a virtual table"
    PRINT = "Print"

    @property
    def kinds(self) -> Mapping[str, str]:
        """The kinds of files that can be chosen: their titles by suffix."""
        from app.paper.picture_request import KINDS, TABLES  # not before a dialog is opened

        if self is Purpose.TABLE:
            return TABLES
        return KINDS

    @property
    def is_paged(self) -> bool:
        """True if only pages are made: then the form asks for no kind of file."""
        return self is Purpose.PRINT

    @property
    def button_text(self) -> str:
        """The text of the button that makes it."""
        if self is Purpose.PRINT:
            return "&Print..."
        return "&Export..."
