"""The main window: the frame around the map, with docks, menus, tool bars and status bar."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QChildEvent, QEvent, QSize, Qt
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QMainWindow, QMenu, QTabBar, QWidget

from app.background.actions import end_all, run
from app.background.start_steps import StartSteps, Step
from app.desk.desk import Desk
from app.desk.feature import Feature
from app.desk.side_widths import USUAL_WINDOW
from app.feature_list import FEATURES
from app.qt_guard import connect, guarded, later, run_guarded
from app.settings import Settings
from app.widgets.layout.compact_bars import FittingToolBar, ToolColumns
from app.widgets.layout.dialog_layout import bounded_by_screen
from randomizer.storage.disk.backups import Backups

# What the first picture does not need is imported where it is used.
if TYPE_CHECKING:
    from app.commands.commands import Command
    from app.document.document import MapDocument
    from randomizer.model.edits.edit import Region

SIZE = QSize(USUAL_WINDOW, 860)
"""The window at its first start, where the screen has the room."""


class MainWindow(QMainWindow):
    """The frame of a ``Desk``: it shows the canvas at once, and after the first paint makes the
    features one by one. In the folder ``journals`` (None: nowhere) every committed step is kept in
    case the program ends badly, in ``backups`` what saving replaces.
    """

    def __init__(
        self,
        document: MapDocument,
        settings: Settings | None = None,
        journals: Path | None = None,
        backups: Backups | None = None,
    ) -> None:
        super().__init__()
        self._may_close = False
        self._tabs_compact = False
        self.setObjectName("MainWindow")
        self.setAcceptDrops(True)
        self.setDockOptions(
            QMainWindow.DockOption.AllowTabbedDocks | QMainWindow.DockOption.AnimatedDocks
        )
        document.setParent(self)  # or its connections would keep both alive
        self.desk = Desk(self, document, settings or Settings(), FEATURES, journals, backups)
        middle = QWidget()
        middle.setLayout(self.desk.map_column)
        self.setCentralWidget(middle)
        self.statusBar()
        self._tool_bar = ToolColumns("Tools")
        self._tool_bar.setObjectName("tools")
        self.addToolBar(Qt.ToolBarArea.LeftToolBarArea, self._tool_bar)
        self._start = StartSteps(self._start_steps(), self)
        connect(self._start.finished, self._started)
        connect(self.desk.canvas.painted, self._start.begin)
        connect(document.changed, self._on_changed)
        connect(document.map_replaced, self._show_title)
        connect(document.path_changed, self._show_title)
        connect(document.modified_changed, self._show_title)
        connect(document.work_may_be_covered, self.desk.say)
        self._arrange()
        self._show_title()
        self.desk.canvas.setFocus()  # else the first stop of Tab has it: the tabs of docks

    # --- after the first paint --------------------------------------------------------------

    @guarded
    def showEvent(self, event):  # type: ignore[no-untyped-def]
        """Make the features once the window has been painted, or soon if it is not painted."""
        super().showEvent(event)
        self._start.expect_paint()

    def _start_steps(self) -> Iterator[Step]:
        desk = self.desk
        yield "The journal", desk.start_autosave  # before anything can change the map
        yield "The tabs of panels", self._compact_tabs
        yield "The menus and tool bars", self._make_menus
        yield "The places of panels and tool bars", desk.settings.end_places  # laid out by now
        for feature in FEATURES:
            if not feature.when_shown:
                yield feature.title, partial(self._make, feature)
        yield "The panels that are made when they are shown", desk.docks.watch_all
        yield "The features of other packages", self._make_installed
        # Else the first map of another system would wait for these.
        from randomizer.catalog.catalog import imports

        for step in imports():
            yield "A part of the catalogue", step
        yield "The pictures of tables", partial(import_module, "app.systems.cordery.table.style")

    def _make_menus(self) -> None:
        from app.appearance.icons import icon
        from app.commands.menus import Menus

        desk = self.desk
        desk.shortcuts  # noqa: B018 - from now on commands get the user's keys
        desk.commands.add(desk.docks.commands())
        desk.commands.add([self._side_panels()])
        main = FittingToolBar("Main", self)
        main.setObjectName("main")
        self.addToolBar(Qt.ToolBarArea.TopToolBarArea, main)
        self.addToolBarBreak()
        self.addToolBar(Qt.ToolBarArea.TopToolBarArea, desk.tools.bar)
        Menus(self.menuBar(), {"tools": self._tool_bar, "main": main}, desk.commands)
        self._restore_places()  # the tool bars were not there before
        self.setWindowIcon(icon("app"))

    @guarded(default=None)
    def createPopupMenu(self) -> QMenu | None:
        """Return the menu of a right click on bars and tabs: the commands of the panels.

        Qt's own menu would close a panel whose tab is behind another.
        """
        commands = self.desk.commands
        commands.refresh()
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addActions([commands.action(name) for name in commands.at("panel.*")])
        return menu

    def _side_panels(self) -> Command:
        """Return the row that puts the panels at the right aside."""
        from app.commands.commands import Change, Command

        docks = self.desk.docks
        connect(docks.room.aside_changed, lambda: self.desk.commands.refresh(Change.DESK))
        connect(docks.front_changed, lambda: self.desk.commands.refresh(Change.DESK))
        return Command(
            "view.side-panels",
            "Panels at the &right",
            docks.room.toggle_aside,
            "Show the panels at the right, or leave their room to the map",
            "F9",
            "side-panels",
            checked=lambda: not docks.room.is_aside,
            follows=Change.DESK,
            button_text="Panels",
            words="hide docks sidebar room",
        )

    def _make_installed(self) -> None:
        from app.desk.installed_features import add_installed

        add_installed(self.desk)

    def _make(self, feature: Feature) -> None:
        panel = self.desk.make(feature)
        if feature.dock is not None:
            self.desk.docks.fill(feature.dock.name, panel)

    def _started(self) -> None:
        for dock in self.desk.docks.all():
            if dock.isFloating():
                dock.raise_()  # those that were left floating come up behind the window
        self.desk.ready.emit()
        self.desk.settings.tell(self.desk.say)

    # --- size and places --------------------------------------------------------------------

    def _arrange(self) -> None:
        """Size and docks as they were left, or as the screen suggests."""
        self.desk.settings.begin_places()
        self.resize(bounded_by_screen(SIZE, self))
        self.desk.docks.room.use_widths()
        geometry = self.desk.settings.bytes("geometry")
        if not geometry.isEmpty():
            self.restoreGeometry(geometry)
        self._restore_places()

    def _restore_places(self) -> None:
        """Put docks and tool bars, as far as they are made, where they were left."""
        state = self.desk.settings.bytes("state")
        if not state.isEmpty():
            self.restoreState(state)
            self.desk.docks.set_closed_for_map(self.desk.settings.closed_docks)
            self.desk.docks.set_docks_in_front(self.desk.settings.front_docks)
        self.desk.docks.room.fit(self.size(), restored=not state.isEmpty())

    @guarded
    def childEvent(self, event: QChildEvent) -> None:
        """The names of docks that share a place are never cut off: Qt makes their tabs late.

        Tabs for which the panel has no room can be scrolled to: it gets no wider for them.
        """
        if event.polished() and isinstance(tabs := event.child(), QTabBar) and self._tabs_compact:
            self._compact(tabs)

    def _compact_tabs(self) -> None:
        """Show the names of docks in full from now on."""
        self._tabs_compact = True
        for tabs in self.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly):
            self._compact(tabs)

    def _compact(self, tabs: QTabBar) -> None:
        from app.widgets.layout.compact_bars import CompactTabs  # not before the first paint: 6 ms

        style = CompactTabs()
        style.setParent(tabs)
        tabs.setStyle(style)
        tabs.setElideMode(Qt.TextElideMode.ElideNone)
        tabs.setUsesScrollButtons(True)
        self.desk.docks.keys.watch_tabs(tabs)

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        """Panels make room for the map in a narrow window."""
        super().resizeEvent(event)
        self.desk.docks.room.fit(event.size())

    # --- the keyboard -----------------------------------------------------------------------

    @guarded(default=False)
    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab leaves out what cannot be seen."""
        return self.desk.docks.keys.move(forward=forward)

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape that nothing else wanted leads to the map."""
        if event.key() == Qt.Key.Key_Escape:
            self.desk.docks.keys.leave()
        else:
            super().keyPressEvent(event)

    # --- the window's life ------------------------------------------------------------------

    def _on_changed(self, region: Region) -> None:
        if region.structure:
            self._show_title()

    def _show_title(self) -> None:
        document = self.desk.document
        self.setWindowTitle(f"{document.display_name}[*] - Battlelands Builder")
        self.setWindowModified(document.modified)

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        """The system's colours may change while the desk is open."""
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "desk"):
            self.desk.theme.follow_palette()
        super().changeEvent(event)

    @guarded(default=False)
    def event(self, event: QEvent) -> bool:
        """While text is being written, Ctrl+Delete deletes a word of it and not the map."""
        if event.type() == QEvent.Type.ShortcutOverride:
            from app.widgets.forms.field_input import is_text_key

            if is_text_key(self.focusWidget(), event):
                event.accept()
                return True
        return super().event(event)

    @guarded
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Files may be dropped."""
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    @guarded
    def dropEvent(self, event: QDropEvent) -> None:
        """Open the files that were dropped, when the drop is over: questions may follow.

        A script that comes alone is rolled, as by "Randomize from file".
        """
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:
            event.acceptProposedAction()
            later(self, partial(self._open_dropped, paths))

    def _open_dropped(self, paths: list[Path]) -> None:
        if len(paths) > 1:
            self.desk.files.open_paths(paths)
        else:
            self.desk.files.open_path(paths[0], roll=True)

    async def _leave(self) -> None:
        """Ask about unsaved work, and close the window unless the user keeps it open."""
        if await self.desk.may_close():
            self._may_close = True
            self.close()  # nothing happens where nothing was asked: then it is closing already

    @guarded
    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask about unsaved work, then remember the window.

        While questions are shown and files are written the window stays; it closes afterwards.
        """
        event.ignore()  # a fault below leaves the window open, with the work in it
        if not self._may_close:
            run(self._leave())
        if not self._may_close:
            return
        event.accept()
        end_all()
        if self.desk.autosave is not None:
            run_guarded(self.desk.autosave.end)
        if self.desk.script_drafts is not None:
            run_guarded(self.desk.script_drafts.end)
        run_guarded(self._remember)
        self.desk.settings.tell(None)  # else the settings would hold the window
        super().closeEvent(event)

    def _remember(self) -> None:
        """Note size and places in the settings, for the next start."""
        from app.document.sample import sample_map

        docks = self.desk.docks
        settings = self.desk.settings
        docks.room.bring_back()
        docks.suit(sample_map().system)  # the next start begins with such a map
        settings.closed_docks = docks.closed_for_map()
        settings.front_docks = docks.docks_in_front()
        settings.set_bytes("geometry", self.saveGeometry())
        settings.set_bytes("state", QByteArray(self.saveState()))
        settings.end_places()
