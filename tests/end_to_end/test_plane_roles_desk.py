"""The desk with a system whose planes have other names, with corner heights, and with none."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest

from app.canvas.hover_text import accessible_text, explain_cell
from app.features.cell_menu.hex_menu import cell_menu, edge_menu
from app.paper.documents import svg
from app.paper.picture_request import PictureRequest
from app.render.overlay_options import OVERLAYS, Overlays
from app.widgets.lists.picture_choice import PictureChoice
from randomizer.batches.batch import batch_of
from randomizer.batches.counts import counts
from randomizer.geometry.stamp_cutting import cut
from randomizer.geometry.stamp_placing import place
from randomizer.geometry.stamp_text import decode, encode
from randomizer.model.grid.cell_words import cell_text
from randomizer.model.grid.grid import Grid, Hit
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.system.system import System
from tests.daily import deep_but
from tests.systems import BARE, RENAMED, TILES

EVERY = Overlays(**dict.fromkeys(OVERLAYS, True))


def opened(window, system: System):
    """The window with an empty map of a system as the current one, every overlay on."""
    window.desk.document.open_map(
        BattleMap.new(system, Grid(SQUARE, 6, 5), [Layer(1, "Ground", opacity=0.5)])
    )
    window.desk.renderer.overlays = EVERY
    window.desk.canvas.fit()
    return window.desk


def middle(desk, cell: int) -> QPoint:
    x, y = desk.document.battlemap.grid.centre(cell)
    return desk.canvas.viewport.to_screen(x, y).toPoint()


def words_of(menu) -> list[str]:
    found = menu.actions()
    pictures = [
        choice for each in found if isinstance(each, PictureChoice) for choice in each.choices
    ]
    return [action.text() for action in (*found, *pictures)]


@pytest.mark.parametrize(
    "system", deep_but([RENAMED, TILES, BARE], BARE), ids=lambda system: system.name
)
def test_the_desk_draws_and_describes_maps_of_any_planes(window, qtbot, system: System) -> None:
    desk = opened(window, system)
    document = desk.document
    for plane in system.shown_planes:
        document.active_layer.planes[plane.name] = np.ones(
            plane.shape(document.battlemap.grid), plane.dtype
        )
    document.replace_map(document.battlemap)
    assert isinstance(desk.canvas.grab().toImage(), QImage)
    shown = document.composite
    grid = document.battlemap.grid
    desk.canvas.zoom(0.05)
    desk.canvas.grab()
    assert "1,1" in explain_cell(document, grid.cell(1, 1))
    assert accessible_text(document, grid.cell(1, 1)).startswith("1,1")
    menu = cell_menu(document, grid.cell(1, 1), desk.canvas, desk.renderer)
    assert ("Volcano" in words_of(menu)) == (system.terrain is not None)
    border = edge_menu(document, Hit(grid.cell(1, 1), 0, 0.9), desk.canvas, desk.renderer)
    assert ("Nothing" in words_of(border)) == (system.hexside is not None)
    stamp = decode(encode(cut(document.battlemap, grid.cells[:4], shown.planes)))
    assert place(document.battlemap, stamp, 15, 1) is None
    batch = batch_of(system, grid, shown)
    assert all(np.isfinite(measure.of(batch)).all() for measure in counts(system))
    drawn = list(svg(PictureRequest(overlays=EVERY), document.battlemap, shown))
    assert drawn


def test_the_tools_paint_the_planes_of_the_system(window, qtbot) -> None:
    desk = opened(window, RENAMED)
    desk.tools.choose("terrain")
    desk.tools.options.choose(terrain=5)
    cell = desk.document.battlemap.grid.cell(2, 2)
    QTest.mouseClick(desk.canvas, Qt.MouseButton.LeftButton, pos=middle(desk, cell))
    desk.tools.choose("elevation")
    desk.tools.options.set_elevation(2)
    QTest.mouseClick(desk.canvas, Qt.MouseButton.LeftButton, pos=middle(desk, cell))
    planes = desk.document.composite.planes
    assert (planes["ground"].flat[cell], planes["level"].flat[cell]) == (5, 2)
    desk.tools.options.choose(terrain=0, elevation=0)
    desk.tools.choose("eyedropper")
    QTest.mouseClick(desk.canvas, Qt.MouseButton.LeftButton, pos=middle(desk, cell))
    assert (desk.tools.options.terrain, desk.tools.options.elevation) == (5, 2)


def test_what_a_system_lacks_is_absent(window) -> None:
    desk = opened(window, BARE)
    for tool in ("terrain", "random", "elevation", "hexside", "fill", "wand"):
        assert desk.tools.why_not(tool).startswith("A bare map has no "), tool
    assert not desk.tools.why_not("pan")
    titles = {cell_text(row.title, SQUARE).replace("&", "") for row in OVERLAYS.values()}
    enabled = {
        action.text().replace("&", "")
        # All commands, also those in no menu.
        for action in desk.commands._actions.values()
        if action.isEnabled()
    }
    assert not {"Terrain names", "Sides", "Elevation", "Relief", "Passability"} & titles & enabled
    assert "Grid lines" in enabled
    assert desk.tools.why_not("elevation") != opened(window, TILES).tools.why_not("elevation")
