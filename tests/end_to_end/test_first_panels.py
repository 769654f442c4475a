"""Of the panels on the right that one comes first after *New map* which the manual says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget

from app.document.document import MapDocument
from app.document.map_files import new_map
from app.document.sample import sample_map
from app.features.new_map.dialog import NewMapDialog
from app.window import MainWindow
from randomizer.catalog.systems import system_named
from randomizer.storage.files.project import PROJECT
from tests.daily import deep_but
from tests.end_to_end.conftest import close_without_asking, show_until_ready

DRIVEN_DIALOGS = (NewMapDialog,)

PAGE = Path(__file__).resolve().parents[2] / "docs" / "manual" / "comfort.md"
_TABLE = PAGE.read_text("utf-8").split("| first panel |\n|---|---|\n")[1].split("\n\n")[0]
FIRST_PANELS = re.findall(r"^\| (.+?) \| (.+?) \|$", _TABLE, re.MULTILINE)


def test_the_manual_names_every_kind_of_map(window):
    window.desk.commands.run("file.new-map")
    kinds = window.findChild(NewMapDialog).kinds
    names = {kinds.item(row).text() for row in range(kinds.count())}
    assert {kind for kind, _ in FIRST_PANELS} == names


@pytest.mark.parametrize(
    ("kind", "panel"),
    deep_but(
        FIRST_PANELS,
        ("Colossus battleland", "Script"),
        ("Wargame table", "Dice"),
        ("Xconq world", "Period"),
    ),
)
def test_after_new_map_the_panel_comes_first_that_the_manual_says(qtbot, window, kind, panel):
    desk = window.desk
    before = window.desk.document.battlemap
    desk.commands.run("file.new-map")
    dialog = window.findChild(NewMapDialog)
    (row,) = dialog.kinds.findItems(kind, Qt.MatchFlag.MatchExactly)
    dialog.kinds.setCurrentItem(row)
    dialog.make_button.click()
    qtbot.waitUntil(lambda: desk.document.battlemap is not before and not desk.rolling.busy)
    layers = desk.docks["layers"]

    def first() -> list[str]:
        """The title of the one of the tabs with *Layers* that is seen."""
        tabs: list[QDockWidget] = [layers, *window.tabifiedDockWidgets(layers)]
        return [dock.windowTitle() for dock in tabs if not dock.visibleRegion().isEmpty()]

    qtbot.waitUntil(lambda: first() == [panel])


@pytest.mark.parametrize(
    ("kind", "panel"),
    [("cordery", "layers"), pytest.param("free", "randomize", marks=pytest.mark.deep)],
)
def test_the_panel_in_front_is_in_front_again_when_a_project_is_opened(
    qtbot, window, settings, tmp_path, sprites_file, kind, panel
):
    path = tmp_path / "kept.battlemap"
    path.write_bytes(PROJECT.write(new_map(system_named(kind))))
    window.desk.files.open_path(path)
    qtbot.waitUntil(lambda: window.desk.document.path == path)
    window.desk.docks.show(panel)
    qtbot.waitUntil(lambda: window.desk.docks.is_in_front(panel))
    close_without_asking(window)
    window.close()

    again = MainWindow(MapDocument(sample_map()), settings, None)
    qtbot.addWidget(again, before_close_func=close_without_asking)
    show_until_ready(again, qtbot, sprites_file)
    again.desk.files.open_path(path)
    qtbot.waitUntil(lambda: again.desk.document.path == path)
    qtbot.waitUntil(lambda: again.desk.docks.is_in_front(panel))
