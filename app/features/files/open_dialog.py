"""The dialog for opening files, with a preview of the current file and a picture of its map.

``FilesController`` opens an ``OpenDialog``. The *current* file is the one on which the list of the
dialog stands. ``read_preview`` reads it on another thread; then the dialog shows its text, its
problems and its picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPalette, QPixmap
from PySide6.QtWidgets import (
    QFileDialog,
    QGridLayout,
    QHeaderView,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from app.background.background_value import BackgroundValue
from app.features.files.name_filters import formats_of_filter
from app.qt_guard import connect
from app.render.pictures.own_pictures import register_assets_of
from app.render.renderer import Renderer
from app.render.thumbnails.map_thumbnails import MapThumbnails
from app.widgets.dialogs.dialog_status import DialogStatus
from app.widgets.layout.builders import STRETCH, described, lay_out, plain_label
from app.widgets.layout.dialog_layout import bounded_by_screen
from randomizer.catalog.file_kinds import look_at_file
from randomizer.catalog.format_choice import format_for
from randomizer.catalog.generators import generator_without_script
from randomizer.catalog.map_file_reading import maps_named_by, read_map_file
from randomizer.formats.checked import read_checked
from randomizer.formats.results import ReadResult
from randomizer.model.basics.plurals import counted
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problem_texts import format_problem
from randomizer.model.problems import Problem, Severity
from randomizer.reading.files import read_file
from randomizer.storage.files.terrain_files import LARGEST_TERRAINS, read_terrains
from randomizer.storage.files.terrain_files import SUFFIX as TERRAINS_SUFFIX

PICTURE_SIZE = QSize(240, 200)
"""The size of the picture, in logical pixels."""

DIALOG_SIZE = QSize(960, 520)
"""The size of the dialog, in logical pixels; a small screen makes it smaller."""

NAME_COLUMN = 0
"""The column for the names of files, in Qt's table of them."""

TYPE_COLUMN = 2
"""The column for the types of files, in Qt's table of them."""

DELAY_MS = 150
"""A file is read when it has been current for so many milliseconds: arrow keys pass over many."""

MAX_PROBLEMS = 3
"""So many problems of a file are shown, the worst ones; the others are counted."""

NO_FILE = "Preview"
"""Stands in the place of the picture while no file is current: an empty place would puzzle."""


class CurrentFile(NamedTuple):
    """The current file of the dialog, and the filter, which tells in what format to read it."""

    path: Path

    name_filter: str
    """The chosen line of the list "Files of type", such as "Battle maps (*.map)"."""


class Preview(NamedTuple):
    """A file as the dialog shows it."""

    text: str
    """The kind and the size of the file, such as "Map project: 61 cells"."""

    result: ReadResult
    """The map, if the file has one, and the problems."""


def read_preview(current: CurrentFile, _progress: object, _cancelled: object) -> Preview:
    """Read a file for the dialog; this is the work of a job. Raises ProblemError."""
    path = current.path
    if path.suffix.lower() == TERRAINS_SUFFIX:
        terrain_set = read_terrains(read_file(path, LARGEST_TERRAINS), str(path)).terrain_set
        text = f"Terrain set {terrain_set.name}: {counted(len(terrain_set.terrains), 'terrain')}"
        return Preview(text, ReadResult(battlemap=None))
    head = look_at_file(path)
    named = maps_named_by(path, head)
    if named is not None:
        text = f"{named.title.capitalize()}: {counted(len(named.paths), 'map')}"
        return Preview(text, ReadResult(battlemap=None, problems=named.problems))
    data = read_map_file(path, head=head)
    if head.is_script:
        return Preview("Randomizer script", ReadResult(battlemap=None))
    map_format = format_for(data, str(path), formats_of_filter(current.name_filter), head)
    result = read_checked(map_format, data, str(path))
    return Preview(f"{map_format.title}: {_describe(result.battlemap)}", result)


def _describe(battlemap: BattleMap | None) -> str:
    """Return the size of a map, such as "61 cells, 17 of about 65 dice entered".

    A map for which dice were entered by hand, but no cell is laid yet, looks empty, although it is
    not: so the dice are mentioned.
    """
    if battlemap is None:
        return counted(0, "cell")
    text = counted(len(battlemap.grid.cells), "cell")
    generator = generator_without_script(battlemap.system)
    progress = ""
    if generator is not None:
        progress = generator.describe_unrolled_map(battlemap.records)
    if not progress:
        return text
    return f"{text}, {progress}"


