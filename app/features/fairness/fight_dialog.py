"""The dialog *Fight*: two chosen armies fight on the current map as often as the user likes.

The rules of battles are those of the map's ``FairnessModel``. The dialog asks for its
``fight_settings`` in a form, lets it check them (``check_fight``), and runs its battles on another
thread (``fight_chosen``). From time to time these yield a ``FightReport`` with the results so far,
which the dialog shows as a table. The battles are fought on a copy of the map and go on when the
map is changed; then their results are no longer about the current map, and are shown in the dialog
only.

The button *Fight* starts the action ``_fight_battles``; the job's function is ``_reports``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QProgressBar
from shiboken6 import isValid

from app.background.actions import Action
from app.background.actions import end as end_action
from app.background.actions import run as run_action
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

PRESET = "preset"
"""The name of the setting that gives both sides the same usual army.

Its value is the text of that army, or None while one of the sides has another.
"""

ARMIES = ("attacker", "defender")
"""The names that the settings of the two armies have in every ``FairnessModel.fight_settings``."""

WIDTH = 520
"""The width of the dialog, in logical pixels."""

HEIGHT = 640
"""Its height with results, in logical pixels."""


class _FightInputs(NamedTuple):
    """All that battles depend on, for the job that fights them."""

    model: FairnessModel

    battlemap: BattleMap
    """A snapshot of the current map: edits during the battles do not change it."""

    values: dict[str, object]
    """The answers of the form, by the names of settings."""

    game_folder: Path | None
    """The folder of the user's game, which can fight the battles; None if it is not known."""


@dataclass
class _Battles:
    """Battles that were begun: they are being fought, or have ended."""

    map_name: str
    """The name of the map that they are on."""

    is_map_current: bool = True
    """True as long as that map is the current one, and unchanged."""

    are_running: bool = False
    """True while they are fought."""


