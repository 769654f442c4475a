"""Pictures of the manual are made small without a change that one sees."""

from __future__ import annotations

import numpy as np
from PySide6.QtGui import QColor, QImage

from tests.packaging_scripts.test_setup_environment import load

quantized = load("pictures/quantize").quantized


def test_a_picture_of_few_colours_stays_exactly_as_it_is():
    image = QImage(7, 5, QImage.Format.Format_RGB32)
    image.fill(QColor("#f4f2ee"))
    image.setPixelColor(3, 2, QColor("#2f7fd1"))
    image.setPixelColor(6, 4, QColor("black"))
    assert quantized(image).convertToFormat(QImage.Format.Format_RGB32) == image


def test_a_picture_of_many_colours_gets_256_near_ones():
    shades = np.zeros((64, 64), np.uint32)
    shades += (np.arange(64, dtype=np.uint32) * 4)[:, None] << 16
    shades += (np.arange(64, dtype=np.uint32) * 4)[None, :] << 8
    image = QImage(shades.tobytes(), 64, 64, QImage.Format.Format_RGB32).copy()
    small = quantized(image)
    assert small.colorCount() == 256
    for place in ((0, 0), (63, 63), (10, 50)):
        before = image.pixelColor(*place)
        after = small.pixelColor(*place)
        assert abs(before.red() - after.red()) <= 12
        assert abs(before.green() - after.green()) <= 12
