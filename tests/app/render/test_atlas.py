"""The atlas: the sprites of pieces on one pixmap."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter

from app.render.piece import Piece
from app.render.raster.atlas import Atlas
from app.render.time_budget import TimeBudget


def test_a_piece_that_cannot_be_drawn_takes_no_room_on_the_sheet(qapp):
    def fail(_painter: QPainter) -> None:
        raise ArithmeticError("a piece that cannot be drawn")

    box = QRectF(-1, -1, 2, 2)
    sound = Piece("sound", box, lambda painter: painter.fillRect(box, QColor("red")))
    atlas = Atlas([sound, Piece("broken", box, fail)], unit=400.0)
    for _frame in range(10):  # each sheet of 1024 pixels has a row for only two of these sprites
        with pytest.raises(ArithmeticError):
            atlas.draw_all(np.array([0, 1]))
    atlas.draw_all(np.array([0]))
    assert atlas.is_ready(np.array([0]))
    single = Atlas([sound], unit=400.0)
    single.draw_all(np.array([0]))
    assert atlas.bytes == single.bytes


def square(colour: str) -> Piece:
    """A square of one colour."""
    box = QRectF(-1, -1, 2, 2)
    return Piece(colour, box, lambda painter: painter.fillRect(box, QColor(colour)))


def test_without_time_one_sprite_is_drawn_at_each_call_until_all_are(qapp):
    atlas = Atlas([square("red"), square("green"), square("blue")], unit=8.0)
    numbers = np.array([2, 0, 1, 0])
    is_complete = [atlas.draw_within(numbers, TimeBudget(0)) for _call in range(3)]
    assert is_complete == [False, False, True]
    assert atlas.is_ready(numbers)


def test_with_time_all_sprites_are_drawn_in_one_call(qapp):
    atlas = Atlas([square("red"), square("green"), square("blue")], unit=8.0)
    numbers = np.arange(3)
    assert atlas.draw_within(numbers, TimeBudget(60_000))
    assert atlas.is_ready(numbers)
