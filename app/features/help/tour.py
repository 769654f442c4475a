"""The tour: around the desk in one minute, each step pointing at the thing it speaks of.

Its card stays in one lower corner, so that its buttons lie under the mouse; only while it would
cover what it speaks of does it stand in the other one. A click where Next was takes the next step
there, too. The map is never dark.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from PySide6.QtCore import QEvent, QLineF, QObject, QPoint, QPointF, QRect, QRectF, Qt, QTimer
from PySide6.QtGui import (
    QCloseEvent,
    QColor,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPalette,
    QPen,
)
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.appearance.painting import painting
from app.commands.commands import keys_in_words
from app.desk.desk import Desk
from app.qt_guard import connect, guarded
from app.widgets.layout.builders import STRETCH, described, lay_out, plain_label
from randomizer.model.grid.cell_words import cell_text

WIDTH = 244
"""Of the words, in logical pixels: the card is no wider than the palette with the tools."""

GAP = 8
"""From the card to the edges of the window, in logical pixels."""

KEYS_OF = re.compile(r"\{([\w.-]+)\}")

STEP_KEYS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}

NEXT_TEXTS = ("&Next", "&Done")
"""The button's text before the last step, and at it."""

PRESS_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
"""They press the button that has the keyboard, as Space does."""


class Step(NamedTuple):
    """``widget`` is the object name of what the step points at; ``words`` are a template for
    ``cell_text``; ``{name}`` in what it becomes are the keys of the command with that id."""

    widget: str
    title: str
    text: str


STEPS = (
    Step(
        "map",
        "Three things to do here",
        "Paint a map: click or drag on it. Roll one: {{script.roll}} has a script make it, and "
        "what you lock stays. Take it along: {{file.export-to-game}} writes it into your game, "
        "and the menu File has pictures, paper and other programs.",
    ),
    Step(
        "map",
        "The map",
        "Click or drag to paint. The wheel zooms, the middle button moves the view, the right "
        "button has a menu for every {cell} and every edge. Escape takes a stroke back, "
        "{{edit.undo}} a step.",
    ),
    Step(
        "palette",
        "What you paint",
        "Terrain, elevation and {sides}. A click here also takes up the brush that paints them.",
    ),
    Step(
        "tools",
        "Tools",
        "Every tool has a key: rest the mouse on it to see which, and what it does.",
    ),
    Step(
        "randomize",
        "Maps by themselves",
        "A script rolls a whole map. Press {{script.roll}} for the next one; what you painted "
        "by hand stays. {{randomize.gallery}} shows many of its maps as pictures, "
        "{{randomize.odds}} how likely every {cell} is to become what.",
    ),
    Step(
        "layers",
        "Layers",
        "Rolls and paint lie over each other like sheets. Untick one to hide it, drag it to "
        "another place.",
    ),
    Step(
        "problems",
        "Problems",
        "How many things are wrong with this map or its script, or would be in the game. A click "
        "on the line lists them, a click on one shows its place.",
    ),
    Step(
        "main",
        "To the game and back",
        "Open battlelands from your game and write yours into it; an export can be taken back.",
    ),
    Step(
        "menu",
        "Everything else",
        "{{edit.find-a-command}} finds any command by a few letters. {{help.manual}} opens the "
        "manual. This tour waits under Help.",
    ),
)


MOVED = (QEvent.Type.ZOrderChange, QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show)
"""Events of the window's other parts after which the tour may lie below them, or point beside."""


