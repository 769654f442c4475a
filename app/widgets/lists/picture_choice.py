"""A choice among pictures, in the middle of a menu: a grid of them instead of a line for each."""

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
"""Of a button with a text, in logical pixels."""


class Entry(NamedTuple):
    """``name`` stands above the grid while the entry is pointed at, and is what is read aloud.

    ``text`` is on the button where there is no picture.
    """

    code: int
    name: str
    picture: QPixmap | None = None
    text: str = ""


class PictureChoice(QWidgetAction):
    """``choices`` are the actions of the entries, in their order; that of ``now`` is ticked.

    The mouse points and clicks; the arrow keys go from picture to picture, and over the first and
    the last row to the other entries of the menu; Enter chooses. Then the menu closes and
    ``choose`` is called with the code.
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
        self.buttons: list[QToolButton] = []
        self._words = plain_label()
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
        grid.setColumnStretch(columns, 1)
        self._now = next((choice.text() for choice in self.choices if choice.isChecked()), "")
        body = QWidget()
        lay_out(QVBoxLayout(body), self._words, grid, margins=(8, 3, 8, 3), spacing=2)
        first = next((b for b in self.buttons if b.isChecked()), next(iter(self.buttons), None))
        if first is not None:
            body.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            body.setFocusProxy(first)
        self.setDefaultWidget(body)
        self._say(self._now)

    def _button(self, action: QAction, entry: Entry) -> QToolButton:
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
        self._menu.close()
        choose(code)

    def _say(self, name: str) -> None:
        named = not name or name.startswith(self._title)  # "Elevation 2" needs no title
        self._words.setText((name or self._title) if named else f"{self._title}: {name}")

    @guarded(default=False)
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Name what is pointed at; step with the arrow keys."""
        if not isinstance(watched, QToolButton):
            return super().eventFilter(watched, event)
        if event.type() in (QEvent.Type.Enter, QEvent.Type.FocusIn):
            self._say(watched.defaultAction().text())
        elif event.type() == QEvent.Type.Leave:
            focused = next((button for button in self.buttons if button.hasFocus()), None)
            self._say(self._now if focused is None else focused.defaultAction().text())
        elif event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return self._on_key(watched, event)
        return super().eventFilter(watched, event)

    def _on_key(self, button: QToolButton, event: QKeyEvent) -> bool:
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
        down_the_last_row = key == Qt.Key.Key_Down and index // self._columns < (
            last // self._columns
        )
        if down_the_last_row:
            target = min(index + step, last)
        else:
            target = index + step
        if 0 <= target <= last:
            self.buttons[target].setFocus(Qt.FocusReason.TabFocusReason)
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._menu.setFocus(Qt.FocusReason.PopupFocusReason)
            self._say(self._now)
            QApplication.sendEvent(self._menu, event)  # on to its entry above or below
        return True
