"""A fault at any step of rolling a pasted recipe whose script has to be found is told once.

Afterwards it is rolled, and the map is saved and left.
"""

from __future__ import annotations

from hashlib import sha256

import pytest

from app.background.actions import any_running
from app.document.map_files import new_map
from randomizer.systems.colossus.system import SYSTEM
from tests.app.saves import finished
from tests.daily import deep_but_last
from tests.end_to_end.test_faults_while_opening import save_and_quit
from tests.end_to_end.test_faults_while_saving import FAULT, wait_for_fault

pytestmark = pytest.mark.usefixtures("told_faults")

RECIPES = "app.scripts.roll_recipes"
FIND_SCRIPT = "Where is Bog.rnd?"
REMARKS = "".join(f"# {sha256(bytes([number])).hexdigest()}\n" for number in range(100))
"""What makes a script too long to go along with its recipe."""

STEPS_OF_PASTING = {
    f"{RECIPES}.read_recipe": (),
    f"{RECIPES}.Job": (),
    f"{RECIPES}.choose_file": (),
    f"{RECIPES}.RollRecipes._ask_for_script": (),
    "app.rolling.rolling.Rolling.roll_onto": (FIND_SCRIPT,),
}
"""The steps of rolling a recipe, with the dialogs before each."""


@pytest.fixture
def bog(window, qtbot, tmp_path):
    """A script file; the recipe of its roll is copied, and a map that knows neither is current."""
    path = tmp_path / "Bog.rnd"
    path.write_text(f"{REMARKS}AREA (inside) HAZARDS Bog Bog\n")
    desk = window.desk
    desk.document.open_map(new_map(SYSTEM))
    assert finished(desk.scripts.opening.open(path))
    desk.commands.run("script.roll")
    qtbot.waitUntil(lambda: desk.document.active_layer.roll is not None)
    desk.commands.run("layer.copy-as-recipe")
    desk.document.undo()  # this map is not to be asked about
    desk.document.open_map(new_map(SYSTEM))
    return path


@pytest.mark.parametrize("step", deep_but_last(STEPS_OF_PASTING))
def test_after_a_fault_while_a_recipe_is_pasted_it_is_rolled_saved_and_left(
    window, qtbot, hand, break_once, tmp_path, bog, step
):
    document = window.desk.document
    for title in STEPS_OF_PASTING[step]:
        hand.expect(title).type_path(bog)
    told = hand.expect(FAULT).press("Close")
    break_once(step)
    window.desk.commands.run("edit.paste")
    wait_for_fault(qtbot, window, told)
    qtbot.waitUntil(lambda: not any_running())
    assert document.active_layer.roll is None
    hand.expect(FIND_SCRIPT).type_path(bog)
    window.desk.commands.run("edit.paste")
    qtbot.waitUntil(lambda: document.active_layer.roll is not None)
    save_and_quit(qtbot, window, hand, tmp_path / "saved.battlemap")
