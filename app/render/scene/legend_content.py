"""What a legend says, in columns, with the title of the map and a bar of its scale::

    +---------------------------------+
    |  Title                          |
    |  [] Grass          [] Town      |
    |  [] Wood           [] Road      |
    |  ####----####----               |
    |  0       3      6 miles         |
    +---------------------------------+

``Content`` knows its size and draws itself; ``legend`` says where it lies. All lengths are in
logical pixels.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from app.appearance.painting import saved_state
from app.render.scene.icons import font, text_width
from app.render.scene.legend_rows import GAP, ROW_HEIGHT, SWATCH_WIDTH, TYPE_SIZE, Row
from app.render.scene.pieces import Pieces
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite

TITLE_SIZE = TYPE_SIZE + 2
"""The type size of the title of the map."""

PADDING = 10.0
"""The distance between the edge of the legend and its content."""

CORNER_RADIUS = 4.0
"""The radius of the corners of a legend on a screen."""

GROUND_ALPHA = 0xF4
"""The opacity of the ground of a legend on a screen, of 255: the map shows through a little."""

TITLE_BASELINE = TYPE_SIZE + 1
"""How far the baseline of the title lies below the upper end of its row."""

BAR_ROOM = 34.0
"""The height that the scale bar takes with its text."""

BAR_INDENT = 4.0
"""How far the scale bar begins to the right of the rows, for the number below its left end."""

BAR_DROP = 10.0
"""The distance between the rows and the scale bar."""

BAR_HEIGHT = 5.0
"""The height of the bar itself."""

NUMBER_DROP = 3.0
"""The distance between the bar and the numbers below it."""

LONGEST_BAR = 170.0
"""The greatest length of the bar."""

ROUND_NUMBERS = (1, 2, 5)
"""The bar has one of so many units, times a power of ten: the largest that fits."""

BAR_PARTS = 4
"""The parts of the bar, dark and light in turn."""

ROOM_BESIDE_BAR = 60.0
"""The width that is left for the numbers at the ends of the bar."""


class Bar(NamedTuple):
    """A bar that shows the scale of a map, such as 5 km."""

    unit_pixels: float
    """The length of a unit on the map, in logical pixels."""

    units: float
    """How many units the bar is long."""

    unit: str
    """The name of the unit."""

    @property
    def length(self) -> float:
        """The length of the bar, in logical pixels."""
        return self.unit_pixels * self.units

    def draw(self, painter: QPainter, ink: QColor) -> None:
        """Draw the bar in parts, dark and light, with numbers at its ends and its middle.

        Its left top corner lies at (0, 0).
        """
        part_width = self.length / BAR_PARTS
        painter.setPen(QPen(ink, 1))
        for index in range(BAR_PARTS):
            painter.setBrush(Qt.GlobalColor.transparent)
            if index % 2 == 0:
                painter.setBrush(ink)
            painter.drawRect(QRectF(index * part_width, 0, part_width, BAR_HEIGHT))
        painter.setFont(font(TYPE_SIZE))
        baseline = BAR_HEIGHT + TYPE_SIZE + NUMBER_DROP
        for share in (0.0, 0.5, 1.0):
            number = f"{self.units * share:g}"
            text = number
            if share == 1:
                text = f"{number} {self.unit}".strip()
            # The number is centred, without the name of the unit.
            x = self.length * share - text_width(number, TYPE_SIZE) / 2
            painter.drawText(QPointF(x, baseline), text)


def bar_of(battlemap: BattleMap, composite: Composite, scale: float) -> Bar | None:
    """Return the scale bar of a map that says how wide a cell is; None for others.

    ``scale`` is the length of a map unit in logical pixels.
    """
    cell_width = battlemap.system.cell_width(battlemap, composite.properties)
    if cell_width is None:
        return None
    unit_pixels = battlemap.grid.layout.neighbour_distance * scale / cell_width.length
    return Bar(unit_pixels, largest_round_number(LONGEST_BAR / unit_pixels), cell_width.unit)


def largest_round_number(limit: float) -> float:
    """Return the largest of 1, 2 and 5 times a power of ten that is not above ``limit`` (> 0)."""
    power = 10.0 ** math.floor(math.log10(limit))
    round_numbers = [number * power for number in ROUND_NUMBERS if number * power <= limit]
    # There is none for a limit a hair below ``power``, whose logarithm was rounded up.
    return max(round_numbers, default=power)


class LeastSize(NamedTuple):
    """The least size of a legend beside the map: it is as wide as the map, or as high."""

    width: float
    """0 for no least width."""

    height: float
    """0 for no least height."""


class Content(NamedTuple):
    """The content of a legend, and its layout."""

    title: str
    """The title of the map, "" for none."""

    rows: tuple[Row, ...]
    """The rows, which run down the first column, then down the next one."""

    bar: Bar | None
    """The scale bar; None on maps whose cells have no size."""

    columns: int
    """In how many columns the rows stand."""

    min_size: LeastSize | None = None
    """The least size of a legend that lies beside the map in a picture.

    None for one that lies on the map, on a screen.
    """

    @property
    def is_on_screen(self) -> bool:
        """True if it lies on the map, on a ground with round corners; else it has a frame."""
        return self.min_size is None

    @property
    def is_empty(self) -> bool:
        """True if there is nothing to be explained."""
        return not self.rows and self.bar is None

    @property
    def column_width(self) -> float:
        """The least width of a column."""
        widest = max((text_width(row.text, TYPE_SIZE) for row in self.rows), default=0.0)
        return SWATCH_WIDTH + GAP + widest + GAP

    @property
    def rows_in_column(self) -> int:
        """The number of rows in the first column."""
        return math.ceil(len(self.rows) / self.columns)

    @property
    def height_without_rows(self) -> float:
        """The height of all but the rows."""
        height = 2 * PADDING
        if self.title:
            height += ROW_HEIGHT
        if self.bar is not None:
            height += BAR_ROOM
        return height

    @property
    def extent(self) -> tuple[float, float]:
        """The width and height of the legend; all its texts are measured."""
        bar_width = 0.0
        if self.bar is not None:
            bar_width = self.bar.length + ROOM_BESIDE_BAR
        title_width = text_width(self.title, TITLE_SIZE, bold=True)
        width = 2 * PADDING + max(self.columns * self.column_width, bar_width, title_width)
        height = self.height_without_rows + self.rows_in_column * ROW_HEIGHT
        if self.is_on_screen:
            return width, height
        assert self.min_size is not None
        return max(width, self.min_size.width), max(height, self.min_size.height)

    def draw(self, painter: QPainter, pieces: Pieces) -> None:
        """Draw the legend with its left top corner at (0, 0), in logical pixels."""
        width, height = self.extent
        theme = pieces.theme
        ink = QColor(theme.label_text)
        painter.setPen(QPen(ink, 1))
        box = QRectF(0.5, 0.5, width - 1, height - 1)  # in the middle of a line of a pixel
        if self.is_on_screen:
            ground = QColor(theme.label_halo.rgb())
            ground.setAlpha(GROUND_ALPHA)
            painter.setBrush(ground)
            painter.drawRoundedRect(box, CORNER_RADIUS, CORNER_RADIUS)
        else:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(box)

        top = PADDING
        if self.title:
            painter.setFont(font(TITLE_SIZE, bold=True))
            painter.drawText(QPointF(PADDING, top + TITLE_BASELINE), self.title)
            top += ROW_HEIGHT

        # Columns share the whole width, where that is larger than they need.
        column_step = max(self.column_width, (width - 2 * PADDING) / self.columns)
        for index, row in enumerate(self.rows):
            column, row_in_column = divmod(index, self.rows_in_column)
            with saved_state(painter):
                painter.translate(PADDING + column * column_step, top + row_in_column * ROW_HEIGHT)
                row.draw(painter, pieces)
        if self.bar is not None:
            with saved_state(painter):
                painter.translate(PADDING + BAR_INDENT, height - PADDING - BAR_ROOM + BAR_DROP)
                self.bar.draw(painter, ink)
