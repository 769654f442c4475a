from __future__ import annotations

import pytest
from PySide6.QtCore import QSettings

from app.document.document import MapDocument
from app.document.sample import sample_map
from app.features.pictures.tables_dialog import TablesDialog
from app.render.renderer import Renderer
from app.render.theme import theme
from app.settings import Settings
from app.widgets.dialogs.dialog_status import DialogStatus
from randomizer.model.problems import Severity
from randomizer.model.rolls.rolled_layers import rolled_layer
from tests.app.paper.conftest import media_boxes
from tests.app.paper.test_campaign import rolled_table
from tests.counting import watched_calls


@pytest.fixture
def settings(tmp_path) -> Settings:
    return Settings(QSettings(str(tmp_path / "desk.ini"), QSettings.Format.IniFormat))


@pytest.fixture
def open_dialog(qtbot, settings):
    def open_dialog(*, is_secret: bool = False, **chosen: object) -> TablesDialog:
        document = MapDocument(rolled_table(3, grid="square", **chosen))
        layer = rolled_layer(document.battlemap)
        layer.secret = is_secret
        dialog = TablesDialog(document, layer, Renderer(theme("light")), settings)
        qtbot.addWidget(dialog)
        dialog.show()
        return dialog

    return open_dialog


def test_the_dialog_begins_with_the_current_table(open_dialog):
    dialog = open_dialog()
    assert dialog.tables.first.value == 3
    assert dialog.status.text == (
        "4 tables of 1 page; the map is 190 x 190 mm, squares 23.2 mm; pages of lists follow each"
    )
    assert all(dialog.tables.field(name).isVisible() for name in ("log", "parts", "areas"))
    assert not dialog.tables.field("areas").isChecked()
    assert "kind" not in dialog.values()


def test_the_words_say_square_where_the_table_has_squares(open_dialog):
    dialog = open_dialog()
    way = dialog.form.field("way")
    ways = [way.itemText(index) for index in range(way.count())]
    assert "One page, squares as large as fit" in ways
    assert dialog.form.field("size").accessibleName() == "Size of a square"
    way.setCurrentIndex(way.findData("poster"))
    dialog.form.field("size").setValue(60)
    assert dialog.status.text == (
        "4 tables of 7 pages (3 x 2 plus an overview); the map is 492 x 492 mm, squares 60.0 mm; "
        "pages of lists follow each"
    )


def test_the_pdf_is_written_and_what_was_chosen_is_remembered(qtbot, open_dialog, tmp_path, hand):
    hand.hold(TablesDialog)
    dialog = open_dialog()
    hand.expect(dialog.windowTitle()).type_path(tmp_path / "mine")
    dialog.tables.field("tables").setValue(2)
    dialog.tables.field("log").setChecked(False)
    with qtbot.waitSignal(dialog.reported) as said:
        dialog.go_button.click()
    assert said.args == ["Exported mine.pdf"]
    assert len(media_boxes((tmp_path / "mine.pdf").read_bytes())) == 4
    again = open_dialog()
    assert again.tables.field("tables").value() == 2
    assert not again.tables.field("log").isChecked()


def test_a_campaign_can_be_cancelled_and_leaves_no_file(qtbot, open_dialog, tmp_path):
    dialog = open_dialog()
    dialog.tables.field("tables").setValue(100)
    dialog.export_to(tmp_path / "out.pdf")
    assert dialog.bar.isVisible()
    dialog.close_button.click()
    qtbot.waitUntil(lambda: dialog.status.text.startswith("Cancelled"))
    assert not (tmp_path / "out.pdf").exists()


@pytest.mark.deep
def test_a_folder_that_is_not_there_and_another_kind_of_file_are_said(qtbot, open_dialog, tmp_path):
    dialog = open_dialog()
    dialog.tables.field("tables").setValue(1)
    dialog.export_to(tmp_path / "nowhere" / "out.pdf")
    qtbot.waitUntil(lambda: "the folder is not there" in dialog.status.text)
    with watched_calls(DialogStatus.say) as messages:
        dialog.export_to(tmp_path / "out.jpg")
    (message,) = messages
    text = "Tables are written as PDF only: choose a name that ends in .pdf"
    assert message["text"] == dialog.status.text == text
    assert message["severity"] is Severity.ERROR


def test_the_menu_offers_tables_only_of_what_was_rolled(qtbot, settings):
    from app.window import MainWindow

    document = MapDocument(sample_map())
    window = MainWindow(document, settings)
    qtbot.addWidget(window)
    with qtbot.waitSignal(window.desk.ready):
        window.show()
    action = window.desk.commands.action("file.tables-for-a-campaign")
    assert action.isEnabled() == (rolled_layer(document.battlemap) is not None)
    document.open_map(rolled_table(3))
    assert action.isEnabled()
    action.trigger()
    dialog = window.findChild(TablesDialog)
    assert dialog.isVisible()
    dialog.reject()


def test_players_get_no_tables_like_a_secret_roll(open_dialog, tmp_path):
    dialog = open_dialog(is_secret=True)
    dialog.form.show_values({**dialog.values(), "players": True})
    dialog.export_to(tmp_path / "tables.pdf")
    assert dialog.status.text == "the roll is secret: players get no tables like it"
    assert not (tmp_path / "tables.pdf").exists()
