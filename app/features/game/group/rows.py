"""One slot of a group in a window: its map in the game and the new one, script, seed, lock."""

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
from app.render.thumbnails.thumbnail_queue import MapThumbnails
from app.widgets.dialogs.dialog_status import SeverityIcon
from app.widgets.forms.field_input import pass_wheel_on
from app.widgets.forms.number_field import NumberField
from app.widgets.layout.builders import STRETCH, described, lay_out, plain_label, plain_text
from app.widgets.layout.elided_label import ElidedLabel
from randomizer.formats import ReadResult
from randomizer.games import MapSlot, PlaceLevel
from randomizer.model.basics.dice import NUMBER_LIMIT, SEED_LIMIT
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Severity

ASK = "ask"
TAB = "tab:"
SHOWN = QSize(96, 102)
"""The pictures of a row, in logical pixels."""
DRAWN = SHOWN * 1.5
"""The pictures that are shrunk for it."""


class SlotRow(QFrame):
    """One slot of a game's place: which map it gets, with a picture and buttons to change it."""

    source_chosen = Signal(str)
    """One of the offered sources was chosen."""
    key_typed = Signal()
    """Another seed or number was typed."""
    lock_toggled = Signal()
    roll_wanted = Signal()
    edit_wanted = Signal()

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
        self._level = level
        self.choice = choice
        self.tab: OpenMap | None = None
        self.trial: ReadResult | None = None
        self.trial_key = ""
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAccessibleName(self.slot)
        self.pictures = {
            "now": ThumbnailLabel(thumbnails, SHOWN, f"{self.slot} in the game now"),
            "new": ThumbnailLabel(thumbnails, SHOWN, f"{self.slot} to be exported"),
        }
        for picture in self.pictures.values():
            picture.setToolTip(plain_text(picture.accessibleName()))
        self._make_fields()
        self._make_buttons()
        self.draw_icons()
        self._lay_out()
        self.show_state()

    def _make_fields(self) -> None:
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
        for field, digits in ((self.seed, 10), (self.number, 5)):
            field.setMinimumWidth(field.fontMetrics().horizontalAdvance("0" * digits) + 14)
            connect(field.typed, self._read_key)

    def _make_buttons(self) -> None:
        self._icons: dict[QToolButton, str] = {}
        self.lock = self._button("lock", "Lock", "Keep this roll when all are rolled again")
        self.lock.setCheckable(True)
        connect(self.lock.toggled, self._read_lock)
        self.roll_button = self._button("reroll", "Roll", "The next map of this seed")
        connect(self.roll_button.clicked, self.roll_wanted)
        self.edit = self._button("brush", "Edit", "Open this map as a tab and change it by hand")
        connect(self.edit.clicked, self.edit_wanted)

    def _button(self, picture: str, name: str, tip: str) -> QToolButton:
        button = described(QToolButton(), f"{name} {self.slot}", tip)
        button.setAutoRaise(True)
        self._icons[button] = picture
        return button

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(6, 4, 6, 4)
        grid.setVerticalSpacing(3)
        grid.addWidget(self.pictures["now"], 0, 0, 3, 1)
        grid.addWidget(plain_label("\N{RIGHTWARDS ARROW}"), 0, 1, 3, 1)
        grid.addWidget(self.pictures["new"], 0, 2, 3, 1)
        head = lay_out(QHBoxLayout(), self.title, self._sign, (self.message, 1), spacing=6)
        grid.addLayout(head, 0, 3)
        grid.addWidget(self.script, 1, 3)
        for field in (self.seed, self.number):
            field.setMaximumWidth(2 * field.minimumWidth())
        key = (plain_label("Seed"), (self.seed, 3), plain_label("No."), (self.number, 2))
        buttons = (self.lock, self.roll_button, self.edit, STRETCH)
        grid.addLayout(lay_out(QHBoxLayout(), *key, *buttons, spacing=4), 2, 3)
        grid.setColumnStretch(3, 1)

    # --- what hands do ----------------------------------------------------------------------

    def _read_key(self, _number: object) -> None:
        self.choice = self.choice._replace(seed=self.seed.value, number=self.number.value)
        self.key_typed.emit()

    def _read_lock(self, locked: bool) -> None:
        if locked != self.choice.locked:
            self.choice = self.choice._replace(locked=locked)
            self.show_state()
            self.lock_toggled.emit()

    # --- what is shown ----------------------------------------------------------------------

    @property
    def pending(self) -> bool:
        """True if a map of the choice is still to be made."""
        return self.tab is None and bool(self.choice.source) and self.trial is None

    @property
    def battlemap(self) -> BattleMap | None:
        """The new map of the slot, None where there is none."""
        if self.tab is not None:
            return self.tab.battlemap
        return None if self.trial is None else self.trial.battlemap

    @property
    def can_roll(self) -> bool:
        """True if a roll gives another map."""
        return self.tab is None and self.choice.rolled and not self.choice.locked

    def offer(self, sources: Iterable[tuple[str, str] | None]) -> None:
        """These (words, source), with lines between them for None; the choice stays."""
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
        tab = self.tab
        source = choice.source if tab is None else f"{TAB}{id(tab)}"
        self.script.setCurrentIndex(self.script.findData(source))
        self.seed.show_value(choice.seed)
        self.number.show_value(choice.number)
        self.lock.setChecked(choice.locked)
        rolled = tab is None and choice.rolled
        self.script.setEnabled(tab is not None or not choice.locked)
        for field in (self.seed, self.number):
            field.setEnabled(rolled and not choice.locked)
        self.lock.setEnabled(rolled)
        self.roll_button.setEnabled(self.can_roll)
        if choice.locked:
            why = "It is locked"
        else:
            why = "Only what a script rolls can be rolled again"
        self.roll_button.setToolTip(
            plain_text("The next map of this seed" if self.can_roll else why)
        )
        self.edit.setToolTip(
            "Open this map as a tab and change it by hand"
            if tab is None
            else "Go to the tab with this map"
        )

    def say(self, text: str, severity: Severity | None = None) -> None:
        """Words beside the name, with the sign of a problem."""
        self.message.setText(text)
        self.message.setToolTip(plain_text(text))
        self._sign.show_severity(severity)

    def draw_icons(self) -> None:
        """Draw the buttons' icons in the palette's colours of now."""
        for button, picture in self._icons.items():
            button.setIcon(icon(picture))
