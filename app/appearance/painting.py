"""Painters that end however the painting ends, and states of painters that are restored.

Qt ends the process, or draws nothing any more, where a painter is active on a widget after its
``paintEvent``. So a painter is made only by ``painting``.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from PySide6.QtGui import QPainter

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QPaintDevice


@contextmanager
def painting(device: QPaintDevice) -> Iterator[QPainter]:
    """A painter on ``device`` that is ended at the end."""
    painter = QPainter(device)
    try:
        yield painter
    finally:
        painter.end()


@contextmanager
def saved_state(painter: QPainter) -> Iterator[None]:
    """Restore the painter's state at the end, also when a generator is closed in between."""
    painter.save()
    try:
        yield
    finally:
        painter.restore()
