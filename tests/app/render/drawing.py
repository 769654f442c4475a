"""Maps of every layout, and the pictures that the renderer draws of them."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from app.document.document import MapDocument
from app.render.cell_values.heat import Heat
from app.render.overlay_options import OVERLAYS, Overlays
from app.render.raster.label_painter import LabelPainter
from app.render.renderer import Renderer
from app.render.scene.things import things
from app.render.scene.things.loads import loads_of
from app.render.theme import theme
from app.render.viewport import Viewport
from randomizer.model.edits.edit import ThingsEdit
from randomizer.model.edits.value_edits import set_locks, set_property, set_values
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT, OBLIQUE, POINTY, SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.things.things import Thing
from randomizer.systems.free.packaged_sets import TITAN_HAZARDS, packaged_set
from randomizer.systems.free.system import SYSTEM
from tests.systems import LISTED

HOLES = np.random.default_rng(3).random((11, 14)) > 0.15

GRIDS = {
    "flat": Grid(FLAT, 14, 11),
    "flat with holes": Grid(FLAT, 14, 11, HOLES),
    "flat round": Grid(FLAT, 14, 11, None, True),
    "pointy": Grid(POINTY, 14, 11),
    "pointy with holes": Grid(POINTY, 14, 11, HOLES),
    "oblique": Grid(OBLIQUE, 14, 11),
    "oblique upright": Grid(OBLIQUE, 14, 11, None, True),
    "oblique leaning": Grid(OBLIQUE, 14, 11, None, True, True),
    "square": Grid(SQUARE, 14, 11),
    "square with holes": Grid(SQUARE, 14, 11, HOLES),
}

SCALES = (0.9, 2.6, 9.0, 13.0, 24.0, 70.0)
"""Bricks, hexagons, sprites, with hexsides, with labels, larger than the terrain pictures."""

SIZE = (260, 200)


def world(grid: Grid) -> BattleMap:
    layers = [Layer(1, "Ground"), Layer(2, "Veil", opacity=0.5)]
    return BattleMap.new(SYSTEM, grid, layers, packaged_set(TITAN_HAZARDS))


def middle_viewport(grid: Grid, scale: float) -> Viewport:
    left, top, right, bottom = grid.bounds
    return Viewport(
        scale,
        SIZE[0] / 2 - (left + right) / 2 * scale + 0.3,
        SIZE[1] / 2 - (top + bottom) / 2 * scale + 0.4,
    )


def blank_image(ratio: float) -> QImage:
    image = QImage(round(SIZE[0] * ratio), round(SIZE[1] * ratio), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    image.fill(0)
    return image


def paint_things(battlemap: BattleMap, scale: float, ratio: float = 1.0) -> QImage:
    """The things of a map that lie 20 pixels from the corner, on grey."""
    image = blank_image(ratio)
    viewport = Viewport(scale, 20, 20)
    area = QRectF(0, 0, *SIZE)
    image.fill(0xFF808080)
    painter = QPainter(image)
    painter.scale(1 / ratio, 1 / ratio)
    everywhere = QRectF(0, 0, 1000, 1000)
    icons = things.batches(battlemap, scale, everywhere, loads_of(battlemap), screen=True)
    LabelPainter().paint(painter, icons, viewport, area, ratio)
    painter.end()
    return image


def draw(renderer, document, viewport, image, dirty) -> None:
    painter = QPainter(image)
    painter.setClipRect(dirty)
    ratio = image.devicePixelRatio()
    renderer.paint(painter, document.battlemap, document.composite, viewport, dirty, ratio)
    painter.end()


ROUNDING = 1
"""So many levels of 255 a colour may differ where a part of a picture was drawn by itself.

On some processors Qt rounds the pixels of a scaled image otherwise when the clip begins elsewhere.
"""


def largest_difference(one: QImage, other: QImage) -> int:
    """By how many levels of 255 two pictures of one size differ where they differ most."""
    return int(np.abs(_channels(one) - _channels(other)).max())


def _channels(image: QImage) -> np.ndarray:
    """The colours of a picture, int16 of shape (height, width, 4)."""
    raw = np.frombuffer(image.convertToFormat(QImage.Format.Format_RGB32).constBits(), np.uint8)
    return raw.reshape(image.height(), image.width(), 4).astype(np.int16)


def picture(battlemap: BattleMap, overlays: Overlays, scale: float, **options) -> QImage:
    renderer = Renderer(theme("light", options.get("colour_set", "pictures")))
    renderer.overlays = overlays
    heat = options.get("heat")
    renderer.show_heat(None if heat is None else Heat(heat))
    renderer.translucent = options.get("translucent", False)
    image = blank_image(1.0)
    document = MapDocument(battlemap)
    draw(renderer, document, middle_viewport(battlemap.grid, scale), image, QRectF(0, 0, *SIZE))
    return image


NOTHING = Overlays(**dict.fromkeys(OVERLAYS, False))


def full_world(grid: Grid) -> BattleMap:
    """A world on which every overlay has something to show."""
    battlemap = world(grid)
    battlemap.system = LISTED
    left, top, right, bottom = grid.bounds
    near = grid.centres_of(grid.cells) - ((left + right) / 2, (top + bottom) / 2)
    cells = grid.cells[np.argsort((near**2).sum(axis=1), kind="stable")[:12]]
    names = (SYSTEM.cell_name(grid, int(cells[0])),)
    archers = tuple(Thing(i, "unit/archer", *grid.centre(int(cells[i]))) for i in range(1, 9))
    for edit in (
        set_values(battlemap, 1, "terrain", cells, 1),
        set_values(battlemap, 1, "elevation", cells, 2),
        set_values(battlemap, 1, "hexside", cells * grid.degree, 2),
        set_locks(battlemap, cells[:5], True),
        set_property(battlemap, 1, "first", names),
        ThingsEdit(1, (), archers),
    ):
        edit.apply(battlemap)
    return battlemap


def give_each_frame(monkeypatch: pytest.MonkeyPatch, milliseconds: int) -> None:
    """Give a progressive frame so much time for new pictures of cells; less than 0: for none."""
    # Time that does not depend on the machine.
    monkeypatch.setattr("app.render.raster.atlas.PROGRESSIVE_MS", milliseconds)
