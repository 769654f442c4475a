"""A group of the palette: buttons with pictures and names, in as many columns as there is room for.

``Swatches`` makes the buttons (``_fill``), chooses the number of columns (``_arrangement_in``) and
gives every button its picture and name (``_update_button``). button_names.py breaks a name into
lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QIcon, QPixmap
from PySide6.QtWidgets import QGridLayout, QGroupBox, QLineEdit, QToolButton, QWidget

from app.features.palette.button_names import in_lines
from app.qt_guard import connect
from app.widgets.layout.builders import described, plain_label, tool_button

PICTURE = 44
"""The width of a picture above a name, in logical pixels."""


class ButtonSize(NamedTuple):
    """The sizes of a kind of buttons, in logical pixels."""

    min_width: int

    margin: int
    """The height that a button has in addition to its picture and its name."""


NAMED_BUTTON = ButtonSize(min_width=62, margin=10)
"""A button with a picture and a name."""

BARE_BUTTON = ButtonSize(min_width=44, margin=8)
"""A button with a picture alone."""

BARE_PICTURE = 36
"""The width of a picture that stands alone on a button of the least width."""

NAME_PADDING = 12
"""The width of a button with a picture beyond that of its name, in logical pixels."""

TEXT_PADDING = 16
"""The width of a button without a picture beyond that of its name, in logical pixels."""

EDGE = 4
"""The gap between the frame of the group and its buttons, in logical pixels."""

LINE_LENGTHS = (14, 10)
"""The most letters in a line of a name: the second if the first leaves room for one column only."""

SEARCH_FROM = 30
"""The number of entries above which there is a line to search them by."""

MAX_BUTTONS = 120
"""The most entries that have buttons at once. More make the palette slow to show."""

FOOT_ROW = 1 + MAX_BUTTONS
"""The row of the grid for the widgets below the buttons: row 0 has the search."""


class Entry(NamedTuple):
    """A terrain, a hexside or the like, for which there is a button."""

    code: int
    """The value that is painted with it."""

    name: str
    """The name on its button."""

    tip: str
    """The tool tip of its button."""


class Arrangement(NamedTuple):
    """The arrangement of the buttons of a group."""

    columns: int
    """The number of columns of buttons."""

    line_length: int
    """The most letters in a line of a name."""

    has_names: bool = True
    """False if there is room for pictures alone."""


class Swatches(QGroupBox):
    """A button for each entry; at most one of them is chosen.

    Of many entries there are buttons for the first ``MAX_BUTTONS``, and a line to search them by.
    """

    clicked_code = Signal(int)
    """The button of this code was clicked."""

    searched = Signal()
    """The search has changed the buttons: new ones have no pictures yet."""

    def __init__(self, title: str, entries: Sequence[Entry], *, pictured: bool = True) -> None:
        """Make the buttons; if they are ``pictured``, ``drawing`` gives them pictures later."""
        super().__init__(title)
        self._entries = tuple(entries)
        self._pictured = pictured
        self._names = {entry.code: entry.name for entry in self._entries}
        self._buttons: dict[int, QToolButton] = {}
        """The buttons by their codes: those of the first entries that fit the search."""
        self._pictures: dict[int, QPixmap] = {}
        """The pictures that have been drawn, by their codes."""
        self.chosen_code: int | None = None
        """The code of the button that is shown as chosen; None for no button."""
        self._picture_size = QSize()
        """The size that the pictures will have, invalid if none are to come."""
        self._arrangement = Arrangement(1, LINE_LENGTHS[0])
        self.grid = QGridLayout(self)
        self.grid.setSpacing(0)
        self.grid.setContentsMargins(0, EDGE, 0, EDGE)
        self.search = described(QLineEdit(), f"Search for a {title.lower()}")
        self.search.setPlaceholderText("Search")
        self.search.setClearButtonEnabled(True)
        self.search.setVisible(len(self._entries) > SEARCH_FROM)
        self._more = plain_label(wordWrap=True)
        self.foot: list[QWidget] = [self._more]
        """The widgets below the buttons; the owner of the group may append further ones."""
        connect(self.search.textChanged, self._on_search)
        self._fill()

    def _on_click(self, code: int) -> None:
        """Show a clicked button as the chosen one, and tell of it."""
        self.show_code(code)  # a button that is clicked again stays chosen
        self.clicked_code.emit(code)

    def _on_search(self) -> None:
        """Make the buttons that fit the search."""
        self._fill()
        self.searched.emit()

    # --- the buttons ------------------------------------------------------------------------

    def _fill(self) -> None:
        """Make the buttons of the entries that have the searched word in their names."""
        for button in self.buttons:
            button.deleteLater()
        self._buttons.clear()
        word = self.search.text().casefold()
        matches = [entry for entry in self._entries if word in entry.name.casefold()]
        for entry in matches[:MAX_BUTTONS]:
            button = tool_button(entry.name, entry.tip, f"{self.title()} {entry.name}")
            button.setCheckable(True)
            button.setAutoRaise(True)
            button.setChecked(entry.code == self.chosen_code)
            connect(button.clicked, partial(self._on_click, entry.code))
            self._buttons[entry.code] = button
        hidden_count = len(matches) - len(self._buttons)
        self._more.setText(f"{hidden_count:,} more: search for them")
        self._more.setVisible(hidden_count > 0)
        self._lay_out()

    @property
    def buttons(self) -> list[QToolButton]:
        """The buttons that can be seen, in their order."""
        return list(self._buttons.values())

    def button_of(self, code: int) -> QToolButton | None:
        """Return the button of a code, None if there is none."""
        return self._buttons.get(code)

    def show_code(self, code: int | None) -> None:
        """Show the button of a code as the chosen one; None for no button."""
        self.chosen_code = code
        for button_code, button in self._buttons.items():
            button.setChecked(button_code == code)

    # --- pictures ---------------------------------------------------------------------------

    def mark_pictures_outdated(self) -> None:
        """Have all pictures drawn again by the next ``drawing``; so long buttons have old ones."""
        self._pictures.clear()

    def drawing(self, draw: Callable[[int], QPixmap]) -> Iterator[None]:
        """Draw the pictures of the buttons that have none, one in every step of the iterator."""
        for code in list(self._buttons):
            # Between two steps a search may have taken buttons away, or drawn their pictures.
            if code in self._buttons and code not in self._pictures:
                self._pictures[code] = draw(code)
                self._update_button(code)
                yield

    def reserve(self, size: QSize) -> None:
        """Make the buttons as high as pictures of this size need, so that nothing moves later."""
        self._picture_size = size
        self._lay_out()

    # --- columns ----------------------------------------------------------------------------

    def fit(self, width: int) -> None:
        """Arrange the buttons in as many columns as a row of ``width`` logical pixels holds."""
        arrangement = self._arrangement_in(width)
        if arrangement != self._arrangement:
            self._arrangement = arrangement
            self._lay_out()

    def _arrangement_in(self, width: int) -> Arrangement:
        """Return the arrangement for a row of ``width`` logical pixels.

        Names are broken into long lines if that leaves room for two columns, else into short lines
        if that does, else buttons show pictures alone. Names without pictures always stay.
        """
        count = max(1, len(self._entries))
        for line_length in LINE_LENGTHS:
            columns = width // self._button_width(line_length)
            is_wide_enough = columns >= min(2, count)
            if is_wide_enough or not self._pictured:
                return Arrangement(max(1, min(columns, count)), line_length)
        columns = width // BARE_BUTTON.min_width
        return Arrangement(max(1, min(columns, count)), LINE_LENGTHS[0], has_names=False)

    def _button_width(self, line_length: int) -> int:
        """Return the width that every button needs with lines of so many letters."""
        metrics = self.fontMetrics()
        width = 1  # of a group without entries
        padding = TEXT_PADDING
        if self._pictured:
            width = NAMED_BUTTON.min_width
            padding = NAME_PADDING
        for entry in self._entries[:MAX_BUTTONS]:
            for line in in_lines(entry.name, line_length).split("\n"):
                width = max(width, metrics.horizontalAdvance(line) + padding)
        return width

    def _lay_out(self) -> None:
        """Put all widgets into the grid again: the search, the buttons, and those below them."""
        while self.grid.takeAt(0) is not None:
            pass  # taken out of the grid, not deleted
        columns = self._arrangement.columns
        for column in range(self.grid.columnCount()):
            self.grid.setColumnStretch(column, int(column < columns))
        self.grid.addWidget(self.search, 0, 0, 1, columns)
        middle = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop
        for index, (code, button) in enumerate(self._buttons.items()):
            row, column = divmod(index, columns)
            self.grid.addWidget(button, row + 1, column, middle)
            self.grid.setColumnStretch(column, 1)
            self._update_button(code)
        for row, widget in enumerate(self.foot, FOOT_ROW):
            self.grid.addWidget(widget, row, 0, 1, columns)

    def _update_button(self, code: int) -> None:
        """Give a button what the arrangement shows: its picture, its name or both.

        Until its picture is drawn it shows its name in any case, at the height that it will have.
        """
        button = self._buttons[code]
        has_name = self._arrangement.has_names
        text = in_lines(self._names[code], self._arrangement.line_length)
        button.setText(text)
        height = 0
        if self._picture_size.isValid():
            height = self._picture_size.height() + NAMED_BUTTON.margin
            if has_name:
                line_count = text.count("\n") + 1
                height += line_count * self.fontMetrics().height()
        width = 0
        if self._pictured and has_name:
            width = NAMED_BUTTON.min_width
        button.setMinimumSize(width, height)

        # With a picture the style of the button decides whether its text can be seen.
        picture = self._pictures.get(code)
        if picture is None:
            return
        size = picture.deviceIndependentSize().toSize()
        if has_name:
            style = Qt.ToolButtonStyle.ToolButtonTextUnderIcon
        else:
            style = Qt.ToolButtonStyle.ToolButtonIconOnly
            size.scale(BARE_PICTURE, BARE_PICTURE, Qt.AspectRatioMode.KeepAspectRatio)
            button.setMinimumSize(0, size.height() + BARE_BUTTON.margin)
        button.setIcon(QIcon(picture))
        button.setIconSize(size)
        button.setToolButtonStyle(style)