class FightDialog(QDialog):
    """Asks for battles and shows the results so far; the desk can be used meanwhile."""

    fought = Signal(object)
    """A ``FightReport`` on the current map; None if the map has changed since the last report."""

    def __init__(self, desk: Desk, model: FairnessModel) -> None:
        super().__init__(desk.frame)
        self.setWindowTitle("Fight")
        self._desk = desk
        self._model = model
        self._battles: _Battles | None = None
        """The newest battles, None before the first ones."""
        self._action: Action | None = None
        """The action that fights them, by which they are ended; it may be over."""
        self._make_widgets()
        self._connect()
        self._update_controls()
        self.check_answers()

    def _make_widgets(self) -> None:
        """Make the form, the results and the buttons, and lay them out from top to bottom."""
        self.form = SettingsForm(title_end=":")
        self.form.set_settings(self._model.fight_settings, {})
        self.status = DialogStatus("What is wrong, or good to know")
        self.progress = described(QProgressBar(), "Battles fought")
        self.progress.hide()
        self.results = FittedTable("Results")
        self._results_area = scrolled(self.results)
        self._results_area.hide()
        self.caption = plain_label(
            "Two armies meet on this map, as often as you like.", wordWrap=True
        )
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        action_role = QDialogButtonBox.ButtonRole.ActionRole
        self.fight_button = self.buttons.addButton("&Fight", action_role)
        self.stop_button = self.buttons.addButton("&Stop", action_role)
        self.fight_button.setDefault(True)
        self.buttons.button(QDialogButtonBox.StandardButton.Close).setAutoDefault(False)
        middle = (self.form, self.status, self.progress, self.caption, (self._results_area, 1))
        lay_out_dialog(self, *middle, foot=(self.buttons,))
        self.resize(WIDTH, self.sizeHint().height())

    def _connect(self) -> None:
        """Connect the widgets, and the map that the battles are on."""
        connect(self.form.changed, self._on_answer_changed)
        connect(self.fight_button.clicked, self._begin_battles)
        connect(self.stop_button.clicked, self._end_battles)
        connect(self.buttons.rejected, self.reject)
        connect(self._desk.document.changed, self._on_map_changed)
        connect(self._desk.document.map_replaced, self._on_map_changed)

    @guarded
    def reject(self) -> None:
        """Close the dialog, and end the battles, whose progress nobody would see."""
        self._end_battles()
        super().reject()

    @property
    def _is_fighting(self) -> bool:
        """True while battles are fought."""
        return self._battles is not None and self._battles.are_running

    # --- the form ---------------------------------------------------------------------------

    def _on_answer_changed(self, name: str) -> None:
        """Check the answers after the user has changed the setting ``name``.

        A preset is copied to both armies; an army that differs from the preset clears it.
        """
        values = self.form.values()
        preset = values.get(PRESET)
        if name == PRESET and preset is not None:
            self.form.show_values({**values, **dict.fromkeys(ARMIES, preset)})
        elif name in ARMIES and preset is not None and preset != values.get(name):
            self.form.show_values({**values, PRESET: None})
        self.check_answers()

    def check_answers(self) -> None:
        """Check the answers for the current map: underline wrong ones and show the first problem.

        Nothing is checked while battles are fought. The controller calls this when it shows the
        dialog again, as the map may be another one.
        """
        if self._is_fighting:
            return
        inputs = self._current_inputs()
        problems = inputs.model.check_fight(inputs.battlemap, inputs.values, inputs.game_folder)
        for name in ARMIES:
            field = self.form.field(name)
            assert isinstance(field, LanguageField)
            problems_of_field = [problem for problem in problems if problem.path == name]
            if problems_of_field:
                field.underline(problems_of_field[0])
            else:
                field.underline(None)
        self.status.setVisible(bool(problems))
        if problems:
            message = problems[0].message
            self.status.say(f"{message[:1].upper()}{message[1:]}", problems[0].severity)
        self.fight_button.setEnabled(not has_errors(problems))

    def _current_inputs(self) -> _FightInputs:
        """Return all that battles on the current map depend on."""
        battlemap = self._desk.document.battlemap
        game_folder = self._desk.settings.game_dir(battlemap.system.name)
        return _FightInputs(self._model, battlemap.snapshot(), self.form.values(), game_folder)

    # --- fighting ---------------------------------------------------------------------------

    def _begin_battles(self) -> None:
        """Begin battles on the current map."""
        self._action = self._fight_battles()
        run_action(self._action)

    async def _fight_battles(self) -> None:
        """Fight, and show the results or why there are none."""
        document = self._desk.document
        document.cancel_stroke()
        battles = _Battles(document.name_of(document.current_map))
        self._battles = battles
        self.caption.clear()
        try:
            await self._show_results(battles, ValueJob(_reports, self._current_inputs()))
        except ProblemError as reason:
            self.status.show()
            self.status.complain(reason.problems)

    async def _show_results(self, battles: _Battles, job: ValueJob) -> None:
        """Show the results so far, until all battles are fought. Raises ProblemError."""
        battles.are_running = True
        self._update_controls()
        try:
            await show_values(job, partial(self._show_report, battles), self)
        finally:
            battles.are_running = False
            if isValid(self):  # else it has gone with its window
                self._update_controls()
                self.check_answers()

    def _end_battles(self) -> None:
        """End the battles; the results so far stay."""
        if self._action is not None:
            end_action(self._action)

    def _update_controls(self) -> None:
        """Show and enable the controls for battles that are fought, or for none."""
        self.progress.setVisible(self._is_fighting)
        self.progress.setValue(0)
        self.stop_button.setEnabled(self._is_fighting)
        if self._is_fighting:
            self.fight_button.setEnabled(False)  # ``check_answers`` enables it again
            self.status.hide()

    def _show_report(self, battles: _Battles, report: FightReport) -> None:
        """Show the results of battles so far."""
        self.progress.setValue(report.percent)
        self.results.set_titles([("", ""), *((name, "Entry side") for name in report.attacks)])
        self.results.fill(report.rows)
        if self._results_area.isHidden():
            self._results_area.show()
            resize_on_screen(self, self.size().expandedTo(QSize(WIDTH, HEIGHT)))
        self.caption.setText(f"{battles.map_name}: fought {report.fought_by}.")
        if battles.is_map_current:
            self.fought.emit(report)

    def _on_map_changed(self, *_region: object) -> None:
        """Check the form for the map as it is now; earlier results are not about it any more."""
        if self._battles is not None and self._battles.is_map_current:
            self._battles.is_map_current = False
            self.fought.emit(None)
        if self.isVisible():
            self.check_answers()


def _reports(
    inputs: _FightInputs, _progress: object, cancelled: Callable[[], bool]
) -> Iterator[FightReport]:
    """Yield the reports on battles, until all are fought or the job is cancelled."""
    # The battles take long, and nobody waits for them: other jobs run beside this one.
    with lent_thread():
        reports = inputs.model.fight_chosen(inputs.battlemap, inputs.values, inputs.game_folder)
        with closing(reports):
            for report in reports:
                if cancelled():
                    return
                yield report
