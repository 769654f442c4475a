"""A ring around the widget that has the keyboard focus, where Qt does not show that by itself.

Qt draws a frame or a cursor in fields and buttons (``SHOW_FOCUS``), but nothing in a map, a list or
a chart. Each window has one ``FocusRing``, which watches the focus by itself.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QPaintEvent, QPalette, QRegion
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QCheckBox,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QTabBar,
    QTextEdit,
    QWidget,
)
from shiboken6 import isValid

from app.appearance.painting import painting
from app.qt_guard import connect, guarded

WIDTH = 2
"""The width of the ring's line, in logical pixels."""

SHOW_FOCUS = (
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QAbstractSpinBox,
    QPushButton,
    QCheckBox,
    QRadioButton,
    QAbstractSlider,
    QTabBar,
)
"""The widgets that Qt draws with a frame or a cursor when they have the focus."""

_MOVES = (QEvent.Type.Move, QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.Hide)
"""The events of a widget or its parents after which the ring may have to move."""


class FocusRing(QWidget):
    """Lies in a window around the widget to which keys have brought the focus.

    It is a child of the window itself, not of a panel, whose layout another child would disturb.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._watched: list[QWidget] = []
        """The widget with the ring, then its parents up to the window, which is not among them.

        It is empty while there is no ring.
        """
        self._event_sources: list[QWidget] = []
        """The widgets whose events this object filters: the watched ones, and the inside of a list.
        """
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        app = QApplication.instance()
        assert isinstance(app, QApplication), "a window needs one"
        connect(app.focusChanged, self._on_focus)

    def _on_focus(self, _previous: QWidget | None, focus: QWidget | None) -> None:
        """Move the ring to the widget that has got the focus; None: the program has lost it."""
        self._stop_watching()
        by_mouse = QApplication.mouseButtons() != Qt.MouseButton.NoButton
        if focus is not None and not by_mouse:
            _scroll_to(focus)
        if focus is not None and not by_mouse and not _shows_focus(focus):
            self._watch(focus)
        self._place()

    def _stop_watching(self) -> None:
        """Forget the widget with the ring; the ring itself stays until it is hidden."""
        for widget in self._event_sources:
            if isValid(widget):
                widget.removeEventFilter(self)
        self._event_sources = []
        self._watched = []

    def _watch(self, focus: QWidget) -> None:
        """Follow a widget if it is in this window: floating panels are windows of their own."""
        widgets = []
        widget: QWidget | None = focus
        while widget is not None and not widget.isWindow():
            widgets.append(widget)
            widget = widget.parentWidget()
        if widget is not self._window:
            return
        self._watched = widgets
        self._event_sources = list(widgets)
        if isinstance(focus, QAbstractScrollArea):
            self._event_sources.append(focus.viewport())  # it gets the clicks on a list or a tree
        for source in self._event_sources:
            source.installEventFilter(self)

    @guarded(default=False)
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the widget when it is moved or scrolled; hide when it is clicked.

        A person who clicks a widget knows where it is.
        """
        if event.type() in _MOVES:
            self._place()
        elif event.type() == QEvent.Type.MouseButtonPress:
            self._stop_watching()  # else the ring would come back when the window is resized
            self.hide()
        return super().eventFilter(watched, event)

    def _place(self) -> None:
        """Put the ring around the part of the widget that can be seen; hide it if there is none.

        The ring is a rectangle, of which a mask shows the rim only. Where the widget is scrolled
        out of view on one side, the rim is missing on that side.
        """
        if not self._watched or not self._watched[0].isVisible():
            self.hide()
            return
        focus, *parents = self._watched
        rect = self._rect_in_window(focus)
        visible_rect = rect
        for parent in parents:
            visible_rect = visible_rect.intersected(self._rect_in_window(parent))
        self.setGeometry(visible_rect)

        # The mask is in the coordinates of the ring, whose origin is the corner of what is visible.
        rect_in_ring = rect.translated(-visible_rect.topLeft())
        inside = rect_in_ring.adjusted(WIDTH, WIDTH, -WIDTH, -WIDTH)
        ring = QRegion(self.rect()).subtracted(QRegion(inside))
        self.setMask(ring)
        self.setVisible(not ring.isEmpty())
        self.raise_()

    def _rect_in_window(self, widget: QWidget) -> QRect:
        """Return where a widget of the window is, seen or not, in the window's coordinates."""
        return QRect(widget.mapTo(self._window, QPoint(0, 0)), widget.size())

    @guarded
    def paintEvent(self, _event: QPaintEvent) -> None:
        """Fill the ring; the mask leaves out what is inside."""
        with painting(self) as painter:
            painter.fillRect(self.rect(), self.palette().color(QPalette.ColorRole.Highlight))


def _scroll_to(focus: QWidget) -> None:
    """Bring a widget into the part of its scroll area that is seen.

    Qt does so when Tab moves the focus, but not always in forms of several columns.
    """
    parent = focus.parentWidget()
    while parent is not None and not parent.isWindow():
        if isinstance(parent, QScrollArea):
            # With room for the ring above and below the widget.
            parent.ensureWidgetVisible(focus, xmargin=0, ymargin=WIDTH)
        parent = parent.parentWidget()


def _shows_focus(widget: QWidget) -> bool:
    """Return whether Qt draws that a widget has the keyboard.

    A text that cannot be edited has no cursor.
    """
    if isinstance(widget, QPlainTextEdit | QTextEdit) and widget.isReadOnly():
        return False
    return isinstance(widget, SHOW_FOCUS)
