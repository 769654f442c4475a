"""The layers panel: what a person does with sheets, every step undoable."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QWidget

from app.commands.commands import Commands
from app.features.layers.controller import LayersController
from app.features.layers.feature import layer_commands
from app.features.layers.panel import LayersPanel
from app.features.layers.rows import LAYER_ID, lock_box
from app.features.layers.thumbnails import LayerThumbnails
from app.render.theme import theme
from randomizer.model.edits.value_edits import set_values
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer, Roll
from randomizer.systems.colossus.system import SYSTEM
from randomizer.systems.free.system import free_map
from tests.counting import peak_of


@pytest.fixture
def panel(qtbot, document):
    controller = LayersController(document)
    holder = QWidget()
    qtbot.addWidget(holder)
    commands = Commands(holder, document, add_icon=lambda _action, _name: None)
    commands.add(layer_commands(document, controller))
    panel = LayersPanel(document, commands)
    qtbot.addWidget(panel)
    panel.lock_clicked.connect(controller.toggle_lock_of)
    controller.message.connect(panel.message)
    panel.layers = controller
    panel.commands = commands
    panel.holder = holder
    return panel


def names(panel):
    return [panel.list.item(row).text() for row in range(panel.list.count())]


def test_the_topmost_layer_stands_first(panel, document):
    panel.layers.add()
    panel.layers.add()
    assert names(panel) == ["Layer 2", "Layer 1", "Ground"]
    assert document.active_layer.name == "Layer 2"
    document.undo()
    assert names(panel) == ["Layer 1", "Ground"]
    assert document.active_layer.name == "Layer 1"


def test_choosing_a_row_makes_it_the_active_layer(panel, document):
    panel.layers.add()
    panel.list.setCurrentRow(1)
    assert document.active_layer.name == "Ground"
    assert len(document.history.steps) == 1  # choosing is no step


def test_hide_show_and_rename(panel, document):
    panel.list.item(0).setCheckState(Qt.CheckState.Unchecked)
    assert not document.battlemap.layers[0].visible
    panel.list.item(0).setText("Base")
    assert document.battlemap.layers[0].name == "Base"
    document.undo()
    document.undo()
    assert names(panel) == ["Ground"]
    assert panel.list.item(0).checkState() == Qt.CheckState.Checked


def test_a_layer_keeps_a_name(panel, document, qtbot):
    with qtbot.waitSignal(panel.message):
        panel.list.item(0).setText("  ")
    assert names(panel) == ["Ground"]
    assert len(document.history.steps) == 0


def test_reorder_by_buttons_and_by_dragging(panel, document):
    panel.layers.add()
    panel.commands.action("layer.lower-layer").trigger()
    assert names(panel) == ["Ground", "Layer 1"]
    panel.commands.action("layer.raise-layer").trigger()
    assert names(panel) == ["Layer 1", "Ground"]
    model = panel.list.model()
    assert model.moveRow(model.index(0, 0).parent(), 0, model.index(0, 0).parent(), 2)
    assert [layer.name for layer in document.battlemap.layers] == ["Layer 1", "Ground"]
    assert names(panel) == ["Ground", "Layer 1"]
    document.undo()
    assert names(panel) == ["Layer 1", "Ground"]


def test_duplicate_and_merge_down_keep_the_picture(panel, document):
    document.push(set_values(document.battlemap, 1, "terrain", [15], 4), "Paint")
    shown = document.composite.copy()
    panel.commands.action("layer.duplicate-layer").trigger()
    assert names(panel) == ["Ground (copy)", "Ground"]
    panel.commands.action("layer.merge-down").trigger()
    assert names(panel) == ["Ground"]
    assert document.composite.same_as(shown)


def test_what_cannot_be_done_is_off_or_said(panel, document, qtbot):
    assert not panel.commands.action("layer.delete-layer").isEnabled()
    assert not panel.commands.action("layer.merge-down").isEnabled()
    with qtbot.waitSignal(panel.message):
        panel.layers.delete()
    with qtbot.waitSignal(panel.message):
        panel.layers.merge_down()
    panel.layers.add()
    assert panel.commands.action("layer.delete-layer").isEnabled()
    panel.commands.action("layer.delete-layer").trigger()
    assert names(panel) == ["Ground"]


def test_a_rolled_layer_says_where_it_comes_from(panel, document):
    roll = Roll("", "Hills.rnd", "", {}, 17, 3)
    document.replace_map(BattleMap.new(SYSTEM, layers=[Layer(1, "Hills", roll=roll)]))
    assert "Hills.rnd, seed 17, map 3" in panel.list.item(0).toolTip()
    assert panel.list.item(0).data(LAYER_ID) == 1


def test_a_padlock_in_the_row_locks_the_layer(panel, document, qtbot):
    panel.resize(300, 300)
    panel.show()
    row = panel.list.visualItemRect(panel.list.item(0))
    at = lock_box(row).center()
    qtbot.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert document.active_layer.locked
    assert panel.commands.action("layer.lock-layer").isChecked()
    with qtbot.waitSignal(document.work_refused):
        assert not document.push(set_values(document.battlemap, 1, "terrain", [15], 4), "Paint")
    panel.commands.action("layer.lock-layer").trigger()
    assert not document.active_layer.locked
    assert document.history.next_undo.text == "Unlock Ground"


def test_opacity_is_one_step_a_drag(panel, document):
    slider = panel.opacity.slider
    slider.setSliderDown(True)
    for percent in (90, 70, 40):
        slider.setValue(percent)
        assert document.active_layer.opacity == percent / 100  # seen while it is dragged
    slider.setSliderDown(False)
    assert len(document.history.steps) == 1
    assert panel.list.item(0).data(Qt.ItemDataRole.AccessibleTextRole) == "Ground, opacity 40%"
    document.undo()
    assert (document.active_layer.opacity, slider.value()) == (1.0, 100)
    slider.setValue(50)  # by a key
    assert document.history.next_undo.text == "Opacity of Ground"


def test_solo_and_back(panel, document):
    for _ in range(2):
        panel.layers.add()
    panel.list.item(2).setCheckState(Qt.CheckState.Unchecked)
    before = [layer.visible for layer in document.battlemap.layers]
    panel.commands.action("layer.solo-layer").trigger()
    assert [layer.visible for layer in document.battlemap.layers] == [False, False, True]
    panel.list.setCurrentRow(1)
    panel.commands.action("layer.solo-layer").trigger()  # from one solo to the next
    assert [layer.visible for layer in document.battlemap.layers] == [False, True, False]
    panel.commands.action("layer.solo-layer").trigger()
    assert [layer.visible for layer in document.battlemap.layers] == before
    for _ in range(3):
        document.undo()
    assert [layer.visible for layer in document.battlemap.layers] == before


def test_flatten_keeps_the_picture_and_what_is_hidden(panel, document):
    document.push(set_values(document.battlemap, 1, "terrain", [15], 4), "Paint")
    panel.layers.duplicate()
    panel.layers.add()
    panel.list.item(0).setCheckState(Qt.CheckState.Unchecked)
    shown = document.composite.copy()
    panel.commands.action("layer.flatten-layers").trigger()
    assert names(panel) == ["Layer 1", "Ground"]
    assert document.composite.same_as(shown)
    assert not panel.commands.action("layer.flatten-layers").isEnabled()


def test_a_layer_comes_out_of_the_selection(panel, document, qtbot):
    document.push(set_values(document.battlemap, 1, "terrain", [15, 16], 4), "Paint")
    assert not panel.commands.action("layer.new-layer-from-selection").isEnabled()
    document.select([15])
    panel.commands.action("layer.move-selection-to-new-layer").trigger()
    assert names(panel) == ["Ground (part)", "Ground"]
    assert document.battlemap.layer(1).planes["terrain"].flat[16] == 4
    assert document.battlemap.owner("terrain", 15).name == "Ground (part)"
    document.set_active_layer(1)
    with qtbot.waitSignal(panel.message):
        panel.commands.action("layer.new-layer-from-selection").trigger()  # nothing is left there


def test_layers_are_chosen_by_keys(panel, document):
    panel.layers.add()
    assert not panel.commands.action("layer.choose-layer-above").isEnabled()
    panel.commands.action("layer.choose-layer-below").trigger()
    assert document.active_layer.name == "Ground"
    panel.commands.action("layer.choose-layer-above").trigger()
    assert document.active_layer.name == "Layer 1"


def test_pictures_of_the_layers_follow_the_work_a_little_later(panel, document, qtbot):
    drawn = []
    panel.pictures.drawn.connect(lambda layer_id, picture: drawn.append((layer_id, picture)))
    qtbot.waitUntil(lambda: len(drawn) == 1)
    panel.layers.add()
    document.push(set_values(document.battlemap, 2, "terrain", [15], 4), "Paint")
    qtbot.waitUntil(lambda: [each[0] for each in drawn[1:]] == [2, 1])
    first = drawn[0][1].toImage()
    painted = drawn[1][1].toImage()
    assert painted != first
    document.undo()
    qtbot.waitUntil(lambda: len(drawn) == 5)
    assert drawn[3][1].toImage() == first


def test_a_picture_of_a_million_cells_looks_only_at_those_under_its_pixels(document, qtbot):
    battlemap = free_map(FLAT, 1000, 1000)
    set_values(battlemap, 1, "terrain", np.arange(1_000_000), 3).apply(battlemap)
    document.replace_map(battlemap)
    pictures = LayerThumbnails(document, lambda: theme("light"), document)
    pictures._draw(battlemap.layers[0])  # finds out which cells are under its pixels
    assert peak_of(lambda: pictures._draw(battlemap.layers[0])) < 200_000


# --- the menu of a row ----------------------------------------------------------------------------


def menu_at(panel, row):
    """The texts and actions of the menu that a right click on a row shows."""
    panel.show()
    # The menu is asked for where the row lies; it has no key.
    panel._show_menu(panel.list.visualItemRect(panel.list.item(row)).center())
    menu = panel.findChild(QMenu, "layer-menu")
    actions = {action.text().replace("&", ""): action for action in menu.actions()}
    return menu, actions


def test_a_right_click_offers_what_can_be_done_with_that_layer(panel, document):
    panel.layers.add()
    menu, actions = menu_at(panel, 1)
    assert document.active_layer.name == "Ground"
    actions["Hide"].trigger()
    assert not document.active_layer.visible
    actions["Duplicate layer"].trigger()
    assert names(panel) == ["Layer 1", "Ground (copy)", "Ground"]
    menu.close()


def test_the_menu_of_a_hidden_layer_shows_it_and_renaming_begins_in_the_list(panel, document):
    panel.list.item(0).setCheckState(Qt.CheckState.Unchecked)
    menu, actions = menu_at(panel, 0)
    actions["Rename"].trigger()
    assert panel.list.isPersistentEditorOpen(panel.list.item(0)) or panel.list.state() == (
        panel.list.State.EditingState
    )
    actions["Show"].trigger()
    assert document.active_layer.visible
    menu.close()


def test_the_menu_of_a_row_works_also_if_the_rows_were_made_anew_meanwhile(panel, document):
    menu = panel.menu_of(panel.list.item(0))
    hide, rename = menu.actions()[:2]
    panel.layers.add()  # as a roll does that ends while the menu is open
    hide.trigger()
    assert [layer.visible for layer in document.battlemap.layers] == [False, True]
    document.undo()
    document.undo()
    menu = panel.menu_of(panel.list.item(0))
    rename = menu.actions()[1]
    document.replace_map(BattleMap.new(SYSTEM, layers=[Layer(7, "Other")]))
    rename.trigger()
    assert names(panel) == ["Other"]


def test_the_end_of_a_solo_shows_what_was_visible_before_it_and_not_before_an_older_one(
    panel, document
):
    panel.layers.add()
    panel.layers.add()
    panel.layers.solo()
    for row in range(3):
        panel.list.item(row).setCheckState(Qt.CheckState.Unchecked)
    panel.list.item(1).setCheckState(Qt.CheckState.Unchecked)
    panel.layers.solo()
    panel.layers.solo()
    assert all(layer.visible for layer in document.battlemap.layers)
