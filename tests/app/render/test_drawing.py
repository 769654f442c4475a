"""What the canvas shows: every band, every layout, after every kind of change."""

from __future__ import annotations

import os
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from app.canvas.canvas import MapCanvas
from app.document.document import MapDocument
from app.render.heat import Heat
from app.render.overlay_options import Overlays
from app.render.renderer import Renderer
from app.render.theme import theme
from app.render.viewport import Viewport
from randomizer.model.battlemap import BattleMap
from randomizer.model.edit import LayerProperty, ThingsEdit
from randomizer.model.edit_making import set_locks, set_values
from randomizer.model.grid import Grid
from randomizer.model.layer import Layer
from randomizer.model.layouts import FLAT, OBLIQUE, POINTY, SQUARE
from randomizer.model.things import Thing
from randomizer.systems.free.system import SYSTEM

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
"""Bricks, hexagons, sprites, with hexsides, with labels, larger than what is kept."""

SIZE = (260, 200)

SEED = int(os.environ.get("DRAWING_SEED", "0"))


def world(grid: Grid) -> BattleMap:
    return BattleMap.new(SYSTEM, grid, [Layer(1, "Ground"), Layer(2, "Veil", opacity=0.5)])


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


def draw(renderer, document, viewport, image, dirty) -> None:
    painter = QPainter(image)
    painter.setClipRect(dirty)
    ratio = image.devicePixelRatio()
    renderer.paint(painter, document.battlemap, document.composite, viewport, dirty, ratio)
    painter.end()


def random_edit(rng: np.random.Generator, battlemap: BattleMap, viewport: Viewport):
    """A change of some cells that are in view or just beside it."""
    grid = battlemap.grid
    layer = int(rng.integers(1, 3))
    near = grid.cells_in(*viewport.to_map(QPointF(-40, -40)), *viewport.to_map(QPointF(300, 240)))
    count = min(int(rng.choice([1, 1, 2, 19])), len(near))
    cells = rng.choice(near, count, replace=False)
    kind = rng.choice(["terrain", "elevation", "hexside", "locks", "side locks"])
    if kind == "locks":
        return set_locks(battlemap, cells, bool(rng.integers(2)))
    sides = cells * grid.degree + rng.integers(grid.degree, size=count)
    if kind == "side locks":
        return set_locks(battlemap, sides, True, sides=True)
    spec = battlemap.system.plane(kind)
    value = int(rng.choice([spec.unset, 0, 1, 2, 3]))
    return set_values(battlemap, layer, kind, sides if kind == "hexside" else cells, value)


@pytest.mark.parametrize("ratio", [1.0, 2.0])
@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("name", GRIDS)
def test_dirty_rectangles_miss_nothing(qtbot, monkeypatch, name, scale, ratio):
    """After random edits the picture equals one that is drawn from scratch, pixel for pixel."""
    rng = np.random.default_rng([SEED, int(scale * 10), int(ratio), len(name)])
    document = MapDocument(world(GRIDS[name]))
    canvas = MapCanvas(document, Renderer(theme("light")))
    qtbot.addWidget(canvas)
    canvas.resize(*SIZE)
    canvas.viewport = viewport = middle_viewport(GRIDS[name], scale)
    canvas.renderer.overlays = Overlays(shading=True)
    everything = QRectF(0, 0, *SIZE)
    saved_state = blank_image(ratio)
    draw(canvas.renderer, document, viewport, saved_state, everything)
    dirty: list[QRectF] = []
    monkeypatch.setattr(canvas, "update", lambda *rects: dirty.extend(map(QRectF, rects)))
    for _ in range(12):
        document.push(random_edit(rng, document.battlemap, viewport), "Edit")
    document.undo_stack.undo()
    assert dirty
    for rect in dirty:
        draw(canvas.renderer, document, viewport, saved_state, rect)
    fresh = blank_image(ratio)
    again = Renderer(theme("light"))
    again.overlays = Overlays(shading=True)
    again.translucent = True
    draw(again, document, viewport, fresh, everything)
    assert saved_state == fresh


def picture(battlemap: BattleMap, overlays: Overlays, scale: float, **look) -> QImage:
    renderer = Renderer(theme("light", look.get("colour_set", "pictures")))
    renderer.overlays = overlays
    heat = look.get("heat")
    renderer.show_heat(None if heat is None else Heat(heat))
    renderer.translucent = look.get("translucent", False)
    image = blank_image(1.0)
    document = MapDocument(battlemap)
    draw(renderer, document, middle_viewport(battlemap.grid, scale), image, QRectF(0, 0, *SIZE))
    return image


NOTHING = Overlays(**dict.fromkeys(Overlays.__slots__, False))


