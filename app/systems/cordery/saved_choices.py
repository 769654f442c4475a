"""What a wargamer saves by name: campaign squares, which fill the form, and terrain boxes."""

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

OF_SQUARE = {each.name: each.default for each in SETTINGS if each.group or each.name == "box"}
"""The settings that a campaign square fills, with their usual values."""


class SavedChoices(QObject):
    """``print_wanted(str, str)``: a list by its name, and its text. ``chosen(dict)``: values of
    settings by name, those of a square or a box."""

    chosen = Signal(object)
    print_wanted = Signal(str, str)

    def __init__(self, desk: Desk, panel: DicePanel, throwing: Throwing, parent: QObject) -> None:
        super().__init__(parent)
        self._desk = desk
        self._panel = panel
        self._throwing = throwing
        self._settings = desk.settings
        connect(panel.square_chosen, self._take_square)
        connect(panel.square_saved, self._save_square)
        connect(panel.square_deleted, self._delete_square)
        connect(panel.box_wanted, self._edit_box)
        panel.show_squares(list(self._settings.saved_texts(SQUARES)))

    def _keep(self, kind: str, name: str, text: str) -> None:
        """Remember a text under a name; "" forgets it."""
        texts = self._settings.saved_texts(kind) | {name: text}
        self._settings.set_saved_texts(kind, {n: t for n, t in texts.items() if t})

    # --- campaign squares -------------------------------------------------------------------

    def _take_square(self, name: str) -> None:
        text = self._settings.saved_texts(SQUARES).get(name, "")
        values = dict(part.split("=", 1) for part in text.splitlines() if "=" in part)
        try:
            square = checked_settings(SETTINGS, values)
        except ProblemError as reason:  # another edition of the program saved it
            self._desk.say(reason.problems[0].message)
        else:
            self.chosen.emit({name: square.get(name, value) for name, value in OF_SQUARE.items()})

    def _save_square(self, name: str) -> None:
        choices = {
            setting: value
            for setting, value in vars(
                replace(self._throwing.choices, fixed="", dice="thrown")
            ).items()
            if value != getattr(Choices(), setting) and "\n" not in str(value)
        }
        text = "\n".join(f"{setting}={value}" for setting, value in choices.items())
        self._keep(SQUARES, name, text or "relief=")
        self._panel.show_squares(list(self._settings.saved_texts(SQUARES)), name)

    def _delete_square(self, name: str) -> None:
        self._keep(SQUARES, name, "")
        self._panel.show_squares(list(self._settings.saved_texts(SQUARES)))

    # --- terrain boxes ----------------------------------------------------------------------

    def show_dice(self) -> None:
        """Show how the dice are thrown, and which box they respect."""
        choices = self._throwing.choices
        self._panel.show_dice(choices.dice, self._settings.saved_texts(BOXES), choices.box)

    def _edit_box(self) -> None:
        from app.systems.cordery.box_dialog import BoxDialog

        document = self._desk.document
        parts = count_pieces(document.battlemap.grid, document.composite.planes)
        chosen = self._throwing.choices.box
        boxes = self._settings.saved_texts(BOXES)
        name = next((name for name, box in boxes.items() if box == chosen), "")
        dialog = BoxDialog(name, chosen, parts, self._desk.frame)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        connect(dialog.saved, self._save_box)
        connect(dialog.deleted, lambda name: self._save_box(name, ""))
        connect(dialog.print_wanted, lambda text: self.print_wanted.emit("Pieces", text))
        dialog.open()

    def _save_box(self, name: str, text: str) -> None:
        self._keep(BOXES, name, text)
        self.chosen.emit({"box": text})
