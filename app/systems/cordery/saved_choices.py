"""Campaign squares and terrain boxes: choices for a table that a person saves by a name.

A *square* is the country of a table: the settings of the form. A *box* is the list of the pieces
that the person owns. Both are texts in the settings of the program; ``DiceController`` takes the
values that ``SavedChoices`` reads from them.
"""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject, Qt, Signal

from app.desk.desk import Desk
from app.qt_guard import connect
from app.systems.cordery.dice_panel import DicePanel
from app.systems.cordery.throwing import Throwing
from randomizer.model.problems import ProblemError
from randomizer.model.settings.setting import checked_settings
from randomizer.systems.cordery.choices import SETTINGS, Choices
from randomizer.systems.cordery.table.pieces import count_pieces

SQUARES = "squares"
BOXES = "boxes"

DEFAULTS_OF_SQUARE = {
    setting.name: setting.default
    for setting in SETTINGS
    if setting.group or setting.name == "box"  # those of the form, and the box
}
"""The settings that a campaign square fills, with their defaults."""


class SavedChoices(QObject):
    """Saves, loads and deletes campaign squares and boxes, as the panel asks for it."""

    chosen = Signal(object)
    """A square or a box was chosen: a dict of the values of settings by name."""

    print_wanted = Signal(str, str)
    """A list is to be printed: its title, and its text."""

    def __init__(self, desk: Desk, panel: DicePanel, throwing: Throwing, parent: QObject) -> None:
        super().__init__(parent)
        self._desk = desk
        self._panel = panel
        self._throwing = throwing
        self._settings = desk.settings
        connect(panel.square_chosen, self._load_square)
        connect(panel.square_saved, self._save_square)
        connect(panel.square_deleted, self._delete_square)
        connect(panel.box_wanted, self._open_box_dialog)
        self._show_squares()

    def _save(self, kind: str, name: str, text: str) -> None:
        """Save a text of a kind (``SQUARES``, ``BOXES``) under a name; "" deletes what it has."""
        texts = self._settings.saved_texts(kind)
        texts[name] = text
        if not text:
            del texts[name]
        self._settings.set_saved_texts(kind, texts)

    # --- campaign squares -------------------------------------------------------------------

    def _show_squares(self, chosen_name: str = "") -> None:
        """List the saved squares in the panel; the one that was chosen, if any, is selected."""
        self._panel.show_squares(list(self._settings.saved_texts(SQUARES)), chosen_name)

    def _load_square(self, name: str) -> None:
        """Choose what a square was saved with; what it does not name gets its default."""
        text = self._settings.saved_texts(SQUARES).get(name, "")
        lines = [line for line in text.splitlines() if "=" in line]
        texts_by_setting = dict(line.split("=", 1) for line in lines)
        try:
            values = checked_settings(SETTINGS, texts_by_setting)
        except ProblemError as reason:  # another edition of the program saved it
            self._desk.say(reason.problems[0].message)
            return
        square = {
            setting: values.get(setting, default) for setting, default in DEFAULTS_OF_SQUARE.items()
        }
        self.chosen.emit(square)

    def _save_square(self, name: str) -> None:
        """Save the current choices as a square: a line for each that differs from its default."""
        # Fixed dice are of one table only, and who throws them is no choice of country.
        choices = replace(self._throwing.choices, fixed="", program_dice="", dice="thrown")
        defaults = Choices()
        lines = []
        for setting, value in vars(choices).items():
            # A value of several lines, as a box can be, would be read as several settings.
            if value != getattr(defaults, setting) and "\n" not in str(value):
                lines.append(f"{setting}={value}")
        if not lines:
            lines.append("relief=")  # a default: an empty text would delete the square
        self._save(SQUARES, name, "\n".join(lines))
        self._show_squares(name)

    def _delete_square(self, name: str) -> None:
        self._save(SQUARES, name, "")
        self._show_squares()

    # --- terrain boxes ----------------------------------------------------------------------

    def show_dice(self) -> None:
        """Show in the panel how the dice are thrown, and which box they respect."""
        choices = self._throwing.choices
        self._panel.show_dice(choices.dice, self._settings.saved_texts(BOXES), choices.box)

    def _open_box_dialog(self) -> None:
        """Open the dialog of the chosen box, or of a new one."""
        from app.systems.cordery.box_dialog import BoxDialog

        document = self._desk.document
        pieces_of_table = count_pieces(document.battlemap.grid, document.composite.planes)
        chosen_box = self._throwing.choices.box
        boxes = self._settings.saved_texts(BOXES)
        names = [name for name, box in boxes.items() if box == chosen_box]
        name = ""  # a box without a name, or none at all
        if names:
            name = names[0]
        dialog = BoxDialog(
            name,
            chosen_box,
            pieces_of_table,
            self._desk.frame,
            lays_again=self._throwing.lays_choices_at_once and not self._throwing.entering,
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        connect(dialog.saved, self._save_box)
        connect(dialog.deleted, self._delete_box)
        connect(dialog.print_wanted, self._print_pieces)
        dialog.open()

    def _save_box(self, name: str, text: str) -> None:
        """Save a box and choose it; ``text`` is one for ``pieces.read_box``."""
        self._save(BOXES, name, text)
        self.chosen.emit({"box": text})

    def _delete_box(self, name: str) -> None:
        """Delete a box, and choose none."""
        self._save(BOXES, name, "")
        self.chosen.emit({"box": ""})

    def _print_pieces(self, text: str) -> None:
        self.print_wanted.emit("Pieces", text)
