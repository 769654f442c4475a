"""Surfaces are painted in blocks that cover their area once."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRect, QRectF
from PySide6.QtGui import QImage

from app.appearance.painting import painting
from app.render.raster.surface_painter import BLOCK, surface_steps
from app.render.scene.batch import SurfaceBatch

WHITE = 0xFFFFFFFF


def painted(area: QRect, coarseness: int, box: QRectF) -> tuple[np.ndarray, list]:
    """Return where an area was painted, (height, width), and the boxes that were asked for."""
    boxes = []

    def pixels(pixel_box):
        boxes.append(pixel_box)
        return np.full((pixel_box.height, pixel_box.width), WHITE, np.uint32)

    image = QImage(area.right() + 1, area.bottom() + 1, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(0)
    batch = SurfaceBatch(pixels, box, opacity=0.5)
    with painting(image) as painter:
        for _ in surface_steps(painter, batch, QPointF(3, 5), 10.0, area, coarseness):
            pass
    opacities = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1, 4)[..., 3]
    return opacities.copy(), boxes


@pytest.mark.parametrize("coarseness", [1, 4])
def test_each_pixel_of_the_surface_is_painted_once(coarseness):
    opacities, boxes = painted(QRect(0, 0, 1000, 240), coarseness, QRectF(0, 0, 70, 20))
    # The pixels from 3 to 702 and from 5 to 204 have their middles in the box.
    assert not opacities[:5].any()
    assert not opacities[:, :3].any()
    inside = opacities[5:205, 3:703]
    assert inside.min() == inside.max() > 0
    assert not opacities[205 + coarseness :].any()
    assert not opacities[:, 703 + coarseness :].any()
    assert {box.unit for box in boxes} == {10 / coarseness}


@pytest.mark.parametrize("coarseness", [1, 4])
def test_blocks_of_a_strip_have_as_many_pixels_as_others(coarseness):
    _opacities, boxes = painted(QRect(0, 0, 4000, 8), coarseness, QRectF(-1, -1, 500, 500))
    assert len(boxes) == 1
    assert boxes[0].width * boxes[0].height <= BLOCK * BLOCK


def test_a_surface_outside_of_the_area_is_not_asked_for():
    _opacities, boxes = painted(QRect(0, 0, 40, 40), 1, QRectF(50, 0, 10, 10))
    assert boxes == []
