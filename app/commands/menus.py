"""Menus and tool bars, laid out from ``layout.py`` and filled as the commands are added."""

from __future__ import annotations

from collections.abc import Sequence, Set
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QMenuBar, QToolBar, QToolButton, QWidget

from app.commands.layout import MENUS, POPUPS, TOOL_BARS, Menu
from app.commands.mnemonics import distinct
from app.qt_guard import connect

if TYPE_CHECKING:
    from app.commands.commands import Commands


class Menus(QObject):
    """Keeps the menus of a menu bar, and tool bars, in step with the table of commands."""

    def __init__(self, bar: QMenuBar, tool_bars: dict[str, QToolBar], commands: Commands) -> None:
        super().__init__(bar)
        self._commands = commands
        self._menus: dict[Menu, QMenu] = {}
        self._parts: list[tuple[QWidget, list[str | QAction]]] = []
        for menu in MENUS:
            self._make(menu, bar.addMenu(menu.title))
        for menu in POPUPS.values():
            if menu not in self._menus:
                self._make(menu, QMenu(menu.title, bar))
        for name, entries in TOOL_BARS.items():
            self._parts.append((tool_bars[name], self._entries(tool_bars[name], entries)))
        connect(commands.added, self._lay_out)
        for part, contents in self._parts:
            self._lay_out_part(part, contents)

    def _make(self, menu: Menu, qt_menu: QMenu) -> None:
        self._menus[menu] = qt_menu
        for entry in menu.entries:
            if isinstance(entry, Menu) and entry not in self._menus:  # a menu can stand in two
                self._make(entry, qt_menu.addMenu(entry.title))
        self._parts.append((qt_menu, self._entries(qt_menu, menu.entries)))
        connect(qt_menu.aboutToShow, partial(self._on_open, menu))

    def _entries(
        self, parent: QWidget, entries: Sequence[str | Menu | None]
    ) -> list[str | QAction]:
        """Lines and menus as actions, commands as their ids."""
        result: list[str | QAction] = []
        for entry in entries:
            if entry is None:
                line = QAction(parent)
                line.setSeparator(True)
                result.append(line)
            else:
                result.append(self._menus[entry].menuAction() if isinstance(entry, Menu) else entry)
        return result

    def _lay_out(self, places: Set[str]) -> None:
        """Put the commands of changed ``places`` where they belong."""
        for part, entries in self._parts:
            if not places.isdisjoint(entries):
                self._lay_out_part(part, entries)

    def _lay_out_part(self, part: QWidget, entries: Sequence[str | QAction]) -> None:
        """Put new commands into a menu or bar, and take out those that are gone."""
        actions: list[QAction] = []
        for entry in entries:
            if isinstance(entry, str):
                actions += map(self._commands.action, self._commands.at(entry))
            else:
                actions.append(entry)
        present = part.actions()
        for action in present:
            if action not in actions:  # a source gave it the last time
                part.removeAction(action)
        next_action: QAction | None = None
        for action in reversed(actions):
            if action not in present:
                part.insertAction(next_action, action)  # type: ignore[arg-type] # None: at the end
                self._add_popup(part, action)
            next_action = action

    def _add_popup(self, part: QWidget, action: QAction) -> None:
        """Put the menu of a tool bar's button behind an arrow."""
        menu = POPUPS.get(action.objectName())
        if menu is None or not isinstance(part, QToolBar):
            return
        button = part.widgetForAction(action)
        assert isinstance(button, QToolButton), "tool bars make them"
        button.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        button.setMenu(self._menus[menu])

    def _on_open(self, menu: Menu) -> None:
        """Commands that come from a source are found when the menu opens; ticks are up to date.

        Each entry has a letter of its own, whichever of them the current map shows.
        """
        self._fill(menu)
        self._commands.refresh()
        entries = [
            action
            for action in self._menus[menu].actions()
            if action.isVisible() and not action.isSeparator()
        ]
        texts = distinct([action.text() for action in entries])
        for action, text in zip(entries, texts, strict=True):
            if text != action.text():
                action.setText(text)

    def _fill(self, menu: Menu) -> None:
        for entry in menu.entries:
            if isinstance(entry, Menu):
                self._fill(entry)
                shown = self._menus[entry]
                shown.menuAction().setVisible(any(action.isVisible() for action in shown.actions()))
            elif entry is not None:
                self._commands.fill(entry)
