"""Symmetry as a setting in the panel Script: of rolls, not of odds and pictures."""

from __future__ import annotations

import numpy as np
import pytest

from randomizer.batches.batch import batch_of
from randomizer.geometry.symmetry import best_centre, kinds
from tests.app.conftest import complete_form
from tests.app.features.gallery.test_gallery_of_script import settled

SCRIPT = "AREA A1 B2 C3 E1 F2 HAZARDS Bog,50. Tree,50.\nAREA (anywhere) HAZARDS Sand,50.\n"
BEFORE = "These are maps before they are made symmetric."


@pytest.fixture
def features() -> tuple[str, ...]:
    return ("script", "gallery", "odds", "tools")


@pytest.fixture
def panel(qtbot, window):
    """The panel Script with a short script, and half a turn chosen below it."""
    panel = window.desk.docks.panel("randomize")
    # Else the map would follow the text, sooner or later, and its locked cells would be others.
    window.desk.scripts.follower.set_enabled(False)
    panel.editor.selectAll()
    panel.editor.insertPlainText(SCRIPT)
    qtbot.waitUntil(lambda: window.desk.scripts.checker.fresh)
    return panel


def choose(panel, words: str) -> None:
    complete_form(panel).set_unfolded(is_unfolded=True)
    complete_form(panel).field("symmetry").setCurrentText(words)


def is_symmetric(document) -> bool:
    """Whether the terrains of the active layer are those of their twins."""
    grid = document.battlemap.grid
    twins = best_centre(grid, "turn2").images(grid, grid.cells)
    twins = twins[:, (twins >= 0).all(axis=0)]
    values = document.active_layer.planes["terrain"].reshape(-1)[twins]
    return bool((values[0] == values[1]).all())


def test_rolls_are_symmetric_until_it_is_taken_back(qtbot, window, panel):
    desk = window.desk
    document = window.desk.document
    with qtbot.waitSignal(desk.rolling.rolled):
        desk.rolling.roll()
    plain = document.composite.planes["terrain"].copy()
    assert not is_symmetric(document)
    choose(panel, "Two-fold turn")
    offered = complete_form(panel).field("symmetry")
    assert offered.count() == len(kinds(document.battlemap.grid))
    assert "symmetry" in complete_form(panel).fold_button.accessibleName().lower()
    for _step in range(2):
        with qtbot.waitSignal(desk.rolling.rolled):
            desk.rolling.roll()
        assert is_symmetric(document)
        layer = document.active_layer
        assert layer.roll.settings == {"symmetry": "turn2"}
        assert not [name for name in layer.planes if name.startswith("touched")]
    document.undo()
    document.undo()
    assert (document.composite.planes["terrain"] == plain).all()
    choose(panel, "No symmetry")
    with qtbot.waitSignal(desk.rolling.rolled):
        desk.rolling.roll()
    assert not is_symmetric(document)
    assert document.active_layer.roll.settings == {}


def test_locks_and_symmetry_exclude_each_other_in_words(qtbot, window, panel):
    desk = window.desk
    document = window.desk.document
    choose(panel, "Two-fold turn")
    document.battlemap.locked_cells[2, 2] = True
    before = document.composite.planes["terrain"].copy()
    with qtbot.waitSignal(desk.rolling.failed):
        desk.rolling.roll()
    assert (document.composite.planes["terrain"] == before).all()
    assert any(
        "cannot keep what is locked" in problem.message for problem in panel.problems.list.problems
    )
    assert panel.notices.lock_banner.isHidden()


def test_odds_and_gallery_say_that_they_speak_of_the_maps_before_it(qtbot, window, panel):
    desk = window.desk
    desk.docks.show("odds")
    desk.docks.show("gallery")
    odds = desk.docks.panel("odds")
    gallery = desk.docks.panel("gallery")
    qtbot.waitUntil(lambda: settled(gallery) and len(gallery.maps.model.candidates) == 48)
    qtbot.waitUntil(lambda: odds.message.text().startswith("Counted on "))
    assert BEFORE not in gallery.status.message.text()
    choose(panel, "Two-fold turn")
    qtbot.waitUntil(lambda: odds.message.text().endswith(f"(99 % sure). {BEFORE}"))
    qtbot.waitUntil(
        lambda: settled(gallery) and gallery.status.message.text().endswith(f". {BEFORE}")
    )
    chosen = gallery.maps.model.candidates[3]
    gallery.maps.view.choose(chosen)
    with qtbot.waitSignal(desk.rolling.rolled):
        gallery.maps.map_actions.take.trigger()
    document = desk.document
    assert is_symmetric(document)
    assert (document.active_layer.roll.seed, document.active_layer.roll.number) == chosen.key
    shown = batch_of(document.battlemap.system, document.battlemap.grid, document.composite)
    assert not np.array_equal(shown.terrain[0], chosen.batch.terrain[chosen.row])
