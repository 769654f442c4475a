"""A package without a system adds to our maps and to the desk."""

from __future__ import annotations

import sys

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest

from app.features.new_map.dialog import NewMapDialog
from app.render.pictures import picture_library, terrain_pictures
from app.render.scene.cell_overlays import CELL_OVERLAYS
from randomizer import installed
from randomizer.batches.counts import measures_of
from randomizer.catalog.generators import generator_named, generators_of, listed_generators
from randomizer.catalog.systems import game_host
from randomizer.games.host import GameHost
from randomizer.generator_run import run
from randomizer.model.basics.caches import empty_caches
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.terrain.terrain import Terrain
from randomizer.roll_base import Base
from randomizer.systems.colossus.system import SYSTEM as COLOSSUS
from randomizer.systems.free.system import SYSTEM as FREE
from randomizer.systems.free.system import free_map
from tests.app.conftest import finished_picture
from tests.test_additions.core import HOST
from tests.test_system.installing import on_path, register

DRIVEN_DIALOGS = (NewMapDialog,)


@pytest.fixture
def package(tmp_path):
    """The package, installed; what it added is gone afterwards."""
    overlays = list(CELL_OVERLAYS)
    folders = list(picture_library.FOLDERS)
    with on_path(register(tmp_path / "installed", "additions", "tests.test_additions.entry")):
        yield
    CELL_OVERLAYS[:] = overlays
    picture_library.FOLDERS[:] = folders
    empty_caches(picture_library.__name__)


@pytest.fixture
def window(package, qtbot, window):
    qtbot.waitUntil(lambda: window.desk.docks.find_panel("additions") is not None)
    return window


def test_a_generator_a_game_and_a_measure_for_a_system_of_ours(package):
    generator = generator_named("level")
    *ours, added = listed_generators(FREE)
    assert added is generator
    assert generator_named("landscape") in ours
    assert generators_of(FREE) == tuple(ours), "a roll of ours looks at no other package"
    made = run(generator, {}, DrawKey(1, 1), Base.under(free_map(SQUARE, 5, 4), 1))
    assert made.layers[0].roll.generator == "Level"
    host: GameHost | None = game_host(FREE)
    assert host is HOST
    names = [measure.name for measure in measures_of(generator)]
    assert names[0] == "cells"
    swamp = generator_named("swamp")
    assert swamp.system is COLOSSUS
    assert "cells" not in [measure.name for measure in measures_of(swamp)]


def test_the_generator_is_offered_for_a_new_map(window):
    window.desk.commands.run("file.new-map")
    dialog = window.findChild(NewMapDialog)
    (row,) = dialog.kinds.findItems("Landscape or free map", Qt.MatchFlag.MatchExactly)
    dialog.kinds.setCurrentItem(row)
    assert "Level" in [entry.metadata.name for entry in dialog.entries.catalogue.entries_of(FREE)]
    dialog.close()


def test_the_desk_tells_what_fails_in_a_package_while_it_is_used(window, monkeypatch):
    told = []
    # pytest-qt's own would fail the test.
    monkeypatch.setattr(sys, "excepthook", lambda _kind, fault, _trace: told.append(fault))
    monkeypatch.setattr(installed, "_owners", {id(HOST): ("additions", "core:HOST")})
    with installed.Guard(HOST):
        HOST.system["no name of a system"]
    assert [type(fault) for fault in told] == [TypeError]


def test_a_panel_a_tool_that_paints_and_a_picture_of_a_terrain(window):
    desk = window.desk
    assert desk.docks.find_panel("additions").text() == "Added"
    desk.commands.run("tool.pen")
    assert desk.tools.uses("pen")
    document = desk.document
    cell = desk.document.battlemap.grid.cells[12]
    desk.tools.options.choose(terrain=3)
    x, y = document.battlemap.grid.centre(int(cell))
    at = desk.canvas.viewport.to_screen(x, y).toPoint()
    QTest.mouseClick(desk.canvas, Qt.MouseButton.LeftButton, pos=at)
    spec = document.battlemap.system.terrain
    assert document.composite.planes[spec.name].flat[cell] == 3

    drawn = terrain_pictures.Pictures().picture_of_groups(Terrain("Steppe", "#c0a050"))
    assert drawn is not None
    assert drawn.drawing("feature-1").first_colour(None) == QColor("#102030")
    ours = terrain_pictures.Pictures().picture_of_groups(COLOSSUS.terrain_set.terrains[1])
    assert ours is not None


@pytest.mark.deep
def test_an_overlay_that_is_shown_and_hidden(window, qtbot):
    desk = window.desk
    window.resize(1400, 900)  # cells have room for texts
    bare = finished_picture(desk.canvas, qtbot)
    desk.commands.run("view.package.codes")
    assert desk.commands.action("view.package.codes").isChecked()
    assert finished_picture(desk.canvas, qtbot) != bare
    desk.commands.run("view.package.codes")
    assert finished_picture(desk.canvas, qtbot) == bare
