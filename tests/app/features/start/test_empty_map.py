"""The card on an empty map."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QImage

from app.document.map_files import new_map
from app.features.start.feature import EmptyMap
from app.render.pictures.picture_files import png_of
from randomizer.model.edits.value_edits import set_values
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map_picture import MapPicture, set_picture
from randomizer.model.records.assets import asset_digest
from randomizer.systems.colossus.system import SYSTEM
from randomizer.systems.free.system import free_map


@pytest.fixture
def features() -> tuple[str, ...]:
    return ("start", "script", "cordery")


def test_it_stands_on_the_map_until_something_is_painted(window):
    document = window.desk.document
    card = window.findChild(EmptyMap)
    assert not card.isVisible(), "the sample is not empty"
    document.show_map(new_map(SYSTEM))
    assert card.isVisible()
    document.push(set_values(document.battlemap, 1, "terrain", [15], 4), "Paint")
    assert not card.isVisible()


def test_a_picture_under_the_map_takes_it_away(window):
    document = window.desk.document
    card = window.findChild(EmptyMap)
    document.show_map(free_map(FLAT, 6, 5))
    assert card.isVisible()
    data = png_of(QImage(8, 6, QImage.Format.Format_RGB32))
    document.add_assets({asset_digest(data): data})
    scan = MapPicture(asset_digest(data), "scan.png", (8, 6), (1.0, 0.0, 0.0, 1.0, 0.0, 0.0))
    document.push(set_picture(document.battlemap, scan), "Picture")
    assert not card.isVisible()


def test_the_text_on_an_empty_map_stays_while_a_large_map_is_rolled_onto_it(window, qtbot):
    desk = window.desk
    desk.document.show_map(free_map(FLAT, 200, 150))
    card = window.findChild(EmptyMap)
    text = card.message.text()
    assert "press" in text
    texts = []
    desk.rolling.slow_changed.connect(lambda _slow: texts.append(card.message.text()))
    desk.commands.action("script.roll").changed.connect(lambda: texts.append(card.message.text()))

    with qtbot.waitSignal(desk.rolling.slow_changed):
        desk.commands.action("script.roll").trigger()
    desk.rolling.cancel()
    assert set(texts) == {text}, "Roll can be pressed again when the map is there"
