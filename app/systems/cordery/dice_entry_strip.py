"""The strip that asks for dice thrown at a real table, one after the other."""

from __future__ import annotations

import re

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
from app.widgets.layout.builders import (
    described,
    lay_out,
    plain_label,
    say_below,
    stop_saying,
)
from app.widgets.layout.wrapping_row import WrappingRow
from randomizer.systems.cordery.dice.dice_names import question_of
from randomizer.systems.cordery.dice.scores import SIDES
from randomizer.systems.cordery.dice.wanted_die import DieWantedError, Tie
from randomizer.systems.cordery.entered_dice import EnteredDice

FACE = 28
"""The width of a die on a button, in logical pixels."""
BESIDE_FACE = 3
"""What a button has beside its die, so that six fit into the narrowest panel."""

FACES_WIDTH = 48
"""The room for the dice of a throw so far, in logical pixels: there are two at most."""

SCORES = tuple(str(score) for score in range(1, SIDES + 1))
"""The keys that enter a die."""

PROGRESS_TIP = (
    "The dice that were entered, and about how many the table takes: that depends on what they show"
)
DIGITS = tuple("0123456789")
"""The keys that never reach the map; those that are no score are slips, which is told."""

WRONG_SCORE = "A die shows 1 to 6."

LONG_QUESTION = "6.1 Railway 1 entry: throw a D6 for area 0901"
"""As long as questions are: room is left for it, so that the buttons stay where they are."""

LONG_MEANING = (
    "It decides the quarter of the map edge where it enters (1 to 6, clockwise from the top left "
    "corner). Click what it shows, or press 1 to 6."
)
"""As long as the texts below a question are, a few of forks excepted."""

STOP_TIP = "Ask for no more dice; the map keeps those that were entered (Esc)"
STOP_CHANGE_TIP = "Ask for no more dice and drop these; the table stays as it was (Esc)"

TABLE_STAYS = "The old table stays until the last die. Stop entering keeps it."
"""Stands below the question for a die of a new table, which replaces one."""

LEAVING = (QEvent.Type.KeyPress, QEvent.Type.ShortcutOverride, QEvent.Type.MouseButtonPress)
"""The events by which a hand leaves the dice after the last one, those of digits excepted."""


