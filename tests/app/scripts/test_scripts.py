"""The script shown, without any widget: its text, its settings, its setup, what a layer tells."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QSettings, QThreadPool

from app.document.map_files import new_map
from app.rolling.rolling import Rolling
from app.scripts.script_text import ScriptText
from app.scripts.scripts import Scripts
from app.settings import Settings
from randomizer.catalog.generators import generator_named, generators
from randomizer.catalog.systems import system_named
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer, Roll
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.systems.colossus.generator import RndGenerator
from randomizer.systems.free.system import free_map
from tests.app.saves import finished

BOG = "AREA (inside) HAZARDS Bog,50.\n"


@pytest.fixture
def rolling(document) -> Rolling:
    rolling = Rolling(document, choose_seed=lambda: 17)
    yield rolling
    rolling.cancel()
    QThreadPool.globalInstance().waitForDone(5000)


@pytest.fixture
def scripts(qapp, document, rolling, tmp_path) -> Scripts:
    store = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    return Scripts(document, rolling, Settings(store))


@pytest.fixture
def bog(tmp_path):
    path = tmp_path / "Bog.rnd"
    path.write_text(BOG, "utf-8")
    return path


def test_the_text_as_shown_is_the_recipe_that_is_rolled(scripts, rolling, bog, document, qtbot):
    assert rolling.next_roll.why_not() == "There is no script."
    assert finished(scripts.opening.open(bog))
    assert rolling.next_roll.why_not() == ""
    changes: list[str] = []
    rolling.setup_changed.connect(lambda: changes.append(rolling.setup().text))
    scripts.text.replace(f"# mine\n{BOG}")
    assert changes == [f"# mine\n{BOG}"]
    setup = rolling.setup()
    assert (setup.script_name, setup.settings, setup.behaviour.searches_for_locks) == (
        "Bog.rnd",
        {},
        True,
    )
    rolling.roll()
    qtbot.waitUntil(lambda: not rolling.busy)
    assert document.active_layer.roll.script == f"# mine\n{BOG}"


def test_settings_that_the_generator_has_not_are_left_out(scripts, rolling):
    heard: list[object] = []
    scripts.settings.changed.connect(lambda: heard.append(dict(scripts.settings.values)))
    scripts.settings.set({"BaseTerrain": "Tower", "BaseHeight": 99, "Depth": 3})
    assert heard == [{"BaseTerrain": "Tower"}]
    scripts.settings.set({"BaseTerrain": "Tower"})  # nothing new
    assert len(heard) == 1
    assert rolling.setup().settings == {"BaseTerrain": "Tower"}


def test_a_script_of_the_catalogue_brings_its_ground(scripts, rolling):
    metadata = replace(generators()[0].metadata, base_terrain=("Tower",))
    generator = RndGenerator("Mine", metadata, BOG)
    assert finished(scripts.opening.open_generator(generator))
    assert scripts.settings.values == {"BaseTerrain": "Tower"}
    assert rolling.setup().make_generator() is generator


def test_a_script_for_another_kind_of_map_says_so(scripts, rolling, bog, document):
    finished(scripts.opening.open(bog))
    document.open_map(new_map(system_named("cordery")))  # dice lay its maps, no script
    assert rolling.next_roll.why_not().startswith("Bog.rnd makes a ")


def test_a_map_of_a_generator_without_script_shows_the_settings_of_that(scripts, bog, document):
    finished(scripts.opening.open(bog))
    document.open_map(free_map(SQUARE, 5, 5))
    assert scripts.script.name == "Landscape"
    assert scripts.script.built_in


def test_the_script_of_the_active_layer_is_shown_unless_edits_are_unsaved(
    scripts, rolling, document
):
    marsh = generator_named("Marsh")
    layers = [
        Layer(1, "Bog", roll=Roll("", "Bog.rnd", BOG, {}, 5, 3)),
        Layer(2, "Marsh", roll=Roll("Marsh", marsh.metadata.script, marsh.text, {}, 7, 9)),
    ]
    document.show_map(BattleMap.new(document.battlemap.system, layers=layers))
    document.set_active_layer(2)
    assert scripts.script.packaged is marsh
    assert rolling.key_choice.key == DrawKey(7, 9)
    assert scripts.layer_sentences.about_active_layer() == ""
    scripts.text.selection(1, 1).insertText("#")
    document.set_active_layer(1)
    assert scripts.script.packaged is marsh
    assert (
        scripts.layer_sentences.about_active_layer() == "The active layer was rolled from Bog.rnd."
    )
    scripts.text.undo()
    scripts.layers.show_layer(document.active_layer)
    assert scripts.text.text() == BOG


def test_an_editor_is_asked_to_show_lines_and_statements(scripts):
    lines: list[object] = []
    scripts.editor_link.line_wanted.connect(lines.append)
    scripts.editor_link.statement_marked.connect(lambda *marked: lines.append(marked))
    scripts.editor_link.statement_unmarked.connect(lambda: lines.append("unmarked"))
    scripts.editor_link.go_to(3)
    scripts.editor_link.mark_statement(1, 2)
    scripts.editor_link.unmark_statement()
    assert lines == [3, (1, 2), "unmarked"]


def test_a_text_begins_unmodified_with_nothing_to_undo(qapp):
    text = ScriptText()
    heard: list[str] = []
    text.edited.connect(lambda: heard.append(text.text()))
    text.show("a\n\U0001f600b")
    assert heard == ["a\n\U0001f600b"]
    assert not text.isModified()
    assert not text.isUndoAvailable()
    assert text.line_and_column(text.position(2, 2)) == (2, 2)
    text.show("a\n\U0001f600b")
    assert len(heard) == 1


def marsh_map() -> BattleMap:
    """A map that was rolled from a packaged script."""
    marsh = generator_named("Marsh")
    roll = Roll("Marsh", marsh.metadata.script, marsh.text, {}, 7, 9)
    return BattleMap.new(marsh.system, layers=[Layer(1, "Marsh", roll=roll)])


def test_a_file_is_one_document_however_many_maps_show_it(scripts, document, bog):
    first = document.current_map
    finished(scripts.opening.open(bog))
    second = document.open_map(marsh_map())
    finished(scripts.opening.open(bog))
    scripts.text.selection(1, 1).insertText("# mine\n")
    third = document.open_map(marsh_map())
    finished(scripts.opening.open(bog))
    assert scripts.text.text() == f"# mine\n{BOG}", "its edits are shown, not lost"
    assert finished(scripts.opening.open_generator(generator_named("Marsh"))), (
        "nobody is asked: others have it"
    )
    document.make_current(first)
    assert (scripts.text.text(), scripts.current.unsaved) == (f"# mine\n{BOG}", True)
    for open_map in (first, second, third):
        assert finished(scripts.unsaved.ask_before_closing(open_map))
    document.close_map(second)
    document.make_current(first)
    scripts.text.undo()
    assert (scripts.text.text(), scripts.current.unsaved) == (BOG, False)
    scripts.text.redo()
    assert finished(scripts.files.save())
    assert bog.read_text("utf-8") == f"# mine\n{BOG}"


def test_a_script_keeps_its_undo_while_another_map_is_current(scripts, document, bog):
    first = document.current_map
    finished(scripts.opening.open(bog))
    scripts.text.selection(1, 1).insertText("#")
    document.open_map(marsh_map())
    assert scripts.text.text() != f"#{BOG}"
    document.make_current(first)
    scripts.text.undo()
    assert scripts.text.text() == BOG


def test_a_file_that_is_written_meanwhile_is_offered_when_its_map_is_current(
    scripts, document, bog, qtbot
):
    scripts.file_changes.set_enabled(False)
    first = document.current_map
    finished(scripts.opening.open(bog))
    opened = scripts.current
    heard: list[str] = []
    scripts.file_changes.offered.connect(lambda text, _can_reload: heard.append(text))
    document.open_map(marsh_map())
    with qtbot.waitSignal(opened.watch.changed):
        bog.write_text(f"# theirs\n{BOG}", "utf-8")
    assert not any(heard)
    document.make_current(first)
    assert heard[-1] == "Another program has changed Bog.rnd."
    scripts.file_changes.reload()
    assert (scripts.text.text(), heard[-1]) == (f"# theirs\n{BOG}", "")


def test_a_file_that_is_written_back_is_no_longer_offered(scripts, bog, qtbot):
    scripts.file_changes.set_enabled(False)
    finished(scripts.opening.open(bog))
    watch = scripts.current.watch
    heard: list[str] = []
    scripts.file_changes.offered.connect(lambda text, _can_reload: heard.append(text))
    with qtbot.waitSignal(watch.changed):
        bog.write_text(f"# theirs\n{BOG}", "utf-8")
    assert heard == ["Another program has changed Bog.rnd."]
    with qtbot.waitSignal(watch.changed):
        bog.write_text(BOG, "utf-8")
    assert heard[-1] == ""
    assert watch.newer is None


def test_maps_of_one_script_have_settings_of_their_own(scripts, rolling, bog, document, qtbot):
    assert finished(scripts.opening.open(bog))
    first = document.current_map
    scripts.settings.set({"BaseHeight": 2, "symmetry": "turn2"})
    rolling.roll()
    qtbot.waitUntil(lambda: not rolling.busy)
    bare = document.open_map(BattleMap.new(first.battlemap.system, None, [Layer(1, "Bare")]))
    assert scripts.script.path == bog
    assert scripts.settings.values == {}, "a map that was not rolled begins with the usual ones"
    scripts.settings.set({"BaseHeight": 1})
    document.make_current(first)
    assert rolling.setup().settings == {"BaseHeight": 2, "symmetry": "turn2"}
    document.make_current(bare)
    assert rolling.setup().settings == {"BaseHeight": 1}
    assert scripts.settings_of(scripts.current) == {"BaseHeight": 2, "symmetry": "turn2"}
