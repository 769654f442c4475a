"""Maps begin with the overlays of their kind; what is switched stays switched for that kind."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QCheckBox

from app.cli.picture import main as picture
from app.document.document import MapDocument
from app.document.sample import sample_map
from app.features.new_map.dialog import NewMapDialog
from app.features.pictures.picture_dialog import PictureDialog
from app.window import MainWindow
from randomizer.catalog.map_formats import format_named
from randomizer.formats.checked import write_checked
from randomizer.model.grid.layouts import FLAT
from randomizer.systems.free.packaged_sets import BATTLEFIELD, packaged_set
from randomizer.systems.free.system import free_map
from tests.app.conftest import new_map_dialog, opened

DRIVEN_DIALOGS = (
    PictureDialog,
    NewMapDialog,
)
"""Dialogs that these tests drive themselves."""

BOARD = {"labels": True, "grid-lines": True, "elevation": True, "relief": False}
LANDSCAPE = {"labels": False, "grid-lines": False, "elevation": False, "relief": True}
"""What rows of the menu View show as switched on."""


ROWS = {
    "labels": "view.hex-labels",
    "grid-lines": "view.grid-lines",
    "elevation": "view.elevation",
    "relief": "view.relief",
}


def switched(window) -> dict[str, bool]:
    action = window.desk.commands.action
    return {row: action(name).isChecked() for row, name in ROWS.items()}


def roll_landscape(window, qtbot) -> None:
    """Make a new landscape by the dialog, as a person does."""
    new_map_dialog(window, "Landscape or free map", "Landscape").make_button.click()
    qtbot.waitUntil(lambda: window.desk.document.battlemap.system.name == "free")
    qtbot.waitUntil(lambda: not window.desk.rolling.busy)


def test_a_landscape_begins_as_a_country_and_a_battleland_as_a_board(window, qtbot):
    assert switched(window) == BOARD
    roll_landscape(window, qtbot)
    landscape = window.desk.document.current_map
    assert switched(window) == LANDSCAPE
    window.desk.document.open_map(sample_map())
    assert switched(window) == BOARD
    window.desk.document.make_current(landscape)
    assert switched(window) == LANDSCAPE
    window.desk.document.open_map(sample_map())
    assert switched(window) == BOARD


@pytest.mark.deep
def test_a_free_map_with_a_tactical_terrain_set_begins_as_a_board(window):
    battlefield = packaged_set(BATTLEFIELD)
    window.desk.document.open_map(free_map(FLAT, 12, 9, terrain_set=battlefield))
    assert switched(window) == BOARD
    window.desk.document.open_map(free_map(FLAT, 12, 9))
    assert switched(window) == LANDSCAPE


def test_what_is_switched_stays_so_for_maps_of_its_kind_and_in_the_next_session(
    window, qtbot, settings
):
    desk = window.desk
    battleland = desk.document.current_map
    desk.document.open_map(free_map(FLAT, 12, 9))
    desk.commands.action("view.grid-lines").trigger()
    assert desk.renderer.overlays.grid_lines
    desk.document.make_current(battleland)
    desk.commands.action("view.elevation").trigger()
    desk.document.open_map(free_map(FLAT, 5, 5))
    assert desk.renderer.overlays.grid_lines
    desk.document.open_map(sample_map())
    assert not desk.renderer.overlays.elevation

    again = MainWindow(MapDocument(free_map(FLAT, 12, 9)), settings, None, None)
    qtbot.addWidget(again)
    assert again.desk.renderer.overlays.grid_lines
    again.desk.document.open_map(sample_map())
    assert not again.desk.renderer.overlays.elevation
    assert again.desk.renderer.overlays.grid_lines, "of battlelands nobody switched them"


def darker_pixels(former: QImage, image: QImage) -> int:
    """Count the pixels in which grid lines are seen: at least 12 of 256 darker than before."""
    return sum(
        former.pixelColor(x, y).lightness() >= image.pixelColor(x, y).lightness() + 12
        for x in range(0, image.width(), 2)
        for y in range(0, image.height(), 2)
    )


@pytest.mark.deep
def test_grid_lines_of_a_landscape_are_seen_wherever_there_is_room_or_a_zoom_is_named(
    window, qtbot
):
    desk = window.desk
    desk.document.open_map(free_map(FLAT, 40, 30))
    desk.canvas.zoom(9.0 / desk.canvas.viewport.scale)
    qtbot.waitUntil(lambda: desk.canvas.is_sharp)
    plain = desk.canvas.grab().toImage()
    desk.commands.action("view.grid-lines").trigger()
    assert window.statusBar().currentMessage() == ""
    qtbot.waitUntil(lambda: desk.canvas.is_sharp)
    assert darker_pixels(plain, desk.canvas.grab().toImage()) > 1000
    desk.commands.action("view.grid-lines").trigger()
    desk.canvas.zoom(7.0 / desk.canvas.viewport.scale)
    desk.commands.action("view.grid-lines").trigger()
    assert window.statusBar().currentMessage() == "Grid lines are seen from 20 % on: zoom in."


@pytest.mark.deep
def test_the_players_map_is_for_all_kinds_and_not_remembered(window, qtbot, settings):
    desk = window.desk
    desk.commands.action("view.players'-map").trigger()
    desk.document.open_map(free_map(FLAT, 12, 9))
    assert desk.renderer.overlays.players
    again = MainWindow(MapDocument(free_map(FLAT, 12, 9)), settings, None, None)
    qtbot.addWidget(again)
    assert not again.desk.renderer.overlays.players


@pytest.mark.deep
def test_a_print_begins_as_the_desk_shows_the_map_and_remembers_its_own_by_kind(window, qtbot):
    desk = window.desk

    def ticked(name: str) -> QCheckBox:
        return opened(window, qtbot, PictureDialog).form.field(name)

    desk.commands.run("file.export-picture")
    assert ticked("grid_lines").isChecked()
    opened(window, qtbot, PictureDialog).reject()
    desk.document.open_map(free_map(FLAT, 12, 9))
    desk.commands.run("file.export-picture")
    assert not ticked("grid_lines").isChecked()
    assert ticked("shading").isChecked()
    opened(window, qtbot, PictureDialog).reject()
    desk.commands.action("view.grid-lines").trigger()
    desk.commands.run("file.export-picture")
    assert ticked("grid_lines").isChecked()


@pytest.mark.parametrize("is_landscape", [pytest.param(True, marks=pytest.mark.deep), False])
def test_the_command_line_draws_a_map_as_its_kind_begins(tmp_path, is_landscape):
    battlemap = free_map(FLAT, 8, 6)
    if not is_landscape:
        battlemap = free_map(FLAT, 8, 6, terrain_set=packaged_set(BATTLEFIELD))
    battlemap.layers[0].planes["elevation"] = battlemap.system.elevation.allocate(battlemap.grid)
    battlemap.layers[0].planes["elevation"][2:4, 2:5] = 2
    path = tmp_path / "map.battlemap"
    path.write_bytes(write_checked(format_named("project"), battlemap))

    def drawn(*options: str) -> QImage:
        assert picture([str(path), str(tmp_path / "map.png"), "--pixels", "60", *options]) == 0
        return QImage(str(tmp_path / "map.png"))

    country = drawn("--no-labels", "--no-grid-lines", "--no-elevation", "--shading")
    board = drawn("--labels", "--grid-lines", "--elevation", "--no-shading")
    assert country != board
    assert drawn() == (country if is_landscape else board)
