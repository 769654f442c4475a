"""The form of the dice is filled in, and tables are thrown whole and part by part."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPoint, Qt

from app.document.sample import sample_map
from app.rolling.roll_request import RollRequest
from randomizer.geometry.symmetry import best_centre
from randomizer.model.edits.layer_edits import remove
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.systems.cordery.dice_log import log_entries
from randomizer.systems.cordery.page_parts import PARTS
from randomizer.systems.cordery.system import SYSTEM, table_grid
from tests.app.conftest import turn_wheel
from tests.ui_work import UiWork


def same(a: Layer, b: Layer) -> bool:
    return a.planes.keys() == b.planes.keys() and all(
        np.array_equal(plane, b.planes[name]) for name, plane in a.planes.items()
    )


def test_the_country_says_what_it_is_where_none_is_chosen(player):
    country, cover = (player.panel.form.field(name) for name in ("relief", "cover"))
    assert country.currentText() == "Usual for the cover (undulating)"
    cover.setCurrentIndex(cover.findData("desert"))
    cover.activated.emit(cover.currentIndex())
    assert country.currentText() == "Usual for a desert (flat)"
    player.throw()
    assert player.log()[0].startswith("1.1 Open")


def test_the_wheel_scrolls_the_form_and_changes_no_field(player, qtbot):
    form = player.panel.form
    rivers = form.field("rivers")
    kind = form.field("road")
    before = player.desk.throwing.map_choices.choices
    for field in (rivers, kind, player.panel.dice_form.field("dice")):
        turn_wheel(field, -1)
    assert player.desk.throwing.map_choices.choices == before
    rivers.setFocus()
    qtbot.waitUntil(rivers.hasFocus)
    turn_wheel(rivers, -1)
    assert player.desk.throwing.map_choices.choices == before, "though the field has the keyboard"


def test_a_panel_that_stays_open_beside_a_battleland_offers_nothing(player):
    player.document.open_map(sample_map())
    player.window.desk.docks["dice"].show()
    assert not player.panel.edit_box.isEnabled()
    player.document.make_current(player.document.maps[0])
    assert player.panel.edit_box.isEnabled()


def test_a_throw_lays_every_part_of_the_page_in_a_layer_of_its_own(player):
    player.throw(relief="hilly")
    parts = [layer.roll.part for layer in player.document.battlemap.layers if layer.roll]
    assert parts == list(PARTS)
    assert player.log()[0].startswith("1.1 Hilly country: D6 = ")
    player.document.undo()
    player.wait()
    assert player.log() == []


def test_a_symmetric_table_stays_one_when_it_or_a_part_of_it_is_thrown_again(player):
    def check() -> None:
        battlemap = player.document.battlemap
        grid = battlemap.grid
        twins = best_centre(grid, "turn2").images(grid, grid.cells)
        twins = twins[:, (twins >= 0).all(axis=0)]
        for name in ("terrain", "elevation", "place"):
            values = player.document.composite.planes[name].reshape(-1)[twins]
            assert (values[0] == values[1]).all()
        rolls = [layer.roll for layer in battlemap.layers if layer.roll]
        assert {roll.settings["symmetry"] for roll in rolls} == {"turn2"}

    player.throw(relief="hilly", symmetry="turn2")
    check()
    log = player.log()
    assert len(log) > 5
    player.throw_again()
    check()
    assert player.log() != log
    player.panel.form.throw_buttons["trees"].click()
    player.wait()
    check()


def test_a_second_throw_lays_another_table_and_not_one_on_top_of_the_first(player):
    player.throw(relief="hilly")
    first = player.log()
    player.rolling.key_choice.choose_seed = lambda: 18
    player.throw()
    assert player.log() != first
    layers = player.document.battlemap.layers
    assert [layer.roll.part for layer in layers if layer.roll] == list(PARTS)
    assert any(line.startswith("1.2 Hill 1") for line in player.log())
    player.desk.actions.back.trigger()
    player.wait()
    assert player.log() == first


def test_one_more_river_before_the_first_throw_only_counts(player):
    player.panel.form.add_buttons["rivers"].click()
    player.wait()
    assert player.desk.throwing.map_choices.choices.rivers == 2
    assert not player.document.history.steps
    assert not player.log()


def test_the_form_says_what_the_square_says_and_shows_what_a_table_was_thrown_for(player, qtbot):
    form = player.panel.form
    country = form.field("relief")
    country.setCurrentText("Mountainous")
    country.activated.emit(country.currentIndex())
    qtbot.mouseClick(form.field("fields"), Qt.MouseButton.LeftButton, pos=QPoint(8, 8))
    player.throw()
    assert player.log()[0].startswith("1.1 Mountainous country")
    assert not any(line.startswith("7.") for line in player.log())
    player.desk.throwing.map_choices.replace({})
    assert form.field("relief").currentText() == "Usual for the cover (undulating)"
    player.document.undo()
    player.document.redo()
    assert form.field("relief").currentText() == "Mountainous"


def test_one_part_is_thrown_again_and_those_after_it_follow(player):
    player.throw(relief="hilly", lakes=True)
    kept = [player.part(kind).copy() for kind in ("hills", "water", "roads")]
    trees = player.part("trees").copy()
    player.panel.form.throw_buttons["trees"].click()
    player.wait()
    assert not same(trees, player.part("trees"))
    assert all(same(layer, player.part(layer.roll.part)) for layer in kept)
    assert player.document.history.next_undo.text.startswith("Trees of ")
    log = player.log()
    assert sum(line.startswith("4.1") for line in log) == 1
    assert [line[0] for line in log if line[0] in "12"] == sorted(
        line[0] for line in log if line[0] in "12"
    )
    player.throw_again()
    assert len([layer for layer in player.document.battlemap.layers if layer.roll]) == len(PARTS)
    assert not same(kept[0], player.part("hills"))


def test_a_rule_of_chains_chosen_during_a_roll_places_the_features_anew(player):
    player.throw(relief="hilly")
    player.panel.form.throw_buttons["hills"].click()
    player.wait()
    throwing = player.desk.throwing
    assert throwing.table.previous_areas
    throwing.lay_with("water", values={"rivers": 2})
    assert player.rolling.busy
    throwing.lay_with("hills", values={"chains": not throwing.map_choices.choices.chains})
    player.wait()
    assert throwing.map_choices.choices.rivers == 2
    assert not throwing.table.previous_areas


def test_another_river_is_one_more_by_the_same_rules(player):
    player.throw()
    first = [line for line in player.log() if line.startswith("2.1 River 1")]
    player.panel.form.add_buttons["rivers"].click()
    player.wait()
    assert [line for line in player.log() if line.startswith("2.1 River 1")] == first
    assert any(line.startswith("2.1 River 2 entry") for line in player.log())
    assert player.panel.form.field("rivers").value() == 2


def test_a_deleted_part_comes_back_when_one_more_is_wanted(player):
    player.throw()
    roads = player.part("roads")
    battlemap = player.document.battlemap
    player.document.push(remove(battlemap, roads.id), "Delete")
    player.wait()
    assert not player.panel.form.throw_buttons["roads"].isEnabled()
    player.panel.form.add_buttons["roads"].click()
    player.wait()
    assert [layer.roll.part for layer in battlemap.layers if layer.roll] == list(PARTS)
    assert any(line.startswith("3.1 Road 2") for line in player.log())


def test_another_table_is_not_decided_by_what_was_decided_for_this_one(player):
    player.throw(relief="hilly")
    player.desk.throwing.map_choices.fix({"hills": "3"})
    bare = BattleMap.new(SYSTEM, table_grid("hex", 9, 8), [Layer(1, "Table")])
    player.document.open_map(bare)
    assert player.desk.throwing.map_choices.fixed == {}


def test_a_new_table_shows_the_choices_and_a_thrown_one_keeps_its_page(player):
    player.throw(relief="hilly")
    player.panel.tabs.setCurrentIndex(1)
    document = player.document
    document.open_map(BattleMap.new(SYSTEM, table_grid("hex", 9, 8), [Layer(1, "Table")]))
    assert player.panel.tabs.currentIndex() == 0
    player.panel.tabs.setCurrentIndex(1)
    document.make_current(document.maps[0])
    assert player.panel.tabs.currentIndex() == 1


def test_tables_are_thrown_and_told_off_the_ui_thread(player):
    with UiWork() as work:
        player.throw(relief="mountainous", railways=2, lakes=True)
        for part in PARTS:
            player.panel.form.throw_buttons[part].click()
            player.wait()
        player.panel.player.show_line(5)
        player.panel.player.stop()
    assert work.where(RollRequest.roll) == {"job"}
    assert work.where(log_entries) == {"job"}


def test_the_status_tells_how_many_layers_a_table_has_and_which_table_it_replaces(player):
    told: list[str] = []
    player.rolling.rolled.connect(told.append)
    player.throw(relief="hilly")
    player.throw_again()
    seed = player.rolling.key_choice.key.seed
    count = len(PARTS)
    assert told == [
        f"Rolled Cordery's dice, seed {seed} no. 0 as {count} new layers above Table",
        f"Rolled Cordery's dice, seed {seed} no. 1 in place of seed {seed} no. 0",
    ]
