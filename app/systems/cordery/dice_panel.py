"""The panel Dice: what is chosen for a wargame table, its dice, and what they decided.

Cordery's rules make a wargame table by dice: how many hills there are, where each stands, and so
on. The panel has two pages:

- *Choices*: what the country is like, which decides what dice are thrown; who throws them, the
  program or a person who enters them; and which dice and decisions are fixed by hand. A *campaign
  square* is a set of choices that is saved under a name.
- *Dice log*: what each die has decided.

The panel only shows and asks; the controllers in feature.py each serve a part of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QComboBox, QFrame, QPushButton, QTabWidget, QVBoxLayout, QWidget

from app.appearance.icons import icon
from app.qt_guard import connect, guarded, later
from app.rolling.roll_bar import RollBar
from app.rolling.rolling import Rolling
from app.systems.cordery.dice_entry_strip import EntryStrip
from app.systems.cordery.dice_log import DiceLog
from app.systems.cordery.fix_form import FixForm
from app.systems.cordery.fixed_list import FixedList
from app.systems.cordery.log_page import LogPage
from app.systems.cordery.player import DicePlayer
from app.systems.cordery.square_list import SquareList
from app.systems.cordery.table_form import TableForm, narrow
from app.widgets.forms.folded_form import ScrolledRows
from app.widgets.forms.settings_form import SettingsForm
from app.widgets.layout.banner import Banner
from app.widgets.layout.builders import lay_out, tool_button
from randomizer.systems.cordery.choices import SETTINGS, TYPED, Choices

if TYPE_CHECKING:
    from app.systems.cordery.throw_actions import ThrowActions

_SETTING_OF_NAME = {setting.name: setting for setting in SETTINGS}

DICE = _SETTING_OF_NAME["dice"]
"""The setting that says who throws the dice."""

BOX = replace(_SETTING_OF_NAME["box"], title="My box", help="The pieces that the dice may use")
"""The setting with the pieces that the player has."""

WAITING_TIP = (
    "Ask for the dice that the table still lacks. How many they are depends on what they show"
)

ENTER_TIP = "Throw your own dice for a new table: each of them is asked for by its name"

NO_BOX = "No end of pieces"
"""The choice of a box without limits."""

OTHER_BOX = "A box that is not saved"
"""The choice of the box that the current map has, if none is saved that equals it."""

MIN_LETTERS = 5
"""The fields of dice and box are at least so many letters wide."""


class DicePanel(QWidget):
    """The tabs with both pages, above them what is asked for now, below them what rolls."""

    box_wanted = Signal()
    """The dialog of the terrain box is to be opened."""

    _is_built = False
    """True once there are icons: Qt changes the palette before that, within the constructor."""

    def __init__(self, rolling: Rolling, actions: ThrowActions) -> None:
        super().__init__()
        self._actions = actions
        self.strip = EntryStrip()
        """Asks for a die that the user throws."""
        self.waiting = Banner("Go on entering", WAITING_TIP, below=True)
        """Tells that a table lacks dice."""
        self.drop_button = self.waiting.add_button("Drop them", "Forget these dice (Undo: Ctrl+Z)")
        self._make_choices()
        self.player = DicePlayer()
        self.log = DiceLog()
        self.fix_form = FixForm()
        self.log_page = LogPage(self.player, self.log, self.fix_form)
        self.roll_bar = RollBar(rolling, actions)
        self.enter_button = QPushButton("Enter the dice")
        """Stands in place of the bar that rolls while the user throws the dice."""
        self.enter_button.setToolTip(ENTER_TIP)
        self.enter_button.hide()
        self._lay_out()
        self._is_built = True
        self.draw_icons()

    # --- construction -----------------------------------------------------------------------

    def _make_choices(self) -> None:
        """Make the widgets of the page *Choices*."""
        self.dice_form = SettingsForm()
        """Asks who throws the dice, and with which box of pieces."""
        self.squares = SquareList()
        """*Find a command* gives it the keyboard: the list, or its button while none is saved."""
        self.form = TableForm()
        """Asks for the parts of the campaign square's page in the rules."""
        self.fixed_list = FixedList()
        self.edit_box = tool_button(
            "Pieces...", "My terrain box, and what this table takes of it", "Pieces"
        )
        connect(self.edit_box.clicked, self.box_wanted)
        self.show_dice(str(DICE.default), {}, str(BOX.default))

    def _lay_out(self) -> None:
        """Put both pages into tabs, and the rest above and below them."""
        rows = QWidget()
        rows_column = QVBoxLayout(rows)
        rows_column.setContentsMargins(2, 4, 6, 4)
        rows_column.setSpacing(4)
        rows_column.addWidget(self.dice_form)
        rows_column.addWidget(self.squares)
        rows_column.addWidget(_line())
        rows_column.addWidget(self.form)
        rows_column.addWidget(self.fixed_list)
        rows_column.addStretch(1)
        self.choices_page = ScrolledRows(rows)  # the panel is as wide as its rows need

        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.addTab(self.choices_page, "Choices")
        self.tabs.addTab(self.log_page, "Dice log")
        panel_column = QVBoxLayout(self)
        panel_column.setContentsMargins(4, 4, 4, 6)
        lay_out(
            panel_column,
            self.strip,
            self.waiting,
            (self.tabs, 1),
            self.roll_bar,
            self.enter_button,
            spacing=4,
        )

    # --- colours ----------------------------------------------------------------------------

    def draw_icons(self) -> None:
        """Draw icons and dice in the palette's colours."""
        self._actions.throw.setIcon(icon("roll"))
        self._actions.back.setIcon(icon("previous"))
        self._actions.forth.setIcon(icon("next"))
        self.form.draw_icons()
        self.player.draw_icons()
        self.strip.draw_icons()
        self.squares.draw_icons()

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        """Draw the icons again in the colours of another palette."""
        if event.type() == QEvent.Type.PaletteChange and self._is_built:
            later(self, self.draw_icons)
        super().changeEvent(event)

    # --- the pages --------------------------------------------------------------------------

    def show_choices_page(self) -> None:
        """Bring the page *Choices* to the front."""
        self.tabs.setCurrentWidget(self.choices_page)

    def show_log_page(self) -> None:
        """Bring the page *Dice log* to the front."""
        self.tabs.setCurrentWidget(self.log_page)

    # --- what is chosen ---------------------------------------------------------------------

    def show_dice(self, dice: str, boxes: Mapping[str, str], box: str) -> None:
        """Show the values of ``DICE`` and ``BOX``.

        ``boxes`` are the terrain boxes that were saved: their texts by their names. The text of a
        box without limits is "".
        """
        titles = {"": NO_BOX} | {text: name for name, text in boxes.items()}
        titles.setdefault(box, OTHER_BOX)
        settings = (DICE, replace(BOX, choices=tuple(titles.items())))
        has_new_rows = settings != self.dice_form.settings
        self.dice_form.set_settings(settings, {DICE.name: dice, BOX.name: box})
        if has_new_rows:
            self.dice_form.row(BOX.name).addWidget(self.edit_box)
            for setting in settings:
                field = self.dice_form.field(setting.name)
                assert isinstance(field, QComboBox)
                narrow(field, MIN_LETTERS)

    def show_choices(self, choices: Choices, fixed: Mapping[str, str]) -> None:
        """Show what is chosen, and what is fixed by hand: values by the names of decisions.

        Dice that the user throws have no seed: then there is no bar that rolls.
        """
        is_typed = choices.dice == TYPED
        self.form.show_choices(choices)
        self.fixed_list.show_fixed(fixed, in_one_row=is_typed)
        self.roll_bar.setVisible(not is_typed)
        self.enter_button.setVisible(is_typed)


def _line() -> QFrame:
    """Return a horizontal line between two parts of the page."""
    line = QFrame()
    line.setFrameShape(QFrame.Shape.HLine)
    line.setFrameShadow(QFrame.Shadow.Sunken)
    return line
