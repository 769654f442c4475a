"""The dialog Fight: battles of chosen armies on the current map, and their results."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QProgressBar
from shiboken6 import isValid

from app.background.actions import Action, end, run
from app.background.background_value import ValueJob, show_values
from app.background.jobs import lent_thread
from app.desk.desk import Desk
from app.qt_guard import connect, guarded
from app.widgets.dialogs.dialog_status import DialogStatus
from app.widgets.forms.language_field import LanguageField
from app.widgets.forms.settings_form import SettingsForm
from app.widgets.layout.builders import described, plain_label, scrolled
from app.widgets.layout.dialog_layout import lay_out_dialog, resize_on_screen
from app.widgets.lists.fitted_table import FittedTable
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import ProblemError, has_errors

if TYPE_CHECKING:
    from randomizer.batches.fairness import FairnessModel, FightReport

    _Asked = tuple[FairnessModel, BattleMap, dict[str, object], Path | None]

ARMIES = ("attacker", "defender")
"""The settings that ``preset`` fills in."""

WIDTH = 520
HEIGHT = 640
"""In logical pixels, with results."""


class FightDialog(QDialog):
    """Asks for battles and shows the results so far; the desk can be used meanwhile.

    ``fought(FightReport | None)``: the results of battles on the current map as it is, None if it
    is another now. Battles under way go on on the map as it was.
    """

    fought = Signal(object)

    def __init__(self, desk: Desk, model: FairnessModel) -> None:
        super().__init__(desk.frame)
        self.setWindowTitle("Fight")
        self._desk = desk
        self._model = model
        self._name = ""
        self._is_current = False
        """Of the map that was fought on last, and whether it is the current one, unchanged."""
        self._busy = False
        self._action: Action | None = None
        """The newest battles, which may have ended."""
        self.form = SettingsForm(":")
        self.form.set_settings(model.fight_settings, {})
        connect(self.form.changed, self._on_changed)
        self.status = DialogStatus("What is wrong, or good to know")
        self.progress = described(QProgressBar(), "Battles fought")
        self.progress.hide()
        self.results = FittedTable("Results")
        self._area = scrolled(self.results)
        self._area.hide()
        self.fought_by = plain_label(
            "Two armies meet on this map, as often as you like.", wordWrap=True
        )
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.fight_button, self.stop_button = (
            self.buttons.addButton(text, QDialogButtonBox.ButtonRole.ActionRole)
            for text in ("&Fight", "&Stop")
        )
        connect(self.fight_button.clicked, self._fight)
        connect(self.stop_button.clicked, self._stop)
        self.fight_button.setDefault(True)
        self.buttons.button(QDialogButtonBox.StandardButton.Close).setAutoDefault(False)
        connect(self.buttons.rejected, self.reject)
        middle = (self.form, self.status, self.progress, self.fought_by, (self._area, 1))
        lay_out_dialog(self, *middle, foot=(self.buttons,))
        self.resize(WIDTH, self.sizeHint().height())
        for changed in (desk.document.changed, desk.document.map_replaced):
            connect(changed, self._on_map_changed)
        self.check()

    @guarded
    def reject(self) -> None:
        """Close it, and end the battles: nobody would see how far they are."""
        self._stop()
        super().reject()

    # --- what is asked ----------------------------------------------------------------------

    def _on_changed(self, name: str) -> None:
        values = self.form.values()
        preset = values.get("preset")
        if name == "preset" and preset is not None:
            self.form.show_values({**values, **dict.fromkeys(ARMIES, preset)})
        elif name in ARMIES and preset not in (None, values.get(name)):
            self.form.show_values({**values, "preset": None})
        self.check()

    def check(self) -> None:
        """Show what is wrong with the form and this map, at the field that it is about."""
        if self._busy:
            return
        model, battlemap, values, game = self._inputs()
        problems = model.check_fight(battlemap, values, game)
        for name in ARMIES:
            field = self.form.field(name)
            assert isinstance(field, LanguageField)
            field.underline(next((problem for problem in problems if problem.path == name), None))
        first = problems[0] if problems else None
        self.status.setVisible(first is not None)
        if first is not None:
            self.status.say(f"{first.message[:1].upper()}{first.message[1:]}", first.severity)
        self._set_busy(False, can_fight=not has_errors(problems))

    def _inputs(self) -> _Asked:
        battlemap = self._desk.document.battlemap
        game = self._desk.settings.game_dir(battlemap.system.name)
        return self._model, battlemap.snapshot(), self.form.values(), game

    # --- fighting ---------------------------------------------------------------------------

    def _fight(self) -> None:
        self._action = self._fight_battles()
        run(self._action)

    async def _fight_battles(self) -> None:
        document = self._desk.document
        document.cancel_stroke()
        self._name = document.name_of(document.current_map)
        self._is_current = True
        self.fought_by.clear()
        try:
            await self._show_results(ValueJob(_fight, self._inputs()))
        except ProblemError as reason:
            self.status.show()
            self.status.complain(reason.problems)

    async def _show_results(self, job: ValueJob) -> None:
        """Show the results so far, until all battles are fought. Raises ProblemError."""
        try:
            self._set_busy(True)
            await show_values(job, self._show, self)
        finally:
            if isValid(self):  # else it has gone with its window
                self._set_busy(False)
                self.check()

    def _stop(self) -> None:
        """End the battles; the results so far stay."""
        if self._action is not None:
            end(self._action)

    def _set_busy(self, busy: bool, *, can_fight: bool = False) -> None:
        self._busy = busy
        self.progress.setVisible(busy)
        self.progress.setValue(0)
        self.stop_button.setEnabled(busy)
        self.fight_button.setEnabled(can_fight and not busy)
        if busy:
            self.status.hide()

    def _show(self, report: FightReport) -> None:
        self.progress.setValue(report.percent)
        self.results.set_titles([("", ""), *((name, "Entry side") for name in report.attacks)])
        self.results.fill(report.rows)
        if self._area.isHidden():
            self._area.show()
            resize_on_screen(self, self.size().expandedTo(QSize(WIDTH, HEIGHT)))
        self.fought_by.setText(f"{self._name}: fought {report.fought_by}.")
        if self._is_current:
            self.fought.emit(report)

    def _on_map_changed(self, *_region: object) -> None:
        if self._is_current:
            self._is_current = False
            self.fought.emit(None)
        if self.isVisible():
            self.check()


def _fight(
    request: _Asked, _progress: object, cancelled: Callable[[], bool]
) -> Iterator[FightReport]:
    model, battlemap, values, game = request
    with lent_thread(), closing(model.fight_chosen(battlemap, values, game)) as reports:
        for report in reports:
            if cancelled():
                return
            yield report
