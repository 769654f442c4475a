"""The drawn ground of one view, kept as a pixmap: frames and pans only add what is missing.

It is larger than the view: what comes into a view that is panned was mostly drawn with what came
before it. While the view is zoomed, frames show the kept picture larger or smaller, until the new
one is drawn, bit by bit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import QElapsedTimer, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPixmap, QRegion

from app.appearance.painting import painting, saved_state
from app.render.viewport import Viewport

Draw = Callable[[QPainter, Viewport, QRect], object]
"""Draws the ground of a view in a rectangle of device pixels, the painter's unit."""


STRIP_ROWS = 96
"""So many rows of device pixels are drawn in one step."""

ONE_PIXEL = 1e-4
"""Two views differ by whole pixels if they do so to this."""

AHEAD = 64
"""The picture reaches so many device pixels beyond the view. With more of them strips are drawn
less often while a view is panned, and each takes longer."""


class _Picture:
    """The drawing of one view and its surroundings; ``valid`` is the finished part of ``pixmap``.

    ``what`` (of any kind) says of which map and with which overlays and theme. Places in the pixmap
    are ``AHEAD`` pixels larger than in ``viewport``.
    """

    def __init__(self, what: object, viewport: Viewport, ratio: float) -> None:
        self.what = what
        self.viewport = viewport
        self.ratio = ratio
        self.pixmap = QPixmap()
        self.valid = QRegion()
        self._panned = QPoint()
        """The distance by which the view was panned since ``viewport``, in device pixels."""

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
        self._panned = QPoint(right, down)
        if abs(right) > AHEAD or abs(down) > AHEAD:
            self.viewport = viewport
            self._panned = QPoint()
            whole = self.pixmap.rect()
            self.valid = self.valid.translated(right, down).intersected(whole)
            if not self.valid.isEmpty():
                self.pixmap.scroll(right, down, whole)
        return True

    def place_of(self, box: QRect) -> QRect:
        """Return the part of the pixmap that shows a box of the view."""
        return box.translated(QPoint(AHEAD, AHEAD) - self._panned)

    @property
    def view_place(self) -> QRect:
        """The part of the pixmap that shows the view."""
        size = self.pixmap.size() - QSize(2 * AHEAD, 2 * AHEAD)
        return self.place_of(QRect(QPoint(), size))

    def make_room(self, box: QRect) -> None:
        """Enlarge the pixmap so that it covers a box of the view and what lies around."""
        needed = QSize(box.right() + 1 + 2 * AHEAD, box.bottom() + 1 + 2 * AHEAD)
        size = self.pixmap.size().expandedTo(needed)
        if size != self.pixmap.size():
            former = self.pixmap
            self.pixmap = QPixmap(size)
            self.pixmap.fill(Qt.GlobalColor.black)  # opaque
            if not former.isNull():
                with painting(self.pixmap) as painter:
                    painter.drawPixmap(0, 0, former)

    def draw(self, place: QRect, draw: Draw) -> None:
        """Draw a part of the pixmap."""
        ahead = AHEAD / self.ratio
        with painting(self.pixmap) as painter:
            painter.setClipRect(place)
            draw(painter, self.viewport.panned(ahead, ahead), place)
        self.valid += place

    def draw_missing(self, place: QRect, draw: Draw, *, ahead: bool) -> None:
        """Draw what is missing in a part of the pixmap, and what comes next if it was panned."""
        missing = self.lacks(place)
        if missing.isEmpty():
            return
        area = missing.boundingRect()
        if ahead and not self.valid.isEmpty():
            if area.width() < area.height():
                wider = area.adjusted(-AHEAD, 0, AHEAD, 0)
            else:
                wider = area.adjusted(0, -AHEAD, 0, AHEAD)
            area = self.lacks(wider & self.pixmap.rect()).boundingRect()
        self.draw(area, draw)

    def lacks(self, place: QRect) -> QRegion:
        """Return what of a part of the pixmap is not drawn."""
        return QRegion(place).subtracted(self.valid)


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
            current.valid -= current.place_of(device.toAlignedRect().adjusted(-1, -1, 1, 1))

    def paint(
        self,
        painter: QPainter,
        what: object,
        viewport: Viewport,
        ratio: float,
        box: QRect,
        draw: Draw,
        *,
        ahead: bool,
    ) -> None:
        """Paint the ground in ``box``, drawing what is missing.

        ``ahead``: so is some of what lies beyond it, where the view was panned.
        """
        picture = self._at(what, viewport, ratio)
        if picture is None:
            picture = _Picture(what, viewport, ratio)
        self._shown = picture
        self._coming = None
        picture.make_room(box)
        place = picture.place_of(box)
        picture.draw_missing(place, draw, ahead=ahead)
        painter.drawPixmap(box.topLeft(), picture.pixmap, place)

    def covers(self, what: object, viewport: Viewport, ratio: float, box: QRect) -> bool:
        """Return whether all of ``box`` is drawn already."""
        picture = self._at(what, viewport, ratio)
        return picture is not None and picture.lacks(picture.place_of(box)).isEmpty()

    def paint_draft(
        self, painter: QPainter, what: object, viewport: Viewport, ratio: float
    ) -> None:
        """Paint what is kept, larger or smaller, where ``viewport`` has it.

        Nothing if it is of something else, or if parts of it are not true any more.
        """
        current = self._shown
        if current is None or current.what != what or current.ratio != ratio:
            return
        valid = current.valid & current.view_place
        if valid.rectCount() != 1:
            return
        source = valid.boundingRect()
        zoom = viewport.scale / current.viewport.scale
        with saved_state(painter):
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
            painter.translate(viewport.dx * ratio, viewport.dy * ratio)
            painter.scale(zoom, zoom)
            painter.translate(-current.viewport.dx * ratio, -current.viewport.dy * ratio)
            painter.drawPixmap(source.topLeft() - QPoint(AHEAD, AHEAD), current.pixmap, source)

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
        place = picture.place_of(box)
        while not (missing := picture.lacks(place)).isEmpty():
            area = missing.boundingRect()
            area.setHeight(min(area.height(), STRIP_ROWS))
            picture.draw(area, draw)
            if clock.elapsed() >= budget_ms:
                return picture.lacks(place).isEmpty()
        return True

    def _at(self, what: object, viewport: Viewport, ratio: float) -> _Picture | None:
        """Return the picture of a view, moved there."""
        for picture in (self._shown, self._coming):
            if picture is not None and picture.move_to(what, viewport, ratio):
                return picture
        return None
