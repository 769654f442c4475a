"""The menu View: what is shown of a map, and how."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QKeySequence

from app.commands.commands import WHY
from app.preferences import COLOUR_SET, THEME
from app.render.overlay_options import OVERLAYS

if TYPE_CHECKING:
    from PySide6.QtGui import QAction

    from app.commands.menu_entries import MenuEntries
    from app.features.files.tab_commands import TabCommands
    from app.features.game.game_commands import GameCommands


class ViewMenu(QObject):
    """Zoom, tabs, overlays, colours, panels."""

    def __init__(self, entries: MenuEntries, games: GameCommands, tabs: TabCommands) -> None:
        super().__init__(entries)
        self._window = entries.window
        window, canvas = entries.window, entries.window.canvas
        key = QKeySequence.StandardKey
        menu = entries.menu("&View")
        entries.add(menu, "&Fit map", canvas.fit, "Ctrl+0", "zoom-fit", "Show the whole map")
        entries.add(
            menu,
            "Zoom &in",
            lambda: canvas.zoom(1.25),
            key.ZoomIn,
            "zoom-in",
            "Show less of the map, larger; the wheel does it too",
        )
        entries.add(
            menu,
            "Zoom &out",
            lambda: canvas.zoom(0.8),
            key.ZoomOut,
            "zoom-out",
            "Show more of the map, smaller; the wheel does it too",
        )
        for text, key_, steps in (
            ("Next map", "Ctrl+Tab", 1),
            ("Previous map", "Ctrl+Shift+Tab", -1),
        ):
            entries.add(menu, text, partial(tabs.go, steps), key_, tip="Go from tab to tab")
        menu.addSeparator()
        self._overlay_actions: dict[str, QAction] = {}
        for name, (text, tip) in OVERLAYS.items():
            keys = "Ctrl+G" if name == "grid_lines" else None
            action = entries.add(menu, text, partial(self._toggle_overlay, name), keys, tip=tip)
            action.setCheckable(True)
            action.setChecked(getattr(window.renderer.overlays, name))
            self._overlay_actions[name] = action
        self._overlay_actions["start_list"].setProperty(WHY, "Maps of this kind have none.")
        self._overlay_actions["entry_sides"].setProperty(WHY, "Maps of this kind have none.")
        self._overlay_actions["seam"].setProperty(WHY, "This map does not go round.")
        self._lean_action = entries.add(
            menu,
            "Lean as in the &file",
            lambda: window.document.set_lean(self._lean_action.isChecked()),
            tip="Show a world that goes round as its file has it, not as a rectangle",
        )
        self._lean_action.setCheckable(True)
        self._lean_action.setProperty(WHY, "This map does not go round in slanting rows.")
        window.document.map_replaced.connect(self._show_possible)
        self._show_possible()
        self.game_pictures_action = entries.add(
            menu,
            "Pictures of the &game",
            lambda: games.use_game_pictures(self.game_pictures_action.isChecked()),
            tip="Draw hazards with the pictures of your own game",
        )
        self.game_pictures_action.setCheckable(True)
        self.game_pictures_action.setChecked(window.settings.game_pictures)
        games.game_pictures_shown.connect(self.game_pictures_action.setChecked)
        menu.addSeparator()
        settings = window.settings
        for preference, use in (
            (THEME, window.looks.set_theme),
            (COLOUR_SET, window.looks.set_colour_set),
        ):
            chosen = partial(getattr, settings, preference.name)
            entries.choice(menu.addMenu(preference.title), preference, use, chosen)
        panels = menu.addMenu("&Panels")
        for name, action in window.dock_actions().items():
            action.setObjectName(f"panel.{name}")  # its text may hold a number
            action.setStatusTip("Show or hide this panel")
            panels.addAction(action)

    def _show_possible(self) -> None:
        battlemap = self._window.document.battlemap
        grid, system = battlemap.grid, battlemap.system
        self._overlay_actions["start_list"].setEnabled("startlist" in system.properties)
        self._overlay_actions["entry_sides"].setEnabled(bool(system.entry_sides))
        self._overlay_actions["seam"].setEnabled(grid.wrap)
        self._lean_action.setEnabled(grid.wrap and grid.layout.shear == "oblique")
        self._lean_action.setChecked(grid.lean)

    def _toggle_overlay(self, name: str) -> None:
        renderer = self._window.renderer
        shown = getattr(renderer.overlays, name)
        renderer.overlays = replace(renderer.overlays, **{name: not shown})
        self._window.canvas.update()
        self._window.minimap.refresh()
