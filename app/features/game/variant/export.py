"""The plan of exporting a whole variant: shown first, then done in one go."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPushButton, QVBoxLayout, QWidget

from app.features.game.exporting import GameExport
from app.features.game.plan_view import PlanProblems, PlanView
from app.widgets.builders import lay_out
from app.widgets.dialog_status import DialogStatus
from randomizer.games import ExportPlan
from randomizer.model.plurals import counted
from randomizer.model.problems import Problem, Severity


class VariantExportDialog(QDialog):
    """Says what will be written and replaced; nothing is before the button.

    Closes when the export was done.
    """

    def __init__(
        self, game_export: GameExport, plan: ExportPlan, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        host = game_export.places.host
        self.setWindowTitle(f"Export {plan.variant} to {host.TITLE}")
        self._game_export, self._plan = game_export, plan
        self.plan_view = PlanView()
        self.plan_view.show_plan(plan, host.BACKUPS)
        self.problem_list = PlanProblems(150, lambda problem: problem.path or "")
        # Hints (layers are not kept) are about saving: tabs keep theirs.
        self.problem_list.set_problems(
            each for each in game_export.problems if each.severity is not Severity.HINT
        )
        self.status = DialogStatus("Result")
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.export_button: QPushButton = self.buttons.addButton(
            f"&Export {counted(len(plan.terrains), 'map')}",
            QDialogButtonBox.ButtonRole.ActionRole,
        )
        self.export_button.clicked.connect(self.export)
        self.export_button.setEnabled(game_export.ready)
        self.export_button.setDefault(True)
        self.buttons.rejected.connect(self.reject)
        game_export.exported.connect(self.accept)
        game_export.failed.connect(self._not_written)
        lay_out(
            QVBoxLayout(self), (self.plan_view, 1), self.problem_list, self.status, self.buttons
        )
        self.resize(660, 600)
        self.export_button.setFocus()

    def export(self) -> None:
        """Do what the plan says."""
        self.buttons.setEnabled(False)
        self.status.work(f"Exporting to {self._plan.variant}...")
        self._game_export.commit()

    def _not_written(self, problems: tuple[Problem, ...]) -> None:
        self.buttons.setEnabled(True)
        self.export_button.setEnabled(False)  # the plan does not hold any more: make another
        self.status.say("\n".join(problem.message for problem in problems), Severity.ERROR)

    def done(self, result: int) -> None:
        """Close, but never in the middle of writing."""
        if not self._game_export.writing:
            super().done(result)
