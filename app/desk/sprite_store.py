"""Keeps drawn sprites from one start to the next, and frees those of closed maps.

A *sprite* is the drawn picture of a cell or of a sign, which is painted wherever that is seen. The
renderer of a window has thousands of them, which take a while to draw.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.canvas.canvas import MapCanvas
from app.qt_guard import connect, later
from randomizer.model.problems import ProblemError

# What the first picture does not need is imported where it is used.
if TYPE_CHECKING:
    from app.document.document import MapDocument

FORGET_MS = 500
"""The milliseconds from the close of a map until its sprites are freed.

By then another map is drawn; at once would delay that.
"""


class SpriteStore(QObject):
    """Stores the sprites of the first picture in a file, and frees those of closed maps."""

    def __init__(
        self, canvas: MapCanvas, document: MapDocument, file: Path | None, parent: QObject
    ) -> None:
        """Store the sprites of ``canvas`` in ``file``; None: they are drawn at each start."""
        super().__init__(parent)
        self._document = document
        self._sprite_sets = canvas.renderer.sprite_sets
        self._map_count = len(document.maps)
        """The number of open maps when it changed last."""
        if file is not None:
            self._sprite_sets.file = file  # from there the renderer reads those of the last start
            connect(canvas.painted, self._store_soon)
        connect(document.maps_changed, self._forget_closed)

    def _store_soon(self) -> None:
        """Store the sprites in a later turn of the event loop, after the first picture."""
        later(self, self.store)

    def store(self) -> None:
        """Store the sprites of the first picture: the next start need not draw them."""
        file = self._sprite_sets.file
        if file is None:
            return
        data = self._sprite_sets.pack()
        if data is None:
            return

        from app.background.jobs import Job
        from randomizer.storage.disk.atomic import write_atomically

        def write(_progress: object, _cancelled: object) -> None:
            # A cache that cannot be written is no fault: the next start draws its sprites.
            with suppress(OSError, ProblemError):
                file.parent.mkdir(parents=True, exist_ok=True)
                write_atomically(file, data)

        Job(write).start()

    def _forget_closed(self) -> None:
        """Free the sprites of closed maps, once another map is drawn."""
        old_count = self._map_count
        self._map_count = len(self._document.maps)
        if self._map_count < old_count:
            later(self, self._sprite_sets.forget_former, FORGET_MS)
