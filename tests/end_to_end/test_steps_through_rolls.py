"""*Previous roll* and *Next roll* bring back the maps that were seen, whatever made them."""

from __future__ import annotations

from itertools import count

import numpy as np
import pytest
from PySide6.QtCore import Qt

from app.features.new_map.dialog import NewMapDialog
from randomizer.model.edits.value_edits import set_values
from tests.app.conftest import new_map_dialog
from tests.app.systems.cordery.conftest import Wargamer
from tests.daily import deep_but
from tests.end_to_end.test_one_roll import ALT, lakes, roller  # noqa: F401 - fixtures
from tests.end_to_end.test_other_scripts import choose, form, roll_with, script_title
from tests.end_to_end.test_settings_of_tabs import rolled_map
from tests.end_to_end.test_what_stays_in_variations import map_of_many_terrains, take_variation
from tests.randomizer.systems.zeroad.given_places import find_games_only_in

DRIVEN_DIALOGS = (NewMapDialog,)


def terrain(desk) -> np.ndarray:
    name = desk.document.battlemap.system.terrain.name
    return desk.document.composite.planes[name].copy()


def step(qtbot, desk, key: Qt.Key) -> None:
    """Press a key with Alt on the map, and wait until nothing is rolled."""
    desk.frame.activateWindow()  # as a window manager does when a dialog has gone
    qtbot.waitUntil(desk.frame.isActiveWindow)
    desk.canvas.setFocus()
    steps = desk.document.history.index
    qtbot.keyClick(desk.canvas, key, ALT)
    qtbot.waitUntil(lambda: not desk.rolling.busy)
    qtbot.waitUntil(lambda: desk.document.history.index > steps)


def test_variations_are_stepped_through(qtbot, roller, hand):  # noqa: F811
    desk = roller.desk
    desk.document.show_map(map_of_many_terrains())
    original = terrain(desk)
    take_variation(qtbot, desk, hand, 1)
    first = terrain(desk)
    take_variation(qtbot, desk, hand, 2)
    second = terrain(desk)
    assert not np.array_equal(first, second)

    step(qtbot, desk, Qt.Key.Key_Left)
    assert np.array_equal(terrain(desk), first)
    step(qtbot, desk, Qt.Key.Key_Left)
    assert np.array_equal(terrain(desk), original)
    previous = desk.commands.action("script.previous")
    assert not previous.isEnabled()
    step(qtbot, desk, Qt.Key.Key_Right)
    assert np.array_equal(terrain(desk), first)
    step(qtbot, desk, Qt.Key.Key_Right)
    assert np.array_equal(terrain(desk), second)
    assert not desk.commands.action("script.next").isEnabled()

    # It would hide what is painted meanwhile.
    step(qtbot, desk, Qt.Key.Key_Left)
    step(qtbot, desk, Qt.Key.Key_Left)
    assert desk.commands.action("script.next").isEnabled()
    edit = set_values(desk.document.battlemap, desk.document.active_layer_id, "terrain", [5], 4)
    assert desk.document.push(edit, "Paint")
    desk.commands.run("script.next")
    qtbot.waitUntil(lambda: not desk.rolling.busy)
    assert len(desk.document.battlemap.layers) == 1
    desk.document.undo()
    step(qtbot, desk, Qt.Key.Key_Right)
    assert np.array_equal(terrain(desk), first)


@pytest.mark.deep
def test_a_variation_of_a_roll_is_stepped_back_from_and_comes_again(qtbot, roller, lakes, hand):  # noqa: F811
    desk = roller.desk
    roller.press(Qt.Key.Key_R)
    original = terrain(desk)
    rolls = roller.rolls()
    take_variation(qtbot, desk, hand, 1)
    variation = terrain(desk)
    step(qtbot, desk, Qt.Key.Key_Left)
    assert roller.rolls() == rolls
    assert np.array_equal(terrain(desk), original)
    roller.press(Qt.Key.Key_Left, ALT)
    assert roller.rolls() == [("Lakes.rnd", 101, 0)]
    roller.press(Qt.Key.Key_Right, ALT)
    assert np.array_equal(terrain(desk), original)
    step(qtbot, desk, Qt.Key.Key_Right)
    assert np.array_equal(terrain(desk), variation)
    # A roll takes the place of the variation, and the step back brings that.
    roller.press(Qt.Key.Key_R)
    step(qtbot, desk, Qt.Key.Key_Left)
    assert np.array_equal(terrain(desk), variation)
    desk.document.undo()
    desk.document.undo()
    assert np.array_equal(terrain(desk), variation)


