"""The sprites of all pieces of a scene, side by side on one pixmap.

A *piece* describes a drawing, such as a bend of road; its *sprite* is that drawing in pixels, at
one scale. With all sprites on one pixmap a single call of Qt draws all pieces of a batch, in the
order of the map: neighbouring pixels are written one after the other, which is quicker::

    atlas = Atlas(pieces, unit=48.0)
    if not atlas.is_ready(batch.piece_of):
        atlas.draw_all(batch.piece_of)
    atlas.paint(painter, batch, middles)
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence, Set

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRect, QRectF, QSize
from PySide6.QtGui import QImage, QPainter

from app.appearance.painting import saved_state
from app.render.pictures.picture_images import LARGEST_UNIT, PictureImages
from app.render.piece import ROUNDING_TOLERANCE, Mask, Piece, image_of, pixel_size
from app.render.raster.fragments import draw_prepared
from app.render.raster.sprite_sheet import SpriteSheet
from app.render.raster.sprite_table import SpritePlace, SpriteState, SpriteTable
from app.render.scene.batch import Batch
from app.render.scene.pieces import Pieces
from app.render.time_budget import TimeBudget

MASKED_UNTIL = 40.0
"""Up to so many pixels a map unit masks are stored as images; larger ones would take much room."""

CORNER_DECIMALS = 6
"""To so many decimals of a pixel the corner of a sprite is known.

