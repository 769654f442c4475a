"""The document: the only one who applies edits, and the keeper of undo."""

from pathlib import Path

import numpy as np
import pytest

from app.document.document import MapDocument
from app.document.undo_history import MergeKey, RollKeys
from randomizer.model.edits import layer_edits
from randomizer.model.edits.edit import PlaneEdit, PropertyEdit
from randomizer.model.edits.stack_edits import LayerField, LayerInsert
from randomizer.model.edits.value_edits import compound, set_property, set_values
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.hand.targets import property_target
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer, Roll
from randomizer.model.rolls.generated import Generated
from randomizer.model.rolls.put_roll import put_roll
from randomizer.model.system.property import UNSET
from randomizer.systems.colossus.system import SYSTEM
from tests.randomizer.map_strategies import contents
from tests.systems import TILES


def paint(document, cell, code, layer=1):
    return set_values(document.battlemap, layer, "terrain", [cell], code)


def test_a_step_changes_the_map_and_undo_takes_it_back(document, qtbot):
    first = document.composite.copy()
    with qtbot.waitSignal(document.changed) as signal:
        assert document.push(paint(document, 15, 4), "Paint")
    assert signal.args[0].cells.tolist() == [15]
    assert document.composite.planes["terrain"].flat[15] == 4
    assert document.modified
    document.undo()
    assert document.composite.same_as(first)
    assert not document.modified
    document.redo()
    assert document.composite.planes["terrain"].flat[15] == 4


def test_nothing_to_do_is_no_step(document):
    assert not document.push(None, "Nothing")
    assert len(document.history.steps) == 0


def test_a_stroke_of_many_edits_is_one_step(document):
    document.begin_stroke("Paint terrain")
    for cell in (12, 15, 12):
        document.stroke(paint(document, cell, 3))
    assert document.in_stroke
    assert document.end_stroke()
    assert len(document.history.steps) == 1
    assert document.history.next_undo.text.startswith("Drift, 2 hexes by ")
    document.undo()
    assert not np.any(document.composite.planes["terrain"])


def test_a_stroke_that_ends_as_it_began_is_no_step(document):
    document.begin_stroke("Paint")
    document.stroke(paint(document, 15, 3))
    unset = SYSTEM.plane("terrain").unset
    document.stroke(paint(document, 15, unset))
    assert not document.end_stroke()
    assert len(document.history.steps) == 0


def test_a_cancelled_stroke_leaves_no_trace(document):
    first = document.composite.copy()
    document.begin_stroke("Paint")
    document.stroke(paint(document, 15, 3))
    document.cancel_stroke()
    assert document.composite.same_as(first)
    assert len(document.history.steps) == 0
    assert not document.in_stroke


def test_an_edit_outside_a_stroke_is_refused(document):
    with pytest.raises(RuntimeError):
        document.stroke(None)


def test_the_active_layer_follows_undo_and_redo(document):
    step = layer_edits.duplicate(document.battlemap, 1)
    document.push(step.edit, "Duplicate", active=step.layer_id)
    assert document.active_layer_id == step.layer_id
    document.undo()
    assert document.active_layer_id == 1
    document.redo()
    assert document.active_layer_id == step.layer_id


def test_extras_of_a_step_are_told_on_undo_and_redo(document):
    heard = []
    document.roll_key_restored.connect(heard.append)
    document.push(paint(document, 15, 1), "Roll", roll_keys=RollKeys("before", "after"))
    document.undo()
    document.redo()
    assert heard == ["after", "before", "after"]


def test_work_that_another_roll_may_cover_is_told(document):
    roll = Roll("", "Moor.rnd", "", {}, 1, 0)
    document.push(LayerInsert(1, Layer(2, "Moor", roll=roll)), "Roll", active=1)
    told = []
    document.work_may_be_covered.connect(told.append)
    document.push(paint(document, 15, 4), "Paint")
    assert told == ["Painted below Moor, which can cover it when rolled again."]
    document.push(layer_edits.set_visible(document.battlemap, 2, visible=False), "Hide Moor")
    document.push(paint(document, 16, 4), "Paint")
    assert len(told) == 1


def test_a_property_goes_where_it_shows(document):
    top = Layer(2, "Top", properties={"title": "Above"})
    document.push(LayerInsert(1, top), "New layer", active=1)
    assert property_target(document.battlemap, document.active_layer_id, "title").id == 2
    assert property_target(document.battlemap, document.active_layer_id, "subtitle").id == 1
    document.push(set_property(document.battlemap, 2, "title", UNSET), "Title")
    assert property_target(document.battlemap, document.active_layer_id, "title").id == 1


def test_another_map_starts_with_a_clean_history(document, qtbot):
    document.push(paint(document, 15, 4), "Paint")
    with qtbot.waitSignal(document.map_replaced):
        document.replace_map(BattleMap.new(SYSTEM, layers=[Layer(7, "Other")]))
    assert len(document.history.steps) == 0
    assert not document.modified
    assert document.active_layer_id == 7


