"""The layers panel: what a person does with sheets, every step undoable."""

import pytest
from PySide6.QtCore import Qt

from app.widgets.layers_panel import LAYER_ID, LayersPanel
from randomizer.battlemap import BattleMap, Layer, Roll
from randomizer.colossus.system import SYSTEM
from randomizer.edit import set_values


@pytest.fixture
def panel(qtbot, document):
    panel = LayersPanel(document)
    qtbot.addWidget(panel)
    return panel


def names(panel):
    return [panel.list.item(row).text() for row in range(panel.list.count())]


def test_the_topmost_layer_stands_first(panel, document):
    panel.add()
    panel.add()
    assert names(panel) == ["Layer 2", "Layer 1", "Ground"]
    assert document.active_layer.name == "Layer 2"
    document.undo_stack.undo()
    assert names(panel) == ["Layer 1", "Ground"]
    assert document.active_layer.name == "Layer 1"


def test_choosing_a_row_makes_it_the_active_layer(panel, document):
    panel.add()
    panel.list.setCurrentRow(1)
    assert document.active_layer.name == "Ground"
    assert document.undo_stack.count() == 1  # choosing is no step


def test_hide_show_and_rename(panel, document):
    panel.list.item(0).setCheckState(Qt.CheckState.Unchecked)
    assert not document.battlemap.layers[0].visible
    panel.list.item(0).setText("Base")
    assert document.battlemap.layers[0].name == "Base"
    document.undo_stack.undo()
    document.undo_stack.undo()
    assert names(panel) == ["Ground"]
    assert panel.list.item(0).checkState() == Qt.CheckState.Checked


def test_a_layer_keeps_a_name(panel, document, qtbot):
    with qtbot.waitSignal(panel.message):
        panel.list.item(0).setText("  ")
    assert names(panel) == ["Ground"]
    assert document.undo_stack.count() == 0


def test_reorder_by_buttons_and_by_dragging(panel, document):
    panel.add()
    panel.down_action.trigger()
    assert names(panel) == ["Ground", "Layer 1"]
    panel.up_action.trigger()
    assert names(panel) == ["Layer 1", "Ground"]
    model = panel.list.model()
    assert model.moveRow(model.index(0, 0).parent(), 0, model.index(0, 0).parent(), 2)
    assert [layer.name for layer in document.battlemap.layers] == ["Layer 1", "Ground"]
    assert names(panel) == ["Ground", "Layer 1"]
    document.undo_stack.undo()
    assert names(panel) == ["Layer 1", "Ground"]


def test_duplicate_and_merge_down_keep_the_picture(panel, document):
    document.push(set_values(document.battlemap, 1, "terrain", [15], 4), "Paint")
    shown = document.composite.copy()
    panel.duplicate_action.trigger()
    assert names(panel) == ["Ground (copy)", "Ground"]
    panel.merge_action.trigger()
    assert names(panel) == ["Ground"]
    assert document.composite.same_as(shown)


def test_what_cannot_be_done_is_off_or_said(panel, document, qtbot):
    assert not panel.delete_action.isEnabled()
    assert not panel.merge_action.isEnabled()
    with qtbot.waitSignal(panel.message):
        panel.delete()
    with qtbot.waitSignal(panel.message):
        panel.merge_down()
    panel.add()
    assert panel.delete_action.isEnabled()
    panel.delete_action.trigger()
    assert names(panel) == ["Ground"]


def test_a_rolled_layer_says_where_it_comes_from(panel, document):
    roll = Roll("", "Hills.rnd", "", {}, 17, 3)
    document.replace_map(BattleMap.new(SYSTEM, layers=[Layer(1, "Hills", roll=roll)]))
    assert "Hills.rnd, seed 17, map 3" in panel.list.item(0).toolTip()
    assert panel.list.item(0).data(LAYER_ID) == 1
