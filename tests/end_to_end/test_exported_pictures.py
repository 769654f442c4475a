"""What the view shows is what Export picture offers, and what its preview shows is written."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QComboBox

from app.document.map_files import new_map
from app.features.pictures.picture_dialog import PictureDialog
from app.render.overlay_choices import CONTOUR_STEP
from randomizer.catalog.systems import system_named
from randomizer.model.edits.thing_edits import add_things
from randomizer.model.grid.layouts import FLAT
from randomizer.model.things.things import Thing
from randomizer.systems.free.system import free_map
from tests.app.conftest import opened

DRIVEN_DIALOGS = (PictureDialog,)


def opened_export(window, qtbot) -> PictureDialog:
    window.desk.commands.run("file.export-picture")
    dialog = opened(window, qtbot, PictureDialog)
    qtbot.waitUntil(lambda: not dialog.preview.image.isNull())
    return dialog


def test_the_picture_with_its_legend_is_as_large_as_was_said_and_as_its_preview(
    window, qtbot, hand, tmp_path
):
    dialog = opened_export(window, qtbot)
    former_image = dialog.preview.image
    dialog.form.field("legend").click()
    qtbot.waitUntil(lambda: dialog.preview.image is not former_image)
    size_text = dialog.status.text
    preview_size = dialog.preview.image.size()
    path = tmp_path / "Moor.png"
    hand.expect("Export picture").type_path(path)
    dialog.go_button.click()
    qtbot.waitUntil(path.exists)
    written = QImage(str(path))
    assert size_text == f"{written.width():,} x {written.height():,} pixels"
    shape = written.width() / written.height()
    assert preview_size.width() / preview_size.height() == pytest.approx(shape, abs=0.02)


@pytest.mark.deep
def test_contour_lines_of_the_view_are_offered(window, qtbot):
    desk = window.desk
    desk.document.open_map(new_map(system_named("zeroad")))
    desk.commands.run("view.contour-lines.5")
    dialog = opened_export(window, qtbot)
    contours = dialog.form.field(CONTOUR_STEP)
    assert isinstance(contours, QComboBox)
    assert contours.currentText() == "Contour lines every 5"
    assert dialog.make_request().overlays.contour_step == 5
    contours.setCurrentText("No contour lines")
    assert dialog.make_request().overlays.contour_step == 0
    dialog.reject()


@pytest.mark.deep
def test_what_lies_around_the_map_is_not_asked_for_a_table(window, qtbot):
    dialog = opened_export(window, qtbot)
    assert dialog.form.field("legend").isVisible()
    dialog.reject()
    window.desk.commands.run("file.export-for-a-virtual-table")
    dialog = opened(window, qtbot, PictureDialog)
    for kind in (".json", ".uvtt"):
        kinds = dialog.form.field("kind")
        kinds.setCurrentIndex(kinds.findData(kind))
        assert not dialog.form.field("legend").isVisible()
        assert not dialog.form.field("entry_sides").isVisible()
    dialog.reject()


@pytest.mark.deep
def test_a_picture_is_no_table_after_a_table_was_exported(window, qtbot, hand, tmp_path):
    window.desk.commands.run("file.export-for-a-virtual-table")
    dialog = opened(window, qtbot, PictureDialog)
    hand.expect("Export for a virtual table").type_path(tmp_path / "moor")
    with qtbot.waitSignal(dialog.reported):
        dialog.go_button.click()
    assert (tmp_path / "moor.json").is_file()
    dialog = opened_export(window, qtbot)
    kinds = dialog.form.field("kind")
    titles = [kinds.itemText(row) for row in range(kinds.count())]
    assert dialog.form.kind == ".png"
    assert titles == ["PNG picture", "SVG drawing", "PDF to print"]
    dialog.reject()


@pytest.mark.deep
def test_names_that_find_no_room_are_counted_before_the_picture_is_made(window, qtbot):
    document = window.desk.document
    document.open_map(free_map(FLAT, 20, 15))
    grid = document.battlemap.grid
    towns = []
    for number in range(1, 10):
        x, y = grid.centre(grid.cell(10, 7))
        towns.append(
            Thing(number, "town", x, y + number / 100, label=f"Market Harborough {number}")
        )
    document.push(add_things(document.battlemap, document.active_layer_id, towns), "Place towns")
    dialog = opened_export(window, qtbot)
    first_names = ", ".join(f"Market Harborough {number}" for number in range(2, 8))
    assert dialog.status.text.endswith(
        f"; no room for 8 names: {first_names} and 2 more (point here to read all)"
    )
    tip = " ".join(dialog.status.label.toolTip().split())
    assert all(f"Market Harborough {number}" in tip for number in range(2, 10))
    assert "Market Harborough 1" not in tip
    dialog.form.field("thing_names").click()
    qtbot.waitUntil(lambda: "no room" not in dialog.status.text)
    assert dialog.status.label.toolTip() == ""
    dialog.reject()


def test_a_suffix_that_no_picture_has_is_refused_with_those_that_can_be_written(
    window, qtbot, hand, tmp_path
):
    dialog = opened_export(window, qtbot)
    hand.expect("Export picture").type_path(tmp_path / "moor.jpg")
    dialog.go_button.click()
    message = "JPG pictures cannot be written: choose a name that ends in .png, .svg or .pdf"
    qtbot.waitUntil(lambda: dialog.status.text == message)
    assert dialog.isVisible()
    assert not (tmp_path / "moor.jpg").exists()
    dialog.export_to(tmp_path / "moor")
    assert dialog.status.text.startswith("Pictures without a suffix cannot be written: ")
    dialog.reject()