def full_world(grid: Grid) -> BattleMap:
    """A world on which every overlay has something to show."""
    battlemap = world(grid)
    left, top, right, bottom = grid.bounds
    near = grid.centres_of(grid.cells) - ((left + right) / 2, (top + bottom) / 2)
    cells = grid.cells[np.argsort((near**2).sum(axis=1), kind="stable")[:12]]
    names = (SYSTEM.cell_name(grid, int(cells[0])),)
    things = tuple(Thing(i, "unit/archer", *grid.centre(int(cells[i]))) for i in range(1, 9))
    for edit in (
        set_values(battlemap, 1, "terrain", cells, 1),
        set_values(battlemap, 1, "elevation", cells, 2),
        set_values(battlemap, 1, "hexside", cells * grid.degree, 2),
        set_locks(battlemap, cells[:5], True),
        LayerProperty(1, "startlist", None, names),
        ThingsEdit((), things),
    ):
        edit.apply(battlemap)
    return battlemap


@pytest.mark.parametrize("overlay", [n for n in Overlays.__slots__ if n != "entry_sides"])
def test_an_overlay_is_seen_when_it_is_on(qapp, overlay):
    battlemap = full_world(GRIDS["oblique upright"])
    on = replace(NOTHING, **{overlay: True})
    scale = 10.1 if overlay == "seam" else 24.0
    assert picture(battlemap, on, scale) != picture(battlemap, NOTHING, scale)


@pytest.mark.parametrize(
    "overlay", ["elevation", "shading", "passability", "start_list", "locks", "things"]
)
@pytest.mark.parametrize("scale", [1.0, 4.0])
def test_an_overlay_is_seen_from_afar(qapp, overlay, scale):
    battlemap = full_world(GRIDS["flat"])
    on = replace(NOTHING, **{overlay: True})
    assert picture(battlemap, on, scale) != picture(battlemap, NOTHING, scale)


@pytest.mark.parametrize("scale", [3.0, 20.0])
def test_a_heat_map_colours_its_cells_and_leaves_those_without_a_number(qapp, scale):
    battlemap = world(GRIDS["square"])
    heat = np.full((11, 14), np.nan)
    heat[5, 7], heat[6, 7] = 0.0, 1.0
    plain, hot = picture(battlemap, NOTHING, scale), picture(battlemap, NOTHING, scale, heat=heat)
    viewport = middle_viewport(battlemap.grid, scale)

    def pixel(image, x, y):
        return image.pixelColor(viewport.to_screen(x, y).toPoint())

    low, high = pixel(hot, 7, 5), pixel(hot, 7, 6)
    assert low.blue() > low.red()
    assert high.red() > high.blue()
    assert pixel(hot, 2, 2) == pixel(plain, 2, 2)


def test_names_of_cells_are_read_on_dark_and_on_light_heat(qapp):
    battlemap, scale = world(GRIDS["square"]), 80.0
    named, viewport = replace(NOTHING, labels=True), middle_viewport(battlemap.grid, scale)
    for heat, ink in ((0.0, 255), (1.0, 50)):
        values = np.full((11, 14), 0.5)
        values[5, 7] = heat
        values[0, 0], values[0, 1] = 0.0, 1.0
        image = picture(battlemap, named, scale, heat=values)
        middle = viewport.to_screen(7, 5).toPoint()
        tones = [
            image.pixelColor(middle.x() + x, middle.y() + y).lightness()
            for x in range(-25, 26)
            for y in range(-36, 0)
        ]
        assert min(abs(tone - ink) for tone in tones) < 15
        ground = image.pixelColor(middle.x(), middle.y() + 20).lightness()
        assert abs(ground - ink) > 100, "the letters stand out from it"


