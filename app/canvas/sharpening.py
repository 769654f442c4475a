"""Drafts of the map, and how they become final pictures.

Drawing the pictures of all cells can take longer than a step of a zoom may. So a frame may be a
*draft*: it shows coarser pictures where the right ones are missing. ``Sharpening`` draws these in
turns of the event loop, and lets the frame be painted again::

    begin_zoom      frames may be drafts (``may_draft``) until no further step of the zoom comes
    note_draft      the frame that was painted is a draft: ``is_draft`` is True
    (turns)         the missing pictures are drawn, a few in each
    repaint_wanted  all are drawn: the next frame is final, ``is_sharp``

Drawing can also go on out of sight: while a map that changed as a whole is drawn, the window shows
it as it was before (``start_hidden_drawing``).
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal

from app.qt_guard import connect
from app.render.renderer import Renderer

SHARPEN_MS = 120
"""How long after the last zoom the pictures of the cells are drawn for the new scale.

If it is shorter, pictures are drawn between two steps of a zoom, and the zoom jerks.
"""

DRAFT_FRAME_MS = 200
"""How often a draft is shown again while its pictures are drawn, with those drawn so far."""

DRAFT_FRAMES = 10
"""A draft is not shown again before so many times the time has passed that the last frame took.

If it is smaller, a large window or a busy machine spends much of the time on drafts.
"""


class Sharpening(QObject):
    """Draws what is missing of the current map's pictures, a few in each turn of the event loop."""

    repaint_wanted = Signal()
    """Pictures were drawn: the map is to be painted again."""

    is_draft_changed = Signal(bool)
    """``is_draft`` has changed."""

    def __init__(
        self, renderer: Renderer, draw_missing: Callable[[], bool], parent: QObject
    ) -> None:
        """Begin without a frame.

        ``draw_missing`` draws pictures that the view lacks for a turn, and returns whether all are
        there now.
        """
        super().__init__(parent)
        self._renderer = renderer
        self._draw_missing = draw_missing
        self.has_frame = False
        """True once a first frame was painted (``end_frame``)."""
        self.may_draft = False
        """True from a zoom until a moment after it, when a further step may follow.

        Meanwhile frames do not wait for missing pictures but are drafts.
        """
        self.is_draft = False
        """True from a frame that was a draft until all its pictures are drawn."""
        self._timer = QTimer(self, singleShot=True)
        """Draws the missing pictures, a few each time that it runs out."""
        connect(self._timer.timeout, self._sharpen)
        self._since_frame = QElapsedTimer()
        """The time since the last frame was begun."""
        self._frame_ms = 0
        """How long it took to paint the last frame."""
        self._hidden_timer = QTimer(self)
        """Runs while a map that changed as a whole is drawn, in turns, before it is shown."""
        connect(self._hidden_timer.timeout, self._draw_hidden_turn)

    @property
    def is_sharp(self) -> bool:
        """True if the picture is final: no draft, and no further step of a zoom is waited for."""
        return self.has_frame and not self.may_draft and not self.is_draft

    # --- drafts -----------------------------------------------------------------------------

    def begin_zoom(self, *, first_frame_is_slow: bool) -> None:
        """Let frames be drafts from now on, since the view has another scale.

        Before the first frame there is no end of a zoom to wait for: that one may be a draft only
        if ``first_frame_is_slow``, and is sharpened at once.
        """
        if self.has_frame:
            self.may_draft = True
            self._timer.start(SHARPEN_MS)
        elif first_frame_is_slow:
            self.may_draft = True
            self._timer.start(0)

    def begin_frame(self) -> None:
        """Note that a frame is being painted now."""
        self._since_frame.start()

    def note_draft(self) -> None:
        """Note that what is painted is a draft: its missing pictures are drawn from now on."""
        self._set_draft(True)
        if not self._timer.isActive():  # else it runs out after the zoom
            self._timer.start(0)

    def end_frame(self) -> None:
        """Note that the frame is painted."""
        self.has_frame = True
        self._frame_ms = self._since_frame.elapsed()

    def _sharpen(self) -> None:
        """Draw missing pictures for one turn; when all are there, let the final frame be painted.

        The timer calls it when a zoom has ended, and then again until nothing is missing.
        """
        if self.is_draft:
            if not self._draw_missing():
                self._timer.start(0)
                draft_lasts_ms = max(DRAFT_FRAME_MS, DRAFT_FRAMES * self._frame_ms)
                is_frame_old = self._since_frame.elapsed() > draft_lasts_ms
                if self._renderer.ground.has_new_tiles and is_frame_old:
                    self.repaint_wanted.emit()
                return
            self.repaint_wanted.emit()
        self.may_draft = False
        self._set_draft(False)

    def _set_draft(self, is_draft: bool) -> None:
        """Set whether the picture is a draft, and tell it if that is new."""
        if is_draft is not self.is_draft:
            self.is_draft = is_draft
            self.is_draft_changed.emit(is_draft)

    # --- drawing out of sight ---------------------------------------------------------------

    @property
    def is_drawing_hidden(self) -> bool:
        """True while a map that changed as a whole is drawn, and not shown yet."""
        return self._hidden_timer.isActive()

    def start_hidden_drawing(self) -> None:
        """Draw the map, which has changed as a whole; it is shown when all of it is drawn."""
        self._hidden_timer.start(0)

    def cancel_hidden_drawing(self) -> None:
        """Draw it no longer: another map is current now."""
        self._hidden_timer.stop()

    def _draw_hidden_turn(self) -> None:
        """Draw for one turn; let the map be painted when all of it is drawn."""
        if self._draw_missing():
            self._hidden_timer.stop()
            self.repaint_wanted.emit()
