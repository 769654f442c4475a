"""Find and replace on the desk: the map, what is selected, all open maps; one undo step each."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtWidgets import QComboBox

from app.features.replace.dialog import NOTHING, ReplaceDialog
from randomizer.model.edits.edit import ThingsEdit
from randomizer.model.edits.value_edits import set_values
from randomizer.model.grid.layouts import FLAT
from randomizer.model.things.things import Thing
from randomizer.systems.free.system import free_map

BOG = "Bog"


@pytest.fixture
def features() -> tuple[str, ...]:
    return ("replace",)


@pytest.fixture
def dialog(free) -> ReplaceDialog:
    document = free.desk.document
    bog = document.battlemap.terrain_set.terrain_code(BOG)
    edit = set_values(document.battlemap, document.active_layer_id, "terrain", [3, 5, 8], bog)
    document.push(edit, "Paint")
    return opened(free)


def opened(window) -> ReplaceDialog:
    window.desk.commands.run("edit.find-and-replace")
    (dialog,) = (each for each in window.findChildren(ReplaceDialog) if each.isVisible())
    return dialog


def choose(box: QComboBox, text: str) -> None:
    index = box.findText(text)
    assert index >= 0, [box.itemText(i) for i in range(box.count())]
    box.setCurrentIndex(index)


def terrains(window) -> list[str]:
    battlemap = window.desk.document.battlemap
    codes = window.desk.document.composite.planes["terrain"].reshape(-1)
    return [battlemap.terrain_set.terrains[code].name for code in codes.tolist()]


def test_a_terrain_is_replaced_and_undo_brings_it_back(free, dialog) -> None:
    choose(dialog.old_box, BOG)
    choose(dialog.new_box, "Lake")
    dialog.replace_button.click()
    assert [i for i, name in enumerate(terrains(free)) if name == "Lake"] == [3, 5, 8]
    assert "3 values replaced" in free.statusBar().currentMessage()
    assert free.desk.document.history.steps[-1].text == "Replace Bog by Lake"
    free.desk.document.undo()
    assert [i for i, name in enumerate(terrains(free)) if name == BOG] == [3, 5, 8]


def test_only_what_is_selected(free, dialog) -> None:
    choose(dialog.old_box, BOG)
    dialog.select_button.click()
    assert free.desk.document.selection.cells.tolist() == [3, 5, 8]
    dialog.reject()
    free.desk.document.select([5])
    again = opened(free)
    assert again.scope_box.currentText() == "1 hex selected"
    choose(again.old_box, BOG)
    choose(again.new_box, "Lake")
    again.replace_button.click()
    assert [i for i, name in enumerate(terrains(free)) if name == "Lake"] == [5]


def test_what_the_dialog_selects_is_offered_as_where_to_replace(free, dialog) -> None:
    assert dialog.scope_box.findText("3 hexes selected") < 0
    choose(dialog.old_box, BOG)
    dialog.select_button.click()
    assert dialog.scope_box.findText("3 hexes selected") >= 0
    assert dialog.scope_box.currentText() == "The whole map", "what was chosen stays"
    choose(dialog.scope_box, "3 hexes selected")
    choose(dialog.old_box, "Plains")
    dialog.select_button.click()
    count = terrains(free).count("Plains")
    assert dialog.scope_box.currentText() == f"{count} hexes selected"


def test_all_open_maps(free, dialog) -> None:
    dialog.reject()
    document = free.desk.document
    first = document.current_map
    second = document.open_map(free_map(FLAT, 5, 4, terrain_set=first.battlemap.terrain_set))
    bog = second.battlemap.terrain_set.terrain_code(BOG)
    document.push(set_values(second.battlemap, 1, "terrain", [0], bog), "Paint")
    again = opened(free)
    choose(again.old_box, BOG)
    choose(again.new_box, "Lake")
    choose(again.scope_box, f"All {len(document.maps)} open maps")
    again.replace_button.click()
    assert document.current_map is second
    for opened_map in (first, second):
        plane = opened_map.live_composite().planes["terrain"]
        assert not np.isin(plane, [bog]).any()
        assert opened_map.history.steps[-1].text == "Replace Bog by Lake"


def test_hexsides_are_taken_away_and_texts_typed(free, dialog) -> None:
    document = free.desk.document
    document.push(set_values(document.battlemap, 1, "hexside", [7], 2), "Paint")
    document.push(ThingsEdit(1, (), (Thing(1, "town", 0.0, 0.0, label="North Ham"),)), "Place")
    choose(dialog.subject_box, "Hexside")
    choose(dialog.old_box, "Cliff")
    choose(dialog.new_box, NOTHING)
    dialog.replace_button.click()
    assert not document.composite.planes["hexside"].any()
    choose(dialog.subject_box, "Text")
    dialog.old_box.setEditText("Ham")
    dialog.new_box.setEditText("Oxley")
    dialog.replace_button.click()
    assert document.battlemap.thing(1).label == "North Oxley"


def test_a_locked_layer_stays_and_is_named(free, dialog) -> None:
    document = free.desk.document
    document.battlemap.layers[0].locked = True
    choose(dialog.old_box, BOG)
    choose(dialog.new_box, "Lake")
    dialog.replace_button.click()
    assert "Lake" not in terrains(free)
    name = document.battlemap.layers[0].name
    assert f"locked, and as before: {name}" in free.statusBar().currentMessage()
