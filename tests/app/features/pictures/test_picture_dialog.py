from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QBuffer, QIODevice, QSettings, QSize, Qt
from PySide6.QtGui import QGuiApplication, QImage, QPdfWriter
from PySide6.QtWidgets import QAbstractButton, QAbstractSpinBox, QCheckBox, QComboBox

from app.document.document import MapDocument
from app.document.sample import sample_map
from app.features.pictures.picture_dialog import PictureDialog
from app.features.pictures.picture_purpose import Purpose
from app.features.pictures.preview_drawer import PREVIEW_SIDE
from app.paper.bitmaps import image
from app.paper.map_part import SCREEN_DOTS_PER_MM
from app.paper.page_plan import PAPERS
from app.paper.picture_request import Poster
from app.paper.preview import preview
from app.paper.steps import run
from app.render.renderer import Renderer
from app.render.theme import theme
from app.settings import Settings
from app.widgets.dialogs.dialog_status import DialogStatus
from randomizer.model.grid.layouts import FLAT
from randomizer.model.problems import Severity
from randomizer.systems.free.system import free_map
from tests.app.paper.conftest import media_boxes
from tests.counting import watched_calls


@pytest.fixture
def settings(tmp_path) -> Settings:
    return Settings(QSettings(str(tmp_path / "desk.ini"), QSettings.Format.IniFormat))


@pytest.fixture
def open_dialog(qtbot, settings):
    def open_dialog(document: MapDocument | None = None, **rest) -> PictureDialog:
        document = document or MapDocument(sample_map())
        dialog = PictureDialog(document, Renderer(theme("light")), settings, **rest)
        qtbot.addWidget(dialog)
        dialog.show()
        return dialog

    return open_dialog


def choose(box: QComboBox, key: str) -> None:
    assert box.findData(key) >= 0
    box.setCurrentIndex(box.findData(key))


def test_the_dialog_says_how_large_the_picture_will_be(open_dialog):
    dialog = open_dialog()
    dialog.form.field("pixels").setValue(60)
    assert dialog.status.text == "382 x 412 pixels"
    dialog.form.field("pixels").setValue(20)
    assert dialog.status.text == "128 x 138 pixels; hexes so small get no texts"
    choose(dialog.form.field("kind"), ".svg")
    assert dialog.status.text.startswith("1 page; the map is 241 x 261 mm, hexes 38.0 mm")
    assert "no texts" not in dialog.status.text


def test_only_the_fields_that_matter_are_there(open_dialog):
    dialog = open_dialog()
    form = dialog.form
    assert form.field("pixels").isVisible()
    assert not form.field("paper").isVisible()
    choose(form.field("kind"), ".pdf")
    assert not form.field("pixels").isVisible()
    assert form.field("paper").isVisible()
    assert not form.field("size").isVisible()
    choose(form.field("way"), "poster")
    assert form.field("size").isVisible()
    assert form.field("overlap").isVisible()


@pytest.mark.parametrize("purpose", [Purpose.PICTURE, Purpose.PRINT])
def test_what_a_kind_of_map_has_not_is_not_asked(open_dialog, purpose):
    dialog = open_dialog(purpose=purpose)  # of a battleland
    ticks = {box.text() for box in dialog.findChildren(QCheckBox)}
    assert {"Hex labels", "Hexsides", "Start list", "Entry sides"} <= ticks
    assert ticks.isdisjoint({"Seam", "Round edge", "Water depth", "Regions", "Placed things"})
    land = open_dialog(MapDocument(free_map(FLAT, 4, 4)), purpose=purpose)
    ticks = {box.text() for box in land.findChildren(QCheckBox)}
    assert {"Regions", "Placed things"} <= ticks
    assert ticks.isdisjoint({"Seam", "Round edge", "Start list", "Entry sides"})


def test_a_size_in_inches_is_the_same_size(open_dialog):
    dialog = open_dialog()
    choose(dialog.form.field("kind"), ".svg")
    choose(dialog.form.field("unit"), "inches")
    assert dialog.form.field("size").value() == pytest.approx(38 / 25.4, abs=0.001)
    assert dialog.make_request().hex_mm == pytest.approx(38)
    dialog.form.field("size").setValue(2)
    assert dialog.make_request().hex_mm == pytest.approx(50.8)
    choose(dialog.form.field("unit"), "mm")
    assert dialog.form.field("size").value() == pytest.approx(50.8)


