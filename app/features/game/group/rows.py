"""A row of the window of a whole group, which tells the map that a slot of the game gets.

A row shows the slot's map in the game and the new one, and has fields for script, seed and lock:

    +---------+    +---------+   Hills   (state)
    | map now | -> | new map |   [script or map       v]
    +---------+    +---------+   Seed [7] No. [1]  lock roll edit

Its ``content`` says what the slot gets. The row itself changes only the seed, the number and the
lock in it. Everything else is a signal to ``GroupBoard``, which makes the maps, changes the content
and then calls ``show_state``.
"""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QSignalBlocker, QSize, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QSizePolicy,
    QToolButton,
)

from app.appearance.icons import icon
from app.appearance.quotes import with_quotes
from app.document.open_map import OpenMap
from app.features.game.group.rolls import Choice, OfferedSource
from app.features.game.group.slot_content import SlotContent
from app.features.game.thumbnail_label import ThumbnailLabel
from app.qt_guard import connect
from app.render.thumbnails.map_thumbnails import MapThumbnails
from app.widgets.dialogs.dialog_status import SeverityIcon
from app.widgets.forms.field_input import pass_wheel_on
from app.widgets.forms.number_field import NumberField
from app.widgets.layout.builders import STRETCH, described, lay_out, plain_label, plain_text
from app.widgets.layout.elided_label import ElidedLabel
from randomizer.games.slots import MapSlot, SlotLevel
from randomizer.model.basics.dice import NUMBER_LIMIT, SEED_LIMIT
from randomizer.model.problems import Severity

# The list of a row has two further kinds of sources (rolls.py); no ``Choice`` has them.

ASK_FILE = "ask"
"""The source of the last entry, "Open a file...": the user is asked for a file."""

TAB = "tab:"
"""The beginning of the source of an open map, see ``source_of_tab``."""

PICTURE_SIZE = QSize(96, 102)
"""The size of the pictures of a row, in logical pixels."""

DRAWN_SIZE = PICTURE_SIZE * 1.5
"""The size at which maps are drawn, to be shrunk to ``PICTURE_SIZE``.

Drawn smaller, they would have neither pictures of terrains nor hexsides.
"""

ROLL_TIP = "The next map of this seed"
"""The tip of the button that rolls, while it can be pressed."""

EDIT_TIP = "Open this map as a tab and change it by hand"
"""The tip of the button that edits, unless the map has a tab already."""

SEED_DIGITS = 10
"""The field of the seed is at least so many digits wide."""

NUMBER_DIGITS = 5
"""The field of the map number is at least so many digits wide."""

FIELD_MARGINS = 14
"""The width of a field beyond that of its digits, in logical pixels."""


def source_of_tab(open_map: OpenMap) -> str:
    """Return the source that stands for an open map in the lists of the rows."""
    return f"{TAB}{id(open_map)}"


