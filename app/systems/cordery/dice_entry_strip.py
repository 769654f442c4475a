"""The strip that asks for dice thrown at a real table, one after the other.

    6.1 Railway 1 entry: throw a D6             the die that is asked for
    It decides the quarter of the map ...       what it decides, and how it is entered
    [1] [2] [3] [4] [5] [6]                     a button for each score
    (4) (2)                  14 of about 65     dice of this throw so far; dice of the table so far
    [Take back] [Throw the rest] [Stop entering]

The texts of the questions are in ``die_questions``. A score can be typed wherever the keyboard is,
but in text fields: the strip filters the events of other widgets for digits.
"""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPalette
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.qt_guard import connect, guarded
from app.systems.cordery.dice_faces import DiceFaces, face_icon
from app.systems.cordery.die_questions import describe_die, describe_meaning
from app.widgets.layout.builders import (
    described,
    lay_out,
    plain_label,
    say_below,
    stop_saying,
)
from app.widgets.layout.wrapping_row import WrappingRow
from randomizer.systems.cordery.dice.scores import SIDES
from randomizer.systems.cordery.dice.wanted_die import DieWantedError
from randomizer.systems.cordery.entered_dice import EnteredDice

FACE_WIDTH = 28
"""The width of a die on a button, in logical pixels."""

FACE_MARGIN = 3
"""The margin on each side of it; with a larger one six buttons are wider than a narrow panel."""

FACES_WIDTH = 48
"""The width for the dice of an incomplete throw, in logical pixels: there are two at most."""

SCORES = tuple(str(score) for score in range(1, SIDES + 1))
"""The keys that enter a die."""

PROGRESS_TIP = (
    "The dice that were entered, and about how many the table takes: that depends on what they show"
)

DIGITS = tuple("0123456789")
"""The keys that the strip handles. Those that are no score are typing errors, which it tells."""

TYPING_MODIFIERS = Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier
"""The modifiers with which a key types a digit: French keyboards have the digits above Shift."""

WRONG_SCORE = "A die shows 1 to 6."

LONG_QUESTION = "6.1 Railway 1 entry: throw a D6 for area 0901"
"""A question of the greatest length. Space is left for it, so that the buttons never move."""

LONG_MEANING = (
    "It decides the quarter of the map edge where it enters (1 to 6, clockwise from the top left "
    "corner). Click what it shows, or press 1 to 6."
)
"""A text below a question that is longer than nearly all: only some about forks are longer."""

STOP_TIP = "Ask for no more dice; the map keeps those that were entered (Esc)"
STOP_CHANGE_TIP = "Ask for no more dice and drop these; the table stays as it was (Esc)"

TABLE_STAYS = "The old table stays until the last die. Stop entering keeps it."
"""Stands below the question for a die of a new table, which replaces one."""

INPUT_EVENTS = (QEvent.Type.KeyPress, QEvent.Type.ShortcutOverride, QEvent.Type.MouseButtonPress)
"""The events of keys and mouse buttons; all but those of digits end ``ignore_digits``."""


