"""The drawn ground of one view, stored as a pixmap: frames and pans only add what is missing.

The *ground* is what the cells of a map show, without things and texts. The renderer paints the
ground of each frame with a ``Backdrop``. Its picture is larger than the view by ``AHEAD`` on all
sides, so that a pan mostly shows what is drawn already. While the view is zoomed, frames show the
stored picture larger or smaller (``paint_draft``), until ``prepare`` has drawn a new one, strip by
strip. All boxes are of device pixels if nothing else is said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from PySide6.QtCore import QMargins, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPixmap, QRegion

from app.appearance.painting import painting, saved_state
from app.render.time_budget import TimeBudget
from app.render.viewport import Viewport

DrawGround = Callable[[QPainter, Viewport, QRect], object]
"""Draws the ground of a viewport in a rectangle of device pixels, the painter's unit."""

STRIP_ROWS = 96
"""The rows of device pixels that are drawn in one step of ``Backdrop.prepare``.

With more of them fewer cells are drawn twice, for two strips, and turns of the event loop are
longer.
"""

PIXEL_TOLERANCE = 1e-4
"""A distance is a whole number of pixels if it differs from one by no more than this."""

AHEAD = 64
"""The picture reaches so many device pixels beyond the view.

With more of them strips are drawn less often while a view is panned, and each takes longer.
"""

BYTES_PER_PIXEL = 4
"""What a pixel of a pixmap takes in memory."""


class GroundSubject(NamedTuple):
    """The content of a picture of the ground.

    Subjects of equal content and scale differ by a pan: their pictures have the same pixels.
    """

    content: object
    """Stands for the map, the overlays and the theme: pictures of equal content look alike."""

    viewport: Viewport
    """The part of the map that is seen."""

    ratio: float
    """The device pixels in a logical pixel."""

    def pan_to(self, target: GroundSubject) -> QPoint | None:
        """Return by how many device pixels the ground moves from this subject to another.

        None if another picture is needed: it is not a pan by whole pixels.
        """
        has_same_scale = target.viewport.scale == self.viewport.scale and target.ratio == self.ratio
        if not has_same_scale or target.content != self.content:
            return None
        x = (target.viewport.dx - self.viewport.dx) * self.ratio
        y = (target.viewport.dy - self.viewport.dy) * self.ratio
        right = round(x)
        down = round(y)
        if abs(x - right) > PIXEL_TOLERANCE or abs(y - down) > PIXEL_TOLERANCE:
            return None
        return QPoint(right, down)


