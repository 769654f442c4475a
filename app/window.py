"""The main window: the frame around the map, with docks, menus, tool bars and status bar.

The window has four stages:

    made       with the canvas, the docks without panels, and the positions of the last session
    painted    the user sees a map; now ``WindowParts`` makes all else, step by step
    started    all features are made: ``_on_started``
    closing    ``closeEvent`` asks about unsaved work, and stores the positions

Where docks and tool bars stand is restored and stored by ``WindowPositions``.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QChildEvent, QEvent, QKeyCombination, Qt
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QKeyEvent,
    QKeySequence,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QMainWindow, QMenu, QTabBar, QWidget

from app.background.actions import end_all, run
from app.background.start_steps import StartSteps
from app.desk.desk import Desk
from app.feature_list import FEATURES
from app.qt_guard import connect, guarded, later, run_guarded
from app.settings import Settings
from app.widgets.layout.compact_bars import ToolColumns
from app.window_parts import WindowParts
from app.window_positions import WindowPositions
from randomizer.storage.disk.backups import Backups

# Modules that the first paint does not need are imported where they are used.
if TYPE_CHECKING:
    from app.document.document import MapDocument
    from randomizer.model.edits.edit import Region


class MainWindow(QMainWindow):
    """The frame of a ``Desk``.

    ``journals`` is the folder in which every undo step is stored in case of a crash, None to store
    none; ``backups`` gets the old content of files that are saved.
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
        """True once the user was asked about all unsaved work, and has not cancelled."""
        self._are_tabs_compact = False
        """True once the tabs of docks have their style (``_compact_tabs``)."""
        self.setObjectName("MainWindow")
        self.setAcceptDrops(True)
        self.setDockOptions(
            QMainWindow.DockOption.AllowTabbedDocks | QMainWindow.DockOption.AnimatedDocks
        )
        document.setParent(self)  # else its connections would keep both alive
        if settings is None:
            settings = Settings()
        self.desk = Desk(self, document, settings, FEATURES, journals, backups)
        middle = QWidget()
        middle.setLayout(self.desk.map_column)
        self.setCentralWidget(middle)
        self.statusBar()
        tool_bar = ToolColumns("Tools")
        tool_bar.setObjectName("tools")
        self.addToolBar(Qt.ToolBarArea.LeftToolBarArea, tool_bar)
        parts = WindowParts(self, self.desk, tool_bar)
        connect(parts.tabs_wanted, self._compact_tabs)
        self._positions = WindowPositions(self, self.desk)
        connect(parts.bars_made, self._positions.restore_again)
        self._start = StartSteps(parts.steps(), self)
        connect(self._start.finished, self._on_started)
        connect(self.desk.canvas.painted, self._start.begin)
        connect(document.changed, self._on_changed)
        connect(document.map_replaced, self._show_title)
        connect(document.maps_changed, self._show_title)  # the name may be that of another map
        connect(document.path_changed, self._show_title)
        connect(document.modified_changed, self._show_title)
        connect(document.work_may_be_covered, self.desk.say)
        self._positions.restore_first()
        self._show_title()
        self.desk.canvas.setFocus()  # else the first stop of Tab has it: the tabs of docks

    # --- after the first paint --------------------------------------------------------------

    @guarded
    def showEvent(self, event: QShowEvent) -> None:
        """Make the features once the window has been painted, or soon if it is not painted."""
        super().showEvent(event)
        self._start.begin_without_paint_later()

    def _on_started(self) -> None:
        """Finish the start: all features are made."""
        for dock in self.desk.docks.all():
            if dock.isFloating():
                dock.raise_()  # floating ones of the last session are shown behind the window
        self.desk.ready.emit()
        self.desk.settings.tell(self.desk.say)

    @guarded(default=None)
    def createPopupMenu(self) -> QMenu | None:
        """Return the menu of a right click on bars and tabs: the commands of the panels.

        The entries of Qt's own menu would close a panel whose tab is behind another one.
        """
        commands = self.desk.commands
        commands.refresh()
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addActions([commands.action(name) for name in commands.ids_at("panel.*")])
        return menu

    # --- tabs and size ----------------------------------------------------------------------

    @guarded
    def childEvent(self, event: QChildEvent) -> None:
        """Give the tabs of docks their style: Qt makes such a bar when docks are first tabbed."""
        # Most events tell of new actions, and the child of an event is slow to get.
        if event.polished() and self._are_tabs_compact:
            child = event.child()
            if isinstance(child, QTabBar):
                self._compact(child)

    def _compact_tabs(self) -> None:
        """Show the names of docks in full from now on, on tabs that exist and those to come."""
        self._are_tabs_compact = True
        for tabs in self.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly):
            self._compact(tabs)

    def _compact(self, tabs: QTabBar) -> None:
        """Let tabs never cut off their names: they are scrolled where the panel is too narrow."""
        # Imported here, since it would make the first paint 6 ms later.
        from app.widgets.layout.compact_tabs import CompactTabs

        style = CompactTabs()
        style.setParent(tabs)
        tabs.setStyle(style)
        tabs.setElideMode(Qt.TextElideMode.ElideNone)
        tabs.setUsesScrollButtons(True)
        self.desk.docks.keys.watch_tabs(tabs)

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        """Let panels make room for the map in a narrow window."""
        super().resizeEvent(event)
        self.desk.docks.room.fit(event.size())

    # --- the keyboard -----------------------------------------------------------------------

    @guarded(default=False)
    def focusNextPrevChild(self, forward: bool) -> bool:
        """Move the focus by Tab, past widgets that cannot be seen."""
        return self.desk.docks.keys.move(forward=forward)

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Use a key that no other widget has taken.

        Escape moves the focus to the map. For the key of a disabled command, which Qt treats like
        one of no command, the status line says why it is disabled.
        """
        if event.key() == Qt.Key.Key_Escape:
            self.desk.docks.keys.leave()
            return
        why_disabled = self.desk.commands.why_disabled(_keys_of(event))
        if why_disabled:
            self.desk.say(why_disabled)
        else:
            super().keyPressEvent(event)

    # --- the window's life ------------------------------------------------------------------

    def _on_changed(self, region: Region) -> None:
        """Show the title again after an edit of the map that may have changed its name."""
        if region.structure or region.records:
            self._show_title()

    def _show_title(self) -> None:
        """Show the name of the current map in the title, and whether it is unsaved."""
        document = self.desk.document
        self.setWindowTitle(f"{document.display_name}[*] - Battlelands Builder")
        self.setWindowModified(document.modified)

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        """Follow the system's colours, which may change while the desk is open."""
        # Qt sends such an event while the window is made, before it has a desk.
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "desk"):
            self.desk.theme.follow_palette()
        super().changeEvent(event)

    @guarded(default=False)
    def event(self, event: QEvent) -> bool:
        """Keep keys for text away from the commands while a field of text has the focus.

        Ctrl+Delete then deletes a word, and not the map.
        """
        if event.type() == QEvent.Type.ShortcutOverride:
            from app.widgets.forms.field_input import is_text_key

            if is_text_key(self.focusWidget(), event):
                event.accept()
                return True
        return super().event(event)

    @guarded
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept files that are dragged over the window."""
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
        """Open files; see ``dropEvent``."""
        if len(paths) > 1:
            self.desk.files.open_paths(paths)
        else:
            self.desk.files.open_path(paths[0], roll=True)

    async def _leave(self) -> None:
        """Ask about unsaved work, and close the window unless the user keeps it open."""
        if await self.desk.questions.may_close():
            self._may_close = True
            # If no question was shown, ``closeEvent`` is still running below this: Qt does not
            # enter it again, and it goes on since ``_may_close`` is True now.
            self.close()

    @guarded
    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask about unsaved work, and store the window's size and positions when it closes.

        While questions are shown and files are written the window stays; ``_leave`` closes it
        afterwards.
        """
        event.ignore()  # a fault while asking leaves the window open, with the work in it
        if not self._may_close:
            run(self._leave())  # runs at once, as far as its first question
        if not self._may_close:
            return
        event.accept()
        # From here on nothing keeps the window open: each step is guarded by itself, so that a
        # fault in one does not keep the others from storing the user's work.
        end_all()
        if self.desk.autosave is not None:
            run_guarded(self.desk.autosave.end)
        if self.desk.script_drafts is not None:
            run_guarded(self.desk.script_drafts.end)
        run_guarded(self._positions.store)
        self.desk.settings.stop_telling()  # else the settings would keep the window alive
        super().closeEvent(event)


def _keys_of(event: QKeyEvent) -> QKeySequence:
    """Return the key that was pressed, with the modifiers held; the keypad's keys are as others."""
    modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    return QKeySequence(QKeyCombination(modifiers, Qt.Key(event.key())))
