"""The dialog that shows the plan of an export: the files to write and replace, and its problems.

``PlanDialog`` is the base of the dialog of one map (``ExportDialog``) and of that of a whole group
(``GroupExportDialog``, here). ``_plan_as_html`` puts the plan into sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from html import escape
from pathlib import Path

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QPushButton,
    QTextBrowser,
    QWidget,
)
from shiboken6 import isValid

from app.background.actions import Stopped
from app.features.game.exporting import GameExport
from app.qt_guard import connect, guarded
from app.widgets.dialogs.dialog_status import DialogStatus
from app.widgets.layout.builders import described
from app.widgets.layout.dialog_layout import lay_out_dialog
from app.widgets.lists.problem_list import ProblemList, place_in_text
from randomizer.games.export_plan import ExportPlan, PlannedFile
from randomizer.model.basics.plurals import counted
from randomizer.model.problems import Problem, ProblemError, Severity
from randomizer.storage.exports.export_backups import BACKUPS

MAX_LIST_HEIGHT = 150
"""The list of problems is at most so high, in logical pixels: the plan gets the rest."""

GROUP_DIALOG_SIZE = QSize(660, 600)
"""The size of the dialog of a whole group when it opens, in logical pixels."""


class PlanDialog(QDialog):
    """Shows the plan of an export; nothing is written before its button is pressed.

    Subclasses lay out ``plan_view``, ``problem_list``, ``status`` and ``buttons``, call
    ``show_plan`` for each new plan, and implement ``show_export``. ``place_of`` gives the text
    before each problem in the list.
    """

    def __init__(
        self,
        game_export: GameExport,
        button: str,
        close: QDialogButtonBox.StandardButton,
        parent: QWidget | None,
        place_of: Callable[[Problem], str] = place_in_text,
    ) -> None:
        """Make the widgets; ``button`` is the text of the button that carries the plan out.

        ``close`` is the button that closes the dialog: Close, or Cancel.
        """
        super().__init__(parent)
        self.game_export = game_export
        self.plan_view = described(QTextBrowser(), "What will happen")
        self.problem_list = ProblemList(place_of=place_of)
        self.problem_list.rows.setAccessibleName("Problems of the export and of the map")
        self.problem_list.rows.setToolTip("")
        self.status = DialogStatus("Result")
        self.buttons = QDialogButtonBox(close)
        self.close_button = self.buttons.button(close)
        self.close_button.setAutoDefault(False)
        action = QDialogButtonBox.ButtonRole.ActionRole
        self.export_button: QPushButton = self.buttons.addButton(button, action)
        connect(self.export_button.clicked, self.export)
        connect(self.buttons.rejected, self.reject)

    def show_plan(self, problems: Iterable[Problem]) -> None:
        """Show ``game_export.plan``; ``problems`` are those of its problems that are listed."""
        game_export = self.game_export
        # A fix is pressed in the list of problems below the map: here none is offered.
        problems_without_fixes = [
            replace(problem, fix=None, other_fixes=()) for problem in problems
        ]
        self.problem_list.set_problems(problems_without_fixes)
        self.problem_list.setVisible(bool(self.problem_list.problems))
        if game_export.plan is not None:
            self.plan_view.setHtml(_plan_as_html(game_export.plan))
        self.export_button.setEnabled(game_export.ready)
        self.export_button.setDefault(game_export.ready)

    async def export(self) -> None:
        """Carry out the plan, and show that it was done or why not."""
        plan = self.game_export.plan
        assert plan is not None, "without a plan the button is disabled"
        try:
            with self.writing(f"Exporting to {plan.target}..."):
                await self.game_export.commit()
        except ProblemError as reason:
            self.show_failure(reason.problems)
        else:
            self.show_export(plan)

    def show_export(self, plan: ExportPlan) -> None:
        """Show that the plan was carried out."""
        raise NotImplementedError

    def show_failure(self, problems: tuple[Problem, ...]) -> None:
        """Say why nothing was written; the plan does not hold any more."""
        self.status.complain(problems)

    @contextmanager
    def writing(self, text: str) -> Iterator[None]:
        """Say ``text`` while the block writes the game's files; no button can be pressed in it.

        Raises Stopped at the end of the block if the dialog was destroyed with its window.
        """
        self.status.show_working(text)
        self.set_writing(True)
        try:
            yield
        except ProblemError:
            if not isValid(self):
                raise Stopped from None  # nobody is there to be told
            raise
        finally:
            if isValid(self):
                self.status.say("")
                self.set_writing(False)
        if not isValid(self):
            raise Stopped

    def set_writing(self, is_writing: bool) -> None:
        """Disable the buttons while files are being written.

        After that the export button is enabled only if there is still a plan to carry out.
        """
        self.buttons.setEnabled(not is_writing)
        self.export_button.setEnabled(self.game_export.ready)

    @guarded
    def done(self, result: int) -> None:
        """Close, but never in the middle of writing."""
        if not self.game_export.writing:
            super().done(result)


class GroupExportDialog(PlanDialog):
    """Shows the plan of an export of several maps; closes when it was done."""

    exported = Signal(object)
    """The plan (``ExportPlan``) was carried out; the dialog closes."""

    def __init__(self, game_export: GameExport, plan: ExportPlan, parent: QWidget) -> None:
        button = f"&Export {counted(len(plan.slots), 'map')}"
        cancel = QDialogButtonBox.StandardButton.Cancel
        super().__init__(game_export, button, cancel, parent, lambda problem: problem.path or "")
        self.setWindowTitle(f"Export {plan.group} to {game_export.game_folder.host.title}")
        self.problem_list.setMaximumHeight(MAX_LIST_HEIGHT)
        # Hints, such as that layers are not kept, are about saving: the open maps keep all.
        self.show_plan(
            problem for problem in game_export.problems if problem.severity is not Severity.HINT
        )
        foot = (self.status, self.buttons)
        lay_out_dialog(
            self, (self.plan_view, 1), self.problem_list, foot=foot, size=GROUP_DIALOG_SIZE
        )
        self.export_button.setFocus()

    def show_export(self, plan: ExportPlan) -> None:
        """Tell of the export, which the window of the group shows, and close the dialog."""
        self.exported.emit(plan)
        self.accept()


def _plan_as_html(plan: ExportPlan) -> str:
    """Return the plan in sentences, as paragraphs of HTML."""
    # The game's directory, then each file with its path below it.
    root = plan.root.resolve()
    lines = []
    if plan.files:
        lines.append(f"Below {escape(str(root))}:")
    lines += [_file_as_html(file, root) for file in plan.files]

    # What becomes of the old files.
    if any(file.overwrites for file in plan.files):
        folder = Path(BACKUPS) / "..."
        lines.append(f"<b>Backs up</b> what is replaced in {escape(str(folder))}")
    if plan.files and not plan.changes_anything:
        lines.append("Nothing would change: the game has this map already.")

    # The notes. Those that begin "x.map is ..." (``ExportPlan.notes``) are left out: they would
    # tell again what the line of the file tells.
    notes_on_files = tuple(f"{file.path.name} is " for file in plan.files)
    lines += [escape(note) for note in plan.notes if not note.startswith(notes_on_files)]
    return "".join(f"<p style='margin:0 0 6px 0'>{line}</p>" for line in lines)


def _file_as_html(file: PlannedFile, root: Path) -> str:
    """Return what is done to a file, with its path below ``root``, and its size in small print."""
    path = file.path
    if path.is_relative_to(root):
        path = path.relative_to(root)
    action = f"<b>{file.action.capitalize()}</b> {escape(str(path))}"
    size = f"{len(file.data):,} bytes"
    if file.overwrites and file.old is not None:
        size = f"{len(file.old):,} bytes now, {size} then"
    return f"{action}<br><small>{escape(file.noun)}, {size}</small>"
