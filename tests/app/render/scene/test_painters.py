"""Raster, paper and SVG show the same scene."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from app.document.sample import sample_map
from app.paper.documents import svg
from app.paper.map_part import SCREEN_DOTS_PER_MM
from app.paper.picture_request import OwnPage, PictureRequest
from app.paper.steps import run
from app.render.map_view import MapView
from app.render.overlay_options import Overlays
from app.render.pictures.terrain_pictures import Pictures
from app.render.raster.label_painter import LabelPainter
from app.render.renderer import Renderer
from app.render.scene.batch import IconBatch
from app.render.scene.icons import Badge, Sign
from app.render.scene.things.looks import Look
from app.render.theme import theme
from app.render.vector import scene_drawing as module
from app.render.vector.piece_painter import ImagePiecePainter, ShapePiecePainter
from app.render.vector.vector_map import VectorMap
from app.render.viewport import Viewport
from randomizer.model.edits.edit import LockEdit
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT, LAYOUTS
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.systems.free.system import SYSTEM
from tests.app.render.drawing import GRIDS, NOTHING, full_world
from tests.daily import deep_but

SCALE = 26.0
SIDE = 200
SHOWN = replace(NOTHING, elevation=True, grid_lines=True, hexsides=True)


def land(layout, seed, width=8, height=7):
    """Random terrains, elevations and hexsides in patches of two by two cells."""
    rng = np.random.default_rng(seed)
    grid = Grid(layout, width, height)
    layer = Layer(1, "Ground")

    def patches(least, most, kind):
        few = rng.integers(least, most, (height // 2 + 1, width // 2 + 1))
        return np.kron(few, np.ones((2, 2), np.int64))[:height, :width].astype(kind)

    layer.planes["terrain"] = patches(0, 12, "u2")
    layer.planes["elevation"] = patches(0, 3, "i2")
    layer.planes["hexside"] = rng.choice(
        [0, 0, 0, 0, 1, 2, 5], (height, width, grid.degree)
    ).astype("u1")
    return BattleMap.new(SYSTEM, grid, [layer])


def pixels(image: QImage) -> np.ndarray:
    raw = np.frombuffer(image.constBits(), np.uint8)
    return raw.reshape(image.height(), -1, 4)[:, :, :3].astype(int)


def raster(battlemap, overlays=SHOWN, scale=SCALE, side=SIDE):
    renderer = Renderer(theme("light"))
    renderer.overlays = overlays
    return frame(
        lambda painter, view: renderer.paint(
            painter, MapView(battlemap, battlemap.composite(), view), QRectF(0, 0, side, side)
        ),
        scale,
        side,
    )


def vector(battlemap, unit, overlays=SHOWN, scale=SCALE, side=SIDE):
    look = theme("light")

    def draw(painter, view):
        painter.fillRect(QRectF(0, 0, side, side), look.background)
        painter.translate(view.dx, view.dy)
        painter.scale(view.scale, view.scale)
        vector_map = VectorMap(
            battlemap,
            battlemap.composite(),
            look,
            Pictures(),
            overlays,
            ImagePiecePainter(unit) if unit else ShapePiecePainter(),
            look.background,
        )
        area = painter.transform().inverted()[0].mapRect(QRectF(0, 0, side, side))
        for _ in vector_map.draw_in_steps(painter, area, view.scale):
            pass

    return frame(draw, scale, side)


def frame(draw, scale, side):
    image = QImage(side, side, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    draw(painter, Viewport(scale, 10.0, 12.0))
    painter.end()
    return pixels(image)


@pytest.mark.deep
@given(st.sampled_from(LAYOUTS), st.integers(0, 10**6), st.sampled_from([SCALE, 0.0]))
@settings(
    max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_paper_shows_what_the_desk_shows(qapp, layout, seed, unit):
    battlemap = land(layout, seed)
    apart = np.abs(vector(battlemap, unit) - raster(battlemap))
    assert apart.mean() < (8 if unit else 13)  # shapes do not begin at whole pixels
    assert (apart.max(axis=2) > 80).mean() < 0.05


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_no_gap_shows_between_the_cells_of_a_landscape(qapp, layout):
    """Over the whole map nothing of the background can be seen."""
    battlemap = land(layout, 5, 14, 14)
    looks = []
    for background in ("#ff00ff", "#00ff00"):
        renderer = Renderer(replace(theme("light"), background=QColor(background)))
        renderer.overlays = NOTHING
        image = QImage(SIDE, SIDE, QImage.Format.Format_RGB32)
        painter = QPainter(image)
        x, y = battlemap.grid.centre(7 * 14 + 7)
        view = Viewport(SCALE, SIDE / 2 - x * SCALE + 0.3, SIDE / 2 - y * SCALE + 0.6)
        renderer.paint(
            painter, MapView(battlemap, battlemap.composite(), view), QRectF(0, 0, SIDE, SIDE)
        )
        painter.end()
        looks.append(pixels(image)[30:-30, 30:-30])
    apart = np.abs(looks[0] - looks[1]).max(axis=2)
    assert (apart > 12).mean() < 0.001  # sprites lie at whole pixels
    assert apart.max() < 60


def seen(batches):
    """What texts and icons say: (text or icon, x, y, size, colours), in drawing order."""
    for batch in batches:
        points = batch.points.round(6).tolist()
        if isinstance(batch, IconBatch):
            for number, at in zip(batch.icon_of.tolist(), points, strict=True):
                yield batch.icons[number], *at, round(batch.size, 6)
        else:
            numbers = range(len(points)) if batch.text_of is None else batch.text_of.tolist()
            colours = [colour.name() for colour in (batch.ink, batch.halo) if colour]
            angles = np.zeros(len(points)) if batch.angles is None else batch.angles
            for number, at, angle in zip(numbers, points, angles.tolist(), strict=True):
                yield batch.texts[number], *at, batch.size, angle, *colours


@pytest.mark.parametrize(
    "battlemap", deep_but(["flat with holes", "square", "battleland"], "square")
)
def test_the_same_texts_and_icons_reach_every_painter(qapp, monkeypatch, battlemap):
    if battlemap == "battleland":
        shown = sample_map()
    else:
        shown = full_world(GRIDS[battlemap])
        LockEdit(True, np.array([50]), np.array([False]), np.array([True])).apply(shown)
    # On a screen labels have a least size, and squares have little room.
    hex_mm = 11.0 if battlemap == "square" else 7.5
    request = PictureRequest(overlays=Overlays(names=True), pages=OwnPage(hex_mm))
    scale = request.plan(shown, shown.composite()).unit * SCREEN_DOTS_PER_MM
    laid = []
    draw = module.draw_overlay_batch
    paint = LabelPainter.paint
    # Painters are compared by the batches that reach them.
    monkeypatch.setattr(
        module, "draw_overlay_batch", lambda *given: (laid.append(given[1]), draw(*given))[1]
    )
    data = run(svg(request, shown, shown.composite()), lambda _percent: None, lambda: False)
    on_svg = list(seen(laid))
    laid.clear()
    vector(shown, scale, request.overlays, scale, 600)
    on_paper = list(seen(laid))
    laid.clear()
    # Batches are an iterator, which can be seen only where they are painted.
    monkeypatch.setattr(
        LabelPainter,
        "paint",
        lambda self, painter, batches, *view: paint(
            self, painter, [laid.append(batch) or batch for batch in batches], *view
        ),
    )
    raster(shown, request.overlays, scale, 600)
    assert on_svg == on_paper == list(seen(laid))
    texts = {each.text for each in ET.fromstring(data).iter("{http://www.w3.org/2000/svg}text")}
    assert {what for what, *_ in on_svg if isinstance(what, str)} <= texts
    if battlemap != "battleland":
        assert {type(what) for what, *_ in on_svg} == {str, Sign, Badge, Look}


@pytest.mark.deep
def test_an_svg_defines_every_piece_once_and_uses_what_it_defines(qapp):
    battlemap = land(FLAT, 2, 20, 16)
    work = svg(PictureRequest(), battlemap, battlemap.composite())
    while True:
        try:
            next(work)
        except StopIteration as done:
            data = done.value
            break
    root = ET.fromstring(data)
    ids = [each.get("id") for each in root.iter() if each.get("id")]
    assert len(ids) == len(set(ids))
    link = "{http://www.w3.org/1999/xlink}href"
    links = {each.get(link) for each in root.iter() if each.get(link)}
    used = {each.removeprefix("#") for each in links if not each.startswith("data:image/png")}
    assert used <= set(ids)
    clips = {
        each.get("clip-path").removeprefix("url(#").removesuffix(")")
        for each in root.iter()
        if each.get("clip-path")
    }
    assert clips
    assert clips <= set(ids)
    assert QSvgRenderer(data).isValid()
    assert len(data) < 9_000_000
