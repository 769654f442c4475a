"""Scripts that consist of several files: read, rolled, kept by the roll, followed, saved."""

from __future__ import annotations

import os
from itertools import count
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, QThreadPool

from app.document.document import MapDocument
from app.rolling.rolling import Rolling
from app.scripts.scripts import Scripts
from app.scripts.shown_script import recipe_of_roll, save_script, script_of_file
from app.settings import Settings
from randomizer.model.battlemap import BattleMap
from randomizer.model.layer import Layer
from tests.test_system import generator as land

SCRIPT = "ground Meadow\nscatter Pond 10\nuse northern\n"
METADATA = '{"settings": {"Name": "Fen", "Script": "fen.tll", "Wetness": %d}}\n'


@pytest.fixture
def fen(tmp_path) -> Path:
    path = tmp_path / "fen.tll"
    path.write_text(SCRIPT, "utf-8")
    (tmp_path / "fen.json").write_text(METADATA % 20, "utf-8")
    return path


@pytest.fixture
def document(qapp, testsys) -> MapDocument:
    return MapDocument(BattleMap.new(testsys, layers=[Layer(1, "Ground")]))


@pytest.fixture
def rolling(document) -> Rolling:
    return Rolling(document, choose_seed=count(7).__next__)


@pytest.fixture
def scripts(qtbot, document, rolling, tmp_path):
    settings = Settings(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat))
    settings.follow_script = True
    yield Scripts(document, rolling, settings)
    QThreadPool.globalInstance().waitForDone(5000)


def ponds(document: MapDocument) -> int:
    terrain = document.battlemap.system.terrain
    return int((document.composite.planes[terrain.name] == 1).sum())


def roll(qtbot, rolling: Rolling, document: MapDocument) -> Layer:
    before = document.undo_stack.index()
    rolling.roll()
    qtbot.waitUntil(lambda: document.undo_stack.index() != before and not rolling.busy)
    return document.active_layer


def test_a_roll_keeps_all_files_and_makes_the_same_map_without_them(
    qtbot, scripts, rolling, document, fen
):
    assert scripts.open(fen)
    layer = roll(qtbot, rolling, document)
    assert layer.roll is not None
    assert dict(layer.roll.texts) == {"fen.json": METADATA % 20}
    assert set(layer.roll.libraries) == {"northern"}
    first = document.composite.copy()
    fen.unlink()
    (fen.parent / "fen.json").unlink()
    recipe = recipe_of_roll(layer.roll)
    assert recipe.texts == layer.roll.texts
    rolling.take(rolling._current(layer), recipe)
    qtbot.waitUntil(lambda: document.undo_stack.index() == 2 and not rolling.busy)
    assert document.composite.same_as(first)


def test_another_program_that_writes_a_further_file_is_followed(
    qtbot, scripts, rolling, document, fen
):
    assert scripts.open(fen)
    roll(qtbot, rolling, document)
    few = ponds(document)
    (fen.parent / "fen.json").write_text(METADATA % 50, "utf-8")
    os.utime(fen.parent / "fen.json", ns=(1, 1))
    scripts.files.watch.look()
    qtbot.waitUntil(lambda: document.undo_stack.index() == 2 and not rolling.busy)
    assert ponds(document) > few
    assert scripts.script.texts == {"fen.json": METADATA % 50}


def test_saving_elsewhere_takes_the_further_files_along(testsys, fen, tmp_path):
    script = script_of_file(fen)
    there = tmp_path / "else" / "marsh.tll"
    there.parent.mkdir()
    saved = save_script(script, script.text, there)
    assert (there.parent / "marsh.json").read_text("utf-8") == METADATA % 20
    assert dict(saved.texts) == {"marsh.json": METADATA % 20}
    (fen.parent / "fen.json").write_text("{}", "utf-8")
    save_script(saved, saved.text, fen)
    assert (fen.parent / "fen.json").read_text("utf-8") == "{}", "what is there stays"


def test_a_library_that_has_changed_since_is_said(
    qtbot, scripts, rolling, document, fen, monkeypatch
):
    assert scripts.open(fen)
    roll(qtbot, rolling, document)
    said: list[tuple] = []
    rolling.reported.connect(said.append)
    monkeypatch.setitem(land.LIBRARIES, "northern", "hills 40\n")
    rolling.reroll()
    qtbot.waitUntil(lambda: document.undo_stack.index() == 2 and not rolling.busy)
    (problem,) = said[-1]
    assert "northern is not as it was" in problem.message
