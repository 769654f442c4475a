"""The drawn ground of one view, kept as a pixmap: frames and pans only add what is missing.

While the view is zoomed, frames show the kept picture larger or smaller, until the new one is
drawn, bit by bit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import QElapsedTimer, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPixmap, QRegion

from app.appearance.painting import painting, saved_state
from app.render.viewport import Viewport

Draw = Callable[[QPainter, QRect], object]
"""Draws the ground in a rectangle of device pixels, the painter's unit."""


STRIP_ROWS = 96
"""So many rows of device pixels are drawn in one step."""

ONE_PIXEL = 1e-4
"""Two views differ by whole pixels if they do so to this."""


class _Picture:
    """The drawing of one view; ``valid`` is the finished part of ``pixmap``.

    ``what`` (of any kind) says of which map and with which overlays and theme.
    """

    def __init__(self, what: object, viewport: Viewport, ratio: float) -> None:
        self.what = what
        self.viewport = viewport
        self.ratio = ratio
        self.pixmap = QPixmap()
        self.valid = QRegion()

    def move_to(self, what: object, viewport: Viewport, ratio: float) -> bool:
        """Follow a view that was panned by whole device pixels; whether it was no more than that.

        Else nothing is changed.
        """
        same = viewport.scale == self.viewport.scale and ratio == self.ratio
        if not same or what != self.what:
            return False
        x = (viewport.dx - self.viewport.dx) * ratio
        y = (viewport.dy - self.viewport.dy) * ratio
        right = round(x)
        down = round(y)
        if abs(x - right) > ONE_PIXEL or abs(y - down) > ONE_PIXEL:
            return False
        self.viewport = viewport
        if right or down:
            whole = self.pixmap.rect()
            self.valid = self.valid.translated(right, down).intersected(whole)
            if not self.valid.isEmpty():
                self.pixmap.scroll(right, down, whole)
        return True

    def make_room(self, box: QRect) -> None:
        """Enlarge the pixmap so that it covers a box."""
        size = self.pixmap.size().expandedTo(QSize(box.right() + 1, box.bottom() + 1))
        if size != self.pixmap.size():
            former = self.pixmap
            self.pixmap = QPixmap(size)
            self.pixmap.fill(Qt.GlobalColor.black)  # opaque
            if not former.isNull():
                with painting(self.pixmap) as painter:
                    painter.drawPixmap(0, 0, former)

    def draw(self, area: QRect, draw: Draw) -> None:
        """Draw an area that the pixmap covers."""
        with painting(self.pixmap) as painter:
            painter.setClipRect(area)
            draw(painter, area)
        self.valid += area

    def lacks(self, box: QRect) -> QRegion:
        """Return what of a box is not drawn."""
        return QRegion(box).subtracted(self.valid)


class Backdrop:
    """The ground of the map in one widget. Boxes are of device pixels, none of them negative."""

    def __init__(self) -> None:
        self._shown: _Picture | None = None
        self._coming: _Picture | None = None

    def forget(self) -> None:
        """The whole map is another: nothing that is kept is true."""
        self._shown = self._coming = None

    @property
    def bytes(self) -> int:
        """The memory that the pictures take, in bytes."""
        sizes = (each.pixmap.size() for each in (self._shown, self._coming) if each is not None)
        return sum(4 * size.width() * size.height() for size in sizes)

    def changed(self, boxes: Iterable[QRectF], viewport: Viewport) -> None:
        """The ground changed in boxes of logical pixels of ``viewport``."""
        self._coming = None
        current = self._shown
        if current is None:
            return
        if not current.move_to(current.what, viewport, current.ratio):
            self._shown = None
            return
        for box in boxes:
            device = QRectF(box.topLeft() * current.ratio, box.size() * current.ratio)
            current.valid -= device.toAlignedRect().adjusted(-1, -1, 1, 1)

    def paint(
        self,
        painter: QPainter,
        what: object,
        viewport: Viewport,
        ratio: float,
        box: QRect,
        draw: Draw,
    ) -> None:
        """Paint the ground in ``box``, drawing what is missing."""
        picture = self._at(what, viewport, ratio)
        if picture is None:
            picture = _Picture(what, viewport, ratio)
        self._shown = picture
        self._coming = None
        picture.make_room(box)
        missing = picture.lacks(box)
        if not missing.isEmpty():
            picture.draw(missing.boundingRect(), draw)
        painter.drawPixmap(box.topLeft(), picture.pixmap, box)

    def covers(self, what: object, viewport: Viewport, ratio: float, box: QRect) -> bool:
        """Return whether all of ``box`` is drawn already."""
        picture = self._at(what, viewport, ratio)
        return picture is not None and picture.lacks(box).isEmpty()

    def paint_draft(
        self, painter: QPainter, what: object, viewport: Viewport, ratio: float
    ) -> None:
        """Paint what is kept, larger or smaller, where ``viewport`` has it.

        Nothing if it is of something else, or if parts of it are not true any more.
        """
        current = self._shown
        if (
            current is None
            or current.what != what
            or current.ratio != ratio
            or current.valid.rectCount() != 1
        ):
            return
        source = current.valid.boundingRect()
        zoom = viewport.scale / current.viewport.scale
        with saved_state(painter):
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
            painter.translate(viewport.dx * ratio, viewport.dy * ratio)
            painter.scale(zoom, zoom)
            painter.translate(-current.viewport.dx * ratio, -current.viewport.dy * ratio)
            painter.drawPixmap(QPoint(source.topLeft()), current.pixmap, source)

    def prepare(
        self,
        what: object,
        viewport: Viewport,
        ratio: float,
        box: QRect,
        draw: Draw,
        clock: QElapsedTimer,
        budget_ms: int,
    ) -> bool:
        """Draw what is missing of ``box``, in strips; whether all of it is drawn now.

        At least one strip is drawn, even if ``clock`` has passed ``budget_ms`` before, so that
        preparing comes to an end.
        """
        picture = self._at(what, viewport, ratio)
        if picture is None:
            picture = self._coming = _Picture(what, viewport, ratio)
        picture.make_room(box)
        while not (missing := picture.lacks(box)).isEmpty():
            area = missing.boundingRect()
            area.setHeight(min(area.height(), STRIP_ROWS))
            picture.draw(area, draw)
            if clock.elapsed() >= budget_ms:
                return picture.lacks(box).isEmpty()
        return True

    def _at(self, what: object, viewport: Viewport, ratio: float) -> _Picture | None:
        """Return the picture of a view, moved there."""
        for picture in (self._shown, self._coming):
            if picture is not None and picture.move_to(what, viewport, ratio):
                return picture
        return None
