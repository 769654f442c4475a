"""A map goes onto paper: the dialog that prints, answered as a person does."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor

from app.features.pictures.picture_dialog import PictureDialog
from app.paper.preview import MAX_CELLS
from randomizer.model.grid.layouts import FLAT
from randomizer.systems.free.system import free_map
from tests.app.paper.conftest import media_boxes


def test_the_pages_of_a_print_are_saved_as_a_pdf(qtbot, window, hand, tmp_path):
    path = tmp_path / "map.pdf"
    hand.expect("Print").press("Save as PDF...")
    hand.expect("Save as PDF").type_path(path)
    window.desk.commands.run("file.print")
    qtbot.waitUntil(lambda: path.exists() and path.stat().st_size > 20_000)
    assert path.read_bytes().startswith(b"%PDF")


@pytest.mark.deep
def test_the_preview_of_a_very_large_map_is_on_white_paper(qtbot, window, hand):
    battlemap = free_map(FLAT, 140, 100)
    assert battlemap.grid.size > MAX_CELLS
    window.desk.document.open_map(battlemap)
    hand.hold(PictureDialog)
    window.desk.commands.run("file.print")
    (dialog,) = window.findChildren(PictureDialog)
    qtbot.waitUntil(lambda: not dialog.preview.image.isNull())
    corner = dialog.preview.image.pixelColor(0, 0)
    assert corner == QColor("white")
    dialog.close()


def test_a_poster_has_as_many_pages_as_its_dialog_says(qtbot, window, hand, tmp_path):
    path = tmp_path / "poster.pdf"
    window.desk.document.open_map(free_map(FLAT, 10, 8))
    hand.hold(PictureDialog)
    window.desk.commands.run("file.print")
    (dialog,) = window.findChildren(PictureDialog)
    way = dialog.form.field("way")
    way.setCurrentIndex(way.findData("poster"))
    overview = dialog.form.field("overview")
    assert overview.isChecked()
    assert dialog.status.text.startswith("5 pages (2 x 2 plus an overview); ")
    overview.click()
    assert dialog.status.text.startswith("4 pages (2 x 2); ")
    overview.click()
    hand.expect("Save as PDF").type_path(path)
    dialog.pdf_button.click()
    qtbot.waitUntil(path.exists)
    assert len(media_boxes(path.read_bytes())) == 5
