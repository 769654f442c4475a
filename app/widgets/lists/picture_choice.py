"""A choice among pictures, in the middle of a menu: a grid of them instead of a line for each.

    menu.addAction(PictureChoice(menu, "Terrain", entries, checked_code, columns, choose))

Above the grid is the name of the entry under the mouse, or of the one that has the keyboard.
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
"""The keys that choose an entry."""

MIN_BUTTON = QSize(28, 26)
"""The least size of a button with a text, in logical pixels."""


class Entry(NamedTuple):
    """An entry of the choice."""

    code: int
    """The value that is chosen by it."""

    name: str
    """Its name, which is shown above the grid and read aloud."""

    picture: QPixmap | None = None
    """The picture on its button, None if it has a text instead."""

    text: str = ""
    """The text of a button without a picture; "" for the name."""


class PictureChoice(QWidgetAction):
    """A grid of buttons in a menu, one for each entry; that with ``checked_code`` is checked.

    The mouse points and clicks. The arrow keys go from button to button, and from the first and the
    last row on to the other entries of the menu; Enter chooses. Then the menu closes, and
    ``choose`` is called with the code.
    """

    def __init__(
        self,
        menu: QMenu,
        title: str,
        entries: Iterable[Entry],
        checked_code: int,
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
        self._checked_name = ""
        """The name of the entry that is checked, "" if none is."""
        self.name_label = plain_label()
        grid = self._make_grid(entries, checked_code, choose)
        body = QWidget()
        lay_out(QVBoxLayout(body), self.name_label, grid, margins=(8, 3, 8, 3), spacing=2)
        self._pass_focus_to_buttons(body)
        self.setDefaultWidget(body)
        self._show_name(self._checked_name)

    def _make_grid(
        self, entries: Iterable[Entry], checked_code: int, choose: Callable[[int], object]
    ) -> QGridLayout:
        """Return the grid, with an action and a button for each entry."""
        grid = QGridLayout()
        grid.setSpacing(1)
        grid.setContentsMargins(0, 0, 0, 0)
        for index, entry in enumerate(entries):
            row, column = divmod(index, self._columns)
            action = QAction(entry.name, self)
            action.setCheckable(True)
            action.setChecked(entry.code == checked_code)
            if entry.code == checked_code:
                self._checked_name = entry.name
            connect(action.triggered, partial(self._choose, choose, entry.code))
            button = self._button(action, entry)
            grid.addWidget(button, row, column)
            self.choices.append(action)
            self.buttons.append(button)
        grid.setColumnStretch(self._columns, 1)  # an empty column takes the width that is left
        return grid

    def _pass_focus_to_buttons(self, body: QWidget) -> None:
        """Let the focus come from the menu to the checked button, or to the first one."""
        checked_buttons = [button for button in self.buttons if button.isChecked()]
        first_stops = [*checked_buttons, *self.buttons]
        if first_stops:
            body.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            body.setFocusProxy(first_stops[0])

    def _button(self, action: QAction, entry: Entry) -> QToolButton:
        """Return the button of an entry, which triggers its action."""
        button = QToolButton()
        button.setDefaultAction(action)
        button.setAutoRaise(True)
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.setAccessibleName(f"{self._title} {entry.name}")
        button.setToolTip(plain_text(entry.name))
        if entry.picture is None:
            text = entry.text
            if not text:
                text = entry.name
            button.setText(text)
            button.setMinimumSize(MIN_BUTTON)
        else:
            action.setIcon(QIcon(entry.picture))
            button.setIconSize(entry.picture.deviceIndependentSize().toSize())
        button.installEventFilter(self)
        return button

    def _choose(self, choose: Callable[[int], object], code: int, _checked: bool = False) -> None:
        """Close the menu and call ``choose``; an action also tells whether it is checked."""
        self._menu.close()
        choose(code)

    def _show_name(self, name: str) -> None:
        """Show a name above the grid, after the title of the choice; "" shows the title alone."""
        if not name:
            text = self._title
        elif name.startswith(self._title):  # "Elevation 2" needs no title
            text = name
        else:
            text = f"{self._title}: {name}"
        self.name_label.setText(text)

    @guarded(default=False)
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Show the name of the button under the mouse or with the keyboard; handle its keys."""
        if not isinstance(watched, QToolButton):
            return super().eventFilter(watched, event)
        if event.type() in (QEvent.Type.Enter, QEvent.Type.FocusIn):
            self._show_name(watched.defaultAction().text())
        elif event.type() == QEvent.Type.Leave:
            name = self._checked_name
            for button in self.buttons:
                if button.hasFocus():
                    name = button.defaultAction().text()
            self._show_name(name)
        elif event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return self._on_key(watched, event)
        return super().eventFilter(watched, event)

    def _on_key(self, button: QToolButton, event: QKeyEvent) -> bool:
        """Choose a button or go on to another one; return whether the key does either."""
        key = event.key()
        if key in ENTER:
            button.click()
            return True
        steps = {
            Qt.Key.Key_Left: -1,
            Qt.Key.Key_Right: 1,
            Qt.Key.Key_Up: -self._columns,
            Qt.Key.Key_Down: self._columns,
        }
        step = steps.get(Qt.Key(key))
        if step is None:
            return False

        index = self.buttons.index(button)
        last_index = len(self.buttons) - 1
        target = index + step
        is_above_last_row = index // self._columns < last_index // self._columns
        if key == Qt.Key.Key_Down and is_above_last_row:
            target = min(target, last_index)  # the last row may be shorter
        if 0 <= target <= last_index:
            self.buttons[target].setFocus(Qt.FocusReason.TabFocusReason)
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            # Beyond the grid: the menu takes the key, and goes to its entry above or below.
            self._menu.setFocus(Qt.FocusReason.PopupFocusReason)
            self._show_name(self._checked_name)
            QApplication.sendEvent(self._menu, event)
        return True
