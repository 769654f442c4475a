"""The panel Dice: what the campaign square says, the dice, and what they decided."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QComboBox,
    QDialogButtonBox,
    QFrame,
    QHBoxLayout,
    QInputDialog,
    QPushButton,
    QTabWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.appearance.icons import icon
from app.qt_guard import connect, guarded, later
from app.rolling.roll_bar import RollBar
from app.rolling.rolling import Rolling
from app.systems.cordery.dice_entry_strip import EntryStrip
from app.systems.cordery.dice_log import DiceLog
from app.systems.cordery.fix_form import FixForm
from app.systems.cordery.player import DicePlayer
from app.systems.cordery.table_form import TableForm, narrow
from app.widgets.forms.field_input import pass_wheel_on
from app.widgets.forms.folded_form import ScrolledRows
from app.widgets.forms.settings_form import SettingsForm
from app.widgets.layout.banner import Banner
from app.widgets.layout.builders import described, lay_out, plain_label, tool_button
from app.widgets.layout.elided_label import ElidedLabel
from randomizer.model.basics.plurals import counted
from randomizer.systems.cordery.choices import SETTINGS, Choices

_BY_NAME = {setting.name: setting for setting in SETTINGS}
DICE = _BY_NAME["dice"]
BOX = replace(_BY_NAME["box"], title="My box", help="The pieces that the dice may use")

WAITING_TIP = (
    "Ask for the dice that the table still lacks. How many they are depends on what they show"
)

ENTER_TIP = "Throw your own dice for a new table: each of them is asked for by its name"

NO_SQUARE = "No campaign square"
NO_BOX = "No end of pieces"
OTHER_BOX = "A box that is not saved"

LEAST_SQUARES_WIDTH = 70
"""The least width of the list of campaign squares, in logical pixels: a few letters and an arrow.
"""


class DicePanel(QWidget):
    """``form`` asks for the parts of the page, ``dice_form`` for the dice and the box of pieces.

    ``square_chosen(str)``, ``square_saved(str)``, ``square_deleted(str)``: by their names.
    ``box_wanted()``: the dialog. ``freed(tuple)``: names that are not fixed any more.
    ``save_wanted()``, ``print_wanted()``: of the log.
    """

    square_chosen = Signal(str)
    square_saved = Signal(str)
    square_deleted = Signal(str)
    box_wanted = Signal()
    freed = Signal(object)
    save_wanted = Signal()
    print_wanted = Signal()

    def __init__(self, rolling: Rolling, actions: tuple[QAction, QAction, QAction]) -> None:
        """``actions`` are Throw, step back, step forward."""
        super().__init__()
        self.form = TableForm()
        self.dice_form = SettingsForm()
        self.log = DiceLog()
        self.player = DicePlayer()
        self.fix_form = FixForm()
        self.strip = EntryStrip()
        self.waiting = Banner("Go on entering", WAITING_TIP, below=True)
        self.drop_button = self.waiting.add_button("Drop them", "Forget these dice (Undo: Ctrl+Z)")
        self._actions = actions
        self.roll_bar = RollBar(rolling, actions)
        self.enter_button = QPushButton("Enter the dice")
        self.enter_button.setToolTip(ENTER_TIP)
        self.enter_button.hide()
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.addTab(self._choices_page(), "Choices")
        self.tabs.addTab(self._log_page(), "Dice log")
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 4, 4, 6)
        column.setSpacing(4)
        column.addWidget(self.strip)
        column.addWidget(self.waiting)
        column.addWidget(self.tabs, 1)
        column.addWidget(self.roll_bar)
        column.addWidget(self.enter_button)
        self.draw_icons()

    # --- pages ------------------------------------------------------------------------------

    def _choices_page(self) -> QWidget:
        self.squares = narrow(described(pass_wheel_on(QComboBox()), "Campaign square"), 3)
        # By itself Qt makes room for all of its placeholder text, and the panel too wide.
        self.squares.setMinimumWidth(LEAST_SQUARES_WIDTH)
        self.squares.setPlaceholderText(NO_SQUARE)
        self.squares.setToolTip("A campaign square that was saved: it fills the form")
        self._name_to_save = ""
        """The name that is offered when the choices are saved as a campaign square."""
        connect(self.squares.activated, self._choose_square)
        self.save_square = _text_button("Save as...", "Keep the form under a name")
        connect(self.save_square.clicked, self._ask_name)
        self.delete_square = QToolButton()
        self.delete_square.setToolTip("Forget the campaign square chosen")
        self.delete_square.setAccessibleName("Forget the campaign square")
        connect(
            self.delete_square.clicked, lambda: self.square_deleted.emit(self.squares.currentText())
        )
        self.square_row = QWidget()
        """The list of campaign squares with its buttons.

        *Find a command* gives it the keyboard: the list, or *Save as...* while no square is saved.
        """
        row = QHBoxLayout(self.square_row)
        row.setContentsMargins(0, 0, 0, 0)
        lay_out(row, (self.squares, 1), self.save_square, self.delete_square, spacing=2)
        self.edit_box = _text_button("Pieces...", "My terrain box, and what this table takes of it")
        connect(self.edit_box.clicked, self.box_wanted)
        self.show_dice(DICE.default, {}, BOX.default)
        self._fixed = QVBoxLayout()
        self._fixed.setSpacing(0)
        self.fixed_title = plain_label("Fixed by hand")
        font = self.fixed_title.font()
        font.setBold(True)
        self.fixed_title.setFont(font)
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(2, 4, 6, 4)
        column.setSpacing(4)
        column.addWidget(self.dice_form)
        column.addWidget(self.square_row)
        column.addWidget(_line())
        column.addWidget(self.form)
        column.addWidget(self.fixed_title)
        column.addLayout(self._fixed)
        column.addStretch(1)
        self.choices_page = ScrolledRows(inside)  # the panel is as wide as its rows need
        return self.choices_page

    def _log_page(self) -> QWidget:
        self.copy_button = _text_button("Copy all", "Put the whole log on the clipboard")
        connect(self.copy_button.clicked, self.log.copy_all)
        self.save_button = _text_button("Save...", "Write the log into a text file")
        connect(self.save_button.clicked, self.save_wanted)
        self.print_button = _text_button("Print...", "Print the log")
        connect(self.print_button.clicked, self.print_wanted)
        buttons = QHBoxLayout()
        buttons.setSpacing(2)
        for button in (self.copy_button, self.save_button, self.print_button):
            buttons.addWidget(button)
        buttons.addStretch(1)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 4, 0, 0)
        column.setSpacing(3)
        column.addWidget(self.player)
        column.addWidget(self.log, 1)
        column.addWidget(self.fix_form)
        column.addLayout(buttons)
        return page

    def draw_icons(self) -> None:
        """Draw icons and dice in the palette's colours."""
        for action, picture in zip(self._actions, ("roll", "previous", "next"), strict=True):
            action.setIcon(icon(picture))
        self.form.draw_icons()
        self.player.draw_icons()
        self.strip.draw_icons()
        self.delete_square.setIcon(icon("layer-delete"))

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        """The colours may change while the panel is there."""
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "squares"):
            later(self, self.draw_icons)
        super().changeEvent(event)

    # --- what is saved ----------------------------------------------------------------------

    def show_squares(self, names: list[str], current_name: str, name_to_save: str) -> None:
        """Show the campaign squares that were saved.

        ``current_name`` is that of the table, "" if it has none; ``name_to_save`` is offered when
        its choices are saved.
        """
        self._name_to_save = name_to_save
        listed_names = [self.squares.itemText(row) for row in range(self.squares.count())]
        if listed_names != names:
            self.squares.clear()
            self.squares.addItems(names)
        self.squares.setCurrentIndex(self.squares.findText(current_name))
        self.squares.setEnabled(bool(names))
        self.delete_square.setEnabled(bool(current_name))

    def show_dice(self, dice: object, boxes: Mapping[str, str], box: object) -> None:
        """Show how the dice are thrown, and the chosen one of the terrain boxes that were saved."""
        choices = {"": NO_BOX} | {text: name for name, text in boxes.items()}
        choices.setdefault(str(box), OTHER_BOX)
        rows = DICE, replace(BOX, choices=tuple(choices.items()))
        self.dice_form.set_settings(rows, {"dice": dice, "box": box})
        if self.edit_box.parent() is not self.dice_form.field("box").parent():  # it was rebuilt
            self.dice_form.row("box").addWidget(self.edit_box)
            for row in rows:
                field = self.dice_form.field(row.name)
                assert isinstance(field, QComboBox)
                narrow(field, 5)

    def _choose_square(self, _index: int) -> None:
        self.square_chosen.emit(self.squares.currentText())

    def _ask_name(self) -> None:
        """Ask for a name of the campaign square; without one it cannot be saved."""
        dialog = QInputDialog(self)
        dialog.setWindowTitle("Save campaign square")
        dialog.setLabelText("Name of the campaign square:")
        dialog.setTextValue(self._name_to_save)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        connect(dialog.textValueSelected, lambda name: self.square_saved.emit(name.strip()))
        dialog.open()
        buttons = dialog.findChild(QDialogButtonBox)
        assert buttons is not None
        ok_button = buttons.button(QDialogButtonBox.StandardButton.Ok)

        names = {self.squares.itemText(row) for row in range(self.squares.count())}

        def show_state(name: str) -> None:
            """Let no square be saved without a name, and say where one of that name goes."""
            ok_button.setEnabled(bool(name.strip()))
            if name.strip() in names:
                ok_button.setText("&Replace")
            else:
                ok_button.setText("&Save")

        connect(dialog.textValueChanged, show_state)
        show_state(dialog.textValue())

    # --- what is chosen ---------------------------------------------------------------------

    def show_choices(self, choices: Choices, fixed: Mapping[str, str]) -> None:
        """Show what is chosen, and what a hand decided.

        One's own dice have no seed: then the bar that rolls is not there.
        """
        self.form.show_choices(choices)
        self.roll_bar.setVisible(choices.dice != "typed")
        self.enter_button.setVisible(choices.dice == "typed")
        while (item := self._fixed.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        self.fixed_title.setVisible(bool(fixed))
        if choices.dice == "typed" and fixed:
            count = len(fixed)
            text = counted(count, "die or decision", "dice and decisions")
            self._fixed.addWidget(self._fixed_row(text, tuple(fixed)))
            return
        for name, value in fixed.items():
            text = f"{name[:1].upper()}{name[1:]}: {value}"
            self._fixed.addWidget(self._fixed_row(text, (name,)))

    def _fixed_row(self, text: str, names: tuple[str, ...]) -> QWidget:
        row = QWidget()
        line = QHBoxLayout(row)
        line.setContentsMargins(18, 0, 0, 0)
        label = described(ElidedLabel(text), tip=text)
        free = tool_button("\N{MULTIPLICATION SIGN}", "Let the dice decide again", f"Free {text}")
        free.setAutoRaise(True)
        connect(free.clicked, partial(self._free, names))
        line.addWidget(label, 1)
        line.addWidget(free)
        return row

    def _free(self, names: tuple[str, ...]) -> None:
        self.freed.emit(names)


def _text_button(text: str, tip: str) -> QToolButton:
    return tool_button(text, tip, text.rstrip("."))


def _line() -> QFrame:
    line = QFrame()
    line.setFrameShape(QFrame.Shape.HLine)
    line.setFrameShadow(QFrame.Shadow.Sunken)
    return line
