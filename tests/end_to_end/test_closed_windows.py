"""A window or a map that was closed is gone, with all that belongs to it."""

from __future__ import annotations

import gc
import weakref

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QDialog
from shiboken6 import delete, isValid

from app.document.document import MapDocument
from app.document.sample import sample_map
from app.window import MainWindow
from randomizer.model.grid.layouts import FLAT
from randomizer.systems.free.system import free_map
from tests.app.saves import finished
from tests.app.systems.xconq.period.test_period_panel import rolled_world, settle


@pytest.fixture(scope="module", autouse=True)
def _older_objects_are_no_garbage() -> None:
    """These tests collect garbage often: what is there before them is looked through once."""
    gc.collect()
    gc.freeze()


def shown_and_closed(qtbot, settings) -> dict[str, weakref.ref]:
    """Weak references to a window and its parts; it has been used and closed."""
    window = MainWindow(MapDocument(sample_map()), settings)
    with qtbot.waitSignal(window.desk.ready):
        window.show()
    qtbot.waitUntil(lambda: not window.desk.rolling.busy)
    desk = window.desk
    window.close()
    window.deleteLater()
    parts = {"window": window, "desk": desk, "document": desk.document, "canvas": desk.canvas}
    return {name: weakref.ref(part) for name, part in parts.items()}


@pytest.mark.deep
def test_a_window_with_drafts_of_scripts_is_closed_twice(qtbot, settings, tmp_path):
    window = MainWindow(MapDocument(sample_map()), settings, tmp_path / "journals")
    qtbot.addWidget(window)
    with qtbot.waitSignal(window.desk.ready):
        window.show()
    qtbot.waitUntil(lambda: not window.desk.rolling.busy)
    assert window.desk.script_drafts is not None
    assert window.close()
    window.show()
    assert window.close()


def test_a_window_that_was_closed_leaves_nothing_behind(qapp, qtbot, settings) -> None:
    """Else every window of a test run would be there to its end, and follow each change."""
    kept = shown_and_closed(qtbot, settings)
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    qapp.processEvents()
    gc.collect()
    assert [name for name, left in kept.items() if left() is not None] == []


@pytest.mark.deep
def test_a_window_that_goes_unasked_hides_its_docks_without_a_fault(qtbot, settings):
    """As where the display is lost; a fault in a slot fails the test."""
    window = MainWindow(MapDocument(sample_map()), settings)
    with qtbot.waitSignal(window.desk.ready):
        window.show()
    qtbot.waitUntil(lambda: not window.desk.rolling.busy)
    for name in ("randomize", "layers"):
        window.desk.docks.show(name)
    qtbot.waitUntil(window.desk.docks.panel("layers").isVisible)
    delete(window)
    assert not isValid(window)


def is_let_go(qapp, reference) -> bool:
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    return reference() is None


@pytest.mark.deep
def test_a_closed_world_whose_period_came_from_another_file_is_let_go(
    qapp, qtbot, window, tmp_path
) -> None:
    """The step from which on its text came from the file held the map that held the step."""
    document = window.desk.document
    scripts = window.desk.scripts
    document.open_map(rolled_world())
    open_map = weakref.ref(document.current_map)
    settle(qtbot, window)
    file = tmp_path / "other.per"
    file.write_text(scripts.text.text().replace("Period 0", "Period 0  ; other"), "utf-8")
    finished(scripts.opening.open(file))
    qtbot.waitUntil(lambda: scripts.script.path == file and len(document.history.steps) > 0)
    settle(qtbot, window)
    document.history.mark_clean()
    document.current_map.rolled = False
    document.close_map(document.current_map)
    qtbot.waitUntil(lambda: is_let_go(qapp, open_map))


def test_a_closed_map_that_could_be_compared_with_is_let_go(qapp, qtbot, window) -> None:
    """The menu of open maps held each until it was opened again."""
    document = window.desk.document
    commands = window.desk.commands
    document.open_map(sample_map())
    open_map = weakref.ref(document.current_map)
    document.make_current(document.maps[0])
    commands.fill("map.compare-with.*")
    assert len(commands.ids_at("map.compare-with.*")) == 2
    document.close_map(document.maps[1])
    qtbot.waitUntil(lambda: is_let_go(qapp, open_map))
    assert len(commands.ids_at("map.compare-with.*")) == 1


@pytest.mark.deep
def test_what_was_drawn_for_a_closed_map_is_let_go(qtbot, window) -> None:
    """Sprites of other scales and terrain sets stayed, each with thousands of pieces."""
    renderer = window.desk.renderer
    document = window.desk.document
    document.open_map(free_map(FLAT, 30, 20))
    for scale in (11.0, 12.0, 13.0):
        renderer.sprites(document.battlemap, scale, 1.0)
    assert len(renderer.sprite_sets) > 2
    document.close_map(document.maps[1])
    qtbot.waitUntil(lambda: len(renderer.sprite_sets) == 1)
    assert renderer.sprite_sets.style_count == 1


@pytest.mark.parametrize(
    "command",
    [
        pytest.param("file.show-as-text", marks=pytest.mark.deep),
        "file.export-picture",
        pytest.param("map.resize", marks=pytest.mark.deep),
        pytest.param("map.shift", marks=pytest.mark.deep),
        pytest.param("help.mouse-and-keys", marks=pytest.mark.deep),
    ],
)
def test_a_dialog_that_was_closed_is_deleted(qapp, qtbot, window, command) -> None:
    """Each stayed below the window with all its widgets: resizing ten maps left ten dialogs."""
    desk = window.desk
    if command.startswith("map."):
        desk.document.open_map(free_map(FLAT, 30, 20))
    before = set(window.findChildren(QDialog))
    desk.commands.run(command)
    qtbot.waitUntil(lambda: set(window.findChildren(QDialog)) > before)
    (dialog,) = set(window.findChildren(QDialog)) - before
    dialog.reject()
    del dialog
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert set(window.findChildren(QDialog)) == before
