"""A window that was closed is gone, with its desk and its maps."""

from __future__ import annotations

import gc
import weakref

from PySide6.QtCore import QEvent

from app.document.document import MapDocument
from app.document.sample import sample_map
from app.window import MainWindow


def shown_and_closed(qtbot, settings) -> dict[str, weakref.ref]:
    """Weak references to a window and its parts; it has been used and closed."""
    window = MainWindow(MapDocument(sample_map()), settings)
    with qtbot.waitSignal(window.desk.ready):
        window.show()
    qtbot.waitUntil(lambda: not window.desk.rolling.busy)
    desk = window.desk
    window.close()
    window.deleteLater()
    parts = {"window": window, "desk": desk, "document": desk.document, "canvas": desk.canvas}
    return {name: weakref.ref(part) for name, part in parts.items()}


def test_a_window_that_was_closed_leaves_nothing_behind(qapp, qtbot, settings) -> None:
    """Else every window of a test run would be there to its end, and follow each change."""
    kept = shown_and_closed(qtbot, settings)
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    qapp.processEvents()
    gc.collect()
    assert [name for name, left in kept.items() if left() is not None] == []
