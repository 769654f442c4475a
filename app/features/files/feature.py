"""Gives the desk its commands for files, the tabs above the map, and the watch on the disk.

``make`` is called once for a desk, by the list of features. ``FilesController`` opens files,
``Saving`` writes them, and ``Closing`` asks about unsaved work.
"""

from __future__ import annotations

from functools import partial

from PySide6.QtGui import QKeySequence

from app.commands.commands import Change, Command
from app.commands.recent import recent_files
from app.desk.desk import Desk
from app.features.files.closed_files import ClosedFiles
from app.features.files.controller import FilesController
from app.features.files.disk_watch import DiskWatch
from app.features.files.tab_bar import MapTabs
from app.qt_guard import connect
from app.widgets.layout.views import MiddleViews

RECENT_MENU = "file.open-recent"
"""The beginning of the ids of the commands that open a file again."""


def make(desk: Desk) -> None:
    """Offer files to other features as ``desk.files``, and add commands, tabs and watch."""
    files = FilesController(desk)
    desk.files = files
    desk.questions.add_before_closing(files.closing.confirm_leaving_all)
    views = desk.docks.views
    tabs = MapTabs(desk.document, views, desk.docks.keys.enter_middle)
    connect(tabs.close_requested, files.closing.close)
    desk.map_column.insertWidget(0, tabs)  # above the map
    desk.commands.add(_file_commands(files, ClosedFiles(desk)))
    desk.commands.add(_tab_commands(files, tabs, views))
    desk.commands.add([_quit_command(desk)])
    desk.commands.add_source(
        f"{RECENT_MENU}.*",
        lambda: recent_files(RECENT_MENU, desk.settings, ("maps", "scripts"), files.open_path),
    )
    connect(desk.docks.views.changed, lambda: desk.commands.refresh(Change.DESK))
    DiskWatch(desk)  # it lives as a child of the desk


def _file_commands(files: FilesController, closed_files: ClosedFiles) -> tuple[Command, ...]:
    """Return the commands that open, write and show files."""
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
            tip="Write the map to its file; in the text of a script, Ctrl+S saves that text",
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
            why_not=files.why_no_text,
            follows=Change.MAP,
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
    """Return the commands that go from tab to tab, and the one that closes the tab in front."""

    def close_front_tab() -> None:
        view = views.front_view
        if view is None:
            files.closing.close_current()  # which asks later: it is no coroutine
        else:
            views.close_view(view)

    def text_of_close() -> str:
        view = views.front_view
        if view is None:
            return "&Close map"
        return f"&Close {view.windowTitle()}"

    return (
        Command(
            "file.close-map",
            "&Close map",
            close_front_tab,
            tip="Close this map (you are asked about unsaved work), or the view in front of it",
            keys="Ctrl+W",
            words="tab leave view gallery fairness",
            text_now=text_of_close,
            follows=Change.DESK,
        ),
        Command(
            "view.next-map",
            "Next tab",
            partial(tabs.switch_by, 1),
            tip="Go from map to map, and to the open views",
            keys="Ctrl+Tab",
            words="map switch document",
        ),
        Command(
            "view.previous-map",
            "Previous tab",
            partial(tabs.switch_by, -1),
            tip="Go from map to map, and to the open views",
            keys="Ctrl+Shift+Tab",
            words="map switch document",
        ),
    )


def _quit_command(desk: Desk) -> Command:
    """Return the command that closes the desk, which asks what to do with unsaved maps."""
    return Command(
        "file.quit",
        "&Quit",
        desk.frame.close,
        tip="Close the desk; you are asked about unsaved work",
        keys="Ctrl+Q",
        words="exit leave end close program",
    )
