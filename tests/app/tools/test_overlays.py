"""What is painted over the map leaves nothing behind when it goes elsewhere."""

import numpy as np
import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter, QRegion
from PySide6.QtTest import QTest

from app.render.map_view import MapView
from app.tools import TOOLS
from randomizer.geometry.shapes import disc
from randomizer.geometry.stamp_cutting import cut
from randomizer.geometry.symmetry import kinds
from randomizer.model.grid.layouts import FLAT, OBLIQUE, SQUARE
from tests.app.conftest import mouse
from tests.daily import deep_but

NONE = Qt.MouseButton.NoButton


class Screen:
    """What stands on the screen if only what is said to be dirty is painted."""

    def __init__(self, driver, monkeypatch) -> None:
        self.driver = driver
        self.size = driver.canvas.size()
        self.image = QImage(self.size, QImage.Format.Format_RGB32)
        self.dirty = QRegion(driver.canvas.rect())
        # Qt joins what is dirty before it paints.
        monkeypatch.setattr(driver.canvas, "update", self.add)
        self.paint(self.image)

    def add(self, *rects) -> None:
        for rect in rects or [self.driver.canvas.rect()]:
            self.dirty += rect if isinstance(rect, QRegion) else QRegion(rect)

    def paint(self, image, region=None) -> None:
        canvas = self.driver.canvas
        document = self.driver.document
        for rect in region or QRegion(canvas.rect()):
            painter = QPainter(image)
            painter.setClipRect(rect)
            canvas.renderer.paint(
                painter,
                MapView(document.battlemap, document.composite, canvas.viewport),
                QRectF(rect),
            )
            canvas.overlays.paint(painter, QRectF(rect), 1.0)
            painter.end()

    def is_true(self) -> bool:
        """Whether it shows what a picture painted from scratch shows.

        Smooth lines that are cut by a rectangle differ a little; one that is left behind differs
        much, in many pixels.
        """
        self.paint(self.image, self.dirty & self.driver.canvas.rect())
        self.dirty = QRegion()
        fresh = QImage(self.size, QImage.Format.Format_RGB32)
        self.paint(fresh)
        pixels = [
            np.frombuffer(image.constBits(), np.uint8).astype(np.int16)
            for image in (self.image, fresh)
        ]
        return int((abs(pixels[0] - pixels[1]).reshape(-1, 4).max(axis=1) > 60).sum()) < 10


