"""How the menus get their entries: text, keys, picture, tip."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu

if TYPE_CHECKING:
    from app.commands.select_menu import Entry
    from app.window import MainWindow
    from randomizer.model.setting import Setting

Shortcut = QKeySequence.StandardKey | str | None


class MenuEntries(QObject):
    """Adds menus to a window's menu bar, and entries to them; ``by_text`` finds an entry again."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.window = window
        self.by_text: dict[str, QAction] = {}

    def menu(self, title: str) -> QMenu:
        """A new menu at the end of the menu bar."""
        return self.window.menuBar().addMenu(title)

    def add(
        self,
        menu: QMenu,
        text: str,
        do: Callable[[], Any],
        shortcut: Shortcut = None,
        picture: str = "",
        tip: str = "",
    ) -> QAction:
        """An entry of a menu. ``tip`` says what it does; the tooltip is made of it and the keys."""
        action = menu.addAction(text)
        if shortcut is not None:
            action.setShortcut(QKeySequence(shortcut))
        action.setStatusTip(tip)
        if picture:
            self.window.looks.add_icon(action, picture)
        action.triggered.connect(lambda _checked=False: do())
        self.by_text.setdefault(text.replace("&", "").rstrip("."), action)
        return action

    def add_all(self, menu: QMenu, entries: tuple[Entry, ...]) -> None:
        """Entries as ``add`` takes them; None is a line between them."""
        for entry in entries:
            if entry is None:
                menu.addSeparator()
            else:
                self.add(menu, *entry)

    def choice(
        self,
        menu: QMenu,
        setting: Setting,
        use: Callable[[Any], Any],
        chosen: Callable[[], object],
    ) -> None:
        """The choices of a setting; the one that holds when the menu opens is ticked."""
        group = QActionGroup(self)
        for value, label in setting.choices:
            action = self.add(menu, label, partial(use, value), tip=setting.help)
            action.setCheckable(True)
            action.setData(value)
            group.addAction(action)

        def tick() -> None:
            for action in group.actions():
                action.setChecked(action.data() == chosen())

        menu.aboutToShow.connect(tick)
        tick()

    def fill_recent(self, menu: QMenu, kind: str, open_path: Callable[[Any], Any]) -> None:
        """The files of one kind (``maps``, ``scripts``) that were opened lately."""
        menu.clear()
        paths = self.window.settings.recent(kind)
        for path in paths:
            self.add(menu, path.name, partial(open_path, path), tip=str(path))
        if not paths:
            menu.addAction("Nothing yet").setEnabled(False)
