"""Grounds are painted once for all pieces, and look as if they were painted each time."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPainter

from app.appearance.painting import painting
from app.render.pictures.ground_images import GroundImages
from app.render.pictures.ground_phase import phases
from app.render.pictures.terrain_pictures import Pictures
from randomizer.model.grid.layouts import FLAT
from randomizer.model.terrain.terrain import Terrain
from tests.app.render.vector.test_vector_map import pixels
from tests.counting import watched_calls

UNIT = 30.0
SIDE = 70
PHASE = phases(FLAT)[5]
PLAINS = Terrain("Plains", "#c8d080")


def painted(pictures: Pictures, x: float, y: float, unit: float = UNIT) -> np.ndarray:
    """Return the pixels of a ground around (x, y), on white."""
    image = QImage(SIDE, SIDE, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.white)
    with painting(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(x, y)
        painter.scale(unit, unit)
        pictures.ground(painter, PLAINS, PHASE)
    return pixels(image)


def test_an_image_has_the_pixels_of_what_is_painted(qapp) -> None:
    own = Pictures()
    images = GroundImages(own, UNIT)
    with watched_calls(Pictures.ground) as calls:
        first = painted(images, 33, 35)
        second = painted(images, 20, 41)
    assert len(calls) == 1
    # Where the ground ends, half transparent pixels are rounded once more.
    for image, (x, y) in ((first, (33, 35)), (second, (20, 41))):
        difference = np.abs(image - painted(own, x, y))
        assert difference.max() <= 3


@pytest.mark.parametrize(("x", "unit"), [(33.5, UNIT), (33, UNIT * 2)])
def test_at_other_places_and_scales_a_ground_is_painted(qapp, x, unit) -> None:
    own = Pictures()
    images = GroundImages(own, UNIT)
    painted(images, 33, 35)
    np.testing.assert_array_equal(painted(images, x, 35, unit), painted(own, x, 35, unit))
