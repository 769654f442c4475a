"""The tour: around the desk in one minute, in steps that each point at a part of the window.

The *subject* of a step is the widget that it points at. ``Tour`` lies over the whole window::

    +----------------------------------+
    | menu                             |   all is darkened, but for the map and the subject
    |--------+----------------+--------|
    | tools  |      map       | layers |   here the panel "Layers" is the subject: it has a frame
    |        |                |   /    |
    |        |                | card   |   the card has the text, and a line to the frame
    +----------------------------------+

The card stays in one lower corner, so that its buttons stay under the mouse, and moves to the other
corner only if it would cover the subject. Who clicks Next again at the same place goes on all the
same, though the card has moved away from the mouse. Any other click beside the card ends the tour.
"""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QEvent, QLineF, QObject, QPoint, QPointF, QRect, QRectF, Qt, QTimer
from PySide6.QtGui import (
    QCloseEvent,
    QColor,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPalette,
    QPen,
)
from PySide6.QtWidgets import QWidget

from app.appearance.painting import painting
from app.desk.desk import Desk
from app.features.help.tour_card import TourCard
from app.features.help.tour_steps import STEPS, Step, step_text
from app.qt_guard import connect, guarded
from app.widgets.layout.dock_visibility import can_be_seen

GAP = 8
"""The distance of the card from the edges of the window, in logical pixels."""

HOLE_MARGIN = 2
"""The margin of the subject that is not darkened either, in logical pixels."""

HOLE_RADIUS = 6
"""The radius of the corners of the frame around the subject, in logical pixels."""

FRAME_WIDTH = 3
"""The width of that frame and of the line to it, in logical pixels."""

VEIL = (0, 0, 0, 130)
"""The colour that darkens the window: red, green, blue and opacity up to 255."""

ENDED_BY_CLICK = "The tour has ended, and the map takes clicks again. Help > Tour starts it anew."

MOVED = (QEvent.Type.ZOrderChange, QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show)
"""Events of the window's widgets after which they may cover the tour, or be in other positions."""


class PlacedStep(NamedTuple):
    """A step whose subject is in the window."""

    step: Step

    subject: QWidget


class _CardCorners(NamedTuple):
    """Where the upper left corner of the card is in the two lower corners of the window."""

    usual: QPoint

    other: QPoint
    """Used where the card in its usual corner would cover more of the subject."""


