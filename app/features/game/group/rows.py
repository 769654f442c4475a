"""One row of the window of a whole group: which map one slot of the game gets.

A row shows the slot's map in the game and the new one, and has fields for script, seed and lock. It
only tells of what was pressed and typed; ``GroupBoard`` makes the maps, and brings its rows up to
date.
"""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QSizePolicy,
    QToolButton,
)

from app.appearance.icons import icon
from app.document.open_map import OpenMap
from app.features.game.group.rolls import Choice
from app.features.game.thumbnail_label import ThumbnailLabel
from app.qt_guard import connect
from app.render.thumbnails.map_thumbnails import MapThumbnails
from app.widgets.dialogs.dialog_status import SeverityIcon
from app.widgets.forms.field_input import pass_wheel_on
from app.widgets.forms.number_field import NumberField
from app.widgets.layout.builders import STRETCH, described, lay_out, plain_label, plain_text
from app.widgets.layout.elided_label import ElidedLabel
from randomizer.formats import ReadResult
from randomizer.games import MapSlot, PlaceLevel
from randomizer.model.basics.dice import NUMBER_LIMIT, SEED_LIMIT
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Severity, has_errors

ASK_FILE = "ask"
"""The source of the list's last entry: a file, which a person is asked for."""

TAB = "tab:"
"""A source that begins so goes on with the ``id`` of an open map."""

PICTURE_SIZE = QSize(96, 102)
"""The size of the pictures of a row, in logical pixels."""

DRAWN_SIZE = PICTURE_SIZE * 1.5
"""The size at which maps are drawn, to be shrunk to ``PICTURE_SIZE``.

Drawn smaller, they would have neither pictures of terrains nor hexsides.
"""

SEED_DIGITS = 10
"""The field of the seed is at least so many digits wide."""

NUMBER_DIGITS = 5
"""The field of the map number is at least so many digits wide."""

FIELD_MARGINS = 14
"""The width of a field beyond that of its digits, in logical pixels."""


