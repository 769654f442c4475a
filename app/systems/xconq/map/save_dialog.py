"""The dialog that asks which sections a mapfile gets, and in what detail.

Xconq writes the answer as a *save string*, such as "ms1u2": the letters of the sections, and
after the sides (s) and the units (u) a digit for the detail, from 1 to 4, or 9 for all. The form of
the dialog has a setting for each section, named by its letter::

    The map  [x]      Sides  [names]      Units  [... and hit points, supplies, transport]
    Turns and conditions  [ ]     ...     Period's file  [modern.per]
    Not kept with ms1u2: attitudes of the sides.            the losses

``ask_details`` opens the dialog and writes the answer into the header of the map.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QWidget

from app.background.actions import answer
from app.desk.desk import Desk
from app.qt_guard import connect
from app.widgets.dialogs.dialog_status import DialogStatus
from app.widgets.forms.settings_form import SettingsForm
from app.widgets.layout.builders import described, plain_label
from app.widgets.layout.dialog_layout import lay_out_dialog
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem, ProblemError, Severity
from randomizer.model.settings.setting import Setting
from randomizer.systems.xconq.header import PERIOD_SUFFIX
from randomizer.systems.xconq.mapfile.details import USUAL, SaveDetails, detail_losses
from randomizer.systems.xconq.mapfile.losses import check_mapfile
from randomizer.systems.xconq.mapfile.period_file_name import fault_in_period_file
from randomizer.systems.xconq.mapfile.saved_sections import details_of
from randomizer.systems.xconq.mapfile.written_period import (
    period_file_beside,
    suggested_period_file,
)
from randomizer.systems.xconq.records import HEADER, Header, as_record, header_of
from randomizer.systems.xconq.scenario.side_edits import change_value

if TYPE_CHECKING:
    from app.document.open_map import OpenMap


MAP = Setting(
    "m", bool, "Size and terrain. Without it the game makes up a world", False, title="The map"
)
GLOBALS = Setting(
    "g",
    bool,
    "Without them the game lasts 1,000 turns, and who has no units left loses",
    False,
    title="Turns and conditions",
)
PERIOD = Setting(
    "p",
    bool,
    "The text of the period is in this file. Otherwise it is in a file of its own beside it",
    False,
    title="The period inside the file",
)
VERSION = Setting(
    "v",
    bool,
    "Xconq loads such a file only if its own version is the same: for saved games",
    False,
    title="The version of Xconq",
)
SIDES = Setting(
    "s",
    int,
    "Without sides the game makes them up",
    1,
    choices=(
        (0, "none"),
        (1, "names"),
        (2, "names, attitudes and counters"),
        (3, "... and what they have seen"),
        (4, "... and players and statistics"),
        (9, "all, as in a saved game"),
    ),
    title="Sides",
)
UNITS = Setting(
    "u",
    int,
    "Without units the game places countries and units itself",
    1,
    choices=(
        (0, "none"),
        (1, "type, name, place and side"),
        (2, "... and hit points, supplies, transport"),
        (3, "... and orders"),
        (4, "... and moves"),
        (9, "all, as in a saved game"),
    ),
    title="Units",
)
PERIOD_FILE = Setting(
    "file",
    str,
    "The file of the period, which is written beside the map; its name ends in .per",
    "",
    title="Period's file",
)
SETTINGS = (MAP, SIDES, UNITS, GLOBALS, PERIOD, PERIOD_FILE, VERSION)
"""All settings in the order of the form: the sections, and the file of the period."""

LETTERS = tuple(setting.name for setting in SETTINGS if setting is not PERIOD_FILE)
"""The letters of the sections."""

HINTS_OF_DIALOG = ("detail-lost", "period-beside")
"""The codes of the hints that the dialog shows; all warnings are shown."""

NO_LOSSES = "Nothing that the map has is left out."
"""The message if there is neither a warning nor such a hint."""


def form_values(details: SaveDetails) -> dict[str, object]:
    """Return the values of the form for the details, by the letters of the sections.

    The value of sides and of units is their detail, 0 for none; that of another section is True if
    it is saved.
    """
    values: dict[str, object] = {}
    for setting in SETTINGS:
        if setting is not PERIOD_FILE:
            values[setting.name] = setting.kind(details.detail(setting.name))
    return values


def details_of_values(values: Mapping[str, Any]) -> SaveDetails:
    """Return the details for the values of a form, the reverse of ``form_values``."""
    return SaveDetails({letter: int(values[letter]) for letter in LETTERS})


class SaveDialog(QDialog):
    """A dialog with a form for the sections, which tells what would be lost.

    ``details`` and ``period_file`` are the answer, when the dialog was accepted.
    """

    def __init__(
        self, battlemap: BattleMap, details: SaveDetails, stem: str, parent: QWidget
    ) -> None:
        """Make the dialog for a map; ``details`` are those that it was saved with last.

        ``stem`` is the name of its file without suffix, "" if it has no file.
        """
        super().__init__(parent)
        self.setWindowTitle("What is saved")
        self._battlemap = battlemap.snapshot()
        """A copy of the map; ``_find_losses`` writes the answers of the form into its header."""
        self._header = header_of(battlemap)
        self._stem = stem
        # With the period inside the mapfile there would be no file to name.
        without_period = SaveDetails({**details.levels, PERIOD.name: 0})
        self._usual_file = self._file_beside(period_file_beside, without_period)
        """The name that the period's file has if none is typed; "" if no file is written."""
        self._suggested_file = self._file_beside(suggested_period_file, without_period)
        """The name in the form when the dialog is opened; "" if no file is written."""
        self.form = SettingsForm(title_end=":")
        values = {**form_values(details), PERIOD_FILE.name: self._suggested_file}
        self.form.set_settings(SETTINGS, values)
        self.form.show_row(PERIOD_FILE.name, is_shown=bool(self._usual_file))
        self._make_foot()
        heading = plain_label(
            "For most scenarios the map, the names of the sides, and type, name and place of the "
            "units are enough.",
            wordWrap=True,
        )
        lay_out_dialog(self, heading, self.form, foot=(self.status, self.buttons))
        self.setMinimumWidth(420)
        connect(self.form.changed, lambda _name: self._show_losses())
        self._show_losses()

    def _make_foot(self) -> None:
        """Make the status and the buttons."""
        self.status = DialogStatus("What is left out")
        # Three lines high, so that the dialog seldom grows with the text.
        self.status.setMinimumHeight(3 * self.fontMetrics().lineSpacing())
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel
        )
        self.defaults = self.buttons.addButton("&Defaults", QDialogButtonBox.ButtonRole.ResetRole)
        described(
            self.defaults,
            tip="As Xconq saves: the map, names of sides, and type, name, place and side of units",
        )
        connect(self.defaults.clicked, self._set_defaults)
        connect(self.buttons.accepted, self.accept)
        connect(self.buttons.rejected, self.reject)

    @property
    def details(self) -> SaveDetails:
        """The details that the form holds."""
        return details_of_values(self.form.values())

    @property
    def period_file(self) -> str:
        """The name that the user has typed for the period's file, with its suffix.

        "" if the file has this name in any case, so that the header need not tell it.
        """
        name = str(self.form.values()[PERIOD_FILE.name]).strip()
        if name and "." not in name:
            name += PERIOD_SUFFIX
        if name == self._usual_file:
            return ""
        return name

    def _file_beside(
        self, name_file: Callable[[BattleMap, SaveDetails, str], str], details: SaveDetails
    ) -> str:
        """Return the name that ``name_file`` gives the period's file; "" if no file is written.

        ``name_file`` is one of the two functions of ``written_period``.
        """
        try:
            return name_file(self._battlemap, details, self._stem)
        except ProblemError:
            return ""  # ``_find_losses`` finds the same problem and tells it

    def _default_values(self) -> dict[str, object]:
        """Return the values of the form with which Xconq saves."""
        return {**form_values(SaveDetails.parse(USUAL)), PERIOD_FILE.name: self._suggested_file}

    def _set_defaults(self) -> None:
        self.form.show_values(self._default_values())
        self._show_losses()

    def _show_losses(self) -> None:
        """Tell what would be lost with the values of the form, and enable the widgets by them."""
        details = self.details
        self.defaults.setEnabled(self.form.values() != self._default_values())
        has_period_file = bool(self._usual_file) and not details.detail(PERIOD.name)
        self.form.field(PERIOD_FILE.name).setEnabled(has_period_file)
        fault = ""
        if has_period_file and self.period_file:
            fault = fault_in_period_file(self.period_file)
        save_button = self.buttons.button(QDialogButtonBox.StandardButton.Save)
        save_button.setEnabled(bool(details.sections) and not fault)
        if not details.sections:
            self.status.say("Nothing would be saved.")
        elif fault:
            self.status.say(f"The period's file needs another name: {fault}.", Severity.ERROR)
        else:
            described(save_button, tip=f"Build mode of Xconq writes this as {details.text()}")
            self._tell(self._find_losses(details))

    def _find_losses(self, details: SaveDetails) -> list[Problem]:
        """Return what would be lost: the warnings, or if there are none the hints."""
        # The checks read the details and the file of the period from the header of the snapshot.
        header = with_answers(self._header, details, self.period_file)
        self._battlemap.records[HEADER] = as_record(header)
        problems = (
            *check_mapfile(self._battlemap, self._stem),
            *detail_losses(self._battlemap, details),
        )
        warnings = [problem for problem in problems if problem.severity is not Severity.HINT]
        if warnings:
            return warnings
        return [problem for problem in problems if problem.code in HINTS_OF_DIALOG]

    def _tell(self, losses: Sequence[Problem]) -> None:
        """Show the losses in the status, with the icon of warnings; hints have no icon."""
        if not losses:
            self.status.say(NO_LOSSES)
            return
        text = " ".join(f"{problem.message}." for problem in losses)
        severity: Severity | None = losses[0].severity
        if severity is Severity.HINT:
            severity = None
        self.status.say(text, severity)


