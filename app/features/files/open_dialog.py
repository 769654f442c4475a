"""The dialog for opening files, with a picture of the chosen map."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QSize
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QFileDialog, QGridLayout, QVBoxLayout, QWidget

from app.background.background_value import BackgroundValue
from app.features.files.saving import filter_of
from app.qt_guard import connect
from app.render.pictures.own_pictures import know_assets_of
from app.render.renderer import Renderer
from app.render.thumbnails.thumbnail_queue import MapThumbnails
from app.widgets.dialogs.dialog_status import DialogStatus
from app.widgets.layout.builders import STRETCH, described, lay_out, plain_label
from app.widgets.layout.dialog_layout import bounded_by_screen
from randomizer.catalog.catalog import formats
from randomizer.catalog.file_kinds import (
    format_for,
    look_at_file,
    maps_named_by,
    read_map_file,
)
from randomizer.formats import Format, ReadResult, read_checked
from randomizer.model.basics.plurals import counted
from randomizer.model.problems import Problem, Severity, format_problem
from randomizer.reading.files import read_file
from randomizer.storage.files.terrain_files import LARGEST_TERRAINS, read_terrains
from randomizer.storage.files.terrain_files import SUFFIX as TERRAINS

PICTURE = QSize(240, 200)
SIZE = QSize(960, 520)
"""Logical pixels: of the picture, and of the dialog."""

DELAY_MS = 150
"""How long a file is chosen before it is read."""

MOST_PROBLEMS = 3
"""So many problems of a file are shown."""


Chosen = tuple[Path, str]
"""A file, and the line of the dialog's kinds of files under which it was chosen."""


def formats_of_filter(name_filter: str) -> tuple[Format, ...]:
    """Return the formats that a line of the dialog's kinds of files names; () for several kinds."""
    return tuple(
        map_format
        for map_format in formats()
        if map_format.readable and filter_of(map_format) == name_filter
    )


def preview(chosen: Chosen, _progress: object, _cancelled: object) -> tuple[str, ReadResult]:
    """Return what a file is, and its map, if it has one; the work of a job. Raises ProblemError."""
    path, name_filter = chosen
    if path.suffix.lower() == TERRAINS:
        terrain_set = read_terrains(read_file(path, LARGEST_TERRAINS), str(path)).terrain_set
        text = f"Terrain set {terrain_set.name}: {counted(len(terrain_set.terrains), 'terrain')}"
        return text, ReadResult(None)
    head = look_at_file(path)
    named = maps_named_by(path, head)
    if named is not None:
        text = f"{named.title.capitalize()}: {counted(len(named.paths), 'map')}"
        return text, ReadResult(None, named.problems)
    data = read_map_file(path, head=head)
    if head.is_script:
        return "Randomizer script", ReadResult(None)
    map_format = format_for(data, str(path), formats_of_filter(name_filter), head)
    result = read_checked(map_format, data, str(path))
    cells = () if result.battlemap is None else result.battlemap.grid.cells
    return f"{map_format.title}: {counted(len(cells), 'cell')}", result


class OpenDialog(QFileDialog):
    """Asks for files; beside the list stands what the current one is, with a picture of a map.

    The picture is drawn like ``renderer`` draws. Not the system's own dialog: that has no room for
    it.
    """

    def __init__(
        self,
        title: str,
        folder: str,
        filters: Sequence[str],
        renderer: Renderer,
        parent: QWidget,
    ) -> None:
        super().__init__(parent, title, folder)
        self.setOption(QFileDialog.Option.DontUseNativeDialog)
        self.setFileMode(QFileDialog.FileMode.ExistingFiles)
        self.setNameFilters(filters)
        self.picture = described(plain_label(), "Picture of the map")
        self.picture.setFixedSize(PICTURE)
        self.status = DialogStatus("The chosen file")
        column = lay_out(QVBoxLayout(), self.picture, self.status, STRETCH)
        layout = self.layout()
        assert isinstance(layout, QGridLayout)
        layout.addLayout(column, 0, layout.columnCount(), layout.rowCount(), 1)
        self.resize(bounded_by_screen(SIZE, self))
        self._chosen = ""
        self._thumbnails = MapThumbnails(PICTURE, renderer, self)
        self._thumbnails.set_size(PICTURE, self.devicePixelRatioF())
        self._preview = BackgroundValue(self._inputs, preview, self, delay_ms=DELAY_MS)
        connect(self._thumbnails.drawn, self._show_picture)
        connect(self._preview.started, lambda _path: self.status.work("Reading..."))
        connect(self._preview.computed, self._show)
        connect(self._preview.failed, self._show_problems)
        connect(self._preview.missed, self._show_nothing)
        connect(self.currentChanged, self._choose)
        connect(self.filterSelected, lambda _name_filter: self._preview.renew())
        self._preview.watch(True)

    def _inputs(self) -> Chosen | str:
        path = Path(self._chosen)
        if not self._chosen or not path.is_file():
            return ""
        return path, self.selectedNameFilter()

    def _choose(self, name: str) -> None:
        self._chosen = name
        self._preview.renew()

    def _show_nothing(self, text: str) -> None:
        self.picture.clear()
        self._thumbnails.forget_requests()
        self.status.say(text)

    def _show(self, shown: tuple[str, ReadResult]) -> None:
        text, result = shown
        self._show_nothing(text)
        if result.problems:
            self._show_problems(result.problems, f"{text}\n")
        if result.battlemap is not None:
            know_assets_of(result.battlemap)
            self._thumbnails.clear()  # the file may have changed
            self._thumbnails.request(self._chosen, result.battlemap)

    def _show_problems(self, problems: tuple[Problem, ...], text: str = "") -> None:
        self.picture.clear()
        worst = sorted(problems, key=lambda problem: [*Severity].index(problem.severity))[
            :MOST_PROBLEMS
        ]
        lines = [format_problem(problem.at_path(None)) for problem in worst]
        more = len(problems) - len(worst)
        text += "\n".join([*lines, *([f"... and {more} more"] if more else [])])
        self.status.say(text, worst[0].severity)

    def _show_picture(self, name: str, pixmap: QPixmap) -> None:
        if name == self._chosen:
            self.picture.setPixmap(pixmap)
