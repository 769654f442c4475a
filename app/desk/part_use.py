"""Presses a button of a panel that was just opened, or gives another widget of it the focus.

A panel may show the widget only later: the button *Fight*, say, when the fairness of the map has
been computed in the background. So ``PartUse`` waits, too::

    PartUse(button).start()  # pressed as soon as it is visible and enabled
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtWidgets import QAbstractButton, QStackedWidget, QTabWidget, QWidget

from app.qt_guard import connect, guarded, later
from app.widgets.layout.focus_chain import next_in_focus_chain
from app.widgets.layout.folded_section import FoldedSection

PATIENCE_MS = 5000
"""The longest time to wait, in milliseconds: by then the user has gone on to something else."""

_READY = (QEvent.Type.Show, QEvent.Type.EnabledChange)
"""The events of a widget after which it may be possible to use it."""


class PartUse(QObject):
    """Uses one widget once, as soon as it is visible and enabled, and then deletes itself.

    A button is pressed and gets the focus. One that can be checked is not pressed, which would
    uncheck it if it is checked; it only gets the focus, as any other widget.
    """

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self._widget = widget
        self._is_done = False
        """True once the widget was used, or ``PATIENCE_MS`` are over."""

    def start(self) -> None:
        """Show the page of the widget, and use the widget as soon as possible."""
        _show_page(self._widget)
        self._widget.installEventFilter(self)
        timer = QTimer(self, singleShot=True, interval=PATIENCE_MS)
        connect(timer.timeout, self._stop_waiting)
        timer.start()
        later(self, self._use_if_possible)

    @guarded(default=False)
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Try to use the widget once Qt has shown or enabled it."""
        if event.type() in _READY:
            later(self, self._use_if_possible)  # later: the event comes before Qt has done so
        return super().eventFilter(watched, event)

    def _use_if_possible(self) -> None:
        """Use the widget if that is possible now."""
        widget = self._widget
        if self._is_done or not (widget.isVisible() and widget.isEnabled()):
            return
        self._stop_waiting()
        _first_stop_in(widget).setFocus(Qt.FocusReason.ShortcutFocusReason)
        if isinstance(widget, QAbstractButton) and not widget.isCheckable():
            widget.click()

    def _stop_waiting(self) -> None:
        """Stop waiting, as the widget is used now or the time is over."""
        self._is_done = True
        self._widget.removeEventFilter(self)
        self.deleteLater()


def _first_stop_in(widget: QWidget) -> QWidget:
    """Return the widget if Tab can reach it, else the first one in it that Tab can reach.

    Tab passes over what is disabled, such as a list without entries. If nothing can be reached,
    the result is ``widget`` all the same.
    """
    if _is_stop(widget):
        return widget
    stop = next_in_focus_chain(widget)
    while stop is not None and widget.isAncestorOf(stop):  # which a widget is not of itself
        if _is_stop(stop):
            return stop
        stop = next_in_focus_chain(stop)
    return widget


def _is_stop(widget: QWidget) -> bool:
    """Return whether Tab stops at a widget."""
    is_usable = widget.isVisible() and widget.isEnabled()
    return is_usable and bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)


def _show_page(widget: QWidget) -> None:
    """Choose the tabs around a widget, and unfold the sections around it."""
    page = widget
    while (parent := page.parentWidget()) is not None:
        if isinstance(parent, FoldedSection):
            parent.set_unfolded(is_unfolded=True)
        grandparent = parent.parentWidget()  # Qt puts pages into a stack within the tab widget
        if isinstance(parent, QStackedWidget) and isinstance(grandparent, QTabWidget):
            grandparent.setCurrentWidget(page)
        page = parent