@pytest.mark.parametrize("layout", deep_but([FLAT, SQUARE], FLAT), ids=lambda layout: layout.name)
def test_previews_leave_nothing_behind(make_driver, monkeypatch, layout, qtbot):
    driver = make_driver(layout)
    driver.canvas.resize(360, 300)
    grid = driver.grid
    middle = disc(grid, grid.cell(8, 6), 1)
    stamp = cut(driver.document.battlemap, middle, driver.document.composite.planes)
    driver.options.choose(radius=1, stamp=stamp, terrain=5, weights=((1, 1), (6, 1)))
    screen = Screen(driver, monkeypatch)
    rng = np.random.default_rng(7)
    offered = [kind for kind, _words in kinds(grid)]
    for kind in TOOLS:
        if kind.pans:
            continue  # it moves the picture
        driver.use(kind.name)
        driver.options.choose(symmetry_kind=offered[int(rng.integers(len(offered)))])
        for _ in range(2):
            x = int(rng.integers(16))
            y = int(rng.integers(12))
            driver.hover(x, y)
            assert screen.is_true(), (kind.name, x, y)
        driver.drag(driver.at(4, 4), driver.at(7, 8), driver.at(10, 5), release=False)
        assert screen.is_true(), kind.name
        QTest.keyClick(driver.canvas, Qt.Key.Key_Escape)
        assert screen.is_true(), kind.name
        QTest.keyClick(driver.canvas, Qt.Key.Key_Down)
        QTest.keyClick(driver.canvas, Qt.Key.Key_Period)
        QTest.keyClick(driver.canvas, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
        qtbot.wait(1)
        assert screen.is_true(), kind.name
    driver.canvas.input.handle_leave()
    assert screen.is_true()


@pytest.mark.parametrize("size", [(12, 10), (90, 80), (300, 200)], ids=str)
def test_fill_shows_the_colour_that_it_paints_before_the_click(make_driver, size):
    driver = make_driver(FLAT, *size)
    canvas = driver.canvas
    canvas.fit()
    lake = driver.document.battlemap.terrain_set.terrain_code("Lake")
    driver.use("fill")
    driver.options.choose(terrain=lake)
    x = size[0] // 2
    y = size[1] // 2
    terrain = driver.document.battlemap.terrain_set.terrains[lake]
    meant = np.array(canvas.renderer.theme.terrain_colour(terrain).getRgb()[:3], float)

    def off() -> float:
        """How far the mean colour of the middle of the canvas is from the terrain's."""
        box = canvas.rect().adjusted(100, 100, -100, -100)
        image = canvas.grab(box).toImage().convertToFormat(QImage.Format.Format_RGB32)
        pixels = np.frombuffer(image.constBits(), np.uint8).reshape(-1, 4)[:, 2::-1]
        return float(np.abs(pixels.mean(axis=0) - meant).max())

    driver.canvas.input.handle_leave()
    before = off()
    driver.hover(x, y)
    assert before / 2 < off() < before - 10, "faintly: what is there is still to be seen"


def test_after_a_click_and_after_undo_the_map_is_seen_and_no_preview(make_driver):
    driver = make_driver(FLAT, 12, 10)
    overlays = driver.canvas.overlays
    document = driver.document
    driver.use("fill")
    driver.options.choose(terrain=3)
    driver.hover(5, 5)
    assert len(overlays.preview.cells) == 120
    driver.click(5, 5)
    assert overlays.preview is None
    driver.hover(5, 5)
    assert overlays.preview is None, "the mouse is where it was"
    driver.hover(6, 5)
    assert overlays.preview is not None
    for change in (document.undo, document.redo):
        change()
        driver.canvas.overlays.refresh_preview()
        assert overlays.preview is None
        driver.hover(7, 5)
        assert overlays.preview is not None
        driver.hover(6, 5)
    driver.click(6, 5)
    driver.canvas.refresh_preview()
    assert overlays.preview is not None, "an option was changed"


def test_a_mouse_that_trembles_in_the_cell_brings_no_preview_over_what_was_painted(make_driver):
    driver = make_driver(FLAT, 12, 10)
    overlays = driver.canvas.overlays
    control = Qt.KeyboardModifier.ControlModifier
    for tool in ("fill", "terrain", "elevation"):
        driver.use(tool)
        driver.options.choose(terrain=3)
        driver.hover(5, 5)
        driver.click(5, 5)
        for side in range(6):
            mouse(driver.canvas, "MouseMove", driver.at(5, 5, side), NONE, NONE)
            assert overlays.preview is None, (tool, side)
        mouse(driver.canvas, "MouseMove", driver.at(5, 5), NONE, NONE, control)
        assert overlays.preview is None, "Ctrl is held, for Ctrl+Z"
        driver.document.undo()
        mouse(driver.canvas, "MouseMove", driver.at(5, 5, 2), NONE, NONE)
        assert overlays.preview is None
        driver.hover(6, 5)
        assert overlays.preview is not None


def test_another_side_of_the_cell_is_another_target_of_the_tool_for_hexsides(make_driver):
    driver = make_driver(FLAT, 12, 10)
    driver.use("hexside")
    driver.options.choose(hexside=1)
    driver.click(5, 5, 1)
    assert driver.canvas.overlays.preview is None
    mouse(driver.canvas, "MouseMove", driver.at(5, 5, 1, 0.7), NONE, NONE)
    assert driver.canvas.overlays.preview is None
    mouse(driver.canvas, "MouseMove", driver.at(5, 5, 4), NONE, NONE)
    assert driver.canvas.overlays.preview is not None


@pytest.mark.parametrize("layout", [FLAT, OBLIQUE])
def test_a_large_selection_is_tinted_from_afar_and_outlined_near(make_driver, layout):
    driver = make_driver(layout, 300, 200, wrap=layout is OBLIQUE)
    grid = driver.grid
    cells = disc(grid, grid.cell(150, 100), 90)
    plain = driver.canvas.grab().toImage()
    driver.document.select(cells)
    driver.canvas.fit()
    seen = driver.canvas.grab().toImage()
    inside = driver.canvas.viewport.to_screen(*grid.centre(grid.cell(150, 100))).toPoint()
    assert seen.pixelColor(inside) != plain.pixelColor(inside)
    driver.canvas.zoom(12)
    near = driver.canvas.grab().toImage()
    driver.document.select([])
    assert near.width() == driver.canvas.grab().toImage().width()
