"""The tour: around the desk in one minute, in steps that each point at a part of the window.

The *subject* of a step is the widget that it points at. ``Tour`` darkens the window but for the map
and the subject, and shows the text of the step on a card. The card stays in one lower corner, so
that its buttons stay under the mouse, and moves to the other corner only if it would cover the
subject. A click where the button Next was before that takes the next step, too.
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
from app.widgets.layout.dock_visibility import can_be_seen
from randomizer.model.grid.cell_words import cell_text

WIDTH = 244
"""The width of the text, in logical pixels: so the card is no wider than palette and tools."""

GAP = 8
"""The distance of the card from the edges of the window, in logical pixels."""

HOLE_MARGIN = 2
"""The margin of the subject that is not darkened either, in logical pixels."""

HOLE_RADIUS = 6
"""The radius of the corners of the frame around the subject, in logical pixels."""

FRAME_WIDTH = 3
"""The width of that frame and of the line to it, in logical pixels."""

VEIL = (0, 0, 0, 130)
"""The colour that darkens the window: red, green, blue and opacity up to 255."""

COMMAND_NAME = re.compile(r"\{([\w.-]+)\}")
"""The name of a command in a text, which is replaced by its keys: "{edit.undo}"."""

STEP_KEYS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
"""The keys that go to the previous and to the next step."""

NEXT_TEXT = "&Next"
LAST_TEXT = "&Done"
"""The text of the button Next at the last step."""

PRESS_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
"""The keys that press the button which has the keyboard, as Space does."""


class Step(NamedTuple):
    """A step of the tour."""

    widget: str
    """The object name of its subject; "map" for the canvas, "menu" for the menu bar."""

    title: str

    text: str
    """A template for ``cell_text``; in its result ``COMMAND_NAME`` is replaced."""


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
"""Events of the window's widgets after which they may cover the tour, or be in other positions."""


