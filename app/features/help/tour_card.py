"""The card of the tour: the text of a step, with the buttons Skip, Back and Next.

``Tour`` shows each step on it (``show_step``). The buttons stay under the mouse from step to step:
the card has the size of the largest step, see ``fit``.
"""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.qt_guard import guarded
from app.widgets.layout.builders import STRETCH, described, lay_out, plain_label

TEXT_WIDTH = 244
"""The width of the text, in logical pixels: so the card is no wider than palette and tools."""

NEXT_TEXT = "&Next"
"""The text of the button Next, except at the last step."""

LAST_TEXT = "&Done"
"""The text of the button Next at the last step."""

PRESS_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
"""The keys that press the button which has the keyboard, as Space does."""


class TourCard(QFrame):
    """Shows a step, and presses its buttons by keys; what they do is up to ``Tour``."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAutoFillBackground(True)
        self.title = plain_label()
        font = self.title.font()
        font.setBold(True)
        self.title.setFont(font)
        self.message = plain_label(wordWrap=True)
        self.message.setFixedWidth(TEXT_WIDTH)
        self.message.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.skip_button = QPushButton("&Skip")
        self.skip_button.setToolTip(
            "End the tour (Esc, or a click beside the card); Help > Tour starts it again"
        )
        self.back_button = described(QPushButton("&Back"), tip="The step before this one (Left)")
        self.next_button = described(QPushButton(), tip="The next step (Right)")
        buttons = lay_out(
            QHBoxLayout(), self.skip_button, STRETCH, self.back_button, self.next_button
        )
        lay_out(QVBoxLayout(self), self.title, (self.message, 1), buttons)
        for button in (self.skip_button, self.back_button, self.next_button):
            button.installEventFilter(self)

    def fit(self, texts: Iterable[str]) -> None:
        """Make the card large enough for the largest text, and Next for both of its texts."""
        heights = []
        for text in texts:
            self.message.setText(text)
            heights.append(self.message.heightForWidth(TEXT_WIDTH))
        widths = []
        for text in (NEXT_TEXT, LAST_TEXT):
            self.next_button.setText(text)
            widths.append(self.next_button.sizeHint().width())
        self.message.setFixedHeight(max(heights, default=0))
        self.next_button.setFixedWidth(max(widths))
        self.adjustSize()

    def show_step(self, title: str, text: str, number: int, count: int) -> None:
        """Show a step; it is the step ``number`` of ``count``, counted from 1."""
        self.title.setText(f"{title}  ({number} of {count})")
        self.message.setText(text)
        self.back_button.setEnabled(number > 1)
        if number == count:
            self.next_button.setText(LAST_TEXT)
        else:
            self.next_button.setText(NEXT_TEXT)
        self.next_button.setAccessibleDescription(f"{title}. {text}")
        self.next_button.setFocus()

    # --- keys -------------------------------------------------------------------------------

    @guarded(default=False)
    def focusNextPrevChild(self, forward: bool) -> bool:
        """Move the keyboard by Tab from button to button of the card, and round again."""
        all_buttons = (self.next_button, self.skip_button, self.back_button)
        buttons = [button for button in all_buttons if button.isEnabled()]
        index = 0  # if no button has the keyboard
        for button_index, button in enumerate(buttons):
            if button.hasFocus():
                index = button_index
        step = 1
        if not forward:
            step = -1
        buttons[(index + step) % len(buttons)].setFocus()
        return True

    @guarded(default=False)
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Look at each key before the button that has the keyboard gets it."""
        is_press = event.type() == QEvent.Type.KeyPress
        if is_press and isinstance(event, QKeyEvent) and self._press_button_of_key(event):
            return True
        return super().eventFilter(watched, event)

    def _press_button_of_key(self, event: QKeyEvent) -> bool:
        """Press the button that a key stands for; return False for a key that stands for none."""
        button = self._button_of_key(event)
        if button is None:
            return False
        button.click()
        return True

    def _button_of_key(self, event: QKeyEvent) -> QPushButton | None:
        """Return the button for an arrow, Enter, or Alt with the letter of a button; else None."""
        key = event.key()
        if key == Qt.Key.Key_Left:
            return self.back_button
        if key == Qt.Key.Key_Right:
            return self.next_button

        buttons = (self.next_button, self.back_button, self.skip_button)
        if key in PRESS_KEYS:
            for button in buttons:
                if button.hasFocus():
                    return button
            return self.next_button

        # The letters of buttons are shortcuts, which the tour keeps from the whole window: so the
        # buttons do not get them from Qt.
        if event.modifiers() == Qt.KeyboardModifier.AltModifier:
            typed_keys = QKeySequence(event.keyCombination())
            for button in buttons:
                if QKeySequence.mnemonic(button.text()) == typed_keys:
                    return button
        return None
