"""The drawn ground of one view, stored as a pixmap: frames and pans only add what is missing.

The renderer paints the ground of each frame with a ``Backdrop``. Its picture is larger than the
view by ``AHEAD`` on all sides, so that a pan mostly shows what is drawn already. While the view is
zoomed, frames show the stored picture larger or smaller (``paint_draft``), until ``prepare`` has
drawn a new one, strip by strip. All boxes are of device pixels if nothing else is said.
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
"""The rows of device pixels that are drawn in one step of ``Backdrop.prepare``."""

ONE_PIXEL = 1e-4
"""A distance is a whole number of pixels if it differs from one by no more than this."""

AHEAD = 64
"""The picture reaches so many device pixels beyond the view. With more of them strips are drawn
less often while a view is panned, and each takes longer."""


BYTES_PER_PIXEL = 4
"""What a pixel of a pixmap takes in memory."""


class _Picture:
    """The drawing of one view and its surroundings.

    The left top pixel of ``viewport`` lies ``AHEAD`` pixels right of and below that of the pixmap.
    """

    def __init__(self, content: object, viewport: Viewport, ratio: float) -> None:
        self.content = content
        """Stands for the map, the overlays and the theme: pictures of equal content look alike."""
        self.viewport = viewport
        self.ratio = ratio
        self.pixmap = QPixmap()
        self.valid = QRegion()
        """The part of the pixmap that is drawn and still true."""
        self._panned = QPoint()
        """The distance by which the view was panned since ``viewport``, in device pixels."""

    def move_to(self, content: object, viewport: Viewport, ratio: float) -> bool:
        """Follow a view that was panned by whole device pixels, and return True.

        If the view differs in anything else, return False and change nothing.
        """
        has_same_scale = viewport.scale == self.viewport.scale and ratio == self.ratio
        if not has_same_scale or content != self.content:
            return False
        x = (viewport.dx - self.viewport.dx) * ratio
        y = (viewport.dy - self.viewport.dy) * ratio
        right = round(x)
        down = round(y)
        if abs(x - right) > ONE_PIXEL or abs(y - down) > ONE_PIXEL:
            return False
        self._panned = QPoint(right, down)
        # Short pans show another part of the pixmap. A long one leaves it: then the pixels move.
        if abs(right) > AHEAD or abs(down) > AHEAD:
            self.viewport = viewport
            self._panned = QPoint()
            whole = self.pixmap.rect()
            self.valid = self.valid.translated(right, down).intersected(whole)
            if not self.valid.isEmpty():
                self.pixmap.scroll(right, down, whole)
        return True

    def area_of(self, box: QRect) -> QRect:
        """Return the area of the pixmap that shows a box of the view."""
        return box.translated(QPoint(AHEAD, AHEAD) - self._panned)

    @property
    def view_area(self) -> QRect:
        """The area of the pixmap that shows the whole view."""
        size = self.pixmap.size() - QSize(2 * AHEAD, 2 * AHEAD)
        return self.area_of(QRect(QPoint(), size))

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

    def draw(self, area: QRect, draw: Draw) -> None:
        """Draw an area of the pixmap, which is then valid."""
        ahead = AHEAD / self.ratio
        with painting(self.pixmap) as painter:
            painter.setClipRect(area)
            draw(painter, self.viewport.panned(ahead, ahead), area)
        self.valid += area

    def draw_missing(self, area: QRect, draw: Draw, *, ahead: bool) -> None:
        """Draw what is missing in an area of the pixmap.

        With ``ahead`` a strip is drawn ``AHEAD`` pixels wider than needed, so that a pan does not
        draw in every frame. It is as much longer, too, or a slanting pan would lack a corner beyond
        the end of the strip in each of these frames.
        """
        missing = self.missing_in(area)
        if missing.isEmpty():
            return
        strip = missing.boundingRect()
        if ahead and not self.valid.isEmpty():
            # A narrow strip is missing at the left or right, a low one at the top or bottom.
            if strip.width() < strip.height():
                strip = self._missing_box_in(strip.adjusted(-AHEAD, 0, AHEAD, 0))
                strip = self._missing_box_in(strip.adjusted(0, -AHEAD, 0, AHEAD))
            else:
                strip = self._missing_box_in(strip.adjusted(0, -AHEAD, 0, AHEAD))
                strip = self._missing_box_in(strip.adjusted(-AHEAD, 0, AHEAD, 0))
        self.draw(strip, draw)

    def _missing_box_in(self, area: QRect) -> QRect:
        """Return the box around all that is missing in an area, which may reach over the pixmap."""
        return self.missing_in(area & self.pixmap.rect()).boundingRect()

    def missing_in(self, area: QRect) -> QRegion:
        """Return the parts of an area of the pixmap that are not valid."""
        return QRegion(area).subtracted(self.valid)


class Backdrop:
    """The ground of the map in one widget. Boxes have no negative coordinates."""

    def __init__(self) -> None:
        self._picture: _Picture | None = None
        """The picture that frames are painted from; None until a first frame is painted."""
        self._next_picture: _Picture | None = None
        """The picture of another view, which ``prepare`` draws; ``paint`` makes it the first."""

    def forget(self) -> None:
        """Drop the pictures: all of the map may look different."""
        self._picture = None
        self._next_picture = None

    @property
    def bytes(self) -> int:
        """The memory that the pictures take, in bytes."""
        total = 0
        for picture in (self._picture, self._next_picture):
            if picture is not None:
                total += BYTES_PER_PIXEL * picture.pixmap.width() * picture.pixmap.height()
        return total

    def changed(self, boxes: Iterable[QRectF], viewport: Viewport) -> None:
        """Mark what lies in boxes as not drawn; they are logical pixels of ``viewport``."""
        self._next_picture = None
        current = self._picture
        if current is None:
            return
        if not current.move_to(current.content, viewport, current.ratio):
            self._picture = None
            return
        for box in boxes:
            device_box = QRectF(box.topLeft() * current.ratio, box.size() * current.ratio)
            current.valid -= current.area_of(device_box.toAlignedRect().adjusted(-1, -1, 1, 1))

    def paint(
        self,
        painter: QPainter,
        content: object,
        viewport: Viewport,
        ratio: float,
        box: QRect,
        draw: Draw,
        *,
        ahead: bool,
    ) -> None:
        """Paint the ground in ``box``, drawing what is missing.

        With ``ahead`` some of what lies beyond it is drawn, too, for the next frames of a pan.
        """
        picture = self._picture_moved_to(content, viewport, ratio)
        if picture is None:
            picture = _Picture(content, viewport, ratio)
        self._picture = picture
        self._next_picture = None
        picture.make_room(box)
        area = picture.area_of(box)
        picture.draw_missing(area, draw, ahead=ahead)
        painter.drawPixmap(box.topLeft(), picture.pixmap, area)

    def covers(self, content: object, viewport: Viewport, ratio: float, box: QRect) -> bool:
        """Return whether all of ``box`` is drawn already."""
        picture = self._picture_moved_to(content, viewport, ratio)
        return picture is not None and picture.missing_in(picture.area_of(box)).isEmpty()

    def paint_draft(
        self, painter: QPainter, content: object, viewport: Viewport, ratio: float
    ) -> None:
        """Paint the stored picture, larger or smaller, where ``viewport`` has it.

        Paint nothing if it has another content, or if parts of it are not valid.
        """
        current = self._picture
        if current is None or current.content != content or current.ratio != ratio:
            return
        valid = current.valid & current.view_area
        if valid.rectCount() != 1:  # there are gaps between them
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
        content: object,
        viewport: Viewport,
        ratio: float,
        box: QRect,
        draw: Draw,
        clock: QElapsedTimer,
        budget_ms: int,
    ) -> bool:
        """Draw what is missing of ``box``, in strips; return whether all of it is drawn now.

        At least one strip is drawn, even if ``clock`` has passed ``budget_ms`` before, so that
        preparing comes to an end.
        """
        picture = self._picture_moved_to(content, viewport, ratio)
        if picture is None:
            picture = _Picture(content, viewport, ratio)
            self._next_picture = picture
        picture.make_room(box)
        area = picture.area_of(box)
        while not (missing := picture.missing_in(area)).isEmpty():
            strip = missing.boundingRect()
            strip.setHeight(min(strip.height(), STRIP_ROWS))
            picture.draw(strip, draw)
            if clock.elapsed() >= budget_ms:
                return picture.missing_in(area).isEmpty()
        return True

    def _picture_moved_to(
        self, content: object, viewport: Viewport, ratio: float
    ) -> _Picture | None:
        """Move the stored picture to a view, or else the next one, and return it.

        None if neither can show it: they have another scale or content.
        """
        for picture in (self._picture, self._next_picture):
            if picture is not None and picture.move_to(content, viewport, ratio):
                return picture
        return None
