"""A map gets another terrain set, and everything that names terrain follows."""

from __future__ import annotations

import numpy as np
import pytest

from app.canvas.hover_text import explain_cell
from app.features.cell_menu.hex_menu import cell_menu
from randomizer.geometry.stamp_cutting import cut
from randomizer.geometry.stamp_placing import place
from randomizer.model.comparison.comparison import ShownMap, compare
from randomizer.model.comparison.difference_texts import difference_text
from randomizer.model.comparison.take_over import take_over
from randomizer.model.edits.terrain_edits import change_terrain_set
from randomizer.model.edits.value_edits import set_values
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.problems import ProblemError
from randomizer.model.terrain.terrain import Hexside, Terrain, TerrainSet
from tests.app.conftest import finished_picture
from tests.systems import RENAMED

GRID = Grid(SQUARE, 6, 5)
HEATHS = TerrainSet(
    "Heaths",
    (Terrain("Moor", "#ff00ff"), Terrain("Sand", "#00ffff"), Terrain("Mire", "#445533")),
    (Hexside("Hedge", "h", "#00ff00"),),
    (0, 1),
)


@pytest.fixture
def features() -> tuple[str, ...]:
    return ("tools", "palette", "selection", "compare", "files")


@pytest.fixture
def desk(window):
    """A map of one Sand cell, the current one."""
    layer = Layer(1, "Ground")
    layer.planes["ground"] = np.zeros((5, 6), "u2")
    layer.planes["ground"][1, 1] = RENAMED.terrain_set.terrain_code("Sand")
    window.desk.document.open_map(BattleMap.new(RENAMED, GRID, [layer]))
    window.desk.canvas.fit()
    return window.desk


def change(desk) -> None:
    battlemap = desk.document.battlemap
    assert desk.document.push(change_terrain_set(battlemap, HEATHS), "Change terrains")


def offered(desk) -> set[str]:
    return {button.text() for button in desk.docks.panel("palette").ground.terrains.buttons}


def colour_at(desk, x: int, y: int) -> str:
    at = desk.canvas.viewport.to_screen(*GRID.centre(GRID.cell(x, y))).toPoint()
    return desk.canvas.grab().toImage().pixelColor(at.x() + 9, at.y() + 9).name()


def test_palette_names_and_pictures_follow_and_come_back(desk, qtbot) -> None:
    desk.tools.options.choose(terrain=RENAMED.terrain_set.terrain_code("Sand"))
    before = offered(desk)
    picture = finished_picture(desk.canvas, qtbot)
    change(desk)
    # Plains is painted in the other cells: it is there, as missing.
    assert offered(desk) == {"Moor", "Sand", "Mire", "Plains"}
    tips = [b.toolTip() for b in desk.docks.panel("palette").ground.terrains.buttons]
    assert sum("No longer in the terrain set" in tip for tip in tips) == 1
    assert desk.tools.options.terrain == 1
    cell = GRID.cell(1, 1)
    assert "Sand" in explain_cell(desk.document, cell)
    menu = cell_menu(desk.document, cell, desk.canvas, desk.renderer)
    names = [choice.text() for choice in menu.actions()[1].choices]
    assert "Moor" in names
    assert "Volcano" not in names
    document = desk.document
    heath = set_values(document.battlemap, document.active_layer_id, "ground", [GRID.cell(3, 3)], 0)
    assert document.push(heath, "Paint")
    qtbot.waitUntil(lambda: colour_at(desk, 3, 3) == "#ff00ff")
    document.undo()
    document.undo()
    assert offered(desk) == before
    assert desk.tools.options.terrain == RENAMED.terrain_set.terrain_code("Sand")
    assert finished_picture(desk.canvas, qtbot) == picture


def test_sets_of_one_name_are_drawn_each_in_its_colours(desk) -> None:
    desk.document.open_map(BattleMap.new(RENAMED, GRID, [Layer(1, "Ground")], HEATHS))
    desk.canvas.fit()
    other = TerrainSet("Heaths", (Terrain("Moor", "#00aa00"),))
    seen = [colour_at(desk, 1, 1)]
    for known in (other, HEATHS):
        desk.document.push(change_terrain_set(desk.document.battlemap, known), "Change terrains")
        seen.append(colour_at(desk, 1, 1))
    assert seen == ["#ff00ff", "#00aa00", "#ff00ff"]


def test_a_stamp_goes_between_sets_by_names_and_says_what_is_missing(desk) -> None:
    battlemap = desk.document.battlemap
    stamp = cut(battlemap, np.array([GRID.cell(1, 1)]), battlemap.composite().planes)
    plains = cut(battlemap, np.array([GRID.cell(3, 3)]), battlemap.composite().planes)
    heaths = BattleMap.new(RENAMED, GRID, [Layer(1, "Ground")], HEATHS)
    edit = place(heaths, stamp, GRID.cell(2, 2), 1)
    assert edit is not None
    edit.apply(heaths)
    assert heaths.composite().planes["ground"][2, 2] == 1
    with pytest.raises(ProblemError, match="no terrain “Plains”"):
        place(heaths, plains, GRID.cell(2, 2), 1)


def test_maps_of_two_sets_are_compared_by_names(desk) -> None:
    ours = desk.document.battlemap
    theirs = BattleMap.new(RENAMED, GRID, [Layer(1, "Ground")], HEATHS)
    theirs.layers[0].planes["ground"] = np.full((5, 6), HEATHS.terrain_code("Sand"), "u2")
    found = compare(ShownMap.of(ours), ShownMap.of(theirs))
    assert found.count == GRID.size - 1  # Sand is Sand
    lines = [difference_text(found, difference) for difference in found.listed()]
    assert all("Plains 0 | Sand 0" in line for line in lines)
    edit = take_over(found, ours, 1)
    assert edit is not None
    edit.apply(ours)
    assert set(np.unique(ours.composite().planes["ground"])) == {
        RENAMED.terrain_set.terrain_code("Sand")
    }
    theirs.layers[0].planes["ground"][0, 0] = HEATHS.terrain_code("Mire")
    with pytest.raises(ProblemError, match="this map has no “Mire”"):
        take_over(compare(ShownMap.of(ours), ShownMap.of(theirs)), ours, 1)
