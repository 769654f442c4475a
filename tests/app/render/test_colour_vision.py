"""Colour-blind people can tell apart the terrains, heat maps and shades that are meant for them."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtGui import QColor

from app.render.theme import theme
from randomizer.model.grid.layouts import FLAT
from randomizer.systems.free.packaged_sets import PACKAGED_SETS, packaged_set

MACHADO = {  # severity 1.0, linear RGB: Machado, Oliveira and Fernandes 2009
    "normal": np.eye(3),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
}

XYZ = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
) / np.array([[0.95047], [1.0], [1.08883]])


def seen(colours: list[QColor], vision: str) -> np.ndarray:
    """Colours (n,) as CIE Lab (n, 3), as seen with that kind of colour vision."""
    rgb = np.array([colour.getRgbF()[:3] for colour in colours])
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    xyz = np.clip(linear @ MACHADO[vision].T, 0, 1) @ XYZ.T
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    light = 116 * f[:, 1] - 16
    a = 500 * (f[:, 0] - f[:, 1])
    b = 200 * (f[:, 1] - f[:, 2])
    return np.stack([light, a, b], axis=1)


@pytest.mark.parametrize(
    ("name", "least"), [("Titan hazards", 20), ("Battlefield", 12), ("Landscape", 10)]
)
@pytest.mark.parametrize("vision", MACHADO)
def test_the_terrains_of_the_colour_blind_set_stay_apart(vision, name, least):
    colour_set = theme("light", "colour-blind")
    lab = seen([colour_set.terrain_colour(t) for t in packaged_set(name).terrains], vision)
    apart = np.linalg.norm(lab[:, None] - lab[None], axis=-1)
    assert apart[np.triu_indices(len(lab), 1)].min() > least


@pytest.mark.parametrize("vision", MACHADO)
def test_heat_and_hindrance_are_told_apart_by_lightness_alone(vision):
    from app.render.cell_values.heat import heat_colours
    from app.render.cell_values.land_shades import HINDRANCES

    ramp = [QColor.fromRgb(int(colour)) for colour in heat_colours()[::16]]
    assert (np.diff(seen(ramp, vision)[:, 0]) > 1).all()
    shades = [QColor(HINDRANCES[name][0]) for name in ("slows", "ground", "all")]
    assert (np.diff(seen(shades, vision)[:, 0]) < -15).all()


@pytest.mark.parametrize("name", PACKAGED_SETS)
def test_every_terrain_of_the_colour_blind_set_has_a_letter_or_pattern(qapp, name):
    """Without any colour two terrains still differ."""
    from app.render.pictures.terrain_pictures import Pictures
    from app.render.raster.sprites import Sprites

    known = packaged_set(name)
    sprites = Sprites(FLAT, known, Pictures(), theme("light", "colour-blind"), 12.0, 1.0)
    ink = []
    for code in range(len(known.terrains)):
        image = sprites.cell_pixmap(code, 0).toImage()
        grey = np.array(
            [
                [image.pixelColor(x, y).lightness() for x in range(image.width())]
                for y in range(image.height())
            ],
            np.float64,
        )
        inner = grey[4:-4, 6:-6]
        ink.append(np.abs(inner - np.median(inner)) > 25)
    for first in range(len(ink)):
        for second in range(first + 1, len(ink)):
            assert (ink[first] != ink[second]).sum() > 4, (first, second)


@pytest.mark.parametrize("vision", MACHADO)
def test_the_owners_of_things_and_nobody_stay_apart(vision):
    from app.render.scene.things.looks import OWNERS
    from randomizer.systems.xconq.units.unit_kinds import NEUTRAL_COLOUR

    lab = seen([QColor(colour) for colour in (*OWNERS, NEUTRAL_COLOUR)], vision)
    apart = np.linalg.norm(lab[:, None] - lab[None], axis=-1)
    assert apart[np.triu_indices(len(lab), 1)].min() > 15
