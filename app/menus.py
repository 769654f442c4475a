"""The menu bar: every command of the desk, with the shortcuts people know."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QToolBar

from app.commands import WHY
from app.compare_commands import CompareCommands
from app.drawing.theme import COLOUR_SETS
from app.edge_fills import EdgeFills
from app.file_commands import FileCommands
from app.game_commands import GameCommands
from app.map_commands import erase_map
from app.select_commands import SelectCommands
from app.select_menu import Entry, edit_entries, select_entries, transform_entries
from app.tab_commands import TabCommands

if TYPE_CHECKING:
    from app.main_window import MainWindow

Shortcut = QKeySequence.StandardKey | str | None


class Menus(QObject):
    """Builds the menus of a window and keeps their actions up to date."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._by_text: dict[str, QAction] = {}
        self.files = FileCommands(window)
        self.games = GameCommands(window)
        self.tabs = TabCommands(window)
        self.compare = CompareCommands(window)
        self._file_menu()
        self._selecting = SelectCommands(window)
        self._edit_menu()
        self._add_all(self._menu("&Select"), select_entries(self._selecting))
        self._tools_menu()
        self._map_menu()
        self._layer_menu = self._menu("&Layer")
        self._randomize_menu()
        self._view_menu()
        self._help_menu()
        self._main_bar()
        window.document.changed.connect(lambda _region: self._show_state())
        window.document.map_replaced.connect(self._show_state)
        self._show_state()

    def _menu(self, title: str) -> QMenu:
        return self._window.menuBar().addMenu(title)

    def _add(
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
            self._window.register_icon(action, picture)
        action.triggered.connect(lambda _checked=False: do())
        self._by_text.setdefault(text.replace("&", "").rstrip("."), action)
        return action

    def _add_all(self, menu: QMenu, entries: tuple[Entry, ...]) -> None:
        for entry in entries:
            if entry is None:
                menu.addSeparator()
            else:
                self._add(menu, *entry)

    # --- the menus --------------------------------------------------------------------------

    def _file_menu(self) -> None:
        files, games, key = self.files, self.games, QKeySequence.StandardKey
        menu = self._menu("&File")
        self._add(
            menu,
            "&New map...",
            files.new,
            key.New,
            "new",
            "Start an empty map: which kind is asked",
        )
        self._add(menu, "&Open...", files.open, key.Open, "open", "Open a map or a script")
        self._add(
            menu,
            "Open from &game...",
            games.open_from_game,
            "Ctrl+Shift+O",
            "open-game",
            "Open a battleland of a variant of your game",
        )
        self._recent_menu = menu.addMenu("Open &recent")
        self._recent_menu.aboutToShow.connect(
            lambda: self._fill_recent(self._recent_menu, "maps", files.open_path)
        )
        self._add(
            menu,
            "&Merge map...",
            files.merge,
            None,
            "layers",
            "Lay a map over this one; hexes that its file does not name stay as they are",
        )
        menu.addSeparator()
        saving = files.saving
        self._add(menu, "&Save", saving.save, key.Save, "save", "Write the map to its file")
        self._add(
            menu,
            "Save &as...",
            saving.save_as,
            "Ctrl+Shift+S",
            "save-as",
            "Write the map to another file: a project, or what its game reads",
        )
        self._add(
            menu,
            "Export &as...",
            saving.export_as,
            tip="Write a flat copy in another format; the map keeps its file",
        )
        self._add(
            menu,
            "&Backups of this map...",
            saving.show_backups,
            tip="What the map's file held before it was saved over",
        )
        self._add(
            menu,
            "&Export to game...",
            games.export,
            "Ctrl+Shift+E",
            "export",
            "Write the map where the game loads it",
        )
        self._add(
            menu,
            "&Take back an export...",
            games.take_back,
            None,
            "undo",
            "Put back what an export replaced",
        )
        menu.addSeparator()
        self._add(
            menu,
            "Show as &text...",
            files.show_text,
            "Ctrl+T",
            "text",
            "What a file of this map would say",
        )
        self._add(menu, "&Print...", files.print_map, key.Print, "print", "Put the map on one page")
        menu.addSeparator()
        if self._window.recovery is not None:
            self._add(
                menu,
                "Reco&ver maps...",
                self._window.recovery.look_again,
                tip="Maps of sessions that ended unexpectedly",
            )
        self._add(
            menu, "&Close map", files.close, "Ctrl+W", tip="Close this map; unsaved work is asked"
        )
        self._add(
            menu,
            "Open the closed map again",
            self.tabs.reopen,
            "Ctrl+Shift+T",
            tip="Open the file of the map that was closed last",
        )
        self._add(
            menu, "&Quit", self._window.close, "Ctrl+Q", "", "Close the desk; unsaved work is asked"
        )

    def _edit_menu(self) -> None:
        menu = self._menu("&Edit")
        group = self._window.document.undo_group
        key = QKeySequence.StandardKey
        for action, shortcut, picture, tip in (
            (group.createUndoAction(self, "&Undo"), key.Undo, "undo", "Take the last step back"),
            (group.createRedoAction(self, "&Redo"), key.Redo, "redo", "Do it again after all"),
        ):
            action.setObjectName(f"edit.{picture}")  # its text names the step
            action.setStatusTip(tip)
            action.setProperty(WHY, f"There is nothing to {picture}.")
            action.setShortcuts(QKeySequence.keyBindings(shortcut))
            self._window.register_icon(action, picture)
            menu.addAction(action)
            self._by_text[picture.capitalize()] = action
        menu.addSeparator()
        self._add_all(menu, edit_entries(self._window, self._selecting))
        for elevation in self._window.document.battlemap.system.terrain_set.elevations:
            self._add(
                menu,
                f"Paint elevation {elevation}",
                partial(self._window.choose_elevation, elevation),
                str(elevation) if elevation < 10 else None,
                tip=f"Take the elevation brush and give hexes elevation {elevation}",
            )
        menu.addSeparator()
        self._add(
            menu,
            "Find a &command...",
            self._window.find_command,
            "Ctrl+Shift+P",
            "zoom-fit",
            "Type a few letters of any command, Enter runs it",
        )
        preferences = self._add(
            menu,
            "Pre&ferences...",
            self._window.show_preferences,
            "Ctrl+,",
            "settings",
            "Colours, keys, files and how the wheel works",
        )
        preferences.setMenuRole(QAction.MenuRole.PreferencesRole)

    def _tools_menu(self) -> None:
        self._menu("&Tools").addActions(self._window.tool_bar.actions())

    def _map_menu(self) -> None:
        window, document = self._window, self._window.document
        menu = self._menu("&Map")
        fills = EdgeFills(window)
        for fill in document.battlemap.system.edge_fills:
            self._add(
                menu,
                fill.title,
                partial(fills.run, fill),
                None,
                fill.icon,
                "On the whole map, or where selected; edges with a hexside stay as they are",
            )
        menu.addSeparator()
        self._add_all(menu, transform_entries(window))
        self._tower_action = self._add(
            menu, "Terrain is a &tower", self._toggle_tower, None, "", "The game's Tower rules hold"
        )
        self._tower_action.setCheckable(True)
        self._startlist_action = self._add(
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
        self._add(
            menu,
            "&Erase map",
            lambda: erase_map(document),
            "Ctrl+Del",
            "eraser",
            "One empty layer in place of all (Undo brings them back)",
        )

    def _toggle_tower(self) -> None:
        self._window.properties_panel.set_tower(self._tower_action.isChecked())

    def add_layer_actions(self, actions: list[QAction]) -> None:
        """Put the layers panel's actions into the Layer menu."""
        self._layer_menu.addActions(actions)

    def _randomize_menu(self) -> None:
        menu = self._randomize = self._menu("&Randomize")
        self._as_menu = menu.addMenu("Randomize &as")
        self._as_menu.aboutToShow.connect(self._fill_randomize_as)
        self._add(
            menu,
            "Randomize from &file...",
            self.files.open_script,
            "Ctrl+Shift+F",
            "script",
            "Open a randomizer script in its panel",
        )
        menu.addSeparator()

    def add_roll_actions(self, panel: Any) -> None:
        """Put the roll panel's actions into the Randomize menu."""
        for action in (
            panel.roll_action,
            panel.reroll_action,
            panel.previous_action,
            panel.next_action,
        ):
            self._randomize.addAction(action)
        for action in (panel.roll_action, panel.reroll_action):
            self.main_bar.addAction(action)

    def _fill_randomize_as(self) -> None:
        from randomizer.catalog import generators

        self._as_menu.clear()
        for generator in generators():
            description = generator.metadata.description
            self._add(
                self._as_menu,
                generator.metadata.name,
                partial(self._roll_generator, generator),
                tip=description,
            )
        scripts = self.games.scripts()
        if scripts:
            game_menu = self._as_menu.addMenu("From the &game directory")
            for path in scripts:
                self._add(game_menu, path.stem, partial(self.files.roll_script, path))
        recent = self._as_menu.addMenu("&Recent scripts")
        self._fill_recent(recent, "scripts", self.files.roll_script)

    def _roll_generator(self, generator: Any) -> None:
        self._window.show_dock("randomize")
        if self._window.randomize_panel.load_generator(generator):
            self._window.randomize_panel.randomize_as()

    def _fill_recent(self, menu: QMenu, kind: str, open_path: Callable[[Any], Any]) -> None:
        menu.clear()
        paths = self._window.settings.recent(kind)
        for path in paths:
            self._add(menu, path.name, partial(open_path, path), tip=str(path))
        if not paths:
            menu.addAction("Nothing yet").setEnabled(False)

    def _view_menu(self) -> None:
        window, canvas = self._window, self._window.canvas
        key = QKeySequence.StandardKey
        menu = self._menu("&View")
        self._add(menu, "&Fit map", canvas.fit, "Ctrl+0", "zoom-fit", "Show the whole map")
        self._add(
            menu,
            "Zoom &in",
            lambda: canvas.zoom(1.25),
            key.ZoomIn,
            "zoom-in",
            "Show less of the map, larger; the wheel does it too",
        )
        self._add(
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
            self._add(menu, text, partial(self.tabs.go, steps), key_, tip="Go from tab to tab")
        menu.addSeparator()
        for name, text, tip in (
            ("labels", "Hex &labels", "The name of every hex"),
            ("names", "Hazard &names", "The terrain of every hex in words"),
            ("grid_lines", "&Grid lines", "The outline of every hex"),
            ("hexsides", "&Hexsides", "What lies on the sides of hexes"),
            ("elevation", "&Elevation", "Terraces and the elevation of raised hexes as a number"),
            ("shading", "&Relief", "Light and shade, as if the sun stood in the north-west"),
            ("passability", "&Passability", "How much each hazard hinders those not native to it"),
            ("start_list", "&Start list", "Where the defender begins"),
            ("locks", "Loc&ks", "What re-rolls keep"),
            ("things", "Placed &things", "Units, trees and whatever else lies on the map"),
            ("entry_sides", "Entry s&ides", "The names of the rims of the board"),
            ("seam", "Sea&m", "Where a world that goes round is cut open"),
        ):
            keys = "Ctrl+G" if name == "grid_lines" else None
            action = self._add(menu, text, partial(self._toggle_overlay, name), keys, tip=tip)
            action.setCheckable(True)
            action.setChecked(getattr(window.renderer.overlays, name))
        self._lean_action = self._add(
            menu,
            "Lean as in the &file",
            lambda: window.document.set_lean(self._lean_action.isChecked()),
            tip="Show a world that goes round as its file has it, not as a rectangle",
        )
        self._lean_action.setCheckable(True)
        self._lean_action.setProperty(WHY, "This map does not go round in slanting rows.")
        window.document.map_replaced.connect(self._show_lean)
        self._show_lean()
        self._game_pictures_action = self._add(
            menu,
            "Pictures of the &game",
            lambda: self.games.use_game_pictures(self._game_pictures_action.isChecked()),
            tip="Draw hazards with the pictures of your own game",
        )
        self._game_pictures_action.setCheckable(True)
        self._game_pictures_action.setChecked(window.settings.game_pictures)
        self.games.game_pictures_shown.connect(self._game_pictures_action.setChecked)
        menu.addSeparator()
        settings = window.settings
        self._choice(
            menu.addMenu("&Colours"),
            (("system", "As the system"), ("light", "Light"), ("dark", "Dark")),
            window.set_theme,
            lambda: settings.theme,
            "The colours of the whole desk",
        )
        self._choice(
            menu.addMenu("&Map colours"),
            COLOUR_SETS,
            window.set_colour_set,
            lambda: settings.colour_set,
            "How hazards are told apart on the map",
        )
        panels = menu.addMenu("&Panels")
        for name, action in window.dock_actions().items():
            action.setObjectName(f"panel.{name}")  # its text may hold a number
            action.setStatusTip("Show or hide this panel")
            panels.addAction(action)

    def _choice(
        self,
        menu: QMenu,
        entries: Iterable[tuple[str, str]],
        use: Callable[[str], Any],
        chosen: Callable[[], str],
        tip: str,
    ) -> None:
        """Entries (name, text) of which one is ticked: the one that holds when the menu opens."""
        group = QActionGroup(self)
        for name, text in entries:
            action = self._add(menu, text, partial(use, name), tip=tip)
            action.setCheckable(True)
            action.setData(name)
            group.addAction(action)

        def tick() -> None:
            for action in group.actions():
                action.setChecked(action.data() == chosen())

        menu.aboutToShow.connect(tick)
        tick()

    def _show_lean(self) -> None:
        grid = self._window.document.battlemap.grid
        self._lean_action.setEnabled(grid.wrap and grid.layout.shear == "oblique")
        self._lean_action.setChecked(grid.lean)

    def _toggle_overlay(self, name: str) -> None:
        from dataclasses import replace

        renderer = self._window.renderer
        shown = getattr(renderer.overlays, name)
        renderer.overlays = replace(renderer.overlays, **{name: not shown})
        self._window.canvas.look_changed()
        self._window.minimap.look_changed()

    def _help_menu(self) -> None:
        from app.widgets.help_dialogs import show_about, show_manual, show_mouse_and_keys

        menu = self._menu("&Help")
        self._add(
            menu,
            "Man&ual",
            lambda: show_manual(self._window),
            "F1",
            "text",
            "Pages about everything",
        )
        self._add(
            menu,
            "&Mouse and keys",
            lambda: show_mouse_and_keys(self._window),
            "Shift+F1",
            "hint",
            "What mouse and keys do, in one table",
        )
        self._add(
            menu,
            "&Tour",
            self._window.start_tour,
            None,
            "hint",
            "Around the desk in one minute",
        )
        self._add(
            menu,
            "&About Battlelands Builder",
            lambda: show_about(self._window),
            tip="Which version this is",
        )

    def _main_bar(self) -> None:
        """The tool bar at the top: what a person reaches for most."""
        bar = self.main_bar = QToolBar("Main")
        bar.setObjectName("main")
        bar.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        for group in (("Open", "Open from game", "Save", "Export to game"), ("Undo", "Redo")):
            for text in group:
                bar.addAction(self._by_text[text])
            bar.addSeparator()
        for action, text in (
            (self._by_text["Open from game"], "From game"),
            (self._by_text["Export to game"], "To game"),
            (self._by_text["Undo"], "Undo"),  # what would be undone stands in its tooltip:
            (self._by_text["Redo"], "Redo"),  # the buttons beside it keep their places
        ):
            action.setIconText(text)
        below = self._window.toolbox.bar
        self._window.insertToolBar(below, bar)
        self._window.insertToolBarBreak(below)

    def _show_state(self) -> None:
        composite = self._window.document.composite
        self._tower_action.setChecked(composite.tower)
        self._startlist_action.setEnabled(bool(composite.startlist))
