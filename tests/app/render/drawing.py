"""Maps of every layout, and the pictures that the renderer draws of them.

    image = picture(full_world(GRIDS["pointy"]), Overlays(), scale=24.0)
    assert largest_difference(image, expected) <= ROUNDING

``picture`` draws a whole map; ``draw`` a part of one, with a renderer that a test keeps.
"""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from app.document.document import MapDocument
from app.render.cell_values.heat import Heat
from app.render.map_view import MapView
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

COLUMNS = 14
ROWS = 11

HOLES = np.random.default_rng(3).random((ROWS, COLUMNS)) > 0.15
"""A mask of the cells that exist: some in seven do not."""

GRIDS = {
    "flat": Grid(FLAT, COLUMNS, ROWS),
    "flat with holes": Grid(FLAT, COLUMNS, ROWS, HOLES),
    "flat round": Grid(FLAT, COLUMNS, ROWS, wrap=True),
    "pointy": Grid(POINTY, COLUMNS, ROWS),
    "pointy with holes": Grid(POINTY, COLUMNS, ROWS, HOLES),
    "oblique": Grid(OBLIQUE, COLUMNS, ROWS),
    "oblique upright": Grid(OBLIQUE, COLUMNS, ROWS, wrap=True),
    "oblique leaning": Grid(OBLIQUE, COLUMNS, ROWS, wrap=True, lean=True),
    "square": Grid(SQUARE, COLUMNS, ROWS),
    "square with holes": Grid(SQUARE, COLUMNS, ROWS, HOLES),
}
"""A grid of each kind, by a name for tests."""

SCALES = (0.9, 2.6, 9.0, 13.0, 24.0, 70.0)
"""Pixels a map unit at which cells are drawn in turn as bricks, as hexagons, as sprites, with
hexsides, with labels, and larger than the terrain pictures are stored."""

SIZE = (260, 200)
"""Width and height of all pictures, in logical pixels."""


def world(grid: Grid) -> BattleMap:
    """Return a free map with two layers, the upper one half transparent; nothing is set."""
    layers = [Layer(1, "Ground"), Layer(2, "Veil", opacity=0.5)]
    return BattleMap.new(SYSTEM, grid, layers, packaged_set(TITAN_HAZARDS))


def middle_viewport(grid: Grid, scale: float) -> Viewport:
    """Return the viewport with the middle of a grid in that of the picture.

    It is a part of a pixel off, so that cells do not lie on whole pixels.
    """
    left, top, right, bottom = grid.bounds
    width, height = SIZE
    dx = width / 2 - (left + right) / 2 * scale + 0.3
    dy = height / 2 - (top + bottom) / 2 * scale + 0.4
    return Viewport(scale, dx, dy)


def blank_image(ratio: float) -> QImage:
    """Return a black picture; ``ratio`` is that of pixels to logical ones."""
    image = QImage(round(SIZE[0] * ratio), round(SIZE[1] * ratio), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    image.fill(0)
    return image


def paint_things(battlemap: BattleMap, scale: float, ratio: float = 1.0) -> QImage:
    """Return a picture of the things of a map on grey; its origin is 20 pixels from the corner."""
    image = blank_image(ratio)
    viewport = Viewport(scale, 20, 20)
    area = QRectF(0, 0, *SIZE)
    image.fill(0xFF808080)
    painter = QPainter(image)
    painter.scale(1 / ratio, 1 / ratio)
    everywhere = QRectF(0, 0, 1000, 1000)
    icons = things.batches(
        battlemap, scale, everywhere, loads_of(battlemap), merge_small_looks=True
    )
    LabelPainter().paint(painter, icons, viewport, area, ratio)
    painter.end()
    return image


def draw(
    renderer: Renderer, document: MapDocument, viewport: Viewport, image: QImage, dirty: QRectF
) -> None:
    """Draw the part ``dirty`` (logical pixels) of a picture anew; the rest of it stays."""
    painter = QPainter(image)
    painter.setClipRect(dirty)
    ratio = image.devicePixelRatio()
    renderer.paint(painter, MapView(document.battlemap, document.composite, viewport, ratio), dirty)
    painter.end()


ROUNDING = 1
"""The most levels of 255 that a colour may differ where a part of a picture was drawn by itself.

On some processors Qt rounds the pixels of a scaled image otherwise when the clip begins elsewhere.
"""


def largest_difference(first: QImage, second: QImage) -> int:
    """Return the greatest difference of two pictures of one size, in levels of 255."""
    return int(np.abs(_channels(first) - _channels(second)).max())


def _channels(image: QImage) -> np.ndarray:
    """Return the colours of a picture, (height, width, 4), as signed numbers to subtract."""
    raw = np.frombuffer(image.convertToFormat(QImage.Format.Format_RGB32).constBits(), np.uint8)
    return raw.reshape(image.height(), image.width(), 4).astype(np.int16)


def picture(battlemap: BattleMap, overlays: Overlays, scale: float, **options) -> QImage:
    """Return the picture of a map with these overlays.

    ``options`` can be ``colour_set`` (of the theme), ``heat`` (a value for each cell) and
    ``translucent``.
    """
    renderer = Renderer(theme("light", options.get("colour_set", "pictures")))
    renderer.overlays = overlays
    heat = options.get("heat")
    if heat is not None:
        heat = Heat(heat)
    renderer.show_heat(heat)
    renderer.cells.translucent = options.get("translucent", False)
    image = blank_image(1.0)
    document = MapDocument(battlemap)
    draw(renderer, document, middle_viewport(battlemap.grid, scale), image, QRectF(0, 0, *SIZE))
    return image


NOTHING = Overlays(**dict.fromkeys(OVERLAYS, False))
"""The overlays of a picture without any."""


def full_world(grid: Grid) -> BattleMap:
    """Return a world on which every overlay has something to show, in the middle of the picture."""
    battlemap = world(grid)
    battlemap.system = LISTED

    # The twelve cells nearest to the middle.
    left, top, right, bottom = grid.bounds
    from_middle = grid.centres_of(grid.cells) - ((left + right) / 2, (top + bottom) / 2)
    squared_distances = (from_middle**2).sum(axis=1)
    cells = grid.cells[np.argsort(squared_distances, kind="stable")[:12]]

    names = (SYSTEM.cell_name(grid, int(cells[0])),)
    archers = []
    for number in range(1, 9):
        x, y = grid.centre(int(cells[number]))
        archers.append(Thing(number, "unit/archer", x, y))
    for edit in (
        set_values(battlemap, 1, "terrain", cells, 1),
        set_values(battlemap, 1, "elevation", cells, 2),
        set_values(battlemap, 1, "hexside", cells * grid.degree, 2),
        set_locks(battlemap, cells[:5], True),
        set_property(battlemap, 1, "first", names),
        ThingsEdit(1, (), tuple(archers)),
    ):
        edit.apply(battlemap)
    return battlemap


def give_each_frame(monkeypatch: pytest.MonkeyPatch, milliseconds: int) -> None:
    """Give each progressive frame this time for new pictures of cells; less than 0: for none."""
    # So tests do not depend on how fast the machine is.
    monkeypatch.setattr("app.render.raster.frame.PROGRESSIVE_MS", milliseconds)
