"""A pixmap that holds many sprites, and grows with them.

Sprites stand on shelves. A shelf is as high as its highest sprite, and the next one begins below it
when a sprite is too wide for what is left of the row::

    +-------------------+
    | aaa  bb  ccc      |    a, b and c were placed first; d was too wide for the first shelf
    | aaa      ccc      |
    | aaa               |
    +-------------------+
    | dddddddd  ee      |
    |           ee      |
    +-------------------+
"""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage, QPainter, QPixmap

from app.appearance.painting import painting

WIDTH = 1024
"""The pixmap is this many pixels wide, or as wide as its widest sprite.

If it is larger less is lost at the ends of shelves, and a set of few sprites takes more memory.
"""

BYTES_PER_PIXEL = 4
"""What a pixel of a pixmap takes in memory."""


class SpriteSheet:
    """Sprites on one pixmap: ``place`` finds room for each, ``draw`` draws them there."""

    def __init__(self) -> None:
        self.pixmap = QPixmap()
        """The sprites. ``draw`` enlarges it: until then it is too low for those only placed."""
        self._width = WIDTH
        """The width of the shelves, in pixels."""
        self._shelf_top = 0
        """Where the last shelf begins."""
        self._shelf_bottom = 0
        """Where the last shelf ends, with the sprites that it has so far: the next begins there."""
        self._shelf_end = 0
        """Where the last sprite of the last shelf ends: the next one begins there."""

    @property
    def bytes(self) -> int:
        """The memory that the pixmap takes, in bytes."""
        return self.pixmap.width() * self.pixmap.height() * BYTES_PER_PIXEL

    def place(self, width: int, height: int) -> QPoint:
        """Return where the left top corner of a new sprite of this size in pixels will be."""
        if self._shelf_end + width > self._width:
            self._shelf_top = self._shelf_bottom
            self._shelf_end = 0
            self._width = max(self._width, width)
        corner = QPoint(self._shelf_end, self._shelf_top)
        self._shelf_end += width
        self._shelf_bottom = max(self._shelf_bottom, self._shelf_top + height)
        return corner

    def draw(self, sprites: Iterable[tuple[QPoint, QImage]]) -> None:
        """Draw the images of sprites at the corners that ``place`` has returned for them.

        They replace what was drawn there before.
        """
        self._make_room()
        with painting(self.pixmap) as painter:
            painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)
            for corner, image in sprites:
                painter.drawImage(corner, image)

    def _make_room(self) -> None:
        """Make the pixmap as large as all its shelves, and some for the next ones."""
        is_wide_enough = self.pixmap.width() == self._width
        if is_wide_enough and self._shelf_bottom <= self.pixmap.height():
            return
        former = self.pixmap
        # Half as much again: to copy the pixmap at each new shelf would take longer and longer.
        height = self._shelf_bottom + self._shelf_bottom // 2
        self.pixmap = QPixmap(self._width, height)
        self.pixmap.fill(Qt.GlobalColor.transparent)
        if not former.isNull():
            with painting(self.pixmap) as painter:
                painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)
                painter.drawPixmap(0, 0, former)
