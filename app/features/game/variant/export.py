"""The plan of exporting a whole variant: shown first, then done in one go."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QPushButton,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from app.background.latest_job import LatestJob
from app.features.game.export_dialog import plan_as_html
from app.features.game.game_reading import committing
from app.widgets.dialog_status import DialogStatus
from app.widgets.problem_list import ProblemList
from randomizer.games import ExportPlan, ExportReceipt, GameHost
from randomizer.model.plurals import counted
from randomizer.model.problems import Problem, Severity, has_errors


class VariantExportDialog(QDialog):
    """Says what will be written and replaced; nothing is before the button.

    ``exported(ExportReceipt)``: it was done, and the dialog has closed.
    """

    exported = Signal(object)

    def __init__(
        self,
        host: GameHost,
        plan: ExportPlan,
        problems: tuple[Problem, ...],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(f"Export {plan.variant} to {host.TITLE}")
        self._host, self._plan = host, plan
        self._job = LatestJob(self)
        changes = any(file.old != file.data for file in plan.files)
        self.plan_view = QTextBrowser()
        self.plan_view.setAccessibleName("What will happen")
        self.plan_view.setHtml(plan_as_html(plan, host.BACKUPS, changes))
        self.problem_list = ProblemList(place_of=lambda problem: problem.path or "")
        self.problem_list.rows.setToolTip("")
        self.problem_list.set_problems(problems)
        self.problem_list.setMaximumHeight(150)
        self.problem_list.setVisible(bool(problems))
        self.status = DialogStatus("Result")
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        count = len(plan.terrains)
        self.export_button: QPushButton = self.buttons.addButton(
            f"&Export {counted(count, 'map')}",
            QDialogButtonBox.ButtonRole.ActionRole,
        )
        self.export_button.clicked.connect(self.export)
        self.export_button.setEnabled(changes and not has_errors(problems))
        self.export_button.setDefault(True)
        self.buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addWidget(self.plan_view, 1)
        column.addWidget(self.problem_list)
        column.addWidget(self.status)
        column.addWidget(self.buttons)
        self.resize(660, 600)
        self.export_button.setFocus()

    def export(self) -> None:
        """Do what the plan says."""
        if self._job.busy:
            return
        self.buttons.setEnabled(False)
        self.status.work(f"Exporting to {self._plan.variant}...")
        self._job.run(committing(self._host, self._plan), self._exported, self._not_written)

    def _exported(self, receipt: ExportReceipt) -> None:
        self.accept()
        self.exported.emit(receipt)

    def _not_written(self, problems: tuple[Problem, ...]) -> None:
        self.buttons.setEnabled(True)
        self.export_button.setEnabled(False)  # the plan does not hold any more: make another
        words = "\n".join(problem.message for problem in problems)
        self.status.say(words, Severity.ERROR)

    def done(self, result: int) -> None:
        """Close, but never in the middle of writing."""
        if not self._job.busy:
            super().done(result)
