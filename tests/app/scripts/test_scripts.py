"""The script shown, without any widget: its text, its settings, its recipe, what a layer tells."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QSettings, QThreadPool

from app.document.roll_state import RollState
from app.rolling.rolling import Rolling
from app.scripts.script_text import ScriptText
from app.scripts.scripts import Scripts
from app.settings import Settings
from randomizer.catalog import generator_named, generators
from randomizer.model.battlemap import BattleMap
from randomizer.model.layer import Layer, Roll
from randomizer.model.layouts import SQUARE
from randomizer.systems.colossus.generator import RndGenerator
from randomizer.systems.free.system import free_map

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
    assert rolling.why_not() == "There is no script."
    assert scripts.open(bog)
    assert rolling.why_not() == ""
    changes: list[str] = []
    rolling.recipe_changed.connect(lambda: changes.append(rolling.recipe().text))
    scripts.text.replace(f"# mine\n{BOG}")
    assert changes == [f"# mine\n{BOG}"]
    recipe = rolling.recipe()
    assert (recipe.script_name, recipe.settings, recipe.searches) == ("Bog.rnd", {}, True)
    rolling.roll()
    qtbot.waitUntil(lambda: not rolling.busy)
    assert document.active_layer.roll.script == f"# mine\n{BOG}"


def test_settings_that_the_generator_has_not_are_left_out(scripts, rolling):
    heard: list[object] = []
    scripts.settings_changed.connect(lambda: heard.append(dict(scripts.settings)))
    scripts.set_settings({"BaseTerrain": "Tower", "BaseHeight": 99, "Depth": 3})
    assert heard == [{"BaseTerrain": "Tower"}]
    scripts.set_settings({"BaseTerrain": "Tower"})  # nothing new
    assert len(heard) == 1
    assert rolling.recipe().settings == {"BaseTerrain": "Tower"}


def test_a_script_of_the_catalogue_brings_its_ground(scripts, rolling):
    metadata = replace(generators()[0].metadata, base_terrain=("Tower",))
    generator = RndGenerator("Mine", metadata, BOG)
    assert scripts.load_generator(generator)
    assert scripts.settings == {"BaseTerrain": "Tower"}
    assert rolling.recipe().generator() is generator


def test_a_script_for_another_kind_of_map_says_so(scripts, rolling, bog, document):
    scripts.open(bog)
    document.open_map(free_map(SQUARE, 5, 5))
    assert rolling.why_not().startswith("Bog.rnd makes a ")


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
    assert rolling.state == RollState(7, 9)
    assert scripts.about_active_layer() == ""
    scripts.text.selection(1, 1).insertText("#")
    document.set_active_layer(1)
    assert scripts.script.packaged is marsh
    assert scripts.about_active_layer() == "The active layer was rolled from Bog.rnd."
    scripts.text.undo()
    assert scripts.show_roll(document.active_layer)
    assert scripts.text.text() == BOG


def test_an_editor_is_asked_to_show_lines_and_statements(scripts):
    lines: list[object] = []
    scripts.line_wanted.connect(lines.append)
    scripts.statement_marked.connect(lines.append)
    scripts.go_to(3)
    scripts.mark_statement((1, 2))
    scripts.mark_statement(None)
    assert lines == [3, (1, 2), None]


def test_another_text_is_edited_once_and_shown_last(qapp):
    text = ScriptText()
    heard: list[str] = []
    text.edited.connect(lambda: heard.append("edited"))
    text.shown.connect(lambda: heard.append(text.text()))
    text.show("a\n\U0001f600b")
    assert heard == ["edited", "a\n\U0001f600b"]
    assert not text.isModified()
    assert not text.isUndoAvailable()
    assert text.place_of(text.position(2, 2)) == (2, 2)
    text.show("a\n\U0001f600b")
    assert heard[2:] == ["a\n\U0001f600b"]