class EntryStrip(QFrame):
    """Asks for one die after the other: six buttons, the keys 1 to 6, and how far one is.

    It is hidden until ``ask``. The owner hides it when no die is asked for any more. A person who
    types fast may type a digit too many then, which must not become the key of a command. So the
    owner calls ``ignore_digits``: digits do nothing until a click or another key comes.
    """

    entered = Signal(int)
    """The score of the die that was asked for, 1 to 6."""

    taken_back = Signal()
    """The user takes back the last die."""

    rest_wanted = Signal()
    """The program is to throw the dice that are still asked for."""

    ended = Signal()
    """The user enters no more dice."""

    surplus_digit = Signal()
    """A digit was typed after the last die."""

    impossible_score = Signal()
    """A digit was typed that no die shows."""

    def __init__(self) -> None:
        super().__init__()
        self._ignores_digits = False
        """True from ``ignore_digits`` to the next input that is no digit, or the next question."""
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAutoFillBackground(True)
        self.setBackgroundRole(QPalette.ColorRole.AlternateBase)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Enter the dice")
        self.label = plain_label(wordWrap=True)
        font = self.label.font()
        font.setBold(True)
        self.label.setFont(font)
        self.meaning = plain_label(wordWrap=True)
        self.old_table = plain_label(TABLE_STAYS, wordWrap=True)
        self.faces = DiceFaces()
        self.buttons = [self._score_button(score) for score in range(1, SIDES + 1)]
        self.progress = plain_label()
        self.progress.setToolTip(PROGRESS_TIP)
        self.back_button = QPushButton("Take back")
        self.back_button.setToolTip("Take the last die back (Backspace)")
        connect(self.back_button.clicked, self._take_back)
        self.rest_button = QPushButton("Throw the rest")
        self.rest_button.setToolTip(
            "Let the program throw the dice that are still to come; the log tells which they were"
        )
        connect(self.rest_button.clicked, self.rest_wanted)
        self.end_button = QPushButton("Stop entering")
        connect(self.end_button.clicked, self.ended)
        self._lay_out()
        self.hide()

    def _lay_out(self) -> None:
        """Arrange the question, the buttons of scores, the dice so far and the other buttons."""
        score_buttons = QHBoxLayout()
        score_buttons.setSpacing(0)
        for button in self.buttons:
            score_buttons.addWidget(button)
        score_buttons.addStretch(1)
        self.faces.setMinimumWidth(FACES_WIDTH)
        # A line of their own: beside the three buttons a narrow panel has room for one die.
        entered_dice = lay_out(QHBoxLayout(), (self.faces, 1), self.progress)
        lay_out(
            QVBoxLayout(self),
            _with_room_for(LONG_QUESTION, self.label),
            _with_room_for(LONG_MEANING, self.meaning),
            score_buttons,
            entered_dice,
            WrappingRow(self.back_button, self.rest_button, self.end_button),
            self.old_table,
            margins=(6, 4, 6, 4),
            spacing=3,
        )

    def _score_button(self, score: int) -> QToolButton:
        """Return the button that enters a score; a click on it does not take the keyboard."""
        button = described(QToolButton(), str(score), f"The die shows {score} (key {score})")
        button.setAutoRaise(True)
        button.setIconSize(QSize(FACE_WIDTH, FACE_WIDTH))
        button.setFixedWidth(FACE_WIDTH + 2 * FACE_MARGIN)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        connect(button.clicked, lambda _checked: self.entered.emit(score))
        return button

    def draw_icons(self) -> None:
        """Draw the dice in the palette's colours."""
        for score, button in enumerate(self.buttons, 1):
            button.setIcon(face_icon(score, FACE_WIDTH, self.palette(), self.devicePixelRatioF()))

    def ask(self, die: DieWantedError, dice: EnteredDice, *, replaces_table: bool) -> None:
        """Ask for a die, after the dice ``dice``, which are entered already.

        ``replaces_table`` is True if they are for a new table in place of one that lies.
        """
        self._accept_digits()
        stop_saying(WRONG_SCORE)
        self.old_table.setVisible(replaces_table)
        self.label.setText(describe_die(die))
        self.meaning.setText(describe_meaning(die, len(dice.incomplete_throw)))
        self.progress.setText(f"{dice.progress} dice")
        self.faces.show_scores(dice.incomplete_throw)
        self.back_button.setEnabled(dice.count > 0)
        if dice.changes_table:
            self.end_button.setToolTip(STOP_CHANGE_TIP)
        else:
            self.end_button.setToolTip(STOP_TIP)
        if self.isHidden():
            self.show()
            self.setFocus()

    def redirect_digits_of(self, widget: QWidget) -> None:
        """Enter the digits that are typed while ``widget`` has the keyboard and dice are asked for.

        The widget gets all other keys as before. It should not be a field for text.
        """
        widget.installEventFilter(self)

    def ignore_digits(self) -> None:
        """Let digits do nothing in the whole program, until a click or another key comes."""
        if not self._ignores_digits:
            self._ignores_digits = True
            _application().installEventFilter(self)

    def _accept_digits(self) -> None:
        """End ``ignore_digits``."""
        if self._ignores_digits:
            self._ignores_digits = False
            _application().removeEventFilter(self)

    @guarded(default=False)
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle a digit before the watched widget, or the key of a command, gets it."""
        if not (isinstance(event, QKeyEvent) and _is_plain_digit(event)):
            if self._ignores_digits and event.type() in INPUT_EVENTS:
                self._accept_digits()
            return super().eventFilter(watched, event)
        is_asking = not self.isHidden()
        if not (is_asking or self._ignores_digits):
            return super().eventFilter(watched, event)
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()  # else Qt would run the command whose key the digit is
        elif event.type() == QEvent.Type.KeyPress and is_asking:
            self._enter_digit(event.text())
        elif event.type() == QEvent.Type.KeyPress:
            self.surplus_digit.emit()
        return True

    @guarded(default=False)
    def event(self, event: QEvent) -> bool:
        """Claim the keys of the dice while the strip has the keyboard, before commands get them."""
        if event.type() == QEvent.Type.ShortcutOverride:
            assert isinstance(event, QKeyEvent)
            is_own_key = event.key() in (Qt.Key.Key_Escape, Qt.Key.Key_Backspace)
            if _is_plain_digit(event) or is_own_key:
                event.accept()
                return True
        return super().event(event)

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter a score, take a die back (Backspace) or end (Escape)."""
        if _is_plain_digit(event):
            self._enter_digit(event.text())
        elif event.key() == Qt.Key.Key_Backspace:
            self.taken_back.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.ended.emit()
        else:
            super().keyPressEvent(event)

    def _take_back(self) -> None:
        """Take the last die back, and return the keyboard from the button to the dice."""
        self.taken_back.emit()
        self.setFocus()

    def _enter_digit(self, digit: str) -> None:
        """Enter a digit as a score, or tell that no die shows it."""
        if digit in SCORES:
            self.entered.emit(int(digit))
        else:
            # Beside the dice, where the eye is; the status bar says it, too.
            say_below(self.buttons[0], WRONG_SCORE)
            self.impossible_score.emit()


def _with_room_for(text: str, label: QLabel) -> QWidget:
    """Return a widget with a label, which is never lower than the label would be with ``text``."""
    # An invisible label with the text lies in the same cell and gives it its least height.
    room = plain_label(text, wordWrap=True)
    room.setFont(label.font())
    policy = label.sizePolicy()
    policy.setRetainSizeWhenHidden(True)
    room.setSizePolicy(policy)
    room.hide()
    widget = QWidget()
    cell = QGridLayout(widget)
    cell.setContentsMargins(0, 0, 0, 0)
    cell.addWidget(room, 0, 0)
    cell.addWidget(label, 0, 0, Qt.AlignmentFlag.AlignTop)
    return widget


def _application() -> QCoreApplication:
    application = QApplication.instance()
    assert application is not None
    return application


def _is_plain_digit(event: QKeyEvent) -> bool:
    """Return whether a key types a digit; with Ctrl or Alt it is the key of a command."""
    return event.text() in DIGITS and not event.modifiers() & ~TYPING_MODIFIERS
