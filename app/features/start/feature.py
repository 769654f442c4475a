"""The cards on the map that tell how to begin: on an empty map, and at the start.

``make`` adds both once for a desk: ``EmptyMap``, a text that is shown on every empty map, and
``LastMap``, a button on the sample map that opens the map of the last session. A *table* is a map
whose terrains are laid by the dice of Bob Cordery, thrown by the program or entered by hand.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout

from app.commands.commands import keys_in_words
from app.desk.desk import Desk
from app.document.document import MapDocument
from app.features.start.begin_texts import (
    DICE_BY_HAND,
    DICE_WAIT,
    text_beside_dice_panel,
    text_for_map,
    text_for_script,
    text_for_table,
)
from app.qt_guard import connect, guarded
from app.widgets.layout.builders import lay_out, plain_label, tool_button
from randomizer.model.edits.edit import Region
from randomizer.model.map_picture import picture_of
from randomizer.model.planes.planes import is_blank
from randomizer.systems.cordery.entered_dice import RECORD, count_entered_dice

GAP = 12
"""The distance of a card from the edges of the canvas, in logical pixels."""

LONGEST_NAME = 28
"""The most letters of a file's name on a card; the middle of a longer one is left out."""

PLAYERS_SETTING = "Players"
"""The name of the setting by which scripts of 0 A.D. ask for the number of players."""

TEXT_CARD_WIDTH = 600
"""The width of the card with a text, in logical pixels, unless the canvas is narrower.

It is broad, so that it is low and leaves the lower cells of the map in sight.
"""