def with_answers(header: Header, details: SaveDetails, period_file: str) -> Header:
    """Return a header with the answers of the dialog.

    ``period_file`` is "" if the file of the period keeps its name.
    """
    header = replace(header, details=details.text())
    if period_file:
        header = replace(header, script_file=period_file)
    return header


async def ask_details(
    desk: Desk, open_map: OpenMap, path: Path | None, *, is_for_writing: bool = False
) -> bool:
    """Ask what a map is saved with; return False if the user cancels, or the map was closed.

    ``path`` is the file that is to be written, None for none yet. The answer is stored in the
    header of the map. If the header changes, that is an undo step, which makes the map unsaved.
    ``is_for_writing`` is True if the file is written right afterwards: then a map that was saved
    still counts as saved after that step.
    """
    document = desk.document
    battlemap = open_map.battlemap
    try:
        details = details_of(battlemap)
    except ProblemError:
        details = SaveDetails.parse(USUAL)
    stem = ""
    if path is not None:
        stem = path.stem
    dialog = SaveDialog(battlemap, details, stem, desk.frame)
    code = await answer(dialog)
    if code != QDialog.DialogCode.Accepted or open_map not in document.maps:
        return False
    header = header_of(battlemap)
    if dialog.details != details or header.details or dialog.period_file:
        value = with_answers(header, dialog.details, dialog.period_file)
        document.make_current(open_map)
        was_saved = not open_map.unsaved
        document.push(change_value(battlemap, HEADER, value), "Choose what is saved")
        if is_for_writing and was_saved:
            document.mark_saved(open_map)
    return True
