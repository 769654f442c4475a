"""The plan of exporting a whole group: shown first, then done in one go."""

from __future__ import annotations

from PySide6.QtWidgets import QDialogButtonBox, QVBoxLayout, QWidget

from app.features.game.exporting import GameExport
from app.features.game.plan_dialog import PlanDialog
from app.qt_guard import connect
from app.widgets.builders import lay_out
from randomizer.games import ExportPlan
from randomizer.model.plurals import counted
from randomizer.model.problems import Severity


class GroupExportDialog(PlanDialog):
    """Says what will be written and replaced; closes when that was done."""

    def __init__(self, game_export: GameExport, plan: ExportPlan, parent: QWidget) -> None:
        super().__init__(
            game_export,
            f"&Export {counted(len(plan.slots), 'map')}",
            QDialogButtonBox.StandardButton.Cancel,
            parent,
            lambda problem: problem.path or "",
        )
        self.setWindowTitle(f"Export {plan.group} to {game_export.places.host.TITLE}")
        connect(game_export.exported, self.accept)
        self.problem_list.setMaximumHeight(150)
        # Hints (layers are not kept) are about saving: tabs keep theirs.
        self.show_plan(each for each in game_export.problems if each.severity is not Severity.HINT)
        lay_out(
            QVBoxLayout(self), (self.plan_view, 1), self.problem_list, self.status, self.buttons
        )
        self.resize(660, 600)
        self.export_button.setFocus()
