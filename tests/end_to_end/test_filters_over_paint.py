"""A filter that paint by hand excludes is refused with a sentence that says so."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from randomizer.model.edits.value_edits import set_values
from tests.app.conftest import cell
from tests.app.features.gallery.test_gallery_of_script import settled
from tests.end_to_end.test_keyboard_focus import press

SCRIPT = "AREA (anywhere) HAZARDS Tree Tree Bog Bog Lake Lake\n"


@pytest.fixture
def gallery(qtbot, active, tmp_path):
    """The gallery of a script that was rolled; C4 was then painted as Bog."""
    desk = active.desk
    path = tmp_path / "Wet.rnd"
    path.write_text(SCRIPT)
    desk.files.open_paths([path])
    qtbot.waitUntil(lambda: desk.scripts.script.path == path)
    with qtbot.waitSignal(desk.rolling.rolled):
        desk.commands.run("script.roll")
    paint(desk, ["C4"], "Bog")
    desk.docks.show("gallery")
    panel = desk.docks.panel("gallery")
    qtbot.waitUntil(lambda: settled(panel) and len(panel.maps.model.candidates) == 48)
    return panel


def paint(desk, names, terrain_name: str) -> None:
    battlemap = desk.document.battlemap
    terrain_names = [terrain.name for terrain in battlemap.terrain_set.terrains]
    code = terrain_names.index(terrain_name)
    layer_id = battlemap.layers[-1].id
    cells = [cell(name) for name in names]
    assert desk.document.push(set_values(battlemap, layer_id, "terrain", cells, code), "Paint")


def look_for(qtbot, active, gallery, text: str) -> str:
    """Enter a filter, press Enter, and return the message once the search has ended."""
    field = gallery.form.filter.field
    QTest.mouseClick(field, Qt.MouseButton.LeftButton)
    field.selectAll()
    field.insert(text)  # as when it is pasted: no words are offered
    press(active, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: settled(gallery) and gallery.form.condition == text)
    return gallery.status.message.text()


@pytest.mark.parametrize("condition", ["C4 = Tree", "C4 != Bog", "not C4 = Bog"])
def test_a_cell_that_is_painted_otherwise(qtbot, active, gallery, condition):
    message = look_for(qtbot, active, gallery, condition)
    assert message == (
        "What was painted on C4, or lies in a layer above the roll, stays there, however many maps "
        f"are rolled: none passes “{condition}”. Change the filter, or paint otherwise"
    )
    assert "More" not in gallery.maps.empty.text()
    assert gallery.form.layers_above.isVisible()
    gallery.form.layers_above.click()
    qtbot.waitUntil(lambda: settled(gallery) and "maps shown" in gallery.status.message.text())


def test_counts_that_the_paint_decides(qtbot, active, gallery):
    for condition in ("count(Bog) = 0", "count(Bog in (C4)) < 1", "share(Bog) = 0 %"):
        message = look_for(qtbot, active, gallery, condition)
        assert message.startswith("What was painted, or lies in a layer above the roll, decides ")
        assert "these hexes, however many maps are rolled: none passes" in message
    message = look_for(qtbot, active, gallery, "count(Bog) >= 3")
    assert "maps shown" in message


def test_both_of_two_cells(qtbot, active, gallery):
    paint(active.desk, ["C5"], "Lake")
    message = look_for(qtbot, active, gallery, "C4 = Tree or C5 = Tree")
    assert "however many maps are rolled: none passes" in message
    assert "C4 = Tree or C5 = Tree" in message
    message = look_for(qtbot, active, gallery, "C4 = Tree or C5 = Lake")
    assert "maps shown" in message


def test_a_terrain_that_the_script_does_not_make_is_told_where_a_cell_is_painted(
    qtbot, active, gallery
):
    message = look_for(qtbot, active, gallery, "count(Volcano) > 0")
    assert message.startswith("This script makes no map with “count(Volcano) > 0”")
    paint(active.desk, ["D4"], "Volcano")
    message = look_for(qtbot, active, gallery, "count(Volcano) > 0 and count(Bog) > 0")
    assert "maps shown" in message
