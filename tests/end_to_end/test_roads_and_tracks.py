"""Roads become tracks and tracks roads: their dice and ways stay, and nothing else moves."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox

from randomizer.systems.cordery.table.areas import PRESENT, TRACK
from randomizer.systems.cordery.table.features import ROAD
from tests.app.systems.cordery.conftest import Wargamer
from tests.daily import deep_but


@pytest.fixture
def player(qtbot, window) -> Wargamer:
    return Wargamer(qtbot, window)


def choose_kind(player, text: str) -> None:
    """Choose roads or tracks with the keyboard, as a person does."""
    player.panel.tabs.setCurrentIndex(0)
    box = player.panel.form.field("road")
    assert isinstance(box, QComboBox)
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Home)
    while box.currentText() != text:
        QTest.keyClick(box, Qt.Key.Key_Down)
    player.qtbot.waitUntil(lambda: not player.desk.entry.busy)
    player.wait()


def planes_without_kind(player) -> dict[str, np.ndarray]:
    """The map's planes, where a track looks like a road."""
    planes = dict(player.document.composite.planes)
    planes[ROAD] = planes[ROAD] & ~np.uint8(TRACK)
    return planes


def has_tracks(player) -> bool:
    roads = player.document.composite.planes[ROAD]
    is_road = roads & PRESENT > 0
    assert is_road.any()
    return bool((roads[is_road] & TRACK > 0).all())


def assert_equal_planes(planes: dict[str, np.ndarray], others: dict[str, np.ndarray]) -> None:
    differing = [name for name in planes if not np.array_equal(planes[name], others[name])]
    assert not differing


@pytest.mark.parametrize("number", deep_but(range(3), 0))
def test_tracks_take_the_way_of_the_roads_and_nothing_else_moves(player, number):
    player.throw(roads=2, area="urban", relief="hilly", railways=1)
    for _table in range(number):
        player.throw_again()
    planes = planes_without_kind(player)
    log = player.log()

    choose_kind(player, "Tracks (of earth)")
    assert has_tracks(player)
    assert_equal_planes(planes_without_kind(player), planes)
    assert any(line.startswith("3.1 Track 1 entry") for line in player.log())

    choose_kind(player, "Roads (metalled)")
    assert not has_tracks(player)
    assert player.log() == log
    assert_equal_planes(planes_without_kind(player), planes)


def enter_all_dice(player) -> None:
    """Enter the dice of a new table, all that are asked for."""
    player.enter_dice_by_hand()
    player.panel.enter_button.click()
    player.qtbot.waitUntil(player.panel.strip.isVisible)
    score = 0
    while player.panel.strip.isVisible():
        QTest.keyClick(player.panel.strip, Qt.Key.Key_1 + score % 6)
        score += 1
        player.qtbot.waitUntil(lambda: not player.desk.entry.busy)
    player.wait()


@pytest.mark.deep  # some 40 dice
def test_a_table_of_ones_own_dice_asks_for_none_again_when_its_roads_become_tracks(player):
    enter_all_dice(player)
    log = player.log()
    planes = planes_without_kind(player)
    choose_kind(player, "Tracks (of earth)")
    assert not player.panel.strip.isVisible()
    assert has_tracks(player)
    assert_equal_planes(planes_without_kind(player), planes)
    choose_kind(player, "Roads (metalled)")
    assert not player.panel.strip.isVisible()
    assert player.log() == log


@pytest.mark.deep
def test_dice_for_the_road_hold_when_it_becomes_a_track_while_dice_are_asked_for(player):
    player.enter_dice_by_hand()
    player.desk.throwing.map_choices.choose(hills=False, rivers=0)
    player.panel.enter_button.click()
    player.enter(2, 4)
    question = player.panel.strip.label.text()
    assert question.startswith("3.1 Road 1 entry")
    choose_kind(player, "Tracks (of earth)")
    assert player.panel.strip.label.text() == question.replace("Road", "Track")
    assert player.panel.strip.progress.text().startswith("2 ")


@pytest.mark.deep
def test_what_was_decided_of_a_road_holds_for_the_track(player):
    player.throw(fixed="road 1 entry at = 0101; road 1 exit at = 0805", hills=False)
    choose_kind(player, "Tracks (of earth)")
    assert "3.1 Track 1 entry: 0101, as decided" in player.log()
    assert player.desk.throwing.map_choices.fixed == {
        "track 1 entry at": "0101",
        "track 1 exit at": "0805",
    }