@pytest.mark.parametrize("scale", SCALES)
def test_a_translucent_layer_lets_through_what_lies_below(qapp, scale):
    """Half opaque lies between hidden and opaque, and only on the desk."""
    battlemap = world(GRIDS["flat"])
    set_values(battlemap, 2, "terrain", battlemap.grid.cells, 11).apply(battlemap)  # tar: dark
    veiled = picture(battlemap, NOTHING, scale, translucent=True)
    covered = picture(battlemap, NOTHING, scale)
    LayerProperty(2, "visible", True, False).apply(battlemap)
    below = picture(battlemap, NOTHING, scale)

    def lightness(image):
        middle = image.copy(SIZE[0] // 2 - 3, SIZE[1] // 2 - 3, 6, 6)
        return sum(middle.pixelColor(x, y).lightness() for x in range(6) for y in range(6)) / 36

    assert lightness(covered) + 15 < lightness(veiled) < lightness(below) - 15


@pytest.mark.parametrize("layout", ["flat", "pointy", "square"])
def test_ground_fills_the_whole_cell(qapp, layout):
    """The pictures are of flat hexes; on other cells they reach into every corner, too."""
    battlemap = world(GRIDS[layout])
    set_values(battlemap, 1, "terrain", battlemap.grid.cells, 8).apply(battlemap)
    scale = 60.0
    image = picture(battlemap, NOTHING, scale)
    background = theme("light").background
    viewport = middle_viewport(battlemap.grid, scale)
    x, y = battlemap.grid.centre(5 * 14 + 7)
    for dx, dy in battlemap.grid.layout.corners:
        point = viewport.to_screen(x + dx * 0.97, y + dy * 0.97).toPoint()
        colour = image.pixelColor(point)
        assert abs(colour.red() - background.red()) > 40, (dx, dy)
        assert colour.blue() > colour.red()  # water


def test_a_hurried_frame_is_drawn_again_with_the_pictures(qtbot):
    document = MapDocument(full_world(GRIDS["flat"]))
    canvas = MapCanvas(document, Renderer(theme("light")))
    qtbot.addWidget(canvas)
    canvas.resize(*SIZE)
    canvas.show()
    qtbot.waitExposed(canvas)
    canvas.grab()
    canvas.zoom(9)
    progressive = canvas.grab().toImage()
    qtbot.waitUntil(lambda: not canvas._progressive)
    rested = canvas.grab().toImage()
    sharp = QImage(rested.size(), rested.format())
    renderer = Renderer(theme("light"))
    renderer.translucent = True
    draw(renderer, document, canvas.viewport, sharp, QRectF(sharp.rect()))
    assert rested == sharp
    assert progressive != rested


def test_many_edits_at_once_repaint_in_parts(qtbot, monkeypatch):
    document = MapDocument(BattleMap.new(SYSTEM, Grid(POINTY, 400, 400), [Layer(1, "Ground")]))
    canvas = MapCanvas(document, Renderer(theme("light")))
    qtbot.addWidget(canvas)
    canvas.resize(800, 600)
    canvas.show()
    qtbot.waitExposed(canvas)
    rects: list = []
    monkeypatch.setattr(canvas, "update", lambda *rect: rects.extend(rect))
    cells = np.r_[0:2000, 150_000:152_000]
    document.push(set_values(document.battlemap, 1, "terrain", cells, 3), "Fill")
    assert 2 <= len(rects) <= 24
    covered = sum(rect.width() * rect.height() for rect in rects)
    assert covered < 800 * 600 / 4


# --- colours that everyone can tell apart ---------------------------------------------------------

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


def seen(colours: list[QColor], sight: str) -> np.ndarray:
    """Colours as CIE Lab, as somebody with that sight sees them."""
    rgb = np.array([colour.getRgbF()[:3] for colour in colours])
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    xyz = np.clip(linear @ MACHADO[sight].T, 0, 1) @ XYZ.T
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    light, a, b = 116 * f[:, 1] - 16, 500 * (f[:, 0] - f[:, 1]), 200 * (f[:, 1] - f[:, 2])
    return np.stack([light, a, b], axis=1)


@pytest.mark.parametrize("sight", MACHADO)
def test_the_terrains_of_the_colour_blind_set_stay_apart(sight):
    look = theme("light", "colour-blind")
    lab = seen([look.terrain_colour(t) for t in SYSTEM.terrain_set.terrains], sight)
    apart = np.linalg.norm(lab[:, None] - lab[None], axis=-1)
    assert apart[np.triu_indices(len(lab), 1)].min() > 20


@pytest.mark.parametrize("sight", MACHADO)
def test_heat_and_hindrance_are_told_apart_by_lightness_alone(sight):
    from app.render.cell_colours import HINDRANCES
    from app.render.heat import heat_colours

    ramp = [QColor.fromRgb(int(colour)) for colour in heat_colours()[::16]]
    assert (np.diff(seen(ramp, sight)[:, 0]) > 1).all()
    shades = [QColor(HINDRANCES[name][0]) for name in ("slows", "ground", "all")]
    assert (np.diff(seen(shades, sight)[:, 0]) < -15).all()


def test_every_terrain_of_the_colour_blind_set_has_a_letter_or_pattern(qapp):
    """Without any colour two terrains still differ."""
    from app.render.picture_source import OwnPictures
    from app.render.raster.sprites import Sprites

    sprites = Sprites(
        FLAT, SYSTEM.terrain_set, OwnPictures(), theme("light", "colour-blind"), 10.0, 1.0
    )
    ink = []
    for code in range(len(SYSTEM.terrain_set.terrains)):
        image = sprites.cell(code, 0).toImage()
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
