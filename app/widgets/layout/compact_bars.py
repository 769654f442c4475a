"""Tool bars and tabs for small windows: bars that hide no button, tabs that take little room."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QAction, QActionEvent, QResizeEvent
from PySide6.QtWidgets import QProxyStyle, QStyle, QStyleOption, QToolBar, QToolButton, QWidget

from app.qt_guard import guarded

BUTTON = 30
"""The side of a tool's button, in logical pixels."""

LEAST_BUTTON = 28
"""The least height of a button: lower ones save a column in a low window, still lower ones would
cut off the icons."""

EDGE = 2
"""Around the buttons, in logical pixels."""


class ToolColumns(QToolBar):
    """A tool bar at the left or right with as many columns as its height needs."""

    def __init__(self, title: str) -> None:
        super().__init__(title)
        self.setMovable(False)
        self._buttons: dict[QAction, QToolButton] = {}
        self._shown_actions: list[QAction] = []
        self.setFixedWidth(BUTTON + 2 * EDGE)

    @guarded
    def actionEvent(self, event: QActionEvent) -> None:
        """A button for each action; the layout of ``QToolBar`` would hide some behind an arrow."""
        action = event.action()
        if event.type() == QEvent.Type.ActionAdded:
            button = self._buttons[action] = QToolButton(self)
            button.setDefaultAction(action)
            button.setAutoRaise(True)
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            button.setIconSize(self.iconSize())
        elif event.type() == QEvent.Type.ActionRemoved and action in self._buttons:
            self._buttons.pop(action).deleteLater()
        elif action.isVisible() == (action in self._shown_actions):
            return  # it has another text or state, which its button shows by itself
        self._shown_actions = [action for action in self.actions() if action.isVisible()]
        self.updateGeometry()
        self._arrange()

    def button(self, action: QAction) -> QToolButton:
        """Return the button of an action. Raises KeyError for one that is not here."""
        return self._buttons[action]

    def _arrange(self) -> None:
        """Lay out the buttons in as few columns as the height allows, in each as many."""
        height = self.height() - 2 * EDGE
        most_rows = max(1, height // LEAST_BUTTON)
        columns = max(1, -(-len(self._shown_actions) // most_rows))
        rows = max(1, -(-len(self._shown_actions) // columns))
        pitch = min(BUTTON, max(LEAST_BUTTON, height // rows))
        self.setFixedWidth(columns * BUTTON + 2 * EDGE)
        for action, button in self._buttons.items():
            button.setVisible(action in self._shown_actions)
        for index, action in enumerate(self._shown_actions):
            column, row = divmod(index, rows)
            left = EDGE + column * BUTTON
            self._buttons[action].setGeometry(left, EDGE + row * pitch, BUTTON, pitch)

    @guarded(default=QSize())
    def sizeHint(self) -> QSize:
        """Return one column, if there is the height."""
        return QSize(self.width(), len(self._shown_actions) * BUTTON + 2 * EDGE)

    @guarded(default=QSize())
    def minimumSizeHint(self) -> QSize:
        return QSize(self.width(), min(len(self._shown_actions), 5) * BUTTON + 2 * EDGE)

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()


class FittingToolBar(QToolBar):
    """A tool bar with texts beside the icons, as long as the window has room for them."""

    def __init__(self, title: str, window: QWidget) -> None:
        super().__init__(title, window)
        self._needed = 0
        self._watched = window
        window.installEventFilter(self)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)

    @guarded
    def actionEvent(self, event: QActionEvent) -> None:
        super().actionEvent(event)
        self._needed = 0
        if event.type() != QEvent.Type.ActionRemoved:  # with the window, too
            self._fit()

    @guarded(default=False)
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Another width of the window may have room for the texts, or not."""
        if watched is self._watched and event.type() == QEvent.Type.Resize:
            self._fit()
        return super().eventFilter(watched, event)

    def _fit(self) -> None:
        if not self._needed:
            self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            self._needed = self.sizeHint().width()
        fits = self._needed <= self._watched.width()
        style = Qt.ToolButtonStyle
        self.setToolButtonStyle(
            style.ToolButtonTextBesideIcon if fits else style.ToolButtonIconOnly
        )


SPACE = 10
"""Beside and between the names of tabs, in logical pixels; Qt's styles have twice as much."""


class CompactTabs(QProxyStyle):
    """The style of the program, with less room in tabs: seven names fit into a side panel."""

    @guarded(default=0)
    def pixelMetric(
        self,
        metric: QStyle.PixelMetric,
        option: QStyleOption | None = None,
        widget: QWidget | None = None,
    ) -> int:
        """Return the room in tabs; for all else what the style says."""
        if metric == QStyle.PixelMetric.PM_TabBarTabHSpace:
            return SPACE
        return super().pixelMetric(metric, option, widget)
