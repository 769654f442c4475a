"""Tells when another program changed the file of the current map, and reads it again on request.

``DiskWatch`` checks the file whenever the window is used again or another map becomes current. A
banner above the map tells of a change. Its button replaces the map by what the file holds now, as
one undo step.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QEvent, QObject

from app.background.jobs import Job
from app.desk.desk import Desk
from app.document.map_files import FileRead, reading_work
from app.qt_guard import connect, guarded
from app.widgets.dialogs.problem_dialog import show_problems
from app.widgets.layout.banner import Banner
from app.widgets.layout.banner_bar import BannerBar
from randomizer.model.edits.edit_sequence import EditSequence
from randomizer.model.edits.record_edits import set_record
from randomizer.model.edits.reshape import Reshape, Shape
from randomizer.model.edits.terrain_edits import change_terrain_set
from randomizer.model.things.things import Things
from randomizer.storage.disk.known_file import FileChange, KnownFile

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.document.open_map import OpenMap
    from randomizer.generator_run import Progress
    from randomizer.model.edits.edit import Edit
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.problems import Problem

_BANNER_TEXTS = {
    FileChange.CHANGED: "Another program has changed {}.",
    FileChange.GONE: "{} is not there any more: Save writes it again.",
}
"""The text of the banner for each change of the file; ``{}`` stands for its name."""


class CheckedFile(NamedTuple):
    """The outcome of a check of the file of an open map."""

    open_map: OpenMap

    known_file: KnownFile
    """The file as the program has last read or written it."""

    change: FileChange
    """The change of the file since then."""


class _ReloadedMap(NamedTuple):
    """An open map whose file was read again."""

    open_map: OpenMap

    read: FileRead
    """What its file holds now."""


class DiskWatch(QObject):
    """Checks the file of the current map whenever the window or the map becomes active."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self.banner = Banner("Reload", "Read the file again; Undo brings back what is here now")
        self._bar = BannerBar(desk.frame, "disk", "The file on disk", self.banner)
        connect(self.banner.accepted, self.reload)
        desk.frame.installEventFilter(self)
        connect(desk.document.map_replaced, self.check_file)
        connect(desk.document.path_changed, self.check_file)

    @guarded(default=False)
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Check the file when the window is used again."""
        if event.type() == QEvent.Type.WindowActivate:
            self.check_file()
        return super().eventFilter(watched, event)

    def check_file(self) -> None:
        """Check the file of the current map in a job, which shows the banner if it has changed.

        The UI thread does not check it itself: a disk that sleeps can take seconds.
        """
        open_map = self._desk.document.current_map
        known_file = open_map.known_file
        if known_file is None:
            self._show_change(open_map, FileChange.UNCHANGED)
            return

        def work(_progress: object, _cancelled: object) -> CheckedFile:
            return CheckedFile(open_map, known_file, known_file.change_since())

        job = Job(work)
        # A bound method is disconnected when the window goes, which the job may outlive.
        connect(job.finished, self._on_checked)
        job.start()

    def _on_checked(self, checked_file: CheckedFile) -> None:
        """Show the outcome of a check, unless another map is current or the map was saved since."""
        open_map = checked_file.open_map
        is_current = open_map is self._desk.document.current_map
        if is_current and open_map.known_file is checked_file.known_file:
            self._show_change(open_map, checked_file.change)

    def _show_change(self, open_map: OpenMap, change: FileChange) -> None:
        """Show the banner for a change of the file of a map, or hide it if there is none."""
        text = _BANNER_TEXTS.get(change, "")
        name = ""
        if open_map.path is not None:
            name = open_map.path.name
        self._bar.say(text.format(name))
        self.banner.button.setVisible(change is FileChange.CHANGED)

    def reload(self) -> None:
        """Read the file of the current map in a job, which then replaces the content of the map."""
        open_map = self._desk.document.current_map
        if open_map.path is not None:
            read_file = reading_work(open_map.path, looks=self._desk.settings.program_terrains)

            def work(progress: Progress, cancelled: Callable[[], bool]) -> _ReloadedMap:
                return _ReloadedMap(open_map, read_file(progress, cancelled))

            job = Job(work)
            connect(job.finished, self._replace_content)
            connect(job.failed, self._show_failure)
            job.start()

    def _show_failure(self, problems: tuple[Problem, ...]) -> None:
        """Show why the file could not be read."""
        show_problems(self._desk.frame, "Cannot reload", problems)

    def _replace_content(self, reloaded: _ReloadedMap) -> None:
        """Replace the content of a map by what was read from its file, as one undo step."""
        document = self._desk.document
        open_map, read = reloaded
        result = read.result
        if open_map is not document.current_map or open_map.path is None:
            return  # the user has gone on meanwhile
        if result.problems:
            show_problems(self._desk.frame, f"Problems in {open_map.path.name}", result.problems)
        if result.battlemap is None:
            return
        if result.battlemap.system is not open_map.battlemap.system:
            # An open map keeps its system: a map of another one opens beside it.
            self._desk.files.open_copy(open_map.path)
            return
        document.add_assets(result.battlemap.named_assets)
        edit = document.plan(partial(_replacement, new_content=result.battlemap))
        if document.push(edit, f"Reload {open_map.path.name}"):
            open_map.known_file = read.known_file
            document.set_path(open_map.path)  # it is saved there as it is now


def _replacement(battlemap: BattleMap, new_content: BattleMap) -> Edit | None:
    """Return the edit that gives a map all that another one of the same system holds.

    The map is emptied before it gets the other terrain set, since that would keep the terrains that
    its layers use.
    """
    grid = battlemap.grid
    empty_layers = tuple(layer.copy(planes={}, things=Things()) for layer in battlemap.layers)
    no_locked_cells = np.zeros((grid.height, grid.width), np.bool_)
    no_locked_sides = np.zeros((grid.height, grid.width, grid.degree), np.bool_)
    empty_shape = Shape(grid, empty_layers, no_locked_cells, no_locked_sides)
    with EditSequence(battlemap) as sequence:
        if battlemap.terrain_set != new_content.terrain_set:
            sequence.add(Reshape(Shape.of(battlemap), empty_shape))
            sequence.add(change_terrain_set(battlemap, new_content.terrain_set))
        sequence.add(Reshape(Shape.of(battlemap), Shape.of(new_content)))
        for name in sorted(battlemap.records.keys() | new_content.records.keys()):
            sequence.add(set_record(battlemap, name, new_content.records.get(name)))
    return sequence.edit
