"""Files on the desk: their commands, the tabs above the map, the watch on the disk."""

from __future__ import annotations

from functools import partial

from PySide6.QtGui import QKeySequence

from app.commands.commands import Command
from app.commands.recent import recent_files
from app.desk.desk import Desk
from app.features.files.controller import FilesController
from app.features.files.disk_watch import DiskWatch
from app.features.files.tab_bar import MapTabs, Tabs
from app.qt_guard import connect


def make(desk: Desk) -> None:
    """Files on the desk: their commands, the tabs above the map, the watch on the disk."""
    desk.files = files = FilesController(desk)
    desk.ask_before_closing(files.may_leave_all)
    tabs = Tabs(desk)
    desk.commands.add(_commands(files, tabs))
    quit_words = "Close the desk; unsaved work is asked"
    desk.commands.add(
        [
            Command(
                "file.quit",
                "&Quit",
                desk.frame.close,
                quit_words,
                "Ctrl+Q",
                words="exit leave end close program",
            )
        ]
    )
    place = "file.open-recent"
    desk.commands.add_source(
        f"{place}.*", lambda: recent_files(place, desk.settings, "maps", files.open_path)
    )
    bar = MapTabs(desk.document)
    connect(bar.close_wanted, files.close)
    desk.map_column.insertWidget(0, bar)
    DiskWatch(desk)


def _commands(files: FilesController, tabs: Tabs) -> tuple[Command, ...]:
    """The rows of the menu File, and those of View that go from tab to tab."""
    key = QKeySequence.StandardKey
    saving = files.saving
    return (
        Command(
            "file.open",
            "&Open...",
            files.open,
            "Open a map or a script",
            key.Open,
            "open",
            words="load import read tmx wxx board pmp map script",
        ),
        Command(
            "file.merge-map",
            "&Merge map...",
            files.merge,
            "Lay a map over this one; {cells} that its file does not name stay as they are",
            icon="layers",
            words="combine overlay import join add",
        ),
        Command(
            "file.save",
            "&Save",
            saving.save,
            "Write the map to its file",
            key.Save,
            "save",
            words="write store keep disk",
        ),
        Command(
            "file.save-as",
            "Save &as...",
            saving.save_as,
            "Write the map to another file: a project, or what its game reads",
            "Ctrl+Shift+S",
            "save-as",
            words="write another format convert rename copy",
        ),
        Command(
            "file.export-as",
            "Export &as...",
            saving.export_as,
            "Write a flat copy in another format; the map keeps its file",
            words="convert format tmx board xml write copy",
        ),
        Command(
            "file.backups-of-this-map",
            "&Backups of this map...",
            saving.show_backups,
            "What the map's file held before it was saved over",
            words="restore older version previous lost recover",
        ),
        Command(
            "file.show-as-text",
            "Show as &text...",
            files.show_text,
            "What a file of this map would say",
            "Ctrl+T",
            "text",
            words="xml source raw view",
        ),
        Command(
            "file.close-map",
            "&Close map",
            files.close,
            "Close this map; unsaved work is asked",
            "Ctrl+W",
            words="tab leave",
        ),
        Command(
            "file.open-the-closed-map-again",
            "Open the closed map again",
            tabs.reopen,
            "Open the file of the map that was closed last",
            "Ctrl+Shift+T",
            words="reopen tab undo closed",
        ),
        Command(
            "view.next-map",
            "Next map",
            partial(tabs.go, 1),
            "Go from tab to tab",
            "Ctrl+Tab",
            words="tab switch document",
        ),
        Command(
            "view.previous-map",
            "Previous map",
            partial(tabs.go, -1),
            "Go from tab to tab",
            "Ctrl+Shift+Tab",
            words="tab switch document",
        ),
    )
