"""Draws the map of the preview in the dialog for pictures, after a pause, on another thread.

The dialog tells ``PreviewDrawer`` of each request that the fields make. A map is drawn only if it
looks otherwise than the one that was drawn last.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, QTimer, Signal

from app.background.latest_job import LatestJob
from app.paper.picture_request import PictureRequest
from app.paper.preview import preview
from app.paper.steps import as_work
from app.qt_guard import connect
from app.render.overlay_options import Overlays
from app.render.theme import Theme
from app.render.vector.snapshots import snapshot

if TYPE_CHECKING:
    from app.document.open_map import OpenMap

PREVIEW_SIDE = 420
"""The map in the preview has at most this many pixels a side."""

DELAY_MS = 150
"""The milliseconds from the last change of a field until the preview is drawn.

With fewer the map would be drawn for each digit that is typed.
"""


class _Look(NamedTuple):
    """All of a request that changes how the map looks in the preview."""

    theme: Theme

    overlays: Overlays

    pixels: float | None
    """The pixels across a cell; None if the size follows from the pages."""

    scale_on_paper: float | None
    """The scale of names on paper, as in ``preview``; None for a picture in pixels."""


class PreviewDrawer(QObject):
    """Draws the map of one dialog."""

    drawn = Signal(object)
    """The map was drawn: this ``QImage``."""

    failed = Signal(object)
    """The map cannot be drawn, for these problems (``tuple[Problem, ...]``)."""

    def __init__(self, open_map: OpenMap, parent: QObject) -> None:
        super().__init__(parent)
        self._open_map = open_map
        self._request: PictureRequest | None = None
        """The request to be drawn next; None before the first."""
        self._look: _Look | None = None
        """The look of the picture that is shown, or that is drawn in a moment.

        None if there is neither.
        """
        self._job = LatestJob(self)
        self._timer = QTimer(self, singleShot=True, interval=DELAY_MS)
        """Runs from a change of the look until the picture is drawn."""
        connect(self._timer.timeout, self._draw)

    def request_drawing(self, request: PictureRequest, scale_on_paper: float | None) -> None:
        """Draw the map of a request soon, if it looks otherwise.

        ``scale_on_paper`` is that of ``preview``; None for a picture whose size is in pixels.
        """
        self._request = request
        look = _Look(request.theme, request.overlays, request.pixels, scale_on_paper)
        if look != self._look:
            self._look = look
            self._timer.start()

    def drop_waiting(self) -> None:
        """Draw no map in a moment: the values of the fields cannot be used.

        The look that was to be drawn is forgotten, too. Else it would pass for drawn when the user
        changes the values back.
        """
        if self._timer.isActive():
            self._timer.stop()
            self._look = None

    def stop(self) -> None:
        """Draw nothing any more: the dialog is closed."""
        self._timer.stop()
        self._job.cancel()

    def _draw(self) -> None:
        """Draw the map on another thread, from a copy of it."""
        request = self._request
        look = self._look
        assert request is not None, "the timer runs only after a request"
        assert look is not None, "the timer runs only while a look is noted"
        composite = self._open_map.live_composite()
        map_copy, composite_copy = snapshot(self._open_map.battlemap, composite, request.overlays)
        steps = preview(request, map_copy, composite_copy, PREVIEW_SIDE, look.scale_on_paper)
        self._job.run(as_work(steps), self.drawn.emit, self.failed.emit)
