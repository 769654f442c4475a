"""The sprites of all pieces of a scene side by side in one pixmap.

One call of Qt draws all pieces of a batch, in the order of the map: neighbouring pixels are written
one after the other, which is quicker.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence, Set

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QElapsedTimer, QRectF, Qt
from PySide6.QtGui import QImage, QPainter, QPixmap

from app.appearance.painting import painting, saved_state
from app.render.pictures.picture_images import BASE, PictureImages
from app.render.piece import PIXEL_SHARE, Mask, Piece, image_of, pixel_size
from app.render.raster.fragments import FIELDS, FROM_MIDDLE, draw_prepared
from app.render.scene.batch import Batch
from app.render.scene.pieces import Pieces

WIDTH = 1024
"""The pixmap is this many pixels wide, or as wide as its widest sprite."""

MASKED_UNTIL = 40.0
"""At so many pixels a map unit masks are kept as images; larger ones would take much room."""

CORNER_DECIMALS = 6
"""To so many decimals of a pixel the corner of a sprite is known."""

MISSING = 0
DRAFT = 1
READY = 2
"""The states of a sprite."""

PROGRESSIVE_MS = 8
"""For this long a progressive frame draws sprites that are missing."""


def pixel_box(piece: Piece, unit: float) -> QRectF:
    """Return the box of the sprite of a piece, in map units, each of which has ``unit`` pixels.

    It encloses that of the piece, and its edges lie at whole pixels from the centre of the cell. So
    all sprites of a cell move by the same part of a pixel when they are drawn at whole pixels; else
    the ground below a mask could move away from it, and show as a line along the edge of the mask.
    """
    if piece.is_between_pixels:
        return piece.box
    left = math.floor(piece.box.left() * unit + PIXEL_SHARE)
    top = math.floor(piece.box.top() * unit + PIXEL_SHARE)
    right = math.ceil(piece.box.right() * unit - PIXEL_SHARE)
    bottom = math.ceil(piece.box.bottom() * unit - PIXEL_SHARE)
    return QRectF(left / unit, top / unit, (right - left) / unit, (bottom - top) / unit)


class Atlas:
    """Sprites of ``pieces``, of ``unit`` device pixels a map unit, or another unit of theirs.

    ``images`` are the pictures that the pieces are drawn with, None for pieces without pictures.
    """

    def __init__(
        self, pieces: Pieces | Sequence[Piece], unit: float, images: PictureImages | None = None
    ) -> None:
        self._pieces = pieces
        self._images = images
        self.unit = unit
        self.stored: Mapping[str, QImage] = {}
        """Sprites that an earlier session drew, by the text of their pieces' keys."""
        self._adopted: dict[object, tuple[NDArray[np.float64], NDArray[np.float64]]] = {}
        self._masks: dict[object, QImage] = {}
        self._mask_bytes = 0
        self._state = np.zeros(0, np.uint8)
        # For each piece a fragment without its place, and its corner's distance from the centre.
        self._fragments = np.zeros((0, FIELDS))
        self._corners = np.zeros((0, 2))
        self._pixmap = QPixmap()
        self._shelf = self._next_shelf = self._along = 0

    def __len__(self) -> int:
        """Return how many sprites are drawn or drafted."""
        return int(np.count_nonzero(self._state))

    @property
    def bytes(self) -> int:
        """The memory that the sprites take with their masks, in bytes."""
        return self._pixmap.width() * self._pixmap.height() * 4 + self._mask_bytes

    def adopt(self, former: Atlas, unchanged: Set[int]) -> None:
        """Take over the sprites of pieces of ``unchanged`` terrains; ``former`` is used no more."""
        self._pixmap = former._pixmap
        self._along = former._along
        self._shelf = former._shelf
        self._next_shelf = former._next_shelf
        for number in np.flatnonzero(former._state == READY).tolist():
            piece = former._pieces[number]
            if piece.terrain in unchanged:
                sprite_place = former._fragments[number], former._corners[number]
                self._adopted[piece.key] = sprite_place

    def is_ready(self, piece_of: NDArray[np.intp]) -> bool:
        """Return whether all these pieces are drawn, and not only drafted."""
        self._grow()
        return bool((self._state[piece_of] == READY).all())

    def draw(self, piece_of: NDArray[np.intp], clock: QElapsedTimer | None = None) -> bool:
        """Draw the sprites of these pieces that are missing; whether all are drawn now.

        With a ``clock`` those are drafted for which there is no time, ``PROGRESSIVE_MS`` in all.
        """
        self._grow()
        if clock is None:
            self._draw(self._without(READY, piece_of))
            return True
        missing = self._without(READY, piece_of)
        late: list[int] = []
        # Only sprites that are drawn again may be made from images that are too small for them.
        hurried = self._images is not None and self.unit > BASE
        if self._images is not None:
            self._images.hurried = hurried
        while missing and clock.elapsed() <= PROGRESSIVE_MS:
            some = missing[:8]
            missing = missing[8:]
            if hurried:
                self._draw([number for number in some if self._state[number] == MISSING])
                late += some
            else:
                self._draw(some)
        if self._images is not None:
            self._images.hurried = False
        new = [number for number in missing if self._state[number] == MISSING]
        new = [number for number in new if not self._is_adopted(number)]
        self._draw([number for number in new if self._pieces[number].draft is not None], draft=True)
        self._state[late] = DRAFT
        return not missing and not late

    def draw_for(self, piece_of: NDArray[np.intp], clock: QElapsedTimer, budget_ms: int) -> bool:
        """Draw missing sprites, at least one, until ``budget_ms`` are over.

        Return whether all of them are drawn.
        """
        self._grow()
        missing = self._without(READY, piece_of)
        for drawn_count, number in enumerate(missing, start=1):
            self._draw([number])
            if drawn_count < len(missing) and clock.elapsed() >= budget_ms:
                return False
        return True

    def paint(self, painter: QPainter, batch: Batch, at: NDArray[np.float64]) -> None:
        """Draw a batch; ``at`` (n, 2) are the places of its pieces in device pixels."""
        piece_of = batch.piece_of
        state = self._state[piece_of]
        if not state.all():
            drawn_rows = np.flatnonzero(state)
            piece_of = piece_of[drawn_rows]
            at = at[drawn_rows]
        if not len(piece_of):
            return
        fragments = self._fragments[piece_of]
        corners = np.floor(at + self._corners[piece_of])
        fragments[:, FROM_MIDDLE] += corners
        if batch.opacity < 1:
            with saved_state(painter):
                painter.setOpacity(painter.opacity() * batch.opacity)
                draw_prepared(painter, fragments, self._pixmap)
        else:
            draw_prepared(painter, fragments, self._pixmap)

    def images(self) -> dict[str, QImage]:
        """Return the sprites that are drawn, by the text of their pieces' keys."""
        whole = self._pixmap.toImage().convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)
        return {
            repr(self._pieces[number].key): whole.copy(
                *self._fragments[number, 2:6].astype(int).tolist()
            )
            for number in np.flatnonzero(self._state == READY).tolist()
        }

    # --- sprites ----------------------------------------------------------------------------

    def _without(self, state: int, piece_of: NDArray[np.intp]) -> list[int]:
        stale = piece_of[self._state[piece_of] != state]
        return np.flatnonzero(np.bincount(stale)).tolist()

    def _grow(self) -> None:
        count = len(self._pieces)
        if count > len(self._state):
            size = 2 * count + 16
            for name in ("_state", "_fragments", "_corners"):
                former = getattr(self, name)
                grown = np.zeros((size, *former.shape[1:]), former.dtype)
                grown[: len(former)] = former
                setattr(self, name, grown)

    def _place(self, number: int, box: QRectF) -> None:
        """Find room for a sprite; ``box`` is its ``pixel_box``."""
        width, height = pixel_size(box, self.unit)
        if self._along + width > max(WIDTH, self._pixmap.width()):
            self._shelf = self._next_shelf
            self._along = 0
        left = self._along
        top = self._shelf
        self._along += width
        self._next_shelf = max(self._next_shelf, top + height)
        self._fragments[number] = (
            *(width / 2, height / 2, left, top, width, height),
            *(1, 1, 0, 1),
        )
        # Not even an error of rounding may part the sprites of a cell that lies between two pixels.
        self._corners[number] = (
            round(box.left() * self.unit, CORNER_DECIMALS) + 0.5,
            round(box.top() * self.unit, CORNER_DECIMALS) + 0.5,
        )

    def _is_adopted(self, number: int) -> bool:
        """Return whether a former atlas had a sprite, which is then ready."""
        if not self._adopted or self._state[number] != MISSING:
            return False
        sprite_place = self._adopted.pop(self._pieces[number].key, None)
        if sprite_place is None:
            return False
        self._fragments[number], self._corners[number] = sprite_place
        self._state[number] = READY
        return True

    def _make_room(self, wide: int) -> None:
        """Make the pixmap as large as its shelves."""
        width = max(WIDTH, self._pixmap.width(), wide)
        if self._next_shelf <= self._pixmap.height() and width == self._pixmap.width():
            return
        former = self._pixmap
        height = self._next_shelf + self._next_shelf // 2
        self._pixmap = QPixmap(width, height)
        self._pixmap.fill(Qt.GlobalColor.transparent)
        if not former.isNull():
            with painting(self._pixmap) as painter:
                painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)
                painter.drawPixmap(0, 0, former)

    def _draw(self, numbers: Iterable[int], *, draft: bool = False) -> None:
        """Draw sprites, over their drafts if there are any."""
        numbers = [number for number in numbers if not self._is_adopted(number)]
        if not numbers:
            return
        wide = 0
        boxes = [pixel_box(self._pieces[number], self.unit) for number in numbers]
        for number, box in zip(numbers, boxes, strict=True):
            if self._state[number] == MISSING:
                self._place(number, box)
                wide = max(wide, int(self._fragments[number, 4]))
        self._make_room(wide)
        images = []
        for number, box in zip(numbers, boxes, strict=True):
            images.append(self._image(number, box, draft=draft))
        with painting(self._pixmap) as painter:
            painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)
            for number, image in zip(numbers, images, strict=True):
                left, top = self._fragments[number, 2:4].astype(int).tolist()
                painter.drawImage(left, top, image)
        if draft:
            self._state[numbers] = DRAFT
        else:
            self._state[numbers] = READY

    def _image(self, number: int, box: QRectF, *, draft: bool) -> QImage:
        """Return a sprite by itself: its pixels do not depend on its place in the pixmap.

        ``box`` is its ``pixel_box``.
        """
        piece = self._pieces[number]
        width, height = self._fragments[number, 4:6].astype(int).tolist()
        stored = None
        if self.stored and not draft:
            stored = self.stored.get(repr(piece.key))
        if stored is not None and (stored.width(), stored.height()) == (width, height):
            return stored
        mask = None
        if self.unit <= MASKED_UNTIL:
            mask = piece.mask
        with image_of(box, self.unit) as (image, painter):
            if draft:
                piece.draw_draft(painter)
            elif mask is None:
                piece.draw_clipped(painter)
            else:
                with saved_state(painter):
                    piece.draw(painter)
                painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_DestinationIn)
                painter.resetTransform()
                painter.drawImage(0, 0, self._mask_image(mask, box))
        return image

    def _mask_image(self, mask: Mask, box: QRectF) -> QImage:
        image = self._masks.get(mask.key)
        if image is None:
            with image_of(box, self.unit) as (image, painter):
                mask.draw(painter)
            self._masks[mask.key] = image
            self._mask_bytes += image.sizeInBytes()
        return image


