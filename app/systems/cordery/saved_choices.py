"""Campaign squares and terrain boxes: choices for a table that a person saves by a name.

A *square* is the country of a table, such as that of a square of a campaign's map: the settings of
the form. A *box* is the list of the pieces that the person owns. Both are saved as texts::

    square    "relief=hilly" and "rivers=2", a line for each setting that differs from its default
    box       "hill = 3; bridge = 2"

If the user chooses one of them, ``SavedChoices`` reads its text and emits the values (``chosen``).
``DiceController`` then lays the table with them.
"""

from __future__ import annotations

from collections.abc import Collection
from weakref import WeakKeyDictionary

from PySide6.QtCore import QObject, Qt, Signal

from app.desk.desk import Desk
from app.document.open_map import OpenMap
from app.qt_guard import connect
from app.systems.cordery.dice_panel import DicePanel
from app.systems.cordery.throwing import Throwing
from randomizer.model.problems import ProblemError
from randomizer.model.settings.setting import checked_settings
from randomizer.systems.cordery.choices import SETTINGS, Choices
from randomizer.systems.cordery.table.pieces import count_pieces

# The kinds of saved texts, by which the settings of the program know them.
SQUARES = "squares"
BOXES = "boxes"

DEFAULTS_OF_SQUARE = {
    setting.name: setting.default
    for setting in SETTINGS
    if setting.group or setting.name == "box"  # those of the form, and the box
}
"""The settings that a campaign square fills, with their defaults."""

COUNTRY = tuple(name for name in DEFAULTS_OF_SQUARE if name != "box")
"""The settings that make a square: the box is no part of the country, but the player's."""

NEW_BOX = "My box"
"""The name that is offered for a new box."""


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
        self._last_squares: WeakKeyDictionary[OpenMap, str] = WeakKeyDictionary()
        """The names of the squares that were chosen or saved last, by the map."""
        connect(panel.squares.chosen, self._load_square)
        connect(panel.squares.save_wanted, self._save_square)
        connect(panel.squares.delete_wanted, self._delete_square)
        connect(panel.box_wanted, self._open_box_dialog)
        self.show_squares()

    def _save(self, kind: str, name: str, text: str) -> None:
        """Save a text of a kind (``SQUARES``, ``BOXES``) under a name."""
        texts = self._settings.saved_texts(kind)
        texts[name] = text
        self._settings.set_saved_texts(kind, texts)

    def _delete(self, kind: str, name: str) -> None:
        """Delete the text of a kind that is saved under a name, if there is one."""
        texts = self._settings.saved_texts(kind)
        texts.pop(name, None)
        self._settings.set_saved_texts(kind, texts)

    # --- campaign squares -------------------------------------------------------------------

    def show_squares(self) -> None:
        """List the saved squares in the panel, and select the one with the current map's choices.

        If several squares have these choices, the one that was chosen or saved last is selected; if
        no square has them, none is.
        """
        squares = self._settings.saved_texts(SQUARES)
        choices = vars(self._throwing.map_choices.choices)
        names = []
        for name, text in squares.items():
            try:
                square = _read_square(text)
            except ProblemError:
                continue  # ``_load_square`` tells the reason when it is chosen
            if all(choices[setting] == square[setting] for setting in COUNTRY):
                names.append(name)
        last_name = self._last_squares.get(self._desk.document.current_map, "")
        square_of_choices = ""
        if last_name in names:
            square_of_choices = last_name
        elif names:
            square_of_choices = names[0]
        self._panel.squares.show_squares(list(squares), square_of_choices, last_name)

    def _load_square(self, name: str) -> None:
        """Choose the settings of a square; those that its text does not name get their defaults."""
        text = self._settings.saved_texts(SQUARES).get(name, "")
        try:
            square = _read_square(text)
        except ProblemError as reason:  # another edition of the program saved it
            self._desk.say(reason.problems[0].message)
        else:
            self._last_squares[self._desk.document.current_map] = name
            self.chosen.emit(square)
        self.show_squares()  # the list shows the chosen one even if its settings were not applied

    def _save_square(self, name: str) -> None:
        """Save the current choices as a square: a line for each that differs from its default."""
        choices = self._throwing.map_choices.choices
        defaults = Choices()
        lines = []
        for setting in DEFAULTS_OF_SQUARE:
            value = getattr(choices, setting)
            if value != getattr(defaults, setting):
                # A line for each setting: a box of several lines becomes one ("hill = 3; bridge =
                # 2").
                text = "; ".join(str(value).splitlines())
                lines.append(f"{setting}={text}")
        if not lines:
            # A square with defaults only. An empty text counts as none, so one of them is written.
            lines.append("relief=")
        self._save(SQUARES, name, "\n".join(lines))
        self._last_squares[self._desk.document.current_map] = name
        self.show_squares()

    def _delete_square(self, name: str) -> None:
        self._delete(SQUARES, name)
        self.show_squares()

    # --- terrain boxes ----------------------------------------------------------------------

    def show_dice_and_box(self) -> None:
        """Show in the panel who throws the dice, and the box that limits what they place."""
        choices = self._throwing.map_choices.choices
        self._panel.show_dice(choices.dice, self._settings.saved_texts(BOXES), choices.box)

    def _open_box_dialog(self) -> None:
        """Open the dialog of the chosen box, or of a new one."""
        from app.systems.cordery.box_dialog import BoxDialog

        document = self._desk.document
        pieces_of_table = count_pieces(document.battlemap.grid, document.composite.planes)
        chosen_box = self._throwing.map_choices.choices.box
        boxes = self._settings.saved_texts(BOXES)
        names = [name for name, box in boxes.items() if box == chosen_box]
        saved_name: str | None = None  # a box that is not saved, or none at all
        if names:
            saved_name = names[0]
        lays_choices_at_once = self._throwing.lays_choices_at_once
        saving_lays_table = lays_choices_at_once and not self._throwing.setups.entering
        dialog = BoxDialog(
            saved_name,
            chosen_box,
            pieces_of_table,
            self._desk.frame,
            new_name=_free_name(boxes),
            used_names=boxes,
            saving_lays_table=saving_lays_table,
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
        self._delete(BOXES, name)
        self.chosen.emit({"box": ""})

    def _print_pieces(self, text: str) -> None:
        self.print_wanted.emit("Pieces", text)


def _read_square(text: str) -> dict[str, object]:
    """Return the values of all settings of a square, by name, from its text.

    Raises ProblemError for settings that do not exist, or values that they cannot have.
    """
    lines = [line for line in text.splitlines() if "=" in line]
    texts_by_setting = dict(line.split("=", 1) for line in lines)
    values = checked_settings(SETTINGS, texts_by_setting)
    return {
        setting: values.get(setting, default) for setting, default in DEFAULTS_OF_SQUARE.items()
    }


def _free_name(boxes: Collection[str]) -> str:
    """Return a name for a new box that none of ``boxes`` has: "My box", "My box 2"."""
    name = NEW_BOX
    number = 1
    while name in boxes:
        number += 1
        name = f"{NEW_BOX} {number}"
    return name
