"""The main window: the one place where the desk's parts are wired together."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtWidgets import QLabel, QMainWindow, QTabBar, QToolBar, QVBoxLayout, QWidget

from app.appearance.desk_theme import Looks
from app.background.start_steps import StartSteps
from app.canvas.canvas import MapCanvas
from app.panels import arrange, make_docks, remember, restore_places
from app.render.renderer import Renderer
from app.settings import Settings

# What the first picture does not need is imported where it is used.
if TYPE_CHECKING:
    from PySide6.QtCore import QChildEvent
    from PySide6.QtGui import QAction, QCloseEvent, QDragEnterEvent, QDropEvent
    from PySide6.QtWidgets import QMenu

    from app.background.start_steps import Step
    from app.document.document import MapDocument
    from app.features.recovery.recovery import Recovery
    from randomizer.model.edit import Region
    from randomizer.model.grid import Hit
    from randomizer.model.problems import Problem
    from randomizer.storage.backups import Backups

MESSAGE_MS = 8000
"""How long a message stays in the status bar."""

CHECK_DELAY_MS = 120
"""How long after the last edit the map's warnings are looked for."""


class MainWindow(QMainWindow):
    """The desk around one document.

    The window shows the canvas at once; panels are filled after the first paint, step by step.
    ``ready`` says that all of them are there, ``cell_menu_made(QMenu, cell)`` that others may add
    to the menu of a cell. In the folder ``journals`` (None: nowhere) every committed step is kept
    in case the program ends badly, in ``backups`` what saving replaces.
    """

    ready = Signal()
    cell_menu_made = Signal(object, int)

    def __init__(
        self,
        document: MapDocument,
        settings: Settings | None = None,
        journals: Path | None = None,
        backups: Backups | None = None,
    ) -> None:
        super().__init__()
        self.document = document
        self.recovery: Recovery | None = None
        self.journals = journals
        self.backups = backups
        self.settings = settings or Settings()
        self.setObjectName("MainWindow")
        self.setAcceptDrops(True)
        self.setDockOptions(
            QMainWindow.DockOption.AllowTabbedDocks | QMainWindow.DockOption.AnimatedDocks
        )
        self.looks = Looks(self)
        self.renderer = Renderer(self.looks.theme())
        self.canvas = MapCanvas(document, self.renderer)
        self.canvas.wheel.mouse = self.settings.wheel
        self.canvas.wheel.touchpad = self.settings.touchpad
        middle = QWidget()
        self._middle = QVBoxLayout(middle)
        self._middle.setContentsMargins(0, 0, 0, 0)
        self._middle.setSpacing(0)
        self._middle.addWidget(self.canvas)
        self.setCentralWidget(middle)
        self._start = StartSteps(self._start_steps(), self)
        self._hit: Hit | None = None
        self._place_label = QLabel()
        self._place_label.setAccessibleName("What is under the mouse")
        self.statusBar().addWidget(self._place_label, 1)
        self._zoom_label = QLabel()
        self.statusBar().addPermanentWidget(self._zoom_label)
        self._check_timer = QTimer(self, singleShot=True, interval=CHECK_DELAY_MS)
        self._check_timer.timeout.connect(self.check_map)
        self.docks = make_docks(self)
        self.tool_bar = QToolBar("Tools")
        self.tool_bar.setObjectName("tools")
        self.tool_bar.setMinimumWidth(38)
        self.addToolBar(Qt.ToolBarArea.LeftToolBarArea, self.tool_bar)
        self._connect()
        arrange(self, self.docks, self.settings)
        self._show_title()

    # --- construction -----------------------------------------------------------------------

    def _connect(self) -> None:
        self._start.finished.connect(self._started)
        self.canvas.painted.connect(self._start.begin)
        self.canvas.hovered.connect(self._show_place)
        self.canvas.menu_requested.connect(self._show_menu)
        self.canvas.viewport_changed.connect(self._show_zoom)
        self.document.changed.connect(self._on_changed)
        self.document.map_replaced.connect(self._on_replaced)
        self.document.path_changed.connect(self._show_title)
        self.document.modified_changed.connect(lambda _modified: self._show_title())
        self.document.work_hidden.connect(self.say)
        self.document.work_refused.connect(self.say)

    # --- after the first paint --------------------------------------------------------------

    def showEvent(self, event):  # type: ignore[no-untyped-def]
        """Fill the panels once the window has been painted, or soon if it is not painted."""
        super().showEvent(event)
        self._start.expect_paint()

    def _start_steps(self) -> list[Step]:
        return [
            ("The journal", self._start_journal),  # before there is a tool to change the map with
            ("The tools", self._fill_tools),
            ("The menus", self._fill_menus),
            ("The icons", self._fill_icons),
            ("The palette", self._fill_palette),
            ("The tabs", self._fill_tabs),
            ("The layers panel", self._fill_layers),
            ("The list of problems", self._fill_problems),
            ("The randomize panel", self._fill_randomize),
            ("The overview", self._fill_overview),
            ("The panels of odds and rolls", self._fill_late_panels),
            ("The shortcuts", self._fill_shortcuts),
            ("The map's problems", self.check_map),
        ]

    def _started(self, faults: list[Problem]) -> None:
        for dock in self.docks.values():
            if dock.isFloating():
                dock.raise_()  # those that were left floating come up behind the window
        self.ready.emit()
        if faults:
            from app.widgets.problem_dialog import show_problems

            show_problems(self, "The desk is not complete", faults)

    def _start_journal(self) -> None:
        if self.journals is not None:
            from app.features.recovery.recovery import Recovery

            self.recovery = Recovery(self, self.journals)

    def _fill_tools(self) -> None:
        from app.tools.toolbox import Toolbox

        self.toolbox = Toolbox(self)
        self.options, self.tools = self.toolbox.options, self.toolbox.tools

    def _fill_menus(self) -> None:
        from app.commands.menus import Menus
        from app.features.files.disk_watch import DiskWatch

        self.menus = Menus(self)
        restore_places(self, self.settings)  # tool bars are made after the first picture
        self.disk_watch = DiskWatch(self)

    def _fill_icons(self) -> None:
        self.looks.draw_icons()
        self.looks.keep_up(self.looks.draw_icons)

    def _fill_palette(self) -> None:
        from app.features.palette.palette import Palette

        self.palette_panel = Palette(self.document.battlemap, self.options, self.toolbox.take_up)
        self.palette_panel.draw_pictures(self.renderer)
        self.looks.keep_up(partial(self.palette_panel.draw_pictures, self.renderer))
        self.docks["palette"].setWidget(self.palette_panel)

    def _fill_tabs(self) -> None:
        from app.features.files.tab_bar import MapTabs

        self.tabs = MapTabs(self.document)
        self.tabs.close_wanted.connect(self.menus.files.close)
        self._middle.insertWidget(0, self.tabs)

    def _fill_layers(self) -> None:
        from app.features.history.panel import HistoryPanel
        from app.features.layers.panel import LayersPanel
        from app.features.map.properties_panel import PropertiesPanel
        from app.widgets.empty_state import EmptyState

        self.layers_panel = LayersPanel(self.document, current_theme=lambda: self.renderer.theme)
        self.layers_panel.message.connect(self.say)
        self.layers_panel.draw_icons()
        self.looks.keep_up(self.layers_panel.draw_icons)
        self.docks["layers"].setWidget(self.layers_panel)
        self.properties_panel = PropertiesPanel(self.document)
        self.docks["properties"].setWidget(self.properties_panel)
        self.menus.add_layer_actions(self.layers_panel.layer_actions())
        self.history_panel = HistoryPanel(self.document)
        self.looks.keep_up(self.history_panel.draw_icons)
        self.docks["history"].setWidget(self.history_panel)
        EmptyState(
            self.layers_panel.list,
            "Rolls come as layers of their own. New layer lays an empty sheet over this one.",
            rows=1,
        )
        EmptyState(
            self.history_panel.list,
            "Every step appears here. A click goes back to it, and forth again.",
            rows=1,
        )

    def _fill_problems(self) -> None:
        from app.widgets.problem_list import ProblemList

        self.problem_list = ProblemList(
            counts=False,
            empty="No problems. What is wrong with this map appears here.",
        )
        self.problem_list.activated.connect(self.show_problem)
        self.docks["problems"].setWidget(self.problem_list)

    def _fill_randomize(self) -> None:
        from app.features.script.panel import RandomizePanel
        from app.rolling.rolling import Rolling
        from app.scripts.scripts import Scripts

        self.rolling = Rolling(self.document, self)
        self.scripts = Scripts(self.document, self.rolling, self.settings, self)
        self.randomize_panel = RandomizePanel(self.document, self.rolling, self.scripts)
        for source in (self.rolling, self.scripts, self.randomize_panel):
            source.message.connect(self.say)
        self.randomize_panel.cells_pointed.connect(self.canvas.overlays.mark_cells)
        self.randomize_panel.problem_list.activated.connect(self.show_problem)
        self.docks["randomize"].setWidget(self.randomize_panel)
        self.menus.add_roll_actions(self.randomize_panel)
        self.looks.keep_up(self.randomize_panel.set_colours)
        self.scripts.checker.start()

    def _fill_overview(self) -> None:
        from app.features.overview.minimap import Minimap

        self.minimap = Minimap(self.canvas)
        self.looks.keep_up(self.minimap.refresh)
        dock = self.docks["overview"]
        dock.setWidget(self.minimap)
        self._overview_offered = False
        dock.toggleViewAction().triggered.connect(self._remember_overview)
        self.document.map_replaced.connect(self._offer_overview)
        self._offer_overview()

    def _remember_overview(self, wanted: bool) -> None:
        self.settings.overview = wanted

    def _offer_overview(self) -> None:
        """A map larger than the view brings the overview along, unless the user closed it."""
        dock = self.docks["overview"]
        if self._overview_offered and dock.isHidden():
            self.settings.overview = False
        self._overview_offered = self.minimap.worth_showing and self.settings.overview
        dock.setVisible(self._overview_offered)

    def _fill_late_panels(self) -> None:
        from app.grid_words import GridWords
        from app.late_panels import LatePanels

        self.grid_words = GridWords(self)
        self.late_panels = LatePanels(self)

    def _fill_shortcuts(self) -> None:
        from app.commands.shortcuts import Shortcuts
        from app.features.start.empty_map import EmptyMap

        self.shortcuts = Shortcuts(self, self.settings)
        EmptyMap(self)

    # --- comfort ----------------------------------------------------------------------------

    def find_command(self) -> None:
        """Open the palette of all commands."""
        from app.features.command_palette.command_palette import CommandPalette

        CommandPalette(self, self.settings).show()

    def show_preferences(self) -> None:
        """Open the settings dialog."""
        from app.features.preferences.dialog import SettingsDialog

        SettingsDialog(self).open()

    def start_tour(self) -> None:
        """Walk around the desk, from the first step."""
        from app.features.help.tour import Tour

        self.settings.tour_seen = True
        Tour(self).start()

    # --- what changes -----------------------------------------------------------------------

    def choose_tool(self, name: str) -> None:
        """Use the tool with this name from now on."""
        self.toolbox.choose(name)

    def choose_elevation(self, elevation: int) -> None:
        """Paint this elevation from now on."""
        self.options.set_elevation(elevation)
        self.choose_tool("elevation")

    def say(self, text: str) -> None:
        """Show a message for a while."""
        self.statusBar().showMessage(text, MESSAGE_MS)

    def show_dock(self, name: str) -> None:
        """Bring a panel to the front."""
        self.docks[name].show()
        self.docks[name].raise_()

    def dock_actions(self) -> dict[str, QAction]:
        """The actions that show and hide the panels, by the panel's name."""
        return {name: dock.toggleViewAction() for name, dock in self.docks.items()}

    def _on_changed(self, region: Region) -> None:
        self._check_timer.start()
        if self._hit is not None:
            self._show_place(self._hit)
        if region.structure:
            self._show_title()

    def _on_replaced(self) -> None:
        if hasattr(self, "palette_panel"):
            self.palette_panel.show_map(self.document.battlemap, self.renderer)
        self._check_timer.start()
        self._show_title()

    def check_map(self) -> None:
        """Look for what the game would warn of on this map, and list it."""
        problems = self.document.battlemap.system.check(self.document.composite)
        self.problem_list.set_problems(problems)
        count = len(problems)
        self.docks["problems"].setWindowTitle(f"Problems ({count})" if count else "Problems")

    def show_problem(self, problem: Problem) -> None:
        """Ring the place of a problem on the map."""
        if problem.cell is not None:
            self.canvas.overlays.show_place(problem.cell, problem.side)

    def _show_place(self, hit: Hit | None) -> None:
        from app.canvas.place_text import explain

        self._hit = hit
        preview = self.canvas.overlays.preview
        words = ["" if hit is None else explain(self.document, hit, self.canvas.instead)]
        if preview is not None and preview.words:
            words.append(preview.words)
        self._place_label.setText(" - ".join(words))

    def _show_menu(self, hit: Hit, position) -> None:  # type: ignore[no-untyped-def]
        if self.canvas.instead is not None:
            self.say("What is shown is not the whole map: stop playing or entering the dice first.")
            return
        from app.features.cell_menu.hex_menu import border_menu, hex_menu
        from app.tools import is_side

        menu: QMenu
        if is_side(self.document.battlemap, hit):
            menu = border_menu(self.document, hit, self)
        else:
            rolling = self.rolling
            menu = hex_menu(self.document, hit.cell, self, rolling)
            self.cell_menu_made.emit(menu, hit.cell)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(position)

    def _show_zoom(self) -> None:
        self._zoom_label.setText(f"{self.canvas.viewport.scale / 40:.0%}")

    def _show_title(self) -> None:
        self.setWindowTitle(f"{self.document.display_name}[*] - Battlelands Builder")
        self.setWindowModified(self.document.modified)

    def changeEvent(self, event: QEvent) -> None:
        """The system's colours may change while the desk is open."""
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "renderer"):
            self.looks.follow_palette()
        super().changeEvent(event)

    def childEvent(self, event: QChildEvent) -> None:
        """The names of panels that share a place are never cut off: Qt makes their tabs late."""
        if event.polished() and isinstance(tabs := event.child(), QTabBar):
            tabs.setElideMode(Qt.TextElideMode.ElideNone)
            tabs.setUsesScrollButtons(False)

    def event(self, event: QEvent) -> bool:
        """While text is being written, Ctrl+Delete deletes a word of it and not the map."""
        if event.type() == QEvent.Type.ShortcutOverride:
            from app.widgets.text_keys import is_text_key

            if is_text_key(self.focusWidget(), event):
                event.accept()
                return True
        return super().event(event)

    # --- the window's life ------------------------------------------------------------------

    def open_path(self, path: Path) -> None:
        """Open a map, or a script in its panel, by what the file is."""
        self.menus.files.open_path(path)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Files may be dropped."""
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open the first file that was dropped, when the drop is over: questions may follow."""
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:
            event.acceptProposedAction()
            QTimer.singleShot(0, self, partial(self._open_dropped, paths))

    def _open_dropped(self, paths: list[Path]) -> None:
        if len(paths) > 1:
            self.say(f"Of the {len(paths)} files {paths[0].name} is opened: drop one at a time.")
        self.open_path(paths[0])

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask about unsaved work, then remember the window."""
        if hasattr(self, "menus") and hasattr(self, "randomize_panel"):
            if not self.menus.files.may_close_all():
                event.ignore()
                return
            if not self.scripts.ask_to_close():
                event.ignore()
                return
        if self.recovery is not None:
            self.recovery.autosave.end()
        remember(self, self.settings)
        super().closeEvent(event)
