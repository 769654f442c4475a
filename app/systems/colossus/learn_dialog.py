"""The dialog that asks for maps, and learns a script from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
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
from app.document.map_files import read_map
from app.qt_guard import connect, guarded
from app.settings import Settings
from app.systems.colossus.learned_strip import fit_text
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
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem, ProblemError, error, has_errors

if TYPE_CHECKING:
    from randomizer.systems.colossus.learning.result import LearnedScript

Sources = Iterable[tuple[str, Path | BattleMap]]
"""Maps and files of maps, with their names."""

SOURCE = Qt.ItemDataRole.UserRole
"""The map or the file of an item of the list."""

SECONDS = 60.0
"""The longest time for learning, in seconds of CPU time."""


class LearningWork:
    """The work of a job that learns a script from maps.

    Calling it raises ProblemError if there is no map without errors.
    """

    def __init__(self, name: str, sources: Sources) -> None:
        self._name = name
        self._sources: list[tuple[str, Path | BattleMap]] = []
        for source_name, source in sources:
            if isinstance(source, BattleMap):
                # The job runs on a thread of its own, while the map may be edited.
                self._sources.append((source_name, source.snapshot()))
            else:
                self._sources.append((source_name, source))
        self.best: LearnedScript | None = None
        """The best script so far; any thread may read it."""
        self.problems: list[Problem] = []
        """The problems of maps that were left out or changed."""

    def __call__(self, progress: Callable[[int], None], cancelled: Callable[[], bool]) -> None:
        from randomizer.systems.colossus.learning.boards import boards_of
        from randomizer.systems.colossus.learning.learner import LearningOptions, learn

        boards, problems = boards_of(self._read())
        self.problems += problems
        if not len(boards):
            reason = error("no-maps", "There is no battleland without errors to learn from.")
            raise ProblemError((*reason.problems, *self.problems))
        for step in learn(boards, LearningOptions(self._name, seconds=SECONDS)):
            if cancelled():
                return
            self.best = step.learned
            progress(step.percent)

    def _read(self) -> Iterator[tuple[str, BattleMap]]:
        """Yield the maps; files that cannot be read, or have errors, are left out."""
        for name, source in self._sources:
            if isinstance(source, BattleMap):
                yield name, source
                continue
            try:
                result = read_map(source)
                if result.battlemap is None or has_errors(result.problems):
                    raise ProblemError(result.problems)
                yield str(source), result.battlemap
            except ProblemError as failed:
                self.problems += (problem.at_path(str(source)) for problem in failed.problems)


class LearnDialog(QDialog):
    """Asks for maps and learns a script from them, in a job.

    ``then`` is called with the script, and with the problems of maps that were left out or changed.
    """

    def __init__(
        self,
        settings: Settings,
        then: Callable[[LearnedScript, Sequence[Problem]], object],
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Script from maps")
        self._settings = settings
        self._then = then
        self.work = LearningWork("", ())
        self._job: Job | None = None
        """The newest job that learns, which may have ended."""
        self.maps = described(QListWidget(), "Maps to learn from")
        EmptyState(self.maps, "Add a folder of battlelands, or files.")
        self.folder_button = tool_button("Add f&older...")
        self.files_button = tool_button("Add &files...")
        self.name = described(QLineEdit(), "Name", "The title of the maps, and the script's name")
        self.status = DialogStatus("What is learned")
        self.bar = described(QProgressBar(), "How much is learned")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.go_button = buttons.addButton("&Learn", QDialogButtonBox.ButtonRole.ActionRole)
        self.go_button.setDefault(True)
        buttons.button(QDialogButtonBox.StandardButton.Cancel).setAutoDefault(False)
        self._form = QWidget()
        add = lay_out(QHBoxLayout(), self.folder_button, self.files_button, STRETCH)
        name = lay_out(QHBoxLayout(), labelled("&Name:", self.name), self.name)
        lay_out(QVBoxLayout(self._form), (self.maps, 1), add, name, margins=0)
        foot = (self.status, self.bar, buttons)
        lay_out_dialog(self, (self._form, 1), foot=foot, size=QSize(460, 400))
        connect(self.folder_button.clicked, self._ask_folder)
        connect(self.files_button.clicked, self._ask_files)
        connect(self.maps.itemChanged, lambda _item: self._show_state())
        connect(self.go_button.clicked, self._go)
        connect(buttons.rejected, self.reject)
        self._show_state()

    # --- which maps -------------------------------------------------------------------------

    def add(self, sources: Sources, *, ticked: bool) -> None:
        """List more maps and files; those that are listed stay as they are."""
        check_state = Qt.CheckState.Unchecked
        if ticked:
            check_state = Qt.CheckState.Checked
        listed_sources = {item.data(SOURCE) for item in self._items()}
        for name, source in sources:
            if source in listed_sources:
                continue
            item = QListWidgetItem(name)
            if isinstance(source, Path):
                item.setToolTip(plain_text(str(source)))
            item.setData(SOURCE, source)
            item.setCheckState(check_state)
            self.maps.addItem(item)
        self._show_state()

    async def _ask_folder(self) -> None:
        last = self._settings.last_directory
        folder = await choose_folder(self, "A folder of battlelands", last)
        if folder is None:
            return
        try:
            self.add_files([Path(name) for name in maps_in(str(folder))])
        except ProblemError as failed:
            self.status.complain(failed.problems)

    async def _ask_files(self) -> None:
        last = self._settings.last_directory
        kinds = "Battlelands (*.xml);;All files (*)"
        self.add_files(await choose_files(self, "Battlelands", last, kinds))

    def add_files(self, paths: Sequence[Path]) -> None:
        """List the maps of files, ticked, beside those that are listed."""
        if paths:
            self._settings.last_directory = str(paths[0].parent)
            self.status.say("")
        self.add([(path.name, path) for path in paths], ticked=True)

    def _items(self) -> list[QListWidgetItem]:
        return [self.maps.item(row) for row in range(self.maps.count())]

    def _ticked(self) -> list[tuple[str, Path | BattleMap]]:
        ticked = (item for item in self._items() if item.checkState() == Qt.CheckState.Checked)
        return [(item.text(), item.data(SOURCE)) for item in ticked]

    def _show_state(self) -> None:
        """Show what can be done now: choose maps and learn, or take the best script so far."""
        ticked = self._ticked()
        is_learning = self._job is not None and self._job.running
        folders = [source.parent.name for _name, source in ticked if isinstance(source, Path)]
        script_name = "Learned"
        if folders:
            script_name = folders[0]
        self.name.setPlaceholderText(script_name)
        self._form.setEnabled(not is_learning)
        self.bar.setVisible(is_learning)
        if is_learning:
            self.go_button.setText("&Take the best so far")
            # ``_show_progress`` enables it when there is a first script.
            self.go_button.setEnabled(False)
        else:
            self.go_button.setText("&Learn")
            self.go_button.setEnabled(bool(ticked))

    # --- learning ---------------------------------------------------------------------------

    async def _go(self) -> None:
        """Learn from the ticked maps; while that is under way take the best script so far."""
        if self._job is not None and self._job.running:
            self._accept_best()
            return
        name = self.name.text().strip() or self.name.placeholderText()
        self.work = LearningWork(name, self._ticked())
        self.bar.setValue(0)
        self.status.say("Reading the maps ...")
        job = Job(self.work)
        self._job = job
        connect(job.progressed, self._show_progress)
        job.start()
        self._show_state()
        try:
            await result(job)
        except ProblemError as reason:
            self._show_state()
            self.status.complain(reason.problems[:1])
            show_problems(self, "Maps that were left out", reason.problems[1:])
        else:
            self._accept_best()

    def _show_progress(self, percent: int) -> None:
        self.bar.setValue(percent)
        if self.work.best is not None:
            self.status.say(fit_text(self.work.best))
            self.go_button.setEnabled(True)

    def _accept_best(self) -> None:
        """Close the dialog and hand over the best script, if there is one."""
        self.accept()
        if self.work.best is not None:
            self._then(self.work.best, self.work.problems)

    @guarded
    def done(self, result: int) -> None:
        """Close the dialog, by whatever button, and cancel the job that learns."""
        if self._job is not None:
            self._job.cancel()
        super().done(result)
