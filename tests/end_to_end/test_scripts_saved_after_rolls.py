"""A script that gets its file after the roll: the map finds it again when it is opened."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from app.background.actions import run
from app.document.document import MapDocument
from app.document.map_files import new_map
from app.document.sample import sample_map
from app.features.files.controller import FilesController
from app.window import MainWindow
from randomizer.catalog.systems import system_named
from randomizer.languages.language import SourceText
from tests.end_to_end.conftest import close_without_asking, show_until_ready
from tests.end_to_end.test_one_roll import LAKE, Roller


@pytest.fixture
def open_session(qtbot, settings, sprites_file):
    """Open the desk as in another session of the program, with the same settings."""

    def open_session() -> MainWindow:
        window = MainWindow(MapDocument(sample_map()), settings, None)
        qtbot.addWidget(window, before_close_func=close_without_asking)
        show_until_ready(window, qtbot, sprites_file)
        return window

    return open_session


def test_the_file_of_a_script_is_found_again(qtbot, window, hand, tmp_path, open_session):
    roller = Roller(qtbot, window)
    roller.document.open_map(new_map(system_named("colossus")))
    run(window.desk.scripts.new_scripts.open_new(SourceText(LAKE, "Untitled.rnd")))
    roller.press(Qt.Key.Key_R)

    (tmp_path / "scripts").mkdir()
    script_file = tmp_path / "scripts" / "moor.rnd"
    hand.expect("Save script").type_path(script_file)
    window.desk.commands.run("script.save")
    qtbot.waitUntil(script_file.exists)
    map_file = tmp_path / "moor.battlemap"
    hand.expect("Save map as").type_path(map_file)
    window.desk.commands.run("file.save-as")
    qtbot.waitUntil(map_file.exists)
    close_without_asking(window)
    window.close()

    later_window = open_session()
    later_window.findChild(FilesController).open_path(map_file)
    desk = later_window.desk
    qtbot.waitUntil(lambda: desk.document.path == map_file)
    assert desk.scripts.script.path == script_file
    later_roller = Roller(qtbot, later_window)
    later_roller.write("AREA (anywhere) HAZARDS Bog Bog Bog")
    qtbot.waitUntil(lambda: "Bog" in desk.rolling.target().roll.script)
    assert desk.rolling.target().roll.script_name == "moor.rnd", "the map follows the text"
