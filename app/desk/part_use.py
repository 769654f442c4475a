"""Using a part of a panel that was just opened, as soon as the part can be seen."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtWidgets import QAbstractButton, QStackedWidget, QTabWidget, QWidget

from app.qt_guard import connect, guarded, later
from app.widgets.layout.focus_chain import next_in_focus_chain
from app.widgets.layout.folded_section import FoldedSection

PATIENCE_MS = 5000
"""A part that cannot be used by then is left alone: the person has gone on to something else."""

_READY = (QEvent.Type.Show, QEvent.Type.EnabledChange)


class PartUse(QObject):
    """Presses a button, or gives another widget the keyboard, once it is visible and enabled.

    A panel may show a part only when it knows that the map has it: *Fight* waits for the model.
    """

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self._widget = widget
        self._done = False

    def start(self) -> None:
        """Use the part now, or when it is ready."""
        _show_page(self._widget)
        self._widget.installEventFilter(self)
        timer = QTimer(self, singleShot=True, interval=PATIENCE_MS)
        connect(timer.timeout, self._end)
        timer.start()
        later(self, self._try)

    @guarded(default=False)
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Use the part when Qt has shown or enabled it: the event comes before it has."""
        if event.type() in _READY:
            later(self, self._try)
        return super().eventFilter(watched, event)

    def _try(self) -> None:
        """Use the part, once, if it can be seen and used now."""
        widget = self._widget
        if self._done or not (widget.isVisible() and widget.isEnabled()):
            return
        self._end()
        _focus_stop(widget).setFocus(Qt.FocusReason.ShortcutFocusReason)
        if isinstance(widget, QAbstractButton) and not widget.isCheckable():
            widget.click()

    def _end(self) -> None:
        self._done = True
        self._widget.removeEventFilter(self)
        self.deleteLater()


def _focus_stop(widget: QWidget) -> QWidget:
    """Return a widget, or the first one in it that Tab can reach if it takes no focus itself."""
    stop: QWidget | None = widget
    while stop is not None and (stop is widget or widget.isAncestorOf(stop)):
        if stop.isVisible() and stop.focusPolicy() & Qt.FocusPolicy.TabFocus:
            return stop
        stop = next_in_focus_chain(stop)
        if stop is widget:
            break
    return widget


def _show_page(widget: QWidget) -> None:
    """Choose the tabs that a widget stands on, and unfold the section that holds it."""
    page = widget
    while (parent := page.parentWidget()) is not None:
        if isinstance(parent, FoldedSection):
            parent.unfold(True)
        grandparent = parent.parentWidget()
        if isinstance(parent, QStackedWidget) and isinstance(grandparent, QTabWidget):
            grandparent.setCurrentWidget(page)
        page = parent
