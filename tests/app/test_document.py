"""The document: the only one who applies edits, and the keeper of undo."""

import numpy as np
import pytest

from app.document import MapDocument
from randomizer import layering
from randomizer.battlemap import BattleMap, Layer
from randomizer.colossus.system import SYSTEM
from randomizer.edit import LayerInsert, set_property, set_values


def paint(document, cell, code, layer=1):
    return set_values(document.battlemap, layer, "terrain", [cell], code)


def test_a_step_changes_the_map_and_undo_takes_it_back(document, qtbot):
    first = document.composite.copy()
    with qtbot.waitSignal(document.changed) as signal:
        assert document.push(paint(document, 15, 4), "Paint")
    assert signal.args[0].cells.tolist() == [15]
    assert document.composite.planes["terrain"].flat[15] == 4
    assert document.modified
    document.undo_stack.undo()
    assert document.composite.same_as(first)
    assert not document.modified
    document.undo_stack.redo()
    assert document.composite.planes["terrain"].flat[15] == 4


def test_nothing_to_do_is_no_step(document):
    assert not document.push(None, "Nothing")
    assert document.undo_stack.count() == 0


def test_a_stroke_of_many_edits_is_one_step(document):
    document.begin_stroke("Paint terrain")
    for cell in (12, 15, 12):
        document.stroke(paint(document, cell, 3))
    assert document.in_stroke
    assert document.end_stroke()
    assert document.undo_stack.count() == 1
    assert document.undo_stack.undoText() == "Paint terrain"
    document.undo_stack.undo()
    assert not np.any(document.composite.planes["terrain"])


def test_a_stroke_that_ends_as_it_began_is_no_step(document):
    document.begin_stroke("Paint")
    document.stroke(paint(document, 15, 3))
    unset = SYSTEM.plane("terrain").unset
    document.stroke(paint(document, 15, unset))
    assert not document.end_stroke()
    assert document.undo_stack.count() == 0


def test_a_cancelled_stroke_leaves_no_trace(document):
    first = document.composite.copy()
    document.begin_stroke("Paint")
    document.stroke(paint(document, 15, 3))
    document.cancel_stroke()
    assert document.composite.same_as(first)
    assert document.undo_stack.count() == 0
    assert not document.in_stroke


def test_an_edit_outside_a_stroke_is_refused(document):
    with pytest.raises(RuntimeError):
        document.stroke(None)


def test_the_active_layer_follows_undo_and_redo(document):
    step = layering.duplicate(document.battlemap, 1)
    document.push(step.edit, "Duplicate", active=step.layer_id)
    assert document.active_layer_id == step.layer_id
    document.undo_stack.undo()
    assert document.active_layer_id == 1
    document.undo_stack.redo()
    assert document.active_layer_id == step.layer_id


def test_extras_of_a_step_are_told_on_undo_and_redo(document):
    heard = []
    document.extra_restored.connect(heard.append)
    document.push(paint(document, 15, 1), "Roll", extras=("before", "after"))
    document.undo_stack.undo()
    document.undo_stack.redo()
    assert heard == ["after", "before", "after"]


def test_work_that_cannot_be_seen_is_told(document, qtbot):
    top = Layer(2, "Top", planes={"terrain": SYSTEM.plane("terrain").allocate(SYSTEM.new_grid())})
    top.planes["terrain"].flat[15] = 2
    document.push(LayerInsert(1, top), "New layer", active=1)
    with qtbot.waitSignal(document.work_hidden) as covered:
        document.push(paint(document, 15, 4), "Paint")
    assert "Top covers it" in covered.args[0]
    document.push(layering.show(document.battlemap, 1, False), "Hide Ground")
    with qtbot.waitSignal(document.work_hidden) as hidden:
        document.push(paint(document, 16, 4), "Paint")
    assert "hidden" in hidden.args[0]


def test_a_property_goes_where_it_shows(document):
    document.push(LayerInsert(1, Layer(2, "Top", title="Above")), "New layer", active=1)
    assert document.property_layer("title").id == 2
    assert document.property_layer("subtitle").id == 1
    document.push(set_property(document.battlemap, 2, "title", None), "Title")
    assert document.property_layer("title").id == 1


def test_another_map_starts_with_a_clean_history(document, qtbot):
    document.push(paint(document, 15, 4), "Paint")
    with qtbot.waitSignal(document.map_replaced):
        document.replace_map(BattleMap.new(SYSTEM, layers=[Layer(7, "Other")]))
    assert document.undo_stack.count() == 0
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