class Tour(QWidget):
    """A veil over the window with a hole for the subject, and a card with the text of the step.

    It is made, started (``start``), and deletes itself when it is closed.
    """

    def __init__(self, desk: Desk) -> None:
        window = desk.frame
        super().__init__(window)
        self._window = window
        self._commands = desk.commands
        self._document = desk.document
        self._canvas = desk.canvas
        self._docks = desk.docks
        self._say = desk.say
        self._docks_in_front = [dock for dock in desk.docks.all() if can_be_seen(dock)]
        """The docks that could be seen before the tour, which raises others of the same tabs."""
        self._view_in_front = desk.docks.views.front_view
        """The view that was in front before the tour; None for the map."""
        desk.docks.views.show_map()  # the first steps point at it
        self._steps = self._steps_with_subjects()
        """The steps that are shown: those whose subjects can be seen."""
        self._index = 0
        """The index of the present step in ``_steps``."""
        self._last_next_rect = QRect()
        """Where the button Next was when it was last pressed; empty until then."""
        self._moved_timer = QTimer(self, singleShot=True, interval=0)
        """Waits for the end of several events of one change: a panel is made in many steps."""
        self.card = TourCard(self)
        self.card.fit([self._text_of(placed_step.step) for placed_step in self._steps])
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName("Tour")
        connect(self._moved_timer.timeout, self._come_forward)
        connect(self.card.skip_button.clicked, self.close)
        connect(self.card.back_button.clicked, self._go_back)
        connect(self.card.next_button.clicked, self._go_on)
        self._watch_window()

    def _steps_with_subjects(self) -> list[PlacedStep]:
        """Return the steps whose subjects are in the window and not hidden."""
        subjects: dict[str, QWidget] = {"map": self._canvas, "menu": self._window.menuBar()}
        steps = []
        for step in STEPS:
            subject = self._window.findChild(QWidget, step.widget)
            if subject is None:
                subject = subjects.get(step.widget)
            if subject is not None and not subject.isHidden():
                steps.append(PlacedStep(step, subject))
        return steps

    def _watch_window(self) -> None:
        """Get the events of the window and of its direct children (``eventFilter``).

        Docks and tool bars are such children; the panels in them are made later.
        """
        self._window.installEventFilter(self)
        direct = Qt.FindChildOption.FindDirectChildrenOnly
        for sibling in self._window.findChildren(QWidget, options=direct):
            if sibling is not self:
                sibling.installEventFilter(self)

    # --- the steps --------------------------------------------------------------------------

    def start(self) -> None:
        """Show the first step."""
        self.setGeometry(self._window.rect())
        self.show()
        self.raise_()
        self.show_step(0)

    @property
    def step(self) -> Step:
        """The present step."""
        return self._steps[self._index].step

    @property
    def _subject(self) -> QWidget:
        """The subject of the present step."""
        return self._steps[self._index].subject

    def show_step(self, index: int) -> None:
        """Show the step with an index."""
        self._index = index
        self._subject.raise_()  # a panel may be behind others, as a tab
        text = self._text_of(self.step)
        self.card.show_step(self.step.title, text, self._index + 1, len(self._steps))
        self.raise_()
        self._place_card()
        self.update()

    def _text_of(self, step: Step) -> str:
        """Return the text of a step, for the present map and keys."""
        return step_text(step, self._document.battlemap.grid.layout, self._commands)

    def _go_back(self) -> None:
        """Show the step before this one, if there is one."""
        if self._index > 0:
            self.show_step(self._index - 1)

    def _go_on(self) -> None:
        """Show the next step, and note where its button was pressed (``mousePressEvent``)."""
        button = self.card.next_button
        self._last_next_rect = QRect(button.mapTo(self, QPoint(0, 0)), button.size())
        self._show_next_or_end()

    def _show_next_or_end(self) -> None:
        """Show the next step; after the last one the tour is over."""
        if self._index + 1 < len(self._steps):
            self.show_step(self._index + 1)
        else:
            self.close()

    @guarded
    def mousePressEvent(self, event: QMouseEvent) -> None:
        """End the tour by a click beside the card, such as one on the map that a step speaks of.

        That click does nothing on the map: who only wants the tour to go has nothing to undo. A
        click where Next was pressed before the card moved away takes the next step.
        """
        point = event.position().toPoint()
        if self._last_next_rect.contains(point):
            self._show_next_or_end()
        elif not self.card.geometry().contains(point):
            self.close()
            self._say(ENDED_BY_CLICK)

    # --- where the subject and the card are -------------------------------------------------

    def _hole(self) -> QRect:
        """Return the rectangle of the subject with its margin."""
        margin = HOLE_MARGIN
        return self._rect_of(self._subject).adjusted(-margin, -margin, margin, margin)

    def _rect_of(self, widget: QWidget) -> QRect:
        """Return the part of the window that a widget covers, empty for one that is not visible."""
        if not widget.isVisible():
            return QRect()
        top = widget.mapTo(self._window, QPoint(0, 0))
        return QRect(top, widget.size()).intersected(self.rect())

    def _place_card(self) -> None:
        """Move the card to its usual corner, or to the other one if it covers less there."""
        corners = self._card_corners()
        position = corners.usual
        covered_pixels = self._covered_pixels(self._subject, corners.usual)
        if self._covered_pixels(self._subject, corners.other) < covered_pixels:
            position = corners.other
        self.card.move(max(0, position.x()), max(0, position.y()))

    def _card_corners(self) -> _CardCorners:
        """Return the two corners; the usual one covers the subjects of fewer steps."""
        margin = QPoint(GAP, GAP)
        right = self.rect().bottomRight() - self.card.rect().bottomRight() - margin
        left = QPoint(GAP, right.y())
        if self._covered_subjects(left) < self._covered_subjects(right):
            return _CardCorners(usual=left, other=right)
        return _CardCorners(usual=right, other=left)

    def _covered_subjects(self, card_position: QPoint) -> int:
        """Return the number of steps whose subjects the card covers at this position."""
        count = 0
        for placed_step in self._steps:
            if self._covered_pixels(placed_step.subject, card_position):
                count += 1
        return count

    def _covered_pixels(self, subject: QWidget, card_position: QPoint) -> int:
        """Return the number of a subject's pixels that the card covers at this position.

        For the map it is 0: it is too large to be hidden.
        """
        if subject is self._canvas:
            return 0
        common = self._rect_of(subject).intersected(QRect(card_position, self.card.size()))
        return max(0, common.width()) * max(0, common.height())

    def _pointer(self) -> QLineF:
        """Return a short line from the card to the hole; of length 0 if the card covers its end."""
        card = QRectF(self.card.geometry())
        hole = QRectF(self._hole())
        start = _nearest(card, hole.center())
        end = _nearest(hole, start)
        if card.contains(end):
            return QLineF(start, start)
        return QLineF(_nearest(card, end), end)

    def _come_forward(self) -> None:
        """Show the tour in front of new widgets, and point at where the subject is now."""
        self.raise_()
        self._place_card()
        self.update()

    # --- events -----------------------------------------------------------------------------

    @guarded
    def paintEvent(self, _event: QPaintEvent) -> None:
        """Darken all but the map and the subject, and draw the frame and the line to it."""
        with painting(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            veil = QPainterPath()
            veil.addRect(QRectF(self.rect()))
            hole = QPainterPath()
            hole.addRoundedRect(QRectF(self._hole()), HOLE_RADIUS, HOLE_RADIUS)
            canvas = QPainterPath()
            canvas.addRect(QRectF(self._rect_of(self._canvas)))
            painter.fillPath(veil.subtracted(hole).subtracted(canvas), QColor(*VEIL))
            highlight = self.palette().color(QPalette.ColorRole.Highlight)
            painter.setPen(QPen(highlight, FRAME_WIDTH))
            painter.drawPath(hole)
            painter.drawLine(self._pointer())

    @guarded(default=False)
    def event(self, event: QEvent) -> bool:
        """Keep every key from the window's commands while the tour is shown."""
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """End the tour by Escape."""
        if event.key() == Qt.Key.Key_Escape:
            self.close()

    @guarded(default=False)
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the size of the window, and come forward when a widget in it has moved."""
        if watched is self._window:
            if event.type() == QEvent.Type.Resize:
                self.setGeometry(self._window.rect())
                self._place_card()
        elif event.type() in MOVED:
            # Panels that are made while the tour is shown cover it, and move the subjects.
            self._moved_timer.start()
        return super().eventFilter(watched, event)

    @guarded
    def closeEvent(self, event: QCloseEvent) -> None:
        """Bring forward again what was in front before the tour; the map gets the keyboard."""
        super().closeEvent(event)
        for dock in self._docks_in_front:
            if not dock.isHidden():  # its part of the desk may have been removed meanwhile
                dock.raise_()
        self._canvas.setFocus()
        if self._view_in_front is not None and self._view_in_front.is_open:
            self._docks.views.show_view(self._view_in_front)


def _nearest(box: QRectF, point: QPointF) -> QPointF:
    """Return the point of a box that is nearest to ``point``."""
    x = min(max(point.x(), box.left()), box.right())
    y = min(max(point.y(), box.top()), box.bottom())
    return QPointF(x, y)
