"""The cards on the map that say how to begin: on an empty map, and at the start."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout

from app.commands.commands import keys_in_words
from app.desk.desk import Desk
from app.qt_guard import connect, guarded
from app.widgets.layout.builders import lay_out, plain_label, tool_button
from randomizer.model.map_picture import picture_of
from randomizer.model.planes.planes import is_blank

GAP = 12
"""From the edge of the canvas, in logical pixels."""

LONGEST_NAME = 28
"""Of a file on a card, in letters; of a longer name the middle is left out."""

WIDTH = 280
"""Of the card, in logical pixels."""


class Card(QFrame):
    """A card in the lower left corner of the canvas, which it follows."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.canvas.parentWidget())  # what scrolls the canvas leaves it alone
        self._canvas = desk.canvas
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAutoFillBackground(True)
        self._canvas.installEventFilter(self)

    def card_size(self) -> QSize:
        """Return the size of the card, in logical pixels: its size hint."""
        return self.sizeHint()

    def place(self) -> None:
        """Put the card into the corner, above what stands there."""
        size = self.card_size()
        corner = self._canvas.geometry().bottomLeft() + QPoint(GAP, -size.height() - GAP)
        self.setGeometry(QRect(corner, size))
        self.raise_()

    @guarded(default=False)
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the card follow the canvas."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move) and self.isVisible():
            self.place()
        return super().eventFilter(watched, event)


class EmptyMap(Card):
    """Says on an empty map how to begin. Clicks go through it."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.message = plain_label(wordWrap=True)
        self._column = QVBoxLayout(self)
        self._column.addWidget(self.message)
        document = desk.document
        connect(document.map_replaced, self._show)
        connect(document.changed, self._on_changed)
        self._roll = desk.commands.action("script.roll")
        connect(self._roll.changed, self._say)
        self._dice = desk.docks["dice"]  # it comes with maps that are laid by dice
        connect(self._dice.visibilityChanged, self._say)
        self._show()

    def _on_changed(self) -> None:
        if self.isVisible():
            self._show()

    def _show(self) -> None:
        battlemap = self._desk.document.battlemap
        planes = self._desk.document.composite.planes.values()
        has_picture = picture_of(battlemap.records) is not None
        has_things = any(layer.things for layer in battlemap.layers)
        empty = all(is_blank(plane) for plane in planes) and not has_picture and not has_things
        self.setVisible(empty and len(battlemap.layers) == 1)
        self._say()

    def _say(self) -> None:
        if not self.isVisible():
            return
        keys = keys_in_words(self._roll)
        if not self._dice.isHidden() and not self._roll.isEnabled():
            self.message.setText("Enter your dice in the panel Dice: they lay the table here.")
        elif not self._dice.isHidden():
            self.message.setText(
                "This table is empty. Bob Cordery's dice lay it: say in the panel Dice what the "
                f"campaign square is like and press Throw{f' ({keys})' if keys else ''}, or "
                "choose at its top that they are Entered by hand, if you throw your own. Or choose "
                "in the Palette and paint with the left button."
            )
        elif self._desk.docks.suits_map("dice"):
            throwing = f", or press {keys}" if keys else ""
            self.message.setText(
                "This table is empty. Randomize > Dice... opens the panel that lays it, with dice "
                f"of your own or of the program{throwing} to have it thrown. Or choose in the "
                "Palette and paint with the left button."
            )
        else:
            if self._roll.isEnabled():
                rolling = f"press {keys or 'Roll'} to have one rolled, "
            else:
                rolling = ""
            self.message.setText(
                "This map is empty. Choose a terrain in the Palette and paint with the left "
                f"button, {rolling}or drop a map or a script here."
            )
        self.place()

    def card_size(self) -> QSize:
        """Return a size at most as wide as the canvas; the text decides the height."""
        width = min(WIDTH, self._canvas.width() - 2 * GAP)
        return QSize(width, self._column.totalHeightForWidth(width))


class LastMap(Card):
    """A card on the sample map: it opens the map that was saved or opened last.

    It goes with the first map that is shown in the place of the sample, or step in this one.
    """

    def __init__(self, desk: Desk, path: Path) -> None:
        super().__init__(desk)
        room = self.fontMetrics().averageCharWidth() * LONGEST_NAME
        name = self.fontMetrics().elidedText(path.name, Qt.TextElideMode.ElideMiddle, room)
        self.button = tool_button(
            f"Continue with {name.replace('&', '&&')}", f"Open {path}", f"Continue with {path.name}"
        )
        self.close_button = tool_button("\N{MULTIPLICATION SIGN}", "Stay with this map", "Close")
        self.close_button.setAutoRaise(True)
        lay_out(QHBoxLayout(self), self.button, self.close_button, margins=4, spacing=2)
        connect(self.button.clicked, lambda: desk.files.open_path(path))
        connect(self.close_button.clicked, self.hide)
        connect(desk.document.map_replaced, self.hide)
        connect(desk.document.steps_changed, self.hide)
        self.place()
        self.show()


def make(desk: Desk) -> None:
    """Show the card whenever the current map is empty, and at the start what was opened last."""
    EmptyMap(desk)
    recent_maps = desk.settings.recent("maps")
    document = desk.document
    is_at_start = len(document.maps) == 1 and document.path is None and not document.history.steps
    if recent_maps and is_at_start:
        LastMap(desk, recent_maps[0])
