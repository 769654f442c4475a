"""A map that its user had rolled is work: kept, restored and asked about; its seed is not lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.background.actions import run
from app.document.autosave import Autosave
from app.document.document import MapDocument
from app.document.map_files import new_map
from app.document.sample import sample_map
from randomizer.catalog.generators import generators_of
from randomizer.catalog.systems import system_named
from randomizer.model.edits.value_edits import set_values
from randomizer.model.grid.layouts import SQUARE
from randomizer.storage.files.project import PROJECT
from randomizer.storage.journal.recoverable_journals import leftovers
from randomizer.systems.free.system import free_map
from tests.app.saves import left, saved
from tests.daily import deep_but

SYSTEMS = ["colossus", "cordery", "xconq"]


@pytest.fixture
def journals(tmp_path) -> Path:
    return tmp_path / "journals"


def roll_new(qtbot, window, system: str) -> None:
    """What New map does for the first script of a kind of map."""
    before = window.desk.document.current_map
    generator = generators_of(system_named(system))[0]
    run(window.desk.scripts.opening.roll_new(new_map(generator.system), generator))
    qtbot.waitUntil(lambda: window.desk.document.current_map is not before)
    assert window.desk.document.battlemap.system.name == system
    assert window.desk.document.current_map.rolled


def open_file(qtbot, window, tmp_path) -> None:
    path = tmp_path / "Other.battlemap"
    path.write_bytes(PROJECT.write(free_map(SQUARE, 3, 3)))
    window.desk.files.open_path(path)
    qtbot.waitUntil(lambda: window.desk.document.path == path)


@pytest.mark.parametrize("system", deep_but(SYSTEMS, "colossus"))
def test_a_rolled_map_is_asked_about_and_no_file_takes_its_place(
    qtbot, window, hand, tmp_path, system
):
    document = window.desk.document
    roll_new(qtbot, window, system)
    assert len(document.maps) == 1, "the sample of the start made way"
    rolled = document.current_map
    assert window.isWindowModified()
    open_file(qtbot, window, tmp_path)
    assert document.maps[0] is rolled
    hand.expect("Unsaved changes").press("Cancel")
    assert not left(window.desk.files)
    hand.expect("Unsaved changes").press("Cancel")
    window.desk.files.closing.close(rolled)
    assert rolled in document.maps
    assert document.current_map is rolled
    assert saved(window.desk.files.saving.save_to, tmp_path / "Mine.battlemap")
    assert left(window.desk.files)


@pytest.mark.deep
def test_the_sample_of_the_start_is_no_work(qtbot, window, tmp_path):
    assert left(window.desk.files)
    open_file(qtbot, window, tmp_path)
    assert len(window.desk.document.maps) == 1


@pytest.mark.parametrize("system", deep_but(SYSTEMS, "colossus"))
def test_a_new_map_takes_the_place_of_a_rolled_one_that_nobody_changed(qtbot, window, system):
    desk = window.desk
    document = window.desk.document
    seeds = iter((11, 12, 13))
    desk.rolling.key_choice.choose_seed = lambda: next(seeds)
    roll_new(qtbot, window, system)
    roll_new(qtbot, window, system)
    assert len(document.maps) == 1
    assert desk.rolling.target().roll.seed == 12
    desk.rolling.step_back()  # the seed before is not lost
    qtbot.waitUntil(lambda: desk.rolling.target().roll.seed == 11)
    roll_new(qtbot, window, system)
    assert len(document.maps) == 2, "the map before was rolled again"


def test_a_rolled_map_that_was_painted_stays(qtbot, window):
    document = window.desk.document
    roll_new(qtbot, window, "colossus")
    edit = set_values(document.battlemap, document.active_layer_id, "terrain", [15], 3)
    assert document.push(edit, "Paint")
    roll_new(qtbot, window, "colossus")
    assert len(document.maps) == 2


def test_after_a_kill_a_rolled_map_comes_back_as_work(qtbot, window, journals):
    roll_new(qtbot, window, "colossus")
    document = window.desk.document
    autosave = window.desk.autosave
    qtbot.waitUntil(lambda: autosave.journal_of(document.current_map) is not None)
    autosave.journal_of(document.current_map).close()  # as if the program were gone
    (journal,), problems = leftovers(journals)
    assert problems == []
    restored = MapDocument(sample_map())
    autosave = Autosave(restored, journals.parent / "later")
    open_map = autosave.restore(journal, journal.restore_map())
    assert open_map.unsaved
    assert open_map.battlemap.layers[-1].roll == document.battlemap.layers[-1].roll
    autosave.end()
