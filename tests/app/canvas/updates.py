"""Notes which parts of a canvas are said to be dirty."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtWidgets import QWidget


def note_updates(monkeypatch: pytest.MonkeyPatch, canvas: QWidget) -> list[tuple[Any, ...]]:
    """Return a list that gets the arguments of each later call of ``update``: () is everything.

    Qt joins what is dirty before it paints, so that an event would not show single rectangles.
    """
    updates: list[tuple[Any, ...]] = []
    update = canvas.update

    def note(*area: Any) -> None:
        updates.append(area)
        update(*area)

    monkeypatch.setattr(canvas, "update", note)  # Qt's own function, which runs all the same
    return updates
