"""Steps of elevation: where they lie, that plateaus are whole, and which sides are lit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage, QPainter

from app.render.overlay_options import Overlays
from app.render.pictures.terrain_pictures import Pictures
from app.render.renderer import Renderer
from app.render.scene.edges import hexsides, steps
from app.render.scene.edges.rims import Rim
from app.render.scene.part import ScenePart
from app.render.scene.pieces import Pieces
from app.render.style import BOARD, LANDSCAPE
from app.render.theme import theme
from randomizer.model.edits.value_edits import set_values
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT, LAYOUTS, OBLIQUE, POINTY, SQUARE
from tests.app.render.drawing import NOTHING, middle_viewport, picture, world

MIDDLE = 5 * 14 + 7
ELEVATED = replace(NOTHING, elevation=True)
OVERLAYS = Overlays()


def pieces_of(layout, style=LANDSCAPE):
    terrain_set = world(Grid(layout, 2, 2)).terrain_set
    return Pieces(layout, terrain_set, style, Pictures(), theme("light"), 1 / 24, 0.02)


def raised(layout, cells=(MIDDLE,), height=1):
    battlemap = world(Grid(layout, 14, 11))
    set_values(battlemap, 1, "elevation", np.array(sorted(cells)), height).apply(battlemap)
    return battlemap


def laid(battlemap, kind, batches=steps.batches):
    """The keys of the pieces of one kind on each cell, without the kind."""
    pieces = pieces_of(battlemap.grid.layout)
    part = ScenePart(battlemap, battlemap.composite(), OVERLAYS, battlemap.grid.cells)
    found = {}
    for batch in batches(pieces, part):
        for number, place in zip(batch.piece_of.tolist(), batch.rows.tolist(), strict=True):
            key = pieces[number].key
            if key[0] == kind:
                found.setdefault(int(part.cells[place]), []).append(key[1:])
    return found


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda each: each.name)
def test_a_rim_lies_exactly_on_the_sides_whose_neighbour_is_lower(qapp, layout):
    battlemap = world(Grid(layout, 14, 11))
    grid = battlemap.grid
    heights = np.random.default_rng(6).integers(-1, 4, grid.size)
    set_values(battlemap, 1, "elevation", grid.cells, heights).apply(battlemap)
    found = laid(battlemap, "step rim")
    for cell in grid.cells.tolist():
        for height in (1, 2, 3):
            rims = [Rim(*key) for key in found.get(cell, [])]
            mask = sum(rim.sides for rim in rims if rim.height == height)
            for side in range(grid.degree):
                other = grid.neighbour(cell, side)
                drop = 0 if other < 0 else heights[cell] - heights[other]
                assert bool(mask >> side & 1) == (drop >= height), (cell, side, height)


def test_a_hexside_takes_the_place_of_the_rim(qapp):
    battlemap = raised(FLAT)
    set_values(battlemap, 1, "hexside", np.array([MIDDLE * 6 + 2]), 3).apply(battlemap)
    [key] = laid(battlemap, "step rim")[MIDDLE]
    assert Rim(*key).sides == 0b111011
    [(key,)] = laid(battlemap, "hexside", hexsides.batches)[MIDDLE]
    assert key >> 6 & 7 == 2


@pytest.mark.parametrize("layout", [FLAT, POINTY, SQUARE], ids=lambda each: each.name)
def test_cells_of_one_elevation_join_without_lines(qapp, layout):
    """Within a plateau nothing is drawn that is not drawn on level ground."""
    scale = 30.0
    grid = Grid(layout, 14, 11)
    everywhere = picture(raised(layout, grid.cells), ELEVATED, scale)
    near = {MIDDLE}
    for _ in range(2):
        near |= {neighbour for cell in near for neighbour in grid.neighbours(cell)}
    plateau = picture(raised(layout, near), ELEVATED, scale)
    viewport = middle_viewport(grid, scale)
    x, y = grid.centre(MIDDLE)
    centre = viewport.to_screen(x, y).toPoint()
    size = round(scale * 1.2)
    box = (centre.x() - size, centre.y() - size, 2 * size, 2 * size)
    assert plateau.copy(*box) == everywhere.copy(*box)
    assert plateau != everywhere


def brightness(image, points):
    return sum(image.pixelColor(round(x), round(y)).lightness() for x, y in points) / len(points)


@pytest.mark.parametrize("style", [BOARD, LANDSCAPE])
@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda each: each.name)
def test_rims_towards_the_light_are_brighter_and_shadows_fall_away_from_it(qapp, layout, style):
    unit = 80
    image = QImage(4 * unit, 4 * unit, QImage.Format.Format_RGB32)
    image.fill(QColor("#808080"))
    pieces = pieces_of(layout, style)
    battlemap = raised(layout, height=2)
    grid = battlemap.grid
    part = ScenePart(battlemap, battlemap.composite(), OVERLAYS, grid.cells)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(2 * unit, 2 * unit)
    painter.scale(unit, unit)
    centre = np.array(grid.centre(MIDDLE))
    for batch in steps.batches(pieces, part):
        for number, place in zip(batch.piece_of.tolist(), batch.rows.tolist(), strict=True):
            x, y = np.array(grid.centre(int(part.cells[place]))) - centre
            painter.save()
            painter.translate(x, y)
            pieces[number].draw_clipped(painter)
            painter.restore()
    painter.end()
    towards = np.array((-0.6, -0.8))
    lit = []
    dark = []
    ground = []
    shadow = []
    for q, r in layout.steps:
        (qx, qy), (rx, ry) = layout.basis
        middle = np.array((q * qx + r * rx, q * qy + r * ry)) / 2
        facing = middle @ towards / np.hypot(*middle)
        inside = middle * 0.9
        outside = middle * 1.14
        for points, at in (((lit, dark), inside), ((ground, shadow), outside)):
            if abs(facing) > 0.35:
                points[int(facing < 0)].append(tuple((at + 2) * unit))
    assert brightness(image, lit) > 128 + 12
    assert brightness(image, dark) < 128 - 12
    assert brightness(image, shadow) < brightness(image, ground) - 20


def test_a_pit_has_its_shadow_inside(qapp):
    battlemap = raised(FLAT, height=-1)
    assert set(laid(battlemap, "step shadow")) == {MIDDLE}
    assert set(laid(battlemap, "step rim")) == set(battlemap.grid.neighbours(MIDDLE))


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda each: each.name)
def test_no_piece_reaches_out_of_its_box(qapp, layout):
    """What lies outside of the box would be cut off by the raster and not on paper."""
    pieces = pieces_of(layout)
    battlemap = world(Grid(layout, 14, 11))
    grid = battlemap.grid
    rng = np.random.default_rng(2)
    set_values(battlemap, 1, "elevation", grid.cells, rng.integers(0, 4, grid.size)).apply(
        battlemap
    )
    places = np.flatnonzero(rng.random(grid.size * grid.degree) < 0.3)
    kinds = rng.integers(1, 6, len(places))
    set_values(battlemap, 1, "hexside", places, kinds).apply(battlemap)
    part = ScenePart(battlemap, battlemap.composite(), OVERLAYS, grid.cells)
    numbers = {
        number
        for batches in (steps.batches, hexsides.batches)
        for batch in batches(pieces, part)
        for number in batch.piece_of.tolist()
    }
    unit = 20
    room = 12
    for number in sorted(numbers)[:: max(1, len(numbers) // 60)]:
        piece = pieces[number]
        lengths = piece.box.width(), piece.box.height()
        width, height = (round(length * unit) + 2 * room for length in lengths)
        image = QImage(width, height, QImage.Format.Format_ARGB32_Premultiplied)
        image.fill(0)
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(room, room)
        painter.scale(unit, unit)
        painter.translate(-piece.box.topLeft())
        piece.draw(painter)
        painter.end()
        edge = room - 1
        painter = QPainter(image)
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Clear)
        painter.fillRect(edge, edge, width - 2 * edge, height - 2 * edge, QColor(0, 0, 0))
        painter.end()
        strongest = max(bytes(image.constBits())[3::4])
        assert strongest < 16, piece.key


@pytest.mark.parametrize("layout", [FLAT, OBLIQUE, SQUARE], ids=lambda each: each.name)
def test_an_edit_repaints_all_that_it_changes(qapp, layout):
    """Elevations and hexsides change how their neighbours look; ``spread`` names all of them."""
    battlemap = world(Grid(layout, 14, 11))
    grid = battlemap.grid
    rng = np.random.default_rng(9)
    set_values(battlemap, 1, "elevation", grid.cells, rng.integers(0, 3, grid.size)).apply(
        battlemap
    )
    renderer = Renderer(theme("light"))
    for plane, index in (("elevation", MIDDLE), ("hexside", MIDDLE * grid.degree + 1)):
        before = shapes(battlemap)
        edit = set_values(battlemap, 1, plane, np.array([index]), 3)
        edit.apply(battlemap)
        after = shapes(battlemap)
        changed = {cell for cell in before | after if before.get(cell) != after.get(cell)}
        assert changed
        assert changed <= set(renderer.ground.spread(battlemap, edit.region(battlemap)).tolist())


def shapes(battlemap):
    found = {}
    for kind, batches in (
        ("step rim", steps.batches),
        ("step shadow", steps.batches),
        ("hexside", hexsides.batches),
    ):
        for cell, keys in laid(battlemap, kind, batches).items():
            found.setdefault(cell, []).append((kind, keys))
    return found
