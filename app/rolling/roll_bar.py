"""Seed, map number and the buttons that roll: the lower end of the Randomize panel."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QHBoxLayout,
    QSizePolicy,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.qt_guard import connect
from app.rolling.roll_progress import RollProgress
from app.rolling.rolling import Rolling
from app.widgets.forms.number_field import NumberField
from app.widgets.layout.builders import described, labelled, lay_out, plain_text
from app.widgets.layout.wrapping_row import WrappingRow, side_by_side
from randomizer.model.basics.dice import NUMBER_LIMIT, SEED_LIMIT

FIELD_FRAME = 12
"""The room for the frame of a field beside its text, in logical pixels."""

NUMBER_DIGITS = 5
"""The digits that the field of the map number has room for; longer numbers scroll."""


class RollBar(QWidget):
    """Shows and changes the key choice of ``rolling``: seed, number, if a roll gets a new seed.

    Enter in a field rolls the map that is typed there; a field that is left without Enter shows
    the key of the map on display again. The progress of a slow roll replaces the options beside the
    button Roll, not the button: it can be pressed while another script is being loaded.
    """

    def __init__(self, rolling: Rolling, actions: tuple[QAction, QAction, QAction]) -> None:
        """Make the bar; ``actions`` are those of Roll, step back and step forward."""
        super().__init__()
        self._rolling = rolling
        roll_action, back_action, forward_action = actions
        self.seed = _seed_field()
        self.number = described(NumberField(NUMBER_LIMIT), "Map number")
        self.number.setToolTip(plain_text("Which map of this seed. Enter rolls it"))
        self.new_seed = QCheckBox("New seed")
        self.new_seed.setChecked(rolling.key_choice.new_seed)
        roll_title = roll_action.text().replace("&", "")
        self.new_seed.setToolTip(
            plain_text(
                f"{roll_title} lets chance choose the seed; without, it takes the next map of it"
            )
        )

        # Beside Roll there are the options, or the progress of a slow roll.
        self._progress_page = RollProgress(rolling)
        self.progress = self._progress_page.bar
        self.cancel_button = self._progress_page.cancel
        self._options_page = self._options(back_action, forward_action)
        self._pages = QStackedWidget()
        self._pages.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._pages.addWidget(self._options_page)
        self._pages.addWidget(self._progress_page)
        self._roll_button = _button(roll_action, is_wide=True)
        column = lay_out(QVBoxLayout(self), margins=0, spacing=4)
        column.addLayout(self._fields())
        column.addLayout(WrappingRow(self._roll_button, self._pages))

        self._previous_focus: QWidget | None = None
        """The widget that had the focus before Cancel got it, None if Cancel did not get it."""
        self._connect_fields()
        self._follow_rolling()
        self._show_state()

    def _connect_fields(self) -> None:
        """Let the fields change the key choice."""
        key_choice = self._rolling.key_choice
        connect(self.seed.typed, key_choice.type_seed)
        connect(self.number.typed, key_choice.type_number)
        for field in (self.seed, self.number):
            connect(field.returnPressed, self._rolling.roll_typed)
            connect(field.left, key_choice.forget_typed)
        connect(self.new_seed.toggled, key_choice.set_new_seed)

    def _follow_rolling(self) -> None:
        """Show the key choice and the roll under way as they change."""
        rolling = self._rolling
        key_choice = rolling.key_choice
        connect(key_choice.key_changed, self._show_state)
        connect(rolling.layers_changed, self._show_state)
        connect(key_choice.new_seed_changed, self._show_state)
        connect(key_choice.new_seed_changed, self.new_seed.setChecked)
        connect(rolling.slow_changed, self._show_progress)
        connect(rolling.busy_changed, self._give_focus_back)

    def _fields(self) -> WrappingRow:
        """Return a row with seed and number, one below the other in a narrow panel."""
        seed_digits = self.seed.max_digits
        seed_row = _labelled_field("See&d", self.seed, seed_digits)
        number_row = _labelled_field("Map n&o.", self.number, NUMBER_DIGITS)
        return WrappingRow(seed_row, number_row)

    def _options(self, back: QAction, forth: QAction) -> QWidget:
        """Return the page beside Roll while no slow roll is under way."""
        page = QWidget()
        lay_out(
            QHBoxLayout(page),
            (self.new_seed, 1),
            _button(back),
            _button(forth),
            margins=0,
            spacing=4,
        )
        return page

    # --- what is shown ----------------------------------------------------------------------

    def _show_state(self) -> None:
        """Show seed and number; empty fields if nothing was rolled and chance chooses the seed."""
        if self._rolling.next_roll.has_key:
            self._show_key()
        else:
            self.seed.show_none()
            self.number.show_none()

    def _show_key(self) -> None:
        key = self._rolling.key_choice.key
        self.seed.show_value(key.seed)
        self.number.show_value(key.number)

    def _show_progress(self, slow: bool) -> None:
        """Show the progress of a slow roll beside Roll, else the options.

        A person who has rolled with the keyboard can cancel with it: the focus goes to Cancel.
        """
        if not slow:
            self._pages.setCurrentWidget(self._options_page)
            return
        focus = QApplication.focusWidget()
        is_on_page = focus is not None and self._pages.isAncestorOf(focus)
        self._previous_focus = None
        if is_on_page or focus is self._roll_button:
            self._previous_focus = focus
        self._pages.setCurrentWidget(self._progress_page)
        if self._previous_focus is not None:
            self.cancel_button.setFocus()

    def _give_focus_back(self, busy: bool) -> None:
        """Give the focus back to the widget that had it, once its action is enabled again."""
        if not busy and self._previous_focus is not None:
            self._previous_focus.setFocus()
            self._previous_focus = None


def _labelled_field(title: str, field: NumberField, digits: int) -> QWidget:
    """Return a field with its label before it; the field is wide enough for so many digits."""
    digits_width = field.fontMetrics().horizontalAdvance("0" * digits)
    field.setMinimumWidth(digits_width + FIELD_FRAME)
    row = side_by_side(labelled(title, field), field)
    row.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    return row


def _seed_field() -> NumberField:
    field = NumberField(SEED_LIMIT)
    field.setAccessibleName("Seed")
    field.setToolTip(
        plain_text(
            "With the same script or choices, a seed and a map number always give the same map "
            f"(0 to {SEED_LIMIT - 1}). Enter rolls its first map"
        )
    )
    field.setPlaceholderText("not rolled")
    return field


def _button(action: QAction, *, is_wide: bool = False) -> QToolButton:
    """Return the button of an action; a wide one has its text beside the icon."""
    button = QToolButton()
    button.setDefaultAction(action)
    if is_wide:
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    button.setAccessibleName(action.text().replace("&", ""))
    return button
