"""A choice among pictures, in the middle of a menu: a grid of them instead of a line for each.

The context menu of a cell offers terrains in this way::

    choice = PictureChoice(menu, "Terrain", entries, now=code, columns=6, choose=paint)
    menu.addAction(choice)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QAction, QIcon, QKeyEvent, QPixmap
from PySide6.QtWidgets import (
    QApplication,
    QGridLayout,
    QMenu,
    QToolButton,
    QVBoxLayout,
    QWidget,
    QWidgetAction,
)

from app.qt_guard import connect, guarded
from app.widgets.layout.builders import lay_out, plain_label, plain_text

ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)

LEAST_BUTTON = QSize(28, 26)
"""The least size of a button with a text, in logical pixels."""


class Entry(NamedTuple):
    """One of the things to choose from."""

    code: int
    """Identifies it for the caller."""
    name: str
    """The text above the grid while the entry is pointed at, and for a screen reader."""
    picture: QPixmap | None = None
    text: str = ""
    """The text on the button where there is no picture; "" for the name."""


class PictureChoice(QWidgetAction):
    """The action of a menu that is a grid of buttons, of ``columns`` columns, below a line of text.

    The mouse points and clicks; the arrow keys go from picture to picture, and over the first and
    the last row to the other entries of the menu; Enter and the space bar choose. Then the menu
    closes and ``choose`` is called with the code. The entry with the code ``now`` is ticked.

    The line says what is pointed at or has the keyboard, else what is ticked.
    """

    def __init__(
        self,
        menu: QMenu,
        title: str,
        entries: Iterable[Entry],
        now: int,
        columns: int,
        choose: Callable[[int], object],
    ) -> None:
        super().__init__(menu)
        self._menu = menu
        self._title = title
        self._columns = columns
        self.choices: list[QAction] = []
        """The actions of the entries, in their order."""
        self.buttons: list[QToolButton] = []
        """The buttons of the entries, in their order."""
        self._line = plain_label()
        """The text above the grid."""
        self._ticked_name = ""
        """The name of the ticked entry, "" if none is ticked."""
        grid = QGridLayout()
        grid.setSpacing(1)
        grid.setContentsMargins(0, 0, 0, 0)
        for index, entry in enumerate(entries):
            action = QAction(entry.name, self)
            action.setCheckable(True)
            action.setChecked(entry.code == now)
            connect(action.triggered, partial(self._choose, choose, entry.code))
            button = self._button(action, entry)
            grid.addWidget(button, index // columns, index % columns)
            self.choices.append(action)
            self.buttons.append(button)
            if action.isChecked() and not self._ticked_name:
                self._ticked_name = entry.name
        grid.setColumnStretch(columns, 1)  # an empty column takes what the pictures leave
        body = QWidget()
        lay_out(QVBoxLayout(body), self._line, grid, margins=(8, 3, 8, 3), spacing=2)
        first_button = self._button_for_keyboard()
        if first_button is not None:
            body.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            body.setFocusProxy(first_button)
        self.setDefaultWidget(body)
        self._describe(self._ticked_name)

    def _button_for_keyboard(self) -> QToolButton | None:
        """Return the button that gets the keyboard first: the ticked one, else the first one."""
        for button in self.buttons:
            if button.isChecked():
                return button
        if self.buttons:
            return self.buttons[0]
        return None

    def _button(self, action: QAction, entry: Entry) -> QToolButton:
        """Return a new button of an entry, which triggers its action."""
        button = QToolButton()
        button.setDefaultAction(action)
        button.setAutoRaise(True)
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.setAccessibleName(f"{self._title} {entry.name}")
        button.setToolTip(plain_text(entry.name))
        if entry.picture is None:
            button.setText(entry.text or entry.name)
            button.setMinimumSize(LEAST_BUTTON)
        else:
            action.setIcon(QIcon(entry.picture))
            button.setIconSize(entry.picture.deviceIndependentSize().toSize())
        button.installEventFilter(self)
        return button

    def _choose(self, choose: Callable[[int], object], code: int, _checked: bool = False) -> None:
        """Close the menu and call ``choose``."""
        self._menu.close()
        choose(code)

    def _describe(self, name: str) -> None:
        """Show the name of an entry in the line, after the title; "" for the title alone."""
        if not name:
            self._line.setText(self._title)
        elif name.startswith(self._title):  # "Elevation 2" needs no title
            self._line.setText(name)
        else:
            self._line.setText(f"{self._title}: {name}")

    def _focused_name(self) -> str:
        """Return the name of the entry that has the keyboard, else of the ticked one."""
        for button in self.buttons:
            if button.hasFocus():
                return button.defaultAction().text()
        return self._ticked_name

    @guarded(default=False)
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Describe the entry that is pointed at; step with the arrow keys."""
        if not isinstance(watched, QToolButton):
            return super().eventFilter(watched, event)
        if event.type() in (QEvent.Type.Enter, QEvent.Type.FocusIn):
            self._describe(watched.defaultAction().text())
        elif event.type() == QEvent.Type.Leave:
            self._describe(self._focused_name())
        elif event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return self._on_key(watched, event)
        return super().eventFilter(watched, event)

    def _on_key(self, button: QToolButton, event: QKeyEvent) -> bool:
        """Choose, or step from a button; return whether the key does anything here."""
        key = event.key()
        index = self.buttons.index(button)
        if key in ENTER:
            button.click()
            return True
        step = {
            Qt.Key.Key_Left: -1,
            Qt.Key.Key_Right: 1,
            Qt.Key.Key_Up: -self._columns,
            Qt.Key.Key_Down: self._columns,
        }.get(Qt.Key(key))
        if step is None:
            return False
        last = len(self.buttons) - 1
        target = index + step
        has_row_below = index // self._columns < last // self._columns
        if key == Qt.Key.Key_Down and has_row_below:
            target = min(target, last)  # the last row can be shorter
        if 0 <= target <= last:
            self.buttons[target].setFocus(Qt.FocusReason.TabFocusReason)
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            # Out of the grid: the menu goes on to its entry above or below.
            self._menu.setFocus(Qt.FocusReason.PopupFocusReason)
            self._describe(self._ticked_name)
            QApplication.sendEvent(self._menu, event)
        return True
