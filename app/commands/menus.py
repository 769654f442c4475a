"""The menu bar: every command of the desk, with the shortcuts people know."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QToolBar

from app.commands.commands import WHY
from app.commands.menu_entries import MenuEntries
from app.commands.scripts_menu import ScriptsMenu
from app.commands.select_menu import edit_entries, select_entries, transform_entries
from app.commands.view_menu import ViewMenu
from app.features.compare.compare_commands import CompareCommands
from app.features.files.file_commands import FileCommands
from app.features.files.tab_commands import TabCommands
from app.features.game.game_commands import GameCommands
from app.features.map.edge_fills import EdgeFills
from app.features.map.erase import erase_map
from app.features.pictures.picture_commands import NOT_ROLLED, PictureCommands
from app.features.selection.select_commands import SelectCommands
from randomizer.model.rolled_layers import rolled_layer

if TYPE_CHECKING:
    from app.window import MainWindow


class Menus(MenuEntries):
    """Builds the menus of a window and keeps their actions up to date."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.files = FileCommands(window)
        self.games = GameCommands(window)
        self.pictures = PictureCommands(window)
        self.tabs = TabCommands(window)
        self.compare = CompareCommands(window)
        self._file_menu()
        self._selecting = SelectCommands(window)
        self._edit_menu()
        self._select_menu = self.menu("&Select")
        self.add_all(self._select_menu, select_entries(self._selecting))
        self._tools_menu()
        self._map_menu()
        self._layer_menu = self.menu("&Layer")
        self.scripts = ScriptsMenu(self, self.files, self.games)
        self.view = ViewMenu(self, self.games, self.tabs)
        self._help_menu()
        self._main_bar()
        window.document.changed.connect(lambda _region: self._show_state())
        window.document.map_replaced.connect(self._show_state)
        self._show_state()

    # --- the menus --------------------------------------------------------------------------

    def _file_menu(self) -> None:
        files, games, key = self.files, self.games, QKeySequence.StandardKey
        menu = self.menu("&File")
        self.add(
            menu,
            "&New map...",
            files.new,
            key.New,
            "new",
            "Start an empty map: which kind is asked",
        )
        self.add(menu, "&Open...", files.open, key.Open, "open", "Open a map or a script")
        self.add(
            menu,
            "Open from &game...",
            games.open_from_game,
            "Ctrl+Shift+O",
            "open-game",
            "Open a battleland of a variant of your game",
        )
        self._recent_menu = menu.addMenu("Open &recent")
        self._recent_menu.aboutToShow.connect(
            lambda: self.fill_recent(self._recent_menu, "maps", files.open_path)
        )
        self.add(
            menu,
            "&Merge map...",
            files.merge,
            None,
            "layers",
            "Lay a map over this one; hexes that its file does not name stay as they are",
        )
        menu.addSeparator()
        saving = files.saving
        self.add(menu, "&Save", saving.save, key.Save, "save", "Write the map to its file")
        self.add(
            menu,
            "Save &as...",
            saving.save_as,
            "Ctrl+Shift+S",
            "save-as",
            "Write the map to another file: a project, or what its game reads",
        )
        self.add(
            menu,
            "Export &as...",
            saving.export_as,
            tip="Write a flat copy in another format; the map keeps its file",
        )
        self.add(
            menu,
            "&Backups of this map...",
            saving.show_backups,
            tip="What the map's file held before it was saved over",
        )
        export = self.add(
            menu,
            "&Export to game...",
            games.export,
            "Ctrl+Shift+E",
            "export",
            "Write the map where the game loads it",
        )
        export.setProperty(WHY, "No game is known that plays maps of this kind.")
        games.playable.connect(export.setEnabled)
        self.add(
            menu,
            "&Take back an export...",
            games.take_back,
            None,
            "undo",
            "Put back what an export replaced",
        )
        self.add(
            menu,
            "&Whole variant...",
            games.whole_variant,
            "Ctrl+Shift+V",
            "same",
            "Roll a map for every terrain of a variant, and export them together",
        )
        menu.addSeparator()
        self.add(
            menu,
            "Show as &text...",
            files.show_text,
            "Ctrl+T",
            "text",
            "What a file of this map would say",
        )
        pictures = self.pictures
        self.add(
            menu,
            "Export p&icture...",
            pictures.export,
            None,
            "export",
            "Write the map as PNG, SVG or PDF",
        )
        self._tables_action = self.add(
            menu,
            "Ta&bles for a campaign...",
            pictures.tables,
            None,
            "roll",
            "Roll more maps like this one into one PDF, with their dice and the pieces to fetch",
        )
        self._tables_action.setProperty(WHY, NOT_ROLLED)
        self.add(
            menu,
            "&Print...",
            pictures.print_map,
            key.Print,
            "print",
            "Put the map on paper, on one page or as a poster, with hexes of a true size",
        )
        menu.addSeparator()
        if self.window.recovery is not None:
            self.add(
                menu,
                "Reco&ver maps...",
                self.window.recovery.look_again,
                tip="Maps of sessions that ended unexpectedly",
            )
        self.add(
            menu, "&Close map", files.close, "Ctrl+W", tip="Close this map; unsaved work is asked"
        )
        self.add(
            menu,
            "Open the closed map again",
            self.tabs.reopen,
            "Ctrl+Shift+T",
            tip="Open the file of the map that was closed last",
        )
        self.add(
            menu, "&Quit", self.window.close, "Ctrl+Q", "", "Close the desk; unsaved work is asked"
        )

    def _edit_menu(self) -> None:
        menu = self.menu("&Edit")
        group = self.window.document.undo_group
        key = QKeySequence.StandardKey
        for action, shortcut, picture, tip in (
            (group.createUndoAction(self, "&Undo"), key.Undo, "undo", "Take the last step back"),
            (group.createRedoAction(self, "&Redo"), key.Redo, "redo", "Do it again after all"),
        ):
            action.setObjectName(f"edit.{picture}")  # its text names the step
            action.setStatusTip(tip)
            action.setProperty(WHY, f"There is nothing to {picture}.")
            action.setShortcuts(QKeySequence.keyBindings(shortcut))
            self.window.looks.add_icon(action, picture)
            menu.addAction(action)
            self.by_text[picture.capitalize()] = action
        menu.addSeparator()
        self.add_all(menu, edit_entries(self.window, self._selecting))
        self.add(
            menu,
            "Copy as p&icture",
            self.pictures.copy,
            "Ctrl+Shift+C",
            "export",
            "Put a picture of the map onto the clipboard",
        )
        menu.addSeparator()
        for elevation in self.window.document.battlemap.system.terrain_set.elevations:
            self.add(
                menu,
                f"Paint elevation {elevation}",
                partial(self.window.choose_elevation, elevation),
                str(elevation) if elevation < 10 else None,
                tip=f"Take the elevation brush and give hexes elevation {elevation}",
            )
        menu.addSeparator()
        self.add(
            menu,
            "Find a &command...",
            self.window.find_command,
            "Ctrl+Shift+P",
            "zoom-fit",
            "Type a few letters of any command, Enter runs it",
        )
        preferences = self.add(
            menu,
            "Pre&ferences...",
            self.window.show_preferences,
            "Ctrl+,",
            "settings",
            "Colours, keys, files and how the wheel works",
        )
        preferences.setMenuRole(QAction.MenuRole.PreferencesRole)

    def _tools_menu(self) -> None:
        self.menu("&Tools").addActions(self.window.tool_bar.actions())

    def _map_menu(self) -> None:
        window, document = self.window, self.window.document
        menu = self.menu("&Map")
        fills = EdgeFills(window)
        for fill in document.battlemap.system.edge_fills:
            self.add(
                menu,
                fill.title,
                partial(fills.run, fill),
                None,
                fill.icon,
                "On the whole map, or where selected; edges with a hexside stay as they are",
            )
        menu.addSeparator()
        self.add_all(menu, transform_entries(window))
        self.by_text["Resize"].setProperty(WHY, "The board of these maps has one size.")
        self._tower_action = self.add(
            menu, "Terrain is a &tower", self._toggle_tower, None, "", "The game's Tower rules hold"
        )
        self._tower_action.setCheckable(True)
        self._tower_action.setProperty(WHY, "Only battlelands can be towers.")
        self._startlist_action = self.add(
            menu,
            "Remove &start list",
            lambda: window.properties_panel.clear_startlist(),
            None,
            "startlist",
            "The defender enters from a side of the board again",
        )
        self._startlist_action.setProperty(WHY, "The map has no start list.")
        menu.addSeparator()
        compare = menu.addMenu("&Compare with")
        compare.aboutToShow.connect(lambda: self.compare.fill(compare))
        menu.addSeparator()
        self.add(
            menu,
            "&Erase map",
            lambda: erase_map(document),
            "Ctrl+Del",
            "eraser",
            "One empty layer in place of all (Undo brings them back)",
        )

    def _toggle_tower(self) -> None:
        self.window.properties_panel.set_tower(self._tower_action.isChecked())

    def add_layer_actions(self, actions: list[QAction]) -> None:
        """Put the layers panel's actions into the Layer menu."""
        self._layer_menu.addActions(actions)

    def add_roll_actions(self, panel: Any) -> None:
        """Put the roll panel's actions into the Randomize menu and the bar."""
        rolls = [panel.roll_action, panel.reroll_action]
        self.scripts.add_actions([*rolls, panel.previous_action, panel.next_action])
        self.main_bar.addActions(rolls)
        self._select_menu.addAction(panel.insert_action)

    def _help_menu(self) -> None:
        from app.features.help.help_dialogs import show_about, show_manual, show_mouse_and_keys

        menu = self.menu("&Help")
        self.add(
            menu,
            "Man&ual",
            lambda: show_manual(self.window),
            "F1",
            "text",
            "Pages about everything",
        )
        self.add(
            menu,
            "&Mouse and keys",
            lambda: show_mouse_and_keys(self.window),
            "Shift+F1",
            "hint",
            "What mouse and keys do, in one table",
        )
        self.add(
            menu,
            "&Tour",
            self.window.start_tour,
            None,
            "hint",
            "Around the desk in one minute",
        )
        self.add(
            menu,
            "&About Battlelands Builder",
            lambda: show_about(self.window),
            tip="Which version this is",
        )

    def _main_bar(self) -> None:
        """The tool bar at the top: what a person reaches for most."""
        bar = self.main_bar = QToolBar("Main")
        bar.setObjectName("main")
        bar.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        for group in (("Open", "Open from game", "Save", "Export to game"), ("Undo", "Redo")):
            for text in group:
                bar.addAction(self.by_text[text])
            bar.addSeparator()
        for action, text in (
            (self.by_text["Open from game"], "From game"),
            (self.by_text["Export to game"], "To game"),
            (self.by_text["Undo"], "Undo"),  # what would be undone stands in its tooltip:
            (self.by_text["Redo"], "Redo"),  # the buttons beside it keep their places
        ):
            action.setIconText(text)
        below = self.window.toolbox.bar
        self.window.insertToolBar(below, bar)
        self.window.insertToolBarBreak(below)

    def _show_state(self) -> None:
        composite = self.window.document.composite
        system = self.window.document.battlemap.system
        self._tower_action.setChecked(composite.tower)
        self._tower_action.setEnabled("tower" in system.properties)
        self.by_text["Resize"].setEnabled(not system.fixed_grid)
        self._startlist_action.setEnabled(bool(composite.startlist))
        self._tables_action.setEnabled(rolled_layer(self.window.document.battlemap) is not None)