class EntryStrip(QFrame):
    """Asks for one die after the other: six buttons, the keys 1 to 6, and how far one is.

    Who types dice is not stopped by the last of them: further digits do nothing, until a click or
    another key shows that the hand has left the dice.
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
        self._holds_digits = False
        """True while digits do nothing, since the hand may be typing still after the last die."""
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
        self.hide()

    def _score_button(self, score: int) -> QToolButton:
        """Return the button that enters a score; the keyboard stays with the strip."""
        button = described(QToolButton(), str(score), f"The die shows {score} (key {score})")
        button.setAutoRaise(True)
        button.setIconSize(QSize(FACE, FACE))
        button.setFixedWidth(FACE + 2 * BESIDE_FACE)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        connect(button.clicked, lambda _checked: self.entered.emit(score))
        return button

    def draw_icons(self) -> None:
        """Draw the dice in the palette's colours."""
        for score, button in enumerate(self.buttons, 1):
            button.setIcon(face_icon(score, FACE, self.palette(), self.devicePixelRatioF()))

    def ask(self, die: DieWantedError, dice: EnteredDice, *, replaces_table: bool) -> None:
        """Ask for a die; ``dice`` were entered before.

        ``replaces_table`` is True if they are for a new table in place of one that lies.
        """
        self._release_digits()
        stop_saying(WRONG_SCORE)
        self.old_table.setVisible(replaces_table)
        self.label.setText(describe_die(die))
        self.meaning.setText(_meaning(die, len(dice.incomplete_throw)))
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

    def take_digits_of(self, widget: QWidget) -> None:
        """While dice are asked for, take the digits typed into a widget that has no text field.

        Its other keys stay its own.
        """
        widget.installEventFilter(self)

    def hold_digits(self) -> None:
        """Let digits do nothing after the last die, until the hand leaves the dice."""
        if not self._holds_digits:
            self._holds_digits = True
            _application().installEventFilter(self)

    def _release_digits(self) -> None:
        if self._holds_digits:
            self._holds_digits = False
            _application().removeEventFilter(self)

    @guarded(default=False)
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take the digits before the widget and the keys of commands get them."""
        is_digit = isinstance(event, QKeyEvent) and _is_plain_digit(event)
        if self._holds_digits and event.type() in LEAVING and not is_digit:
            self._release_digits()
        is_asking = not self.isHidden()
        if isinstance(event, QKeyEvent) and is_digit and (is_asking or self._holds_digits):
            if event.type() == QEvent.Type.ShortcutOverride:
                event.accept()
            elif event.type() == QEvent.Type.KeyPress and not is_asking:
                self.surplus_digit.emit()
            elif event.type() == QEvent.Type.KeyPress:
                self._take_digit(event.text())
            return True
        return super().eventFilter(watched, event)

    @guarded(default=False)
    def event(self, event: QEvent) -> bool:
        """Keep the keys of the dice from choosing anything else while dice are asked for."""
        if event.type() == QEvent.Type.ShortcutOverride:
            assert isinstance(event, QKeyEvent)
            is_own_key = event.key() in (Qt.Key.Key_Escape, Qt.Key.Key_Backspace)
            if event.text() in DIGITS or is_own_key:
                event.accept()
                return True
        return super().event(event)

    @guarded
    def keyPressEvent(self, event):  # type: ignore[no-untyped-def]
        """Enter a score, take a die back (Backspace) or end (Escape)."""
        if event.text() in DIGITS:
            self._take_digit(event.text())
        elif event.key() == Qt.Key.Key_Backspace:
            self.taken_back.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.ended.emit()
        else:
            super().keyPressEvent(event)

    def _take_back(self) -> None:
        """Take the last die back; the keyboard stays with the dice, not with the button."""
        self.taken_back.emit()
        self.setFocus()

    def _take_digit(self, digit: str) -> None:
        """Take a digit as a score, if a die can show it."""
        if digit in SCORES:
            self.entered.emit(int(digit))
        else:
            # Beside the dice, where the eye is; the status bar says it, too.
            say_below(self.buttons[0], WRONG_SCORE)
            self.impossible_score.emit()


def _with_room_for(text: str, label: QLabel) -> QWidget:
    """Return a widget with a label, which is never lower than the label would be with ``text``."""
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


_FIELD_PLACE = re.compile(
    r"""
    field\ place\ (?P<round> \d+ )     # in each round every place with room gets a field
    \ (?P<area> \d+ )
    (?: \ again\ \d+ )?               # for places with equal dice
    """,
    re.VERBOSE,
)
"""The name of a die by which the places are found that get the last fields of a round."""

_RIM_AREA = re.compile(
    r"""
    (?P<end> .* \ (?: entry | exit ) )  # "river 1 entry"
    \ area\ (?P<area> \d+ )             # the area that gets the die
    (?: \ again\ \d+ )?               # for areas with equal dice
    """,
    re.VERBOSE,
)
"""The name of a die by which one of the areas of a quarter is found where a route enters."""


def describe_die(die: DieWantedError) -> str:
    """Return a request for a throw, such as "1.2 Hill 1 steps: throw 3 D6".

    Where each of several areas gets a die, it names the area at the end.
    """
    match = _FIELD_PLACE.fullmatch(die.name)
    if match is not None:
        return _describe_die_of_area(die, f"Fields, round {match['round']}", match["area"])
    match = _RIM_AREA.fullmatch(die.name)
    if match is not None:
        end = match["end"][:1].upper() + match["end"][1:]
        return _describe_die_of_area(die, end, match["area"])
    name = die.name[:1].upper() + die.name[1:].removesuffix(" die")
    number = str(die.count)
    if die.count == 1:
        number = "a"
    return f"{die.step} {name}: throw {number} D6"


def _describe_die_of_area(die: DieWantedError, subject: str, area: str) -> str:
    """Return a request for the throw of one of several areas."""
    if die.tie is not None:
        return f"{die.step} {subject}: throw again for {area}"
    return f"{die.step} {subject}: throw a D6 for area {area}"


def describe_score(die: DieWantedError, entered: int) -> str:
    """Return what is entered next; ``entered`` dice of the throw are there."""
    if die.count == 1:
        return "what it shows"
    return f"what die {entered + 1} of {die.count} shows"


def _meaning(die: DieWantedError, entered: int) -> str:
    """Return what a throw decides and how it is entered; ``entered`` of its dice are there."""
    instruction = f"Click {describe_score(die, entered)}, or press 1 to 6."
    if die.tie is not None:
        return f"{_describe_tie(die.tie)}: the highest die counts now. {instruction}"
    question = question_of(die.name)
    if not question:
        return instruction
    if die.options:
        question += f" ({die.options})"
    if die.count == 1:
        return f"It decides {question}. {instruction}"
    return f"They decide {question}. {instruction}"


def _describe_tie(tie: Tie) -> str:
    """Return which areas threw the same: "0601 and 0701 both threw 4"."""
    *first_areas, last_area = tie.options
    number = "all"
    if len(first_areas) == 1:
        number = "both"
    return f"{', '.join(first_areas)} and {last_area} {number} threw {tie.score}"


def _is_plain_digit(event: QKeyEvent) -> bool:
    """Return whether a key types a digit; with Ctrl or Alt it is another order."""
    return event.text() in DIGITS and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
