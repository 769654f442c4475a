"""What the menu View shows of the shape of the land: passability, heights, depths, contours."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtGui import QColor

from app.render.cell_values.heat import DEPTH_STOPS, HEIGHT_STOPS
from app.render.overlay_options import Overlays
from app.tools.painting import paint
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.systems.zeroad.system import SYSTEM
from tests.app.conftest import finished_picture

SIZE = 32
ZOOMS = (1.0, 0.25)
"""Of the whole map: tiles are pictures, tiles are but some pixels of one colour."""


@pytest.fixture
def features() -> tuple[str, ...]:
    return ("view",)


@pytest.fixture
def desk(window, qtbot):
    """Land that rises by 1.5 m a tile from 25 m under the water in the west."""
    heights = np.tile(np.arange(SIZE + 1) * 138, (SIZE + 1, 1)).astype("u4")
    layer = Layer(1, "Land", planes={"height": heights})
    window.desk.document.open_map(BattleMap.new(SYSTEM, Grid(SQUARE, SIZE, SIZE), [layer]))
    window.desk.renderer.overlays = replace(
        Overlays(), labels=False, grid_lines=False, elevation=False
    )
    return window.desk


def colours_along(desk, qtbot, zoom: float) -> list[QColor]:
    """The colours in the middle of the tiles of a row from 6 to 25, in the west first."""
    desk.canvas.fit()
    desk.canvas.zoom(zoom)
    image = finished_picture(desk.canvas, qtbot)
    points = (desk.canvas.viewport.to_screen(x, 16) for x in range(6, 26))
    return [image.pixelColor(point.toPoint()) for point in points]


@pytest.mark.parametrize("zoom", ZOOMS)
def test_heights_and_depths_are_colours(desk, qtbot, zoom):
    plain = colours_along(desk, qtbot, zoom)
    assert len({colour.name() for colour in plain}) <= 20
    desk.commands.run("view.heights-as-colours")
    land = colours_along(desk, qtbot, zoom)[10:]
    assert land[0].green() > land[0].red(), "low land is green"
    lightness = [colour.lightness() for colour in land]
    assert lightness[-1] > lightness[0]
    desk.commands.run("view.heights-as-colours")
    desk.commands.run("view.water-depth")
    shown = colours_along(desk, qtbot, zoom)
    assert shown[10:] == plain[10:]
    depths = [colour.lightness() for colour in shown[:6]]
    assert depths == sorted(depths), "the deeper the darker"
    assert depths[-1] > depths[0] + 40
    desk.commands.run("view.water-depth")
    assert colours_along(desk, qtbot, zoom) == plain


@pytest.mark.parametrize("zoom", ZOOMS)
def test_contour_lines_lie_a_step_apart_and_one_step_is_chosen(desk, qtbot, zoom):
    plain = colours_along(desk, qtbot, zoom)
    counts = {}
    for step in (5, 10):
        desk.commands.run(f"view.contour-lines.{step}")
        desk.canvas.fit()
        desk.canvas.zoom(zoom)
        image = finished_picture(desk.canvas, qtbot)
        left, right = (desk.canvas.viewport.to_screen(x, 16.2).toPoint() for x in (6, 26))
        row = [image.pixelColor(x, left.y()).lightness() for x in range(left.x() - 3, right.x())]
        dark = np.array(row) < 0.8 * plain[0].lightness()
        counts[step] = int(np.count_nonzero(np.diff(dark.astype(int)) == 1))
    assert counts == {5: 6, 10: 3}, "30 m on 20 tiles"
    assert desk.commands.action("view.contour-lines.10").isChecked()
    assert not desk.commands.action("view.contour-lines.5").isChecked()
    desk.commands.run("view.contour-lines.none")
    assert colours_along(desk, qtbot, zoom) == plain


@pytest.mark.parametrize("zoom", ZOOMS)
def test_passability_is_shown_and_follows_the_height_brush_to_where_it_reaches(desk, qtbot, zoom):
    plain = colours_along(desk, qtbot, zoom)
    desk.commands.run("view.passability")
    shown = colours_along(desk, qtbot, zoom)
    hindered = [before != after for before, after in zip(plain, shown, strict=True)]
    assert hindered == [True] * 7 + [False] * 13, "deep water, and its shore for large units"
    document = desk.document
    heights = document.composite.planes["height"].copy()
    heights[16:18, 20:22] += 92 * 9
    plane = SYSTEM.corner_heights
    corners = np.flatnonzero(heights.ravel() != document.composite.planes["height"].ravel())
    document.push(paint(document, plane, corners, heights.ravel()[corners]), "Raise")
    steep = colours_along(desk, qtbot, zoom)
    changed = [6 + n for n, pair in enumerate(zip(shown, steep, strict=True)) if pair[0] != pair[1]]
    assert changed == [18, 19, 20, 21, 22], "steep, and a tile beside for large units"


def test_the_ramps_are_told_apart_by_lightness_alone():
    for stops, sign in ((HEIGHT_STOPS, 1), (DEPTH_STOPS, -1)):
        lightness = [QColor(stop).lightnessF() * sign for stop in stops]
        assert lightness == sorted(lightness)