QUARTERS_FROM = 14.0
"""From so many pixels a map unit on; below, sprites would be many and lines are thin."""


class QuarterPixels:
    """The ones of ``pieces`` that lie between whole pixels, so that lines go on in the next cell.

    A sprite is drawn at whole pixels. There are sixteen of a piece, each moved by some quarters of
    a pixel to the right and down; ``unit`` is the device pixels of a map unit.
    """

    def __init__(self, pieces: Pieces, unit: float) -> None:
        self._pieces = pieces
        self._unit = unit
        self._corners: dict[int, tuple[float, float]] = {}

    def pieces_at(self, batch: Batch, at: NDArray[np.float64]) -> NDArray[np.intp]:
        """Return the numbers (n,) of the pieces of a batch that fit the places ``at`` (n, 2).

        These are device pixels.
        """
        present, which = np.unique(batch.piece_of, return_inverse=True)
        corners = np.array([self._corner(number) for number in present.tolist()]).reshape(-1, 2)
        quarters = np.floor((at + corners[which]) % 1 * 4).astype(np.intp)
        codes = batch.piece_of << 4 | quarters[:, 0] << 2 | quarters[:, 1]
        return self._pieces.numbers("quarter", codes, self._moved)

    def _corner(self, number: int) -> tuple[float, float]:
        """Return where the corner of a sprite would lie for a cell at (0, 0), half a pixel
        further.
        """
        result = self._corners.get(number)
        if result is None:
            corner = self._pieces[number].box.topLeft() * self._unit
            result = self._corners[number] = (corner.x() + 0.5, corner.y() + 0.5)
        return result

    def _moved(self, code: int) -> Piece:
        """Return the piece that is drawn ``(q + 0.5) / 4 - 0.5`` pixels to the right, and down."""
        piece = self._pieces[code >> 4]
        pixel = 1 / self._unit
        right, down = ((quarter + 0.5) / 4 - 0.5 for quarter in (code >> 2 & 3, code & 3))
        box = QRectF(
            piece.box.left() - (1 + right) * pixel,
            piece.box.top() - (1 + down) * pixel,
            piece.box.width() + 3 * pixel,
            piece.box.height() + 3 * pixel,
        )
        return piece._replace(key=(piece.key, code & 15), box=box, is_between_pixels=True)