def test_a_document_has_a_layer(qapp):
    with pytest.raises(ValueError, match="at least one layer"):
        MapDocument(BattleMap.new(SYSTEM))


def test_the_name_of_a_document(document, tmp_path):
    assert document.display_name == "Untitled"
    document.push(set_property(document.battlemap, 1, "title", "Hills"), "Title")
    assert document.display_name == "Hills"
    document.set_path(tmp_path / "hills.xml")
    assert document.display_name == "hills.xml"
    assert not document.modified


# --- several open maps ----------------------------------------------------------------------------


def _other(name: str) -> BattleMap:
    return BattleMap.new(SYSTEM, layers=[Layer(1, name, properties={"title": name})])


def test_every_open_map_has_its_own_undo_steps_layer_selection_and_view(document):
    first = document.current_map
    document.push(set_values(document.battlemap, 1, "terrain", [15], 3), "Paint")
    document.select([15, 9])
    second = document.open_map(_other("Second"))
    assert document.maps == (first, second)
    assert document.current_map is second
    assert not document.modified
    assert len(document.selection) == 0
    assert document.history.next_undo is None
    document.make_current(first)
    assert document.modified
    assert document.selection.cells.tolist() == [9, 15]
    assert document.history.next_undo.text == "Paint"


def test_switching_says_that_another_map_is_shown(document, qtbot):
    first = document.current_map
    second = document.open_map(_other("Second"))
    with qtbot.waitSignals(
        [document.map_replaced, document.path_changed, document.active_layer_changed]
    ):
        document.make_current(first)
    document.make_current(second)
    assert document.display_name == "Second"


def test_closing_the_current_map_shows_its_neighbour_and_one_stays(document):
    first = document.current_map
    second = document.open_map(_other("Second"))
    document.close_map(second)
    assert document.current_map is first
    with pytest.raises(ValueError, match="one map stays open"):
        document.close_map(first)


def test_closing_another_map_leaves_a_stroke_on_the_current_one(document):
    other = document.current_map
    document.open_map(_other("Second"))
    document.begin_stroke("Paint")
    document.stroke(paint(document, 15, 4))
    left = []
    document.map_leaving.connect(lambda: left.append(document.current_map))
    document.close_map(other)
    assert left == []
    assert document.end_stroke()


def test_a_change_by_hand_is_worked_out_without_the_stroke_under_way(document):
    document.begin_stroke("Paint")
    document.stroke(paint(document, 15, 4))

    def paint_beside(battlemap):
        assert battlemap.composite().planes["terrain"].flat[15] != 4
        return set_values(battlemap, 1, "terrain", [16], 4)

    assert document.change_map(paint_beside, "Paint beside")


def test_a_refused_change_does_not_keep_a_step_open_for_the_next(document, monkeypatch):
    clock = [0.0]
    monkeypatch.setattr("app.document.document.monotonic", lambda: clock[0])

    def paint_two(battlemap):
        return set_values(battlemap, 1, "terrain", [15, 16], 4)

    def refuse(_battlemap):
        raise ValueError("that name is taken")

    document.change_map(paint_two, "Paint", "field")
    clock[0] = 0.8
    document.change_map(refuse, "Paint", "field")
    clock[0] = 1.6
    document.change_map(lambda battlemap: paint(document, 17, 4), "Paint", "field")
    assert len(document.history.steps) == 2


def test_a_map_that_was_exported_is_not_once_its_last_step_goes_on(document):
    open_map = document.current_map
    merge = MergeKey("title", 0.0)
    document.push_on(lambda _map: paint(document, 15, 4), "Type", merge)
    open_map.exported_state = open_map.state
    assert open_map.is_exported
    document.push_on(lambda _map: paint(document, 15, 5), "Type", merge)
    assert len(document.history.steps) == 1
    assert not open_map.is_exported


def test_the_recorder_hears_of_every_step_before_the_call_returns(document):
    heard = []

    class Ear:
        def opened(self, open_map):
            heard.append(("opened", open_map))

        def pushed(self, open_map):
            heard.append(("pushed", open_map.history.next_undo.text))

        def moved(self, open_map):
            heard.append(("moved", open_map.history.index))

        def saved(self, open_map):
            heard.append(("saved", open_map))

        def closed(self, open_map):
            heard.append(("closed", open_map))

    document.recorder = Ear()
    document.push(set_values(document.battlemap, 1, "terrain", [15], 3), "Paint")
    document.begin_stroke("Stroke")
    document.stroke(set_values(document.battlemap, 1, "terrain", [9], 3))
    assert heard == [("pushed", "Paint")]
    document.end_stroke()
    document.undo()
    first = document.current_map
    second = document.open_map(_other("Second"))
    document.set_path(Path("second.battlemap"))
    document.close_map(first)
    assert heard[1:] == [
        ("pushed", "Stroke: Drift, 1 hex, D5"),
        ("moved", 1),
        ("opened", second),
        ("saved", second),
        ("closed", first),
    ]