class _Picture:
    """The drawing of one view and its surroundings.

    It is made blank; ``draw`` and ``draw_missing`` draw parts of it, which are then valid, and an
    edit takes parts out of ``valid``. The view lies in the middle of the pixmap at first::

        +-- pixmap ----------------+
        |   AHEAD                  |
        |   +-- view ----------+   |
        |   |                  |   |
        |   +------------------+   |
        |                          |
        +--------------------------+

    After a pan by 10 pixels to the right the ground of the view is found 10 pixels farther left.
    """

    def __init__(self, subject: GroundSubject) -> None:
        self.subject = subject
        """What the pixmap shows; the view's left top pixel is ``AHEAD`` pixels inside it."""
        self.pixmap = QPixmap()
        """The pixels, as many as ``make_room`` was asked for."""
        self.valid = QRegion()
        """The part of the pixmap that is drawn and still true."""
        self._pan = QPoint()
        """By how many device pixels the ground was moved since ``subject``, at most ``AHEAD``."""

    def move_to(self, subject: GroundSubject) -> bool:
        """Follow a view that was panned by whole device pixels, and return True.

        If the view differs in anything else, return False and change nothing.
        """
        pan = self.subject.pan_to(subject)
        if pan is None:
            return False
        self._pan = pan
        # Short pans show another part of the pixmap. A long one leaves it: then the pixels move.
        if abs(pan.x()) > AHEAD or abs(pan.y()) > AHEAD:
            self.subject = subject
            self._pan = QPoint()
            whole = self.pixmap.rect()
            self.valid = self.valid.translated(pan).intersected(whole)
            if not self.valid.isEmpty():
                self.pixmap.scroll(pan.x(), pan.y(), whole)
        return True

    def area_of(self, box: QRect) -> QRect:
        """Return the area of the pixmap that shows a box of the view."""
        return box.translated(QPoint(AHEAD, AHEAD) - self._pan)

    @property
    def view_area(self) -> QRect:
        """The area of the pixmap that shows the largest view so far: a pixmap does not shrink."""
        size = self.pixmap.size() - QSize(2 * AHEAD, 2 * AHEAD)
        return self.area_of(QRect(QPoint(), size))

    def make_room(self, box: QRect) -> None:
        """Enlarge the pixmap so that it covers a box of the view and what lies around."""
        # The ``right()`` and ``bottom()`` of a QRect are its last pixels.
        needed = QSize(box.right() + 1 + 2 * AHEAD, box.bottom() + 1 + 2 * AHEAD)
        size = self.pixmap.size().expandedTo(needed)
        if size == self.pixmap.size():
            return
        former = self.pixmap
        self.pixmap = QPixmap(size)
        self.pixmap.fill(Qt.GlobalColor.black)  # opaque: quicker to paint than a transparent one
        if not former.isNull():
            with painting(self.pixmap) as painter:
                painter.drawPixmap(0, 0, former)

    def draw(self, area: QRect, draw_ground: DrawGround) -> None:
        """Draw an area of the pixmap, which is then valid."""
        ahead = AHEAD / self.subject.ratio
        with painting(self.pixmap) as painter:
            painter.setClipRect(area)
            draw_ground(painter, self.subject.viewport.panned(ahead, ahead), area)
        self.valid += area

    def draw_missing(self, area: QRect, draw_ground: DrawGround, *, ahead: bool) -> None:
        """Draw what is missing in an area of the pixmap.

        With ``ahead`` more than that is drawn, so that a pan does not draw in every frame.
        """
        missing = self.missing_in(area)
        if missing.isEmpty():
            return
        strip = missing.boundingRect()
        if ahead and not self.valid.isEmpty():
            # A pan uncovers a narrow strip at the left or right, or a low one at the top or bottom.
            # It is drawn wider first; then longer, or a slanting pan would lack a corner beyond the
            # end of the strip in each of the next frames.
            wider = QMargins(AHEAD, 0, AHEAD, 0)
            higher = QMargins(0, AHEAD, 0, AHEAD)
            if strip.width() < strip.height():
                strip = self._missing_box_in(strip.marginsAdded(wider))
                strip = self._missing_box_in(strip.marginsAdded(higher))
            else:
                strip = self._missing_box_in(strip.marginsAdded(higher))
                strip = self._missing_box_in(strip.marginsAdded(wider))
        self.draw(strip, draw_ground)

    def _missing_box_in(self, area: QRect) -> QRect:
        """Return the box around all that is missing in an area, which may reach over the pixmap."""
        return self.missing_in(area & self.pixmap.rect()).boundingRect()

    def missing_in(self, area: QRect) -> QRegion:
        """Return the parts of an area of the pixmap that are not valid."""
        return QRegion(area).subtracted(self.valid)