def test_what_does_not_fit_is_said_and_cannot_be_made(open_dialog):
    dialog = open_dialog()
    choose(dialog.form.field("kind"), ".pdf")
    choose(dialog.form.field("way"), "page")
    dialog.form.field("size").setValue(90)
    assert "does not fit on one page" in dialog.status.text
    assert not dialog.go_button.isEnabled()
    choose(dialog.form.field("way"), "poster")
    assert dialog.go_button.isEnabled()


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf"])
def test_the_suffix_says_what_is_written(qtbot, open_dialog, tmp_path, suffix):
    dialog = open_dialog()
    with qtbot.waitSignal(dialog.reported) as said:
        dialog.export_to(tmp_path / f"map{suffix}")
    assert said.args == [f"Exported map{suffix}"]
    data = (tmp_path / f"map{suffix}").read_bytes()
    assert b"pHYs" not in data, "no size in millimetres was chosen"
    assert data.startswith({".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}[suffix])
    assert not dialog.isVisible()


def test_export_asks_for_the_file_and_adds_the_suffix(qtbot, open_dialog, tmp_path, hand):
    hand.hold(PictureDialog)
    dialog = open_dialog()
    hand.expect(dialog.windowTitle()).type_path(tmp_path / "mine")
    with qtbot.waitSignal(dialog.reported):
        dialog.go_button.click()
    assert (tmp_path / "mine.png").exists()


def test_what_was_chosen_is_remembered(open_dialog, hand):
    hand.hold(PictureDialog)
    dialog = open_dialog()
    hand.expect(dialog.windowTitle()).escape()
    choose(dialog.form.field("kind"), ".pdf")
    choose(dialog.form.field("way"), "poster")
    choose(dialog.form.field("paper"), "Letter")
    dialog.form.field("size").setValue(25)
    dialog.form.field("margin").setValue(7)
    dialog.form.field("labels").setChecked(False)
    dialog.go_button.click()
    request = open_dialog().make_request()
    assert request.pages == Poster("Letter", pytest.approx(25))
    assert request.margin == 7
    assert not request.overlays.labels
    assert request.overlays.hexsides


def test_a_folder_that_is_not_there_is_said_and_the_dialog_stays(qtbot, open_dialog, tmp_path):
    dialog = open_dialog()
    dialog.export_to(tmp_path / "nowhere" / "map.png")
    qtbot.waitUntil(lambda: "the folder is not there" in dialog.status.text)
    assert dialog.isVisible()
    assert dialog.form.isEnabled()


def test_a_long_export_can_be_cancelled_and_leaves_no_file(qtbot, open_dialog, tmp_path):
    dialog = open_dialog(MapDocument(free_map(FLAT, 400, 400)))
    dialog.form.field("pixels").setValue(40)
    dialog.export_to(tmp_path / "map.png")
    assert dialog.close_button.text() == "Cancel"
    assert dialog.bar.isVisible()
    dialog.close_button.click()
    assert dialog.isVisible()
    qtbot.waitUntil(lambda: dialog.status.text.startswith("Cancelled"))
    assert not (tmp_path / "map.png").exists()
    dialog.close_button.click()
    assert not dialog.isVisible()


def test_printing_puts_the_pages_onto_the_device(qtbot, open_dialog):
    dialog = open_dialog(purpose=Purpose.PRINT)
    choose(dialog.form.field("way"), "poster")
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    with qtbot.waitSignal(dialog.reported) as said:
        dialog.print_on(writer)
    assert said.args == ["Printed 3 pages"]
    boxes = media_boxes(bytes(buffer.data().data()))
    assert len(boxes) == 3  # one shows how the others lie
    assert sorted(boxes[0]) == pytest.approx(PAPERS["A4"], abs=0.2)


def test_a_print_can_be_cancelled(qtbot, open_dialog):
    dialog = open_dialog(purpose=Purpose.PRINT)
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    dialog.print_on(QPdfWriter(buffer))
    dialog.close_button.click()
    assert dialog.status.text.startswith("Cancelled")
    assert dialog.isVisible()


def test_the_preview_shows_the_map(qtbot, open_dialog):
    dialog = open_dialog()
    choose(dialog.form.field("kind"), ".pdf")
    qtbot.waitUntil(lambda: not dialog.preview.image.isNull())
    shown = dialog.preview.grab().toImage()
    assert len({shown.pixel(x, shown.height() // 2) for x in range(shown.width())}) > 10


@pytest.mark.deep
def test_the_preview_of_a_large_map_is_as_beautiful_as_its_print(qtbot, open_dialog):
    battlemap = free_map(FLAT, 60, 40)
    terrains = np.arange(60 * 40).reshape(40, 60) // 7 % 12
    battlemap.layers[0].planes["terrain"] = terrains.astype("u2")
    dialog = open_dialog(MapDocument(battlemap), purpose=Purpose.PRINT)
    qtbot.waitUntil(lambda: not dialog.preview.image.isNull())
    flat = run(image(dialog.make_request(), battlemap, battlemap.composite(), PREVIEW_SIDE))
    shown = battlemap.composite()
    scale = dialog.make_request().plan(battlemap, shown).unit * SCREEN_DOTS_PER_MM
    beautiful = run(preview(dialog.make_request(), battlemap, shown, PREVIEW_SIDE, scale))
    assert dialog.preview.image == beautiful
    assert beautiful != flat


@pytest.mark.parametrize("purpose", [Purpose.PICTURE, Purpose.PRINT])
def test_a_preview_that_is_not_drawn_yet_says_so(open_dialog, purpose):
    preview = open_dialog(purpose=purpose).preview
    preview.show_image(QImage())
    waiting = preview.grab().toImage()
    blank = QImage(8, 8, QImage.Format.Format_ARGB32)
    blank.fill(Qt.GlobalColor.transparent)
    preview.show_image(blank)
    assert preview.grab().toImage() != waiting


def test_every_field_has_a_name(open_dialog):
    dialog = open_dialog()
    form = dialog.form
    nameless = [
        field
        for kind in (QAbstractButton, QAbstractSpinBox, QCheckBox, QComboBox)
        for field in form.findChildren(kind)
        if not (field.accessibleName() or getattr(field, "text", str)())
    ]
    assert nameless == []


def test_problems_are_marked_as_errors(open_dialog):
    dialog = open_dialog(MapDocument(free_map(FLAT, 1000, 1000)))
    with watched_calls(DialogStatus.say) as messages:
        dialog.form.field("pixels").setValue(400)
    assert messages[-1]["severity"] is Severity.ERROR
    assert "pixels a hex" in messages[-1]["text"]


def test_a_map_is_copied_as_a_picture(qtbot, settings):
    from app.window import MainWindow

    window = MainWindow(MapDocument(sample_map()), settings)
    qtbot.addWidget(window)
    with qtbot.waitSignal(window.desk.ready):
        window.show()
    window.desk.commands.run("edit.copy-as-picture")
    clipboard = QGuiApplication.clipboard()
    qtbot.waitUntil(lambda: not clipboard.image().isNull())
    assert clipboard.image().size() == QSize(763, 824)
    assert "763 x 824 pixels" in window.statusBar().currentMessage()


def test_the_preview_follows_after_values_that_cannot_be_used(qtbot, open_dialog):
    dialog = open_dialog()
    choose(dialog.form.field("kind"), ".pdf")
    choose(dialog.form.field("way"), "page")
    dialog.form.field("size").setValue(20)
    qtbot.waitUntil(lambda: not dialog.preview.image.isNull())
    with_hexsides = dialog.preview.image

    # Before the preview without hexsides is drawn, the size is one that cannot be used.
    dialog.form.field("hexsides").setChecked(False)
    dialog.form.field("size").setValue(90)
    assert not dialog.go_button.isEnabled()
    dialog.form.field("size").setValue(20)
    assert dialog.go_button.isEnabled()
    qtbot.waitUntil(lambda: dialog.preview.image != with_hexsides)
