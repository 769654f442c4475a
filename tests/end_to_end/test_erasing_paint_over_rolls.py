"""Paint over a roll and locks: the eraser takes the paint alone, and paint on a lock is kept."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtTest import QTest

from app.document.map_files import read_map
from randomizer.catalog.generators import generator_named
from randomizer.model.rolls.touch_ups import TOUCH_UPS
from tests.app.conftest import cell
from tests.app.saves import finished, saved
from tests.end_to_end.test_painting_what_is_seen import Painter
from tests.end_to_end.test_walking_desk import paint, settled, value

PLANES = ("terrain", "elevation", "hexside")


@pytest.fixture
def painter(qtbot, window) -> Painter:
    """Someone who has rolled Mountains."""
    painter = Painter(qtbot, window)
    panel = window.desk.docks.panel("randomize")
    finished(panel.scripts.opening.open_generator(generator_named("Mountains")))
    roll_same_map(painter)
    return painter


def roll_same_map(painter: Painter) -> None:
    """Press Ctrl+R with *New seed* unticked on the map that is there: same seed, same number."""
    panel = painter.window.desk.docks.panel("randomize")
    panel.roll_action.trigger()
    settled(painter.qtbot, painter.window)


def rolled_hex(painter: Painter) -> str:
    """Return the name of a hex whose terrain, elevation and slopes the roll has all set."""
    battlemap = painter.document.battlemap
    layer = painter.document.active_layer
    system = battlemap.system
    is_set = np.ones(battlemap.grid.size, np.bool_)
    for name in PLANES:
        values = layer.planes[name].reshape(battlemap.grid.size, -1)
        is_set &= (values != system.plane(name).unset).any(axis=1)
    return system.cell_name(battlemap.grid, int(np.flatnonzero(is_set)[0]))


def values_of(painter: Painter, label: str) -> list[object]:
    planes = painter.document.composite.planes
    size = painter.document.battlemap.grid.size
    return [planes[name].reshape(size, -1)[cell(label)].tolist() for name in PLANES]


def test_the_eraser_takes_the_paint_over_a_roll_and_the_rolled_hex_shows_again(painter):
    label = rolled_hex(painter)
    rolled = values_of(painter, label)
    painter.paint("Tower", label)
    roll_same_map(painter)
    assert f"Kept: 1 change by hand ({TOUCH_UPS})" in painter.said()
    paint(painter.window, "eraser", label)
    assert painter.said() == f"{label}: what was painted is erased, the roll shows again"
    assert values_of(painter, label) == rolled
    roll_same_map(painter)
    assert "by hand" not in painter.said()
    assert values_of(painter, label) == rolled


@pytest.mark.deep
def test_paint_that_is_erased_before_the_next_roll_gives_the_rolled_hex_back(painter):
    label = rolled_hex(painter)
    rolled = values_of(painter, label)
    layer = painter.document.active_layer
    painter.paint("Tower", label)
    painter.paint("Lake", label)
    assert values_of(painter, label) != rolled
    paint(painter.window, "eraser", label)
    assert painter.said() == f"{label}: what was painted is erased, the roll shows again"
    assert values_of(painter, label) == rolled
    assert not layer.planes["touched:terrain"].any()
    roll_same_map(painter)
    assert "by hand" not in painter.said()
    rolled = values_of(painter, label)
    painter.paint("Tower", label)
    paint(painter.window, "eraser", label)
    paint(painter.window, "eraser", label)
    assert painter.said() == f"{label}: what the roll made is erased, in later rolls too"
    painter.document.undo()
    painter.document.undo()
    painter.document.undo()
    assert values_of(painter, label) == rolled


def test_paint_that_is_saved_and_opened_again_can_be_erased_too(painter, tmp_path):
    label = rolled_hex(painter)
    rolled = values_of(painter, label)
    painter.paint("Tower", label)
    path = tmp_path / "Painted.battlemap"
    assert saved(painter.window.desk.files.saving.save_to, path)
    painter.document.show_map(read_map(path).battlemap)
    paint(painter.window, "eraser", label)
    assert values_of(painter, label) == rolled


@pytest.mark.deep
def test_what_the_roll_made_goes_by_a_second_stroke_which_says_so(painter):
    label = rolled_hex(painter)
    painter.paint("Tower", label)
    roll_same_map(painter)
    paint(painter.window, "eraser", label)
    paint(painter.window, "eraser", label)
    assert painter.said() == f"{label}: what the roll made is erased, in later rolls too"
    bare = values_of(painter, label)
    assert value(painter.document.composite, "elevation", label) == 0
    roll_same_map(painter)
    assert values_of(painter, label) == bare


@pytest.mark.deep
def test_delete_takes_the_paint_of_selected_hexes_before_the_roll_below(painter):
    label = rolled_hex(painter)
    rolled = values_of(painter, label)
    painter.paint("Tower", label)
    roll_same_map(painter)
    paint(painter.window, "select", label)
    painter.window.desk.commands.run("edit.delete")
    settled(painter.qtbot, painter.window)
    assert values_of(painter, label) == rolled


@pytest.mark.deep
def test_paint_on_a_locked_hex_is_kept_after_a_roll_and_the_unlocking(painter):
    document = painter.document
    tree = painter.document.battlemap.system.terrain_set.terrain_code("Tree")
    plain = next(
        label
        for label in ("C2", "C3", "D3", "D4", "E4")
        if value(document.composite, "terrain", label) != tree
    )
    paint(painter.window, "lock", plain)
    painter.paint("Tree", plain)
    panel = painter.window.desk.docks.panel("randomize")
    panel.roll_bar.new_seed.click()
    roll_same_map(painter)
    assert painter.shown(plain) == tree
    paint(painter.window, "lock", plain)
    assert painter.said() == f"Unlocked {plain}"
    for _ in range(3):
        roll_same_map(painter)
        assert f"Kept: 1 change by hand ({TOUCH_UPS})" in painter.said()
        assert painter.shown(plain) == tree


def test_painting_over_a_lock_says_what_the_lock_holds_now(painter):
    paint(painter.window, "lock", "E2")
    assert painter.said() == "Locked E2: rolls keep it"
    painter.paint("Volcano", "E2")
    assert painter.said() == "E2 is locked: its lock now holds Volcano"
    painter.window.desk.tools.options.choose(elevation=2)
    paint(painter.window, "elevation", "E2")
    assert painter.said() == "E2 is locked: its lock now holds elevation 2"


@pytest.mark.deep
def test_the_next_stroke_clears_what_the_last_one_said(painter):
    paint(painter.window, "lock", "E2")
    assert painter.said() == "Locked E2: rolls keep it"
    painter.paint("Volcano", "D3")
    assert painter.said() == ""
    painter.window.desk.tools.options.choose(elevation=2)
    paint(painter.window, "elevation", "D3")
    assert painter.said() == "D3 is at elevation 2 now"
    painter.paint("Tower", "D4")
    assert painter.said() == ""


@pytest.mark.deep
def test_the_layer_of_touch_ups_names_the_changes_by_hand_that_a_roll_kept(painter, qtbot):
    painter.paint("Tower", "A3")
    painter.window.desk.tools.options.choose(elevation=2)
    for label in ("A3", "D6"):
        paint(painter.window, "elevation", label)
    roll_same_map(painter)
    assert f"Kept: 2 changes by hand ({TOUCH_UPS})" in painter.said()
    painter.window.desk.docks.show("layers")
    qtbot.waitUntil(lambda: painter.window.desk.docks.find_panel("layers") is not None)
    layers = painter.window.desk.docks.panel("layers").list
    row = layers.item(0)
    assert row.text() == TOUCH_UPS
    qtbot.waitUntil(layers.isVisible)
    QTest.mouseMove(layers.viewport(), layers.visualItemRect(layers.item(1)).center())

    def is_named() -> bool:
        QTest.mouseMove(layers.viewport(), layers.visualItemRect(row).center())
        return "Changes by hand: D6 elevation, A3 terrain and elevation." in row.toolTip()

    qtbot.waitUntil(is_named)