class OpenDialog(QFileDialog):
    """Asks for files, and shows a preview of the current one beside the list.

    It is Qt's dialog, as that of the system has no room for a picture. The picture has the theme of
    ``renderer``.
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
        self._current_name = ""
        """The path of the current file; "" for none."""
        self.picture = described(plain_label(), "Picture of the map")
        self.picture.setFixedSize(PICTURE_SIZE)
        self.picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.picture.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self.picture.setText(NO_FILE)
        self.status = DialogStatus("The chosen file")
        self._set_up_table()
        self._add_preview_column()
        self.resize(bounded_by_screen(DIALOG_SIZE, self))

        self._thumbnails = MapThumbnails(PICTURE_SIZE, renderer, self)
        self._thumbnails.set_size(PICTURE_SIZE, self.devicePixelRatioF())
        connect(self._thumbnails.drawn, self._show_picture)
        self._background_preview = BackgroundValue(
            self._file_to_read, read_preview, self, delay_ms=DELAY_MS
        )
        """Reads the preview of the current file."""
        connect(
            self._background_preview.started,
            lambda _current: self.status.show_working("Reading..."),
        )
        connect(self._background_preview.computed, self._show_preview)
        connect(self._background_preview.failed, self._show_problems)
        connect(self._background_preview.missed, self._show_text)  # there is no file to read
        connect(self.currentChanged, self._on_current_changed)
        connect(self.filterSelected, lambda _name_filter: self._background_preview.renew())
        self._background_preview.watch()

    def _set_up_table(self) -> None:
        """Give the columns of Qt's table of files other widths, and hide that of the types."""
        table = self.findChild(QTreeView)
        assert table is not None
        # What the system calls a type of file, such as "Zip archive", says less than the suffix.
        table.setColumnHidden(TYPE_COLUMN, True)
        # Sizes and dates are shown whole, and a long name is cut instead.
        header = table.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(NAME_COLUMN, QHeaderView.ResizeMode.Stretch)

    def _add_preview_column(self) -> None:
        """Add the preview to the right of Qt's widgets, as high as all their rows."""
        column = lay_out(QVBoxLayout(), self.picture, self.status, STRETCH)
        layout = self.layout()
        assert isinstance(layout, QGridLayout)
        layout.addLayout(column, 0, layout.columnCount(), layout.rowCount(), 1)

    def _file_to_read(self) -> CurrentFile | str:
        """Return the file to read; the text "" if none is current (``BackgroundValue.missed``)."""
        path = Path(self._current_name)
        if not self._current_name or not path.is_file():
            return ""
        return CurrentFile(path, self.selectedNameFilter())

    def _on_current_changed(self, name: str) -> None:
        """Read another file, which has become the current one."""
        self._current_name = name
        self._background_preview.renew()

    def _show_text(self, text: str) -> None:
        """Show a text without a picture; ``NO_FILE`` stands in its place if no file is current."""
        self.picture.clear()
        if not self._current_name:
            self.picture.setText(NO_FILE)
        self._thumbnails.forget_requests()
        self.status.say(text)

    def _show_preview(self, preview: Preview) -> None:
        """Show the text and the problems of a file, and request its picture."""
        result = preview.result
        self._show_text(preview.text)
        if result.problems:
            self._show_problems(result.problems, f"{preview.text}\n")
        if result.battlemap is not None:
            register_assets_of(result.battlemap)  # its own pictures of terrains can be drawn then
            self._thumbnails.clear()  # the file may have changed
            self._thumbnails.request(self._current_name, result.battlemap)

    def _show_problems(self, problems: tuple[Problem, ...], text: str = "") -> None:
        """Show the worst problems of a file below ``text``, which ends with its line."""
        self.picture.clear()
        self._thumbnails.forget_requests()  # of the file as it was read in another format
        severities = list(Severity)  # the worst first
        by_severity = sorted(problems, key=lambda problem: severities.index(problem.severity))
        worst = by_severity[:MAX_PROBLEMS]
        lines = [format_problem(problem.at_path(None)) for problem in worst]
        if len(problems) > len(worst):
            lines.append(f"... and {len(problems) - len(worst)} more")
        self.status.say(text + "\n".join(lines), worst[0].severity)

    def _show_picture(self, name: str, pixmap: QPixmap) -> None:
        """Show the picture of a map, unless another file is current by now."""
        if name == self._current_name:
            self.picture.setPixmap(pixmap)
