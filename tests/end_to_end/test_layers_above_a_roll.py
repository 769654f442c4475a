"""Gallery, fairness and odds with what lies above the roll, by hand in a real window."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox

from app.features.odds.feature import HATCHED, OddsController
from app.features.odds.odds_heat import Choice, ChoiceKind
from randomizer.batches.batch import batch_of
from randomizer.systems.colossus.board import CELL_OF_HEX
from randomizer.systems.colossus.fairness.measures import MEASURES
from randomizer.systems.colossus.system import SYSTEM
from tests.app.conftest import cell, finished_picture
from tests.end_to_end.test_painting_what_is_seen import Painter

CORNER = ("A1", "A2", "A3", "B1", "B2", "C1")
"""One corner of the board: brambles there make most maps unfair."""


@pytest.fixture
def painter(qtbot, window) -> Painter:
    """Someone who touched up a rolled map by hand."""
    window.resize(1280, 860)
    painter = Painter(qtbot, window)
    for label in CORNER:
        painter.paint("Brambles", label)
    return painter


def click(box: QCheckBox) -> None:
    QTest.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, box.height() // 2))


def gallery_of(painter):
    painter.window.desk.docks.show("gallery")
    gallery = painter.window.desk.docks.panel("gallery")
    gallery.form.show_seed(5)
    painter.qtbot.waitUntil(lambda: settled(gallery) and len(gallery.maps.model.unpinned) == 48)
    return gallery


def settled(gallery) -> bool:
    return not gallery.finder.busy


def look_for(painter, gallery, text: str) -> None:
    gallery.form.filter.request_maps(text)
    painter.qtbot.waitUntil(lambda: settled(gallery) and gallery.finder.has_ended)


def take(painter, gallery, row: int):
    """Take a map of the gallery; what it showed there."""
    painter.window.desk.docks.show("gallery")
    painter.qtbot.waitUntil(lambda: settled(gallery) and gallery.finder.watched)
    candidate = gallery.maps.model.candidates[row]
    painter.qtbot.waitUntil(lambda: settled(gallery))
    gallery.maps.view.setCurrentIndex(gallery.maps.model.index(row))
    with painter.qtbot.waitSignal(painter.window.desk.rolling.rolled):
        gallery.maps.map_actions.take.trigger()
    return candidate


def imbalance(painter) -> float:
    shown = painter.document.composite
    fairness = next(each for each in MEASURES if each.name == "fairness")
    return float(fairness.of(batch_of(SYSTEM, painter.document.battlemap.grid, shown))[0])


@pytest.mark.parametrize("moved", [pytest.param(False, marks=pytest.mark.deep), True])
def test_a_map_of_the_gallery_is_the_map_that_is_taken(painter, moved):
    if moved:
        painter.roll_next()
        assert painter.touch_ups()
    gallery = gallery_of(painter)
    candidate = take(painter, gallery, 7)
    shown = painter.document.composite
    planes = candidate.batch.planes(candidate.row)
    inside = np.array(CELL_OF_HEX)
    for name in ("terrain", "elevation"):
        assert np.array_equal(planes[name].flat[inside], shown.planes[name].flat[inside])


@pytest.mark.deep
def test_a_map_taken_for_its_fairness_has_it(painter):
    gallery = gallery_of(painter)
    look_for(painter, gallery, "fairness <= 15")
    found = len(gallery.maps.model.unpinned)
    for row in range(min(3, found)):
        take(painter, gallery, row)
        assert imbalance(painter) <= 15
    painter.window.desk.docks.show("gallery")
    click(gallery.form.layers_above)
    painter.qtbot.waitUntil(lambda: settled(gallery) and len(gallery.maps.model.unpinned) == 48)
    painter.qtbot.waitUntil(lambda: gallery.finder.has_ended)
    unfair = 0
    for row in range(3):
        take(painter, gallery, row)
        unfair += imbalance(painter) > 15
    assert unfair, "the rolls alone are fair, the maps are not"


def test_the_gallery_follows_what_is_painted_above_the_roll(painter):
    painter.roll_next()
    gallery = gallery_of(painter)
    look_for(painter, gallery, "A1 = Brambles and A2 = Brambles")
    assert len(gallery.maps.model.unpinned) == 48
    before = gallery.maps.model.candidates[0].digest
    docks = painter.window.desk.docks
    docks.views.show_map()
    painter.paint("Volcano", "A1")
    docks.show("gallery")
    painter.qtbot.waitUntil(lambda: settled(gallery) and gallery.maps.view.is_dimmed)
    assert gallery.status.message.text().startswith("What was painted on A1, ")
    look_for(painter, gallery, "A1 = Volcano")
    assert len(gallery.maps.model.unpinned) == 48
    assert gallery.maps.model.candidates[0].digest != before


def test_without_anything_above_there_is_no_switch(qtbot, window):
    painter = Painter(qtbot, window)
    gallery = gallery_of(painter)
    assert not gallery.form.layers_above.isVisible()
    window.desk.docks.views.show_map()
    painter.paint("Brambles", "A1")
    window.desk.docks.show("gallery")
    qtbot.waitUntil(lambda: gallery.form.layers_above.isVisible())


@pytest.mark.deep
def test_fairness_compares_the_map_with_maps_as_they_will_be(painter):
    docks = painter.window.desk.docks
    docks.show("fairness")
    panel = docks.panel("fairness")
    painter.qtbot.waitUntil(lambda: panel.compared.text().startswith("Compared"))
    above = row_of(panel, "Imbalance")[1]
    click(panel.above)
    painter.qtbot.waitUntil(lambda: row_of(panel, "Imbalance")[1] != above)
    # Among the rolls alone a map with brambles in one corner looks far less even than it is.
    assert percent(row_of(panel, "Imbalance")[1]) > percent(above)


def row_of(panel, title: str) -> tuple[str, str]:
    table = panel.measures
    for row in range(table.rowCount()):
        if table.item(row, 0).text() == title:
            return table.item(row, 1).text(), table.item(row, 2).text()
    raise LookupError(title)


def percent(text: str) -> float:
    return float(text.removesuffix("%"))


@pytest.mark.deep  # all odds are counted three times
def test_odds_are_those_of_the_script_with_what_is_covered_hatched_or_of_the_map(painter):
    window = painter.window
    qtbot = painter.qtbot
    window.desk.docks.show("odds")
    panel = window.desk.docks.panel("odds")
    live = panel.findChild(OddsController).live
    qtbot.waitUntil(lambda: live.is_final)
    brambles = SYSTEM.terrain_set.terrain_code("Brambles")
    assert panel.above.isChecked(), "as in the gallery, to which a row of the odds leads"
    assert certain(live.table, "A1", brambles)
    assert HATCHED not in panel.message.text()
    assert window.desk.renderer.heat_map.hatched is None
    click(panel.above)
    qtbot.waitUntil(lambda: live.is_final and not certain(live.table, "A1", brambles))
    assert HATCHED in panel.message.text()
    marks = window.desk.renderer.heat_map.hatched
    assert set(np.flatnonzero(marks)) == {cell(label) for label in CORNER}
    click(panel.above)
    qtbot.waitUntil(lambda: live.is_final and certain(live.table, "A1", brambles))
    panel.combo.setCurrentIndex(panel.combo.offered.index(Choice(ChoiceKind.TERRAIN, brambles)))
    assert window.desk.renderer.heat_map.texts[cell("A1")] == "100 %"


def certain(table, label: str, terrain: int) -> bool:
    odds = table.of(cell(label))
    return abs(sum(chance for (code, _), chance in odds.items() if code == terrain) - 1) < 1e-9


@pytest.mark.deep
def test_covered_cells_are_seen_to_be_hatched(painter):
    window = painter.window
    qtbot = painter.qtbot
    window.desk.tools.choose("pan")
    window.desk.docks.show("odds")
    panel = window.desk.docks.panel("odds")
    live = panel.findChild(OddsController).live
    qtbot.waitUntil(lambda: live.is_final)
    click(panel.above)  # the odds of the script alone, hatched where something lies over them
    qtbot.waitUntil(lambda: live.is_final)

    def colours(label: str) -> int:
        x, y = painter.document.battlemap.grid.centre(cell(label))
        view = window.desk.canvas.viewport
        middle = view.to_screen(x, y).toPoint()
        image = finished_picture(window.desk.canvas, qtbot)
        # Left of the words in the cell.
        row = range(middle.x() - round(view.scale * 0.85), middle.x() - round(view.scale * 0.5))
        return len({image.pixelColor(at, middle.y()).rgb() for at in row})

    assert colours("A2") >= 3
    assert colours("E3") == 1