class Tour(QWidget):
    """A veil over the window with a hole for the subject, and a card with the text of the step."""

    def __init__(self, desk: Desk) -> None:
        window = desk.frame
        super().__init__(window)
        self._window = window
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName("Tour")
        self._commands = desk.commands
        self._document = desk.document
        self._canvas = desk.canvas
        self._docks = desk.docks
        self._docks_in_front = [dock for dock in desk.docks.all() if can_be_seen(dock)]
        """The docks that could be seen before the tour, which raises others of the same tabs."""
        self._view_in_front = desk.docks.views.front_view
        """The view that was in front before the tour; None for the map."""
        desk.docks.views.show_map()  # the first steps point at it
        self._steps = self._steps_with_subjects()
        """The steps whose subjects are shown, each with its subject."""
        self._number = 0
        """The index of the present step in ``_steps``."""
        # One call for all events of a panel that is made: it comes in several steps.
        self._moved = QTimer(self, singleShot=True, interval=0)
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
        connect(self.back_button.clicked, self._go_back)
        self.next_button = described(QPushButton(), tip="The next step (Right)")
        connect(self.next_button.clicked, self._go_on)
        self._next_rect = QRect()
        """The button Next as it was when it was pressed: at the next step it may be elsewhere."""
        for button in (self.skip_button, self.back_button, self.next_button):
            button.installEventFilter(self)
        line = lay_out(QHBoxLayout(), self.skip_button, STRETCH, self.back_button, self.next_button)
        lay_out(QVBoxLayout(self.card), self.title, (self.message, 1), line)
        self._fit_card()
        window.installEventFilter(self)
        direct = Qt.FindChildOption.FindDirectChildrenOnly
        for sibling in window.findChildren(QWidget, options=direct):
            if sibling is not self:
                sibling.installEventFilter(self)

    def _steps_with_subjects(self) -> list[tuple[Step, QWidget]]:
        """Return the steps whose subjects are in the window and not hidden."""
        subjects: dict[str, QWidget] = {"map": self._canvas, "menu": self._window.menuBar()}
        steps = []
        for step in STEPS:
            subject = self._window.findChild(QWidget, step.widget)
            if subject is None:
                subject = subjects.get(step.widget)
            if subject is not None and not subject.isHidden():
                steps.append((step, subject))
        return steps

    def start(self) -> None:
        """Show the first step."""
        self.setGeometry(self._window.rect())
        self.show()
        self.raise_()
        self.show_step(0)

    @property
    def step(self) -> Step:
        """The present step."""
        step, _subject = self._steps[self._number]
        return step

    @property
    def _subject(self) -> QWidget:
        """The subject of the present step."""
        _step, subject = self._steps[self._number]
        return subject

    def show_step(self, number: int) -> None:
        """Show a step, the first one for a negative number; end the tour beyond the last one."""
        if number >= len(self._steps):
            self.close()
            return
        self._number = max(number, 0)
        step, subject = self._steps[self._number]
        subject.raise_()  # a panel may be behind others, as a tab
        self.title.setText(f"{step.title}  ({self._number + 1} of {len(self._steps)})")
        text = self._text_of(step)
        self.message.setText(text)
        self.back_button.setEnabled(self._number > 0)
        is_last = self._number == len(self._steps) - 1
        if is_last:
            self.next_button.setText(LAST_TEXT)
        else:
            self.next_button.setText(NEXT_TEXT)
        self.next_button.setAccessibleDescription(f"{step.title}. {text}")
        self.next_button.setFocus()
        self.raise_()
        self._place_card()
        self.update()

    def _go_back(self) -> None:
        self.show_step(self._number - 1)

    def _go_on(self) -> None:
        """Show the next step, and note where the button is now (``mousePressEvent``)."""
        button = self.next_button
        self._next_rect = QRect(button.mapTo(self, QPoint(0, 0)), button.size())
        self.show_step(self._number + 1)

    @guarded
    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take the next step by a click where Next was pressed before the card moved away."""
        if self._next_rect.contains(event.position().toPoint()):
            self.show_step(self._number + 1)

    def _fit_card(self) -> None:
        """Give the card the size of the largest step, and Next that of the longer of its texts."""
        self.message.setAlignment(Qt.AlignmentFlag.AlignTop)
        heights = []
        widths = []
        for step, _subject in self._steps:
            self.message.setText(self._text_of(step))
            heights.append(self.message.heightForWidth(WIDTH))
        for text in (NEXT_TEXT, LAST_TEXT):
            self.next_button.setText(text)
            widths.append(self.next_button.sizeHint().width())
        self.message.setFixedHeight(max(heights, default=0))
        self.next_button.setFixedWidth(max(widths))
        self.card.adjustSize()

    def _text_of(self, step: Step) -> str:
        """Return the text of a step, with the words for this map and the keys of commands."""
        text = cell_text(step.text, self._document.battlemap.grid.layout)
        return COMMAND_NAME.sub(self._keys_of, text)

    def _keys_of(self, match: re.Match[str]) -> str:
        """Return the keys of the command that a match of ``COMMAND_NAME`` names."""
        keys = keys_in_words(self._commands.action(match[1]))
        if not keys:
            return "its menu"
        return keys

    def _hole(self) -> QRect:
        """Return the rectangle of the subject with its margin."""
        margin = HOLE_MARGIN
        return self._rect_of(self._subject).adjusted(-margin, -margin, margin, margin)

    def _rect_of(self, widget: QWidget) -> QRect:
        """Return the part of the window that a widget covers, empty for one that is not visible."""
        if not widget.isVisible():
            return QRect()
        top = widget.mapTo(self._window, QPoint(0, 0))
        return QRect(top, widget.size()).intersected(self.rect())

    def _place_card(self) -> None:
        """Move the card to its corner, or to the other one if it covers less of the subject there.

        Its corner is that of the two lower ones in which it covers fewer subjects of all steps; the
        right one if they are equal.
        """
        margin = QPoint(GAP, GAP)
        right = self.rect().bottomRight() - self.card.rect().bottomRight() - margin
        left = QPoint(GAP, right.y())
        usual_corner = right
        further_corner = left
        if self._covered_subjects(left) < self._covered_subjects(right):
            usual_corner = left
            further_corner = right

        corner = usual_corner
        covered_pixels = self._covered_pixels(self._subject, usual_corner)
        if self._covered_pixels(self._subject, further_corner) < covered_pixels:
            corner = further_corner
        self.card.move(max(0, corner.x()), max(0, corner.y()))

    def _covered_subjects(self, corner: QPoint) -> int:
        """Return the number of steps whose subjects the card covers with its corner at a point."""
        count = 0
        for _step, subject in self._steps:
            if self._covered_pixels(subject, corner):
                count += 1
        return count

    def _covered_pixels(self, subject: QWidget, corner: QPoint) -> int:
        """Return the number of a subject's pixels that the card covers with its corner at a point.

        ``corner`` is the upper left one. For the map it is 0: it is too large to be hidden.
        """
        if subject is self._canvas:
            return 0
        common = self._rect_of(subject).intersected(QRect(corner, self.card.size()))
        return max(0, common.width()) * max(0, common.height())

    def _pointer(self) -> QLineF:
        """Return the shortest line from the card to the hole; of length 0 if the card covers it."""
        card = QRectF(self.card.geometry())
        hole = QRectF(self._hole())
        start = _nearest(card, hole.center())
        end = _nearest(hole, start)
        if card.contains(end):
            return QLineF(start, start)
        return QLineF(_nearest(card, end), end)

    def _come_forward(self) -> None:
        """Show the tour in front of new widgets, and point at where the subject is now."""
        self.raise_()
        self._place_card()
        self.update()

    @guarded
    def paintEvent(self, _event: QPaintEvent) -> None:
        """Darken all but the map and the subject, and draw the frame and the line to it."""
        with painting(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            veil = QPainterPath()
            veil.addRect(QRectF(self.rect()))
            hole = QPainterPath()
            hole.addRoundedRect(QRectF(self._hole()), HOLE_RADIUS, HOLE_RADIUS)
            canvas = QPainterPath()
            canvas.addRect(QRectF(self._rect_of(self._canvas)))
            painter.fillPath(veil.subtracted(hole).subtracted(canvas), QColor(*VEIL))
            highlight = self.palette().color(QPalette.ColorRole.Highlight)
            painter.setPen(QPen(highlight, FRAME_WIDTH))
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
        """End the tour by Escape."""
        if event.key() == Qt.Key.Key_Escape:
            self.close()

    @guarded(default=False)
    def focusNextPrevChild(self, forward: bool) -> bool:
        """Move the keyboard by Tab from button to button of the card, and round again."""
        all_buttons = (self.next_button, self.skip_button, self.back_button)
        buttons = [button for button in all_buttons if button.isEnabled()]
        index = 0
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
        """Follow the window's size, take keys of the card's buttons, and notice moved widgets.

        Panels that are made while the tour is shown cover it, and move the subjects.
        """
        if watched is self._window:
            if event.type() == QEvent.Type.Resize:
                self.setGeometry(self._window.rect())
                self._place_card()
        elif isinstance(watched, QWidget) and self.isAncestorOf(watched):
            is_press = event.type() == QEvent.Type.KeyPress
            if is_press and isinstance(event, QKeyEvent) and self._press(event):
                return True
        elif event.type() in MOVED:
            self._moved.start()
        return super().eventFilter(watched, event)

    def _press(self, event: QKeyEvent) -> bool:
        """Take a key: an arrow steps, Enter presses a button, and so does Alt with its letter.

        Return whether the key is one of these. The letters of buttons are shortcuts, which
        ``event`` keeps from the whole window: so the buttons do not get them from Qt.
        """
        key = Qt.Key(event.key())
        if key in STEP_KEYS:
            self.show_step(self._number + STEP_KEYS[key])
            return True

        buttons = (self.next_button, self.back_button, self.skip_button)
        if key in PRESS_KEYS:
            pressed_button = self.next_button
            for button in buttons:
                if button.hasFocus():
                    pressed_button = button
            pressed_button.click()
            return True

        if event.modifiers() == Qt.KeyboardModifier.AltModifier:
            typed_keys = QKeySequence(event.keyCombination())
            for button in buttons:
                if QKeySequence.mnemonic(button.text()) == typed_keys:
                    button.click()
                    return True
        return False

    @guarded
    def closeEvent(self, event: QCloseEvent) -> None:
        """Bring forward again what was in front before the tour; the map gets the keyboard."""
        super().closeEvent(event)
        for dock in self._docks_in_front:
            if not dock.isHidden():  # its part of the desk may have been removed meanwhile
                dock.raise_()
        _step, first_subject = self._steps[0]
        first_subject.setFocus()
        if self._view_in_front is not None and self._view_in_front.is_open:
            self._docks.views.show_view(self._view_in_front)


def _nearest(box: QRectF, point: QPointF) -> QPointF:
    """Return the point of a box that is nearest to ``point``."""
    x = min(max(point.x(), box.left()), box.right())
    y = min(max(point.y(), box.top()), box.bottom())
    return QPointF(x, y)