class SlotRow(QFrame):
    """The row of one slot: its name, state, pictures, fields and buttons."""

    source_chosen = Signal(str)
    """One of the offered sources was chosen: one of a ``Choice``, ``TAB`` or ``ASK_FILE``."""

    key_typed = Signal()
    """Another seed or number was typed; ``choice`` has it."""

    lock_toggled = Signal()
    """The roll was locked or unlocked by hand; ``choice`` has it."""

    roll_requested = Signal()
    """The next map of the seed should be rolled."""

    edit_requested = Signal()
    """The map should be shown in a tab, to be edited."""

    def __init__(
        self,
        slot: MapSlot,
        choice: Choice,
        thumbnails: MapThumbnails,
        level: PlaceLevel,
    ) -> None:
        super().__init__()
        self.map_slot = slot
        self.slot = slot.name
        """The name of the slot."""
        self._level = level
        """The game's words for its slots."""
        self.choice = choice
        """The choice for the slot."""
        self.tab: OpenMap | None = None
        """The open map that the slot gets instead of the map of ``choice``; None for none."""
        self.trial: ReadResult | None = None
        """The result of making the map of ``choice``; None until it is made."""
        self.trial_key = ""
        """The key of the thumbnail of that map: another one for each map that is made."""
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAccessibleName(self.slot)
        self.pictures = {
            "now": ThumbnailLabel(thumbnails, PICTURE_SIZE, f"{self.slot} in the game now"),
            "new": ThumbnailLabel(thumbnails, PICTURE_SIZE, f"{self.slot} to be exported"),
        }
        for picture in self.pictures.values():
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
        self.script = described(pass_wheel_on(QComboBox()), f"Script or map for {self.slot}", tip)
        self.script.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        connect(
            self.script.activated,
            lambda index: self.source_chosen.emit(self.script.itemData(index)),
        )
        tip = "The same script, seed and map number always give the same map"
        self.seed = described(NumberField(SEED_LIMIT), f"Seed of {self.slot}", tip)
        tip = "Which map of this seed; Roll takes the next one"
        self.number = described(NumberField(NUMBER_LIMIT), f"Map number of {self.slot}", tip)
        for field, digits in ((self.seed, SEED_DIGITS), (self.number, NUMBER_DIGITS)):
            digits_width = field.fontMetrics().horizontalAdvance("0" * digits)
            field.setMinimumWidth(digits_width + FIELD_MARGINS)
            connect(field.typed, self._read_key)

    def _make_buttons(self) -> None:
        """Make the buttons that lock, roll and edit the map."""
        self._icons: dict[QToolButton, str] = {}
        """The names of the icons of the buttons."""
        self.lock = self._button("lock", "Lock", "Keep this roll when all are rolled again")
        self.lock.setCheckable(True)
        connect(self.lock.toggled, self._read_lock)
        self.roll_button = self._button("reroll", "Roll", "The next map of this seed")
        connect(self.roll_button.clicked, self.roll_requested)
        self.edit = self._button("brush", "Edit", "Open this map as a tab and change it by hand")
        connect(self.edit.clicked, self.edit_requested)

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
        for column, widget in enumerate((self.pictures["now"], arrow, self.pictures["new"])):
            grid.addWidget(widget, 0, column, 3, 1)
        head = lay_out(QHBoxLayout(), self.title, self._sign, (self.message, 1), spacing=6)
        grid.addLayout(head, 0, 3)
        grid.addWidget(self.script, 1, 3)
        for field in (self.seed, self.number):
            field.setMaximumWidth(2 * field.minimumWidth())
        key = (plain_label("Seed"), (self.seed, 3), plain_label("No."), (self.number, 2))
        buttons = (self.lock, self.roll_button, self.edit, STRETCH)
        grid.addLayout(lay_out(QHBoxLayout(), *key, *buttons, spacing=4), 2, 3)
        grid.setColumnStretch(3, 1)

    # --- what is chosen by hand -------------------------------------------------------------

    def _read_key(self, _number: object) -> None:
        """Take the typed seed and number over into the choice."""
        self.choice = self.choice._replace(seed=self.seed.value, number=self.number.value)
        self.key_typed.emit()

    def _read_lock(self, is_locked: bool) -> None:
        """Take the state of the lock over into the choice, if the user has pressed it."""
        if is_locked != self.choice.locked:  # else ``show_state`` has set the button
            self.choice = self.choice._replace(locked=is_locked)
            self.show_state()
            self.lock_toggled.emit()

    # --- the map ----------------------------------------------------------------------------

    @property
    def is_pending(self) -> bool:
        """True if the map of the choice is still to be made."""
        return self.tab is None and bool(self.choice.source) and self.trial is None

    @property
    def battlemap(self) -> BattleMap | None:
        """The new map of the slot, None where there is none."""
        if self.tab is not None:
            return self.tab.battlemap
        if self.trial is not None:
            return self.trial.battlemap
        return None

    @property
    def is_faulty(self) -> bool:
        """True if the map of the choice cannot be made, or has errors."""
        if self.tab is not None or self.trial is None:
            return False
        return self.trial.battlemap is None or has_errors(self.trial.problems)

    @property
    def is_rolled(self) -> bool:
        """True if the slot gets what a script rolls."""
        return self.tab is None and self.choice.is_rolled

    @property
    def can_roll(self) -> bool:
        """True if a roll gives another map."""
        return self.is_rolled and not self.choice.locked

    # --- what is shown ----------------------------------------------------------------------

    def offer(self, sources: Iterable[tuple[str, str] | None]) -> None:
        """Offer these (title, source) in the list, None for a line; the choice stays."""
        self.script.clear()
        for source in sources:
            if source is None:
                self.script.insertSeparator(self.script.count())
            else:
                self.script.addItem(*source)
        self.show_state()

    def show_state(self) -> None:
        """Bring all fields and buttons up to date with ``choice`` and ``tab``."""
        choice = self.choice
        if self.tab is None:
            source = choice.source
            edit_tip = "Open this map as a tab and change it by hand"
        else:
            source = f"{TAB}{id(self.tab)}"
            edit_tip = "Go to the tab with this map"
        self.script.setCurrentIndex(self.script.findData(source))
        self.script.setEnabled(self.tab is not None or not choice.locked)
        self.edit.setToolTip(plain_text(edit_tip))
        self.seed.show_value(choice.seed)
        self.number.show_value(choice.number)
        for field in (self.seed, self.number):
            field.setEnabled(self.can_roll)
        self.lock.setChecked(choice.locked)
        self.lock.setEnabled(self.is_rolled)
        if self.can_roll:
            roll_tip = "The next map of this seed"
        elif choice.locked:
            roll_tip = "It is locked"
        else:
            roll_tip = "Only what a script rolls can be rolled again"
        self.roll_button.setEnabled(self.can_roll)
        self.roll_button.setToolTip(plain_text(roll_tip))

    def say(self, text: str, severity: Severity | None = None) -> None:
        """Show the state of the slot beside its name, with the sign of a problem."""
        self.message.setText(text)
        self.message.setToolTip(plain_text(text))
        self._sign.show_severity(severity)

    def draw_icons(self) -> None:
        """Draw the buttons' icons in the present colours of the palette."""
        for button, picture in self._icons.items():
            button.setIcon(icon(picture))
