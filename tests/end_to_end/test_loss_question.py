"""What a file would lose is asked about; each answer does what it says, and saving works on."""

from __future__ import annotations

import pytest

from app.document.map_files import new_map
from randomizer.catalog.systems import system_named
from randomizer.model.edits.record_edits import set_record
from randomizer.model.edits.stack_edits import LayerInsert
from randomizer.model.edits.thing_edits import add_things
from randomizer.model.edits.value_edits import set_values
from randomizer.model.fixtures import Fixtures, Wall
from randomizer.model.fixtures_record import RECORD as FIXTURES
from randomizer.model.fixtures_record import record_of
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.layer import Layer
from randomizer.model.things.things import Thing
from randomizer.systems.free.system import free_map
from tests.app.saves import saved

QUESTION = "Not everything can be kept"
DO_NOT_ASK = "Do not ask again for this map"


@pytest.fixture
def open_map(window):
    """A painted map of two layers, of which a file of Wesnoth keeps one."""
    document = window.desk.document
    document.show_map(free_map(FLAT, 6, 5))
    upper = Layer(max(layer.id for layer in document.battlemap.layers) + 1, "Upper")
    assert document.push(LayerInsert(1, upper), "Add")
    paint(window, 3)
    return document.current_map


def paint(window, cell: int) -> None:
    document = window.desk.document
    layer = document.battlemap.layers[0]
    assert document.push(set_values(document.battlemap, layer.id, "terrain", [cell], 3), "Paint")


def save(window, *, as_file: bool = False) -> bool:
    """Save the current map as the program's command does; whether it was written."""
    saving = window.desk.files.saving
    return saved(saving.save_as if as_file else saving.save)


def test_a_file_is_written_with_its_losses(window, hand, open_map, tmp_path):
    path = tmp_path / "x.map"
    hand.expect("Save map as").type_path(path)
    question = hand.expect(QUESTION).press("Write x.map")
    assert save(window, as_file=True)
    assert path.exists()
    assert "x.map, a " in question.text
    assert "will lose this" in question.text
    paint(window, 4)
    hand.expect(QUESTION).press("Write x.map")
    assert save(window)


@pytest.mark.deep
def test_the_question_is_not_asked_again_if_a_person_says_so(window, hand, open_map, tmp_path):
    path = tmp_path / "x.map"
    hand.expect("Save map as").type_path(path)
    hand.expect(QUESTION).tick(DO_NOT_ASK).press("Write x.map")
    assert save(window, as_file=True)
    first_bytes = path.read_bytes()
    paint(window, 4)
    assert save(window)
    assert path.read_bytes() != first_bytes


@pytest.mark.deep
def test_a_box_that_was_ticked_counts_for_nothing_where_the_question_is_cancelled(
    window, hand, open_map, tmp_path
):
    path = tmp_path / "x.map"
    for close in ("Cancel", "Escape"):
        hand.expect("Save map as").type_path(path)
        question = hand.expect(QUESTION).tick(DO_NOT_ASK)
        if close == "Escape":
            question.escape()
        else:
            question.press("Cancel")
        assert not save(window, as_file=True)
        assert not path.exists()
    hand.expect("Save map as").type_path(path)
    hand.expect(QUESTION).press("Write x.map")
    assert save(window, as_file=True)


@pytest.mark.deep
def test_a_hidden_layer_is_named(window, hand, open_map, tmp_path):
    path = tmp_path / "x.map"
    paint(window, 2)
    lower, upper = open_map.battlemap.layers
    window.desk.document.set_active_layer(upper.id)
    window.desk.commands.run("layer.solo-layer")
    assert not lower.visible
    hand.expect("Save map as").type_path(path)
    question = hand.expect(QUESTION).press("Write x.map")
    assert save(window, as_file=True)
    assert f"2 layers: they become one, without {lower.name}, which is hidden" in question.text


def test_a_project_is_made_instead(window, hand, open_map, tmp_path):
    path = tmp_path / "x.map"
    hand.expect("Save map as").type_path(path)
    hand.expect(QUESTION).press("Make a project...")
    hand.expect("Save map as").type_path(tmp_path / "x.battlemap")
    assert save(window, as_file=True)
    assert not path.exists()
    assert open_map.path == tmp_path / "x.battlemap"
    assert not open_map.unsaved