def test_a_locked_layer_refuses_the_hand_with_words(document, qtbot):
    layer = document.active_layer
    document.push(LayerField(layer.id, "locked", False, True), "Lock layer")
    paint = set_values(document.battlemap, layer.id, "terrain", [15], 3)
    with qtbot.waitSignal(document.work_refused) as told:
        assert not document.push(paint, "Paint")
    assert "locked" in told.args[0]
    document.begin_stroke("Paint")
    document.stroke(paint)
    assert not document.end_stroke()
    assert document.push(LayerField(layer.id, "name", layer.name, "Rocks"), "Rename")


def test_the_live_composite_is_what_a_fresh_one_is_after_every_edit(document):
    shown = document.composite
    document.push(LayerInsert(1, Layer(2, "Upper")), "New layer", active=2)
    for layer_id, cells, value in ((2, [15], 5), (1, [15, 9], 3), (2, [15], 0xFFFF), (2, [9], 1)):
        edit = set_values(document.battlemap, layer_id, "terrain", cells, value)
        document.push(edit, "Paint")
        assert document.composite.same_as(document.battlemap.composite())
    while document.history.next_undo:
        document.undo()
        assert document.composite.same_as(document.battlemap.composite())
    assert document.composite.same_as(shown)


def test_maps_without_a_name_are_told_apart_by_a_number(document):
    first = document.current_map
    second = document.open_map(BattleMap.new(SYSTEM, layers=[Layer(1, "Ground")]))
    third = document.open_map(_other("Moor"))
    assert [document.name_of(m) for m in (first, second, third)] == [
        "Untitled",
        "Untitled 2",
        "Moor",
    ]
    document.close_map(first)
    assert document.name_of(second) == "Untitled 2"
    assert (
        document.name_of(document.open_map(BattleMap.new(SYSTEM, layers=[Layer(1, "A")])))
        == "Untitled"
    )


# --- values that no map has -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (LayerField(1, "name", "Ground", "a\0b"), "a control character (U+0000)"),
        (LayerField(1, "opacity", 1.0, 2.0), "its opacity is 2, expected 0 to 1"),
        (PropertyEdit(1, "title", UNSET, "x" * 1001), "1,001 characters long"),
        (
            PlaneEdit(1, "terrain", np.array([5]), np.array([0], "u2"), np.array([99], "u2")),
            "the plane terrain has the value 99 at",
        ),
    ],
)
def test_values_that_no_file_could_hold_are_refused_and_said(document, qtbot, edit, words):
    before = contents(document.battlemap)
    with qtbot.waitSignal(document.work_refused) as said:
        assert not document.push(edit, "Change")
    assert said.args[0].startswith("Nothing was changed: ")
    assert words in said.args[0]
    assert contents(document.battlemap) == before
    assert len(document.history.steps) == 0


def test_no_map_gets_more_layers_than_a_file_can_hold(document, qtbot):
    count = len(document.battlemap.layers)
    inserts = [LayerInsert(count, Layer(1000 + n, "More")) for n in range(500 - count)]
    assert document.push(compound(inserts), "Insert")
    with qtbot.waitSignal(document.work_refused) as said:
        assert not document.push(LayerInsert(0, Layer(9999, "Last")), "Insert")
    assert "501 layers, 500 are the most" in said.args[0]


def test_undoing_a_roll_with_another_grid_never_tells_of_a_layer_that_is_gone(qapp):
    document = MapDocument(BattleMap.new(TILES, Grid(SQUARE, 3, 2), [Layer(1, "Ground")]))
    world = Layer(1, "World", roll=Roll("World", "w.toy", "", {}, 1, 0))
    roll = Generated((world,), 0, grid=Grid(SQUARE, 5, 4))
    step = put_roll(document.battlemap, 1, roll, replaces=False)
    seen = []
    document.selection_changed.connect(lambda: seen.append(document.active_layer.name))
    assert document.push(step.edit, "Roll", active=step.layer_id, generated=True)
    document.undo()
    document.redo()
    assert seen == ["World", "Ground", "World"]


def test_a_step_that_takes_the_place_of_the_saved_one_leaves_nothing_saved(document):
    heard = []
    document.modified_changed.connect(heard.append)
    for cell in (15, 16):
        document.push(paint(document, cell, 4), "Paint")
    document.history.mark_clean()
    document.undo()
    document.redo()
    assert heard == [True, True, False]
    document.undo()
    document.push(paint(document, 17, 4), "Paint on")
    assert document.history.index == 2
    assert document.modified
    document.go_to(-5)
    assert document.modified
    document.go_to(99)
    assert (document.history.index, document.history.next_undo.text) == (2, "Paint on")


def test_the_last_layer_stays(document, qtbot):
    before = contents(document.battlemap)
    with qtbot.waitSignal(document.work_refused) as told:
        assert not document.push(layer_edits.remove(document.battlemap, 1), "Delete")
    assert "no layers" in told.args[0]
    assert contents(document.battlemap) == before
    assert len(document.history.steps) == 0
