"""A landscape on the desk: New map, its settings in the panel Script, painting, locks, gallery."""

from __future__ import annotations

import numpy as np
import pytest

from app.document.map_files import new_map
from randomizer.model.edits.value_edits import set_values
from randomizer.systems.free.system import SYSTEM
from tests.app.conftest import complete_form, new_map_dialog
from tests.app.features.gallery.test_gallery_of_script import settled


@pytest.fixture
def features() -> tuple[str, ...]:
    return ("new_map", "script", "gallery", "tools")


@pytest.fixture
def landscape(qtbot, window):
    """The window with a landscape of 24 x 16 cells that was chosen in New map."""
    dialog = new_map_dialog(window, "Landscape or free map", "Landscape")
    dialog.form.field("width").setValue(24)
    dialog.form.field("height").setValue(16)
    dialog.form.field("layout").setCurrentIndex(1)
    assert "384 hexes, rolled by Landscape" in dialog.status.text
    dialog.make_button.click()
    qtbot.waitUntil(lambda: window.desk.document.battlemap.system is SYSTEM)
    return window


def test_a_landscape_is_made_painted_locked_and_rolled_again(qtbot, landscape):
    desk = landscape.desk
    document = landscape.desk.document
    battlemap = document.battlemap
    assert (battlemap.grid.layout.name, battlemap.grid.size) == ("pointy", 384)
    assert len(battlemap.layers) == 1
    assert {thing.kind for thing in document.active_layer.things.values()} >= {"town", "city"}

    terrain = SYSTEM.terrain.name
    ice = battlemap.terrain_set.terrain_code("Ice")
    layer = document.active_layer
    document.push(set_values(battlemap, layer.id, terrain, np.arange(40, 50), ice), "Paint")
    battlemap.locked_cells[8:12, 4:9] = True
    before = document.composite.planes[terrain].copy()
    with qtbot.waitSignal(desk.rolling.rolled):
        desk.rolling.step_forward()
    after = document.composite.planes[terrain]
    assert (after.reshape(-1)[40:50] == ice).all()
    assert (after[8:12, 4:9] == before[8:12, 4:9]).all()
    assert (after != before).mean() > 0.2
    document.undo()
    assert (document.composite.planes[terrain] == before).all()


def test_its_settings_stand_in_the_panel_of_scripts(qtbot, landscape):
    desk = landscape.desk
    desk.docks.show("randomize")
    panel = desk.docks.panel("randomize")
    assert desk.scripts.script.name == "Landscape"
    form = complete_form(panel)
    assert (form.values()["width"], form.values()["height"]) == (24, 16)
    assert form.field("land").isVisibleTo(panel)
    form.field("land").setValue(100)
    form.field("warmth").setValue(60)
    with qtbot.waitSignal(desk.rolling.rolled):
        desk.rolling.roll()
    document = desk.document
    names = [terrain.name for terrain in document.battlemap.terrain_set.terrains]
    shown = {names[code] for code in np.unique(document.composite.planes[SYSTEM.terrain.name])}
    assert not {"Deep sea"} & shown
    assert document.active_layer.roll.settings["land"] == 100


def test_an_empty_free_map_is_randomized_as_a_landscape(qtbot, window):
    desk = window.desk
    desk.document.open_map(new_map(SYSTEM))
    assert desk.scripts.script.name == "Landscape"
    with qtbot.waitSignal(desk.rolling.rolled):
        desk.rolling.roll()
    assert desk.document.battlemap.grid.same_as(SYSTEM.new_grid())
    assert desk.document.active_layer.roll.generator == "Landscape"


@pytest.mark.deep
def test_the_gallery_shows_landscapes(qtbot, landscape):
    desk = landscape.desk
    desk.docks.show("gallery")
    gallery = desk.docks.panel("gallery")
    qtbot.waitUntil(lambda: settled(gallery) and len(gallery.maps.model.candidates) >= 12)
    assert not any(candidate.problems for candidate in gallery.maps.model.candidates)
    chosen = gallery.maps.model.candidates[5]
    gallery.maps.view.choose(chosen)
    gallery.maps.map_actions.take.trigger()
    qtbot.waitUntil(lambda: not desk.rolling.busy)
    roll = desk.rolling.target().roll
    assert (roll.seed, roll.number) == chosen.key


def test_where_there_is_no_map_yet_nothing_is_as_on_the_map(window):
    dialog = new_map_dialog(window, "Landscape or free map", "Landscape")
    values = dialog.form.values()
    size = (values["width"], values["height"])
    assert (*size, values["layout"], values["wrap"]) == (60, 40, "flat", False)
    layouts = dialog.form.field("layout")
    assert not any("map" in layouts.itemText(row) for row in range(layouts.count()))
    assert dialog.form.chosen_settings() == {}, "a re-roll keeps the size that the map has by then"
    dialog.reject()
