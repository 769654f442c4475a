"""How wide a cell is: said once, in New map or on the panel Map, and known wherever it matters."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.document.map_files import new_map
from app.features.new_map.dialog import NewMapDialog
from app.paper.page_plan import Box, Orientation, one_page, sheets_of_paper
from app.paper.page_text import cell_sizes
from app.render.overlay_options import Overlays
from app.render.scene.legend import legend_of_picture
from randomizer.catalog.systems import system_named
from tests.app.conftest import new_map_dialog
from tests.end_to_end.test_measuring import caption, drag
from tests.end_to_end.test_new_maps_remember import make

DRIVEN_DIALOGS = (NewMapDialog,)


def choose_scale(window, text: str) -> None:
    """Type a scale on the panel Map."""
    window.activateWindow()
    window.desk.docks.show("properties")
    field = window.desk.docks.panel("properties").rows["scale"].editor
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)


def measured(window) -> str:
    """What the tool says of two hexes."""
    window.desk.commands.run("tool.measure")
    drag(window, (2, 2), (2, 4))
    return caption(window)


@pytest.fixture
def landscape(window, qtbot):
    dialog = new_map_dialog(window, "Landscape or free map", "Landscape")
    qtbot.waitUntil(dialog.make_button.isEnabled)
    assert dialog.form.field("scale").text() == "6 miles"
    dialog.form.field("width").setValue(24)
    dialog.form.field("height").setValue(18)
    make(window, qtbot, dialog)
    return window


@pytest.mark.deep
def test_a_landscape_is_measured_in_miles_without_a_further_word(landscape):
    assert measured(landscape) == "2 hexes, 12 miles"


def test_the_scale_of_the_panel_stays_when_the_landscape_is_rolled_again(landscape, qtbot):
    choose_scale(landscape, "10 km")
    assert measured(landscape) == "2 hexes, 20 km"
    with qtbot.waitSignal(landscape.desk.rolling.rolled):
        landscape.desk.rolling.roll()
    assert measured(landscape) == "2 hexes, 20 km"
    landscape.desk.document.undo()
    landscape.desk.document.undo()
    assert measured(landscape) == "2 hexes, 12 miles"


@pytest.mark.deep
def test_the_scale_of_new_map_is_that_of_a_landscape_and_of_an_empty_map(window, qtbot):
    dialog = new_map_dialog(window, "Landscape or free map", "Landscape")
    qtbot.waitUntil(dialog.make_button.isEnabled)
    dialog.form.field("scale").setText("2.5 km")
    make(window, qtbot, dialog)
    assert measured(window) == "2 hexes, 5 km"
    dialog = new_map_dialog(window, "Landscape or free map", "Empty map")
    qtbot.waitUntil(dialog.make_button.isEnabled)
    assert dialog.form.field("scale").text() == "2.5 km", "as it was chosen for the last map"
    dialog.form.field("scale").setText("30 feet")
    make(window, qtbot, dialog)
    assert measured(window) == "2 hexes, 60 feet"


def test_what_is_no_width_is_refused_with_an_example(window, qtbot):
    dialog = new_map_dialog(window, "Landscape or free map", "Empty map")
    qtbot.waitUntil(dialog.make_button.isEnabled)
    dialog.form.field("scale").setText("wide")
    assert not dialog.make_button.isEnabled()
    assert "such as 6 miles" in dialog.status.text
    dialog.form.field("scale").setText("")
    make(window, qtbot, dialog)
    choose_scale(window, "rather wide")
    assert "such as 6 miles" in window.statusBar().currentMessage()
    line = window.desk.docks.panel("properties").rows["scale"].editor
    assert line.selectedText() == "rather wide", "what is typed next takes its place"
    line.clearFocus()
    assert line.text() == ""
    assert measured(window) == "2 hexes"


@pytest.mark.deep
def test_finer_cells_are_so_much_narrower(landscape, hand, qtbot):
    hand.expect("Finer hexes").press("OK")
    landscape.desk.commands.run("map.finer-cells")
    qtbot.waitUntil(lambda: landscape.desk.document.battlemap.grid.width == 48)
    assert measured(landscape) == "2 hexes, 6 miles"


@pytest.mark.deep
def test_a_world_of_xconq_is_measured_by_the_width_that_its_file_says(window):
    window.desk.document.show_map(new_map(system_named("xconq")))
    assert measured(window) == "2 hexes, 200 km"


def test_a_table_can_have_a_scale(window):
    window.desk.document.show_map(new_map(system_named("cordery")))
    choose_scale(window, "200 yards")
    assert measured(window) == "2 hexes, 400 yards"


@pytest.mark.deep
def test_print_and_picture_say_it(landscape):
    document = landscape.desk.document
    battlemap = document.battlemap
    shown = Overlays(legend=True)
    legend = legend_of_picture(battlemap, document.composite, shown)
    assert legend.content.bar.unit == "miles"
    layout = battlemap.grid.layout
    left, top, right, bottom = battlemap.grid.bounds
    plan = one_page(
        Box(left, top, right, bottom), layout, sheets_of_paper("A4", Orientation.AUTO, 10), 6.0
    )
    assert cell_sizes(battlemap, document.composite, plan) == "hexes 6.0 mm = 6 miles"