@pytest.mark.deep
def test_a_text_that_is_typed_tells_that_the_variation_is_not_of_it(qtbot, roller, lakes, hand):  # noqa: F811
    desk = roller.desk
    rolls = roller.rolls()
    take_variation(qtbot, desk, hand, 1)
    desk.docks.show("randomize")
    banner = roller.panel.notices.text_banner
    assert banner.isHidden()
    roller.write("AREA (anywhere) HAZARDS Bog Bog Bog Bog")
    qtbot.waitUntil(banner.isVisible)
    with qtbot.waitSignal(desk.rolling.finished):
        qtbot.mouseClick(banner.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(banner.isHidden)
    assert roller.rolls() == [*rolls, *rolls], "the same seed and number in place of the variation"
    assert "Bog" in desk.rolling.target().roll.script


@pytest.mark.parametrize("follows", [True, False])
def test_a_map_comes_back_with_the_settings_that_it_had(qtbot, roller, lakes, follows):  # noqa: F811
    desk = roller.desk
    desk.scripts.follower.set_enabled(follows)
    first = terrain(desk)
    roller.press(Qt.Key.Key_R)
    choose(form(desk).field("symmetry"), "Two-fold turn")
    roller.press(Qt.Key.Key_R)
    symmetric = terrain(desk)
    roller.press(Qt.Key.Key_Left, ALT)
    roller.press(Qt.Key.Key_Left, ALT)
    assert np.array_equal(terrain(desk), first)
    assert "symmetry" not in desk.scripts.settings.values
    roller.press(Qt.Key.Key_Right, ALT)
    roller.press(Qt.Key.Key_Right, ALT)
    assert np.array_equal(terrain(desk), symmetric)


def test_a_map_comes_back_with_the_text_that_it_had(qtbot, roller, lakes):  # noqa: F811
    desk = roller.desk
    desk.scripts.follower.set_enabled(False)
    first = terrain(desk)
    roller.write("AREA (anywhere) HAZARDS Bog Bog Bog Bog")
    roller.press(Qt.Key.Key_R)
    second = terrain(desk)
    roller.press(Qt.Key.Key_Left, ALT)
    assert np.array_equal(terrain(desk), first)
    assert roller.panel.notices.text_banner.isVisible()
    roller.press(Qt.Key.Key_Right, ALT)
    assert np.array_equal(terrain(desk), second)


def test_a_table_comes_back_with_the_choices_that_it_had(qtbot, window):
    player = Wargamer(qtbot, window)
    window.desk.rolling.key_choice.choose_seed = count(101).__next__
    player.throw(relief="open")
    first = terrain(window.desk)
    player.throw(relief="hilly", rivers=2)
    second = terrain(window.desk)
    player.desk.actions.back.trigger()
    player.wait()
    assert np.array_equal(terrain(window.desk), first)
    assert player.desk.throwing.map_choices.choices.relief == "open"
    player.desk.actions.forth.trigger()
    player.wait()
    assert np.array_equal(terrain(window.desk), second)


def test_a_map_of_another_script_comes_back_with_that(qtbot, window, monkeypatch, tmp_path):
    find_games_only_in(tmp_path / "none", monkeypatch)
    new_map_dialog(window, "0 A.D. map", "Islands").make_button.click()
    desk = window.desk
    qtbot.waitUntil(lambda: desk.document.battlemap.system.name == "zeroad")
    desk.docks.show("randomize")
    islands = desk.document.composite.planes[desk.document.battlemap.system.terrain.name].copy()
    roll_with(desk, qtbot, "open-country")
    assert script_title(desk) == "Open country"
    with qtbot.waitSignal(desk.rolling.finished):
        desk.commands.run("script.previous")
    planes = desk.document.composite.planes
    assert np.array_equal(planes[desk.document.battlemap.system.terrain.name], islands)
    assert script_title(desk) == "Islands"


SIZES = (
    ("Landscape", {"width": 12, "height": 10}, {}, {"width": 8, "height": 6}),
    ("Landscape", {"width": 12, "height": 10}, {}, {"layout": "pointy"}),
    ("Fantasy", {"width": 20, "height": 12}, {"countries": 0}, {"width": 30, "height": 20}),
    ("Islands", {"Size": 64}, {"Size": 64}, {"Size": 128}),
)
"""Generators, with the settings of the map's first size, of its next roll, and of another size."""


@pytest.mark.parametrize(
    ("name", "size", "rolled_with", "then_with"),
    deep_but(SIZES, SIZES[0]),
)
def test_a_map_comes_back_in_the_size_that_it_had(
    qtbot,
    roller,  # noqa: F811
    hand,
    name,
    size,
    rolled_with,
    then_with,
):
    """The map has another one meanwhile, and most settings leave the size to the map."""
    desk = roller.desk
    desk.document.show_map(rolled_map(name, size))
    desk.scripts.settings.set(rolled_with)
    roller.press(Qt.Key.Key_R)
    first_grid = desk.document.battlemap.grid
    first = terrain(desk)
    desk.scripts.settings.set(then_with)
    hand.expect("Another size or shape").press("Change the map")
    roller.press(Qt.Key.Key_R)
    second_grid = desk.document.battlemap.grid
    second = terrain(desk)
    assert not second_grid.same_as(first_grid)

    step(qtbot, desk, Qt.Key.Key_Left)
    assert desk.document.battlemap.grid.same_as(first_grid)
    assert np.array_equal(terrain(desk), first)
    step(qtbot, desk, Qt.Key.Key_Right)
    assert desk.document.battlemap.grid.same_as(second_grid)
    assert np.array_equal(terrain(desk), second)
    desk.document.undo()
    desk.document.undo()
    desk.document.undo()
    assert desk.document.battlemap.grid.same_as(first_grid)
    assert np.array_equal(terrain(desk), first)
    # After Undo, too, the step goes to the size that the other roll had.
    step(qtbot, desk, Qt.Key.Key_Right)
    assert np.array_equal(terrain(desk), second)
