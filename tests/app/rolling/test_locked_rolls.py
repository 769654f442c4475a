"""Ways out when no roll keeps the locks, and cells taken back from earlier rolls."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from PySide6.QtWidgets import QWidget

from app.canvas.hover_text import explain_cell
from app.document.document import MapDocument
from app.features.cell_menu.hex_menu import cell_menu
from app.features.script.lock_banner import LockBanner
from app.render.renderer import Renderer
from app.render.theme import theme
from app.rolling.earlier_contents import EarlierContents
from app.rolling.roll_setup import RollSetup
from app.rolling.rolling import Rolling
from randomizer.model.edits.stack_edits import LayerField
from randomizer.model.edits.value_edits import set_locks, set_values
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer, Roll
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.touch_ups import TOUCH_UPS
from randomizer.systems.colossus.system import SYSTEM
from tests.app.conftest import cell
from tests.app.rolling.conftest import setup_of

TEXT = "AREA (anywhere) HAZARDS Volcano,2\nAREA C3 HAZARDS Bog,50. Sand\n"
RARE = "AREA D4 HAZARDS Bog,0.0000001\n"
LAKE = f"{TEXT}AREA A1 HAZARDS Lake\n"
VOLCANO, BOG, SAND = map(SYSTEM.terrain_set.terrain_code, ("Volcano", "Bog", "Sand"))


def setup(text: str) -> RollSetup:
    return setup_of(text, "Peak.rnd")


@pytest.fixture
def rolling(document) -> Rolling:
    return Rolling(document, choose_seed=lambda: 17)


@pytest.fixture
def banner(qtbot, document, rolling) -> LockBanner:
    banner = LockBanner(document, rolling)
    qtbot.addWidget(banner)
    return banner


@pytest.fixture
def said(rolling) -> list[str]:
    words: list[str] = []
    rolling.message.connect(words.append)
    return words


def lock(document, label: str) -> None:
    edit = set_locks(document.battlemap, [cell(label)], True)
    document.push(edit, f"Lock {label}")


def paint(document, label: str, terrain: int) -> None:
    edit = set_values(
        document.battlemap, document.active_layer_id, "terrain", [cell(label)], terrain
    )
    document.push(edit, f"Paint {label}")


def shown(document, label: str) -> tuple[int, int]:
    planes = document.composite.planes
    return int(planes["terrain"].flat[cell(label)]), int(planes["elevation"].flat[cell(label)])


def rolled_number(document) -> int:
    return document.active_layer.roll.number


@pytest.fixture
def refused(document, rolling, wait) -> BattleMap:
    """A rolled lake is locked, then a roll was tried of a text that never makes it."""
    wait(rolling.roll, setup(LAKE), new_seed=True)
    lock(document, "A1")
    wait(rolling.roll, setup(TEXT), new_seed=False)
    return document.battlemap


def test_a_lock_that_no_roll_keeps_can_be_taken_away(document, banner, rolling, refused, wait):
    assert banner.label.text() == "This script never makes A1 Lake, elevation 0."
    assert banner.unlock.text() == "Unlock A1"
    banner.unlock.click()
    assert not document.battlemap.locked_cells.any()
    assert document.history.next_undo.text == "Unlock A1"
    assert banner.isHidden()
    wait(rolling.roll, setup(TEXT), new_seed=False)
    assert banner.isHidden()


def test_a_painted_hex_that_no_roll_makes_stays_locked_or_not(document, banner, rolling, wait):
    wait(rolling.roll, setup(TEXT), new_seed=True)
    paint(document, "A1", SYSTEM.terrain_set.terrain_code("Lake"))
    lock(document, "A1")
    layer = document.active_layer
    wait(rolling.roll, setup(TEXT), new_seed=False)
    assert banner.isHidden()
    assert document.active_layer.roll != layer.roll
    assert shown(document, "A1") == (SYSTEM.terrain_set.terrain_code("Lake"), 0)
    assert TOUCH_UPS in [layer.name for layer in document.battlemap.layers]


def test_force_is_one_undo_step_and_says_what_it_breaks(
    document, banner, rolling, refused, wait, said
):
    problems: list[tuple] = []
    rolling.reported.connect(problems.append)
    before = document.composite.copy()
    count = len(document.history.steps)
    wait(banner.button.click)
    assert len(document.history.steps) == count + 1
    assert document.history.next_undo.text == "Force Peak, seed 17 no. 1"
    assert shown(document, "A1") == (SYSTEM.terrain_set.terrain_code("Lake"), 0)
    assert said[-1] == "A1 put back by force; the list of problems says what that breaks"
    assert [problem.code for problem in problems[-1]] == ["forced-hex", "forced-count"]
    assert banner.isHidden()
    assert explain_cell(document, cell("A1")).endswith("by hand, layer Peak, seed 17 no. 1")
    wait(rolling.roll, setup(TEXT), new_seed=False)
    assert banner.isHidden(), "what was put back counts as paint, which stays"
    assert shown(document, "A1") == (SYSTEM.terrain_set.terrain_code("Lake"), 0)
    document.undo()
    document.undo()
    assert document.composite.same_as(before)


def test_a_painted_hex_that_is_locked_does_not_bind_the_search(
    document, banner, rolling, wait, said
):
    wait(rolling.roll, setup(RARE), new_seed=True)
    paint(document, "D4", BOG)
    lock(document, "D4")
    for number in (1, 2):  # the second time the paint lies in Touch-ups
        wait(rolling.roll, setup(RARE), new_seed=False)
        assert banner.isHidden()
        assert document.active_layer.roll.number == number
        assert shown(document, "D4") == (BOG, 0)
        assert said[-1].endswith("Kept: 1 change by hand (Touch-ups)")


def test_what_is_locked_on_an_opened_map_lies_above_the_roll(document, banner, rolling, wait):
    edit = set_values(document.battlemap, document.active_layer_id, "terrain", [cell("D4")], BOG)
    edit.apply(document.battlemap)
    document.active_layer.from_file = True
    lock(document, "D4")
    lock(document, "A1")  # no layer sets A1: it is shown as Plains
    wait(rolling.roll, setup(LAKE), new_seed=True)
    assert banner.isHidden()
    assert shown(document, "D4") == (BOG, 0)
    assert shown(document, "A1") == (SYSTEM.terrain_set.terrain_code("Plains"), 0)
    (touch_ups,) = [layer for layer in document.battlemap.layers if layer.touch_ups_of]
    assert touch_ups.name == TOUCH_UPS
    document.push(LayerField(touch_ups.id, "visible", True, False), "Hide")
    assert shown(document, "A1") == (SYSTEM.terrain_set.terrain_code("Lake"), 0)


def test_what_is_too_rare_can_be_forced_too(document, banner, rolling, wait):
    wait(rolling.roll, setup("AREA D4 HAZARDS Bog\n"), new_seed=True)
    lock(document, "D4")
    wait(rolling.roll, setup(RARE), new_seed=False)
    assert banner.label.text() == "None of the maps that were tried has what you locked."
    assert banner.unlock.text() == "Unlock D4"
    wait(rolling.roll_by_force)
    assert shown(document, "D4") == (BOG, 0)


def test_the_offer_is_gone_when_the_locks_or_the_seed_are_others(
    document, banner, rolling, refused
):
    assert not banner.isHidden()
    rolling.key_choice.type_number(7)
    assert banner.isHidden()


def test_a_roll_whose_layer_is_gone_cannot_be_forced(document, rolling, refused, said):
    document.undo()
    document.undo()
    rolling.roll_by_force()
    assert said[-1].startswith("The layer is gone")


def test_other_failures_offer_no_force(banner, rolling, wait):
    wait(rolling.roll, setup("AREA D9 HAZARDS Bog\n"), new_seed=True)
    assert banner.isHidden()
    wait(rolling.roll_by_force)
    assert not rolling.busy


def test_a_hex_is_taken_back_from_an_earlier_roll_and_locked(document, qtbot, rolling, wait):
    parent = QWidget()
    qtbot.addWidget(parent)
    wait(rolling.roll, setup(TEXT), new_seed=True)
    before = shown(document, "C3")
    name = document.active_layer.name
    while shown(document, "C3")[0] == before[0]:
        assert not rolling.earlier_contents.values_of(cell("C3"))
        wait(rolling.roll, setup(TEXT), new_seed=False)
    menu = cell_menu(document, cell("C3"), parent, Renderer(theme("light")), rolling)
    (inner,) = [action.menu() for action in menu.actions() if action.menu()]
    action, _line, note = inner.actions()
    assert (note.text(), note.isEnabled()) == ("Hexsides stay as they are", False)
    terrain = SYSTEM.terrain_set.terrains[before[0]].name
    assert action.text().endswith(f": {terrain}, elevation 0")
    action.trigger()
    assert shown(document, "C3") == before
    assert document.battlemap.locked_cells.flat[cell("C3")]
    assert document.history.next_undo.text.startswith("Lock C3 as in Peak, seed 17 no. ")
    assert name.startswith("Peak, seed 17")
    wait(rolling.roll, setup(TEXT), new_seed=False)
    assert shown(document, "C3") == before


def test_before_there_is_an_earlier_roll_the_menu_says_so(document, qtbot, rolling, wait):
    parent = QWidget()
    qtbot.addWidget(parent)
    wait(rolling.roll, setup(TEXT), new_seed=True)
    menu = cell_menu(document, cell("C3"), parent, Renderer(theme("light")), rolling)
    (inner,) = [action.menu() for action in menu.actions() if action.menu()]
    (words,) = inner.actions()
    assert not words.isEnabled()
    assert words.text().startswith("No roll before this one")


def test_all_hexes_of_a_terrain_are_locked_at_once(document, qtbot):
    parent = QWidget()
    qtbot.addWidget(parent)
    layer = document.active_layer_id
    places = [cell("A1"), cell("D4")]
    document.push(set_values(document.battlemap, layer, "terrain", places, VOLCANO), "Paint")
    menu = cell_menu(document, cell("D4"), parent, Renderer(theme("light")))
    (action,) = [action for action in menu.actions() if action.text() == "Lock all 2 of Volcano"]
    action.trigger()
    assert document.battlemap.locked_cells.ravel().nonzero()[0].tolist() == sorted(places)


def test_stepping_back_from_a_forced_map_rolls_the_earlier_one(document, rolling, banner, wait):
    wait(rolling.roll, setup(LAKE), new_seed=True)
    lock(document, "A1")
    wait(rolling.roll, setup(TEXT), new_seed=False)
    wait(rolling.roll_by_force)
    forced_roll = document.active_layer.roll
    wait(rolling.step_back, setup(TEXT))
    earlier_roll = document.active_layer.roll
    assert (earlier_roll.seed, earlier_roll.number) < (forced_roll.seed, forced_roll.number)
    assert shown(document, "A1") == (SYSTEM.terrain_set.terrain_code("Lake"), 0)


def test_a_recipe_that_is_forced_keeps_what_the_recipe_locks(document, rolling, wait):
    wait(rolling.roll, setup(LAKE), new_seed=True)
    lock(document, "A1")
    base_of_recipe = rolling.next_base()
    document.undo()
    destination = rolling.next_roll.destination()
    key = DrawKey(17, 1)
    wait(partial(rolling.roll_onto, base_of_recipe, destination, setup(TEXT), key))
    assert rolled_number(document) == 0, "no map of this text has what the recipe locks"
    wait(rolling.roll_by_force)
    assert rolled_number(document) == 1
    assert shown(document, "A1") == (SYSTEM.terrain_set.terrain_code("Lake"), 0)


def test_rolls_from_before_the_map_was_resized_are_passed_over():
    layer = Layer(1, "Now", roll=Roll("", "Bog.rnd", "", {}, 17, 0))
    earlier_contents = EarlierContents(MapDocument(BattleMap.new(SYSTEM, layers=[layer])))
    earlier_contents.store(Layer(1, "Small", planes={"terrain": np.full((2, 2), BOG, "u2")}))
    assert earlier_contents.values_of(cell("D4")) == []
