"""A painter's state, saved and restored around some steps."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QPainter


@contextmanager
def saved_state(painter: QPainter) -> Iterator[None]:
    """Restore the painter's state at the end, also when a generator is closed in between."""
    painter.save()
    try:
        yield
    finally:
        painter.restore()
