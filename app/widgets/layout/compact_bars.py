"""Tool bars for small windows, which hide no button.

The main window uses them: ``ToolColumns`` for the tools at its side, ``FittingToolBar`` at its top.
"""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QAction, QActionEvent, QResizeEvent
from PySide6.QtWidgets import QToolBar, QToolButton, QWidget

from app.qt_guard import guarded

BUTTON = 30
"""The side of a tool's button, in logical pixels."""

MIN_BUTTON = 28
"""The height to which buttons shrink before another column begins; less would cut the icons."""

EDGE = 2
"""The room around the buttons, in logical pixels."""

_MIN_ROWS = 5
"""A column of tools is at least so many buttons high, if it has as many."""


class ToolColumns(QToolBar):
    """A tool bar at the left or right with as many columns as its height needs."""

    def __init__(self, title: str) -> None:
        super().__init__(title)
        self.setMovable(False)
        self._buttons: dict[QAction, QToolButton] = {}
        """The button of each action, in the order in which they were added."""
        self._visible_actions: list[QAction] = []
        """The actions that have a visible button, in the order of the bar."""
        self.setFixedWidth(BUTTON + 2 * EDGE)

    @guarded
    def actionEvent(self, event: QActionEvent) -> None:
        """Give each action of the bar a button, and lay the buttons out.

        The method of ``QToolBar`` is not called: its layout would hide some behind an arrow.
        """
        action = event.action()
        if event.type() == QEvent.Type.ActionAdded:
            button = QToolButton(self)
            button.setDefaultAction(action)
            button.setAutoRaise(True)
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            button.setIconSize(self.iconSize())
            self._buttons[action] = button
        elif event.type() == QEvent.Type.ActionRemoved and action in self._buttons:
            self._buttons.pop(action).deleteLater()
        else:
            was_visible = action in self._visible_actions
            if action.isVisible() == was_visible:
                return  # it has another text or state, which its button shows by itself
        self._visible_actions = [action for action in self.actions() if action.isVisible()]
        self.updateGeometry()
        self._arrange()

    def button(self, action: QAction) -> QToolButton:
        """Return the button of an action. Raises KeyError for one that is not here."""
        return self._buttons[action]

    def _arrange(self) -> None:
        """Lay out the buttons in as few columns as the height allows.

        All columns have the same number of buttons, but for the last one.
        """
        height = self.height() - 2 * EDGE
        count = len(self._visible_actions)
        rows_that_fit = max(1, height // MIN_BUTTON)
        columns = max(1, math.ceil(count / rows_that_fit))
        rows = max(1, math.ceil(count / columns))
        button_height = min(BUTTON, max(MIN_BUTTON, height // rows))
        # If that is another width, ``resizeEvent`` calls this again, with the same result.
        self.setFixedWidth(columns * BUTTON + 2 * EDGE)
        for action, button in self._buttons.items():
            button.setVisible(action in self._visible_actions)
        for index, action in enumerate(self._visible_actions):
            column, row = divmod(index, rows)
            x = EDGE + column * BUTTON
            y = EDGE + row * button_height
            self._buttons[action].setGeometry(x, y, BUTTON, button_height)

    @guarded(default=QSize())
    def sizeHint(self) -> QSize:
        """Return the present width, and the height at which one column has all buttons."""
        return QSize(self.width(), len(self._visible_actions) * BUTTON + 2 * EDGE)

    @guarded(default=QSize())
    def minimumSizeHint(self) -> QSize:
        rows = min(len(self._visible_actions), _MIN_ROWS)
        return QSize(self.width(), rows * BUTTON + 2 * EDGE)

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()


class FittingToolBar(QToolBar):
    """A tool bar with texts beside the icons, as long as the window has room for them."""

    def __init__(self, title: str, window: QWidget) -> None:
        super().__init__(title, window)
        self._width_with_texts: int | None = None
        """The width of the bar with texts, in logical pixels; None until ``_fit`` measures it."""
        self._window = window
        window.installEventFilter(self)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)

    @guarded
    def actionEvent(self, event: QActionEvent) -> None:
        super().actionEvent(event)
        self._width_with_texts = None
        # Actions are also removed when the window is deleted: then there is nothing to fit into.
        if event.type() != QEvent.Type.ActionRemoved:
            self._fit()

    @guarded(default=False)
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Show or hide the texts when the window gets another width."""
        if watched is self._window and event.type() == QEvent.Type.Resize:
            self._fit()
        return super().eventFilter(watched, event)

    def _fit(self) -> None:
        """Show the texts if the window is wide enough for them, else icons alone."""
        with_texts = Qt.ToolButtonStyle.ToolButtonTextBesideIcon
        if self._width_with_texts is None:
            self.setToolButtonStyle(with_texts)
            self._width_with_texts = self.sizeHint().width()
        if self._width_with_texts <= self._window.width():
            self.setToolButtonStyle(with_texts)
        else:
            self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
