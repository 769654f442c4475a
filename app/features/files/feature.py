"""Files on the desk: their commands, the tabs above the map, the watch on the disk."""

from __future__ import annotations

from functools import partial

from PySide6.QtGui import QKeySequence

from app.commands.commands import Change, Command
from app.commands.recent import recent_files
from app.desk.desk import Desk
from app.features.files.controller import FilesController
from app.features.files.disk_watch import DiskWatch
from app.features.files.tab_bar import ClosedFiles, MapTabs
from app.qt_guard import connect
from app.widgets.layout.views import MiddleViews


def make(desk: Desk) -> None:
    """Files on the desk: their commands, the tabs above the map, the watch on the disk."""
    desk.files = files = FilesController(desk)
    desk.ask_before_closing(files.closing.may_leave_all)
    views = desk.docks.views
    tabs = MapTabs(desk.document, views, desk.docks.keys.enter_middle)
    connect(tabs.close_wanted, files.closing.close)
    desk.map_column.insertWidget(0, tabs)
    desk.commands.add(_commands(files, ClosedFiles(desk)))
    desk.commands.add(_tab_commands(files, tabs, views))
    connect(desk.docks.views.changed, lambda: desk.commands.refresh(Change.DESK))
    quit_words = "Close the desk; unsaved work is asked"
    desk.commands.add(
        [
            Command(
                "file.quit",
                "&Quit",
                desk.frame.close,
                tip=quit_words,
                keys="Ctrl+Q",
                words="exit leave end close program",
            )
        ]
    )
    menu_name = "file.open-recent"
    desk.commands.add_source(
        f"{menu_name}.*", lambda: recent_files(menu_name, desk.settings, "maps", files.open_path)
    )
    DiskWatch(desk)


def _commands(files: FilesController, closed_files: ClosedFiles) -> tuple[Command, ...]:
    """Return the rows of the menu File."""
    key = QKeySequence.StandardKey
    saving = files.saving
    return (
        Command(
            "file.open",
            "&Open...",
            files.open,
            tip="Open a map or a script",
            keys=key.Open,
            icon="open",
            words="load import read tmx wxx azgaar board pmp map script",
        ),
        Command(
            "file.merge-map",
            "&Merge map...",
            files.merge,
            tip="Lay a map over this one; {cells} that its file does not name stay as they are",
            icon="layers",
            words="combine overlay import join add",
        ),
        Command(
            "file.save",
            "&Save",
            saving.save,
            tip="Write the map to its file",
            keys=key.Save,
            icon="save",
            words="write store keep disk",
        ),
        Command(
            "file.save-as",
            "Save &as...",
            saving.save_as,
            tip="Write the map to another file: a project, or what its game reads",
            keys="Ctrl+Shift+S",
            icon="save-as",
            words="write another format convert rename copy",
        ),
        Command(
            "file.export-as",
            "Export &as...",
            saving.export_as,
            tip="Write a flat copy in another format; the map keeps its file",
            words="convert format tmx board xml write copy",
        ),
        Command(
            "file.backups-of-this-map",
            "&Backups of this map...",
            saving.show_backups,
            tip="What the map's file held before it was saved over",
            words="restore older version previous lost recover",
        ),
        Command(
            "file.show-as-text",
            "Show as &text...",
            files.show_text,
            tip="What a file of this map would say",
            keys="Ctrl+T",
            icon="text",
            words="xml source raw view",
        ),
        Command(
            "file.open-the-closed-map-again",
            "Open the closed map again",
            closed_files.reopen,
            tip="Open the file of the map that was closed last",
            keys="Ctrl+Shift+T",
            words="reopen tab undo closed",
        ),
    )


def _tab_commands(files: FilesController, tabs: MapTabs, views: MiddleViews) -> tuple[Command, ...]:
    """Return the rows that go from tab to tab, and that close the one in front."""

    def close() -> None:
        view = views.front_view
        if view is None:
            files.closing.close()
        else:
            views.close_view(view)

    def close_text() -> str:
        view = views.front_view
        if view is None:
            return "&Close map"
        return f"&Close {view.windowTitle()}"

    return (
        Command(
            "file.close-map",
            "&Close map",
            close,
            tip="Close this map (unsaved work is asked), or the view in front of it",
            keys="Ctrl+W",
            words="tab leave view gallery fairness",
            text_now=close_text,
            follows=Change.DESK,
        ),
        Command(
            "view.next-map",
            "Next tab",
            partial(tabs.go, 1),
            tip="Go from map to map, and to the open views",
            keys="Ctrl+Tab",
            words="map switch document",
        ),
        Command(
            "view.previous-map",
            "Previous tab",
            partial(tabs.go, -1),
            tip="Go from map to map, and to the open views",
            keys="Ctrl+Shift+Tab",
            words="map switch document",
        ),
    )