class Backdrop:
    """The ground of the map in one widget.

    Boxes have no negative coordinates: pixmaps begin at the left top corner of the view.

    It has up to two pictures: the *current* one, from which frames are painted, and while the view
    is zoomed or the content changes the *next* one, which ``prepare`` draws in several turns. The
    first frame that the next one can show makes it the current one.
    """

    def __init__(self) -> None:
        self._current: _Picture | None = None
        """The picture that frames are painted from; None until a first frame is painted."""
        self._next: _Picture | None = None
        """The picture of another subject that is being drawn; None if there is none."""

    def forget(self) -> None:
        """Drop the pictures: all of the map may look different."""
        self._current = None
        self._next = None

    @property
    def bytes(self) -> int:
        """The memory that the pictures take, in bytes."""
        total = 0
        for picture in (self._current, self._next):
            if picture is not None:
                total += BYTES_PER_PIXEL * picture.pixmap.width() * picture.pixmap.height()
        return total

    def changed(self, boxes: Iterable[QRectF], viewport: Viewport) -> None:
        """Mark what lies in boxes as not drawn; they are logical pixels of ``viewport``."""
        self._next = None
        picture = self._current
        if picture is None:
            return
        if not picture.move_to(picture.subject._replace(viewport=viewport)):
            self._current = None  # where the boxes lie in it is not known
            return
        ratio = picture.subject.ratio
        for box in boxes:
            device_box = QRectF(box.topLeft() * ratio, box.size() * ratio)
            # A pixel more on each side, with which the edges of what is drawn are blended.
            picture.valid -= picture.area_of(device_box.toAlignedRect().adjusted(-1, -1, 1, 1))

    def paint(
        self,
        painter: QPainter,
        subject: GroundSubject,
        box: QRect,
        draw: DrawGround,
        *,
        ahead: bool,
    ) -> None:
        """Paint the ground in ``box``, drawing what is missing.

        With ``ahead`` some of what lies beyond it is drawn, too, for the next frames of a pan.
        """
        picture = self._picture_moved_to(subject)
        if picture is None:
            picture = _Picture(subject)
        self._current = picture
        self._next = None
        picture.make_room(box)
        area = picture.area_of(box)
        picture.draw_missing(area, draw, ahead=ahead)
        painter.drawPixmap(box.topLeft(), picture.pixmap, area)

    def covers(self, subject: GroundSubject, box: QRect) -> bool:
        """Return whether all of ``box`` is drawn already.

        The picture that shows the subject follows it there, if it was panned.
        """
        picture = self._picture_moved_to(subject)
        return picture is not None and picture.missing_in(picture.area_of(box)).isEmpty()

    def paint_draft(self, painter: QPainter, subject: GroundSubject) -> None:
        """Paint the current picture, larger or smaller, where it shows some of the subject.

        Paint nothing if it has another content, or if parts of it are not valid.
        """
        picture = self._current
        if picture is None:
            return
        former = picture.subject
        if former.content != subject.content or former.ratio != subject.ratio:
            return
        valid = picture.valid & picture.view_area
        if valid.rectCount() != 1:  # there are gaps between them
            return
        source = valid.boundingRect()
        viewport = subject.viewport.in_device_pixels(subject.ratio)
        former_viewport = former.viewport.in_device_pixels(former.ratio)
        zoom = viewport.scale / former_viewport.scale
        with saved_state(painter):
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
            # From the device pixels of the former view to the map, and on to those of this one.
            painter.translate(viewport.dx, viewport.dy)
            painter.scale(zoom, zoom)
            painter.translate(-former_viewport.dx, -former_viewport.dy)
            painter.drawPixmap(source.topLeft() - QPoint(AHEAD, AHEAD), picture.pixmap, source)

    def prepare(
        self, subject: GroundSubject, box: QRect, draw: DrawGround, budget: TimeBudget
    ) -> bool:
        """Draw what is missing of ``box``, in strips; return whether all of it is drawn now.

        At least one strip is drawn, even if the budget is spent, so that preparing comes to an end.
        """
        picture = self._picture_moved_to(subject)
        if picture is None:
            picture = _Picture(subject)
            self._next = picture
        picture.make_room(box)
        area = picture.area_of(box)
        while not (missing := picture.missing_in(area)).isEmpty():
            strip = missing.boundingRect()
            strip.setHeight(min(strip.height(), STRIP_ROWS))
            picture.draw(strip, draw)
            if budget.is_spent:
                return picture.missing_in(area).isEmpty()
        return True

    def _picture_moved_to(self, subject: GroundSubject) -> _Picture | None:
        """Move the current picture to a view, or else the next one, and return it.

        None if neither can show it: they have another scale or content.
        """
        for picture in (self._current, self._next):
            if picture is not None and picture.move_to(subject):
                return picture
        return None