The sprites of a cell are moved to whole pixels one by one. With more decimals an error of rounding
could move them to different pixels where the cell lies between two.
"""

SPRITES_AT_ONCE = 8
"""A progressive frame looks at its time after so many sprites: to draw one alone costs more."""


class Atlas:
    """The sprites of ``pieces``, with ``unit`` device pixels in a unit of the pieces.

    ``pieces`` may grow: each is known by its index, its *number*. ``images`` are the pictures with
    which the pieces are drawn, None for pieces without pictures.
    """

    def __init__(
        self, pieces: Pieces | Sequence[Piece], unit: float, images: PictureImages | None = None
    ) -> None:
        self.unit = unit
        self.stored: Mapping[str, QImage] = {}
        """Sprites that an earlier session drew, by the ``repr`` of the keys of their pieces."""
        self._pieces = pieces
        self._picture_images = images
        self._sheet = SpriteSheet()
        """The sprites."""
        self._table = SpriteTable()
        """Where each of them is on the sheet."""
        self._adopted: dict[object, SpritePlace] = {}
        """Sprites of a former atlas on the sheet, by the keys of pieces that were not used yet."""
        self._masks: dict[object, QImage] = {}
        """The images of masks, by their keys."""
        self._mask_bytes = 0
        """The memory that these take: they are thousands, and each frame asks for ``bytes``."""

    def __len__(self) -> int:
        """Return how many sprites are drawn or drafted."""
        return int(np.count_nonzero(self._table.states != SpriteState.MISSING))

    @property
    def bytes(self) -> int:
        """The memory that the sprites take with their masks, in bytes."""
        return self._sheet.bytes + self._mask_bytes

    def adopt(self, former: Atlas, unchanged: Set[int]) -> None:
        """Take over the sprites of ``unchanged`` terrains (codes) of an atlas of the same unit.

        ``former`` cannot be used any more: both would write on one sheet.
        """
        self._sheet = former._sheet
        for index in np.flatnonzero(former._table.states == SpriteState.READY).tolist():
            piece = former._pieces[index]
            if piece.terrain in unchanged:
                self._adopted[piece.key] = former._table.place_of(index)

    def ready_sprites(self) -> dict[str, QImage]:
        """Return the sprites that are ready, by the ``repr`` of the keys of their pieces."""
        image_format = QImage.Format.Format_ARGB32_Premultiplied
        sheet = self._sheet.pixmap.toImage().convertToFormat(image_format)
        sprites = {}
        for index in np.flatnonzero(self._table.states == SpriteState.READY).tolist():
            sprites[repr(self._pieces[index].key)] = sheet.copy(self._table.source(index))
        return sprites

    # --- drawing sprites ------------------------------------------------------------------------

    def is_ready(self, piece_of: NDArray[np.intp]) -> bool:
        """Return whether the sprites of all these pieces are drawn, and not only drafted."""
        self._table.ensure_size(len(self._pieces))
        return bool((self._table.states[piece_of] == SpriteState.READY).all())

    def draw_all(self, piece_of: NDArray[np.intp]) -> None:
        """Draw the sprites of these pieces that are not ready, however long it takes."""
        self._draw(self._unready(piece_of))

    def draw_within(self, piece_of: NDArray[np.intp], budget: TimeBudget) -> bool:
        """Draw sprites that are not ready while there is time, and at least one.

        Return whether all of them are ready now.
        """
        unready = self._unready(piece_of)
        return self._draw(unready, budget=budget) == len(unready)

    def draw_or_draft(self, piece_of: NDArray[np.intp], budget: TimeBudget) -> bool:
        """Draw the sprites of these pieces while there is time, and draft the others.

        Return whether all are ready now. A piece without a draft has no sprite until it is drawn.
        """
        unready = self._unready(piece_of)
        # Larger than the images of pictures sprites would be painted shape by shape. So they are
        # made from images that are too small for them, and drawn again later.
        paints_shapes = self._picture_images is not None and self.unit > LARGEST_UNIT
        if paints_shapes:
            unready, are_all_ready = self._draft_from_images(unready, budget)
        else:
            while unready and not budget.is_spent:
                self._draw(unready[:SPRITES_AT_ONCE])
                unready = unready[SPRITES_AT_ONCE:]
            are_all_ready = not unready

        drafts = []
        for number in self._missing(unready):
            if not self._adopt_if_stored(number) and self._pieces[number].draft is not None:
                drafts.append(number)
        self._draw(drafts, draft=True)
        return are_all_ready

    def _draft_from_images(self, unready: list[int], budget: TimeBudget) -> tuple[list[int], bool]:
        """Draw missing sprites from images that are too small, while there is time: as drafts.

        Return the numbers for which there was no time, and whether all sprites are ready.
        """
        assert self._picture_images is not None
        coarse: list[int] = []
        with self._picture_images.with_any_image():
            while unready and not budget.is_spent:
                numbers = []
                for number in unready[:SPRITES_AT_ONCE]:
                    if not self._adopt_if_stored(number):
                        numbers.append(number)
                unready = unready[SPRITES_AT_ONCE:]
                self._draw(self._missing(numbers))
                coarse += numbers
        self._table.states[coarse] = SpriteState.DRAFT
        return unready, not unready and not coarse

    def _unready(self, piece_of: NDArray[np.intp]) -> list[int]:
        """Return the numbers of those of these pieces that are not ready: ascending, each once."""
        self._table.ensure_size(len(self._pieces))
        unready = piece_of[self._table.states[piece_of] != SpriteState.READY]
        return np.flatnonzero(np.bincount(unready)).tolist()

    def _missing(self, numbers: Iterable[int]) -> list[int]:
        """Return those of some pieces of which there is no sprite, not even a draft."""
        states = self._table.states
        return [number for number in numbers if states[number] == SpriteState.MISSING]

    def _adopt_if_stored(self, number: int) -> bool:
        """Take over the sprite of a missing piece if a former atlas had it; return whether it did.

        It is ready then.
        """
        if not self._adopted or self._table.states[number] != SpriteState.MISSING:
            return False
        sprite_place = self._adopted.pop(self._pieces[number].key, None)
        if sprite_place is None:
            return False
        self._table.adopt(number, sprite_place)
        return True

    def _draw(
        self, numbers: Iterable[int], *, draft: bool = False, budget: TimeBudget | None = None
    ) -> int:
        """Draw the sprites of some pieces, or their drafts; over their drafts if there are any.

        With a ``budget`` only the first ones are drawn, while there is time, and at least one.
        Return how many.
        """
        # All are drawn before any is placed: the drawing of a piece may raise, in each frame anew,
        # and the sheet would grow each time by places of sprites that are not there.
        images: dict[int, QImage] = {}
        boxes: dict[int, QRectF] = {}
        count = 0
        for number in numbers:
            if not self._adopt_if_stored(number):
                box = pixel_box(self._pieces[number], self.unit)
                images[number] = self._drawn_sprite(number, box, draft=draft)
                boxes[number] = box
            count += 1
            if budget is not None and budget.is_spent:
                break
        if not images:
            return count

        sprites = []
        for number, image in images.items():
            if self._table.states[number] == SpriteState.MISSING:
                self._reserve_place(number, boxes[number])
            sprites.append((self._table.source_corner(number), image))
        self._sheet.draw(sprites)
        drawn_numbers = list(images)
        if draft:
            self._table.states[drawn_numbers] = SpriteState.DRAFT
        else:
            self._table.states[drawn_numbers] = SpriteState.READY
        return count

    def _reserve_place(self, number: int, box: QRectF) -> None:
        """Give a sprite a part of the sheet; ``box`` is its ``pixel_box``."""
        width, height = pixel_size(box, self.unit)
        source = QRect(self._sheet.place(width, height), QSize(width, height))
        left = round(box.left() * self.unit, CORNER_DECIMALS)
        top = round(box.top() * self.unit, CORNER_DECIMALS)
        self._table.place_new(number, source, left, top)

    def _drawn_sprite(self, number: int, box: QRectF, *, draft: bool) -> QImage:
        """Return a sprite by itself: its pixels do not depend on its place on the sheet.

        ``box`` is its ``pixel_box``.
        """
        piece = self._pieces[number]
        if self.stored and not draft:
            stored = self.stored.get(repr(piece.key))
            if stored is not None and stored.size().toTuple() == pixel_size(box, self.unit):
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
        """Return the image of a mask, in the ``pixel_box`` of one of its pieces."""
        image = self._masks.get(mask.key)
        if image is None:
            with image_of(box, self.unit) as (image, painter):
                mask.draw(painter)
            self._masks[mask.key] = image
            self._mask_bytes += image.sizeInBytes()
        return image

    # --- drawing frames -------------------------------------------------------------------------

    def paint(self, painter: QPainter, batch: Batch, middles: NDArray[np.float64]) -> None:
        """Draw the sprites of a batch, or their drafts; pieces that have neither are left out.

        ``middles`` (n, 2) are the origins of its pieces, which are the centres of their cells, in
        device pixels.
        """
        piece_of = batch.piece_of
        has_sprite = self._table.states[piece_of] != SpriteState.MISSING
        if not has_sprite.all():
            rows_with_sprite = np.flatnonzero(has_sprite)
            piece_of = piece_of[rows_with_sprite]
            middles = middles[rows_with_sprite]
        if not len(piece_of):
            return
        fragments = self._table.fragments_at(piece_of, middles)
        if batch.opacity == 1:
            draw_prepared(painter, fragments, self._sheet.pixmap)
            return
        with saved_state(painter):
            painter.setOpacity(painter.opacity() * batch.opacity)
            draw_prepared(painter, fragments, self._sheet.pixmap)


def pixel_box(piece: Piece, unit: float) -> QRectF:
    """Return the box of the sprite of a piece, in map units, each of which has ``unit`` pixels.

    It encloses that of the piece, and its edges lie at whole pixels from the centre of the cell. So
    all sprites of a cell move by the same part of a pixel when they are drawn at whole pixels; else
    the ground below a mask could move away from it, and show as a line along the edge of the mask.
    """
    if piece.keeps_exact_corner:
        return piece.box
    left = math.floor(piece.box.left() * unit + ROUNDING_TOLERANCE)
    top = math.floor(piece.box.top() * unit + ROUNDING_TOLERANCE)
    right = math.ceil(piece.box.right() * unit - ROUNDING_TOLERANCE)
    bottom = math.ceil(piece.box.bottom() * unit - ROUNDING_TOLERANCE)
    return QRectF(left / unit, top / unit, (right - left) / unit, (bottom - top) / unit)