class SlotRow(QFrame):
    """The row of one slot: its name, state, pictures, fields and buttons."""

    source_chosen = Signal(str)
    """An offered source was chosen: that of a ``Choice``, of a tab, or ``ASK_FILE``."""

    key_typed = Signal()
    """Another seed or number was typed; ``content`` has it."""

    lock_toggled = Signal()
    """The roll was locked or unlocked by hand; ``content`` has it."""

    roll_requested = Signal()
    """The next map of the seed should be rolled."""

    edit_requested = Signal()
    """The map should be shown in a tab, to be edited."""

    def __init__(
        self,
        slot: MapSlot,
        choice: Choice,
        thumbnails: MapThumbnails,
        level: SlotLevel,
    ) -> None:
        super().__init__()
        self.map_slot = slot
        self.slot = slot.name
        """The name of the slot."""
        self._level = level
        """The game's words for its slots."""
        self.content = SlotContent(choice)
        """Tells what the slot gets."""
        self._icons: dict[QToolButton, str] = {}
        """The names of the icons of the buttons."""
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAccessibleName(self.slot)
        self.picture_in_game = ThumbnailLabel(
            thumbnails, PICTURE_SIZE, f"{self.slot} in the game now"
        )
        self.picture_to_export = ThumbnailLabel(
            thumbnails, PICTURE_SIZE, f"{self.slot} to be exported"
        )
        for picture in (self.picture_in_game, self.picture_to_export):
            picture.setToolTip(plain_text(picture.accessibleName()))
        self._make_fields()
        self._make_buttons()
        self.draw_icons()
        self._lay_out()
        self.show_state()

    def _make_fields(self) -> None:
        """Make the title, the message, the list of sources, and the fields for the roll's key."""
        self.title = plain_label(self.slot)
        font = self.title.font()
        font.setBold(True)
        self.title.setFont(font)
        self._sign = SeverityIcon()
        self.message = described(ElidedLabel(), f"State of {self.slot}")
        tip = f"What this {self._level.name} is rolled from, or which map it gets"
        self.source_box = described(
            pass_wheel_on(QComboBox()), f"Script or map for {self.slot}", tip
        )
        self.source_box.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        connect(
            self.source_box.activated,
            lambda index: self.source_chosen.emit(self.source_box.itemData(index)),
        )
        tip = "The same script, seed and map number always give the same map"
        self.seed = described(NumberField(SEED_LIMIT), f"Seed of {self.slot}", tip)
        tip = "Which map of this seed; Roll takes the next one"
        self.number = described(NumberField(NUMBER_LIMIT), f"Map number of {self.slot}", tip)
        for field, digits in ((self.seed, SEED_DIGITS), (self.number, NUMBER_DIGITS)):
            digits_width = field.fontMetrics().horizontalAdvance("0" * digits)
            field.setMinimumWidth(digits_width + FIELD_MARGINS)
            connect(field.typed, self._on_key_typed)

    def _make_buttons(self) -> None:
        """Make the buttons that lock, roll and edit the map."""
        self.lock_button = self._button("lock", "Lock", "Keep this roll when all are rolled again")
        self.lock_button.setCheckable(True)
        connect(self.lock_button.toggled, self._on_lock_toggled)
        self.roll_button = self._button("reroll", "Roll", ROLL_TIP)
        connect(self.roll_button.clicked, self.roll_requested)
        self.edit_button = self._button("brush", "Edit", EDIT_TIP)
        connect(self.edit_button.clicked, self.edit_requested)

    def _button(self, picture: str, name: str, tip: str) -> QToolButton:
        """Return a new button with the icon ``picture``; screen readers call it ``name``."""
        button = described(QToolButton(), f"{name} {self.slot}", tip)
        button.setAutoRaise(True)
        self._icons[button] = picture
        return button

    def _lay_out(self) -> None:
        """Lay out three lines beside the two pictures: name, script, and seed with the buttons."""
        grid = QGridLayout(self)
        grid.setContentsMargins(6, 4, 6, 4)
        grid.setVerticalSpacing(3)
        # The pictures and the arrow between them are as high as all three lines.
        arrow = plain_label("\N{RIGHTWARDS ARROW}")
        for column, widget in enumerate((self.picture_in_game, arrow, self.picture_to_export)):
            grid.addWidget(widget, 0, column, 3, 1)
        head = lay_out(QHBoxLayout(), self.title, self._sign, (self.message, 1), spacing=6)
        grid.addLayout(head, 0, 3)
        grid.addWidget(self.source_box, 1, 3)
        for field in (self.seed, self.number):
            field.setMaximumWidth(2 * field.minimumWidth())
        key = (plain_label("Seed"), (self.seed, 3), plain_label("No."), (self.number, 2))
        buttons = (self.lock_button, self.roll_button, self.edit_button, STRETCH)
        grid.addLayout(lay_out(QHBoxLayout(), *key, *buttons, spacing=4), 2, 3)
        grid.setColumnStretch(3, 1)

    # --- what is chosen by hand -------------------------------------------------------------

    def _on_key_typed(self, _number: object) -> None:
        """Store the typed seed and number in the choice."""
        self.content.choose_key(self.seed.value, self.number.value)
        self.key_typed.emit()

    def _on_lock_toggled(self, is_locked: bool) -> None:
        """Store the lock, which the user has pressed, in the choice."""
        self.content.lock(is_locked)
        self.show_state()
        self.lock_toggled.emit()

    # --- what is shown ----------------------------------------------------------------------

    def offer(self, sources: Iterable[OfferedSource | None]) -> None:
        """Offer these sources in the list, None for a line between them; the choice stays."""
        self.source_box.clear()
        for offered in sources:
            if offered is None:
                self.source_box.insertSeparator(self.source_box.count())
            else:
                self.source_box.addItem(offered.title, offered.source)
        self.show_state()

    def show_state(self) -> None:
        """Bring all fields and buttons up to date with ``content``."""
        content = self.content
        choice = content.choice
        if content.tab is None:
            source = choice.source
            edit_tip = EDIT_TIP
        else:
            source = source_of_tab(content.tab)
            edit_tip = "Go to the tab with this map"
        self.source_box.setCurrentIndex(self.source_box.findData(source))
        self.source_box.setEnabled(content.tab is not None or not choice.locked)
        self.edit_button.setToolTip(plain_text(edit_tip))
        self.seed.show_value(choice.seed)
        self.number.show_value(choice.number)
        for field in (self.seed, self.number):
            field.setEnabled(content.can_reroll)
        with QSignalBlocker(self.lock_button):
            self.lock_button.setChecked(choice.locked)
        self.lock_button.setEnabled(content.is_rolled)
        if content.can_reroll:
            roll_tip = ROLL_TIP
        elif choice.locked:
            roll_tip = "It is locked"
        else:
            roll_tip = "Only what a script rolls can be rolled again"
        self.roll_button.setEnabled(content.can_reroll)
        self.roll_button.setToolTip(plain_text(roll_tip))

    def say(self, text: str, severity: Severity | None = None) -> None:
        """Show the state of the slot beside its name, with the sign of a problem."""
        shown_text = with_quotes(text)
        self.message.setText(shown_text)
        self.message.setToolTip(plain_text(shown_text))
        self._sign.show_severity(severity)

    def draw_icons(self) -> None:
        """Draw the buttons' icons in the present colours of the palette."""
        for button, picture in self._icons.items():
            button.setIcon(icon(picture))
