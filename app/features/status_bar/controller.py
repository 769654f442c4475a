"""Says in the status bar what is under the mouse, and how large the map is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QLabel

from app.canvas.place_text import explain
from app.qt_guard import connect

if TYPE_CHECKING:
    from app.desk.desk import Desk
    from randomizer.model.grid import Hit

PIXELS_AT_100 = 40
"""The radius of a cell at a zoom of 100 %, in logical pixels."""


class StatusBarController(QObject):
    """Keeps two labels in the status bar up to date."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self._hit: Hit | None = None
        self.place = QLabel()
        self.place.setObjectName("place")
        self.place.setAccessibleName("What is under the mouse")
        self.zoom = QLabel()
        bar = desk.frame.statusBar()
        bar.addWidget(self.place, 1)
        bar.addPermanentWidget(self.zoom)
        connect(desk.canvas.hovered, self._show_place)
        connect(desk.canvas.viewport_changed, self._show_zoom)
        connect(desk.document.changed, self._on_changed)
        self._show_zoom()

    def _on_changed(self) -> None:
        if self._hit is not None:
            self._show_place(self._hit)

    def _show_place(self, hit: Hit | None) -> None:
        canvas = self._desk.canvas
        self._hit, preview = hit, canvas.overlays.preview
        words = ["" if hit is None else explain(self._desk.document, hit, canvas.instead)]
        if preview is not None and preview.words:
            words.append(preview.words)
        self.place.setText(" - ".join(words))

    def _show_zoom(self) -> None:
        self.zoom.setText(f"{self._desk.canvas.viewport.scale / PIXELS_AT_100:.0%}")
