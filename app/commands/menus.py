"""Fills menus and tool bars with commands, as ``layout.py`` lays them out.

The window makes one ``Menus``. It makes all menus at once, and puts commands into them when they
are added to the table (``Commands``), which can be later: features are made one after the other.

An *entry* of a layout is the id of a command, a pattern such as ``view.colours.*`` for several
commands, another ``Menu``, or None for a line. ``Commands.ids_at(entry)`` returns the commands that
stand at an entry now; some patterns have a *source*, which is asked again whenever the menu opens.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QMenuBar, QToolBar, QToolButton, QWidget

from app.commands.layout import MENUS, POPUPS, TOOL_BARS, Menu
from app.commands.mnemonics import distinct
from app.qt_guard import connect

if TYPE_CHECKING:
    from app.commands.commands import Commands


class _Container(NamedTuple):
    """A menu or a tool bar, and its layout."""

    widget: QWidget

    entries: list[str | QAction]
    """The entries from first to last: ids and patterns of commands, and actions that stay the same,
    of lines and of menus."""


class Menus(QObject):
    """Keeps the menus of a menu bar, and tool bars, in step with the table of commands.

    ``tool_bars`` are those that ``layout.TOOL_BARS`` fills, by the same names.
    """

    def __init__(self, bar: QMenuBar, tool_bars: dict[str, QToolBar], commands: Commands) -> None:
        super().__init__(bar)
        self._commands = commands
        self._menus: dict[Menu, QMenu] = {}
        """Qt's menus by their layouts."""
        self._containers: list[_Container] = []
        """All menus and tool bars."""
        for menu in MENUS:
            self._make_menus(menu, bar.addMenu(menu.title))
        for menu in POPUPS.values():
            if menu not in self._menus:
                self._make_menus(menu, QMenu(menu.title, bar))
        for name, entries in TOOL_BARS.items():
            tool_bar = tool_bars[name]
            self._containers.append(_Container(tool_bar, self._entries(tool_bar, entries)))
        connect(commands.added, self._on_added)
        for container in self._containers:
            self._sync_actions(container)

    def _make_menus(self, menu: Menu, qt_menu: QMenu) -> None:
        """Make the menus within a new menu of Qt, and note what is to stand in all of them."""
        self._menus[menu] = qt_menu
        for entry in menu.entries:
            # A menu can stand in two others; both show the same one.
            if isinstance(entry, Menu) and entry not in self._menus:
                self._make_menus(entry, qt_menu.addMenu(entry.title))
        self._containers.append(_Container(qt_menu, self._entries(qt_menu, menu.entries)))
        connect(qt_menu.aboutToShow, partial(self._on_open, menu))

    def _entries(
        self, parent: QWidget, entries: Sequence[str | Menu | None]
    ) -> list[str | QAction]:
        """Return entries of a layout for a container: lines and menus become actions."""
        result: list[str | QAction] = []
        for entry in entries:
            if entry is None:
                line = QAction(parent)
                line.setSeparator(True)
                result.append(line)
            elif isinstance(entry, Menu):
                result.append(self._menus[entry].menuAction())
            else:
                result.append(entry)
        return result

    def _on_added(self, changed_entries: Set[str]) -> None:
        """Bring menus and bars up to date whose commands have come or gone."""
        for container in self._containers:
            if not changed_entries.isdisjoint(container.entries):
                self._sync_actions(container)

    def _sync_actions(self, container: _Container) -> None:
        """Put new commands into a menu or bar, and take out those that are gone."""
        actions: list[QAction] = []
        for entry in container.entries:
            if isinstance(entry, str):
                actions += [self._commands.action(name) for name in self._commands.ids_at(entry)]
            else:
                actions.append(entry)
        widget = container.widget
        present_actions = widget.actions()
        for action in present_actions:
            if action not in actions:  # a source returned it the last time
                widget.removeAction(action)
        # Qt can only insert before an action, so go from the last to the first; None is the end.
        next_action: QAction | None = None
        for action in reversed(actions):
            if action not in present_actions:
                widget.insertAction(next_action, action)  # type: ignore[arg-type]
                self._add_popup(widget, action)
            next_action = action

    def _add_popup(self, widget: QWidget, action: QAction) -> None:
        """Put a menu behind an arrow of a tool bar's button, if the layout has one for it."""
        menu = POPUPS.get(action.objectName())
        if menu is None or not isinstance(widget, QToolBar):
            return
        button = widget.widgetForAction(action)
        assert isinstance(button, QToolButton), "tool bars make them"
        button.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        button.setMenu(self._menus[menu])

    def _on_open(self, menu: Menu) -> None:
        """Bring a menu up to date that is about to show: its commands, ticks and access keys.

        The access keys become part of the texts of the commands for good, also elsewhere.
        """
        self._update_sources(menu)
        self._commands.refresh()
        self._hide_empty_menus(menu)  # only now is it known which commands are visible
        # Which entries are visible depends on the map, so two of them can have the same letter.
        entries = []
        for action in self._menus[menu].actions():
            if action.isVisible() and not action.isSeparator():
                entries.append(action)
        texts = distinct([action.text() for action in entries])
        for action, text in zip(entries, texts, strict=True):
            if text != action.text():
                action.setText(text)

    def _update_sources(self, menu: Menu) -> None:
        """Get commands from their sources, also in the menus within a menu."""
        for entry in menu.entries:
            if isinstance(entry, Menu):
                self._update_sources(entry)
            elif entry is not None:
                self._commands.fill(entry)

    def _hide_empty_menus(self, menu: Menu) -> None:
        """Hide the menus within a menu in which no command is visible, and show the others."""
        for entry in menu.entries:
            if not isinstance(entry, Menu):
                continue
            self._hide_empty_menus(entry)
            qt_menu = self._menus[entry]
            has_commands = any(
                action.isVisible() and not action.isSeparator() for action in qt_menu.actions()
            )
            qt_menu.menuAction().setVisible(has_commands)
