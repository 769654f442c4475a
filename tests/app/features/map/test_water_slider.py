"""The height of the water is set in the panel of the map, in the scale of its heights."""

from __future__ import annotations

import json

import pytest

from app.document.document import MapDocument
from app.features.map.panel import PropertiesPanel
from randomizer.model.edits.value_edits import set_values
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.records.map_records import MapRecord
from randomizer.systems.colossus.system import SYSTEM as COLOSSUS
from randomizer.systems.zeroad.map.planes import HEIGHT
from randomizer.systems.zeroad.map.records import ENVIRONMENT
from randomizer.systems.zeroad.system import SYSTEM


@pytest.fixture
def document(qapp) -> MapDocument:
    """A map of 16 x 16 tiles: 3 m above the sea, 13 m in one corner of a tile."""
    battlemap = BattleMap.new(SYSTEM, Grid(SQUARE, 16, 16), [Layer(1, "Ground")])
    edit = set_values(battlemap, 1, HEIGHT.name, [40], 3036)
    assert edit is not None
    edit.apply(battlemap)
    return MapDocument(battlemap)


@pytest.fixture
def panel(document, qtbot):
    """The panel of that map."""
    panel = PropertiesPanel(document)
    qtbot.addWidget(panel)
    panel.show()
    return panel


def environment(document) -> dict:
    return json.loads(document.battlemap.records[ENVIRONMENT].text)


def test_the_water_is_shown_and_typed_in_the_scale_of_the_heights(document, panel):
    water = panel.water
    assert water.field.value() == 0.0
    water.field.setValue(4.5)
    assert SYSTEM.water_level(document.battlemap) == 24.5 * 92
    assert environment(document) == {"Water": {"WaterBody": {"Height": 24.5}}}
    assert document.history.steps[-1].text == "Change height of the water"
    document.undo()
    assert ENVIRONMENT not in document.battlemap.records
    assert water.field.value() == 0.0


def test_the_slider_goes_from_the_lowest_ground_to_the_highest(document, panel):
    water = panel.water
    water.slider.setValue(water.slider.maximum())
    assert water.field.value() == 13.0
    water.slider.setValue(0)
    assert water.field.value() == 3.0


def test_a_drag_of_the_slider_is_one_step_and_keeps_what_else_the_environment_says(document, panel):
    water = panel.water
    text = '{"SkySet":"cloudless","Water":{"WaterBody":{"Type":"ocean","Height":20}}}'
    document.battlemap.records = {ENVIRONMENT: MapRecord(text, is_json=True)}
    steps = len(document.history.steps)
    water.slider.setSliderDown(True)
    for value in (100, 400, 500):
        water.slider.setValue(value)
    water.slider.setSliderDown(False)
    assert len(document.history.steps) == steps + 1
    assert environment(document) == {
        "SkySet": "cloudless",
        "Water": {"WaterBody": {"Type": "ocean", "Height": 28.0}},
    }
    assert document.battlemap.records[ENVIRONMENT].touched, "a roll keeps it"
    document.undo()
    assert environment(document)["Water"]["WaterBody"]["Height"] == 20


def test_maps_whose_water_cannot_be_changed_have_no_such_row(document, panel):
    document.open_map(BattleMap.new(COLOSSUS, layers=[Layer(1, "Ground")]))
    assert panel.water is None


@pytest.mark.parametrize(("metres", "end"), [(1e17, 1000), (-1e17, 0)])
def test_water_far_above_or_below_all_ground_is_an_end_of_the_slider(
    document, panel, metres: float, end: int
) -> None:
    document.battlemap.records[ENVIRONMENT] = MapRecord(
        json.dumps({"Water": {"WaterBody": {"Height": metres}}}), is_json=True
    )
    panel.water.show_level()
    assert panel.water.slider.value() == end