@pytest.mark.deep
def test_an_export_asks_for_no_project(window, hand, open_map, tmp_path):
    path = tmp_path / "x.map"
    hand.expect("Export map as").type_path(path)
    hand.expect(QUESTION).do(refuse_project).press("Write x.map")
    assert saved(window.desk.files.saving.export_as)
    assert path.exists()
    assert open_map.path is None


def refuse_project(question) -> None:
    texts = [button.text() for button in question.buttons()]
    assert "Make a project..." not in texts


def test_quitting_writes_the_file_after_the_question(window, qtbot, hand, open_map, tmp_path):
    path = tmp_path / "x.map"
    hand.expect("Unsaved changes").press("Save")
    hand.expect("Save map as").type_path(path)
    hand.expect(QUESTION).press("Write x.map")
    window.close()
    qtbot.waitUntil(lambda: not window.isVisible())
    assert path.exists()


def put_castle_and_wall(document) -> None:
    """Put a thing onto the current map, and a wall as a virtual table has them."""
    battlemap = document.battlemap
    x, y = battlemap.grid.centre(14)
    castle = Thing(battlemap.next_thing_id, "castle", x, y)
    assert document.push(add_things(battlemap, battlemap.layers[0].id, [castle]), "Place")
    record = record_of(Fixtures((Wall((1.0, 1.0, 2.0, 2.0)),))).record
    assert document.push(set_record(battlemap, FIXTURES, record), "Wall")


@pytest.mark.parametrize(
    ("system", "name"),
    [("colossus", "Moor.xml"), ("colossus", "Moor.json"), ("cordery", "Moor.json")],
)
def test_things_and_walls_are_asked_about_as_all_else(window, hand, tmp_path, system, name):
    """They were lost without a question."""
    document = window.desk.document
    document.open_map(new_map(system_named(system)))
    put_castle_and_wall(document)
    path = tmp_path / name
    hand.expect("Save map as").type_path(path)
    question = hand.expect(QUESTION).press(f"Write {name}")
    assert save(window, as_file=True)
    assert path.exists()
    assert "1 placed thing: the format " in question.text
    assert "1 wall: the format " in question.text


def test_things_are_asked_about_before_an_export_of_cells(window, qtbot, hand, tmp_path):
    document = window.desk.document
    document.open_map(new_map(system_named("colossus")))
    put_castle_and_wall(document)
    hand.expect("Export map as").type_path(tmp_path / "Moor.cells", "Cells")
    question = hand.expect(QUESTION).press("Cancel")
    assert not saved(window.desk.files.saving.export_as)
    assert "1 placed thing: the format “Cells, a line each” has none" in question.text
    assert not (tmp_path / "Moor.cells").exists()


# --- our own flat formats -------------------------------------------------------------------------

FLAT_QUESTION = "What should Save write?"


@pytest.fixture
def layered_battleland(window):
    """A battleland of two layers, of which its XML file keeps one."""
    document = window.desk.document
    document.open_map(new_map(system_named("colossus")))
    paint(window, 2)
    window.desk.commands.run("layer.new-layer")
    return document.current_map


@pytest.mark.parametrize("answer", ["Write Moor.xml", "Make a project...", "Cancel"])
def test_a_typed_suffix_of_a_flat_file_is_asked_about_as_by_save(
    window, hand, layered_battleland, tmp_path, answer
):
    """Save as flattened the layers, with no more than a message afterwards."""
    flat = tmp_path / "Moor.xml"
    project = tmp_path / "Moor.battlemap"
    hand.expect("Save map as").type_path(flat)
    question = hand.expect(FLAT_QUESTION).press(answer)
    if answer == "Make a project...":
        hand.expect("Save map as").type_path(project)
    assert save(window, as_file=True) == (answer != "Cancel")
    assert question.text.startswith("Moor.xml holds one flat map")
    assert flat.exists() == answer.startswith("Write")
    assert project.exists() == answer.startswith("Make")
    if answer == "Write Moor.xml":  # asked once for each map
        paint(window, 4)
        assert save(window)


def test_a_flat_file_that_lost_nothing_is_no_answer_for_later_layers(window, hand, tmp_path):
    """A map of one layer, saved as XML, lost the layers that it got later without a question."""
    path = tmp_path / "Moor.xml"
    window.desk.document.open_map(new_map(system_named("colossus")))
    paint(window, 2)
    hand.expect("Save map as").type_path(path)
    assert save(window, as_file=True)
    window.desk.commands.run("layer.new-layer")
    paint(window, 4)
    hand.expect(FLAT_QUESTION).press("Cancel")
    assert not save(window)
    assert window.desk.document.current_map.unsaved
