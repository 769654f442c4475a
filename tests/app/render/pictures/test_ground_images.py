from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF

from app.render.pictures.ground_images import GroundImages
from app.render.pictures.ground_phase import phases
from app.render.pictures.terrain_pictures import Pictures
from app.render.piece import image_of
from randomizer.model.grid.layouts import FLAT
from randomizer.systems.free.system import SYSTEM

TERRAINS = {terrain.name: terrain for terrain in SYSTEM.terrain_set.terrains}


def pixels_of(pictures: Pictures, terrain, phase, unit: float) -> np.ndarray:
    with image_of(QRectF(-1.1, -1.1, 2.2, 2.2), unit) as (image, painter):
        pictures.ground(painter, terrain, phase)
    return np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1, 4).copy()


def test_images_of_grounds_have_the_pixels_of_the_pictures(qapp) -> None:
    images = GroundImages()
    for name in ("Swamp", "Wood"):
        for phase in phases(FLAT)[:3]:
            for unit in (31.0, 57.7):
                painted = pixels_of(Pictures(), TERRAINS[name], phase, unit)
                for _round in ("painted", "kept"):
                    from_image = pixels_of(images, TERRAINS[name], phase, unit)
                    differences = np.abs(painted.astype(int) - from_image)
                    assert differences.max() <= 2
                    assert painted.std() > 1