class Tour(QWidget):
    """A veil over the window with a hole where the step points, and a card with the words."""

    def __init__(self, desk: Desk) -> None:
        window = desk.frame
        super().__init__(window)
        self._window = window
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName("Tour")
        self._commands = desk.commands
        self._document = desk.document
        self._canvas = desk.canvas
        desk.docks.views.show_map()  # the first steps point at it
        subjects: dict[str, QWidget] = {"map": desk.canvas, "menu": window.menuBar()}
        for step in STEPS:
            widget = window.findChild(QWidget, step.widget)
            if widget is not None:
                subjects[step.widget] = widget
        self._steps = [
            (step, subjects[step.widget])
            for step in STEPS
            if step.widget in subjects and not subjects[step.widget].isHidden()
        ]
        self._number = 0
        self._moved = QTimer(self, singleShot=True, interval=0)  # panels come in several steps
        connect(self._moved.timeout, self._come_forward)
        self.card = QFrame(self)
        self.card.setFrameShape(QFrame.Shape.StyledPanel)
        self.card.setAutoFillBackground(True)
        self.title = plain_label()
        font = self.title.font()
        font.setBold(True)
        self.title.setFont(font)
        self.message = plain_label(wordWrap=True)
        self.message.setFixedWidth(WIDTH)
        self.skip_button = QPushButton("&Skip")
        self.skip_button.setToolTip("End the tour (Esc); Help > Tour starts it again")
        connect(self.skip_button.clicked, self.close)
        self.back_button = described(QPushButton("&Back"), tip="The step before this one (Left)")
        connect(self.back_button.clicked, lambda: self.show_step(self._number - 1))
        self.next_button = described(QPushButton(), tip="The next step (Right)")
        connect(self.next_button.clicked, self._go_on)
        self._next_place = QRect()
        """Where the button Next was when it was pressed: it may be elsewhere for the next step."""
        for button in (self.skip_button, self.back_button, self.next_button):
            button.installEventFilter(self)
        line = lay_out(QHBoxLayout(), self.skip_button, STRETCH, self.back_button, self.next_button)
        lay_out(QVBoxLayout(self.card), self.title, (self.message, 1), line)
        self._fit_card()
        window.installEventFilter(self)
        for sibling in window.findChildren(
            QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly
        ):
            if sibling is not self:
                sibling.installEventFilter(self)

    def start(self) -> None:
        """Show the first step."""
        self.setGeometry(self._window.rect())
        self.show()
        self.raise_()
        self.show_step(0)

    @property
    def step(self) -> Step:
        """The step that is shown."""
        return self._steps[self._number][0]

    def show_step(self, number: int) -> None:
        """Show a step; after the last one the tour ends."""
        if number >= len(self._steps):
            self.close()
            return
        self._number = max(number, 0)
        step, widget = self._steps[self._number]
        widget.raise_()  # a panel may lie behind others, as a tab
        self.title.setText(f"{step.title}  ({self._number + 1} of {len(self._steps)})")
        text = self._text_of(step)
        self.message.setText(text)
        self.back_button.setEnabled(self._number > 0)
        last = self._number == len(self._steps) - 1
        self.next_button.setText(NEXT_TEXTS[last])
        self.next_button.setAccessibleDescription(f"{step.title}. {text}")
        self.next_button.setFocus()
        self.raise_()
        self._place_card()
        self.update()

    def _go_on(self) -> None:
        button = self.next_button
        self._next_place = QRect(button.mapTo(self, QPoint(0, 0)), button.size())
        self.show_step(self._number + 1)

    @guarded
    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take the next step by a click where Next was pressed before the card moved away."""
        if self._next_place.contains(event.position().toPoint()):
            self.show_step(self._number + 1)

    def _fit_card(self) -> None:
        """Give the card the size of the largest step, and its buttons that of the longest text."""
        self.message.setAlignment(Qt.AlignmentFlag.AlignTop)
        heights = []
        widths = []
        for step, _ in self._steps:
            self.message.setText(self._text_of(step))
            heights.append(self.message.heightForWidth(WIDTH))
        for text in NEXT_TEXTS:
            self.next_button.setText(text)
            widths.append(self.next_button.sizeHint().width())
        self.message.setFixedHeight(max(heights, default=0))
        self.next_button.setFixedWidth(max(widths))
        self.card.adjustSize()

    def _text_of(self, step: Step) -> str:
        about_map = cell_text(step.text, self._document.battlemap.grid.layout)
        return KEYS_OF.sub(self._keys_of, about_map)

    def _keys_of(self, name: re.Match[str]) -> str:
        return keys_in_words(self._commands.action(name[1])) or "its menu"

    def _hole(self) -> QRect:
        return self._place_of(self._steps[self._number][1]).adjusted(-2, -2, 2, 2)

    def _place_of(self, widget: QWidget) -> QRect:
        """Return the part of the window that a widget takes, empty for one that is not shown."""
        if not widget.isVisible():
            return QRect()
        top = widget.mapTo(self._window, QPoint(0, 0))
        return QRect(top, widget.size()).intersected(self.rect())

    def _place_card(self) -> None:
        """Move the card to its corner, or to the other one where it covers what the step is about.

        Its corner is the one in which it covers what fewer steps are about, the right one of equal.
        """
        margin = QPoint(GAP, GAP)
        right = self.rect().bottomRight() - self.card.rect().bottomRight() - margin
        left = QPoint(GAP, right.y())
        corners = [right, left]
        corners.sort(key=self._covered_steps)
        subject = self._steps[self._number][1]
        corner = min(corners, key=lambda candidate: self._covered_pixels(subject, candidate))
        self.card.move(max(0, corner.x()), max(0, corner.y()))

    def _covered_steps(self, corner: QPoint) -> int:
        """Return how many steps are about something that a card there covers."""
        covered = [subject for _, subject in self._steps if self._covered_pixels(subject, corner)]
        return len(covered)

    def _covered_pixels(self, subject: QWidget, corner: QPoint) -> int:
        """Return how many pixels of a subject a card there covers; the map is too large to hide."""
        if subject is self._canvas:
            return 0
        common = self._place_of(subject).intersected(QRect(corner, self.card.size()))
        return max(0, common.width()) * max(0, common.height())

    def _pointer(self) -> QLineF:
        """Return the line from the card to what the step points at; of length 0 if that is behind
        it.
        """
        card = QRectF(self.card.geometry())
        hole = QRectF(self._hole())
        start = _nearest(card, hole.center())
        end = _nearest(hole, start)
        if card.contains(end):
            return QLineF(start, start)
        return QLineF(_nearest(card, end), end)

    def _come_forward(self) -> None:
        self.raise_()
        self._place_card()
        self.update()

    @guarded
    def paintEvent(self, _event: QPaintEvent) -> None:
        """Darken all but the map and what the step points at."""
        with painting(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            veil = QPainterPath()
            veil.addRect(QRectF(self.rect()))
            hole = QPainterPath()
            hole.addRoundedRect(QRectF(self._hole()), 6, 6)
            middle = QPainterPath()
            middle.addRect(QRectF(self._place_of(self._canvas)))
            painter.fillPath(veil.subtracted(hole).subtracted(middle), QColor(0, 0, 0, 130))
            painter.setPen(QPen(self.palette().color(QPalette.ColorRole.Highlight), 3))
            painter.drawPath(hole)
            painter.drawLine(self._pointer())

    @guarded(default=False)
    def event(self, event: QEvent) -> bool:
        """Keep every key from the window's commands while the tour is shown."""
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape ends the tour."""
        if event.key() == Qt.Key.Key_Escape:
            self.close()

    @guarded(default=False)
    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes round among the buttons of the card."""
        buttons = [self.next_button, self.skip_button, self.back_button]
        buttons = [button for button in buttons if button.isEnabled()]
        at = next((i for i, button in enumerate(buttons) if button.hasFocus()), 0)
        buttons[(at + (1 if forward else -1)) % len(buttons)].setFocus()
        return True

    @guarded(default=False)
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the veil follow the window's size, and the card have keys that buttons lack.

        Panels that are made while the tour is shown come to lie over it, and move what it shows.
        """
        if watched is self._window:
            if event.type() == QEvent.Type.Resize:
                self.setGeometry(self._window.rect())
                self._place_card()
        elif isinstance(watched, QWidget) and self.isAncestorOf(watched):
            if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
                return self._press(event) or super().eventFilter(watched, event)
        elif event.type() in MOVED:
            self._moved.start()
        return super().eventFilter(watched, event)

    def _press(self, event: QKeyEvent) -> bool:
        """Arrow keys step, Enter presses a button, Alt and its letter too; whether one was meant.

        The keys of buttons are shortcuts, which the tour keeps from the window and so from them.
        """
        key = Qt.Key(event.key())
        buttons = (self.next_button, self.back_button, self.skip_button)
        if key in STEP_KEYS:
            self.show_step(self._number + STEP_KEYS[key])
        elif key in PRESS_KEYS:
            next((button for button in buttons if button.hasFocus()), self.next_button).click()
        elif event.modifiers() == Qt.KeyboardModifier.AltModifier:
            meant = QKeySequence(event.keyCombination())
            for button in buttons:
                if QKeySequence.mnemonic(button.text()) == meant:
                    button.click()
                    return True
            return False
        else:
            return False
        return True

    @guarded
    def closeEvent(self, event: QCloseEvent) -> None:
        """The map has the keyboard again."""
        super().closeEvent(event)
        self._steps[0][1].setFocus()


def _nearest(box: QRectF, point: QPointF) -> QPointF:
    """Return the point of a box that lies nearest to ``point``."""
    return QPointF(
        min(max(point.x(), box.left()), box.right()), min(max(point.y(), box.top()), box.bottom())
    )
