"""The content of the status bar: the cell under the mouse, work that takes time, and the zoom.

``make`` fills the status bar of a desk once:

    D4: Swamp, elevation 1 - 3 cells     Drawing the map...   [=====   ] Cancel   Zoom 75%

Messages of the desk cover the text about the cell for a while (``Desk.say``, ``WholeMessage``).
"""

from __future__ import annotations

from textwrap import shorten

from PySide6.QtCore import QObject, QTimer

from app.canvas.hover_text import explain, explain_composite
from app.desk.desk import Desk
from app.features.status_bar.whole_message import WholeMessage
from app.qt_guard import connect
from app.render.level_of_detail import PIXELS_AT_100
from app.rolling.roll_progress import RollProgress
from app.widgets.layout.builders import plain_label, plain_text
from app.widgets.layout.elided_label import ElidedLabel
from randomizer.model.grid.grid import Hit
from randomizer.model.notes import notes_on

DRAWING = "Drawing the map..."
"""The text in the bar while the canvas shows a draft of the map."""

DRAWING_AFTER_MS = 250
"""The milliseconds until the bar says that the map is being drawn; most maps are drawn before."""

MAX_LINES = 5
"""The tool tip of a note on the map has at most so many lines of its text."""

LONGEST_LINE = 90
"""A line of a note has at most so many letters in its tool tip; the rest is left out."""

PROGRESS_WIDTH = 220
"""The width of a slow roll's progress with its button, in logical pixels."""

PROGRESS_EXTRA_HEIGHT = 3
"""The progress is so many logical pixels higher than a label.

With more the status bar would grow whenever the progress is shown, and the map would shrink.
"""

SEPARATOR = " - "
"""The signs between the text about the cell and the note of the tool."""


class StatusBarController(QObject):
    """Owns the labels in the status bar, and the progress of a slow roll, and updates them."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self._hit: Hit | None = None
        """The cell under the mouse, or under the keyboard's cursor; None for none."""
        self.place_label = ElidedLabel()
        """The text about that cell."""
        self.drawing_label = plain_label(DRAWING)
        self.progress = RollProgress(desk.rolling)
        """The progress of a slow roll. The panel of the script has one, too, but may be hidden."""
        self.zoom_label = plain_label()
        self._drawing_timer = QTimer(self, singleShot=True, interval=DRAWING_AFTER_MS)
        self._fill_bar()
        self.whole_message = WholeMessage(desk.frame.statusBar())
        self._connect()
        self._show_zoom()
        self._on_drafted(desk.canvas.drafted)

    def _fill_bar(self) -> None:
        """Put the labels and the progress into the bar, the permanent ones at its right end."""
        bar = self._desk.frame.statusBar()
        self.place_label.setObjectName("place")
        self.place_label.setAccessibleName("What is under the mouse")
        bar.addWidget(self.place_label, 1)
        self.drawing_label.setObjectName("drawing")
        bar.addPermanentWidget(self.drawing_label)
        self.drawing_label.hide()
        self.zoom_label.setObjectName("zoom")
        progress_height = self.zoom_label.sizeHint().height() + PROGRESS_EXTRA_HEIGHT
        self.progress.setFixedSize(PROGRESS_WIDTH, progress_height)
        bar.addPermanentWidget(self.progress)
        self.progress.setVisible(self._desk.rolling.slow)
        bar.addPermanentWidget(self.zoom_label)

    def _connect(self) -> None:
        """Follow the canvas, the rolls and the map."""
        desk = self._desk
        connect(self._drawing_timer.timeout, self.drawing_label.show)
        connect(desk.canvas.drafted_changed, self._on_drafted)
        connect(desk.rolling.slow_changed, self.progress.setVisible)
        connect(desk.canvas.hovered, self._on_hovered)
        connect(desk.canvas.viewport_changed, self._show_zoom)
        connect(desk.document.changed, self._refresh_place)
        connect(desk.document.active_layer_changed, self._refresh_place)

    def _on_drafted(self, is_drafted: bool) -> None:
        """Tell that the map is being drawn if a draft of it is shown for long."""
        if is_drafted:
            self._drawing_timer.start()
        else:
            self._drawing_timer.stop()
            self.drawing_label.hide()

    def _refresh_place(self) -> None:
        """Show the values of the cell as they are after an edit, or on another layer."""
        if self._hit is not None:
            self._on_hovered(self._hit)

    def _text_at(self, hit: Hit) -> str:
        """Return the values at a point of the map, or of the composite shown in its place."""
        document = self._desk.document
        composite = self._desk.canvas.instead
        if composite is not None:
            return explain_composite(document, hit.cell, composite)
        # A corner has a height of its own, which only those who shape it want to know.
        return explain(document, hit, has_corner=self._shapes_corners())

    def _on_hovered(self, hit: Hit | None) -> None:
        """Note the cell under the mouse, show its values, and its notes as a tool tip.

        The note of the tool's preview is shown beside the values.
        """
        canvas = self._desk.canvas
        self._hit = hit
        canvas.setToolTip(plain_text(self._note_at(hit)))
        texts = []
        if hit is not None:
            texts.append(self._text_at(hit))
        preview = canvas.overlays.preview
        if preview is not None and preview.note:
            texts.append(preview.note)
        self.place_label.setText(SEPARATOR.join(texts))
        if self.place_label.is_cut:
            # The note comes first then: the cell itself is seen on the map, the note nowhere else.
            texts.reverse()
            self.place_label.setText(SEPARATOR.join(texts))

    def _shapes_corners(self) -> bool:
        """Return whether the tool in use shapes the heights of corners: it shows contour lines."""
        tools = self._desk.tools
        return tools.tools[tools.name].shows_contours

    def _note_at(self, hit: Hit | None) -> str:
        """Return titles and first lines of the notes on the cell under the mouse, "" for none."""
        overlays = self._desk.renderer.overlays
        # Notes are for the game master: they are not told while the map is shown to players.
        if hit is None or overlays.players or not overlays.things:
            return ""
        lines: list[str] = []
        for note in notes_on(self._desk.document.battlemap, hit.cell):
            lines.append(note.heading)
            lines += [shorten(line, LONGEST_LINE) for line in note.lines[:MAX_LINES]]
            if len(note.lines) > MAX_LINES:
                lines.append("...")
        return "\n".join(lines)

    def _show_zoom(self) -> None:
        """Show the zoom of the map in percent."""
        # With the word: a percentage alone would read like the progress beside it.
        self.zoom_label.setText(f"Zoom {self._desk.canvas.viewport.scale / PIXELS_AT_100:.0%}")


def make(desk: Desk) -> None:
    """Fill the status bar."""
    StatusBarController(desk)
