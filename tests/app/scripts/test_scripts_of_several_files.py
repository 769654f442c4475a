"""Scripts that consist of several files: read, rolled, kept by the roll, followed, saved."""

from __future__ import annotations

import os
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, QThreadPool

from app.document.document import MapDocument
from app.rolling.roll_history import key_of
from app.rolling.rolling import Rolling
from app.scripts.script import script_of_file, setup_of_roll
from app.scripts.script_saving import save_script
from app.scripts.scripts import Scripts
from app.settings import Settings
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.problems import ProblemError, error
from tests.app.saves import finished
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
    before = document.history.index
    rolling.roll()
    qtbot.waitUntil(lambda: document.history.index != before and not rolling.busy)
    return document.active_layer


def test_a_roll_keeps_all_files_and_makes_the_same_map_without_them(
    qtbot, scripts, rolling, document, fen
):
    assert finished(scripts.opening.open(fen))
    layer = roll(qtbot, rolling, document)
    assert layer.roll is not None
    assert dict(layer.roll.texts) == {"fen.json": METADATA % 20}
    assert set(layer.roll.libraries) == {"northern"}
    first = document.composite.copy()
    fen.unlink()
    (fen.parent / "fen.json").unlink()
    setup = setup_of_roll(layer.roll)
    assert setup.texts == layer.roll.texts
    rolling.take(key_of(layer), setup)
    qtbot.waitUntil(lambda: document.history.index == 2 and not rolling.busy)
    assert document.composite.same_as(first)


def test_another_program_that_writes_a_further_file_is_followed(
    qtbot, scripts, rolling, document, fen
):
    assert finished(scripts.opening.open(fen))
    roll(qtbot, rolling, document)
    few = ponds(document)
    (fen.parent / "fen.json").write_text(METADATA % 50, "utf-8")
    os.utime(fen.parent / "fen.json", ns=(1, 1))
    scripts.current.watch.look()
    qtbot.waitUntil(lambda: document.history.index == 2 and not rolling.busy)
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


def test_a_script_stays_as_it_was_if_a_further_file_cannot_be_written(
    testsys, fen, tmp_path, monkeypatch
):
    there = tmp_path / "else" / "marsh.tll"
    there.parent.mkdir()
    there.write_text("ground Swamp\n", "utf-8")

    def write(path: Path, data: bytes) -> None:
        if path.suffix == ".json":
            raise error("not-written", "the disk is full")
        path.write_bytes(data)

    monkeypatch.setattr("app.scripts.script_saving.write_atomically", write)
    script = script_of_file(fen)
    with pytest.raises(ProblemError, match="the disk is full"):
        save_script(script, script.text, there)
    assert there.read_text("utf-8") == "ground Swamp\n"


def test_a_library_that_has_changed_since_is_said(
    qtbot, scripts, rolling, document, fen, monkeypatch
):
    assert finished(scripts.opening.open(fen))
    roll(qtbot, rolling, document)
    said: list[tuple] = []
    rolling.reported.connect(said.append)
    monkeypatch.setitem(land.LIBRARIES, "northern", "hills 40\n")
    rolling.roll()
    qtbot.waitUntil(lambda: document.history.index == 2 and not rolling.busy)
    (problem,) = said[-1]
    assert "northern is not as it was" in problem.message


INCLUDING = "ground Meadow\ninclude lib\n"


@pytest.fixture
def bog(tmp_path) -> Path:
    """A script with metadata that uses the scripts of a folder, one of which uses another."""
    path = tmp_path / "bog.tll"
    path.write_text(INCLUDING, "utf-8")
    (tmp_path / "bog.json").write_text(METADATA.replace("fen", "bog") % 0, "utf-8")
    (tmp_path / "lib" / "deep").mkdir(parents=True)
    (tmp_path / "lib" / "a.tll").write_text("scatter Pond 10\ninclude lib/deep\n", "utf-8")
    (tmp_path / "lib" / "deep" / "b.tll").write_text("hills 3\n", "utf-8")
    (tmp_path / "lib" / "note.txt").write_text("no script", "utf-8")
    return path


def rolls(rolling):
    """The requests that are rolled from now on."""
    found: list[object] = []
    rolling.started.connect(found.append)
    return found


