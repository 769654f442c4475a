"""The dialog that asks for maps, and learns a script from them.

``ScriptLearning`` opens it. A ``Source`` is what the dialog lists: an open map, or the file of a
map. Learning takes up to a minute in a job (``LearningWork``), finds better and better scripts, and
can be ended with the best one so far.

The dialog has two states: it asks for maps, or a job learns from them. In the second the form is
disabled, and the button *Learn* becomes *Take the best so far*.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QProgressBar,
    QVBoxLayout,
    QWidget,
)

from app.background.actions import result
from app.background.jobs import Job
from app.qt_guard import connect, guarded
from app.settings import Settings
from app.systems.colossus.learned_strip import fit_text
from app.systems.colossus.learning_work import LearningWork, Source
from app.widgets.dialogs.dialog_status import DialogStatus
from app.widgets.dialogs.files import choose_files, choose_folder
from app.widgets.dialogs.problem_dialog import show_problems
from app.widgets.layout.builders import (
    STRETCH,
    described,
    labelled,
    lay_out,
    plain_text,
    tool_button,
)
from app.widgets.layout.dialog_layout import lay_out_dialog
from app.widgets.lists.empty_state import EmptyState
from randomizer.cli.files import maps_in
from randomizer.model.problems import Problem, ProblemError

if TYPE_CHECKING:
    from randomizer.systems.colossus.learning.result import LearnedScript

SOURCE_MAP = Qt.ItemDataRole.UserRole
"""The role of an item of the list that holds its map or file (``Source.map``)."""


class LearnDialog(QDialog):
    """Asks for maps and learns a script from them, in a job.

    ``on_learned`` is called with the script, and with the problems of maps that were left out or
    changed.
    """

    def __init__(
        self,
        settings: Settings,
        on_learned: Callable[[LearnedScript, Sequence[Problem]], object],
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Script from maps")
        self._settings = settings
        self._on_learned = on_learned
        self.work = LearningWork("", ())
        """The work of the newest job; it has no sources before the first one."""
        self._job: Job | None = None
        """The newest job that learns, which may have ended."""
        self._make_widgets()
        self._lay_out()
        self._connect()
        self._update_controls()

    def _make_widgets(self) -> None:
        """Make the list of maps, the field of the name, the progress and the buttons."""
        self.source_list = described(QListWidget(), "Maps to learn from")
        EmptyState(self.source_list, "Add a folder of battlelands, or files.")
        self.folder_button = tool_button("Add f&older...")
        self.files_button = tool_button("Add &files...")
        self.name_field = described(
            QLineEdit(), "Name", "The title of the maps, and the script's name"
        )
        self.status = DialogStatus("What is learned")
        self.progress_bar = described(QProgressBar(), "How much is learned")
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.learn_button = self._buttons.addButton(
            "&Learn", QDialogButtonBox.ButtonRole.ActionRole
        )
        self.learn_button.setDefault(True)
        self._buttons.button(QDialogButtonBox.StandardButton.Cancel).setAutoDefault(False)

    def _lay_out(self) -> None:
        """Lay the widgets out; those of the form are disabled together while a job learns."""
        self._form = QWidget()
        add_row = lay_out(QHBoxLayout(), self.folder_button, self.files_button, STRETCH)
        name_row = lay_out(QHBoxLayout(), labelled("&Name:", self.name_field), self.name_field)
        lay_out(QVBoxLayout(self._form), (self.source_list, 1), add_row, name_row, margins=0)
        foot = (self.status, self.progress_bar, self._buttons)
        lay_out_dialog(self, (self._form, 1), foot=foot, size=QSize(460, 400))

    def _connect(self) -> None:
        """Connect the list and the buttons."""
        connect(self.folder_button.clicked, self._ask_folder)
        connect(self.files_button.clicked, self._ask_files)
        connect(self.source_list.itemChanged, lambda _item: self._update_controls())
        connect(self.learn_button.clicked, self._on_learn_button)
        connect(self._buttons.rejected, self.reject)

    # --- which maps -------------------------------------------------------------------------

    def add_sources(self, sources: Iterable[Source], *, ticked: bool) -> None:
        """List more maps and files, ``ticked`` or not; a source that is listed stays as it is."""
        check_state = Qt.CheckState.Unchecked
        if ticked:
            check_state = Qt.CheckState.Checked
        listed_maps = {item.data(SOURCE_MAP) for item in self._rows()}
        for source in sources:
            if source.map in listed_maps:
                continue
            listed_maps.add(source.map)
            item = QListWidgetItem(source.name)
            if isinstance(source.map, Path):
                item.setToolTip(plain_text(str(source.map)))
            item.setData(SOURCE_MAP, source.map)
            item.setCheckState(check_state)
            self.source_list.addItem(item)
        self._update_controls()

    async def _ask_folder(self) -> None:
        """Ask for a folder, and list all maps in it."""
        last = self._settings.last_directory
        folder = await choose_folder(self, "A folder of battlelands", last)
        if folder is None:
            return
        try:
            self.add_files([Path(name) for name in maps_in(str(folder))])
        except ProblemError as failed:
            self.status.complain(failed.problems)

    async def _ask_files(self) -> None:
        """Ask for files, and list them."""
        last = self._settings.last_directory
        kinds = "Battlelands (*.xml);;All files (*)"
        self.add_files(await choose_files(self, "Battlelands", last, kinds))

    def add_files(self, paths: Sequence[Path]) -> None:
        """List the maps of files, ticked, beside those that are listed."""
        if paths:
            self._settings.last_directory = str(paths[0].parent)
            self.status.say("")
        self.add_sources([Source(path.name, path) for path in paths], ticked=True)

    def _rows(self) -> list[QListWidgetItem]:
        """Return the rows of the list."""
        return [self.source_list.item(row) for row in range(self.source_list.count())]

    def _ticked_sources(self) -> list[Source]:
        """Return the sources that are ticked."""
        sources = []
        for item in self._rows():
            if item.checkState() == Qt.CheckState.Checked:
                sources.append(Source(item.text(), item.data(SOURCE_MAP)))
        return sources

    @property
    def _is_learning(self) -> bool:
        """True while a job learns."""
        return self._job is not None and self._job.running

    def _update_controls(self) -> None:
        """Show what can be done now: choose maps and learn, or take the best script so far."""
        sources = self._ticked_sources()
        is_learning = self._is_learning
        self.name_field.setPlaceholderText(_usual_name(sources))
        self._form.setEnabled(not is_learning)
        self.progress_bar.setVisible(is_learning)
        if is_learning:
            self.learn_button.setText("&Take the best so far")
            # Before the first script there is none to take: ``_show_progress`` enables it then.
            self.learn_button.setEnabled(self.work.best is not None)
        else:
            self.learn_button.setText("&Learn")
            self.learn_button.setEnabled(bool(sources))

    # --- learning ---------------------------------------------------------------------------

    async def _on_learn_button(self) -> None:
        """Learn from the ticked maps; while that is under way take the best script so far."""
        if self._is_learning:
            self._accept_best()
        else:
            await self._learn()

    async def _learn(self) -> None:
        """Learn from the ticked maps, and close with the script or say why there is none."""
        sources = self._ticked_sources()
        name = self.name_field.text().strip() or _usual_name(sources)
        self.work = LearningWork(name, sources)
        self.progress_bar.setValue(0)
        self.status.say("Reading the maps ...")
        job = Job(self.work)
        self._job = job
        connect(job.progressed, self._show_progress)
        job.start()
        self._update_controls()
        try:
            # If the job is cancelled, by ``done``, this raises Stopped, and nothing follows.
            await result(job)
        except ProblemError as reason:
            self._update_controls()
            self.status.complain(reason.problems[:1])
            show_problems(self, "Maps that were left out", reason.problems[1:])
        else:
            self._accept_best()

    def _show_progress(self, percent: int) -> None:
        """Show how far the job is, and how well its best script so far fits the maps."""
        self.progress_bar.setValue(percent)
        if self.work.best is not None:
            self.status.say(fit_text(self.work.best))
            self.learn_button.setEnabled(True)

    def _accept_best(self) -> None:
        """Close the dialog and hand over the best script, if there is one."""
        self.accept()
        if self.work.best is not None:
            self._on_learned(self.work.best, self.work.problems)

    @guarded
    def done(self, code: int) -> None:
        """Close the dialog, by whatever button, and cancel the job that learns."""
        if self._job is not None:
            self._job.cancel()
        super().done(code)


def _usual_name(sources: Iterable[Source]) -> str:
    """Return the name for a script of these sources: that of the folder of the first file."""
    for source in sources:
        if isinstance(source.map, Path):
            return source.map.parent.name
    return "Learned"