class Card(QFrame):
    """A card in the lower left corner of the canvas, which it follows."""

    def __init__(self, desk: Desk) -> None:
        # Not a child of the canvas: it would move when the canvas scrolls its content.
        super().__init__(desk.canvas.parentWidget())
        self._canvas = desk.canvas
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAutoFillBackground(True)
        self._canvas.installEventFilter(self)

    def card_size(self) -> QSize:
        """Return the size of the card, in logical pixels: its size hint."""
        return self.sizeHint()

    def place(self) -> None:
        """Move the card into the corner, in front of other widgets there."""
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
    """A text on an empty map that tells how to begin. Clicks go through it to the canvas."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.message = plain_label(wordWrap=True)
        self._column = QVBoxLayout(self)
        self._column.addWidget(self.message)
        self._roll_action = desk.commands.action("script.roll")
        """The command that rolls a map, or throws the dice of a table."""
        self._roll_same_action = desk.commands.action("script.again")
        """The command that rolls the same map again, from the text as it is now."""
        self._dice_dock = desk.docks["dice"]
        """The panel that lays tables; it is offered for maps that dice can lay."""
        connect(desk.document.map_replaced, self._show_or_hide)
        connect(desk.document.changed, self._on_changed)
        connect(self._roll_action.changed, self._show_text)
        connect(desk.scripts.provider.setup_changed, self._show_text)
        connect(self._dice_dock.visibilityChanged, self._show_or_hide)
        self._show_or_hide()

    def _on_changed(self, region: Region) -> None:
        """Show or hide the card after an edit that can make a difference."""
        # While the card is hidden the whole map is not looked through after each edit. Only an edit
        # of the entered dice shows the card again.
        if self.isVisible() or RECORD in region.records:
            self._show_or_hide()

    def _show_or_hide(self) -> None:
        """Show the card if the current map is empty and has a single layer, else hide it."""
        document = self._desk.document
        # Once dice were entered, the canvas shows the table as far as they lay it. The card would
        # cover it: it is hidden while the panel of dice is open, which tells the same.
        has_dice = count_entered_dice(document.battlemap.records) > 0
        is_told_in_panel = has_dice and not self._dice_dock.isHidden()
        self.setVisible(not is_told_in_panel and _is_empty(document))
        self._show_text()

    def _show_text(self) -> None:
        """Show how this kind of map is begun, with the keys that commands have now."""
        if self.isHidden():  # it can be shown already, in a window that is not
            return
        if self._desk.rolling.busy:
            # Roll is disabled only until the map comes: the text stays.
            return
        keys = keys_in_words(self._roll_action)
        can_roll = self._roll_action.isEnabled()
        has_dice_panel = not self._dice_dock.isHidden()
        is_table = has_dice_panel or self._desk.docks.suits_map("dice")
        if is_table and not can_roll:
            # The dice are entered by hand: nothing is thrown for the user.
            text = DICE_BY_HAND
        elif count_entered_dice(self._desk.document.battlemap.records):
            text = DICE_WAIT
        elif has_dice_panel:
            text = text_beside_dice_panel(keys)
        elif is_table:
            text = text_for_table(keys)
        else:
            text = self._script_text() or text_for_map(keys, can_roll=can_roll)
        self.message.setText(text)
        self.place()

    def _script_text(self) -> str:
        """Return the text for a map whose script the user writes; "" if there is no such script."""
        if not self._has_script_of_user():
            return ""
        keys = keys_in_words(self._roll_same_action)
        return text_for_script(self._desk.scripts.script.name, keys, self._player_count())

    def _has_script_of_user(self) -> bool:
        """Return whether a script is shown that the user writes for maps like this one."""
        scripts = self._desk.scripts
        is_of_user = scripts.script.packaged is None and scripts.text.text() != ""
        return is_of_user and not scripts.current.in_map and scripts.fits_map

    def _player_count(self) -> int | None:
        """Return the setting Players of the current script, None if it has no such setting."""
        settings = self._desk.scripts.settings
        values = {setting.name: setting.default for setting in settings.declared()}
        values.update(settings.values)
        count = values.get(PLAYERS_SETTING)
        if isinstance(count, int):
            return count
        return None

    def card_size(self) -> QSize:
        """Return the height of the text at ``TEXT_CARD_WIDTH``, or less on a narrow canvas."""
        width = min(TEXT_CARD_WIDTH, self._canvas.width() - 2 * GAP)
        return QSize(width, self._column.totalHeightForWidth(width))


class LastMap(Card):
    """A card on the sample map, with a button that opens the map that was saved or opened last.

    It is hidden when another map is shown, or when the sample is changed.
    """

    def __init__(self, desk: Desk, path: Path) -> None:
        super().__init__(desk)
        name_width = self.fontMetrics().averageCharWidth() * LONGEST_NAME  # in logical pixels
        name = self.fontMetrics().elidedText(path.name, Qt.TextElideMode.ElideMiddle, name_width)
        text = f"Continue with {name}".replace("&", "&&")  # one "&" would mark an access key
        self.button = tool_button(text, f"Open {path}", f"Continue with {path.name}")
        self.close_button = tool_button("\N{MULTIPLICATION SIGN}", "Stay with this map", "Close")
        self.close_button.setAutoRaise(True)
        lay_out(QHBoxLayout(self), self.button, self.close_button, margins=4, spacing=2)
        connect(self.button.clicked, lambda: desk.files.open_path(path))
        connect(self.close_button.clicked, self.hide)
        connect(desk.document.map_replaced, self.hide)
        connect(desk.document.steps_changed, self.hide)
        self.place()
        self.show()


def _is_empty(document: MapDocument) -> bool:
    """Return whether the current map has a single layer, nothing on it, and no picture below it."""
    battlemap = document.battlemap
    if len(battlemap.layers) != 1 or battlemap.layers[0].things:
        return False
    if picture_of(battlemap.records) is not None:
        return False
    return all(is_blank(plane) for plane in document.composite.planes.values())


def make(desk: Desk) -> None:
    """Add the card of empty maps; and at the start that of the last map, if there is one."""
    EmptyMap(desk)
    recent_maps = desk.settings.recent("maps")
    document = desk.document
    is_at_start = len(document.maps) == 1 and document.path is None and not document.history.steps
    if recent_maps and is_at_start:
        LastMap(desk, recent_maps[0])
