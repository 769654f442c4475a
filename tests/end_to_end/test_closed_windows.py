"""A window that was closed is gone, with its desk and its maps."""

from __future__ import annotations

import gc
import weakref

from PySide6.QtCore import QEvent

from app.document.document import MapDocument
from app.document.sample import sample_map
from app.window import MainWindow


def test_a_window_that_was_closed_leaves_nothing_behind(qapp, qtbot, settings) -> None:
    """Else every window of a test run would be there to its end, and follow each change."""
    window = MainWindow(MapDocument(sample_map()), settings)
    with qtbot.waitSignal(window.desk.ready):
        window.show()
    qtbot.waitUntil(lambda: not window.desk.rolling.busy)
    kept = {
        "window": weakref.ref(window),
        "desk": weakref.ref(window.desk),
        "document": weakref.ref(window.desk.document),
        "canvas": weakref.ref(window.desk.canvas),
    }
    window.close()
    window.deleteLater()
    del window
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    qapp.processEvents()
    gc.collect()
    assert [name for name, left in kept.items() if left() is not None] == []