def test_libraries_in_folders_belong_to_a_script_and_go_along(testsys, bog, tmp_path):
    script = script_of_file(bog)
    assert set(script.texts) == {"bog.json", "lib/a.tll", "lib/deep/b.tll"}
    there = tmp_path / "else" / "mire.tll"
    there.parent.mkdir()
    saved = save_script(script, script.text, there)
    assert set(saved.texts) == {"mire.json", "lib/a.tll", "lib/deep/b.tll"}
    assert (there.parent / "lib" / "deep" / "b.tll").read_text("utf-8") == "hills 3\n"
    outside = {**script.texts, "../evil.tll": "x", "/evil.tll": "x", "a/../../evil.tll": "x"}
    save_script(replace(script, texts=outside), script.text, tmp_path / "else" / "moor.tll")
    assert not list(tmp_path.rglob("evil.tll"))
    (bog.parent / "lib" / "a.tll").write_text("include ../..\ninclude /\n", "utf-8")
    assert set(script_of_file(bog).texts) == {"bog.json", "lib/a.tll"}


def test_a_library_saved_in_any_editor_rolls_the_same_map_again_once(
    qtbot, scripts, rolling, document, bog
):
    assert finished(scripts.opening.open(bog))
    layer = roll(qtbot, rolling, document)
    started = rolls(rolling)
    few = ponds(document)
    (bog.parent / "lib" / "a.tll").write_text("scatter Pond 60\ninclude lib/deep\n", "utf-8")
    qtbot.waitUntil(lambda: ponds(document) > few and not rolling.busy)
    (again,) = started
    assert again.key == (layer.roll.seed, layer.roll.number)
    (bog.parent / "lib" / "new.tll").write_text("scatter Scree 50\n", "utf-8")
    qtbot.waitUntil(lambda: len(started) == 2 and not rolling.busy)
    assert (document.composite.planes["soil"] == 2).any()
    scripts.current.watch.look()
    with qtbot.waitSignal(scripts.current.watch.files.settled):
        pass
    # When the looking has ended nobody is told.
    qtbot.waitUntil(lambda: scripts.current.watch._job is None)
    assert len(started) == 2, "nothing has changed"


def test_script_and_metadata_written_together_are_rolled_once(
    qtbot, scripts, rolling, document, fen
):
    assert finished(scripts.opening.open(fen))
    roll(qtbot, rolling, document)
    started = rolls(rolling)
    (fen.parent / "fen.json").write_text(METADATA % 40, "utf-8")
    fen.write_text(f"{SCRIPT}hills 5\n", "utf-8")
    qtbot.waitUntil(lambda: len(started) == 1 and not rolling.busy)
    assert document.active_layer.roll.texts["fen.json"] == METADATA % 40
    assert document.active_layer.roll.script == f"{SCRIPT}hills 5\n"


def test_a_script_that_fails_leaves_the_map_and_is_followed_until_it_is_right(
    qtbot, scripts, rolling, document, fen
):
    assert finished(scripts.opening.open(fen))
    layer = roll(qtbot, rolling, document)
    shown = document.composite.copy()
    said = []
    rolling.reported.connect(said.append)
    fen.write_text(f"{SCRIPT}ground Lava\n", "utf-8")
    qtbot.waitUntil(lambda: bool(said) and bool(said[-1]))
    assert said[-1][0].line == 4
    assert document.composite.same_as(shown)
    started = rolls(rolling)
    fen.write_text(f"{SCRIPT}hills 5\n", "utf-8")
    qtbot.waitUntil(lambda: bool(started) and not rolling.busy)
    assert started[0].key == (layer.roll.seed, layer.roll.number)
    assert document.active_layer.roll.script == f"{SCRIPT}hills 5\n"


def test_a_newer_text_does_not_wait_for_the_roll_of_the_one_before(
    qtbot, scripts, rolling, document, fen, monkeypatch
):
    """A script that never ends is saved again: the roll of what it was is dropped."""
    assert finished(scripts.opening.open(fen))
    roll(qtbot, rolling, document)
    plain = land.LandGenerator.generate

    def generate(self, settings, key, base):
        while "endless" in self.text:
            yield 0
        return (yield from plain(self, settings, key, base))

    # A slow roll.
    monkeypatch.setattr(land.LandGenerator, "generate", generate)
    started = rolls(rolling)
    fen.write_text(f"{SCRIPT}# endless\n", "utf-8")
    qtbot.waitUntil(lambda: len(started) == 1)
    assert rolling.busy
    fen.write_text(f"{SCRIPT}hills 5\n", "utf-8")
    qtbot.waitUntil(lambda: len(started) == 2 and not rolling.busy)
    assert document.active_layer.roll.script == f"{SCRIPT}hills 5\n"
